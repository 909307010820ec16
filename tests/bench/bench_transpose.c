/* bench_transpose.c: B = A.' on the device, ours beside cuBLAS's geam and two
   simpler kernels, and in place: milliseconds and wrong elements, in one run
   and on the same data.

     bench_transpose [--csv FILE]

   The limit is a copy of the same array.  Every element of every result is
   compared.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cublas_v2.h>

#include "bench.h"
#include "transpose_ladder.h"

enum
{
  RUNS = 5,
  WARM_UP = 2,
  PAGE_BYTES = 1 << 29 /* of all pages */
};

static const gpu_type types[]
  = { GPU_DOUBLE, GPU_SINGLE, GPU_CDOUBLE, GPU_INT8 };

static const struct
{
  ptrdiff_t m, n;
  int types; /* the first of them */
  bool in_place;
} shapes[] = {
  { 8192, 8192, 4, false },   { 16384, 16384, 3, false },
  { 16383, 16381, 3, false }, { 3, 100000000, 3, false },
  { 100000000, 3, 3, false }, { 1000000, 100, 3, false },
  { 16384, 16384, 3, true },  { 16383, 16383, 3, true },
};
static const ptrdiff_t page_sizes[]
  = { 2, 3, 4, 5, 8, 13, 16, 24, 31, 32, 48, 64, 100, 127, 128 };

/* ---- the other transpositions ---- */

typedef struct
{
  cublasHandle_t blas;
  cudaStream_t stream;
  cudaEvent_t from, to;
  __typeof__ (&cublasSgeam_64) sgeam;
  __typeof__ (&cublasDgeam_64) dgeam;
  __typeof__ (&cublasZgeam_64) zgeam;
} peer;

static void
cuda_check (cudaError_t status)
{
  if (status == cudaSuccess)
    return;
  fprintf (stderr, "benchmark: %s\n", cudaGetErrorString (status));
  exit (1);
}

/* The stream, and cuBLAS if it is there.  */
static void
peer_open (peer *v)
{
  __typeof__ (&cublasCreate_v2) create = NULL;
  __typeof__ (&cublasSetStream_v2) set_stream = NULL;
  void *library = open_library (GPULINALG_CUBLAS_SONAME);
  memset (v, 0, sizeof *v);
  cuda_check (cudaStreamCreateWithFlags (&v->stream, cudaStreamNonBlocking));
  cuda_check (cudaEventCreate (&v->from));
  cuda_check (cudaEventCreate (&v->to));
  if (!library)
    return;
  *(void **) &create = dlsym (library, "cublasCreate_v2");
  *(void **) &set_stream = dlsym (library, "cublasSetStream_v2");
  *(void **) &v->sgeam = dlsym (library, "cublasSgeam_64");
  *(void **) &v->dgeam = dlsym (library, "cublasDgeam_64");
  *(void **) &v->zgeam = dlsym (library, "cublasZgeam_64");
  if (!create || !set_stream || !v->sgeam || !v->dgeam || !v->zgeam
      || create (&v->blas) != CUBLAS_STATUS_SUCCESS
      || set_stream (v->blas, v->stream) != CUBLAS_STATUS_SUCCESS)
    v->blas = NULL;
}

typedef enum
{
  COPY,
  NAIVE,
  TILE,
  GEAM
} rung;

static bool
run (peer *v, rung which, gpu_mat A, gpu_mat B)
{
  const float one = 1, zero = 0;
  const double one_d[2] = { 1, 0 }, zero_d[2] = { 0, 0 };
  size_t size = gpu_type_size (A.type);
  size_t bytes = (size_t) (A.m * A.n * A.pages) * size;
  switch (which)
    {
    case COPY:
      return cudaMemcpyAsync (B.p, A.p, bytes, cudaMemcpyDeviceToDevice,
                              v->stream)
             == cudaSuccess;
    case NAIVE:
      return ladder_naive (v->stream, size, A.p, B.p, A.m, A.n) == cudaSuccess;
    case TILE:
      return ladder_tile (v->stream, size, A.p, B.p, A.m, A.n) == cudaSuccess;
    case GEAM:
      break;
    }
  if (!v->blas)
    return false;
  switch (A.type)
    {
    case GPU_SINGLE:
      return v->sgeam (v->blas, CUBLAS_OP_T, CUBLAS_OP_N, A.n, A.m, &one, A.p,
                       A.m, &zero, B.p, A.n, B.p, A.n)
             == CUBLAS_STATUS_SUCCESS;
    case GPU_DOUBLE:
      return v->dgeam (v->blas, CUBLAS_OP_T, CUBLAS_OP_N, A.n, A.m, one_d, A.p,
                       A.m, zero_d, B.p, A.n, B.p, A.n)
             == CUBLAS_STATUS_SUCCESS;
    case GPU_CDOUBLE:
      return v->zgeam (v->blas, CUBLAS_OP_T, CUBLAS_OP_N, A.n, A.m,
                       (const cuDoubleComplex *) one_d, A.p, A.m,
                       (const cuDoubleComplex *) zero_d, B.p, A.n, B.p, A.n)
             == CUBLAS_STATUS_SUCCESS;
    default:
      return false;
    }
}

