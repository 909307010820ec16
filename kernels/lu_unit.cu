/* lu_unit.cu: P * A = L * U of a panel of up to 128 columns (cuda_lu_unit), by
   panels of the cluster, of w columns each:

     +---+-----+---+-----+     (1) the cluster factors columns j to j + w - 1
     |   |     | U |     |     (2) swap_solve: the other columns get its
   j |---+-----+---+-----|         exchanges of rows, those on the right are
     |   |     |   | U12 |         divided by its triangle
     |   |  L  | L |-----|     (3) update: A22 = A22 - L * U12
     |   |     |   | A22 |
     +---+-----+---+-----+
   All launches are a chain (common.cuh).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "lu_moves.cuh"

enum
{
  WARP = 32,
  THREADS = 128,
  ACROSS = 16 /* columns of an update for each block of threads */
};

/* W columns at most.  A warp has a column, a lane a row of the triangle and,
   before, a row that moves.  */
template <class T, int W>
__global__ void
__launch_bounds__ (THREADS)
  swap_solve_kernel (strided<T> A, int j, int w, row_moves moves)
{
  const int lane = threadIdx.x % WARP;
  const int q = (int) (blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP);
  const bool right = q >= j, some = lane < w;
  T *column = A.p + (right ? q + w : q) * A.cs;
  await_last ();
  if (q < A.n - w)
    {
      T l[W];
#pragma unroll
      for (int k = 0; k < W; k++)
        if (right && some && k < lane)
          l[k] = A.p[lane + (j + k) * A.cs];
        else
          l[k] = make<T> (0);
      const int to = some ? moves.to[lane] : -1;
      T x = make<T> (0), below = x;
      if (some)
        x = column[moves.top[lane]];
      if (to >= 0)
        below = column[moves.from[lane]];
      __syncwarp ();
      if (to >= 0)
        column[to] = below;
      if (right)
#pragma unroll
        for (int k = 0; k < W; k++)
          x = mul_sub (x, l[k], from_lane (x, k));
      if (some)
        column[lane] = x;
    }
  let_next_in ();
}

/* C = C - L * U for W columns of L at most; a thread has a row of L and of
   C.  */
template <class T, int W>
__global__ void
__launch_bounds__ (THREADS)
  update_kernel (strided<T> L, strided<T> U, strided<T> C)
{
  __shared__ T u[ACROSS][W];
  const int w = (int) L.n, m = (int) C.m;
  const int blocks = (m + THREADS - 1) / THREADS;
  const int i = (int) blockIdx.x % blocks * THREADS + (int) threadIdx.x;
  const int j = (int) blockIdx.x / blocks * ACROSS;
  const bool has = i < m;
  T l[W], c[ACROSS];
  await_last ();
#pragma unroll
  for (int k = 0; k < W; k++)
    l[k] = has && k < w ? L.p[i + k * L.cs] : make<T> (0);
  for (int e = threadIdx.x; e < W * ACROSS; e += THREADS)
    {
      const int k = e % W, q = e / W;
      u[q][k] = k < w && j + q < C.n ? U.p[k + (j + q) * U.cs] : make<T> (0);
    }
#pragma unroll
  for (int q = 0; q < ACROSS; q++)
    c[q] = has && j + q < C.n ? C.p[i + (j + q) * C.cs] : make<T> (0);
  __syncthreads ();
#pragma unroll
  for (int q = 0; q < ACROSS; q++)
    {
      /* Two sums, so that one does not wait for the other.  */
      T even = c[q], odd = make<T> (0);
#pragma unroll
      for (int k = 0; k < W; k += 2)
        {
          even = mul_sub (even, l[k], u[q][k]);
          odd = mul_sub (odd, l[k + 1], u[q][k + 1]);
        }
      if (has && j + q < C.n)
        C.p[i + (j + q) * C.cs] = add (even, odd);
    }
  let_next_in ();
}

template <class T, int W>
static cudaError_t
apply (cudaStream_t s, gpu_mat A, ptrdiff_t j, ptrdiff_t w, gpu_mat list)
{
  const ptrdiff_t others = A.n - w, right = others - j;
  if (others == 0)
    return cudaSuccess;
  cudaError_t status = launch_chained (
    swap_solve_kernel<T, W>, (unsigned) ceil_div (others, THREADS / WARP),
    THREADS, 0, s, strided<T> (A), (int) j, (int) w, row_moves (list, w));
  if (status != cudaSuccess || right == 0 || A.m == w)
    return status;
  gpu_mat L = gpu_part (A, w, j, A.m - w, w);
  gpu_mat U = gpu_part (A, 0, j + w, w, right);
  gpu_mat C = gpu_part (A, w, j + w, A.m - w, right);
  return launch_chained (
    update_kernel<T, W>,
    (unsigned) (ceil_div (C.m, THREADS) * ceil_div (right, ACROSS)), THREADS,
    0, s, strided<T> (L), strided<T> (U), strided<T> (C));
}

template <class T>
static cudaError_t
unit (cudaStream_t s, gpu_mat A, gpu_mat piv, gpu_mat info, gpu_mat list,
      ptrdiff_t at)
{
  constexpr int W = sizeof (T) == 16 ? 16 : 32;
  for (ptrdiff_t j = 0, w; j < A.n; j += w)
    {
      const ptrdiff_t most = cuda_lu_width (A.type, A.m - j);
      if (most == 0)
        return cudaErrorInvalidValue;
      w = A.n - j < most ? A.n - j : most;
      cudaError_t status
        = cuda_lu_cluster (s, gpu_part (A, j, j, A.m - j, w),
                           gpu_part (piv, j, 0, w, 1), info, list, at + j);
      if (status != cudaSuccess)
        return status;
      gpu_mat rows = gpu_part (A, j, 0, A.m - j, A.n);
      status = w > W / 2   ? apply<T, W> (s, rows, j, w, list)
               : w > W / 4 ? apply<T, W / 2> (s, rows, j, w, list)
                           : apply<T, W / 4> (s, rows, j, w, list);
      if (status != cudaSuccess)
        return status;
    }
  return cudaSuccess;
}

cudaError_t
cuda_lu_unit (cudaStream_t s, gpu_mat A, gpu_mat piv, gpu_mat info,
              gpu_mat list, ptrdiff_t at)
{
  FOR_ELEMENT_TYPE (A.type, unit, s, A, piv, info, list, at);
}
