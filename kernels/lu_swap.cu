/* lu_swap.cu: the exchanges of rows of a block of columns as moves, and the
   moves of other columns: read all that goes somewhere, then write it.  And
   what is left of a division by L11 if inv (L11) is large: substitution.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "lu_moves.cuh"
#include "pivot.cuh"

enum
{
  THREADS = 128,
  MOST = 512, /* exchanges, */
  FEW = 128,  /* and of a block that is divided by in one kernel */
  ACROSS = 8  /* columns that a thread moves */
};

/* An inverse of a unit triangle with larger numbers loses more than this by
   cancellation; those of random matrices have some 10.  */
static constexpr float LARGE = 1024;

/* Thread i of all follows row i back to where it was, thread K + i the row
   that was exchanged with it.  The first blocks of threads look at the parts
   of X.  */
template <class T>
__global__ void
__launch_bounds__ (THREADS)
  moves_kernel (const int64_t *piv, int k, ptrdiff_t at, strided<T> X,
                row_moves moves)
{
  __shared__ int with[MOST];
  const int part = (int) blockIdx.x;
  const int t = (part - moves.parts) * THREADS + (int) threadIdx.x;
  await_last ();
  if (part < moves.parts)
    {
      int large = 0;
      for (int e = threadIdx.x; e < ROUGH_PART; e += THREADS)
        {
          const int i = (part * ROUGH_PART + e) % k;
          const int j = (part * ROUGH_PART + e) / k;
          if (j < k && !(size_of (X.p[i + j * X.cs]) <= LARGE))
            large = 1;
        }
      large = __syncthreads_or (large);
      if (threadIdx.x == 0)
        moves.rough[part] = large;
      let_next_in ();
      return;
    }
  for (int e = threadIdx.x; e < k; e += THREADS)
    with[e] = (int) (piv[e] - at - 1);
  __syncthreads ();
  if (t < 2 * k)
    {
      const int i = t < k ? t : t - k, place = t < k ? i : with[i];
      /* The first of several that name a row moves it.  */
      bool valid = t < k || place >= k;
      int row = place;
      for (int e = k - 1; e >= 0; e--)
        {
          const int y = with[e];
          row = row == e ? y : row == y ? e : row;
          if (t >= k && e < i && place == y)
            valid = false;
        }
      if (t < k)
        moves.top[i] = row;
      else
        {
          moves.to[i] = valid && row != place ? place : -1;
          moves.from[i] = row;
        }
    }
  let_next_in ();
}

template <class T>
static cudaError_t
find_moves (cudaStream_t s, gpu_mat piv, ptrdiff_t at, gpu_mat X, gpu_mat list)
{
  const row_moves moves (list, piv.m);
  return launch_chained (
    moves_kernel<T>, (unsigned) (moves.parts + ceil_div (2 * piv.m, THREADS)),
    THREADS, 0, s, (const int64_t *) piv.p, (int) piv.m, at, strided<T> (X),
    moves);
}

cudaError_t
cuda_lu_moves (cudaStream_t s, gpu_mat piv, ptrdiff_t at, gpu_mat X,
               gpu_mat list)
{
  if (piv.m > MOST)
    return cudaErrorInvalidValue;
  FOR_ELEMENT_TYPE (X.type, find_moves, s, piv, at, X, list);
}

/* What the thread, one for each of K rows, has to move of columns from A on,
   COLUMNS of them at most ACROSS; returns where what is in BELOW goes, or -1.
   Afterwards all of the block have it.  */
template <class T>
__device__ int
take_rows (const row_moves &moves, int k, const T *a, ptrdiff_t cs,
           ptrdiff_t columns, T (&top)[ACROSS], T (&below)[ACROSS])
{
  const int i = threadIdx.x, to = i < k ? moves.to[i] : -1;
  const int first = i < k ? moves.top[i] : 0;
  const int second = to >= 0 ? moves.from[i] : 0;
#pragma unroll
  for (int q = 0; q < ACROSS; q++)
    {
      top[q] = q < columns && i < k ? a[first + q * cs] : make<T> (0);
      below[q] = q < columns && to >= 0 ? a[second + q * cs] : make<T> (0);
    }
  __syncthreads ();
  return to;
}

/* Column Q of A from row I on = x[q], for the first COLUMNS.  */
template <class T>
__device__ void
put_row (T *a, ptrdiff_t cs, ptrdiff_t columns, int i, const T (&x)[ACROSS])
{
#pragma unroll
  for (int q = 0; q < ACROSS; q++)
    if (q < columns)
      a[i + q * cs] = x[q];
}

/* The rows that come to the top go into B; a thread for each of its rows.  */
template <class T>
__global__ void
__launch_bounds__ (MOST)
  move_kernel (strided<T> A, row_moves moves, strided<T> B)
{
  const int i = threadIdx.x, k = (int) B.m;
  const ptrdiff_t j = (ptrdiff_t) blockIdx.x * ACROSS, columns = A.n - j;
  T *a = A.p + j * A.cs, *b = B.p + j * B.cs;
  T top[ACROSS], below[ACROSS];
  await_last ();
  const int to = take_rows (moves, k, a, A.cs, columns, top, below);
  if (i < k)
    put_row (b, B.cs, columns, i, top);
  if (to >= 0)
    put_row (a, A.cs, columns, to, below);
  let_next_in ();
}

