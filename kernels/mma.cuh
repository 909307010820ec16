/* mma.cuh: products of double precision on the tensor cores, for kernels that
   are made for compute capability 9.0 and empty before.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_MMA_CUH
#define GPULINALG_MMA_CUH 1

/* [c0; c1] = [c0; c1] + [a0; a1] * b for blocks of 8 x 8, of which the lane
   has a pair of neighbours in a row, in b in a column.  */
__device__ inline void
multiply_add (double (&c0)[2], double (&c1)[2], double2 a0, double2 a1,
              double2 b)
{
#if __CUDA_ARCH__ >= 900
  asm volatile(
    "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
    "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
    : "+d"(c0[0]), "+d"(c0[1]), "+d"(c1[0]), "+d"(c1[1])
    : "d"(a0.x), "d"(a1.x), "d"(a0.y), "d"(a1.y), "d"(b.x), "d"(b.y));
#endif
}

#endif
