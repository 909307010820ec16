/* test_arrange.c: permutations, concatenations, repetitions, bands and
   diagonals against plain loops, all elements equal; and random numbers:
   known ones, independence of how they are drawn, and their distribution.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

enum
{
  TYPES = GPU_LOGICAL + 1,
  BINS = 100
};

static const ptrdiff_t shapes[][3]
  = { { 1, 1, 1 },   { 7, 1, 1 },   { 1, 9, 1 },  { 1, 1, 5 },   { 5, 4, 3 },
      { 0, 3, 2 },   { 3, 0, 1 },   { 0, 0, 1 },  { 33, 65, 2 }, { 1, 35, 41 },
      { 300, 2, 1 }, { 2, 1, 300 }, { 2, 3, 77 }, { 129, 31, 7 } };
static const size_t shape_count = sizeof shapes / sizeof *shapes;

/* Numbers that every type holds, none of them 0.  */
static ref
numbers (gpu_type type, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages)
{
  ref A = ref_new (type, m, n, pages);
  for (size_t i = 0; i < ref_count (A); i++)
    {
      double re = floor (100 * test_uniform ()) + 0.5;
      A.x[i] = type == GPU_LOGICAL     ? 1
               : type >= GPU_INT64     ? re + 0.5 * (re > 0 ? 1 : -1)
               : gpu_is_complex (type) ? CMPLX (re, test_uniform ())
                                       : re;
    }
  return A;
}

/* Check the array C. */
static void
check (gpu_ctx *g, gpu_mat C, ref want)
{
  dev D = { C, C };
  ref X;
  if (!CHECK (C.m == want.m && C.n == want.n && C.pages == want.pages
                && C.type == want.type,
              "%td x %td x %td %s, not %td x %td x %td %s", C.m, C.n, C.pages,
              test_type_name (C.type), want.m, want.n, want.pages,
              test_type_name (want.type)))
    return;
  OK (g, dev_get (g, D, &X));
  CHECK (ref_same (X, want), "wrong elements");
}

/* The view that variant V of a test takes.  */
static gpu_op
op_of (int v, int type)
{
  static const gpu_op ops[] = { GPU_N, GPU_T, GPU_C };
  return ops[v % (gpu_is_complex ((gpu_type) type) ? 3 : 2)];
}

static void
permute (gpu_ctx *g, gpu_type unused)
{
  static const int perms[][3] = { { 1, 2, 3 }, { 1, 3, 2 }, { 2, 1, 3 },
                                  { 2, 3, 1 }, { 3, 1, 2 }, { 3, 2, 1 } };
  static const int wrong[][3]
    = { { 1, 2, 2 }, { 0, 1, 2 }, { 1, 2, 4 }, { -1, 2, 3 } };
  gpu_mat X;
  dev D;
  (void) unused;
  for (size_t s = 0; s < shape_count; s++)
    for (int type = 0; type < TYPES; type++)
      for (int p = 0; p < 6; p++)
        for (int v = 0; v < 4; v++)
          {
            if (test_leaves_out ())
              continue;
            const ptrdiff_t *size = shapes[s];
            const int *perm = perms[p];
            const gpu_op op = op_of (v / 2, type);
            ref A = numbers ((gpu_type) type, size[0], size[1], size[2]);
            ref want = ref_new ((gpu_type) type, size[perm[0] - 1],
                                size[perm[1] - 1], size[perm[2] - 1]);
            test_at ("%s %td x %td x %td, [%d %d %d], op %d%s",
                     test_type_name ((gpu_type) type), size[0], size[1],
                     size[2], perm[0], perm[1], perm[2], (int) op,
                     v % 2 ? ", padded" : "");
            for (ptrdiff_t k = 0; k < want.pages; k++)
              for (ptrdiff_t j = 0; j < want.n; j++)
                for (ptrdiff_t i = 0; i < want.m; i++)
                  {
                    ptrdiff_t at[3];
                    at[perm[0] - 1] = i;
                    at[perm[1] - 1] = j;
                    at[perm[2] - 1] = k;
                    AT (want, i, j, k) = AT (A, at[0], at[1], at[2]);
                  }
            OK (g, dev_put (g, A, op, v % 2, &D));
            OK (g, gpu_permute (g, D.view, perm, &X));
            check (g, X, want);
            test_next (g);
          }
  OK (g, gpu_new (g, GPU_DOUBLE, 2, 3, 4, &D.view));
  for (int w = 0; w < 4; w++)
    CHECK (gpu_permute (g, D.view, wrong[w], &X) == GPU_EARG, "wrong %d", w);
}

