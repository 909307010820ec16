/* kernels.h: the launchers, callable from C.  Each works on all pages of its
   views, launches on stream S and returns the launch's status.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_KERNELS_H
#define GPULINALG_KERNELS_H 1

#include <cuda_runtime.h>

#include "gpu.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* The largest leaf that fits a block's shared memory of SHARED bytes.  */
ptrdiff_t cuda_leaf_size (gpu_type type, size_t shared);

/* cudaSuccess if this build has code for the current device.  */
cudaError_t cuda_kernels_usable (void);

/* The primitives of the same names in gpu.h.  */
cudaError_t cuda_chol_leaf (cudaStream_t s, gpu_mat A, gpu_mat info,
                            ptrdiff_t at);
cudaError_t cuda_trsm_leaf (cudaStream_t s, gpu_uplo uplo, gpu_mat T,
                            gpu_mat B);
/* WORK is TRSM_FEW_WORK bytes, which were zero before the first call and
   belong to these calls in one stream.  B has TRSM_FEW_MOST numbers at most.
 */
enum
{
  TRSM_FEW_MOST = 1 << 18,
  TRSM_FEW_WORK = TRSM_FEW_MOST * 32 + (1 << 14)
};
cudaError_t cuda_trsm_few (cudaStream_t s, gpu_uplo uplo, gpu_mat A, gpu_mat B,
                           void *work);
cudaError_t cuda_copy (cudaStream_t s, gpu_mat A, gpu_mat B);
cudaError_t cuda_zero (cudaStream_t s, gpu_mat A);
cudaError_t cuda_eye (cudaStream_t s, gpu_mat A);
cudaError_t cuda_triu (cudaStream_t s, gpu_mat A);
cudaError_t cuda_lu_panel (cudaStream_t s, gpu_mat A, gpu_mat piv,
                           gpu_mat info, ptrdiff_t at);
/* The most rows of lu_unit; how wide the panels of a cluster may be that has
   so many, W; one of them, with its moves in list (lu_moves.cuh), from column
   J of A on.  Its exchanges are done to the other columns, too, but what comes
   to the top of those on its right, before column END, goes into side, W
   apart.  */
ptrdiff_t cuda_lu_rows (gpu_type type);
ptrdiff_t cuda_lu_width (gpu_type type, ptrdiff_t rows);
cudaError_t cuda_lu_cluster (cudaStream_t s, gpu_mat A, ptrdiff_t j,
                             ptrdiff_t end, gpu_mat piv, gpu_mat info,
                             gpu_mat list, gpu_mat side, ptrdiff_t at);
cudaError_t cuda_lu_unit (cudaStream_t s, gpu_mat A, ptrdiff_t j, gpu_mat piv,
                          gpu_mat info, gpu_mat list, gpu_mat side,
                          ptrdiff_t at);
cudaError_t cuda_lu_trace (cudaStream_t s, gpu_mat piv, ptrdiff_t at,
                           gpu_mat rows);
cudaError_t cuda_lu_order (cudaStream_t s, gpu_mat piv, gpu_mat rows,
                           gpu_mat to, gpu_mat from);
cudaError_t cuda_lu_reorder (cudaStream_t s, gpu_mat A, ptrdiff_t w,
                             gpu_mat rows, gpu_mat all, gpu_mat buffer);
cudaError_t cuda_lu_inverse (cudaStream_t s, gpu_mat L, gpu_mat X);
cudaError_t cuda_lu_moves (cudaStream_t s, gpu_mat piv, ptrdiff_t at,
                           gpu_mat X, gpu_mat list);
cudaError_t cuda_lu_exchange (cudaStream_t s, gpu_mat piv, ptrdiff_t at,
                              gpu_mat A);
cudaError_t cuda_lu_divide (cudaStream_t s, gpu_mat piv, ptrdiff_t at,
                            gpu_mat L, gpu_mat A);
cudaError_t cuda_lu_solve (cudaStream_t s, gpu_mat list, gpu_mat L, gpu_mat B,
                           gpu_mat U);
cudaError_t cuda_lu_move (cudaStream_t s, gpu_mat list, gpu_mat A, gpu_mat B);
cudaError_t cuda_swap_rows (cudaStream_t s, gpu_mat piv, ptrdiff_t at,
                            bool backward, gpu_mat A);
cudaError_t cuda_det_lu (cudaStream_t s, gpu_mat LU, gpu_mat piv, gpu_mat d,
                         gpu_mat sign);
cudaError_t cuda_norm1 (cudaStream_t s, gpu_mat A, gpu_mat r);
cudaError_t cuda_structure (cudaStream_t s, gpu_mat A, gpu_mat flags);
cudaError_t cuda_mirror (cudaStream_t s, gpu_mat A);
cudaError_t cuda_finish_inv (cudaStream_t s, gpu_mat anorm, gpu_mat info,
                             gpu_mat X, gpu_mat rcond);
cudaError_t cuda_split (cudaStream_t s, bool low, gpu_mat A, gpu_mat W);
/* W (GPU_INT16) = A (GPU_SINGLE) as half-precision or bfloat16 numbers.  */
cudaError_t cuda_narrow (cudaStream_t s, bool bf16, gpu_mat A, gpu_mat W);
ptrdiff_t cuda_chol_work (void); /* double numbers */
cudaError_t cuda_chol_step (cudaStream_t s, int count, bool pairs, bool carry,
                            gpu_mat A, gpu_mat L11, gpu_mat work, gpu_mat info,
                            ptrdiff_t at);
