/* chol_panel.cuh: the steps of a blocked Cholesky factorization that
   chol_leaf.cu and chol_block.cu share: the diagonal block and the panel
   beside it, columns LD apart in shared memory.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_CHOL_PANEL_CUH
#define GPULINALG_CHOL_PANEL_CUH 1

#include "common.cuh"

enum
{
  PANEL = 32, /* a warp */
  CHUNK = 8   /* steps of the pivot chain between two looks at the size */
};

/* The pivot chain.  Lane j of one warp holds column j of the block at S; row
   c, once final, goes round through ROWS.  Every lane forms the next pivot by
   itself, from two elements fetched a step ahead, so that only it and its
   root are on the critical path.  Unless the block is WHOLE, what lies beyond
   its first REST rows and columns is taken for an identity.  Returns the first
   pivot (1-based) that is not positive, or 0. NaN is no failure: it spreads,
   as in OpenBLAS.  */
template <class T, int LD, bool WHOLE>
__device__ __forceinline__ int
pivot_chain (T *S, int rest, T (*rows)[PANEL],
             typename real_of<T>::type *inverse)
{
  using R = typename real_of<T>::type;
  const int lane = threadIdx.x;
  T a[PANEL];
#pragma unroll
  for (int i = 0; i < PANEL; i++)
    {
      a[i] = make<T> (!WHOLE && i == lane);
      if (i <= lane && (WHOLE || lane < rest))
        a[i] = S[i + lane * LD];
    }

  R pivot = from_lane (real_part (a[0]), 0), mine = !WHOLE;
  T beside = from_lane (a[0], 1);
  R below = from_lane (real_part (a[1]), 1);
  int bad = 0;
#pragma unroll
  for (int c = 0; c < PANEL; c++)
    {
      if (!WHOLE && c % CHUNK == 0 && c >= rest)
        break;
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
template <class T, int LD>
__device__ __noinline__ void
solve_column (const T *R, const typename real_of<T>::type *inverse, T *column)
{
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

#endif
