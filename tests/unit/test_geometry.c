/* test_geometry.c: points through homographies, inverses of rigid transforms.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

/* Around what a thread, a warp and a block of the kernels take.  */
static const ptrdiff_t counts[]
  = { 0, 1, 2, 31, 33, 127, 129, 1023, 1025, 5003 };
enum
{
  COUNTS = sizeof counts / sizeof *counts
};

static gpu_status
result (gpu_ctx *g, gpu_type type, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages,
        dev *D)
{
  GPU_TRY (gpu_new (g, type, m, n, pages, &D->whole));
  D->view = D->whole;
  return GPU_OK;
}

/* Q = P through H, in extended precision, with the moduli of w's terms.  */
static void
by_the_book (ref H, ref P, ptrdiff_t k, ptrdiff_t i, long double q[2],
             long double *w, long double *sum)
{
  const ptrdiff_t kh = H.pages > 1 ? k : 0, kp = P.pages > 1 ? k : 0;
  long double r[3] = { 0 };
  *sum = 0;
  for (int row = 0; row < 3; row++)
    for (int j = 0; j < 3; j++)
      {
        const long double x = j < 2 ? creal (AT (P, j, i, kp)) : 1;
        const long double term = x * creal (AT (H, row, j, kh));
        r[row] += term;
        if (row == 2)
          *sum += fabsl (term);
      }
  q[0] = r[0] / r[2];
  q[1] = r[1] / r[2];
  *w = fabsl (r[2]);
}

static void
points (gpu_ctx *g, gpu_type type)
{
  for (int c = 0; c < COUNTS; c++)
    for (int v = 0; v < 4; v++)
      {
        const ptrdiff_t n = v == 3 && counts[c] > 200 ? 3 : counts[c];
        const ptrdiff_t pages = v == 3 && counts[c] > 200 ? 401 : 3;
        ref H = ref_random (type, 3, 3, v == 0 || v == 1 ? 1 : pages);
        ref P = ref_random (type, 2, n, v == 0 || v == 2 ? 1 : pages), Q;
        const ptrdiff_t all = H.pages > P.pages ? H.pages : P.pages;
        gpu_mat none = { 0 };
        dev DH, DP, DQ;
        test_at ("%td points, %td pages, %td homographies", n, P.pages,
                 H.pages);
        OK (g, dev_put (g, H, GPU_N, false, &DH));
        OK (g, dev_put (g, P, GPU_N, false, &DP));
        OK (g, result (g, type, 2, n, all, &DQ));
        OK (g, gpu_homography (g, DH.view, DP.view, false, DQ.view, none));
        OK (g, dev_get (g, DQ, &Q));
        double worst = 0;
        for (ptrdiff_t k = 0; k < all; k++)
          for (ptrdiff_t i = 0; i < n; i++)
            {
              long double q[2], w, sum;
              by_the_book (H, P, k, i, q, &w, &sum);
              for (int r = 0; r < 2; r++)
                {
                  const long double off
                    = fabsl (creal (AT (Q, r, i, k)) - q[r]) * w * w;
                  const long double unit
                    = (sum * fabsl (q[r]) * w + (w + sum) * 4)
                      * test_eps (type);
                  worst = fmax (worst, (double) (off / unit));
                }
            }
        CHECK (worst <= 4, "error %g", worst);
        test_next (g);
      }
}

/* The way back meets the points again; what is at infinity is Inf, and a NaN
   stays where it is.  */
