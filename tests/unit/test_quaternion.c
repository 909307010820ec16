/* test_quaternion.c: C = A * B of quaternion matrices by both ways, against
   the sum of Hamilton's products.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

enum
{
  PLANES = 4
};

/* Whole numbers in [-9, 9]: all sums are exact.  */
static ref
whole_numbers (gpu_type type, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages)
{
  ref A = ref_random (type, m, n, pages);
  for (size_t i = 0; i < ref_count (A); i++)
    A.x[i] = nearbyint (9 * creal (A.x[i]));
  return A;
}

/* Element (i, j) of op (A), page k, as four numbers.  */
static void
element (ref A, gpu_op op, ptrdiff_t i, ptrdiff_t j, ptrdiff_t k, double *q)
{
  for (int c = 0; c < PLANES; c++)
    {
      q[c] = creal (op & GPU_T ? AT (A, j, i, PLANES * k + c)
                               : AT (A, i, j, PLANES * k + c));
      if (c > 0 && (op & (GPU_C ^ GPU_T)))
        q[c] = -q[c];
    }
}

static ref
hamilton (ref A, gpu_op op_a, ref B, gpu_op op_b)
{
  ptrdiff_t m = op_a & GPU_T ? A.n : A.m, inner = op_a & GPU_T ? A.m : A.n;
  ptrdiff_t n = op_b & GPU_T ? B.m : B.n;
  ptrdiff_t pages = (A.pages > B.pages ? A.pages : B.pages) / PLANES;
  ref C = ref_new (A.type, m, n, PLANES * pages);
  for (ptrdiff_t k = 0; k < pages; k++)
    for (ptrdiff_t j = 0; j < n; j++)
      for (ptrdiff_t i = 0; i < m; i++)
        for (ptrdiff_t l = 0; l < inner; l++)
          {
            double a[PLANES], b[PLANES];
            element (A, op_a, i, l, A.pages == PLANES ? 0 : k, a);
            element (B, op_b, l, j, B.pages == PLANES ? 0 : k, b);
            AT (C, i, j, PLANES * k)
              += a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
            AT (C, i, j, PLANES * k + 1)
              += a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
            AT (C, i, j, PLANES * k + 2)
              += a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
            AT (C, i, j, PLANES * k + 3)
              += a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
          }
  return C;
}

/* C = op (A) * op (B) on the backend, and what was done.  */
static gpu_status
multiply (gpu_ctx *g, gpu_qmethod method, ref A, gpu_op op_a, ref B,
          gpu_op op_b, ref *C, gpu_qinfo *info)
{
  dev DA, DB, DC;
  gpu_mat X, Y;
  ptrdiff_t m = op_a & GPU_T ? A.n : A.m, n = op_b & GPU_T ? B.m : B.n;
  ptrdiff_t pages = A.pages > B.pages ? A.pages : B.pages;
  GPU_TRY (dev_put (g, A, GPU_N, false, &DA));
  GPU_TRY (dev_put (g, B, GPU_N, false, &DB));
  GPU_TRY (gpu_new (g, A.type, m, n, pages, &DC.view));
  DC.whole = DC.view;
  X = op_a & GPU_T ? gpu_transposed (DA.view) : DA.view;
  Y = op_b & GPU_T ? gpu_transposed (DB.view) : DB.view;
  X.op = op_a;
  Y.op = op_b;
  ptrdiff_t live = g->live;
  GPU_TRY (gpu_qmtimes (g, method, X, Y, DC.view, info));
  CHECK (g->live == live, "the call left its workspace");
  return dev_get (g, DC, C);
}

static void
exact (gpu_ctx *g, gpu_type type, gpu_qmethod method, ptrdiff_t m,
       ptrdiff_t inner, ptrdiff_t n, gpu_op op_a, gpu_op op_b, int kind)
{
  ptrdiff_t pa = kind == 1 || kind == 3 ? 3 : 1;
  ptrdiff_t pb = kind == 2 || kind == 3 ? 3 : 1;
  ref A = op_a & GPU_T ? whole_numbers (type, inner, m, PLANES * pa)
                       : whole_numbers (type, m, inner, PLANES * pa);
  ref B = op_b & GPU_T ? whole_numbers (type, n, inner, PLANES * pb)
                       : whole_numbers (type, inner, n, PLANES * pb);
  ref C, want = hamilton (A, op_a, B, op_b);
  gpu_qinfo info;
  test_at ("%td x %td x %td, ops %d %d, pages %td %td, method %d", m, inner, n,
           (int) op_a, (int) op_b, pa, pb, (int) method);
  OK (g, multiply (g, method, A, op_a, B, op_b, &C, &info));
  CHECK (ref_same (C, want), "the product is not exact");
  CHECK (m * n * inner == 0 || method == GPU_QAUTO || info.method == method,
         "method %d", (int) info.method);
  test_next (g);
}

