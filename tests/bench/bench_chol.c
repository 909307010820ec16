/* bench_chol.c: the Cholesky factorization of one matrix on the device, ours
   beside cuSOLVER's and a blocked iterative one: milliseconds and residuals,
   in one run and on the same data.

     bench_chol [--csv FILE] [--min N] [--max N] [--backend cuda|host]

   The matrices are covariances of random points in a cube: the product of
   exp (-|s - t|) over the three coordinates, plus some noise.  The time of a
   call includes its allocations and the clearing of the other triangle; what
   limits it is n^3/3 multiplications and additions at the rate that the
   matrix product reached in the same run.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <float.h>

#include "bench_peer.h"
#include "chol_iterative.h"

enum
{
  RUNS = 5,
  WARM_UP = 2,
  LOOP_MOST = 8192,    /* rows for the iterative one */
  OTHERS_LEAST = 1024, /* rows for other precisions */
  RANK = 32,           /* of matrices that are only timed */
  GEMM_SIZE = 8192
};

static const ptrdiff_t sizes[]
  = { 128, 256, 512, 1024, 2048, 4095, 4096, 4097, 5000, 8192, 16384, 32768 };

/* ---- one measurement ---- */

typedef struct
{
  ptrdiff_t n;
  gpu_type type;
  gpu_mat A0, A, info; /* the matrix, the place to work, and its info */
  gpu_mat E, R;        /* double: for the residual */
  double *exact;       /* A0 on the host, rounded to its type */
  void *buffer;        /* n x n double on the host */
} problem;

typedef struct
{
  double ms, residual;
} result;

static double
norm (const double *x, size_t count)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += x[i] * x[i];
  return sqrt (sum);
}

/* |A - R'*R| / (n * eps * |A|) in double precision; R upper in the view
   A.  Infinite if a pivot failed.  */
static double
residual (gpu_ctx *g, problem *p, gpu_op op)
{
  size_t count = (size_t) (p->n * p->n);
  double eps = p->type == GPU_SINGLE ? FLT_EPSILON : DBL_EPSILON;
  int64_t bad;
  gpu_mat R = p->A;
  check (g, g->be->get (g, p->info, &bad));
  if (bad != 0)
    return INFINITY;
  if (p->type == GPU_SINGLE)
    {
      /* From the end, so that both fit the same place.  */
      double *wide = p->buffer;
      check (g, g->be->get (g, p->A, p->buffer));
      for (size_t i = count; i-- > 0;)
        {
          float narrow;
          memcpy (&narrow, (char *) p->buffer + i * sizeof narrow,
                  sizeof narrow);
          wide[i] = narrow;
        }
      check (g, g->be->put (g, wide, p->R));
      R = p->R;
    }
  R = op == GPU_C ? gpu_adjoint (R) : R;
  check (g, g->be->put (g, p->exact, p->E));
  check (g, gpu_gemm (g, -1, gpu_adjoint (R), R, 1, p->E));
  check (g, g->be->get (g, p->E, p->buffer));
  return norm (p->buffer, count)
         / ((double) p->n * eps * norm (p->exact, count));
}

typedef gpu_status (*factorization) (gpu_ctx *, gpu_precision, gpu_mat,
                                     gpu_mat);

static double
milliseconds (gpu_ctx *g, problem *p, gpu_op op, factorization factor,
              gpu_precision precision)
{
  gpu_mat A = op == GPU_C ? gpu_adjoint (p->A) : p->A;
  double seconds[RUNS];
  for (int run = -WARM_UP; run < RUNS; run++)
    {
      double s;
      check (g, g->be->copy (g, p->A0, p->A));
      check (g, g->be->tic (g));
      check (g, factor (g, precision, A, p->info));
      check (g, g->be->seconds (g, &s));
      seconds[run < 0 ? 0 : run] = s;
    }
  return 1e3 * median (seconds, RUNS);
}

static result
measure (gpu_ctx *g, problem *p, gpu_op op, factorization factor,
         gpu_precision precision)
{
  result r;
  r.ms = milliseconds (g, p, op, factor, precision);
  r.residual = residual (g, p, op);
  return r;
}

