/* test_reduce.c: reductions along every dimension of views of any op against
   plain loops in long double precision.

   Sums and products have error bounds; extremes, their places, any and all
   are exact.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

enum
{
  OPERATIONS = GPU_ALL + 1
};

static const char *const op_names[OPERATIONS]
  = { "sum", "prod", "sumsq", "max", "min", "any", "all" };

static const ptrdiff_t shapes[][3]
  = { { 1, 1, 1 },    { 1, 7, 1 },    { 7, 1, 1 },     { 1, 1, 9 },
      { 5, 3, 4 },    { 33, 17, 3 },  { 0, 3, 2 },     { 3, 0, 2 },
      { 3, 2, 0 },    { 0, 0, 1 },    { 257, 65, 1 },  { 1027, 3, 2 },
      { 3, 1027, 2 }, { 2, 3, 1027 }, { 1, 37, 41 },   { 37, 1, 41 },
      { 64, 64, 5 },  { 129, 2, 31 }, { 8193, 1, 1 },  { 1, 8193, 1 },
      { 1, 1, 8193 }, { 31, 33, 35 }, { 513, 513, 1 }, { 17, 4099, 1 } };

static const ptrdiff_t long_shapes[][3]
  = { { 1000003, 1, 1 }, { 1, 1000003, 1 }, { 1, 1, 1000003 },
      { 500009, 2, 1 },  { 2, 500009, 1 },  { 3, 1, 333337 },
      { 1, 3, 333337 },  { 101, 9901, 1 },  { 9901, 101, 1 } };

static bool
is_extreme (gpu_reduction op)
{
  return op == GPU_MOST || op == GPU_LEAST;
}

/* Elements with what the operation has to take care of: ties and NaN, zeros,
   and products that stay in range.  */
static ref
make (gpu_reduction op, gpu_type type, const ptrdiff_t *s, int dim)
{
  ref A = ref_new (type, s[0], s[1], s[2]);
  bool complex_data = gpu_is_complex (type);
  /* No -0, whose arg is pi.  Some results meet zeros, ones or NaN alone.  */
  for (size_t i = 0; i < ref_count (A); i++)
    {
      double re = test_uniform (), im = complex_data ? test_uniform () : 0;
      cx z = CMPLX (re, im);
      uint64_t pick = test_bits () >> 32;
      if (type == GPU_LOGICAL)
        z = op == GPU_PROD || op == GPU_ALL ? pick % 64 > 0 : pick % 8 == 0;
      else if (op == GPU_PROD && s[dim - 1] > 100)
        z = pick % 2 ? -1 : complex_data && pick % 4 ? CMPLX (0, 1) : 1;
      else if (op == GPU_PROD)
        z = 1 + z / 8;
      else if (is_extreme (op))
        z = CMPLX (round (4 * re) / 4 + 0.0, round (4 * im) / 4 + 0.0);
      else if (op == GPU_ANY)
        z = pick % 64 ? 0 : z;
      else if (op == GPU_ALL)
        z = pick % 64 ? z : 0;
      if (type != GPU_LOGICAL && op >= GPU_MOST && pick % 3 == 1)
        z = complex_data && pick % 2 ? CMPLX (re, NAN) : NAN;
      A.x[i] = z;
    }
  return A;
}

/* Element l of those that result r, of size 1 in dimension DIM, is made of. */
static cx
at (ref A, int dim, ptrdiff_t l, const ptrdiff_t r[3])
{
  return AT (A, dim == 1 ? l : r[0], dim == 2 ? l : r[1], dim == 3 ? l : r[2]);
}

/* Whether x beats y: moduli, whose squares are exact here, then arg.  */
static bool
beats (gpu_reduction op, bool complex_data, cx x, cx y)
{
  double sign = op == GPU_MOST ? 1 : -1, a = creal (x), b = creal (y);
  if (complex_data)
    {
      a = creal (x) * creal (x) + cimag (x) * cimag (x);
      b = creal (y) * creal (y) + cimag (y) * cimag (y);
      if (a == b)
        {
          a = cimag (x) == 0 && creal (x) < 0 ? M_PI : carg (x);
          b = cimag (y) == 0 && creal (y) < 0 ? M_PI : carg (y);
        }
    }
  return sign * a > sign * b;
}

