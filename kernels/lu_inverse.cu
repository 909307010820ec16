/* lu_inverse.cu: X = inv (L) of a small unit lower triangle in shared memory,
   by doubling:

     [L11    ]   X11 = inv (L11), X22 = inv (L22)
     [L21 L22]   X21 = -X22 * (L21 * X11)

   for blocks of 32 by substitution, a lane a column, then of 64 and 128.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common.cuh"

enum
{
  WARP = 32,
  THREADS = 256,
  SIDE = 16 /* of the square of threads that makes a product */
};

/* C = A * B or -A * B for squares of N in shared memory, LD apart, C in
   registers: a thread has every 16th row and column.  */
template <class T, int N, int LD, bool MINUS>
__device__ void
product (const T *A, const T *B, T (&c)[N / SIDE][N / SIDE])
{
  constexpr int OWN = N / SIDE;
  const int r = threadIdx.x % SIDE, s = threadIdx.x / SIDE;
#pragma unroll
  for (int i = 0; i < OWN * OWN; i++)
    c[i / OWN][i % OWN] = make<T> (0);
#pragma unroll 4
  for (int k = 0; k < N; k++)
    {
      T a[OWN], b[OWN];
#pragma unroll
      for (int i = 0; i < OWN; i++)
        {
          a[i] = A[r + i * SIDE + k * LD];
          b[i] = B[k + (s + i * SIDE) * LD];
        }
#pragma unroll
      for (int i = 0; i < OWN * OWN; i++)
        {
          T &x = c[i / OWN][i % OWN];
          x = MINUS ? mul_sub (x, a[i / OWN], b[i % OWN])
                    : mul_add (x, a[i / OWN], b[i % OWN]);
        }
    }
}

template <class T, int N, int LD>
__device__ void
put (T *C, const T (&c)[N / SIDE][N / SIDE])
{
  constexpr int OWN = N / SIDE;
  const int r = threadIdx.x % SIDE, s = threadIdx.x / SIDE;
#pragma unroll
  for (int i = 0; i < OWN * OWN; i++)
    C[r + i / OWN * SIDE + (s + i % OWN * SIDE) * LD] = c[i / OWN][i % OWN];
}

/* The step from N to 2 * N for all pairs of blocks.  */
template <class T, int N, int LD>
__device__ void
join (T *S, int side)
{
  for (int d = 0; d < side; d += 2 * N)
    {
      T *X11 = S + d * (LD + 1), *X21 = X11 + N, *X22 = X11 + N * (LD + 1);
      T c[N / SIDE][N / SIDE];
      product<T, N, LD, true> (X21, X11, c);
      __syncthreads ();
      put<T, N, LD> (X21, c);
      __syncthreads ();
      product<T, N, LD, false> (X22, X21, c);
      __syncthreads ();
      put<T, N, LD> (X21, c);
      __syncthreads ();
    }
}

/* X = inv (L), of what is below L's diagonal; X is zero above.  */
template <class T, int MOST>
__global__ void
__launch_bounds__ (THREADS)
  inverse_kernel (strided<T> L, strided<T> X)
{
  constexpr int LD = MOST + 1;
  extern __shared__ __align__ (16) unsigned char shared[];
  T *S = (T *) shared;
  const int n = (int) L.n, warp = threadIdx.x / WARP;
  const int lane = threadIdx.x % WARP;
  await_last ();
  for (int e = threadIdx.x; e < MOST * MOST; e += THREADS)
    {
      const int i = e % MOST, j = e / MOST;
      S[i + j * LD]
        = i > j && i < n ? L.p[i + j * L.cs] : make<T> (i == j);
    }
  __syncthreads ();
  if (warp < MOST / WARP)
    {
      T *D = S + warp * WARP * (LD + 1), x[WARP];
#pragma unroll
      for (int i = 0; i < WARP; i++)
        {
          T even = make<T> (i == lane), odd = make<T> (0);
#pragma unroll
          for (int k = 0; k < i; k++)
            if (k % 2)
              odd = mul_sub (odd, D[i + k * LD], x[k]);
            else
              even = mul_sub (even, D[i + k * LD], x[k]);
          x[i] = add (even, odd);
        }
      __syncwarp ();
#pragma unroll
      for (int i = 0; i < WARP; i++)
        D[i + lane * LD] = x[i];
    }
  __syncthreads ();
  if (n > WARP)
    join<T, WARP, LD> (S, MOST);
  if constexpr (MOST > 2 * WARP)
    if (n > 2 * WARP)
      join<T, 2 * WARP, LD> (S, MOST);
  let_next_in ();
  for (int e = threadIdx.x; e < n * n; e += THREADS)
    X.p[e % n + e / n * X.cs] = S[e % n + e / n * LD];
}

template <class T>
static cudaError_t
inverse (cudaStream_t s, gpu_mat L, gpu_mat X)
{
  constexpr int MOST = sizeof (T) > 8 ? 64 : 128;
  if (L.n > MOST)
    return cudaErrorInvalidValue;
  return launch_chained (inverse_kernel<T, MOST>, 1, THREADS,
                         sizeof (T) * MOST * (MOST + 1), s, strided<T> (L),
                         strided<T> (X));
}

cudaError_t
cuda_lu_inverse (cudaStream_t s, gpu_mat L, gpu_mat X)
{
  FOR_ELEMENT_TYPE (L.type, inverse, s, L, X);
}
