/* solve.c: X = A \ X of square pages, the cheapest way that the structure of A
   allows, in the order of Octave's operator:

     triangular           substitution
     Hermitian with a     A = R' * R,    X = R \ (R' \ X); general if a
     positive diagonal    pivot fails
     general              P * A = L * U, X = U \ (L \ (P * X))

   A batch goes one way: the one that suits all its pages.  The reciprocal
   condition is estimated as by W. W. Hager (1984) and N. J. Higham, ACM
   Transactions on Mathematical Software 14 (1988): the norm of inv (A) is at
   least that of inv (A) * x for any x with norm 1, and a few x show where to
   look.  Here they are a fixed number, so that nothing waits in between.

   In mixed precision the factors are single, with products by tensor cores,
   and the solution is corrected:

     R = B - A * X,  X = X + A \ R by these factors

   in A's precision, until the error is that of a solution by factors in that
   precision.  If it does not fall to half in a step, GMRES makes the
   corrections (E. Carson and N. J. Higham, 2018); if they stall, too, A is
   factored anew.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

enum
{
  ROUNDS = 2,       /* of the estimate, after the first; more seldom help */
  CORRECTIONS = 30, /* at most */
  FIRST_STEPS = 4,  /* of GMRES; twice as many whenever they do not do, */
  MOST_STEPS = 16,  /* up to these, */
  ALL_STEPS = 64,   /* and so many in all */
  TWO = 2,          /* vectors of the estimate that need no other */
  PIECE = 4096      /* numbers that go to the host or come from it at a time */
};

typedef enum
{
  UPPER,
  LOWER,
  CHOLESKY,
  GENERAL
} way;

typedef struct
{
  way is;
  gpu_mat F, piv;   /* the factors of all pages */
  gpu_mat to, from; /* if not NULL, what the exchanges come to */
} factors;

/* X = T \ X or, if ADJOINT, T' \ X, T the triangle UPLO of F.  */
static gpu_status
triangle (gpu_ctx *g, int uplo, gpu_mat F, bool adjoint, gpu_mat X)
{
  return adjoint
           ? gpu_trsm (g, (gpu_uplo) (uplo ^ GPU_LOWER), gpu_adjoint (F), X)
           : gpu_trsm (g, (gpu_uplo) uplo, F, X);
}

/* X = P * X or, if BACKWARD, P' * X.  */
static gpu_status
exchange (gpu_ctx *g, const factors *f, bool backward, gpu_mat X)
{
  const gpu_index at[3]
    = { { .count = X.m, .list = backward ? f->to : f->from },
        { .count = X.n, .step = 1 },
        { .count = 1, .step = 1 } };
  gpu_mat Y;
  if (!f->to.p)
    return g->be->swap_rows (g, f->piv, 0, backward, X);
  GPU_TRY (gpu_new (g, X.type, X.m, X.n, 1, &Y));
  GPU_TRY (g->be->gather (g, X, at, Y));
  GPU_TRY (g->be->copy (g, Y, X));
  gpu_free (g, Y);
  return GPU_OK;
}

/* X = A \ X or, if ADJOINT, A' \ X.  */
static gpu_status
apply (gpu_ctx *g, const factors *f, bool adjoint, gpu_mat X)
{
  const int unit = GPU_LOWER | GPU_UNIT;
  switch (f->is)
    {
    case UPPER:
      return triangle (g, GPU_UPPER, f->F, adjoint, X);
    case LOWER:
      return triangle (g, GPU_LOWER, f->F, adjoint, X);
    case CHOLESKY:
      GPU_TRY (triangle (g, GPU_UPPER, f->F, true, X));
      return triangle (g, GPU_UPPER, f->F, false, X);
    case GENERAL:
      break;
    }
  if (adjoint)
    {
      GPU_TRY (triangle (g, GPU_UPPER, f->F, true, X));
      GPU_TRY (triangle (g, unit, f->F, true, X));
      return exchange (g, f, true, X);
    }
  GPU_TRY (exchange (g, f, false, X));
  GPU_TRY (triangle (g, unit, f->F, false, X));
  return triangle (g, GPU_UPPER, f->F, false, X);
}