static void
sizes (gpu_ctx *g, gpu_type type)
{
  static const gpu_op ops[] = { GPU_N, GPU_T, GPU_C };
  static const ptrdiff_t odd[][3]
    = { { 0, 3, 2 },  { 3, 0, 2 },   { 2, 3, 0 },   { 1, 1, 1 },
        { 1, 7, 1 },  { 5, 1, 6 },   { 3, 4, 3 },   { 4, 3, 4 },
        { 64, 1, 5 }, { 2, 129, 3 }, { 37, 41, 43 } };
  for (int method = GPU_QAUTO; method <= GPU_QDIRECT; method++)
    {
      for (ptrdiff_t n = 1; n <= (test_quick () ? 9 : 33); n++)
        exact (g, type, (gpu_qmethod) method, n, n, n, ops[n % 3],
               ops[n / 3 % 3], (int) (n % 4));
      for (int i = 0; i < 11; i++)
        for (int v = 0; v < (test_quick () ? 1 : 9); v++)
          exact (g, type, (gpu_qmethod) method, odd[i][0], odd[i][1],
                 odd[i][2], ops[v % 3], ops[v / 3], (i + v) % 4);
    }
}

/* A long inner dimension is cut into pieces or, with few rows and columns, is
   gone through once; large sizes are aligned, and with a small
   leaf the planes are multiplied where they are.  */
static void
large (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t size[][3]
    = { { 5, 9001, 3 },  { 4, 8192, 8 },  { 257, 33, 259 }, { 32, 4099, 10 },
        { 7, 5000, 32 }, { 1, 4096, 1 },  { 16, 4097, 17 }, { 20, 4111, 20 },
        { 33, 4200, 5 }, { 64, 12, 128 }, { 1029, 3, 1025 } };
  for (int i = 0; i < (test_quick () ? 2 : 11); i++)
    for (int method = GPU_QFAST; method <= GPU_QDIRECT; method++)
      {
        g->leaf = size[i][1] % 4 == 0 ? 4 : 0;
        exact (g, type, (gpu_qmethod) method, size[i][0], size[i][1],
               size[i][2], i % 3 == 1 ? GPU_C : GPU_N,
               i % 4 == 2 ? GPU_T : GPU_N, 0);
        g->leaf = 0;
      }
}

/* Without w, with the growth and without.  */
static void
pure (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t size[][3]
    = { { 9, 8, 7 }, { 5, 9001, 3 }, { 40, 8, 16 } };
  for (int i = 0; i < 3; i++)
    {
      ptrdiff_t m = size[i][0], inner = size[i][1], n = size[i][2];
      ref A = whole_numbers (type, m, inner, PLANES);
      ref B = whole_numbers (type, inner, n, PLANES), C;
      gpu_qinfo info;
      for (ptrdiff_t e = 0; e < m * inner; e++)
        AT (A, e % m, e / m, 0) = 0;
      ref want = hamilton (A, GPU_N, B, GPU_N);
      test_at ("%td x %td x %td", m, inner, n);
      g->leaf = i == 2 ? 4 : 0;
      OK (g, multiply (g, GPU_QFAST, A, GPU_N, B, GPU_N, &C, &info));
      CHECK (ref_same (C, want) && info.growth > 1, "growth %g", info.growth);
      OK (g, multiply (g, GPU_QFAST, A, GPU_N, B, GPU_N, &C, NULL));
      CHECK (ref_same (C, want), "the product is not exact");
      OK (g, multiply (g, GPU_QAUTO, A, GPU_N, B, GPU_N, &C, NULL));
      CHECK (ref_same (C, want), "the product of auto is not exact");
      g->leaf = 0;
      test_next (g);
    }
}

/* The largest error of component c beside the largest element of it.  */
static double
component_error (ref C, ref want, int c)
{
  double worst = 0, most = 0;
  for (ptrdiff_t j = 0; j < C.n; j++)
    for (ptrdiff_t i = 0; i < C.m; i++)
      {
        worst = fmax (worst, cabs (AT (C, i, j, c) - AT (want, i, j, c)));
        most = fmax (most, cabs (AT (want, i, j, c)));
      }
  return worst / most;
}

/* Rotations that hardly turn: the fast way would lose x, y and z.  */
static void
near_identity (gpu_ctx *g, gpu_type type)
{
  const ptrdiff_t n = 128;
  ref A = ref_random (type, n, n, PLANES), B = ref_random (type, n, n, PLANES);
  ref C, want;
  gpu_qinfo info;
  for (int c = 1; c < PLANES; c++)
    for (ptrdiff_t j = 0; j < n; j++)
      for (ptrdiff_t i = 0; i < n; i++)
        {
          AT (A, i, j, c) = ref_rounded (type, 1e-6 * AT (A, i, j, c));
          AT (B, i, j, c) = ref_rounded (type, 1e-6 * AT (B, i, j, c));
        }
  want = hamilton (A, GPU_N, B, GPU_N);
  g->leaf = 0;
  OK (g, multiply (g, GPU_QFAST, A, GPU_N, B, GPU_N, &C, &info));
  CHECK (info.growth > 1e4, "growth %g", info.growth);
  CHECK (component_error (C, want, 1) > 100 * test_eps (type),
         "this input is no test");
  OK (g, multiply (g, GPU_QAUTO, A, GPU_N, B, GPU_N, &C, &info));
  CHECK (info.method == GPU_QDIRECT, "the fast way was taken");
  for (int c = 0; c < PLANES; c++)
    CHECK (component_error (C, want, c)
             <= 8 * sqrt ((double) n) * test_eps (type),
           "component %d: %g", c, component_error (C, want, c));
}

