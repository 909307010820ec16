/* transpose_ladder.cu: B = A.' as first written, for the benchmark.

   naive: threads along the columns of A, so that a warp writes 32 columns of
   B; tile:  the usual square of shared memory with a pad of one element, read
          along columns of A and written along columns of B.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "transpose_ladder.h"

enum
{
  TILE = 32,
  ROWS = 8,
  BLOCKS = 1 << 20
};

template <class T>
__global__ void
naive_kernel (const T *A, T *B, ptrdiff_t m, ptrdiff_t n)
{
  const ptrdiff_t down = (m + TILE - 1) / TILE, across = (n + ROWS - 1) / ROWS;
  for (ptrdiff_t t = blockIdx.x; t < down * across; t += gridDim.x)
    {
      const ptrdiff_t i = t % down * TILE + threadIdx.x;
      const ptrdiff_t j = t / down * ROWS + threadIdx.y;
      if (i < m && j < n)
        B[j + i * n] = A[i + j * m];
    }
}

template <class T>
__global__ void
tile_kernel (const T *A, T *B, ptrdiff_t m, ptrdiff_t n)
{
  __shared__ T tile[TILE][TILE + 1];
  const ptrdiff_t down = (m + TILE - 1) / TILE, across = (n + TILE - 1) / TILE;
  for (ptrdiff_t t = blockIdx.x; t < down * across; t += gridDim.x)
    {
      const ptrdiff_t i0 = t % down * TILE, j0 = t / down * TILE;
      for (int y = threadIdx.y; y < TILE; y += ROWS)
        if (i0 + threadIdx.x < m && j0 + y < n)
          tile[y][threadIdx.x] = A[i0 + threadIdx.x + (j0 + y) * m];
      __syncthreads ();
      for (int y = threadIdx.y; y < TILE; y += ROWS)
        if (i0 + y < m && j0 + threadIdx.x < n)
          B[j0 + threadIdx.x + (i0 + y) * n] = tile[threadIdx.x][y];
      __syncthreads ();
    }
}

__device__ static uint64_t
hash (uint64_t e)
{
  e = (e ^ e >> 30) * 0xbf58476d1ce4e5b9u;
  e = (e ^ e >> 27) * 0x94d049bb133111ebu;
  return e ^ e >> 31;
}

template <class T>
__device__ T
element (ptrdiff_t e)
{
  return (T) hash ((uint64_t) e + 1);
}
template <>
__device__ ulonglong2
element (ptrdiff_t e)
{
  return make_ulonglong2 (hash ((uint64_t) e + 1), (uint64_t) e);
}

template <class T>
__device__ bool
differ (T a, T b)
{
  return a != b;
}
__device__ static bool
differ (ulonglong2 a, ulonglong2 b)
{
  return a.x != b.x || a.y != b.y;
}

template <class T>
__global__ void
fill_kernel (T *A, ptrdiff_t count)
{
  const ptrdiff_t step = (ptrdiff_t) gridDim.x * blockDim.x;
  for (ptrdiff_t e = blockIdx.x * (ptrdiff_t) blockDim.x + threadIdx.x;
       e < count; e += step)
    A[e] = element<T> (e);
}

template <class T>
__global__ void
errors_kernel (const T *B, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages,
               unsigned long long *errors)
{
  const ptrdiff_t step = (ptrdiff_t) gridDim.x * blockDim.x;
  unsigned long long bad = 0;
  for (ptrdiff_t e = blockIdx.x * (ptrdiff_t) blockDim.x + threadIdx.x;
       e < m * n * pages; e += step)
    {
      const ptrdiff_t page = e / (m * n), r = e % (m * n);
      bad += differ (B[e], element<T> (page * m * n + r / n + r % n * m));
    }
  if (bad)
    atomicAdd (errors, bad);
}

/* CALL with T the word of SIZE bytes.  */
#define FOR_SIZE(size, ...)                                                   \
  switch (size)                                                               \
    {                                                                         \
    case 1:                                                                   \
      {                                                                       \
        using T = unsigned char;                                              \
        __VA_ARGS__;                                                          \
        break;                                                                \
      }                                                                       \
    case 4:                                                                   \
      {                                                                       \
        using T = unsigned;                                                   \
        __VA_ARGS__;                                                          \
        break;                                                                \
      }                                                                       \
    case 8:                                                                   \
      {                                                                       \
        using T = unsigned long long;                                         \
        __VA_ARGS__;                                                          \
        break;                                                                \
      }                                                                       \
    case 16:                                                                  \
      {                                                                       \
        using T = ulonglong2;                                                 \
        __VA_ARGS__;                                                          \
        break;                                                                \
      }                                                                       \
    default:                                                                  \
      return cudaErrorInvalidValue;                                           \
    }

static unsigned
blocks (ptrdiff_t m, ptrdiff_t n, int rows)
{
  const ptrdiff_t all = ((m + TILE - 1) / TILE) * ((n + rows - 1) / rows);
  return (unsigned) (all < BLOCKS ? all : BLOCKS);
}

cudaError_t
ladder_naive (cudaStream_t s, size_t size, const void *A, void *B, ptrdiff_t m,
              ptrdiff_t n)
{
  FOR_SIZE (size,
            naive_kernel<<<blocks (m, n, ROWS), dim3 (TILE, ROWS), 0, s>>> (
              (const T *) A, (T *) B, m, n));
  return cudaGetLastError ();
}

cudaError_t
ladder_tile (cudaStream_t s, size_t size, const void *A, void *B, ptrdiff_t m,
             ptrdiff_t n)
{
  FOR_SIZE (size,
            tile_kernel<<<blocks (m, n, TILE), dim3 (TILE, ROWS), 0, s>>> (
              (const T *) A, (T *) B, m, n));
  return cudaGetLastError ();
}

cudaError_t
ladder_fill (cudaStream_t s, size_t size, void *A, ptrdiff_t count)
{
  FOR_SIZE (size, fill_kernel<<<4096, 256, 0, s>>> ((T *) A, count));
  return cudaGetLastError ();
}

cudaError_t
ladder_errors (cudaStream_t s, size_t size, const void *B, ptrdiff_t m,
               ptrdiff_t n, ptrdiff_t pages, uint64_t *errors)
{
  unsigned long long *bad;
  cudaError_t status = cudaMalloc (&bad, sizeof *bad);
  if (status != cudaSuccess)
    return status;
  cudaMemsetAsync (bad, 0, sizeof *bad, s);
  FOR_SIZE (size, errors_kernel<<<4096, 256, 0, s>>> ((const T *) B, m, n,
                                                      pages, bad));
  unsigned long long count = 0;
  cudaMemcpyAsync (&count, bad, sizeof count, cudaMemcpyDeviceToHost, s);
  status = cudaStreamSynchronize (s);
  cudaFree (bad);
  *errors = count;
  return status;
}
