/* test_trsm.c: B = T \ B for both triangles and all views.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

/* Make T upper triangular with well conditioned leaves on its diagonal, as
   the factorization makes them: be->chol_leaf on the leaves of a positive
   definite matrix.  T is read back into R.  */
static gpu_status
make_triangle (gpu_ctx *g, gpu_type type, ptrdiff_t n, ptrdiff_t pages,
               gpu_op op, bool pad, dev *T, ref *R)
{
  gpu_tuning tune = gpu_tune (g, type);
  ref A = ref_definite (type, n, pages);
  gpu_mat info;
  /* What lies below the diagonal must not be read.  */
  ref_fill_triangle (A, GPU_LOWER, CMPLX (NAN, NAN));
  GPU_TRY (dev_put (g, A, op, pad, T));
  GPU_TRY (gpu_new (g, GPU_INT64, 1, 1, pages, &info));
  GPU_TRY (g->be->zero (g, info));
  for (ptrdiff_t j = 0; j < n; j += tune.leaf)
    {
      ptrdiff_t m = n - j < tune.leaf ? n - j : tune.leaf;
      GPU_TRY (g->be->chol_leaf (g, gpu_part (T->view, j, j, m, m), info, j));
    }
  dev di = { info, info };
  ref failed;
  GPU_TRY (dev_get (g, di, &failed));
  CHECK (ref_norm (failed) == 0, "the leaves were not positive definite");
  GPU_TRY (dev_get (g, *T, R));
  ref_fill_triangle (*R, GPU_LOWER, 0);
  return GPU_OK;
}

/* The same with a diagonal of ones that must not be read.  */
static gpu_status
make_unit_triangle (gpu_ctx *g, gpu_type type, ptrdiff_t n, ptrdiff_t pages,
                    gpu_op op, bool pad, dev *T, ref *R)
{
  ref A = ref_random (type, n, n, pages);
  ref_fill_triangle (A, GPU_LOWER, 0);
  /* So small that the solution does not grow from row to row.  */
  for (size_t i = 0; i < ref_count (A); i++)
    A.x[i] *= ldexp (1, -ilogb ((double) n + 1));
  *R = ref_copy (A);
  ref_fill_triangle (A, GPU_LOWER, CMPLX (NAN, NAN));
  for (ptrdiff_t k = 0; k < pages; k++)
    for (ptrdiff_t j = 0; j < n; j++)
      {
        AT (A, j, j, k) = CMPLX (NAN, NAN);
        AT (*R, j, j, k) = 1;
      }
  return dev_put (g, A, op, pad, T);
}

static void
solve (gpu_ctx *g, gpu_type type, gpu_uplo uplo, ptrdiff_t n, ptrdiff_t k,
       gpu_op t, gpu_op b, bool pad)
{
  ptrdiff_t pages = pad ? 3 : 1;
  ref B = ref_random (type, n, k, pages), R, X;
  bool lower = uplo & GPU_LOWER, unit = uplo & GPU_UNIT;
  dev T, D;
  test_at ("%s%s, n %td, k %td, %td pages, ops %d %d, leaf %td",
           unit ? "unit " : "", lower ? "lower" : "upper", n, k, pages,
           (int) t, (int) b, g->leaf);
  OK (g, (unit ? make_unit_triangle : make_triangle) (g, type, n, pages, t,
                                                      pad, &T, &R));
  OK (g, dev_put (g, B, b, pad, &D));
  OK (g, gpu_trsm (g, uplo, lower ? gpu_adjoint (T.view) : T.view, D.view));
  OK (g, dev_get (g, D, &X));
  for (ptrdiff_t p = 0; p < pages; p++)
    {
      double scale = ref_norm (ref_page (R, p)) * ref_norm (ref_page (X, p));
      double error = test_product_error (R, lower, X, B, p);
      CHECK (test_units (error, n, type, scale) <= 1,
             "page %td: error %g, scale %g", p, error, scale);
    }
  test_next (g);
}

