/* lanes.cuh: pages of up to 32 x 32, LANES lanes of a warp a page and ROWS
   rows of it in the registers of each; inv_lanes.cu and det_lanes.cu use it.

        column 0 1 2 ...               With LANES = 8 and ROWS = 3 a warp has
      +------------------+             four pages of up to 24 x 24.
      | . . .            |  lane 0     Step k finds the pivot among the lanes,
      | . . .            |  lane 1     sends its row round, and updates all
      | . . .            |  ...        other rows: Gauss-Jordan elimination
      +------------------+             in place, or LU for the determinant.
      | . . .            |  lane 0
      | . . .            |  lane 1     Rows never move.  Two rows of an even
      | . . .            |  ...        page are neighbours, and come at once.
      +------------------+

   The columns move down by a register in each step (the update writes another
   one), so that the pivot's column is always column 0 and the loop over the
   steps stays small enough for the instruction cache; behind the last step all
   are back.  Column j of an inverse then belongs to the pivot row of step j.

   Quick steps have no branch.  They look at the leading bits alone, and stop
   where these do not tell which element is largest, or a pivot needs scaling;
   then the warp starts anew with careful steps, which take any page.  What a
   page's pivots are divided by is the same in both.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_LANES_CUH
#define GPULINALG_LANES_CUH 1

#include "pages.cuh"

/* What a thread cannot hold.  */
template <class T>
constexpr int min_size = sizeof (T) == 16  ? 7
                         : sizeof (T) == 4 ? 13
                         : is_complex<T>   ? 9
                                           : 11;

/* From where on a whole warp, or a block, is faster.  */
template <class T> constexpr int max_size = sizeof (T) == 4 ? 32 : 24;

/* Few lanes spare exchange, many spare registers; but a warp's pages have to
   be a multiple of 16 bytes.  */
template <class T, int N>
constexpr int lanes_of = N <= 12                    ? 4
                         : sizeof (T) == 16         ? 16
                         : N <= 24                  ? 8
                         : N % 2 && sizeof (T) == 4 ? 8
                                                    : 16;

/* The registers of a page in each of its lanes.  */
template <class T, int N>
constexpr int page_registers
  = (N + lanes_of<T, N> - 1) / lanes_of<T, N> *N *(int) sizeof (T) / 4;

/* The warps of a block.  One waits for no other; but of blocks not all
   multiprocessors have more than 16.  */
template <class T, int N>
constexpr int warps = sizeof (T) == 4 && page_registers<T, N> <= 57 ? 2 : 1;

/* The blocks that share a multiprocessor: as many as leave a step registers to
   have several exchanges under way.  */
template <class T, int N>
constexpr int
min_blocks ()
{
  constexpr int MOST = sizeof (T) == 4 ? 124 : is_complex<T> ? 104 : 116;
  if (warps<T, N> == 2)
    return page_registers<T, N> <= 32 ? 12 : 10;
  return page_registers<T, N> <= 76     ? 16
         : page_registers<T, N> <= MOST ? 12
                                        : 8;
}

/* Whether pivots with these leading bits are divided by as they are: neither
   their reciprocal nor a correction of the quotient leaves the range.  */
template <class T>
__device__ bool
is_usual (unsigned high)
{
  using R = typename real_of<T>::type;
  constexpr int AT = exponent_at<R>;
  constexpr unsigned HALF = (sizeof (R) == 4 ? 64 : 512) >> is_complex<T>;
  return high - ((exponent_of_1<R> - HALF) << AT) < (2 * HALF) << AT;
}