/* Operands whose sizes differ along DIM.  */
static void
cat (gpu_ctx *g, gpu_type unused)
{
  static const ptrdiff_t along[] = { 3, 1, 0, 37 };
  (void) unused;
  for (size_t s = 0; s < shape_count; s++)
    for (int type = 0; type < TYPES; type++)
      for (int dim = 1; dim <= 3; dim++)
        for (int count = 1; count <= 4; count++)
          {
            if (test_leaves_out ())
              continue;
            gpu_mat views[4], X;
            ref parts[4], want;
            ptrdiff_t all[] = { shapes[s][0], shapes[s][1], shapes[s][2] };
            all[dim - 1] = 0;
            test_at ("%s, %d of %td x %td x %td along %d",
                     test_type_name ((gpu_type) type), count, shapes[s][0],
                     shapes[s][1], shapes[s][2], dim);
            for (int i = 0; i < count; i++)
              {
                dev D;
                ptrdiff_t size[] = { all[0], all[1], all[2] };
                size[dim - 1] = along[(i + (int) s) % 4];
                parts[i]
                  = numbers ((gpu_type) type, size[0], size[1], size[2]);
                OK (g, dev_put (g, parts[i], op_of (i, type), i % 2, &D));
                views[i] = D.view;
              }
            for (int i = 0; i < count; i++)
              all[dim - 1] += along[(i + (int) s) % 4];
            want = ref_new ((gpu_type) type, all[0], all[1], all[2]);
            for (ptrdiff_t i = 0, at = 0; i < count; i++)
              {
                ref P = parts[i];
                for (ptrdiff_t k = 0; k < P.pages; k++)
                  for (ptrdiff_t j = 0; j < P.n; j++)
                    for (ptrdiff_t r = 0; r < P.m; r++)
                      AT (want, r + (dim == 1 ? at : 0),
                          j + (dim == 2 ? at : 0), k + (dim == 3 ? at : 0))
                        = AT (P, r, j, k);
                at += along[(i + (int) s) % 4];
              }
            OK (g, gpu_cat (g, dim, count, views, &X));
            check (g, X, want);
            test_next (g);
          }
}

