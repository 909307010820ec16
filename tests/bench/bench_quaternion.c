/* bench_quaternion.c: products of quaternion matrices on the device, direct,
   fast and auto, beside the 8 real products alone, in one run.

     bench_quaternion [--csv FILE] [--quick]

   Elements are random and uniform in (-1, 1).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "bench.h"

enum
{
  RUNS = 9,
  SAMPLES = 64,
  PLANES = 4
};

typedef struct
{
  gpu_mat A, B, C;
  gpu_qmethod method;
  bool products; /* 8 real products of the same sizes, and nothing else */
} task;

static gpu_status
run (gpu_ctx *g, const task *t)
{
  if (t->products)
    return gpu_gemm (g, 1, t->A, t->B, 0, t->C);
  return gpu_qmtimes (g, t->method, t->A, t->B, t->C, NULL);
}

/* Median seconds; short calls are repeated within a run.  */
static double
seconds_of (gpu_ctx *g, const task *t)
{
  double s[RUNS], once;
  check (g, run (g, t));
  check (g, g->be->tic (g));
  check (g, run (g, t));
  check (g, g->be->seconds (g, &once));
  int count = once < 1e-3 ? 20 : 1;
  for (int i = 0; i < RUNS; i++)
    {
      check (g, g->be->tic (g));
      for (int k = 0; k < count; k++)
        check (g, run (g, t));
      check (g, g->be->seconds (g, &s[i]));
      s[i] /= count;
    }
  return median (s, RUNS);
}

/* X = uniform numbers in (-1, 1) that A's type holds, and A = X.  */
static double *
fill (gpu_ctx *g, gpu_mat A, uint64_t seed)
{
  size_t count = (size_t) (A.m * A.n * A.pages);
  double *x = host_memory (count * sizeof *x);
  for (size_t i = 0; i < count; i++)
    {
      /* Steele, Lea and Flood's SplitMix.  */
      uint64_t z = (seed << 32) + i * 0x9E3779B97F4A7C15u;
      z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
      z = (z ^ z >> 27) * 0x94D049BB133111EBu;
      z ^= z >> 31;
      x[i] = A.type == GPU_SINGLE ? (double) (z >> 40) * 0x1p-23 - 1
                                  : (double) (z >> 11) * 0x1p-52 - 1;
    }
  if (A.type == GPU_DOUBLE)
    {
      check (g, g->be->put (g, x, A));
      check (g, g->be->wait (g));
      return x;
    }
  float *s = host_memory (count * sizeof *s);
  for (size_t i = 0; i < count; i++)
    s[i] = (float) x[i];
  check (g, g->be->put (g, s, A));
  check (g, g->be->wait (g));
  free (s);
  return x;
}

/* Element (i, j) of the product of what fill made, in extended precision.  */
static void
reference (const task *t, const double *a, const double *b, ptrdiff_t i,
           ptrdiff_t j, long double *c)
{
  const ptrdiff_t m = t->A.m, n = t->A.n, p = t->B.n;
  memset (c, 0, PLANES * sizeof *c);
  for (ptrdiff_t k = 0; k < n; k++)
    {
      long double x[PLANES], y[PLANES];
      for (int l = 0; l < PLANES; l++)
        {
          x[l] = a[i + (k + l * n) * m];
          y[l] = b[k + (j + l * p) * n];
        }
      c[0] += x[0] * y[0] - x[1] * y[1] - x[2] * y[2] - x[3] * y[3];
      c[1] += x[0] * y[1] + x[1] * y[0] + x[2] * y[3] - x[3] * y[2];
      c[2] += x[0] * y[2] - x[1] * y[3] + x[2] * y[0] + x[3] * y[1];
      c[3] += x[0] * y[3] + x[1] * y[2] - x[2] * y[1] + x[3] * y[0];
    }
}

/* The largest error of some elements beside the largest of them, of the worst
   plane, in eps.  */
static double
error_of (gpu_ctx *g, const task *t, const double *a, const double *b)
{
  const ptrdiff_t m = t->C.m, p = t->C.n;
  size_t count = (size_t) (PLANES * m * p);
  double *c = host_memory (count * sizeof *c);
  double error[PLANES] = { 0 }, most[PLANES] = { 0 }, worst = 0;
  check (g, g->be->get (g, t->C, c));
  for (ptrdiff_t s = 0; s < SAMPLES; s++)
    {
      const ptrdiff_t i = s * 7919 % m, j = s * 104729 % p;
      long double want[PLANES];
      reference (t, a, b, i, j, want);
      for (int l = 0; l < PLANES; l++)
        {
          ptrdiff_t at = i + (j + l * p) * m;
          double got
            = t->C.type == GPU_SINGLE ? (double) ((float *) c)[at] : c[at];
          error[l] = fmax (error[l], fabs ((double) (got - want[l])));
          most[l] = fmax (most[l], fabs ((double) want[l]));
        }
    }
  for (int l = 0; l < PLANES; l++)
    worst = fmax (worst, error[l] / most[l]);
  free (c);
  return worst / (t->C.type == GPU_SINGLE ? 0x1p-23 : 0x1p-52);
}