/* Of triangular pages the factors are A itself; others are in TYPE.  */
static gpu_status
factor (gpu_ctx *g, gpu_mat A, gpu_type type, gpu_precision precision,
        factors *f)
{
  gpu_mat info;
  int64_t is, any, failed = 1;
  GPU_TRY (gpu_new (g, GPU_INT64, 1, 1, A.pages, &info));
  GPU_TRY (g->be->structure (g, A, info));
  GPU_TRY (gpu_bits (g, info, &is, &any));
  f->F = A;
  if (is & (GPU_IS_UPPER | GPU_IS_LOWER))
    f->is = is & GPU_IS_UPPER ? UPPER : LOWER;
  else
    {
      GPU_TRY (gpu_new (g, type, A.n, A.n, A.pages, &f->F));
      if (is & GPU_IS_HERMITIAN)
        {
          GPU_TRY (gpu_convert (g, A, f->F));
          GPU_TRY (g->be->zero (g, info));
          GPU_TRY (gpu_chol (g, GPU_FP32X3, f->F, f->F, info));
          GPU_TRY (gpu_bits (g, info, &is, &failed));
        }
      f->is = failed ? GENERAL : CHOLESKY;
    }
  if (f->is == GENERAL)
    {
      GPU_TRY (gpu_new (g, GPU_INT64, A.n, 1, A.pages, &f->piv));
      GPU_TRY (gpu_convert (g, A, f->F));
      GPU_TRY (gpu_lu_fast (g, precision, f->F, f->piv, info));
      GPU_TRY (gpu_lu_order (g, f->F, f->piv, &f->to, &f->from));
    }
  gpu_free (g, info);
  return GPU_OK;
}

/* x = r, 1 x 1 x pages and real, in host memory; the larger of both with
   MAXIMUM, NaN if there is one, and times SCALE.  */
static gpu_status
fetch (gpu_ctx *g, gpu_mat r, double scale, bool maximum, double *x)
{
  float narrow[PIECE];
  double wide[PIECE];
  const bool single = r.type == GPU_SINGLE;
  for (ptrdiff_t k = 0; k < r.pages; k += PIECE)
    {
      gpu_mat part = gpu_page (r, k);
      const ptrdiff_t left = r.pages - k;
      part.pages = left < PIECE ? left : PIECE;
      GPU_TRY (
        g->be->peek (g, part, single ? (void *) narrow : (void *) wide));
      for (ptrdiff_t i = 0; i < part.pages; i++)
        {
          const double y = scale * (single ? (double) narrow[i] : wide[i]);
          if (!maximum || y != y || y > x[k + i])
            x[k + i] = y;
        }
    }
  return GPU_OK;
}

/* x = e / sum (e), e = 1 where abs (x) is largest: of all inv (A) * e, the one
   whose norm seems to grow fastest.  */
static gpu_status
steepest (gpu_ctx *g, gpu_mat x)
{
  const gpu_operand none = { 0 };
  gpu_mat size, most, is, e, count;
  GPU_TRY (gpu_map (g, GPU_ABS, gpu_of (x), none, &size));
  GPU_TRY (gpu_reduce (g, GPU_MOST, size, 1, &most, NULL));
  GPU_TRY (gpu_map (g, GPU_EQ, gpu_of (size), gpu_of (most), &is));
  GPU_TRY (gpu_cast (g, is, x.type, &e));
  GPU_TRY (gpu_reduce (g, GPU_SUM, e, 1, &count, NULL));
  GPU_TRY (g->be->map (g, GPU_RDIVIDE, gpu_of (e), gpu_of (count), x));
  const gpu_mat all[] = { size, most, is, e, count };
  for (int i = 0; i < 5; i++)
    gpu_free (g, all[i]);
  return GPU_OK;
}

/* x(i) = (-1)^i * (1 + i / (n - 1)), for matrices where all other x see too
   little.  */
static gpu_status
alternating (gpu_ctx *g, gpu_mat x)
{
  gpu_mat signs, all;
  float narrow[PIECE];
  double wide[PIECE];
  GPU_TRY (gpu_new (g, gpu_real_type (x.type), x.m, 1, 1, &signs));
  for (ptrdiff_t i = 0; i < x.m; i += PIECE)
    {
      const ptrdiff_t left = x.m - i, count = left < PIECE ? left : PIECE;
      for (ptrdiff_t k = 0; k < count; k++)
        {
          const double step
            = x.m > 1 ? (double) (i + k) / (double) (x.m - 1) : 0;
          wide[k] = (i + k) % 2 ? -1 - step : 1 + step;
          narrow[k] = (float) wide[k];
        }
      GPU_TRY (g->be->put (g,
                           signs.type == GPU_SINGLE ? (const void *) narrow
                                                    : (const void *) wide,
                           gpu_part (signs, i, 0, count, 1)));
    }
  GPU_TRY (gpu_cast (g, signs, x.type, &all));
  all.step = 0;
  all.pages = x.pages;
  GPU_TRY (g->be->copy (g, all, x));
  all.pages = 1;
  gpu_free (g, all);
  gpu_free (g, signs);
  return GPU_OK;
}

