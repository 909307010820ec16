/* inverse.c: X = inv (A), the cheapest way that the structure of A allows.

     T upper triangular   [T11 T12]   X11 = inv (T11), X22 = inv (T22)
                          [    T22]   X12 = -X11 * (T12 * X22)
     Hermitian            A = R' * R,       X = inv (R) * inv (R)'
     any                  P * A = L * U,    X = inv (U) / L * P

   A triangle is inverted from its diagonal outwards: all blocks there at once,
   then all pairs of neighbours, pairs of pairs and so on.  inv (U) / L is by
   halves of L's columns down to such blocks, whose inverses are multiplied by:
   nearly all is large products.

   Small pages are one primitive.  A batch goes one way: the one that suits all
   its pages.  Beside A and X there is one workspace of their size (none for a
   triangular matrix in an X of its own), and some columns.  Singular
   pages take part until finish_inv fills them with Inf.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

enum
{
  SLICES = 4,         /* of a triangle, so that few zeros are multiplied, */
  SLICED_LEAST = 1024 /* if it has so many rows */
};

/* COUNT blocks of M x N as pages, the first at (I, J), each STRIDE further
   down the diagonal.  */
static gpu_mat
along (gpu_mat A, ptrdiff_t i, ptrdiff_t j, ptrdiff_t m, ptrdiff_t n,
       ptrdiff_t stride, ptrdiff_t count)
{
  gpu_mat B = gpu_part (A, i, j, m, n);
  if (count > 1)
    {
      B.pages = count;
      B.step = stride * (A.ld + 1);
    }
  return B;
}

/* X12 = -X11 * (T12 * X22) and X21 = 0 for triangles N1 and N2 <= N1 large,
   from AT on, and COUNT - 1 such pairs that follow.  */
static gpu_status
invert_pairs (gpu_ctx *g, gpu_mat T, gpu_mat X, ptrdiff_t at, ptrdiff_t n1,
              ptrdiff_t n2, ptrdiff_t count)
{
  const ptrdiff_t to = at + n1, stride = n1 + n2;
  gpu_mat T12 = along (T, at, to, n1, n2, stride, count);
  gpu_mat X11 = along (X, at, at, n1, n1, stride, count);
  gpu_mat X12 = along (X, at, to, n1, n2, stride, count);
  gpu_mat X22 = along (X, to, to, n2, n2, stride, count);
  gpu_mat X21 = along (X, to, at, n2, n1, stride, count);
  gpu_mat W = n1 == n2 ? X21 : gpu_adjoint (X21);
  const ptrdiff_t slices = n2 < SLICED_LEAST ? 1 : SLICES;
  for (ptrdiff_t s = 0; s < slices; s++)
    {
      const ptrdiff_t j = s * n2 / slices, end = (s + 1) * n2 / slices;
      GPU_TRY (gpu_gemm (g, 1, gpu_part (T12, 0, 0, n1, end),
                         gpu_part (X22, 0, j, end, end - j), 0,
                         gpu_part (W, 0, j, n1, end - j)));
    }
  for (ptrdiff_t s = 0; s < slices; s++)
    {
      const ptrdiff_t i = s * n1 / slices, rows = (s + 1) * n1 / slices - i;
      GPU_TRY (gpu_gemm (g, -1, gpu_part (X11, i, i, rows, n1 - i),
                         gpu_part (W, i, 0, n1 - i, n2), 0,
                         gpu_part (X12, i, 0, rows, n2)));
    }
  return g->be->zero (g, X21);
}

/* X = inv (T), T upper triangular; X is zero below the diagonal.  UPLO has
   GPU_UNIT if T's diagonal counts as ones.  */
