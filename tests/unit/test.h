/* test.h: harness of the C unit tests.

   A program is a table of cases, each run on every backend and, where it
   depends on the type, for every type.  Reference matrices are double complex
   arrays on the host; their device copies lie inside a larger array of NaN,
   so that a read or a write outside the view shows.  Errors are measured as
   residuals times random vectors of +1 and -1: the norm of E*x has the
   Frobenius norm of E as its root mean square, and costs n^2.

   GPULINALG_BACKEND=host or cuda restricts the run to one backend, and a
   missing backend is then a failure.  GPULINALG_TEST_QUICK=1 leaves out the
   larger sizes and the device's free memory (for memory checkers, which run
   side by side), GPULINALG_TEST_TYPE=single, double, csingle or cdouble all
   other types.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_TEST_H
#define GPULINALG_TEST_H 1

#include "gpu.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double complex cx;
typedef long double complex lcx;

/* Counters, and the words that say where a failed check was.  */
static struct
{
  const char *name;
  long checks, bad_checks, passed, failed, skipped;
  char where[256], what[256];
  uint64_t random;
} test;

/* ---- checks ---- */

/* Say which variant of the case the next checks belong to.  */
__attribute__ ((format (printf, 1, 2))) static inline void
test_at (const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  vsnprintf (test.what, sizeof test.what, format, ap);
  va_end (ap);
}

__attribute__ ((format (printf, 3, 4))) static inline bool
test_check (bool good, int line, const char *format, ...)
{
  test.checks++;
  if (good)
    return true;
  if (test.bad_checks++ < 40)
    {
      va_list ap;
      printf ("FAIL %s:%d: %s%s%s: ", test.name, line, test.where,
              *test.what ? ", " : "", test.what);
      va_start (ap, format);
      vprintf (format, ap);
      va_end (ap);
      putchar ('\n');
    }
  return false;
}

#define CHECK(good, ...) test_check (good, __LINE__, __VA_ARGS__)

/* Leave the case if CALL fails: what follows would only repeat it.  */
#define OK(g, call)                                                           \
  do                                                                          \
    {                                                                         \
      gpu_status s_ = (call);                                                 \
      if (!CHECK (s_ == GPU_OK, "%s: status %d: %s", #call, (int) s_,         \
                  (g)->message))                                              \
        return;                                                               \
    }                                                                         \
  while (0)

static inline bool
test_quick (void)
{
  const char *quick = getenv ("GPULINALG_TEST_QUICK");
  return quick && *quick && strcmp (quick, "0") != 0;
}

/* Whether a quick run leaves this case of many out: all but one of 7, so that
   each of the loops around it gets its turn.  */
static inline bool
test_leaves_out (void)
{
  static unsigned count;
  return test_quick () && count++ % 7 > 0;
}

/* ---- host memory that lives until the case ends ---- */

static void **test_blocks;

static inline void *
test_alloc (size_t bytes)
{
  void **p = malloc (sizeof (max_align_t) + bytes);
  if (!p)
    {
      fprintf (stderr, "%s: no host memory\n", test.name);
      exit (1);
    }
  *p = test_blocks;
  test_blocks = p;
  return (char *) p + sizeof (max_align_t);
}

static inline void
test_free_all (void)
{
  while (test_blocks)
    {
      void **next = *test_blocks;
      free (test_blocks);
      test_blocks = next;
    }
}

/* End one variant of a case: free what it made.  */
static inline void
test_next (gpu_ctx *g)
{
  gpu_sweep (g);
  test_free_all ();
}

/* ---- numbers ---- */

static inline const char *
test_type_name (gpu_type type)
{
  static const char *const name[]
    = { "single", "double", "csingle", "cdouble", "int64",
        "int8",   "int16",  "int32",   "logical" };
  return name[type];
}

static inline double
test_eps (gpu_type type)
{
  return type == GPU_SINGLE || type == GPU_CSINGLE ? FLT_EPSILON : DBL_EPSILON;
}

static inline uint64_t
test_bits (void)
{
  test.random ^= test.random >> 12;
  test.random ^= test.random << 25;
  test.random ^= test.random >> 27;
  return test.random * UINT64_C (2685821657736338717);
}

