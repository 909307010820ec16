/* test_solve.c: X = A \ B by every way: residuals, rcond beside the exact one,
   singular pages among good ones; mixed precision that converges, that needs
   GMRES, and that must fall back.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

enum
{
  MANY = 8 /* pages at most */
};

typedef enum
{
  ANY,
  UPPER,
  LOWER,
  DEFINITE,
  INDEFINITE, /* Hermitian with a positive diagonal */
  KINDS
} kind;

static const char *const names[KINDS]
  = { "any", "upper", "lower", "definite", "indefinite" };

static ref
matrix (kind k, gpu_type type, ptrdiff_t n, ptrdiff_t pages)
{
  ref A = k == DEFINITE ? ref_definite (type, n, pages)
                        : ref_random (type, n, n, pages);
  if (k == ANY || k == DEFINITE)
    return A;
  for (ptrdiff_t q = 0; q < pages; q++)
    for (ptrdiff_t j = 0; j < n; j++)
      for (ptrdiff_t i = 0; i <= j; i++)
        if (k == INDEFINITE)
          {
            /* -1 beside a diagonal of 1/2, and something.  */
            cx z = i == j ? 0.5 : -1 + AT (A, i, j, q) / (double) (2 * n);
            AT (A, i, j, q) = ref_rounded (type, z);
            AT (A, j, i, q) = conj (AT (A, i, j, q));
          }
        else
          {
            cx z = AT (A, i, j, q) / (double) n + (i == j ? 1 : 0);
            z = ref_rounded (type, z);
            AT (A, i, j, q) = i == j || k == UPPER ? z : 0;
            AT (A, j, i, q) = i == j || k == LOWER ? z : 0;
          }
  return A;
}

static gpu_status
solve_how (gpu_ctx *g, ref A, ref B, bool pad, ref *X, double *rcond,
           gpu_solution *how)
{
  dev DA, DX;
  double work[MANY];
  GPU_TRY (dev_put (g, A, GPU_N, pad, &DA));
  GPU_TRY (dev_put (g, B, GPU_N, pad, &DX));
  ptrdiff_t live = g->live;
  GPU_TRY (gpu_solve (g, DA.view, DX.view, rcond, work, how));
  CHECK (g->live == live, "the call left its workspace");
  ref after;
  GPU_TRY (dev_get (g, DA, &after));
  bool same = true;
  for (size_t i = 0; i < ref_count (A); i++)
    same &= after.x[i] == A.x[i] || (is_nan (after.x[i]) && is_nan (A.x[i]));
  CHECK (same, "A was changed");
  return dev_get (g, DX, X);
}

static gpu_status
solve (gpu_ctx *g, ref A, ref B, bool pad, ref *X, double *rcond)
{
  return solve_how (g, A, B, pad, X, rcond, NULL);
}

/* 1 / (norm (A, 1) * norm (inv (A), 1)) by the recursion of gpu_inv, which
   estimates nothing; by leaves that are smaller than A, but not many.  */
static gpu_status
exact (gpu_ctx *g, ref A, double *rcond)
{
  ptrdiff_t leaf = g->leaf;
  gpu_mat X, r;
  dev D;
  ref R;
  GPU_TRY (dev_put (g, A, GPU_N, false, &D));
  GPU_TRY (gpu_new (g, A.type, A.n, A.n, A.pages, &X));
  GPU_TRY (gpu_new (g, gpu_real_type (A.type), 1, 1, A.pages, &r));
  g->leaf = A.n > 64 ? 32 : 4;
  gpu_status status = gpu_inv (g, D.view, X, r);
  g->leaf = leaf;
  GPU_TRY (status);
  GPU_TRY (dev_get (g, (dev){ r, r }, &R));
  for (ptrdiff_t k = 0; k < A.pages; k++)
    rcond[k] = creal (R.x[k]);
  return GPU_OK;
}

