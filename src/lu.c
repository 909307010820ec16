/* lu.c: P * A = L * U, the recursive factorization with partial pivoting.

     [A11 A12]   [A11; A21] = P1' * [L11; L21] * U11
     [A21 A22]   [A12; A22] = P1 * [A12; A22]
                 A12 = L11 \ A12
                 A22 = A22 - L21 * A12 = P2' * L22 * U22
                 L21 = P2 * L21

   by halves of the columns at multiples of the panel (S. Toledo, 1997).  L, U
   and the pivots overwrite A and piv as in LAPACK.  Nothing waits for a
   device: the first pivot that is zero is noted in info by the panel that met
   it, and the factorization goes on.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

enum
{
  BLOCK = 512 /* exchanges that lu_order takes together; fewer are soon done
                 one by one */
};

gpu_status
gpu_lu_halves (gpu_ctx *g, gpu_mat A, gpu_mat piv, gpu_mat info, ptrdiff_t at)
{
  ptrdiff_t panel = gpu_tune (g, A.type).panel;
  if (A.m == 0 || A.n == 0)
    return GPU_OK;
  if (A.n <= A.m && A.n <= panel)
    return g->be->lu_panel (g, A, piv, info, at);

  /* Columns beyond the last row have no pivots: A22 is empty then.  */
  ptrdiff_t n1 = A.n > A.m ? A.m : gpu_split (A.n, panel);
  ptrdiff_t n2 = A.n - n1, m2 = A.m - n1;
  gpu_mat A1 = gpu_part (A, 0, 0, A.m, n1);
  gpu_mat A2 = gpu_part (A, 0, n1, A.m, n2);
  gpu_mat A11 = gpu_part (A, 0, 0, n1, n1);
  gpu_mat A12 = gpu_part (A, 0, n1, n1, n2);
  gpu_mat A21 = gpu_part (A, n1, 0, m2, n1);
  gpu_mat A22 = gpu_part (A, n1, n1, m2, n2);
  gpu_mat piv1 = gpu_part (piv, 0, 0, n1, 1);
  gpu_mat piv2 = gpu_part (piv, n1, 0, piv.m - n1, 1);

  /* A1 = lu (A1) */
  GPU_TRY (gpu_lu_halves (g, A1, piv1, info, at));
  /* A2 = P1 * A2 */
  GPU_TRY (g->be->swap_rows (g, piv1, at, false, A2));
  /* A12 = L11 \ A12 */
  GPU_TRY (gpu_trsm (g, (gpu_uplo) (GPU_LOWER | GPU_UNIT), A11, A12));
  if (m2 == 0)
    return GPU_OK;
  /* A22 = A22 - L21 * A12 */
  GPU_TRY (gpu_gemm (g, -1, A21, A12, 1, A22));
  /* A22 = lu (A22) */
  GPU_TRY (gpu_lu_halves (g, A22, piv2, info, at + n1));
  /* L21 = P2 * L21 */
  return g->be->swap_rows (g, piv2, at + n1, false, A21);
}

gpu_status
gpu_lu (gpu_ctx *g, gpu_mat A, gpu_mat piv, gpu_mat info)
{
  return gpu_lu_fast (g, GPU_IEEE, A, piv, info);
}

gpu_status
gpu_lu_fast (gpu_ctx *g, gpu_precision precision, gpu_mat A, gpu_mat piv,
             gpu_mat info)
{
  if (A.op != GPU_N)
    return gpu_fail (g, GPU_ENOTSUP, "LU of a transposed view");
  GPU_TRY (g->be->zero (g, info));
  return A.pages == 1 && piv.m >= gpu_tune (g, A.type).lu_ahead
           ? gpu_lu_ahead (g, precision, A, piv, info)
           : gpu_lu_halves (g, A, piv, info, 0);
}

gpu_status
gpu_lu_factors (gpu_ctx *g, gpu_mat LU, gpu_mat piv, bool permuted, gpu_mat L,
                gpu_mat U)
{
  const ptrdiff_t k = piv.m;
  const gpu_index at[3] = { { .count = 1 },
                            { .count = k, .step = 1 },
                            { .count = L.pages, .step = 1 } };
  GPU_TRY (g->be->band (g, gpu_part (LU, 0, 0, LU.m, k), -LU.m, -1, L));
  GPU_TRY (
    g->be->scatter (g, gpu_number (L.type, 1, 0), gpu_diagonal (L), at));
  GPU_TRY (g->be->band (g, gpu_part (LU, 0, 0, k, LU.n), 0, LU.n, U));
  /* P' undoes the exchanges: the last comes first.  */
  return permuted ? g->be->swap_rows (g, piv, 0, true, L) : GPU_OK;
}

gpu_status
gpu_lu_order (gpu_ctx *g, gpu_mat LU, gpu_mat piv, gpu_mat *to, gpu_mat *from)
{
  const ptrdiff_t n = LU.n, blocks = (n + BLOCK - 1) / BLOCK;
  gpu_mat rows;
  *to = *from = (gpu_mat){ 0 };
  if (LU.pages > 1 || n < BLOCK
      || gpu_tune (g, LU.type).lu_ahead == PTRDIFF_MAX)
    return GPU_OK;
  GPU_TRY (gpu_new (g, GPU_INT32, n, blocks, 1, &rows));
  GPU_TRY (gpu_new (g, GPU_INT64, n, 1, 1, to));
  GPU_TRY (gpu_new (g, GPU_INT64, n, 1, 1, from));
  GPU_TRY (g->be->lu_order (g, piv, rows, *to, *from));
  gpu_free (g, rows);
  return GPU_OK;
}
