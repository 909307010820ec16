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
host_quat_sums (gpu_ctx *g, gpu_mat A, bool right, int sign, gpu_mat S,
                gpu_mat most)
{
  (void) g;
  if (A.type == GPU_SINGLE)
    sums_single (A, right, (float) sign, S, most);
  else
    sums_double (A, right, sign, S, most);
  return GPU_OK;
}

gpu_status
host_quat_combine (gpu_ctx *g, gpu_mat W, ptrdiff_t pieces, gpu_mat C)
{
  (void) g;
  if (C.type == GPU_SINGLE)
    combine_single (W, pieces, C);
  else
    combine_double (W, pieces, C);
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
