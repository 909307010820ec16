/* cuda_transfer.h: what cuda.c wants of cuda_transfer.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_CUDA_TRANSFER_H
#define GPULINALG_CUDA_TRANSFER_H 1

#include <cuda_runtime.h>

#include "gpu.h"

typedef struct transfer_pool transfer_pool;

/* The part of each page that moves.  */
typedef enum
{
  MOVE_ALL,
  MOVE_UPPER,
  MOVE_LOWER
} transfer_part;

/* NULL if there is no memory or no thread for it: plain copies do the same,
   slower.  Opens in some milliseconds, at the first large array.  */
transfer_pool *transfer_open (int device);
void transfer_close (transfer_pool *pool);

/* Whether so many bytes are worth it.  */
bool transfer_serves (size_t bytes, bool up);

/* Between X, a view of host memory, and PART of the pages of A, a view of the
   same size and type, behind all that STREAM has to do now.  It goes on while
   the caller does other things; moves begin in their order.  */
typedef struct transfer_job transfer_job;
cudaError_t transfer_start (transfer_pool *pool, cudaStream_t stream,
                            gpu_mat A, gpu_mat X, transfer_part part, bool up,
                            transfer_job **job);
/* When it returns, X has been read, or is written, and what STREAM gets to do
   from now on finds A there.  */
cudaError_t transfer_wait (transfer_pool *pool, cudaStream_t stream,
                           transfer_job *job);

#endif
