/* host.c: the backend on the BLAS and LAPACK that Octave itself uses.

   Its memory is the host's, so ids, ownership, leaks and failures are tested
   without a GPU.  host_worker.inc holds what depends on the type.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <complex.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "f77-fcn.h"
#include "gpu.h"
#include "host_arrays.h"

enum
{
  QUATERNION = 100, /* the fast product is no faster below */
  WHOLE = 4096,     /* LAPACK does what is larger in blocks, too, but here one
                       can stop between them */
  LEAF = 512,       /* LAPACK and BLAS do what is smaller by themselves */
  LU_COLUMNS = 16,  /* of the panels inside lu_panel */
  LWORK = 64,       /* of GETRI, for each column */
  TILE = 32         /* of copies and exchanges of rows */
};

#define BLAS_OP(op) ((op) == GPU_N ? "N" : (op) == GPU_T ? "T" : "C")
/* The triangle of the storage.  */
#define BLAS_UPLO(uplo, op)                                                   \
  (!((uplo) &GPU_LOWER) == !((op) &GPU_T) ? "U" : "L")

/* x + i * y = the result * 2^e with its larger part in [1/2, 1); e is added to
   the exponent.  */
static double complex
normalized (double x, double y, int64_t *exponent)
{
  int e = 0;
  double size = fmax (fabs (x), fabs (y));
  if (size == 0 || !isfinite (size))
    return CMPLX (x, y);
  frexp (size, &e);
  *exponent += e;
  return CMPLX (ldexp (x, -e), ldexp (y, -e));
}

/* Number k of a 1 x 1 x pages array that may not be there.  */
static void *
number (gpu_mat x, ptrdiff_t k)
{
  return x.p ? gpu_page (x, k).p : NULL;
}

#define T int8_t
#define COMPLEX 0
#define FN(name) host_##name##_1
#include "host_worker.inc"

#define T int16_t
#define COMPLEX 0
#define FN(name) host_##name##_2
#include "host_worker.inc"

#define T int32_t
#define COMPLEX 0
#define FN(name) host_##name##_4
#include "host_worker.inc"

#define T int64_t
#define COMPLEX 0
#define FN(name) host_##name##_8
#include "host_worker.inc"

#define T float
#define REAL float
#define COMPLEX 0
#define FN(name) host_##name##_s
#define BLAS(l, U) F77_FUNC (s##l, S##U)
#define HERK F77_FUNC (ssyrk, SSYRK)
#include "host_worker.inc"

#define T double
#define REAL double
#define COMPLEX 0
#define FN(name) host_##name##_d
#define BLAS(l, U) F77_FUNC (d##l, D##U)
#define HERK F77_FUNC (dsyrk, DSYRK)
#include "host_worker.inc"

#define T float complex
#define REAL float
#define COMPLEX 1
#define FN(name) host_##name##_c
#define BLAS(l, U) F77_FUNC (c##l, C##U)
#define HERK F77_FUNC (cherk, CHERK)
#include "host_worker.inc"

#define T double complex
#define REAL double
#define COMPLEX 1
#define FN(name) host_##name##_z
#define BLAS(l, U) F77_FUNC (z##l, Z##U)
#define HERK F77_FUNC (zherk, ZHERK)
#include "host_worker.inc"

