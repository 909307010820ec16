/* mtimes.c: C = A * B as Octave's operator, a new array: operands of any types
   and ops, pages with pages or with one matrix.

     fp32x3   A = Ah + Al, B = Bh + Bl, where Ah and Bh have the leading bits
              that tensor cores take, so that
              A * B = Ah * Bh + [Al Ah] * [Bh; Bl] + Al * Bl
              and the last term is below the rounding of single precision.

   (S. Markidis et al., 2018.)  Tensor cores sum with less care than single
   precision has: the first product, which is not small, is cut into pieces of
   its inner dimension, that are summed as C.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

enum
{
  PIECE = 512 /* of the inner dimension: then as accurate as single */
};

static gpu_type
product_type (gpu_type a, gpu_type b)
{
  bool is_complex = gpu_is_complex (a) || gpu_is_complex (b);
  bool is_single = a == GPU_SINGLE || a == GPU_CSINGLE || b == GPU_SINGLE
                   || b == GPU_CSINGLE;
  return is_single ? (is_complex ? GPU_CSINGLE : GPU_SINGLE)
                   : (is_complex ? GPU_CDOUBLE : GPU_DOUBLE);
}

/* A as an operand of gemm: of TYPE, and not conjugated without being
   transposed.  */
static gpu_status
operand (gpu_ctx *g, gpu_mat *A, gpu_type type)
{
  gpu_mat X = *A;
  if (A->type != type)
    return gpu_cast (g, X, type, A);
  if (!gpu_is_complex (type) || A->op == GPU_N || A->op == GPU_C)
    return GPU_OK;
  GPU_TRY (gpu_new (g, type, X.m, X.n, X.pages, A));
  return g->be->copy (g, X, *A);
}

/* One matrix against many pages is read again for each.  */
static void
repeat (gpu_mat *A, ptrdiff_t pages)
{
  if (A->pages == 1)
    A->step = 0;
  A->pages = pages;
}

/* W = [Al Ah] or, of the right operand, [Bh; Bl].  */
static gpu_status
split (gpu_ctx *g, gpu_mat A, bool right, gpu_mat *W)
{
  ptrdiff_t m = A.m, n = A.n;
  GPU_TRY (
    gpu_new (g, A.type, right ? 2 * m : m, right ? n : 2 * n, A.pages, W));
  GPU_TRY (g->be->split (g, !right, A, gpu_part (*W, 0, 0, m, n)));
  return g->be->split (g, right, A,
                       gpu_part (*W, right ? m : 0, right ? 0 : n, m, n));
}

static gpu_status
split_product (gpu_ctx *g, gpu_mat A, gpu_mat B, gpu_mat C)
{
  gpu_mat X, Y;
  ptrdiff_t inner = A.n;
  GPU_TRY (split (g, A, false, &X));
  GPU_TRY (split (g, B, true, &Y));
  repeat (&X, C.pages);
  repeat (&Y, C.pages);
  GPU_TRY (g->be->gemm_fast (g, GPU_TF32, 1, X, Y, 0, C));
  for (ptrdiff_t k = 0; k < inner; k += PIECE)
    {
      ptrdiff_t size = inner - k < PIECE ? inner - k : PIECE;
      GPU_TRY (g->be->gemm_fast (g, GPU_TF32, 1,
                                 gpu_part (X, 0, inner + k, X.m, size),
                                 gpu_part (Y, k, 0, size, Y.n), 1, C));
    }
  gpu_free (g, X);
  gpu_free (g, Y);
  return GPU_OK;
}

gpu_status
gpu_mtimes (gpu_ctx *g, gpu_precision precision, gpu_mat A, gpu_mat B,
            gpu_mat *C)
{
  gpu_type type = product_type (A.type, B.type);
  ptrdiff_t pages = A.pages == 1 ? B.pages : A.pages;

  if (A.n != B.m || (A.pages != B.pages && A.pages != 1 && B.pages != 1))
    return gpu_fail (g, GPU_ESIZE,
                     "nonconformant arguments (op1 is %s, op2 "
                     "is %s)",
                     gpu_size_text (A).text, gpu_size_text (B).text);
  if (precision != GPU_IEEE && type != GPU_SINGLE && type != GPU_CSINGLE)
    return gpu_fail (g, GPU_EARG,
                     "a precision other than \"ieee\" is for single arrays");
  GPU_TRY (operand (g, &A, type));
  GPU_TRY (operand (g, &B, type));
  GPU_TRY (gpu_new (g, type, A.m, B.n, pages, C));
  if (A.n == 0)
    return g->be->zero (g, *C);
  if (precision == GPU_MIXED)
    return gpu_fail (g, GPU_EARG, "there is no mixed product");
  if (!g->be->gemm_fast)
    precision = GPU_IEEE;
  if (precision == GPU_FP32X3)
    return split_product (g, A, B, *C);
  repeat (&A, pages);
  repeat (&B, pages);
  return precision == GPU_IEEE
           ? gpu_gemm (g, 1, A, B, 0, *C)
           : g->be->gemm_fast (g, precision, 1, A, B, 0, *C);
}