/* What the result is, how far off it may be, and its place.  */
static void
expect (gpu_reduction op, ref A, int dim, ptrdiff_t length,
        const ptrdiff_t r[3], cx *want, double *bound, int64_t *place)
{
  lcx sum = op == GPU_PROD || op == GPU_ALL;
  long double size = 0;
  cx best = 0;
  *place = 0;
  for (ptrdiff_t l = 0; l < length; l++)
    {
      cx z = at (A, dim, l, r);
      bool bad = is_nan (z);
      long double square = (long double) creal (z) * creal (z)
                           + (long double) cimag (z) * cimag (z);
      size += sqrtl (square);
      if (op == GPU_SUM)
        sum += z;
      else if (op == GPU_PROD)
        sum = sum * z;
      else if (op == GPU_SUMSQ)
        sum += square;
      else if (op == GPU_ANY && z != 0 && !bad)
        sum = 1;
      else if (op == GPU_ALL && z == 0)
        sum = 0;
      else if (is_extreme (op)
               && (*place == 0 || (is_nan (best) && !bad)
                   || (!bad && beats (op, gpu_is_complex (A.type), z, best))))
        {
          best = z;
          *place = l + 1;
        }
    }
  *want = is_extreme (op) ? best : (cx) sum;
  if (op == GPU_PROD)
    *bound = cabs (*want) * 4 * (double) length * DBL_EPSILON;
  else
    *bound = (op == GPU_SUM ? (double) size : cabs (*want))
             * (2 + sqrt ((double) length)) * DBL_EPSILON;
  *bound += cabs (*want) * test_eps (A.type);
  if (op >= GPU_MOST || A.type == GPU_LOGICAL)
    *bound = 0;
}

/* Every result of one reduction.  */
static void
check_results (gpu_reduction op, ref A, int dim, ref C, ref P)
{
  const ptrdiff_t size[] = { A.m, A.n, A.pages };
  size_t bad = 0, misplaced = 0;
  double worst = 0;
  for (ptrdiff_t k = 0; k < C.pages; k++)
    for (ptrdiff_t j = 0; j < C.n; j++)
      for (ptrdiff_t i = 0; i < C.m; i++)
        {
          const ptrdiff_t r[] = { i, j, k };
          cx want, have = AT (C, i, j, k);
          double bound;
          int64_t place;
          expect (op, A, dim, size[dim - 1], r, &want, &bound, &place);
          bool same
            = is_nan (want) ? is_nan (have) : cabs (have - want) <= bound;
          if (!same && !is_nan (want) && bound > 0)
            worst = fmax (worst, cabs (have - want) / bound);
          bad += !same;
          if (is_extreme (op))
            misplaced += creal (AT (P, i, j, k)) != (double) place;
        }
  CHECK (bad == 0, "%zu of %zu results wrong, by up to %g of the bound", bad,
         ref_count (C), worst);
  CHECK (misplaced == 0, "%zu of %zu places wrong", misplaced, ref_count (C));
}

static gpu_type
type_of (gpu_reduction op, gpu_type type)
{
  return op == GPU_ANY || op == GPU_ALL            ? GPU_LOGICAL
         : op == GPU_SUMSQ && type < GPU_INT64     ? gpu_real_type (type)
         : type == GPU_LOGICAL && !is_extreme (op) ? GPU_DOUBLE
                                                   : type;
}

/* The primitive, between views inside larger arrays.  */
static void
between_views (gpu_ctx *g, gpu_reduction op, ref A, int dim, gpu_op view,
               bool pad)
{
  ptrdiff_t size[] = { A.m, A.n, A.pages };
  ref C, P;
  dev dA, dC, dP;
  if (is_extreme (op) && size[dim - 1] == 0)
    return;
  size[dim - 1] = 1;
  C = ref_new (type_of (op, A.type), size[0], size[1], size[2]);
  P = ref_new (GPU_INT64, size[0], size[1], size[2]);
  OK (g, dev_put (g, A, view, pad, &dA));
  OK (g, dev_put (g, C, GPU_N, pad, &dC));
  OK (g, dev_put (g, P, GPU_N, pad, &dP));
  if (!is_extreme (op))
    dP.view.p = NULL;
  OK (g, g->be->reduce (g, op, dA.view, dim, dC.view, dP.view));
  OK (g, dev_get (g, dC, &C));
  if (is_extreme (op))
    OK (g, dev_get (g, dP, &P));
  check_results (op, A, dim, C, P);
}

/* The algorithm, twice: to the last bit the same.  */
static void
whole (gpu_ctx *g, gpu_reduction op, ref A, int dim)
{
  ref C, P = { 0 }, again;
  dev dA, dC, dP;
  ptrdiff_t size[] = { A.m, A.n, A.pages };
  if (size[dim - 1] > 0 || !is_extreme (op))
    size[dim - 1] = 1;
  OK (g, dev_put (g, A, GPU_N, false, &dA));
  OK (g, gpu_reduce (g, op, dA.view, dim, &dC.view,
                     is_extreme (op) ? &dP.view : NULL));
  CHECK (dC.view.m == size[0] && dC.view.n == size[1]
           && dC.view.pages == size[2] && dC.view.type == type_of (op, A.type),
         "%td x %td x %td, type %s", dC.view.m, dC.view.n, dC.view.pages,
         test_type_name (dC.view.type));
  dC.whole = dC.view;
  dP.whole = dP.view;
  OK (g, dev_get (g, dC, &C));
  if (is_extreme (op))
    OK (g, dev_get (g, dP, &P));
  check_results (op, A, dim, C, P);
  OK (g, gpu_reduce (g, op, dA.view, dim, &dC.view, NULL));
  dC.whole = dC.view;
  OK (g, dev_get (g, dC, &again));
  CHECK (memcmp (ref_pack (C), ref_pack (again),
                 ref_count (C) * gpu_type_size (C.type))
           == 0,
         "not repeatable");
}

