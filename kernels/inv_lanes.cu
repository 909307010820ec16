/* inv_lanes.cu: X = inv (A) and rcond of small pages, some lanes of a warp a
   page, by Gauss-Jordan elimination in place: lanes.cuh has the map of threads
   to elements.  The result gets its order in shared memory, on its way out.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "lanes.cuh"

/* A warp's pages from FIRST on, NOW of them; lanes without a page repeat the
   first and write nothing.  The norm of A and all else that need not be in
   registers meanwhile waits in shared memory.  */
template <class T, int N>
__global__ void __launch_bounds__ (32 * warps<T, N>, min_blocks<T, N> ())
  inv_lanes_kernel (const T *A, T *X, ptrdiff_t pages,
                    typename real_of<T>::type *rcond, ptrdiff_t rcond_step)
{
  using part = share<T, N>;
  __shared__ shelf<T, N, part::PAGES> groups[warps<T, N>];
  __shared__
    typename part::record records[warps<T, N> * part::PAGES * part::RECORDS];
  __shared__ typename real_of<T>::type norms[warps<T, N>][32];
  __shared__ int pivot_rows[warps<T, N>][part::PAGES][N | 1];
  part a (records);
  const int p = a.lane / part::LANES;
  int *const pivot_row = pivot_rows[a.warp][p];
  auto &group = groups[a.warp];
  T *const page = group.pages + p * group.STEP;

  for (ptrdiff_t first = first_page<T, N> (a.warp); first < pages;
       first += page_stride<T, N> ())
    {
      const int now = (int) min (pages - first, (ptrdiff_t) part::PAGES);
      const bool live = p < now;
      const T *const from = A + (first + (live ? p : 0)) * N * N;
      a.load (from);
      if (rcond)
        norms[a.warp][a.lane] = a.norm1 ();
      int step[part::ROWS];
      bool singular = a.invert (from, step);
      if (rcond)
        {
          const auto rc = reciprocal_condition (norms[a.warp][a.lane],
                                                a.norm1 (), singular);
          singular = rc == 0;
          if (live && a.lane == a.first)
            rcond[(first + p) * rcond_step] = rc;
        }
      if (__any_sync (~0u, singular))
        if (singular)
#pragma unroll
          for (int s = 0; s < part::ROWS; s++)
#pragma unroll
            for (int j = 0; j < N; j++)
              a.x[s][j] = make<T> (INFINITY);
#pragma unroll
      for (int s = 0; s < part::ROWS; s++)
        if (step[s] >= 0)
          pivot_row[step[s]] = a.row (s);
      __syncwarp ();
#pragma unroll
      for (int j = 0; j < N; j++)
        {
          T *column = page + pivot_row[j] * N;
#pragma unroll
          for (int s = 0; s < part::ROWS; s++)
            if (step[s] >= 0)
              column[step[s]] = a.x[s][j];
        }
      group.put (X + first * N * N, now, a.lane);
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
      inv_lanes_kernel<T, N>
        <<<grid_of<T, N> (A.pages), 32 * warps<T, N>, 0, s>>> (
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
