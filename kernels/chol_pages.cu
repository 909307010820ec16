/* chol_pages.cu: R = chol (A) of many small packed pages, zeros below the
   diagonal.

   A thread a page, up to max_thread<T>: the upper triangle in registers.  A
   warp moves its 32 pages, one stretch of storage, through shared memory.

   8 lanes a page, for the sizes in rows_of<T>: lane l holds the rows l, l + 8,
   ..., of A, in registers, 4 pages a warp, and moves them itself: in a column,
   8 rows are one or more whole sectors, and none below the diagonal is read.
   Row c, once final but for its scale, goes to shared memory, from where all
   take it to update what is below:

        lane  0 +--+--+--+--+   A(i,j) = A(i,j) - (A(c,i) / A(c,c))' * A(c,j)
        lane  1    +--+--+--+   R(c,j) = A(c,j) / sqrt (A(c,c))
        lane  0       +--+--+
        lane  1          +--+   As a row begins at its diagonal, the first 8
                                rows take n registers each, the next n - 8.

   LANES lanes a page, any size up to SIZE = 32: lane l holds the columns l, l
   + LANES, ..., and pages move through shared memory as above.

        lane  0  1  0  1        R(c,j) = A(c,j) / sqrt (A(c,c))
            +--+--+--+--+       A(i,j) = A(i,j) - R(c,i)' * R(c,j)
          c | r| r| r| r|
            +--+--+--+--+       As a column ends at its diagonal, the first
               | a| a| a|       LANES columns take LANES registers, the next
               +--+--+--+       2 * LANES, and so on.

   Above, a block of threads a page: chol_block.cu.

   Pages whose view is their storage's adjoint hold conj (A) there, read by
   rows; as chol (conj (A)) = conj (chol (A)), nothing has to be conjugated.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <type_traits>

#include "pages.cuh"

enum
{
  WARP = 32
};

/* The largest page for one thread, by the registers of a triangle.  */
template <class T>
constexpr int max_thread = sizeof (T) > 8   ? 7
                           : sizeof (T) > 4 ? 14
                                            : 16;

template <class T> struct pages_of
{
  const T *A;
  T *R;
  int n;
  bool by_rows; /* the view's rows are the columns of storage */
  int64_t *info;
  ptrdiff_t info_step, count;
};

/* ---- a thread a page ---- */

/* What a thread reads and writes at once of its page on the shelf.  */
template <class T, int N> struct piece
{
  using group = shelf<T, N, WARP>;
  static constexpr int COUNT = group::SIZE % group::CHUNK ? 1 : group::CHUNK;
  static constexpr int PIECES = group::SIZE / COUNT;
  struct alignas (COUNT * sizeof (T)) type
  {
    T x[COUNT];
  };
};

/* Between a thread's page at s and the triangle a; below it, zeros.  */
template <class T, int N, bool BY_ROWS>
__device__ void
load_triangle (T (&a)[N][N], const T *s)
{
  using P = piece<T, N>;
#pragma unroll
  for (int q = 0; q < P::PIECES; q++)
    {
      const typename P::type v = ((const typename P::type *) s)[q];
#pragma unroll
      for (int x = 0; x < P::COUNT; x++)
        {
          const int e = q * P::COUNT + x, slow = e / N, fast = e % N;
          const int i = BY_ROWS ? slow : fast, j = BY_ROWS ? fast : slow;
          if (i <= j)
            a[i][j] = v.x[x];
        }
    }
}

template <class T, int N, bool BY_ROWS>
__device__ void
store_triangle (const T (&a)[N][N], T *s)
{
  using P = piece<T, N>;
#pragma unroll
  for (int q = 0; q < P::PIECES; q++)
    {
      typename P::type v;
#pragma unroll
      for (int x = 0; x < P::COUNT; x++)
        {
          const int e = q * P::COUNT + x, slow = e / N, fast = e % N;
          const int i = BY_ROWS ? slow : fast, j = BY_ROWS ? fast : slow;
          v.x[x] = i <= j ? a[i][j] : make<T> (0);
        }
      ((typename P::type *) s)[q] = v;
    }
}

/* a = chol (a).  Returns the first pivot (1-based) that is not positive, or 0;
   NaN is no failure: it spreads.  */
