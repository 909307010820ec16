/* test_chol.c: A = R' * R: residuals, info, and what must not be touched.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <inttypes.h>

#include "gallery.h"

/* Factor A, given as a view of op; what lies below its diagonal is NaN.  The
   factor comes back in R, info in BAD (1 x 1 x pages).  APART: in another
   view than A's, and A must stay.  */
static gpu_status
factor_into (gpu_ctx *g, ref A, gpu_op op, bool pad, bool apart, ref *R,
             ref *bad)
{
  ref P = ref_copy (A), old;
  gpu_mat info;
  dev D, E;
  ref_fill_triangle (P, GPU_LOWER, CMPLX (NAN, NAN));
  GPU_TRY (dev_put (g, P, op, pad, &D));
  E = D;
  if (apart)
    GPU_TRY (dev_put (g, ref_random (A.type, A.n, A.n, A.pages),
                      op ? GPU_N : GPU_C, pad, &E));
  GPU_TRY (gpu_new (g, GPU_INT64, 1, 1, A.pages, &info));
  GPU_TRY (gpu_chol (g, GPU_FP32X3, D.view, E.view, info));
  dev di = { info, info };
  GPU_TRY (dev_get (g, di, bad));
  GPU_TRY (dev_get (g, D, &old));
  for (size_t i = 0; i < ref_count (A) && apart; i++)
    if (old.x[i] != P.x[i] && !(is_nan (old.x[i]) && is_nan (P.x[i])))
      return gpu_fail (g, GPU_EARG, "A was changed");
  return dev_get (g, E, R);
}

static gpu_status
factor (gpu_ctx *g, ref A, gpu_op op, bool pad, ref *R, ref *bad)
{
  return factor_into (g, A, op, pad, false, R, bad);
}

/* R is upper triangular with R' * R = A, in units of n * eps * |A|.  */
static void
check_factor (ref A, ref R, ptrdiff_t k)
{
  ref Ak = ref_page (A, k), Rk = ref_page (R, k), U = ref_copy (Rk);
  bool real = true;
  ref_fill_triangle (U, GPU_LOWER, 0);
  CHECK (ref_same (U, Rk), "page %td: not upper triangular", k);
  for (ptrdiff_t j = 0; j < R.n; j++)
    real &= creal (AT (Rk, j, j, 0)) > 0 && cimag (AT (Rk, j, j, 0)) == 0;
  CHECK (real, "page %td: the diagonal is not positive", k);
  double error = test_product_error (Rk, true, Rk, Ak, 0);
  double units = test_units (error, A.n, A.type, ref_norm (Ak));
  CHECK (units <= 1, "page %td: residual %g", k, units);
}

static void
check_good (gpu_ctx *g, ref A, gpu_op op, bool pad)
{
  ref R, S, bad;
  test_at ("n %td, %td pages, op %d, leaf %td", A.n, A.pages, (int) op,
           g->leaf);
  OK (g, factor (g, A, op, pad, &R, &bad));
  CHECK (ref_norm (bad) == 0, "info is not 0");
  for (ptrdiff_t k = 0; k < A.pages; k++)
    check_factor (A, R, k);
  OK (g, factor (g, A, op, pad, &S, &bad));
  CHECK (ref_same (R, S), "another factor the second time");
  if (A.n > 300)
    return;
  OK (g, factor_into (g, A, op, pad, true, &S, &bad));
  for (ptrdiff_t k = 0; k < A.pages; k++)
    check_factor (A, S, k);
}

/* A page that fails at pivot P (1-based): all before it is right.  */
static void
check_failed (ref A, ref R, ref bad, ptrdiff_t k, ptrdiff_t p)
{
  ptrdiff_t info = (ptrdiff_t) creal (AT (bad, 0, 0, k));
  if (CHECK (info == p, "page %td: info is %td, should be %td", k, info, p))
    {
      ptrdiff_t n = p ? p - 1 : A.n;
      check_factor (ref_leading (ref_page (A, k), n, n),
                    ref_leading (ref_page (R, k), n, n), 0);
    }
}

