/* inv_wide.cu: X = inv (A) and det (A) for pages of up to 512 x 512, a block
   of threads a page, the page in global memory.

        panel                Gauss-Jordan elimination in place, by panels.
       +---+---------+       The panel becomes M: inv (A(p,p)) in the rows p
       |   |   |     |       of its pivots, -A(i,p) * inv (A(p,p)) in the
     p |###|#######  |       others.  The rest of the step is one product:
       |   |   |  |  |
       |   | tile |  |       B = C(p,:);  C(p,:) = 0;  C = C + M * B
       +---+---------+

   In the panel a thread has a row; its columns go round in the registers, so
   that column k is always the first and the loop stays small.  In the product,
   M is in shared memory and a warp takes some columns: of each tile of them,
   lane l has the rows l, l + 32, ....  It keeps its part of B.

   Rows never move: place (row) is the row where LAPACK, which swaps, would
   have it.  At the end element (i, c) belongs to row place (i), and to the
   column with the number of the row that was the pivot of step c.  For a
   determinant the rows that are left move together, out of the argument.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pages.cuh"
#include "warp_pivot.cuh"

enum
{
  WARP = 32
};

/* Pages of up to THREADS x THREADS.  Single precision is limited by the chain
   of pivots rather than by the product: its panels and tiles are narrow, and
   more blocks share a multiprocessor.  */
template <class T_, int THREADS_> struct shape
{
  using T = T_;
  using R = typename real_of<T>::type;
  static constexpr int THREADS = THREADS_, WARPS = THREADS / WARP;
  static constexpr bool NARROW = sizeof (T) == 4 && THREADS <= 256;
  static constexpr bool SINGLE = sizeof (R) == 4;
  static constexpr int BLOCKS = (NARROW ? 768 : 512) / THREADS;
  static constexpr int PANEL = (NARROW ? 128 : 256) / (int) sizeof (T);
  static constexpr int COLS = (SINGLE ? 32 : 64) / (int) sizeof (T);
  static_assert (PANEL % (2 * COLS) == 0, "a panel ends with a tile");
};

/* What a warp offers as the next pivot: the best of its rows.  */
template <class T> struct alignas (16) offer
{
  candidate c;
  T p;
  typename real_of<T>::type r;
  int k;

  __device__ void
  set (const candidate &best, const pivot<T> &with)
  {
    c = best;
    p = with.p;
    r = with.r;
    k = with.k;
  }
};

/* What the threads of a page tell each other.  */
template <class S> struct wide_memory
{
  using T = typename S::T;
  enum
  {
    LINE = S::COLS + pack<T>::COUNT /* the pad spreads the rows of B */
  };

  alignas (16) T M[S::PANEL][S::THREADS]; /* at the end, whole columns */
  union
  {
    T B[S::WARPS][S::PANEL][LINE]; /* by warp and step */
    T line[2][S::WARPS][S::PANEL]; /* the rows that the warps offer */
  };
  offer<T> offers[2][S::WARPS];
  T pivot[S::THREADS];   /* by its step, its sign turned by a swap */
  int row[S::THREADS];   /* of the pivot, by its step */
  int place[S::THREADS]; /* by row */
  int to[S::THREADS];    /* the new row, by row; at the end by column */
  int order[S::THREADS]; /* the places of the rows that are left; at the end
                            the columns, by cycles */
  int count[S::WARPS];
  typename S::R norm[2][S::WARPS];
  bool singular;
};

/* The same number, of which the compiler knows nothing: multiples of it are
   not kept in registers from part to part.  */
__device__ inline int
anew (int n)
{
  asm volatile("" : "+r"(n));
  return n;
}

/* modulus (x), the slow way only where the short one could go wrong.  */
template <class R>
__device__ R
quick_modulus (R x)
{
  return size_of (x);
}
template <class R>
__device__ R
quick_modulus (gpu_complex<R> x)
{
  const R least = sizeof (R) == 4 ? (R) 0x1p-80 : (R) 0x1p-800;
  const R h = x.re * x.re + x.im * x.im;
  return h > least && h < 1 / least ? h * inverse_sqrt (h) : modulus (x);
}

template <class R>
__device__ R
warp_sum (R x)
{
  for (int h = WARP / 2; h > 0; h /= 2)
    x += __shfl_xor_sync (~0u, x, h);
  return x;
}

