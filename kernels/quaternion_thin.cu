/* quaternion_thin.cu: C = A * B of quaternion matrices with few rows, few
   columns and a long inner dimension, in one pass over A and B.

   A block goes through a part of the inner dimension, some rows of B and as
   many columns of A at a time, which shared memory holds while more are on
   their way.  A warp has 16 rows of A and 8 columns of B; its lanes take the
   planes as the tensor cores want them, add in registers and multiply in
   double precision:

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
  MOST = 32,     /* rows and columns */
  STAGES = 3,    /* in shared memory: one to multiply, two on their way */
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

/* *shared = *global on its way, or 0 if it is not THERE.  */
template <class R>
__device__ void
copy_or_zero (R *shared, const R *global, bool there)
{
#if __CUDA_ARCH__ >= 900
  unsigned to = (unsigned) __cvta_generic_to_shared (shared);
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to),
               "l"(global), "n"(sizeof (R)), "r"(there ? (int) sizeof (R) : 0)
               : "memory");
#endif
}

/* Where a thread finds its part of the next columns of A and B: of the plane
   PLANE, every other column.  */
template <class R> struct source
{
  const R *a, *b;
  ptrdiff_t a_cs, b_cs, left;
  int m, n, plane, first;

  __device__
  source (const strided<R> &A, const strided<R> &B, ptrdiff_t k0)
  {
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    plane = warp % PLANES;
    first = warp / PLANES;
    m = (int) A.m;
    n = (int) B.n;
    a_cs = A.cs;
    b_cs = B.cs;
    a = A.p + plane * A.step + (k0 + first) * a_cs + lane;
    b = B.p + plane * B.step + first * b_cs + k0 + lane;
    left = A.n - k0;
  }
};

/* What a block has of A and B: columns of A and of B, so far apart that the
   reads of a warp meet no bank twice.  */
