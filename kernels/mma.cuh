/* mma.cuh: what kernels for compute capability 9.0 take from PTX; empty
   before.

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

/* c = c + a * b for a of 16 x 16 and b of 16 x 8; of lane 4 * g + t
     a   (g, t), (g + 8, t), (g, t + 4), (g + 8, t + 4), .., (g + 8, t + 12)
     b   (t, g), (t + 4, g), (t + 8, g), (t + 12, g)
     c   (g, 2 * t), (g, 2 * t + 1), (g + 8, 2 * t), (g + 8, 2 * t + 1).  */
__device__ inline void
multiply_add_16 (double (&c)[4], const double (&a)[8], const double (&b)[4])
{
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
      "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]),
        "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#endif
}

/* The same with the first 8 columns of a and rows of b.  */
__device__ inline void
multiply_add_8 (double (&c)[4], const double (&a)[8], const double (&b)[4])
{
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#endif
}

/* 1 / x and 1 / sqrt (x) of normal numbers: some 20 bits of the hardware, and
   one cubic step.  */
__device__ inline double
fast_reciprocal (double x)
{
  double y = 0;
#if __CUDA_ARCH__ >= 900
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
#endif
  double e = fma (-x, y, 1.0);
  e = fma (e, e, e);
  return fma (y, e, y);
}
__device__ inline double
fast_inverse_sqrt (double x)
{
  double y = 0;
#if __CUDA_ARCH__ >= 900
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
#endif
  const double e = fma (-x * y, y, 1.0);
  return fma (y * e, fma (0.375, e, 0.5), y);
}

/* Barrier ID, from 1 to 15, of N threads: wait until all have come, or come
   and go on.  What a thread did before, the others see when they go on.  A
   build with GPULINALG_FULL_BARRIERS stops all threads of the block at each:
   the same numbers, in an order that compute-sanitizer's racecheck follows. */
__device__ inline void
barrier_wait (int id, int n)
{
#ifdef GPULINALG_FULL_BARRIERS
  __syncthreads ();
#elif __CUDA_ARCH__ >= 900
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(n) : "memory");
#endif
}
__device__ inline void
barrier_come (int id, int n)
{
#ifdef GPULINALG_FULL_BARRIERS
  __syncthreads ();
#elif __CUDA_ARCH__ >= 900
  asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(n) : "memory");
#endif
}
/* For a thread that has no part in a barrier.  */
__device__ inline void
barrier_pass (void)
{
#ifdef GPULINALG_FULL_BARRIERS
  __syncthreads ();
#endif
}

#endif
