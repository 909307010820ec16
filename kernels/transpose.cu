/* transpose.cu: B = A.' or B = A' of m x n pages, of elements of 1, 2, 4, 8 or
   16 bytes.

   All kernels read and write along columns, and turn the data round in shared
   memory.  They differ in what a block takes, so that both sides move whole
   lines of 16 bytes or at least whole sectors of 32:

   tiles      sizes and places that are multiples of 16 bytes: a thread turns
              V x V elements in registers, V a line, and stores lines;
   shifted    any other: tiles whose columns of B begin on sectors;
   wide       A has few rows: a run of its columns, which is contiguous;
   tall       B has few rows: a run of its columns likewise;
   pages      small pages: some whole ones, contiguous on both sides;
   slabs      large pages, or all columns of some rows of A, without tiles that
              are nearly empty: a run of B;
   in_place   A is B: two tiles that mirror each other.

      A                  B, tiles        B, shifted
     +----+----+        +----+----+     +----+----+    columns of A become
     |    |    |        |    |    |     |    \__  |    rows of B
     +----+----+  --->  +----+----+     +--__|  \_|    sector bounds are at
     |    |    |        |    |    |     |    |-__ |    another row in each
     +----+----+        +----+----+     +----+---++    column of B

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common.cuh"

/* B(j, i) of a page is A(i, j), A being m x n.  */
struct problem
{
  const void *A;
  void *B;
  ptrdiff_t lda, stepa, ldb, stepb, m, n, pages;
  unsigned flip; /* 0 or CONJUGATE */
};

enum
{
  LINE = 16,       /* bytes of the widest access */
  SECTOR = 32,     /* bytes that memory moves at least */
  CHUNK = 8192,    /* bytes of small pages in a block */
  LARGE = 12288,   /* bytes of a page for the most threads */
  TINY = 4096,     /* bytes of a page that is too little for a block */
  RUN_WIDE = 6144, /* of a wide matrix */
  RUN_TALL = 6144,
  LEAST_WIDE = 1024, /* bytes of a run along the other side */
  LEAST_TALL = 512,
  SLAB = 64,        /* rows of A */
  SHARED = 48 << 10 /* bytes of shared memory that every kernel gets */
};

template <class T> constexpr int per_line = LINE / (int) sizeof (T);

/* x / d for x and d below 2^16.  */
struct divisor
{
  unsigned magic; /* 2^32 / d rounded up; 0 for d = 1 */

  explicit divisor (ptrdiff_t d)
      : magic (d > 1 ? (unsigned) (((1ll << 32) + d - 1) / d) : 0)
  {
  }
  __device__ int
  operator() (int x) const
  {
    return magic ? (int) __umulhi ((unsigned) x, magic) : x;
  }
};

/* The pieces of SIZE that cover N.  */
__host__ __device__ static inline ptrdiff_t
pieces (ptrdiff_t n, ptrdiff_t size)
{
  return (n + size - 1) / size;
}

/* How far P is behind a multiple of BYTES, in elements.  */
template <class T>
__host__ __device__ static inline int
phase (const T *p, int bytes)
{
  return (int) ((uintptr_t) p / sizeof (T)) & (bytes / (int) sizeof (T) - 1);
}

/* ---- tiles ---- */

/* Where tile T of a grid of DOWN x ACROSS a page lies.  */
struct place
{
  ptrdiff_t page, i, j;
};

__device__ static inline place
find_tile (ptrdiff_t t, ptrdiff_t down, ptrdiff_t across, bool along_rows)
{
  const ptrdiff_t each = down * across, fast = along_rows ? across : down;
  ptrdiff_t page = 0;
  if (t >= each)
    {
      page = t / each;
      t -= page * each;
    }
  const ptrdiff_t slow = t / fast, rest = t - slow * fast;
  return along_rows ? place{ page, slow, rest } : place{ page, rest, slow };
}