/* Uniform in [-1, 1), a multiple of 2^-20: exact in single precision.  */
static inline double
test_uniform (void)
{
  return ldexp ((double) (test_bits () >> 43), -20) - 1;
}

/* ---- reference matrices ---- */

typedef struct
{
  ptrdiff_t m, n, pages;
  gpu_type type;
  cx *x;
} ref;

#define AT(X, i, j, k) ((X).x[(i) + (X).m * ((j) + (X).n * (k))])

static inline size_t
ref_count (ref X)
{
  return (size_t) (X.m * X.n * X.pages);
}

static inline ref
ref_new (gpu_type type, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages)
{
  ref X = { m, n, pages, type, NULL };
  X.x = test_alloc (ref_count (X) * sizeof (cx));
  memset (X.x, 0, ref_count (X) * sizeof (cx));
  return X;
}

static inline ref
ref_random (gpu_type type, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages)
{
  ref X = ref_new (type, m, n, pages);
  for (size_t i = 0; i < ref_count (X); i++)
    {
      double re = test_uniform ();
      X.x[i] = gpu_is_complex (type) ? CMPLX (re, test_uniform ()) : re;
    }
  return X;
}

/* The number as the type of X stores it.  */
static inline cx
ref_rounded (gpu_type type, cx z)
{
  if (type == GPU_SINGLE || type == GPU_CSINGLE)
    z = CMPLX ((float) creal (z), (float) cimag (z));
  return gpu_is_complex (type) ? z : creal (z);
}

/* A Hermitian positive definite matrix: the kernel exp (-|s - t|) over random
   points, scaled and rotated on both sides by a diagonal matrix, plus a part
   of the identity.  */
static inline ref
ref_definite (gpu_type type, ptrdiff_t n, ptrdiff_t pages)
{
  ref A = ref_new (type, n, n, pages), d = ref_random (type, n, 1, pages);
  ref s = ref_random (GPU_DOUBLE, n, 1, pages);
  for (ptrdiff_t k = 0; k < pages; k++)
    for (ptrdiff_t j = 0; j < n; j++)
      for (ptrdiff_t i = 0; i <= j; i++)
        {
          cx di = 1 + AT (d, i, 0, k) / 2, dj = 1 + AT (d, j, 0, k) / 2;
          double distance = fabs (creal (AT (s, i, 0, k) - AT (s, j, 0, k)));
          cx a = exp (-4 * distance) * di * conj (dj) + (i == j ? 0.25 : 0);
          a = ref_rounded (type, i == j ? creal (a) : a);
          AT (A, i, j, k) = a;
          AT (A, j, i, k) = conj (a);
        }
  return A;
}

static inline ref
ref_copy (ref X)
{
  ref Y = ref_new (X.type, X.m, X.n, X.pages);
  memcpy (Y.x, X.x, ref_count (X) * sizeof (cx));
  return Y;
}

/* op (X).  */
static inline ref
ref_op (ref X, gpu_op op)
{
  ref Y = op & GPU_T ? ref_new (X.type, X.n, X.m, X.pages) : ref_copy (X);
  for (ptrdiff_t k = 0; k < Y.pages; k++)
    for (ptrdiff_t j = 0; j < Y.n; j++)
      for (ptrdiff_t i = 0; i < Y.m; i++)
        {
          cx z = op & GPU_T ? AT (X, j, i, k) : AT (X, i, j, k);
          AT (Y, i, j, k) = op & 2 ? conj (z) : z;
        }
  return Y;
}

/* A(1:m, 1:n, :).  */
static inline ref
ref_leading (ref A, ptrdiff_t m, ptrdiff_t n)
{
  ref B = ref_new (A.type, m, n, A.pages);
  for (ptrdiff_t k = 0; k < A.pages; k++)
    for (ptrdiff_t j = 0; j < n; j++)
      for (ptrdiff_t i = 0; i < m; i++)
        AT (B, i, j, k) = AT (A, i, j, k);
  return B;
}

