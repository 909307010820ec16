/* quaternion.cu: the passes over the planes of quaternion matrices: the sums
   that the fast product multiplies, the signed matrix of the direct one, and
   what makes the result of the 8 products.

   A thread takes one place and all planes there; neighbours are neighbours in
   a column:

     sums      4 planes of A -> 8 pages of S, and the largest elements
     combine   8 pages (times pieces) of W -> 4 planes of C

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common.cuh"

enum
{
  THREADS = 256,
  WARP = 32,
  PLANES = 4,
  PRODUCTS = 8,
  SUM_BLOCKS = 2048 /* few enough that their largest elements meet in time */
};

/* One place of many: columns of pages, THREADS rows at a time.  */
struct place
{
  ptrdiff_t i, j, page;

  __device__
  place (ptrdiff_t t, ptrdiff_t m, ptrdiff_t n)
  {
    const ptrdiff_t blocks = (m + THREADS - 1) / THREADS;
    i = t % blocks * THREADS + threadIdx.x;
    j = t / blocks % n;
    page = t / blocks / n;
  }
};

static ptrdiff_t
places (ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages)
{
  return ceil_div (m, THREADS) * n * pages;
}

/* The bits of numbers that are not negative are in their order, NaN last.  */
__device__ static unsigned
bits_of (float x)
{
  return __float_as_uint (x);
}
__device__ static unsigned long long
bits_of (double x)
{
  return (unsigned long long) __double_as_longlong (x);
}

/* The largest elements of the planes that a thread has met.  */
template <class R> struct largest
{
  using U = decltype (bits_of (R ()));
  U bits[PLANES] = {};

  __device__ void
  meet (int c, R x)
  {
    const U b = bits_of (x < 0 ? -x : x + 0);
    bits[c] = b > bits[c] ? b : bits[c];
  }
  /* All lanes' to MOST; the next ones are another page's.  */
  __device__ void
  keep (R *most, ptrdiff_t step)
  {
#pragma unroll
    for (int c = 0; c < PLANES; c++)
      {
        U b = bits[c];
        for (int h = WARP / 2; h > 0; h /= 2)
          {
            const U other = __shfl_xor_sync (~0u, b, h);
            b = other > b ? other : b;
          }
        if (threadIdx.x % WARP == 0 && b)
          atomicMax ((U *) (most + c * step), b);
        bits[c] = 0;
      }
  }
};

template <class R>
__global__ void
__launch_bounds__ (THREADS)
  sums_kernel (strided<R> A, bool right, R sign, strided<R> S, R *most,
               ptrdiff_t most_step, ptrdiff_t pieces)
{
  const ptrdiff_t pages = A.pages / PLANES;
  const ptrdiff_t work = (S.m + THREADS - 1) / THREADS * S.n * pages * pieces;
  largest<R> l;
  ptrdiff_t before = 0;
  for (ptrdiff_t t = blockIdx.x; t < work; t += gridDim.x)
    {
      const place at (t, S.m, S.n);
      const ptrdiff_t k = at.page / pieces, r = at.page % pieces;
      if (k != before)
        l.keep (most + before * PLANES * most_step, most_step);
      before = k;
      const ptrdiff_t row = right ? r * S.m + at.i : at.i;
      const ptrdiff_t column = right ? at.j : r * S.n + at.j;
      R q[PLANES] = {};
      if (at.i < S.m && row < A.m && column < A.n)
        {
          const R *a = A.p + k * PLANES * A.step + row + column * A.cs;
          q[0] = a[0];
#pragma unroll
          for (int c = 1; c < PLANES; c++)
            q[c] = sign * a[c * A.step];
        }
#pragma unroll
      for (int c = 0; c < PLANES; c++)
        l.meet (c, q[c]);
      if (at.i >= S.m)
        continue;
      R *s = S.p + (k * PRODUCTS * pieces + r) * S.step + at.i + at.j * S.cs;
      const R w = q[0] / 2, x = q[1] / 2, y = q[2] / 2, z = q[3] / 2;
      const R value[PRODUCTS] = { w + x + y + z,       w - x + y - z,
                                  w + x - y - z,       w - x - y + z,
                                  right ? q[2] : q[3], right ? q[3] : q[1],
                                  right ? q[1] : q[2], q[0] };
#pragma unroll
      for (int p = 0; p < PRODUCTS; p++)
        s[p * pieces * S.step] = value[p];
    }
  l.keep (most + before * PLANES * most_step, most_step);
}

