/* warp_pivot.cuh: a step of Gauss-Jordan elimination by a warp whose lanes
   hold rows: find the pivot, and the multipliers of all rows.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_WARP_PIVOT_CUH
#define GPULINALG_WARP_PIVOT_CUH 1

#include "pivot.cuh"

/* A first guess at how a pivot is divided by, and whether it was right to make
   it, by the high bits of the pivot's size.  In double precision a pivot with
   an exponent from -512 to 511 needs no scaling.  */
template <class T> struct pivot_guess
{
  __device__ static pivot<T>
  make (T a)
  {
    return pivot<T> (a);
  }
  __device__ static bool
  fits (unsigned)
  {
    return true;
  }
};
template <> struct pivot_guess<double>
{
  __device__ static pivot<double>
  make (double a)
  {
    return pivot<double> (0, a, invert_near_1 (a));
  }
  __device__ static bool
  fits (unsigned high)
  {
    const unsigned least = (1023u - 512) << 20, range = 1024u << 20;
    return high - least < range;
  }
};

/* Step K of the panel whose column K is x[.][0]; lane l has the rows l, l +
   32,
   ....  Returns the row of the pivot, and f = -x / pivot, 0 in its own row;
   place (row) is updated.  Each lane takes the best of its rows and its
   reciprocal, while the warp compares their leading bits; the number of the
   lane rides in the last five of them.  What these cannot decide, and a pivot
   that is zero or out of range, is seen to by the exact search.

   M gets the pivot's row and, with INVERT, its inverse, else itself with its
   sign turned by a swap; and M.singular for a zero.  */
template <bool INVERT, class T, int ROWS, int COLS, class MEMORY>
__device__ int
find_pivot (MEMORY &m, const T (&x)[ROWS][COLS], int (&place)[ROWS],
            T (&f)[ROWS], int k)
{
  using R = typename real_of<T>::type;
  const int lane = threadIdx.x % 32;
  unsigned high = 0;
  int mine = 0;
  bool equal = false;
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    {
      const unsigned bits = leading_bits (x[r][0]) + 1;
      const unsigned h = place[r] >= k ? bits : 0;
      const bool more = h > high;
      equal = !more && (equal || h == high);
      mine = more ? r : mine;
      high = more ? h : high;
    }
  T a = x[0][0];
  int from = place[0];
#pragma unroll
  for (int r = 1; r < ROWS; r++)
    {
      a = choose (mine == r, x[r][0], a);
      from = mine == r ? place[r] : from;
    }
  pivot<T> p = pivot_guess<T>::make (a);

  const unsigned top = warp_max ((high & ~31u) | (31u - lane));
  int winner = 31 - (int) (top % 32);
  const bool in = high >> 5 == top >> 5;
  const unsigned who = __ballot_sync (~0u, in);
  if ((who & (who - 1)) || !pivot_guess<T>::fits (top)
      || (ROWS > 1 && __any_sync (~0u, in && equal)))
    {
      candidate best = { 0, 0, 0, 0 };
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        {
          const candidate c = make_candidate (x[r][0], place[r], r);
          if (place[r] >= k && beats (c, best))
            {
              best = c;
              a = x[r][0];
            }
        }
      mine = best.tag;
      from = best.place;
      winner = best_lane (best);
      p = pivot<T> (a);
      if (lane == winner && size_of (a) == 0)
        m.singular = true;
    }

  /* Its row, its place and its exponent as one number.  */
  const int told
    = __shfl_sync (~0u, mine | from << 8 | (p.k + (1 << 14)) << 16, winner);
  const int row = winner + 32 * (told & 255);
  if (lane == winner)
    {
      m.row[k] = row;
      if (INVERT)
        m.inverse[row] = p.inverse ();
      else
        m.pivot[k] = from == k ? a : negative (a);
    }
  from = told >> 8 & 255;
  const R minus = -power_of_2<R> ((told >> 16) - (1 << 14));
  p.p = from_lane (p.p, winner);
  p.r = from_lane (p.r, winner);
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    {
      const bool is_pivot = lane + 32 * r == row;
      const T q = corrected_quotient (scale (x[r][0], minus), p.p, p.r);
      f[r] = choose (is_pivot, make<T> (0), q);
      place[r] = is_pivot ? k : place[r] == k ? from : place[r];
    }
  return row;
}

#endif
