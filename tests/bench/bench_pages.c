/* bench_pages.c: Cholesky factor, inverse and determinant of many small
   matrices on the device, ours beside the batched functions of cuBLAS and
   cuSOLVER, in one run and on the same data.

     bench_pages [--csv FILE] [--quick] [--op NAME,...] [--n N,...]
                 [--class NAME,...] [--backend cuda|host]

   Matrices of uniformly random elements; for Cholesky, Hermitian ones with a
   dominant diagonal.  The limit is a copy of what has to be read and written:
   the matrix and the result.  The error of some pages, in units of n * eps,
   against the host's long double:

     chol  |A - R'*R| / |A|                 largest column, 1-norm
     inv   |A*X - I| / (|A| * |X|)          likewise
     det   |log (d / det (A))| / cond (A)   as logdet gives it

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cublas_v2.h>
#include <cusolverDn.h>
#include <float.h>

#include "bench.h"

enum
{
  RUNS = 5,
  WARM_UP = 2,
  PEER_RUNS = 3,
  COLUMNS = 8,    /* checked of a page */
  CONDITION = 128 /* the largest page whose condition is computed */
};

static const ptrdiff_t all_sizes[]
  = { 2,   3,   4,   5,   6,   8,   9,   10,  11,  12,  13,  14,  15,   16, 17,
      20,  23,  24,  25,  28,  31,  32,  33,  40,  48,  57,  63,  64,   65, 96,
      100, 127, 128, 129, 160, 192, 256, 384, 511, 512, 513, 768, 1024, 0 };
static const ptrdiff_t complex_sizes[]
  = { 2, 3, 4, 6, 8, 9, 12, 16, 17, 24, 31, 32, 48, 64, 65, 128, 256, 0 };
static const ptrdiff_t quick_sizes[]
  = { 4, 8, 12, 16, 24, 32, 48, 64, 128, 512, 0 };
/* Where the vendor is measured, and the inverse without rcond.  */
static const ptrdiff_t peer_sizes[]
  = { 2, 4, 8, 12, 16, 24, 32, 64, 128, 256, 512, 1024, 0 };
static const ptrdiff_t plain_sizes[] = { 2, 4, 8, 16, 32, 64, 0 };
/* Pages and n of a contest, GPU MODE's: Cholesky factorizations.  */
static const ptrdiff_t contest[][2]
  = { { 4096, 32 }, { 1024, 64 }, { 256, 128 }, { 64, 256 },
      { 16, 512 },  { 640, 512 }, { 4, 1024 },  { 60, 1024 },
      { 2, 2048 },  { 8, 2048 },  { 2, 4096 } };

typedef enum
{
  CHOL,
  INV,
  INV_PLAIN, /* without rcond */
  DET
} operation;

static const char *const op_names[] = { "chol", "inv", "inv-", "det" };

static bool
is_in (const ptrdiff_t *list, ptrdiff_t n)
{
  while (*list && *list != n)
    list++;
  return *list != 0;
}

/* ---- the vendor's functions ---- */

typedef cublasStatus_t (*getrf_function) (cublasHandle_t, int, void **, int,
                                          int *, int *, int);
typedef cublasStatus_t (*getri_function) (cublasHandle_t, int, void **, int,
                                          int *, void **, int, int *, int);
typedef cublasStatus_t (*matinv_function) (cublasHandle_t, int, void **, int,
                                           void **, int, int *, int);
typedef cusolverStatus_t (*potrf_function) (cusolverDnHandle_t,
                                            cublasFillMode_t, int, void **,
                                            int, int *, int);

typedef struct
{
  cublasHandle_t blas;
  cusolverDnHandle_t solver;
  cudaStream_t stream;
  cudaEvent_t from, to;
  getrf_function getrf[4];
  getri_function getri[4];
  matinv_function matinv[4];
  potrf_function potrf[4];
} peer;

static void *
function_of (void *library, const char *pattern, int type)
{
  char name[64];
  snprintf (name, sizeof name, pattern, "SDCZ"[type]);
  return dlsym (library, name);
}

