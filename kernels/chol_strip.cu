/* chol_strip.cu: C = C - P * P(1:n,:)' for the lower part of an m x n strip C
   and a P of 128 columns: a product too small for the ones of cuBLAS to fill
   the device.  In double precision for both types.

   A block of threads has a tile of 32 x 32 of C, a warp 16 x 8 of it:

                P(j,:)'
              +---------+
              +---------+       both in shared memory, by halves of the
     P(i,:)   +---------+       columns, so that the products begin early
              |  C(i,j) |
              +---------+

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common.cuh"
#include "mma.cuh"

enum
{
  WARP = 32,
  THREADS = 256,
  TILE = 32,
  DEPTH = 128,
  HALF = DEPTH / 2,
  LD = TILE + 4 /* no bank is met twice */
};

struct rows_of_p
{
  double x[DEPTH][LD];
};

/* Columns K to K + HALF - 1 of 32 rows.  */
template <class T>
__device__ void
fetch (rows_of_p &p, const T *P, ptrdiff_t ld, int k)
{
#pragma unroll
  for (int e = threadIdx.x; e < HALF * TILE / 2; e += THREADS)
    {
      const int c = k + e / (TILE / 2), r = e % (TILE / 2) * 2;
      fetch_two (&p.x[c][r], P + r + c * ld);
    }
}

template <class T>
__global__ void
__launch_bounds__ (THREADS)
  strip_kernel (strided<T> P, strided<T> C, int tiles, int of_page)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  rows_of_p *left = (rows_of_p *) shared, *right = left + 1;
  const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
  const int g = lane / 4, t = lane % 4;
  const ptrdiff_t page = blockIdx.x / of_page, ldc = C.cs;
  const T *p = P.p + page * P.step;
  int i = blockIdx.x % of_page, j = 0;
  for (; i >= tiles - j; j++)
    i -= tiles - j;
  i += j;
  await_last ();
  let_next_in ();
#pragma unroll
  for (int k = 0; k < DEPTH; k += HALF)
    {
      fetch (*left, p + TILE * i, P.cs, k);
      if (i != j)
        fetch (*right, p + TILE * j, P.cs, k);
      copies_group ();
    }
  if (i == j)
    right = left;

  const int row = warp % 2 * 16, column = warp / 2 * 8;
  T *tile = C.p + page * C.step + TILE * (i + j * ldc) + row + g
            + (column + 2 * t) * ldc;
  double old[4], sum[2][4] = {};
#pragma unroll
  for (int q = 0; q < 4; q++)
    old[q] = tile[q / 2 * 8 + q % 2 * ldc];
#pragma unroll
  for (int half = 0; half < 2; half++)
    {
      if (half == 0)
        groups_arrive<1> ();
      else
        groups_arrive<0> ();
      __syncthreads ();
#pragma unroll
      for (int k = half * HALF; k < (half + 1) * HALF; k += 16)
        {
          double a[8], b[4];
#pragma unroll
          for (int q = 0; q < 8; q++)
            a[q] = left->x[k + t + q / 2 * 4][row + g + q % 2 * 8];
#pragma unroll
          for (int q = 0; q < 4; q++)
            b[q] = right->x[k + t + 4 * q][column + g];
          multiply_add_16 (sum[k / 16 % 2], a, b);
        }
    }
#pragma unroll
  for (int q = 0; q < 4; q++)
    tile[q / 2 * 8 + q % 2 * ldc] = (T) (old[q] - sum[0][q] - sum[1][q]);
}

template <class T>
static cudaError_t
strip (cudaStream_t s, gpu_mat P, gpu_mat C)
{
  const ptrdiff_t m = C.m / TILE, n = C.n / TILE;
  const ptrdiff_t tiles = m * n - n * (n - 1) / 2;
  return launch_chained (strip_kernel<T>, (unsigned) (tiles * C.pages),
                         THREADS, 2 * sizeof (rows_of_p), s, strided<T> (P),
                         strided<T> (C), (int) m, (int) tiles);
}

cudaError_t
cuda_chol_strip (cudaStream_t s, gpu_mat P, gpu_mat C)
{
  return C.type == GPU_SINGLE   ? strip<float> (s, P, C)
         : C.type == GPU_DOUBLE ? strip<double> (s, P, C)
                                : cudaErrorInvalidValue;
}
