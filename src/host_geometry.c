/* host_geometry.c: points through homographies, inverses of rigid transforms,
   on the host, for both types (host_geometry.inc).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <float.h>
#include <math.h>

#include "host_arrays.h"

#define NAME(name) name##_single
#define REAL float
#define EPSILON FLT_EPSILON
#include "host_geometry.inc"
#undef NAME
#undef REAL
#undef EPSILON
#define NAME(name) name##_double
#define REAL double
#define EPSILON DBL_EPSILON
#include "host_geometry.inc"

gpu_status
host_project (gpu_ctx *g, gpu_mat H, gpu_mat P, gpu_mat Q)
{
  (void) g;
  if (Q.type == GPU_SINGLE)
    project_single (H, P, Q);
  else
    project_double (H, P, Q);
  return GPU_OK;
}

gpu_status
host_rigid_inverse (gpu_ctx *g, gpu_mat T, gpu_mat X, gpu_mat deviation)
{
  (void) g;
  if (T.type == GPU_SINGLE)
    rigid_inverse_single (T, X, deviation);
  else
    rigid_inverse_double (T, X, deviation);
  return GPU_OK;
}
