/* gpu.h: the nouns of gpulinalg and every function that crosses a file.

   A gpu_mat is a view, a gpu_array owns storage, a gpu_backend is a table
   of primitives (host or cuda), and a gpu_status says whether a call ran.
   All state hangs on one gpu_ctx.  The info of a factorization (which pivot
   failed) is data, not a status: 1-based, sticky, one per page.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_GPU_H
#define GPULINALG_GPU_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum
{
  GPU_OK,      /* it ran */
  GPU_EARG,    /* an argument is not what was asked for */
  GPU_ENOMEM,  /* no memory on the backend */
  GPU_EDEVICE, /* the device or one of its libraries failed */
  GPU_ENOTSUP  /* the backend cannot do this */
} gpu_status;

/* Return a failing status to the caller.  The place that failed has already
   called gpu_fail; the sweep frees what was not handed over.  */
#define GPU_TRY(call)                                                         \
  do                                                                          \
    {                                                                         \
      gpu_status status_ = (call);                                            \
      if (status_ != GPU_OK)                                                  \
        return status_;                                                       \
    }                                                                         \
  while (0)

typedef enum
{
  GPU_SINGLE,
  GPU_DOUBLE,
  GPU_CSINGLE,
  GPU_CDOUBLE,
  GPU_INT64 /* info */
} gpu_type;

typedef enum
{
  GPU_UPPER,
  GPU_LOWER
} gpu_uplo;

/* How a view reads its storage: bit 0 transposes, bit 1 conjugates (complex
   types only).  */
typedef enum
{
  GPU_N = 0,
  GPU_T = 1,
  GPU_C = 3
} gpu_op;

/* A view, passed by value: the m x n x pages matrix that is op (storage).
   Page k starts step elements behind page k - 1.  Owns nothing.  */
typedef struct
{
  void *p;
  ptrdiff_t m, n, ld, pages, step;
  gpu_type type;
  gpu_op op;
} gpu_mat;

static inline size_t
gpu_type_size (gpu_type type)
{
  static const size_t size[] = { 4, 8, 8, 16, 8 };
  return size[type];
}

static inline bool
gpu_is_complex (gpu_type type)
{
  return type == GPU_CSINGLE || type == GPU_CDOUBLE;
}

/* A(i+1:i+m, j+1:j+n, :) as a view.  */
static inline gpu_mat
gpu_part (gpu_mat A, ptrdiff_t i, ptrdiff_t j, ptrdiff_t m, ptrdiff_t n)
{
  ptrdiff_t at = A.op & GPU_T ? j + i * A.ld : i + j * A.ld;
  A.p = (char *) A.p + at * (ptrdiff_t) gpu_type_size (A.type);
  A.m = m;
  A.n = n;
  return A;
}

/* One page of A as a view.  */
static inline gpu_mat
gpu_page (gpu_mat A, ptrdiff_t k)
{
  A.p = (char *) A.p + k * A.step * (ptrdiff_t) gpu_type_size (A.type);
  A.pages = 1;
  return A;
}

/* A' as a view: nothing moves.  */
static inline gpu_mat
gpu_adjoint (gpu_mat A)
{
  ptrdiff_t m = A.m;
  A.m = A.n;
  A.n = m;
  A.op = (gpu_op) (A.op ^ (gpu_is_complex (A.type) ? GPU_C : GPU_T));
  return A;
}

/* A.' as a view.  Complex data are transposed as a copy's source only.  */
static inline gpu_mat
gpu_transposed (gpu_mat A)
{
  ptrdiff_t m = A.m;
  A.m = A.n;
  A.n = m;
  A.op = (gpu_op) (A.op ^ GPU_T);
  return A;
}

/* What gpuDevice shows.  */
typedef struct
{
  char name[256];
  int index; /* 1-based; 0 on the host */
  int count; /* GPUs in the machine */
  int cc_major, cc_minor, multiprocessors, driver, toolkit;
  double total_memory, free_memory; /* bytes */
} gpu_device;

/* The block sizes of the recursions.  */
typedef struct
{
  ptrdiff_t leaf; /* chol_leaf and trsm_leaf take at most this size */
  ptrdiff_t syrk; /* syrk_leaf likewise; a multiple of leaf */
} gpu_tuning;

typedef struct gpu_ctx gpu_ctx;
typedef struct gpu_array gpu_array;

/* The primitives.  They are asynchronous where the device is; only get and
   seconds wait.  Every one works on all pages of its views.  */