/* A tile by squares of V x V elements, V to a word W.  */
template <class T, class W, int TILE, int THREADS> struct squares
{
  static constexpr int V = sizeof (W) / sizeof (T), WORDS = TILE / V;
  static constexpr int ACCESS = 128 / sizeof (W);
  static constexpr int MASK = (WORDS < ACCESS ? WORDS : ACCESS) - 1;
  static constexpr int SQUARES = WORDS * WORDS / THREADS;
  static_assert (SQUARES * THREADS == WORDS * WORDS, "squares and threads");

  alignas (W) T x[SQUARES][V][V];

  __device__ __forceinline__ void
  load (const T *a, ptrdiff_t lda, int rows, int columns)
  {
#pragma unroll
    for (int q = 0; q < SQUARES; q++)
      {
        const int e = threadIdx.x + q * THREADS;
        const int i = e % WORDS * V, j = e / WORDS * V;
#pragma unroll
        for (int c = 0; c < V; c++)
          {
            W word = {};
            if (i < rows && j < columns)
              word = __ldcs ((const W *) (a + i + (j + c) * lda));
            *(W *) x[q][c] = word;
          }
      }
  }
  /* Word c of row i of the tile lies at c ^ (i / V), modulo what one access of
     shared memory takes, so that neither the writing of columns nor the
     reading of rows has conflicts.  */
  __device__ __forceinline__ void
  turn (W *tile, unsigned flip) const
  {
#pragma unroll
    for (int q = 0; q < SQUARES; q++)
      {
        const int e = threadIdx.x + q * THREADS;
        const int i = e % WORDS, j = e / WORDS;
#pragma unroll
        for (int r = 0; r < V; r++)
          {
            alignas (W) T row[V];
#pragma unroll
            for (int c = 0; c < V; c++)
              row[c] = flipped (x[q][c][r], flip);
            tile[(i * V + r) * WORDS + (j ^ (i & MASK))] = *(W *) row;
          }
      }
  }
  /* Row i of the tile of A, which had ROWS x COLUMNS, becomes column i of B.
   */
  __device__ __forceinline__ static void
  store (T *b, ptrdiff_t ldb, int rows, int columns, const W *tile)
  {
#pragma unroll
    for (int q = 0; q < TILE * WORDS / THREADS; q++)
      {
        const int e = threadIdx.x + q * THREADS;
        const int j = e % WORDS, i = e / WORDS;
        if (i < rows && j * V < columns)
          __stcs ((W *) (b + j * V + i * ldb),
                  tile[i * WORDS + (j ^ ((i / V) & MASK))]);
      }
  }
};

template <class T, class W, int TILE, int THREADS>
__global__ void
__launch_bounds__ (THREADS) tiles_kernel (problem P, bool along_rows)
{
  using tile_of = squares<T, W, TILE, THREADS>;
  __shared__ W tile[TILE * tile_of::WORDS];

  const ptrdiff_t down = pieces (P.m, TILE), across = pieces (P.n, TILE);
  for (ptrdiff_t t = blockIdx.x; t < down * across * P.pages; t += gridDim.x)
    {
      const place at = find_tile (t, down, across, along_rows);
      const ptrdiff_t i0 = at.i * TILE, j0 = at.j * TILE;
      const T *a = (const T *) P.A + at.page * P.stepa + i0 + j0 * P.lda;
      T *b = (T *) P.B + at.page * P.stepb + j0 + i0 * P.ldb;
      const int rows = P.m - i0 < TILE ? (int) (P.m - i0) : TILE;
      const int columns = P.n - j0 < TILE ? (int) (P.n - j0) : TILE;

      tile_of x;
      x.load (a, P.lda, rows, columns);
      x.turn (tile, P.flip);
      __syncthreads ();
      tile_of::store (b, P.ldb, rows, columns, tile);
      __syncthreads ();
    }
}

/* Column i of the tile's B begins up to SHIFTS - 1 rows before the tile, at a
   multiple of SHIFTS in memory; for that the tile reads so many columns of A
   more.  A tile inside A needs no comparisons.  */
template <class T, int DOWN, int ACROSS, int THREADS, int SHIFTS>
__global__ void
__launch_bounds__ (THREADS) shifted_kernel (problem P)
{
  constexpr int PITCH = DOWN + (sizeof (T) < 4 ? 4 / sizeof (T) : 1);
  constexpr int READ = ACROSS + SHIFTS - 1;
  constexpr int IN_STEP = THREADS / DOWN, OUT_STEP = THREADS / ACROSS;
  constexpr int IN = (READ + IN_STEP - 1) / IN_STEP, OUT = DOWN / OUT_STEP;
  static_assert (OUT * OUT_STEP == DOWN, "rows and threads");
  __shared__ T tile[READ * PITCH];

  const ptrdiff_t down = pieces (P.m, DOWN);
  const ptrdiff_t across = pieces (P.n + SHIFTS - 1, ACROSS);
  const int i = threadIdx.x % DOWN, j = threadIdx.x / DOWN;
  const int out_j = threadIdx.x % ACROSS, out_i = threadIdx.x / ACROSS;
  for (ptrdiff_t t = blockIdx.x; t < down * across * P.pages; t += gridDim.x)
    {
      const place at = find_tile (t, down, across, true);
      const ptrdiff_t i0 = at.i * DOWN, j1 = at.j * ACROSS;
      const ptrdiff_t j0 = j1 - (SHIFTS - 1);
      const bool inside = i0 + DOWN <= P.m && j0 >= 0 && j0 + READ <= P.n;
      const T *a
        = (const T *) P.A + at.page * P.stepa + (i0 + i) + (j0 + j) * P.lda;
      T x[IN];
      if (inside)
#pragma unroll
        for (int q = 0; q < IN; q++)
          {
            if (READ % IN_STEP == 0 || j + q * IN_STEP < READ)
              x[q] = *a;
            a += IN_STEP * P.lda;
          }
      else
#pragma unroll
        for (int q = 0; q < IN; q++)
          {
            const ptrdiff_t column = j0 + j + q * IN_STEP;
            x[q] = T{};
            if (j + q * IN_STEP < READ && i0 + i < P.m && column >= 0
                && column < P.n)
              x[q] = *a;
            a += IN_STEP * P.lda;
          }
#pragma unroll
      for (int q = 0; q < IN; q++)
        if (READ % IN_STEP == 0 || j + q * IN_STEP < READ)
          tile[(j + q * IN_STEP) * PITCH + i] = flipped (x[q], P.flip);
      __syncthreads ();

      /* Element (out_j, out_i) of B's tile, before the shift of its column: by
         as much as row j1 is behind a multiple of SHIFTS in memory.  */
      T *b = (T *) P.B + at.page * P.stepb + j1 + (i0 + out_i) * P.ldb;
      const T *from = tile + (out_j + SHIFTS - 1) * PITCH + out_i;
      if (inside)
#pragma unroll
        for (int q = 0; q < OUT; q++)
          {
            const int shift = phase (b, SHIFTS * (int) sizeof (T));
            __stcs (b + out_j - shift, from[q * OUT_STEP - shift * PITCH]);
            b += OUT_STEP * P.ldb;
          }
      else
#pragma unroll 4
        for (int q = 0; q < OUT; q++)
          {
            const int shift = phase (b, SHIFTS * (int) sizeof (T));
            const ptrdiff_t row = j1 + out_j - shift;
            if (i0 + out_i + q * OUT_STEP < P.m && row >= 0 && row < P.n)
              __stcs (b + out_j - shift, from[q * OUT_STEP - shift * PITCH]);
            b += OUT_STEP * P.ldb;
          }
      __syncthreads ();
    }
}

