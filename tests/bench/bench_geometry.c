/* bench_geometry.c: points through homographies and inverses of rigid
   transforms on the device: milliseconds, the share of the speed of a copy,
   and errors, in one run.

     bench_geometry [--csv FILE] [--quick]

   The limit is a copy that reads and writes as many bytes in all as the
   operation has to.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "bench.h"

enum
{
  RUNS = 9,
  WARM_UP = 2
};

/* The arguments and results of one call.  */
typedef struct
{
  gpu_mat in, through, out; /* T, the deviations, X; or P, H, Q */
} arrays;

typedef void operation (gpu_ctx *g, const arrays *a);

static void
copy (gpu_ctx *g, const arrays *a)
{
  check (g, g->be->copy (g, a->in, a->out));
}

static void
rigid (gpu_ctx *g, const arrays *a)
{
  check (g, gpu_rigidinv (g, a->in, a->out, a->through));
}

static void
project (gpu_ctx *g, const arrays *a)
{
  const gpu_mat none = { 0 };
  check (g, gpu_homography (g, a->through, a->in, false, a->out, none));
}

/* The median in ms.  */
static double
time_of (gpu_ctx *g, operation *call, const arrays *a)
{
  double ms[RUNS];
  for (int i = -WARM_UP; i < RUNS; i++)
    {
      double s;
      check (g, g->be->tic (g));
      call (g, a);
      check (g, g->be->seconds (g, &s));
      if (i >= 0)
        ms[i] = 1e3 * s;
    }
  return median (ms, RUNS);
}

static double
bytes_of (gpu_mat A)
{
  return (double) gpu_type_size (A.type) * (double) A.m * (double) A.n
         * (double) A.pages;
}

static gpu_mat
new_array (gpu_ctx *g, gpu_type type, ptrdiff_t m, ptrdiff_t n,
           ptrdiff_t pages)
{
  gpu_mat A;
  check (g, gpu_new (g, type, m, n, pages, &A));
  return A;
}

/* The array X of numbers in the type of a new one.  */
static gpu_mat
upload (gpu_ctx *g, gpu_type type, const double *x, ptrdiff_t m, ptrdiff_t n,
        ptrdiff_t pages)
{
  const size_t count = (size_t) (m * n * pages);
  gpu_mat A = new_array (g, type, m, n, pages);
  float *single = host_memory ((count + 1) * sizeof *single);
  for (size_t i = 0; i < count; i++)
    single[i] = (float) x[i];
  check (g, g->be->put (g, type == GPU_SINGLE ? (const void *) single : x, A));
  free (single);
  return A;
}

/* As one column of double numbers, an array of its own.  */
static gpu_mat
wide (gpu_ctx *g, gpu_mat A)
{
  gpu_mat W;
  A.m = A.ld = A.step = A.m * A.n * A.pages;
  A.n = A.pages = 1;
  check (g, gpu_cast (g, A, GPU_DOUBLE, &W));
  return W;
}

/* norm (A - B) / norm (B) in eps.  */
static double
difference (gpu_ctx *g, gpu_mat A, gpu_mat B)
{
  const double eps = A.type == GPU_SINGLE ? 0x1p-23 : 0x1p-52;
  gpu_mat X = wide (g, A), Y = wide (g, B), D;
  check (g, gpu_map (g, GPU_MINUS, gpu_of (X), gpu_of (Y), &D));
  const double error = device_norm (g, D) / device_norm (g, Y) / eps;
  gpu_free (g, X);
  gpu_free (g, Y);
  gpu_free (g, D);
  return error;
}

/* One line; returns the share of the copy's speed.  */
static double
line (gpu_ctx *g, FILE *csv, const char *op, const char *what, operation *call,
      const arrays *a, double error)
{
  const gpu_type type = a->in.type;
  const double bytes
    = bytes_of (a->in) + bytes_of (a->through) + bytes_of (a->out);
  const ptrdiff_t half
    = (ptrdiff_t) (bytes / 2 / (double) gpu_type_size (type));
  arrays c = { new_array (g, type, half, 1, 1),
               { 0 },
               new_array (g, type, half, 1, 1) };
  check (g, g->be->zero (g, c.in));
  const double ms = time_of (g, call, a), limit = time_of (g, copy, &c);
  gpu_free (g, c.in);
  gpu_free (g, c.out);
  const ptrdiff_t count = a->in.m == 2 ? a->out.n * a->out.pages : a->in.pages;
  printf ("%-10s %-24s %-7s %10td %9.3f %6.0f %9.3f %6.1f %8.2g\n", op, what,
          bench_class[type], count, ms, bytes / ms / 1e6, limit,
          100 * limit / ms, error);
  write_csv (csv, op, type, count, what, ms, "", NAN, limit, error, NAN);
  return limit / ms;
}

