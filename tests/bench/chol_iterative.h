/* chol_iterative.h: the comparison's factorization; as gpu_chol otherwise.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_CHOL_ITERATIVE_H
#define GPULINALG_CHOL_ITERATIVE_H 1

#include "gpu.h"

gpu_status chol_iterative (gpu_ctx *g, gpu_mat A, gpu_mat info);

#endif