static const gpu_op ops[] = { GPU_N, GPU_C, GPU_T };

/* Complex matrices are transposed with conjugation only.  */
static int
op_count (gpu_type type)
{
  return gpu_is_complex (type) ? 2 : 3;
}

static void
residual (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t small[]
    = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 13, 17, 31, 67 };
  for (int o = 0; o < op_count (type); o++)
    {
      g->leaf = 4;
      for (int i = 0; i < 14; i++)
        for (int pad = 0; pad < 2; pad++)
          if (!test_quick () || (i + o + pad) % 3 == 0)
            {
              ref A = ref_definite (type, small[i], pad ? 3 : 1);
              check_good (g, A, ops[o], pad);
              test_next (g);
            }
      g->leaf = 0;
      ptrdiff_t leaf = gpu_tune (g, type).leaf;
      ptrdiff_t sizes[]
        = { 1, 2, 13, 67, leaf - 1, leaf, leaf + 1, 2 * leaf + 3, 131 };
      for (int i = 0; i < 9; i++)
        if (test_quick () ? (i + o) % 4 == 0 && sizes[i] < 150
                          : sizes[i] < 300 || ops[o] == GPU_N || i == 6)
          {
            ref A = ref_definite (type, sizes[i], i % 2 ? 2 : 1);
            check_good (g, A, ops[o], i % 2);
            test_next (g);
          }
    }
}

/* No pages, and more pages than a GPU has multiprocessors.  */
static void
pages (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t counts[] = { 0, 150 };
  for (int i = 0; i < 2; i++)
    {
      g->leaf = 4;
      check_good (g, ref_definite (type, 9, counts[i]), GPU_N, true);
      test_next (g);
      g->leaf = 0;
      check_good (g, ref_definite (type, 9, counts[i]), GPU_C, false);
      test_next (g);
    }
}

/* Batches of every size that has a kernel of its own: good pages, among them
   some that fail early, late and in the middle.  */
static void
batches (gpu_ctx *g, gpu_type type)
{
  ptrdiff_t n;
  for (int i = 0; (n = test_size (i)); i++)
    for (int v = 0; v < 4 && n <= 200; v++)
      if (n <= 34 && !test_quick () ? v % 2 == i % 2 : v == i % 4)
        {
          ptrdiff_t pages = test_quick () ? 5 : n <= 65 ? 37 : 7;
          ref A = ref_definite (type, n, pages), R, bad;
          test_at ("n %td, %td pages, op %d%s", n, pages, (int) ops[v % 2],
                   v / 2 ? ", apart" : "");
          for (ptrdiff_t k = 1; k < pages; k += 3)
            AT (A, k * 5 % n, k * 5 % n, k) = -1;
          OK (g, factor_into (g, A, ops[v % 2], false, v / 2, &R, &bad));
          for (ptrdiff_t k = 0; k < pages; k++)
            check_failed (A, R, bad, k, k % 3 == 1 ? k * 5 % n + 1 : 0);
          test_next (g);
        }
}

/* Every pivot fails once, with a second bad pivot behind it, in one of three
   pages.  */
static void
first_failure (gpu_ctx *g, gpu_type type, ptrdiff_t n, ptrdiff_t p, gpu_op op)
{
  ref A = ref_definite (type, n, 3), R, bad;
  test_at ("n %td, pivot %td, op %d, leaf %td", n, p, (int) op, g->leaf);
  AT (A, p - 1, p - 1, 1) = -1;
  AT (A, n - 1, n - 1, 1) = -1;
  if (p + 1 < n)
    AT (A, p, p, 1) = 0;
  AT (A, n - p, n - p, 2) = -0.5;
  OK (g, factor (g, A, op, true, &R, &bad));
  check_failed (A, R, bad, 0, 0);
  check_failed (A, R, bad, 1, p);
  check_failed (A, R, bad, 2, n - p + 1);
  test_next (g);
}

