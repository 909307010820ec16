/* index.c: C = A(at{:}), and C = A with C(at{:}) = B.

   A linear index is one of a column: the caller reshapes A.  The result of an
   assignment is what Octave makes of it: A keeps its type, but becomes complex
   if B is, and what is logical becomes double if B is neither logical nor real
   double.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

/* A, dense, as m x n x pages.  */
static gpu_mat
reshaped (gpu_mat A, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages)
{
  A.m = m;
  A.n = n;
  A.pages = pages;
  A.ld = m > 0 ? m : 1;
  A.step = m * n;
  return A;
}

static gpu_status
check_range (gpu_ctx *g, gpu_mat A, const gpu_index at[3])
{
  const ptrdiff_t size[] = { A.m, A.n, A.pages };
  for (int d = 0; d < 3; d++)
    {
      ptrdiff_t first = at[d].first;
      ptrdiff_t last = first + at[d].step * (at[d].count - 1);
      if (at[d].count > 0 && !at[d].list.p
          && (first < 0 || first >= size[d] || last < 0 || last >= size[d]))
        return gpu_fail (
          g, GPU_EARG, "index out of bound; value %td out of bound %td",
          (first < 0 || first >= size[d] ? first : last) + 1, size[d]);
    }
  return GPU_OK;
}

gpu_status
gpu_index_get (gpu_ctx *g, gpu_mat A, const gpu_index at[3], gpu_mat *C)
{
  gpu_mat D;
  GPU_TRY (check_range (g, A, at));
  GPU_TRY (gpu_dense (g, A, &D));
  GPU_TRY (gpu_new (g, A.type, at[0].count, at[1].count, at[2].count, C));
  GPU_TRY (g->be->gather (g, D, at, *C));
  if (D.p != A.p)
    gpu_free (g, D);
  return GPU_OK;
}

void
gpu_last_wins (int64_t *list, ptrdiff_t count, unsigned char *seen)
{
  bool rising = true;
  for (ptrdiff_t i = 1; i < count && rising; i++)
    rising = list[i - 1] < list[i];
  for (ptrdiff_t i = count - 1; i >= 0 && !rising; i--)
    {
      unsigned char *eight = &seen[list[i] / 8];
      unsigned char bit = (unsigned char) (1u << list[i] % 8);
      if (*eight & bit)
        list[i] = -1;
      else
        *eight |= bit;
    }
}

/* Whether B fits the places: it is one element, or its dimensions other than 1
   are those of the places, in this order.  */
static bool
fits (gpu_mat B, const gpu_index at[3])
{
  const ptrdiff_t size[] = { B.m, B.n, B.pages };
  int b = 0;
  if (B.m * B.n * B.pages == 1)
    return true;
  /* Nothing goes anywhere.  */
  if (at[0].count * at[1].count * at[2].count == 0 && B.m * B.n * B.pages == 0)
    return true;
  for (int d = 0; d < 3; d++)
    if (at[d].count != 1)
      {
        while (b < 3 && size[b] == 1)
          b++;
        if (b == 3 || size[b++] != at[d].count)
          return false;
      }
  while (b < 3 && size[b] == 1)
    b++;
  return b == 3;
}

static gpu_status
misfit (gpu_ctx *g, gpu_mat B, const gpu_index at[3])
{
  gpu_mat part = { .m = at[0].count, .n = at[1].count, .pages = at[2].count };
  return gpu_fail (g, GPU_ESIZE,
                   "=: nonconformant arguments (op1 is %s, op2 is %s)",
                   gpu_size_text (part).text, gpu_size_text (B).text);
}

gpu_type
gpu_assigned_type (gpu_type a, gpu_type b)
{
  if (a == GPU_LOGICAL)
    return b == GPU_LOGICAL || b == GPU_DOUBLE ? GPU_LOGICAL
           : gpu_is_complex (b)                ? GPU_CDOUBLE
                                               : GPU_DOUBLE;
  if (gpu_is_complex (b))
    return a == GPU_SINGLE ? GPU_CSINGLE : a == GPU_DOUBLE ? GPU_CDOUBLE : a;
  return a;
}

/* C = A as TYPE.  */
static gpu_status
convert (gpu_ctx *g, gpu_mat A, gpu_type type, gpu_mat *C)
{
  gpu_operand a = { A, 0, 0 }, zero = { { .type = A.type }, 0, 0 };
  if (type == GPU_LOGICAL)
    return gpu_map (g, GPU_NE, a, zero, C);
  return gpu_cast (g, A, type, C);
}

/* X = B as TYPE, and as a view that repeats to the size of the places.  */
static gpu_status
prepare (gpu_ctx *g, gpu_mat B, gpu_type type, const gpu_index at[3],
         gpu_mat *X)
{
  gpu_mat D = B;
  if (B.type != type)
    GPU_TRY (convert (g, B, type, &D));
  GPU_TRY (gpu_dense (g, D, X));
  if (X->p != D.p && D.p != B.p)
    gpu_free (g, D);
  if (X->m * X->n * X->pages != 1)
    *X = reshaped (*X, at[0].count, at[1].count, at[2].count);
  return GPU_OK;
}

gpu_status
gpu_index_set (gpu_ctx *g, gpu_mat A, const gpu_index at[3], gpu_operand B,
               gpu_mat *C)
{
  const gpu_type type = gpu_assigned_type (A.type, B.A.type);
  const void *given = B.A.p;
  GPU_TRY (check_range (g, A, at));
  if (given && !fits (B.A, at))
    return misfit (g, B.A, at);
  if (given)
    GPU_TRY (prepare (g, B.A, type, at, &B.A));
  if (A.type == type)
    {
      GPU_TRY (gpu_new (g, type, A.m, A.n, A.pages, C));
      GPU_TRY (g->be->copy (g, A, *C));
    }
  else
    GPU_TRY (convert (g, A, type, C));
  if (at[0].count > 0 && at[1].count > 0 && at[2].count > 0)
    GPU_TRY (g->be->scatter (g, B, *C, at));
  if (given && B.A.p != given)
    gpu_free (g, B.A);
  return GPU_OK;
}
