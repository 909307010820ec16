/* chol_leaf.cu: R = chol (A) and W = inv (R) of one small block per page,
   in shared memory.

   S holds the block column by column, with a pad of one element a column, so
   that rows and columns are both read without bank conflicts:

             j ->
         +-------------+     upper triangle: A, then R
       i | \  A -> R   |     strict lower:   W transposed, W(i,j) at S(j,i)
       | |   \         |     diagonal:       R's, then W's
       v |  W' \       |
         +-------------+

   Panels of PANEL rows: (1) one warp factors the diagonal block, a lane a
   column in registers; (2) a thread a column solves the rows to the right,
   and another warp inverts the diagonal block; (3) all threads update what is
   below.  Then the inverse grows by doubling: [R1 R12; R2] has the corner
   -W1 * R12 * W2.  A block smaller than SIZE is bordered by an identity.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common.cuh"

enum
{
  PANEL = 32, /* a warp */
  GRID = 16,  /* the threads as GRID x GRID for products */
  THREADS = GRID * GRID
};

/* The largest block of each type, and the distance of the columns in S: one
   for all sizes, so that the code is compiled once.  */
template <class T> constexpr int max_size = sizeof (T) > 8 ? 64 : 128;
template <class T> constexpr int ld_of = max_size<T> + 1;

__device__ static inline float
inverse_sqrt (float x)
{
  return rsqrtf (x);
}
__device__ static inline double
inverse_sqrt (double x)
{
  return rsqrt (x);
}

/* The pivot chain.  Lane j of one warp holds column j of the block at S; row
   c, once final, goes round through ROWS.  Every lane forms the next pivot by
   itself, from two elements fetched a step ahead, so that only it and its
   root are on the critical path.  Returns the first pivot (1-based) that is
   not positive, or 0.  NaN is no failure: it spreads, as in LAPACK.  */
template <class T>
__device__ __noinline__ int
factor_panel (T *S, T (*rows)[PANEL], typename real_of<T>::type *inverse)
{
  constexpr int LD = ld_of<T>;
  using R = typename real_of<T>::type;
  const int lane = threadIdx.x;
  T a[PANEL];
#pragma unroll
  for (int i = 0; i < PANEL; i++)
    a[i] = i <= lane ? S[i + lane * LD] : make<T> (0);

  R pivot = from_lane (real_part (a[0]), 0), mine = 0;
  T beside = from_lane (a[0], 1);
  R below = from_lane (real_part (a[1]), 1);
  int bad = 0;
#pragma unroll
  for (int c = 0; c < PANEL; c++)
    {
      R r = inverse_sqrt (pivot);
      if (!bad && pivot <= 0)
        bad = c + 1;
      if (lane == c)
        mine = pivot;
      T x = scale (beside, r);
      pivot = real_part (mul_sub_conj (make<T> (below), x, x));

      a[c] = scale (a[c], r);
      T *row = rows[c & 1];
      row[lane] = a[c];
      __syncwarp ();
#pragma unroll
      for (int i = c + 1; i < PANEL; i++)
        {
          a[i] = mul_sub_conj (a[i], row[i], a[c]);
          if (i == c + 1 && i + 1 < PANEL)
            beside = from_lane (a[i], i + 1);
          if (i == c + 2)
            below = from_lane (real_part (a[i]), i);
        }
    }

#pragma unroll
  for (int i = 0; i < PANEL; i++)
    if (i < lane)
      S[i + lane * LD] = a[i];
  S[lane + lane * LD] = make<T> (sqrt (mine));
  inverse[lane] = 1 / sqrt (mine);
  return bad;
}

/* x = R' \ x for column x of the panel whose diagonal block is R.  */
template <class T>
__device__ __noinline__ void
solve_column (const T *R, const typename real_of<T>::type *inverse, T *column)
{
  constexpr int LD = ld_of<T>;
  T x[PANEL];
#pragma unroll
  for (int i = 0; i < PANEL; i++)
    x[i] = column[i];
#pragma unroll
  for (int c = 0; c < PANEL; c++)
    {
      x[c] = scale (x[c], inverse[c]);
#pragma unroll
      for (int i = c + 1; i < PANEL; i++)
        x[i] = mul_sub_conj (x[i], R[c + i * LD], x[c]);
    }
#pragma unroll
  for (int i = 0; i < PANEL; i++)
    column[i] = x[i];
}

/* The inverse of one diagonal block by a warp, a lane a column:
   w(i) = ([i == j] - sum (R(i,i+1:j) * w(i+1:j))) / R(i,i).  */
