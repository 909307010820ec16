/* gallery.h: matrices that are hard to invert, and what an elimination in
   long double says of them.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_GALLERY_H
#define GPULINALG_GALLERY_H 1

#include "test.h"

/* ---- the sizes ---- */

/* Every size that has a kernel of its own, then the edges of blocks and
   leaves; in a quick run, one of each class.  Returns 0 at the end.  */
static inline ptrdiff_t
test_size (int i)
{
  static const ptrdiff_t quick[]
    = { 2, 5, 9, 14, 20, 28, 40, 64, 100, 128, 150, 0 };
  static const ptrdiff_t large[]
    = { 40, 48, 63, 64, 65, 96, 100, 127, 128, 129, 200, 300, 0 };
  return test_quick () ? quick[i] : i < 34 ? i + 1 : large[i - 34];
}

/* The pages of a batch that has all of the gallery, or some of it where a
   memory checker would take long; a prime number where there is time.  */
static inline ptrdiff_t
test_gallery_pages (ptrdiff_t n)
{
  return test_quick () ? (n <= 40 ? 20 : 3) : n <= 34 ? 41 : 23;
}

/* ---- the matrices ---- */

typedef enum
{
  RANDOM,
  INTEGERS, /* -1, 0 and 1: ties */
  HADAMARD, /* ties in every column, exact to the end */
  PERMUTATION,
  IDENTITY,
  LARGE,      /* random times 2^990, or 2^100 in single precision */
  SMALL,      /* the inverse scale */
  GRADED,     /* entries fall by 2^-30 along the rows and the columns */
  SCALED,     /* rows and columns times powers of 2, in random order */
  ORTHOGONAL, /* a reflection times a diagonal that falls to sqrt (eps) */
  HILBERT,
  KAHAN,     /* upper triangular, badly conditioned; no pivot tells */
  WILKINSON, /* partial pivoting grows by 2^(n-1) */
  WIDE,      /* cofactors overflow: diag (2.1e9, 3.6e27, 3.6e27, 1.8e27) */
  DUPLICATE, /* two equal rows */
  ONES,      /* 0.8909 everywhere */
  ZEROS,
  ZERO_COLUMN,
  WITH_NAN,
  WITH_INF,
  KINDS
} test_kind;

static inline int
test_scale (gpu_type type)
{
  return test_eps (type) > 1e-10 ? 100 : 990;
}

/* Page k of A becomes one of the gallery.  */
static inline void
test_fill (ref A, ptrdiff_t k, test_kind kind)
{
  ptrdiff_t n = A.n, p[1000];
  ref R = ref_random (A.type, n, n, 1), v = ref_random (A.type, n, 2, 1);
  double theta = 1.2, v2 = 0;
  for (ptrdiff_t i = 0; i < n; i++)
    v2 += creal (v.x[i] * conj (v.x[i]));
  for (ptrdiff_t i = 0; i < n; i++)
    {
      ptrdiff_t j = (ptrdiff_t) (test_bits () % (uint64_t) (i + 1));
      p[i] = p[j];
      p[j] = i;
    }
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < n; i++)
      {
        double at = n > 1 ? (double) (i + j) / (double) (2 * n - 2) : 0;
        double down = n > 1 ? (double) j / (double) (n - 1) : 0;
        cx a = AT (R, i, j, 0);
        switch (kind)
          {
          case INTEGERS:
            a = (double) (test_bits () % 3) - 1;
            break;
          case HADAMARD:
            a = __builtin_parityl ((unsigned long) (i & j)) ? -1 : 1;
            break;
          case PERMUTATION:
            a = i == p[j];
            break;
          case IDENTITY:
            a = i == j;
            break;
          case LARGE:
            a *= ldexp (1, test_scale (A.type));
            break;
          case SMALL:
            a *= ldexp (1, -test_scale (A.type));
            break;
          case GRADED:
            a *= exp2 (-30 * at);
            break;
          case SCALED:
            a *= exp2 (nearbyint (10 * creal (AT (v, i, 0, 0)))
                       + nearbyint (10 * creal (AT (v, j, 1, 0))));
            break;
          case ORTHOGONAL:
            a = (i == j) - 2 * v.x[i] * conj (v.x[j]) / v2;
            a *= pow (test_eps (A.type), down / 2);
            break;
          case HILBERT:
            a = 1 / (double) (i + j + 1);
            break;
          case KAHAN:
            a = pow (sin (theta), (double) i)
                * (i == j  ? 1
                   : i < j ? -cos (theta)
                           : 0);
            break;
          case WILKINSON:
            a = i == j || j == n - 1 ? 1 : i > j ? -1 : 0;
            break;
          case WIDE:
            a = i != j ? a : i == 0 ? 2.1e9 : i == 3 ? 1.8e27 : 3.6e27;
            break;
          case ONES:
            a = 0.8909;
            break;
          case ZEROS:
            a = 0;
            break;
          case ZERO_COLUMN:
            a = j == n / 2 ? 0 : a;
            break;
          case DUPLICATE:
            a = i == n - 1 ? AT (R, 0, j, 0) : a;
            break;
          case WITH_NAN:
            a = i == n / 2 && j == n / 3 ? NAN : a;
            break;
          case WITH_INF:
            a = i == n / 2 && j == n / 3 ? INFINITY : a;
            break;
          default:
            break;
          }
        AT (A, i, j, k) = ref_rounded (A.type, a);
      }
}