static void
every_way (gpu_ctx *g, gpu_type type)
{
  const size_t count = sizeof shapes / sizeof *shapes;
  for (size_t s = 0; s < count; s++)
    for (int op = 0; op < OPERATIONS; op++)
      for (int dim = 1; dim <= 3; dim++)
        for (int view = 0; view < 5; view++)
          {
            static const gpu_op ops[] = { GPU_N, GPU_T, GPU_C };
            const ptrdiff_t *size = shapes[s];
            const bool large = size[0] * size[1] * size[2] > 6000;
            gpu_op as = ops[view % 3];
            if ((as == GPU_C && !gpu_is_complex (type))
                || (large && (test_quick () || (view + op + dim) % 5))
                || test_leaves_out ())
              continue;
            ref A = make ((gpu_reduction) op, type, size, dim);
            test_at ("%s of %s %td x %td x %td along %d, op %d%s",
                     op_names[op], test_type_name (type), size[0], size[1],
                     size[2], dim, (int) as, view < 3 ? ", padded" : "");
            if (view < 4)
              between_views (g, (gpu_reduction) op, A, dim, as, view < 3);
            else
              whole (g, (gpu_reduction) op, A, dim);
            test_next (g);
          }
}

static void
long_ones (gpu_ctx *g, gpu_type type)
{
  const size_t count = sizeof long_shapes / sizeof *long_shapes;
  for (size_t s = 0; s < count && !test_quick (); s++)
    for (int dim = 1; dim <= 3; dim++)
      {
        const ptrdiff_t *size = long_shapes[s];
        if (size[dim - 1] == 1)
          continue;
        /* What is hard depends on the shape; operations take turns.  */
        int op = (int) (2 * s + 4 * (size_t) dim + (size_t) type) % OPERATIONS;
        test_at ("%s of %s %td x %td x %td along %d", op_names[op],
                 test_type_name (type), size[0], size[1], size[2], dim);
        whole (g, (gpu_reduction) op,
               make ((gpu_reduction) op, type, size, dim), dim);
        test_next (g);
      }
}

static void
logical (gpu_ctx *g, gpu_type unused)
{
  (void) unused;
  every_way (g, GPU_LOGICAL);
  long_ones (g, GPU_LOGICAL);
}

/* Inf is no NaN, -0 no less than 0, and negative reals have arg pi.  */
static void
special (gpu_ctx *g, gpu_type type)
{
  ref A = ref_new (type, 5, 1, 1), C;
  dev D;
  const cx most[] = { -INFINITY, NAN, 3, INFINITY, INFINITY };
  memcpy (A.x, most, sizeof most);
  test_at ("infinite");
  OK (g, dev_put (g, A, GPU_N, false, &D));
  OK (g, gpu_reduce (g, GPU_MOST, D.view, 1, &D.view, NULL));
  D.whole = D.view;
  OK (g, dev_get (g, D, &C));
  CHECK (creal (C.x[0]) == (gpu_is_complex (type) ? -INFINITY : INFINITY),
         "max is %g", creal (C.x[0]));
  A.x[1] = -3;
  OK (g, dev_put (g, A, GPU_N, false, &D));
  OK (g, gpu_reduce (g, GPU_SUM, D.view, 1, &D.view, NULL));
  D.whole = D.view;
  OK (g, dev_get (g, D, &C));
  CHECK (isnan (creal (C.x[0])) && cimag (C.x[0]) == 0,
         "-Inf + Inf is %g + %gi", creal (C.x[0]), cimag (C.x[0]));
  A.x[0] = 1;
  OK (g, dev_put (g, A, GPU_N, false, &D));
  OK (g, gpu_reduce (g, GPU_SUM, D.view, 1, &D.view, NULL));
  D.whole = D.view;
  OK (g, dev_get (g, D, &C));
  CHECK (C.x[0] == INFINITY, "a sum with Inf is %g + %gi", creal (C.x[0]),
         cimag (C.x[0]));
}

static void
arguments (gpu_ctx *g, gpu_type unused)
{
  gpu_mat A, C, P;
  (void) unused;
  OK (g, gpu_new (g, GPU_DOUBLE, 4, 6, 2, &A));
  CHECK (gpu_reduce (g, GPU_SUM, A, 0, &C, NULL) == GPU_EARG, "dim 0");
  CHECK (gpu_reduce (g, GPU_SUM, A, 4, &C, NULL) == GPU_EARG, "dim 4");
  CHECK (gpu_reduce (g, GPU_SUM, A, 1, &C, &P) == GPU_EARG, "place of a sum");
  A.type = GPU_INT64;
  CHECK (gpu_reduce (g, GPU_SUM, A, 1, &C, NULL) == GPU_ENOTSUP, "integers");
}

int
main (void)
{
  static const test_entry entries[] = {
    { "every_way", every_way, true },  { "long_ones", long_ones, true },
    { "logical", logical, false },     { "special", special, true },
    { "arguments", arguments, false },
  };
  return test_main ("test_reduce", entries, sizeof entries / sizeof *entries);
}
