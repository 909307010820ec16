/* bench_lu.c: the LU factorization of one matrix on the device, determinants,
   inverses and solutions by it, and solutions by the Cholesky factor of a
   positive definite one, ours beside cuSOLVER's: milliseconds and residuals,
   in one run and on the same data.

     bench_lu [--csv FILE] [--min N] [--max N]

   The matrices are random (normal), G, or definite, G * G' / n + I / 10.  The
   time of a call includes its allocations, and of a solution the estimate of
   the condition.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <float.h>

#include "bench_peer.h"

enum
{
  RUNS = 5,
  WARM_UP = 2,
  WIDE = 100,           /* right-hand sides */
  DEFINITE_LEAST = 4096 /* rows of definite matrices */
};

typedef struct
{
  ptrdiff_t n;
  gpu_type type;
  bool definite;
  gpu_mat A0, A, X; /* the matrix, its factors, a result */
  gpu_mat piv, info, number, sign;
  gpu_mat B0, B; /* right-hand sides */
} problem;

typedef struct
{
  double ms, error;
} result;

static problem
make_problem (gpu_ctx *g, gpu_type type, ptrdiff_t n)
{
  problem p = { .n = n, .type = type };
  p.A0 = random_matrix (g, type, n, n);
  p.B0 = random_matrix (g, type, n, WIDE);
  check (g, gpu_new (g, type, n, n, 1, &p.A));
  check (g, gpu_new (g, type, n, n, 1, &p.X));
  check (g, gpu_new (g, type, n, WIDE, 1, &p.B));
  check (g, gpu_new (g, GPU_INT64, n, 1, 1, &p.piv));
  check (g, gpu_new (g, GPU_INT64, 1, 1, 1, &p.info));
  check (g, gpu_new (g, gpu_real_type (type), 1, 1, 1, &p.number));
  check (g, gpu_new (g, type, 1, 1, 1, &p.sign));
  return p;
}

/* A0 = A0 * A0' / n + I / 10.  */
static void
make_definite (gpu_ctx *g, problem *p)
{
  const gpu_operand tenth = gpu_number (p->type, 0.1, 0);
  gpu_mat G;
  check (g, gpu_new (g, p->type, p->n, p->n, 1, &G));
  check (g, g->be->copy (g, p->A0, G));
  check (g, g->be->eye (g, p->A0));
  check (g,
         g->be->map (g, GPU_TIMES, (gpu_operand){ .A = p->A0 }, tenth, p->A0));
  check (g, gpu_gemm (g, 1 / (double) p->n, G, gpu_adjoint (G), 1, p->A0));
  /* Hermitian to the last bit.  */
  check (g, g->be->mirror (g, p->A0));
  gpu_free (g, G);
  p->definite = true;
}

/* ---- what is measured ---- */

static gpu_status
lu_ours (gpu_ctx *g, problem *p)
{
  return gpu_lu (g, p->A, p->piv, p->info);
}
static gpu_status
det_ours (gpu_ctx *g, problem *p)
{
  return gpu_det (g, p->A0, p->number, p->sign);
}
static gpu_status
inv_ours (gpu_ctx *g, problem *p)
{
  return gpu_inv (g, p->A0, p->X, p->number);
}
static gpu_status
solve_ours (gpu_ctx *g, problem *p)
{
  double rcond, work;
  return gpu_solve (g, p->A0, p->B, &rcond, &work, NULL);
}
static gpu_status
mixed_ours (gpu_ctx *g, problem *p)
{
  double rcond, work;
  gpu_solution how;
  return gpu_solve (g, p->A0, p->B, &rcond, &work, &how);
}

typedef struct
{
  const char *name;
  gpu_status (*ours) (gpu_ctx *, problem *);
  ptrdiff_t right; /* of a solution: right-hand sides, -1 for an identity */
  bool definite;
} operation;

static const operation operations[]
  = { { "lu", lu_ours, 0, false },
      { "det", det_ours, 0, false },
      { "inv", inv_ours, -1, false },
      { "solve_1", solve_ours, 1, false },
      { "mixed_1", mixed_ours, 1, false },
      { "solve_100", solve_ours, WIDE, false },
      { "spd_1", solve_ours, 1, true },
      { "spd_mixed_1", mixed_ours, 1, true } };

static gpu_mat
right_side (const problem *p, gpu_mat B, ptrdiff_t columns)
{
  return columns < 0 ? p->X : gpu_part (B, 0, 0, p->n, columns);
}