/* ---- the inverse and the determinant ---- */

typedef struct
{
  bool singular;
  long double log_det; /* log (abs (det (A))) */
  lcx sign;            /* det (A) / abs (det (A)), or 0 */
  double rcond;        /* 1 / (norm (A, 1) * norm (inv (A), 1)), or 0 */
  double frobenius;    /* norm (A, "fro") * norm (inv (A), "fro") */
} test_truth;

/* Memory checkers compute in double what should be long double.  */
static inline double
test_long_eps (void)
{
  volatile long double one = 1, next = one + LDBL_EPSILON;
  return next > one ? (double) LDBL_EPSILON : DBL_EPSILON;
}

static inline double
test_norm1 (ref A, ptrdiff_t k)
{
  double norm = 0;
  for (ptrdiff_t j = 0; j < A.n; j++)
    {
      double sum = 0;
      for (ptrdiff_t i = 0; i < A.m; i++)
        sum += cabs (AT (A, i, j, k));
      if (!(sum <= norm))
        norm = sum;
    }
  return norm;
}

/* y = y - a * x of n numbers.  */
static inline void
test_axpy (bool is_complex, ptrdiff_t n, lcx a, const lcx *x, lcx *y)
{
  long double re = creall (a), im = cimagl (a);
  if (!is_complex)
    for (ptrdiff_t i = 0; i < n; i++)
      y[i] = creall (y[i]) - re * creall (x[i]);
  else
    for (ptrdiff_t i = 0; i < n; i++)
      y[i] = CMPLXL (creall (y[i]) - re * creall (x[i]) + im * cimagl (x[i]),
                     cimagl (y[i]) - re * cimagl (x[i]) - im * creall (x[i]));
}

/* What is true of page k of A, by Gauss-Jordan elimination in place, with
   partial pivoting.  */
static inline test_truth
test_eliminate (ref A, ptrdiff_t k)
{
  ptrdiff_t n = A.n;
  double norm = test_norm1 (A, k);
  bool is_complex = gpu_is_complex (A.type);
  /* Scaled, for memory checkers that know no numbers beyond double.  */
  int e = norm > DBL_MIN && isfinite (norm) ? ilogb (norm) : 0;
  double scale = ldexp (1, -e);
  test_truth t = { .log_det = (long double) n * e * logl (2), .sign = 1 };
  long double sum = 0, inverse_sum = 0, most = 0;
  lcx *x = test_vector (n * n), *row = test_vector (n); /* by rows */
  size_t bytes = (size_t) n * sizeof (lcx);
  for (ptrdiff_t i = 0; i < n; i++)
    for (ptrdiff_t j = 0; j < n; j++)
      {
        cx a = AT (A, i, j, k);
        a *= scale;
        x[i * n + j] = a;
        sum += creal (a) * creal (a) + cimag (a) * cimag (a);
      }
  for (ptrdiff_t j = 0; j < n; j++)
    {
      ptrdiff_t p = j;
      for (ptrdiff_t i = j + 1; i < n; i++)
        if (cabsl (x[i * n + j]) > cabsl (x[p * n + j]))
          p = i;
      long double size = cabsl (x[p * n + j]);
      if (size == 0)
        return (test_truth){ .singular = true, .log_det = -INFINITY };
      lcx inverse = conjl (x[p * n + j]) / size / size;
      t.log_det += logl (size);
      t.sign *= (p == j ? 1 : -1) * conjl (inverse) * size;

      /* Row p comes to row j, and is divided by the pivot.  */
      memcpy (row, x + p * n, bytes);
      memcpy (x + p * n, x + j * n, bytes);
      row[j] = 1;
      memset (x + j * n, 0, bytes);
      test_axpy (is_complex, n, -inverse, row, x + j * n);
      for (ptrdiff_t i = 0; i < n; i++)
        if (i != j)
          {
            lcx a = x[i * n + j];
            x[i * n + j] = 0;
            test_axpy (is_complex, n, a, x + j * n, x + i * n);
          }
    }
  /* The columns of the inverse are in another order, which norms ignore.  */
  for (ptrdiff_t j = 0; j < n; j++)
    {
      long double column = 0;
      for (ptrdiff_t i = 0; i < n; i++)
        {
          long double a = cabsl (x[i * n + j]);
          column += a;
          inverse_sum += a * a;
        }
      most = fmaxl (most, column);
    }
  t.rcond = (double) (1 / most / ldexpl (norm, -e));
  t.frobenius = (double) (sqrtl (sum) * sqrtl (inverse_sum));
  return t;
}

#endif