template <class R>
__global__ void
__launch_bounds__ (THREADS)
  combine_kernel (strided<R> W, ptrdiff_t pieces, int count, strided<R> C)
{
  const ptrdiff_t pages = C.pages / PLANES;
  const ptrdiff_t work = (C.m + THREADS - 1) / THREADS * C.n * pages;
  for (ptrdiff_t t = blockIdx.x; t < work; t += gridDim.x)
    {
      const place at (t, C.m, C.n);
      if (at.i >= C.m)
        continue;
      const R *w
        = W.p + at.page * count * pieces * W.step + at.i + at.j * W.cs;
      R d[PRODUCTS] = {};
      for (ptrdiff_t r = 0; r < pieces; r++)
#pragma unroll
        for (int p = 0; p < PRODUCTS; p++)
          if (p < count)
            d[p] += w[(p * pieces + r) * W.step];
      R *c = C.p + at.page * PLANES * C.step + at.i + at.j * C.cs;
      const R s0 = d[0] + d[1], d0 = d[0] - d[1];
      const R s2 = d[2] + d[3], d2 = d[2] - d[3];
      c[0] = 2 * d[7] - (s0 + s2);
      c[C.step] = (d0 + d2) - 2 * d[4];
      c[2 * C.step] = (s0 - s2) - 2 * d[5];
      c[3 * C.step] = (d0 - d2) - 2 * d[6];
    }
}

/* Row block r of W has plane r xor c of B in column block c.  */
template <class R>
__global__ void
__launch_bounds__ (THREADS)
  matrix_kernel (strided<R> B, R sign_a, R sign_b, strided<R> W)
{
  const ptrdiff_t work = (B.m + THREADS - 1) / THREADS * B.n * W.pages;
  for (ptrdiff_t t = blockIdx.x; t < work; t += gridDim.x)
    {
      const place at (t, B.m, B.n);
      if (at.i >= B.m)
        continue;
      const R *b = B.p + at.page * PLANES * B.step + at.i + at.j * B.cs;
      R *w = W.p + at.page * W.step + at.i + at.j * W.cs;
      R q[PLANES];
#pragma unroll
      for (int c = 0; c < PLANES; c++)
        q[c] = c > 0 ? sign_b * b[c * B.step] : b[0];
#pragma unroll
      for (int r = 0; r < PLANES; r++)
#pragma unroll
        for (int c = 0; c < PLANES; c++)
          {
            /* The rows - + - +, - + + - and - - + + after the first.  */
            const bool minus = r == 1   ? c % 2 == 0
                               : r == 2 ? c == 0 || c == 3
                                        : r == 3 && c < 2;
            const R x = r > 0 ? sign_a * q[r ^ c] : q[c];
            w[r * B.m + c * B.n * W.cs] = minus ? -x : x;
          }
    }
}

template <class R>
static cudaError_t
sums (cudaStream_t s, gpu_mat A, bool right, int sign, gpu_mat S, gpu_mat most)
{
  const ptrdiff_t pages = A.pages / PLANES;
  const ptrdiff_t pieces = S.pages / (PRODUCTS * pages);
  const ptrdiff_t blocks = places (S.m, S.n, pages * pieces);
  sums_kernel<R>
    <<<grid_for (blocks < SUM_BLOCKS ? blocks : SUM_BLOCKS), THREADS, 0, s>>> (
      strided<R> (A), right, (R) sign, strided<R> (S), (R *) most.p, most.step,
      pieces);
  return cudaGetLastError ();
}

template <class R>
static cudaError_t
combine (cudaStream_t s, gpu_mat W, ptrdiff_t pieces, gpu_mat C)
{
  const ptrdiff_t pages = C.pages / PLANES;
  combine_kernel<R><<<grid_for (places (C.m, C.n, pages)), THREADS, 0, s>>> (
    strided<R> (W), pieces, (int) (W.pages / (pages * pieces)),
    strided<R> (C));
  return cudaGetLastError ();
}

template <class R>
static cudaError_t
matrix (cudaStream_t s, gpu_mat B, int sign_a, int sign_b, gpu_mat W)
{
  matrix_kernel<R><<<grid_for (places (B.m, B.n, W.pages)), THREADS, 0, s>>> (
    strided<R> (B), (R) sign_a, (R) sign_b, strided<R> (W));
  return cudaGetLastError ();
}

cudaError_t
cuda_quat_sums (cudaStream_t s, gpu_mat A, bool right, int sign, gpu_mat S,
                gpu_mat most)
{
  return A.type == GPU_SINGLE   ? sums<float> (s, A, right, sign, S, most)
         : A.type == GPU_DOUBLE ? sums<double> (s, A, right, sign, S, most)
                                : cudaErrorInvalidValue;
}

cudaError_t
cuda_quat_combine (cudaStream_t s, gpu_mat W, ptrdiff_t pieces, gpu_mat C)
{
  return C.type == GPU_SINGLE   ? combine<float> (s, W, pieces, C)
         : C.type == GPU_DOUBLE ? combine<double> (s, W, pieces, C)
                                : cudaErrorInvalidValue;
}

cudaError_t
cuda_quat_matrix (cudaStream_t s, gpu_mat B, int sign_a, int sign_b, gpu_mat W)
{
  return B.type == GPU_SINGLE   ? matrix<float> (s, B, sign_a, sign_b, W)
         : B.type == GPU_DOUBLE ? matrix<double> (s, B, sign_a, sign_b, W)
                                : cudaErrorInvalidValue;
}