/* ---- runs of columns ---- */

/* Columns of height H, contiguous in memory at G and PITCH apart in shared
   memory.  If PITCH is H, S is as far behind a line as G; else both and H are
   lines, and the pad frees S of bank conflicts.  */
struct run
{
  int h, pitch;
  divisor lines; /* of a column */

  run (ptrdiff_t height, ptrdiff_t per, bool on_lines)
      : h ((int) height),
        pitch (
          (int) (on_lines && height % (2 * per) == 0 ? height + per : height)),
        lines (height % per == 0 ? height / per : 1)
  {
  }
};

/* Where the run at G begins in the shared memory S.  */
template <class T>
__device__ static inline T *
in_line (void *s, const T *g)
{
  return (T *) s + phase (g, LINE);
}

/* Move the COUNT elements of a run, whole lines by LINE and the elements
   around them by ONE.  */
template <class T, class One, class Line>
__device__ static inline void
move_run (run R, const T *g, int count, One one, Line line)
{
  constexpr int V = per_line<T>;
  const int before = (V - phase (g, LINE)) & (V - 1);
  const int head = before < count ? before : count;
  const int lines = (count - head) / V, rest = count - lines * V;
  for (int e = threadIdx.x; e < rest; e += blockDim.x)
    one (e < head ? e : e + lines * V);
  for (int c = threadIdx.x; c < lines; c += blockDim.x)
    {
      const int e = head + c * V;
      line (e, R.pitch == R.h ? e : e + R.lines (c) * (R.pitch - R.h));
    }
}

template <class T>
__device__ static inline void
load_run (run R, T *s, const T *g, int count)
{
  move_run (
    R, g, count, [=] (int e) { s[e] = g[e]; },
    [=] (int e, int at) {
      copy_async ((uint4 *) (s + at), (const uint4 *) (g + e));
    });
  copies_arrive ();
}

template <class T>
__device__ static inline void
store_run (run R, T *g, const T *s, int count)
{
  move_run (
    R, g, count, [=] (int e) { g[e] = s[e]; },
    [=] (int e, int at) {
      __stcs ((uint4 *) (g + e), *(const uint4 *) (s + at));
    });
}

/* Call FN (row, k) for every V-th k < COUNT <= 2^BITS of each of ROWS rows. */
template <int V, class Fn>
__device__ static inline void
for_rows (int rows, int bits, int count, Fn fn)
{
  const int per = (1 << bits) / V, shift = 31 - __clz (per);
#pragma unroll 4
  for (int e = threadIdx.x; e < rows * per; e += blockDim.x)
    {
      const int k = (e & (per - 1)) * V, r = e >> shift;
      if (k < count)
        fn (r, k);
    }
}

