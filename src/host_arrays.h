/* host_arrays.h: primitives of the host that need no BLAS; host_map.c has map,
   host_quaternion.c those of quaternions, host_geometry.c those of points and
   transforms, host_arrays.c the others.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_HOST_ARRAYS_H
#define GPULINALG_HOST_ARRAYS_H 1

#include "gpu.h"

gpu_status host_map (gpu_ctx *g, gpu_operation op, gpu_operand A,
                     gpu_operand B, gpu_mat C);
gpu_status host_reduce (gpu_ctx *g, gpu_reduction op, gpu_mat A, int dim,
                        gpu_mat C, gpu_mat at);
gpu_status host_gather (gpu_ctx *g, gpu_mat A, const gpu_index at[3],
                        gpu_mat C);
gpu_status host_scatter (gpu_ctx *g, gpu_operand B, gpu_mat A,
                         const gpu_index at[3]);
gpu_status host_band (gpu_ctx *g, gpu_mat A, ptrdiff_t lo, ptrdiff_t hi,
                      gpu_mat C);
gpu_status host_random (gpu_ctx *g, bool normal, uint64_t seed, uint64_t at,
                        gpu_mat A);
gpu_status host_quat_sums (gpu_ctx *g, ptrdiff_t pieces, gpu_mat A, int sign_a,
                           gpu_mat SA, gpu_mat B, int sign_b, gpu_mat SB,
                           gpu_mat most);
gpu_status host_quat_combine (gpu_ctx *g, gpu_mat W, ptrdiff_t pieces,
                              int sign, gpu_mat C);
gpu_status host_quat_matrix (gpu_ctx *g, gpu_mat B, int sign_a, int sign_b,
                             gpu_mat W);
gpu_status host_project (gpu_ctx *g, gpu_mat H, gpu_mat P, gpu_mat Q);
gpu_status host_rigid_inverse (gpu_ctx *g, gpu_mat T, gpu_mat X,
                               gpu_mat deviation);

#endif
