/* test_det.c: d = det (A) and log (abs (det (A))) with its sign: both of every
   matrix, against elimination in long double.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gallery.h"

/* The determinants, logarithms and signs of all pages.  */
typedef struct
{
  ref d, log, sign;
} result;

static gpu_status
determinant (gpu_ctx *g, ref A, gpu_op op, bool pad, result *r)
{
  ref old;
  gpu_mat d, l, s, none = { 0 };
  gpu_type type = A.type;
  dev D;
  GPU_TRY (dev_put (g, A, op, pad, &D));
  GPU_TRY (gpu_new (g, type, 1, 1, A.pages, &d));
  GPU_TRY (gpu_new (g, gpu_real_type (type), 1, 1, A.pages, &l));
  GPU_TRY (gpu_new (g, type, 1, 1, A.pages, &s));
  ptrdiff_t live = g->live;
  GPU_TRY (gpu_det (g, D.view, d, none));
  GPU_TRY (gpu_det (g, D.view, l, s));
  CHECK (g->live == live, "the call left its workspace");
  GPU_TRY (dev_get (g, (dev){ d, d }, &r->d));
  GPU_TRY (dev_get (g, (dev){ l, l }, &r->log));
  GPU_TRY (dev_get (g, (dev){ s, s }, &r->sign));
  GPU_TRY (dev_get (g, D, &old));
  for (size_t i = 0; i < ref_count (A); i++)
    if (old.x[i] != A.x[i] && !(is_nan (old.x[i]) && is_nan (A.x[i])))
      return gpu_fail (g, GPU_EARG, "A was changed");
  return GPU_OK;
}

/* The determinant that LOG and SIGN say, rounded to TYPE, within ERROR.  */
static void
check_same (gpu_type type, cx d, long double log_det, lcx sign, double error,
            ptrdiff_t k)
{
  bool single = test_eps (type) > 1e-10;
  double high = single ? FLT_MAX : DBL_MAX, low = single ? FLT_MIN : DBL_MIN;
  double size = cabs (d);
  error += 4 * test_eps (type);
  if (log_det < logl (low) - 0.1 - error)
    CHECK (size <= low, "page %td: det %g, log %Lg", k, size, log_det);
  else if (log_det > logl (high) + 0.4 + error)
    CHECK (!(size <= high), "page %td: det %g, log %Lg", k, size, log_det);
  else if (log_det < logl (high) - 0.4 - error
           && log_det > logl (low) + 0.1 + error)
    {
      error
        += (double) fabsl (log_det) * (test_eps (type) + 2 * test_long_eps ());
      /* Near 1, where nothing is lost.  */
      int e = (int) lrintl (log_det / logl (2));
      long double length = expl (log_det - e * logl (2));
      cx near = CMPLX (ldexp (creal (d), -e), ldexp (cimag (d), -e));
      double miss = (double) (cabsl (near - length * sign) / length);
      CHECK (miss <= error, "page %td: det %g%+gi is wrong by %g, not %g", k,
             creal (d), cimag (d), miss, error);
    }
}

/* Page k against the truth.  Eliminating commits an error E of about
   eps * norm (A), and log (det (A + E)) is wrong by trace (inv (A) * E).  */
