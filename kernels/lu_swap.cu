/* lu_swap.cu: the exchanges of rows of a block of columns as moves, and the
   moves of other columns: read all that goes somewhere, then write it.  And
   divisions by the triangle L11 of the block.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "lu_moves.cuh"
#include "unit_triangle.cuh"

enum
{
  THREADS = 128,
  MOST = 512,   /* exchanges */
  ACROSS = 8,   /* columns that a thread moves */
  NARROW = 1024 /* columns that fill the device only if fewer are together */
};

/* An inverse of a unit triangle with larger numbers loses more than this by
   cancellation; those of random matrices have some 10.  */
static constexpr float LARGE = 1024;

/* What comes to row i, i < K, and what comes to the row that it was exchanged
   with, by K exchanges of rows i and WITH[i]: both are followed back to where
   they were.  TO is -1 if another of the K moves that row, or none.  */
struct row_move
{
  int top, to, from;

  __device__ explicit row_move (int i) : top (i), to (-1), from (0) {}
  __device__
  row_move (const row_moves &moves, int i)
      : top (moves.top[i]), to (moves.to[i]),
        from (to >= 0 ? moves.from[i] : 0)
  {
  }
  __device__
  row_move (const int *with, int k, int i)
  {
    const int place = with[i];
    /* The first of several that name a row below the K moves it.  */
    bool valid = place >= k;
    top = i;
    from = place;
#pragma unroll 8
    for (int e = k - 1; e >= 0; e--)
      {
        const int y = with[e];
        top = before_exchange (top, e, y);
        from = before_exchange (from, e, y);
        if (e < i && place == y)
          valid = false;
      }
    to = valid && from != place ? place : -1;
  }
};

/* The exchanges piv, K of them: what row_move says for thread i of a block,
   all of whose threads come; WITH has room for them.  */
__device__ static row_move
find_move (const int64_t *piv, int k, ptrdiff_t at, int *with)
{
  const int i = threadIdx.x;
  if (i < k)
    with[i] = (int) (piv[i] - at - 1);
  __syncthreads ();
  return i < k ? row_move (with, k, i) : row_move (i);
}

/* The first blocks of threads look at the parts of X, the others have a thread
   for each of K exchanges.  */
