/* lanes.cuh: pages of up to 32 x 32, LANES lanes of a warp a page and ROWS
   rows of it in the registers of each; inv_lanes.cu and det_lanes.cu use it.

        column 0 1 2 ...               With LANES = 8 and ROWS = 2 a warp has
      +------------------+             four pages of up to 16 x 16.
      | . . .            |  lane 0     Step k finds the pivot among the lanes,
      | . . .            |             sends its row round, and updates all
      +------------------+             other rows: Gauss-Jordan elimination
      | . . .            |  lane 1     in place, or LU for the determinant.
      | . . .            |
      +------------------+             Rows never move: PLACE is the row
      |                  |  ...        where LAPACK, which swaps, has it.

   The columns move down by a register in each step (the update writes another
   one), so that the pivot's column is always column 0 and the loop over the
   steps stays small enough for the instruction cache; behind the last step all
   are back.  Column j of an inverse then belongs to the pivot row of step j.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_LANES_CUH
#define GPULINALG_LANES_CUH 1

#include "pages.cuh"

enum
{
  WARPS = 2 /* of a block */
};

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
constexpr int lanes_of = N <= 12                                   ? 4
                         : N <= 16 || (N <= 24 && sizeof (T) < 16) ? 8
                         : N % 2 && sizeof (T) == 4                ? 8
                                                                   : 16;