static bool
peer_open (peer *v)
{
  __typeof__ (&cublasCreate_v2) blas_create;
  __typeof__ (&cublasSetStream_v2) blas_stream;
  __typeof__ (&cusolverDnCreate) solver_create;
  __typeof__ (&cusolverDnSetStream) solver_stream;
  void *blas = open_library (GPULINALG_CUBLAS_SONAME), *solver;
  char name[64];

  memset (v, 0, sizeof *v);
  snprintf (name, sizeof name, "libcusolver.so.%d", CUSOLVER_VER_MAJOR);
  solver = open_library (name);
  if (!blas || !solver)
    return false;
  *(void **) &blas_create = dlsym (blas, "cublasCreate_v2");
  *(void **) &blas_stream = dlsym (blas, "cublasSetStream_v2");
  *(void **) &solver_create = dlsym (solver, "cusolverDnCreate");
  *(void **) &solver_stream = dlsym (solver, "cusolverDnSetStream");
  for (int t = 0; t < 4; t++)
    {
      *(void **) &v->getrf[t] = function_of (blas, "cublas%cgetrfBatched", t);
      *(void **) &v->getri[t] = function_of (blas, "cublas%cgetriBatched", t);
      *(void **) &v->matinv[t]
        = function_of (blas, "cublas%cmatinvBatched", t);
      *(void **) &v->potrf[t]
        = function_of (solver, "cusolverDn%cpotrfBatched", t);
      if (!v->getrf[t] || !v->getri[t] || !v->matinv[t] || !v->potrf[t])
        return false;
    }
  return blas_create && blas_stream && solver_create && solver_stream
         && cudaStreamCreateWithFlags (&v->stream, cudaStreamNonBlocking)
              == cudaSuccess
         && blas_create (&v->blas) == CUBLAS_STATUS_SUCCESS
         && blas_stream (v->blas, v->stream) == CUBLAS_STATUS_SUCCESS
         && solver_create (&v->solver) == CUSOLVER_STATUS_SUCCESS
         && solver_stream (v->solver, v->stream) == CUSOLVER_STATUS_SUCCESS
         && cudaEventCreate (&v->from) == cudaSuccess
         && cudaEventCreate (&v->to) == cudaSuccess;
}

/* ---- the data ---- */

typedef struct
{
  operation op;
  ptrdiff_t n, pages, distinct; /* page k is page k mod distinct */
  bool given;                   /* the number of pages is */
  gpu_type type;
  void *block;  /* the distinct pages on the host */
  gpu_mat A, X; /* X: the result, or as large as A */
  gpu_mat info, rcond, d, sign;
} problem;

static size_t
page_bytes (const problem *p)
{
  return (size_t) (p->n * p->n) * gpu_type_size (p->type);
}

/* xorshift64* in (-1, 1).  */
static double
uniform (void)
{
  static uint64_t x = 88172645463325252u;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  return (double) (int64_t) (x * 2685821657736338717u) * 0x1p-63;
}

typedef long double real;

typedef struct
{
  real re, im;
} number;

static number
element (gpu_type type, const void *p, ptrdiff_t i)
{
  number x = { 0, 0 };
  switch (type)
    {
    case GPU_SINGLE:
      x.re = ((const float *) p)[i];
      break;
    case GPU_DOUBLE:
      x.re = ((const double *) p)[i];
      break;
    case GPU_CSINGLE:
      x.re = ((const float *) p)[2 * i];
      x.im = ((const float *) p)[2 * i + 1];
      break;
    default:
      x.re = ((const double *) p)[2 * i];
      x.im = ((const double *) p)[2 * i + 1];
    }
  return x;
}

static void
set_element (gpu_type type, void *p, ptrdiff_t i, double re, double im)
{
  switch (type)
    {
    case GPU_SINGLE:
      ((float *) p)[i] = (float) re;
      break;
    case GPU_DOUBLE:
      ((double *) p)[i] = re;
      break;
    case GPU_CSINGLE:
      ((float *) p)[2 * i] = (float) re;
      ((float *) p)[2 * i + 1] = (float) im;
      break;
    default:
      ((double *) p)[2 * i] = re;
      ((double *) p)[2 * i + 1] = im;
    }
}

static void
make_page (const problem *p, void *x)
{
  const ptrdiff_t n = p->n;
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < (p->op == CHOL ? j + 1 : n); i++)
      {
        double re = uniform (), im = gpu_is_complex (p->type) ? uniform () : 0;
        if (p->op == CHOL && i == j)
          {
            re = 2 * (double) n;
            im = 0;
          }
        set_element (p->type, x, i + j * n, re, im);
        if (p->op == CHOL)
          set_element (p->type, x, j + i * n, re, -im);
      }
}

