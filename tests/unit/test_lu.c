/* test_lu.c: P * A = L * U: residuals, pivots, info, and the primitives that
   only it and its followers use.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gallery.h"

/* What gpu_lu leaves, and the factors of it; M = P' * L.  */
typedef struct
{
  ref lu, piv, info, L, M, U;
} factors;

/* L or M, and U.  */
static gpu_status
apart (gpu_ctx *g, gpu_mat LU, gpu_mat piv, bool permuted, ref *left, ref *U)
{
  gpu_mat l, u;
  GPU_TRY (gpu_new (g, LU.type, LU.m, piv.m, LU.pages, &l));
  GPU_TRY (gpu_new (g, LU.type, piv.m, LU.n, LU.pages, &u));
  GPU_TRY (gpu_lu_factors (g, LU, piv, permuted, l, u));
  GPU_TRY (dev_get (g, (dev){ l, l }, left));
  return dev_get (g, (dev){ u, u }, U);
}

static gpu_status
factor (gpu_ctx *g, ref A, bool pad, factors *f)
{
  gpu_mat piv, info;
  ptrdiff_t k = A.m < A.n ? A.m : A.n;
  dev D;
  GPU_TRY (dev_put (g, A, GPU_N, pad, &D));
  GPU_TRY (gpu_new (g, GPU_INT64, k, 1, A.pages, &piv));
  GPU_TRY (gpu_new (g, GPU_INT64, 1, 1, A.pages, &info));
  ptrdiff_t live = g->live;
  GPU_TRY (gpu_lu (g, D.view, piv, info));
  CHECK (g->live == live, "the call left its workspace");
  GPU_TRY (dev_get (g, D, &f->lu));
  GPU_TRY (dev_get (g, (dev){ piv, piv }, &f->piv));
  GPU_TRY (apart (g, D.view, piv, true, &f->M, &f->U));
  GPU_TRY (apart (g, D.view, piv, false, &f->L, &f->U));
  return dev_get (g, (dev){ info, info }, &f->info);
}

/* Exchange rows i and j of page k.  */
static void
exchange (ref A, ptrdiff_t k, ptrdiff_t i, ptrdiff_t j)
{
  for (ptrdiff_t c = 0; c < A.n; c++)
    {
      cx z = AT (A, i, c, k);
      AT (A, i, c, k) = AT (A, j, c, k);
      AT (A, j, c, k) = z;
    }
}

/* L and U of page k as matrices of their own.  */
static void
split (ref LU, ptrdiff_t k, ref *L, ref *U)
{
  ptrdiff_t p = LU.m < LU.n ? LU.m : LU.n;
  *L = ref_new (LU.type, LU.m, p, 1);
  *U = ref_new (LU.type, p, LU.n, 1);
  for (ptrdiff_t j = 0; j < LU.n; j++)
    for (ptrdiff_t i = 0; i < LU.m; i++)
      if (i > j)
        AT (*L, i, j, 0) = AT (LU, i, j, k);
      else
        AT (*U, i, j, 0) = AT (LU, i, j, k);
  for (ptrdiff_t j = 0; j < p; j++)
    AT (*L, j, j, 0) = 1;
}

/* Page k: the residual, the multipliers, the pivots' range, and info.  */
static void
check_page (ref A, factors f, ptrdiff_t k)
{
  ptrdiff_t p = f.piv.m, first = 0;
  ref PA = ref_copy (ref_page (A, k)), L, U;
  split (f.lu, k, &L, &U);
  for (ptrdiff_t j = 0; j < p; j++)
    {
      ptrdiff_t i = (ptrdiff_t) creal (AT (f.piv, j, 0, k)) - 1;
      if (!CHECK (i >= j && i < A.m, "page %td: pivot %td is row %td", k,
                  j + 1, i + 1))
        return;
      exchange (PA, 0, j, i);
      if (AT (U, j, j, 0) == 0 && first == 0)
        first = j + 1;
    }
  CHECK (creal (AT (f.info, 0, 0, k)) == (double) first,
         "page %td: info is %g, should be %td", k,
         creal (AT (f.info, 0, 0, k)), first);

  double largest = 0, most = gpu_is_complex (A.type) ? sqrt (2) : 1;
  for (size_t i = 0; i < ref_count (L); i++)
    largest = fmax (largest, cabs (L.x[i]));
  CHECK (largest <= most * (1 + 4 * test_eps (A.type)),
         "page %td: a multiplier of %g", k, largest);
  double scale = ref_norm (L) * ref_norm (U);
  double error = test_product_error (L, false, U, PA, 0);
  double units = test_units (error, A.n, A.type, scale);
  CHECK (units <= 1, "page %td: residual %g, scale %g", k, error, scale);
}

