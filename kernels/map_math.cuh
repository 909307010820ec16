/* map_math.cuh: the elementary functions of map.cu, for real and complex
   numbers.

   CUDA has the real ones.  Products and quotients of complex numbers give
   infinities as C does (Annex G); roots, logarithms and the inverse functions
   follow W. Kahan, Branch cuts for complex elementary functions (1987): no
   difference cancels that is not exact.  RA and RB tell that a complex number
   came from a real one: then products and quotients go part by part, and
   functions are exact where the real ones are.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_MAP_MATH_CUH
#define GPULINALG_MAP_MATH_CUH 1

#include "common.cuh"

#include <cfloat>
#include <cmath>

/* What depends on the precision.  */
template <class R> struct limits;
template <> struct limits<float>
{
  static constexpr float most = FLT_MAX, least = FLT_MIN, eps = FLT_EPSILON;
  static constexpr int bits = FLT_MANT_DIG;
};
template <> struct limits<double>
{
  static constexpr double most = DBL_MAX, least = DBL_MIN, eps = DBL_EPSILON;
  static constexpr int bits = DBL_MANT_DIG;
};

template <class R> constexpr R pi = (R) 3.14159265358979323846264338327950288;
template <class R>
constexpr R ln2 = (R) 0.693147180559945309417232121458176568;
template <class R>
constexpr R ln10 = (R) 2.30258509299404568401799145468436421;

template <class R>
__device__ R
infinity ()
{
  return (R) INFINITY;
}
template <class R>
__device__ R
not_a_number ()
{
  return (R) NAN;
}

/* ---- parts ---- */

template <class R>
__device__ R
imag_part (R)
{
  return 0;
}
template <class R>
__device__ R
imag_part (gpu_complex<R> x)
{
  return x.im;
}

/* Numbers that are only cast.  */
__device__ inline int64_t
real_part (int64_t x)
{
  return x;
}
__device__ inline unsigned char
real_part (unsigned char x)
{
  return x;
}

template <class R, class F>
__device__ R
by_parts (R x, F f)
{
  return f (x);
}
template <class R, class F>
__device__ gpu_complex<R>
by_parts (gpu_complex<R> x, F f)
{
  return { f (x.re), f (x.im) };
}

template <class R>
__device__ bool
is_zero (R x)
{
  return x == 0;
}
template <class R>
__device__ bool
is_zero (gpu_complex<R> x)
{
  return x.re == 0 && x.im == 0;
}

template <class R>
__device__ bool
equal (R a, R b)
{
  return a == b;
}
template <class R>
__device__ bool
equal (gpu_complex<R> a, gpu_complex<R> b)
{
  return a.re == b.re && a.im == b.im;
}

template <class R>
__device__ bool
is_nan (gpu_complex<R> x)
{
  return isnan (x.re) || isnan (x.im);
}

template <class R>
__device__ R
abs_of (R x)
{
  return fabs (x);
}
/* hypot of the library may be an ulp off where one part is everything.  */
template <class R>
__device__ R
abs_of (gpu_complex<R> z)
{
  const R x = fabs (z.re), y = fabs (z.im);
  return y <= x * limits<R>::eps   ? x
         : x <= y * limits<R>::eps ? y
                                   : hypot (x, y);
}

template <class R>
__device__ R
arg_of (R x)
{
  return signbit (x) ? pi<R> : 0;
}
template <class R>
__device__ R
arg_of (gpu_complex<R> x)
{
  return atan2 (x.im, x.re);
}

template <class R>
__device__ R
sign (R x)
{
  return isnan (x) ? x : (R) ((x > 0) - (x < 0));
}
template <class R>
__device__ gpu_complex<R>
sign (gpu_complex<R> x)
{
  const R size = abs_of (x);
  if (size == 0)
    return { 0, 0 };
  return { x.re / size, x.im / size };
}

/* ---- order ---- */

/* a < b, or a <= b.  Complex numbers count by their abs, those of equal abs by
   their arg, where -pi is pi and a real number has 0.  */
template <class R>
__device__ bool
less (R a, R b, bool, bool, bool or_equal)
{
  return or_equal ? a <= b : a < b;
}
template <class R>
__device__ __noinline__ bool
less (gpu_complex<R> a, gpu_complex<R> b, bool ra, bool rb, bool or_equal)
{
  R x = abs_of (a), y = abs_of (b);
  if (x == y)
    {
      x = ra ? 0 : arg_of (a);
      y = rb ? 0 : arg_of (b);
      x = x == -pi<R> ? pi<R> : x;
      y = y == -pi<R> ? pi<R> : y;
    }
  return or_equal ? x <= y : x < y;
}

