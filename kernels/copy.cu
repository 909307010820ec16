/* copy.cu: B = A for views of any op, A(:) = 0 and A = triu (A).

   A transposing copy goes through a square tile of shared memory, so that
   reading and writing are both along the columns of storage:

       A (lda)            tile [32][33]          B (ldb)
     +---+---+          rows i ->  threads     +---+---+
     | t |   |   read   along x; the pad   write| t'|   |
     +---+---+   ---->  of one element keeps --->+---+---+
     |   |   |          both ways free of      |   |   |
     +---+---+          bank conflicts         +---+---+

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common.cuh"

enum
{
  TILE = 32,
  ROWS = 8 /* a thread moves TILE / ROWS elements */
};

/* B = A.' or, with CONJ, B = A'; A is m x n.  */
template <class T>
__global__ void
__launch_bounds__ (TILE *ROWS)
  transpose_kernel (const T *A, ptrdiff_t lda, ptrdiff_t stepa, T *B,
                    ptrdiff_t ldb, ptrdiff_t stepb, ptrdiff_t m, ptrdiff_t n,
                    ptrdiff_t pages, bool conj)
{
  __shared__ T tile[TILE][TILE + 1];
  ptrdiff_t down = (m + TILE - 1) / TILE, across = (n + TILE - 1) / TILE;
  for (ptrdiff_t t = blockIdx.x; t < down * across * pages; t += gridDim.x)
    {
      ptrdiff_t page = t / (down * across), r = t % (down * across);
      ptrdiff_t i0 = r % down * TILE, j0 = r / down * TILE;
      const T *a = A + page * stepa;
      T *b = B + page * stepb;
      for (int y = threadIdx.y; y < TILE; y += ROWS)
        {
          ptrdiff_t i = i0 + threadIdx.x, j = j0 + y;
          if (i < m && j < n)
            tile[y][threadIdx.x] = a[i + j * lda];
        }
      __syncthreads ();
      for (int y = threadIdx.y; y < TILE; y += ROWS)
        {
          ptrdiff_t i = i0 + y, j = j0 + threadIdx.x;
          if (i < m && j < n)
            b[j + i * ldb] = conj_if (conj, tile[threadIdx.x][y]);
        }
      __syncthreads ();
    }
}

/* B = A or, with CONJ, B = conj (A); a block takes a piece of a column.  */
template <class T>
__global__ void __launch_bounds__ (256)
  copy_kernel (const T *A, ptrdiff_t lda, ptrdiff_t stepa, T *B, ptrdiff_t ldb,
               ptrdiff_t stepb, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages,
               bool conj)
{
  ptrdiff_t pieces = (m + blockDim.x - 1) / blockDim.x;
  for (ptrdiff_t t = blockIdx.x; t < pieces * n * pages; t += gridDim.x)
    {
      ptrdiff_t page = t / (pieces * n), r = t % (pieces * n);
      ptrdiff_t j = r / pieces, i = r % pieces * blockDim.x + threadIdx.x;
      if (i < m)
        B[i + j * ldb + page * stepb]
          = conj_if (conj, A[i + j * lda + page * stepa]);
    }
}

/* Zero the storage A, m x n: all of it, or what lies strictly below
   (part < 0) or above (part > 0) the diagonal.  A block takes a column.  */
template <class T>
__global__ void __launch_bounds__ (256)
  zero_kernel (T *A, ptrdiff_t lda, ptrdiff_t step, ptrdiff_t m, ptrdiff_t n,
               ptrdiff_t pages, int part)
{
  for (ptrdiff_t t = blockIdx.x; t < n * pages; t += gridDim.x)
    {
      ptrdiff_t page = t / n, j = t % n;
      ptrdiff_t from = part < 0 ? j + 1 : 0;
      ptrdiff_t to = part > 0 && j < m ? j : m;
      for (ptrdiff_t i = from + threadIdx.x; i < to; i += blockDim.x)
        A[i + j * lda + page * step] = make<T> (0);
    }
}

template <class T>
static cudaError_t
copy (cudaStream_t s, gpu_mat A, gpu_mat B)
{
  /* Read A as it is stored.  */
  ptrdiff_t m = A.op & GPU_T ? A.n : A.m, n = A.op & GPU_T ? A.m : A.n;
  int op = A.op ^ B.op;
  bool conj = op & (GPU_C ^ GPU_T);
  if (op & GPU_T)
    {
      unsigned grid
        = grid_for (ceil_div (m, TILE) * ceil_div (n, TILE) * A.pages);
      transpose_kernel<T><<<grid, dim3 (TILE, ROWS), 0, s>>> (
        (const T *) A.p, A.ld, A.step, (T *) B.p, B.ld, B.step, m, n, A.pages,
        conj);
    }
  else
    copy_kernel<T><<<grid_for (ceil_div (m, 256) * n * A.pages), 256, 0, s>>> (
      (const T *) A.p, A.ld, A.step, (T *) B.p, B.ld, B.step, m, n, A.pages,
      conj);
  return cudaGetLastError ();
}

template <class T>
static cudaError_t
zero (cudaStream_t s, gpu_mat A, int part)
{
  ptrdiff_t m = A.op & GPU_T ? A.n : A.m, n = A.op & GPU_T ? A.m : A.n;
  zero_kernel<T><<<grid_for (n * A.pages), 256, 0, s>>> (
    (T *) A.p, A.ld, A.step, m, n, A.pages, A.op & GPU_T ? -part : part);
  return cudaGetLastError ();
}

static bool
is_empty (gpu_mat A)
{
  return A.m == 0 || A.n == 0 || A.pages == 0;
}

cudaError_t
cuda_copy (cudaStream_t s, gpu_mat A, gpu_mat B)
{
  if (is_empty (A))
    return cudaSuccess;
  FOR_ELEMENT_TYPE (A.type, copy, s, A, B);
}

cudaError_t
cuda_zero (cudaStream_t s, gpu_mat A)
{
  if (is_empty (A))
    return cudaSuccess;
  if (A.type == GPU_INT64)
    return zero<int64_t> (s, A, 0);
  FOR_ELEMENT_TYPE (A.type, zero, s, A, 0);
}

cudaError_t
cuda_triu (cudaStream_t s, gpu_mat A)
{
  if (is_empty (A))
    return cudaSuccess;
  FOR_ELEMENT_TYPE (A.type, zero, s, A, -1);
}

cudaError_t
cuda_kernels_usable (void)
{
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes (&attributes,
                                (const void *) transpose_kernel<double>);
}
