/* chol_iterative.c: A = R' * R, blocked and right-looking, with one fixed
   block width: what the recursion is compared with in the benchmark.

     [A11 A12]   A11 = R11' * R11         one leaf
     [    A22]   A12 = R11' \ A12         one row of blocks
                 A22 = A22 - A12' * A12   all that is left

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "chol_iterative.h"

/* triu (C) = triu (C - A' * A), one block column after the other.  */
static gpu_status
update (gpu_ctx *g, gpu_mat A, gpu_mat C)
{
  ptrdiff_t width = gpu_tune (g, C.type).syrk;
  for (ptrdiff_t j = 0; j < C.n; j += width)
    {
      ptrdiff_t n = C.n - j < width ? C.n - j : width;
      gpu_mat Aj = gpu_part (A, 0, j, A.m, n);
      gpu_mat above = gpu_part (A, 0, 0, A.m, j);
      /* C(1:j, J) = C(1:j, J) - A(:, 1:j)' * A(:, J) */
      if (j > 0)
        GPU_TRY (gpu_gemm (g, -1, gpu_adjoint (above), Aj, 1,
                           gpu_part (C, 0, j, j, n)));
      GPU_TRY (g->be->syrk_leaf (g, -1, Aj, gpu_part (C, j, j, n, n)));
    }
  return GPU_OK;
}

gpu_status
chol_iterative (gpu_ctx *g, gpu_mat A, gpu_mat info)
{
  gpu_tuning tune = gpu_tune (g, A.type);

  GPU_TRY (g->be->zero (g, info));
  for (ptrdiff_t j = 0; j < A.n; j += tune.leaf)
    {
      ptrdiff_t n1 = A.n - j < tune.leaf ? A.n - j : tune.leaf;
      ptrdiff_t n2 = A.n - j - n1;
      gpu_mat A11 = gpu_part (A, j, j, n1, n1);
      gpu_mat A12 = gpu_part (A, j, j + n1, n1, n2);
      gpu_mat A22 = gpu_part (A, j + n1, j + n1, n2, n2);

      GPU_TRY (g->be->chol_leaf (g, A11, info, j));
      if (n2 == 0)
        break;
      GPU_TRY (g->be->trsm_leaf (g, GPU_LOWER, gpu_adjoint (A11), A12));
      GPU_TRY (update (g, A12, A22));
    }
  return g->be->triu (g, A);
}