/* X = A \ X, and y(k) = a lower bound of norm (inv (A), 1), seldom far from
   it. Few columns are solved along with the first vectors.  */
static gpu_status
solve_and_look (gpu_ctx *g, const factors *f, gpu_mat X, double *y)
{
  const gpu_mat F = f->F;
  const gpu_operand none = { 0 };
  const double last = 2 / (3 * (double) F.n);
  const bool along = X.n + TWO <= gpu_tune (g, F.type).few_columns;
  gpu_mat Y, x, s, r[ROUNDS + TWO];
  GPU_TRY (gpu_new (g, F.type, F.n, TWO + (along ? X.n : 0), F.pages, &Y));
  gpu_mat rest = gpu_part (Y, 0, TWO, Y.m, Y.n - TWO);
  GPU_TRY (gpu_new (g, F.type, F.n, 1, F.pages, &x));
  GPU_TRY (g->be->map (g, GPU_CAST, gpu_number (F.type, 1 / (double) F.n, 0),
                       none, x));
  GPU_TRY (g->be->copy (g, x, gpu_part (Y, 0, 0, Y.m, 1)));
  GPU_TRY (alternating (g, gpu_part (Y, 0, 1, Y.m, 1)));
  if (along)
    GPU_TRY (g->be->copy (g, X, rest));
  else if (X.n > 0)
    GPU_TRY (apply (g, f, false, X));
  GPU_TRY (apply (g, f, false, Y));
  if (along)
    GPU_TRY (g->be->copy (g, rest, X));
  GPU_TRY (g->be->copy (g, gpu_part (Y, 0, 0, Y.m, 1), x));

  /* r[1] is that of the alternating vector.  */
  for (int i = 0; i < ROUNDS + TWO; i++)
    {
      if (i >= TWO)
        {
          GPU_TRY (gpu_map (g, GPU_SIGN, gpu_of (x), none, &s));
          GPU_TRY (g->be->copy (g, s, x));
          gpu_free (g, s);
          GPU_TRY (apply (g, f, true, x));
          GPU_TRY (steepest (g, x));
          GPU_TRY (apply (g, f, false, x));
        }
      GPU_TRY (gpu_new (g, gpu_real_type (F.type), 1, 1, F.pages, &r[i]));
      GPU_TRY (
        g->be->norm1 (g, i == 1 ? gpu_part (Y, 0, 1, Y.m, 1) : x, r[i]));
    }
  for (int i = 0; i < ROUNDS + TWO; i++)
    {
      GPU_TRY (fetch (g, r[i], i == 1 ? last : 1, i > 0, y));
      gpu_free (g, r[i]);
    }
  gpu_free (g, x);
  gpu_free (g, Y);
  return GPU_OK;
}

/* y(k) = min (abs (diag (A))).  */
static gpu_status
smallest_pivot (gpu_ctx *g, gpu_mat A, double *y)
{
  gpu_mat column, size, least;
  GPU_TRY (gpu_new (g, A.type, A.n, 1, A.pages, &column));
  GPU_TRY (g->be->copy (g, gpu_transposed (gpu_diagonal (A)), column));
  GPU_TRY (gpu_map (g, GPU_ABS, gpu_of (column), (gpu_operand){ 0 }, &size));
  GPU_TRY (gpu_reduce (g, GPU_LEAST, size, 1, &least, NULL));
  GPU_TRY (fetch (g, least, 1, false, y));
  gpu_free (g, least);
  gpu_free (g, size);
  gpu_free (g, column);
  return GPU_OK;
}

/* The largest number of a row x that is real; NaN if there is none.  */
static gpu_status
largest (gpu_ctx *g, gpu_mat x, double *y)
{
  gpu_mat most;
  GPU_TRY (gpu_reduce (g, GPU_MOST, x, 2, &most, NULL));
  GPU_TRY (fetch (g, most, 1, false, y));
  gpu_free (g, most);
  return GPU_OK;
}

/* R = B - A * X; the square of the error of gpu_solution, with SIZE = sumsq
   (A(:)).  */
