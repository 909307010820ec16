/* pivot.cuh: what elimination with partial pivoting shares: sizes of numbers
   as integers, the search of a warp for the largest, division by a pivot, and
   the product of the pivots.

   A pivot p is used as p * s with the power of two s that brings it near one,
   and r = 1 / (p * s), so that no reciprocal over- or underflows.  A quotient
   x / p = x * s * r is corrected once: it is exact where the true one is a
   number of the type, and equal rows cancel to zero as with a division.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_PIVOT_CUH
#define GPULINALG_PIVOT_CUH 1

#include <cmath>

#include "common.cuh"

__device__ inline float
size_of (float x)
{
  return fabsf (x);
}
__device__ inline double
size_of (double x)
{
  return fabs (x);
}
/* What LAPACK compares: cheaper than the modulus, and within sqrt (2).  */
template <class R>
__device__ R
size_of (gpu_complex<R> x)
{
  return size_of (x.re) + size_of (x.im);
}

__device__ inline float
modulus (float x)
{
  return fabsf (x);
}
__device__ inline double
modulus (double x)
{
  return fabs (x);
}
__device__ inline float
modulus (gpu_complex<float> x)
{
  return hypotf (x.re, x.im);
}
__device__ inline double
modulus (gpu_complex<double> x)
{
  return hypot (x.re, x.im);
}

/* Numbers that are not negative, and NaN above them all, are ordered as their
   bits are.  */
__device__ inline unsigned
high_bits (float x)
{
  return __float_as_uint (x);
}
__device__ inline unsigned
high_bits (double x)
{
  return (unsigned) __double2hiint (x);
}
__device__ inline unsigned
low_bits (float)
{
  return 0;
}
__device__ inline unsigned
low_bits (double x)
{
  return (unsigned) __double2loint (x);
}
__device__ inline float
from_bits (float, unsigned high, unsigned)
{
  return __uint_as_float (high);
}
__device__ inline double
from_bits (double, unsigned high, unsigned low)
{
  return __hiloint2double ((int) high, (int) low);
}

__device__ inline unsigned
warp_max (unsigned x)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync (~0u, x);
#else
  for (int h = 16; h > 0; h /= 2)
    x = max (x, __shfl_xor_sync (~0u, x, h));
  return x;
#endif
}

/* The high bits of size_of (x).  */
__device__ inline unsigned
leading_bits (float x)
{
  return high_bits (x) & ~(1u << 31);
}
__device__ inline unsigned
leading_bits (double x)
{
  return high_bits (x) & ~(1u << 31);
}
template <class R>
__device__ unsigned
leading_bits (gpu_complex<R> x)
{
  return high_bits (size_of (x));
}

/* The largest x of a warp, none of them negative; NaN counts as largest.  */
template <class R>
__device__ R
warp_largest (R x)
{
  unsigned high = high_bits (x), top = warp_max (high);
  unsigned low = warp_max (high == top ? low_bits (x) : 0);
  return from_bits (x, top, low);
}

/* A candidate for the pivot: its size, its place in LAPACK's order of the
   rows, and a tag of the caller's.  */
struct candidate
{
  unsigned high, low; /* bits of the size; high is 0 where there is none */
  int place, tag;
};

template <class T>
__device__ candidate
make_candidate (T x, int place, int tag)
{
  auto s = size_of (x);
  return { high_bits (s) + 1, low_bits (s), place, tag };
}

/* Larger, or as large and in front.  */
__device__ inline bool
beats (const candidate &a, const candidate &b)
{
  if (a.high != b.high)
    return a.high > b.high;
  if (a.low != b.low)
    return a.low > b.low;
  return a.place < b.place;
}

/* A bit for the lane whose candidate beats those of all other lanes, where TOP
   is warp_max (c.high).  Equal high words are rare, so what they cost does not
   count.  */