/* Page k of the factors apart.  */
static void
check_apart (factors f, ptrdiff_t k)
{
  ref L, U;
  split (f.lu, k, &L, &U);
  for (ptrdiff_t j = 0; j < f.piv.m; j++)
    exchange (f.M, k, j, (ptrdiff_t) creal (AT (f.piv, j, 0, k)) - 1);
  CHECK (ref_same (ref_page (f.L, k), L), "page %td: another L", k);
  CHECK (ref_same (ref_page (f.U, k), U), "page %td: another U", k);
  CHECK (ref_same (ref_page (f.M, k), L), "page %td: another P' * L", k);
}

static void
check (gpu_ctx *g, gpu_type type, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages,
       bool pad)
{
  ref A = ref_random (type, m, n, pages);
  factors f, again;
  test_at ("%td x %td, %td pages%s, leaf %td", m, n, pages,
           pad ? ", inside" : "", g->leaf);
  OK (g, factor (g, A, pad, &f));
  for (ptrdiff_t k = 0; k < pages; k++)
    {
      check_page (A, f, k);
      check_apart (f, k);
    }
  OK (g, factor (g, A, pad, &again));
  CHECK (ref_same (f.lu, again.lu) && ref_same (f.piv, again.piv),
         "another factor the second time");
  test_next (g);
}

static void
residual (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t small[]
    = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 17, 31, 67 };
  static const ptrdiff_t other[] = { 0, 1, 3, 4, 6, 9, 33 };
  g->leaf = 4;
  for (int i = 0; i < 13; i++)
    for (int j = 0; j < 7; j++)
      if (!test_quick () || (i + j) % 5 == 0)
        {
          bool pad = (i + j) % 2;
          check (g, type, small[i], other[j], pad ? 3 : 1, pad);
          if (small[i] > other[j])
            check (g, type, other[j], small[i], pad ? 1 : 2, !pad);
        }
  for (int i = 0; i < 13; i++)
    if (!test_quick () || i % 4 == 1)
      check (g, type, small[i], small[i], 1 + i % 3, i % 2);

  g->leaf = 0;
  ptrdiff_t panel = gpu_tune (g, type).panel;
  ptrdiff_t sizes[]
    = { 2, 13, 67, panel - 1, panel, panel + 1, 131, 2 * panel + 3, 300 };
  for (int i = 0; i < 9; i++)
    if (sizes[i] > 0
        && (test_quick () ? sizes[i] < 70 : sizes[i] < 400 || i == 5))
      {
        check (g, type, sizes[i], sizes[i], 1 + i % 3, i % 2);
        check (g, type, sizes[i] + 70, sizes[i], 2, i % 2);
        check (g, type, sizes[i] / 2 + 1, sizes[i] + 5, 1, i % 2);
      }
  /* Tall: many rows for each thread of a panel.  */
  if (!test_quick ())
    {
      check (g, type, 5001, 7, 1, true);
      /* As many rows as each shape of a cluster has, and more.  */
      check (g, type, 3001, 131, 1, false);
      check (g, type, 5001, 70, 1, true);
      check (g, type, 10007, 66, 1, false);
      check (g, type, 20011, 66, 1, true);
      check (g, type, 33013, 66, 1, false);
      check (g, type, 1500, 70, 1, false);
      check (g, type, 70, 1500, 1, true);
    }
}

/* A = L * U with -0.9 below the diagonal of L, whose inverse grows like 1.9^n:
   what is multiplied by that inverse is of no use.  */
