/* chol.c: A = R' * R, the recursive Cholesky factorization.

     [A11 A12]   A11 = R11' * R11
     [    A22]   A12 = R11' * R12
                 A22 = R12' * R12 + R22' * R22

   by halves at multiples of the leaf (F. Gustavson, 1997).  The upper
   triangle of A is read and becomes R; the lower factor is the same
   recursion on the view A'.  Nothing waits for a device: a failed pivot is
   noted in info by the leaf that met it, and what follows it is undefined.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

/* AT is the place of A in the whole matrix.  */
static gpu_status
chol (gpu_ctx *g, gpu_mat A, gpu_mat info, ptrdiff_t at)
{
  ptrdiff_t leaf = gpu_tune (g, A.type).leaf;
  if (A.n <= leaf)
    return g->be->chol_leaf (g, A, info, at);

  ptrdiff_t n1 = gpu_split (A.n, leaf), n2 = A.n - n1;
  gpu_mat A11 = gpu_part (A, 0, 0, n1, n1);
  gpu_mat A12 = gpu_part (A, 0, n1, n1, n2);
  gpu_mat A22 = gpu_part (A, n1, n1, n2, n2);

  /* A11 = chol (A11) */
  GPU_TRY (chol (g, A11, info, at));
  if (gpu_all_failed (g, info))
    return GPU_OK;
  /* A12 = A11' \ A12 */
  GPU_TRY (gpu_trsm (g, GPU_LOWER, gpu_adjoint (A11), A12));
  /* A22 = A22 - A12' * A12 */
  GPU_TRY (gpu_syrk (g, -1, A12, A22));
  /* A22 = chol (A22) */
  return chol (g, A22, info, at + n1);
}

gpu_status
gpu_chol (gpu_ctx *g, gpu_mat A, gpu_mat R, gpu_mat info)
{
  if (A.m != A.n)
    return gpu_fail (g, GPU_EARG, "requires square matrix");
  GPU_TRY (g->be->zero (g, info));
  if (A.n <= gpu_tune (g, A.type).pages && A.op == R.op && gpu_is_packed (A)
      && gpu_is_packed (R))
    return g->be->chol_pages (g, A, R, info);
  if (R.p != A.p)
    GPU_TRY (g->be->copy (g, A, R));
  GPU_TRY (chol (g, R, info, 0));
  return g->be->triu (g, R);
}