static void
check_page (ref A, result r, ptrdiff_t k, double growth)
{
  double eps = test_eps (A.type), log_det = creal (AT (r.log, 0, 0, k));
  lcx sign = AT (r.sign, 0, 0, k);
  /* The pair says what det says, whatever that is.  */
  if (sign != 0)
    check_same (A.type, AT (r.d, 0, 0, k), log_det, sign, eps, k);
  else
    CHECK (AT (r.d, 0, 0, k) == 0 && log_det == -INFINITY,
           "page %td: sign 0, det %g, log %g", k, creal (AT (r.d, 0, 0, k)),
           log_det);
  if (A.n > 40 && (test_quick () || (A.n > 200 && k % 16 != 0)))
    return; /* the truth takes long */

  test_truth t = test_eliminate (A, k);
  double error = 4 * (eps + test_long_eps ()) * growth * t.frobenius
                 + (double) (A.n * fabsl (t.log_det)) * test_long_eps ();
  if (t.singular)
    error = 1;
  if (error < 0.5)
    {
      double miss = (double) fabsl (log_det - t.log_det);
      CHECK (miss <= error + 2 * eps * (double) fabsl (t.log_det),
             "page %td: log %g is wrong by %g, not %g", k, log_det, miss,
             error);
      CHECK (cabsl (sign - t.sign) <= error + (double) A.n * eps,
             "page %td: sign %g%+gi, should be %g%+gi", k,
             (double) creall (sign), (double) cimagl (sign),
             (double) creall (t.sign), (double) cimagl (t.sign));
      check_same (A.type, AT (r.d, 0, 0, k), t.log_det, t.sign, error, k);
    }
  else if (sign != 0)
    {
      /* Singular to working precision: hardly more than the truth, or far
         below what its rows allow.  */
      long double most = 0;
      for (ptrdiff_t i = 0; i < A.n; i++)
        {
          long double row = 0;
          for (ptrdiff_t j = 0; j < A.n; j++)
            row += cabsl (AT (A, i, j, k));
          most += logl (row);
        }
      most += log ((double) A.n * eps * growth);
      CHECK (log_det <= fmaxl (most, t.log_det + log (9 + 9 * error)),
             "page %td: log %g, but A is singular", k, log_det);
    }
}

static void
random_pages (gpu_ctx *g, gpu_type type, ptrdiff_t n, ptrdiff_t pages,
              gpu_op op, bool pad)
{
  ref A = ref_random (type, n, n, pages);
  result r;
  test_at ("n %td, %td pages, op %d%s, leaf %td", n, pages, (int) op,
           pad ? ", inside" : "", g->leaf);
  OK (g, determinant (g, A, op, pad, &r));
  for (ptrdiff_t k = 0; k < pages; k++)
    if (n <= 24 || k % 12 == 0)
      check_page (A, r, k, 1);
  test_next (g);
}

static const gpu_op ops[] = { GPU_N, GPU_C, GPU_T };

static void
sizes (gpu_ctx *g, gpu_type type)
{
  ptrdiff_t n;
  for (int i = 0; (n = test_size (i)); i++)
    {
      ptrdiff_t pages = test_quick () ? 2 : n <= 65 ? 37 : 2;
      random_pages (g, type, n, n < 300 ? pages : 1, GPU_N, false);
      if (n <= 65)
        random_pages (g, type, n, 1 + i % 2, ops[i % 3], true);
    }
  static const ptrdiff_t small[] = { 1, 3, 4, 5, 7, 8, 9, 13, 20, 31, 67 };
  g->leaf = 4;
  for (int i = 0; i < 11; i++)
    for (int v = 0; v < (test_quick () ? 1 : 3); v++)
      random_pages (g, type, small[i], 1 + v, ops[(i + v) % 3], v > 0);
}

/* So many pages that larger ones than else go by the kernels of pages.  */
static void
crowds (gpu_ctx *g, gpu_type type)
{
  if (!test_quick ())
    random_pages (g, type, 257 + 60 * (ptrdiff_t) type, 67, GPU_N, false);
}