__device__ inline unsigned
best_bit (const candidate &c, unsigned top)
{
  unsigned who = __ballot_sync (~0u, c.high == top);
  if (who & (who - 1))
    {
      bool in = c.high == top;
      unsigned low = warp_max (in ? c.low : 0);
      in = in && c.low == low;
      unsigned first = warp_max (in ? ~(unsigned) c.place : 0);
      who = __ballot_sync (~0u, in && ~(unsigned) c.place == first);
    }
  return who;
}
__device__ inline int
best_lane (const candidate &c)
{
  return __ffs (best_bit (c, warp_max (c.high))) - 1;
}

template <class T>
constexpr bool is_complex = sizeof (T) > sizeof (typename real_of<T>::type);

/* yes ? x : y, by parts: a choice of structs could go through memory.  */
template <class R>
__device__ R
choose (bool yes, R x, R y)
{
  return yes ? x : y;
}
template <class R>
__device__ gpu_complex<R>
choose (bool yes, gpu_complex<R> x, gpu_complex<R> y)
{
  return { yes ? x.re : y.re, yes ? x.im : y.im };
}

template <class T>
__device__ T
negative (T x)
{
  return scale (x, (typename real_of<T>::type) - 1);
}

/* The exponent's place in the high bits, and its value for 1.  */
template <class R> constexpr int exponent_at = sizeof (R) == 4 ? 23 : 20;
template <class R> constexpr int exponent_of_1 = sizeof (R) == 4 ? 127 : 1023;

/* The k that brings a number x >= 0 with these high bits into [1, 2) as
   x * 2^k; only a denormal x stays below, only the largest come to [2, 4).  */
template <class R>
__device__ int
balance (unsigned high)
{
  constexpr int ONE = exponent_of_1<R>;
  return max (2 * ONE - (int) (high >> exponent_at<R>), 1) - ONE;
}

/* 2^k.  */
template <class R>
__device__ R
power_of_2 (int k)
{
  const int bits = (k + exponent_of_1<R>) << exponent_at<R>;
  if constexpr (sizeof (R) == 4)
    return __int_as_float (bits);
  else
    return __hiloint2double (bits, 0);
}

/* 1 / x for x near one: Newton's steps from an approximation.  */
__device__ inline float
invert_near_1 (float x)
{
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return fma (fma (-x, r, 1.0f), r, r);
}
__device__ inline double
invert_near_1 (double x)
{
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
  const double e = fma (-x, r, 1.0);
  r = fma (fma (e, e, e), r, r);
  return fma (fma (-x, r, 1.0), r, r);
}

/* a * b, rounded by itself: not contracted with an addition.  */
__device__ inline float
rounded (float a, float b)
{
  return __fmul_rn (a, b);
}
__device__ inline double
rounded (double a, double b)
{
  return __dmul_rn (a, b);
}

__device__ inline float
reciprocal (float x)
{
  return 1 / x;
}
__device__ inline double
reciprocal (double x)
{
  return 1 / x;
}
/* Through the larger part, so that no square over- or underflows.  */
template <class R>
__device__ gpu_complex<R>
reciprocal (gpu_complex<R> x)
{
  bool swap = abs (x.re) < abs (x.im);
  R big = swap ? x.im : x.re, small = swap ? x.re : x.im;
  R ratio = small / big, d = 1 / (big + small * ratio);
  if (swap)
    return { ratio * d, -d };
  return { d, -ratio * d };
}

/* What x is divided by after it was multiplied by the conjugate of p: the same
   number for x = p, bit by bit, and the imaginary part is then zero.  */
template <class R>
__device__ R
denominator (R p)
{
  return p;
}
template <class R>
__device__ R
denominator (gpu_complex<R> p)
{
  return rounded (p.re, p.re) + rounded (p.im, p.im);
}

/* x / p, where r is 1 / denominator (p) within a rounding.  */
template <class R>
__device__ R
corrected_quotient (R x, R p, R r)
{
  const R q = x * r;
  return fma (fma (-q, p, x), r, q);
}
template <class R>
__device__ gpu_complex<R>
corrected_quotient (gpu_complex<R> x, gpu_complex<R> p, R r)
{
  const R d = denominator (p);
  const R re = rounded (x.re, p.re) + rounded (x.im, p.im);
  const R im = rounded (x.im, p.re) - rounded (x.re, p.im);
  return { corrected_quotient (re, d, r), corrected_quotient (im, d, r) };
}