static void
growth (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[] = { 60, 131, 200, 300 };
  for (int s = 0; s < (test_quick () ? 2 : 4); s++)
    {
      ptrdiff_t n = sizes[s];
      ref A = ref_new (type, n, n, 1), U = ref_random (type, n, n, 1);
      factors f;
      test_at ("n %td", n);
      for (ptrdiff_t j = 0; j < n; j++)
        {
          cx sum = 0;
          AT (U, j, j, 0) = 2;
          for (ptrdiff_t i = 0; i < n; i++)
            {
              const cx u = i <= j ? AT (U, i, j, 0) : 0;
              AT (A, i, j, 0) = ref_rounded (type, u - 0.9 * sum);
              sum += u;
            }
        }
      OK (g, factor (g, A, false, &f));
      check_page (A, f, 0);
      test_next (g);
    }
}

/* ---- pivots ---- */

/* The largest abs (x) of A.  */
static gpu_status
largest (gpu_ctx *g, gpu_mat A, double *x)
{
  const gpu_operand none = { 0 };
  gpu_mat size, row, most;
  ref R;
  GPU_TRY (gpu_map (g, GPU_ABS, (gpu_operand){ .A = A }, none, &size));
  GPU_TRY (gpu_reduce (g, GPU_MOST, size, 1, &row, NULL));
  GPU_TRY (gpu_reduce (g, GPU_MOST, row, 2, &most, NULL));
  GPU_TRY (dev_get (g, (dev){ most, most }, &R));
  *x = creal (R.x[0]);
  return GPU_OK;
}

/* sqrt (sum (abs (A(:)) .^ 2)) */
static gpu_status
device_norm (gpu_ctx *g, gpu_mat A, double *x)
{
  gpu_mat row, sum;
  ref R;
  GPU_TRY (gpu_reduce (g, GPU_SUMSQ, A, 1, &row, NULL));
  GPU_TRY (gpu_reduce (g, GPU_SUM, row, 2, &sum, NULL));
  GPU_TRY (dev_get (g, (dev){ sum, sum }, &R));
  *x = sqrt (creal (R.x[0]));
  return GPU_OK;
}

/* Of random numbers that never leave the device.  */
static gpu_status
random_matrix (gpu_ctx *g, gpu_type type, ptrdiff_t m, ptrdiff_t n, gpu_mat *A)
{
  gpu_operand re = { 0 }, im = { 0 };
  GPU_TRY (gpu_random (g, true, gpu_real_type (type), m, n, 1, &re.A));
  if (!gpu_is_complex (type))
    {
      *A = re.A;
      return GPU_OK;
    }
  GPU_TRY (gpu_random (g, true, gpu_real_type (type), m, n, 1, &im.A));
  return gpu_map (g, GPU_COMPLEX, re, im, A);
}

/* Blocks of all widths, of more columns than a multiple of them, and columns
   that are too long for shared memory; at their own sizes and in small, where
   blocks are chosen as if it were not.  The product of the factors is the
   device's, too.  */
static void
blocks (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[][3]
    = { { 230, 200, 16 },  { 401, 410, 16 },    { 560, 530, 32 },
        { 700, 691, 16 },  { 1100, 1087, 16 },  { 3100, 3001, 1 },
        { 5200, 5300, 1 }, { 10300, 10300, 1 }, { 30011, 3003, 1 } };
  /* A backend without blocks has only small ones to show.  */
  const bool small = gpu_tune (g, type).lu_ahead == PTRDIFF_MAX;
  for (int i = 0; i < (test_quick () ? 3 : small ? 5 : 9); i++)
    {
      const ptrdiff_t m = sizes[i][0], n = sizes[i][1], k = m < n ? m : n;
      g->enlarged = sizes[i][2];
      gpu_mat A, LU, piv, info, M, U;
      double error = 0, size = 0, multiplier = 0;
      test_at ("%td x %td", m, n);
      OK (g, random_matrix (g, type, m, n, &A));
      OK (g, gpu_new (g, type, m, n, 1, &LU));
      OK (g, gpu_new (g, type, m, k, 1, &M));
      OK (g, gpu_new (g, type, k, n, 1, &U));
      OK (g, gpu_new (g, GPU_INT64, k, 1, 1, &piv));
      OK (g, gpu_new (g, GPU_INT64, 1, 1, 1, &info));
      OK (g, g->be->copy (g, A, LU));
      OK (g, gpu_lu (g, LU, piv, info));
      OK (g, gpu_lu_factors (g, LU, piv, true, M, U));
      OK (g, device_norm (g, A, &size));
      OK (g, gpu_gemm (g, -1, M, U, 1, A));
      OK (g, device_norm (g, A, &error));
      OK (g, largest (g, M, &multiplier));
      error /= size * (double) k * test_eps (type);
      CHECK (error < 0.25, "error %g", error);
      CHECK (multiplier <= (gpu_is_complex (type) ? sqrt (2) : 1)
                             * (1 + 4 * test_eps (type)),
             "a multiplier of %g", multiplier);
      test_next (g);
    }
  g->enlarged = 0;
}

