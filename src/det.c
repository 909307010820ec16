/* det.c: det (A) = det (P') * prod (diag (U)) from P * A = L * U.

   Small pages are factored and multiplied out by one primitive, the larger of
   them in some pages of workspace; others by gpu_lu in a copy.  The product is
   kept as a mantissa and an exponent, so that nothing over- or underflows on
   the way.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

enum
{
  SCRATCH = 512 /* pages that a device works on at a time */
};

/* By one primitive, in a workspace if it needs one.  */
static gpu_status
det_small (gpu_ctx *g, gpu_mat A, gpu_mat d, gpu_mat sign)
{
  gpu_mat W = { 0 };
  ptrdiff_t pages = A.pages < SCRATCH ? A.pages : SCRATCH;
  if (A.n > gpu_tune (g, A.type).pages)
    GPU_TRY (gpu_new (g, A.type, A.n, A.n, pages, &W));
  GPU_TRY (g->be->det_pages (g, A, W, d, sign));
  if (W.p)
    gpu_free (g, W);
  return GPU_OK;
}

gpu_status
gpu_det (gpu_ctx *g, gpu_mat A, gpu_mat d, gpu_mat sign)
{
  bool small = gpu_is_small (g, A);
  gpu_mat LU, piv, info;
  if (A.m != A.n)
    return gpu_fail (g, GPU_EARG, "A must be a square matrix");
  if (small && A.op == GPU_N && gpu_is_packed (A))
    return det_small (g, A, d, sign);

  GPU_TRY (gpu_new (g, A.type, A.n, A.n, A.pages, &LU));
  GPU_TRY (g->be->copy (g, A, LU));
  if (small)
    GPU_TRY (det_small (g, LU, d, sign));
  else
    {
      GPU_TRY (gpu_new (g, GPU_INT64, A.n, 1, A.pages, &piv));
      GPU_TRY (gpu_new (g, GPU_INT64, 1, 1, A.pages, &info));
      GPU_TRY (gpu_lu (g, LU, piv, info));
      GPU_TRY (g->be->det_lu (g, LU, piv, d, sign));
      gpu_free (g, info);
      gpu_free (g, piv);
    }
  gpu_free (g, LU);
  return GPU_OK;
}