/* A pivot x as p = x * 2^k with r = 1 / denominator (p).  If x is zero, so is
   r: what should be divided by it, zeros, stays zero.  */
template <class T> struct pivot
{
  using R = typename real_of<T>::type;
  int k;
  T p;
  R r;

  __device__
  pivot (int k_, T p_, R r_)
      : k (k_), p (p_), r (r_)
  {
  }
  __device__ explicit pivot (T x)
  {
    const R size = size_of (x);
    k = balance<R> (high_bits (size));
    p = scale (x, power_of_2<R> (k));
    r = size == 0 ? 0 : invert_near_1 (denominator (p));
  }
  /* y / x and 1 / x.  */
  __device__ T
  divide (T y) const
  {
    return corrected_quotient (scale (y, power_of_2<R> (k)), p, r);
  }
  __device__ T
  inverse () const
  {
    if constexpr (is_complex<T>)
      return scale (scale (conj_if (true, p), r), power_of_2<R> (k));
    else
      return r * power_of_2<R> (k);
  }
};

/* m * 2^e with m near one: a product that cannot over- or underflow.  */
template <class T> struct product
{
  using R = typename real_of<T>::type;
  T m;
  int e;

  __device__ explicit product (T x)
  {
    const int k = balance<R> (high_bits (size_of (x)));
    m = scale (x, power_of_2<R> (k));
    e = -k;
  }
  __device__ void
  times (T factor, int exponent)
  {
    const product y (mul (m, factor));
    m = y.m;
    e += exponent + y.e;
  }
  /* The product of those of all lanes.  */
  __device__ void
  times_warp ()
  {
    for (int h = 16; h > 0; h /= 2)
      {
        const int lane = threadIdx.x % 32 ^ h;
        times (from_lane (m, lane), __shfl_sync (~0u, e, lane));
      }
  }
};

/* Where a determinant goes: itself, or its logarithm and its sign.  */
template <class T> struct det_result
{
  using R = typename real_of<T>::type;
  T *det, *sign;
  R *log_det;
  ptrdiff_t step, sign_step;

  det_result (gpu_mat d, gpu_mat s)
      : det ((T *) d.p), sign ((T *) s.p), log_det ((R *) d.p), step (d.step),
        sign_step (s.step)
  {
  }

  __device__ static float
  scale_by (float x, int e)
  {
    return ldexpf (x, e);
  }
  __device__ static double
  scale_by (double x, int e)
  {
    return ldexp (x, e);
  }
  template <class C>
  __device__ static gpu_complex<C>
  scale_by (gpu_complex<C> x, int e)
  {
    return { (C) ldexp (x.re, e), (C) ldexp (x.im, e) };
  }
};

__device__ inline float
divide_by (float x, double r)
{
  return (float) (x / r);
}
__device__ inline double
divide_by (double x, double r)
{
  return x / r;
}
template <class R>
__device__ gpu_complex<R>
divide_by (gpu_complex<R> x, double r)
{
  return { divide_by (x.re, r), divide_by (x.im, r) };
}

/* log (abs (x)) and x / abs (x) for x = m * 2^e.  Not inlined: the logarithm
   is large, and hardly ever asked for.  */
template <class T>
__device__ __noinline__ void
write_log (typename real_of<T>::type *log_x, T *sign, T m, int e)
{
  const double size = modulus (m), ln2 = 0.69314718055994530942;
  *log_x = (typename real_of<T>::type) (log (size) + e * ln2);
  *sign = size == 0 ? make<T> (0) : divide_by (m, size);
}
template <class T>
__device__ void
write_det (const det_result<T> &to, ptrdiff_t page, const product<T> &x)
{
  if (to.sign)
    write_log (to.log_det + page * to.step, to.sign + page * to.sign_step, x.m,
               x.e);
  else
    to.det[page * to.step] = to.scale_by (x.m, x.e);
}

#endif
