/* lu.cu: the panel of P * A = L * U, the swaps of rows, and the determinant
   from what they leave.

   A block of threads takes the panel of a page where it lies, from the left to
   the right; a thread has every THREADSth row:

        0..j-1  j           u = L(1:j-1,1:j-1) \ A(1:j-1,j)    (one warp)
      +-------+---+         A(j:m,j) = A(j:m,j) - L(j:m,1:j-1) * u
      | \     | u |         p = the first of the largest of A(j:m,j)
    j |-------|---|         swap rows j and p; A(j+1:m,j) = A(j+1:m,j) / pivot
      |   L   | a |
      +-------+---+
   Only the column that is being made is written, so most of the traffic is
   reading, from the caches.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <climits>

#include "lu_moves.cuh"
#include "pivot.cuh"

enum
{
  WARP = 32,
  PANEL = 32,    /* columns at most */
  THREADS = 512, /* of a panel */
  SWAPS = 128,   /* that are combined to one move of rows */
  SWAP_THREADS = 256,
  SWAP_COLUMNS = 128 /* of a block */
};

/* The pivot of the block from those of its threads; AT is where it is.  */
__device__ static candidate
best_of_block (candidate mine, candidate *best)
{
  const int winner = best_lane (mine);
  if ((int) threadIdx.x % WARP == winner)
    best[threadIdx.x / WARP] = mine;
  __syncthreads ();
  candidate c = best[0];
  for (int w = 1; w < (int) blockDim.x / WARP; w++)
    if (beats (best[w], c))
      c = best[w];
  return c;
}

template <class T>
__global__ void
__launch_bounds__ (THREADS)
  lu_panel_kernel (strided<T> A, int64_t *piv, ptrdiff_t piv_step,
                   int64_t *info, ptrdiff_t info_step, ptrdiff_t at)
{
  __shared__ T top[PANEL][PANEL + 1], u[PANEL];
  __shared__ candidate best[THREADS / WARP];
  const int t = threadIdx.x, w = (int) A.n;
  const int m = (int) A.m; /* of 32 bits: candidates are compared by it */

  for (ptrdiff_t page = blockIdx.x; page < A.pages; page += gridDim.x)
    {
      T *a = A.p + page * A.step;
      int bad = 0;
      for (int j = 0; j < w; j++)
        {
          T *column = a + j * A.cs;
          if (t < WARP)
            {
              /* Lane i has element i of the column's top.  */
              T x = t < j ? column[t * A.rs] : make<T> (0);
              for (int l = 0; l < j; l++)
                {
                  const T done = from_lane (x, l);
                  if (l < t && t < j)
                    x = mul_sub (x, top[l][t], done);
                }
              if (t < j)
                {
                  u[t] = x;
                  column[t * A.rs] = x;
                }
            }
          __syncthreads ();

          candidate mine = { 0, 0, 0, 0 };
          for (int i = j + t; i < m; i += blockDim.x)
            {
              T x = column[i * A.rs];
              for (int l = 0; l < j; l++)
                x = mul_sub (x, a[i * A.rs + l * A.cs], u[l]);
              column[i * A.rs] = x;
              candidate c = make_candidate (x, i, 0);
              if (beats (c, mine))
                mine = c;
            }
          const int p = best_of_block (mine, best).place;
          const T found = column[p * A.rs];
          __syncthreads ();

          if (t < w && p != j)
            {
              T *x = a + t * A.cs, above = x[j * A.rs];
              x[j * A.rs] = x[p * A.rs];
              x[p * A.rs] = above;
            }
          if (t == 0)
            piv[page * piv_step + j] = at + p + 1;
          if (!bad && size_of (found) == 0)
            bad = j + 1;
          __syncthreads ();

          if (size_of (found) != 0)
            {
              const pivot<T> by (found);
              for (int i = j + 1 + t; i < m; i += blockDim.x)
                column[i * A.rs] = by.divide (column[i * A.rs]);
            }
          __syncthreads ();
          /* The new column of the triangle at the top, and the row that has
             come there.  */
          if (t < w)
            {
              if (t > j && t < m)
                top[j][t] = column[t * A.rs];
              if (t < j && p < w)
                top[t][p] = a[p * A.rs + t * A.cs];
            }
          if (t < j)
            top[t][j] = a[j * A.rs + t * A.cs];
          __syncthreads ();
        }
      if (t == 0 && bad && info[page * info_step] == 0)
        info[page * info_step] = at + bad;
    }
}