cudaError_t cuda_chol_strip (cudaStream_t s, gpu_mat P, gpu_mat C);
cudaError_t cuda_chol_load (cudaStream_t s, gpu_mat A, gpu_mat scale,
                            ptrdiff_t band, ptrdiff_t first, ptrdiff_t last,
                            gpu_mat W);
cudaError_t cuda_chol_store (cudaStream_t s, gpu_mat W, gpu_mat L,
                             gpu_mat scale, ptrdiff_t first, ptrdiff_t last,
                             gpu_mat R);
cudaError_t cuda_split16 (cudaStream_t s, double scale, gpu_mat P, gpu_mat S);
cudaError_t cuda_quat_sums (cudaStream_t s, ptrdiff_t pieces, gpu_mat A,
                            int sign_a, gpu_mat SA, gpu_mat B, int sign_b,
                            gpu_mat SB, gpu_mat most);
cudaError_t cuda_quat_combine (cudaStream_t s, gpu_mat W, ptrdiff_t pieces,
                               int sign, gpu_mat C);
cudaError_t cuda_quat_thin (cudaStream_t s, gpu_mat A, int sign_a, gpu_mat B,
                            int sign_b, gpu_mat W, gpu_mat most, gpu_mat C);
cudaError_t cuda_quat_matrix (cudaStream_t s, gpu_mat B, int sign_a,
                              int sign_b, gpu_mat W);
cudaError_t cuda_map (cudaStream_t s, gpu_operation op, gpu_operand A,
                      gpu_operand B, gpu_mat C);
cudaError_t cuda_reduce (cudaStream_t s, gpu_reduction op, gpu_mat A, int dim,
                         gpu_mat C, gpu_mat at);
cudaError_t cuda_gather (cudaStream_t s, gpu_mat A, const gpu_index at[3],
                         gpu_mat C);
cudaError_t cuda_scatter (cudaStream_t s, gpu_operand B, gpu_mat A,
                          const gpu_index at[3]);
cudaError_t cuda_band (cudaStream_t s, gpu_mat A, ptrdiff_t lo, ptrdiff_t hi,
                       gpu_mat C);
cudaError_t cuda_random (cudaStream_t s, bool normal, uint64_t seed,
                         uint64_t at, gpu_mat A);
cudaError_t cuda_project (cudaStream_t s, gpu_mat H, gpu_mat P, gpu_mat Q);
cudaError_t cuda_rigid_inverse (cudaStream_t s, gpu_mat T, gpu_mat X,
                                gpu_mat deviation);

/* transpose.cu: B = A.' or, with CONJ, B = A', of m x n pages at A with
   columns LDA and pages STEPA apart; what cuda_copy does for views of
   different op.  A and B may be the same square storage.  */
cudaError_t cuda_transpose (cudaStream_t s, gpu_type type, bool conj,
                            const void *A, ptrdiff_t lda, ptrdiff_t stepa,
                            void *B, ptrdiff_t ldb, ptrdiff_t stepb,
                            ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages);

/* Whole small problems on packed pages, each for some range of sizes n: a
   thread a page, some lanes of a warp a page, a block a page.  A launcher that
   does not serve (type, n) returns cudaErrorNotSupported, and launches
   nothing.  */
cudaError_t cuda_inv_thread (cudaStream_t s, gpu_mat A, gpu_mat X,
                             gpu_mat rcond);
cudaError_t cuda_inv_lanes (cudaStream_t s, gpu_mat A, gpu_mat X,
                            gpu_mat rcond);
cudaError_t cuda_inv_block (cudaStream_t s, gpu_mat A, gpu_mat X,
                            gpu_mat rcond);
cudaError_t cuda_det_thread (cudaStream_t s, gpu_mat A, gpu_mat d,
                             gpu_mat sign);
cudaError_t cuda_det_lanes (cudaStream_t s, gpu_mat A, gpu_mat d,
                            gpu_mat sign);
cudaError_t cuda_det_block (cudaStream_t s, gpu_mat A, gpu_mat d,
                            gpu_mat sign);
/* By a block a page in global memory; a determinant is made in W, some packed
   pages of A's size, of which each block takes one.  The largest pages that a
   device serves whose blocks can have SHARED bytes of shared memory.  */
cudaError_t cuda_inv_wide (cudaStream_t s, gpu_mat A, gpu_mat X,
                           gpu_mat rcond);
cudaError_t cuda_det_wide (cudaStream_t s, gpu_mat A, gpu_mat W, gpu_mat d,
                           gpu_mat sign);
ptrdiff_t cuda_wide_size (gpu_type type, size_t shared);
/* By tensor cores, where this build has code for them.  */
cudaError_t cuda_mma_usable (bool *yes);
cudaError_t cuda_inv_mma (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond);
cudaError_t cuda_det_mma (cudaStream_t s, gpu_mat A, gpu_mat d, gpu_mat sign);
cudaError_t cuda_chol_block (cudaStream_t s, gpu_mat A, gpu_mat R,
                             gpu_mat info);
/* The primitive of this name.  */
cudaError_t cuda_chol_pages (cudaStream_t s, gpu_mat A, gpu_mat R,
                             gpu_mat info);

#ifdef __cplusplus
}
#endif

#endif