/* The same with cuSOLVER, NaN if it fails.  */
static double
milliseconds_peer (gpu_ctx *g, problem *p, gpu_op op, peer *s)
{
  cudaDataType type = peer_types[p->type];
  cublasFillMode_t uplo
    = op == GPU_C ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  double seconds[RUNS];
  bool good = true;
  peer_work w;

  if (s->potrf_size (s->handle, NULL, uplo, p->n, type, p->A.p, p->n, type,
                     &w.device_bytes, &w.host_bytes)
        != CUSOLVER_STATUS_SUCCESS
      || !peer_allocate (&w))
    return NAN;
  for (int run = -WARM_UP; run < RUNS; run++)
    {
      check (g, g->be->copy (g, p->A0, p->A));
      peer_tic (s);
      if (s->potrf (s->handle, NULL, uplo, p->n, type, p->A.p, p->n, type,
                    w.device, w.device_bytes, w.host, w.host_bytes, w.info)
          != CUSOLVER_STATUS_SUCCESS)
        good = false;
      seconds[run < 0 ? 0 : run] = peer_toc (s);
    }
  return peer_free (&w) && good ? 1e3 * median (seconds, RUNS) : NAN;
}

static result
measure_peer (gpu_ctx *g, problem *p, gpu_op op, peer *s)
{
  result r = { milliseconds_peer (g, p, op, s), NAN };
  if (isnan (r.ms))
    return r;
  check (g, g->be->triu (g, op == GPU_C ? gpu_adjoint (p->A) : p->A));
  check (g, g->be->zero (g, p->info));
  r.residual = residual (g, p, op);
  return r;
}

/* Multiplications and additions per second of the product of two n x n
   matrices.  */
static double
gemm_rate (gpu_ctx *g, gpu_type type, ptrdiff_t n)
{
  gpu_mat A, B, C;
  double seconds[RUNS];
  size_t count = (size_t) (n * n);
  size_t bytes = count * gpu_type_size (type);
  void *x = host_memory (bytes);
  for (size_t i = 0; i < count; i++)
    if (type == GPU_SINGLE)
      ((float *) x)[i] = (float) rand () / (float) RAND_MAX - 0.5f;
    else
      ((double *) x)[i] = (double) rand () / RAND_MAX - 0.5;
  check (g, gpu_new (g, type, n, n, 1, &A));
  check (g, gpu_new (g, type, n, n, 1, &B));
  check (g, gpu_new (g, type, n, n, 1, &C));
  check (g, g->be->put (g, x, A));
  check (g, g->be->put (g, x, B));
  for (int run = -WARM_UP; run < RUNS; run++)
    {
      double s;
      check (g, g->be->tic (g));
      check (g, gpu_gemm (g, 1, A, B, 0, C));
      check (g, g->be->seconds (g, &s));
      seconds[run < 0 ? 0 : run] = s;
    }
  free (x);
  gpu_sweep (g);
  return 2 * pow ((double) n, 3) / median (seconds, RUNS);
}

/* ---- the data ---- */

/* exp (-|s - t|) is the smaller of e(s)/e(t) and e(t)/e(s).  */
static void
make_matrix (double *A, ptrdiff_t n)
{
  double *e = host_memory ((size_t) n * 6 * sizeof *e);
  for (ptrdiff_t i = 0; i < n; i++)
    for (int d = 0; d < 3; d++)
      {
        e[6 * i + d] = exp (4.0 * rand () / RAND_MAX);
        e[6 * i + 3 + d] = 1 / e[6 * i + d];
      }
  for (ptrdiff_t j = 0; j < n; j++)
    {
      const double *t = e + 6 * j;
      for (ptrdiff_t i = 0; i < n; i++)
        {
          const double *s = e + 6 * i;
          double a = i == j ? 1.01 : 1;
          for (int d = 0; d < 3 && i != j; d++)
            {
              double x = s[d] * t[3 + d], y = t[d] * s[3 + d];
              a *= x < y ? x : y;
            }
          A[i + j * n] = a;
        }
    }
  free (e);
}