static void
gallery (gpu_ctx *g, gpu_type type, ptrdiff_t n)
{
  ptrdiff_t pages = test_gallery_pages (n);
  ref A = ref_new (type, n, n, pages);
  result r;
  for (ptrdiff_t k = 0; k < pages; k++)
    test_fill (A, k, (test_kind) ((k * 7 + n) % KINDS));
  test_at ("n %td, leaf %td", n, g->leaf);
  OK (g, determinant (g, A, GPU_N, false, &r));
  for (ptrdiff_t k = 0; k < pages; k++)
    {
      test_kind kind = (test_kind) ((k * 7 + n) % KINDS);
      cx d = AT (r.d, 0, 0, k), sign = AT (r.sign, 0, 0, k);
      double log_det = creal (AT (r.log, 0, 0, k));
      char at[sizeof test.what];
      snprintf (at, sizeof at, "n %td, leaf %td, kind %d", n, g->leaf,
                (int) kind);
      test_at ("%s", at);
      switch (kind)
        {
        case WITH_NAN:
          CHECK (is_nan (d) && isnan (log_det) && is_nan (sign),
                 "page %td: det %g, log %g, sign %g", k, creal (d), log_det,
                 creal (sign));
          break;
        case WITH_INF:
          CHECK (!isfinite (creal (d)) || !isfinite (cimag (d)),
                 "page %td: det %g", k, creal (d));
          break;
        case ZEROS:
        case ZERO_COLUMN:
          CHECK (d == 0 && sign == 0 && log_det == -INFINITY,
                 "page %td: det %g, log %g", k, creal (d), log_det);
          break;
        case IDENTITY:
        case PERMUTATION:
          CHECK (sign == (cx) test_eliminate (A, k).sign && d == sign
                   && log_det == 0,
                 "page %td: det %g, log %g", k, creal (d), log_det);
          break;
        case WILKINSON:
          check_page (A, r, k, ldexp (1, (int) n - 1));
          break;
        default:
          check_page (A, r, k, 1);
        }
    }
  test_next (g);
}

static void
galleries (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t small[] = { 5, 8, 13, 20, 33 };
  ptrdiff_t n;
  for (int i = 0; (n = test_size (i)); i++)
    if (n <= 34 || n == 40 || n == 64 || n == 100 || n == 128 || n == 150)
      gallery (g, type, n);
  g->leaf = 4;
  for (int i = 0; i < (test_quick () ? 1 : 5); i++)
    gallery (g, type, small[i]);
}

/* Triangular matrices whose diagonal goes up and down by powers of 2, so that
   partial products would overflow, and the determinant is exactly 1 or -1 (i
   or -i).  */
static void
triangular (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t small[] = { 2, 4, 6, 10, 14, 20, 32, 64, 128, 130 };
  int e = test_scale (type);
  for (int i = 0; i < 10; i++)
    for (int leaf = 0; leaf < 2; leaf++)
      {
        ptrdiff_t n = small[i];
        ref A = ref_new (type, n, n, 4);
        result r;
        g->leaf = leaf ? 4 : 0;
        test_at ("n %td, leaf %td", n, g->leaf);
        /* Pages: upper, lower; down and up; up and down in turn.  */
        for (ptrdiff_t k = 0; k < 4; k++)
          for (ptrdiff_t j = 0; j < n; j++)
            {
              bool up = k < 2 ? j < n / 2 : j % 2;
              AT (A, j, j, k) = ldexp (1, up ? e : -e);
              for (ptrdiff_t q = 0; q < n; q++)
                if (k % 2 ? q > j : q < j)
                  AT (A, q, j, k) = ldexp ((double) (q % 3) - 1, -e - 4);
              if (j == n / 2)
                AT (A, j, j, k) *= gpu_is_complex (type) ? CMPLX (0, 1) : -1;
            }
        OK (g, determinant (g, A, GPU_N, false, &r));
        cx truth = gpu_is_complex (type) ? CMPLX (0, 1) : -1;
        for (ptrdiff_t k = 0; k < 4; k++)
          CHECK (AT (r.d, 0, 0, k) == truth && AT (r.sign, 0, 0, k) == truth
                   && AT (r.log, 0, 0, k) == 0,
                 "page %td: det %g%+gi, log %g", k, creal (AT (r.d, 0, 0, k)),
                 cimag (AT (r.d, 0, 0, k)), creal (AT (r.log, 0, 0, k)));
        test_next (g);
      }
}