/* What Octave leaves out, refuses, and makes of types.  */
static void
cat_rules (gpu_ctx *g, gpu_type unused)
{
  static const struct
  {
    int dim;
    ptrdiff_t a[3], b[3], c[3];
    const char *message;
  } rules[] = { { 1, { 0, 0, 1 }, { 2, 3, 1 }, { 2, 3, 1 }, NULL },
                { 2, { 2, 3, 1 }, { 0, 0, 1 }, { 2, 3, 1 }, NULL },
                { 3, { 2, 3, 2 }, { 0, 0, 1 }, { 2, 3, 2 }, NULL },
                { 2, { 1, 0, 1 }, { 2, 2, 1 }, { 2, 2, 1 }, NULL },
                { 1, { 2, 2, 1 }, { 1, 0, 1 }, { 2, 2, 1 }, NULL },
                { 1, { 0, 1, 1 }, { 1, 0, 1 }, { 0, 0, 1 }, NULL },
                { 1, { 1, 0, 1 }, { 1, 0, 1 }, { 2, 0, 1 }, NULL },
                { 1, { 0, 3, 1 }, { 0, 3, 1 }, { 0, 3, 1 }, NULL },
                { 1,
                  { 1, 2, 1 },
                  { 1, 3, 1 },
                  { 0, 0, 0 },
                  "vertical dimensions mismatch (1x2 vs 1x3)" },
                { 2,
                  { 1, 2, 1 },
                  { 3, 1, 1 },
                  { 0, 0, 0 },
                  "horizontal dimensions mismatch (1x2 vs 3x1)" },
                { 1,
                  { 1, 2, 2 },
                  { 1, 3, 2 },
                  { 0, 0, 0 },
                  "vertical dimensions mismatch (1x2x2 vs 1x3x2)" },
                { 2,
                  { 3, 0, 1 },
                  { 2, 2, 1 },
                  { 0, 0, 0 },
                  "horizontal dimensions mismatch (3x0 vs 2x2)" },
                { 3,
                  { 1, 0, 1 },
                  { 2, 2, 1 },
                  { 0, 0, 0 },
                  "cat: dimension mismatch (1x0 vs 2x2)" } };
  static const gpu_type computed[]
    = { GPU_SINGLE, GPU_DOUBLE, GPU_CSINGLE, GPU_CDOUBLE, GPU_LOGICAL };
  (void) unused;
  for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
    {
      ref A
        = numbers (GPU_DOUBLE, rules[r].a[0], rules[r].a[1], rules[r].a[2]);
      ref B
        = numbers (GPU_DOUBLE, rules[r].b[0], rules[r].b[1], rules[r].b[2]);
      dev dA, dB;
      gpu_mat X;
      test_at ("rule %zu", r);
      OK (g, dev_put (g, A, GPU_N, false, &dA));
      OK (g, dev_put (g, B, GPU_N, false, &dB));
      const gpu_mat both[] = { dA.view, dB.view };
      if (rules[r].message)
        CHECK (gpu_cat (g, rules[r].dim, 2, both, &X) == GPU_ESIZE
                 && strcmp (g->message, rules[r].message) == 0,
               "\"%s\"", g->message);
      else
        {
          ref want = ref_count (A) > 0 ? A : B;
          want.m = rules[r].c[0];
          want.n = rules[r].c[1];
          want.pages = rules[r].c[2];
          OK (g, gpu_cat (g, rules[r].dim, 2, both, &X));
          check (g, X, want);
        }
      test_next (g);
    }
  for (int a = 0; a < 5; a++)
    for (int b = 0; b < 5; b++)
      {
        gpu_type types[] = { computed[a], computed[b] };
        bool logical = a == 4 && b == 4;
        ref A = numbers (types[0], 3, 4, 2), B = numbers (types[1], 2, 4, 2);
        ref want = ref_new (logical ? GPU_LOGICAL
                                    : gpu_common_type (types[0], types[1]),
                            5, 4, 2);
        dev dA, dB;
        gpu_mat X;
        test_at ("%s and %s", test_type_name (types[0]),
                 test_type_name (types[1]));
        OK (g, dev_put (g, A, GPU_N, false, &dA));
        OK (g, dev_put (g, B, GPU_N, false, &dB));
        for (ptrdiff_t k = 0; k < 2; k++)
          for (ptrdiff_t j = 0; j < 4; j++)
            for (ptrdiff_t i = 0; i < 5; i++)
              AT (want, i, j, k) = ref_rounded (
                want.type, i < 3 ? AT (A, i, j, k) : AT (B, i - 3, j, k));
        const gpu_mat both[] = { dA.view, dB.view };
        OK (g, gpu_cat (g, 1, 2, both, &X));
        check (g, X, want);
        test_next (g);
      }
  gpu_mat X;
  CHECK (gpu_cat (g, 4, 1, &X, &X) == GPU_EARG, "dim 4");
  CHECK (gpu_cat (g, 1, 0, &X, &X) == GPU_EARG, "of nothing");
}