/* ---- one measurement ---- */

typedef struct
{
  double ms, errors;
} result;

/* Wrong elements of B = A.'  */
static double
errors (peer *v, gpu_mat A, gpu_mat B)
{
  uint64_t bad = 0;
  cuda_check (ladder_errors (v->stream, gpu_type_size (A.type), B.p, A.m, A.n,
                             A.pages, &bad));
  return (double) bad;
}

static void
fill (peer *v, gpu_mat A)
{
  cuda_check (
    ladder_fill (v->stream, gpu_type_size (A.type), A.p, A.m * A.n * A.pages));
  cuda_check (cudaStreamSynchronize (v->stream));
}

static void
spoil (peer *v, gpu_mat A)
{
  size_t bytes = (size_t) (A.m * A.n * A.pages) * gpu_type_size (A.type);
  cuda_check (cudaMemsetAsync (A.p, 0xff, bytes, v->stream));
  cuda_check (cudaStreamSynchronize (v->stream));
}

static result
measure (gpu_ctx *g, peer *v, gpu_mat A, gpu_mat B)
{
  double ms[RUNS];
  result r = { NAN, NAN };
  if (A.p != B.p)
    spoil (v, B);
  for (int i = -WARM_UP; i < RUNS; i++)
    {
      double s;
      check (g, g->be->tic (g));
      check (g, gpu_transpose (g, gpu_transposed (A), B));
      check (g, g->be->seconds (g, &s));
      ms[i < 0 ? 0 : i] = 1e3 * s;
      /* In place, only the first finds what was filled in.  */
      if (i == -WARM_UP)
        r.errors = errors (v, A, B);
    }
  r.ms = median (ms, RUNS);
  if (A.p != B.p)
    r.errors = errors (v, A, B);
  return r;
}

static result
measure_peer (peer *v, rung which, gpu_mat A, gpu_mat B)
{
  double ms[RUNS];
  result r = { NAN, NAN };
  spoil (v, B);
  for (int i = -WARM_UP; i < RUNS; i++)
    {
      float time = 0;
      cuda_check (cudaEventRecord (v->from, v->stream));
      if (!run (v, which, A, B))
        return r;
      cuda_check (cudaEventRecord (v->to, v->stream));
      cuda_check (cudaEventSynchronize (v->to));
      cuda_check (cudaEventElapsedTime (&time, v->from, v->to));
      ms[i < 0 ? 0 : i] = (double) time;
    }
  r.ms = median (ms, RUNS);
  if (which != COPY)
    r.errors = errors (v, A, B);
  return r;
}

/* ---- the table ---- */

static const char *
class_name (gpu_type type)
{
  return type == GPU_INT8 ? "int8" : bench_class[type];
}

static void
write_line (FILE *csv, gpu_mat A, const char *name, const char *variant,
            result ours, result geam, double limit)
{
  if (!csv)
    return;
  fprintf (csv, "transpose,%s,%s,%s,%.4f,", class_name (A.type), name, variant,
           ours.ms);
  fputs (isnan (geam.ms) ? "," : "geam,", csv);
  print_number (csv, geam.ms, "%.4f", "");
  fprintf (csv, ",%.4f,%.0f,", limit, ours.errors);
  print_number (csv, geam.errors, "%.0f", "");
  fputc ('\n', csv);
}