/* Page k of A.  */
static inline ref
ref_page (ref A, ptrdiff_t k)
{
  A.x += A.m * A.n * k;
  A.pages = 1;
  return A;
}

/* Overwrite the strict lower (or upper) triangle.  */
static inline void
ref_fill_triangle (ref A, gpu_uplo uplo, cx value)
{
  for (ptrdiff_t k = 0; k < A.pages; k++)
    for (ptrdiff_t j = 0; j < A.n; j++)
      for (ptrdiff_t i = 0; i < A.m; i++)
        if (uplo == GPU_LOWER ? i > j : i < j)
          AT (A, i, j, k) = value;
}

static inline bool
ref_same (ref A, ref B)
{
  for (size_t i = 0; i < ref_count (A); i++)
    if (A.x[i] != B.x[i])
      return false;
  return true;
}

static inline bool
is_nan (cx z)
{
  return isnan (creal (z)) || isnan (cimag (z));
}

static inline double
ref_norm (ref A)
{
  long double sum = 0;
  for (size_t i = 0; i < ref_count (A); i++)
    sum += (long double) creal (A.x[i]) * creal (A.x[i])
           + (long double) cimag (A.x[i]) * cimag (A.x[i]);
  return (double) sqrtl (sum);
}

/* X as a dense array of its type, and back.  */
static inline void *
ref_pack (ref X)
{
  void *p = test_alloc (ref_count (X) * gpu_type_size (X.type) + 1);
  for (size_t i = 0; i < ref_count (X); i++)
    switch (X.type)
      {
      case GPU_SINGLE:
        ((float *) p)[i] = (float) creal (X.x[i]);
        break;
      case GPU_DOUBLE:
        ((double *) p)[i] = creal (X.x[i]);
        break;
      case GPU_CSINGLE:
        ((float complex *) p)[i]
          = CMPLXF ((float) creal (X.x[i]), (float) cimag (X.x[i]));
        break;
      case GPU_CDOUBLE:
        ((cx *) p)[i] = X.x[i];
        break;
      case GPU_INT64:
        ((int64_t *) p)[i] = (int64_t) creal (X.x[i]);
        break;
      case GPU_INT8:
      case GPU_LOGICAL:
        ((int8_t *) p)[i] = (int8_t) creal (X.x[i]);
        break;
      case GPU_INT16:
        ((int16_t *) p)[i] = (int16_t) creal (X.x[i]);
        break;
      case GPU_INT32:
        ((int32_t *) p)[i] = (int32_t) creal (X.x[i]);
        break;
      }
  return p;
}

static inline ref
ref_unpack (gpu_type type, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages,
            const void *p)
{
  ref X = ref_new (type, m, n, pages);
  for (size_t i = 0; i < ref_count (X); i++)
    switch (type)
      {
      case GPU_SINGLE:
        X.x[i] = ((const float *) p)[i];
        break;
      case GPU_DOUBLE:
        X.x[i] = ((const double *) p)[i];
        break;
      case GPU_CSINGLE:
        X.x[i] = ((const float complex *) p)[i];
        break;
      case GPU_CDOUBLE:
        X.x[i] = ((const cx *) p)[i];
        break;
      case GPU_INT64:
        X.x[i] = (double) ((const int64_t *) p)[i];
        break;
      case GPU_INT8:
      case GPU_LOGICAL:
        X.x[i] = ((const int8_t *) p)[i];
        break;
      case GPU_INT16:
        X.x[i] = ((const int16_t *) p)[i];
        break;
      case GPU_INT32:
        X.x[i] = ((const int32_t *) p)[i];
        break;
      }
  return X;
}

/* ---- views on the backend ---- */

/* Where the view of a test matrix lies inside its array of NaN.  */
enum
{
  PAD_ROWS = 3,
  PAD_COLUMNS = 2,
  PAD_AT = 1
};

typedef struct
{
  gpu_mat whole, view;
} dev;

/* A view of storage S (without op) as op says.  */
static inline gpu_mat
test_view (gpu_mat S, gpu_op op)
{
  return op == GPU_C ? gpu_adjoint (S) : op == GPU_T ? gpu_transposed (S) : S;
}