static gpu_status
trtri (gpu_ctx *g, gpu_uplo uplo, gpu_mat T, gpu_mat X)
{
  const ptrdiff_t n = T.n, leaf = gpu_tune (g, T.type).leaf;
  if (n <= leaf)
    {
      GPU_TRY (g->be->eye (g, X));
      return g->be->trsm_leaf (g, uplo, T, X);
    }
  if (T.pages > 1)
    {
      ptrdiff_t n1 = gpu_split (n, leaf), n2 = n - n1;
      GPU_TRY (trtri (g, uplo, gpu_part (T, 0, 0, n1, n1),
                      gpu_part (X, 0, 0, n1, n1)));
      GPU_TRY (trtri (g, uplo, gpu_part (T, n1, n1, n2, n2),
                      gpu_part (X, n1, n1, n2, n2)));
      return invert_pairs (g, T, X, 0, n1, n2, 1);
    }

  const ptrdiff_t full = n / leaf, tail = n % leaf;
  GPU_TRY (trtri (g, uplo, along (T, 0, 0, leaf, leaf, leaf, full),
                  along (X, 0, 0, leaf, leaf, leaf, full)));
  if (tail > 0)
    GPU_TRY (trtri (g, uplo, gpu_part (T, n - tail, n - tail, tail, tail),
                    gpu_part (X, n - tail, n - tail, tail, tail)));
  for (ptrdiff_t s = leaf; s < n; s *= 2)
    {
      const ptrdiff_t pairs = n / (2 * s), at = pairs * 2 * s;
      if (pairs > 0)
        GPU_TRY (invert_pairs (g, T, X, 0, s, s, pairs));
      if (n - at > s)
        GPU_TRY (invert_pairs (g, T, X, at, s, n - at - s, 1));
    }
  return GPU_OK;
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
  GPU_TRY (trtri (g, GPU_UPPER, R, W));
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

/* X(:,at:) = X(:,at:) / L for N columns of one large L, unit lower triangular,
   and the pieces of SIZE on its diagonal, whose inverses are in D, one below
   the other.  B has room for so many columns of X.  */
static gpu_status
divide_columns (gpu_ctx *g, gpu_mat L, gpu_mat D, ptrdiff_t size, gpu_mat X,
                gpu_mat B, ptrdiff_t at, ptrdiff_t n)
{
  const ptrdiff_t m = X.m;
  gpu_mat X1 = gpu_part (X, 0, at, m, n);
  if (n <= size)
    {
      B = gpu_part (B, 0, 0, m, n);
      GPU_TRY (g->be->copy (g, X1, B));
      return gpu_gemm (g, 1, B, gpu_part (D, at, 0, n, n), 0, X1);
    }
  const ptrdiff_t n1 = gpu_split (n, size), n2 = n - n1;
  GPU_TRY (divide_columns (g, L, D, size, X, B, at + n1, n2));
  GPU_TRY (gpu_gemm (g, -1, gpu_part (X, 0, at + n1, m, n2),
                     gpu_part (L, at + n1, at, n2, n1), 1,
                     gpu_part (X, 0, at, m, n1)));
  return divide_columns (g, L, D, size, X, B, at, n1);
}

/* X = X / L, L unit lower triangular.  */
static gpu_status
divide_right (gpu_ctx *g, gpu_mat L, gpu_mat X)
{
  const gpu_uplo unit = (gpu_uplo) (GPU_UPPER | GPU_UNIT);
  const ptrdiff_t n = L.n, size = 2 * gpu_tune (g, L.type).leaf;
  gpu_mat D, B, U = gpu_adjoint (L);
  if (L.pages > 1 || n < size)
    return gpu_trsm (g, unit, U, gpu_adjoint (X));

  const ptrdiff_t full = n / size, tail = n % size, at = n - tail;
  GPU_TRY (gpu_new (g, L.type, n, size, 1, &D));
  GPU_TRY (gpu_new (g, L.type, X.m, size, 1, &B));
  gpu_mat pieces = gpu_part (D, 0, 0, size, size);
  pieces.pages = full;
  pieces.step = size;
  GPU_TRY (trtri (g, unit, along (U, 0, 0, size, size, size, full),
                  gpu_adjoint (pieces)));
  if (tail > 0)
    GPU_TRY (trtri (g, unit, gpu_part (U, at, at, tail, tail),
                    gpu_adjoint (gpu_part (D, at, 0, tail, tail))));
  GPU_TRY (divide_columns (g, L, D, size, X, B, 0, n));
  gpu_free (g, B);
  gpu_free (g, D);
  return GPU_OK;
}

/* X = inv (A) = inv (U) / L * P; W, a copy of A, becomes L and U.  */
static gpu_status
inv_general (gpu_ctx *g, gpu_mat W, gpu_mat X, gpu_mat info)
{
  gpu_mat piv, to, from;
  GPU_TRY (gpu_new (g, GPU_INT64, W.n, 1, W.pages, &piv));
  GPU_TRY (gpu_lu (g, W, piv, info));
  GPU_TRY (trtri (g, GPU_UPPER, W, X));
  GPU_TRY (divide_right (g, W, X));
  /* X = X * P: the last exchange comes first.  */
  GPU_TRY (gpu_lu_order (g, W, piv, &to, &from));
  if (!to.p || X.op != GPU_N)
    GPU_TRY (g->be->swap_rows (g, piv, 0, true, gpu_transposed (X)));
  else
    {
      const gpu_index at[3] = { { .count = X.m, .step = 1 },
                                { .count = X.n, .list = to },
                                { .count = 1, .step = 1 } };
      GPU_TRY (g->be->gather (g, X, at, W));
      GPU_TRY (g->be->copy (g, W, X));
    }
  const gpu_mat all[] = { piv, to, from };
  for (int i = 0; i < 3; i++)
    if (all[i].p)
      gpu_free (g, all[i]);
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
    GPU_TRY (trtri (g, GPU_UPPER, W, X));
  else if (is & GPU_IS_LOWER)
    GPU_TRY (trtri (g, GPU_UPPER, gpu_adjoint (W), gpu_adjoint (X)));
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