/* What users of other packages reported; the right values are known.  */
static void
known (gpu_ctx *g, gpu_type type)
{
  bool single = test_eps (type) > 1e-10;
  double tiny = single ? 1e-40 : 1e-310;
  const double matrices[][9] = {
    { 4, 9, 2, 3, 5, 7, 8, 1, 6 },              /* magic (3) */
    { 1, 2, 3, 2, 5, 6, 3, 6, 9 },              /* singular */
    { tiny, 0, 0, tiny, 0, 0, 0, 0, 1 },        /* zero row */
    { tiny, tiny / 2, 0, 0, tiny, 0, 0, 0, 1 }, /* underflows to 0 */
    { 0.8909, 0.8909, 0.8909, 0.8909, 0.8909, 0.8909, 0.8909, 0.8909, 0.8909 },
    { 0, 1, 0, 1, 0, 0, 0, 0, tiny },
    { 2.5, 0, 0, 0, 0, 1, 0, 1, 0 },
  };
  const double truth[] = { 360, 0, 0, 0, 0, -tiny, -2.5 };
  /* Alone, and in so many copies that they go another way elsewhere.  */
  for (ptrdiff_t copies = 1; copies < 12; copies += 9)
    {
      ref A = ref_new (type, 3, 3, 7 * copies);
      result r;
      for (ptrdiff_t k = 0; k < A.pages; k++)
        for (int i = 0; i < 9; i++)
          A.x[9 * k + i] = ref_rounded (type, matrices[k % 7][i]);
      OK (g, determinant (g, A, GPU_N, false, &r));
      for (ptrdiff_t k = 0; k < A.pages; k++)
        {
          cx d = r.d.x[k];
          double right = creal (ref_rounded (type, truth[k % 7]));
          double room = k % 7 == 0   ? 360
                        : k % 7 == 1 ? 14 * 65 * 126
                        : k % 7 == 4 ? 3 * 27
                                     : 0;
          CHECK (cabs (d - right) <= room * test_eps (type),
                 "matrix %td: det %g, should be %g", k % 7, creal (d), right);
        }
      /* log (det) of matrix 3 does not underflow.  */
      double right = 2 * log (creal (ref_rounded (type, tiny)));
      CHECK (fabs (creal (r.log.x[3]) - right) <= 1e3 * test_eps (type),
             "log %g, should be %g", creal (r.log.x[3]), right);
      test_next (g);
    }
}

static void
one_by_one (gpu_ctx *g, gpu_type type)
{
  const double a[]
    = { 4, -0.3, 0, INFINITY, -INFINITY, NAN, ldexp (1, -test_scale (type)) };
  const double sign[] = { 1, -1, 0, NAN, NAN, NAN, 1 };
  ref A = ref_new (type, 1, 1, 8);
  result r;
  for (int i = 0; i < 7; i++)
    A.x[i] = ref_rounded (type, a[i]);
  A.x[7] = gpu_is_complex (type) ? CMPLX (3, -4) : 5;
  OK (g, determinant (g, A, GPU_N, false, &r));
  for (int i = 0; i < 7; i++)
    {
      double d = creal (r.d.x[i]), s = creal (r.sign.x[i]);
      double l = creal (r.log.x[i]), right = log (fabs (creal (A.x[i])));
      CHECK (isnan (a[i]) ? isnan (d) : d == creal (A.x[i]), "det (%g) is %g",
             a[i], d);
      CHECK (isnan (sign[i]) ? isnan (s) : s == sign[i],
             "det (%g) has sign %g", a[i], s);
      CHECK (isnan (a[i])
               ? isnan (l)
               : l == right || fabs (l - right) <= 1e3 * test_eps (type),
             "log (abs (det (%g))) is %g", a[i], l);
    }
  CHECK (r.d.x[7] == A.x[7] && cabs (r.sign.x[7] - A.x[7] / 5) <= 1e-6
           && fabs (creal (r.log.x[7]) - log (5)) <= 1e-6,
         "det (3 - 4i) is %g%+gi", creal (r.d.x[7]), cimag (r.d.x[7]));
}

static void
empty (gpu_ctx *g, gpu_type type)
{
  for (int pad = 0; pad < 2; pad++)
    {
      result r;
      OK (g, determinant (g, ref_new (type, 0, 0, 3), GPU_N, pad, &r));
      for (int k = 0; k < 3; k++)
        CHECK (r.d.x[k] == 1 && r.log.x[k] == 0 && r.sign.x[k] == 1,
               "det ([]) is %g", creal (r.d.x[k]));
      OK (g, determinant (g, ref_new (type, 3, 3, 0), GPU_N, pad, &r));
      OK (g, determinant (g, ref_new (type, 300, 300, 0), GPU_N, pad, &r));
    }
  g->leaf = 4;
  result r;
  OK (g, determinant (g, ref_new (type, 9, 9, 0), GPU_N, false, &r));
}