/* One shape of one class.  Returns the number of wrong results.  */
static int
bench (gpu_ctx *g, peer *v, gpu_type type, ptrdiff_t m, ptrdiff_t n,
       ptrdiff_t pages, bool in_place, FILE *csv)
{
  gpu_mat A, B;
  char name[64], variant[64];
  result none = { NAN, NAN }, ours, naive = none, tile = none, geam = none;
  check (g, gpu_new (g, type, m, n, pages, &A));
  check (g, gpu_new (g, type, n, m, pages, &B));
  /* The memory is allocated in the order of the backend's stream.  */
  cuda_check (cudaDeviceSynchronize ());
  if (pages > 1)
    {
      snprintf (name, sizeof name, "%td", n);
      snprintf (variant, sizeof variant, "%td pages", pages);
    }
  else
    {
      snprintf (name, sizeof name, "%tdx%td", m, n);
      strcpy (variant, in_place ? "in place" : "tuned");
    }

  fill (v, A);
  result copy = measure_peer (v, COPY, A, B);
  if (!in_place && pages == 1)
    {
      naive = measure_peer (v, NAIVE, A, B);
      tile = measure_peer (v, TILE, A, B);
      geam = measure_peer (v, GEAM, A, B);
    }
  ours = measure (g, v, A, in_place ? A : B);

  double bytes = 2. * (double) (m * n * pages) * (double) gpu_type_size (type);
  printf ("%-15s %-8s %-16s %9.3f %6.0f %9.3f %5.1f ", name, class_name (type),
          variant, ours.ms, bytes / ours.ms / 1e6, copy.ms,
          100 * copy.ms / ours.ms);
  print_number (stdout, geam.ms, "%9.3f ", "        - ");
  print_number (stdout, tile.ms, "%9.3f ", "        - ");
  print_number (stdout, naive.ms, "%9.3f ", "        - ");
  printf ("%7.0f\n", ours.errors);
  fflush (stdout);

  write_line (csv, A, name, variant, ours, geam, copy.ms);
  if (!isnan (tile.ms))
    {
      write_line (csv, A, name, "tile", tile, geam, copy.ms);
      write_line (csv, A, name, "naive", naive, geam, copy.ms);
    }
  gpu_sweep (g);
  /* The simple kernels are ours too.  */
  return !(ours.errors == 0) + (tile.errors > 0) + (naive.errors > 0);
}

int
main (int argc, char **argv)
{
  FILE *csv = NULL;
  int wrong = 0;
  gpu_ctx g;
  peer v;

  if (argc == 3 && !strcmp (argv[1], "--csv"))
    csv = open_csv (argv[2]);
  else if (argc != 1)
    {
      fputs ("usage: bench_transpose [--csv FILE]\n", stderr);
      return 2;
    }
  check (&g, gpu_open (&g, "cuda"));
  peer_open (&v);
  print_device (&g);
  printf ("Transposition, median of %d runs; share: of the speed of a copy of "
          "the same array;\n"
          "tile, naive: a padded tile of shared memory, and none; errors: "
          "wrong elements.\n\n",
          RUNS);
  printf ("%-15s %-8s %-16s %9s %6s %9s %5s %9s %9s %9s %7s\n", "shape",
          "class", "variant", "ours ms", "GB/s", "copy ms", "%", "geam",
          "tile", "naive", "errors");

  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int t = 0; t < shapes[i].types; t++)
      wrong += bench (&g, &v, types[t], shapes[i].m, shapes[i].n, 1,
                      shapes[i].in_place, csv);
  for (size_t i = 0; i < sizeof page_sizes / sizeof *page_sizes; i++)
    for (int t = 0; t < 3; t++)
      {
        ptrdiff_t n = page_sizes[i];
        ptrdiff_t size = n * n * (ptrdiff_t) gpu_type_size (types[t]);
        wrong
          += bench (&g, &v, types[t], n, n, PAGE_BYTES / size | 1, false, csv);
      }
  gpu_close (&g);
  if (csv && fclose (csv) != 0)
    {
      fputs ("benchmark: the CSV file is incomplete\n", stderr);
      return 1;
    }
  if (wrong)
    printf ("\n%d results are wrong.\n", wrong);
  return wrong ? 1 : 0;
}