static void
info (gpu_ctx *g, gpu_type type)
{
  for (int o = 0; o < 2; o++)
    {
      static const ptrdiff_t small[] = { 1, 3, 4, 5, 11, 13, 19 };
      g->leaf = 4;
      for (int i = 0; i < 7; i++)
        for (ptrdiff_t p = 1; p <= small[i]; p++)
          if (!test_quick () || p == 1 || p == small[i])
            first_failure (g, type, small[i], p, ops[o]);
      g->leaf = 0;
      ptrdiff_t leaf = gpu_tune (g, type).leaf;
      ptrdiff_t n = leaf + (leaf < 150 ? leaf : 0) + 3;
      ptrdiff_t pivots[]
        = { 1, leaf / 2 + 1, leaf, leaf + 1, 2 * leaf + 1, n };
      for (int i = 0; i < 6; i++)
        if (pivots[i] <= n
            && (!test_quick () || (i == 3 && o == 0 && n < 300)))
          first_failure (g, type, n, pivots[i], ops[o]);
    }
}

/* Pivots that are exactly zero: semidefinite matrices.  */
static void
semidefinite (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[] = { 1, 2, 9, 70 };
  for (int i = 0; i < 4; i++)
    for (int leaf = 0; leaf < 2; leaf++)
      {
        ptrdiff_t n = sizes[i];
        ref A = ref_new (type, n, n, 3), R, bad;
        g->leaf = leaf ? 4 : 0;
        test_at ("n %td, leaf %td", n, g->leaf);
        /* Pages: zeros, ones, and the identity with one zero.  */
        for (ptrdiff_t j = 0; j < n; j++)
          {
            AT (A, j, j, 2) = j == n / 2 ? 0 : 1;
            for (ptrdiff_t r = 0; r < n; r++)
              AT (A, r, j, 1) = 1;
          }
        OK (g, factor (g, A, GPU_N, true, &R, &bad));
        check_failed (A, R, bad, 0, 1);
        check_failed (A, R, bad, 1, n > 1 ? 2 : 0);
        check_failed (A, R, bad, 2, n / 2 + 1);
        test_next (g);
      }
}

/* A pivot found earlier stays, whatever a leaf meets; the position of the
   leaf counts.  */
static void
sticky (gpu_ctx *g, gpu_type type)
{
  ref A = ref_definite (type, 4, 3), bad = ref_new (GPU_INT64, 1, 1, 3);
  dev D, info;
  for (ptrdiff_t k = 0; k < 2; k++)
    AT (A, 2, 2, k) = -1;
  AT (bad, 0, 0, 0) = 5;
  OK (g, dev_put (g, A, GPU_N, true, &D));
  OK (g, dev_put (g, bad, GPU_N, false, &info));
  OK (g, g->be->chol_leaf (g, D.view, info.view, 100));
  OK (g, dev_get (g, info, &bad));
  CHECK (AT (bad, 0, 0, 0) == 5, "the first failure was overwritten");
  CHECK (AT (bad, 0, 0, 1) == 103, "info is %g, should be 103",
         creal (AT (bad, 0, 0, 1)));
  CHECK (AT (bad, 0, 0, 2) == 0, "a good page failed");
}

static cx
one_by_one (gpu_ctx *g, gpu_type type, cx a, int *p)
{
  ref A = ref_new (type, 1, 1, 1), R = A, bad = A;
  A.x[0] = a;
  *p = -1;
  if (CHECK (factor (g, A, GPU_N, false, &R, &bad) == GPU_OK, "%s",
             g->message))
    *p = (int) creal (bad.x[0]);
  return R.x[0];
}

/* LAPACK on the host decides how far a NaN spreads: that of OpenBLAS skips
   the products with a NaN in all types but double.  */
static bool
spreads (gpu_ctx *g)
{
  return g->be != &gpu_host_backend;
}

/* NaN and Inf as Octave's chol treats them: they go on into the factor, and
   only a pivot that is not positive is a failure.  */