template <class R> struct stage
{
  static constexpr int K = 256 / sizeof (R), STRIDE = WARPS / PLANES;

  R a[PLANES][K][MOST + 32 / sizeof (R)];
  R b[PLANES][MOST][K + 4];

  /* The next K of the inner dimension, zeros behind the end.  */
  __device__ void
  fill (source<R> &s)
  {
    const int lane = threadIdx.x % WARP;
    const R *from = s.b;
    const int left = (int) min ((ptrdiff_t) K, s.left);
    for (int j = s.first; j < s.n; j += STRIDE)
      {
#pragma unroll
        for (int k = 0; k < K; k += WARP)
          copy_or_zero (&b[s.plane][j][k + lane], from + k, k + lane < left);
        from += STRIDE * s.b_cs;
      }
    from = s.a;
#pragma unroll 8
    for (int k = 0; k < K; k += STRIDE)
      {
        if (lane < s.m)
          copy_or_zero (&a[s.plane][k + s.first][lane], from,
                        k + s.first < left);
        from += STRIDE * s.a_cs;
      }
    s.a = from;
    s.b += K;
    s.left -= K;
  }
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

/* W = the sums of this block's part of the inner dimension: planes of A.m x
   B.n, four for each block.  */
template <class R>
__global__ void
__launch_bounds__ (THREADS, 1)
  thin_kernel (strided<R> A, double sign_a, strided<R> B, double sign_b,
               double *W, R *most, ptrdiff_t most_step)
{
  constexpr int K = stage<R>::K;
  extern __shared__ __align__ (16) unsigned char shared[];
  stage<R> *stages = (stage<R> *) shared;
  double (*part)[PLANES][HELD][WARP] = (double (*)[PLANES][HELD][WARP]) shared;
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  const int m = (int) A.m, n = (int) B.n;
  const int down = (m + ROWS - 1) / ROWS;
  const int tiles = down * ((n + COLUMNS - 1) / COLUMNS);
  const int groups = WARPS / tiles, group = warp / tiles;
  const int row0 = warp % tiles % down * ROWS;
  const int column0 = warp % tiles / down * COLUMNS;
  /* Rows and columns that do not exist are read as the last one, and what
     comes of them is left.  */
  const int r0 = min (row0 + lane / 4, m - 1);
  const int r1 = min (row0 + 8 + lane / 4, m - 1);
  const int column = min (column0 + lane / 4, n - 1);
  const ptrdiff_t chunks = (A.n + K - 1) / K;
  const ptrdiff_t from = blockIdx.x * chunks / gridDim.x;
  const ptrdiff_t end = (blockIdx.x + 1) * chunks / gridDim.x;
  double acc[PRODUCTS][2][2] = {};
  unsigned high_a[PLANES] = {}, high_b[PLANES] = {};

  source<R> next (A, B, from * K);
  for (int s = 0; s < STAGES - 1; s++)
    {
      if (from + s < end)
        stages[s].fill (next);
      copies_group ();
    }
  for (ptrdiff_t chunk = from; chunk < end; chunk++)
    {
      const int at = (int) (chunk - from);
      groups_arrive<STAGES - 2> ();
      __syncthreads ();
      if (chunk + STAGES - 1 < end)
        stages[(at + STAGES - 1) % STAGES].fill (next);
      copies_group ();
      const stage<R> &now = stages[at % STAGES];
      if (group < groups)
#pragma unroll 2
        for (int step = group; step < K / DEPTH; step += groups)
          {
            const int k = step * DEPTH + lane % 4;
            double a[PLANES][4], b[PLANES][2];
#pragma unroll
            for (int c = 0; c < PLANES; c++)
              {
                const R x[4] = { now.a[c][k][r0], now.a[c][k][r1],
                                 now.a[c][k + 4][r0], now.a[c][k + 4][r1] };
                const R y[2]
                  = { now.b[c][column][k], now.b[c][column][k + 4] };
#pragma unroll
                for (int i = 0; i < 4; i++)
                  {
                    a[c][i] = x[i];
                    high_a[c] = max (high_a[c], high_bits (x[i]));
                  }
#pragma unroll
                for (int i = 0; i < 2; i++)
                  {
                    b[c][i] = y[i];
                    high_b[c] = max (high_b[c], high_bits (y[i]));
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
  if (most)
    {
      largest_bits<R> bits[PLANES];
      to_bits (high_a, bits);
      keep_largest<THREADS> (bits, most, most_step);
      to_bits (high_b, bits);
      keep_largest<THREADS> (bits, most + PLANES * most_step, most_step);
    }

  const double twice = 2 * sign_a * sign_b;
  groups_arrive<0> ();
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < HELD; i++)
    {
      double d[PRODUCTS];
#pragma unroll
      for (int p = 0; p < PRODUCTS; p++)
        d[p] = acc[p][i / 2][i % 2];
      double c[PLANES];
      join_products (d, twice, c);
#pragma unroll
      for (int p = 0; p < PLANES; p++)
        part[warp][p][i][lane] = c[p];
    }
  __syncthreads ();
  if (group > 0)
    return;
  W += (ptrdiff_t) blockIdx.x * PLANES * m * n;
#pragma unroll
  for (int i = 0; i < HELD; i++)
    {
      const int row = row0 + lane / 4 + i / 2 * 8;
      const int j = column0 + 2 * (lane % 4) + i % 2;
      for (int c = 0; c < PLANES && row < m && j < n; c++)
        {
          double sum = 0;
          for (int g = 0; g < groups; g++)
            sum += part[g * tiles + warp][c][i][lane];
          W[(c * n + j) * m + row] = sum;
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
  const cudaError_t status = launch_shared (
    thin_kernel<R>, parts, THREADS, STAGES * sizeof (stage<R>), s,
    strided<R> (A), (double) sign_a, strided<R> (B), (double) sign_b,
    (double *) W.p, (R *) most.p, most.step);
  if (status != cudaSuccess)
    return status;
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