/* max and min; NaN gives way to numbers, but not to complex ones.  */
template <class R>
__device__ R
larger (R a, R b)
{
  return isnan (b) || a >= b ? a : b;
}
template <class R>
__device__ R
smaller (R a, R b)
{
  return isnan (b) || a <= b ? a : b;
}
template <class R>
__device__ gpu_complex<R>
larger (gpu_complex<R> a, gpu_complex<R> b)
{
  return abs_of (a) >= abs_of (b) || is_nan (a) ? a : b;
}
template <class R>
__device__ gpu_complex<R>
smaller (gpu_complex<R> a, gpu_complex<R> b)
{
  return abs_of (a) <= abs_of (b) || is_nan (a) ? a : b;
}

/* ---- arithmetic ---- */

template <class R>
__device__ R
subtract (R a, R b)
{
  return a - b;
}
template <class R>
__device__ gpu_complex<R>
subtract (gpu_complex<R> a, gpu_complex<R> b)
{
  return { a.re - b.re, a.im - b.im };
}

/* a * b, rounded by itself, so that the imaginary part of x * conj (x) is 0.
 */
__device__ inline float
product (float a, float b)
{
  return __fmul_rn (a, b);
}
__device__ inline double
product (double a, double b)
{
  return __dmul_rn (a, b);
}

/* An infinite part counts as 1, a finite one as 0; and what is NaN as 0.  */
template <class R>
__device__ gpu_complex<R>
boxed (gpu_complex<R> x)
{
  return { copysign (isinf (x.re) ? (R) 1 : (R) 0, x.re),
           copysign (isinf (x.im) ? (R) 1 : (R) 0, x.im) };
}
template <class R>
__device__ gpu_complex<R>
without_nan (gpu_complex<R> x)
{
  return { isnan (x.re) ? copysign ((R) 0, x.re) : x.re,
           isnan (x.im) ? copysign ((R) 0, x.im) : x.im };
}
template <class R>
__device__ bool
is_inf (gpu_complex<R> x)
{
  return isinf (x.re) || isinf (x.im);
}
template <class R>
__device__ bool
is_finite (gpu_complex<R> x)
{
  return isfinite (x.re) && isfinite (x.im);
}

/* a * b where the plain product is NaN + NaN * i.  */
template <class R>
__device__ __noinline__ gpu_complex<R>
times_infinite (gpu_complex<R> a, gpu_complex<R> b)
{
  const R nan = not_a_number<R> (), inf = infinity<R> ();
  const bool overflow
    = isinf (product (a.re, b.re)) || isinf (product (a.im, b.im))
      || isinf (product (a.re, b.im)) || isinf (product (a.im, b.re));
  if (is_inf (a) || is_inf (b))
    {
      const bool infinite_b = is_inf (b);
      if (is_inf (a))
        {
          a = boxed (a);
          b = without_nan (b);
        }
      if (infinite_b)
        {
          b = boxed (b);
          a = without_nan (a);
        }
    }
  else if (overflow)
    {
      a = without_nan (a);
      b = without_nan (b);
    }
  else
    return { nan, nan };
  return { inf * (a.re * b.re - a.im * b.im),
           inf * (a.re * b.im + a.im * b.re) };
}

template <class R>
__device__ R
times (R a, R b, bool, bool)
{
  return a * b;
}
template <class R>
__device__ gpu_complex<R>
times (gpu_complex<R> a, gpu_complex<R> b, bool ra, bool rb)
{
  if (rb)
    return { a.re * b.re, a.im * b.re };
  if (ra)
    return { a.re * b.re, a.re * b.im };
  const R re = product (a.re, b.re) - product (a.im, b.im);
  const R im = product (a.re, b.im) + product (a.im, b.re);
  if (isnan (re) && isnan (im))
    return times_infinite (a, b);
  return { re, im };
}

/* The e with 2^e <= abs (x) < 2^(e + 1); 0 if there is none.  */
template <class R>
__device__ int
exponent_of (R x)
{
  return x == 0 || !isfinite (x) ? 0 : ilogb (x);
}