template <class T>
__device__ __noinline__ void
invert_panel (T *S, const typename real_of<T>::type *inverse)
{
  constexpr int LD = ld_of<T>;
  const int lane = threadIdx.x % PANEL;
  T w[PANEL];
#pragma unroll
  for (int i = 0; i < PANEL; i++)
    w[i] = make<T> (i == lane);
#pragma unroll
  for (int i = PANEL - 1; i >= 0; i--)
    {
      T minus = scale (w[i], -inverse[i]);
      w[i] = scale (w[i], inverse[i]);
#pragma unroll
      for (int h = 0; h < i; h++)
        w[h] = mul_add (w[h], S[h + i * LD], minus);
    }
#pragma unroll
  for (int i = 0; i < PANEL; i++)
    if (i < lane)
      S[lane + i * LD] = w[i];
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

/* W(i,j) of the triangle at S, zero below the diagonal.  */
template <class T>
__device__ T
inverse_at (const T *S, int i, int j)
{
  T w = S[j + i * ld_of<T>];
  return i <= j ? w : make<T> (0);
}

/* W12 = -W1 * R12 * W2 for the corners of all blocks of size 2 * HALF on the
   diagonal of S, side by side.  First R12 * W2 goes to the place of W12, then
   -W1 times that.  A block has ROWS x GRID threads, each of them computes
   DOWN x ACROSS elements; what the triangles of W1 and W2 make zero is left
   out, GRID columns of q at a time.  */
template <class T, int SIZE, int HALF>
__device__ void
invert_corners (T *S)
{
  constexpr int LD = ld_of<T>, BLOCKS = SIZE / (2 * HALF);
  constexpr int ROWS = GRID / BLOCKS, DOWN = HALF / ROWS, ACROSS = HALF / GRID;
  const int x = threadIdx.x % GRID, y = threadIdx.x / GRID % ROWS;
  S += threadIdx.x / (GRID * ROWS) * 2 * HALF * (LD + 1);
  const T *R12 = S + HALF * LD, *W2 = S + HALF * (LD + 1);
  T *W12 = S + HALF;

#pragma unroll
  for (int step = 0; step < 2; step++)
    {
      T sum[DOWN][ACROSS];
#pragma unroll
      for (int a = 0; a < DOWN; a++)
#pragma unroll
        for (int b = 0; b < ACROSS; b++)
          sum[a][b] = make<T> (0);
#pragma unroll
      for (int s = 0; s < ACROSS; s++)
#pragma unroll 4
        for (int q = GRID * s; q < GRID * (s + 1); q++)
          {
            T u[DOWN], v[ACROSS];
#pragma unroll
            for (int a = 0; a < DOWN; a++)
              if (step == 0)
                u[a] = R12[y + ROWS * a + q * LD];
              else if (ROWS * a < GRID * (s + 1))
                u[a] = inverse_at (S, y + ROWS * a, q);
#pragma unroll
            for (int b = 0; b < ACROSS; b++)
              if (step == 1)
                v[b] = W12[x + GRID * b + q * LD];
              else if (b >= s)
                v[b] = inverse_at (W2, q, x + GRID * b);
#pragma unroll
            for (int a = 0; a < DOWN; a++)
#pragma unroll
              for (int b = 0; b < ACROSS; b++)
                if (step == 0 ? b >= s : ROWS * a < GRID * (s + 1))
                  sum[a][b] = mul_add (sum[a][b], u[a], v[b]);
          }
      __syncthreads ();
#pragma unroll
      for (int a = 0; a < DOWN; a++)
#pragma unroll
        for (int b = 0; b < ACROSS; b++)
          W12[x + GRID * b + (y + ROWS * a) * LD]
            = scale (sum[a][b], (typename real_of<T>::type) (1 - 2 * step));
      __syncthreads ();
    }
}

/* R and the inverses of the diagonal blocks, from column K on.  */
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
      if (t == 0 && b && !*bad)
        *bad = K + b;
    }
  __syncthreads ();
  if (t < REST)
    solve_column<T> (P, inverse + K, P + (PANEL + t) * LD);
  else if (t >= THREADS - PANEL)
    invert_panel<T> (P, inverse + K);
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

