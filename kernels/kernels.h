/* kernels.h: the launchers, callable from C.  Each works on all pages of its
   views, launches on stream S and returns the launch's status.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_KERNELS_H
#define GPULINALG_KERNELS_H 1

#include <cuda_runtime.h>

#include "gpu.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* The largest leaf that fits a block's shared memory of SHARED bytes.  */
ptrdiff_t cuda_leaf_size (gpu_type type, size_t shared);

/* cudaSuccess if this build has code for the current device.  */
cudaError_t cuda_kernels_usable (void);

/* The primitives of the same names in gpu.h.  */
cudaError_t cuda_chol_leaf (cudaStream_t s, gpu_mat A, gpu_mat info,
                            ptrdiff_t at);
cudaError_t cuda_trsm_leaf (cudaStream_t s, gpu_uplo uplo, gpu_mat T,
                            gpu_mat B);
cudaError_t cuda_copy (cudaStream_t s, gpu_mat A, gpu_mat B);
cudaError_t cuda_zero (cudaStream_t s, gpu_mat A);
cudaError_t cuda_triu (cudaStream_t s, gpu_mat A);

#ifdef __cplusplus
}
#endif

#endif