/* The data of a run.  */
static void
begin (gpu_ctx *g, problem *p, ptrdiff_t right)
{
  check (g, g->be->copy (g, p->A0, p->A));
  if (right > 0)
    check (g, g->be->copy (g, p->B0, p->B));
  else if (right < 0)
    check (g, g->be->eye (g, p->X));
}

static double
milliseconds (gpu_ctx *g, problem *p, const operation *o)
{
  problem q = *p;
  double seconds[RUNS];
  if (o->right > 0)
    q.B = right_side (p, p->B, o->right);
  for (int run = -WARM_UP; run < RUNS; run++)
    {
      double s;
      begin (g, p, o->right);
      check (g, g->be->tic (g));
      check (g, o->ours (g, &q));
      check (g, g->be->seconds (g, &s));
      seconds[run < 0 ? 0 : run] = s;
    }
  return 1e3 * median (seconds, RUNS);
}

/* What cuSOLVER takes for the factor and the solution.  */
static bool
peer_runs (problem *p, const operation *o, peer *s, peer_work *w)
{
  const cudaDataType type = peer_types[p->type];
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  const ptrdiff_t n = p->n;
  const gpu_mat B = right_side (p, p->B, o->right);
  int64_t *piv = p->piv.p;
  if (p->definite)
    return s->potrf (s->handle, NULL, lower, n, type, p->A.p, n, type,
                     w->device, w->device_bytes, w->host, w->host_bytes,
                     w->info)
             == CUSOLVER_STATUS_SUCCESS
           && s->potrs (s->handle, NULL, lower, n, B.n, type, p->A.p, n, type,
                        B.p, n, w->info)
                == CUSOLVER_STATUS_SUCCESS;
  return s->getrf (s->handle, NULL, n, n, type, p->A.p, n, piv, type,
                   w->device, w->device_bytes, w->host, w->host_bytes, w->info)
           == CUSOLVER_STATUS_SUCCESS
         && (o->right == 0
             || s->getrs (s->handle, NULL, CUBLAS_OP_N, n, B.n, type, p->A.p,
                          n, piv, type, B.p, n, w->info)
                  == CUSOLVER_STATUS_SUCCESS);
}

static bool
peer_sizes (const problem *p, peer *s, peer_work *w)
{
  const cudaDataType type = peer_types[p->type];
  const ptrdiff_t n = p->n;
  return (p->definite
            ? s->potrf_size (s->handle, NULL, CUBLAS_FILL_MODE_LOWER, n, type,
                             p->A.p, n, type, &w->device_bytes, &w->host_bytes)
            : s->getrf_size (s->handle, NULL, n, n, type, p->A.p, n, type,
                             &w->device_bytes, &w->host_bytes))
         == CUSOLVER_STATUS_SUCCESS;
}

/* The same with cuSOLVER, NaN if it fails.  */
static double
milliseconds_peer (gpu_ctx *g, problem *p, const operation *o, peer *s)
{
  double seconds[RUNS];
  bool good = true;
  peer_work w;
  if (!peer_sizes (p, s, &w) || !peer_allocate (&w))
    return NAN;
  for (int run = -WARM_UP; run < RUNS; run++)
    {
      begin (g, p, o->right);
      peer_tic (s);
      good &= peer_runs (p, o, s, &w);
      seconds[run < 0 ? 0 : run] = peer_toc (s);
    }
  return peer_free (&w) && good ? 1e3 * median (seconds, RUNS) : NAN;
}

/* ---- residuals, in double precision, in n * eps ---- */

static gpu_mat
wide (gpu_ctx *g, gpu_mat A)
{
  gpu_mat W;
  check (g, gpu_cast (g, A, gpu_is_complex (A.type) ? GPU_CDOUBLE : GPU_DOUBLE,
                      &W));
  return W;
}

/* |A - P' * L * U| / |A|, from the factors in p->A, or |A * X - B| / (|A| *
   |X|).  */