static void
special (gpu_ctx *g, gpu_type type)
{
  static const double failing[] = { 0, -0.0, -4, -INFINITY };
  ref A, R, bad;
  int p;
  cx r = one_by_one (g, type, 4, &p);
  CHECK (r == 2 && p == 0, "chol (4) is %g, p %d", creal (r), p);
  r = one_by_one (g, type, NAN, &p);
  CHECK (isnan (creal (r)) && p == 0, "chol (NaN) is %g, p %d", creal (r), p);
  r = one_by_one (g, type, INFINITY, &p);
  CHECK (isinf (creal (r)) && p == 0, "chol (Inf) is %g, p %d", creal (r), p);
  for (int i = 0; i < 4; i++)
    {
      one_by_one (g, type, failing[i], &p);
      CHECK (p == 1, "chol (%g) has p %d", failing[i], p);
    }

  test_at ("[4 NaN; NaN 3]");
  A = ref_new (type, 2, 2, 1);
  A.x[0] = 4;
  A.x[1] = A.x[2] = NAN;
  A.x[3] = 3;
  OK (g, factor (g, A, GPU_N, false, &R, &bad));
  CHECK (bad.x[0] == 0 && R.x[0] == 2 && R.x[1] == 0 && is_nan (R.x[2])
           && is_nan (R.x[3]),
         "p %g", creal (bad.x[0]));

  test_at ("[NaN 0; 0 1]");
  A.x[0] = NAN;
  A.x[1] = A.x[2] = 0;
  A.x[3] = 1;
  OK (g, factor (g, A, GPU_N, false, &R, &bad));
  CHECK (bad.x[0] == 0 && is_nan (R.x[0]) && R.x[1] == 0, "p %g",
         creal (bad.x[0]));
  CHECK (!spreads (g) || (is_nan (R.x[2]) && is_nan (R.x[3])),
         "the NaN was lost");
}

/* A NaN in the middle: no failure, the part before it right, and NaN from
   its pivot on.  */
static void
nan_inside (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t at[][2] = { { 0, 0 }, { 2, 9 }, { 9, 9 }, { 5, 6 } };
  for (int i = 0; i < 4; i++)
    for (int leaf = 0; leaf < 2; leaf++)
      {
        ptrdiff_t r = at[i][0], c = at[i][1], n = 19;
        ref A = ref_definite (type, n, 1), R, bad;
        g->leaf = leaf ? 4 : 0;
        test_at ("NaN at (%td, %td), leaf %td", r + 1, c + 1, g->leaf);
        AT (A, r, c, 0) = NAN;
        OK (g, factor (g, A, GPU_N, true, &R, &bad));
        CHECK (bad.x[0] == 0, "info is %g", creal (bad.x[0]));
        check_factor (ref_leading (A, c, c), ref_leading (R, c, c), 0);
        CHECK (is_nan (AT (R, r, c, 0)) && is_nan (AT (R, c, c, 0)),
               "the NaN was lost");
        CHECK (!spreads (g) || is_nan (AT (R, n - 1, n - 1, 0)),
               "no NaN in the last pivot");
        test_next (g);
      }
}

/* The imaginary part of the diagonal is not read.  */
static void
diagonal (gpu_ctx *g, gpu_type type)
{
  for (int o = 0; o < 2 && gpu_is_complex (type); o++)
    for (int leaf = 0; leaf < 2; leaf++)
      {
        ref A = ref_definite (type, 19, 2), B = ref_copy (A), R, S, bad;
        g->leaf = leaf ? 4 : 0;
        test_at ("op %d, leaf %td", (int) ops[o], g->leaf);
        for (ptrdiff_t k = 0; k < 2; k++)
          for (ptrdiff_t j = 0; j < 19; j++)
            AT (B, j, j, k) += CMPLX (0, 3);
        OK (g, factor (g, A, ops[o], true, &R, &bad));
        OK (g, factor (g, B, ops[o], true, &S, &bad));
        CHECK (ref_norm (bad) == 0, "info is not 0");
        CHECK (ref_same (R, S), "another factor");
        test_next (g);
      }
}

