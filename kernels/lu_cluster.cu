/* lu_cluster.cu: P * A = L * U of a panel of few columns by one cluster of up
   to 16 blocks of threads, with partial pivoting.

   A thread has one or a few rows in its registers from the beginning to the
   end.  Rows are not swapped: each knows its place in LAPACK's order, and goes
   there when it is stored.  A column takes one exchange:

     each warp      finds its largest candidate and writes a packet: its size,
                    its place, its reciprocal and its row
     each block     waits for its warps, and sends the best of their packets to
                    all blocks of the cluster
     each warp      waits for the packets of all blocks, takes the best as the
                    pivot, and updates its rows

   Four buffers in turn make a second barrier unnecessary: a packet of column
   j + 4 is sent by a block only after it had those of column j + 3 from all
   blocks, which had read those of column j then.

   The registers turn: after a step the next column is the first again, and the
   finished one enters at the end.  So all steps are one loop, whose body is
   there once for every 8 columns that are left.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cluster.cuh"
#include "lu_moves.cuh"
#include "pivot.cuh"

enum
{
  WARP = 32,
  MOST = 16,   /* blocks of a cluster, */
  HELPERS = 8, /* and if one of them has all rows */
  BUFFERS = 4, /* see above */
  TURN = 8,    /* columns of one body */
  NOWHERE = 0x7fffffff
};

/* In front of a row in a packet.  */
template <class R> struct alignas (16) header
{
  unsigned high, low; /* of a candidate */
  int place, k;       /* and of a pivot */
  R r, unused;
};

template <class T, int W, int THREADS> struct panel_memory
{
  using head = header<typename real_of<T>::type>;
  static constexpr int PIECE = 16; /* bytes that are sent at a time */
  static constexpr int HEAD = (int) sizeof (head) / PIECE;
  static constexpr int PIECES = HEAD + W * (int) sizeof (T) / PIECE;
  static constexpr int PITCH = (PIECES | 1) * PIECE; /* spreads the banks */
  static constexpr int WARPS = THREADS / WARP;

  alignas (16) unsigned char got[BUFFERS][MOST][PITCH];
  alignas (16) unsigned char own[2][WARPS][PITCH];
  alignas (8) uint64_t arrived[BUFFERS];
};

template <class T> struct alignas (16) piece
{
  static constexpr int COUNT = 16 / sizeof (T);
  T x[COUNT];
};

/* A panel M x N, of whose rows each thread has ROWS; ALONE if all of them are
   in one block.  */
