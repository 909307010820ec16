/* mtimes.c: C = A * B as Octave's operator, a new array: operands of any types
   and ops, pages with pages or with one matrix.

     fp32x3   A = Ah + Al, B = Bh + Bl, where Ah and Bh have the leading bits
              that tensor cores take, so that
              A * B = [Ah Ah Al] * [Bh; Bl; Bh] + Al * Bl
              and the last term is below the rounding of single precision.

   (S. Markidis et al., 2018; the sum runs inside one product.)

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

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

/* W = [Ah Ah Al] or, of the right operand, [Bh; Bl; Bh].  */
static gpu_status
split (gpu_ctx *g, gpu_mat A, bool right, gpu_mat *W)
{
  ptrdiff_t m = A.m, n = A.n;
  GPU_TRY (
    gpu_new (g, A.type, right ? 3 * m : m, right ? n : 3 * n, A.pages, W));
  for (int part = 0; part < 3; part++)
    {
      gpu_mat P
        = gpu_part (*W, right ? part * m : 0, right ? 0 : part * n, m, n);
      bool low = part == (right ? 1 : 2);
      GPU_TRY (g->be->split (g, low, A, P));
    }
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
  if (!g->be->gemm_fast)
    precision = GPU_IEEE;
  if (precision == GPU_FP32X3)
    {
      GPU_TRY (split (g, A, false, &A));
      GPU_TRY (split (g, B, true, &B));
      precision = GPU_TF32;
    }
  repeat (&A, pages);
  repeat (&B, pages);
  return precision == GPU_IEEE ? gpu_gemm (g, 1, A, B, 0, *C)
                               : g->be->gemm_fast (g, precision, A, B, *C);
}
