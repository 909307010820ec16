/* bench_transfer.c: arrays between Octave's kind of memory and the device,
   ours beside the driver's plain copy, and gpu_chol from host to host:
   milliseconds and GB/s, in one run.

     bench_transfer [--csv FILE] [--quick]

   The limit is a copy to or from pinned memory.  Fresh memory is memory that
   nothing has touched, as that of a new result is; the plain copy gets the
   same.  Every array that came back is compared.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <sys/mman.h>
#include <time.h>

#include <cuda_runtime.h>

#include "bench.h"

enum
{
  RUNS = 5,
  HUGE_PAGE = 2 << 20
};

static void
cuda_check (cudaError_t status)
{
  if (status == cudaSuccess)
    return;
  fprintf (stderr, "benchmark: %s\n", cudaGetErrorString (status));
  exit (1);
}

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Zeros that nothing has touched, in huge pages where the system has them.  */
static void *
fresh_memory (size_t bytes)
{
  char *p = mmap (NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    {
      fprintf (stderr, "benchmark: no host memory for %.4g MB\n",
               (double) bytes / 1e6);
      exit (1);
    }
  madvise (p, bytes + HUGE_PAGE, MADV_HUGEPAGE);
  return p + 16; /* as malloc gives it */
}

static void
drop_fresh (void *x, size_t bytes)
{
  munmap ((char *) x - 16, bytes + HUGE_PAGE);
}

typedef enum
{
  UP,
  DOWN,
  DOWN_FRESH
} way;

/* Median seconds of a move of A to or from X or fresh memory; PLAIN by the
   driver.  */
static double
move_time (gpu_ctx *g, gpu_mat A, void *x, way w, bool plain, int *wrong)
{
  size_t bytes = (size_t) A.m * (size_t) A.n * sizeof (double);
  double s[RUNS];
  for (int run = -1; run < RUNS; run++)
    {
      void *y = w == DOWN_FRESH ? fresh_memory (bytes) : x;
      double from = now ();
      if (plain)
        cuda_check (w == UP ? cudaMemcpy (A.p, x, bytes, cudaMemcpyDefault)
                            : cudaMemcpy (y, A.p, bytes, cudaMemcpyDefault));
      else if (w == UP)
        check (g, g->be->put (g, x, A));
      else
        check (g, g->be->get (g, A, y));
      cuda_check (cudaDeviceSynchronize ());
      if (run >= 0)
        s[run] = now () - from;
      if (w == DOWN_FRESH)
        {
          *wrong += !plain && memcmp (x, y, bytes) != 0;
          drop_fresh (y, bytes);
        }
    }
  return median (s, RUNS);
}

static double
pinned_time (gpu_mat A, way w)
{
  size_t bytes = (size_t) A.m * (size_t) A.n * sizeof (double);
  void *x;
  double s[RUNS];
  cuda_check (cudaMallocHost (&x, bytes));
  for (int run = -1; run < RUNS; run++)
    {
      double from = now ();
      cuda_check (w == UP ? cudaMemcpy (A.p, x, bytes, cudaMemcpyDefault)
                          : cudaMemcpy (x, A.p, bytes, cudaMemcpyDefault));
      if (run >= 0)
        s[run] = now () - from;
    }
  cuda_check (cudaFreeHost (x));
  return median (s, RUNS);
}

static void
bench_moves (gpu_ctx *g, FILE *csv, bool quick, int *wrong)
{
  static const ptrdiff_t kib[]
    = { 4, 64, 512, 1024, 4096, 16384, 262144, 2097152 };
  static const char *const name[]
    = { "upload", "download", "download, fresh" };
  printf ("%-16s %9s %10s %10s %10s %8s %8s\n", "double", "KiB", "ours ms",
          "plain ms", "pinned ms", "GB/s", "plain");
  for (size_t i = 0; i < sizeof kib / sizeof *kib; i++)
    {
      ptrdiff_t n = kib[i] * 128;
      size_t bytes = (size_t) n * sizeof (double);
      gpu_mat A;
      if (quick && kib[i] > 16384)
        break;
      check (g, gpu_new (g, GPU_DOUBLE, n, 1, 1, &A));
      double *x = host_memory (bytes);
      for (ptrdiff_t k = 0; k < n; k++)
        x[k] = (double) k;
      for (way w = UP; w <= DOWN_FRESH; w++)
        {
          double ours = move_time (g, A, x, w, false, wrong);
          double plain = move_time (g, A, x, w, true, wrong);
          double pinned = pinned_time (A, w);
          printf ("%-16s %9td %10.4f %10.4f %10.4f %8.1f %8.1f\n", name[w],
                  kib[i], ours * 1e3, plain * 1e3, pinned * 1e3,
                  (double) bytes / ours / 1e9, (double) bytes / plain / 1e9);
          write_csv (csv, w == UP ? "upload" : "download", GPU_DOUBLE, n,
                     w == DOWN_FRESH ? "fresh" : "touched", ours * 1e3,
                     "cudaMemcpy", plain * 1e3, pinned * 1e3, NAN, NAN);
        }
      free (x);
      gpu_free (g, A);
    }
}

/* A is diagonally dominant, its lower triangle is not read.  */
static double *
definite (ptrdiff_t n)
{
  double *a = host_memory ((size_t) (n * n) * sizeof *a);
  unsigned long long seed = 42;
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < n; i++)
      {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        a[i + j * n] = i == j ? (double) n : (double) (seed >> 40) * 0x1p-24;
      }
  return a;
}

