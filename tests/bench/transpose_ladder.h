/* transpose_ladder.h: the lower rungs of a ladder of transpositions, and what
   checks all of them: element e of A is a hash of e.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_TRANSPOSE_LADDER_H
#define GPULINALG_TRANSPOSE_LADDER_H 1

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* B = A.' of an m x n matrix with elements of SIZE bytes: without and with
   a tile of shared memory.  */
cudaError_t ladder_naive (cudaStream_t s, size_t size, const void *A, void *B,
                          ptrdiff_t m, ptrdiff_t n);
cudaError_t ladder_tile (cudaStream_t s, size_t size, const void *A, void *B,
                         ptrdiff_t m, ptrdiff_t n);

cudaError_t ladder_fill (cudaStream_t s, size_t size, void *A,
                         ptrdiff_t count);
/* *ERRORS = the elements of B, n x m x pages, that are not those of A.'  */
cudaError_t ladder_errors (cudaStream_t s, size_t size, const void *B,
                           ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages,
                           uint64_t *errors);

#ifdef __cplusplus
}
#endif

#endif