template <class T, int W, int ROWS, int THREADS, bool ALONE> struct panel
{
  using R = typename real_of<T>::type;
  using memory = panel_memory<T, W, THREADS>;
  using head = typename memory::head;
  static constexpr int SENDS = (MOST + memory::WARPS - 1) / memory::WARPS;
  static constexpr int COUNT = piece<T>::COUNT;
  using packet = unsigned char[memory::PITCH];

  memory &shared;
  T a[ROWS][W];
  int place[ROWS];
  int last[ROWS]; /* the column at which it last made room for a pivot */
  int blocks;     /* of the cluster */
  unsigned to[SENDS], counted_by[SENDS]; /* where this warp sends */
  int64_t *piv, *info;
  ptrdiff_t at;
  int n;
  bool notes; /* this thread writes pivots and info */

  __device__
  panel (memory &m, int64_t *piv_, int64_t *info_, ptrdiff_t at_, int n_)
      : shared (m), blocks (cluster_size ()), piv (piv_), info (info_),
        at (at_), n (n_), notes (cluster_rank () == 0 && threadIdx.x == 0)
  {
    const int rank = cluster_rank (), warp = threadIdx.x / WARP;
#pragma unroll
    for (int i = 0; i < SENDS; i++)
      {
        const int block = warp + i * memory::WARPS;
        const int rank_to = block < blocks ? block : 0;
        to[i] = address_in (shared_address (shared.got[0][rank]), rank_to);
        counted_by[i]
          = address_in (shared_address (&shared.arrived[0]), rank_to);
      }
  }

  /* The better of this thread's rows for the first column of the window.  */
  __device__ candidate
  best_of_rows (int from, T *x) const
  {
    candidate best = { 0, 0, NOWHERE, 0 };
    *x = make<T> (0);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
      {
        candidate c = make_candidate (a[r][0], place[r], r);
        if (place[r] < from || place[r] == NOWHERE)
          c.high = 0;
        if (ROWS == 1 || beats (c, best))
          {
            best = c;
            *x = a[r][0];
          }
      }
    return best;
  }

  /* The packet of this warp, from the lane that has it.  Of the window's
     columns the first REAL are not finished.  */
  template <int WINDOW>
  __device__ void
  put (unsigned char *to, const candidate &mine, bool winner, T x,
       int real) const
  {
    if (!winner)
      return;
    if (mine.high == 0)
      {
        for (int c = 0; c < memory::PIECES; c++)
          *(uint4 *) (to + c * memory::PIECE) = make_uint4 (0, 0, 0, 0);
        return;
      }
    const pivot<T> by (x);
    *(head *) to = { mine.high, mine.low, mine.place, by.k, by.r, 0 };
#pragma unroll
    for (int r = 0; r < ROWS; r++)
      if (ROWS == 1 || r == mine.tag)
#pragma unroll
        for (int c = 0; c < WINDOW; c += COUNT)
          {
            piece<T> p;
#pragma unroll
            for (int i = 0; i < COUNT; i++)
              p.x[i] = c + i < WINDOW - TURN || c + i < real ? a[r][c + i]
                                                             : make<T> (0);
            *(piece<T> *) (to + sizeof (head) + c * sizeof (T)) = p;
          }
  }

  /* Once all warps are here, the best of their packets goes to all blocks.
     So many PIECES are sent for column J.  */
  __device__ void
  exchange (int j, int pieces)
  {
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const packet *own = shared.own[j & 1];
    if (ALONE)
      {
        __syncthreads ();
        return;
      }
    if (threadIdx.x == 0)
      arrival_expect (&shared.arrived[j % BUFFERS],
                      blocks * pieces * memory::PIECE);
    __syncthreads ();
    candidate c = { 0, 0, NOWHERE, 0 };
    if (lane < memory::WARPS)
      {
        const uint4 h = *(const uint4 *) own[lane];
        c = { h.x, h.y, (int) h.z, 0 };
      }
    const int best = best_lane (c);
    if (lane >= pieces)
      return;
    const uint4 x = *(const uint4 *) (own[best] + lane * memory::PIECE);
    const int buffer = j % BUFFERS;
#pragma unroll
    for (int i = 0; i < SENDS; i++)
      if (warp + i * memory::WARPS < blocks)
        send (to[i] + buffer * (int) sizeof shared.got[0]
                + lane * memory::PIECE,
              x, counted_by[i] + buffer * (int) sizeof (uint64_t));
  }

  /* The search for the pivot of column J, if there is one more.  */
  template <int WINDOW>
  __device__ void
  begin (int j)
  {
    T x;
    const candidate mine = best_of_rows (j, &x);
    const bool winner = best_lane (mine) == threadIdx.x % WARP;
    put<WINDOW> (shared.own[j & 1][threadIdx.x / WARP], mine, winner, x,
                 WINDOW);
    exchange (j, memory::PIECES);
  }

  /* Columns BASE to BASE + TURN - 1.  */
  template <int WINDOW>
  __device__ void
  steps (int base)
  {
    const int lane = threadIdx.x % WARP;
#pragma unroll 1
    for (int s = 0; s < TURN; s++)
      {
        const int j = base + s, buffer = j % BUFFERS;
        const packet *got = ALONE ? shared.own[j & 1] : shared.got[buffer];
        if (!ALONE)
          arrival_wait (&shared.arrived[buffer], j / BUFFERS & 1);
        candidate c = { 0, 0, NOWHERE, 0 };
        if (lane < (ALONE ? memory::WARPS : blocks))
          {
            const uint4 h = *(const uint4 *) got[lane];
            c = { h.x, h.y, (int) h.z, 0 };
          }
        const unsigned char *best = got[best_lane (c)];
        const head h = *(const head *) best;
        const piece<T> *u = (const piece<T> *) (best + sizeof (head));
        piece<T> first = u[0];
        const T second = COUNT > 1 ? first.x[COUNT > 1] : u[1].x[0];
        const int found = h.high ? h.place : -1; /* none: no row is left */
        const pivot<T> by (h.k, scale (first.x[0], power_of_2<R> (h.k)), h.r);

        T l[ROWS], final[ROWS], x;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
          {
            if (place[r] == found)
              place[r] = j;
            else if (place[r] == j && found >= 0)
              {
                place[r] = found;
                last[r] = j;
              }
            const bool done = place[r] <= j;
            const T q = by.divide (a[r][0]);
            l[r] = choose (done, make<T> (0), q);
            final[r] = choose (done, a[r][0], q);
            /* The next column before the others.  */
            a[r][0] = mul_sub (a[r][1], l[r], second);
          }
        /* And what takes long of the next pivot.  */
        const candidate mine = best_of_rows (j + 1, &x);
        const unsigned top = warp_max (mine.high);
#pragma unroll
        for (int b = 0; b < WINDOW; b += COUNT)
          {
            const piece<T> p = u[b / COUNT];
#pragma unroll
            for (int i = 0; i < COUNT; i++)
              if (b + i >= 2)
#pragma unroll
                for (int r = 0; r < ROWS; r++)
                  a[r][b + i - 1] = mul_sub (a[r][b + i], l[r], p.x[i]);
          }
#pragma unroll
        for (int r = 0; r < ROWS; r++)
          a[r][WINDOW - 1] = final[r];
        if (notes && j < n)
          {
            piv[j] = at + found + 1;
            if (size_of (first.x[0]) == 0 && *info == 0)
              *info = at + j + 1;
          }
        if (j + 1 < W)
          {
            const bool winner = best_bit (mine, top) >> lane & 1;
            put<WINDOW> (shared.own[(j + 1) & 1][threadIdx.x / WARP], mine,
                         winner, x, WINDOW - 1 - s);
            const int left = s + 1 == TURN ? WINDOW - TURN : WINDOW;
            exchange (j + 1,
                      memory::HEAD + left * (int) sizeof (T) / memory::PIECE);
          }
      }
  }
};