static void
check (gpu_ctx *g, kind k, gpu_type type, ptrdiff_t n, ptrdiff_t p,
       ptrdiff_t pages, bool pad)
{
  ref A = matrix (k, type, n, pages), B = ref_random (type, n, p, pages), X, Y;
  double rcond[MANY], again[MANY], want[MANY];
  test_at ("%s, n %td, p %td, %td pages%s, leaf %td", names[k], n, p, pages,
           pad ? ", inside" : "", g->leaf);
  OK (g, solve (g, A, B, pad, &X, rcond));
  OK (g, solve (g, A, B, pad, &Y, again));
  CHECK (ref_same (X, Y), "another result the second time");
  OK (g, exact (g, A, want));
  for (ptrdiff_t q = 0; q < pages; q++)
    {
      ref Aq = ref_copy (ref_page (A, q)), Xq = ref_copy (ref_page (X, q));
      double scale = ref_norm (Aq) * ref_norm (Xq);
      double error = test_product_error (A, false, X, B, q);
      double units = test_units (error, n, type, scale);
      double tol = 32 * (double) n * test_eps (type) / want[q];
      CHECK (units <= 1, "page %td: residual %g", q, units);
      CHECK (rcond[q] >= want[q] * (1 - tol)
               && rcond[q] <= want[q] * (4 + tol),
             "page %td: rcond %g, should be %g", q, rcond[q], want[q]);
      CHECK (rcond[q] == again[q], "page %td: another rcond", q);
    }
  test_next (g);
}

static void
ways (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t small[] = { 1, 2, 3, 5, 8, 9, 17, 37 };
  static const ptrdiff_t large[] = { 31, 64, 65, 127, 128, 129, 200, 300 };
  for (int leaf = 0; leaf < 2; leaf++)
    for (int i = 0; i < 8; i++)
      for (int k = 0; k < KINDS; k++)
        {
          g->leaf = leaf ? 4 : 0;
          ptrdiff_t n = leaf ? small[i] : large[i];
          if (!test_quick () || (i + k) % 8 == leaf * 3)
            check (g, (kind) k, type, n, 1 + (i + k) % 3, 1 + (i + 2 * k) % 3,
                   i % 2);
        }
}

/* A pivot that is zero: rcond is 0 there, and the other pages are whole.  */
static void
singular (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[] = { 3, 40, 150 };
  for (int i = 0; i < (test_quick () ? 2 : 3); i++)
    for (int k = 0; k < 3; k++)
      {
        ptrdiff_t n = sizes[i];
        ref A = matrix ((kind) k, type, n, 3), B = ref_random (type, n, 2, 3);
        ref X;
        double rcond[3];
        test_at ("%s, n %td", names[k], n);
        for (ptrdiff_t r = 0; r < n; r++)
          {
            if (k != UPPER)
              AT (A, r, n - 1, 1) = 0;
            if (k != LOWER)
              AT (A, 0, r, 1) = 0;
          }
        OK (g, solve (g, A, B, false, &X, rcond));
        CHECK (rcond[1] == 0, "rcond %g of a singular page", rcond[1]);
        CHECK (rcond[0] > 0 && rcond[2] > 0, "rcond of good pages: %g, %g",
               rcond[0], rcond[2]);
        for (ptrdiff_t q = 0; q < 3; q += 2)
          {
            ref Aq = ref_copy (ref_page (A, q)),
                Xq = ref_copy (ref_page (X, q));
            double error = test_product_error (A, false, X, B, q);
            double scale = ref_norm (Aq) * ref_norm (Xq);
            CHECK (test_units (error, n, type, scale) <= 1, "residual %g",
                   error);
          }
        test_next (g);
      }
}

/* The call returns, and says that nothing is known.  */
static void
not_a_number (gpu_ctx *g, gpu_type type)
{
  ref A = ref_random (type, 40, 40, 1), B = ref_random (type, 40, 1, 1), X;
  double rcond;
  AT (A, 3, 20, 0) = NAN;
  OK (g, solve (g, A, B, false, &X, &rcond));
  CHECK (!(rcond > 0), "rcond %g", rcond);
}

