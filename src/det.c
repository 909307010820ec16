/* det.c: det (A) = det (P') * prod (diag (U)) from P * A = L * U.

   Small pages are factored and multiplied out by one primitive; others by
   gpu_lu in a copy, the only workspace.  The product is kept as a mantissa and
   an exponent, so that nothing over- or underflows on the way.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

gpu_status
gpu_det (gpu_ctx *g, gpu_mat A, gpu_mat d, gpu_mat sign)
{
  bool small = A.n <= gpu_tune (g, A.type).pages;
  gpu_mat LU, piv, info;
  if (A.m != A.n)
    return gpu_fail (g, GPU_EARG, "A must be a square matrix");
  if (small && A.op == GPU_N && gpu_is_packed (A))
    return g->be->det_pages (g, A, d, sign);

  GPU_TRY (gpu_new (g, A.type, A.n, A.n, A.pages, &LU));
  GPU_TRY (g->be->copy (g, A, LU));
  if (small)
    GPU_TRY (g->be->det_pages (g, LU, d, sign));
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