/* T of random rotations and shifts.  */
static double
bench_rigid (gpu_ctx *g, FILE *csv, gpu_type type, ptrdiff_t m,
             ptrdiff_t pages)
{
  double *t = host_memory ((size_t) (pages * m * 4 + 4) * sizeof *t);
  double *q = host_memory ((size_t) (pages * 8) * sizeof *q);
  gpu_mat random = random_matrix (g, GPU_DOUBLE, 8, pages);
  check (g, g->be->get (g, random, q));
  gpu_free (g, random);
  for (ptrdiff_t k = 0; k < pages; k++)
    {
      double *a = t + k * m * 4;
      const double *p = q + 8 * k;
      const double s
        = 1 / sqrt (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
      const double w = s * p[0], x = s * p[1], y = s * p[2], z = s * p[3];
      const double R[] = { 1 - 2 * (y * y + z * z),
                           2 * (x * y + w * z),
                           2 * (x * z - w * y),
                           2 * (x * y - w * z),
                           1 - 2 * (x * x + z * z),
                           2 * (y * z + w * x),
                           2 * (x * z + w * y),
                           2 * (y * z - w * x),
                           1 - 2 * (x * x + y * y),
                           p[4],
                           p[5],
                           p[6] };
      for (int j = 0; j < 4; j++)
        {
          for (int i = 0; i < 3; i++)
            a[i + j * m] = R[i + 3 * j];
          if (m == 4)
            a[3 + j * m] = j == 3;
        }
    }
  arrays a
    = { upload (g, type, t, m, 4, pages), new_array (g, type, 1, 1, pages),
        new_array (g, type, m, 4, pages) };
  free (t);
  free (q);

  /* The inverse of the inverse is T.  */
  rigid (g, &a);
  arrays back = { a.out, a.through, new_array (g, type, m, 4, pages) };
  rigid (g, &back);
  const double error = difference (g, back.out, a.in);
  gpu_free (g, back.out);
  const double share
    = line (g, csv, "rigidinv", m == 4 ? "4 x 4" : "3 x 4", rigid, &a, error);
  gpu_free (g, a.in);
  gpu_free (g, a.through);
  gpu_free (g, a.out);
  return share;
}

/* Groups of N points, each with a homography of its own or all with one.  */
static double
bench_points (gpu_ctx *g, FILE *csv, gpu_type type, ptrdiff_t n,
              ptrdiff_t pages, bool one)
{
  const ptrdiff_t count = one ? 1 : pages;
  double *h = host_memory ((size_t) (9 * count) * sizeof *h);
  for (ptrdiff_t k = 0; k < count; k++)
    for (int e = 0; e < 9; e++)
      h[9 * k + e] = (e % 4 == 0) + 0.01 * (double) ((k + 3 * e) % 7);
  gpu_mat P = random_matrix (g, type, 2, n * pages);
  gpu_reshape (g, &P, 2, n, pages);
  arrays a = { P, upload (g, type, h, 3, 3, count),
               new_array (g, type, 2, n, pages) };
  free (h);

  project (g, &a);
  gpu_mat B = new_array (g, type, 2, n, pages);
  gpu_mat rcond = new_array (g, type, 1, 1, count);
  check (g, gpu_homography (g, a.through, a.out, true, B, rcond));
  const double error = difference (g, B, P);
  gpu_free (g, B);
  gpu_free (g, rcond);
  char what[64];
  if (one)
    snprintf (what, sizeof what, "one H");
  else
    snprintf (what, sizeof what, "one H for %td", n);
  const double share = line (g, csv, "homography", what, project, &a, error);
  gpu_free (g, P);
  gpu_free (g, a.through);
  gpu_free (g, a.out);
  return share;
}

int
main (int argc, char **argv)
{
  static const gpu_type types[] = { GPU_DOUBLE, GPU_SINGLE };
  FILE *csv = NULL;
  bool quick = false;
  double least = 1;
  gpu_ctx g;

  if (!take_options (argc, argv, "bench_geometry", &csv, &quick))
    return 2;
  check (&g, gpu_open (&g, NULL));
  print_device (&g);
  printf (
    "Points through homographies and inverses of rigid transforms, "
    "median of %d runs;\n"
    "copy: the time of a copy that moves as many bytes; error of the way "
    "there and back, in eps.\n\n",
    RUNS);
  printf ("%-10s %-24s %-7s %10s %9s %6s %9s %6s %8s\n", "op", "", "class",
          "count", "ours ms", "GB/s", "copy ms", "%", "error");
  const ptrdiff_t less = quick ? 1000 : 1;
  for (int t = 0; t < 2; t++)
    {
      const double shares[]
        = { bench_rigid (&g, csv, types[t], 4, 4000000 / less),
            bench_rigid (&g, csv, types[t], 3, 4000000 / less),
            bench_points (&g, csv, types[t], 100000000 / less, 1, true),
            bench_points (&g, csv, types[t], 1000, 50000 / less, false),
            bench_points (&g, csv, types[t], 4, 8000000 / less, false) };
      for (int i = 0; i < 5; i++)
        least = fmin (least, shares[i]);
    }
  printf ("\nleast share of the speed of a copy: %.0f %%\n", 100 * least);
  gpu_close (&g);
  if (csv && fclose (csv) != 0)
    {
      fputs ("benchmark: the CSV file is incomplete\n", stderr);
      return 1;
    }
  return 0;
}