/* The lane's share of a page.  */
template <class T, int N> struct share
{
  using R = typename real_of<T>::type;
  static constexpr int LANES = lanes_of<T, N>;
  static constexpr int ROWS = (N + LANES - 1) / LANES;
  static constexpr int PAGES = 32 / LANES; /* of a warp */
  static constexpr bool PAIR = ROWS == 2 && N % 2 == 0 && sizeof (T) <= 8;

  /* What is known of a row behind the step that it was the pivot's of.  */
  struct alignas (2 * sizeof (R)) record
  {
    T pivot; /* or its inverse */
    int step;
  };
  static constexpr int RECORDS = LANES * ROWS | 1;
  static constexpr unsigned NUMBERS = LANES * ROWS <= 16 ? 15 : 31;

  T x[ROWS][N];
  unsigned bits[ROWS]; /* of a row that count, none behind its turn */
  unsigned left;       /* the rows to come */
  int place[ROWS];     /* where LAPACK, which swaps, has it; -1: nowhere */
  bool odd;            /* the number of swaps */
  int warp;            /* in the block */
  int lane, first;     /* in the warp, and the first of this page */
  record *records;     /* of this page, in shared memory */

  __device__ explicit share (record *of_block)
      : warp (warps<T, N> == 1 ? 0 : __shfl_sync (~0u, threadIdx.x / 32, 0)),
        lane (threadIdx.x % 32), first (lane / LANES * LANES),
        records (of_block + (warp * PAGES + lane / LANES) * RECORDS)
  {
  }

  __device__ int
  row (int s) const
  {
    return PAIR ? (lane - first) * ROWS + s : s * LANES + lane - first;
  }
  /* The other way round.  */
  __device__ int
  lane_of (int i) const
  {
    return first + (PAIR ? i / ROWS : i % LANES);
  }
  __device__ static int
  share_of (int i)
  {
    return PAIR ? i % ROWS : i / LANES;
  }

  __device__ __forceinline__ void
  load (const T *page)
  {
#pragma unroll
    for (int j = 0; j < N; j++)
      if constexpr (PAIR)
        {
          struct alignas (2 * sizeof (T)) pair
          {
            T x, y;
          } p = { make<T> (0), make<T> (0) };
          if (row (0) < N)
            p = *(const pair *) (page + j * N + row (0));
          x[0][j] = p.x;
          x[1][j] = p.y;
        }
      else
#pragma unroll
        for (int s = 0; s < ROWS; s++)
          x[s][j] = row (s) < N ? page[j * N + row (s)] : make<T> (0);
  }

  /* The largest of the page's lanes.  */
  __device__ static unsigned
  group_max (unsigned v)
  {
#pragma unroll
    for (int h = LANES / 2; h > 0; h /= 2)
      v = max (v, __shfl_xor_sync (~0u, v, h));
    return v;
  }

  __device__ T
  element (int s, int j) const
  {
    T v = x[0][j];
#pragma unroll
    for (int q = 1; q < ROWS; q++)
      v = choose (s == q, x[q][j], v);
    return v;
  }

  /* Subtract the pivot's row, which is row S of the lane OWNER, F times.  */
  template <int WIDTH, bool INVERSE>
  __device__ __forceinline__ void
  update (int owner, int s_owner, const T (&f)[ROWS], const bool (&is)[ROWS])
  {
#pragma unroll
    for (int j = 1; j < WIDTH; j++)
      {
        const T y = from_lane (element (s_owner, j), owner);
#pragma unroll
        for (int s = 0; s < ROWS; s++)
          x[s][j - 1] = mul_add (x[s][j], f[s], y);
      }
    if (INVERSE)
#pragma unroll
      for (int s = 0; s < ROWS; s++)
        x[s][N - 1] = choose (is[s], make<T> (1), f[s]);
  }

  /* Quick steps with WIDTH columns left, from step K to END.  A row's KEY is
     the leading bits of its element of column 0, the last of them replaced by
     its number, or only that behind its turn: the largest key says all.  The
     reciprocal of each lane's best element is under way while the lanes find
     the best of all.  Returns false if a pivot was not certain.  */
  template <int WIDTH, bool INVERSE>
  __device__ __forceinline__ bool
  quick_steps (int k, int end)
  {
    bool stop = false;
#pragma unroll 1
    for (; k < end && !stop; k++)
      {
        unsigned key[ROWS], best = 0;
#pragma unroll
        for (int s = 0; s < ROWS; s++)
          {
            key[s] = (leading_bits (x[s][0]) & bits[s]) | row (s);
            best = max (best, key[s]);
          }
        T mine = x[0][0];
#pragma unroll
        for (int s = 1; s < ROWS; s++)
          mine = choose (key[s] == best, x[s][0], mine);
        R r = invert_near_1 (denominator (mine));
        const unsigned top = group_max (best);
        const int i = top & NUMBERS, owner = lane_of (i);
        const T p = from_lane (mine, owner);
        r = from_lane (r, owner);

        unsigned near = ~0u;
        bool is[ROWS];
        T f[ROWS];
#pragma unroll
        for (int s = 0; s < ROWS; s++)
          {
            near = min (near, (key[s] ^ top) - 1);
            is[s] = key[s] == top;
            f[s] = choose (is[s], make<T> (0),
                           negative (corrected_quotient (x[s][0], p, r)));
            bits[s] = is[s] ? 0 : bits[s];
          }
        stop = __any_sync (~0u, near < NUMBERS || !is_usual<T> (top));
        if (best == top)
          records[i] = { INVERSE ? pivot<T> (0, p, r).inverse () : p, k };
        odd ^= __popc (left & ((1u << i) - 1)) & 1;
        left &= ~(1u << i);
        update<WIDTH, INVERSE> (owner, share_of (i), f, is);
      }
    return !stop;
  }

  /* Above 0 where row s is still to be chosen from in step k.  */
  __device__ __forceinline__ unsigned
  high (int s, int k) const
  {
    return place[s] >= k ? leading_bits (x[s][0]) + 1 : 0;
  }

  /* The row of the pivot of step k: of equal elements the first in LAPACK's
     order.  */
  __device__ __forceinline__ int
  find_pivot (int k) const
  {
    unsigned best = 0, low = 0, rank = 0;
#pragma unroll
    for (int s = 0; s < ROWS; s++)
      best = max (best, high (s, k));
    const unsigned top = group_max (best);
    int i = 0, count = 0;
#pragma unroll
    for (int s = 0; s < ROWS; s++)
      {
        i = high (s, k) == top ? row (s) : i;
        count += high (s, k) == top;
      }
    const unsigned who
      = __ballot_sync (~0u, count) & ~0u >> (32 - LANES) << first;
    if (!__any_sync (~0u, count > 1 || (who & (who - 1))))
      return __shfl_sync (~0u, i, __ffs (who) - 1);
#pragma unroll
    for (int s = 0; s < ROWS; s++)
      if (high (s, k) == top)
        low = max (low, low_bits (size_of (x[s][0])));
    low = group_max (low);
#pragma unroll
    for (int s = 0; s < ROWS; s++)
      if (high (s, k) == top && low_bits (size_of (x[s][0])) == low)
        rank = max (rank, (unsigned) (N - place[s]) * 32 + row (s));
    return group_max (rank) % 32;
  }

  template <int WIDTH, bool INVERSE>
  __device__ __forceinline__ bool
  careful_steps (int k, int end)
  {
#pragma unroll 1
    for (; k < end; k++)
      {
        const int i = find_pivot (k), owner = lane_of (i);
        int at = 0;
#pragma unroll
        for (int s = 0; s < ROWS; s++)
          at += row (s) == i ? place[s] : 0;
        at = __shfl_sync (~0u, at, owner);
        odd ^= at != k;

        const T x0 = from_lane (element (share_of (i), 0), owner);
        pivot<T> p (x0);
        if (is_usual<T> (leading_bits (x0)))
          p = pivot<T> (0, x0, invert_near_1 (denominator (x0)));
        bool is[ROWS];
        T f[ROWS];
#pragma unroll
        for (int s = 0; s < ROWS; s++)
          {
            is[s] = row (s) == i;
            f[s] = choose (is[s], make<T> (0), negative (p.divide (x[s][0])));
            place[s] = is[s] ? k : place[s] == k ? at : place[s];
          }
        if (lane == owner)
          records[i] = { INVERSE ? p.inverse () : x0, k };
        update<WIDTH, INVERSE> (owner, share_of (i), f, is);
      }
    return true;
  }

  /* All steps.  A determinant drops a quarter of the columns at a time.  */
  template <bool QUICK, int WIDTH, bool INVERSE>
  __device__ __forceinline__ bool
  steps (int k, int end)
  {
    if constexpr (QUICK)
      return quick_steps<WIDTH, INVERSE> (k, end);
    else
      return careful_steps<WIDTH, INVERSE> (k, end);
  }
  template <bool QUICK, bool INVERSE>
  __device__ __forceinline__ bool
  all_steps ()
  {
    constexpr int C = (N + 3) / 4;
    odd = false;
    left = ~0u >> (32 - N);
#pragma unroll
    for (int s = 0; s < ROWS; s++)
      {
        bits[s] = row (s) < N ? ~(1u << 31) & ~NUMBERS : 0;
        place[s] = row (s) < N ? row (s) : -1;
      }
    if constexpr (INVERSE)
      return steps<QUICK, N, true> (0, N);
    else
      return steps<QUICK, N, false> (0, C)
             && steps<QUICK, N - C, false> (C, 2 * C)
             && steps<QUICK, N - 2 * C, false> (2 * C, 3 * C)
             && steps<QUICK, N - 3 * C, false> (3 * C, N);
  }
  template <bool INVERSE>
  __device__ __forceinline__ void
  eliminate (const T *page)
  {
    if (!all_steps<true, INVERSE> ())
      {
        load (page);
        all_steps<false, INVERSE> ();
      }
  }

  /* The inverse of what was loaded from PAGE, in an order that STEP tells, -1
     beyond the last row.  Returns whether a pivot was zero.  */
  __device__ __forceinline__ bool
  invert (const T *page, int (&step)[ROWS])
  {
    eliminate<true> (page);
    unsigned zero = 0;
#pragma unroll
    for (int s = 0; s < ROWS; s++)
      {
        record r = { make<T> (1), -1 };
        if (row (s) < N)
          r = records[row (s)];
        step[s] = r.step;
        zero |= size_of (r.pivot) == 0;
#pragma unroll
        for (int j = 0; j < N; j++)
          x[s][j] = mul (x[s][j], r.pivot);
      }
    return group_max (zero);
  }

  /* The determinant of what was loaded from PAGE.  */
  __device__ __forceinline__ product<T>
  determinant (const T *page)
  {
    eliminate<false> (page);
    product<T> d (make<T> (1));
#pragma unroll
    for (int s = 0; s < ROWS; s++)
      if (row (s) < N)
        {
          const product<T> v (records[row (s)].pivot);
          d.times (v.m, v.e);
        }
#pragma unroll
    for (int h = LANES / 2; h > 0; h /= 2)
      d.times (from_lane (d.m, lane ^ h), __shfl_xor_sync (~0u, d.e, h));
    if (odd)
      d.m = negative (d.m);
    return d;
  }

  /* The largest sum of a column.  With each exchange a lane gives away half of
     its columns, until it has the sum of one among WIDTH lanes.  */
  __device__ __forceinline__ R
  norm1 () const
  {
    constexpr int WIDTH = LANES < 8 ? LANES : 8;
    unsigned largest = 0;
    if constexpr (is_complex<T>)
      {
#pragma unroll
        for (int s = 0; s < ROWS; s++)
#pragma unroll
          for (int j = 0; j < N; j++)
            largest = max (largest, extent (x[s][j]));
        largest = group_max (largest);
      }
    const modulus_sum<T> modulus (largest);
    R most = 0;
#pragma unroll
    for (int c = 0; c < N; c += WIDTH)
      {
        R sum[WIDTH];
#pragma unroll
        for (int j = 0; j < WIDTH; j++)
          {
            sum[j] = 0;
            if (c + j < N)
#pragma unroll
              for (int s = 0; s < ROWS; s++)
                sum[j] += modulus.term (x[s][c + j]);
          }
#pragma unroll
        for (int h = WIDTH / 2; h > 0; h /= 2)
          {
            const bool upper = lane & h;
#pragma unroll
            for (int j = 0; j < h; j++)
              {
                const R give = upper ? sum[j] : sum[j + h];
                sum[j] = (upper ? sum[j + h] : sum[j])
                         + __shfl_xor_sync (~0u, give, h);
              }
          }
#pragma unroll
        for (int h = WIDTH; h < LANES; h *= 2)
          sum[0] += __shfl_xor_sync (~0u, sum[0], h);
        most = max_or_nan (most, sum[0]);
      }
#pragma unroll
    for (int h = WIDTH / 2; h > 0; h /= 2)
      most = max_or_nan (most, __shfl_xor_sync (~0u, most, h));
    return modulus.unscale (most);
  }
};

/* The blocks that a warp's pages at a time ask for, and the first page of this
   warp.  */
template <class T, int N>
static unsigned
grid_of (ptrdiff_t pages)
{
  return grid_for (ceil_div (pages, warps<T, N> * share<T, N>::PAGES));
}
template <class T, int N>
__device__ ptrdiff_t
first_page (int warp)
{
  return ((ptrdiff_t) blockIdx.x * warps<T, N> + warp) * share<T, N>::PAGES;
}
template <class T, int N>
__device__ ptrdiff_t
page_stride ()
{
  return (ptrdiff_t) gridDim.x * warps<T, N> * share<T, N>::PAGES;
}

#endif
