/* quaternion.cuh: what the kernels of quaternion products share: the largest
   elements of the planes.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_QUATERNION_CUH
#define GPULINALG_QUATERNION_CUH 1

#include "common.cuh"

enum
{
  WARP = 32,
  PLANES = 4,
  PRODUCTS = 8 /* L1, D1, .., D4, L3, L4, L2 (see quaternion.c) */
};

/* The bits of moduli are in their order, NaN last.  */
__device__ static inline unsigned
bits_of (float x)
{
  return __float_as_uint (x) & 0x7fffffff;
}
__device__ static inline unsigned long long
bits_of (double x)
{
  return (unsigned long long) __double_as_longlong (x) & 0x7fffffffffffffff;
}
template <class R> using largest_bits = decltype (bits_of (R ()));

/* MOST, for each plane, becomes the largest of what it is and BITS of the
   THREADS threads of the block; BITS become 0.  */
template <int THREADS, class R, class U>
__device__ void
keep_largest (U (&bits)[PLANES], R *most, ptrdiff_t step)
{
  __shared__ U of_warp[THREADS / WARP][PLANES];
  const int warp = threadIdx.x / WARP;
#pragma unroll
  for (int c = 0; c < PLANES; c++)
    {
      for (int h = WARP / 2; h > 0; h /= 2)
        bits[c] = max (bits[c], __shfl_xor_sync (~0u, bits[c], h));
      if (threadIdx.x % WARP == 0)
        of_warp[warp][c] = bits[c];
      bits[c] = 0;
    }
  __syncthreads ();
  if (threadIdx.x < PLANES)
    {
      const int c = threadIdx.x;
      U b = 0;
      for (int w = 0; w < THREADS / WARP; w++)
        b = max (b, of_warp[w][c]);
      U *to = (U *) (most + c * step);
      /* Most blocks come too late to matter.  */
      if (b > *(volatile U *) to)
        atomicMax (to, b);
    }
  __syncthreads ();
}

/* The planes of C from the products d in their order, L2, L3 and L4 times
   TWICE: 2, or -2 if their signs are to be turned.  */
template <class R>
__device__ void
join_products (const R (&d)[PRODUCTS], R twice, R (&c)[PLANES])
{
  const R s12 = d[1] + d[2], d12 = d[1] - d[2];
  const R s34 = d[3] + d[4], d34 = d[3] - d[4];
  c[0] = 2 * d[0] - (s12 + s34);
  c[1] = (d12 + d34) - twice * d[7];
  c[2] = (s12 - s34) - twice * d[5];
  c[3] = (d12 - d34) - twice * d[6];
}

#endif