/* x, of FIRST elements, again and again through the storage of A.  */
static void
fill (gpu_ctx *g, gpu_mat A, ptrdiff_t first, const void *x)
{
  const ptrdiff_t count = A.m * A.n * A.pages;
  gpu_mat all = A;
  all.m = all.ld = all.step = count;
  all.n = all.pages = 1;
  check (g, g->be->put (g, x, gpu_part (all, 0, 0, first, 1)));
  for (ptrdiff_t done = first; done < count; done += first)
    {
      first = done < count - done ? done : count - done;
      check (g, g->be->copy (g, gpu_part (all, 0, 0, first, 1),
                             gpu_part (all, done, 0, first, 1)));
    }
}

static void
make_problem (gpu_ctx *g, problem *p, double bytes)
{
  const double block = 8e6;
  const gpu_type real_type = gpu_real_type (p->type);
  const ptrdiff_t n = p->n;
  const double page = (double) page_bytes (p);
  char nan[1024];

  if (!p->given)
    p->pages = bytes > page ? (ptrdiff_t) (bytes / page) : 1;
  p->distinct = block > page ? (ptrdiff_t) (block / page) : 1;
  if (p->distinct > p->pages)
    p->distinct = p->pages;
  p->block = host_memory ((size_t) p->distinct * page_bytes (p));
  for (ptrdiff_t k = 0; k < p->distinct; k++)
    make_page (p, (char *) p->block + (size_t) k * page_bytes (p));

  check (g, gpu_new (g, p->type, n, n, p->pages, &p->A));
  check (g, gpu_new (g, p->type, n, n, p->pages, &p->X));
  check (g, gpu_new (g, GPU_INT64, 1, 1, p->pages, &p->info));
  check (g, gpu_new (g, real_type, 1, 1, p->pages, &p->rcond));
  check (g, gpu_new (g, p->type, 1, 1, p->pages, &p->d));
  check (g, gpu_new (g, p->type, 1, 1, p->pages, &p->sign));
  fill (g, p->A, p->distinct * n * n, p->block);
  memset (nan, 0xff, sizeof nan);
  fill (g, p->X, n * n < 64 ? n * n : 64, nan);
  fill (g, p->d, 1, nan);
}

/* ---- errors ---- */

static real
modulus (number x)
{
  return hypotl (x.re, x.im);
}

static number
minus_product (number c, number a, number b)
{
  c.re -= a.re * b.re - a.im * b.im;
  c.im -= a.re * b.im + a.im * b.re;
  return c;
}

static number
quotient (number a, number b)
{
  const real d = b.re * b.re + b.im * b.im;
  return (number){ (a.re * b.re + a.im * b.im) / d,
                   (a.im * b.re - a.re * b.im) / d };
}

/* The 1-norm; NaN if A has one.  */
static real
norm (gpu_type type, const void *A, ptrdiff_t n)
{
  real largest = 0;
  for (ptrdiff_t j = 0; j < n; j++)
    {
      real sum = 0;
      for (ptrdiff_t i = 0; i < n; i++)
        sum += modulus (element (type, A, i + j * n));
      if (!(sum <= largest))
        largest = sum;
    }
  return largest;
}

/* Column j of A - R' * R above the diagonal, or of A * X - I.  */
static real
residual (const problem *p, const void *A, const void *X, ptrdiff_t j)
{
  const ptrdiff_t n = p->n;
  const bool chol = p->op == CHOL;
  real sum = 0;
  for (ptrdiff_t i = 0; i < (chol ? j + 1 : n); i++)
    {
      number r = { i == j ? 1 : 0, 0 };
      if (chol)
        r = element (p->type, A, i + j * n);
      for (ptrdiff_t k = 0; k < (chol ? i + 1 : n); k++)
        {
          number a
            = element (p->type, chol ? X : A, chol ? k + i * n : i + k * n);
          if (chol)
            a.im = -a.im;
          r = minus_product (r, a, element (p->type, X, k + j * n));
        }
      sum += modulus (r);
    }
  /* R is zero below the diagonal.  */
  for (ptrdiff_t i = j + 1; chol && i < n; i++)
    sum += modulus (element (p->type, X, i + j * n));
  return sum;
}

