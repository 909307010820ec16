/* chol_passes.cu: the passes before and after a factorization in a square W of
   its own, lower and a multiple of 128 large:

     load      W = D * A' * D, bordered by an identity, D a diagonal of powers
               of two near 1 / sqrt (diag (A))
     split16   what the tensor cores take in half precision
     store     R = L' / D, zeros below

   Powers of two round nothing.  They keep all numbers of L below 2, whatever
   the rows of A are measured in.  A block of threads has a square tile; a
   matrix that lies in storage as it is read is turned round on the way.  A
   complex W is the first columns of pairs (block16.cuh).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cuda_fp16.h>

#include "common.cuh"

enum
{
  THREADS = 256,
  WARP = 32,
  MANY = 1 << 16 /* blocks; the others are found by a loop */
};

template <class T> struct tiling
{
  static constexpr int TILE = sizeof (T) > 8 ? 32 : 64;
  static constexpr int ROUNDS = TILE * TILE / THREADS; /* for a thread */
};

/* x in another precision.  */
template <class T, class U>
__device__ T
convert (U x)
{
  return (T) x;
}
template <class T, class R>
__device__ T
convert (gpu_complex<R> x)
{
  using to = typename real_of<T>::type;
  return { (to) x.re, (to) x.im };
}

/* i * x, of complex numbers.  */
template <class R>
__device__ R
turned (R x)
{
  return x;
}
template <class R>
__device__ gpu_complex<R>
turned (gpu_complex<R> x)
{
  return { -x.im, x.re };
}

static unsigned
blocks_for (ptrdiff_t work)
{
  return (unsigned) (work < MANY ? work : MANY);
}

/* Tile T of those on and below the diagonal, from column FIRST on, column by
   column; SIDE tiles in all on the diagonal.  */
__device__ static void
tile_below (ptrdiff_t t, ptrdiff_t side, ptrdiff_t first, ptrdiff_t *i,
            ptrdiff_t *j)
{
  const ptrdiff_t left = side - first;
  tile_pair (left * (left + 1) / 2 - 1 - t, i, j);
  *i = side - 1 - *i;
  *j = side - 1 - *j;
}
/* How many those are from column FIRST to LAST - 1.  */
static ptrdiff_t
tiles_below (ptrdiff_t side, ptrdiff_t first, ptrdiff_t last)
{
  return (last - first) * (2 * side - first - last + 1) / 2;
}

/* D(i,i) = 2^-e.  */
template <class T>
__device__ int
exponent_of (strided<T> A, const T *a, ptrdiff_t i)
{
  const double x = i < A.n ? (double) real_part (a[i * (A.rs + A.cs)]) : 1;
  int e = 0;
  if (!(x > 0 && isfinite (x)))
    return 0;
  frexp (x, &e);
  return (e - 1) >> 1;
}

/* TURN: the upper triangle lies in storage, else its transpose.  Above the
   diagonal zeros, where products come that nobody asked for: up to BAND
   columns from it.  SCALE gets inv (D).  */