/* Elimination by the book: the first of the largest.  */
static void
by_the_book (ref A, ptrdiff_t k, ref piv)
{
  for (ptrdiff_t j = 0; j < piv.m; j++)
    {
      ptrdiff_t p = j;
      for (ptrdiff_t i = j + 1; i < A.m; i++)
        {
          cx a = AT (A, i, j, k), b = AT (A, p, j, k);
          if (fabs (creal (a)) + fabs (cimag (a))
              > fabs (creal (b)) + fabs (cimag (b)))
            p = i;
        }
      AT (piv, j, 0, k) = (double) (p + 1);
      exchange (A, k, j, p);
      for (ptrdiff_t i = j + 1; i < A.m && AT (A, j, j, k) != 0; i++)
        {
          cx l = AT (A, i, j, k) / AT (A, j, j, k);
          AT (A, i, j, k) = l;
          for (ptrdiff_t c = j + 1; c < A.n; c++)
            AT (A, i, c, k) -= l * AT (A, j, c, k);
        }
    }
}

/* Matrices without rounding errors: the factors and the pivots are those of
   the book, exactly.  */
static void
check_exact (gpu_ctx *g, ref A)
{
  ref B = ref_copy (A),
      piv = ref_new (GPU_INT64, A.m < A.n ? A.m : A.n, 1, A.pages);
  factors f;
  OK (g, factor (g, A, A.m % 2, &f));
  for (ptrdiff_t k = 0; k < A.pages; k++)
    {
      by_the_book (B, k, piv);
      bool same = ref_same (ref_page (piv, k), ref_page (f.piv, k));
      CHECK (same, "page %td: other pivots", k);
      CHECK (ref_same (ref_page (B, k), ref_page (f.lu, k)),
             "page %td: other factors", k);
      check_page (A, f, k);
    }
}

/* L times U, rows shuffled, where L is -1/2, 0 or 1/2 and U small integers
   over a diagonal of 1, 2 and 4.  */
static ref
dyadic (gpu_type type, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages)
{
  ref A = ref_new (type, m, n, pages);
  ptrdiff_t p = m < n ? m : n;
  for (ptrdiff_t k = 0; k < pages; k++)
    {
      ref L = ref_new (type, m, p, 1), U = ref_new (type, p, n, 1);
      for (ptrdiff_t j = 0; j < p; j++)
        for (ptrdiff_t i = j; i < m; i++)
          AT (L, i, j, 0)
            = i == j ? 1 : 0.5 * ((double) (test_bits () % 3) - 1);
      for (ptrdiff_t j = 0; j < n; j++)
        for (ptrdiff_t i = 0; i < p && i <= j; i++)
          {
            double re = (double) (test_bits () % 5) - 2;
            double im = (double) (test_bits () % 5) - 2;
            double d = (double) (1 << test_bits () % 3);
            bool turn = gpu_is_complex (type) && test_bits () >> 63;
            AT (U, i, j, 0) = i == j ? (turn ? CMPLX (0, d) : d)
                              : gpu_is_complex (type) ? CMPLX (re, im)
                                                      : re;
          }
      for (ptrdiff_t j = 0; j < n; j++)
        for (ptrdiff_t i = 0; i < m; i++)
          for (ptrdiff_t q = 0; q < p; q++)
            AT (A, i, j, k) += AT (L, i, q, 0) * AT (U, q, j, 0);
      for (ptrdiff_t i = m - 1; i > 0; i--)
        exchange (A, k, i, (ptrdiff_t) (test_bits () % (uint64_t) (i + 1)));
    }
  return A;
}