template <class T>
static cudaError_t
move (cudaStream_t s, gpu_mat list, gpu_mat A, gpu_mat B)
{
  return launch_chained (move_kernel<T>, (unsigned) ceil_div (A.n, ACROSS),
                         (unsigned) ceil_div (B.m, 32) * 32, 0, s,
                         strided<T> (A), row_moves (list, B.m),
                         strided<T> (B));
}

cudaError_t
cuda_lu_move (cudaStream_t s, gpu_mat list, gpu_mat A, gpu_mat B)
{
  if (A.n == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (A.type, move, s, list, A, B);
}

/* Row i of L \ B by substitution, where b is that of B, ACROSS columns; all
   threads of the block come, with K rows.  */
template <class T>
__device__ void
substitute (const strided<T> &L, int k, T (&b)[ACROSS])
{
  __shared__ T row[ACROSS];
  const int i = threadIdx.x;
  for (int c = 0; c < k; c++)
    {
      if (i == c)
#pragma unroll
        for (int q = 0; q < ACROSS; q++)
          row[q] = b[q];
      __syncthreads ();
      if (i > c && i < k)
        {
          const T l = L.p[i + c * L.cs];
#pragma unroll
          for (int q = 0; q < ACROSS; q++)
            b[q] = mul_sub (b[q], l, row[q]);
        }
      __syncthreads ();
    }
}

/* For all threads: whether a part of inv (L) is large.  */
__device__ static bool
is_rough (const row_moves &moves)
{
  int rough = 0;
  for (int p = threadIdx.x; p < moves.parts; p += (int) blockDim.x)
    rough |= moves.rough[p];
  return __syncthreads_or (rough);
}

/* U = L \ B if inv (L) is large, else nothing.  A thread has a row of ACROSS
   columns.  */
template <class T>
__global__ void
__launch_bounds__ (MOST)
  solve_kernel (strided<T> L, row_moves moves, strided<T> B, strided<T> U)
{
  const int i = threadIdx.x, k = (int) L.n;
  const ptrdiff_t j = (ptrdiff_t) blockIdx.x * ACROSS;
  T b[ACROSS];
  await_last ();
  if (!is_rough (moves))
    {
      let_next_in ();
      return;
    }
#pragma unroll
  for (int q = 0; q < ACROSS; q++)
    b[q] = i < k && j + q < B.n ? B.p[i + (j + q) * B.cs] : make<T> (0);
  substitute (L, k, b);
  if (i < k)
    put_row (U.p + j * U.cs, U.cs, B.n - j, i, b);
  let_next_in ();
}

template <class T>
static cudaError_t
solve (cudaStream_t s, gpu_mat list, gpu_mat L, gpu_mat B, gpu_mat U)
{
  return launch_chained (solve_kernel<T>, (unsigned) ceil_div (B.n, ACROSS),
                         (unsigned) ceil_div (L.n, 32) * 32, 0, s,
                         strided<T> (L), row_moves (list, L.n), strided<T> (B),
                         strided<T> (U));
}

cudaError_t
cuda_lu_solve (cudaStream_t s, gpu_mat list, gpu_mat L, gpu_mat B, gpu_mat U)
{
  if (B.n == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (L.type, solve, s, list, L, B, U);
}

/* The moves of A's rows, and its top divided by L: all of it in one kernel,
   for few rows of L.  A thread has a row of ACROSS columns.  */
template <class T>
__global__ void
__launch_bounds__ (FEW)
  divide_kernel (strided<T> L, strided<T> X, row_moves moves, strided<T> A)
{
  __shared__ T top[FEW][ACROSS];
  const int i = threadIdx.x, k = (int) L.n;
  const ptrdiff_t j = (ptrdiff_t) blockIdx.x * ACROSS, columns = A.n - j;
  T *a = A.p + j * A.cs;
  T b[ACROSS], below[ACROSS], x[ACROSS];
  await_last ();
  const int to = take_rows (moves, k, a, A.cs, columns, b, below);
#pragma unroll
  for (int q = 0; q < ACROSS; q++)
    {
      top[i][q] = b[q];
      x[q] = make<T> (0);
    }
  if (to >= 0)
    put_row (a, A.cs, columns, to, below);
  const bool rough = is_rough (moves);
  if (rough)
    {
      substitute (L, k, b);
#pragma unroll
      for (int q = 0; q < ACROSS; q++)
        x[q] = b[q];
    }
  else
    {
      /* X is zero above its diagonal.  */
      const int most = i / 32 * 32 + 32, end = most < k ? most : k;
#pragma unroll 8
      for (int c = 0; c < end; c++)
        {
          const T y = i < k ? X.p[i + c * X.cs] : make<T> (0);
#pragma unroll
          for (int q = 0; q < ACROSS; q++)
            x[q] = mul_add (x[q], y, top[c][q]);
        }
    }
  if (i < k)
    put_row (a, A.cs, columns, i, x);
  let_next_in ();
}

template <class T>
static cudaError_t
divide (cudaStream_t s, gpu_mat list, gpu_mat X, gpu_mat L, gpu_mat A)
{
  return launch_chained (divide_kernel<T>, (unsigned) ceil_div (A.n, ACROSS),
                         (unsigned) ceil_div (L.n, 32) * 32, 0, s,
                         strided<T> (L), strided<T> (X), row_moves (list, L.n),
                         strided<T> (A));
}

cudaError_t
cuda_lu_divide (cudaStream_t s, gpu_mat list, gpu_mat X, gpu_mat L, gpu_mat A)
{
  if (L.n > FEW)
    return cudaErrorInvalidValue;
  if (A.n == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (L.type, divide, s, list, X, L, A);
}
