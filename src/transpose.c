/* transpose.c: B = A for views of any op and type, so that B = A.' and B = A'
   are copies of gpu_transposed (A) and gpu_adjoint (A).

   A vector's elements lie in the same order before and after: its storage is
   read as if it were turned round, and nothing has to be.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

/* The same view of the same storage, now n x m, if it is a vector without
   gaps; else A.  */
static gpu_mat
turn_vector (gpu_mat A)
{
  ptrdiff_t m = A.op & GPU_T ? A.n : A.m, n = A.op & GPU_T ? A.m : A.n;
  if (n == 1 || (m == 1 && A.ld == 1))
    {
      A.ld = n;
      A.op = (gpu_op) (A.op ^ GPU_T);
    }
  return A;
}

gpu_status
gpu_transpose (gpu_ctx *g, gpu_mat A, gpu_mat B)
{
  if (A.m != B.m || A.n != B.n || A.pages != B.pages)
    return gpu_fail (g, GPU_EARG,
                     "a transposition gives %td x %td x %td elements, but its "
                     "result has %td x %td x %td",
                     A.m, A.n, A.pages, B.m, B.n, B.pages);
  if (A.type != B.type)
    return gpu_fail (g, GPU_EARG,
                     "a transposition keeps the type, but its result has "
                     "another");
  if ((A.op ^ B.op) & GPU_T)
    B = turn_vector (B);
  if (A.p == B.p && A.m != A.n && (A.op ^ B.op) & GPU_T)
    return gpu_fail (g, GPU_EARG,
                     "a transposition in place needs a square matrix, but it "
                     "is %td x %td",
                     A.m, A.n);
  return g->be->copy (g, A, B);
}