/* Gauss-Jordan elimination of a copy of A: log (abs (det (A))) and the sign;
   returns the condition, if the page is not too large for that.  */
static real
reference_det (const problem *p, const void *A, real *log_d, number *sign)
{
  const ptrdiff_t n = p->n;
  const bool invert = n <= CONDITION;
  number *x = host_memory ((size_t) (n * n) * sizeof *x);
  real anorm = norm (p->type, A, n), xnorm = 0;
  *log_d = 0;
  *sign = (number){ 1, 0 };
  for (ptrdiff_t j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < n; i++)
      x[j + i * n] = element (p->type, A, i + j * n);
  /* Rows of x are contiguous.  Their order is not restored: the norm of the
     inverse does not change by it.  */
  for (ptrdiff_t k = 0; k < n; k++)
    {
      ptrdiff_t best = k;
      for (ptrdiff_t i = k + 1; i < n; i++)
        if (modulus (x[k + i * n]) > modulus (x[k + best * n]))
          best = i;
      for (ptrdiff_t j = 0; j < n && best != k; j++)
        {
          number swap = x[j + k * n];
          x[j + k * n] = x[j + best * n];
          x[j + best * n] = swap;
        }
      const number pivot = x[k + k * n];
      const real size = modulus (pivot);
      const number unit = { pivot.re / size, pivot.im / size };
      const number zero = { 0, 0 };
      *log_d += logl (size);
      *sign = minus_product (zero, *sign, unit);
      if (best == k)
        *sign = (number){ -sign->re, -sign->im };
      x[k + k * n] = (number){ 1, 0 };
      for (ptrdiff_t j = 0; j < n; j++)
        x[j + k * n] = quotient (x[j + k * n], pivot);
      for (ptrdiff_t i = invert ? 0 : k + 1; i < n; i++)
        if (i != k)
          {
            const number f = x[k + i * n];
            x[k + i * n] = zero;
            if (gpu_is_complex (p->type))
              for (ptrdiff_t j = invert ? 0 : k; j < n; j++)
                x[j + i * n] = minus_product (x[j + i * n], f, x[j + k * n]);
            else
              for (ptrdiff_t j = invert ? 0 : k; j < n; j++)
                x[j + i * n].re -= f.re * x[j + k * n].re;
          }
    }
  for (ptrdiff_t j = 0; j < n && invert; j++)
    {
      real sum = 0;
      for (ptrdiff_t i = 0; i < n; i++)
        sum += modulus (x[j + i * n]);
      xnorm = sum > xnorm ? sum : xnorm;
    }
  free (x);
  return invert ? anorm * xnorm : (real) n;
}

static real
det_error (gpu_ctx *g, const problem *p, const void *A, ptrdiff_t k,
           gpu_mat log_d, gpu_mat sign)
{
  real exact;
  number exact_sign, d, s;
  double place[2];
  const real cond = reference_det (p, A, &exact, &exact_sign);
  check (g, g->be->get (g, gpu_page (log_d, k), place));
  d = element (log_d.type, place, 0);
  check (g, g->be->get (g, gpu_page (sign, k), place));
  s = element (sign.type, place, 0);
  s.re -= exact_sign.re;
  s.im -= exact_sign.im;
  real error = (fabsl (d.re - exact) + modulus (s)) / cond;
  /* The determinant itself, where it is a number of its type.  */
  check (g, g->be->get (g, gpu_page (p->d, k), place));
  d = element (p->type, place, 0);
  const bool single = gpu_type_size (gpu_real_type (p->type)) == 4;
  if (fabsl (exact) < (single ? 80 : 700))
    {
      d.re -= exact_sign.re * expl (exact);
      d.im -= exact_sign.im * expl (exact);
      error = fmaxl (error, modulus (d) / expl (exact) / cond);
      if (isnan (d.re))
        error = INFINITY;
    }
  return error;
}

/* In units; the largest of the first, the last and two pages between.  Of
   large pages only the last or these two.  */
