/* warp_pivot.cuh: a step of Gauss-Jordan elimination by a warp whose lanes
   hold rows: find the pivot, let all lanes have its row, and the multipliers
   of their own.

   The pages are many and small, so what counts is how long a step takes, not
   how much is computed: all that can be is done before it is known whether it
   is needed.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_WARP_PIVOT_CUH
#define GPULINALG_WARP_PIVOT_CUH 1

#include "pivot.cuh"

/* 16 bytes of numbers.  */
template <class T> struct alignas (16) pack
{
  static constexpr int COUNT = 16 / sizeof (T);
  T e[COUNT];
};

/* Between a row in registers and in shared memory.  */
template <class T, int COLS>
__device__ void
put_row (T *line, const T (&x)[COLS])
{
  constexpr int COUNT = pack<T>::COUNT;
#pragma unroll
  for (int c = 0; c < COLS; c += COUNT)
    {
      pack<T> some;
#pragma unroll
      for (int e = 0; e < COUNT; e++)
        some.e[e] = x[c + e];
      ((pack<T> *) line)[c / COUNT] = some;
    }
}

template <class T, int COLS>
__device__ void
get_row (T (&y)[COLS], const T *line)
{
  constexpr int COUNT = pack<T>::COUNT;
#pragma unroll
  for (int c = 0; c < COLS; c += COUNT)
    {
      const pack<T> some = ((const pack<T> *) line)[c / COUNT];
#pragma unroll
      for (int e = 0; e < COUNT; e++)
        y[c + e] = some.e[e];
    }
}

/* ROW of the rows x of the lanes to LINE, for all of them.  */
template <class T, int ROWS, int COLS>
__device__ void
share_row (T *line, const T (&x)[ROWS][COLS], int row)
{
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    if (threadIdx.x % 32 + 32 * r == row)
      put_row (line, x[r]);
  __syncwarp ();
}

/* A first guess at how a pivot is divided by, for when the high bits of its
   size tell that it is neither zero nor near the ends of the range.  A real
   one then needs no scaling; and in double precision r is spared the last of
   Newton's steps, which the correction of a quotient makes up for.  */
template <class T> struct pivot_guess
{
  using R = typename real_of<T>::type;

  __device__ static bool
  fits (unsigned high)
  {
    constexpr int AT = exponent_at<R>, HALF = sizeof (R) == 4 ? 64 : 512;
    const unsigned least = is_complex<T> ? 1 : exponent_of_1<R> - HALF;
    return is_complex<T> ? high >= least << AT
                         : high - (least << AT) < 2u * HALF << AT;
  }
  __device__ static pivot<float>
  make (float a)
  {
    return pivot<float> (0, a, invert_near_1 (a));
  }
  __device__ static pivot<double>
  make (double a)
  {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
    const double e = fma (-a, r, 1.0);
    return pivot<double> (0, a, fma (fma (e, e, e), r, r));
  }
  template <class C>
  __device__ static pivot<gpu_complex<C>>
  make (gpu_complex<C> a)
  {
    return pivot<gpu_complex<C>> (a);
  }
};

/* Step K of the panel whose column K is x[.][0]; lane l has the rows l, l +
   32, ....  Returns the row of the pivot, its elements y by way of LINE, and
   f = -x / pivot, 0 in its own row; place (row) is updated.

   The warp compares the leading bits of the candidates, with the number of the
   row in the last of them, while each lane takes the reciprocal of its best.
   What these cannot decide, and a pivot that is zero or out of range, is seen
   to by the exact search, when the row that came out on top is already on its
   way; unless it is so long that two of them do not fit the registers.

   M gets the pivot's row and the pivot, without INVERT its sign turned by a
   swap; and M.singular for a zero.  */
template <bool INVERT, class T, int ROWS, int COLS, class MEMORY>
__device__ int
find_pivot (MEMORY &m, T *line, T (&x)[ROWS][COLS], int (&place)[ROWS],
            T (&f)[ROWS], T (&y)[COLS], int k)
{
  using R = typename real_of<T>::type;
  constexpr unsigned LAST = ROWS == 1 ? 31 : ROWS == 2 ? 63 : 127;
  constexpr bool EARLY = sizeof (T) * COLS <= 128;
  const int lane = threadIdx.x % 32;
  unsigned best = 0, second = 0;
  T a = x[0][0];
  int from = place[0];
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    {
      const unsigned bits = leading_bits (x[r][0]) & ~LAST;
      const unsigned key = place[r] >= k ? bits | (LAST - lane - 32 * r) : 0;
      if (r > 0)
        {
          const bool more = key > best;
          second = max (second, min (key, best));
          a = choose (more, x[r][0], a);
          from = more ? place[r] : from;
        }
      best = max (best, key);
    }
  pivot<T> p = pivot_guess<T>::make (a);
  const unsigned top = warp_max (best);
  int row = LAST - top % (LAST + 1);
  int winner = row % 32;
  if (EARLY)
    {
      share_row (line, x, row);
      get_row (y, line);
    }

  const bool close = (best == top ? second : best) >= (top & ~LAST);
  if (__any_sync (~0u, close) || !pivot_guess<T>::fits (top))
    {
      candidate most = { 0, 0, 0, 0 };
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        {
          const candidate c = make_candidate (x[r][0], place[r], r);
          if (place[r] >= k && beats (c, most))
            {
              most = c;
              a = x[r][0];
            }
        }
      from = most.place;
      winner = best_lane (most);
      row = winner + 32 * from_lane (most.tag, winner);
      p = pivot<T> (a);
      if (lane == winner && size_of (a) == 0)
        m.singular = true;
      if (EARLY)
        {
          __syncwarp ();
          share_row (line, x, row);
          get_row (y, line);
        }
      if (!is_complex<T>)
        {
          const R s = power_of_2<R> (from_lane (p.k, winner));
          if (EARLY)
            y[0] = scale (y[0], s);
#pragma unroll
          for (int r = 0; r < ROWS; r++)
            x[r][0] = scale (x[r][0], s);
        }
    }
  if (!EARLY)
    {
      share_row (line, x, row);
      y[0] = line[0];
    }

  /* A real number was scaled, if it had to be.  */
  R s = 1;
  if (is_complex<T>)
    {
      s = power_of_2<R> (from_lane (p.k, winner));
      y[0] = scale (y[0], s);
    }
  const R inverse = from_lane (p.r, winner);
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    {
      const T t = is_complex<T> ? scale (x[r][0], s) : x[r][0];
      f[r] = corrected_quotient (negative (t), y[0], inverse);
    }
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    f[r] = choose (lane + 32 * r == row, make<T> (0), f[r]);

  from = from_lane (from, winner);
  if (lane == winner)
    {
      m.row[k] = row;
      m.pivot[k] = INVERT || from == k ? a : negative (a);
    }
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    place[r] = lane + 32 * r == row ? k : place[r] == k ? from : place[r];
  if (!EARLY)
    get_row (y, line);
  return row;
}

#endif