/* a / b by R. L. Smith's method (1962), on numbers scaled to [1, 2).  */
template <class R>
__device__ __noinline__ gpu_complex<R>
quotient (gpu_complex<R> a, gpu_complex<R> b)
{
  const R inf = infinity<R> ();
  const int ea = exponent_of (max (fabs (a.re), fabs (a.im)));
  const int eb = exponent_of (max (fabs (b.re), fabs (b.im)));
  const gpu_complex<R> x{ scalbn (a.re, -ea), scalbn (a.im, -ea) };
  const gpu_complex<R> y{ scalbn (b.re, -eb), scalbn (b.im, -eb) };
  R re, im;
  if (fabs (y.re) < fabs (y.im))
    {
      const R ratio = y.re / y.im, size = y.re * ratio + y.im;
      re = (x.re * ratio + x.im) / size;
      im = (x.im * ratio - x.re) / size;
    }
  else
    {
      const R ratio = y.im / y.re, size = y.im * ratio + y.re;
      re = (x.im * ratio + x.re) / size;
      im = (x.im - x.re * ratio) / size;
    }
  if (isnan (re) && isnan (im))
    {
      if (is_zero (b))
        return { copysign (inf, b.re) * a.re, copysign (inf, b.re) * a.im };
      if (is_inf (a) && is_finite (b))
        {
          a = boxed (a);
          return { inf * (a.re * b.re + a.im * b.im),
                   inf * (a.im * b.re - a.re * b.im) };
        }
      if (is_inf (b) && is_finite (a))
        {
          b = boxed (b);
          return { 0 * (a.re * b.re + a.im * b.im),
                   0 * (a.im * b.re - a.re * b.im) };
        }
    }
  return { scalbn (re, ea - eb), scalbn (im, ea - eb) };
}

template <class R>
__device__ R
divide (R a, R b, bool)
{
  return a / b;
}
template <class R>
__device__ gpu_complex<R>
divide (gpu_complex<R> a, gpu_complex<R> b, bool rb)
{
  if (rb)
    return { a.re / b.re, a.im / b.re };
  return quotient (a, b);
}

/* ---- roots, exponentials, logarithms ---- */

template <class R>
__device__ __noinline__ gpu_complex<R>
sqrt (gpu_complex<R> z)
{
  R x = z.re, y = z.im;
  if (isinf (y))
    return { fabs (y), y };
  if (y == 0)
    {
      if (x < 0)
        return { 0, copysign (sqrt (-x), y) };
      return { x == 0 ? 0 : sqrt (x), isnan (x) ? x : y };
    }
  if (isinf (x))
    {
      if (x > 0)
        return { x, isnan (y) ? y : copysign ((R) 0, y) };
      return { isnan (y) ? y : 0, copysign (x, y) };
    }
  /* Scaled by an even power of 2, so that sums neither over- nor
     underflow.  */
  int e = exponent_of (max (fabs (x), fabs (y)));
  e -= e & 1;
  x = scalbn (x, -e);
  y = scalbn (y, -e);
  const R r = sqrt ((fabs (x) + hypot (x, y)) / 2), other = fabs (y) / (2 * r);
  return { scalbn (x > 0 ? r : other, e / 2),
           scalbn (copysign (x > 0 ? other : r, y), e / 2) };
}

/* x * y, where a zero x stays one.  */
template <class R>
__device__ R
zero_or_times (R x, R y)
{
  return x == 0 ? x : x * y;
}

template <class R>
__device__ __noinline__ gpu_complex<R>
exp (gpu_complex<R> z)
{
  R s, c;
  if (z.im == 0)
    return { exp (z.re), z.im };
  if (isinf (z.re) && !isfinite (z.im))
    {
      if (z.re < 0)
        return { 0, 0 };
      return { z.re, z.im - z.im };
    }
  sincos (z.im, &s, &c);
  /* Twice the half where the whole would overflow too early.  */
  if (z.re > ln2<R> * 64 && isfinite (z.re))
    {
      const R half = exp (z.re / 2);
      return { half * c * half, half * s * half };
    }
  const R size = exp (z.re);
  return { size * c, size * s };
}

template <class R>
__device__ __noinline__ gpu_complex<R>
expm1 (gpu_complex<R> z)
{
  if (!(abs_of (z) < 1))
    {
      const gpu_complex<R> e = exp (z);
      return { e.re - 1, e.im };
    }
  const R u = expm1 (z.re), h = sin (z.im / 2), v = -2 * h * h;
  return { u * v + u + v, (u + 1) * sin (z.im) };
}

/* log (abs (z)); near 1 from abs (z)^2 - 1, whose large terms are exact.  */
template <class R>
__device__ __noinline__ R
log_abs (gpu_complex<R> z)
{
  const R x = fabs (z.re), y = fabs (z.im);
  const R a = max (x, y), b = min (x, y);
  if (a > (R) 0.5 && a < 2 && !isnan (b))
    {
      const R aa = product (a, a), bb = product (b, b);
      const R rest = fma (a, a, -aa) + fma (b, b, -bb);
      const R d = aa - 1 + bb + rest;
      if (d < 1)
        return log1p (d) / 2;
    }
  if (isfinite (a) && !isnan (b) && a > 0)
    {
      const int e = exponent_of (a);
      if (e >= limits<R>::bits || e <= -limits<R>::bits)
        return log (hypot (scalbn (a, -e), scalbn (b, -e))) + (R) e * ln2<R>;
    }
  return log (hypot (a, b));
}