/* Where column C of a panel is in the end.  */
template <int W>
__device__ constexpr int
register_of (int c)
{
  return W - TURN * (c / TURN) - TURN + c % TURN;
}

/* The moves of N exchanges done to the columns of A but the N from J on, by
   all threads of a cluster, HELD numbers at a time.  The rows that come to the
   top of the next columns, before END, go to SIDE, W apart.  */
template <class T, int W, int HELD>
__device__ void
move_others (const strided<T> &A, int j, int n, int end,
             const row_moves &moves, T *side)
{
  const int threads = cluster_size () * (int) blockDim.x;
  const int t = cluster_rank () * (int) blockDim.x + (int) threadIdx.x;
  const int k = t % (2 * W), step = threads / (2 * W);
  const int others = (int) A.n - n;
  int from = -1, to = -1;
  if (k < n)
    {
      from = __ldcg (&moves.top[k]);
      to = k;
    }
  else if (k >= W && k < W + n)
    {
      to = __ldcg (&moves.to[k - W]);
      from = to < 0 ? -1 : __ldcg (&moves.from[k - W]);
    }
  for (int first = 0; first < others; first += HELD * step)
    {
      const int q0 = first + t / (2 * W);
      T held[HELD];
#pragma unroll
      for (int h = 0; h < HELD; h++)
        {
          const int q = q0 + h * step;
          if (from >= 0 && q < others)
            held[h] = A.p[from + (q < j ? q : q + n) * A.cs];
        }
      cluster_wait ();
#pragma unroll
      for (int h = 0; h < HELD; h++)
        {
          const int q = q0 + h * step;
          T *where = k < W && q >= j && q < end - n
                       ? side + (q - j) * W
                       : A.p + (q < j ? q : q + n) * A.cs;
          if (from >= 0 && q < others)
            where[to] = held[h];
        }
    }
}

/* Columns J to J + N - 1 of ROWS.  */
template <class T, int W, int ROWS, int THREADS, bool ALONE>
__global__ void
__launch_bounds__ (THREADS, 1)
  panel_kernel (strided<T> rows, int j, int n, int end, int64_t *piv,
                int64_t *info, ptrdiff_t at, row_moves moves, T *side)
{
  __shared__ panel_memory<T, W, THREADS> shared;
  constexpr int HELD = 2048 / THREADS;
  strided<T> A = rows;
  A.p += j * A.cs;
  const int m = (int) A.m;
  const int row = cluster_rank () * (THREADS * ROWS) + threadIdx.x;
  panel<T, W, ROWS, THREADS, ALONE> p (shared, piv, info, at, n);
  if (threadIdx.x == 0)
    {
      for (int i = 0; i < BUFFERS; i++)
        arrival_init (&shared.arrived[i]);
      arrivals_ready ();
    }
  await_last ();
  if (cluster_rank () == 0 && threadIdx.x < W && threadIdx.x < n)
    moves.to[threadIdx.x] = -1;
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    {
      const int i = row + r * THREADS;
      const bool has = i < m;
      p.place[r] = has ? i : NOWHERE;
      p.last[r] = 0;
#pragma unroll
      for (int c = 0; c < W; c++)
        p.a[r][c] = has && c < n ? A.p[i + c * A.cs] : make<T> (0);
    }
  cluster_wait ();
  if (!ALONE || cluster_rank () == 0)
    {
      p.template begin<W> (0);
      p.template steps<W> (0);
      if constexpr (W > TURN)
        p.template steps<W - TURN> (TURN);
      if constexpr (W > 2 * TURN)
        p.template steps<W - 2 * TURN> (2 * TURN);
      if constexpr (W > 3 * TURN)
        p.template steps<W - 3 * TURN> (3 * TURN);
    }
  let_next_in ();
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    {
      const int i = row + r * THREADS;
      if (i >= m)
        continue;
#pragma unroll
      for (int c = 0; c < W; c++)
        if (c < n)
          A.p[p.place[r] + c * A.cs] = p.a[r][register_of<W> (c)];
      if (p.place[r] < n)
        moves.top[p.place[r]] = i;
      else if (p.place[r] != i)
        {
          moves.to[p.last[r]] = p.place[r];
          moves.from[p.last[r]] = i;
        }
    }
  /* No block may end while others send to it.  */
  cluster_wait ();
  move_others<T, W, HELD> (rows, j, n, end, moves, side);
}

