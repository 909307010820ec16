/* test_syrk.c: triu (C) = triu (C + alpha * A' * A) for views of both ops.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

/* |C + alpha*A'*A - D| / |alpha| of page p, where only the upper triangles of
   C and D count and stand for Hermitian matrices.  */
static double
error_of (double alpha, ref A, ref C, ref D, ptrdiff_t p)
{
  ref E = ref_new (C.type, C.n, C.n, 1);
  for (ptrdiff_t j = 0; j < C.n; j++)
    for (ptrdiff_t i = 0; i <= j; i++)
      {
        cx z = (AT (D, i, j, p) - AT (C, i, j, p)) / alpha;
        AT (E, i, j, 0) = z;
        AT (E, j, i, 0) = conj (z);
      }
  return test_product_error (ref_page (A, p), true, ref_page (A, p), E, 0);
}

static void
update (gpu_ctx *g, gpu_type type, ptrdiff_t n, ptrdiff_t k, gpu_op a,
        gpu_op c, bool pad)
{
  static const double alphas[] = { -1, 1, -2, 0.5 };
  double alpha = alphas[(n + k) % 4];
  ptrdiff_t pages = pad ? 3 : 1;
  ref A = ref_random (type, k, n, pages), C = ref_definite (type, n, pages);
  ref P = ref_copy (C), D;
  dev dA, dC;
  test_at ("alpha %g, n %td, k %td, %td pages, ops %d %d, leaf %td", alpha, n,
           k, pages, (int) a, (int) c, g->leaf);
  /* What lies below the diagonal must not get into the result.  */
  ref_fill_triangle (P, GPU_LOWER, CMPLX (NAN, NAN));
  OK (g, dev_put (g, A, a, pad, &dA));
  OK (g, dev_put (g, P, c, pad, &dC));
  OK (g, gpu_syrk (g, alpha, dA.view, dC.view));
  OK (g, dev_get (g, dC, &D));
  for (ptrdiff_t p = 0; p < pages; p++)
    {
      double a2 = ref_norm (ref_page (A, p));
      double scale = a2 * a2 + ref_norm (ref_page (C, p)) / fabs (alpha);
      double error = error_of (alpha, A, C, D, p);
      CHECK (test_units (error, k, type, scale) <= 1,
             "page %td: error %g, scale %g", p, error, scale);
    }
  test_next (g);
}

static void
syrk (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t small[] = { 0, 1, 2, 3, 4, 5, 11, 13, 37 };
  static const ptrdiff_t inner[] = { 0, 1, 5, 33 };
  static const gpu_op ops[] = { GPU_N, GPU_C };
  for (int o = 0; o < 4; o++)
    {
      g->leaf = 4;
      for (int i = 0; i < 9; i++)
        for (int k = 0; k < 4; k++)
          for (int pad = 0; pad < 2; pad++)
            if (!test_quick () || (i + k + o) % 4 == 0)
              update (g, type, small[i], inner[k], ops[o % 2], ops[o / 2],
                      pad);
      g->leaf = 0;
      ptrdiff_t leaf = gpu_tune (g, type).syrk;
      ptrdiff_t sizes[] = { leaf - 1, leaf, leaf + 1, 2 * leaf + 3 };
      /* Large leaves take their turn: two sizes for each variant.  */
      for (int i = 0; i < (test_quick () ? 0 : 4); i++)
        if (leaf < 150 || (i + o) % 2)
          update (g, type, sizes[i], 29, ops[o % 2], ops[o / 2], i == 2);
    }
}

/* Sizes that real recursions meet: not a multiple of anything.  */
static void
primes (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[] = { 67, 131, 257 };
  for (int i = 0; i < (test_quick () ? 1 : 3); i++)
    {
      update (g, type, sizes[i], 61, GPU_N, GPU_N, true);
      update (g, type, sizes[i], 61, GPU_C, GPU_C, true);
    }
}

int
main (void)
{
  static const test_entry entries[] = {
    { "syrk", syrk, true },
    { "primes", primes, true },
  };
  return test_main ("test_syrk", entries, sizeof entries / sizeof *entries);
}