template <class T, class U, bool TURN>
__global__ void
__launch_bounds__ (THREADS)
  load_kernel (strided<T> A, strided<typename real_of<T>::type> scales,
               strided<U> result, ptrdiff_t band, ptrdiff_t first,
               ptrdiff_t tiles)
{
  using R = typename real_of<T>::type;
  constexpr int TILE = tiling<T>::TILE, ROUNDS = tiling<T>::ROUNDS;
  __shared__ T tile[TURN ? TILE : 1][TILE + 1];
  __shared__ R factor[2][TILE];
  const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  const ptrdiff_t size = result.n, n = A.n, ld = result.cs;
  auto put = [=] (U *W, ptrdiff_t i, ptrdiff_t j, U w) {
    W[i + j * ld] = w;
    if (ld > size)
      W[i + j * ld + size] = turned (w);
  };
  await_last ();
  for (ptrdiff_t t = blockIdx.x; t < tiles * A.pages; t += gridDim.x)
    {
      const ptrdiff_t page = t / tiles;
      const T *a = A.p + page * A.step;
      U *W = result.p + page * result.step;
      T own[ROUNDS];
      ptrdiff_t ti, tj;
      tile_below (t % tiles, size / TILE, first, &ti, &tj);
      /* A(j,i), i in the tile's columns, is W(i,j).  */
#pragma unroll
      for (int q = 0; q < ROUNDS; q++)
        {
          const int r = y + q * (THREADS / TILE);
          const ptrdiff_t i = ti * TILE + (TURN ? r : x);
          const ptrdiff_t j = tj * TILE + (TURN ? x : r);
          own[q] = make<T> (0);
          if (i < n && j <= i)
            own[q] = conj_if (!A.conj, a[j * A.rs + i * A.cs]);
        }
      if (y < 2)
        {
          const ptrdiff_t i = (y == 0 ? ti : tj) * TILE + x;
          const int e = exponent_of (A, a, i);
          factor[y][x] = (R) ldexp (1.0, -e);
          if (ti == tj && y == 0)
            scales.p[page * scales.step + i] = (R) ldexp (1.0, e);
        }
      if (TURN)
#pragma unroll
        for (int q = 0; q < ROUNDS; q++)
          tile[y + q * (THREADS / TILE)][x] = own[q];
      __syncthreads ();
#pragma unroll
      for (int q = 0; q < ROUNDS; q++)
        {
          const int c = y + q * (THREADS / TILE);
          const ptrdiff_t i = ti * TILE + x, j = tj * TILE + c;
          T w = make<T> (i == j);
          if (i < n && j <= i)
            w = scale (scale (TURN ? tile[x][c] : own[q], factor[0][x]),
                       factor[1][c]);
          if (i == j)
            w = make<T> (real_part (w));
          put (W, i, j, convert<U> (w));
          if (ti != tj && (ti - tj) * TILE < band)
            put (W, tj * TILE + x, ti * TILE + c, make<U> (0));
        }
      __syncthreads ();
    }
}

/* L has the blocks of NB x NB on the diagonal, one after the other.  */
template <class U, class T, bool TURN>
__global__ void
__launch_bounds__ (THREADS)
  store_kernel (strided<U> factor, strided<U> diagonal,
                strided<typename real_of<T>::type> scales, strided<T> R,
                ptrdiff_t first, ptrdiff_t tiles)
{
  constexpr int TILE = tiling<T>::TILE, ROUNDS = tiling<T>::ROUNDS;
  const int side_own = (int) diagonal.m; /* of a block on the diagonal */
  __shared__ T tile[TURN ? TILE : 1][TILE + 1];
  const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  const ptrdiff_t n = R.n, side = (n + TILE - 1) / TILE;
  await_last ();
  for (ptrdiff_t t = blockIdx.x; t < tiles * R.pages; t += gridDim.x)
    {
      const ptrdiff_t page = t / tiles;
      T *result = R.p + page * R.step;
      ptrdiff_t ti, tj;
      tile_below (t % tiles, side, first, &ti, &tj);
      const ptrdiff_t i = ti * TILE + x, j = tj * TILE + y;
      const bool own = ti * TILE / side_own == tj * TILE / side_own;
      const strided<U> &from = own ? diagonal : factor;
      const ptrdiff_t ld = from.cs;
      const U *L
        = from.p + page * from.step + (own ? i % side_own : i) + j * ld;
      const auto d = scales.p[page * scales.step + i];
      T l[ROUNDS];
#pragma unroll
      for (int q = 0; q < ROUNDS; q++)
        if (i < n && j + q * (THREADS / TILE) <= i)
          l[q] = scale (
            conj_if (!R.conj, convert<T> (L[q * (THREADS / TILE) * ld])), d);
        else
          l[q] = make<T> (0);
      /* Zeros for the tile on the other side, while those come.  */
      if (ti != tj)
        for (int r = y; r < TILE; r += THREADS / TILE)
          {
            const ptrdiff_t k = tj * TILE + (TURN ? r : x);
            const ptrdiff_t m = ti * TILE + (TURN ? x : r);
            if (k < n && m < n)
              result[m * R.rs + k * R.cs] = make<T> (0);
          }
      /* Column or, in storage, row i of R has L(i,:).  */
      if (TURN)
        {
#pragma unroll
          for (int q = 0; q < ROUNDS; q++)
            tile[y + q * (THREADS / TILE)][x] = l[q];
          __syncthreads ();
        }
#pragma unroll
      for (int q = 0; q < ROUNDS; q++)
        {
          const int r = y + q * (THREADS / TILE);
          const ptrdiff_t k = ti * TILE + (TURN ? r : x);
          const ptrdiff_t m = tj * TILE + (TURN ? x : r);
          if (k < n && m < n)
            result[m * R.rs + k * R.cs] = TURN ? tile[x][r] : l[q];
        }
      if (TURN)
        __syncthreads ();
    }
}

