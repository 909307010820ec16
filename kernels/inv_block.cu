/* inv_block.cu: X = inv (A) and det (A) for pages of up to 128 x 128, a block
   of threads a page, the page in registers.

   Warp w owns the columns COLS * w to COLS * (w + 1); lane l has the rows l,
   l + 32, ... of them:

        warp 0   warp 1           The owner of the next COLS columns, the
   panel,
      +--------+--------+-----    eliminates them by itself, without meeting
    l |. . . . |. . . . |         any other warp: Gauss-Jordan elimination in
      |        |        |         place, where column k is replaced by that of
      +--------+--------+-----    the inverse.  Then all other warps do the
   same l+32        |        |         to their columns as one product with
   what is
      |. . . . |. . . . |         left of the panel.

   Rows never move: place (row) is the row where LAPACK, which swaps, would
   have it.  At the end element (i, c) belongs to row place (i), and to the
   column with the number of the row that was the pivot of step c.  The
   registers of a panel go round, so that column k is always the first and the
   loop stays small.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pages.cuh"
#include "warp_pivot.cuh"

enum
{
  WARP = 32
};

/* The columns of a warp.  A page of one warp needs no meeting at all.  */
template <class T, int ROWS>
constexpr int columns = ROWS == 1 && sizeof (T) <= 8 ? 32 : 16;

/* What the warps tell each other.  */
template <class T, int ROWS> struct block_memory
{
  static constexpr int SIZE = ROWS * WARP, COLS = columns<T, ROWS>;
  /* One warp keeps its panel to itself.  */
  static constexpr int SHARED = COLS < SIZE ? COLS : 0;
  /* A warp's part of the pivot rows of a panel, or of the last two of them;
     the pad spreads the rows over the banks.  */
  alignas (16) T line[SIZE / COLS][SHARED + 2][COLS + pack<T>::COUNT];
  T panel[2][SHARED + 1][SIZE]; /* this panel, and the one before */
  T inverse[SIZE];              /* 1 / pivot, by its row */
  T pivot[SIZE];                /* by its step, for LU with the swap's sign */
  int row[SIZE];                /* of the pivot, by its step */
  int place[2][SIZE];           /* by row, before and after a panel */
  typename real_of<T>::type norm[2][SIZE / COLS];
  bool singular;
};

/* norm (X, 1) of the warp's columns.  */
template <class T, int ROWS, int COLS>
__device__ typename real_of<T>::type
columns_norm (const T (&x)[ROWS][COLS])
{
  using R = typename real_of<T>::type;
  R sum[COLS];
#pragma unroll
  for (int c = 0; c < COLS; c++)
    {
      sum[c] = 0;
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        sum[c] += modulus (x[r][c]);
    }
    /* Halves of the columns change sides, until a lane has one column.  */
#pragma unroll
  for (int h = COLS / 2; h > 0; h /= 2)
    {
      const bool up = threadIdx.x & h;
#pragma unroll
      for (int c = 0; c < COLS / 2; c++)
        if (c < h)
          {
            R keep = up ? sum[c + h] : sum[c], send = up ? sum[c] : sum[c + h];
            sum[c] = keep + __shfl_xor_sync (~0u, send, h);
          }
    }
  if (COLS < WARP)
    sum[0] += __shfl_xor_sync (~0u, sum[0], COLS);
  return warp_largest (sum[0]);
}

/* Gauss-Jordan elimination of the panel of STEPS columns from K0 on.  What it
   leaves in their place is what all other columns need: with the pivot rows Y
   of these set to zero, x = x + panel * Y.  */