/* Call the worker of TYPE.  */
#define FOR_TYPE(type, name, ...)                                             \
  do                                                                          \
    switch (type)                                                             \
      {                                                                       \
      case GPU_SINGLE:                                                        \
        host_##name##_s (__VA_ARGS__);                                        \
        break;                                                                \
      case GPU_DOUBLE:                                                        \
        host_##name##_d (__VA_ARGS__);                                        \
        break;                                                                \
      case GPU_CSINGLE:                                                       \
        host_##name##_c (__VA_ARGS__);                                        \
        break;                                                                \
      case GPU_CDOUBLE:                                                       \
        host_##name##_z (__VA_ARGS__);                                        \
        break;                                                                \
      default:                                                                \
        return gpu_fail (g, GPU_ENOTSUP, #name ": no such type");             \
      }                                                                       \
  while (0)

static gpu_status
host_open (gpu_ctx *g)
{
  g->dev = calloc (1, sizeof (struct timespec)); /* the time of the last tic */
  return g->dev ? GPU_OK : gpu_fail (g, GPU_ENOMEM, "out of host memory");
}

static void
host_close (gpu_ctx *g)
{
  free (g->dev);
}

static void
host_device (gpu_ctx *g, gpu_device *d)
{
  double page = (double) sysconf (_SC_PAGESIZE);
  (void) g;
  memset (d, 0, sizeof *d);
  strcpy (d->name, "host CPU");
  d->multiprocessors = (int) sysconf (_SC_NPROCESSORS_ONLN);
  d->total_memory = page * (double) sysconf (_SC_PHYS_PAGES);
  d->free_memory = page * (double) sysconf (_SC_AVPHYS_PAGES);
}

static gpu_tuning
host_tuning (gpu_ctx *g, gpu_type type)
{
  gpu_tuning tune = { .leaf = LEAF,
                      .syrk = LEAF,
                      .panel = LEAF,
                      .pages = WHOLE,
                      .few = PTRDIFF_MAX,
                      .many = PTRDIFF_MAX,
                      .tiles = 1,
                      .ahead = PTRDIFF_MAX,
                      .lu_ahead = PTRDIFF_MAX,
                      .quaternion = QUATERNION };
  (void) g;
  (void) type;
  return tune;
}

static gpu_status
host_alloc (gpu_ctx *g, size_t bytes, void **p)
{
  (void) g;
  *p = malloc (bytes ? bytes : 1);
  return *p ? GPU_OK : GPU_ENOMEM;
}

static void
host_free (gpu_ctx *g, void *p)
{
  (void) g;
  free (p);
}

/* Column j of the storage of page k.  */
static char *
column (gpu_mat A, ptrdiff_t j, ptrdiff_t k)
{
  return (char *) A.p
         + (j * A.ld + k * A.step) * (ptrdiff_t) gpu_type_size (A.type);
}

static gpu_status
host_put (gpu_ctx *g, const void *x, gpu_mat A)
{
  const char *from = x;
  size_t bytes = (size_t) A.m * gpu_type_size (A.type);
  (void) g;
  for (ptrdiff_t k = 0; k < A.pages; k++)
    for (ptrdiff_t j = 0; j < A.n; j++, from += bytes)
      memcpy (column (A, j, k), from, bytes);
  return GPU_OK;
}

static gpu_status
host_get (gpu_ctx *g, gpu_mat A, void *x)
{
  char *to = x;
  size_t bytes = (size_t) A.m * gpu_type_size (A.type);
  (void) g;
  for (ptrdiff_t k = 0; k < A.pages; k++)
    for (ptrdiff_t j = 0; j < A.n; j++, to += bytes)
      memcpy (to, column (A, j, k), bytes);
  return GPU_OK;
}

static gpu_status
host_put_triangle (gpu_ctx *g, gpu_uplo uplo, const void *x, gpu_mat A)
{
  (void) uplo;
  return host_put (g, x, A);
}

static gpu_status
host_get_triangle (gpu_ctx *g, gpu_uplo uplo, gpu_mat A, void *x)
{
  (void) uplo;
  return host_get (g, A, x);
}

static gpu_status
host_copy (gpu_ctx *g, gpu_mat A, gpu_mat B)
{
  for (ptrdiff_t k = 0; k < A.pages; k++)
    {
      gpu_mat from = gpu_page (A, k), to = gpu_page (B, k);
      switch (A.type)
        {
        case GPU_INT8:
        case GPU_LOGICAL:
          host_copy_1 (from, to);
          break;
        case GPU_INT16:
          host_copy_2 (from, to);
          break;
        case GPU_INT32:
          host_copy_4 (from, to);
          break;
        case GPU_INT64:
          host_copy_8 (from, to);
          break;
        default:
          FOR_TYPE (A.type, copy, from, to);
        }
    }
  return GPU_OK;
}

static gpu_status
host_start_move (gpu_ctx *g, bool up, gpu_mat A, gpu_mat X, void **move)
{
  *move = NULL;
  return up ? host_copy (g, X, A) : host_copy (g, A, X);
}

static gpu_status
host_end_move (gpu_ctx *g, void *move)
{
  (void) g;
  (void) move;
  return GPU_OK;
}

/* Set rows I0 to I1 - 1 of column J of the storage of page K to zero.  */
static void
clear (gpu_mat A, ptrdiff_t i0, ptrdiff_t i1, ptrdiff_t j, ptrdiff_t k)
{
  size_t size = gpu_type_size (A.type);
  if (i1 > i0)
    memset (column (A, j, k) + (size_t) i0 * size, 0,
            (size_t) (i1 - i0) * size);
}

static gpu_status
host_zero (gpu_ctx *g, gpu_mat A)
{
  ptrdiff_t m = A.op & GPU_T ? A.n : A.m, n = A.op & GPU_T ? A.m : A.n;
  (void) g;
  for (ptrdiff_t k = 0; k < A.pages; k++)
    for (ptrdiff_t j = 0; j < n; j++)
      clear (A, 0, m, j, k);
  return GPU_OK;
}

static gpu_status
host_eye (gpu_ctx *g, gpu_mat A)
{
  for (ptrdiff_t k = 0; k < A.pages; k++)
    FOR_TYPE (A.type, eye, gpu_page (A, k));
  return GPU_OK;
}

static gpu_status
host_triu (gpu_ctx *g, gpu_mat A)
{
  ptrdiff_t m = A.op & GPU_T ? A.n : A.m, n = A.op & GPU_T ? A.m : A.n;
  (void) g;
  for (ptrdiff_t k = 0; k < A.pages; k++)
    for (ptrdiff_t j = 0; j < n; j++)
      if (A.op & GPU_T)
        clear (A, 0, j < m ? j : m, j, k);
      else
        clear (A, j + 1, m, j, k);
  return GPU_OK;
}

static gpu_status
host_gemm (gpu_ctx *g, double alpha, gpu_mat A, gpu_mat B, double beta,
           gpu_mat C)
{
  for (ptrdiff_t k = 0; k < C.pages; k++)
    {
      GPU_TRY (gpu_advance (g, gpu_product_work (gpu_page (C, k), A.n)));
      FOR_TYPE (C.type, gemm, alpha, gpu_page (A, k), gpu_page (B, k), beta,
                gpu_page (C, k));
    }
  return GPU_OK;
}

static gpu_status
host_syrk_leaf (gpu_ctx *g, double alpha, gpu_mat A, gpu_mat C)
{
  for (ptrdiff_t k = 0; k < C.pages; k++)
    {
      GPU_TRY (gpu_advance (g, gpu_product_work (gpu_page (C, k), A.m) / 2));
      FOR_TYPE (C.type, syrk_leaf, alpha, gpu_page (A, k), gpu_page (C, k));
    }
  return GPU_OK;
}

static gpu_status
host_chol_leaf (gpu_ctx *g, gpu_mat A, gpu_mat info, ptrdiff_t at)
{
  for (ptrdiff_t k = 0; k < A.pages; k++)
    {
      int64_t *bad = gpu_page (info, k).p;
      GPU_TRY (gpu_advance (g, gpu_product_work (gpu_page (A, k), A.n) / 6));
      if (*bad == 0)
        FOR_TYPE (A.type, chol_leaf, gpu_page (A, k), bad, at);
    }
  return GPU_OK;
}

static gpu_status
host_trsm_leaf (gpu_ctx *g, gpu_uplo uplo, gpu_mat X, gpu_mat B)
{
  for (ptrdiff_t k = 0; k < B.pages; k++)
    {
      GPU_TRY (gpu_advance (g, gpu_product_work (gpu_page (B, k), X.n) / 2));
      FOR_TYPE (B.type, trsm_leaf, uplo, gpu_page (X, k), gpu_page (B, k));
    }
  return GPU_OK;
}

static gpu_status
host_lu_panel (gpu_ctx *g, gpu_mat A, gpu_mat piv, gpu_mat info, ptrdiff_t at)
{
  for (ptrdiff_t k = 0; k < A.pages; k++)
    {
      int64_t *bad = gpu_page (info, k).p, first = *bad;
      GPU_TRY (gpu_advance (g, gpu_product_work (gpu_page (A, k), A.n) / 2));
      FOR_TYPE (A.type, lu, gpu_page (A, k), gpu_page (piv, k).p, at, bad);
      if (first)
        *bad = first;
    }
  return GPU_OK;
}

static gpu_status
host_swap_rows (gpu_ctx *g, gpu_mat piv, ptrdiff_t at, bool backward,
                gpu_mat A)
{
  for (ptrdiff_t k = 0; k < A.pages; k++)
    FOR_TYPE (A.type, swap_rows, gpu_page (piv, k).p, piv.m, at, backward,
              gpu_page (A, k));
  return GPU_OK;
}

static gpu_status
host_det_lu (gpu_ctx *g, gpu_mat LU, gpu_mat piv, gpu_mat d, gpu_mat sign)
{
  for (ptrdiff_t k = 0; k < LU.pages; k++)
    FOR_TYPE (LU.type, det_lu, gpu_page (LU, k), gpu_page (piv, k).p,
              gpu_page (d, k).p, number (sign, k));
  return GPU_OK;
}

static gpu_status
host_norm1 (gpu_ctx *g, gpu_mat A, gpu_mat r)
{
  for (ptrdiff_t k = 0; k < A.pages; k++)
    FOR_TYPE (A.type, norm1, gpu_page (A, k), gpu_page (r, k).p);
  return GPU_OK;
}

static gpu_status
host_structure (gpu_ctx *g, gpu_mat A, gpu_mat flags)
{
  for (ptrdiff_t k = 0; k < A.pages; k++)
    FOR_TYPE (A.type, structure, gpu_page (A, k), gpu_page (flags, k).p);
  return GPU_OK;
}

static gpu_status
host_mirror (gpu_ctx *g, gpu_mat A)
{
  for (ptrdiff_t k = 0; k < A.pages; k++)
    FOR_TYPE (A.type, mirror, gpu_page (A, k));
  return GPU_OK;
}

static gpu_status
host_finish_inv (gpu_ctx *g, gpu_mat anorm, gpu_mat info, gpu_mat X,
                 gpu_mat rcond)
{
  for (ptrdiff_t k = 0; k < X.pages; k++)
    FOR_TYPE (X.type, finish_inv, gpu_page (anorm, k).p, gpu_page (info, k).p,
              gpu_page (X, k), gpu_page (rcond, k).p);
  return GPU_OK;
}

static gpu_status
host_chol_pages (gpu_ctx *g, gpu_mat A, gpu_mat R, gpu_mat info)
{
  GPU_TRY (host_copy (g, A, R));
  GPU_TRY (host_chol_leaf (g, R, info, 0));
  return host_triu (g, R);
}

/* The pages of A from K on that are done before one looks whether to stop.  */
static gpu_mat
some_pages (gpu_mat A, ptrdiff_t k)
{
  const ptrdiff_t some = A.pages / 1000 + 1, left = A.pages - k;
  A = gpu_page (A, k);
  A.pages = some < left ? some : left;
  return A;
}

static gpu_status
host_inv_pages (gpu_ctx *g, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  bool done = true;
  for (ptrdiff_t k = 0, count; k < A.pages && done; k += count)
    {
      gpu_mat none = { 0 }, A1 = some_pages (A, k), X1 = some_pages (X, k);
      count = A1.pages;
      GPU_TRY (gpu_advance (g, gpu_product_work (A1, A.n)));
      FOR_TYPE (A.type, inv_pages, A1, X1,
                rcond.p ? gpu_page (rcond, k) : none, &done);
    }
  return done ? GPU_OK : gpu_fail (g, GPU_ENOMEM, "out of host memory");
}

static gpu_status
host_det_pages (gpu_ctx *g, gpu_mat A, gpu_mat W, gpu_mat d, gpu_mat sign)
{
  bool done = true;
  (void) W;
  for (ptrdiff_t k = 0, count; k < A.pages && done; k += count)
    {
      gpu_mat none = { 0 }, A1 = some_pages (A, k);
      count = A1.pages;
      GPU_TRY (gpu_advance (g, gpu_product_work (A1, A.n) / 3));
      FOR_TYPE (A.type, det_pages, A1, gpu_page (d, k),
                sign.p ? gpu_page (sign, k) : none, &done);
    }
  return done ? GPU_OK : gpu_fail (g, GPU_ENOMEM, "out of host memory");
}

/* Nothing is queued and nothing is held.  */
static gpu_status
host_nothing (gpu_ctx *g)
{
  (void) g;
  return GPU_OK;
}

static gpu_status
host_tic (gpu_ctx *g)
{
  clock_gettime (CLOCK_MONOTONIC, g->dev);
  return GPU_OK;
}

static gpu_status
host_seconds (gpu_ctx *g, double *s)
{
  const struct timespec *from = g->dev;
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  *s = (double) (now.tv_sec - from->tv_sec)
       + 1e-9 * (double) (now.tv_nsec - from->tv_nsec);
  return GPU_OK;
}

const gpu_backend gpu_host_backend = {
  .name = "host",
  .host_memory = true,
  .open = host_open,
  .close = host_close,
  .device = host_device,
  .tuning = host_tuning,
  .alloc = host_alloc,
  .free = host_free,
  .put = host_put,
  .get = host_get,
  .peek = host_get,
  .put_triangle = host_put_triangle,
  .get_triangle = host_get_triangle,
  .start_move = host_start_move,
  .end_move = host_end_move,
  .copy = host_copy,
  .zero = host_zero,
  .eye = host_eye,
  .triu = host_triu,
  .gemm = host_gemm,
  .syrk_leaf = host_syrk_leaf,
  .chol_leaf = host_chol_leaf,
  .trsm_leaf = host_trsm_leaf,
  .lu_panel = host_lu_panel,
  .swap_rows = host_swap_rows,
  .det_lu = host_det_lu,
  .norm1 = host_norm1,
  .structure = host_structure,
  .mirror = host_mirror,
  .finish_inv = host_finish_inv,
  .chol_pages = host_chol_pages,
  .inv_pages = host_inv_pages,
  .det_pages = host_det_pages,
  .quat_sums = host_quat_sums,
  .quat_combine = host_quat_combine,
  .quat_matrix = host_quat_matrix,
  .map = host_map,
  .reduce = host_reduce,
  .gather = host_gather,
  .scatter = host_scatter,
  .band = host_band,
  .random = host_random,
  .project = host_project,
  .rigid_inverse = host_rigid_inverse,
  .wait = host_nothing,
  .trim = host_nothing,
  .tic = host_tic,
  .seconds = host_seconds,
};
