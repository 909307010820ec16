/* inverse.c: X = inv (A), the cheapest way that the structure of A allows.

     T upper triangular   [T11 T12]   X11 = inv (T11), X22 = inv (T22)
                          [    T22]   X12 = -T11 \ (T12 * X22)
     Hermitian            A = R' * R,       X = inv (R) * inv (R)'
     any                  P * A = L * U,    X = inv (U) / L * P

   Small pages are one primitive.  A batch goes one way: the one that suits all
   its pages.  Beside A and X there is one workspace of their size (none for a
   triangular matrix in an X of its own), and some numbers a page.  Singular
   pages take part until finish_inv fills them with Inf.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

/* X = inv (T), T upper triangular; X is zero below the diagonal.  */
static gpu_status
trtri (gpu_ctx *g, gpu_mat T, gpu_mat X)
{
  ptrdiff_t leaf = gpu_tune (g, T.type).leaf;
  if (T.n <= leaf)
    {
      GPU_TRY (g->be->eye (g, X));
      return g->be->trsm_leaf (g, GPU_UPPER, T, X);
    }

  ptrdiff_t n1 = gpu_split (T.n, leaf), n2 = T.n - n1;
  gpu_mat T11 = gpu_part (T, 0, 0, n1, n1), X11 = gpu_part (X, 0, 0, n1, n1);
  gpu_mat T12 = gpu_part (T, 0, n1, n1, n2);
  gpu_mat X12 = gpu_part (X, 0, n1, n1, n2);
  gpu_mat T22 = gpu_part (T, n1, n1, n2, n2);
  gpu_mat X22 = gpu_part (X, n1, n1, n2, n2);

  /* X11 = inv (T11), X22 = inv (T22), X21 = 0 */
  GPU_TRY (trtri (g, T11, X11));
  GPU_TRY (trtri (g, T22, X22));
  GPU_TRY (g->be->zero (g, gpu_part (X, n1, 0, n2, n1)));
  /* X12 = -T11 \ (T12 * X22) */
  GPU_TRY (gpu_gemm (g, -1, T12, X22, 0, X12));
  return gpu_trsm (g, GPU_UPPER, T11, X12);
}

/* triu (X) = Y * Y', Y upper triangular.  */
static gpu_status
lauum (gpu_ctx *g, gpu_mat Y, gpu_mat X)
{
  ptrdiff_t leaf = gpu_tune (g, Y.type).leaf;
  if (Y.n <= leaf)
    {
      GPU_TRY (g->be->zero (g, X));
      return g->be->syrk_leaf (g, 1, gpu_adjoint (Y), X);
    }

  ptrdiff_t n1 = gpu_split (Y.n, leaf), n2 = Y.n - n1;
  gpu_mat Y11 = gpu_part (Y, 0, 0, n1, n1), X11 = gpu_part (X, 0, 0, n1, n1);
  gpu_mat Y12 = gpu_part (Y, 0, n1, n1, n2);
  gpu_mat X12 = gpu_part (X, 0, n1, n1, n2);
  gpu_mat Y22 = gpu_part (Y, n1, n1, n2, n2);
  gpu_mat X22 = gpu_part (X, n1, n1, n2, n2);

  /* X11 = Y11 * Y11' + Y12 * Y12' */
  GPU_TRY (lauum (g, Y11, X11));
  GPU_TRY (gpu_syrk (g, 1, gpu_adjoint (Y12), X11));
  /* X12 = Y12 * Y22' */
  GPU_TRY (gpu_gemm (g, 1, Y12, gpu_adjoint (Y22), 0, X12));
  /* X22 = Y22 * Y22' */
  return lauum (g, Y22, X22);
}

/* X = inv (R' * R) = inv (R) * inv (R)'; W becomes inv (R).  */
static gpu_status
invert_factor (gpu_ctx *g, gpu_mat R, gpu_mat W, gpu_mat X)
{
  GPU_TRY (trtri (g, R, W));
  GPU_TRY (lauum (g, W, X));
  return g->be->mirror (g, X);
}

gpu_status
gpu_chol2inv (gpu_ctx *g, gpu_mat R, gpu_mat X)
{
  gpu_mat W;
  if (R.m != R.n)
    return gpu_fail (g, GPU_EARG, "R must be a square matrix");
  GPU_TRY (gpu_new (g, R.type, R.n, R.n, R.pages, &W));
  GPU_TRY (invert_factor (g, R, W, X));
  gpu_free (g, W);
  return GPU_OK;
}