/* A has few rows: 2^BITS columns of it, a run, become as many rows of B.  */
template <class T>
__global__ void __launch_bounds__ (256)
  wide_kernel (problem P, run R, int bits, bool lines)
{
  constexpr int V = per_line<T>;
  extern __shared__ uint4 memory[];
  const ptrdiff_t chunks = pieces (P.n, 1 << bits);
  for (ptrdiff_t t = blockIdx.x; t < chunks * P.pages; t += gridDim.x)
    {
      const ptrdiff_t page = t / chunks, j0 = (t - page * chunks) << bits;
      const int count = (P.n - j0) >> bits ? 1 << bits : (int) (P.n - j0);
      const T *a = (const T *) P.A + page * P.stepa + j0 * P.lda;
      T *b = (T *) P.B + page * P.stepb + j0, *s = in_line (memory, a);
      load_run (R, s, a, count * R.h);
      __syncthreads ();
      if (lines)
        for_rows<V> (R.h, bits, count, [=] (int r, int k) {
          alignas (LINE) T x[V];
#pragma unroll
          for (int v = 0; v < V; v++)
            x[v] = flipped (s[(k + v) * R.pitch + r], P.flip);
          __stcs ((uint4 *) (b + k + r * P.ldb), *(uint4 *) x);
        });
      else
        for_rows<1> (R.h, bits, count, [=] (int r, int k) {
          __stcs (b + k + r * P.ldb, flipped (s[k * R.pitch + r], P.flip));
        });
      __syncthreads ();
    }
}

/* B has few rows: 2^BITS rows of A become as many columns of B, a run.  */
template <class T>
__global__ void __launch_bounds__ (256)
  tall_kernel (problem P, run R, int bits, bool lines)
{
  constexpr int V = per_line<T>;
  extern __shared__ uint4 memory[];
  const ptrdiff_t chunks = pieces (P.m, 1 << bits);
  for (ptrdiff_t t = blockIdx.x; t < chunks * P.pages; t += gridDim.x)
    {
      const ptrdiff_t page = t / chunks, i0 = (t - page * chunks) << bits;
      const int count = (P.m - i0) >> bits ? 1 << bits : (int) (P.m - i0);
      const T *a = (const T *) P.A + page * P.stepa + i0;
      T *b = (T *) P.B + page * P.stepb + i0 * P.ldb, *s = in_line (memory, b);
      if (lines)
        for_rows<V> (R.h, bits, count, [=] (int r, int k) {
          alignas (LINE) T x[V];
          *(uint4 *) x = __ldcs ((const uint4 *) (a + k + r * P.lda));
#pragma unroll
          for (int v = 0; v < V; v++)
            s[(k + v) * R.pitch + r] = flipped (x[v], P.flip);
        });
      else
        for_rows<1> (R.h, bits, count, [=] (int r, int k) {
          s[k * R.pitch + r] = flipped (__ldcs (a + k + r * P.lda), P.flip);
        });
      __syncthreads ();
      store_run (R, b, s, count * R.h);
      __syncthreads ();
    }
}

/* GROUP whole pages, contiguous on both sides.  B may be A.  */
template <class T>
__global__ void __launch_bounds__ (512)
  pages_kernel (problem P, run R, int group, divisor page_size,
                divisor row_size)
{
  constexpr int V = per_line<T>;
  extern __shared__ uint4 memory[];
  const int m = (int) P.m, n = (int) P.n, pitch = R.pitch;
  const ptrdiff_t chunks = pieces (P.pages, group);
  for (ptrdiff_t t = blockIdx.x; t < chunks; t += gridDim.x)
    {
      const ptrdiff_t first = t * group, left = P.pages - first;
      const int count = (left < group ? (int) left : group) * m * n;
      const T *a = (const T *) P.A + first * m * n, *s = in_line (memory, a);
      T *b = (T *) P.B + first * m * n;
      load_run (R, in_line (memory, a), a, count);
      __syncthreads ();

      /* Element e of the run of B is (j, i) of its page; s holds (i, j).  */
      auto store = [=] (int e, int length, T *x) {
        const int page = page_size (e), rest = e - page * m * n;
        int i = row_size (rest), j = rest - i * n;
        const T *from = s + (page * n + j) * pitch + i;
#pragma unroll
        for (int v = 0; v < length; v++)
          {
            x[v] = flipped (*from, P.flip);
            from += pitch;
            if (++j == n)
              {
                j = 0;
                from -= n * pitch - 1;
                if (++i == m)
                  {
                    i = 0;
                    from += n * pitch - m;
                  }
              }
          }
      };
      move_run (
        R, b, count, [=] (int e) { store (e, 1, b + e); },
        [=] (int e, int) {
          alignas (LINE) T x[V];
          store (e, V, x);
          __stcs ((uint4 *) (b + e), *(uint4 *) x);
        });
      __syncthreads ();
    }
}

/* ROWS rows of a page, all N columns of them, by squares of V x V elements.
   Every V columns a line is left out in shared memory, if the distance of
   squares would be even in lines: a warp that reads a row of squares then has
   no conflicts.  B may be A if ROWS is M.  */