/* S = [high, low, high, high] of SCALE * P, the columns of each as many as P
   has: with columns k + 1 to 4 * k as the left operand and 1 to 3 * k as the
   right one, a product of tensor cores adds low * high + high * low + high *
   high, the small ones first, where less of them is cut off.  A warp has a
   column of the block's tile, a lane 4 of its rows.  */
enum
{
  SPLIT_ROWS = 128,
  SPLIT_COLUMNS = 32
};

__device__ static void
store_halves (__half *to, const __half2 (&x)[2])
{
  *(uint2 *) to
    = make_uint2 (*(const unsigned *) &x[0], *(const unsigned *) &x[1]);
}

template <bool THREE>
__global__ void
__launch_bounds__ (THREADS)
  split16_kernel (strided<float> P, float scale, strided<__half> S)
{
  constexpr int ROUNDS = SPLIT_COLUMNS * WARP / THREADS;
  const ptrdiff_t down = P.m / SPLIT_ROWS, across = P.n / SPLIT_COLUMNS;
  const ptrdiff_t part = P.n * S.cs;
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  await_last ();
  for (ptrdiff_t t = blockIdx.x; t < down * across * P.pages; t += gridDim.x)
    {
      const ptrdiff_t i = t % down * SPLIT_ROWS + 4 * lane;
      const ptrdiff_t j = t / down % across * SPLIT_COLUMNS + warp;
      const ptrdiff_t page = t / down / across;
      const float *from = P.p + i + j * P.cs + page * P.step;
      __half *to = S.p + i + j * S.cs + page * S.step;
      float4 x[ROUNDS];
#pragma unroll
      for (int q = 0; q < ROUNDS; q++)
        x[q] = *(const float4 *) (from + q * (THREADS / WARP) * P.cs);
#pragma unroll
      for (int q = 0; q < ROUNDS; q++)
        {
          __half *s = to + q * (THREADS / WARP) * S.cs;
          const float2 a = make_float2 (scale * x[q].x, scale * x[q].y);
          const float2 b = make_float2 (scale * x[q].z, scale * x[q].w);
          const __half2 high[2]
            = { __float22half2_rn (a), __float22half2_rn (b) };
          store_halves (s, high);
          if (!THREE)
            continue;
          const float2 c = __half22float2 (high[0]);
          const float2 d = __half22float2 (high[1]);
          const __half2 low[2]
            = { __float22half2_rn (make_float2 (a.x - c.x, a.y - c.y)),
                __float22half2_rn (make_float2 (b.x - d.x, b.y - d.y)) };
          store_halves (s + part, low);
          store_halves (s + 2 * part, high);
          store_halves (s + 3 * part, high);
        }
    }
}

