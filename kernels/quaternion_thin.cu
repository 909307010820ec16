/* quaternion_thin.cu: C = A * B of quaternion matrices with few rows, few
   columns and a long inner dimension, in one pass over A and B.

   A warp has 16 rows of A and 8 columns of B and goes through a part of the
   inner dimension; its lanes hold the planes as the tensor cores take them,
   add in registers and multiply in double precision:

     A   16 x 8 of 4 planes  ->  8 operands  \
                                              >  8 sums of 16 x 8
     B    8 x 8 of 4 planes  ->  8 operands  /

   Nothing but A and B is read and nothing is stored between.  What the parts
   of the inner dimension give is summed in a fixed order.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mma.cuh"
#include "quaternion.cuh"

enum
{
  WARPS = 8,
  THREADS = WARPS * WARP,
  ROWS = 16,
  COLUMNS = 8,
  DEPTH = 8,     /* of a product of the tensor cores */
  HELD = 4,      /* elements of a warp's part of C, for each lane */
  SLICES = WARPS /* of the last sum */
};

/* The upper bits tell enough of how large a number is.  */
__device__ static unsigned
high_bits (float x)
{
  return bits_of (x);
}
__device__ static unsigned
high_bits (double x)
{
  return (unsigned) __double2hiint (x) & 0x7fffffff;
}
__device__ static void
to_bits (const unsigned (&high)[PLANES], unsigned (&bits)[PLANES])
{
  for (int c = 0; c < PLANES; c++)
    bits[c] = high[c];
}
__device__ static void
to_bits (const unsigned (&high)[PLANES], unsigned long long (&bits)[PLANES])
{
  for (int c = 0; c < PLANES; c++)
    bits[c] = (unsigned long long) high[c] << 32;
}

/* A lane's elements of SUBS products: of A (row, k), (row + 8, k), (row, k +
   4) and (row + 8, k + 4), of B (k, column) and (k + 4, column).  */
template <class R, int SUBS> struct elements
{
  R a[SUBS][PLANES][4], b[SUBS][PLANES][2];
};

/* The planes w, x, y and z of numbers become the four sums.  */
template <int N>
__device__ void
sums (double (&q)[PLANES][N], double half)
{
#pragma unroll
  for (int e = 0; e < N; e++)
    {
      const double w = q[0][e] / 2, x = q[1][e], y = q[2][e];
      const double z = half * q[3][e];
      const double s0 = fma (half, x, w), d0 = fma (-half, x, w);
      const double s1 = fma (half, y, z), d1 = fma (half, y, -z);
      q[0][e] = s0 + s1;
      q[1][e] = d0 + d1;
      q[2][e] = s0 - s1;
      q[3][e] = d0 - d1;
    }
}

__device__ static void
product (double (&acc)[2][2], const double (&a)[4], const double (&b)[2])
{
  multiply_add (acc[0], acc[1], make_double2 (a[0], a[2]),
                make_double2 (a[1], a[3]), make_double2 (b[0], b[1]));
}

/* Where a lane finds its elements.  */
template <class R> struct reader
{
  const R *a[2], *b;
  ptrdiff_t a_cs, a_step, b_step, n;
  int k;

  __device__
  reader (const strided<R> &A, const strided<R> &B, int row0, int column0)
  {
    const int lane = threadIdx.x % WARP, m = (int) A.m;
    k = lane % 4;
    /* Rows and columns that do not exist are read as the last one, and what
       comes of them is left.  */
    for (int h = 0; h < 2; h++)
      a[h] = A.p + min (row0 + 8 * h + lane / 4, m - 1);
    b = B.p + min (column0 + lane / 4, (int) B.n - 1) * B.cs;
    a_cs = A.cs;
    a_step = A.step;
    b_step = B.step;
    n = A.n;
  }

  /* Those from inner index K0 on, zeros behind the end.  */
  template <int SUBS>
  __device__ void
  read (ptrdiff_t k0, elements<R, SUBS> &e) const
  {
#pragma unroll
    for (int s = 0; s < SUBS; s++)
#pragma unroll
      for (int h = 0; h < 2; h++)
        {
          const ptrdiff_t at = k0 + s * DEPTH + 4 * h + k;
          const bool there = at < n;
#pragma unroll
          for (int c = 0; c < PLANES; c++)
            {
              const ptrdiff_t place = c * a_step + at * a_cs;
              e.a[s][c][2 * h] = there ? a[0][place] : 0;
              e.a[s][c][2 * h + 1] = there ? a[1][place] : 0;
              e.b[s][c][h] = there ? b[c * b_step + at] : 0;
            }
        }
  }
};

/* W = the sums of this block's part of the inner dimension: planes of A.m x
   B.n, four for each block.  */