template <class T, int THREADS>
__global__ void
__launch_bounds__ (THREADS)
  slabs_kernel (problem P, int rows, divisor by_high, divisor by_wide)
{
  constexpr int V = per_line<T>;
  extern __shared__ uint4 memory[];
  const int high = rows / V, wide = (int) P.n / V; /* in lines */
  const int pad = V * high % 2 ? 0 : 1, step = V * high + pad;
  const ptrdiff_t down = pieces (P.m, rows);
  for (ptrdiff_t t = blockIdx.x; t < down * P.pages; t += gridDim.x)
    {
      const ptrdiff_t page = t / down, i0 = (t - page * down) * rows;
      const int left = P.m - i0 < rows ? (int) (P.m - i0) : rows;
      const T *a = (const T *) P.A + page * P.stepa + i0;
      T *b = (T *) P.B + page * P.stepb + i0 * P.ldb;
#pragma unroll 4
      for (int e = threadIdx.x; e < high * V * wide; e += THREADS)
        {
          const int j = by_high (e), i = (e - j * high) * V;
          if (i < left)
            copy_async (memory + e + j / V * pad,
                        (const uint4 *) (a + i + j * P.lda));
        }
      copies_arrive ();
      __syncthreads ();
#pragma unroll 2
      for (int e = threadIdx.x; e < high * wide; e += THREADS)
        {
          const int i = by_wide (e), j = e - i * wide;
          if (i * V >= left)
            continue;
          alignas (LINE) T x[V][V];
#pragma unroll
          for (int c = 0; c < V; c++)
            *(uint4 *) x[c] = memory[j * step + c * high + i];
#pragma unroll
          for (int r = 0; r < V; r++)
            {
              alignas (LINE) T row[V];
#pragma unroll
              for (int c = 0; c < V; c++)
                row[c] = flipped (x[c][r], P.flip);
              __stcs ((uint4 *) (b + j * V + (i * V + r) * P.ldb),
                      *(uint4 *) row);
            }
        }
      __syncthreads ();
    }
}

/* ---- in place ---- */

/* The tiles (i, j) with i <= j < TILES, in bands of BAND columns, along the
   rows of a band.  The first band and the last, the second and the last but
   one, ..., have the same number of tiles together; so T finds its place by
   one division, of numbers below 2^32.  The band's few tiles below the
   diagonal are counted, too.  */
template <int BAND> struct pairs
{
  unsigned tiles, bands;
  ptrdiff_t each; /* of a page */

  explicit pairs (ptrdiff_t n, int tile)
      : tiles ((unsigned) pieces (n, tile)),
        bands ((unsigned) pieces (tiles, BAND)),
        each ((ptrdiff_t) bands * (bands + 1) / 2 * (BAND * BAND))
  {
  }
  /* Page -1 for none.  */
  __device__ place
  operator[] (ptrdiff_t t) const
  {
    ptrdiff_t page = 0;
    if (t >= each)
      {
        page = t / each;
        t -= page * each;
      }
    const unsigned all = (bands + 1) * (BAND * BAND);
    const unsigned fold = (unsigned) t / all;
    unsigned rest = (unsigned) t - fold * all, band = bands - 1 - fold;
    const unsigned last = (band + 1) * (BAND * BAND);
    if (rest >= last)
      {
        rest -= last;
        band = fold;
      }
    const ptrdiff_t i = rest / BAND, j = band * BAND + rest % BAND;
    return { i <= j && j < tiles ? page : -1, i, j };
  }
};

template <class T, class W, int TILE, int THREADS>
__global__ void
__launch_bounds__ (THREADS, 768 / THREADS)
  in_place_tiles_kernel (problem P, pairs<1> all)
{
  using tile_of = squares<T, W, TILE, THREADS>;
  extern __shared__ uint4 memory[];
  W *upper = (W *) memory, *lower = upper + TILE * tile_of::WORDS;
  for (ptrdiff_t t = blockIdx.x; t < all.each * P.pages; t += gridDim.x)
    {
      const place at = all[t];
      const ptrdiff_t i0 = at.i * TILE, j0 = at.j * TILE;
      const bool two = i0 != j0;
      /* The sizes of the upper tile, whose mirror is the lower one.  */
      const int columns = P.n - j0 < TILE ? (int) (P.n - j0) : TILE;
      const int rows = two ? TILE : columns;
      T *a = (T *) P.B + at.page * P.stepb;
      T *up = a + i0 + j0 * P.lda, *low = a + j0 + i0 * P.lda;

      tile_of x, y;
      x.load (up, P.lda, rows, columns);
      if (two)
        y.load (low, P.lda, columns, rows);
      x.turn (upper, P.flip);
      if (two)
        y.turn (lower, P.flip);
      __syncthreads ();
      tile_of::store (low, P.lda, rows, columns, upper);
      if (two)
        tile_of::store (up, P.lda, columns, rows, lower);
      __syncthreads ();
    }
}

enum
{
  BAND = 4 /* of tiles that share sectors: above each other in A or in the
              mirror, they are in work at the same time */
};