template <class T, int ROWS, int COLS, bool INVERT>
__device__ void
eliminate_panel (block_memory<T, ROWS> &m, T (&x)[ROWS][COLS], int k0,
                 int steps)
{
  const int lane = threadIdx.x % WARP, owner = k0 / COLS;
  int place[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    place[r] = m.place[(owner + 1) % 2][lane + WARP * r];
#pragma unroll 1
  for (int s = 0; s < steps; s++)
    {
      T f[ROWS], y[COLS];
      find_pivot<INVERT> (m, m.line[owner][s % 2], x, place, f, y, k0 + s);
#pragma unroll
      for (int c = 1; c < COLS; c++)
#pragma unroll
        for (int r = 0; r < ROWS; r++)
          x[r][c - 1] = mul_add (x[r][c], f[r], y[c]);
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        x[r][COLS - 1] = choose (place[r] == k0 + s, make<T> (1), f[r]);
    }
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    {
      const int row = lane + WARP * r;
      m.place[owner % 2][row] = place[r];
      if (INVERT && place[r] >= k0 && place[r] < k0 + steps)
        m.inverse[row] = pivot<T> (m.pivot[place[r]]).inverse ();
      if (COLS < ROWS * WARP)
#pragma unroll
        for (int c = 0; c < COLS; c++)
          m.panel[owner % 2][(c + steps) % COLS][row] = x[r][c];
    }
}

/* The same for the columns of any other warp.  */
template <class T, int ROWS, int COLS>
__device__ void
apply_panel (block_memory<T, ROWS> &m, T (&x)[ROWS][COLS], int k0, int steps)
{
  const int lane = threadIdx.x % WARP;
  auto &line = m.line[__shfl_sync (~0u, (int) threadIdx.x / WARP, 0)];
  auto &panel = m.panel[k0 / COLS % 2];
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    {
      const int s = m.place[k0 / COLS % 2][lane + WARP * r] - k0;
      if (s >= 0 && s < steps)
        {
          put_row (line[s], x[r]);
#pragma unroll
          for (int c = 0; c < COLS; c++)
            x[r][c] = make<T> (0);
        }
    }
  __syncwarp ();
#pragma unroll 2
  for (int s = 0; s < steps; s++)
    {
      T f[ROWS], y[COLS];
      get_row (y, line[s]);
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        f[r] = panel[s][lane + WARP * r];
#pragma unroll
      for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int c = 0; c < COLS; c++)
          x[r][c] = mul_add (x[r][c], f[r], y[c]);
    }
  __syncwarp ();
}

/* All columns; without INVERT only those that are still to be eliminated.
   Returns by how much the warp's own columns have gone round.  */
template <class T, int ROWS, int COLS, bool INVERT>
__device__ int
eliminate (block_memory<T, ROWS> &m, T (&x)[ROWS][COLS], int n)
{
  const int warp = __shfl_sync (~0u, (int) threadIdx.x / WARP, 0);
  const int warps = blockDim.x / WARP;
  int turned = 0;
#pragma unroll 1
  for (int owner = 0; owner < warps; owner++)
    {
      const int k0 = owner * COLS, steps = min (COLS, n - k0);
      if (warp == owner)
        {
          eliminate_panel<T, ROWS, COLS, INVERT> (m, x, k0, steps);
          turned = steps;
        }
      __syncthreads ();
      if constexpr (COLS < ROWS * WARP) /* there are other warps */
        if (INVERT ? warp != owner : warp > owner)
          apply_panel (m, x, k0, steps);
    }
  return turned;
}

/* The warp's columns of a page; zero outside.  */
template <class T, int ROWS, int COLS>
__device__ void
load_columns (const T *A, T (&x)[ROWS][COLS], int n)
{
  const int lane = threadIdx.x % WARP, c0 = threadIdx.x / WARP * COLS;
  A += lane + c0 * n;
#pragma unroll
  for (int c = 0; c < COLS; c++, A += n)
#pragma unroll
    for (int r = 0; r < ROWS; r++)
      {
        x[r][c] = make<T> (0);
        if (lane + WARP * r < n && c0 + c < n)
          x[r][c] = A[WARP * r];
      }
}

template <class T, int ROWS>
__device__ void
reset (block_memory<T, ROWS> &m, int n)
{
  for (int i = threadIdx.x; i < ROWS * WARP; i += blockDim.x)
    m.place[1][i] = i < n ? i : -1;
  if (threadIdx.x == 0)
    m.singular = false;
}

