/* pages.cuh: what the kernels with several pages a warp share: norms, and
   groups of pages in shared memory.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_PAGES_CUH
#define GPULINALG_PAGES_CUH 1

#include "pivot.cuh"

/* The high bits that tell how large a complex x can be; a real one needs no
   scaling.  */
template <class R>
__device__ unsigned
extent (R)
{
  return 0;
}
template <class R>
__device__ unsigned
extent (gpu_complex<R> x)
{
  return max (high_bits (size_of (x.re)), high_bits (size_of (x.im)));
}

/* sqrt (x) to the last bits but two, for x that is normal and positive: the
   hardware's estimate, in double precision with a step of third order.  */
__device__ static inline float
short_sqrt (float x)
{
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return x * y;
}
__device__ static inline double
short_sqrt (double x)
{
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  const double t = x * y, e = fma (-t, y, 1.0);
  return fma (t * e, fma (0.375, e, 0.5), t);
}

/* Sums of moduli.  Those of complex numbers are taken of a page that is scaled
   by 2^k to have its largest EXTENT near one.  */
template <class T> struct modulus_sum
{
  using R = typename real_of<T>::type;
  int k;

  __device__ explicit modulus_sum (unsigned largest)
      : k (is_complex<T> ? balance<R> (largest) : 0)
  {
  }
  __device__ R
  term (R x) const
  {
    return size_of (x);
  }
  /* The least term is lost beside the largest element, but keeps the root away
     from zero.  Inf becomes NaN.  */
  __device__ R
  term (gpu_complex<R> x) const
  {
    const R least = sizeof (R) == 4 ? (R) 0x1p-100 : (R) 0x1p-1000;
    const R s = power_of_2<R> (k), re = x.re * s, im = x.im * s;
    const R h = re * re + (im * im + least);
    return short_sqrt (h);
  }
  /* In two steps, since 2^-k may be denormal.  */
  __device__ R
  unscale (R sum) const
  {
    if constexpr (is_complex<T>)
      return sum * power_of_2<R> (-k / 2) * power_of_2<R> (-k - -k / 2);
    else
      return sum;
  }
};

/* max (x, y) that keeps NaN.  */
template <class R>
__device__ R
max_or_nan (R x, R y)
{
  return y > x || y != y ? y : x;
}

/* rcond from the norms of A and X.  A finite A whose inverse is not finite is
   singular to all that the type can tell.  */
template <class R>
__device__ R
reciprocal_condition (R anorm, R xnorm, bool singular)
{
  if (singular || (isfinite (anorm) && !isfinite (xnorm)))
    return 0;
  return 1 / xnorm / anorm;
}

/* COUNT pages of M x N in a warp's shared memory.  A pad makes their distance
   odd in 16 bytes, or it is odd in elements: lanes that read element e of a
   page each do not collide.  */
template <class T, int M, int COUNT, int N = M> struct shelf
{
  static constexpr int SIZE = M * N, CHUNK = 16 / sizeof (T);
  static constexpr int STEP = SIZE % CHUNK ? SIZE : (SIZE / CHUNK | 1) * CHUNK;
  static constexpr int CHUNKS = COUNT * SIZE / CHUNK;
  static_assert (COUNT * SIZE % CHUNK == 0, "every group of pages is aligned");

  alignas (16) T pages[COUNT * STEP];

  __device__ T *
  at (int element)
  {
    return pages + element / SIZE * STEP + element % SIZE;
  }
  /* Chunk C of the pages A, on its way until copies_arrive.  The first cache
     is a gain only for small pages (measured).  */
  __device__ void
  get_chunk (const T *A, int c)
  {
    int4 *to = (int4 *) at (c * CHUNK);
    if (SIZE * sizeof (T) <= 128)
      copy_async (to, (const int4 *) A + c);
    else
      copy_async_once (to, (const int4 *) A + c);
  }
  /* From and to NOW <= COUNT pages in global memory, by all lanes.  */
  __device__ void
  get (const T *A, int now, int lane)
  {
    const int end = now * SIZE;
#pragma unroll 4
    for (int c = lane; c < CHUNKS; c += 32)
      if ((c + 1) * CHUNK <= end)
        get_chunk (A, c);
    for (int e = end / CHUNK * CHUNK + lane; e < end; e += 32)
      *at (e) = A[e];
    copies_arrive ();
    __syncwarp ();
  }
  __device__ void
  put (T *X, int now, int lane)
  {
    const int end = now * SIZE;
    __syncwarp ();
#pragma unroll 4
    for (int c = lane; c < CHUNKS; c += 32)
      if ((c + 1) * CHUNK <= end)
        __stcs ((int4 *) X + c, *(const int4 *) at (c * CHUNK));
    for (int e = end / CHUNK * CHUNK + lane; e < end; e += 32)
      X[e] = *at (e);
    __syncwarp ();
  }
};

#endif