static void
pivots (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t shapes[][2]
    = { { 5, 5 },   { 16, 16 }, { 33, 33 }, { 64, 64 }, { 100, 100 },
        { 61, 20 }, { 20, 61 }, { 7, 40 },  { 200, 3 }, { 129, 129 } };
  for (int leaf = 0; leaf < 2; leaf++)
    {
      g->leaf = leaf ? 4 : 0;
      for (int i = 0; i < (test_quick () ? 4 : 10); i++)
        {
          ptrdiff_t m = shapes[i][0], n = shapes[i][1];
          test_at ("dyadic %td x %td, leaf %td", m, n, g->leaf);
          check_exact (g, dyadic (type, m, n, 3));
          test_next (g);
        }
      for (ptrdiff_t n = 1; n <= (test_quick () ? 16 : 64); n *= 2)
        {
          ref A = ref_new (type, n, n, 4);
          test_fill (A, 0, HADAMARD);
          test_fill (A, 1, PERMUTATION);
          test_fill (A, 2, IDENTITY);
          test_fill (A, 3, ZEROS);
          test_at ("ties, n %td, leaf %td", n, g->leaf);
          check_exact (g, A);
          test_next (g);
        }
    }
}

/* ---- info ---- */

/* Zero columns: the first is noted, and all others are eliminated.  */
static void
info (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t small[] = { 1, 2, 5, 11, 19, 67 };
  for (int leaf = 0; leaf < 2; leaf++)
    for (int i = 0; i < 6; i++)
      {
        ptrdiff_t n = small[i];
        ref A = ref_random (type, n, n, 5);
        factors f;
        g->leaf = leaf ? 4 : 0;
        test_at ("n %td, leaf %td", n, g->leaf);
        ptrdiff_t zero[] = { 0, n / 2, n - 1, n / 3 };
        for (ptrdiff_t k = 0; k < 4; k++)
          for (ptrdiff_t r = 0; r < n; r++)
            {
              AT (A, r, zero[k], k) = 0;
              /* And a later one on page 3.  */
              if (k == 3)
                AT (A, r, n - 1, k) = 0;
            }
        OK (g, factor (g, A, true, &f));
        for (ptrdiff_t k = 0; k < 5; k++)
          {
            ptrdiff_t right = k < 4 ? zero[k] + 1 : 0;
            CHECK (creal (AT (f.info, 0, 0, k)) == (double) right,
                   "page %td: info is %g, should be %td", k,
                   creal (AT (f.info, 0, 0, k)), right);
            check_page (A, f, k);
          }
        test_next (g);
      }
}

/* A pivot found earlier stays, and the place of the panel counts.  */
static void
sticky (gpu_ctx *g, gpu_type type)
{
  ref A = ref_random (type, 6, 3, 3), bad = ref_new (GPU_INT64, 1, 1, 3);
  dev D, info, piv;
  for (ptrdiff_t k = 0; k < 2; k++)
    for (ptrdiff_t i = 0; i < 6; i++)
      AT (A, i, 1, k) = 0;
  AT (bad, 0, 0, 0) = 5;
  OK (g, dev_put (g, A, GPU_N, true, &D));
  OK (g, dev_put (g, bad, GPU_N, false, &info));
  OK (g, dev_put (g, ref_new (GPU_INT64, 3, 1, 3), GPU_N, true, &piv));
  OK (g, g->be->lu_panel (g, D.view, piv.view, info.view, 100));
  OK (g, dev_get (g, info, &bad));
  CHECK (bad.x[0] == 5, "the first failure was overwritten");
  CHECK (bad.x[1] == 102, "info is %g, should be 102", creal (bad.x[1]));
  CHECK (bad.x[2] == 0, "a good page failed");
  factors f;
  OK (g, dev_get (g, D, &f.lu));
  OK (g, dev_get (g, piv, &f.piv));
  for (size_t i = 0; i < 9; i++)
    f.piv.x[i] -= 100;
  f.info = ref_new (GPU_INT64, 1, 1, 3);
  f.info.x[0] = f.info.x[1] = 2;
  for (ptrdiff_t k = 0; k < 3; k++)
    check_page (A, f, k);
}