static void
make_problem (gpu_ctx *g, problem *p, gpu_type type, ptrdiff_t n,
              double *exact, void *buffer)
{
  size_t count = (size_t) (n * n);
  memset (p, 0, sizeof *p);
  p->n = n;
  p->type = type;
  p->exact = exact;
  p->buffer = buffer;
  check (g, gpu_new (g, type, n, n, 1, &p->A0));
  check (g, gpu_new (g, type, n, n, 1, &p->A));
  check (g, gpu_new (g, GPU_DOUBLE, n, n, 1, &p->E));
  check (g, gpu_new (g, GPU_INT64, 1, 1, 1, &p->info));
  if (type == GPU_SINGLE)
    {
      float *single = buffer;
      check (g, gpu_new (g, GPU_DOUBLE, n, n, 1, &p->R));
      for (size_t i = 0; i < count; i++)
        exact[i] = single[i] = (float) exact[i];
      check (g, g->be->put (g, single, p->A0));
    }
  else
    check (g, g->be->put (g, exact, p->A0));
}

/* ---- the table ---- */

static void
write_line (FILE *csv, const problem *p, const char *variant, result ours,
            result theirs, double limit)
{
  write_csv (csv, "chol", p->type, p->n, variant, ours.ms, "cusolver",
             theirs.ms, limit, ours.residual, theirs.residual);
}

static gpu_status
chol_ours (gpu_ctx *g, gpu_precision precision, gpu_mat A, gpu_mat info)
{
  return gpu_chol (g, precision, A, A, info);
}

static gpu_status
chol_peer (gpu_ctx *g, gpu_precision precision, gpu_mat A, gpu_mat info)
{
  (void) precision;
  return chol_iterative (g, A, info);
}

static void
print_line (const problem *p, const char *name, result ours, result loop,
            result theirs, double limit)
{
  double flops = pow ((double) p->n, 3) / 3;
  printf ("%6td %-6s %-5s %9.3f %8.2f ", p->n, bench_class[p->type], name,
          ours.ms, flops / ours.ms / 1e9);
  print_number (stdout, loop.ms, "%9.3f", "        -");
  print_number (stdout, theirs.ms, " %9.3f", "         -");
  print_number (stdout, theirs.ms / ours.ms, " %7.2f", "       -");
  print_number (stdout, limit, " %9.3f  ", "         -  ");
  print_number (stdout, ours.residual, "%8.2g ", "       - ");
  print_number (stdout, loop.residual, "%8.2g ", "       - ");
  print_number (stdout, theirs.residual, "%8.2g\n", "       -\n");
  fflush (stdout);
}

static void
set_first (gpu_ctx *g, problem *p, double x)
{
  float single = (float) x;
  check (g, g->be->put (g, p->type == GPU_SINGLE ? (void *) &single : &x,
                        gpu_part (p->A0, 0, 0, 1, 1)));
}

/* The same with -1 for A(1,1): how long a failure takes.  */
static int
bench_failure (gpu_ctx *g, problem *p, FILE *csv)
{
  const result none = { NAN, NAN };
  set_first (g, p, -1);
  result ours = measure (g, p, GPU_C, chol_ours, GPU_FP32X3);
  set_first (g, p, p->exact[0]);
  int wrong = !isinf (ours.residual);
  ours.residual = NAN;
  print_line (p, "fails", ours, none, none, NAN);
  write_line (csv, p, "fails", ours, none, NAN);
  return wrong;
}

/* One matrix, both triangles, and the lower one in other precisions beside
   cuSOLVER's.  Returns the number of wrong results.  */
static int
bench (gpu_ctx *g, problem *p, peer *s, double rate, FILE *csv)
{
  static const gpu_op ops[] = { GPU_C, GPU_N };
  static const char *const names[] = { "lower", "upper" };
  static const struct
  {
    const char *name;
    gpu_type type;
    gpu_precision precision;
    double error; /* in n * eps */
  } others[] = { { "ieee", GPU_SINGLE, GPU_IEEE, 1 },
                 { "tf32", GPU_SINGLE, GPU_TF32, 10 },
                 { "fast", GPU_SINGLE, GPU_FP16, 10 },
                 { "mixed", GPU_DOUBLE, GPU_MIXED, 1e9 } };
  const result none = { NAN, NAN };
  const double limit = 1e3 * pow ((double) p->n, 3) / 3 / rate;
  result lower = none;
  int wrong = 0;
  for (int u = 0; u < 2; u++)
    {
      result ours = measure (g, p, ops[u], chol_ours, GPU_FP32X3);
      result loop = p->n <= LOOP_MOST
                      ? measure (g, p, ops[u], chol_peer, GPU_IEEE)
                      : none;
      result theirs = s ? measure_peer (g, p, ops[u], s) : none;
      print_line (p, names[u], ours, loop, theirs, limit);
      write_line (csv, p, names[u], ours, theirs, limit);
      if (u == 0)
        {
          lower = theirs;
          write_line (csv, p, "recursive", ours, theirs, limit);
          if (p->n <= LOOP_MOST)
            write_line (csv, p, "iterative", loop, theirs, limit);
        }
      wrong
        += !(ours.residual <= 1) + !(loop.residual <= 1 || isnan (loop.ms));
    }
  for (int i = 0; i < 4; i++)
    if (others[i].type == p->type && p->n >= OTHERS_LEAST)
      {
        result ours = measure (g, p, GPU_C, chol_ours, others[i].precision);
        print_line (p, others[i].name, ours, none, lower, limit);
        write_line (csv, p, others[i].name, ours, lower, limit);
        wrong += !(ours.residual <= others[i].error);
      }
  return wrong + (p->n >= OTHERS_LEAST ? bench_failure (g, p, csv) : 0);
}