template <class T>
__global__ void
__launch_bounds__ (THREADS)
  moves_kernel (const int64_t *piv, int k, ptrdiff_t at, strided<T> X,
                row_moves moves)
{
  __shared__ int with[MOST];
  const int part = (int) blockIdx.x;
  const int i = (part - moves.parts) * THREADS + (int) threadIdx.x;
  await_last ();
  if (part < moves.parts)
    {
      int large = 0;
      for (int e = threadIdx.x; e < ROUGH_PART; e += THREADS)
        {
          const int r = (part * ROUGH_PART + e) % k;
          const int c = (part * ROUGH_PART + e) / k;
          if (c < k && !(size_of (X.p[r + c * X.cs]) <= LARGE))
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
  if (i < k)
    {
      const row_move move (with, k, i);
      moves.top[i] = move.top;
      moves.to[i] = move.to;
      moves.from[i] = move.from;
    }
  let_next_in ();
}

template <class T>
static cudaError_t
find_moves (cudaStream_t s, gpu_mat piv, ptrdiff_t at, gpu_mat X, gpu_mat list)
{
  const row_moves moves (list, piv.m);
  return launch_chained (moves_kernel<T>,
                         (unsigned) (moves.parts + ceil_div (piv.m, THREADS)),
                         THREADS, 0, s, (const int64_t *) piv.p, (int) piv.m,
                         at, strided<T> (X), moves);
}

cudaError_t
cuda_lu_moves (cudaStream_t s, gpu_mat piv, ptrdiff_t at, gpu_mat X,
               gpu_mat list)
{
  if (piv.m > MOST)
    return cudaErrorInvalidValue;
  FOR_ELEMENT_TYPE (X.type, find_moves, s, piv, at, X, list);
}

/* x[q] = column Q of A from row I on, for the first COLUMNS; the others are
   zero.  */
template <class T, int N>
__device__ void
get_row (const T *a, ptrdiff_t cs, ptrdiff_t columns, int i, T (&x)[N])
{
#pragma unroll
  for (int q = 0; q < N; q++)
    x[q] = q < columns ? a[i + q * cs] : make<T> (0);
}

/* Column Q of A from row I on = x[q], for the first COLUMNS.  */
template <class T, int N>
__device__ void
put_row (T *a, ptrdiff_t cs, ptrdiff_t columns, int i, const T (&x)[N])
{
#pragma unroll
  for (int q = 0; q < N; q++)
    if (q < columns)
      a[i + q * cs] = x[q];
}

/* What MOVE says done to COLUMNS of A, ACROSS at most, a thread for each of K
   rows; what comes to their top goes into B.  */
template <class T>
__device__ void
move_rows (const row_move &move, int k, T *a, ptrdiff_t cs, T *b,
           ptrdiff_t b_cs, ptrdiff_t columns)
{
  const int i = threadIdx.x;
  T top[ACROSS], below[ACROSS];
  get_row (a, cs, i < k ? columns : 0, move.top, top);
  get_row (a, cs, move.to >= 0 ? columns : 0, move.from, below);
  __syncthreads ();
  if (i < k)
    put_row (b, b_cs, columns, i, top);
  if (move.to >= 0)
    put_row (a, cs, columns, move.to, below);
}

/* The rows that come to the top go into B; a thread for each of its rows.  */
template <class T>
__global__ void
__launch_bounds__ (MOST)
  move_kernel (strided<T> A, row_moves moves, strided<T> B)
{
  const int i = threadIdx.x, k = (int) B.m;
  const ptrdiff_t j = (ptrdiff_t) blockIdx.x * ACROSS, columns = A.n - j;
  await_last ();
  const row_move move = i < k ? row_move (moves, i) : row_move (i);
  move_rows (move, k, A.p + j * A.cs, A.cs, B.p + j * B.cs, B.cs, columns);
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

/* The exchanges piv, K of them, done to A's rows, a thread for each.  */
template <class T>
__global__ void
__launch_bounds__ (MOST)
  exchange_kernel (const int64_t *piv, int k, ptrdiff_t at, strided<T> A)
{
  __shared__ int with[MOST];
  const ptrdiff_t j = (ptrdiff_t) blockIdx.x * ACROSS, columns = A.n - j;
  T *a = A.p + j * A.cs;
  await_last ();
  const row_move move = find_move (piv, k, at, with);
  move_rows (move, k, a, A.cs, a, A.cs, columns);
  let_next_in ();
}

template <class T>
static cudaError_t
exchange (cudaStream_t s, gpu_mat piv, ptrdiff_t at, gpu_mat A)
{
  return launch_chained (exchange_kernel<T>, (unsigned) ceil_div (A.n, ACROSS),
                         (unsigned) ceil_div (piv.m, 32) * 32, 0, s,
                         (const int64_t *) piv.p, (int) piv.m, at,
                         strided<T> (A));
}

cudaError_t
cuda_lu_exchange (cudaStream_t s, gpu_mat piv, ptrdiff_t at, gpu_mat A)
{
  if (piv.m > MOST)
    return cudaErrorInvalidValue;
  if (A.n == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (A.type, exchange, s, piv, at, A);
}

/* rows[i] = the row that exchanges AT to AT + K - 1 bring to row i, for rows
   from AT on.  Blocks of threads in a row have one such block of K, or what is
   left of COUNT, each; its rows are a column of ROWS.  */
__global__ static void
__launch_bounds__ (THREADS)
  trace_kernel (const int64_t *piv, int count, int at, int k, int m, int *rows)
{
  __shared__ int with[MOST];
  const int parts = (m - at + THREADS - 1) / THREADS;
  const int block = (int) blockIdx.x / parts;
  const int i = at + (int) blockIdx.x % parts * THREADS + (int) threadIdx.x;
  const int left = count - block * k, some = left < k ? left : k;
  at += block * k;
  await_last ();
  for (int e = threadIdx.x; e < some; e += THREADS)
    with[e] = (int) piv[block * k + e] - 1;
  __syncthreads ();
  int row = i;
#pragma unroll 8
  for (int e = some - 1; e >= 0; e--)
    row = before_exchange (row, at + e, with[e]);
  if (i < m)
    rows[i + (ptrdiff_t) block * m] = row;
  let_next_in ();
}

static cudaError_t
trace (cudaStream_t s, gpu_mat piv, ptrdiff_t at, ptrdiff_t k, gpu_mat rows)
{
  const ptrdiff_t parts = ceil_div (rows.m - at, THREADS);
  return launch_chained (trace_kernel,
                         (unsigned) (parts * ceil_div (piv.m, k)), THREADS, 0,
                         s, (const int64_t *) piv.p, (int) piv.m, (int) at,
                         (int) k, (int) rows.m, (int *) rows.p);
}

cudaError_t
cuda_lu_trace (cudaStream_t s, gpu_mat piv, ptrdiff_t at, gpu_mat rows)
{
  if (piv.m > MOST)
    return cudaErrorInvalidValue;
  return trace (s, piv, at, piv.m, rows);
}

__global__ static void
__launch_bounds__ (THREADS)
  order_kernel (const int *rows, int m, int blocks, int64_t *to, int64_t *from)
{
  const int i = (int) (blockIdx.x * THREADS + threadIdx.x);
  int row = i;
  await_last ();
  if (i < m)
    {
      for (int b = blocks - 1; b >= 0; b--)
        row = rows[row + (ptrdiff_t) b * m];
      from[i] = row;
      to[row] = i;
    }
  let_next_in ();
}

cudaError_t
cuda_lu_order (cudaStream_t s, gpu_mat piv, gpu_mat rows, gpu_mat to,
               gpu_mat from)
{
  const cudaError_t status = trace (s, piv, 0, MOST, rows);
  if (status != cudaSuccess)
    return status;
  return launch_chained (order_kernel, (unsigned) ceil_div (rows.m, THREADS),
                         THREADS, 0, s, (const int *) rows.p, (int) rows.m,
                         (int) ceil_div (piv.m, MOST), (int64_t *) to.p,
                         (int64_t *) from.p);
}

/* Column J of ALL = what comes to each row by the exchanges of all blocks of W
   behind block J, from those of each in ROWS.  */
__global__ static void
__launch_bounds__ (THREADS)
  all_rows_kernel (const int *rows, int m, int blocks, int w, int *all)
{
  const int i = (int) (blockIdx.x * blockDim.x + threadIdx.x);
  int row = i;
  await_last ();
  if (i < m)
    for (int b = blocks - 1; b > 0; b--)
      {
        if (row >= b * w)
          row = rows[row + (ptrdiff_t) b * m];
        all[i + (ptrdiff_t) (b - 1) * m] = row;
      }
  let_next_in ();
}

/* A's columns left of the last of BLOCKS get the exchanges that they have not
   had: each from below its block on, through BUFFER, or shared memory if that
   is NULL.  */
template <class T>
__global__ void
__launch_bounds__ (MOST)
  reorder_kernel (strided<T> A, const int *all, int blocks, int w, T *buffer)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  const int m = (int) A.m;
  T *held = buffer ? buffer + (ptrdiff_t) blockIdx.x * m : (T *) shared;
  await_last ();
  for (int j = (int) blockIdx.x; j < (blocks - 1) * w; j += (int) gridDim.x)
    {
      const int b = j / w, top = (b + 1) * w;
      const int *rows = all + (ptrdiff_t) b * m;
      T *a = A.p + j * A.cs;
      for (int i = top + (int) threadIdx.x; i < m; i += (int) blockDim.x)
        held[i - top] = a[i];
      __syncthreads ();
      for (int i = top + (int) threadIdx.x; i < m; i += (int) blockDim.x)
        a[i] = held[rows[i] - top];
      __syncthreads ();
    }
  let_next_in ();
}

template <class T>
static cudaError_t
reorder (cudaStream_t s, gpu_mat A, ptrdiff_t w, gpu_mat rows, gpu_mat all,
         gpu_mat buffer)
{
  const ptrdiff_t columns = (rows.n - 1) * w;
  cudaError_t status = launch_chained (
    all_rows_kernel, (unsigned) ceil_div (A.m, THREADS), THREADS, 0, s,
    (const int *) rows.p, (int) A.m, (int) rows.n, (int) w, (int *) all.p);
  if (status != cudaSuccess)
    return status;
  const unsigned grid
    = (unsigned) (buffer.p && buffer.n < columns ? buffer.n : columns);
  return launch_chained (reorder_kernel<T>, grid, MOST,
                         buffer.p ? 0 : sizeof (T) * (size_t) (A.m - w), s,
                         strided<T> (A), (const int *) all.p, (int) rows.n,
                         (int) w, (T *) buffer.p);
}

cudaError_t
cuda_lu_reorder (cudaStream_t s, gpu_mat A, ptrdiff_t w, gpu_mat rows,
                 gpu_mat all, gpu_mat buffer)
{
  if (rows.n < 2)
    return cudaSuccess;
  FOR_ELEMENT_SIZE (A.type, reorder, s, A, w, rows, all, buffer);
}

/* Row i of L \ B by substitution, where b is that of B, ACROSS columns; all
   threads of the block come, with K rows.  */
template <class T, int N>
__device__ void
substitute (const strided<T> &L, int k, T (&b)[N])
{
  __shared__ T row[N];
  const int i = threadIdx.x;
  for (int c = 0; c < k; c++)
    {
      if (i == c)
#pragma unroll
        for (int q = 0; q < N; q++)
          row[q] = b[q];
      __syncthreads ();
      if (i > c && i < k)
        {
          const T l = L.p[i + c * L.cs];
#pragma unroll
          for (int q = 0; q < N; q++)
            b[q] = mul_sub (b[q], l, row[q]);
        }
      __syncthreads ();
    }
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
  int rough = 0;
  await_last ();
  for (int p = threadIdx.x; p < moves.parts; p += (int) blockDim.x)
    rough |= moves.rough[p];
  if (!__syncthreads_or (rough))
    {
      let_next_in ();
      return;
    }
  get_row (B.p + j * B.cs, B.cs, i < k ? B.n - j : 0, i, b);
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

/* The exchanges of A's rows, if there are any, and its top divided by L: all
   of it in one kernel, for FEW rows of L at most.  A thread has a row of N
   columns, a warp inverts one block of L's diagonal:

     B(s) = inv (L(s,s)) * B(s)
     B(r) = B(r) - L(r,s) * B(s), r > s  */
template <class T, int FEW, int N>
__global__ void
__launch_bounds__ (FEW)
  divide_kernel (strided<T> L, const int64_t *piv, int exchanges, ptrdiff_t at,
                 strided<T> A)
{
  constexpr int LD = WARP + 1;
  __shared__ T diagonal[FEW / WARP][WARP * LD];
  __shared__ T todo[WARP][N], done[WARP][N];
  __shared__ int with[FEW];
  const int i = threadIdx.x, k = (int) L.n;
  const int warp = i / WARP, lane = i % WARP, warps = (int) blockDim.x / WARP;
  const ptrdiff_t j = (ptrdiff_t) blockIdx.x * N, columns = A.n - j;
  T *a = A.p + j * A.cs, *D = diagonal[warp];
  T b[N], below[N];
  await_last ();
#pragma unroll
  for (int c = 0; c < WARP; c++)
    D[lane + c * LD] = lane > c && i < k ? L.p[i + (warp * WARP + c) * L.cs]
                                         : make<T> (lane == c);
  const row_move move = find_move (piv, exchanges, at, with);
  get_row (a, A.cs, i < k ? columns : 0, move.top, b);
  get_row (a, A.cs, move.to >= 0 ? columns : 0, move.from, below);
  bool large = invert_triangle (D, LD, LARGE);
  large = __syncthreads_or (large);
  if (move.to >= 0)
    put_row (a, A.cs, columns, move.to, below);
  if (large)
    substitute (L, k, b);
  else
    for (int s = 0; s < warps; s++)
      {
        T l[WARP];
#pragma unroll
        for (int c = 0; c < WARP; c++)
          l[c]
            = warp > s && i < k ? L.p[i + (s * WARP + c) * L.cs] : make<T> (0);
        if (warp == s)
#pragma unroll
          for (int q = 0; q < N; q++)
            todo[lane][q] = b[q];
        __syncthreads ();
        for (int q = warp; q < N; q += warps)
          {
            T even = make<T> (0), odd = make<T> (0);
#pragma unroll
            for (int c = 0; c < WARP; c += 2)
              {
                even = mul_add (even, diagonal[s][lane + c * LD], todo[c][q]);
                odd = mul_add (odd, diagonal[s][lane + (c + 1) * LD],
                               todo[c + 1][q]);
              }
            done[lane][q] = add (even, odd);
          }
        __syncthreads ();
        if (warp == s)
#pragma unroll
          for (int q = 0; q < N; q++)
            b[q] = done[lane][q];
        else if (warp > s)
#pragma unroll
          for (int c = 0; c < WARP; c++)
#pragma unroll
            for (int q = 0; q < N; q++)
              b[q] = mul_sub (b[q], l[c], done[c][q]);
      }
  if (i < k)
    put_row (a, A.cs, columns, i, b);
  let_next_in ();
}

template <class T, int FEW, int N>
static cudaError_t
launch_divide (cudaStream_t s, gpu_mat piv, ptrdiff_t at, gpu_mat L, gpu_mat A)
{
  return launch_chained (
    divide_kernel<T, FEW, N>, (unsigned) ceil_div (A.n, N),
    (unsigned) ceil_div (L.n, WARP) * WARP, 0, s, strided<T> (L),
    (const int64_t *) piv.p, (int) piv.m, at, strided<T> (A));
}

template <class T>
static cudaError_t
divide (cudaStream_t s, gpu_mat piv, ptrdiff_t at, gpu_mat L, gpu_mat A)
{
  constexpr int FEW = sizeof (T) > 8 ? 64 : 128;
  constexpr int WIDE = sizeof (T) > 8 ? ACROSS / 2 : ACROSS;
  if (L.n > FEW)
    return cudaErrorInvalidValue;
  /* Few columns go to more blocks.  */
  return A.n <= NARROW ? launch_divide<T, FEW, ACROSS / 2> (s, piv, at, L, A)
                       : launch_divide<T, FEW, WIDE> (s, piv, at, L, A);
}

cudaError_t
cuda_lu_divide (cudaStream_t s, gpu_mat piv, ptrdiff_t at, gpu_mat L,
                gpu_mat A)
{
  if (A.n == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (L.type, divide, s, piv, at, L, A);
}
