/* test_inv.c: X = inv (A): residuals, rcond, singular pages among good ones.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gallery.h"

typedef struct
{
  gpu_op a, x;
  bool pad, in_place, silent; /* silent: nobody asks for rcond */
} way;

/* X and rcond of A; the storage of A must stay as it was, if X has its own. */
static gpu_status
invert (gpu_ctx *g, ref A, way w, ref *X, ref *rcond)
{
  ref old;
  gpu_mat r = { 0 };
  dev DA, DX;
  GPU_TRY (dev_put (g, A, w.a, w.pad, &DA));
  DX = DA;
  if (!w.in_place)
    {
      ref P = ref_new (A.type, A.n, A.n, A.pages);
      for (size_t i = 0; i < ref_count (P); i++)
        P.x[i] = NAN;
      GPU_TRY (dev_put (g, P, w.x, w.pad, &DX));
    }
  if (!w.silent)
    GPU_TRY (gpu_new (g, gpu_real_type (A.type), 1, 1, A.pages, &r));
  ptrdiff_t live = g->live;
  GPU_TRY (gpu_inv (g, DA.view, DX.view, r));
  CHECK (g->live == live, "the call left its workspace");
  GPU_TRY (dev_get (g, DX, X));
  *rcond = ref_new (gpu_real_type (A.type), 1, 1, A.pages);
  if (!w.silent)
    GPU_TRY (dev_get (g, (dev){ r, r }, rcond));
  if (!w.in_place)
    {
      GPU_TRY (dev_get (g, DA, &old));
      for (size_t i = 0; i < ref_count (A); i++)
        if (old.x[i] != A.x[i] && !(is_nan (old.x[i]) && is_nan (A.x[i])))
          return gpu_fail (g, GPU_EARG, "A was changed");
    }
  return GPU_OK;
}

/* All of the page is Inf.  */
static bool
is_inf (ref X, ptrdiff_t k)
{
  for (ptrdiff_t j = 0; j < X.n; j++)
    for (ptrdiff_t i = 0; i < X.m; i++)
      if (creal (AT (X, i, j, k)) != INFINITY || cimag (AT (X, i, j, k)) != 0)
        return false;
  return true;
}

static bool
is_finite (ref X, ptrdiff_t k)
{
  for (ptrdiff_t j = 0; j < X.n; j++)
    for (ptrdiff_t i = 0; i < X.m; i++)
      if (!isfinite (creal (AT (X, i, j, k)))
          || !isfinite (cimag (AT (X, i, j, k))))
        return false;
  return true;
}

static ref
identity (gpu_type type, ptrdiff_t n)
{
  ref E = ref_new (type, n, n, 1);
  for (ptrdiff_t j = 0; j < n; j++)
    AT (E, j, j, 0) = 1;
  return E;
}

/* A * X = I and X * A = I in units of n * eps * norm (A) * norm (X): BOTH, or
   as elimination promises for any matrix, one of them.  */
static void
check_residual (ref A, ref X, ptrdiff_t k, bool both)
{
  ref E = identity (A.type, A.n);
  ref Ak = ref_copy (ref_page (A, k)), Xk = ref_copy (ref_page (X, k));
  int e = ilogb (test_norm1 (Ak, 0));
  double up = ldexp (1, e), down = ldexp (1, -e);
  /* A power of 2 changes nothing but keeps the squares in range.  */
  for (size_t i = 0; i < ref_count (Ak); i++)
    {
      Ak.x[i] *= down;
      Xk.x[i] *= up;
    }
  double scale = ref_norm (Ak) * ref_norm (Xk);
  double right = test_product_error (Ak, false, Xk, E, 0);
  double left = test_product_error (Xk, false, Ak, E, 0);
  double worst = both ? fmax (left, right) : fmin (left, right);
  double units = test_units (worst, A.n, A.type, scale);
  CHECK (units <= 1 && !isnan (left) && !isnan (right),
         "page %td: residuals %g, %g, scale %g", k, right, left, scale);
}

