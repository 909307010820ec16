/* lu_inverse.cu: X = inv (L) of a small unit lower triangle in shared memory.
   A block of threads has some columns, which are independent of the others;
   with blocks of 32 x 32,

     X(c,c) = inv (L(c,c))
     X(r,c) = -inv (L(r,r)) * (L(r,c) * X(c,c) + ... + L(r,r-1) * X(r-1,c))

   where the inverses are by substitution, a lane a column.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "unit_triangle.cuh"

enum
{
  WARPS = 4,
  THREADS = WARPS * WARP,
  OWN = 4,              /* columns of a warp */
  COLUMNS = WARPS * OWN /* of a block of threads */
};

/* sum = sum + A * B, A of 32 rows, LD apart, and N columns, B with its rows
   one after the other: the lane's row, the warp's columns.  */
template <class T>
__device__ void
add_product (T (&sum)[OWN], const T *A, int ld, const T *B, int n)
{
  const int lane = threadIdx.x % WARP, first = threadIdx.x / WARP * OWN;
#pragma unroll 4
  for (int k = 0; k < n; k++)
    {
      const T a = A[lane + k * ld];
#pragma unroll
      for (int q = 0; q < OWN; q++)
        sum[q] = mul_add (sum[q], a, B[k * COLUMNS + first + q]);
    }
}

template <class T>
__device__ void
put (T *B, const T (&x)[OWN])
{
  const int lane = threadIdx.x % WARP, first = threadIdx.x / WARP * OWN;
#pragma unroll
  for (int q = 0; q < OWN; q++)
    B[lane * COLUMNS + first + q] = x[q];
}

/* Only what is below L's diagonal is read.  */
template <class T, int MOST>
__global__ void
__launch_bounds__ (THREADS) inverse_kernel (strided<T> L, strided<T> X)
{
  constexpr int LD = MOST + 1;
  extern __shared__ __align__ (16) unsigned char shared[];
  T *const S = (T *) shared, *const B = S + MOST * LD;
  T *const sums = B + MOST * COLUMNS;
  const int n = (int) L.n, warp = threadIdx.x / WARP;
  const int lane = threadIdx.x % WARP;
  const int j = (int) blockIdx.x * COLUMNS, c = j / WARP * WARP;
  const int end = (n + WARP - 1) / WARP * WARP;
  await_last ();
  /* From column c and row c on; bordered by an identity.  */
  for (int k = c + warp; k < end; k += WARPS)
    for (int i = k / WARP * WARP + lane; i < end; i += WARP)
      S[i + k * LD] = i > k && i < n ? L.p[i + k * L.cs] : make<T> (i == k);
  for (int i = threadIdx.x; i < c * COLUMNS; i += THREADS)
    B[i] = make<T> (0);
  __syncthreads ();
  for (int r = c + warp * WARP; r < end; r += WARPS * WARP)
    invert_triangle (S + r * (LD + 1), LD, INFINITY);
  __syncthreads ();
  T own[OWN];
#pragma unroll
  for (int q = 0; q < OWN; q++)
    own[q] = S[c + lane + (j + warp * OWN + q) * LD];
  put (B + c * COLUMNS, own);
  for (int r = c + WARP; r < end; r += WARP)
    {
      T sum[OWN], x[OWN];
#pragma unroll
      for (int q = 0; q < OWN; q++)
        sum[q] = x[q] = make<T> (0);
      __syncthreads ();
      add_product (sum, S + r + c * LD, LD, B + c * COLUMNS, r - c);
      put (sums, sum);
      __syncthreads ();
      add_product (x, S + r * (LD + 1), LD, sums, WARP);
#pragma unroll
      for (int q = 0; q < OWN; q++)
        x[q] = scale (x[q], (typename real_of<T>::type) - 1);
      put (B + r * COLUMNS, x);
    }
  __syncthreads ();
  let_next_in ();
  for (int e = threadIdx.x; e < n * COLUMNS; e += THREADS)
    {
      const int i = e % n, k = e / n;
      if (j + k < n)
        X.p[i + (j + k) * X.cs] = B[i * COLUMNS + k];
    }
}

template <class T>
static cudaError_t
inverse (cudaStream_t s, gpu_mat L, gpu_mat X)
{
  constexpr int MOST = sizeof (T) > 8 ? 64 : 128;
  constexpr size_t numbers = MOST * (MOST + 1) + (MOST + WARP) * COLUMNS;
  if (L.n > MOST)
    return cudaErrorInvalidValue;
  return launch_chained (
    inverse_kernel<T, MOST>, (unsigned) ceil_div (L.n, COLUMNS), THREADS,
    sizeof (T) * numbers, s, strided<T> (L), strided<T> (X));
}

cudaError_t
cuda_lu_inverse (cudaStream_t s, gpu_mat L, gpu_mat X)
{
  FOR_ELEMENT_TYPE (L.type, inverse, s, L, X);
}