/* Very large, very small and badly conditioned matrices keep the residual;
   the last are a smooth kernel with graded rows.  */
static void
scales (gpu_ctx *g, gpu_type type)
{
  bool single = test_eps (type) > 1e-10;
  int exponents[] = { single ? -96 : -400, single ? 100 : 400 };
  for (int leaf = 0; leaf < (test_quick () ? 1 : 2); leaf++)
    {
      ptrdiff_t n = 67;
      g->leaf = leaf ? 4 : 0;
      for (int i = 0; i < 2; i++)
        {
          ref A = ref_definite (type, n, 1);
          for (size_t e = 0; e < ref_count (A); e++)
            A.x[e] *= ldexp (1, exponents[i]);
          check_good (g, A, GPU_N, false);
          test_next (g);
        }

      ref A = ref_new (type, n, n, 1);
      for (ptrdiff_t j = 0; j < n; j++)
        for (ptrdiff_t i = 0; i <= j; i++)
          {
            double t = (double) (j - i) / (double) n;
            double grade = ldexp (1, -(int) (i * 7 % n / 8 + j * 7 % n / 8));
            double noise = i == j ? 1e3 * test_eps (type) : 0;
            AT (A, i, j, 0)
              = ref_rounded (type, (exp (-t * t) + noise) * grade);
            AT (A, j, i, 0) = AT (A, i, j, 0);
          }
      check_good (g, A, GPU_N, false);
      check_good (g, A, GPU_C, false);
      test_next (g);
    }
}

/* A matrix of the host that goes through the device, of both triangles; it
 * fails at pivot P unless that is 0.  */
static void
host_matrix (gpu_ctx *g, gpu_type type, ptrdiff_t n, bool lower, ptrdiff_t p)
{
  ref A = ref_definite (type, n, 1), P, R, bad;
  gpu_mat info, X, Y;
  test_at ("n %td, %s, fails at %td", n, lower ? "lower" : "upper", p);
  if (p > 0)
    AT (A, p - 1, p - 1, 0) = -1;
  P = ref_copy (A);
  ref_fill_triangle (P, GPU_LOWER, CMPLX (NAN, NAN));
  OK (g, gpu_new (g, GPU_INT64, 1, 1, 1, &info));
  dev di = { info, info };
  gpu_op op = !lower ? GPU_N : gpu_is_complex (type) ? GPU_C : GPU_T;
  X = (gpu_mat){ .m = n,
                 .n = n,
                 .ld = n > 0 ? n : 1,
                 .pages = 1,
                 .step = n * n,
                 .type = type,
                 .op = op };
  Y = X;
  X.p = ref_pack (lower ? ref_op (P, op) : P);
  Y.p = ref_pack (ref_new (type, n, n, 1));
  OK (g, gpu_chol_host (g, GPU_FP32X3, X, Y, info));
  OK (g, dev_get (g, di, &bad));
  R = ref_unpack (type, n, n, 1, Y.p);
  check_failed (A, lower ? ref_op (R, op) : R, bad, 0, p);
}

static void
from_host (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[] = { 0, 1, 37, 511, 512, 513, 1031, 1600 };
  for (int i = 0; i < 16; i++)
    for (int lower = 0; lower < 2; lower++)
      {
        ptrdiff_t n = sizes[i / 2];
        g->leaf = i % 2 * 64; /* as a whole; by panels */
        if (test_quick () && n > 40 && n != 512)
          continue;
        host_matrix (g, type, n, lower, 0);
        test_next (g);
        if (n > 1 && i / 2 % 2)
          host_matrix (g, type, n, lower, n / 2 + 1);
        test_next (g);
      }
}

static void
not_square (gpu_ctx *g, gpu_type type)
{
  gpu_mat A, info;
  OK (g, gpu_new (g, type, 3, 2, 1, &A));
  OK (g, gpu_new (g, GPU_INT64, 1, 1, 1, &info));
  CHECK (gpu_chol (g, GPU_FP32X3, A, A, info) == GPU_EARG, "accepted");
  CHECK (strstr (g->message, "square"), "message \"%s\"", g->message);
}

