/* gemm.c: C = alpha * A * B + beta * C for views of any op.

   BLAS writes its result as it stands, so a C that is itself read transposed
   turns the whole equation: C' = alpha * B' * A' + beta * C'.  BLAS has no
   operand that is conjugated and not transposed.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

gpu_status
gpu_gemm (gpu_ctx *g, double alpha, gpu_mat A, gpu_mat B, double beta,
          gpu_mat C)
{
  if (A.m != C.m || B.n != C.n || A.n != B.m)
    return gpu_fail (g, GPU_EARG,
                     "nonconformant product (%td x %td times %td x %td)", A.m,
                     A.n, B.m, B.n);
  if (C.op != GPU_N)
    {
      gpu_mat X = A;
      bool adjoint = C.op == GPU_C;
      A = adjoint ? gpu_adjoint (B) : gpu_transposed (B);
      B = adjoint ? gpu_adjoint (X) : gpu_transposed (X);
      C = adjoint ? gpu_adjoint (C) : gpu_transposed (C);
    }
  if (A.op == (GPU_C ^ GPU_T) || B.op == (GPU_C ^ GPU_T))
    return gpu_fail (g, GPU_ENOTSUP,
                     "a product of a conjugated, untransposed matrix");
  return g->be->gemm (g, alpha, A, B, beta, C);
}