/* The logarithm to BASE, 0 for e; exact for powers of 2 to base 2.  */
template <int BASE, class R>
__device__ R
log_base (R x, bool)
{
  int e;
  if (BASE == 2 && frexp (x, &e) == (R) 0.5)
    return (R) (e - 1);
  return BASE == 2 ? log2 (x) : BASE == 10 ? log10 (x) : log (x);
}
template <int BASE, class R>
__device__ gpu_complex<R>
log_base (gpu_complex<R> z, bool ra)
{
  const R scale = BASE == 2 ? ln2<R> : BASE == 10 ? ln10<R> : (R) 1;
  if (ra)
    return { log_base<BASE> (fabs (z.re), true),
             z.re < 0 ? pi<R> / scale : 0 };
  return { log_abs (z) / scale, arg_of (z) / scale };
}

template <class R>
__device__ R
log1p_of (R x, bool)
{
  return log1p (x);
}
template <class R>
__device__ gpu_complex<R>
log1p_of (gpu_complex<R> z, bool ra)
{
  if (ra)
    return { z.re < -1 ? log (-(1 + z.re)) : log1p (z.re),
             z.re < -1 ? pi<R> : 0 };
  if (fabs (z.re) < (R) 0.5 && fabs (z.im) < 1)
    {
      const R u = 2 * z.re + z.re * z.re + z.im * z.im;
      return { log1p (u / (1 + sqrt (u + 1))), atan2 (z.im, 1 + z.re) };
    }
  return log_base<0> (gpu_complex<R>{ 1 + z.re, z.im }, false);
}

/* ---- powers ---- */

enum
{
  MULTIPLIED_POWER = 64 /* up to it, complex powers are products */
};

template <class R>
__device__ R
power (R x, R y)
{
  return y == 2 ? x * x : pow (x, y);
}

template <class R>
__device__ __noinline__ gpu_complex<R>
power (gpu_complex<R> a, gpu_complex<R> b)
{
  const R x = b.re, y = b.im;
  R s, c;
  if (y == 0 && a.im == 0 && a.re >= 0)
    return { pow (a.re, x), 0 };
  if (y == 0 && x == trunc (x) && fabs (x) <= MULTIPLIED_POWER)
    {
      gpu_complex<R> result{ 1, 0 }, square = a;
      if (x < 0)
        square = quotient (result, a);
      bool first = true;
      for (int n = (int) fabs (x); n > 0; n /= 2)
        {
          if (n % 2)
            {
              result = first ? square : times (result, square, false, false);
              first = false;
            }
          if (n > 1)
            square = times (square, square, false, false);
        }
      return result;
    }
  if (is_zero (a))
    {
      const R none = x > 0 ? 0 : not_a_number<R> ();
      return { none, none };
    }
  const R size = abs_of (a), angle = arg_of (a);
  R r = isfinite (size) ? pow (size, x) : exp (x * log_abs (a));
  R turn = x * angle;
  if (y != 0)
    {
      r *= exp (-y * angle);
      turn += y * log_abs (a);
    }
  sincos (turn, &s, &c);
  return { r * c, r * s };
}

/* ---- circular and hyperbolic functions ---- */

/* sinh or cosh: both parts are a function of x times one of y.  */
template <class R>
__device__ gpu_complex<R>
sinh_cosh (gpu_complex<R> z, bool is_cosh)
{
  const R x = z.re, y = z.im;
  R s = y, c = 1, sx, cx;
  if (y != 0)
    sincos (y, &s, &c);
  /* e^abs (x) / 2 in two factors, where it would overflow too early.  */
  if (fabs (x) > ln2<R> * 64 && isfinite (x))
    {
      const R half = exp (fabs (x) / 2), turn = copysign ((R) 1, x);
      const R re = half * (is_cosh ? c : c * turn) / 2;
      const R im = half * (is_cosh ? s * turn : s) / 2;
      return { re * half, im * half };
    }
  sx = sinh (x);
  cx = cosh (x);
  if (is_cosh)
    return { cx * c, x == 0 || s == 0 ? x * s : sx * s };
  return { zero_or_times (sx, c), zero_or_times (s, cx) };
}