/* What auto does with random numbers, planes of zeros, Inf and NaN.  */
static void
choices (gpu_ctx *g, gpu_type type)
{
  const ptrdiff_t n = 500;
  static const struct
  {
    double first; /* of A */
    int zero_a, zero_b;
    gpu_qmethod method;
  } kinds[]
    = { { 1, -1, -1, GPU_QFAST },     { 1, 0, -1, GPU_QFAST },
        { 1, -1, 0, GPU_QFAST },      { INFINITY, -1, -1, GPU_QDIRECT },
        { NAN, -1, -1, GPU_QDIRECT }, { 1, 2, 2, GPU_QFAST } };
  const int count = !test_quick () ? 6 : g->be->host_memory ? 0 : 2;
  for (int i = 0; i < count; i++)
    {
      ref A = ref_random (type, n, n, PLANES);
      ref B = ref_random (type, n, n, PLANES), C, D;
      gpu_qinfo info;
      test_at ("kind %d", i);
      AT (A, 0, 0, 0) = kinds[i].first;
      for (ptrdiff_t e = 0; e < n * n; e++)
        {
          if (kinds[i].zero_a >= 0)
            AT (A, e % n, e / n, kinds[i].zero_a) = 0;
          if (kinds[i].zero_b >= 0)
            AT (B, e % n, e / n, kinds[i].zero_b) = 0;
        }
      OK (g, multiply (g, GPU_QAUTO, A, GPU_N, B, GPU_N, &C, &info));
      CHECK (info.method == kinds[i].method, "method %d, growth %g",
             (int) info.method, info.growth);
      OK (g, multiply (g, GPU_QDIRECT, A, GPU_N, B, GPU_N, &D, &info));
      for (int c = 0; c < PLANES && isfinite (kinds[i].first); c++)
        CHECK (component_error (C, D, c)
                 <= 8 * sqrt ((double) n) * test_eps (type),
               "component %d: %g", c, component_error (C, D, c));
      test_next (g);
    }
}

static void
arguments (gpu_ctx *g, gpu_type type)
{
  gpu_mat A, B, C;
  gpu_qinfo info;
  OK (g, gpu_new (g, type, 2, 3, 4, &A));
  OK (g, gpu_new (g, type, 2, 3, 4, &B));
  OK (g, gpu_new (g, type, 2, 3, 4, &C));
  CHECK (gpu_qmtimes (g, GPU_QAUTO, A, B, C, &info) == GPU_ESIZE,
         "sizes that do not fit");
  B.m = 3;
  B.pages = 3;
  CHECK (gpu_qmtimes (g, GPU_QAUTO, A, B, C, &info) == GPU_ESIZE,
         "three planes");
}

static void
repeats (gpu_ctx *g, gpu_type type)
{
  ref A = ref_random (type, 67, 129, PLANES);
  ref B = ref_random (type, 129, 71, PLANES), C, D;
  gpu_qinfo info;
  for (int method = GPU_QFAST; method <= GPU_QDIRECT; method++)
    {
      OK (g,
          multiply (g, (gpu_qmethod) method, A, GPU_N, B, GPU_N, &C, &info));
      for (int i = 0; i < (test_quick () ? 2 : 20); i++)
        {
          OK (g, multiply (g, (gpu_qmethod) method, A, GPU_N, B, GPU_N, &D,
                           &info));
          CHECK (ref_same (C, D), "call %d differs", i);
        }
    }
}

/* Planes are real.  */
#define BOTH(name)                                                            \
  static void name##_both (gpu_ctx *g, gpu_type unused)                       \
  {                                                                           \
    (void) unused;                                                            \
    name (g, GPU_SINGLE);                                                     \
    name (g, GPU_DOUBLE);                                                     \
  }
BOTH (sizes)
BOTH (large)
BOTH (pure)
BOTH (near_identity)
BOTH (choices)
BOTH (arguments)
BOTH (repeats)

int
main (void)
{
  static const test_entry entries[] = {
    { "sizes", sizes_both, false },
    { "large", large_both, false },
    { "pure", pure_both, false },
    { "near_identity", near_identity_both, false },
    { "choices", choices_both, false },
    { "arguments", arguments_both, false },
    { "repeats", repeats_both, false },
  };
  return test_main ("test_quaternion", entries,
                    sizeof entries / sizeof *entries);
}