/* The first K rows of R' * R - A on random vectors: the largest error of an
   element in units of n * eps * |A| * |x|.  A and R are n x n in packed
   arrays, of which the upper triangle counts.  */
static double
probe (const cx *A, const cx *R, ptrdiff_t n, ptrdiff_t k, gpu_type type)
{
  cx *x = test_alloc ((size_t) n * 3 * sizeof *x), *y = x + n, *z = y + n;
  double worst = 0, norm = 0;
  for (ptrdiff_t j = 0; j < k; j++)
    for (ptrdiff_t i = 0; i < k; i++)
      norm += pow (cabs (A[i < j ? i + j * n : j + i * n]), 2);
  for (int round = 0; round < 3; round++)
    {
      double length = 0;
      for (ptrdiff_t i = 0; i < k; i++)
        {
          x[i] = test_uniform ();
          y[i] = z[i] = 0;
          length += creal (x[i]) * creal (x[i]);
        }
      /* y = R * x, z = R' * y - A * x  */
      for (ptrdiff_t j = 0; j < k; j++)
        for (ptrdiff_t i = 0; i <= j; i++)
          y[i] += R[i + j * n] * x[j];
      for (ptrdiff_t j = 0; j < k; j++)
        for (ptrdiff_t i = 0; i <= j; i++)
          {
            z[j] += conj (R[i + j * n]) * y[i] - conj (A[i + j * n]) * x[i];
            if (i < j)
              z[i] -= A[i + j * n] * x[j];
          }
      for (ptrdiff_t i = 0; i < k; i++)
        {
          double error = cabs (z[i]) / sqrt (length);
          worst = error <= worst ? worst : error;
        }
    }
  return k ? worst / ((double) n * test_eps (type) * sqrt (norm)) : 0;
}

/* A number of the bits of all factors so far, of their first K columns.  */
static uint64_t bits_so_far;

static void
note_bits (ref F, ptrdiff_t k)
{
  for (ptrdiff_t j = 0; j < k; j++)
    for (ptrdiff_t i = 0; i <= j; i++)
      {
        uint64_t bits[2];
        memcpy (bits, &AT (F, i, j, 0), sizeof bits);
        for (int part = 0; part < 2; part++)
          {
            bits_so_far = (bits_so_far ^ bits[part]) * 0x9E3779B97F4A7C15u;
            bits_so_far ^= bits_so_far >> 29;
          }
      }
}

/* One large matrix, scaled by powers of 2, with a pivot that fails or
   without.  */