static void
there_and_back (gpu_ctx *g, gpu_type type)
{
  const ptrdiff_t n = 300, pages = 5;
  ref H = ref_random (type, 3, 3, pages), P = ref_random (type, 2, n, pages);
  for (ptrdiff_t k = 0; k < pages; k++)
    for (int j = 0; j < 3; j++)
      {
        AT (H, j, j, k) += 3;
        AT (H, 2, j, k) = j < 2 ? 0.125 * (double) (k + j) / 8 : 1;
      }
  ref B, C, r;
  dev DH, DP, DQ, DB, dr;
  OK (g, dev_put (g, H, GPU_N, false, &DH));
  OK (g, dev_put (g, P, GPU_N, false, &DP));
  OK (g, result (g, type, 2, n, pages, &DQ));
  OK (g, result (g, type, 2, n, pages, &DB));
  OK (g, result (g, type, 1, 1, pages, &dr));
  OK (g, gpu_homography (g, DH.view, DP.view, false, DQ.view, dr.view));
  OK (g, gpu_homography (g, DH.view, DQ.view, true, DB.view, dr.view));
  OK (g, dev_get (g, DB, &B));
  OK (g, dev_get (g, dr, &r));
  double worst = 0;
  for (size_t i = 0; i < ref_count (P); i++)
    worst = fmax (worst, cabs (B.x[i] - P.x[i]));
  CHECK (worst <= 500 * test_eps (type), "error %g", worst);
  for (ptrdiff_t k = 0; k < pages; k++)
    CHECK (creal (r.x[k]) > 0.01 && creal (r.x[k]) <= 1, "rcond %g",
           creal (r.x[k]));

  /* w = x - y / 3, whose rounded terms do not cancel.  */
  ref F = ref_new (type, 3, 3, 1), T = ref_new (type, 2, 3, 1);
  AT (F, 0, 0, 0) = AT (F, 1, 1, 0) = AT (F, 2, 0, 0) = 1;
  AT (F, 2, 1, 0) = ref_rounded (type, -1. / 3);
  AT (T, 0, 0, 0) = ref_rounded (type, 0.1);
  AT (T, 1, 0, 0) = ref_rounded (type, 0.3);
  AT (T, 0, 1, 0) = 1;
  AT (T, 0, 2, 0) = NAN;
  OK (g, dev_put (g, F, GPU_N, false, &DH));
  OK (g, dev_put (g, T, GPU_N, false, &DP));
  OK (g, result (g, type, 2, 3, 1, &DQ));
  OK (g, gpu_homography (g, DH.view, DP.view, false, DQ.view, dr.view));
  OK (g, dev_get (g, DQ, &C));
  CHECK (
    creal (AT (C, 0, 0, 0)) == INFINITY && creal (AT (C, 1, 0, 0)) == INFINITY,
    "infinity is [%g; %g]", creal (AT (C, 0, 0, 0)), creal (AT (C, 1, 0, 0)));
  CHECK (creal (AT (C, 0, 1, 0)) == 1 && creal (AT (C, 1, 1, 0)) == 0,
         "[1; 0] is [%g; %g]", creal (AT (C, 0, 1, 0)),
         creal (AT (C, 1, 1, 0)));
  CHECK (is_nan (AT (C, 0, 2, 0)) && is_nan (AT (C, 1, 2, 0)),
         "a NaN was lost");
}

/* R of random unit quaternions, and turned inside out on page 1.  */
static ref
transforms (gpu_type type, ptrdiff_t m, ptrdiff_t pages)
{
  ref T = ref_new (type, m, 4, pages), q = ref_random (type, 4, 1, pages);
  for (ptrdiff_t k = 0; k < pages; k++)
    {
      double a[4], size = 0;
      for (int i = 0; i < 4; i++)
        {
          a[i] = creal (AT (q, i, 0, k));
          size += a[i] * a[i];
        }
      for (int i = 0; i < 4; i++)
        a[i] /= sqrt (size);
      const double w = a[0], x = a[1], y = a[2], z = a[3];
      const double R[3][3] = {
        { 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y) },
        { 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x) },
        { 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) }
      };
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          AT (T, i, j, k) = ref_rounded (type, k == 1 ? -R[i][j] : R[i][j]);
      for (int i = 0; i < 3; i++)
        AT (T, i, 3, k) = ref_rounded (type, 10 * (a[i] + 0.5));
      if (m == 4)
        AT (T, 3, 3, k) = 1;
    }
  return T;
}

/* The largest modulus in T * X - I of page K, of which T and X are the upper
   three rows.  */
static double
inverse_error (ref T, ref X, ptrdiff_t k)
{
  double most = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      {
        long double sum = j == 3 ? creal (AT (T, i, 3, k)) : 0;
        for (int p = 0; p < 3; p++)
          sum
            += (long double) creal (AT (T, i, p, k)) * creal (AT (X, p, j, k));
        most = fmax (most, (double) fabsl (sum - (i == j)));
      }
  return most;
}