/* A panel and where its results go: columns J to J + N - 1 of ROWS; it is part
   of what ends before column END.  */
template <class T> struct panel_of
{
  strided<T> rows;
  int j, n, end;
  int64_t *piv, *info;
  ptrdiff_t at;
  row_moves moves;
  T *side;
};

template <class T, int W, int ROWS, int THREADS, bool ALONE = false>
static cudaError_t
launch_panel (cudaStream_t s, const panel_of<T> &p)
{
  auto kernel = panel_kernel<T, W, ROWS, THREADS, ALONE>;
  /* At least two: compute-sanitizer takes one that sends to itself for a
     mistake.  */
  const ptrdiff_t m = p.rows.m;
  const unsigned blocks = ALONE ? HELPERS
                          : m > THREADS * ROWS
                            ? (unsigned) ceil_div (m, THREADS * ROWS)
                            : 2;
  const cudaError_t status = cudaFuncSetAttribute (
    (const void *) kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  if (status != cudaSuccess)
    return status;
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim.x = blocks;
  attributes[1].val.clusterDim.y = attributes[1].val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = THREADS;
  config.stream = s;
  config.attrs = attributes;
  config.numAttrs = 2;
  return cudaLaunchKernelEx (&config, kernel, p.rows, p.j, p.n, p.end, p.piv,
                             p.info, p.at, p.moves, p.side);
}

/* Columns of a panel if a thread has so many BYTES of a row.  */
template <class T>
static constexpr int
width (int bytes)
{
  const int columns = bytes / (int) sizeof (T);
  return columns > WARP ? WARP : columns < TURN ? 0 : columns;
}

/* The widest panel for so many rows, 0 if there is none.  */
template <class T>
static ptrdiff_t
panel_width (ptrdiff_t rows)
{
  return rows <= 8192    ? width<T> (256)
         : rows <= 16384 ? width<T> (128)
         : rows <= 32768 ? width<T> (64)
                         : 0;
}

template <class T>
static cudaError_t
cluster_panel (cudaStream_t s, gpu_mat A, ptrdiff_t j, ptrdiff_t end,
               gpu_mat piv, gpu_mat info, gpu_mat list, gpu_mat side,
               ptrdiff_t at)
{
  constexpr int WIDE = width<T> (256), HALF = width<T> (128);
  constexpr int LEAST = width<T> (64);
  const panel_of<T> p = { strided<T> (A),
                          (int) j,
                          (int) piv.m,
                          (int) end,
                          (int64_t *) piv.p,
                          (int64_t *) info.p,
                          at,
                          row_moves (list, piv.m),
                          (T *) side.p };
  if (piv.m > panel_width<T> (A.m))
    return cudaErrorInvalidValue;
  if (A.m <= 128)
    return launch_panel<T, WIDE, 1, 128, true> (s, p);
  if constexpr (sizeof (T) == 4)
    if (A.m <= 512)
      return launch_panel<T, WIDE, 2, 256, true> (s, p);
  if (A.m <= 2048)
    return launch_panel<T, WIDE, 1, 128> (s, p);
  if (A.m <= 4096)
    return launch_panel<T, WIDE, 1, 256> (s, p);
  if (A.m <= 8192)
    return launch_panel<T, WIDE, 2, 256> (s, p);
  if (A.m <= 16384)
    return launch_panel<T, HALF, 2, 512> (s, p);
  if constexpr (LEAST > 0)
    return launch_panel<T, LEAST, 4, 512> (s, p);
  return cudaErrorInvalidValue;
}

ptrdiff_t
cuda_lu_width (gpu_type type, ptrdiff_t rows)
{
  switch (type)
    {
    case GPU_SINGLE:
      return panel_width<float> (rows);
    case GPU_DOUBLE:
    case GPU_CSINGLE:
      return panel_width<double> (rows);
    case GPU_CDOUBLE:
      return panel_width<gpu_complex<double>> (rows);
    default:
      return 0;
    }
}

ptrdiff_t
cuda_lu_rows (gpu_type type)
{
  return type == GPU_CDOUBLE ? 16384 : 32768;
}

cudaError_t
cuda_lu_cluster (cudaStream_t s, gpu_mat A, ptrdiff_t j, ptrdiff_t end,
                 gpu_mat piv, gpu_mat info, gpu_mat list, gpu_mat side,
                 ptrdiff_t at)
{
  FOR_ELEMENT_TYPE (A.type, cluster_panel, s, A, j, end, piv, info, list, side,
                    at);
}