/* The steps from K0 on, by ACTIVE warps that have the panel's rows in X.  BY
   is the inverse of the pivot in the row, if there is one.  The other warps
   come to the barriers too: a barrier for some of them costs no less, and
   racecheck takes it for none.  */
template <bool INVERT, class S>
__device__ void
eliminate_panel (wide_memory<S> &m, typename S::T (&x)[S::PANEL], int &place,
                 typename S::T &by, int k0, int steps, int active)
{
  using T = typename S::T;
  using R = typename S::R;
  constexpr int PANEL = S::PANEL, COUNT = pack<T>::COUNT;
  const int row = threadIdx.x, lane = row % WARP, warp = row / WARP;
#pragma unroll 1
  for (int s = 0; s < steps; s++)
    {
      const int k = k0 + s;
      auto &offers = m.offers[s % 2];
      auto &lines = m.line[s % 2];
      candidate top = { 0, 0, 0, 0 };
      if (warp < active)
        {
          if (place >= k)
            top = make_candidate (x[0], place, row);
          pivot<T> mine = pivot_guess<T>::make (x[0]);
          if (place >= k && !pivot_guess<T>::fits (top.high))
            mine = pivot<T> (x[0]);
          if (lane == best_lane (top))
            {
              offers[warp].set (top, mine);
              put_row (lines[warp], x);
            }
        }
      __syncthreads ();
      if (warp >= active)
        continue;

      top = { 0, 0, 0, 0 };
      if (lane < active)
        top = offers[lane].c;
      const int winner = active > 1 ? best_lane (top) : 0;
      const offer<T> &best = offers[winner];
      const pivot<T> p (best.k, best.p, best.r);
      const int from = best.c.place;
      const bool is_pivot = row == best.c.tag;
      const R minus = -power_of_2<R> (p.k);
      T f = corrected_quotient (scale (x[0], minus), p.p, p.r);
      f = choose (is_pivot, make<T> (0), f);
      if (is_pivot)
        {
          m.row[k] = row;
          if (INVERT)
            by = p.inverse ();
          else
            m.pivot[k] = from == k ? x[0] : negative (x[0]);
          if (size_of (x[0]) == 0)
            m.singular = true;
        }
      place = is_pivot ? k : place == k ? from : place;
#pragma unroll
      for (int c = 0; c < PANEL; c += COUNT)
        {
          T y[COUNT];
          get_row (y, lines[winner] + c);
#pragma unroll
          for (int e = 0; e < COUNT; e++)
            if (c + e > 0)
              x[c + e - 1] = mul_add (x[c + e], f, y[e]);
        }
      x[PANEL - 1] = choose (is_pivot, make<T> (1), f);
    }
}

/* The panel of the rows FROM becomes M and, with INVERT, goes to TO.  */
template <bool INVERT, class S>
__device__ void
make_panel (wide_memory<S> &m, const typename S::T *from, typename S::T *to,
            int rows, int n, int k0, int steps)
{
  using T = typename S::T;
  constexpr int PANEL = S::PANEL;
  const int row = threadIdx.x, active = (rows + WARP - 1) / WARP;
  n = anew (n);
  int place = m.place[row];
  T x[PANEL], by = make<T> (1);
#pragma unroll
  for (int c = 0; c < PANEL; c++)
    {
      x[c] = make<T> (0);
      if (row < rows && c < steps)
        x[c] = from[row + (k0 + c) * n];
    }
  eliminate_panel<INVERT> (m, x, place, by, k0, steps, active);
  if (row >= active * WARP)
    return;
  m.place[row] = place;
  const bool is_pivot = (unsigned) (place - k0) < (unsigned) steps;
#pragma unroll
  for (int c = 0; c < PANEL; c++)
    m.M[c + steps < PANEL ? c + steps : c + steps - PANEL][row]
      = INVERT && is_pivot ? mul (x[c], by) : x[c];
  if (INVERT && row < rows)
#pragma unroll 4
    for (int s = 0; s < steps; s++)
      to[row + (k0 + s) * n] = m.M[s][row];
}

/* ROWS rows of a warp's columns, of which LEFT are there.  They start at FROM
   and TO with row ROW0.  */
