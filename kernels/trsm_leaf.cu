/* trsm_leaf.cu: B = V * B in place, V the inverse of a triangular leaf:
   V = W (upper) or V = W' (lower), W = inv (R) as chol_leaf gives it.

   A block takes WIDTH columns of B into shared memory and walks over V in
   slabs of DEPTH columns, the next of which is on its way while one is used:

        V (n x n)           B (n x WIDTH)
      +--+--+--+--+         +---+
      |  |  |  |  |         |   |     a thread computes ROWS x COLS elements,
      |  |->|->|  |    *    |   |     DOWN and ACROSS apart, and reads V and B
      |  |  |  |  |         |   |     16 bytes at a time along the inner index
      +--+--+--+--+         +---+

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common.cuh"

enum
{
  DOWN = 16,
  ACROSS = 8,
  THREADS = DOWN * ACROSS,
  COLS = 2,
  WIDTH = ACROSS * COLS,
  DEPTH = 16
};

/* 16 bytes, read at once.  */
template <class T> struct alignas (16) pack
{
  static constexpr int SIZE = 16 / sizeof (T);
  T e[SIZE];
};

/* The thread's pieces of V(:,q0+1:q0+DEPTH).  The walk is over W: a column
   of V = W' is a row of W.  */
template <class T, int PIECES>
__device__ void
load_slab (T (&slab)[PIECES], walk<T> w, int n, bool lower)
{
#pragma unroll
  for (int e = 0; e < PIECES; e++, w.next ())
    {
      slab[e] = make<T> (0);
      if (w.i < n && w.j < n)
        slab[e] = conj_if (lower, *w.p);
    }
}

/* sum = sum + slab * B(q0+1:q0+DEPTH,:), the thread's rows FROM to TO - 1.  */
template <class T, int FROM, int TO, int ROWS, int LDV, int LDB>
__device__ void
multiply_slab (T (&sum)[ROWS][COLS], const T (*v)[LDV], const T (*b)[LDB],
               int q0)
{
  using Pack = pack<T>;
  const int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;
#pragma unroll
  for (int q = 0; q < DEPTH; q += Pack::SIZE)
    {
      Pack bq[COLS];
#pragma unroll
      for (int c = 0; c < COLS; c++)
        bq[c] = *(const Pack *) &b[x + ACROSS * c][q0 + q];
#pragma unroll
      for (int r = FROM; r < TO; r++)
        {
          Pack vq = *(const Pack *) &v[y + DOWN * r][q];
#pragma unroll
          for (int e = 0; e < Pack::SIZE; e++)
#pragma unroll
            for (int c = 0; c < COLS; c++)
              sum[r][c] = mul_add (sum[r][c], vq.e[e], bq[c].e[e]);
        }
    }
}

template <class T, int SIZE>
__global__ void
__launch_bounds__ (THREADS)
  trsm_leaf_kernel (strided<T> W, strided<T> B, bool lower)
{
  constexpr int PAD = pack<T>::SIZE, LDB = SIZE + PAD, LDV = DEPTH + PAD;
  constexpr int ROWS = SIZE / DOWN, PIECES = SIZE * DEPTH / THREADS;
  constexpr int LOADS = SIZE * WIDTH / THREADS;
  __shared__ __align__ (16) T b[WIDTH][LDB];
  __shared__ __align__ (16) T v[SIZE][LDV];
  const int n = (int) B.m;
  const ptrdiff_t tiles = (B.n + WIDTH - 1) / WIDTH;

  for (ptrdiff_t g = blockIdx.x; g < tiles * B.pages; g += gridDim.x)
    {
      const ptrdiff_t page = g / tiles, j0 = g % tiles * WIDTH;
      const int width = (int) min ((ptrdiff_t) WIDTH, B.n - j0);
      const walk<T> first (W, page, lower ? DEPTH : SIZE);
      walk<T> slab = first;
      T next[PIECES], load[LOADS];
      load_slab (next, slab, n, lower);

      walk<T> from (B, page, B.by_rows ? WIDTH : SIZE);
      from.p += j0 * B.cs;
      const walk<T> tile = from;
#pragma unroll
      for (int e = 0; e < LOADS; e++, from.next ())
        {
          load[e] = make<T> (0);
          if (from.i < n && from.j < width)
            load[e] = conj_if (B.conj, *from.p);
        }
      walk<T> to = tile;
#pragma unroll
      for (int e = 0; e < LOADS; e++, to.next ())
        b[to.j][to.i] = load[e];

      T sum[ROWS][COLS];
#pragma unroll
      for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int c = 0; c < COLS; c++)
          sum[r][c] = make<T> (0);

      for (int q0 = 0; q0 < n; q0 += DEPTH)
        {
          __syncthreads ();
          walk<T> w = first;
#pragma unroll
          for (int e = 0; e < PIECES; e++, w.next ())
            v[lower ? w.j : w.i][lower ? w.i : w.j] = next[e];
          __syncthreads ();
          (lower ? slab.i : slab.j) += DEPTH;
          slab.p += DEPTH * (lower ? W.rs : W.cs);
          load_slab (next, slab, n, lower);
          /* A quarter of V is zero: rows above or below it are idle.  */
          if (lower && q0 >= SIZE / 2)
            multiply_slab<T, ROWS / 2, ROWS> (sum, v, b, q0);
          else if (!lower && q0 < SIZE / 2)
            multiply_slab<T, 0, ROWS / 2> (sum, v, b, q0);
          else
            multiply_slab<T, 0, ROWS> (sum, v, b, q0);
        }
      __syncthreads ();

#pragma unroll
      for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int c = 0; c < COLS; c++)
          b[threadIdx.x % ACROSS + ACROSS * c][threadIdx.x / ACROSS + DOWN * r]
            = sum[r][c];
      __syncthreads ();
      to = tile;
#pragma unroll
      for (int e = 0; e < LOADS; e++, to.next ())
        if (to.i < n && to.j < width)
          *to.p = conj_if (B.conj, b[to.j][to.i]);
      __syncthreads ();
    }
}

template <class T, int SIZE>
static cudaError_t
launch (cudaStream_t s, gpu_uplo uplo, gpu_mat W, gpu_mat B)
{
  unsigned grid = grid_for (ceil_div (B.n, WIDTH) * B.pages);
  trsm_leaf_kernel<T, SIZE><<<grid, THREADS, 0, s>>> (
    strided<T> (W), strided<T> (B), uplo == GPU_LOWER);
  return cudaGetLastError ();
}

template <class T>
static cudaError_t
trsm_leaf (cudaStream_t s, gpu_uplo uplo, gpu_mat W, gpu_mat B)
{
  if (B.m <= 32)
    return launch<T, 32> (s, uplo, W, B);
  if (B.m <= 64)
    return launch<T, 64> (s, uplo, W, B);
  if constexpr (sizeof (T) <= 8)
    if (B.m <= 128)
      return launch<T, 128> (s, uplo, W, B);
  return cudaErrorInvalidValue;
}

cudaError_t
cuda_trsm_leaf (cudaStream_t s, gpu_uplo uplo, gpu_mat W, gpu_mat B)
{
  if (B.m == 0 || B.n == 0 || B.pages == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (B.type, trsm_leaf, s, uplo, W, B);
}
