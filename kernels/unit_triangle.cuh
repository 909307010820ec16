/* unit_triangle.cuh: a unit lower triangle of a warp's size, inverted in
   shared memory.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_UNIT_TRIANGLE_CUH
#define GPULINALG_UNIT_TRIANGLE_CUH 1

#include "pivot.cuh"

enum
{
  WARP = 32
};

/* D = inv (D) by substitution, a lane a column; returns whether this lane's
   has a number larger than MOST, or NaN.  D's columns are LD apart.  */
template <class T>
__device__ bool
invert_triangle (T *D, int ld, float most)
{
  const int lane = threadIdx.x % WARP;
  bool large = false;
  T x[WARP];
  __syncwarp ();
#pragma unroll
  for (int i = 0; i < WARP; i++)
    {
      T even = make<T> (i == lane), odd = make<T> (0);
#pragma unroll
      for (int k = 0; k < i; k++)
        if (k % 2)
          odd = mul_sub (odd, D[i + k * ld], x[k]);
        else
          even = mul_sub (even, D[i + k * ld], x[k]);
      x[i] = add (even, odd);
      large = large || !(size_of (x[i]) <= most);
    }
  __syncwarp ();
#pragma unroll
  for (int i = 0; i < WARP; i++)
    D[i + lane * ld] = x[i];
  return large;
}

#endif