/* Denormal pivots divide; a NaN ends in a NaN, and the call returns.  */
static void
special (gpu_ctx *g, gpu_type type)
{
  double tiny = test_eps (type) > 1e-10 ? 1e-42 : 1e-310;
  static const ptrdiff_t small[] = { 2, 3, 11, 40 };
  for (int leaf = 0; leaf < 2; leaf++)
    for (int i = 0; i < 4; i++)
      {
        ptrdiff_t n = small[i];
        ref A = ref_random (type, n, n, 3);
        factors f;
        g->leaf = leaf ? 4 : 0;
        test_at ("n %td, leaf %td", n, g->leaf);
        for (ptrdiff_t r = 0; r < n; r++)
          for (ptrdiff_t c = 0; c < n; c++)
            AT (A, r, c, 0)
              = ref_rounded (type, c == r || r == n - 1 ? tiny : 0);
        AT (A, n / 2, n / 3, 1) = NAN;
        OK (g, factor (g, A, true, &f));
        check_page (A, f, 0);
        check_page (A, f, 2);
        CHECK (is_nan (AT (f.lu, n - 1, n - 1, 1)), "the NaN was lost");
        test_next (g);
      }
}

/* ---- the exchange of rows ---- */

static void
swaps (gpu_ctx *g, gpu_type type)
{
  static const gpu_op ops[] = { GPU_N, GPU_T, GPU_C };
  static const ptrdiff_t shapes[][3]
    = { { 1, 1, 1 },   { 5, 3, 5 },      { 40, 33, 7 }, { 70, 1, 70 },
        { 3, 200, 2 }, { 300, 65, 130 }, { 4, 0, 2 },   { 4, 4, 0 } };
  for (int i = 0; i < 8; i++)
    for (int v = 0; v < 12; v++)
      {
        ptrdiff_t m = shapes[i][0], n = shapes[i][1], count = shapes[i][2];
        bool backward = v % 2, pad = v / 6;
        ref A = ref_random (type, m, n, 3), B = ref_copy (A);
        ref piv = ref_new (GPU_INT64, count, 1, 3);
        dev D, P;
        test_at ("%td x %td, %td rows, op %d%s", m, n, count,
                 (int) ops[v / 2 % 3], backward ? ", backward" : "");
        for (ptrdiff_t k = 0; k < 3; k++)
          for (ptrdiff_t q = 0; q < count; q++)
            {
              ptrdiff_t j = backward ? count - 1 - q : q;
              ptrdiff_t p
                = j + (ptrdiff_t) (test_bits () % (uint64_t) (m - j));
              AT (piv, j, 0, k) = (double) (p + 1 + 1000);
              exchange (B, k, j, p);
            }
        OK (g, dev_put (g, A, ops[v / 2 % 3], pad, &D));
        OK (g, dev_put (g, piv, GPU_N, pad, &P));
        OK (g, g->be->swap_rows (g, P.view, 1000, backward, D.view));
        OK (g, dev_get (g, D, &A));
        CHECK (ref_same (A, B), "other rows");
        test_next (g);
      }
}

/* ---- the primitives of inverses ---- */

static ref
numbers (gpu_ctx *g, gpu_mat x)
{
  ref X = ref_new (x.type, 1, 1, x.pages);
  CHECK (dev_get (g, (dev){ x, x }, &X) == GPU_OK, "%s", g->message);
  return X;
}

static const gpu_op views[] = { GPU_N, GPU_T, GPU_C };
static const ptrdiff_t rectangles[][2]
  = { { 1, 1 },   { 3, 5 },     { 31, 33 }, { 64, 64 }, { 200, 7 },
      { 7, 200 }, { 129, 130 }, { 0, 3 },   { 3, 0 } };

static void
norms (gpu_ctx *g, gpu_type type)
{
  for (int i = 0; i < 9; i++)
    for (int v = 0; v < 3; v++)
      {
        ref A = ref_random (type, rectangles[i][0], rectangles[i][1], 4);
        gpu_mat r;
        dev D;
        test_at ("%td x %td, op %d", A.m, A.n, (int) views[v]);
        if (A.m > 0 && A.n > 0)
          {
            AT (A, A.m / 2, A.n - 1, 1) = NAN;
            AT (A, 0, A.n / 2, 2) = -INFINITY;
            /* Squares that overflow.  */
            AT (A, A.m - 1, 0, 3) = ldexp (1, test_scale (type));
          }
        OK (g, dev_put (g, A, views[v], i % 2, &D));
        OK (g, gpu_new (g, gpu_real_type (type), 1, 1, 4, &r));
        OK (g, g->be->norm1 (g, D.view, r));
        ref norm = numbers (g, r);
        for (ptrdiff_t k = 0; k < 4; k++)
          {
            double x = creal (norm.x[k]), right = test_norm1 (A, k);
            CHECK (isnan (right) ? isnan (x)
                   : isinf (right)
                     ? x == right
                     : fabs (x - right)
                         <= (double) (A.m + 4) * test_eps (type) * right,
                   "page %td: norm %g, should be %g", k, x, right);
          }
        test_next (g);
      }
}