template <class T, int N>
__device__ int
factor_triangle (T (&a)[N][N])
{
  int bad = 0;
#pragma unroll
  for (int c = 0; c < N; c++)
    {
      const auto pivot = real_part (a[c][c]), r = inverse_sqrt (pivot);
      if (!bad && pivot <= 0)
        bad = c + 1;
      a[c][c] = make<T> (sqrt (pivot));
#pragma unroll
      for (int j = c + 1; j < N; j++)
        a[c][j] = scale (a[c][j], r);
#pragma unroll
      for (int i = c + 1; i < N; i++)
#pragma unroll
        for (int j = i; j < N; j++)
          a[i][j] = mul_sub_conj (a[i][j], a[c][i], a[c][j]);
    }
  return bad;
}

/* From where on the kernel is one for each order of storage, and leaves out
   what is below the diagonal as it reads.  */
template <class T> constexpr int min_by_order = sizeof (T) > 8 ? 5 : 9;

/* The chunks with elements of 32 triangles, or that lie in two columns.  */
template <class T, int N, bool BY_ROWS>
__device__ void
get_triangles (shelf<T, N, WARP> &G, const T *A, int lane)
{
  using group = shelf<T, N, WARP>;
#pragma unroll 4
  for (int c = lane; c < group::CHUNKS; c += WARP)
    {
      const int e = c * group::CHUNK % group::SIZE;
      const int slow = e / N, fast = e - slow * N;
      const int last = fast + group::CHUNK - 1;
      if (last >= N || (BY_ROWS ? slow <= last : fast <= slow))
        G.get_chunk (A, c);
    }
  copies_arrive ();
  __syncwarp ();
}

template <class T, int N, int WARPS, bool BY_ROWS>
__global__ void
__launch_bounds__ (WARP *WARPS, 8 / WARPS) chol_thread_kernel (pages_of<T> p)
{
  using group = shelf<T, N, WARP>;
  constexpr bool BY_ORDER = N >= min_by_order<T>;
  extern __shared__ __align__ (16) unsigned char shared[];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  const bool by_rows = BY_ORDER ? BY_ROWS : p.by_rows;
  group &G = ((group *) shared)[warp];
  T *mine = G.at (lane * group::SIZE);

  for (ptrdiff_t first = ((ptrdiff_t) blockIdx.x * WARPS + warp) * WARP;
       first < p.count; first += (ptrdiff_t) gridDim.x * WARPS * WARP)
    {
      const int here = (int) min ((ptrdiff_t) WARP, p.count - first);
      if (BY_ORDER && here == WARP)
        get_triangles<T, N, BY_ROWS> (G, p.A + first * group::SIZE, lane);
      else
        G.get (p.A + first * group::SIZE, here, lane);
      if (lane < here)
        {
          T a[N][N];
          if (by_rows)
            load_triangle<T, N, true> (a, mine);
          else
            load_triangle<T, N, false> (a, mine);
          const int bad = factor_triangle (a);
          if (by_rows)
            store_triangle<T, N, true> (a, mine);
          else
            store_triangle<T, N, false> (a, mine);
          if (bad)
            p.info[(first + lane) * p.info_step] = bad;
        }
      G.put (p.R + first * group::SIZE, here, lane);
    }
}

/* The kernel for n = N, N + 1, ....  */
template <class T, int N = 1>
static cudaError_t
launch_thread (cudaStream_t s, pages_of<T> p)
{
  constexpr int WARPS = N <= 4 ? 4 : 1;
  if constexpr (N < max_thread<T>)
    if (p.n > N)
      return launch_thread<T, N + 1> (s, p);
  auto kernel = chol_thread_kernel<T, N, WARPS, false>;
  if constexpr (N >= min_by_order<T>)
    if (p.by_rows)
      kernel = chol_thread_kernel<T, N, WARPS, true>;
  return launch_shared (kernel, grid_for (ceil_div (p.count, WARP * WARPS)),
                        WARP * WARPS, WARPS * sizeof (shelf<T, N, WARP>), s,
                        p);
}

/* ---- 8 lanes a page ---- */

