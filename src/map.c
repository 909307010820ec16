/* map.c: C = op (A, B), element by element, with Octave's types and sizes.

   Dimensions of size 1 are repeated.  The result is single if an operand is;
   logical numbers count as double.  Functions that leave the real axis (sqrt
   of what is negative) give complex results only where some value does.  They
   alone look at the values: at the extremes of A and, for powers of negative
   numbers, at the exponents.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

/* Exponents from here on do not count as whole, in Octave either.  */
#define WHOLE_LIMIT 2147483648.0

static gpu_operand
number (double x)
{
  gpu_operand X = { { 0 }, x, 0 };
  X.A.type = GPU_DOUBLE;
  return X;
}

static void
get_size (gpu_operand X, ptrdiff_t size[3])
{
  size[0] = X.A.p ? X.A.m : 1;
  size[1] = X.A.p ? X.A.n : 1;
  size[2] = X.A.p ? X.A.pages : 1;
}

static bool
is_one (gpu_operand X)
{
  return !X.A.p || (X.A.m == 1 && X.A.n == 1 && X.A.pages == 1);
}

/* A page number that Octave does not write if it is the only one.  */
#define PAGES(n) (n) == 1 ? "" : "x", (n) != 1, (n) == 1 ? 0 : (n)

/* The size of the result.  */
static gpu_status
broadcast (gpu_ctx *g, gpu_operand A, gpu_operand B, ptrdiff_t size[3])
{
  ptrdiff_t a[3], b[3];
  get_size (A, a);
  get_size (B, b);
  for (int d = 0; d < 3; d++)
    if (a[d] == b[d] || b[d] == 1)
      size[d] = a[d];
    else if (a[d] == 1)
      size[d] = b[d];
    else
      return gpu_fail (g, GPU_ESIZE,
                       "nonconformant arguments (op1 is %tdx%td%s%.*td, "
                       "op2 is %tdx%td%s%.*td)",
                       a[0], a[1], PAGES (a[2]), b[0], b[1], PAGES (b[2]));
  return GPU_OK;
}

/* x = op (A(:)) of real or logical numbers; untouched if A is empty.  */
static gpu_status
reduce_all (gpu_ctx *g, gpu_reduction op, gpu_operand A, double *x)
{
  gpu_mat X = A.A, Y, none = { 0 };
  union
  {
    float s;
    double d;
    unsigned char l;
  } first;
  bool made = false;

  if (!X.p)
    {
      *x = A.re;
      return GPU_OK;
    }
  if (X.m == 0 || X.n == 0 || X.pages == 0)
    return GPU_OK;
  if (X.op == GPU_N && X.ld == X.m && X.step == X.m * X.n)
    {
      X.m *= X.n * X.pages;
      X.ld = X.step = X.m;
      X.n = X.pages = 1;
    }
  for (int dim = 1; dim <= 3; dim++)
    if ((dim == 1 ? X.m : dim == 2 ? X.n : X.pages) != 1)
      {
        GPU_TRY (gpu_new (g, op == GPU_ANY ? GPU_LOGICAL : X.type,
                          dim == 1 ? 1 : X.m, dim == 2 ? 1 : X.n,
                          dim == 3 ? 1 : X.pages, &Y));
        GPU_TRY (g->be->reduce (g, op, X, dim, Y, none));
        if (made)
          gpu_free (g, X);
        X = Y;
        made = true;
      }
  X.op = GPU_N;
  GPU_TRY (g->be->peek (g, X, &first));
  *x = X.type == GPU_SINGLE   ? (double) first.s
       : X.type == GPU_DOUBLE ? first.d
                              : (double) first.l;
  if (made)
    gpu_free (g, X);
  return GPU_OK;
}

/* C = op (A, B), and free A and B where they are arrays.  */
static gpu_status
map_and_free (gpu_ctx *g, gpu_operation op, gpu_operand A, gpu_operand B,
              gpu_mat *C)
{
  GPU_TRY (gpu_map (g, op, A, B, C));
  if (A.A.p)
    gpu_free (g, A.A);
  if (B.A.p)
    gpu_free (g, B.A);
  return GPU_OK;
}

/* F = true where B is no whole number, as Octave's powers see it: NaN is
   none, and neither are numbers from LIMIT on.  */
static gpu_status
find_fractions (gpu_ctx *g, gpu_operand B, double limit, gpu_mat *F)
{
  gpu_mat X, Y;
  GPU_TRY (gpu_map (g, GPU_FIX, B, B, &X));
  GPU_TRY (gpu_map (g, GPU_NE, gpu_of (X), B, F));
  gpu_free (g, X);
  GPU_TRY (gpu_map (g, GPU_ABS, B, B, &X));
  GPU_TRY (map_and_free (g, GPU_GE, gpu_of (X), number (limit), &Y));
  return map_and_free (g, GPU_OR, gpu_of (*F), gpu_of (Y), F);
}

static bool
is_whole (double x)
{
  return x > -WHOLE_LIMIT && x < WHOLE_LIMIT && x == (double) (int64_t) x;
}

/* Whether A .^ B of real numbers has to be complex.  In Octave operands of one
   size are looked at pair by pair, others each as a whole.  */
