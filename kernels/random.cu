/* random.cu: A = rand (size (A)) and A = randn (size (A)), by the generator
   Philox 4x32-10 of the CUDA toolkit (J. Salmon et al., 2011).

   Numbers 2b and 2b + 1 of a sequence come from the four words that Philox
   makes of the counter b with the seed as its key, two words x each:

     rand    x / 2^64, rounded down to the type's precision, but never 0
     randn   r * [cos(t), sin(t)], r = sqrt (-2 * log (x1 / 2^64)),
             t = 2 * pi * x2 / 2^64  (G. Box and M. Muller, 1958)

   so a number depends on its position and the seed alone, and rand is the
   same to the last bit on every backend.  Thread t has the pair at / 2 + t.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common.cuh"

#include <curand_philox4x32_x.h>

enum
{
  THREADS = 256
};

__device__ static inline void
uniform (uint64_t x, float *u)
{
  *u = fmaxf ((float) (x >> 40), 0.5f) * 0x1p-24f;
}
__device__ static inline void
uniform (uint64_t x, double *u)
{
  *u = fmax ((double) (x >> 11), 0.5) * 0x1p-53;
}

/* The radius takes all bits in any precision: they make the tails.  */
__device__ static inline void
normal_pair (uint64_t x, uint64_t y, float *u, float *v)
{
  const float r
    = sqrtf (-2 * logf (fmaxf ((float) (x >> 11), 0.5f) * 0x1p-53f));
  sincospif ((float) (y >> 11) * 0x1p-52f, v, u);
  *u *= r;
  *v *= r;
}
__device__ static inline void
normal_pair (uint64_t x, uint64_t y, double *u, double *v)
{
  const double r = sqrt (-2 * log (fmax ((double) (x >> 11), 0.5) * 0x1p-53));
  sincospi ((double) (y >> 11) * 0x1p-52, v, u);
  *u *= r;
  *v *= r;
}

template <class R>
__global__ void
__launch_bounds__ (THREADS) random_kernel (R *A, ptrdiff_t count, uint64_t at,
                                           uint64_t seed, bool normal)
{
  const uint64_t first = at / 2;
  const ptrdiff_t pairs = (ptrdiff_t) ((at + count + 1) / 2 - first);
  ptrdiff_t t = (ptrdiff_t) blockIdx.x * THREADS + threadIdx.x;
  for (; t < pairs; t += (ptrdiff_t) gridDim.x * THREADS)
    {
      const uint64_t b = first + t;
      const uint4 w = curand_Philox4x32_10 (
        make_uint4 ((unsigned) b, (unsigned) (b >> 32), 0, 0),
        make_uint2 ((unsigned) seed, (unsigned) (seed >> 32)));
      const uint64_t x = (uint64_t) w.y << 32 | w.x;
      const uint64_t y = (uint64_t) w.w << 32 | w.z;
      const ptrdiff_t i = (ptrdiff_t) (2 * b - at);
      R u, v;
      if (normal)
        normal_pair (x, y, &u, &v);
      else
        {
          uniform (x, &u);
          uniform (y, &v);
        }
      if (i >= 0)
        A[i] = u;
      if (i + 1 < count)
        A[i + 1] = v;
    }
}

template <class R>
static cudaError_t
draw (cudaStream_t s, bool normal, uint64_t seed, uint64_t at, gpu_mat A)
{
  const ptrdiff_t count = A.m * A.n * A.pages;
  random_kernel<R>
    <<<grid_for (ceil_div (count / 2 + 1, THREADS)), THREADS, 0, s>>> (
      (R *) A.p, count, at, seed, normal);
  return cudaGetLastError ();
}

cudaError_t
cuda_random (cudaStream_t s, bool normal, uint64_t seed, uint64_t at,
             gpu_mat A)
{
  if (A.m == 0 || A.n == 0 || A.pages == 0)
    return cudaSuccess;
  switch (A.type)
    {
    case GPU_SINGLE:
      return draw<float> (s, normal, seed, at, A);
    case GPU_DOUBLE:
      return draw<double> (s, normal, seed, at, A);
    default:
      return cudaErrorInvalidValue;
    }
}