static void
structure (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[] = { 1, 2, 5, 33, 64, 130 };
  enum
  {
    PAGES = 10
  };
  for (int i = 0; i < 6; i++)
    for (int v = 0; v < 3; v++)
      {
        ptrdiff_t n = sizes[i];
        ref A = ref_random (type, n, n, PAGES), H = ref_definite (type, n, 1);
        gpu_mat flags;
        dev D;
        test_at ("n %td, op %d", n, (int) views[v]);
        /* Pages: any, upper, lower, diagonal, Hermitian, Hermitian with a
           diagonal that is not positive, complex, or not the same on both
           sides in one corner, NaN, upper but for one corner.  */
        for (ptrdiff_t k = 0; k < PAGES; k++)
          for (ptrdiff_t c = 0; c < n; c++)
            for (ptrdiff_t r = 0; r < n; r++)
              {
                cx *a = &AT (A, r, c, k);
                if (k >= 4 && k <= 8)
                  *a = AT (H, r, c, 0);
                if (((k == 1 || k == 9) && r > c) || (k == 2 && r < c)
                    || (k == 3 && r != c))
                  *a = 0;
                if (k < 4 && r == c && *a == 0)
                  *a = 1;
              }
        AT (A, n - 1, n - 1, 5) *= -1;
        AT (A, n / 2, n / 2, 6) += gpu_is_complex (type) ? CMPLX (0, 1) : 0;
        AT (A, n - 1, 0, 7) = CMPLX (-2, 0);
        AT (A, n / 2, n / 2, 8) = NAN;
        AT (A, n - 1, 0, 9) = 1;
        OK (g, dev_put (g, A, views[v], i % 2, &D));
        OK (g, gpu_new (g, GPU_INT64, 1, 1, PAGES, &flags));
        OK (g, g->be->structure (g, D.view, flags));
        ref is = numbers (g, flags);
        for (ptrdiff_t k = 0; k < PAGES; k++)
          {
            int right = GPU_IS_UPPER | GPU_IS_LOWER | GPU_IS_HERMITIAN;
            for (ptrdiff_t c = 0; c < n; c++)
              for (ptrdiff_t r = 0; r < n; r++)
                {
                  cx a = AT (A, r, c, k);
                  if (r > c && a != 0)
                    right &= ~GPU_IS_UPPER;
                  if (r < c && a != 0)
                    right &= ~GPU_IS_LOWER;
                  if (a != conj (AT (A, c, r, k))
                      || (r == c && !(creal (a) > 0)))
                    right &= ~GPU_IS_HERMITIAN;
                }
            CHECK ((int) creal (is.x[k]) == right,
                   "page %td: %d, should be %d", k, (int) creal (is.x[k]),
                   right);
          }
        test_next (g);
      }
}

static void
eye_and_mirror (gpu_ctx *g, gpu_type type)
{
  for (int i = 0; i < 9; i++)
    for (int v = 0; v < 6; v++)
      {
        ptrdiff_t m = rectangles[i][0], n = rectangles[i][1];
        ref A = ref_random (type, m, n, 3), B = ref_new (type, m, n, 3);
        dev D;
        test_at ("%td x %td, op %d", m, n, (int) views[v % 3]);
        for (ptrdiff_t k = 0; k < 3; k++)
          for (ptrdiff_t j = 0; j < m && j < n; j++)
            AT (B, j, j, k) = 1;
        OK (g, dev_put (g, A, views[v % 3], v / 3, &D));
        OK (g, g->be->eye (g, D.view));
        OK (g, dev_get (g, D, &A));
        CHECK (ref_same (A, B), "eye");
        test_next (g);

        A = ref_random (type, n, n, 3);
        B = ref_copy (A);
        for (ptrdiff_t k = 0; k < 3; k++)
          for (ptrdiff_t c = 0; c < n; c++)
            for (ptrdiff_t r = c; r < n; r++)
              {
                cx a = AT (A, c, r, k);
                AT (B, r, c, k) = r == c ? creal (a) : conj (a);
                if (r > c)
                  AT (A, r, c, k) = NAN;
              }
        OK (g, dev_put (g, A, views[v % 3], v / 3, &D));
        OK (g, g->be->mirror (g, D.view));
        OK (g, dev_get (g, D, &A));
        CHECK (ref_same (A, B), "mirror");
        test_next (g);
      }
}