/* Tiles that begin anywhere.  */
template <class T, int TILE, int THREADS, int BLOCKS>
__global__ void
__launch_bounds__ (THREADS, BLOCKS)
  in_place_kernel (problem P, pairs<BAND> all)
{
  constexpr int STEP = THREADS / TILE, MOVES = TILE / STEP, PITCH = TILE + 1;
  extern __shared__ uint4 memory[];
  T *upper = (T *) memory, *lower = upper + TILE * PITCH;
  const int i = threadIdx.x % TILE, j = threadIdx.x / TILE;
  const int to = j * PITCH + i, from = i * PITCH + j;
  const ptrdiff_t step = STEP * P.lda;
  for (ptrdiff_t t = blockIdx.x; t < all.each * P.pages; t += gridDim.x)
    {
      const place at = all[t];
      if (at.page < 0)
        continue;
      const ptrdiff_t i0 = at.i * TILE, j0 = at.j * TILE;
      const bool two = i0 != j0;
      T *a = (T *) P.B + at.page * P.stepb;
      T *up = a + (i0 + i) + (j0 + j) * P.lda;
      T *low = a + (j0 + i) + (i0 + j) * P.lda;
      if (j0 + TILE <= P.n)
        {
          T x[MOVES], y[MOVES];
          const T *p = up;
#pragma unroll
          for (int q = 0; q < MOVES; q++, p += step)
            x[q] = *p;
          p = low;
#pragma unroll
          for (int q = 0; q < MOVES; q++, p += step)
            y[q] = *p;
#pragma unroll
          for (int q = 0; q < MOVES; q++)
            {
              upper[to + q * STEP * PITCH] = flipped (x[q], P.flip);
              lower[to + q * STEP * PITCH] = flipped (y[q], P.flip);
            }
          __syncthreads ();
#pragma unroll
          for (int q = 0; q < MOVES; q++, low += step)
            *low = upper[from + q * STEP];
          if (two)
#pragma unroll
            for (int q = 0; q < MOVES; q++, up += step)
              *up = lower[from + q * STEP];
        }
      else
        {
          /* The sizes of the upper tile, whose mirror is the lower one.  */
          const int columns = (int) (P.n - j0), rows = two ? TILE : columns;
          const T *p = up, *r = low;
#pragma unroll 4
          for (int q = 0; q < MOVES; q++, p += step, r += step)
            {
              const int c = j + q * STEP;
              T x = {}, y = {};
              if (i < rows && c < columns)
                x = *p;
              if (two && i < columns && c < rows)
                y = *r;
              upper[to + q * STEP * PITCH] = flipped (x, P.flip);
              lower[to + q * STEP * PITCH] = flipped (y, P.flip);
            }
          __syncthreads ();
#pragma unroll 4
          for (int q = 0; q < MOVES; q++, up += step, low += step)
            {
              const int c = j + q * STEP;
              if (i < columns && c < rows)
                *low = upper[from + q * STEP];
              if (two && i < rows && c < columns)
                *up = lower[from + q * STEP];
            }
        }
      __syncthreads ();
    }
}

/* ---- which one ---- */

/* Whether columns LD apart and pages STEP apart begin where P does in words
   of BYTES.  */
template <class T>
static bool
on_words (const void *p, ptrdiff_t ld, ptrdiff_t step, ptrdiff_t pages,
          size_t bytes)
{
  const ptrdiff_t per = (ptrdiff_t) (bytes / sizeof (T));
  return (uintptr_t) p % bytes == 0 && ld % per == 0
         && (pages == 1 || step % per == 0);
}

template <class T, class W, int TILE, int THREADS>
static cudaError_t
launch_tiles (cudaStream_t s, const problem &P)
{
  /* Tiles along the columns of B: its writes meet in the cache.  Few rows of
     tiles are taken together.  */
  const bool along_rows = P.m > 128 || P.n <= P.m;
  const ptrdiff_t tiles = pieces (P.m, TILE) * pieces (P.n, TILE);
  tiles_kernel<T, W, TILE, THREADS>
    <<<grid_for (tiles * P.pages), THREADS, 0, s>>> (P, along_rows);
  return cudaGetLastError ();
}

template <class T, int DOWN, int ACROSS, int THREADS, int SHIFTS>
static cudaError_t
launch_shifted (cudaStream_t s, const problem &P)
{
  const ptrdiff_t tiles
    = pieces (P.m, DOWN) * pieces (P.n + SHIFTS - 1, ACROSS);
  shifted_kernel<T, DOWN, ACROSS, THREADS, SHIFTS>
    <<<grid_for (tiles * P.pages), THREADS, 0, s>>> (P);
  return cudaGetLastError ();
}

/* The base-2 logarithm of the length of a run of columns of height H: about
   BYTES, at least LEAST along the rows, and what shared memory holds.  */
template <class T>
static int
run_bits (const run &R, int bytes, int least)
{
  const int size = (int) sizeof (T), column = R.pitch * size;
  int bits = 0;
  while (LINE + (column << (bits + 1)) <= SHARED
         && (R.h * size << (bits + 1) <= bytes || size << (bits + 1) <= least))
    bits++;
  return bits;
}