static double
error_of (gpu_ctx *g, const problem *p)
{
  const bool single = gpu_type_size (gpu_real_type (p->type)) == 4;
  const real unit = (real) p->n * (single ? FLT_EPSILON : DBL_EPSILON);
  const int samples = p->n <= CONDITION ? 4 : p->op == DET ? 1 : 2;
  void *X = host_memory (page_bytes (p));
  gpu_mat log_d = p->rcond, sign = p->sign;
  real worst = 0;

  if (p->op == DET)
    check (g, gpu_det (g, p->A, log_d, sign));
  for (int q = 0; q < samples; q++)
    {
      const ptrdiff_t k
        = samples > 1 ? q * (p->pages - 1) / (samples - 1) : p->pages - 1;
      const void *A
        = (char *) p->block + (size_t) (k % p->distinct) * page_bytes (p);
      if (p->op == DET)
        {
          const real error = det_error (g, p, A, k, log_d, sign);
          worst = error <= worst ? worst : error;
          continue;
        }
      check (g, g->be->get (g, gpu_page (p->X, k), X));
      real scale = norm (p->type, A, p->n);
      if (p->op != CHOL)
        scale *= norm (p->type, X, p->n);
      for (int c = 0; c < COLUMNS; c++)
        {
          const ptrdiff_t j = c * (p->n - 1) / (COLUMNS - 1);
          const real error = residual (p, A, X, j) / scale;
          worst = error <= worst ? worst : error;
        }
    }
  free (X);
  return isnan (worst) ? INFINITY : (double) (worst / unit);
}

/* ---- times, in ms ---- */

static gpu_status
run_ours (gpu_ctx *g, const problem *p)
{
  gpu_mat none = p->rcond;
  none.p = NULL;
  switch (p->op)
    {
    case CHOL:
      return gpu_chol (g, GPU_FP32X3, p->A, p->X, p->info);
    case INV:
      return gpu_inv (g, p->A, p->X, p->rcond);
    case INV_PLAIN:
      return gpu_inv (g, p->A, p->X, none);
    default:
      none.type = p->type;
      return gpu_det (g, p->A, p->d, none);
    }
}

static double
measure (gpu_ctx *g, const problem *p)
{
  double ms[RUNS];
  for (int run = -WARM_UP; run < RUNS; run++)
    {
      double s;
      check (g, g->be->tic (g));
      check (g, run_ours (g, p));
      check (g, g->be->seconds (g, &s));
      ms[run < 0 ? 0 : run] = 1e3 * s;
    }
  return median (ms, RUNS);
}

/* Pointers to the pages of storage at x, on the device.  */
static void **
page_pointers (const problem *p, void *x)
{
  const size_t bytes = (size_t) p->pages * sizeof (void *);
  void **device = NULL, **host = host_memory (bytes);
  for (ptrdiff_t k = 0; k < p->pages; k++)
    host[k] = (char *) x + (size_t) k * page_bytes (p);
  if (cudaMalloc ((void **) &device, bytes) == cudaSuccess
      && cudaMemcpy (device, host, bytes, cudaMemcpyHostToDevice)
           != cudaSuccess)
    {
      cudaFree (device);
      device = NULL;
    }
  free (host);
  return device;
}

typedef struct
{
  void *W;           /* a copy of A to work in */
  void **w, **x;     /* pointers to the pages of W and X */
  int *pivots, *bad; /* n and one a page */
} workspace;

static bool
run_peer (const problem *p, const peer *v, const workspace *w, bool matinv)
{
  const int t = (int) p->type, n = (int) p->n, pages = (int) p->pages;
  if (p->op == CHOL)
    return v->potrf[t](v->solver, CUBLAS_FILL_MODE_LOWER, n, w->w, n, w->bad,
                       pages)
           == CUSOLVER_STATUS_SUCCESS;
  if (matinv)
    return v->matinv[t](v->blas, n, w->w, n, w->x, n, w->bad, pages)
           == CUBLAS_STATUS_SUCCESS;
  return v->getrf[t](v->blas, n, w->w, n, w->pivots, w->bad, pages)
           == CUBLAS_STATUS_SUCCESS
         && (p->op == DET
             || v->getri[t](v->blas, n, w->w, n, w->pivots, w->x, n, w->bad,
                            pages)
                  == CUBLAS_STATUS_SUCCESS);
}