typedef struct
{
  const char *name;
  bool host_memory; /* the storage can be read and written by the host */

  gpu_status (*open) (gpu_ctx *g);
  void (*close) (gpu_ctx *g);
  void (*device) (gpu_ctx *g, gpu_device *d);
  gpu_tuning (*tuning) (gpu_ctx *g, gpu_type type);

  gpu_status (*alloc) (gpu_ctx *g, size_t bytes, void **p);
  void (*free) (gpu_ctx *g, void *p);
  /* A(:) = x(:) and x(:) = A(:), x a dense array in host memory and A.op
     GPU_N.  */
  gpu_status (*put) (gpu_ctx *g, const void *x, gpu_mat A);
  gpu_status (*get) (gpu_ctx *g, gpu_mat A, void *x);
  /* B = A, both views of any op: a transposition if they differ.  */
  gpu_status (*copy) (gpu_ctx *g, gpu_mat A, gpu_mat B);
  /* A(:) = 0.  */
  gpu_status (*zero) (gpu_ctx *g, gpu_mat A);
  /* A = triu (A).  */
  gpu_status (*triu) (gpu_ctx *g, gpu_mat A);
  /* C = alpha * A * B + beta * C, C.op = GPU_N.  */
  gpu_status (*gemm) (gpu_ctx *g, double alpha, gpu_mat A, gpu_mat B,
                      double beta, gpu_mat C);
  /* triu (C) = triu (C - A' * A); the rest of C is undefined.  */
  gpu_status (*syrk_leaf) (gpu_ctx *g, gpu_mat A, gpu_mat C);
  /* triu (A) = R with R' * R = A.  At the first pivot j that is not positive,
     info = at + j, unless info is nonzero already.  */
  gpu_status (*chol_leaf) (gpu_ctx *g, gpu_mat A, gpu_mat info, ptrdiff_t at);
  /* B = T \ B, T triangular.  */
  gpu_status (*trsm_leaf) (gpu_ctx *g, gpu_uplo uplo, gpu_mat T, gpu_mat B);
  /* Seconds of device time from tic until all queued work is done.  */
  gpu_status (*tic) (gpu_ctx *g);
  gpu_status (*seconds) (gpu_ctx *g, double *s);
} gpu_backend;

extern const gpu_backend gpu_host_backend;
extern const gpu_backend gpu_cuda_backend; /* only if built with CUDA */

struct gpu_ctx
{
  const gpu_backend *be;
  void *dev;             /* the backend's own state */
  gpu_array *arrays;     /* the registry: a list, newest first */
  ptrdiff_t live;        /* arrays in it */
  double bytes;          /* held by them */
  int64_t next_id;       /* ids are never reused */
  ptrdiff_t leaf;        /* 0: as the backend says; else for all recursions */
  double memory_limit;   /* bytes; 0: none */
  ptrdiff_t allocs_left; /* allocation fails at 0, for tests; < 0: never */
  bool lost;             /* a device error that only a reset can clear */
  bool degraded;         /* a GPU is there, but the host has to compute */
  char note[512];        /* why the host computes */
  char message[512];     /* of the last failure */
};

/* ctx.c.  gpu_all_failed tells, where that costs nothing, whether no page is
   left to work on; it may say no.  NAME is "host", "cuda" or NULL (the GPU if
   one is usable, else the host, with the reason in note).  gpu_open leaves g
   zeroed on failure, but for the message.  */
gpu_status gpu_open (gpu_ctx *g, const char *name);
void gpu_close (gpu_ctx *g);
gpu_status gpu_fail (gpu_ctx *g, gpu_status status, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));
gpu_tuning gpu_tune (gpu_ctx *g, gpu_type type);
bool gpu_all_failed (gpu_ctx *g, gpu_mat info);
ptrdiff_t gpu_split (ptrdiff_t n, ptrdiff_t leaf);

/* array.c.  A new array belongs to the call that made it until gpu_keep
   hands it to the user; gpu_sweep frees those never handed over.  */
gpu_status gpu_new (gpu_ctx *g, gpu_type type, ptrdiff_t m, ptrdiff_t n,
                    ptrdiff_t pages, gpu_mat *A);
void gpu_free (gpu_ctx *g, gpu_mat A);
int64_t gpu_keep (gpu_ctx *g, gpu_mat A);
gpu_status gpu_find (gpu_ctx *g, int64_t id, gpu_mat *A);
void gpu_free_id (gpu_ctx *g, int64_t id);
void gpu_sweep (gpu_ctx *g);
void gpu_free_all (gpu_ctx *g);

/* chol.c: the upper triangle of A becomes R with A = R' * R, the rest zero.
   The lower factor of a matrix is what gpu_adjoint (A) holds.  info is
   1 x 1 x pages, GPU_INT64.  Behind a failed pivot p, R(1:p-1,1:p-1) is
   right and the rest undefined.  */
gpu_status gpu_chol (gpu_ctx *g, gpu_mat A, gpu_mat info);

/* trsm.c: B = T \ B, T triangular.  B / T is the adjoint's T' \ B'.  */
gpu_status gpu_trsm (gpu_ctx *g, gpu_uplo uplo, gpu_mat T, gpu_mat B);

/* syrk.c: triu (C) = triu (C - A' * A).  */
gpu_status gpu_syrk (gpu_ctx *g, gpu_mat A, gpu_mat C);

/* gemm.c: C = alpha * A * B + beta * C for views of any op.  */
gpu_status gpu_gemm (gpu_ctx *g, double alpha, gpu_mat A, gpu_mat B,
                     double beta, gpu_mat C);

#endif