/* Make a view of the given op that holds X.  PAD: inside a larger array.  */
static inline gpu_status
dev_put (gpu_ctx *g, ref X, gpu_op op, bool pad, dev *D)
{
  ref S = ref_op (X, op);
  ptrdiff_t rows = pad ? PAD_ROWS : 0, columns = pad ? PAD_COLUMNS : 0;
  ptrdiff_t at = pad ? PAD_AT : 0;
  ref W = ref_new (X.type, S.m + rows, S.n + columns, S.pages);
  for (size_t i = 0; i < ref_count (W); i++)
    W.x[i] = X.type >= GPU_INT64 ? -7 : CMPLX (NAN, NAN);
  for (ptrdiff_t k = 0; k < S.pages; k++)
    for (ptrdiff_t j = 0; j < S.n; j++)
      for (ptrdiff_t i = 0; i < S.m; i++)
        AT (W, i + at, j + at, k) = AT (S, i, j, k);
  GPU_TRY (gpu_new (g, X.type, W.m, W.n, W.pages, &D->whole));
  GPU_TRY (g->be->put (g, ref_pack (W), D->whole));
  D->view = test_view (gpu_part (D->whole, at, at, S.m, S.n), op);
  return GPU_OK;
}

/* Read a view back; what lies around it must be what dev_put wrote.  */
static inline gpu_status
dev_get (gpu_ctx *g, dev D, ref *X)
{
  gpu_mat W = D.whole, S = test_view (D.view, D.view.op);
  ptrdiff_t at = W.m > S.m ? PAD_AT : 0;
  size_t bytes = (size_t) (W.m * W.n * W.pages) * gpu_type_size (W.type) + 1;
  void *p = test_alloc (bytes);
  GPU_TRY (g->be->get (g, W, p));
  ref R = ref_unpack (W.type, W.m, W.n, W.pages, p);
  ref Y = ref_new (W.type, S.m, S.n, S.pages);
  bool clean = true;
  for (ptrdiff_t k = 0; k < R.pages; k++)
    for (ptrdiff_t j = 0; j < R.n; j++)
      for (ptrdiff_t i = 0; i < R.m; i++)
        {
          cx z = AT (R, i, j, k);
          if (i >= at && i < at + S.m && j >= at && j < at + S.n)
            AT (Y, i - at, j - at, k) = z;
          else
            clean &= W.type >= GPU_INT64 ? z == -7 : is_nan (z);
        }
  CHECK (clean, "wrote outside the view");
  *X = ref_op (Y, D.view.op);
  return GPU_OK;
}

/* ---- residuals ---- */

/* y = A(:,:,k) * x, or A(:,:,k)' * x.  */
static inline void
test_multiply (ref A, ptrdiff_t k, bool adjoint, const lcx *x, lcx *y)
{
  ptrdiff_t m = adjoint ? A.n : A.m, n = adjoint ? A.m : A.n;
  bool complex_data = gpu_is_complex (A.type);
  for (ptrdiff_t i = 0; i < m; i++)
    {
      const cx *a = &AT (A, adjoint ? 0 : i, adjoint ? i : 0, k);
      ptrdiff_t step = adjoint ? 1 : A.m;
      long double re = 0, im = 0;
      for (ptrdiff_t j = 0; j < n; j++, a += step)
        {
          re += creal (*a) * creall (x[j]);
          if (complex_data)
            {
              long double imag = adjoint ? -cimag (*a) : cimag (*a);
              re -= imag * cimagl (x[j]);
              im += imag * creall (x[j]) + creal (*a) * cimagl (x[j]);
            }
        }
      y[i] = CMPLXL (re, im);
    }
}

static inline lcx *
test_vector (ptrdiff_t n)
{
  return test_alloc ((size_t) (n + 1) * sizeof (lcx));
}

static inline lcx *
test_signs (ptrdiff_t n)
{
  lcx *x = test_vector (n);
  for (ptrdiff_t i = 0; i < n; i++)
    x[i] = test_bits () >> 63 ? 1 : -1;
  return x;
}

