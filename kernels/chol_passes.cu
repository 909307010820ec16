/* chol_passes.cu: the passes before and after a factorization in a square W of
   its own, lower and a multiple of 128 large:

     scale     d(i) = a power of two near 1 / sqrt (A(i,i)), and 1 / d(i)
     load      W = D * A' * D, bordered by an identity
     split16   what the tensor cores take in half precision
     store     R = L' / D, zeros below

   Powers of two round nothing.  They keep all numbers of L below 2, whatever
   the rows of A are measured in.  A block of threads has a tile of 64 x 64; a
   matrix that lies in storage as it is read is turned round on the way.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cuda_fp16.h>

#include "common.cuh"

enum
{
  TILE = 64,
  THREADS = 256,
  NB = 128,
  MANY = 1 << 16 /* blocks; the others are found by a loop */
};

static unsigned
blocks_for (ptrdiff_t work)
{
  return (unsigned) (work < MANY ? work : MANY);
}

template <class T>
__global__ void
__launch_bounds__ (THREADS) scale_kernel (strided<T> A, strided<T> scale)
{
  const ptrdiff_t size = scale.m;
  ptrdiff_t t = (ptrdiff_t) blockIdx.x * THREADS + threadIdx.x;
  for (; t < size * A.pages; t += (ptrdiff_t) gridDim.x * THREADS)
    {
      const ptrdiff_t i = t % size, page = t / size;
      int exponent = 0;
      if (i < A.n)
        {
          const double x = A.p[page * A.step + i * (A.rs + A.cs)];
          if (x > 0 && isfinite (x))
            {
              frexp (x, &exponent);
              exponent = (exponent - 1) >> 1;
            }
        }
      T *d = scale.p + page * scale.step + i;
      d[0] = (T) ldexp (1.0, -exponent);
      d[scale.cs] = (T) ldexp (1.0, exponent);
    }
}

/* TURN: the upper triangle lies in storage, else its transpose.  Above the
   diagonal zeros, where products come that nobody asked for: in squares of
   SQUARE columns.  */
template <class T, class U, bool TURN>
__global__ void
__launch_bounds__ (THREADS) load_kernel (strided<T> A, strided<T> scale,
                                         strided<U> result, ptrdiff_t square)
{
  __shared__ T tile[TURN ? TILE : 1][TILE + 1];
  const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  const ptrdiff_t size = result.n, side = size / TILE, n = A.n;
  const ptrdiff_t tiles = side * (side + 1) / 2;
  for (ptrdiff_t t = blockIdx.x; t < tiles * A.pages; t += gridDim.x)
    {
      const ptrdiff_t page = t / tiles;
      const T *a = A.p + page * A.step, *d = scale.p + page * scale.step;
      U *W = result.p + page * result.step;
      ptrdiff_t ti, tj;
      tile_pair (t % tiles, &tj, &ti);
      /* A(j,i), i in the tile's columns, is W(i,j).  */
      if (TURN)
        for (int r = y; r < TILE; r += THREADS / TILE)
          {
            const ptrdiff_t i = ti * TILE + r, j = tj * TILE + x;
            if (i < n && j <= i)
              tile[r][x] = a[j + i * A.cs];
          }
      if (TURN)
        __syncthreads ();
      for (int c = y; c < TILE; c += THREADS / TILE)
        {
          const ptrdiff_t i = ti * TILE + x, j = tj * TILE + c;
          T w = i == j ? 1 : 0;
          if (i < n && j <= i)
            w = (TURN ? tile[x][c] : a[i + j * A.rs]) * d[i] * d[j];
          W[i + j * size] = (U) w;
          if (ti != tj && ti * TILE / square == tj * TILE / square)
            W[tj * TILE + x + (ti * TILE + c) * size] = 0;
        }
      if (TURN)
        __syncthreads ();
    }
}

/* L has the blocks of NB x NB on the diagonal, one after the other.  */
template <class U>
__device__ U
element_of (const U *W, const U *L, ptrdiff_t size, ptrdiff_t i, ptrdiff_t j)
{
  return i / NB == j / NB ? L[i % NB + j * NB] : W[i + j * size];
}

