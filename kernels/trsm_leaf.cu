/* trsm_leaf.cu: B = T \ B in place for a triangular leaf T, by substitution:
   stable however badly conditioned T is, which a product with its inverse is
   not.

   Lower T in panels of PANEL columns; a block of threads has WIDTH columns of
   B in shared memory:

        T              B          (1) one warp solves with the triangle D, a
      +---+          +---+            lane a column of B, in registers;
      | D |          | X |        (2) all threads update C = C - P * X.  A
      +---+---+      +---+            thread computes ROWS x COLS elements,
      | P |   |      | C |            DOWN and ACROSS apart.
      +---+---+      +---+
   The next panel is on its way while one is used.  An upper T is a lower one
   read backwards, from the last row and column.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pivot.cuh"

enum
{
  PANEL = 32, /* a warp */
  WIDTH = PANEL,
  DOWN = 32,
  ACROSS = 8,
  THREADS = DOWN * ACROSS,
  COLS = WIDTH / ACROSS
};

/* The thread's elements of a panel of the rows that are left, REST of them
   inside T, bordered by an identity.  Above the diagonal nothing is read, nor,
   if T is UNIT, on it.  */
template <class T, int LOADS>
__device__ void
load_panel (T (&panel)[LOADS], walk<T> w, int rest, bool unit, bool conj)
{
#pragma unroll
  for (int e = 0; e < LOADS; e++, w.next ())
    {
      panel[e] = make<T> (w.i == w.j);
      if (w.j <= w.i && w.i < rest && !(unit && w.i == w.j))
        panel[e] = conj_if (conj, *w.p);
    }
}

/* x = D \ x for one column of B a lane; D is the triangle of the panel.  */
template <class T, int LD>
__device__ __noinline__ void
solve_column (const T (*D)[LD], T *inverse, T *column)
{
  inverse[threadIdx.x] = reciprocal (D[threadIdx.x][threadIdx.x]);
  __syncwarp ();
  T x[PANEL];
#pragma unroll
  for (int i = 0; i < PANEL; i++)
    x[i] = column[i];
#pragma unroll
  for (int c = 0; c < PANEL; c++)
    {
      x[c] = mul (x[c], inverse[c]);
#pragma unroll
      for (int i = c + 1; i < PANEL; i++)
        x[i] = mul_sub (x[i], D[c][i], x[c]);
    }
#pragma unroll
  for (int i = 0; i < PANEL; i++)
    column[i] = x[i];
}

/* C = C - P * X: ROWS * DOWN rows of P below the triangle of the panel, and of
   C below the rows K to K + PANEL of b, which hold X.  */
template <class T, int ROWS, int LD>
__device__ void
update (const T (*panel)[LD], T (*b)[LD], int k)
{
  const int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;
  T sum[ROWS][COLS];
#pragma unroll
  for (int r = 0; r < ROWS; r++)
#pragma unroll
    for (int c = 0; c < COLS; c++)
      sum[r][c] = make<T> (0);
#pragma unroll 4
  for (int q = 0; q < PANEL; q++)
    {
      T u[ROWS], v[COLS];
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        u[r] = panel[q][PANEL + y + DOWN * r];
#pragma unroll
      for (int c = 0; c < COLS; c++)
        v[c] = b[x + ACROSS * c][k + q];
#pragma unroll
      for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int c = 0; c < COLS; c++)
          sum[r][c] = mul_add (sum[r][c], u[r], v[c]);
    }
#pragma unroll
  for (int r = 0; r < ROWS; r++)
#pragma unroll
    for (int c = 0; c < COLS; c++)
      {
        T *s = &b[x + ACROSS * c][k + PANEL + y + DOWN * r];
        *s = mul_sub (*s, make<T> (1), sum[r][c]);
      }
}

