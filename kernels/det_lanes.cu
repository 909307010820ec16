/* det_lanes.cu: det (A) of small pages, some lanes of a warp a page, by LU
   with partial pivoting: lanes.cuh has the map of threads to elements.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "lanes.cuh"

template <class T, int N>
__global__ void __launch_bounds__ (32 * warps<T, N>, min_blocks<T, N> ())
  det_lanes_kernel (const T *A, ptrdiff_t pages, det_result<T> result)
{
  using part = share<T, N>;
  __shared__
    typename part::record records[warps<T, N> * part::PAGES * part::RECORDS];
  part a (records);
  const int p = a.lane / part::LANES;

  for (ptrdiff_t first = first_page<T, N> (a.warp); first < pages;
       first += page_stride<T, N> ())
    {
      const bool live = first + p < pages;
      const T *const from = A + (first + (live ? p : 0)) * N * N;
      a.load (from);
      const product<T> d = a.determinant (from);
      if (live && a.lane == a.first)
        write_det (result, first + p, d);
    }
}

template <class T, int N = min_size<T>>
static cudaError_t
det_lanes (cudaStream_t s, gpu_mat A, gpu_mat d, gpu_mat sign)
{
  if constexpr (N <= max_size<T>)
    {
      if (A.n != N)
        return det_lanes<T, N + 1> (s, A, d, sign);
      if (A.pages == 0)
        return cudaSuccess;
      det_lanes_kernel<T, N>
        <<<grid_of<T, N> (A.pages), 32 * warps<T, N>, 0, s>>> (
          (const T *) A.p, A.pages, det_result<T> (d, sign));
      return cudaGetLastError ();
    }
  return cudaErrorNotSupported;
}

cudaError_t
cuda_det_lanes (cudaStream_t s, gpu_mat A, gpu_mat d, gpu_mat sign)
{
  FOR_ELEMENT_TYPE (A.type, det_lanes, s, A, d, sign);
}