static void
rigid (gpu_ctx *g, gpu_type type)
{
  /* As far from a rotation as a correction of the first order may be.  */
  const double off = sqrt (test_eps (type)) / 4;
  for (int c = 0; c < COUNTS; c++)
    for (int v = 0; v < 4; v++)
      {
        const ptrdiff_t m = v < 2 ? 4 : 3, pages = counts[c];
        const bool in_place = v % 2;
        ref T = transforms (type, m, pages), X, d;
        dev DT, DX, dd;
        test_at ("%td transforms %td x 4%s", pages, m,
                 in_place ? ", in place" : "");
        for (ptrdiff_t k = 2; k < pages; k += 3)
          AT (T, k % 3, k % 2, k) += off;
        OK (g, dev_put (g, T, GPU_N, false, &DT));
        DX = DT;
        if (!in_place)
          OK (g, result (g, type, m, 4, pages, &DX));
        OK (g, result (g, type, 1, 1, pages, &dd));
        OK (g, gpu_rigidinv (g, DT.view, DX.view, dd.view));
        OK (g, dev_get (g, DX, &X));
        OK (g, dev_get (g, dd, &d));
        double worst = 0, least = 1, most = 0, last = 0;
        for (ptrdiff_t k = 0; k < pages; k++)
          {
            worst = fmax (worst, inverse_error (T, X, k));
            if (k % 3 == 2 && k >= 2)
              least = fmin (least, creal (d.x[k]));
            else
              most = fmax (most, creal (d.x[k]));
            for (int j = 0; j < 4 && m == 4; j++)
              last = fmax (last, fabs (creal (AT (X, 3, j, k)) - (j == 3)));
          }
        CHECK (worst <= 400 * test_eps (type), "error %g", worst);
        CHECK (most <= 8 * test_eps (type), "a rotation is off by %g", most);
        CHECK (least >= off / 8, "%g is called %g", off, least);
        CHECK (last == 0, "the last row is off by %g", last);
        test_next (g);
      }
}

/* What is not rigid shows, a NaN too, and does not spoil the next page.  */
static void
not_rigid (gpu_ctx *g, gpu_type type)
{
  ref T = transforms (type, 4, 6), X, d;
  dev DT, DX, dd;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      AT (T, i, j, 2) *= 2;
  AT (T, 3, 0, 3) = -0.5;
  AT (T, 1, 1, 4) = NAN;
  OK (g, dev_put (g, T, GPU_N, false, &DT));
  OK (g, result (g, type, 4, 4, 6, &DX));
  OK (g, result (g, type, 1, 1, 6, &dd));
  OK (g, gpu_rigidinv (g, DT.view, DX.view, dd.view));
  OK (g, dev_get (g, DX, &X));
  OK (g, dev_get (g, dd, &d));
  CHECK (fabs (creal (d.x[2]) - 3) <= 20 * test_eps (type), "deviation %g",
         creal (d.x[2]));
  CHECK (creal (d.x[3]) == 0.5, "deviation %g", creal (d.x[3]));
  CHECK (is_nan (d.x[4]), "deviation %g", creal (d.x[4]));
  for (ptrdiff_t k = 0; k < 6; k += k == 1 ? 4 : 1)
    CHECK (inverse_error (T, X, k) <= 200 * test_eps (type), "page %td", k);
}

static void
refused (gpu_ctx *g, gpu_type unused)
{
  gpu_mat H, P, Q, X, d, Z, none = { 0 };
  (void) unused;
  OK (g, gpu_new (g, GPU_DOUBLE, 3, 3, 2, &H));
  OK (g, gpu_new (g, GPU_DOUBLE, 2, 5, 3, &P));
  OK (g, gpu_new (g, GPU_DOUBLE, 2, 5, 3, &Q));
  OK (g, gpu_new (g, GPU_DOUBLE, 3, 3, 3, &X));
  OK (g, gpu_new (g, GPU_DOUBLE, 1, 1, 3, &d));
  OK (g, gpu_new (g, GPU_CDOUBLE, 4, 4, 3, &Z));
  CHECK (gpu_homography (g, H, P, false, Q, none) == GPU_EARG
           && strstr (g->message, "3x3x2 and 2x5x3"),
         "message \"%s\"", g->message);
  CHECK (gpu_homography (g, gpu_page (H, 0), P, false, gpu_page (Q, 0), none)
             == GPU_EARG
           && strstr (g->message, "must be 2x5x3"),
         "message \"%s\"", g->message);
  CHECK (gpu_rigidinv (g, X, X, d) == GPU_EARG && strstr (g->message, "3x3x3"),
         "message \"%s\"", g->message);
  CHECK (gpu_rigidinv (g, Z, Z, d) == GPU_EARG && strstr (g->message, "real"),
         "message \"%s\"", g->message);
}

int
main (void)
{
  static const test_entry entries[] = {
    { "points", points, TEST_REAL },
    { "there_and_back", there_and_back, TEST_REAL },
    { "rigid", rigid, TEST_REAL },
    { "not_rigid", not_rigid, TEST_REAL },
    { "refused", refused, false },
  };
  return test_main ("test_geometry", entries,
                    sizeof entries / sizeof *entries);
}