/* rcond and the Inf of singular pages.  */
static void
finish (gpu_ctx *g, gpu_type type)
{
  /* A NaN counts as singular unless it was in A.  */
  const double a[] = { 2, 2, 3, 0, 4, 1, 3, NAN };
  const double x[] = { 4, 4, INFINITY, INFINITY, 0.25, NAN, 1, NAN };
  const double info[] = { 0, 7, 0, 1, 0, 0, 0, 0 };
  const double right[] = { 0.125, 0, 0, 0, 1, 0, 1. / 3, NAN };
  for (int v = 0; v < 6; v++)
    {
      ref X = ref_random (type, 37, 37, 8), Y;
      gpu_type real = gpu_real_type (type);
      ref an = ref_new (real, 1, 1, 8), r = ref_new (real, 1, 1, 8);
      ref bad = ref_new (GPU_INT64, 1, 1, 8);
      dev DX, da, dr, di;
      test_at ("op %d", (int) views[v % 3]);
      for (int k = 0; k < 8; k++)
        {
          an.x[k] = a[k];
          r.x[k] = x[k];
          bad.x[k] = info[k];
        }
      OK (g, dev_put (g, X, views[v % 3], v / 3, &DX));
      OK (g, dev_put (g, an, GPU_N, false, &da));
      OK (g, dev_put (g, r, GPU_N, false, &dr));
      OK (g, dev_put (g, bad, GPU_N, false, &di));
      OK (g, g->be->finish_inv (g, da.view, di.view, DX.view, dr.view));
      OK (g, dev_get (g, DX, &Y));
      OK (g, dev_get (g, dr, &r));
      for (ptrdiff_t k = 0; k < 8; k++)
        {
          bool same = true;
          for (ptrdiff_t i = 0; i < 37 * 37; i++)
            same &= ref_page (Y, k).x[i]
                    == (right[k] == 0 ? INFINITY : ref_page (X, k).x[i]);
          CHECK (same, "page %td: X is wrong", k);
          CHECK (isnan (right[k])
                   ? isnan (creal (r.x[k]))
                   : fabs (creal (r.x[k]) - right[k]) <= 4 * test_eps (type),
                 "page %td: rcond %g, should be %g", k, creal (r.x[k]),
                 right[k]);
        }
      test_next (g);
    }
}

static void
transposed (gpu_ctx *g, gpu_type type)
{
  gpu_mat A, piv, info;
  OK (g, gpu_new (g, type, 3, 3, 1, &A));
  OK (g, gpu_new (g, GPU_INT64, 3, 1, 1, &piv));
  OK (g, gpu_new (g, GPU_INT64, 1, 1, 1, &info));
  CHECK (gpu_lu (g, gpu_adjoint (A), piv, info) == GPU_ENOTSUP, "accepted");
  CHECK (strstr (g->message, "transposed"), "message \"%s\"", g->message);
}

int
main (void)
{
  static const test_entry entries[] = {
    { "residual", residual, true },
    { "growth", growth, true },
    { "blocks", blocks, true },
    { "pivots", pivots, true },
    { "info", info, true },
    { "sticky", sticky, true },
    { "special", special, true },
    { "swaps", swaps, true },
    { "norms", norms, true },
    { "structure", structure, true },
    { "eye_and_mirror", eye_and_mirror, true },
    { "finish", finish, true },
    { "transposed", transposed, false },
  };
  return test_main ("test_lu", entries, sizeof entries / sizeof *entries);
}