template <class T, int ROWS, int WARPS, int BLOCKS, bool RCOND>
__global__ void
__launch_bounds__ (WARP *WARPS, BLOCKS)
  inv_block_kernel (const T *A, T *X, int n, ptrdiff_t pages,
                    typename real_of<T>::type *rcond, ptrdiff_t rcond_step)
{
  using R = typename real_of<T>::type;
  constexpr int COLS = columns<T, ROWS>;
  extern __shared__ __align__ (16) unsigned char shared[];
  block_memory<T, ROWS> &m = *(block_memory<T, ROWS> *) shared;
  const int warp = __shfl_sync (~0u, (int) threadIdx.x / WARP, 0);
  const int lane = threadIdx.x % WARP, warps = blockDim.x / WARP;

  for (ptrdiff_t page = blockIdx.x; page < pages; page += gridDim.x)
    {
      T x[ROWS][COLS];
      load_columns (A + page * n * n, x, n);
      reset (m, n);
      if (RCOND)
        {
          const R norm = columns_norm (x);
          if (lane == 0)
            m.norm[0][warp] = norm;
        }
      __syncthreads ();

      const int turned = eliminate<T, ROWS, COLS, true> (m, x, n);

      T *to[ROWS];
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        {
          const int row = lane + WARP * r;
          to[r] = X + page * n * n + m.place[(warps - 1) % 2][row];
          const T inverse = choose (row < n, m.inverse[row], make<T> (0));
#pragma unroll
          for (int c = 0; c < COLS; c++)
            x[r][c] = mul (x[r][c], inverse);
        }
      bool singular = m.singular;
      if (RCOND)
        {
          /* Columns beyond the page are zero.  */
          const R norm = columns_norm (x);
          if (lane == 0)
            m.norm[1][warp] = norm;
          __syncthreads ();
          const R a = warp_largest (lane < warps ? m.norm[0][lane] : 0);
          const R b = warp_largest (lane < warps ? m.norm[1][lane] : 0);
          const R rc = reciprocal_condition (a, b, singular);
          singular = singular || rc == 0;
          if (threadIdx.x == 0)
            rcond[page * rcond_step] = rc;
        }

#pragma unroll
      for (int c = 0; c < COLS; c++)
        {
          const int k = warp * COLS + (c + turned) % COLS;
          if (k < n)
            {
              const int column = m.row[k] * n;
#pragma unroll
              for (int r = 0; r < ROWS; r++)
                if (lane + WARP * r < n)
                  to[r][column]
                    = choose (singular, make<T> (INFINITY), x[r][c]);
            }
        }
      __syncthreads ();
    }
}

template <class T, int ROWS, int WARPS, int BLOCKS>
__global__ void
__launch_bounds__ (WARP *WARPS, BLOCKS)
  det_block_kernel (const T *A, int n, ptrdiff_t pages, det_result<T> result)
{
  constexpr int COLS = columns<T, ROWS>;
  extern __shared__ __align__ (16) unsigned char shared[];
  block_memory<T, ROWS> &m = *(block_memory<T, ROWS> *) shared;

  for (ptrdiff_t page = blockIdx.x; page < pages; page += gridDim.x)
    {
      T x[ROWS][COLS];
      load_columns (A + page * n * n, x, n);
      reset (m, n);
      __syncthreads ();
      eliminate<T, ROWS, COLS, false> (m, x, n);
      if (threadIdx.x < WARP)
        {
          product<T> d (make<T> (1));
          for (int k = threadIdx.x; k < n; k += WARP)
            {
              const product<T> f (m.pivot[k]);
              d.times (f.m, f.e);
            }
          d.times_warp ();
          if (threadIdx.x == 0)
            write_det (result, page, d);
        }
      __syncthreads ();
    }
}

/* How many blocks are to share a multiprocessor: as many as the registers of
   its four parts allow, of the page and of what each thread needs besides.  */
template <class T, int ROWS>
constexpr int besides = sizeof (T) == 4 && ROWS > 1 ? 40 : 56;

template <class T, int ROWS, int WARPS>
constexpr int blocks_of
  = 4
    * (65536 / 4 / WARP
       / (ROWS * columns<T, ROWS> * (int) sizeof (T) / 4 + besides<T, ROWS>) )
    / WARPS;

template <class T, int ROWS>
static size_t
prepare (const void *kernel, cudaError_t *status)
{
  const size_t bytes = sizeof (block_memory<T, ROWS>);
  *status = cudaFuncSetAttribute (
    kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) bytes);
  return bytes;
}