template <class T>
static cudaError_t
launch_runs (cudaStream_t s, const problem &P, bool wide)
{
  const ptrdiff_t per = per_line<T>, h = wide ? P.m : P.n;
  const bool a_lines = on_words<T> (P.A, P.lda, P.stepa, P.pages, LINE);
  const bool b_lines = on_words<T> (P.B, P.ldb, P.stepb, P.pages, LINE);
  const run R (h, per, wide ? a_lines : b_lines);
  const int bits = wide ? run_bits<T> (R, RUN_WIDE, LEAST_WIDE)
                        : run_bits<T> (R, RUN_TALL, LEAST_TALL);
  /* A warp that turns lines meets shared memory every 4 * pitch banks: small
     elements, of which it needs more, may then not lie in the same few.  */
  const int even = R.pitch & -R.pitch;
  const bool lines
    = (wide ? b_lines && P.n % per == 0 : a_lines && P.m % per == 0)
      && 1 << bits >= per && (even == 1 || even * 2 <= (int) sizeof (T));
  const ptrdiff_t chunks = pieces (wide ? P.n : P.m, (ptrdiff_t) 1 << bits);
  const size_t shared = LINE + ((size_t) R.pitch * sizeof (T) << bits);
  const size_t bytes = (size_t) R.h * sizeof (T) << bits;
  return launch_shared (
    wide ? wide_kernel<T> : tall_kernel<T>, grid_for (chunks * P.pages),
    bytes <= CHUNK ? 128 : 256, shared, s, P, R, bits, lines);
}

/* Pages in a block; 0 if a page does not fit.  */
template <class T>
static int
group_of (const problem &P, const run &R, int shared)
{
  const ptrdiff_t size = P.m * P.n, bytes = P.n * R.pitch * (int) sizeof (T);
  if (P.m > UINT16_MAX || P.n > UINT16_MAX || size > UINT16_MAX
      || LINE + bytes > shared)
    return 0;
  const ptrdiff_t group = CHUNK / (size * (ptrdiff_t) sizeof (T));
  return group > 1 ? (int) group : 1;
}

template <class T>
static cudaError_t
launch_pages (cudaStream_t s, const problem &P, const run &R, int group)
{
  const size_t shared = LINE + (size_t) (group * P.n * R.pitch) * sizeof (T);
  const size_t bytes = (size_t) (group * P.m * P.n) * sizeof (T);
  const int threads = bytes <= CHUNK ? 128 : bytes <= LARGE ? 256 : 512;
  return launch_shared (pages_kernel<T>, grid_for (pieces (P.pages, group)),
                        threads, shared, s, P, R, group, divisor (P.m * P.n),
                        divisor (P.n));
}

template <class T>
static ptrdiff_t
slab_bytes (const problem &P, ptrdiff_t rows)
{
  return P.n / per_line<T> * (rows + 1) * LINE;
}

template <class T, int THREADS>
static cudaError_t
launch_slabs (cudaStream_t s, const problem &P, ptrdiff_t rows)
{
  const ptrdiff_t V = per_line<T>;
  return launch_shared (slabs_kernel<T, THREADS>,
                        grid_for (pieces (P.m, rows) * P.pages), THREADS,
                        (size_t) slab_bytes<T> (P, rows), s, P, (int) rows,
                        divisor (rows / V), divisor (P.n / V));
}

template <class T, int TILE, int THREADS, int BLOCKS>
static cudaError_t
launch_in_place (cudaStream_t s, const problem &P, int most_shared)
{
  const int shared = 2 * TILE * (TILE + 1) * (int) sizeof (T);
  if constexpr (TILE > 32)
    if (shared > most_shared)
      return launch_in_place<T, 32, 256, 4> (s, P, most_shared);
  const pairs<BAND> all (P.n, TILE);
  return launch_shared (in_place_kernel<T, TILE, THREADS, BLOCKS>,
                        grid_for (all.each * P.pages), THREADS, shared, s, P,
                        all);
}

template <class T, class W, int TILE, int THREADS>
static cudaError_t
launch_in_place_tiles (cudaStream_t s, const problem &P)
{
  const pairs<1> all (P.n, TILE);
  return launch_shared (in_place_tiles_kernel<T, W, TILE, THREADS>,
                        grid_for (all.each * P.pages), THREADS,
                        2 * TILE * TILE * sizeof (T), s, P, all);
}

/* The share of N that is in the tiles that cover it, times that of M, is at
   least three quarters.  */
static bool
fills (ptrdiff_t m, ptrdiff_t n, ptrdiff_t tile)
{
  return 4 * m * n
         >= 3 * (pieces (m, tile) * tile) * (pieces (n, tile) * tile);
}

/* The words of the tiles' kernel, and its smaller tile.  */
template <class T> struct tiling
{
  using word = uint4;
  static const int tile = 64, threads = 256;
};
template <> struct tiling<unsigned char>
{
  using word = uint2;
  static const int tile = 128, threads = 256;
};
template <> struct tiling<unsigned short>
{
  using word = uint2;
  static const int tile = 128, threads = 256;
};
template <> struct tiling<uint2>
{
  using word = uint4;
  static const int tile = 32, threads = 128;
};
template <> struct tiling<uint4>
{
  using word = uint4;
  static const int tile = 16, threads = 128;
};