template <class R>
__global__ void
__launch_bounds__ (THREADS, 1)
  thin_kernel (strided<R> A, double sign_a, strided<R> B, double sign_b,
               double *W, R *most, ptrdiff_t most_step)
{
  constexpr int SUBS = 8 / sizeof (R), CHUNK = SUBS * DEPTH;
  __shared__ double part[WARPS][PLANES][HELD][WARP];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  const int m = (int) A.m, n = (int) B.n;
  const int down = (m + ROWS - 1) / ROWS;
  const int tiles = down * ((n + COLUMNS - 1) / COLUMNS);
  const int groups = WARPS / tiles, group = warp / tiles;
  const int row0 = warp % tiles % down * ROWS;
  const int column0 = warp % tiles / down * COLUMNS;
  const ptrdiff_t chunks = (A.n + CHUNK - 1) / CHUNK;
  const ptrdiff_t end = (blockIdx.x + 1) * chunks / gridDim.x;
  ptrdiff_t chunk = blockIdx.x * chunks / gridDim.x + group;
  double acc[PRODUCTS][2][2] = {};
  unsigned high_a[PLANES] = {}, high_b[PLANES] = {};

  if (group < groups)
    {
      const reader<R> from (A, B, row0, column0);
      elements<R, SUBS> e, next;
      from.read (chunk < end ? chunk * CHUNK : A.n, next);
      for (; chunk < end; chunk += groups)
        {
          e = next;
          from.read (chunk + groups < end ? (chunk + groups) * CHUNK : A.n,
                     next);
#pragma unroll
          for (int s = 0; s < SUBS; s++)
            {
              double a[PLANES][4], b[PLANES][2];
#pragma unroll
              for (int c = 0; c < PLANES; c++)
                {
#pragma unroll
                  for (int i = 0; i < 4; i++)
                    {
                      a[c][i] = e.a[s][c][i];
                      high_a[c] = max (high_a[c], high_bits (e.a[s][c][i]));
                    }
#pragma unroll
                  for (int i = 0; i < 2; i++)
                    {
                      b[c][i] = e.b[s][c][i];
                      high_b[c] = max (high_b[c], high_bits (e.b[s][c][i]));
                    }
                }
              product (acc[0], a[0], b[0]);
              product (acc[5], a[1], b[3]);
              product (acc[6], a[2], b[1]);
              product (acc[7], a[3], b[2]);
              sums (a, sign_a / 2);
              sums (b, sign_b / 2);
#pragma unroll
              for (int p = 0; p < PLANES; p++)
                product (acc[1 + p], a[p], b[p]);
            }
        }
    }
  if (most)
    {
      largest_bits<R> bits[PLANES];
      to_bits (high_a, bits);
      keep_largest<THREADS> (bits, most, most_step);
      to_bits (high_b, bits);
      keep_largest<THREADS> (bits, most + PLANES * most_step, most_step);
    }

  const double twice = 2 * sign_a * sign_b;
#pragma unroll
  for (int i = 0; i < HELD; i++)
    {
      double d[PRODUCTS];
#pragma unroll
      for (int p = 0; p < PRODUCTS; p++)
        d[p] = acc[p][i / 2][i % 2];
      const double s12 = d[1] + d[2], d12 = d[1] - d[2];
      const double s34 = d[3] + d[4], d34 = d[3] - d[4];
      part[warp][0][i][lane] = 2 * d[0] - (s12 + s34);
      part[warp][1][i][lane] = (d12 + d34) - twice * d[7];
      part[warp][2][i][lane] = (s12 - s34) - twice * d[5];
      part[warp][3][i][lane] = (d12 - d34) - twice * d[6];
    }
  __syncthreads ();
  if (group > 0)
    return;
  W += (ptrdiff_t) blockIdx.x * PLANES * m * n;
#pragma unroll
  for (int i = 0; i < HELD; i++)
    {
      const int row = row0 + lane / 4 + i / 2 * 8;
      const int column = column0 + 2 * (lane % 4) + i % 2;
      for (int c = 0; c < PLANES && row < m && column < n; c++)
        {
          double sum = 0;
          for (int g = 0; g < groups; g++)
            sum += part[g * tiles + warp][c][i][lane];
          W[(c * n + column) * m + row] = sum;
        }
    }
}

/* C = the sum of the PARTS of W: a block has 32 elements, each warp a slice of
   the parts.  */
template <class R>
__global__ void
__launch_bounds__ (THREADS)
  thin_sum_kernel (const double *W, int parts, strided<R> C)
{
  __shared__ double slice[SLICES][WARP];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  const int m = (int) C.m, n = (int) C.n, e = blockIdx.x * WARP + lane;
  double sum = 0;
  if (e < PLANES * m * n)
    for (int k = warp; k < parts; k += SLICES)
      sum += W[(ptrdiff_t) k * PLANES * m * n + e];
  slice[warp][lane] = sum;
  __syncthreads ();
  if (warp > 0 || e >= PLANES * m * n)
    return;
  sum = 0;
  for (int k = 0; k < SLICES; k++)
    sum += slice[k][lane];
  C.p[e / (m * n) * C.step + e / m % n * C.cs + e % m] = (R) sum;
}

template <class R>
static cudaError_t
thin (cudaStream_t s, gpu_mat A, int sign_a, gpu_mat B, int sign_b, gpu_mat W,
      gpu_mat most, gpu_mat C)
{
  const unsigned parts = (unsigned) (W.pages / PLANES);
  thin_kernel<R><<<parts, THREADS, 0, s>>> (
    strided<R> (A), sign_a, strided<R> (B), sign_b, (double *) W.p,
    (R *) most.p, most.step);
  thin_sum_kernel<R>
    <<<(unsigned) ceil_div (PLANES * C.m * C.n, WARP), THREADS, 0, s>>> (
      (const double *) W.p, (int) parts, strided<R> (C));
  return cudaGetLastError ();
}

cudaError_t
cuda_quat_thin (cudaStream_t s, gpu_mat A, int sign_a, gpu_mat B, int sign_b,
                gpu_mat W, gpu_mat most, gpu_mat C)
{
  return A.type == GPU_SINGLE
           ? thin<float> (s, A, sign_a, B, sign_b, W, most, C)
         : A.type == GPU_DOUBLE
           ? thin<double> (s, A, sign_a, B, sign_b, W, most, C)
           : cudaErrorInvalidValue;
}