template <class R>
__device__ __noinline__ gpu_complex<R>
sinh (gpu_complex<R> z)
{
  return sinh_cosh (z, false);
}

template <class R>
__device__ __noinline__ gpu_complex<R>
cosh (gpu_complex<R> z)
{
  return sinh_cosh (z, true);
}

template <class R>
__device__ __noinline__ gpu_complex<R>
tanh (gpu_complex<R> z)
{
  const R x = z.re, y = z.im;
  if (y == 0)
    return { tanh (x), y };
  if (!isfinite (y))
    {
      if (isinf (x))
        return { copysign ((R) 1, x), 0 };
      return { y - y, y - y };
    }
  if (fabs (x) > limits<R>::bits * ln2<R>)
    {
      R s, c;
      sincos (y, &s, &c);
      return { copysign ((R) 1, x), 4 * s * c * exp (-2 * fabs (x)) };
    }
  const R t = tan (y), beta = 1 + t * t, s = sinh (x);
  const R size = 1 + beta * s * s;
  return { beta * sqrt (1 + s * s) * s / size, t / size };
}

/* f (z) from the hyperbolic function of i * z.  */
template <class R>
__device__ gpu_complex<R>
sin (gpu_complex<R> z)
{
  const gpu_complex<R> w = sinh (gpu_complex<R>{ -z.im, z.re });
  return { w.im, -w.re };
}
template <class R>
__device__ gpu_complex<R>
cos (gpu_complex<R> z)
{
  return cosh (gpu_complex<R>{ -z.im, z.re });
}
template <class R>
__device__ gpu_complex<R>
tan (gpu_complex<R> z)
{
  const gpu_complex<R> w = tanh (gpu_complex<R>{ -z.im, z.re });
  return { w.im, -w.re };
}

/* ---- their inverses ---- */

/* asin (z), or acos (z), from p = sqrt (1 - z) and q = sqrt (1 + z).  On the
   real axis beyond 1 Octave comes from below.  */
template <class R>
__device__ __noinline__ gpu_complex<R>
asin_acos (gpu_complex<R> z, bool is_acos)
{
  const R x = z.re, y = z.im;
  R re, im;
  if (max (fabs (x), fabs (y)) * limits<R>::eps > 4)
    {
      /* Far out, both are logarithms of 2 * z.  */
      re = is_acos ? atan2 (fabs (y), x) : atan2 (x, fabs (y));
      im = log_abs (z) + ln2<R>;
      im = copysign (im, is_acos ? -y : y);
    }
  else
    {
      const gpu_complex<R> p = sqrt (gpu_complex<R>{ 1 - x, -y });
      const gpu_complex<R> q = sqrt (gpu_complex<R>{ 1 + x, y });
      re = is_acos ? 2 * atan2 (p.re, q.re)
                   : atan2 (x, p.re * q.re - p.im * q.im);
      im = asinh (p.re * q.im - p.im * q.re);
      im = is_acos ? -im : im;
    }
  return { re, y == 0 && x > 1 ? -im : im };
}

template <class R>
__device__ R
asin_of (R x, bool)
{
  return asin (x);
}
template <class R>
__device__ gpu_complex<R>
asin_of (gpu_complex<R> z, bool ra)
{
  if (ra && !(fabs (z.re) > 1))
    return { asin (z.re), 0 };
  return asin_acos (z, false);
}

template <class R>
__device__ R
acos_of (R x, bool)
{
  return acos (x);
}
template <class R>
__device__ gpu_complex<R>
acos_of (gpu_complex<R> z, bool ra)
{
  if (ra && !(fabs (z.re) > 1))
    return { acos (z.re), 0 };
  return asin_acos (z, true);
}

template <class R>
__device__ __noinline__ gpu_complex<R>
atan (gpu_complex<R> z)
{
  const R x = z.re, y = z.im, h = fabs (y);
  if (y == 0)
    return { atan (x), y };
  if (max (fabs (x), h) * limits<R>::eps > 4)
    {
      const R size = hypot (x, y);
      return { isnan (x) ? x : copysign (pi<R> / 2, x),
               isinf (size) ? copysign ((R) 0, y) : y / size / size };
    }
  const R near = 1 - h;
  const R re = atan2 (2 * x, near * (1 + h) - x * x) / 2;
  /* Close to i and -i x^2 may underflow, and nothing else is left.  */
  const R im = near == 0 && fabs (x) < limits<R>::eps
                 ? (ln2<R> - log (fabs (x))) / 2
                 : log1p (4 * h / (x * x + near * near)) / 4;
  return { re, copysign (im, y) };
}

#endif