/* The layout of the rows of a page of N x N.  */
template <class T, int N> struct rows
{
  static constexpr int LANES = N == 12 ? 4 : 8;
  static constexpr int BLOCKS = (N + LANES - 1) / LANES;
  static constexpr int WIDTH = BLOCKS * LANES;
  static constexpr int PAGES = WARP / LANES; /* of a warp */
  /* Of shared memory's widest access.  */
  static constexpr int PAIR = 16 / sizeof (T);
  /* Between two pages' rows, which lie in different banks.  */
  static constexpr int PITCH = WIDTH + (WIDTH * sizeof (T) % 128 ? 0 : PAIR);
  /* 32-bit registers, and the warps that have them.  */
  static constexpr int WORDS
    = LANES * BLOCKS * (BLOCKS + 1) / 2 * (int) (sizeof (T) / 4);
  static constexpr int WARPS = WORDS > 96 ? 8 : WORDS > 48 ? 12 : 16;

  struct alignas (16) pair
  {
    T x[PAIR];
  };
};

/* The steps of small pages are unrolled; those of others, which the
   instruction cache could not hold, by blocks of LANES only.  The loop then
   treats all columns of a block alike.  */
template <class T, int N>
__global__ void
__launch_bounds__ (WARP, rows<T, N>::WARPS) chol_rows_kernel (pages_of<T> p)
{
  using R = typename real_of<T>::type;
  using L = rows<T, N>;
  using pair = typename L::pair;
  constexpr int LANES = L::LANES, BLOCKS = L::BLOCKS, WIDTH = L::WIDTH;
  constexpr int PAIR = L::PAIR, LENGTH = L::PAGES * L::PITCH;
  constexpr bool SMALL = N <= 16;
  __shared__ pair shared[2 * LENGTH / PAIR];
  const int lane = threadIdx.x % LANES, group = threadIdx.x / LANES;
  T *const buffer = (T *) shared + group * L::PITCH;

  for (ptrdiff_t first = (ptrdiff_t) blockIdx.x * L::PAGES; first < p.count;
       first += (ptrdiff_t) gridDim.x * L::PAGES)
    {
      /* Bordered by an identity; so is all of a page that is not there.  */
      const ptrdiff_t page = first + group;
      const bool here = page < p.count;
      const T *A = p.A + page * (N * N) + lane;
      T *X = p.R + page * (N * N) + lane;
      T a[BLOCKS][WIDTH];
#pragma unroll
      for (int k = 0; k < BLOCKS; k++)
#pragma unroll
        for (int j = LANES * k; j < WIDTH; j++)
          {
            const int i = lane + LANES * k;
            a[k][j] = make<T> (i == j);
            if (here && i <= j && j < N)
              a[k][j] = A[j * N + LANES * k];
          }

      int bad = 0;
      R pivots[BLOCKS]; /* of this lane's rows */
      auto store = [&] (int k, R pivot) {
        const int i = lane + LANES * k;
        const R r = inverse_sqrt (pivot);
        const T root = make<T> (sqrt (pivot));
#pragma unroll
        for (int j = 0; j < N; j++)
          if (here && i < N)
            {
              T x = make<T> (0);
              if (j >= LANES * k)
                x = i < j ? scale (a[k][j], r) : i == j ? root : x;
              X[j * N + LANES * k] = x;
            }
      };

#pragma unroll
      for (int b = 0; b < BLOCKS; b++)
        {
          constexpr int UNROLL = SMALL ? LANES : 1;
          const int steps = N - LANES * b < LANES ? N - LANES * b : LANES;
          R diagonal = 1;
#pragma unroll
          for (int j = 0; j < LANES; j++)
            if (lane == j)
              diagonal = real_part (a[b][LANES * b + j]);
#pragma unroll UNROLL
          for (int q = 0; q < steps; q++)
            {
              const int c = LANES * b + q;
              T *const row = buffer + (c & 1) * LENGTH;
              const R pivot = from_lane (diagonal, group * LANES + q);
              if (lane == q)
#pragma unroll
                for (int j = LANES * b; j < WIDTH; j += PAIR)
                  if (!SMALL || j + PAIR > c)
                    {
                      pair x;
#pragma unroll
                      for (int v = 0; v < PAIR; v++)
                        x.x[v] = a[b][j + v];
                      *(pair *) (row + j) = x;
                    }
              __syncwarp ();
              const R r = inverse_sqrt (pivot);
              if (!bad && pivot <= 0)
                bad = c + 1;
              const bool below = lane > q;
              T m[BLOCKS];
#pragma unroll
              for (int k = b; k < BLOCKS; k++)
                {
                  const T x = scale (row[lane + LANES * k], r);
                  m[k] = scale (x, r);
                  if (k == b && below)
                    diagonal
                      = real_part (mul_sub_conj (make<T> (diagonal), x, x));
                }
#pragma unroll
              for (int j = LANES * b; j < WIDTH; j += PAIR)
                if (!SMALL || j + PAIR - 1 > c)
                  {
                    const pair x = *(const pair *) (row + j);
                    if (below)
#pragma unroll
                      for (int v = 0; v < PAIR; v++)
                        a[b][j + v] = mul_sub_conj (a[b][j + v], m[b], x.x[v]);
#pragma unroll
                    for (int v = 0; v < PAIR; v++)
#pragma unroll
                      for (int k = b + 1; k < BLOCKS; k++)
                        if (LANES * k <= j)
                          a[k][j + v]
                            = mul_sub_conj (a[k][j + v], m[k], x.x[v]);
                  }
            }
          pivots[b] = diagonal;
          if (!SMALL)
            store (b, diagonal);
        }
      if (SMALL)
#pragma unroll
        for (int b = 0; b < BLOCKS; b++)
          store (b, pivots[b]);
      if (bad && here && lane == 0)
        p.info[page * p.info_step] = bad;
      __syncwarp ();
    }
}