static void
repmat (gpu_ctx *g, gpu_type unused)
{
  static const ptrdiff_t counts[][3]
    = { { 1, 1, 1 }, { 3, 1, 1 }, { 1, 4, 1 }, { 1, 1, 2 },
        { 2, 3, 5 }, { 0, 2, 1 }, { 7, 1, 3 } };
  gpu_mat X;
  dev D;
  (void) unused;
  for (size_t s = 0; s < shape_count; s++)
    for (int type = 0; type < TYPES; type++)
      for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        {
          if (test_leaves_out ())
            continue;
          const ptrdiff_t *size = shapes[s], *count = counts[c];
          ref A = numbers ((gpu_type) type, size[0], size[1], size[2]);
          ref want = ref_new ((gpu_type) type, size[0] * count[0],
                              size[1] * count[1], size[2] * count[2]);
          test_at ("%s %td x %td x %td, [%td %td %td]",
                   test_type_name ((gpu_type) type), size[0], size[1], size[2],
                   count[0], count[1], count[2]);
          if (ref_count (want) > 100000 && (test_quick () || (c + s) % 3))
            continue;
          for (ptrdiff_t k = 0; k < want.pages; k++)
            for (ptrdiff_t j = 0; j < want.n; j++)
              for (ptrdiff_t i = 0; i < want.m; i++)
                AT (want, i, j, k) = AT (A, i % A.m, j % A.n, k % A.pages);
          OK (g, dev_put (g, A, op_of ((int) c, type), c % 2, &D));
          OK (g, gpu_repmat (g, D.view, count, &X));
          check (g, X, want);
          test_next (g);
        }
  const ptrdiff_t wrong[] = { 1, -1, 1 };
  OK (g, gpu_new (g, GPU_DOUBLE, 2, 3, 1, &D.view));
  CHECK (gpu_repmat (g, D.view, wrong, &X) == GPU_EARG, "-1 copies");
}

/* What lies on diagonals LO to HI.  */
static ref
banded (ref A, ptrdiff_t lo, ptrdiff_t hi)
{
  ref B = ref_copy (A);
  for (ptrdiff_t k = 0; k < A.pages; k++)
    for (ptrdiff_t j = 0; j < A.n; j++)
      for (ptrdiff_t i = 0; i < A.m; i++)
        if (j - i < lo || j - i > hi)
          AT (B, i, j, k) = 0;
  return B;
}

static void
band (gpu_ctx *g, gpu_type unused)
{
  static const ptrdiff_t bands[][2]
    = { { PTRDIFF_MIN, 0 }, { 0, PTRDIFF_MAX },
        { -2, 1 },          { 3, 4 },
        { -1000, -1 },      { 2, 1 },
        { -40, 40 },        { 500, 600 },
        { -600, -500 },     { PTRDIFF_MIN, -3 },
        { 4, PTRDIFF_MAX }, { PTRDIFF_MIN, PTRDIFF_MAX } };
  (void) unused;
  for (size_t s = 0; s < shape_count; s++)
    for (int type = 0; type < TYPES; type++)
      for (size_t b = 0; b < sizeof bands / sizeof *bands; b++)
        {
          if (test_leaves_out ())
            continue;
          const ptrdiff_t *size = shapes[s];
          ref A = numbers ((gpu_type) type, size[0], size[1], size[2]), C;
          ref want = banded (A, bands[b][0], bands[b][1]);
          dev D;
          gpu_mat X;
          test_at ("%s %td x %td x %td, %td to %td",
                   test_type_name ((gpu_type) type), size[0], size[1], size[2],
                   bands[b][0], bands[b][1]);
          OK (g, dev_put (g, A, op_of ((int) b, type), b % 3, &D));
          OK (g, gpu_band (g, D.view, bands[b][0], bands[b][1], &X));
          check (g, X, want);
          OK (g, dev_put (g, A, GPU_N, true, &D));
          OK (g, g->be->band (g, D.view, bands[b][0], bands[b][1], D.view));
          OK (g, dev_get (g, D, &C));
          CHECK (ref_same (C, want), "in place");
          test_next (g);
        }
}

