/* syrk.c: triu (C) = triu (C + alpha * A' * A), as two of half the size and
   one product:

     [C11 C12]   C11 = C11 + alpha * A1' * A1     A = [A1 A2]
     [    C22]   C12 = C12 + alpha * A1' * A2
                 C22 = C22 + alpha * A2' * A2

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

gpu_status
gpu_syrk (gpu_ctx *g, double alpha, gpu_mat A, gpu_mat C)
{
  ptrdiff_t leaf = gpu_tune (g, C.type).syrk;
  if (C.n <= leaf)
    return g->be->syrk_leaf (g, alpha, A, C);

  ptrdiff_t n1 = gpu_split (C.n, leaf), n2 = C.n - n1;
  gpu_mat C11 = gpu_part (C, 0, 0, n1, n1);
  gpu_mat C12 = gpu_part (C, 0, n1, n1, n2);
  gpu_mat C22 = gpu_part (C, n1, n1, n2, n2);
  gpu_mat A1 = gpu_part (A, 0, 0, A.m, n1);
  gpu_mat A2 = gpu_part (A, 0, n1, A.m, n2);

  /* C11 = C11 + alpha * A1' * A1 */
  GPU_TRY (gpu_syrk (g, alpha, A1, C11));
  /* C12 = C12 + alpha * A1' * A2 */
  GPU_TRY (gpu_gemm (g, alpha, gpu_adjoint (A1), A2, 1, C12));
  /* C22 = C22 + alpha * A2' * A2 */
  return gpu_syrk (g, alpha, A2, C22);
}