template <class U, class T, bool TURN>
__global__ void
__launch_bounds__ (THREADS)
  store_kernel (strided<U> factor, strided<U> diagonal, strided<T> scale,
                strided<T> R)
{
  __shared__ T tile[TURN ? TILE : 1][TILE + 1];
  const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  const ptrdiff_t n = R.n, side = (n + TILE - 1) / TILE, size = factor.n;
  const ptrdiff_t tiles = side * (side + 1) / 2;
  for (ptrdiff_t t = blockIdx.x; t < tiles * R.pages; t += gridDim.x)
    {
      const ptrdiff_t page = t / tiles;
      const U *W = factor.p + page * factor.step;
      const U *L = diagonal.p + page * diagonal.step;
      const T *inverse = scale.p + page * scale.step + scale.cs;
      T *result = R.p + page * R.step;
      ptrdiff_t ti, tj;
      tile_pair (t % tiles, &tj, &ti);
      if (TURN)
        for (int c = y; c < TILE; c += THREADS / TILE)
          {
            const ptrdiff_t i = ti * TILE + x, j = tj * TILE + c;
            if (j <= i)
              tile[c][x] = element_of (W, L, size, i, j) * inverse[i];
          }
      if (TURN)
        __syncthreads ();
      /* Column or, in storage, row i of R has L(i,:).  */
      for (int r = y; r < TILE; r += THREADS / TILE)
        {
          const ptrdiff_t i = ti * TILE + (TURN ? r : x);
          const ptrdiff_t j = tj * TILE + (TURN ? x : r);
          if (i < n && j < n)
            result[j * R.rs + i * R.cs]
              = j > i  ? 0
                : TURN ? tile[x][r]
                       : element_of (W, L, size, i, j) * inverse[i];
          /* The same tile on the other side.  */
          const ptrdiff_t k = tj * TILE + (TURN ? r : x);
          const ptrdiff_t l = ti * TILE + (TURN ? x : r);
          if (ti != tj && k < n && l < n)
            result[l * R.rs + k * R.cs] = 0;
        }
      if (TURN)
        __syncthreads ();
    }
}

/* S = [high, low, high, high] of SCALE * P, the columns of each as many as P
   has: with columns k + 1 to 4 * k as the left operand and 1 to 3 * k as the
   right one, a product of tensor cores adds low * high + high * low + high *
   high, the small ones first, where less of them is cut off.  */
template <bool THREE>
__global__ void
__launch_bounds__ (THREADS)
  split16_kernel (strided<float> P, float scale, strided<__half> S)
{
  const ptrdiff_t down = (P.m + THREADS - 1) / THREADS;
  const ptrdiff_t part = P.n * S.cs;
  for (ptrdiff_t t = blockIdx.x; t < down * P.n * P.pages; t += gridDim.x)
    {
      const ptrdiff_t i = t % down * THREADS + threadIdx.x;
      const ptrdiff_t j = t / down % P.n, page = t / down / P.n;
      if (i >= P.m)
        continue;
      const float x = scale * P.p[i + j * P.cs + page * P.step];
      const __half high = __float2half_rn (x);
      __half *s = S.p + i + j * S.cs + page * S.step;
      s[0] = high;
      if (!THREE)
        continue;
      s[part] = __float2half_rn (x - __half2float (high));
      s[2 * part] = high;
      s[3 * part] = high;
    }
}

template <class T, class U>
static cudaError_t
load (cudaStream_t s, gpu_mat A, gpu_mat scale, ptrdiff_t square, gpu_mat W)
{
  const ptrdiff_t side = W.n / TILE;
  const ptrdiff_t elements = ceil_div (W.n * W.pages, THREADS);
  scale_kernel<T><<<blocks_for (elements), THREADS, 0, s>>> (
    strided<T> (A), strided<T> (scale));
  auto kernel
    = A.op == GPU_N ? load_kernel<T, U, true> : load_kernel<T, U, false>;
  kernel<<<blocks_for (side * (side + 1) / 2 * W.pages), THREADS, 0, s>>> (
    strided<T> (A), strided<T> (scale), strided<U> (W), square);
  return cudaGetLastError ();
}

template <class U, class T>
static cudaError_t
store (cudaStream_t s, gpu_mat W, gpu_mat L, gpu_mat scale, gpu_mat R)
{
  const ptrdiff_t side = ceil_div (R.n, TILE);
  auto kernel
    = R.op == GPU_N ? store_kernel<U, T, true> : store_kernel<U, T, false>;
  kernel<<<blocks_for (side * (side + 1) / 2 * R.pages), THREADS, 0, s>>> (
    strided<U> (W), strided<U> (L), strided<T> (scale), strided<T> (R));
  return cudaGetLastError ();
}

cudaError_t
cuda_chol_load (cudaStream_t s, gpu_mat A, gpu_mat scale, ptrdiff_t square,
                gpu_mat W)
{
  return A.type == GPU_SINGLE ? load<float, float> (s, A, scale, square, W)
         : W.type == GPU_SINGLE
           ? load<double, float> (s, A, scale, square, W)
           : load<double, double> (s, A, scale, square, W);
}

cudaError_t
cuda_chol_store (cudaStream_t s, gpu_mat W, gpu_mat L, gpu_mat scale,
                 gpu_mat R)
{
  return R.type == GPU_SINGLE   ? store<float, float> (s, W, L, scale, R)
         : W.type == GPU_SINGLE ? store<float, double> (s, W, L, scale, R)
                                : store<double, double> (s, W, L, scale, R);
}

cudaError_t
cuda_split16 (cudaStream_t s, double scale, gpu_mat P, gpu_mat S)
{
  const ptrdiff_t work = ceil_div (P.m, THREADS) * P.n * P.pages;
  auto kernel = S.n > P.n ? split16_kernel<true> : split16_kernel<false>;
  kernel<<<blocks_for (work), THREADS, 0, s>>> (
    strided<float> (P), (float) scale, strided<__half> (S));
  return cudaGetLastError ();
}
