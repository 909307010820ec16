/* elementwise.h: what the two backends' map have in common: in which type an
   operation computes, and how its operands are walked through.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_ELEMENTWISE_H
#define GPULINALG_ELEMENTWISE_H 1

#include "gpu.h"

/* The elements of C, A and B (number 0, 1 and 2) as a box of SIZE; a step
   along dimension d is STRIDE[d] in storage.  */
typedef struct
{
  ptrdiff_t size[3], stride[3][3];
} gpu_box;

static inline void
gpu_box_add (gpu_box *box, int number, gpu_mat X)
{
  ptrdiff_t rows = X.op & GPU_T ? X.ld : 1, columns = X.op & GPU_T ? 1 : X.ld;
  box->stride[0][number] = X.p && X.m != 1 ? rows : 0;
  box->stride[1][number] = X.p && X.n != 1 ? columns : 0;
  box->stride[2][number] = X.p && X.pages != 1 ? X.step : 0;
}

/* Whether dimension e continues dimension d in all three storages.  */
static inline bool
gpu_box_continues (const gpu_box *box, int d, int e)
{
  for (int x = 0; x < 3; x++)
    if (box->stride[e][x] != box->stride[d][x] * box->size[d])
      return false;
  return true;
}

/* The box with as few and as long dimensions as possible, the longest run of
   C first: arrays without gaps are one column.  */
static inline gpu_box
gpu_box_of (gpu_mat C, gpu_mat A, gpu_mat B)
{
  gpu_box box = { { C.m, C.n, C.pages }, { { 0 } } };
  int last = -1;
  gpu_box_add (&box, 0, C);
  gpu_box_add (&box, 1, A);
  gpu_box_add (&box, 2, B);
  for (int d = 0; d < 3; d++)
    if (box.size[d] != 1)
      {
        if (last >= 0 && gpu_box_continues (&box, last, d))
          {
            box.size[last] *= box.size[d];
            continue;
          }
        last++;
        box.size[last] = box.size[d];
        for (int x = 0; x < 3; x++)
          box.stride[last][x] = box.stride[d][x];
      }
  for (int d = last + 1; d < 3; d++)
    {
      box.size[d] = 1;
      for (int x = 0; x < 3; x++)
        box.stride[d][x] = 0;
    }
  return box;
}

/* What serves logical results of operations that are not logical: where x is
   0 or 1, max is "or" and min is "and", and a cast is x != 0.  B is made what
   the new operation needs.  */
static inline gpu_operation
gpu_map_logical (gpu_operation op, gpu_operand *B)
{
  const gpu_operand zero = { { 0, 0, 0, 0, 0, 0, GPU_LOGICAL, GPU_N }, 0, 0 };
  if (op == GPU_CAST)
    *B = zero;
  return op == GPU_CAST || op == GPU_MAX ? GPU_OR
         : op == GPU_MIN                 ? GPU_AND
                                         : op;
}

/* The type that the operands are brought to.  */
static inline gpu_type
gpu_map_type (gpu_operation op, gpu_type a, gpu_type b, gpu_type c)
{
  if (op >= GPU_EQ && op <= GPU_OR)
    return gpu_common_type (a, b);
  if (op >= GPU_NOT && op <= GPU_ISFINITE)
    return gpu_common_type (a, a);
  if (op >= GPU_ABS && op <= GPU_IMAG && gpu_is_complex (a))
    return c == GPU_SINGLE ? GPU_CSINGLE : GPU_CDOUBLE;
  return c;
}

#endif