template <class T, int SIZE>
__global__ void
__launch_bounds__ (THREADS, 1)
  trsm_leaf_kernel (strided<T> A, bool unit, strided<T> B)
{
  constexpr int LD = SIZE + 1, LOADS = SIZE * WIDTH / THREADS;
  constexpr int PIECES = SIZE * PANEL / THREADS;
  extern __shared__ __align__ (16) unsigned char shared[];
  T (*b)[LD] = (T (*)[LD]) shared, (*panel)[LD] = b + WIDTH;
  __shared__ T inverse[PANEL];
  const int n = (int) B.m;
  const ptrdiff_t tiles = (B.n + WIDTH - 1) / WIDTH;

  for (ptrdiff_t g = blockIdx.x; g < tiles * B.pages; g += gridDim.x)
    {
      const ptrdiff_t page = g / tiles, j0 = g % tiles * WIDTH;
      const int width = (int) min ((ptrdiff_t) WIDTH, B.n - j0);
      walk<T> place (A, page, A.by_rows ? PANEL : SIZE);
      T x[LOADS], next[PIECES];
      load_panel (next, place, n, unit, A.conj);

      walk<T> from (B, page, B.by_rows ? WIDTH : SIZE);
      from.p += j0 * B.cs;
      walk<T> to = from;
#pragma unroll
      for (int e = 0; e < LOADS; e++, from.next ())
        {
          x[e] = make<T> (0);
          if (from.i < n && from.j < width)
            x[e] = conj_if (B.conj, *from.p);
        }
      from = to;
#pragma unroll
      for (int e = 0; e < LOADS; e++, from.next ())
        b[from.j][from.i] = x[e];

      for (int k = 0; k < n; k += PANEL)
        {
          __syncthreads ();
          walk<T> w = place;
#pragma unroll
          for (int e = 0; e < PIECES; e++, w.next ())
            panel[w.j][w.i] = next[e];
          __syncthreads ();
          if (threadIdx.x < WIDTH)
            solve_column<T, LD> (panel, inverse, &b[threadIdx.x][k]);
          __syncthreads ();
          place.p += PANEL * (A.rs + A.cs);
          load_panel (next, place, n - k - PANEL, unit, A.conj);
          const int rest = SIZE - k - PANEL;
          if (rest == 96)
            update<T, 96 / DOWN, LD> (panel, b, k);
          else if (rest == 64)
            update<T, 64 / DOWN, LD> (panel, b, k);
          else if (rest == 32)
            update<T, 32 / DOWN, LD> (panel, b, k);
        }
      __syncthreads ();

#pragma unroll
      for (int e = 0; e < LOADS; e++, to.next ())
        if (to.i < n && to.j < width)
          *to.p = conj_if (B.conj, b[to.j][to.i]);
      __syncthreads ();
    }
}

template <class T, int SIZE>
static cudaError_t
launch (cudaStream_t s, gpu_uplo uplo, gpu_mat A, gpu_mat B)
{
  strided<T> a (A), b (B);
  if (!(uplo & GPU_LOWER))
    {
      a.p += (a.n - 1) * (a.rs + a.cs);
      a.rs = -a.rs;
      a.cs = -a.cs;
      b.p += (b.m - 1) * b.rs;
      b.rs = -b.rs;
    }
  return launch_shared (trsm_leaf_kernel<T, SIZE>,
                        grid_for (ceil_div (B.n, WIDTH) * B.pages), THREADS,
                        (WIDTH + PANEL) * (SIZE + 1) * sizeof (T), s, a,
                        (uplo & GPU_UNIT) != 0, b);
}

template <class T>
static cudaError_t
trsm_leaf (cudaStream_t s, gpu_uplo uplo, gpu_mat A, gpu_mat B)
{
  if (B.m <= 32)
    return launch<T, 32> (s, uplo, A, B);
  if (B.m <= 64)
    return launch<T, 64> (s, uplo, A, B);
  if constexpr (sizeof (T) <= 8)
    if (B.m <= 128)
      return launch<T, 128> (s, uplo, A, B);
  return cudaErrorInvalidValue;
}

cudaError_t
cuda_trsm_leaf (cudaStream_t s, gpu_uplo uplo, gpu_mat T, gpu_mat B)
{
  if (B.m == 0 || B.n == 0 || B.pages == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (B.type, trsm_leaf, s, uplo, T, B);
}
