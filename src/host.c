/* host.c: the backend on the BLAS and LAPACK that Octave itself uses.

   Its memory is the host's, so ids, ownership, leaks and failures are tested
   without a GPU.  host_worker.inc holds what depends on the type.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <complex.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "f77-fcn.h"
#include "gpu.h"

enum
{
  LEAF = 512, /* LAPACK and BLAS do what is smaller by themselves */
  TILE = 32   /* of the transposing copy */
};

#define BLAS_OP(op) ((op) == GPU_N ? "N" : (op) == GPU_T ? "T" : "C")
/* The triangle of the storage.  */
#define BLAS_UPLO(uplo, op)                                                   \
  (((uplo) == GPU_UPPER) == !((op) &GPU_T) ? "U" : "L")

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
  gpu_tuning tune = { LEAF, LEAF };
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
host_copy (gpu_ctx *g, gpu_mat A, gpu_mat B)
{
  for (ptrdiff_t k = 0; k < A.pages; k++)
    FOR_TYPE (A.type, copy, gpu_page (A, k), gpu_page (B, k));
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
    FOR_TYPE (C.type, gemm, alpha, gpu_page (A, k), gpu_page (B, k), beta,
              gpu_page (C, k));
  return GPU_OK;
}

static gpu_status
host_syrk_leaf (gpu_ctx *g, gpu_mat A, gpu_mat C)
{
  for (ptrdiff_t k = 0; k < C.pages; k++)
    FOR_TYPE (C.type, syrk_leaf, gpu_page (A, k), gpu_page (C, k));
  return GPU_OK;
}

static gpu_status
host_chol_leaf (gpu_ctx *g, gpu_mat A, gpu_mat info, ptrdiff_t at)
{
  for (ptrdiff_t k = 0; k < A.pages; k++)
    {
      int64_t *bad = gpu_page (info, k).p;
      if (*bad == 0)
        FOR_TYPE (A.type, chol_leaf, gpu_page (A, k), bad, at);
    }
  return GPU_OK;
}

static gpu_status
host_trsm_leaf (gpu_ctx *g, gpu_uplo uplo, gpu_mat X, gpu_mat B)
{
  for (ptrdiff_t k = 0; k < B.pages; k++)
    FOR_TYPE (B.type, trsm_leaf, uplo, gpu_page (X, k), gpu_page (B, k));
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
  .copy = host_copy,
  .zero = host_zero,
  .triu = host_triu,
  .gemm = host_gemm,
  .syrk_leaf = host_syrk_leaf,
  .chol_leaf = host_chol_leaf,
  .trsm_leaf = host_trsm_leaf,
  .tic = host_tic,
  .seconds = host_seconds,
};