static void
diag (gpu_ctx *g, gpu_type unused)
{
  gpu_mat X;
  dev D;
  (void) unused;
  for (size_t s = 0; s < shape_count; s++)
    for (int type = 0; type < TYPES; type++)
      for (ptrdiff_t k = -35; k <= 35; k += k < -4 || k > 3 ? 5 : 1)
        {
          if (test_leaves_out ())
            continue;
          const ptrdiff_t m = shapes[s][0], n = shapes[s][1];
          const ptrdiff_t down = k < 0 ? -k : 0, right = k > 0 ? k : 0;
          ref A = numbers ((gpu_type) type, m, n, 1), want;
          test_at ("%s %td x %td, %td", test_type_name ((gpu_type) type), m, n,
                   k);
          if (m == 1 || n == 1)
            {
              want = ref_new ((gpu_type) type, m * n + down + right,
                              m * n + down + right, 1);
              for (ptrdiff_t i = 0; i < m * n; i++)
                AT (want, i + down, i + right, 0) = A.x[i];
            }
          else
            {
              ptrdiff_t count = m - down < n - right ? m - down : n - right;
              want = ref_new ((gpu_type) type, count > 0 ? count : 0,
                              m == 0 && n == 0 ? 0 : 1, 1);
              for (ptrdiff_t i = 0; i < count; i++)
                want.x[i] = AT (A, i + down, i + right, 0);
            }
          OK (g, dev_put (g, A, op_of ((int) (k & 3), type), k % 2 != 0, &D));
          OK (g, gpu_diag (g, D.view, k, &X));
          check (g, X, want);
          test_next (g);
        }
  OK (g, gpu_new (g, GPU_DOUBLE, 2, 3, 2, &D.view));
  CHECK (gpu_diag (g, D.view, 0, &X) == GPU_EARG, "of pages");
}

/* ---- random numbers ---- */

/* COUNT numbers by one call, as double.  */
static gpu_status
draw (gpu_ctx *g, bool normal, gpu_type type, ptrdiff_t count, double **x)
{
  gpu_mat A;
  float *s = test_alloc ((size_t) count * sizeof *s + 1);
  *x = test_alloc ((size_t) count * sizeof **x + 1);
  GPU_TRY (gpu_random (g, normal, type, count, 1, 1, &A));
  GPU_TRY (g->be->get (g, A, type == GPU_SINGLE ? (void *) s : *x));
  for (ptrdiff_t i = 0; i < count && type == GPU_SINGLE; i++)
    (*x)[i] = s[i];
  gpu_free (g, A);
  return GPU_OK;
}

/* The words that D. E. Shaw Research publishes for the counter and the key 0,
   and a sum over many others, made with the CUDA toolkit's own Philox on a
   host: counters beyond 2^32, the positions odd.  */
static void
known (gpu_ctx *g, gpu_type unused)
{
  static const uint64_t first[]
    = { UINT64_C (0xe169c58d6627e8d5), UINT64_C (0x9b00dbd8bc57ac4c) };
  const ptrdiff_t count = 100003;
  double *x;
  uint64_t sum = 0;
  (void) unused;
  for (int type = GPU_SINGLE; type <= GPU_DOUBLE; type++)
    {
      const int bits = type == GPU_SINGLE ? 24 : 53;
      test_at ("%s", test_type_name ((gpu_type) type));
      g->seed = g->drawn = 0;
      OK (g, draw (g, false, (gpu_type) type, 2, &x));
      for (int i = 0; i < 2; i++)
        CHECK (x[i] == ldexp ((double) (first[i] >> (64 - bits)), -bits),
               "number %d is %a", i, x[i]);
      g->seed = UINT64_C (0x0123456789abcdef);
      g->drawn = UINT64_C (8589934595);
      OK (g, draw (g, false, (gpu_type) type, count, &x));
      sum = 0;
      for (ptrdiff_t i = 0; i < count; i++)
        sum = sum * UINT64_C (1099511628211) + (uint64_t) ldexp (x[i], bits);
      CHECK (sum
               == (type == GPU_SINGLE ? UINT64_C (0xc93598f8780715c9)
                                      : UINT64_C (0x98edc172871a3649)),
             "sum %llx", (unsigned long long) sum);
    }
}

