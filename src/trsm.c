/* trsm.c: B = T \ B with T triangular, by halves with a product between:

     upper  [T11 T12]   B2 = T22 \ B2,  B1 = T11 \ (B1 - T12 * B2)
            [    T22]
     lower  [T11    ]   B1 = T11 \ B1,  B2 = T22 \ (B2 - T21 * B1)
            [T21 T22]

   All other cases are views: B / T is the adjoint's T' \ B'.  GPU_UNIT goes
   down to the leaves, which meet the diagonal.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

gpu_status
gpu_trsm (gpu_ctx *g, gpu_uplo uplo, gpu_mat T, gpu_mat B)
{
  const gpu_tuning tune = gpu_tune (g, T.type);
  const ptrdiff_t leaf = tune.leaf;
  if (T.n <= leaf)
    return g->be->trsm_leaf (g, uplo, T, B);
  if (B.n > 0 && B.n <= tune.few_columns
      && B.m * B.n * B.pages <= tune.few_most)
    return g->be->trsm_few (g, uplo, T, B);

  ptrdiff_t n1 = gpu_split (T.n, leaf), n2 = T.n - n1;
  gpu_mat T11 = gpu_part (T, 0, 0, n1, n1);
  gpu_mat T22 = gpu_part (T, n1, n1, n2, n2);
  gpu_mat B1 = gpu_part (B, 0, 0, n1, B.n);
  gpu_mat B2 = gpu_part (B, n1, 0, n2, B.n);

  if (!(uplo & GPU_LOWER))
    {
      gpu_mat T12 = gpu_part (T, 0, n1, n1, n2);
      /* B2 = T22 \ B2 */
      GPU_TRY (gpu_trsm (g, uplo, T22, B2));
      /* B1 = B1 - T12 * B2 */
      GPU_TRY (gpu_gemm (g, -1, T12, B2, 1, B1));
      /* B1 = T11 \ B1 */
      return gpu_trsm (g, uplo, T11, B1);
    }
  else
    {
      gpu_mat T21 = gpu_part (T, n1, 0, n2, n1);
      /* B1 = T11 \ B1 */
      GPU_TRY (gpu_trsm (g, uplo, T11, B1));
      /* B2 = B2 - T21 * B1 */
      GPU_TRY (gpu_gemm (g, -1, T21, B1, 1, B2));
      /* B2 = T22 \ B2 */
      return gpu_trsm (g, uplo, T22, B2);
    }
}
