/* lu_moves.cuh: what the exchanges of rows of a factorization come to, as
   moves that can be made at once.  Of K exchanges:

     top[i]          the row that comes to row i, i < K
     to[i], from[i]  a row below those that gets another; to < 0: none
     rough[i]        whether that part of inv (L11) has numbers too large to
                     multiply by it

   Rows count from the first of the K.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_LU_MOVES_CUH
#define GPULINALG_LU_MOVES_CUH 1

#include "common.cuh"

enum
{
  ROUGH_PART = 4096 /* elements */
};

/* Where what is in ROW now was before rows A and B were exchanged.  */
__device__ inline int
before_exchange (int row, int a, int b)
{
  return row == a ? b : row == b ? a : row;
}

struct row_moves
{
  int *top, *to, *from, *rough;
  int parts; /* of rough */

  row_moves (gpu_mat list, ptrdiff_t k)
      : top ((int *) list.p), to (top + k), from (to + k), rough (from + k),
        parts ((int) ceil_div (k * k, ROUGH_PART))
  {
  }
};

#endif