static double
residual (gpu_ctx *g, problem *p, ptrdiff_t right)
{
  const double eps
    = gpu_real_type (p->type) == GPU_SINGLE ? FLT_EPSILON : DBL_EPSILON;
  gpu_mat A = wide (g, p->A0), E, L, U;
  double scale = (double) p->n * eps * device_norm (g, A), error;
  if (right)
    {
      U = wide (g, right_side (p, p->B, right));
      L = wide (g, right_side (p, p->B0, right));
      if (right < 0)
        check (g, g->be->eye (g, L));
      scale *= device_norm (g, U);
      E = L;
      check (g, gpu_gemm (g, -1, A, U, 1, E));
    }
  else
    {
      gpu_mat l, u;
      check (g, gpu_new (g, p->type, p->n, p->n, 1, &l));
      check (g, gpu_new (g, p->type, p->n, p->n, 1, &u));
      check (g, gpu_lu_factors (g, p->A, p->piv, true, l, u));
      L = wide (g, l);
      U = wide (g, u);
      E = A;
      check (g, gpu_gemm (g, -1, L, U, 1, E));
      gpu_free (g, l);
      gpu_free (g, u);
    }
  error = device_norm (g, E) / scale;
  gpu_free (g, A);
  gpu_free (g, L);
  gpu_free (g, U);
  return error;
}

/* ---- the table ---- */

static int
bench (gpu_ctx *g, problem *p, peer *s, FILE *csv)
{
  int wrong = 0;
  double factored = NAN;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    {
      const operation *o = &operations[i];
      const bool has_error = o->ours != det_ours;
      if (o->definite != p->definite)
        continue;
      result ours = { milliseconds (g, p, o), NAN }, theirs = { NAN, NAN };
      if (has_error)
        {
          ours.error = residual (g, p, o->right);
          wrong += !(ours.error <= 1);
        }
      if (s && has_error)
        theirs.ms = milliseconds_peer (g, p, o, s);
      if (!isnan (theirs.ms))
        theirs.error = residual (g, p, o->right);
      if (o->ours == lu_ours)
        factored = ours.ms;
      printf ("%6td %-7s %-11s %9.3f ", p->n, bench_class[p->type], o->name,
              ours.ms);
      print_number (stdout, ours.ms - factored, "%9.3f ", "        - ");
      print_number (stdout, theirs.ms, "%9.3f ", "        - ");
      print_number (stdout, theirs.ms / ours.ms, "%7.2f ", "      - ");
      print_number (stdout, ours.error, "%8.2g ", "       - ");
      print_number (stdout, theirs.error, "%8.2g\n", "       -\n");
      fflush (stdout);
      write_csv (csv, o->name, p->type, p->n, "one", ours.ms, "cusolver",
                 theirs.ms, NAN, ours.error, theirs.error);
    }
  return wrong;
}

int
main (int argc, char **argv)
{
  static const ptrdiff_t sizes[]
    = { 256, 512, 1024, 2048, 4095, 4096, 4097, 5000, 8192, 16384, 32768 };
  static const gpu_type types[]
    = { GPU_DOUBLE, GPU_SINGLE, GPU_CDOUBLE, GPU_CSINGLE };
  ptrdiff_t min = 0, max = 16384;
  FILE *csv = NULL;
  int wrong = 0;
  gpu_ctx g;
  peer s;

  if (!take_sizes (argc, argv, "bench_lu", &csv, &min, &max, NULL))
    return 2;
  check (&g, gpu_open (&g, "cuda"));
  bool have_peer = peer_open (&s);
  print_device (&g);
  printf (
    "LU factorization of one matrix, its determinant, inverse, and "
    "solutions, and those of a\npositive definite one (spd); median of %d "
    "runs.  beyond: what the operation takes "
    "beyond the factorization; ratio: cuSOLVER's time\nby ours; errors: "
    "|A - P'*L*U| / |A| or |A*X - B| / (|A| * |X|), in n * eps.\n\n",
    RUNS);
  printf ("%6s %-7s %-11s %9s %9s %9s %7s %8s %8s\n", "n", "class", "",
          "ours ms", "beyond", "cuSOLVER", "ratio", "error", "cuSOLVER");
  for (int t = 0; t < 4; t++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
      {
        const ptrdiff_t n = sizes[i];
        if (n < min || n > max
            || (gpu_is_complex (types[t]) && n != 1024 && n != 4096))
          continue;
        problem p = make_problem (&g, types[t], n);
        wrong += bench (&g, &p, have_peer ? &s : NULL, csv);
        if (n >= DEFINITE_LEAST && n % DEFINITE_LEAST == 0)
          {
            make_definite (&g, &p);
            wrong += bench (&g, &p, have_peer ? &s : NULL, csv);
          }
        gpu_sweep (&g);
      }
  gpu_close (&g);
  return finish (csv, wrong);
}
