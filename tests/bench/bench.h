/* bench.h: what the benchmarks share: checks, memory, the median, the vendor's
   libraries, the line about the device and the CSV file.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_BENCH_H
#define GPULINALG_BENCH_H 1

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

static const char *const bench_class[]
  = { "single", "double", "csingle", "cdouble" };

static inline void
check (gpu_ctx *g, gpu_status status)
{
  if (status == GPU_OK)
    return;
  fprintf (stderr, "benchmark: %s\n", g->message);
  exit (1);
}

static inline void *
host_memory (size_t bytes)
{
  void *p = malloc (bytes);
  if (!p)
    {
      fprintf (stderr, "benchmark: no host memory for %.4g MB\n",
               (double) bytes / 1e6);
      exit (1);
    }
  return p;
}

static inline int
by_size (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static inline double
median (double *x, int count)
{
  qsort (x, (size_t) count, sizeof *x, by_size);
  return x[count / 2];
}

/* sqrt (sum (abs (X(:)) .^ 2)) */
static inline double
device_norm (gpu_ctx *g, gpu_mat X)
{
  gpu_mat columns, all;
  double sum;
  check (g, gpu_reduce (g, GPU_SUMSQ, X, 1, &columns, NULL));
  check (g, gpu_reduce (g, GPU_SUM, columns, 2, &all, NULL));
  check (g, g->be->get (g, all, &sum));
  gpu_free (g, columns);
  gpu_free (g, all);
  return sqrt (sum);
}

/* Of normal numbers, the same each time.  */
static inline gpu_mat
random_matrix (gpu_ctx *g, gpu_type type, ptrdiff_t m, ptrdiff_t n)
{
  const gpu_type real = gpu_real_type (type);
  gpu_operand re = { 0 }, im = { 0 };
  gpu_mat X;
  check (g, gpu_random (g, true, real, m, n, 1, &re.A));
  if (!gpu_is_complex (type))
    return re.A;
  check (g, gpu_random (g, true, real, m, n, 1, &im.A));
  check (g, gpu_map (g, GPU_COMPLEX, re, im, &X));
  gpu_free (g, re.A);
  gpu_free (g, im.A);
  return X;
}

/* One of the toolkit's libraries, from beside cuBLAS or where the system looks
   for it; NULL if it is not there.  */
static inline void *
open_library (const char *name)
{
  char path[4096], *slash;
  void *library;
  snprintf (path, sizeof path, "%s", GPULINALG_CUBLAS_PATH);
  slash = strrchr (path, '/');
  slash = slash ? slash + 1 : path;
  snprintf (slash, sizeof path - (size_t) (slash - path), "%s", name);
  library = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  return library ? library : dlopen (name, RTLD_NOW | RTLD_LOCAL);
}

static inline void
print_device (gpu_ctx *g)
{
  gpu_device d;
  g->be->device (g, &d);
  printf ("device: %s, compute capability %d.%d, %d multiprocessors, %.1f GB, "
          "CUDA %d.%d (driver %d.%d)\n\n",
          d.name, d.cc_major, d.cc_minor, d.multiprocessors,
          d.total_memory / 1e9, d.toolkit / 1000, d.toolkit % 1000 / 10,
          d.driver / 1000, d.driver % 1000 / 10);
}

/* X in the given FORMAT, or NONE in its place.  */
static inline void
print_number (FILE *file, double x, const char *format, const char *none)
{
  if (isnan (x))
    fputs (none, file);
  else
    fprintf (file, format, x);
}

static inline FILE *
open_csv (const char *name)
{
  FILE *csv = fopen (name, "a");
  if (!csv)
    {
      fprintf (stderr, "benchmark: cannot write %s\n", name);
      exit (1);
    }
  fseek (csv, 0, SEEK_END);
  if (ftell (csv) == 0)
    fputs ("op,class,shape,variant,ours_ms,peer,peer_ms,limit_ms,"
           "ours_error,peer_error\n",
           csv);
  return csv;
}

/* A line of the file.  PEER_MS, LIMIT_MS and the errors may be NaN: none.  */
static inline void
write_csv (FILE *csv, const char *op, gpu_type type, ptrdiff_t shape,
           const char *variant, double ours_ms, const char *peer,
           double peer_ms, double limit_ms, double ours_error,
           double peer_error)
{
  if (!csv)
    return;
  fprintf (csv, "%s,%s,%td,%s,%.4f,%s,", op, bench_class[type], shape, variant,
           ours_ms, isnan (peer_ms) ? "" : peer);
  print_number (csv, peer_ms, "%.4f", "");
  fputc (',', csv);
  print_number (csv, limit_ms, "%.4f", "");
  fputc (',', csv);
  print_number (csv, ours_error, "%.3g", "");
  fputc (',', csv);
  print_number (csv, peer_error, "%.3g", "");
  fputc ('\n', csv);
}

/* The options --csv FILE and --quick of the program NAME.  */
static inline bool
take_options (int argc, char **argv, const char *name, FILE **csv, bool *quick)
{
  for (int i = 1; i < argc; i++)
    if (!strcmp (argv[i], "--csv") && i + 1 < argc)
      *csv = open_csv (argv[++i]);
    else if (!strcmp (argv[i], "--quick"))
      *quick = true;
    else
      {
        fprintf (stderr, "usage: %s [--csv FILE] [--quick]\n", name);
        return false;
      }
  return true;
}

/* The options --csv FILE, --min N, --max N and, unless BACKEND is NULL,
   --backend cuda|host of the program NAME.  */
static inline bool
take_sizes (int argc, char **argv, const char *name, FILE **csv,
            ptrdiff_t *min, ptrdiff_t *max, const char **backend)
{
  for (int i = 1; i < argc; i += 2)
    if (i + 1 < argc && !strcmp (argv[i], "--csv"))
      *csv = open_csv (argv[i + 1]);
    else if (i + 1 < argc && !strcmp (argv[i], "--max"))
      *max = atol (argv[i + 1]);
    else if (i + 1 < argc && !strcmp (argv[i], "--min"))
      *min = atol (argv[i + 1]);
    else if (i + 1 < argc && backend && !strcmp (argv[i], "--backend"))
      *backend = argv[i + 1];
    else
      {
        fprintf (stderr, "usage: %s [--csv FILE] [--min N] [--max N]%s\n",
                 name, backend ? " [--backend cuda|host]" : "");
        return false;
      }
  return true;
}

/* The exit status, after WRONG results.  */
static inline int
finish (FILE *csv, int wrong)
{
  if (csv && fclose (csv) != 0)
    {
      fputs ("benchmark: the CSV file is incomplete\n", stderr);
      return 1;
    }
  if (wrong)
    printf ("\n%d results are wrong: their error is above 1.\n", wrong);
  return wrong ? 1 : 0;
}

#endif
