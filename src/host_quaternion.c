/* host_quaternion.c: the passes over the planes of quaternion matrices, on the
   host, for both types (host_quaternion.inc).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>

#include "host_arrays.h"

enum
{
  PLANES = 4,
  PRODUCTS = 8
};

#define NAME(name) name##_single
#define REAL float
#include "host_quaternion.inc"
#undef NAME
#undef REAL
#define NAME(name) name##_double
#define REAL double
#include "host_quaternion.inc"

gpu_status
host_quat_sums (gpu_ctx *g, ptrdiff_t pieces, gpu_mat A, int sign_a,
                gpu_mat SA, gpu_mat B, int sign_b, gpu_mat SB, gpu_mat most)
{
  gpu_mat most_b = most;
  (void) g;
  if (most.p)
    most_b = gpu_page (most, PLANES);
  if (A.type == GPU_SINGLE)
    {
      sums_single (pieces, A, false, (float) sign_a, SA, most);
      sums_single (pieces, B, true, (float) sign_b, SB, most_b);
    }
  else
    {
      sums_double (pieces, A, false, sign_a, SA, most);
      sums_double (pieces, B, true, sign_b, SB, most_b);
    }
  return GPU_OK;
}

gpu_status
host_quat_combine (gpu_ctx *g, gpu_mat W, ptrdiff_t pieces, int sign,
                   gpu_mat C)
{
  (void) g;
  if (C.type == GPU_SINGLE)
    combine_single (W, pieces, (float) sign, C);
  else
    combine_double (W, pieces, sign, C);
  return GPU_OK;
}

gpu_status
host_quat_matrix (gpu_ctx *g, gpu_mat B, int sign_a, int sign_b, gpu_mat W)
{
  (void) g;
  if (B.type == GPU_SINGLE)
    matrix_single (B, (float) sign_a, (float) sign_b, W);
  else
    matrix_double (B, sign_a, sign_b, W);
  return GPU_OK;
}