template <class T>
static cudaError_t
transpose (cudaStream_t s, const problem &P, int most_shared)
{
  using small = tiling<T>;
  using W = typename small::word;
  const ptrdiff_t V = sizeof (W) / sizeof (T), size = P.m * P.n;
  const bool in_place = P.A == P.B;
  const bool tiles = P.m % V == 0 && P.n % V == 0
                     && on_words<T> (P.A, P.lda, P.stepa, P.pages, sizeof (W))
                     && on_words<T> (P.B, P.ldb, P.stepb, P.pages, sizeof (W));

  if (P.pages > 1 && P.lda == P.m && P.ldb == P.n && P.stepa == size
      && P.stepb == size)
    {
      const run R (P.m, per_line<T>, (uintptr_t) P.A % LINE == 0);
      const int group = group_of<T> (P, R, most_shared);
      const ptrdiff_t bytes = size * (ptrdiff_t) sizeof (T);
      const bool better
        = in_place || !tiles || bytes <= TINY
          || (bytes <= SHARED && !fills (P.m, P.n, small::tile));
      if constexpr (sizeof (T) >= 4)
        if (better && tiles && bytes > LARGE && P.n >= 8 * V
            && slab_bytes<T> (P, P.m) <= most_shared)
          return launch_slabs<T, 512> (s, P, P.m);
      if (group > 0 && better)
        return launch_pages<T> (s, P, R, group);
    }
  if (in_place)
    {
      constexpr int TILE = sizeof (T) == 2 ? 64 : small::tile;
      constexpr int BLOCKS = sizeof (T) < 16 ? 2 : 1;
      if constexpr (sizeof (T) < 16)
        if (tiles)
          return launch_in_place_tiles<T, W, TILE, small::threads> (s, P);
      if constexpr (sizeof (T) == 16)
        if (on_words<T> (P.B, P.ldb, P.stepb, P.pages, SECTOR))
          return launch_in_place<T, 32, 256, 4> (s, P, most_shared);
      return launch_in_place<T, 64, 512, BLOCKS> (s, P, most_shared);
    }

  /* A run of columns for up to 16 rows, and for more of an odd number.  */
  if (P.lda == P.m && P.m <= (tiles || P.n < 1024 ? 16 : 128) && P.m <= P.n)
    return launch_runs<T> (s, P, true);
  if (P.ldb == P.n && P.n <= 16)
    return launch_runs<T> (s, P, false);

  /* A second tile beside the first would be nearly empty.  */
  if constexpr (sizeof (T) >= 4)
    if (tiles && P.n > small::tile && P.n < 2 * small::tile && P.m > 128)
      return launch_slabs<T, 256> (s, P, SLAB);

  if (tiles)
    {
      if constexpr (sizeof (T) == 16)
        if (P.m > 8192 && P.n > 8192)
          return launch_tiles<T, W, 32, 512> (s, P);
      return launch_tiles<T, W, small::tile, small::threads> (s, P);
    }
  if constexpr (sizeof (T) < 16)
    {
      constexpr int SHIFTS = SECTOR / sizeof (T);
      if (P.m <= 128 || P.n <= 128)
        return launch_shifted<T, 32, 32, 128, 1> (s, P);
      if constexpr (sizeof (T) == 1)
        return launch_shifted<T, 64, 128, 256, SHIFTS> (s, P);
      else if constexpr (sizeof (T) == 8)
        return launch_shifted<T, 64, 64, 256, SHIFTS> (s, P);
      else
        return launch_shifted<T, 128, 64, 256, SHIFTS> (s, P);
    }
  return cudaErrorInvalidValue; /* 16 bytes off their place */
}

cudaError_t
cuda_transpose (cudaStream_t s, gpu_type type, bool conj, const void *A,
                ptrdiff_t lda, ptrdiff_t stepa, void *B, ptrdiff_t ldb,
                ptrdiff_t stepb, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages)
{
  /* What one block may have, less for more than one in a multiprocessor.  */
  const int enough = 132 << 10;
  int device, shared;
  const problem P
    = { A,     B,
        lda,   stepa,
        ldb,   stepb,
        m,     n,
        pages, conj && gpu_is_complex (type) ? (unsigned) CONJUGATE : 0 };
  if (m == 0 || n == 0 || pages == 0)
    return cudaSuccess;
  if (A == B
      && (m != n || (n > 1 && lda != ldb) || (pages > 1 && stepa != stepb)))
    return cudaErrorInvalidValue;
  cudaError_t status = cudaGetDevice (&device);
  if (status == cudaSuccess)
    status = cudaDeviceGetAttribute (
      &shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (status != cudaSuccess)
    return status;
  if (shared > enough)
    shared = enough;
  FOR_ELEMENT_SIZE (type, transpose, s, P, shared);
}