static double
time_peer (const problem *p, const peer *v, const workspace *w, bool matinv)
{
  const size_t bytes = (size_t) p->pages * page_bytes (p);
  double ms[PEER_RUNS];
  for (int run = -1; run < PEER_RUNS; run++)
    {
      float t = 0;
      if (cudaMemcpyAsync (w->W, p->A.p, bytes, cudaMemcpyDeviceToDevice,
                           v->stream)
            != cudaSuccess
          || cudaEventRecord (v->from, v->stream) != cudaSuccess
          || !run_peer (p, v, w, matinv)
          || cudaEventRecord (v->to, v->stream) != cudaSuccess
          || cudaEventSynchronize (v->to) != cudaSuccess
          || cudaEventElapsedTime (&t, v->from, v->to) != cudaSuccess)
        return NAN;
      ms[run < 0 ? 0 : run] = (double) t;
    }
  return median (ms, PEER_RUNS);
}

/* The vendor's better way.  X and W are overwritten.  */
static double
measure_peer (gpu_ctx *g, const problem *p, const peer *v)
{
  const size_t pages = (size_t) p->pages, n = (size_t) p->n;
  workspace w = { 0 };
  gpu_mat W;
  double ms = NAN;

  check (g, gpu_new (g, p->type, p->n, p->n, p->pages, &W));
  cudaDeviceSynchronize ();
  w.W = W.p;
  w.w = page_pointers (p, w.W);
  w.x = page_pointers (p, p->X.p);
  if (w.w && w.x
      && cudaMalloc ((void **) &w.pivots, n * pages * sizeof (int))
           == cudaSuccess
      && cudaMalloc ((void **) &w.bad, pages * sizeof (int)) == cudaSuccess)
    {
      ms = time_peer (p, v, &w, false);
      if (p->n <= 32 && (p->op == INV || p->op == INV_PLAIN))
        ms = fmin (ms, time_peer (p, v, &w, true));
    }
  cudaFree (w.w);
  cudaFree (w.x);
  cudaFree (w.pivots);
  cudaFree (w.bad);
  return ms;
}

/* A copy of what has to be read and written.  */
static double
measure_copy (const problem *p, const peer *v)
{
  const size_t all = (size_t) p->pages * page_bytes (p);
  /* Half of it read, half of it written.  */
  const size_t bytes = p->op == DET ? all / 2 : all;
  double ms[RUNS];
  cudaDeviceSynchronize ();
  for (int run = -1; run < RUNS; run++)
    {
      float t = 0;
      if (cudaEventRecord (v->from, v->stream) != cudaSuccess
          || cudaMemcpyAsync (p->X.p, p->A.p, bytes, cudaMemcpyDeviceToDevice,
                              v->stream)
               != cudaSuccess
          || cudaEventRecord (v->to, v->stream) != cudaSuccess
          || cudaEventSynchronize (v->to) != cudaSuccess
          || cudaEventElapsedTime (&t, v->from, v->to) != cudaSuccess)
        return NAN;
      ms[run < 0 ? 0 : run] = (double) t;
    }
  return median (ms, RUNS);
}

/* ---- the table ---- */

/* One line.  Returns whether the result is wrong.  */
static bool
bench (gpu_ctx *g, problem *p, const peer *v, FILE *csv)
{
  static const char *const csv_names[]
    = { "chol_pages", "inv_pages", "inv_pages_plain", "det_pages" };
  const bool large = p->n > 128;
  double bytes = g->be->host_memory ? 0x1p18 : large ? 0x1p28 : 0x1p30;
  double ms, error, peer_ms = NAN, copy_ms = NAN;
  char variant[32];

  make_problem (g, p, bytes);
  ms = measure (g, p);
  error = error_of (g, p);
  if (v)
    {
      if (p->given || is_in (peer_sizes, p->n))
        peer_ms = measure_peer (g, p, v);
      copy_ms = measure_copy (p, v);
    }

  bytes = (p->op == DET ? 1 : 2) * (double) p->pages * (double) page_bytes (p);
  printf ("%5td %-7s %-4s %9td %9.4f %7.0f ", p->n, bench_class[p->type],
          op_names[p->op], p->pages, ms, bytes / ms / 1e6);
  print_number (stdout, 100 * copy_ms / ms, "%6.1f", "     -");
  print_number (stdout, bytes / peer_ms / 1e6, " %7.0f", "       -");
  print_number (stdout, peer_ms / ms, " %7.2f", "       -");
  printf (" %8.2g\n", error);
  fflush (stdout);

  snprintf (variant, sizeof variant, "%td", p->pages);
  write_csv (csv, p->given ? "chol_batch" : csv_names[p->op], p->type, p->n,
             variant, ms, p->op == CHOL ? "cusolver" : "cublas", peer_ms,
             copy_ms, error, NAN);
  free (p->block);
  gpu_sweep (g);
  return !(error <= 1);
}