template <int ROWS, bool INVERT, class S>
__device__ void
update_tile (wide_memory<S> &m, const typename S::T *from, typename S::T *to,
             int row0, int rows, int left, int n, int k0, int steps)
{
  using T = typename S::T;
  constexpr int COLS = S::COLS;
  const int lane = threadIdx.x % WARP;
  const auto &B = m.B[threadIdx.x / WARP];
  T x[ROWS][COLS];
  int put[ROWS];
  n = anew (n);
  from += row0 + lane;
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    {
      const int row = row0 + lane + WARP * r;
      const bool in = row < rows;
      const bool get
        = in && (unsigned) (m.place[row] - k0) >= (unsigned) steps;
      put[r] = !in ? -1 : INVERT ? row : m.to[row];
#pragma unroll
      for (int c = 0; c < COLS; c++)
        {
          x[r][c] = make<T> (0);
          if (get && c < left)
            x[r][c] = from[WARP * r + c * n];
        }
    }
  __syncwarp ();
#pragma unroll 1
  for (int s = 0; s < steps; s++)
    {
      T f[ROWS], y[COLS];
      get_row (y, B[s]);
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        f[r] = m.M[s][row0 + lane + WARP * r];
#pragma unroll
      for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int c = 0; c < COLS; c++)
          x[r][c] = mul_add (x[r][c], f[r], y[c]);
    }
  /* Where rows move, they move up: to where this warp has read already.  */
  if (!INVERT)
    __syncwarp ();
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    if (put[r] >= 0)
#pragma unroll
      for (int c = 0; c < COLS; c++)
        if (c < left)
          to[put[r] + c * n] = x[r][c];
}

/* B = C(p,:); C(p,:) = 0; C = C + M * B for all columns but the panel's;
   without INVERT for those behind it, and the rows that are left.  */
template <bool INVERT, class S>
__device__ void
update (wide_memory<S> &m, const typename S::T *from, typename S::T *to,
        int rows, int n, int k0, int steps)
{
  using T = typename S::T;
  constexpr int COLS = S::COLS, OMIT = S::PANEL / COLS;
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  const int groups = (n + COLS - 1) / COLS, skip = k0 / COLS;
  const int units = (rows + WARP - 1) / WARP, tiles = (units + 3) / 4;
#pragma unroll 1
  for (int g = warp + (INVERT ? 0 : skip + OMIT);; g += S::WARPS)
    {
      const int group = INVERT && g >= skip ? g + OMIT : g;
      if (group >= groups)
        break;
      n = anew (n);
      const int c0 = group * COLS, left = n - c0;
#pragma unroll
      for (int s0 = 0; s0 < S::PANEL; s0 += WARP)
        if (s0 + lane < steps)
          {
            T y[COLS];
            const T *p = from + m.row[k0 + s0 + lane] + c0 * n;
#pragma unroll
            for (int c = 0; c < COLS; c++)
              y[c] = c < left ? p[c * n] : make<T> (0);
            put_row (m.B[warp][s0 + lane], y);
          }
      __syncwarp ();
#pragma unroll 1
      for (int u = 0, t = tiles; t > 0; t--)
        {
          const int size = (units - u + t - 1) / t;
          if (size == 4)
            update_tile<4, INVERT> (m, from + c0 * n, to + c0 * n, WARP * u,
                                    rows, left, n, k0, steps);
          else if (size == 3)
            update_tile<3, INVERT> (m, from + c0 * n, to + c0 * n, WARP * u,
                                    rows, left, n, k0, steps);
          else
            update_tile<2, INVERT> (m, from + c0 * n, to + c0 * n, WARP * u,
                                    rows, left, n, k0, steps);
          u += size;
        }
      __syncwarp ();
    }
}

/* norm (A, 1) of the warp's columns.  */
template <class T>
__device__ typename real_of<T>::type
columns_norm (const T *A, int n)
{
  using R = typename real_of<T>::type;
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  R norm = 0;
#pragma unroll 2
  for (int c = warp; c < n; c += blockDim.x / WARP)
    {
      R sum = 0;
#pragma unroll 4
      for (int r = lane; r < n; r += WARP)
        sum += quick_modulus (A[c * n + r]);
      norm = max_or_nan (norm, warp_sum (sum));
    }
  return norm;
}

/* Rows and columns go to their places, and the norm of the warp's columns is
   returned.  Columns are taken along the cycles of their permutation, half a
   panel at a time.  Where one goes, the next has been read: it is put one
   behind what was got.  */