template <class T, class U>
static cudaError_t
load (cudaStream_t s, gpu_mat A, gpu_mat scale, ptrdiff_t band,
      ptrdiff_t first, ptrdiff_t last, gpu_mat W)
{
  constexpr int TILE = tiling<T>::TILE;
  const ptrdiff_t tiles = tiles_below (W.n / TILE, first / TILE, last / TILE);
  auto kernel
    = A.op == GPU_N ? load_kernel<T, U, true> : load_kernel<T, U, false>;
  return launch_chained (kernel, blocks_for (tiles * W.pages), THREADS, 0, s,
                         strided<T> (A),
                         strided<typename real_of<T>::type> (scale),
                         strided<U> (W), band, first / TILE, tiles);
}

template <class T, class U>
static cudaError_t
store (cudaStream_t s, gpu_mat W, gpu_mat L, gpu_mat scale, ptrdiff_t first,
       ptrdiff_t last, gpu_mat R)
{
  constexpr int TILE = tiling<T>::TILE;
  const ptrdiff_t side = ceil_div (R.n, TILE), end = ceil_div (last, TILE);
  const ptrdiff_t tiles
    = tiles_below (side, first / TILE, end < side ? end : side);
  auto kernel
    = R.op == GPU_N ? store_kernel<U, T, true> : store_kernel<U, T, false>;
  return launch_chained (kernel, blocks_for (tiles * R.pages), THREADS, 0, s,
                         strided<U> (W), strided<U> (L),
                         strided<typename real_of<T>::type> (scale),
                         strided<T> (R), first / TILE, tiles);
}

/* Call FN<T, U> (...) for the elements T of a matrix and U of W.  */
#define FOR_BOTH_TYPES(type, work, fn, ...)                                   \
  do                                                                          \
    {                                                                         \
      const bool narrow = gpu_real_type (work) == GPU_SINGLE;                 \
      using csingle = gpu_complex<float>;                                     \
      using cdouble = gpu_complex<double>;                                    \
      switch (type)                                                           \
        {                                                                     \
        case GPU_SINGLE:                                                      \
          return fn<float, float> (__VA_ARGS__);                              \
        case GPU_DOUBLE:                                                      \
          return narrow ? fn<double, float> (__VA_ARGS__)                     \
                        : fn<double, double> (__VA_ARGS__);                   \
        case GPU_CSINGLE:                                                     \
          return fn<csingle, csingle> (__VA_ARGS__);                          \
        case GPU_CDOUBLE:                                                     \
          return narrow ? fn<cdouble, csingle> (__VA_ARGS__)                  \
                        : fn<cdouble, cdouble> (__VA_ARGS__);                 \
        default:                                                              \
          return cudaErrorInvalidValue;                                       \
        }                                                                     \
    }                                                                         \
  while (0)

cudaError_t
cuda_chol_load (cudaStream_t s, gpu_mat A, gpu_mat scale, ptrdiff_t band,
                ptrdiff_t first, ptrdiff_t last, gpu_mat W)
{
  FOR_BOTH_TYPES (A.type, W.type, load, s, A, scale, band, first, last, W);
}

cudaError_t
cuda_chol_store (cudaStream_t s, gpu_mat W, gpu_mat L, gpu_mat scale,
                 ptrdiff_t first, ptrdiff_t last, gpu_mat R)
{
  FOR_BOTH_TYPES (R.type, W.type, store, s, W, L, scale, first, last, R);
}

cudaError_t
cuda_split16 (cudaStream_t s, double scale, gpu_mat P, gpu_mat S)
{
  const ptrdiff_t tiles = P.m / SPLIT_ROWS * (P.n / SPLIT_COLUMNS);
  auto kernel = S.n > P.n ? split16_kernel<true> : split16_kernel<false>;
  if (P.m % SPLIT_ROWS != 0 || P.n % SPLIT_COLUMNS != 0)
    return cudaErrorInvalidValue;
  return launch_chained (kernel, blocks_for (tiles * P.pages), THREADS, 0, s,
                         strided<float> (P), (float) scale,
                         strided<__half> (S));
}