template <int... N> struct sizes
{
};

/* The sizes for which it is the fastest: those of whole sectors, mostly.  */
template <class T> struct rows_of
{
  using type = typename std::conditional<
    sizeof (T) == 4, sizes<24, 32>,
    typename std::conditional<sizeof (T) == 8, sizes<15, 16, 24, 32>,
                              sizes<8, 12, 16, 20, 24>>::type>::type;
};

/* cudaErrorNotSupported for no size of these.  */
template <class T, int... N>
static cudaError_t
launch_rows (cudaStream_t s, pages_of<T> p, sizes<N...>)
{
  cudaError_t status = cudaErrorNotSupported;
  auto launch = [&] (int n, void (*kernel) (pages_of<T>), int pages) {
    if (p.n == n && !p.by_rows)
      status = launch_shared (kernel, grid_for (ceil_div (p.count, pages)),
                              WARP, 0, s, p);
  };
  (launch (N, chol_rows_kernel<T, N>, rows<T, N>::PAGES), ...);
  return status;
}

/* ---- some lanes a page ---- */

/* Call f (place in storage, place in s, whether it is in the triangle) for
   this lane's elements of a page.  */
template <int LD, class F>
__device__ void
for_elements (int n, bool by_rows, F f)
{
  /* e / n for e < 32 * 32.  */
  const unsigned inverse = ((1u << 20) + n - 1) / n;
#pragma unroll 8
  for (int e = threadIdx.x; e < n * n; e += WARP)
    {
      const int slow = (int) (e * inverse >> 20), fast = e - slow * n;
      const int i = by_rows ? slow : fast, j = by_rows ? fast : slow;
      f (e, i + j * LD, i <= j);
    }
}