/* R, whose diagonal is apart, to A.  */
template <class T, int SIZE>
__device__ void
store_factor (const T *S, const typename real_of<T>::type *diagonal,
              const strided<T> &A, ptrdiff_t page)
{
  const int n = (int) A.n;
  walk<T> from (A, page, SIZE), to = from;
  for (int s = 0; s < moves<SIZE>; s += batch<SIZE>)
    {
      T x[batch<SIZE>];
#pragma unroll
      for (int e = 0; e < batch<SIZE>; e++, from.next ())
        {
          x[e] = S[from.i + from.j * ld_of<T>];
          if (from.i == from.j)
            x[e] = make<T> (diagonal[from.i]);
        }
#pragma unroll
      for (int e = 0; e < batch<SIZE>; e++, to.next ())
        if (to.i <= to.j && to.j < n)
          *to.p = conj_if (A.conj, x[e]);
    }
}

template <class T, int SIZE>
__device__ void
store_inverse (const T *S, const strided<T> &W, ptrdiff_t page, int n)
{
  walk<T> from (W, page, SIZE), to = from;
  for (int s = 0; s < moves<SIZE>; s += batch<SIZE>)
    {
      T x[batch<SIZE>];
#pragma unroll
      for (int e = 0; e < batch<SIZE>; e++, from.next ())
        x[e] = inverse_at (S, from.i, from.j);
#pragma unroll
      for (int e = 0; e < batch<SIZE>; e++, to.next ())
        if (to.i < n && to.j < n)
          *to.p = x[e];
    }
}

/* A block of threads takes a page.  */
template <class T, int SIZE>
__global__ void
__launch_bounds__ (THREADS, 1)
  chol_leaf_kernel (strided<T> A, strided<T> W, int64_t *info,
                    ptrdiff_t info_step, ptrdiff_t at)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  T *S = (T *) shared;
  __shared__ __align__ (16) T rows[2][PANEL];
  __shared__ typename real_of<T>::type inverse[SIZE];
  __shared__ int bad;
  const int t = threadIdx.x;

  for (ptrdiff_t page = blockIdx.x; page < A.pages; page += gridDim.x)
    {
      if (info[page * info_step] != 0)
        continue;

      load_block<T, SIZE> (A, page, S);
      if (t == 0)
        bad = 0;
      __syncthreads ();

      factor<T, SIZE, 0> (S, rows, inverse, &bad);

      /* Exchange the diagonals of R and W.  */
      if (t < SIZE)
        {
          T *s = S + t * (ld_of<T> + 1);
          typename real_of<T>::type r = real_part (*s);
          *s = make<T> (inverse[t]);
          inverse[t] = r;
        }
      __syncthreads ();
      if constexpr (SIZE >= 64)
        invert_corners<T, SIZE, 32> (S);
      if constexpr (SIZE >= 128)
        invert_corners<T, SIZE, 64> (S);

      store_factor<T, SIZE> (S, inverse, A, page);
      store_inverse<T, SIZE> (S, W, page, (int) A.n);
      if (t == 0 && bad)
        info[page * info_step] = at + bad;
      __syncthreads ();
    }
}

template <class T>
static ptrdiff_t
leaf_size (size_t shared)
{
  /* The static arrays and what the system keeps take a few KiB.  */
  const size_t other = 4096;
  ptrdiff_t size = max_size<T>;
  while (size > PANEL
         && (size_t) (size * ld_of<T>) *sizeof (T) + other > shared)
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
launch (cudaStream_t s, gpu_mat A, gpu_mat W, gpu_mat info, ptrdiff_t at)
{
  size_t bytes = (size_t) SIZE * ld_of<T> * sizeof (T);
  cudaError_t status = cudaFuncSetAttribute (
    (const void *) chol_leaf_kernel<T, SIZE>,
    cudaFuncAttributeMaxDynamicSharedMemorySize, (int) bytes);
  if (status != cudaSuccess)
    return status;
  chol_leaf_kernel<T, SIZE><<<grid_for (A.pages), THREADS, bytes, s>>> (
    strided<T> (A), strided<T> (W), (int64_t *) info.p, info.step, at);
  return cudaGetLastError ();
}

template <class T>
static cudaError_t
chol_leaf (cudaStream_t s, gpu_mat A, gpu_mat W, gpu_mat info, ptrdiff_t at)
{
  if (A.n <= 32)
    return launch<T, 32> (s, A, W, info, at);
  if (A.n <= 64)
    return launch<T, 64> (s, A, W, info, at);
  if constexpr (max_size<T> >= 128)
    if (A.n <= 128)
      return launch<T, 128> (s, A, W, info, at);
  return cudaErrorInvalidValue;
}

cudaError_t
cuda_chol_leaf (cudaStream_t s, gpu_mat A, gpu_mat W, gpu_mat info,
                ptrdiff_t at)
{
  if (A.n == 0 || A.pages == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (A.type, chol_leaf, s, A, W, info, at);
}
