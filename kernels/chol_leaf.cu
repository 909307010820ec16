/* chol_leaf.cu: R = chol (A) of one small block per page, in the upper
   triangle of a square S in shared memory.  A pad of one element a column
   frees both rows and columns of bank conflicts.

        k  k+PANEL       Panels of PANEL rows:
      +---+---------+    (1) one warp factors the diagonal block D, a lane a
    k | D |    P    |        column in registers;
      +---+---------+    (2) a thread a column solves P = D' \ P;
          |    C    |    (3) all threads update C = C - P' * P.
          +---------+
   A block smaller than SIZE is bordered by an identity.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "chol_panel.cuh"

enum
{
  GRID = 16, /* the threads as GRID x GRID for products */
  THREADS = GRID * GRID
};

/* The largest block of each type, and the distance of the columns in S: one
   for all sizes, so that the code is compiled once.  */
template <class T> constexpr int max_size = sizeof (T) > 8 ? 64 : 128;
template <class T> constexpr int ld_of = max_size<T> + 1;

/* Not inlined: one copy serves all panels.  */
template <class T>
__device__ __noinline__ int
factor_panel (T *S, T (*rows)[PANEL], typename real_of<T>::type *inverse)
{
  return pivot_chain<T, ld_of<T>, true> (S, PANEL, rows, inverse);
}

/* A22 = A22 - P' * P in the upper triangle, of size GRID * TILE: S points at
   P, of PANEL rows; A22 is below it.  A thread's elements are GRID apart, so
   whole squares of them lie below the diagonal and are left out.  */
template <class T, int TILE>
__device__ void
update_trailing (T *S)
{
  constexpr int LD = ld_of<T>;
  const int x = threadIdx.x % GRID, y = threadIdx.x / GRID;
  T sum[TILE][TILE];
#pragma unroll
  for (int a = 0; a < TILE; a++)
#pragma unroll
    for (int b = a; b < TILE; b++)
      sum[a][b] = make<T> (0);
#pragma unroll 2
  for (int q = 0; q < PANEL; q++)
    {
      T u[TILE], v[TILE];
#pragma unroll
      for (int b = 0; b < TILE; b++)
        {
          u[b] = S[q + (y + GRID * b) * LD];
          v[b] = S[q + (x + GRID * b) * LD];
        }
#pragma unroll
      for (int a = 0; a < TILE; a++)
#pragma unroll
        for (int b = a; b < TILE; b++)
          sum[a][b] = mul_sub_conj (sum[a][b], u[a], v[b]);
    }
#pragma unroll
  for (int a = 0; a < TILE; a++)
#pragma unroll
    for (int b = a; b < TILE; b++)
      {
        int i = y + GRID * a, j = x + GRID * b;
        T *s = S + PANEL + i + j * LD;
        if (i <= j)
          *s = mul_add (*s, make<T> (1), sum[a][b]);
      }
}

/* R from column K on; in the first warp, BAD is the first bad pivot.
   inverse(i) = 1 / R(i,i).  */
template <class T, int SIZE, int K>
__device__ void
factor (T *S, T (*rows)[PANEL], typename real_of<T>::type *inverse, int *bad)
{
  constexpr int LD = ld_of<T>, REST = SIZE - K - PANEL;
  const int t = threadIdx.x;
  T *P = S + K * (LD + 1);
  if (t < PANEL)
    {
      int b = factor_panel<T> (P, rows, inverse + K);
      if (b && !*bad)
        *bad = K + b;
    }
  __syncthreads ();
  if (t < REST)
    solve_column<T, LD> (P, inverse + K, P + (PANEL + t) * LD);
  __syncthreads ();
  if constexpr (REST > 0)
    {
      update_trailing<T, REST / GRID> (P + PANEL * LD);
      __syncthreads ();
      factor<T, SIZE, K + PANEL> (S, rows, inverse, bad);
    }
}

/* How many elements a thread moves of a block, and how many of them at once:
   all loads of a batch are in flight before the first is used.  */
template <int SIZE> constexpr int moves = SIZE *SIZE / THREADS;
template <int SIZE> constexpr int batch = moves<SIZE> < 32 ? moves<SIZE> : 32;