static gpu_status
find_error (gpu_ctx *g, gpu_mat A, gpu_mat X, gpu_mat B, double size,
            gpu_mat R, double *error2)
{
  gpu_mat r, x, q;
  GPU_TRY (g->be->copy (g, B, R));
  GPU_TRY (gpu_gemm (g, -1, A, X, 1, R));
  GPU_TRY (gpu_reduce (g, GPU_SUMSQ, R, 1, &r, NULL));
  GPU_TRY (gpu_reduce (g, GPU_SUMSQ, X, 1, &x, NULL));
  GPU_TRY (gpu_map (g, GPU_RDIVIDE, gpu_of (r), gpu_of (x), &q));
  GPU_TRY (largest (g, q, error2));
  *error2 /= size;
  gpu_free (g, r);
  gpu_free (g, x);
  gpu_free (g, q);
  return GPU_OK;
}

/* sumsq (A(:)) */
static gpu_status
squares (gpu_ctx *g, gpu_mat A, double *size)
{
  gpu_mat columns, all;
  GPU_TRY (gpu_reduce (g, GPU_SUMSQ, A, 1, &columns, NULL));
  GPU_TRY (gpu_reduce (g, GPU_SUM, columns, 2, &all, NULL));
  GPU_TRY (fetch (g, all, 1, false, size));
  gpu_free (g, columns);
  gpu_free (g, all);
  return GPU_OK;
}

/* What solves nearly: factors, and room for a right-hand side in their type,
   unless they are of A's.  */
typedef struct
{
  const factors *f;
  gpu_mat D;
} near_factors;

/* X = nearly A \ V.  */
static gpu_status
nearly (gpu_ctx *g, const void *data, gpu_mat V, gpu_mat X)
{
  const near_factors *near = data;
  gpu_mat D = near->D.p ? near->D : X;
  GPU_TRY (gpu_convert (g, V, D));
  GPU_TRY (apply (g, near->f, false, D));
  return near->D.p ? gpu_convert (g, D, X) : GPU_OK;
}

/* More corrections of X, where R = B - A * X, by GMRES, until how->error2 is
   GOOD2.  It needs F's inverse to more digits than F has of A.  */
static gpu_status
refine_further (gpu_ctx *g, gpu_mat A, const factors *f, gpu_mat B,
                double size, double good2, gpu_mat R, gpu_mat X,
                gpu_solution *how)
{
  factors wide = *f;
  const near_factors near = { .f = &wide };
  int steps = FIRST_STEPS;
  GPU_TRY (gpu_cast (g, f->F, A.type, &wide.F));
  while (steps <= MOST_STEPS && how->steps + steps <= ALL_STEPS && !how->mixed)
    {
      const double last2 = how->error2;
      GPU_TRY (gpu_gmres (g, A, R, steps, nearly, &near, X));
      GPU_TRY (find_error (g, A, X, B, size, R, &how->error2));
      how->steps += steps;
      how->mixed = how->error2 <= good2;
      if (!(how->error2 <= last2 / 4))
        steps *= 2;
    }
  gpu_free (g, wide.F);
  return GPU_OK;
}

/* X = A \ B by these factors and corrections; how->mixed says whether the
   error came down to where that of better factors would be.  */
static gpu_status
refine (gpu_ctx *g, gpu_mat A, const factors *f, gpu_mat B, double size,
        gpu_mat X, gpu_solution *how)
{
  const bool is_single = gpu_real_type (A.type) == GPU_SINGLE;
  const double eps = is_single ? 0x1p-23 : 0x1p-52;
  const double n = (double) A.n;
  const double good2 = eps * eps * (n > 1024 ? n / 256 : 4);
  double last2 = 1;
  near_factors near = { .f = f };
  gpu_mat R, E;
  GPU_TRY (gpu_new (g, A.type, B.m, B.n, 1, &R));
  GPU_TRY (gpu_new (g, A.type, B.m, B.n, 1, &E));
  GPU_TRY (gpu_new (g, f->F.type, B.m, B.n, 1, &near.D));
  GPU_TRY (g->be->copy (g, B, R));
  GPU_TRY (g->be->zero (g, X));
  how->mixed = false;
  for (how->corrections = 0; how->corrections <= CORRECTIONS;
       how->corrections++)
    {
      GPU_TRY (nearly (g, &near, R, E));
      GPU_TRY (g->be->map (g, GPU_PLUS, gpu_of (X), gpu_of (E), X));
      GPU_TRY (find_error (g, A, X, B, size, R, &how->error2));
      how->mixed = how->error2 <= good2;
      if (how->mixed || !(how->error2 <= last2 / 4))
        break;
      last2 = how->error2;
    }
  /* Not a number, or too much to keep.  */
  if (!how->mixed && how->error2 < 1 && MOST_STEPS * B.n <= A.n)
    GPU_TRY (refine_further (g, A, f, B, size, good2, R, X, how));
  gpu_free (g, R);
  gpu_free (g, near.D);
  gpu_free (g, E);
  return GPU_OK;
}