static void
bench_size (gpu_ctx *g, FILE *csv, gpu_type type, ptrdiff_t m, ptrdiff_t n,
            ptrdiff_t p, int *wrong)
{
  static const char *const name[] = { "auto", "fast", "direct" };
  double ms[3], error[3], limit = 4 * sqrt ((double) n);
  task t = { .products = true };
  check (g, gpu_random (g, true, type, m, n, 2 * PLANES, &t.A));
  check (g, gpu_random (g, true, type, n, p, 2 * PLANES, &t.B));
  check (g, gpu_new (g, type, m, p, 2 * PLANES, &t.C));
  double products = seconds_of (g, &t) * 1e3;
  gpu_free (g, t.A);
  gpu_free (g, t.B);
  gpu_free (g, t.C);

  t.products = false;
  check (g, gpu_new (g, type, m, n, PLANES, &t.A));
  check (g, gpu_new (g, type, n, p, PLANES, &t.B));
  check (g, gpu_new (g, type, m, p, PLANES, &t.C));
  double *a = fill (g, t.A, 1), *b = fill (g, t.B, 2);
  for (int way = GPU_QDIRECT; way >= GPU_QAUTO; way--)
    {
      t.method = (gpu_qmethod) way;
      ms[way] = seconds_of (g, &t) * 1e3;
      error[way] = error_of (g, &t, a, b);
      *wrong += !(error[way] <= limit);
    }
  gpu_free (g, t.A);
  gpu_free (g, t.B);
  gpu_free (g, t.C);
  free (a);
  free (b);

  const double direct = ms[GPU_QDIRECT], fast = ms[GPU_QFAST];
  char op[80] = "qmtimes";
  if (m != n || n != p)
    snprintf (op, sizeof op, "qmtimes %td x %td x %td", m, n, p);
  printf ("%6td %6td %5td %-6s %8.3f %8.3f %8.3f %6.2f %7.0f %8.3f %6.2f "
          "%7.1f %7.1f\n",
          m, n, p, bench_class[type], direct, fast, ms[GPU_QAUTO],
          direct / fast,
          16 * (double) m * (double) n * (double) p / fast / 1e6, products,
          fast / products, error[GPU_QDIRECT], error[GPU_QFAST]);
  for (int way = GPU_QAUTO; way <= GPU_QFAST; way++)
    write_csv (csv, op, type, n, name[way], ms[way], name[GPU_QDIRECT], direct,
               products, error[way], error[GPU_QDIRECT]);
}

int
main (int argc, char **argv)
{
  static const ptrdiff_t size[][3]
    = { { 100, 100, 100 },    { 256, 256, 256 },    { 300, 300, 300 },
        { 400, 400, 400 },    { 512, 512, 512 },    { 777, 777, 777 },
        { 1000, 1000, 1000 }, { 1024, 1024, 1024 }, { 1500, 1500, 1500 },
        { 1501, 1501, 1501 }, { 2048, 2048, 2048 }, { 3000, 3000, 3000 },
        { 3001, 3001, 3001 }, { 4096, 4096, 4096 }, { 1000, 3000, 2000 },
        { 32, 262144, 10 },   { 100000, 256, 256 } };
  gpu_ctx g;
  FILE *csv = NULL;
  bool quick = false;
  int wrong = 0;
  if (!take_options (argc, argv, "bench_quaternion", &csv, &quick))
    return 2;
  check (&g, gpu_open (&g, "cuda"));
  print_device (&g);
  printf ("Products of quaternion matrices m x n and n x p on the device, "
          "median of %d runs,\nin ms; ratio: direct by fast; over: fast by 8 "
          "real products alone; errors of direct\nand fast in eps of the "
          "largest element, %d places beside extended precision.\n\n",
          RUNS, SAMPLES);
  printf ("%6s %6s %5s %-6s %8s %8s %8s %6s %7s %8s %6s %7s %7s\n", "m", "n",
          "p", "class", "direct", "fast", "auto", "ratio", "GFLOP/s",
          "8 alone", "over", "error", "error");
  for (size_t i = 0; i < sizeof size / sizeof *size; i++)
    for (gpu_type type = GPU_SINGLE; type <= GPU_DOUBLE; type++)
      if (!quick || size[i][0] <= 512)
        bench_size (&g, csv, type, size[i][0], size[i][1], size[i][2], &wrong);
  gpu_close (&g);
  return finish (csv, wrong);
}