template <class S>
__device__ typename S::R
put_in_order (wide_memory<S> &m, typename S::T *X, int n)
{
  using T = typename S::T;
  using R = typename S::R;
  constexpr int HALF = S::PANEL / 2;
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  if (threadIdx.x == 0)
    for (int c0 = 0, q = 0; q < n; c0++)
      for (int c = c0, next; (next = m.row[c]) >= 0; c = next, q++)
        {
          m.order[q] = c;
          m.to[q] = next;
          m.row[c] = -1;
        }
  __syncthreads ();
  R norm = 0;
#pragma unroll 1
  for (int q0 = 0; q0 < n; q0 += HALF)
    {
      const int end = min (q0 + HALF, n), last = end == n ? n : end - 1;
#pragma unroll 1
      for (int q = q0 + warp; q < end; q += S::WARPS)
        {
          const T *from = X + m.order[q] * n;
          T *column = m.M[q % S::PANEL];
#pragma unroll 8
          for (int r = lane; r < n; r += WARP)
            column[m.place[r]] = from[r];
        }
      __syncthreads ();
#pragma unroll 1
      for (int q = max (q0 - 1, 0) + warp; q < last; q += S::WARPS)
        {
          T *to = X + m.to[q] * n;
          const T *column = m.M[q % S::PANEL];
          R sum = 0;
#pragma unroll 4
          for (int r = lane; r < n; r += WARP)
            {
              sum += quick_modulus (column[r]);
              to[r] = column[r];
            }
          norm = max_or_nan (norm, warp_sum (sum));
        }
      __syncthreads ();
    }
  return norm;
}

template <class S>
__global__ void
__launch_bounds__ (S::THREADS, S::BLOCKS)
  inv_wide_kernel (const typename S::T *A, typename S::T *X, int n,
                   ptrdiff_t pages, typename S::R *rcond, ptrdiff_t rcond_step)
{
  using T = typename S::T;
  using R = typename S::R;
  extern __shared__ __align__ (16) unsigned char shared[];
  wide_memory<S> &m = *(wide_memory<S> *) shared;
  const int row = threadIdx.x, lane = row % WARP, warp = row / WARP;

  for (ptrdiff_t page = blockIdx.x; page < pages; page += gridDim.x)
    {
      const T *from = A + page * n * n;
      T *to = X + page * n * n;
      m.place[row] = row < n ? row : -1;
      if (row == 0)
        m.singular = false;
      if (rcond)
        {
          const R norm = columns_norm (from, n);
          if (lane == 0)
            m.norm[0][warp] = norm;
        }
      __syncthreads ();
#pragma unroll 1
      for (int k0 = 0; k0 < n; k0 += S::PANEL)
        {
          const int steps = min (S::PANEL, n - k0);
          make_panel<true> (m, from, to, n, n, k0, steps);
          __syncthreads ();
          update<true> (m, from, to, n, n, k0, steps);
          __syncthreads ();
          from = to;
        }
      const R norm = put_in_order (m, to, n);
      bool singular = m.singular;
      if (rcond)
        {
          if (lane == 0)
            m.norm[1][warp] = norm;
          __syncthreads ();
          const R a = warp_largest (lane < S::WARPS ? m.norm[0][lane] : 0);
          const R b = warp_largest (lane < S::WARPS ? m.norm[1][lane] : 0);
          const R rc = reciprocal_condition (a, b, singular);
          singular = singular || rc == 0;
          if (row == 0)
            rcond[page * rcond_step] = rc;
        }
      if (singular)
        for (int i = row; i < n * n; i += S::THREADS)
          to[i] = make<T> (INFINITY);
      __syncthreads ();
    }
}