template <class T>
static cudaError_t
lu_panel (cudaStream_t s, gpu_mat A, gpu_mat piv, gpu_mat info, ptrdiff_t at)
{
  /* Few threads where rows are few: more pages share a multiprocessor.  */
  const unsigned threads = A.m <= 256 ? 128 : A.m <= 1024 ? 256 : THREADS;
  lu_panel_kernel<T><<<grid_for (A.pages), threads, 0, s>>> (
    strided<T> (A), (int64_t *) piv.p, piv.step, (int64_t *) info.p, info.step,
    at);
  return cudaGetLastError ();
}

cudaError_t
cuda_lu_panel (cudaStream_t s, gpu_mat A, gpu_mat piv, gpu_mat info,
               ptrdiff_t at)
{
  if (A.n == 0 || A.pages == 0)
    return cudaSuccess;
  if (A.n > PANEL || A.n > A.m || A.m > INT_MAX)
    return cudaErrorInvalidValue;
  FOR_ELEMENT_TYPE (A.type, lu_panel, s, A, piv, info, at);
}

/* Rows FROM and TO of what a chain of swaps comes to.  */
struct moves
{
  int from[2 * SWAPS], to[2 * SWAPS]; /* to < 0: none */
};

/* COUNT swaps in their order, of row TOP + STEP * i with row WITH[i].  Thread
   i follows the first of these rows back to where it was, thread HALF + i the
   second.  */
__device__ static void
combine_swaps (moves &m, const int *with, int count, int half, int top,
               int step)
{
  for (int t = threadIdx.x; t < 2 * half; t += blockDim.x)
    {
      const int i = t % half;
      bool valid = i < count;
      const int place = t < half ? top + step * i : valid ? with[i] : 0;
      int row = place;
      for (int e = count - 1; e >= 0; e--)
        {
          const int x = top + step * e, y = with[e];
          row = before_exchange (row, x, y);
          /* The first of several that name this row moves it.  */
          if (t >= half && (place == x || (e < i && place == y)))
            valid = false;
        }
      m.from[t] = row;
      m.to[t] = valid && row != place ? place : -1;
    }
}

/* SWAPS swaps at once: of a tile of columns, the threads read all elements
   that move, and then write them where they go.  They go along the columns of
   the storage.  */
template <class T>
__global__ void
__launch_bounds__ (SWAP_THREADS)
  swap_rows_kernel (const int64_t *piv, ptrdiff_t count, ptrdiff_t piv_step,
                    ptrdiff_t at, bool backward, strided<T> A)
{
  constexpr int HELD = 64 / sizeof (T); /* elements in a thread's hands */
  __shared__ moves m;
  __shared__ int with[SWAPS];
  const ptrdiff_t pieces = (A.n + SWAP_COLUMNS - 1) / SWAP_COLUMNS;
  for (ptrdiff_t g = blockIdx.x; g < pieces * A.pages; g += gridDim.x)
    {
      const ptrdiff_t page = g / pieces, j0 = g % pieces * SWAP_COLUMNS;
      const int columns = (int) min ((ptrdiff_t) SWAP_COLUMNS, A.n - j0);
      T *a = A.p + page * A.step + j0 * A.cs;
      for (ptrdiff_t done = 0; done < count; done += SWAPS)
        {
          const int some = (int) min ((ptrdiff_t) SWAPS, count - done);
          const int top = (int) (backward ? count - 1 - done : done);
          const int step = backward ? -1 : 1;
          int log_slots = 1; /* of 2 * SOME, rounded up */
          while (1 << log_slots < 2 * some)
            log_slots++;
          int log_tile = 0; /* of SWAP_THREADS * HELD / slots */
          while (1 << (log_tile + log_slots) < SWAP_THREADS * HELD)
            log_tile++;
          const int slots = 1 << log_slots, tile = 1 << log_tile;
          for (int i = threadIdx.x; i < some; i += SWAP_THREADS)
            with[i] = (int) (piv[page * piv_step + top + step * i] - at - 1);
          __syncthreads ();
          combine_swaps (m, with, some, slots / 2, top, step);
          __syncthreads ();

          for (int c0 = 0; c0 < columns; c0 += tile)
            {
              T x[HELD];
              auto for_moves = [&] (auto f) {
#pragma unroll
                for (int e = 0; e < HELD; e++)
                  {
                    const int q = threadIdx.x + SWAP_THREADS * e;
                    const int s = A.by_rows ? q >> log_tile : q & (slots - 1);
                    const int c
                      = c0 + (A.by_rows ? q & (tile - 1) : q >> log_slots);
                    if (c < columns && m.to[s] >= 0)
                      f (x[e], a + c * A.cs, s);
                  }
              };
              for_moves ([&] (T &held, const T *column, int s) {
                held = column[m.from[s] * A.rs];
              });
              __syncthreads ();
              for_moves ([&] (const T &held, T *column, int s) {
                column[m.to[s] * A.rs] = held;
              });
            }
          __syncthreads ();
        }
    }
}

