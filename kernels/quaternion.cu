/* quaternion.cu: the passes over the planes of quaternion matrices: the sums
   that the fast product multiplies, the signed matrix of the direct one, and
   what makes the result of the 8 products.

   A thread takes one place and all planes there; neighbours are neighbours in
   a column:

     sums      4 planes of A -> 8 (or 4) pages of S, the same for B, and the
               largest elements
     combine   8 pages (times pieces) of W -> 4 planes of C

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "quaternion.cuh"

enum
{
  THREADS = 256,
  SUM_BLOCKS = 1056 /* 8 for each of 132 multiprocessors */
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

/* An operand: what its sums are made of and where they go.  */
template <class R> struct operand
{
  strided<R> A, S;
  R sign, *most;
  bool right;
};

/* The sums of operand O, by COUNT blocks, of which this one is the FIRST.  */
template <class R>
__device__ void
sum (const operand<R> &o, ptrdiff_t pieces, ptrdiff_t most_step, int first,
     int count)
{
  const strided<R> &A = o.A, &S = o.S;
  const ptrdiff_t pages = A.pages / PLANES;
  const ptrdiff_t work = (S.m + THREADS - 1) / THREADS * S.n * pages * pieces;
  const bool all = S.pages == PRODUCTS * pages * pieces;
  const ptrdiff_t stride = pieces * S.step;
  largest_bits<R> bits[PLANES] = {};
  ptrdiff_t before = 0;
  for (ptrdiff_t t = first; t < work; t += count)
    {
      const place at (t, S.m, S.n);
      const ptrdiff_t k = at.page / pieces, r = at.page % pieces;
      if (k != before && o.most)
        keep_largest<THREADS> (bits, o.most + 2 * before * PLANES * most_step,
                               most_step);
      before = k;
      const ptrdiff_t row = o.right ? r * S.m + at.i : at.i;
      const ptrdiff_t column = o.right ? at.j : r * S.n + at.j;
      R q[PLANES] = {};
      if (at.i < S.m && row < A.m && column < A.n)
        {
          const R *a = A.p + k * PLANES * A.step + row + column * A.cs;
          q[0] = a[0];
#pragma unroll
          for (int c = 1; c < PLANES; c++)
            q[c] = o.sign * a[c * A.step];
        }
#pragma unroll
      for (int c = 0; c < PLANES; c++)
        bits[c] = max (bits[c], bits_of (q[c]));
      if (at.i >= S.m)
        continue;
      R *s = S.p + (k * (all ? PRODUCTS : PLANES) * pieces + r) * S.step + at.i
             + at.j * S.cs;
      const R w = q[0] / 2, x = q[1] / 2, y = q[2] / 2, z = q[3] / 2;
      if (all)
        {
          s[0] = q[0];
          s[5 * stride] = o.right ? q[3] : q[1];
          s[6 * stride] = o.right ? q[1] : q[2];
          s[7 * stride] = o.right ? q[2] : q[3];
          s += stride;
        }
      s[0] = w + x + y + z;
      s[stride] = w - x + y - z;
      s[2 * stride] = w + x - y - z;
      s[3 * stride] = w - x - y + z;
    }
  if (o.most)
    keep_largest<THREADS> (bits, o.most + 2 * before * PLANES * most_step,
                           most_step);
}

/* The first BLOCKS_A blocks are for A.  */
template <class R>
__global__ void
__launch_bounds__ (THREADS)
  sums_kernel (operand<R> A, operand<R> B, int blocks_a, ptrdiff_t pieces,
               ptrdiff_t most_step)
{
  const int block = (int) blockIdx.x;
  if (block < blocks_a)
    sum (A, pieces, most_step, block, blocks_a);
  else
    sum (B, pieces, most_step, block - blocks_a, (int) gridDim.x - blocks_a);
}

template <class R>
__global__ void
__launch_bounds__ (THREADS) combine_kernel (strided<R> W, ptrdiff_t pieces,
                                            int count, R sign, strided<R> C)
{
  const ptrdiff_t pages = C.pages / PLANES;
  const ptrdiff_t work = (C.m + THREADS - 1) / THREADS * C.n * pages;
  const int without = PRODUCTS - count;
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
          if (p >= without)
            d[p] += w[((p - without) * pieces + r) * W.step];
      R *to = C.p + at.page * PLANES * C.step + at.i + at.j * C.cs;
      R c[PLANES];
      join_products (d, 2 * sign, c);
#pragma unroll
      for (int p = 0; p < PLANES; p++)
        to[p * C.step] = c[p];
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
static operand<R>
operand_of (gpu_mat A, bool right, int sign, gpu_mat S, void *most)
{
  return { strided<R> (A), strided<R> (S), (R) sign, (R *) most, right };
}

template <class R>
static cudaError_t
sums (cudaStream_t s, ptrdiff_t pieces, gpu_mat A, int sign_a, gpu_mat SA,
      gpu_mat B, int sign_b, gpu_mat SB, gpu_mat most)
{
  const ptrdiff_t pages = A.pages / PLANES * pieces;
  const ptrdiff_t a = places (SA.m, SA.n, pages);
  const ptrdiff_t b = places (SB.m, SB.n, pages);
  const int blocks_a = (int) (a < SUM_BLOCKS ? a : SUM_BLOCKS);
  const int blocks_b = (int) (b < SUM_BLOCKS ? b : SUM_BLOCKS);
  void *most_b = most.p ? gpu_page (most, PLANES).p : NULL;
  sums_kernel<R><<<(unsigned) (blocks_a + blocks_b), THREADS, 0, s>>> (
    operand_of<R> (A, false, sign_a, SA, most.p),
    operand_of<R> (B, true, sign_b, SB, most_b), blocks_a, pieces, most.step);
  return cudaGetLastError ();
}

template <class R>
static cudaError_t
combine (cudaStream_t s, gpu_mat W, ptrdiff_t pieces, int sign, gpu_mat C)
{
  const ptrdiff_t pages = C.pages / PLANES;
  combine_kernel<R><<<grid_for (places (C.m, C.n, pages)), THREADS, 0, s>>> (
    strided<R> (W), pieces, (int) (W.pages / (pages * pieces)), (R) sign,
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
cuda_quat_sums (cudaStream_t s, ptrdiff_t pieces, gpu_mat A, int sign_a,
                gpu_mat SA, gpu_mat B, int sign_b, gpu_mat SB, gpu_mat most)
{
  return A.type == GPU_SINGLE
           ? sums<float> (s, pieces, A, sign_a, SA, B, sign_b, SB, most)
         : A.type == GPU_DOUBLE
           ? sums<double> (s, pieces, A, sign_a, SA, B, sign_b, SB, most)
           : cudaErrorInvalidValue;
}

cudaError_t
cuda_quat_combine (cudaStream_t s, gpu_mat W, ptrdiff_t pieces, int sign,
                   gpu_mat C)
{
  return C.type == GPU_SINGLE   ? combine<float> (s, W, pieces, sign, C)
         : C.type == GPU_DOUBLE ? combine<double> (s, W, pieces, sign, C)
                                : cudaErrorInvalidValue;
}

cudaError_t
cuda_quat_matrix (cudaStream_t s, gpu_mat B, int sign_a, int sign_b, gpu_mat W)
{
  return B.type == GPU_SINGLE   ? matrix<float> (s, B, sign_a, sign_b, W)
         : B.type == GPU_DOUBLE ? matrix<double> (s, B, sign_a, sign_b, W)
                                : cudaErrorInvalidValue;
}