/* Whether NAME is in the comma-separated LIST.  */
static bool
is_named (const char *list, const char *name)
{
  const size_t length = strlen (name);
  for (const char *at = list; at; at = strchr (at, ','))
    {
      at += *at == ',';
      if (!strncmp (at, name, length)
          && (at[length] == ',' || at[length] == '\0'))
        return true;
    }
  return false;
}

/* Numbers with commas between them; 0 ends the list.  */
static const ptrdiff_t *
parse_sizes (char *text)
{
  static ptrdiff_t list[64];
  int count = 0;
  for (char *word = strtok (text, ","); word && count < 63;
       word = strtok (NULL, ","))
    if (atol (word) > 0)
      list[count++] = atol (word);
  return list;
}

int
main (int argc, char **argv)
{
  static const gpu_type types[]
    = { GPU_DOUBLE, GPU_SINGLE, GPU_CDOUBLE, GPU_CSINGLE };
  const char *backend = "cuda", *ops = "chol,inv,inv-,det", *classes = NULL;
  const ptrdiff_t *sizes = NULL;
  bool quick = false;
  FILE *csv = NULL;
  int wrong = 0;
  gpu_ctx g;
  peer v;

  for (int i = 1; i < argc; i++)
    {
      char *value = i + 1 < argc ? argv[i + 1] : NULL;
      if (!strcmp (argv[i], "--quick"))
        {
          quick = true;
          continue;
        }
      if (value && !strcmp (argv[i], "--csv"))
        csv = open_csv (value);
      else if (value && !strcmp (argv[i], "--op"))
        ops = value;
      else if (value && !strcmp (argv[i], "--n"))
        sizes = parse_sizes (value);
      else if (value && !strcmp (argv[i], "--class"))
        classes = value;
      else if (value && !strcmp (argv[i], "--backend"))
        backend = value;
      else
        {
          fputs ("usage: bench_pages [--csv FILE] [--quick] [--op NAME,...]\n"
                 "  [--n N,...] [--class NAME,...] [--backend cuda|host]\n",
                 stderr);
          return 2;
        }
      i++;
    }

  check (&g, gpu_open (&g, backend));
  const bool have_peer = !g.be->host_memory && peer_open (&v);
  print_device (&g);
  printf ("Pages, median of %d runs; 1 GiB of them up to n = 128, 256 MiB "
          "above.\n"
          "GB/s: of the matrix and the result (det: of the matrix); copy: "
          "the share of a copy's rate;\n"
          "vendor: the better of getrf + getri and matinv (inv), getrf "
          "(det), potrf (chol), all batched;\n"
          "ratio: vendor's time by ours; inv-: without rcond; error: in "
          "units of n * eps.\n\n",
          RUNS);
  printf ("%5s %-7s %-4s %9s %9s %7s %6s %7s %7s %8s\n", "n", "class", "op",
          "pages", "ours ms", "GB/s", "copy %", "vendor", "ratio", "error");
  for (int t = 0; t < 4; t++)
    {
      const bool complex_type = gpu_is_complex (types[t]);
      const ptrdiff_t *list = sizes          ? sizes
                              : quick        ? quick_sizes
                              : complex_type ? complex_sizes
                                             : all_sizes;
      if (classes ? !is_named (classes, bench_class[types[t]])
                  : quick && complex_type)
        continue;
      for (int op = 0; op < 4; op++)
        for (const ptrdiff_t *n = list; *n && is_named (ops, op_names[op]);
             n++)
          if (op != INV_PLAIN || sizes || is_in (plain_sizes, *n))
            {
              problem p = { 0 };
              p.op = (operation) op;
              p.type = types[t];
              p.n = *n;
              wrong += bench (&g, &p, have_peer ? &v : NULL, csv);
            }
    }
  for (int t = 0; t < 2 && !sizes && !quick && is_named (ops, "chol"); t++)
    for (size_t i = 0; i < sizeof contest / sizeof *contest; i++)
      {
        problem p = { .type = types[t], .given = true };
        p.pages = contest[i][0];
        p.n = contest[i][1];
        wrong += bench (&g, &p, have_peer ? &v : NULL, csv);
      }
  gpu_close (&g);
  return finish (csv, wrong);
}
