/* lu_unit.cu: P * A = L * U of up to 128 columns of a block (cuda_lu_unit), by
   panels of the cluster, of w columns each:

     +---+-----+---+-----+     (1) the cluster factors columns j to j + w - 1,
     |   |     |   | U12 |         and makes their exchanges of rows of the
   j |---+-----+---+-----|         other columns, all of the block's
     |   |     |   |     |     (2) U12 = L11 \ A12, A22 = A22 - L21 * U12
     |   |  L  | L | A22 |
     |   |     |   |     |
     +---+-----+---+-----+
   All launches are a chain (common.cuh).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "lu_moves.cuh"

enum
{
  WARP = 32,
  THREADS = 128,
  ACROSS = 16,                     /* columns of a block of threads, */
  EACH = ACROSS / (THREADS / WARP) /* and of a warp */
};

/* For a panel of W columns at most, those of PANEL, whose triangle is its top:
   A12 is in SIDE, W apart; REST is [U12; A22].  A block of threads divides its
   columns by itself, a lane a row of the triangle; then a thread has a row of
   L21 and of A22.  */
template <class T, int W>
__global__ void
__launch_bounds__ (THREADS)
  update_kernel (strided<T> panel, const T *side, strided<T> rest)
{
  __shared__ T u[ACROSS][W];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  const int w = (int) panel.n, m = (int) panel.m, n = (int) rest.n;
  const int blocks = m > w ? (m - w + THREADS - 1) / THREADS : 1;
  const int part = (int) blockIdx.x % blocks;
  const int i = w + part * THREADS + (int) threadIdx.x;
  const int j = (int) blockIdx.x / blocks * ACROSS;
  const bool has = i < m;
  T t[W], l[W], c[ACROSS], x[EACH];
  await_last ();
#pragma unroll
  for (int k = 0; k < W; k++)
    {
      t[k] = lane < w && k < lane ? panel.p[lane + k * panel.cs] : make<T> (0);
      l[k] = has && k < w ? panel.p[i + k * panel.cs] : make<T> (0);
    }
#pragma unroll
  for (int e = 0; e < EACH; e++)
    {
      const int q = j + warp * EACH + e;
      x[e] = lane < w && q < n ? side[lane + q * W] : make<T> (0);
    }
#pragma unroll
  for (int q = 0; q < ACROSS; q++)
    c[q] = has && j + q < n ? rest.p[i + (j + q) * rest.cs] : make<T> (0);
#pragma unroll
  for (int k = 0; k < W; k++)
#pragma unroll
    for (int e = 0; e < EACH; e++)
      x[e] = mul_sub (x[e], t[k], from_lane (x[e], k));
#pragma unroll
  for (int e = 0; e < EACH; e++)
    {
      const int q = warp * EACH + e;
      if (lane < W)
        u[q][lane] = x[e];
      if (part == 0 && lane < w && j + q < n)
        rest.p[lane + (j + q) * rest.cs] = x[e];
    }
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
      if (has && j + q < n)
        rest.p[i + (j + q) * rest.cs] = add (even, odd);
    }
  let_next_in ();
}

template <class T, int W>
static cudaError_t
update (cudaStream_t s, gpu_mat panel, gpu_mat side, gpu_mat rest)
{
  const ptrdiff_t below = panel.m - panel.n;
  const ptrdiff_t blocks = below > 0 ? ceil_div (below, THREADS) : 1;
  return launch_chained (
    update_kernel<T, W>, (unsigned) (blocks * ceil_div (rest.n, ACROSS)),
    THREADS, 0, s, strided<T> (panel), (const T *) side.p, strided<T> (rest));
}

template <class T>
static cudaError_t
unit (cudaStream_t s, gpu_mat A, ptrdiff_t first, gpu_mat piv, gpu_mat info,
      gpu_mat list, gpu_mat side, ptrdiff_t at)
{
  constexpr int W = sizeof (T) == 16 ? 16 : 32;
  const ptrdiff_t n = piv.m, end = first + n;
  for (ptrdiff_t j = 0, w; j < n; j += w)
    {
      const ptrdiff_t most = cuda_lu_width (A.type, A.m - j), c = first + j;
      if (most == 0)
        return cudaErrorInvalidValue;
      w = n - j < most ? n - j : most;
      gpu_mat rows = gpu_part (A, j, 0, A.m - j, A.n);
      cudaError_t status = cuda_lu_cluster (
        s, rows, c, end, gpu_part (piv, j, 0, w, 1), info, list, side, at + j);
      if (status != cudaSuccess)
        return status;
      gpu_mat panel = gpu_part (rows, 0, c, rows.m, w);
      gpu_mat rest = gpu_part (rows, 0, c + w, rows.m, end - c - w);
      if (rest.n == 0)
        continue;
      /* SIDE is as wide as the cluster's panels may be.  */
      status = most == W       ? update<T, W> (s, panel, side, rest)
               : most == W / 2 ? update<T, W / 2> (s, panel, side, rest)
                               : update<T, W / 4> (s, panel, side, rest);
      if (status != cudaSuccess)
        return status;
    }
  return cudaSuccess;
}

cudaError_t
cuda_lu_unit (cudaStream_t s, gpu_mat A, ptrdiff_t j, gpu_mat piv,
              gpu_mat info, gpu_mat list, gpu_mat side, ptrdiff_t at)
{
  FOR_ELEMENT_TYPE (A.type, unit, s, A, j, piv, info, list, side, at);
}