/* Seconds of R = chol (A) from host to host: by panels on their way or, if
   APART, up, factor, down.  */
static double
chol_time (gpu_ctx *g, gpu_mat A, bool apart, double *corner)
{
  size_t bytes = (size_t) (A.n * A.n) * sizeof (double);
  double s[RUNS];
  for (int run = -1; run < RUNS; run++)
    {
      gpu_mat R = A, D, info;
      int64_t bad;
      R.p = fresh_memory (bytes);
      double from = now ();
      check (g, gpu_new (g, GPU_INT64, 1, 1, 1, &info));
      if (apart)
        {
          check (g, gpu_new (g, A.type, A.n, A.n, 1, &D));
          check (g, g->be->put_triangle (g, GPU_UPPER, A.p, D));
          check (g, gpu_chol (g, GPU_FP32X3, D, D, info));
          check (g, g->be->get_triangle (g, GPU_UPPER, D, R.p));
          gpu_free (g, D);
        }
      else
        check (g, gpu_chol_host (g, GPU_FP32X3, A, R, info));
      check (g, g->be->get (g, info, &bad));
      if (run >= 0)
        s[run] = now () - from;
      *corner = bad ? NAN : ((double *) R.p)[A.n * A.n - 1];
      gpu_free (g, info);
      drop_fresh (R.p, bytes);
    }
  return median (s, RUNS);
}

static void
bench_chol (gpu_ctx *g, FILE *csv, bool quick, int *wrong)
{
  printf ("\n%-16s %9s %10s %10s\n", "chol, host", "n", "ours ms", "apart ms");
  for (ptrdiff_t n = 1024; n <= (quick ? 2048 : 16384); n *= 2)
    {
      double corner[2];
      gpu_mat A = { .p = definite (n),
                    .m = n,
                    .n = n,
                    .ld = n,
                    .pages = 1,
                    .step = n * n,
                    .type = GPU_DOUBLE,
                    .op = GPU_N };
      double ours = chol_time (g, A, false, &corner[0]);
      double apart = chol_time (g, A, true, &corner[1]);
      *wrong += !(fabs (corner[0] - corner[1]) < 1e-9 * fabs (corner[1]));
      printf ("%-16s %9td %10.3f %10.3f\n", "double", n, ours * 1e3,
              apart * 1e3);
      write_csv (csv, "chol", GPU_DOUBLE, n, "host", ours * 1e3, "apart",
                 apart * 1e3, NAN, NAN, NAN);
      free (A.p);
    }
}

int
main (int argc, char **argv)
{
  gpu_ctx g;
  FILE *csv = NULL;
  bool quick = false;
  int wrong = 0;
  if (!take_options (argc, argv, "bench_transfer", &csv, &quick))
    return 2;
  check (&g, gpu_open (&g, "cuda"));
  print_device (&g);
  bench_moves (&g, csv, quick, &wrong);
  bench_chol (&g, csv, quick, &wrong);
  gpu_close (&g);
  return finish (csv, wrong);
}