static gpu_status
power_is_complex (gpu_ctx *g, gpu_operand A, gpu_operand B, bool *yes)
{
  double least = 0, x = 0;
  gpu_mat F, N;

  if (A.A.type == GPU_LOGICAL || B.A.type == GPU_LOGICAL
      || (!B.A.p && is_whole (B.re)))
    return GPU_OK;
  GPU_TRY (reduce_all (g, GPU_LEAST, A, &least));
  if (!(least < 0))
    return GPU_OK;
  if (is_one (B))
    {
      GPU_TRY (reduce_all (g, GPU_LEAST, B, &x));
      *yes = !is_whole (x);
      return GPU_OK;
    }
  if (A.A.p && A.A.m == B.A.m && A.A.n == B.A.n && A.A.pages == B.A.pages)
    {
      GPU_TRY (find_fractions (g, B, WHOLE_LIMIT, &F));
      GPU_TRY (gpu_map (g, GPU_LT, A, number (0), &N));
      GPU_TRY (map_and_free (g, GPU_AND, gpu_of (F), gpu_of (N), &F));
    }
  else
    GPU_TRY (find_fractions (g, B, __builtin_inf (), &F));
  GPU_TRY (reduce_all (g, GPU_ANY, gpu_of (F), &x));
  gpu_free (g, F);
  *yes = x != 0;
  return GPU_OK;
}

/* Whether op (A, B) of real numbers has to be complex.  */
static gpu_status
is_complex (gpu_ctx *g, gpu_operation op, gpu_operand A, gpu_operand B,
            bool *yes)
{
  double x = 0;
  *yes = false;
  switch (op)
    {
    case GPU_POWER:
      return power_is_complex (g, A, B, yes);
    case GPU_SQRT:
    case GPU_LOG:
    case GPU_LOG2:
    case GPU_LOG10:
    case GPU_LOG1P:
      if (A.A.type != GPU_LOGICAL)
        GPU_TRY (reduce_all (g, GPU_LEAST, A, &x));
      *yes = x < (op == GPU_LOG1P ? -1 : 0);
      return GPU_OK;
    case GPU_ASIN:
    case GPU_ACOS:
      if (A.A.type == GPU_LOGICAL)
        return GPU_OK;
      GPU_TRY (reduce_all (g, GPU_LEAST, A, &x));
      *yes = x < -1;
      if (*yes)
        return GPU_OK;
      GPU_TRY (reduce_all (g, GPU_MOST, A, &x));
      *yes = x > 1;
      return GPU_OK;
    default:
      return GPU_OK;
    }
}

static bool
is_computed (gpu_type type)
{
  return type <= GPU_CDOUBLE || type == GPU_LOGICAL;
}

static bool
is_logical (gpu_operation op, gpu_type a, gpu_type b)
{
  return (op >= GPU_EQ && op <= GPU_OR)
         || (op >= GPU_NOT && op <= GPU_ISFINITE)
         || ((op == GPU_MAX || op == GPU_MIN) && a == GPU_LOGICAL
             && b == GPU_LOGICAL);
}

static gpu_type
complex_type (gpu_type type)
{
  return gpu_common_type (type,
                          type == GPU_SINGLE ? GPU_CSINGLE : GPU_CDOUBLE);
}

gpu_status
gpu_map (gpu_ctx *g, gpu_operation op, gpu_operand A, gpu_operand B,
         gpu_mat *C)
{
  ptrdiff_t size[3];
  gpu_type type;
  bool leaves = false;

  if (op >= GPU_NOT)
    B = A;
  if (op >= GPU_OPERATIONS || op == GPU_CAST)
    return gpu_fail (g, GPU_EARG, "there is no elementwise operation %d",
                     (int) op);
  if (!is_computed (A.A.type) || !is_computed (B.A.type))
    return gpu_fail (g, GPU_EARG,
                     "elementwise operations need numbers that are single, "
                     "double or logical");
  type = gpu_common_type (A.A.type, B.A.type);
  if (gpu_is_complex (type) && (op == GPU_ATAN2 || op == GPU_COMPLEX))
    return gpu_fail (g, GPU_EARG, "%s: not defined for complex numbers",
                     op == GPU_ATAN2 ? "atan2" : "complex");
  GPU_TRY (broadcast (g, A, B, size));

  if (is_logical (op, A.A.type, B.A.type))
    type = GPU_LOGICAL;
  else if (op >= GPU_ABS && op <= GPU_IMAG)
    type = gpu_real_type (type);
  else if (op == GPU_COMPLEX)
    type = complex_type (type);
  else if (!gpu_is_complex (type))
    {
      GPU_TRY (is_complex (g, op, A, B, &leaves));
      if (leaves)
        type = complex_type (type);
    }
  GPU_TRY (gpu_new (g, type, size[0], size[1], size[2], C));
  return g->be->map (g, op, A, B, *C);
}

gpu_status
gpu_cast (gpu_ctx *g, gpu_mat A, gpu_type type, gpu_mat *C)
{
  if ((!is_computed (A.type) && A.type != GPU_INT64)
      || (!is_computed (type) && type != GPU_INT64))
    return gpu_fail (g, GPU_EARG,
                     "a cast needs single, double, logical or "
                     "64-bit integers on both sides");
  GPU_TRY (gpu_new (g, type, A.m, A.n, A.pages, C));
  return type == GPU_LOGICAL
           ? g->be->map (g, GPU_CAST, gpu_of (A), gpu_of (A), *C)
           : gpu_convert (g, A, *C);
}

gpu_status
gpu_convert (gpu_ctx *g, gpu_mat A, gpu_mat C)
{
  return A.type == C.type
           ? g->be->copy (g, A, C)
           : g->be->map (g, GPU_CAST, gpu_of (A), gpu_of (A), C);
}