/* LAPACK on the host estimates rcond, and may find a larger one.  */
static bool
is_estimate (gpu_ctx *g, ptrdiff_t n)
{
  return g->be->host_memory && n <= gpu_tune (g, GPU_DOUBLE).pages;
}

/* Page k, whose elimination lets numbers grow, against what elimination in
   long double says; where that takes long, X stands for itself.  */
static void
check_page (gpu_ctx *g, ref A, ref X, ref rcond, ptrdiff_t k, bool both,
            double growth)
{
  ptrdiff_t n = A.n;
  double unit = (double) n * test_eps (A.type) * growth;
  double r = creal (AT (rcond, 0, 0, k));
  double truth = n <= (test_quick () ? 40 : 100)
                   ? test_eliminate (A, k).rcond
                   : 1 / test_norm1 (A, k) / test_norm1 (X, k);
  double error = truth > 0 ? unit / truth : 1;
  CHECK (r >= 0 && (r == 0) == is_inf (X, k),
         "page %td: rcond %g, but X is %s", k, r,
         is_inf (X, k) ? "Inf" : "not Inf");
  if (error > 0.1)
    CHECK (r <= 10 * fmax (truth, unit), "page %td: rcond %g, should be %g", k,
           r, truth);
  else
    {
      double high = is_estimate (g, n) ? 10 : 1 + error;
      CHECK (r >= truth * (1 - error) && r <= truth * high,
             "page %td: rcond %g, should be %g", k, r, truth);
      check_residual (A, X, k, both);
    }
}

/* Random pages one way.  Few pages are compared with the slow truth.  */
static void
random_pages (gpu_ctx *g, gpu_type type, ptrdiff_t n, ptrdiff_t pages, way w)
{
  ref A = ref_random (type, n, n, pages), X, rcond;
  test_at ("n %td, %td pages, ops %d %d%s%s, leaf %td", n, pages, (int) w.a,
           (int) w.x, w.pad ? ", inside" : "", w.in_place ? ", in place" : "",
           g->leaf);
  OK (g, invert (g, A, w, &X, &rcond));
  for (ptrdiff_t k = 0; k < pages; k++)
    if (!w.silent && (n <= 24 || (n <= 128 && k % 12 == 0) || k == 5))
      check_page (g, A, X, rcond, k, true, 1);
    else
      check_residual (A, X, k, true);
  test_next (g);
}

static const gpu_op ops[] = { GPU_N, GPU_C };

static void
sizes (gpu_ctx *g, gpu_type type)
{
  ptrdiff_t n;
  for (int i = 0; (n = test_size (i)); i++)
    {
      ptrdiff_t pages = test_quick () ? 2 : n <= 65 ? 37 : n <= 200 ? 2 : 1;
      random_pages (g, type, n, pages, (way){ .in_place = i % 2 });
      if (n <= 34 || (i % 3 == 0 && !test_quick ()))
        random_pages (g, type, n, 2,
                      (way){ .a = ops[i % 2],
                             .x = ops[i / 2 % 2],
                             .pad = true,
                             .silent = i % 3 == 0 });
    }
}

/* The recursion, whose leaves and panels are 4.  */
static void
recursion (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t small[] = { 3, 4, 5, 7, 8, 9, 13, 20, 31, 67 };
  g->leaf = 4;
  for (int i = 0; i < 10; i++)
    for (int v = 0; v < 8; v++)
      if (!test_quick () || (i + v) % 5 == 0)
        random_pages (g, type, small[i], 1 + v % 3,
                      (way){ .a = ops[v % 2],
                             .x = ops[v / 2 % 2],
                             .pad = v / 4,
                             .in_place = v % 4 == 3 });
}

/* So many pages that larger ones than else go by the kernels of pages.  */
static void
crowds (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[] = { 256, 257, 300, 512, 513 };
  for (int i = 0; i < (test_quick () ? 0 : type == GPU_DOUBLE ? 5 : 2); i++)
    random_pages (g, type, sizes[i], 67, (way){ .in_place = i % 2 });
}