static void
drop (gpu_ctx *g, gpu_mat A, const factors *f)
{
  const gpu_mat all[] = { f->piv, f->to, f->from };
  for (int i = 0; i < 3; i++)
    if (all[i].p)
      gpu_free (g, all[i]);
  if (f->F.p != A.p)
    gpu_free (g, f->F);
}

/* As gpu_solve, by factors f.  */
static gpu_status
finish (gpu_ctx *g, gpu_mat A, const factors *f, gpu_mat X, double *rcond,
        double *work)
{
  gpu_mat anorm;
  GPU_TRY (gpu_new (g, gpu_real_type (A.type), 1, 1, A.pages, &anorm));
  GPU_TRY (g->be->norm1 (g, A, anorm));
  GPU_TRY (solve_and_look (g, f, X, rcond));
  GPU_TRY (fetch (g, anorm, 1, false, work));
  for (ptrdiff_t k = 0; k < A.pages; k++)
    rcond[k] = 1 / rcond[k] / work[k];
  GPU_TRY (smallest_pivot (g, f->F, work));
  for (ptrdiff_t k = 0; k < A.pages; k++)
    rcond[k] = work[k] == 0 ? 0 : rcond[k];
  gpu_free (g, anorm);
  return GPU_OK;
}

/* Whether all numbers of A are safe in single precision, if they are not
   small beside others; SIZE as in find_error.  */
static bool
fits_single (double size)
{
  return size > 0x1p-160 && size < 0x1p160;
}

/* X = A \ B in mixed precision, with its factors in F; unless it was as good
   as by better ones, X = B, and F has none.  */
static gpu_status
solve_mixed (gpu_ctx *g, gpu_mat A, gpu_mat B, double size, gpu_mat X,
             factors *f, gpu_solution *how)
{
  const gpu_type low = gpu_is_complex (A.type) ? GPU_CSINGLE : GPU_SINGLE;
  if (!fits_single (size))
    return GPU_OK;
  GPU_TRY (factor (g, A, low, GPU_FP32X3, f));
  /* A triangle is no factor of another type.  */
  if (f->is != UPPER && f->is != LOWER)
    GPU_TRY (refine (g, A, f, B, size, X, how));
  if (how->mixed)
    return GPU_OK;
  drop (g, A, f);
  *f = (factors){ 0 };
  return g->be->copy (g, B, X);
}

gpu_status
gpu_solve (gpu_ctx *g, gpu_mat A, gpu_mat X, double *rcond, double *work,
           gpu_solution *how)
{
  factors f = { 0 };
  gpu_mat B = X, rest = X, R;
  double size = 0;
  if (A.m != A.n || A.n != X.m || A.pages != X.pages || A.op != GPU_N)
    return gpu_fail (g, GPU_EARG, "a square matrix and as many rows");
  if (how)
    {
      *how = (gpu_solution){ 0 };
      if (A.pages != 1 || A.type != X.type)
        return gpu_fail (g, GPU_EARG,
                         "one matrix, and right-hand sides of "
                         "its type, in mixed precision");
      GPU_TRY (gpu_new (g, X.type, X.m, X.n, 1, &B));
      GPU_TRY (g->be->copy (g, X, B));
      GPU_TRY (squares (g, A, &size));
      GPU_TRY (solve_mixed (g, A, B, size, X, &f, how));
    }
  if (how && how->mixed)
    rest.n = 0; /* it is solved */
  else
    GPU_TRY (factor (g, A, A.type, GPU_IEEE, &f));
  GPU_TRY (finish (g, A, &f, rest, rcond, work));
  drop (g, A, &f);
  if (how && !how->mixed)
    {
      GPU_TRY (gpu_new (g, X.type, X.m, X.n, 1, &R));
      GPU_TRY (find_error (g, A, X, B, size, R, &how->error2));
      gpu_free (g, R);
    }
  if (how)
    gpu_free (g, B);
  return GPU_OK;
}
