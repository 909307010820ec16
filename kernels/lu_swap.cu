/* lu_swap.cu: the exchanges of rows of a block of columns as moves, and the
   moves of other columns: read all that goes somewhere, then write it.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "lu_moves.cuh"

enum
{
  THREADS = 128,
  MOST = 512, /* exchanges */
  ACROSS = 8  /* columns that a thread moves */
};

/* Thread i of all follows row i back to where it was, thread K + i the row that
   was exchanged with it.  */
__global__ static void
__launch_bounds__ (THREADS)
  moves_kernel (const int64_t *piv, int k, ptrdiff_t at, row_moves moves)
{
  __shared__ int with[MOST];
  const int t = (int) (blockIdx.x * THREADS + threadIdx.x);
  await_last ();
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

cudaError_t
cuda_lu_moves (cudaStream_t s, gpu_mat piv, ptrdiff_t at, gpu_mat list)
{
  if (piv.m > MOST)
    return cudaErrorInvalidValue;
  return launch_chained (moves_kernel,
                         (unsigned) ceil_div (2 * piv.m, THREADS), THREADS, 0,
                         s, (const int64_t *) piv.p, (int) piv.m, at,
                         row_moves (list, piv.m));
}

/* The rows that come to the top go into B; a thread for each of its rows.  */
template <class T>
__global__ void
__launch_bounds__ (MOST)
  move_kernel (strided<T> A, row_moves moves, strided<T> B)
{
  const int i = threadIdx.x, k = (int) B.m;
  const ptrdiff_t j = (ptrdiff_t) blockIdx.x * ACROSS;
  T *a = A.p + j * A.cs, *b = B.p + j * B.cs;
  T top[ACROSS], below[ACROSS];
  await_last ();
  const int to = i < k ? moves.to[i] : -1;
  const int first = i < k ? moves.top[i] : 0;
  const int second = to >= 0 ? moves.from[i] : 0;
#pragma unroll
  for (int q = 0; q < ACROSS; q++)
    if (j + q < A.n)
      {
        if (i < k)
          top[q] = a[first + q * A.cs];
        if (to >= 0)
          below[q] = a[second + q * A.cs];
      }
  __syncthreads ();
#pragma unroll
  for (int q = 0; q < ACROSS; q++)
    if (j + q < A.n)
      {
        if (i < k)
          b[i + q * B.cs] = top[q];
        if (to >= 0)
          a[to + q * A.cs] = below[q];
      }
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
