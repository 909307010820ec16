/* split.cu: single numbers for tensor cores: rounded to 16 bits, or in two
   parts, the first of as many bits as tensor cores take (TF32: 11), the second
   what is left:

       x = high + low,   abs (low) <= 2^-11 * abs (x)

   A thread takes an element of a column, and every THREADSth further; a
   complex number is two.  Inf and NaN are high parts alone.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "common.cuh"

enum
{
  THREADS = 256,
  DROPPED = 13 /* bits of single that TF32 has not */
};

/* Rounded to nearest; the largest numbers, which that would make Inf, toward
   zero.  */
__device__ static float
high_part (float x)
{
  const unsigned bits = __float_as_uint (x), half = 1u << (DROPPED - 1);
  const unsigned kept = ~((1u << DROPPED) - 1);
  const float near = __uint_as_float ((bits + half) & kept);
  return isfinite (near) ? near
         : isfinite (x)  ? __uint_as_float (bits & kept)
                         : x;
}

__device__ static float
part_of (float x, bool low)
{
  const float high = high_part (x);
  return !low ? high : isfinite (x) ? x - high : 0;
}
__device__ static gpu_complex<float>
part_of (gpu_complex<float> x, bool low)
{
  return { part_of (x.re, low), part_of (x.im, low) };
}

template <class T> struct split_part
{
  bool low, conj;

  __device__ void
  operator() (T x, T *w) const
  {
    *w = part_of (conj_if (conj, x), low);
  }
};

struct rounded
{
  __device__ void
  operator() (float x, __half *w) const
  {
    *w = __float2half_rn (x);
  }
  __device__ void
  operator() (float x, __nv_bfloat16 *w) const
  {
    *w = __float2bfloat16_rn (x);
  }
};

/* f (x, w) for each element x of A and its place w in W.  */
template <class T, class U, class F>
__global__ void
__launch_bounds__ (THREADS) each_kernel (strided<T> A, strided<U> W, F f)
{
  const ptrdiff_t column_blocks = (A.m + THREADS - 1) / THREADS;
  const ptrdiff_t work = column_blocks * A.n * A.pages;
  for (ptrdiff_t t = blockIdx.x; t < work; t += gridDim.x)
    {
      const ptrdiff_t i = t % column_blocks * THREADS + threadIdx.x;
      const ptrdiff_t j = t / column_blocks % A.n;
      const ptrdiff_t k = t / column_blocks / A.n;
      if (i < A.m)
        f (A.p[i * A.rs + j * A.cs + k * A.step],
           &W.p[i * W.rs + j * W.cs + k * W.step]);
    }
}

template <class T, class U, class F>
static cudaError_t
each (cudaStream_t s, gpu_mat A, gpu_mat W, F f)
{
  const ptrdiff_t work = ceil_div (A.m, THREADS) * A.n * A.pages;
  if (work == 0)
    return cudaSuccess;
  each_kernel<<<grid_for (work), THREADS, 0, s>>> (strided<T> (A),
                                                   strided<U> (W), f);
  return cudaGetLastError ();
}

template <class T>
static cudaError_t
split (cudaStream_t s, bool low, gpu_mat A, gpu_mat W)
{
  return each<T, T> (s, A, W, split_part<T>{ low, strided<T> (A).conj });
}

cudaError_t
cuda_split (cudaStream_t s, bool low, gpu_mat A, gpu_mat W)
{
  switch (A.type)
    {
    case GPU_SINGLE:
      return split<float> (s, low, A, W);
    case GPU_CSINGLE:
      return split<gpu_complex<float>> (s, low, A, W);
    default:
      return cudaErrorInvalidValue;
    }
}

cudaError_t
cuda_narrow (cudaStream_t s, bool bf16, gpu_mat A, gpu_mat W)
{
  return bf16 ? each<float, __nv_bfloat16> (s, A, W, rounded ())
              : each<float, __half> (s, A, W, rounded ());
}