/* The lane's share of a page.  */
template <class T, int N> struct share
{
  using R = typename real_of<T>::type;
  static constexpr int LANES = lanes_of<T, N>;
  static constexpr int ROWS = (N + LANES - 1) / LANES;
  static constexpr int PAGES = 32 / LANES; /* of a warp */

  T x[ROWS][N];
  int place[ROWS]; /* -1 beyond the last row */
  T kept[ROWS];    /* the row's pivot, or its inverse */
  bool odd;        /* the number of swaps */
  int lane, first; /* in the warp, and the first of this page */
  unsigned group;  /* the lanes of this page */

  __device__
  share ()
      : lane (threadIdx.x % 32), first (lane / LANES * LANES),
        group (~0u >> (32 - LANES) << first)
  {
  }

  __device__ int
  row (int s) const
  {
    return (lane - first) * ROWS + s;
  }

  __device__ __forceinline__ void
  load (const T *page)
  {
    odd = false;
#pragma unroll
    for (int s = 0; s < ROWS; s++)
      {
        place[s] = row (s) < N ? row (s) : -1;
        kept[s] = make<T> (1);
      }
#pragma unroll
    for (int j = 0; j < N; j++)
      if constexpr (ROWS == 2 && N % 2 == 0 && sizeof (T) <= 8)
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

  /* Above 0 where row s is still to be chosen from in step k.  */
  __device__ unsigned
  key (int s, int k) const
  {
    return place[s] >= k ? high_bits (size_of (x[s][0])) + 1 : 0;
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

  /* Step k with WIDTH columns left.  The reciprocal of each lane's best
     element is under way while the lanes find the best of all.  */
  template <int WIDTH, bool INVERSE>
  __device__ __forceinline__ void
  step (int k)
  {
    unsigned best = 0;
    int mine = 0;
    bool tie = false;
#pragma unroll
    for (int s = 0; s < ROWS; s++)
      {
        const unsigned v = key (s, k);
        tie = v == best || (tie && v < best);
        mine = v > best ? s : mine;
        best = max (v, best);
      }
    T chosen = element (mine, 0);
    pivot<T> p (chosen);
    const unsigned top = group_max (best);
    unsigned who = __ballot_sync (~0u, best == top) & group;
    tie = (tie && best == top) || (who & (who - 1));
    if (__any_sync (~0u, tie))
      {
        /* Equal in the high bits: the low ones decide, then the place.  */
        unsigned low = 0, rank = 0;
#pragma unroll
        for (int s = 0; s < ROWS; s++)
          if (key (s, k) == top)
            low = max (low, low_bits (size_of (x[s][0])));
        low = group_max (low);
#pragma unroll
        for (int s = 0; s < ROWS; s++)
          if (key (s, k) == top && low_bits (size_of (x[s][0])) == low)
            rank = max (rank, (unsigned) (N - place[s]));
        rank = group_max (rank);
        bool here = false;
#pragma unroll
        for (int s = 0; s < ROWS; s++)
          if (place[s] == N - (int) rank)
            {
              here = true;
              mine = s;
            }
        who = __ballot_sync (~0u, here) & group;
        chosen = element (mine, 0);
        p = pivot<T> (chosen);
      }

    /* The owner's exponent and place travel in one word.  */
    const int owner = __ffs (who) - 1;
    int at = place[0];
#pragma unroll
    for (int s = 1; s < ROWS; s++)
      at = mine == s ? place[s] : at;
    const int word = __shfl_sync (~0u, p.k * 32 + at, owner);
    p = pivot<T> (word >> 5, from_lane (p.p, owner), from_lane (p.r, owner));
    at = word & 31;
    odd ^= at != k;

    T f[ROWS];
    bool is[ROWS];
#pragma unroll
    for (int s = 0; s < ROWS; s++)
      {
        is[s] = lane == owner && mine == s;
        f[s] = choose (is[s], make<T> (0), negative (p.divide (x[s][0])));
        kept[s] = choose (is[s], INVERSE ? p.inverse () : chosen, kept[s]);
        place[s] = is[s] ? k : place[s] == k ? at : place[s];
      }
#pragma unroll
    for (int j = 1; j < WIDTH; j++)
      {
        const T y = from_lane (element (mine, j), owner);
#pragma unroll
        for (int s = 0; s < ROWS; s++)
          x[s][j - 1] = mul_add (x[s][j], f[s], y);
      }
    if (INVERSE)
#pragma unroll
      for (int s = 0; s < ROWS; s++)
        x[s][N - 1] = choose (is[s], make<T> (1), f[s]);
  }

  /* The inverse.  Returns whether a pivot was zero.  */
  __device__ __forceinline__ bool
  invert ()
  {
#pragma unroll 1
    for (int k = 0; k < N; k++)
      step<N, true> (k);
    bool zero = false;
#pragma unroll
    for (int s = 0; s < ROWS; s++)
      {
        zero |= size_of (kept[s]) == 0;
#pragma unroll
        for (int j = 0; j < N; j++)
          x[s][j] = mul (x[s][j], kept[s]);
      }
    return __ballot_sync (~0u, zero) & group;
  }

  /* The determinant; a quarter of the columns is dropped at a time.  */
  __device__ __forceinline__ product<T>
  determinant ()
  {
    constexpr int Q = (N + 3) / 4;
#pragma unroll 1
    for (int k = 0; k < Q; k++)
      step<N, false> (k);
#pragma unroll 1
    for (int k = Q; k < 2 * Q; k++)
      step<N - Q, false> (k);
#pragma unroll 1
    for (int k = 2 * Q; k < 3 * Q; k++)
      step<N - 2 * Q, false> (k);
#pragma unroll 1
    for (int k = 3 * Q; k < N; k++)
      step<N - 3 * Q, false> (k);
    product<T> d (make<T> (1));
#pragma unroll
    for (int s = 0; s < ROWS; s++)
      {
        const product<T> v (kept[s]);
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
  return grid_for (ceil_div (pages, WARPS * share<T, N>::PAGES));
}
template <class T, int N>
__device__ ptrdiff_t
first_page (int warp)
{
  return ((ptrdiff_t) blockIdx.x * WARPS + warp) * share<T, N>::PAGES;
}
template <class T, int N>
__device__ ptrdiff_t
page_stride ()
{
  return (ptrdiff_t) gridDim.x * WARPS * share<T, N>::PAGES;
}

#endif
