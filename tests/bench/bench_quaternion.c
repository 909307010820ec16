/* bench_quaternion.c: products of quaternion matrices on the device, the fast
   and the direct way beside the 8 real products alone, in one run.

     bench_quaternion [--csv FILE] [--quick]

   Elements are random and uniform in (-1, 1).  The errors are those of the
   worst component: largest difference from the direct product in double, by
   the largest element, in eps.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "bench.h"

enum
{
  RUNS = 9,
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
  gpu_qinfo info;
  if (t->products)
    return gpu_gemm (g, 1, t->A, t->B, 0, t->C);
  return gpu_qmtimes (g, t->method, t->A, t->B, t->C, &info);
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

/* A = uniform numbers in (-1, 1), the same for all types.  */
static void
fill (gpu_ctx *g, gpu_mat A, unsigned long long seed)
{
  size_t count = (size_t) (A.m * A.n * A.pages);
  double *x = host_memory (count * sizeof *x);
  float *s = (float *) x;
  for (size_t i = 0; i < count; i++)
    {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      float r = (float) ((double) (seed >> 40) * 0x1p-23 - 1);
      if (A.type == GPU_SINGLE)
        s[i] = r;
      else
        x[i] = r;
    }
  check (g, g->be->put (g, x, A));
  check (g, g->be->wait (g));
  free (x);
}

static double
element (gpu_type type, const void *x, size_t i)
{
  return type == GPU_SINGLE ? (double) ((const float *) x)[i]
                            : ((const double *) x)[i];
}

/* The error of C beside the product W in double.  */
static double
error_of (gpu_ctx *g, gpu_mat C, const double *w)
{
  size_t plane = (size_t) (C.m * C.n);
  double eps = C.type == GPU_SINGLE ? 0x1p-23 : 0x1p-52, worst = 0;
  void *c = host_memory (PLANES * plane * sizeof (double));
  check (g, g->be->get (g, C, c));
  for (size_t p = 0; p < PLANES; p++)
    {
      double error = 0, most = 0;
      for (size_t i = p * plane; i < (p + 1) * plane; i++)
        {
          error = fmax (error, fabs (element (C.type, c, i) - w[i]));
          most = fmax (most, fabs (w[i]));
        }
      worst = fmax (worst, error / most / eps);
    }
  free (c);
  return worst;
}

static void
bench_size (gpu_ctx *g, FILE *csv, gpu_type type, ptrdiff_t m, ptrdiff_t n,
            ptrdiff_t p, int *wrong)
{
  task t = { .method = GPU_QFAST };
  double *w = host_memory ((size_t) (PLANES * m * p) * sizeof *w);
  gpu_mat A, B, C;
  check (g, gpu_new (g, GPU_DOUBLE, m, n, PLANES, &A));
  check (g, gpu_new (g, GPU_DOUBLE, n, p, PLANES, &B));
  check (g, gpu_new (g, GPU_DOUBLE, m, p, PLANES, &C));
  fill (g, A, 1);
  fill (g, B, 2);
  t.A = A;
  t.B = B;
  t.C = C;
  t.method = GPU_QDIRECT;
  check (g, run (g, &t));
  check (g, g->be->get (g, C, w));
  gpu_free (g, A);
  gpu_free (g, B);
  gpu_free (g, C);

  check (g, gpu_new (g, type, m, n, PLANES, &t.A));
  check (g, gpu_new (g, type, n, p, PLANES, &t.B));
  check (g, gpu_new (g, type, m, p, PLANES, &t.C));
  fill (g, t.A, 1);
  fill (g, t.B, 2);
  double direct = seconds_of (g, &t), direct_error = error_of (g, t.C, w);
  t.method = GPU_QFAST;
  double fast = seconds_of (g, &t), fast_error = error_of (g, t.C, w);

  task alone = { .products = true };
  check (g, gpu_new (g, type, m, n, 2 * PLANES, &alone.A));
  check (g, gpu_new (g, type, n, p, 2 * PLANES, &alone.B));
  check (g, gpu_new (g, type, m, p, 2 * PLANES, &alone.C));
  fill (g, alone.A, 3);
  fill (g, alone.B, 4);
  double products = seconds_of (g, &alone);
  gpu_free (g, alone.A);
  gpu_free (g, alone.B);
  gpu_free (g, alone.C);
  gpu_free (g, t.A);
  gpu_free (g, t.B);
  gpu_free (g, t.C);
  free (w);

  double limit = 4 * sqrt ((double) n);
  *wrong += !(direct_error <= limit && fast_error <= 2 * limit);
  printf ("%6td %7td %6td %-6s %9.3f %9.3f %6.2f %9.3f %6.2f %9.2f %9.2f\n", m,
          n, p, bench_class[type], fast * 1e3, direct * 1e3, direct / fast,
          products * 1e3, fast / products, fast_error, direct_error);
  write_csv (csv, "qmtimes", type, n, "fast", fast * 1e3, "direct",
             direct * 1e3, products * 1e3, fast_error, direct_error);
}

int
main (int argc, char **argv)
{
  static const ptrdiff_t size[][3]
    = { { 128, 128, 128 },    { 256, 256, 256 },    { 300, 300, 300 },
        { 512, 512, 512 },    { 777, 777, 777 },    { 1024, 1024, 1024 },
        { 1501, 1501, 1501 }, { 2048, 2048, 2048 }, { 3000, 3000, 3000 },
        { 3001, 3001, 3001 }, { 4096, 4096, 4096 }, { 32, 262144, 10 } };
  gpu_ctx g;
  FILE *csv = NULL;
  bool quick = false;
  int wrong = 0;
  for (int i = 1; i < argc; i++)
    if (!strcmp (argv[i], "--csv") && i + 1 < argc)
      csv = open_csv (argv[++i]);
    else if (!strcmp (argv[i], "--quick"))
      quick = true;
    else
      {
        fputs ("usage: bench_quaternion [--csv FILE] [--quick]\n", stderr);
        return 2;
      }
  check (&g, gpu_open (&g, "cuda"));
  print_device (&g);
  printf (
    "Products of quaternion matrices m x n and n x p, median of %d runs; "
    "ratio: direct by\nfast; over: fast by 8 real products; errors in "
    "eps, of the largest element.\n\n",
    RUNS);
  printf ("%6s %7s %6s %-6s %9s %9s %6s %9s %6s %9s %9s\n", "m", "n", "p",
          "class", "fast ms", "direct ms", "ratio", "8 alone", "over", "error",
          "direct");
  for (size_t i = 0; i < sizeof size / sizeof *size; i++)
    for (gpu_type type = GPU_SINGLE; type <= GPU_DOUBLE; type++)
      if (!quick || size[i][0] <= 512)
        bench_size (&g, csv, type, size[i][0], size[i][1], size[i][2], &wrong);
  gpu_close (&g);
  return finish (csv, wrong);
}