/* A block works in the page of W that has its number.  */
template <class S>
__global__ void
__launch_bounds__ (S::THREADS, S::BLOCKS)
  det_wide_kernel (const typename S::T *A, typename S::T *W, int n,
                   ptrdiff_t pages, det_result<typename S::T> result)
{
  using T = typename S::T;
  extern __shared__ __align__ (16) unsigned char shared[];
  wide_memory<S> &m = *(wide_memory<S> *) shared;
  const int row = threadIdx.x, lane = row % WARP, warp = row / WARP;
  T *to = W + (ptrdiff_t) blockIdx.x * n * n;

  for (ptrdiff_t page = blockIdx.x; page < pages; page += gridDim.x)
    {
      const T *from = A + page * n * n;
      m.order[row] = row;
#pragma unroll 1
      for (int k0 = 0; k0 < n; k0 += S::PANEL)
        {
          const int steps = min (S::PANEL, n - k0), rows = n - k0;
          m.place[row] = row < rows ? m.order[row] : -1;
          make_panel<false> (m, from, (T *) nullptr, rows, n, k0, steps);
          const int place = m.place[row];
          const bool stays = place >= k0 + steps;
          const unsigned who = __ballot_sync (~0u, stays);
          if (lane == 0)
            m.count[warp] = __popc (who);
          __syncthreads ();
          int to_row = __popc (who & ((1u << lane) - 1));
          for (int w = 0; w < warp; w++)
            to_row += m.count[w];
          m.to[row] = stays ? to_row : -1;
          if (stays)
            m.order[to_row] = place;
          __syncthreads ();
          update<false> (m, from, to, rows, n, k0, steps);
          __syncthreads ();
          from = to;
        }
      if (warp == 0)
        {
          product<T> d (make<T> (1));
          for (int k = lane; k < n; k += WARP)
            {
              const product<T> f (m.pivot[k]);
              d.times (f.m, f.e);
            }
          d.times_warp ();
          if (lane == 0)
            write_det (result, page, d);
        }
      __syncthreads ();
    }
}

template <class S>
static cudaError_t
launch_inv (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  using T = typename S::T;
  return launch_shared (inv_wide_kernel<S>, grid_for (A.pages), S::THREADS,
                        sizeof (wide_memory<S>), s, (const T *) A.p, (T *) X.p,
                        (int) A.n, A.pages, (typename S::R *) rcond.p,
                        rcond.step);
}

template <class S>
static cudaError_t
launch_det (cudaStream_t s, gpu_mat A, gpu_mat W, gpu_mat d, gpu_mat sign)
{
  using T = typename S::T;
  const ptrdiff_t blocks = A.pages < W.pages ? A.pages : W.pages;
  return launch_shared (det_wide_kernel<S>, grid_for (blocks), S::THREADS,
                        sizeof (wide_memory<S>), s, (const T *) A.p, (T *) W.p,
                        (int) A.n, A.pages, det_result<T> (d, sign));
}

/* FN<shape> (...) for the size N.  */
#define FOR_SHAPE(n, fn, ...)                                                 \
  do                                                                          \
    {                                                                         \
      if ((n) <= 128)                                                         \
        return fn<shape<T, 128>> (__VA_ARGS__);                               \
      if ((n) <= 256)                                                         \
        return fn<shape<T, 256>> (__VA_ARGS__);                               \
      if ((n) <= 512)                                                         \
        return fn<shape<T, 512>> (__VA_ARGS__);                               \
      return cudaErrorNotSupported;                                           \
    }                                                                         \
  while (0)

template <class T>
static cudaError_t
inv_wide (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  FOR_SHAPE (A.n, launch_inv, s, A, X, rcond);
}

template <class T>
static cudaError_t
det_wide (cudaStream_t s, gpu_mat A, gpu_mat W, gpu_mat d, gpu_mat sign)
{
  FOR_SHAPE (A.n, launch_det, s, A, W, d, sign);
}

cudaError_t
cuda_inv_wide (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  if (A.pages == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (A.type, inv_wide, s, A, X, rcond);
}

cudaError_t
cuda_det_wide (cudaStream_t s, gpu_mat A, gpu_mat W, gpu_mat d, gpu_mat sign)
{
  if (A.pages == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (A.type, det_wide, s, A, W, d, sign);
}

template <class T>
static ptrdiff_t
wide_size (size_t shared)
{
  return sizeof (wide_memory<shape<T, 512>>) <= shared   ? 512
         : sizeof (wide_memory<shape<T, 256>>) <= shared ? 256
         : sizeof (wide_memory<shape<T, 128>>) <= shared ? 128
                                                         : 0;
}

ptrdiff_t
cuda_wide_size (gpu_type type, size_t shared)
{
  switch (type)
    {
    case GPU_SINGLE:
      return wide_size<float> (shared);
    case GPU_DOUBLE:
      return wide_size<double> (shared);
    case GPU_CSINGLE:
      return wide_size<gpu_complex<float>> (shared);
    default:
      return wide_size<gpu_complex<double>> (shared);
    }
}