/* All of the gallery as one batch, in an order of its own for each size, and a
   prime number of pages.  */
static void
gallery (gpu_ctx *g, gpu_type type, ptrdiff_t n, bool in_place)
{
  ptrdiff_t pages = test_gallery_pages (n);
  ref A = ref_new (type, n, n, pages), X, rcond;
  for (ptrdiff_t k = 0; k < pages; k++)
    test_fill (A, k, (test_kind) ((k * 7 + n) % KINDS));
  test_at ("n %td%s, leaf %td", n, in_place ? ", in place" : "", g->leaf);
  OK (g, invert (g, A, (way){ .in_place = in_place }, &X, &rcond));
  for (ptrdiff_t k = 0; k < pages; k++)
    {
      test_kind kind = (test_kind) ((k * 7 + n) % KINDS);
      double r = creal (AT (rcond, 0, 0, k));
      char at[sizeof test.what];
      snprintf (at, sizeof at, "n %td%s, leaf %td, kind %d", n,
                in_place ? ", in place" : "", g->leaf, (int) kind);
      test_at ("%s", at);
      if (kind == WITH_NAN || kind == WITH_INF)
        CHECK (n == 1 || (!(r > 0) && !is_finite (X, k)),
               "page %td: rcond %g, X is finite", k, r);
      else if (kind == ZEROS || kind == ZERO_COLUMN)
        CHECK (r == 0 && is_inf (X, k), "page %td: rcond %g", k, r);
      else if (kind == IDENTITY || kind == PERMUTATION)
        {
          ref Ak = ref_op (ref_page (A, k), GPU_T);
          CHECK (fabs (r - 1) <= 9 * test_eps (type)
                   && ref_same (Ak, ref_page (X, k)),
                 "page %td: rcond %g, or not exactly A'", k, r);
        }
      else
        check_page (g, A, X, rcond, k,
                    kind == RANDOM || kind == LARGE || kind == SMALL,
                    kind == WILKINSON ? ldexp (1, (int) n - 1) : 1);
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
      gallery (g, type, n, i % 2);
  g->leaf = 4;
  for (int i = 0; i < (test_quick () ? 1 : 5); i++)
    gallery (g, type, small[i], i % 2);
}

/* ---- structure ---- */

/* A of the given structure, well conditioned.  */
static ref
structured (gpu_type type, ptrdiff_t n, ptrdiff_t pages, int is, bool definite)
{
  ref A = ref_random (type, n, n, pages);
  if (is & GPU_IS_HERMITIAN)
    A = ref_definite (type, n, pages);
  for (ptrdiff_t k = 0; k < pages; k++)
    for (ptrdiff_t j = 0; j < n; j++)
      if (is & GPU_IS_HERMITIAN)
        {
          /* Indefinite, with a positive diagonal all the same.  */
          if (!definite && k == pages - 1 && j > 0)
            {
              AT (A, j, j - 1, k) = 2;
              AT (A, j - 1, j, k) = 2;
            }
        }
      else
        for (ptrdiff_t i = 0; i < n; i++)
          if (i == j)
            AT (A, i, j, k) = ref_rounded (type, 2 + AT (A, i, j, k));
          else
            AT (A, i, j, k)
              = ref_rounded (type, is & (i < j ? GPU_IS_UPPER : GPU_IS_LOWER)
                                     ? AT (A, i, j, k) / sqrt ((double) n)
                                     : 0);
  return A;
}

static void
structure_of_size (gpu_ctx *g, gpu_type type, ptrdiff_t n, int v)
{
  static const struct
  {
    int is;
    bool definite, singular;
  } kinds[] = {
    { GPU_IS_UPPER, false, false },    { GPU_IS_LOWER, false, false },
    { GPU_IS_UPPER, false, true },     { GPU_IS_LOWER, false, true },
    { GPU_IS_HERMITIAN, true, false }, { GPU_IS_HERMITIAN, false, false },
    { GPU_IS_HERMITIAN, false, true },
  };
  for (int i = 0; i < 7; i++)
    {
      if (test_quick () && n >= 100 && (i + v) % 2)
        continue;
      int is = kinds[i].is;
      ref A = structured (type, n, 2, is, kinds[i].definite), X, rcond;
      way w = { .a = ops[v % 2], .x = ops[v / 2 % 2], .in_place = v % 3 == 0 };
      test_at ("n %td, kind %d, ops %d %d%s, leaf %td", n, i, (int) w.a,
               (int) w.x, w.in_place ? ", in place" : "", g->leaf);
      for (ptrdiff_t q = 0; q < n * n && kinds[i].singular; q++)
        if (is == GPU_IS_HERMITIAN)
          AT (A, q % n, q / n, 1) = 1;
        else if (q == n / 2 * (n + 1))
          AT (A, q % n, q / n, 1) = 0;
      OK (g, invert (g, A, w, &X, &rcond));
      for (ptrdiff_t k = 0; k < 2; k++)
        {
          bool zeros = true, mirrored = true;
          if (k == 1 && kinds[i].singular)
            {
              CHECK (AT (rcond, 0, 0, 1) == 0 && is_inf (X, 1),
                     "singular: rcond %g", creal (AT (rcond, 0, 0, 1)));
              continue;
            }
          check_page (g, A, X, rcond, k, true, 1);
          for (ptrdiff_t q = 0; q < n; q++)
            for (ptrdiff_t r = 0; r < q; r++)
              {
                cx above = AT (X, r, q, k), below = AT (X, q, r, k);
                zeros &= (is == GPU_IS_UPPER ? below : above) == 0;
                mirrored &= above == conj (below);
              }
          CHECK (zeros || is == GPU_IS_HERMITIAN, "page %td: not triangular",
                 k);
          /* By Cholesky factorization; the kernels of small pages eliminate.
           */
          bool factored = g->be->host_memory || n > gpu_tune (g, type).few;
          CHECK (mirrored || !kinds[i].definite || !factored,
                 "page %td: not Hermitian", k);
        }
      test_next (g);
    }
}

static void
structures (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t small[] = { 2, 5, 9, 13, 19, 31 };
  for (int i = 0; i < 6; i++)
    structure_of_size (g, type, small[i], i);
  g->leaf = 4;
  for (int i = 0; i < 6; i++)
    for (int v = 0; v < (test_quick () ? 1 : 6); v++)
      structure_of_size (g, type, small[i], v + i);
  g->leaf = 0;
  structure_of_size (g, type, 150, type);
  if (!test_quick ())
    structure_of_size (g, type, 300, type + 3);
}

/* One page that is not triangular, or not Hermitian, among those that are.  */
static void
mixed (gpu_ctx *g, gpu_type type)
{
  for (int i = 0; i < 3; i++)
    {
      static const int is[] = { GPU_IS_UPPER, GPU_IS_LOWER, GPU_IS_HERMITIAN };
      ref A = structured (type, 13, 3, is[i], true), X, rcond;
      g->leaf = 4;
      test_at ("kind %d", i);
      AT (A, 11, 2, 1) = 0.25;
      AT (A, 2, 11, 2) = -0.25;
      OK (g, invert (g, A, (way){ 0 }, &X, &rcond));
      for (ptrdiff_t k = 0; k < 3; k++)
        check_page (g, A, X, rcond, k, true, 1);
      test_next (g);
    }
}

/* ---- numbers ---- */

static void
one_by_one (gpu_ctx *g, gpu_type type)
{
  double tiny = type == GPU_SINGLE || type == GPU_CSINGLE ? 1e-42 : 1e-310;
  const double a[] = { 4, -0.5, 0, NAN, INFINITY, -INFINITY, tiny };
  const double x[] = { 0.25, -2, INFINITY, NAN, 0, 0, INFINITY };
  const double r[] = { 1, 1, 0, NAN, 0, 0, 0 };
  ref A = ref_new (type, 1, 1, 7), X, rcond;
  for (int i = 0; i < 7; i++)
    A.x[i] = ref_rounded (type, a[i]);
  OK (g, invert (g, A, (way){ 0 }, &X, &rcond));
  for (int i = 0; i < 7; i++)
    {
      double re = creal (X.x[i]), c = creal (rcond.x[i]);
      CHECK (isnan (x[i]) ? is_nan (X.x[i]) : re == x[i], "inv (%g) is %g",
             a[i], re);
      CHECK (isnan (r[i]) ? isnan (c) : c == r[i], "inv (%g) has rcond %g",
             a[i], c);
    }
}

static void
empty (gpu_ctx *g, gpu_type type)
{
  for (int leaf = 0; leaf < 2; leaf++)
    {
      ref A = ref_new (type, 0, 0, 3), X, rcond;
      g->leaf = leaf ? 4 : 0;
      OK (g, invert (g, A, (way){ 0 }, &X, &rcond));
      for (int k = 0; k < 3; k++)
        CHECK (creal (rcond.x[k]) == INFINITY, "rcond is %g",
               creal (rcond.x[k]));
      OK (g, invert (g, ref_new (type, 5, 5, 0), (way){ 0 }, &X, &rcond));
      test_next (g);
    }
}

/* Pivots that are denormal end in Inf, not in NaN.  */
static void
denormal (gpu_ctx *g, gpu_type type)
{
  double tiny = type == GPU_SINGLE || type == GPU_CSINGLE ? 1e-42 : 1e-310;
  static const ptrdiff_t small[] = { 2, 3, 7, 13, 29, 61, 150 };
  for (int i = 0; i < (test_quick () ? 5 : 7); i++)
    {
      ptrdiff_t n = small[i];
      ref A = ref_random (type, n, n, 3), X, rcond;
      test_at ("n %td", n);
      for (ptrdiff_t j = 0; j < n; j++)
        for (ptrdiff_t q = 0; q < n; q++)
          if (j >= n - 2)
            AT (A, q, j, 1) = ref_rounded (type, AT (A, q, j, 1) * tiny);
      OK (g, invert (g, A, (way){ 0 }, &X, &rcond));
      check_page (g, A, X, rcond, 0, true, 1);
      CHECK (creal (rcond.x[1]) == 0 && is_inf (X, 1), "rcond %g",
             creal (rcond.x[1]));
      check_page (g, A, X, rcond, 2, true, 1);
      test_next (g);
    }
}

/* ---- many ---- */

static void
many (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t counts[][2] = { { 2, 70001 }, { 3, 65537 } };
  for (int i = 0; i < (test_quick () ? 0 : type == GPU_DOUBLE ? 2 : 1); i++)
    {
      ptrdiff_t n = counts[i][0], pages = counts[i][1];
      ref A = ref_random (type, n, n, pages), X, rcond;
      bool good = true;
      test_at ("%td pages", pages);
      for (ptrdiff_t k = 0; k < pages; k++)
        for (ptrdiff_t j = 0; j < n; j++)
          AT (A, j, j, k) += AT (A, j, j, k) == 0 ? 2 : 0;
      OK (g, invert (g, A, (way){ 0 }, &X, &rcond));
      /* Element by element, since each page has its own condition.  */
      for (ptrdiff_t k = 0; k < pages; k++)
        {
          double a = test_norm1 (A, k), x = test_norm1 (X, k), worst = 0;
          double r = creal (rcond.x[k]);
          for (ptrdiff_t q = 0; q < n * n; q++)
            {
              cx sum = q % n == q / n ? -1 : 0;
              for (ptrdiff_t j = 0; j < n; j++)
                sum += AT (A, q % n, j, k) * AT (X, j, q / n, k);
              worst = fmax (worst, cabs (sum));
            }
          good &= r == 0 || worst <= 20 * test_eps (type) * a * x;
          good &= r == 0 ? is_inf (X, k) : r * a * x > 0.5 && r * a * x < 20;
        }
      CHECK (good, "a page is wrong");
      test_next (g);
    }
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
      size_t bytes = ref_count (A) * gpu_type_size (type);
      char *first = test_alloc (bytes), *next = test_alloc (bytes);
      char rcond[2][48];
      dev D;
      gpu_mat X, r;
      int calls = test_quick () ? 2 : 100;
      test_at ("n %td", n);
      OK (g, dev_put (g, A, GPU_N, false, &D));
      OK (g, gpu_new (g, type, n, n, 3, &X));
      OK (g, gpu_new (g, gpu_real_type (type), 1, 1, 3, &r));
      memset (rcond, 0, sizeof rcond);
      for (int call = 0; call < calls; call++)
        {
          OK (g, gpu_inv (g, D.view, X, r));
          OK (g, g->be->get (g, X, call ? next : first));
          OK (g, g->be->get (g, r, rcond[call > 0]));
          if (call
              && !CHECK (!memcmp (first, next, bytes)
                           && !memcmp (rcond[0], rcond[1], 48),
                         "call %d gives another inverse", call))
            break;
        }
      test_next (g);
    }
}