/* However they are drawn, in whatever sizes: the same numbers.  */
static void
sequence (gpu_ctx *g, gpu_type unused)
{
  static const ptrdiff_t sizes[] = { 100, 50, 1, 0, 1, 33, 1024, 7 };
  const ptrdiff_t count = 100 + 50 + 1 + 1 + 33 + 1024 + 7;
  (void) unused;
  for (int type = GPU_SINGLE; type <= GPU_DOUBLE; type++)
    for (int normal = 0; normal < 2; normal++)
      {
        double *all, *again, *x;
        ptrdiff_t at = 0;
        test_at ("%s%s", test_type_name ((gpu_type) type),
                 normal ? ", normal" : "");
        g->seed = 42;
        g->drawn = 0;
        OK (g, draw (g, normal, (gpu_type) type, count, &all));
        g->drawn = 0;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
          {
            OK (g, draw (g, normal, (gpu_type) type, sizes[i], &x));
            CHECK (memcmp (x, all + at, (size_t) sizes[i] * sizeof *x) == 0,
                   "%td numbers from %td on", sizes[i], at);
            at += sizes[i];
          }
        CHECK (g->drawn == (uint64_t) count, "%llu drawn",
               (unsigned long long) g->drawn);
        g->drawn = 0;
        g->seed = 43;
        OK (g, draw (g, normal, (gpu_type) type, count, &again));
        size_t same = 0;
        for (ptrdiff_t i = 0; i < count; i++)
          same += again[i] == all[i];
        CHECK (same < 3, "another seed gives %zu equal numbers", same);
      }
  gpu_mat A;
  CHECK (gpu_random (g, true, GPU_CDOUBLE, 3, 3, 1, &A) == GPU_ENOTSUP,
         "complex");
}

/* Mean, variance, correlation of neighbours, and how many numbers are in each
   of BINS parts of equal probability: all within 5 standard deviations.  */
static void
distribution (gpu_ctx *g, gpu_type unused)
{
  const ptrdiff_t count = test_quick () ? 10001 : 1000003;
  const double n = (double) count;
  (void) unused;
  for (int type = GPU_SINGLE; type <= GPU_DOUBLE; type++)
    for (int normal = 0; normal < 2; normal++)
      {
        double *x, sum = 0, squares = 0, products = 0, chi = 0;
        double mean = normal ? 0 : 0.5, variance = normal ? 1 : 1.0 / 12;
        double fourth = normal ? 3 : 1.0 / 80;
        double least = INFINITY, most = -INFINITY;
        long bins[BINS] = { 0 };
        test_at ("%s%s", test_type_name ((gpu_type) type),
                 normal ? ", normal" : "");
        g->seed = 20260101;
        g->drawn = 12345;
        OK (g, draw (g, normal, (gpu_type) type, count, &x));
        for (ptrdiff_t i = 0; i < count; i++)
          {
            double d = x[i] - mean;
            double u = normal ? 0.5 * erfc (-x[i] / sqrt (2)) : x[i];
            sum += d;
            squares += d * d;
            products += i > 0 ? d * (x[i - 1] - mean) : 0;
            least = fmin (least, x[i]);
            most = fmax (most, x[i]);
            bins[(int) fmin (BINS * u, BINS - 1)]++;
          }
        for (int b = 0; b < BINS; b++)
          chi += ((double) bins[b] - n / BINS) * ((double) bins[b] - n / BINS)
                 / (n / BINS);
        CHECK (fabs (sum) < 5 * sqrt (n * variance), "mean off by %g",
               sum / n);
        CHECK (fabs (squares - n * variance)
                 < 5 * sqrt (n * (fourth - variance * variance)),
               "variance %g", squares / n);
        CHECK (fabs (products) < 5 * sqrt (n) * variance, "correlation %g",
               products / n / variance);
        CHECK (fabs (chi - (BINS - 1)) < 5 * sqrt (2 * (BINS - 1)), "chi^2 %g",
               chi);
        if (normal)
          CHECK (least < -3 && most > 3 && least > -8 && most < 8, "%g to %g",
                 least, most);
        else
          CHECK (least > 0 && most < 1, "%g to 1 - %g", least, 1 - most);
        test_next (g);
      }
}

int
main (void)
{
  static const test_entry entries[] = {
    { "permute", permute, false },
    { "cat", cat, false },
    { "cat_rules", cat_rules, false },
    { "repmat", repmat, false },
    { "band", band, false },
    { "diag", diag, false },
    { "known", known, false },
    { "sequence", sequence, false },
    { "distribution", distribution, false },
  };
  return test_main ("test_arrange", entries, sizeof entries / sizeof *entries);
}