static void
trsm (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t small[] = { 0, 1, 2, 3, 4, 5, 11, 13, 37 };
  static const ptrdiff_t columns[] = { 0, 1, 7, 33 };
  static const gpu_op ops[] = { GPU_N, GPU_C };
  for (int v = 0; v < 16; v++)
    {
      gpu_uplo uplo = (gpu_uplo) ((v & 1 ? GPU_LOWER : GPU_UPPER)
                                  | (v & 8 ? GPU_UNIT : 0));
      gpu_op t = ops[v / 2 % 2], b = ops[v / 4 % 2];
      g->leaf = 4;
      for (int i = 0; i < 9; i++)
        for (int k = 0; k < 4; k++)
          if (!test_quick () || (i + k + v) % 4 == 0)
            solve (g, type, uplo, small[i], columns[k], t, b, (i + k) % 2);
      g->leaf = 0;
      ptrdiff_t leaf = gpu_tune (g, type).leaf;
      ptrdiff_t sizes[] = { leaf - 1, leaf, leaf + 1, 2 * leaf + 3 };
      /* Large leaves take their turn: one size for each variant.  */
      for (int i = 0; i < (test_quick () ? 0 : 4); i++)
        if (leaf < 150 || (i + v) % 4 == 0)
          solve (g, type, uplo, sizes[i], 29, t, b, i == 2);
    }
}

/* A large T and few columns of B.  */
static void
few (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[] = { 129, 191, 192, 193, 500, 1025 };
  static const gpu_op ops[] = { GPU_N, GPU_C };
  for (int v = 0; v < 16; v++)
    for (int i = 0; i < 6; i++)
      if (test_quick () ? v % 8 == i : sizes[i] < 400 || v % 5 == i - 4)
        solve (g, type,
               (gpu_uplo) ((v & 1 ? GPU_LOWER : GPU_UPPER)
                           | (v & 8 ? GPU_UNIT : 0)),
               sizes[i], 1 + (i + v) % 4, ops[v / 2 % 2], ops[v / 4 % 2],
               i % 2);
}

/* Sizes that real recursions meet, and B wider than a tile.  */
static void
primes (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[] = { 67, 131, 257 };
  for (int i = 0; i < (test_quick () ? 1 : 3); i++)
    {
      solve (g, type, GPU_LOWER, sizes[i], 101, GPU_C, GPU_N, true);
      solve (g, type, GPU_LOWER, sizes[i], 101, GPU_N, GPU_C, false);
    }
}

/* A badly conditioned T, a leaf or, for few columns, more: 1 on the diagonal,
   about -1 or -1/4 above it, so that the inverse grows like 2^n or 1.25^n, and
   a right-hand side whose solution is moderate.  Substitution keeps the
   residual small; a product with the inverse would miss it by many orders.  */
static void
ill_conditioned (gpu_ctx *g, gpu_type type)
{
  for (int v = 0; v < 8; v++)
    {
      ptrdiff_t n = v < 4 ? 61 : 300, k = v < 4 ? 9 : 3;
      double size = v < 4 ? 1 : 0.25;
      gpu_op op = v & 1 ? GPU_C : GPU_N;
      bool lower = v & 2;
      ref T = ref_random (type, n, n, 1), X = ref_random (type, n, k, 1);
      ref B = ref_new (type, n, k, 1);
      dev DT, DB;
      test_at ("op %d, %s", (int) op, lower ? "lower" : "upper");
      for (ptrdiff_t j = 0; j < n; j++)
        for (ptrdiff_t i = 0; i <= j; i++)
          AT (T, i, j, 0) = ref_rounded (
            type, i == j ? 1 : size * (-1 + 0.1 * AT (T, i, j, 0)));
      for (ptrdiff_t j = 0; j < k; j++)
        for (ptrdiff_t i = 0; i < n; i++)
          {
            cx sum = 0;
            for (ptrdiff_t q = lower ? 0 : i; q < (lower ? i + 1 : n); q++)
              sum += (lower ? conj (AT (T, q, i, 0)) : AT (T, i, q, 0))
                     * AT (X, q, j, 0);
            AT (B, i, j, 0) = ref_rounded (type, sum);
          }
      ref_fill_triangle (T, GPU_LOWER, CMPLX (NAN, NAN));
      OK (g, dev_put (g, T, op, true, &DT));
      OK (g, dev_put (g, B, GPU_N, true, &DB));
      OK (g, gpu_trsm (g, lower ? GPU_LOWER : GPU_UPPER,
                       lower ? gpu_adjoint (DT.view) : DT.view, DB.view));
      OK (g, dev_get (g, DB, &X));
      ref_fill_triangle (T, GPU_LOWER, 0);
      double scale = ref_norm (T) * ref_norm (X);
      double error = test_product_error (T, lower, X, B, 0);
      CHECK (test_units (error, n, type, scale) <= 1, "error %g, scale %g",
             error, scale);
      test_next (g);
    }
}

int
main (void)
{
  static const test_entry entries[] = {
    { "trsm", trsm, true },
    { "primes", primes, true },
    { "few", few, true },
    { "ill_conditioned", ill_conditioned, true },
  };
  return test_main ("test_trsm", entries, sizeof entries / sizeof *entries);
}