template <class T, int ROWS, bool RCOND>
static cudaError_t
launch_inv (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  using R = typename real_of<T>::type;
  constexpr int COLS = columns<T, ROWS>, WARPS = ROWS * WARP / COLS;
  auto kernel
    = inv_block_kernel<T, ROWS, WARPS, blocks_of<T, ROWS, WARPS>, RCOND>;
  cudaError_t status;
  const size_t bytes = prepare<T, ROWS> ((const void *) kernel, &status);
  if (status != cudaSuccess)
    return status;
  const unsigned threads = WARP * (unsigned) ceil_div (A.n, COLS);
  kernel<<<grid_for (A.pages), threads, bytes, s>>> (
    (const T *) A.p, (T *) X.p, (int) A.n, A.pages, (R *) rcond.p, rcond.step);
  return cudaGetLastError ();
}

template <class T, int ROWS>
static cudaError_t
launch_det (cudaStream_t s, gpu_mat A, gpu_mat d, gpu_mat sign)
{
  constexpr int COLS = columns<T, ROWS>, WARPS = ROWS * WARP / COLS;
  auto kernel = det_block_kernel<T, ROWS, WARPS, blocks_of<T, ROWS, WARPS>>;
  cudaError_t status;
  const size_t bytes = prepare<T, ROWS> ((const void *) kernel, &status);
  if (status != cudaSuccess)
    return status;
  const unsigned warps = A.n > 0 ? (unsigned) ceil_div (A.n, COLS) : 1;
  kernel<<<grid_for (A.pages), WARP * warps, bytes, s>>> (
    (const T *) A.p, (int) A.n, A.pages, det_result<T> (d, sign));
  return cudaGetLastError ();
}

template <class T, int ROWS>
static cudaError_t
inv_rows (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  return rcond.p ? launch_inv<T, ROWS, true> (s, A, X, rcond)
                 : launch_inv<T, ROWS, false> (s, A, X, rcond);
}

/* FN<T, ROWS> (...) for as many rows a lane as N asks for.  */
#define FOR_ROWS(n, fn, ...)                                                  \
  do                                                                          \
    {                                                                         \
      if ((n) <= WARP)                                                        \
        return fn<T, 1> (__VA_ARGS__);                                        \
      if ((n) <= 2 * WARP)                                                    \
        return fn<T, 2> (__VA_ARGS__);                                        \
      if constexpr (sizeof (T) <= 8)                                          \
        {                                                                     \
          if ((n) <= 3 * WARP)                                                \
            return fn<T, 3> (__VA_ARGS__);                                    \
          if ((n) <= 4 * WARP)                                                \
            return fn<T, 4> (__VA_ARGS__);                                    \
        }                                                                     \
      return cudaErrorNotSupported;                                           \
    }                                                                         \
  while (0)

template <class T>
static cudaError_t
inv_block (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  FOR_ROWS (A.n, inv_rows, s, A, X, rcond);
}

template <class T>
static cudaError_t
det_block (cudaStream_t s, gpu_mat A, gpu_mat d, gpu_mat sign)
{
  FOR_ROWS (A.n, launch_det, s, A, d, sign);
}

/* rcond = Inf, as nothing is perfectly conditioned.  */
template <class R>
__global__ void
no_rows_kernel (R *rcond, ptrdiff_t step, ptrdiff_t pages)
{
  ptrdiff_t k = (ptrdiff_t) blockIdx.x * blockDim.x + threadIdx.x;
  for (; k < pages; k += (ptrdiff_t) gridDim.x * blockDim.x)
    rcond[k * step] = INFINITY;
}

template <class T>
static cudaError_t
no_rows (cudaStream_t s, gpu_mat rcond)
{
  using R = typename real_of<T>::type;
  if (rcond.p)
    no_rows_kernel<R><<<grid_for (ceil_div (rcond.pages, 256)), 256, 0, s>>> (
      (R *) rcond.p, rcond.step, rcond.pages);
  return cudaGetLastError ();
}

cudaError_t
cuda_inv_block (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  if (A.pages == 0)
    return cudaSuccess;
  if (A.n == 0)
    FOR_ELEMENT_TYPE (A.type, no_rows, s, rcond);
  FOR_ELEMENT_TYPE (A.type, inv_block, s, A, X, rcond);
}

cudaError_t
cuda_det_block (cudaStream_t s, gpu_mat A, gpu_mat d, gpu_mat sign)
{
  if (A.pages == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (A.type, det_block, s, A, d, sign);
}