/* A complex phase that comes round: each sign is the product of the phases of
   a random unitary diagonal and of a permutation.  */
static void
phases (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t small[] = { 2, 3, 7, 11, 17, 30, 63, 129 };
  for (int i = 0; i < (test_quick () ? 6 : 8); i++)
    {
      ptrdiff_t n = small[i], pages = 5;
      ref A = ref_new (type, n, n, pages);
      result r;
      test_at ("n %td", n);
      for (ptrdiff_t k = 0; k < pages; k++)
        {
          test_fill (A, k, PERMUTATION);
          for (ptrdiff_t j = 0; j < n * n; j++)
            {
              double t = M_PI * test_uniform ();
              cx phase = gpu_is_complex (type) ? CMPLX (cos (t), sin (t))
                                               : copysign (1, t);
              cx *a = &A.x[j + k * n * n];
              if (*a != 0)
                *a = ref_rounded (type, phase);
            }
        }
      OK (g, determinant (g, A, GPU_N, false, &r));
      for (ptrdiff_t k = 0; k < pages; k++)
        check_page (A, r, k, 1);
      test_next (g);
    }
}

static void
many (gpu_ctx *g, gpu_type type)
{
  ptrdiff_t pages = 70001;
  ref A = ref_random (type, 2, 2, test_quick () ? 1 : pages);
  result r;
  bool good = true;
  OK (g, determinant (g, A, GPU_N, false, &r));
  for (ptrdiff_t k = 0; k < A.pages; k++)
    {
      const cx *a = &A.x[4 * k];
      double scale = cabs (a[0] * a[3]) + cabs (a[1] * a[2]);
      cx d = a[0] * a[3] - a[1] * a[2];
      good &= cabs (r.d.x[k] - d) <= 9 * test_eps (type) * scale;
    }
  CHECK (good, "a page is wrong");
}

/* The same bits, call after call.  */
static void
repeatable (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t small[] = { 3, 12, 20, 30, 64, 130 };
  for (int i = 0; i < 6; i++)
    {
      ptrdiff_t n = small[i];
      ref A = ref_random (type, n, n, 3);
      char bits[2][48];
      gpu_mat d, none = { 0 };
      dev D;
      int calls = test_quick () ? 2 : 100;
      test_at ("n %td", n);
      OK (g, dev_put (g, A, GPU_N, false, &D));
      OK (g, gpu_new (g, type, 1, 1, 3, &d));
      memset (bits, 0, sizeof bits);
      for (int call = 0; call < calls; call++)
        {
          OK (g, gpu_det (g, D.view, d, none));
          OK (g, g->be->get (g, d, bits[call > 0]));
          if (call
              && !CHECK (!memcmp (bits[0], bits[1], 48),
                         "call %d gives another determinant", call))
            break;
        }
      test_next (g);
    }
}

static void
not_square (gpu_ctx *g, gpu_type type)
{
  gpu_mat A, d, none = { 0 };
  OK (g, gpu_new (g, type, 3, 2, 1, &A));
  OK (g, gpu_new (g, type, 1, 1, 1, &d));
  CHECK (gpu_det (g, A, d, none) == GPU_EARG, "accepted");
  CHECK (strstr (g->message, "square"), "message \"%s\"", g->message);
}

int
main (void)
{
  static const test_entry entries[] = {
    { "sizes", sizes, true },
    { "crowds", crowds, true },
    { "galleries", galleries, true },
    { "triangular", triangular, true },
    { "known", known, true },
    { "one_by_one", one_by_one, true },
    { "empty", empty, true },
    { "phases", phases, true },
    { "many", many, true },
    { "repeatable", repeatable, true },
    { "not_square", not_square, false },
  };
  return test_main ("test_det", entries, sizeof entries / sizeof *entries);
}