/* A = H * D * K with reflections H = I - 2 * u * u' and K = I - 2 * v * v', D
   the diagonal d, which are the singular values.  */
static ref
with_singular_values (gpu_type type, ptrdiff_t n, const double *d)
{
  ref u = ref_random (type, n, 1, 1), v = ref_random (type, n, 1, 1);
  ref A = ref_new (type, n, n, 1);
  const double u2 = ref_norm (u) * ref_norm (u),
               v2 = ref_norm (v) * ref_norm (v);
  cx udv = 0;
  for (ptrdiff_t i = 0; i < n; i++)
    udv += conj (u.x[i]) * d[i] * v.x[i];
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < n; i++)
      {
        cx z = (i == j ? d[i] : 0) - 2 * u.x[i] * conj (u.x[j]) * d[j] / u2
               - 2 * d[i] * v.x[i] * conj (v.x[j]) / v2
               + 4 * u.x[i] * udv * conj (v.x[j]) / (u2 * v2);
        AT (A, i, j, 0) = ref_rounded (type, z);
      }
  return A;
}

/* Singular values from 1 to 0.1; the same but for two that single precision
   does not see; and all sizes down to what no correction mends.  */
static void
mixed (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[] = { 40, 130, 260 };
  const bool narrow = gpu_real_type (type) == GPU_SINGLE;
  for (int i = 0; i < (test_quick () ? 1 : 3); i++)
    for (int k = 0; k < (narrow ? 1 : 3); k++)
      {
        const ptrdiff_t n = sizes[i];
        double *d = test_alloc ((size_t) n * sizeof *d), rcond, want;
        gpu_solution how;
        ref X, Y;
        test_at ("n %td, case %d", n, k);
        for (ptrdiff_t j = 0; j < n; j++)
          d[j] = k < 2 ? 1 - 0.9 * (double) j / (double) n
                       : pow (10, -14 * (double) j / (double) n);
        if (k == 1)
          {
            d[n / 3] = 1e-9;
            d[n / 2] = 1e-10;
          }
        ref A = with_singular_values (type, n, d);
        ref B = ref_random (type, n, 2, 1);
        OK (g, solve_how (g, A, B, false, &X, &rcond, &how));
        OK (g, solve (g, A, B, false, &Y, &want));
        double error = test_product_error (A, false, X, B, 0);
        CHECK (test_units (error, n, type, ref_norm (A) * ref_norm (X)) <= 1,
               "residual %g", error);
        CHECK (how.mixed == (k < 2), "mixed %d", how.mixed);
        CHECK (k == 1   ? how.steps > 0
               : k == 0 ? how.steps == 0
                        : true,
               "%d steps", how.steps);
        CHECK (k < 2 || (ref_same (X, Y) && rcond == want),
               "not what full precision gives");
        test_next (g);
      }
}

static void
arguments (gpu_ctx *g, gpu_type type)
{
  gpu_mat A, X;
  double rcond, work;
  (void) type;
  OK (g, gpu_new (g, GPU_DOUBLE, 3, 2, 1, &A));
  OK (g, gpu_new (g, GPU_DOUBLE, 3, 1, 1, &X));
  CHECK (gpu_solve (g, A, X, &rcond, &work, NULL) == GPU_EARG, "not square");
  CHECK (gpu_solve (g, gpu_part (A, 0, 0, 2, 2), X, &rcond, &work, NULL)
           == GPU_EARG,
         "other rows");
}

int
main (void)
{
  static const test_entry entries[] = {
    { "ways", ways, true },
    { "singular", singular, true },
    { "not_a_number", not_a_number, true },
    { "mixed", mixed, true },
    { "arguments", arguments, false },
  };
  return test_main ("test_solve", entries, sizeof entries / sizeof *entries);
}