static inline double
test_distance (const lcx *y, const lcx *z, ptrdiff_t n)
{
  long double sum = 0;
  for (ptrdiff_t i = 0; i < n; i++)
    {
      lcx d = y[i] - z[i];
      sum += creall (d) * creall (d) + cimagl (d) * cimagl (d);
    }
  return (double) sqrtl (sum);
}

/* |A*B - C|, estimated for page k; adjoint: |A'*B - C|.  */
static inline double
test_product_error (ref A, bool adjoint, ref B, ref C, ptrdiff_t k)
{
  double worst = 0;
  ptrdiff_t m = adjoint ? A.n : A.m;
  lcx *Bx = test_vector (B.m), *ABx = test_vector (m), *Cx = test_vector (m);
  for (int probe = 0; probe < 3; probe++)
    {
      lcx *x = test_signs (B.n);
      test_multiply (B, k, false, x, Bx);
      test_multiply (A, k, adjoint, Bx, ABx);
      test_multiply (C, k, false, x, Cx);
      double error = test_distance (ABx, Cx, m);
      if (!(error <= worst))
        worst = error;
    }
  return worst;
}

/* An error in units of n * eps * scale; small n are given some room.  */
static inline double
test_units (double error, ptrdiff_t n, gpu_type type, double scale)
{
  return error == 0
           ? 0
           : error / ((double) (n < 8 ? 8 : n) * test_eps (type) * scale);
}

/* ---- the run ---- */

enum
{
  TEST_REAL = 2
};

typedef struct
{
  const char *name;
  void (*run) (gpu_ctx *g, gpu_type type);
  int typed; /* once for every type or, with TEST_REAL, for single and double;
                else once */
} test_entry;

static inline void
test_one (gpu_ctx *g, const test_entry *entry, gpu_type type)
{
  long before = test.bad_checks;
  snprintf (test.where, sizeof test.where, "%s %s %s", g->be->name,
            entry->typed ? test_type_name (type) : "", entry->name);
  *test.what = '\0';
  test.random = UINT64_C (88172645463325252);
  g->leaf = 0;
  entry->run (g, type);
  g->memory_limit = 0;
  g->allocs_left = -1;
  gpu_sweep (g);
  test_free_all ();
  *test.what = '\0';
  CHECK (g->live == 0 && g->bytes == 0, "%td arrays, %g bytes left", g->live,
         g->bytes);
  test.bad_checks > before ? test.failed++ : test.passed++;
}

static inline int
test_summary (void)
{
  printf ("%s: %ld checks, %ld failed\n", test.name, test.checks,
          test.bad_checks);
  printf ("%ld passed, %ld failed, %ld skipped\n", test.passed, test.failed,
          test.skipped);
  return test.failed ? 1 : test.passed ? 0 : 77;
}

static inline int
types_of (const test_entry *entry)
{
  return entry->typed == TEST_REAL ? 2 : entry->typed ? 4 : 1;
}

static inline int
test_main (const char *name, const test_entry *entries, size_t count)
{
  static const char *const backends[] = { "host", "cuda" };
  const char *only = getenv ("GPULINALG_BACKEND");
  const char *type_only = getenv ("GPULINALG_TEST_TYPE");
  bool any = !only || !*only;
  test.name = name;
  for (int b = 0; b < 2; b++)
    {
      if (!any && strcmp (only, backends[b]) != 0)
        continue;
      gpu_ctx g;
      bool usable = gpu_open (&g, backends[b]) == GPU_OK;
      if (!usable)
        printf ("%s: %s %s: %s\n", name, backends[b],
                any ? "skipped" : "cannot be tested", g.message);
      for (size_t e = 0; e < count; e++)
        for (int type = 0; type < types_of (&entries[e]); type++)
          {
            if (type_only && *type_only
                && strcmp (type_only, test_type_name ((gpu_type) type)) != 0)
              continue;
            if (usable)
              test_one (&g, &entries[e],
                        entries[e].typed ? (gpu_type) type : GPU_DOUBLE);
            else
              *(any ? &test.skipped : &test.failed) += 1;
          }
      if (usable)
        gpu_close (&g);
    }
  return test_summary ();
}

#endif