/* An identity with a product of low rank, for times.  */
static problem
make_plain (gpu_ctx *g, gpu_type type, ptrdiff_t n)
{
  problem p = { .n = n, .type = type };
  gpu_mat X = random_matrix (g, type, n, RANK);
  check (g, gpu_new (g, type, n, n, 1, &p.A0));
  check (g, gpu_new (g, type, n, n, 1, &p.A));
  check (g, gpu_new (g, GPU_INT64, 1, 1, 1, &p.info));
  check (g, g->be->eye (g, p.A0));
  check (g, gpu_gemm (g, 1, X, gpu_adjoint (X), 1, p.A0));
  return p;
}

static double
time_near (gpu_ctx *g, gpu_type type, ptrdiff_t n)
{
  problem p = make_plain (g, type, n);
  double ms = milliseconds (g, &p, GPU_N, chol_ours, GPU_FP32X3);
  gpu_sweep (g);
  return ms;
}

/* The residual of a lower factor, on the device; Infinite if a pivot
   failed.  */
static double
device_residual (gpu_ctx *g, problem *p)
{
  double eps = p->type == GPU_CSINGLE ? FLT_EPSILON : DBL_EPSILON;
  int64_t bad;
  gpu_mat L, E;
  check (g, g->be->get (g, p->info, &bad));
  if (bad != 0)
    return INFINITY;
  check (g, g->be->triu (g, gpu_adjoint (p->A)));
  check (g, gpu_cast (g, p->A, GPU_CDOUBLE, &L));
  check (g, gpu_cast (g, p->A0, GPU_CDOUBLE, &E));
  const double scale = (double) p->n * eps * device_norm (g, E);
  check (g, gpu_gemm (g, -1, L, gpu_adjoint (L), 1, E));
  const double error = device_norm (g, E) / scale;
  gpu_free (g, L);
  gpu_free (g, E);
  return error;
}

static int
bench_complex (gpu_ctx *g, peer *s, ptrdiff_t min, ptrdiff_t max, FILE *csv)
{
  static const ptrdiff_t rows[]
    = { 128, 256, 512, 1024, 2048, 4096, 5000, 8192 };
  int wrong = 0;
  puts ("\nComplex matrices, lower factor.\n\n"
        "     n class     ours ms  TFLOP/s  cuSOLVER   ratio    error "
        "cuSOLVER");
  for (int t = GPU_CDOUBLE; t >= GPU_CSINGLE; t--)
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      {
        ptrdiff_t n = rows[i];
        result theirs = { NAN, NAN }, ours;
        if (n < min || n > max)
          continue;
        problem p = make_plain (g, (gpu_type) t, n);
        ours.ms = milliseconds (g, &p, GPU_C, chol_ours, GPU_FP32X3);
        ours.residual = device_residual (g, &p);
        if (s)
          theirs.ms = milliseconds_peer (g, &p, GPU_C, s);
        if (!isnan (theirs.ms))
          theirs.residual = device_residual (g, &p);
        printf ("%6td %-7s %9.3f %8.2f ", n, bench_class[t], ours.ms,
                4 * pow ((double) n, 3) / 3 / ours.ms / 1e9);
        print_number (stdout, theirs.ms, "%9.3f ", "        - ");
        print_number (stdout, theirs.ms / ours.ms, "%7.2f ", "      - ");
        print_number (stdout, ours.residual, "%8.2g ", "       - ");
        print_number (stdout, theirs.residual, "%8.2g\n", "       -\n");
        fflush (stdout);
        write_csv (csv, "chol_complex", (gpu_type) t, n, "lower", ours.ms,
                   "cusolver", theirs.ms, NAN, ours.residual, theirs.residual);
        wrong += !(ours.residual <= 1);
        gpu_sweep (g);
      }
  return wrong;
}

