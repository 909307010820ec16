/* reduce.c: C = op (A, dim) for sums, products, extremes, any and all.

   The types are Octave's: what is added or multiplied is double if it was
   logical, a sum of squares is real, and an extreme is of A's type.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

static gpu_type
type_of_result (gpu_reduction op, gpu_type type)
{
  if (op == GPU_ANY || op == GPU_ALL)
    return GPU_LOGICAL;
  if (op == GPU_MOST || op == GPU_LEAST)
    return type;
  if (op == GPU_SUMSQ)
    type = gpu_real_type (type);
  return type == GPU_LOGICAL ? GPU_DOUBLE : type;
}

gpu_status
gpu_reduce (gpu_ctx *g, gpu_reduction op, gpu_mat A, int dim, gpu_mat *C,
            gpu_mat *at)
{
  ptrdiff_t size[] = { A.m, A.n, A.pages };
  bool extreme = op == GPU_MOST || op == GPU_LEAST;
  gpu_mat none = { 0 };
  if (dim < 1 || dim > 3)
    return gpu_fail (g, GPU_EARG, "DIM must be 1, 2 or 3, but is %d", dim);
  if (A.type > GPU_CDOUBLE && A.type != GPU_LOGICAL)
    return gpu_fail (g, GPU_ENOTSUP, "integers cannot be reduced");
  if (at && !extreme)
    return gpu_fail (g, GPU_EARG, "only an extreme has a place");
  if (size[dim - 1] > 0 || !extreme)
    size[dim - 1] = 1;
  GPU_TRY (
    gpu_new (g, type_of_result (op, A.type), size[0], size[1], size[2], C));
  if (at)
    GPU_TRY (gpu_new (g, GPU_INT64, size[0], size[1], size[2], at));
  if (size[0] == 0 || size[1] == 0 || size[2] == 0)
    return GPU_OK;
  return g->be->reduce (g, op, A, dim, *C, at ? *at : none);
}