static void
not_square (gpu_ctx *g, gpu_type type)
{
  gpu_mat A, X, none = { 0 };
  OK (g, gpu_new (g, type, 3, 2, 1, &A));
  OK (g, gpu_new (g, type, 3, 2, 1, &X));
  CHECK (gpu_inv (g, A, X, none) == GPU_EARG, "accepted");
  CHECK (strstr (g->message, "square"), "message \"%s\"", g->message);
}

/* Of positive definite matrices, by way of the Cholesky factor; one of the
   pages is not.  */
static void
definite (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[] = { 1, 2, 5, 17, 40, 64, 129, 200 };
  for (int leaf = 0; leaf < 2; leaf++)
    for (int i = 0; i < (test_quick () ? 5 : 8); i++)
      {
        ptrdiff_t n = sizes[i];
        ref A = ref_definite (type, n, 3), X, info;
        gpu_mat Y, failed;
        dev D;
        g->leaf = leaf ? 4 : 0;
        test_at ("n %td, leaf %td", n, g->leaf);
        AT (A, n / 2, n / 2, 1) = -1;
        OK (g, dev_put (g, A, GPU_N, i % 2, &D));
        OK (g, gpu_new (g, type, n, n, 3, &Y));
        OK (g, gpu_new (g, GPU_INT64, 1, 1, 3, &failed));
        ptrdiff_t live = g->live;
        OK (g, gpu_cholinv (g, D.view, Y, failed));
        CHECK (g->live == live, "the call left its workspace");
        OK (g, dev_get (g, (dev){ Y, Y }, &X));
        OK (g, dev_get (g, (dev){ failed, failed }, &info));
        CHECK (info.x[0] == 0 && info.x[2] == 0, "a good page failed");
        CHECK (info.x[1] == (double) (n / 2 + 1), "info is %g, should be %td",
               creal (info.x[1]), n / 2 + 1);
        check_residual (A, X, 0, true);
        check_residual (A, X, 2, true);
        test_next (g);
      }
}

int
main (void)
{
  static const test_entry entries[] = {
    { "sizes", sizes, true },           { "recursion", recursion, true },
    { "crowds", crowds, true },         { "galleries", galleries, true },
    { "structures", structures, true }, { "mixed", mixed, true },
    { "one_by_one", one_by_one, true }, { "empty", empty, true },
    { "denormal", denormal, true },     { "many", many, true },
    { "repeatable", repeatable, true }, { "not_square", not_square, false },
    { "definite", definite, true },
  };
  return test_main ("test_inv", entries, sizeof entries / sizeof *entries);
}