/* Where another way begins, one row more should not cost much.  */
static void
bench_steps (gpu_ctx *g, ptrdiff_t min, ptrdiff_t max)
{
  static const ptrdiff_t ends[] = { 128, 896, 1920, 2048, 8192, 12288 };
  puts (
    "\nMatrices of n - 1, n and n + 1 rows where another way begins, ms;\n"
    "step: the largest ratio of neighbours, which should be at most 1.3.\n\n"
    "     n class      n - 1         n     n + 1   step");
  for (int t = GPU_DOUBLE; t >= GPU_SINGLE; t--)
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
      {
        double ms[3], step = 1;
        if (ends[i] < min || ends[i] > max)
          continue;
        for (int k = 0; k < 3; k++)
          ms[k] = time_near (g, (gpu_type) t, ends[i] - 1 + k);
        for (int k = 0; k < 2; k++)
          step = fmax (step, fmax (ms[k + 1] / ms[k], ms[k] / ms[k + 1]));
        printf ("%6td %-6s %9.3f %9.3f %9.3f %6.2f\n", ends[i], bench_class[t],
                ms[0], ms[1], ms[2], step);
        fflush (stdout);
      }
}

int
main (int argc, char **argv)
{
  static const gpu_type types[] = { GPU_DOUBLE, GPU_SINGLE };
  const char *backend = "cuda";
  ptrdiff_t min = 0, max = 16384;
  FILE *csv = NULL;
  int wrong = 0;
  double rate[2];
  gpu_ctx g;
  peer s;

  if (!take_sizes (argc, argv, "bench_chol", &csv, &min, &max, &backend))
    return 2;
  srand (1);
  check (&g, gpu_open (&g, backend));
  bool have_peer = !g.be->host_memory && peer_open (&s);
  for (int t = 0; t < 2; t++)
    rate[t] = gemm_rate (&g, types[t], max < GEMM_SIZE ? max : GEMM_SIZE);

  print_device (&g);
  printf ("Cholesky factorization of one matrix, median of %d runs.\n"
          "Leaf %td (double), %td (single); matrix product %.3g TFLOP/s "
          "(double), %.3g (single).\n"
          "ratio: cuSOLVER's time by ours; limit: the same work at the rate "
          "of the matrix product;\n"
          "errors: |A - R'*R| / (n * eps * |A|), Frobenius norm.\n\n",
          RUNS, gpu_tune (&g, GPU_DOUBLE).leaf, gpu_tune (&g, GPU_SINGLE).leaf,
          rate[0] / 1e12, rate[1] / 1e12);
  printf ("%6s %-6s %-5s %9s %8s %9s %9s %7s %9s  %8s %8s %8s\n", "n", "class",
          "uplo", "ours ms", "TFLOP/s", "iter. ms", "cuSOLVER", "ratio",
          "limit ms", "error", "iter.", "cuSOLVER");

  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= max; i++)
    {
      if (sizes[i] < min)
        continue;
      size_t bytes = (size_t) (sizes[i] * sizes[i]) * sizeof (double);
      double *exact = host_memory (bytes);
      void *buffer = host_memory (bytes);
      make_matrix (exact, sizes[i]);
      for (int t = 0; t < 2; t++)
        {
          problem p;
          make_problem (&g, &p, types[t], sizes[i], exact, buffer);
          wrong += bench (&g, &p, have_peer ? &s : NULL, rate[t], csv);
          gpu_sweep (&g);
        }
      free (exact);
      free (buffer);
    }
  wrong += bench_complex (&g, have_peer ? &s : NULL, min, max, csv);
  if (!g.be->host_memory)
    bench_steps (&g, min, max);
  gpu_close (&g);
  return finish (csv, wrong);
}
