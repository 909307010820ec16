/* geometry.c: points through homographies, and inverses of rigid transforms,
   3 x 3 and 4 x 4 matrices by the page.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

/* Every argument of PART is a dense real array of TYPE.  */
static gpu_status
check_array (gpu_ctx *g, const char *part, gpu_mat A, gpu_type type)
{
  if (A.type == type && !gpu_is_complex (type) && A.op == GPU_N
      && gpu_is_dense (A))
    return GPU_OK;
  return gpu_fail (g, GPU_EARG,
                   "%s must be a dense real array of one class with the "
                   "others",
                   part);
}

gpu_status
gpu_homography (gpu_ctx *g, gpu_mat H, gpu_mat P, bool back, gpu_mat Q,
                gpu_mat rcond)
{
  const ptrdiff_t pages = H.pages == 1 ? P.pages : H.pages;
  if (H.m != 3 || H.n != 3 || P.m != 2 || (P.pages != pages && P.pages != 1))
    return gpu_fail (g, GPU_EARG,
                     "a homography is 3x3 and points are 2xN, as many pages "
                     "of both or one, but they are %s and %s",
                     gpu_size_text (H).text, gpu_size_text (P).text);
  if (Q.m != 2 || Q.n != P.n || Q.pages != pages)
    return gpu_fail (g, GPU_EARG, "the result must be 2x%tdx%td, but is %s",
                     P.n, pages, gpu_size_text (Q).text);
  GPU_TRY (check_array (g, "H", H, P.type));
  GPU_TRY (check_array (g, "P", P, P.type));
  GPU_TRY (check_array (g, "the result", Q, P.type));
  if (!back)
    return g->be->project (g, H, P, Q);
  gpu_mat X;
  GPU_TRY (gpu_new (g, H.type, 3, 3, H.pages, &X));
  GPU_TRY (gpu_inv (g, H, X, rcond));
  GPU_TRY (g->be->project (g, X, P, Q));
  gpu_free (g, X);
  return GPU_OK;
}

gpu_status
gpu_rigidinv (gpu_ctx *g, gpu_mat T, gpu_mat X, gpu_mat deviation)
{
  if ((T.m != 3 && T.m != 4) || T.n != 4)
    return gpu_fail (g, GPU_EARG,
                     "a rigid transform is 3x4 or 4x4, but this is %s",
                     gpu_size_text (T).text);
  if (X.m != T.m || X.n != 4 || X.pages != T.pages
      || deviation.pages != T.pages)
    return gpu_fail (g, GPU_EARG, "the results do not fit %s",
                     gpu_size_text (T).text);
  GPU_TRY (check_array (g, "T", T, T.type));
  GPU_TRY (check_array (g, "the inverse", X, T.type));
  GPU_TRY (check_array (g, "the deviation", deviation, T.type));
  return g->be->rigid_inverse (g, T, X, deviation);
}