template <class T, int SIZE, int LANES>
__global__ void
__launch_bounds__ (WARP, 8) chol_lanes_kernel (pages_of<T> p)
{
  using R = typename real_of<T>::type;
  constexpr int LD = SIZE + 1, COLS = (SIZE + LANES - 1) / LANES;
  constexpr int PAGES = WARP / LANES;
  /* The columns of two pages, too, lie in different banks.  */
  constexpr int STRIDE = COLS * LANES * LD + (COLS % 2 ? 0 : LANES);
  __shared__ __align__ (16) T shared[PAGES * STRIDE];
  const int lane = threadIdx.x % LANES, page = threadIdx.x / LANES;
  const int n = p.n;
  T *s = shared + page * STRIDE;

  for (ptrdiff_t first = (ptrdiff_t) blockIdx.x * PAGES; first < p.count;
       first += (ptrdiff_t) gridDim.x * PAGES)
    {
      const int here = (int) min ((ptrdiff_t) PAGES, p.count - first);
      for (int k = 0; k < here; k++)
        {
          const T *A = p.A + (first + k) * n * n;
          T *to = shared + k * STRIDE;
          for_elements<LD> (n, p.by_rows, [=] (int e, int at, bool inside) {
            if (inside)
              copy_async (to + at, A + e);
          });
        }
      copies_arrive ();
      __syncwarp ();

      /* Bordered by an identity; so is all of a page that is not there.  */
      const int columns = page < here ? n : 0;
      T a[COLS][SIZE];
      R pivots[COLS];
#pragma unroll
      for (int k = 0; k < COLS; k++)
        {
          const int j = lane + LANES * k;
          pivots[k] = 1;
#pragma unroll
          for (int i = 0; i < SIZE && i < LANES * (k + 1); i++)
            {
              a[k][i] = make<T> (i == j);
              if (i <= j && j < columns)
                a[k][i] = s[i + j * LD];
            }
        }

      int bad = 0;
#pragma unroll
      for (int c = 0; c < SIZE; c++)
        {
          if (c >= n)
            break;
          const R pivot = from_lane (real_part (a[c / LANES][c]),
                                     page * LANES + c % LANES);
          const R r = inverse_sqrt (pivot);
          if (!bad && pivot <= 0)
            bad = c + 1;
          if (lane == c % LANES)
            pivots[c / LANES] = pivot;
#pragma unroll
          for (int k = c / LANES; k < COLS; k++)
            {
              a[k][c] = scale (a[k][c], r);
              s[c + (lane + LANES * k) * LD] = a[k][c];
            }
          __syncwarp ();
#pragma unroll
          for (int i = c + 1; i < SIZE; i++)
            {
              const T u = s[c + i * LD];
#pragma unroll
              for (int k = i / LANES; k < COLS; k++)
                a[k][i] = mul_sub_conj (a[k][i], u, a[k][c]);
            }
        }
      __syncwarp ();
#pragma unroll
      for (int k = 0; k < COLS; k++)
        if (lane + LANES * k < n)
          s[(lane + LANES * k) * (LD + 1)] = make<T> (sqrt (pivots[k]));
      if (bad && lane == 0)
        p.info[(first + page) * p.info_step] = bad;
      __syncwarp ();

      for (int k = 0; k < here; k++)
        {
          T *R = p.R + (first + k) * n * n;
          const T *from = shared + k * STRIDE;
          for_elements<LD> (n, p.by_rows, [=] (int e, int at, bool inside) {
            R[e] = inside ? from[at] : make<T> (0);
          });
        }
      __syncwarp ();
    }
}

template <class T, int SIZE, int LANES>
static cudaError_t
launch_lanes (cudaStream_t s, pages_of<T> p)
{
  return launch_shared (chol_lanes_kernel<T, SIZE, LANES>,
                        grid_for (ceil_div (p.count, WARP / LANES)), WARP, 0,
                        s, p);
}

/* As few lanes as have the registers for their columns.  */
template <class T>
static cudaError_t
chol_lanes (cudaStream_t s, pages_of<T> p)
{
  constexpr int size = sizeof (T);
  constexpr int lanes16 = size > 8 ? 16 : 8, lanes24 = size > 8 ? 32 : 8;
  constexpr int lanes32 = size > 8 ? 32 : size > 4 ? 16 : 8;
  if constexpr (size > 8)
    if (p.n <= 12)
      return launch_lanes<T, 12, 4> (s, p);
  if (p.n <= 16)
    return launch_lanes<T, 16, lanes16> (s, p);
  if (p.n <= 24)
    return launch_lanes<T, 24, lanes24> (s, p);
  return launch_lanes<T, 32, lanes32> (s, p);
}

template <class T>
static cudaError_t
chol_pages (cudaStream_t s, gpu_mat A, gpu_mat R, gpu_mat info)
{
  pages_of<T> p = {};
  p.A = (const T *) A.p;
  p.R = (T *) R.p;
  p.n = (int) A.n;
  p.by_rows = A.op & GPU_T;
  p.info = (int64_t *) info.p;
  p.info_step = info.step;
  p.count = A.pages;
  if (A.n <= max_thread<T>)
    return launch_thread<T> (s, p);
  const cudaError_t status
    = launch_rows<T> (s, p, typename rows_of<T>::type ());
  return status == cudaErrorNotSupported ? chol_lanes<T> (s, p) : status;
}

cudaError_t
cuda_chol_pages (cudaStream_t s, gpu_mat A, gpu_mat R, gpu_mat info)
{
  if (A.n == 0 || A.pages == 0)
    return cudaSuccess;
  if (A.n > WARP)
    return cuda_chol_block (s, A, R, info);
  FOR_ELEMENT_TYPE (A.type, chol_pages, s, A, R, info);
}