/* The upper triangle of A into S, bordered by an identity.  */
template <class T, int SIZE>
__device__ void
load_block (const strided<T> &A, ptrdiff_t page, T *S)
{
  const int n = (int) A.n;
  walk<T> from (A, page, SIZE), to = from;
  for (int s = 0; s < moves<SIZE>; s += batch<SIZE>)
    {
      T x[batch<SIZE>];
#pragma unroll
      for (int e = 0; e < batch<SIZE>; e++, from.next ())
        {
          x[e] = make<T> (from.i == from.j);
          if (from.i <= from.j && from.j < n)
            x[e] = conj_if (A.conj, *from.p);
        }
#pragma unroll
      for (int e = 0; e < batch<SIZE>; e++, to.next ())
        if (to.i <= to.j)
          S[to.i + to.j * ld_of<T>] = x[e];
    }
}

/* R to A.  */
template <class T, int SIZE>
__device__ void
store_factor (const T *S, const strided<T> &A, ptrdiff_t page)
{
  const int n = (int) A.n;
  walk<T> from (A, page, SIZE), to = from;
  for (int s = 0; s < moves<SIZE>; s += batch<SIZE>)
    {
      T x[batch<SIZE>];
#pragma unroll
      for (int e = 0; e < batch<SIZE>; e++, from.next ())
        x[e] = S[from.i + from.j * ld_of<T>];
#pragma unroll
      for (int e = 0; e < batch<SIZE>; e++, to.next ())
        if (to.i <= to.j && to.j < n)
          *to.p = conj_if (A.conj, x[e]);
    }
}

/* A block of threads takes a page.  */
template <class T, int SIZE>
__global__ void
__launch_bounds__ (THREADS, 1)
  chol_leaf_kernel (strided<T> A, int64_t *info, ptrdiff_t info_step,
                    ptrdiff_t at)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  T *S = (T *) shared;
  __shared__ __align__ (16) T rows[2][PANEL];
  __shared__ typename real_of<T>::type inverse[SIZE];
  const int t = threadIdx.x;

  for (ptrdiff_t page = blockIdx.x; page < A.pages; page += gridDim.x)
    {
      if (info[page * info_step] != 0)
        continue;

      load_block<T, SIZE> (A, page, S);
      int bad = 0; /* the first bad pivot, known to the first warp */
      __syncthreads ();

      factor<T, SIZE, 0> (S, rows, inverse, &bad);

      store_factor<T, SIZE> (S, A, page);
      if (t == 0 && bad)
        info[page * info_step] = at + bad;
      __syncthreads ();
    }
}

/* What a block of SIZE needs, and what trsm_leaf.cu does for the same.  */
template <class T>
static size_t
shared_bytes (ptrdiff_t size)
{
  const ptrdiff_t chol = size * ld_of<T>, trsm = 2 * PANEL * (size + 1);
  return (size_t) (chol > trsm ? chol : trsm) * sizeof (T);
}

template <class T>
static ptrdiff_t
leaf_size (size_t shared)
{
  /* The static arrays and what the system keeps take a few KiB.  */
  const size_t other = 4096;
  ptrdiff_t size = max_size<T>;
  while (size > PANEL && shared_bytes<T> (size) + other > shared)
    size /= 2;
  return size;
}

ptrdiff_t
cuda_leaf_size (gpu_type type, size_t shared)
{
  switch (type)
    {
    case GPU_SINGLE:
      return leaf_size<float> (shared);
    case GPU_DOUBLE:
      return leaf_size<double> (shared);
    case GPU_CSINGLE:
      return leaf_size<gpu_complex<float>> (shared);
    default:
      return leaf_size<gpu_complex<double>> (shared);
    }
}

template <class T, int SIZE>
static cudaError_t
launch (cudaStream_t s, gpu_mat A, gpu_mat info, ptrdiff_t at)
{
  return launch_shared (chol_leaf_kernel<T, SIZE>, grid_for (A.pages), THREADS,
                        SIZE * ld_of<T> * sizeof (T), s, strided<T> (A),
                        (int64_t *) info.p, info.step, at);
}

template <class T>
static cudaError_t
chol_leaf (cudaStream_t s, gpu_mat A, gpu_mat info, ptrdiff_t at)
{
  if (A.n <= 32)
    return launch<T, 32> (s, A, info, at);
  if (A.n <= 64)
    return launch<T, 64> (s, A, info, at);
  if constexpr (max_size<T> >= 128)
    if (A.n <= 128)
      return launch<T, 128> (s, A, info, at);
  return cudaErrorInvalidValue;
}

cudaError_t
cuda_chol_leaf (cudaStream_t s, gpu_mat A, gpu_mat info, ptrdiff_t at)
{
  if (A.n == 0 || A.pages == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (A.type, chol_leaf, s, A, info, at);
}