static void
one_ahead (gpu_ctx *g, gpu_type type, gpu_precision precision, ptrdiff_t n,
           ptrdiff_t bad, gpu_op op)
{
  enum
  {
    RANK = 24
  };
  ref X = ref_new (type, n, n, 1), F, info_ref;
  size_t count = (size_t) (n * n);
  cx *A = test_alloc (count * sizeof *A);
  cx *R = test_alloc (count * sizeof *R);
  cx *u = test_alloc ((size_t) (n * RANK) * sizeof *u);
  dev D;
  gpu_mat info;
  test_at ("n %td, pivot %td, op %d, precision %d", n, bad, (int) op,
           (int) precision);
  for (ptrdiff_t i = 0; i < n * RANK; i++)
    u[i] = gpu_is_complex (type) ? CMPLX (test_uniform (), test_uniform ())
                                 : test_uniform ();
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i <= j; i++)
      {
        cx a = i == j ? 1 : 0;
        for (int l = 0; l < RANK; l++)
          a += u[RANK * i + l] * conj (u[RANK * j + l]);
        a = i == j && i == bad - 1 ? -1e-3 : a;
        /* Rows and columns in other units.  */
        a = ref_rounded (type, a * ldexp (1, (int) (i % 7 + j % 7)));
        A[i + j * n] = i == j ? creal (a) : a;
        AT (X, i, j, 0) = A[i + j * n];
      }
  ref_fill_triangle (X, GPU_LOWER, CMPLX (NAN, NAN));
  OK (g, dev_put (g, X, op, false, &D));
  OK (g, gpu_new (g, GPU_INT64, 1, 1, 1, &info));
  OK (g, gpu_chol (g, precision, D.view, D.view, info));
  dev di = { info, info };
  OK (g, dev_get (g, di, &info_ref));
  OK (g, dev_get (g, D, &F));
  note_bits (F, bad ? bad - 1 : n);
  ptrdiff_t got = (ptrdiff_t) creal (AT (info_ref, 0, 0, 0));
  if (CHECK (got == bad, "info is %td", got))
    {
      bool triangular = true, diagonal = true;
      for (ptrdiff_t j = 0; j < n; j++)
        for (ptrdiff_t i = 0; i < n; i++)
          {
            R[i + j * n] = AT (F, i, j, 0);
            triangular = triangular && (i <= j || R[i + j * n] == 0);
            diagonal = diagonal
                       && (i != j || (bad && j >= bad - 1)
                           || cimag (R[i + j * n]) == 0);
          }
      CHECK (triangular, "not upper triangular");
      CHECK (diagonal, "the diagonal is not real");
      double units = probe (A, R, n, bad ? bad - 1 : n, type);
      /* 11 bits in each product.  */
      bool is_low = precision == GPU_TF32 || precision == GPU_FP16
                    || precision == GPU_MIXED;
      double most = is_low ? 0x1p-10 / ((double) n * test_eps (type)) : 0;
      CHECK (units <= fmax (1, most), "residual %g", units);
    }
  test_next (g);
}

static void
ahead (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[]
    = { 65, 129, 255, 256, 257, 384, 641, 1025, 1153, 2049, 2177, 3201 };
  for (int i = 0; i < 12; i++)
    {
      ptrdiff_t n = sizes[i];
      const ptrdiff_t block = gpu_is_complex (type) ? 64 : 128;
      ptrdiff_t pivots[] = { 0, 1, block, block + 1, n / 2 + 1, n };
      if (n <= block)
        continue;
      ptrdiff_t panels = type == GPU_DOUBLE    ? 2049
                         : type == GPU_CDOUBLE ? 1025
                                               : 1153;
      if (test_quick ()
          && (g->be->host_memory ? n > 257
                                 : n != 129 && n != 257 && n != panels))
        continue;
      for (int p = 0; p < 6; p++)
        if (test_quick () ? p == i % 2 * 3
                          : p == 0 || n < 1200 || p == 1 + i % 5)
          one_ahead (g, type, GPU_FP32X3, n, pivots[p],
                     (i + p) % 2 ? GPU_C : GPU_N);
    }
  static const gpu_precision precisions[]
    = { GPU_IEEE, GPU_TF32, GPU_FP16, GPU_MIXED };
  for (int i = 0; i < 4; i++)
    if (!test_quick ())
      {
        one_ahead (g, type, precisions[i], 641, i % 2 ? 600 : 0, GPU_N);
        one_ahead (g, type, precisions[i], 2177, i % 2 ? 0 : 2000, GPU_C);
      }
    else if (!g->be->host_memory || precisions[i] == GPU_MIXED)
      /* The host has but one precision.  */
      one_ahead (g, type, precisions[i], 385, i % 2 ? 300 : 0, GPU_N);
  if (!g->be->host_memory)
    printf ("factors: %016" PRIx64 "\n", bits_so_far);
}

int
main (void)
{
  static const test_entry entries[] = {
    { "residual", residual, true },         { "pages", pages, true },
    { "batches", batches, true },           { "info", info, true },
    { "semidefinite", semidefinite, true }, { "sticky", sticky, true },
    { "special", special, true },           { "nan_inside", nan_inside, true },
    { "diagonal", diagonal, true },         { "scales", scales, true },
    { "from_host", from_host, true },       { "ahead", ahead, true },
    { "not_square", not_square, false },
  };
  return test_main ("test_chol", entries, sizeof entries / sizeof *entries);
}