template <class T>
static cudaError_t
swap_rows (cudaStream_t s, gpu_mat piv, ptrdiff_t at, bool backward, gpu_mat A)
{
  const unsigned grid = grid_for (ceil_div (A.n, SWAP_COLUMNS) * A.pages);
  swap_rows_kernel<T><<<grid, SWAP_THREADS, 0, s>>> (
    (const int64_t *) piv.p, piv.m, piv.step, at, backward, strided<T> (A));
  return cudaGetLastError ();
}

cudaError_t
cuda_swap_rows (cudaStream_t s, gpu_mat piv, ptrdiff_t at, bool backward,
                gpu_mat A)
{
  if (piv.m == 0 || A.n == 0 || A.pages == 0)
    return cudaSuccess;
  if (A.m > INT_MAX)
    return cudaErrorInvalidValue;
  FOR_ELEMENT_TYPE (A.type, swap_rows, s, piv, at, backward, A);
}

/* The product of the diagonal as a tree, its sign turned by every swap.  */
template <class T>
__global__ void
__launch_bounds__ (THREADS)
  det_lu_kernel (strided<T> LU, const int64_t *piv, ptrdiff_t piv_step,
                 det_result<T> result)
{
  __shared__ T part[THREADS / WARP];
  __shared__ int exponent[THREADS / WARP];
  const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
  const int warps = blockDim.x / WARP;
  for (ptrdiff_t page = blockIdx.x; page < LU.pages; page += gridDim.x)
    {
      product<T> d (make<T> (1));
      for (ptrdiff_t i = threadIdx.x; i < LU.n; i += blockDim.x)
        {
          T x = LU.p[i * (LU.rs + LU.cs) + page * LU.step];
          x = conj_if (LU.conj, x);
          const product<T> f (
            piv[page * piv_step + i] == i + 1 ? x : negative (x));
          d.times (f.m, f.e);
        }
      d.times_warp ();
      if (lane == 0)
        {
          part[warp] = d.m;
          exponent[warp] = d.e;
        }
      __syncthreads ();
      if (warp == 0)
        {
          d = product<T> (make<T> (1));
          if (lane < warps)
            d.times (part[lane], exponent[lane]);
          d.times_warp ();
          if (lane == 0)
            write_det (result, page, d);
        }
      __syncthreads ();
    }
}

template <class T>
static cudaError_t
det_lu (cudaStream_t s, gpu_mat LU, gpu_mat piv, gpu_mat d, gpu_mat sign)
{
  const unsigned threads = LU.n <= 1024 ? 128 : THREADS;
  det_lu_kernel<T><<<grid_for (LU.pages), threads, 0, s>>> (
    strided<T> (LU), (const int64_t *) piv.p, piv.step,
    det_result<T> (d, sign));
  return cudaGetLastError ();
}

cudaError_t
cuda_det_lu (cudaStream_t s, gpu_mat LU, gpu_mat piv, gpu_mat d, gpu_mat sign)
{
  if (LU.pages == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (LU.type, det_lu, s, LU, piv, d, sign);
}