gpu_status
gpu_cholinv (gpu_ctx *g, gpu_mat A, gpu_mat X, gpu_mat info)
{
  GPU_TRY (gpu_chol (g, GPU_FP32X3, A, X, info));
  return gpu_chol2inv (g, X, X);
}

/* X = inv (A) of Hermitian pages, W a copy of A.  Unless all are positive
   definite, failed is not zero and W as it was.  */
static gpu_status
inv_hermitian (gpu_ctx *g, gpu_mat W, gpu_mat X, gpu_mat info, int64_t *failed)
{
  int64_t all;
  GPU_TRY (g->be->copy (g, W, X));
  GPU_TRY (gpu_chol (g, GPU_FP32X3, X, X, info));
  GPU_TRY (gpu_bits (g, info, &all, failed));
  if (*failed)
    return GPU_OK;
  return invert_factor (g, X, W, X);
}

/* X = inv (A) = inv (U) / L * P; W, a copy of A, becomes L and U.  */
static gpu_status
inv_general (gpu_ctx *g, gpu_mat W, gpu_mat X, gpu_mat info)
{
  gpu_mat piv;
  GPU_TRY (gpu_new (g, GPU_INT64, W.n, 1, W.pages, &piv));
  GPU_TRY (gpu_lu (g, W, piv, info));
  /* X = inv (U) */
  GPU_TRY (trtri (g, W, X));
  /* X' = L' \ X' */
  GPU_TRY (gpu_trsm (g, (gpu_uplo) (GPU_UPPER | GPU_UNIT), gpu_adjoint (W),
                     gpu_adjoint (X)));
  /* X = X * P: the last exchange comes first.  */
  GPU_TRY (g->be->swap_rows (g, piv, 0, true, gpu_transposed (X)));
  gpu_free (g, piv);
  return GPU_OK;
}

/* X = inv (A) by the structure of A; info as gpu_lu leaves it.  */
static gpu_status
inv_large (gpu_ctx *g, gpu_mat A, gpu_mat X, gpu_mat info)
{
  int64_t is, any, failed = 1;
  gpu_mat W = A;
  GPU_TRY (g->be->structure (g, A, info));
  GPU_TRY (gpu_bits (g, info, &is, &any));
  GPU_TRY (g->be->zero (g, info));

  bool triangular = is & (GPU_IS_UPPER | GPU_IS_LOWER);
  if (!triangular || X.p == A.p)
    {
      GPU_TRY (gpu_new (g, A.type, A.n, A.n, A.pages, &W));
      GPU_TRY (g->be->copy (g, A, W));
    }
  if (is & GPU_IS_UPPER)
    GPU_TRY (trtri (g, W, X));
  else if (is & GPU_IS_LOWER)
    GPU_TRY (trtri (g, gpu_adjoint (W), gpu_adjoint (X)));
  else
    {
      if (is & GPU_IS_HERMITIAN)
        GPU_TRY (inv_hermitian (g, W, X, info, &failed));
      if (failed)
        GPU_TRY (inv_general (g, W, X, info));
    }
  if (W.p != A.p)
    gpu_free (g, W);
  return GPU_OK;
}

gpu_status
gpu_inv (gpu_ctx *g, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  if (A.m != A.n)
    return gpu_fail (g, GPU_EARG, "A must be a square matrix");
  if (gpu_is_small (g, A))
    {
      gpu_mat W;
      if (A.op == GPU_N && X.op == GPU_N && gpu_is_packed (A)
          && gpu_is_packed (X))
        return g->be->inv_pages (g, A, X, rcond);
      GPU_TRY (gpu_new (g, A.type, A.n, A.n, A.pages, &W));
      GPU_TRY (g->be->copy (g, A, W));
      GPU_TRY (g->be->inv_pages (g, W, W, rcond));
      GPU_TRY (g->be->copy (g, W, X));
      gpu_free (g, W);
      return GPU_OK;
    }

  gpu_mat anorm, info, r = rcond;
  gpu_type real = gpu_real_type (A.type);
  if (!rcond.p)
    GPU_TRY (gpu_new (g, real, 1, 1, A.pages, &r));
  GPU_TRY (gpu_new (g, real, 1, 1, A.pages, &anorm));
  GPU_TRY (gpu_new (g, GPU_INT64, 1, 1, A.pages, &info));
  GPU_TRY (g->be->norm1 (g, A, anorm));
  GPU_TRY (inv_large (g, A, X, info));
  GPU_TRY (g->be->norm1 (g, X, r));
  GPU_TRY (g->be->finish_inv (g, anorm, info, X, r));
  gpu_free (g, info);
  gpu_free (g, anorm);
  if (!rcond.p)
    gpu_free (g, r);
  return GPU_OK;
}
