/* random.c: rand and randn.

   The context counts the numbers it has drawn: the next array continues the
   sequence where the last one ended, whatever the sizes and types.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

gpu_status
gpu_random (gpu_ctx *g, bool normal, gpu_type type, ptrdiff_t m, ptrdiff_t n,
            ptrdiff_t pages, gpu_mat *A)
{
  if (type != GPU_SINGLE && type != GPU_DOUBLE)
    return gpu_fail (g, GPU_ENOTSUP,
                     "random numbers are single or double, and real");
  GPU_TRY (gpu_new (g, type, m, n, pages, A));
  GPU_TRY (g->be->random (g, normal, g->seed, g->drawn, *A));
  g->drawn += (uint64_t) (m * n * pages);
  return GPU_OK;
}
