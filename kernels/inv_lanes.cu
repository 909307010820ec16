/* inv_lanes.cu: X = inv (A) and rcond of small pages, some lanes of a warp a
   page, by Gauss-Jordan elimination in place: lanes.cuh has the map of threads
   to elements.  The result gets its order in shared memory, on its way out.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "lanes.cuh"

/* A warp's pages from FIRST on, NOW of them; lanes without a page repeat the
   first and write nothing.  */
template <class T, int N>
__global__ void __launch_bounds__ (32 * WARPS)
  inv_lanes_kernel (const T *A, T *X, ptrdiff_t pages,
                    typename real_of<T>::type *rcond, ptrdiff_t rcond_step)
{
  using part = share<T, N>;
  using group = shelf<T, N, part::PAGES>;
  __shared__ group groups[WARPS];
  __shared__ int pivot_rows[WARPS][part::PAGES][N];
  const int warp = __shfl_sync (~0u, (int) threadIdx.x / 32, 0);
  part a;
  const int p = a.first / part::LANES;
  int *const pivot_row = pivot_rows[warp][p];
  T *const page = groups[warp].pages + p * group::STEP;

  for (ptrdiff_t first = first_page<T, N> (warp); first < pages;
       first += page_stride<T, N> ())
    {
      const int now = (int) min (pages - first, (ptrdiff_t) part::PAGES);
      const bool live = p < now;
      a.load (A + (first + (live ? p : 0)) * N * N);
      const auto anorm = rcond ? a.norm1 () : 0;
      bool singular = a.invert ();
      if (rcond)
        {
          const auto rc = reciprocal_condition (anorm, a.norm1 (), singular);
          singular = rc == 0;
          if (live && a.lane == a.first)
            rcond[(first + p) * rcond_step] = rc;
        }
#pragma unroll
      for (int s = 0; s < part::ROWS; s++)
        if (a.place[s] >= 0)
          pivot_row[a.place[s]] = a.row (s);
      __syncwarp ();
#pragma unroll
      for (int j = 0; j < N; j++)
        {
          T *column = page + pivot_row[j] * N;
#pragma unroll
          for (int s = 0; s < part::ROWS; s++)
            if (a.place[s] >= 0)
              column[a.place[s]]
                = choose (singular, make<T> (INFINITY), a.x[s][j]);
        }
      groups[warp].put (X + first * N * N, now, a.lane);
    }
}

template <class T, int N = min_size<T>>
static cudaError_t
inv_lanes (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  using R = typename real_of<T>::type;
  if constexpr (N <= max_size<T>)
    {
      if (A.n != N)
        return inv_lanes<T, N + 1> (s, A, X, rcond);
      if (A.pages == 0)
        return cudaSuccess;
      inv_lanes_kernel<T, N><<<grid_of<T, N> (A.pages), 32 * WARPS, 0, s>>> (
        (const T *) A.p, (T *) X.p, A.pages, (R *) rcond.p, rcond.step);
      return cudaGetLastError ();
    }
  return cudaErrorNotSupported;
}

cudaError_t
cuda_inv_lanes (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  FOR_ELEMENT_TYPE (A.type, inv_lanes, s, A, X, rcond);
}
