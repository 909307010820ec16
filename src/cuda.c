/* cuda.c: the backend on an NVIDIA GPU.

   One stream carries all work, so that every result is repeatable and memory
   from the stream's pool is reused in order.  cuBLAS is opened at run time:
   the package loads and installs where neither it nor a driver is.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>

#include "cuda_transfer.h"
#include "gpu.h"
#include "kernels.h"

enum
{
  SET_APART = 16, /* multiprocessors: the largest cluster has as many blocks */
  MIN_CC = 75,    /* compute capability 7.5, what the toolkit still serves */
  SYRK_LEAF = 1024, /* below it, one square product beats many small ones */
  QUATERNION = 480, /* the fast quaternion product is no faster below */
  IN_PLACE = 3500,  /* cuBLAS is no faster with 8 in a batch from here on */
  THIN = 32,        /* rows and columns that quat_thin takes */
  LU_PANEL = 32,    /* a row of it fits a thread's registers */
  FEW_COLUMNS = 4,  /* of which each takes a launch's time anew */
  LU_UNIT = 128,    /* its triangle fits the shared memory */
  LU_AHEAD = 65,    /* columns: fewer are but one or two panels */
  PAGES = 128,      /* a page of it fits the registers of a block */
  FEW_PAGES = 256   /* above, the recursion is faster for single pages */
};

/* Work that is done in its order; all queues but the first are opened when
   they are asked for.  */
typedef struct
{
  cudaStream_t stream;
  cublasHandle_t blas;
  cudaEvent_t reached;
  void *few_work; /* of trsm_few */
  void *context;  /* of the stream, if it is confined */
} cuda_queue;

typedef struct
{
  struct cudaDeviceProp prop;
  int count;
  bool tuned; /* use what is made for this architecture */
  cuda_queue queues[GPU_QUEUES];
  cudaStream_t stream; /* of the queue that work goes into */
  cublasHandle_t blas;
  void *few_work;
  cudaMemPool_t pool;
  cudaEvent_t from, to;
  cudaEvent_t paced[2]; /* the last place and the one before; made when they
                           are first needed */
  transfer_pool *transfers; /* opened by the first large array */
  bool plain;               /* it could not be opened */
  double up, down, queued;  /* for gpu_device */
  void *library;
  cublasStatus_t (*create) (cublasHandle_t *);
  cublasStatus_t (*set_stream) (cublasHandle_t, cudaStream_t);
  cublasStatus_t (*destroy) (cublasHandle_t);
  cublasStatus_t (*gemm) (cublasHandle_t, cublasOperation_t, cublasOperation_t,
                          int64_t, int64_t, int64_t, const void *,
                          const void *, cudaDataType, int64_t, const void *,
                          cudaDataType, int64_t, const void *, void *,
                          cudaDataType, int64_t, cublasComputeType_t,
                          cublasGemmAlgo_t);
  cublasStatus_t (*gemm_pages) (cublasHandle_t, cublasOperation_t,
                                cublasOperation_t, int64_t, int64_t, int64_t,
                                const void *, const void *, cudaDataType,
                                int64_t, long long, const void *, cudaDataType,
                                int64_t, long long, const void *, void *,
                                cudaDataType, int64_t, long long, int64_t,
                                cublasComputeType_t, cublasGemmAlgo_t);
} cuda_state;

/* A failed CUDA call.  An error that a second call meets again is sticky:
   nothing runs on the device until it is reset.  */
static gpu_status
failed (gpu_ctx *g, cudaError_t error, const char *doing)
{
  cudaGetLastError ();
  g->lost = cudaDeviceSynchronize () != cudaSuccess;
  return gpu_fail (g, GPU_EDEVICE, "the GPU failed while %s: %s%s", doing,
                   cudaGetErrorString (error),
                   g->lost ? "; gpuDevice (\"reset\") brings it back" : "");
}

#define CUDA_TRY(call, doing)                                                 \
  do                                                                          \
    {                                                                         \
      cudaError_t error_ = (call);                                            \
      if (error_ != cudaSuccess)                                              \
        return failed (g, error_, doing);                                     \
    }                                                                         \
  while (0)

/* The driver and the device, or why there is none.  */
static gpu_status
open_device (gpu_ctx *g, cuda_state *cu)
{
  int driver = 0, pools = 0;
  cudaError_t error = cudaGetDeviceCount (&cu->count);
  cudaGetLastError ();
  if (error == cudaErrorInsufficientDriver)
    {
      cudaDriverGetVersion (&driver);
      if (driver == 0)
        return gpu_fail (g, GPU_EDEVICE, "no NVIDIA driver was found");
      g->degraded = true;
      return gpu_fail (g, GPU_EDEVICE,
                       "the NVIDIA driver serves CUDA %d.%d, but this build "
                       "needs %d.%d",
                       driver / 1000, driver % 1000 / 10,
                       CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    }
  if (error == cudaErrorNoDevice || (error == cudaSuccess && cu->count == 0))
    return gpu_fail (g, GPU_EDEVICE, "no NVIDIA GPU was found");

  g->degraded = true;
  CUDA_TRY (error, "being looked for");
  if (g->device >= cu->count)
    return gpu_fail (g, GPU_EARG,
                     "there is no GPU number %d: the last one is number %d",
                     g->device + 1, cu->count);
  CUDA_TRY (cudaSetDevice (g->device), "being chosen");
  CUDA_TRY (cudaGetDeviceProperties (&cu->prop, g->device),
            "telling what it is");
  if (cu->prop.major * 10 + cu->prop.minor < MIN_CC)
    return gpu_fail (g, GPU_ENOTSUP,
                     "%s is too old: it has compute capability %d.%d, and "
                     "%d.%d is needed",
                     cu->prop.name, cu->prop.major, cu->prop.minor,
                     MIN_CC / 10, MIN_CC % 10);
  if (cuda_kernels_usable () != cudaSuccess)
    {
      cudaGetLastError ();
      return gpu_fail (g, GPU_ENOTSUP,
                       "this build has no code for %s; configure it with "
                       "--with-cuda-arch=%d%d",
                       cu->prop.name, cu->prop.major, cu->prop.minor);
    }
  CUDA_TRY (cudaDeviceGetAttribute (&pools, cudaDevAttrMemoryPoolsSupported,
                                    g->device),
            "telling what it is");
  if (!pools)
    return gpu_fail (g, GPU_ENOTSUP, "%s has no memory pools", cu->prop.name);
  return GPU_OK;
}

/* cuBLAS from the user's path, the path that configure found, or the system's
   search path.  A wrong path of the user's is an error, not a detour.  */
static gpu_status
open_cublas (gpu_ctx *g, cuda_state *cu)
{
  const char *user = getenv ("GPULINALG_CUBLAS");

  if (user && *user)
    cu->library = dlopen (user, RTLD_NOW | RTLD_LOCAL);
  else
    {
      cu->library = dlopen (GPULINALG_CUBLAS_PATH, RTLD_NOW | RTLD_LOCAL);
      if (!cu->library)
        cu->library = dlopen (GPULINALG_CUBLAS_SONAME, RTLD_NOW | RTLD_LOCAL);
    }
  if (!cu->library)
    return gpu_fail (g, GPU_ENOTSUP,
                     "%s was not found; set GPULINALG_CUBLAS to its path",
                     user && *user ? user : GPULINALG_CUBLAS_SONAME);

  *(void **) &cu->create = dlsym (cu->library, "cublasCreate_v2");
  *(void **) &cu->set_stream = dlsym (cu->library, "cublasSetStream_v2");
  *(void **) &cu->destroy = dlsym (cu->library, "cublasDestroy_v2");
  *(void **) &cu->gemm = dlsym (cu->library, "cublasGemmEx_64");
  *(void **) &cu->gemm_pages
    = dlsym (cu->library, "cublasGemmStridedBatchedEx_64");
  if (!cu->create || !cu->set_stream || !cu->destroy || !cu->gemm
      || !cu->gemm_pages)
    return gpu_fail (g, GPU_ENOTSUP, "%s is older than version 12",
                     user && *user ? user : GPULINALG_CUBLAS_SONAME);
  return GPU_OK;
}

/* Toolkits before 12.8 know of no part of a device.  */
#if CUDART_VERSION >= 12080

/* The driver's function NAME, or NULL if the driver is older; the package must
   load without one, so that none is linked.  */
static void *
driver_function (const char *name)
{
  const unsigned version = 12080;
  enum cudaDriverEntryPointQueryResult found;
  void *f = NULL;
  if (cudaGetDriverEntryPointByVersion (name, &f, version, cudaEnableDefault,
                                        &found)
        != cudaSuccess
      || found != cudaDriverEntryPointSuccess)
    f = NULL;
  cudaGetLastError ();
  return f;
}

/* A stream for all multiprocessors but a group that a cluster can take, or
   NULL: the cluster would wait for such a group, which long products leave
   free but seldom.  */
static cudaStream_t
open_confined (gpu_ctx *g, int priority, void **context)
{
  CUresult (*resource) (CUdevice, CUdevResource *, CUdevResourceType);
  CUresult (*divide) (CUdevResource *, unsigned *, const CUdevResource *,
                      CUdevResource *, unsigned, unsigned);
  CUresult (*describe) (CUdevResourceDesc *, CUdevResource *, unsigned);
  CUresult (*make_context) (CUgreenCtx *, CUdevResourceDesc, CUdevice,
                            unsigned);
  CUresult (*make_stream) (CUstream *, CUgreenCtx, unsigned, int);
  CUdevResource all, group, rest;
  CUdevResourceDesc description;
  CUgreenCtx made;
  CUstream stream;
  unsigned groups = 1;

  *(void **) &resource = driver_function ("cuDeviceGetDevResource");
  *(void **) &divide = driver_function ("cuDevSmResourceSplitByCount");
  *(void **) &describe = driver_function ("cuDevResourceGenerateDesc");
  *(void **) &make_context = driver_function ("cuGreenCtxCreate");
  *(void **) &make_stream = driver_function ("cuGreenCtxStreamCreate");
  if (!resource || !divide || !describe || !make_context || !make_stream
      || resource (g->device, &all, CU_DEV_RESOURCE_TYPE_SM)
      || divide (&group, &groups, &all, &rest,
                 CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE,
                 SET_APART)
      || describe (&description, &rest, 1)
      || make_context (&made, description, g->device,
                       CU_GREEN_CTX_DEFAULT_STREAM))
    return NULL;
  *context = made;
  return make_stream (&stream, made, CU_STREAM_NON_BLOCKING, priority)
           ? NULL
           : stream;
}

static void
close_confined (void *context)
{
  CUresult (*destroy) (CUgreenCtx);
  *(void **) &destroy = driver_function ("cuGreenCtxDestroy");
  if (context && destroy)
    destroy (context);
}

#else

static cudaStream_t
open_confined (gpu_ctx *g, int priority, void **context)
{
  (void) g;
  (void) priority;
  (void) context;
  return NULL;
}

static void
close_confined (void *context)
{
  (void) context;
}

#endif

static gpu_status
open_queue (gpu_ctx *g, cuda_queue *q)
{
  cuda_state *cu = g->dev;
  int least, most;
  CUDA_TRY (cudaDeviceGetStreamPriorityRange (&least, &most),
            "making a stream");
  if (q == &cu->queues[2])
    q->stream = open_confined (g, least, &q->context);
  if (!q->stream)
    CUDA_TRY (
      cudaStreamCreateWithPriority (&q->stream, cudaStreamNonBlocking,
                                    q == &cu->queues[1] ? most : least),
      "making a stream");
  CUDA_TRY (cudaEventCreateWithFlags (&q->reached, cudaEventDisableTiming),
            "making an event");
  CUDA_TRY (cudaMalloc (&q->few_work, TRSM_FEW_WORK), "allocating memory");
  CUDA_TRY (cudaMemsetAsync (q->few_work, 0, TRSM_FEW_WORK, q->stream),
            "clearing memory");
  /* The last, by which one sees that a queue is open.  */
  if (cu->create (&q->blas) != CUBLAS_STATUS_SUCCESS)
    {
      q->blas = NULL;
      return gpu_fail (g, GPU_EDEVICE, "cuBLAS cannot use %s", cu->prop.name);
    }
  cu->set_stream (q->blas, q->stream);
  return GPU_OK;
}

static void
close_queue (cuda_state *cu, cuda_queue *q)
{
  if (q->blas)
    cu->destroy (q->blas);
  if (q->reached)
    cudaEventDestroy (q->reached);
  if (q->stream)
    cudaStreamDestroy (q->stream); /* its work ends by itself */
  if (q->few_work)
    cudaFree (q->few_work);
  close_confined (q->context);
}

static gpu_status
cuda_queue_into (gpu_ctx *g, int q)
{
  cuda_state *cu = g->dev;
  if (!cu->queues[q].blas)
    GPU_TRY (open_queue (g, &cu->queues[q]));
  cu->stream = cu->queues[q].stream;
  cu->blas = cu->queues[q].blas;
  cu->few_work = cu->queues[q].few_work;
  return GPU_OK;
}

static gpu_status
cuda_after (gpu_ctx *g, int q)
{
  cuda_state *cu = g->dev;
  if (!cu->queues[q].stream)
    return GPU_OK;
  CUDA_TRY (cudaEventRecord (cu->queues[q].reached, cu->queues[q].stream),
            "marking an event");
  CUDA_TRY (cudaStreamWaitEvent (cu->stream, cu->queues[q].reached, 0),
            "waiting for an event");
  return GPU_OK;
}

static void
cuda_close (gpu_ctx *g)
{
  cuda_state *cu = g->dev;
  if (cu->transfers)
    transfer_close (cu->transfers);
  for (int q = 0; q < GPU_QUEUES; q++)
    close_queue (cu, &cu->queues[q]);
  if (cu->library)
    dlclose (cu->library);
  for (int i = 0; i < 2; i++)
    if (cu->paced[i])
      cudaEventDestroy (cu->paced[i]);
  if (cu->from)
    cudaEventDestroy (cu->from);
  if (cu->to)
    cudaEventDestroy (cu->to);
  if (g->lost)
    cudaDeviceReset ();
  else if (cu->pool)
    {
      cudaDeviceSynchronize ();
      cudaMemPoolTrimTo (cu->pool, 0);
    }
  free (cu);
  g->dev = NULL;
}

/* Whether kernels made for one architecture may be used.  */
static gpu_status
choose_tuning (gpu_ctx *g, cuda_state *cu)
{
  const char *tuning = getenv ("GPULINALG_TUNING");
  if (tuning && *tuning && strcmp (tuning, "portable"))
    return gpu_fail (g, GPU_EARG,
                     "GPULINALG_TUNING must be \"portable\" or unset, but is "
                     "\"%s\"",
                     tuning);
  if (!tuning || !*tuning)
    CUDA_TRY (cuda_mma_usable (&cu->tuned), "looking for its kernels");
  return GPU_OK;
}

static gpu_status
open_all (gpu_ctx *g, cuda_state *cu)
{
  uint64_t keep = UINT64_MAX;
  GPU_TRY (open_device (g, cu));
  GPU_TRY (choose_tuning (g, cu));
  CUDA_TRY (cudaEventCreate (&cu->from), "making an event");
  CUDA_TRY (cudaEventCreate (&cu->to), "making an event");
  CUDA_TRY (cudaDeviceGetDefaultMemPool (&cu->pool, g->device),
            "making a pool");
  /* Freed memory stays in the pool: the next call does not wait for it.  */
  CUDA_TRY (
    cudaMemPoolSetAttribute (cu->pool, cudaMemPoolAttrReleaseThreshold, &keep),
    "making a pool");
  GPU_TRY (open_cublas (g, cu));
  return cuda_queue_into (g, 0);
}

static gpu_status
cuda_open (gpu_ctx *g)
{
  cuda_state *cu = g->dev = calloc (1, sizeof *cu);
  if (!cu)
    return gpu_fail (g, GPU_ENOMEM, "out of host memory");
  gpu_status status = open_all (g, cu);
  if (status != GPU_OK)
    cuda_close (g);
  else
    g->degraded = false;
  return status;
}

static void
cuda_device (gpu_ctx *g, gpu_device *d)
{
  const cuda_state *cu = g->dev;
  size_t available = 0, total = 0;
  uint64_t reserved = 0, used = 0;
  memset (d, 0, sizeof *d);
  snprintf (d->name, sizeof d->name, "%s", cu->prop.name);
  d->index = g->device + 1;
  d->count = cu->count;
  d->cc_major = cu->prop.major;
  d->cc_minor = cu->prop.minor;
  d->multiprocessors = cu->prop.multiProcessorCount;
  cudaDriverGetVersion (&d->driver);
  cudaRuntimeGetVersion (&d->toolkit);
  cudaMemGetInfo (&available, &total);
  /* What the pool holds in reserve is free for us.  */
  cudaMemPoolGetAttribute (cu->pool, cudaMemPoolAttrReservedMemCurrent,
                           &reserved);
  cudaMemPoolGetAttribute (cu->pool, cudaMemPoolAttrUsedMemCurrent, &used);
  d->total_memory = (double) total;
  d->free_memory = (double) available + (double) reserved - (double) used;
  d->up = cu->up;
  d->down = cu->down;
  d->queued = cu->queued;
}

static gpu_tuning
cuda_tuning (gpu_ctx *g, gpu_type type)
{
  const cuda_state *cu = g->dev;
  ptrdiff_t leaf = cuda_leaf_size (type, cu->prop.sharedMemPerBlockOptin);
  ptrdiff_t pages = type == GPU_CDOUBLE ? PAGES / 2 : PAGES;
  ptrdiff_t wide = cuda_wide_size (type, cu->prop.sharedMemPerBlockOptin);
  gpu_tuning tune = { .leaf = leaf,
                      .syrk = SYRK_LEAF,
                      .panel = LU_PANEL,
                      .pages = pages,
                      .few = pages,
                      .many = pages,
                      .tiles = cu->prop.multiProcessorCount,
                      .ahead = cu->tuned ? pages + 1 : PTRDIFF_MAX,
                      .chol_work = cuda_chol_work (),
                      .few_columns = FEW_COLUMNS,
                      .few_most = TRSM_FEW_MOST,
                      .lu_ahead = cu->tuned ? LU_AHEAD : PTRDIFF_MAX,
                      .lu_unit = type == GPU_CDOUBLE ? LU_UNIT / 2 : LU_UNIT,
                      .lu_rows = cuda_lu_rows (type),
                      .lu_column = (ptrdiff_t) (cu->prop.sharedMemPerBlockOptin
                                                / gpu_type_size (type)),
                      .quaternion = QUATERNION,
                      .in_place = type == GPU_DOUBLE ? IN_PLACE : PTRDIFF_MAX,
                      .thin = cu->tuned ? THIN : 0 };
  if (wide > pages)
    {
      tune.few = wide < FEW_PAGES ? wide : FEW_PAGES;
      tune.many = wide;
    }
  return tune;
}

static gpu_status
cuda_alloc (gpu_ctx *g, size_t bytes, void **p)
{
  cuda_state *cu = g->dev;
  cudaError_t error;
  if (bytes == 0)
    bytes = 1;
  for (int attempt = 0; attempt < 2; attempt++)
    {
      error = cudaMallocAsync (p, bytes, cu->stream);
      if (error != cudaErrorMemoryAllocation)
        {
          CUDA_TRY (error, "allocating memory");
          return GPU_OK;
        }
      /* The pool may hold pieces of the wrong sizes, and what it got before it
         failed: give them back.  */
      cudaGetLastError ();
      cudaStreamSynchronize (cu->stream);
      cudaMemPoolTrimTo (cu->pool, 0);
    }
  return GPU_ENOMEM;
}

static void
cuda_free (gpu_ctx *g, void *p)
{
  cuda_state *cu = g->dev;
  cudaFreeAsync (p, cu->stream);
}

/* Between X, in host memory, and A in either direction, by the driver.  */
static cudaError_t
plain_copy (cuda_state *cu, gpu_mat A, gpu_mat X, bool up)
{
  size_t size = gpu_type_size (A.type);
  for (ptrdiff_t k = 0; k < A.pages; k++)
    {
      gpu_mat to = gpu_page (up ? A : X, k), from = gpu_page (up ? X : A, k);
      size_t bytes = (size_t) A.m * size, columns = (size_t) A.n;
      cudaError_t error = cudaMemcpy2DAsync (
        to.p, (size_t) to.ld * size, from.p, (size_t) from.ld * size, bytes,
        columns, cudaMemcpyDefault, cu->stream);
      if (error != cudaSuccess)
        return error;
    }
  return cudaSuccess;
}

/* Begin a move.  It is NULL if it was so small that it is done, or on its way
   in the stream.  */
static gpu_status
start_move (gpu_ctx *g, bool up, transfer_part part, gpu_mat A, gpu_mat X,
            transfer_job **job)
{
  cuda_state *cu = g->dev;
  size_t bytes
    = (size_t) A.m * (size_t) A.n * (size_t) A.pages * gpu_type_size (A.type);
  *job = NULL;
  if (bytes == 0)
    return GPU_OK;
  *(up ? &cu->up : &cu->down) += (double) bytes;
  if (transfer_serves (bytes, up) && !cu->transfers && !cu->plain)
    {
      cu->transfers = transfer_open (g->device);
      cu->plain = !cu->transfers;
    }
  if (transfer_serves (bytes, up) && !cu->plain)
    CUDA_TRY (transfer_start (cu->transfers, cu->stream, A, X, part, up, job),
              "moving data");
  else if (A.ld == A.m && X.ld == A.m
           && (A.pages == 1 || (A.step == A.m * A.n && X.step == A.step)))
    CUDA_TRY (cudaMemcpyAsync (up ? A.p : X.p, up ? X.p : A.p, bytes,
                               cudaMemcpyDefault, cu->stream),
              "moving data");
  else
    CUDA_TRY (plain_copy (cu, A, X, up), "moving data");
  return GPU_OK;
}

static gpu_status
end_move (gpu_ctx *g, transfer_job *job)
{
  cuda_state *cu = g->dev;
  if (job)
    CUDA_TRY (transfer_wait (cu->transfers, cu->stream, job), "moving data");
  return GPU_OK;
}

/* Between A and the dense host array x.  */
static gpu_status
transfer (gpu_ctx *g, gpu_mat A, const void *x, transfer_part part, bool up)
{
  cuda_state *cu = g->dev;
  transfer_job *job;
  gpu_mat X = A;
  X.p = (void *) x;
  X.ld = A.m;
  X.step = A.m * A.n;
  GPU_TRY (start_move (g, up, part, A, X, &job));
  GPU_TRY (end_move (g, job));
  if (!up)
    CUDA_TRY (cudaStreamSynchronize (cu->stream), "computing");
  return GPU_OK;
}

static gpu_status
cuda_start_move (gpu_ctx *g, bool up, gpu_mat A, gpu_mat X, void **move)
{
  transfer_job *job;
  gpu_status status = start_move (g, up, MOVE_ALL, A, X, &job);
  *move = job;
  return status;
}

/* A move down that the stream makes ends with it.  */
static gpu_status
cuda_end_move (gpu_ctx *g, void *move)
{
  cuda_state *cu = g->dev;
  GPU_TRY (end_move (g, move));
  if (!move)
    CUDA_TRY (cudaStreamSynchronize (cu->stream), "computing");
  return GPU_OK;
}

static gpu_status
cuda_put (gpu_ctx *g, const void *x, gpu_mat A)
{
  return transfer (g, A, x, MOVE_ALL, true);
}

static gpu_status
cuda_get (gpu_ctx *g, gpu_mat A, void *x)
{
  return transfer (g, A, x, MOVE_ALL, false);
}

static gpu_status
cuda_peek (gpu_ctx *g, gpu_mat A, void *x)
{
  cuda_state *cu = g->dev;
  const double down = cu->down;
  gpu_status status = cuda_get (g, A, x);
  cu->down = down;
  return status;
}

static gpu_status
cuda_put_triangle (gpu_ctx *g, gpu_uplo uplo, const void *x, gpu_mat A)
{
  return transfer (g, A, x, uplo & GPU_LOWER ? MOVE_LOWER : MOVE_UPPER, true);
}

static gpu_status
cuda_get_triangle (gpu_ctx *g, gpu_uplo uplo, gpu_mat A, void *x)
{
  return transfer (g, A, x, uplo & GPU_LOWER ? MOVE_LOWER : MOVE_UPPER, false);
}

/* A primitive that is one launch: cuda_NAME with ARGS, while DOING.  */
#define LAUNCH_PRIMITIVE(name, doing, params, ...)                            \
  static gpu_status name params                                               \
  {                                                                           \
    cuda_state *cu = g->dev;                                                  \
    cu->queued++;                                                             \
    CUDA_TRY (cuda_##name (cu->stream, __VA_ARGS__), doing);                  \
    return GPU_OK;                                                            \
  }

/* clang-format off */
LAUNCH_PRIMITIVE (copy, "copying",
                  (gpu_ctx *g, gpu_mat A, gpu_mat B),
                  A, B)
LAUNCH_PRIMITIVE (zero, "clearing",
                  (gpu_ctx *g, gpu_mat A),
                  A)
LAUNCH_PRIMITIVE (triu, "clearing a triangle",
                  (gpu_ctx *g, gpu_mat A),
                  A)
LAUNCH_PRIMITIVE (eye, "making an identity",
                  (gpu_ctx *g, gpu_mat A),
                  A)
LAUNCH_PRIMITIVE (split, "splitting numbers",
                  (gpu_ctx *g, bool low, gpu_mat A, gpu_mat W),
                  low, A, W)
LAUNCH_PRIMITIVE (chol_leaf, "factoring a leaf",
                  (gpu_ctx *g, gpu_mat A, gpu_mat info, ptrdiff_t at),
                  A, info, at)
LAUNCH_PRIMITIVE (trsm_leaf, "solving with a leaf",
                  (gpu_ctx *g, gpu_uplo uplo, gpu_mat T, gpu_mat B),
                  uplo, T, B)
LAUNCH_PRIMITIVE (trsm_few, "solving with a triangle",
                  (gpu_ctx *g, gpu_uplo uplo, gpu_mat T, gpu_mat B),
                  uplo, T, B, cu->few_work)
LAUNCH_PRIMITIVE (lu_panel, "factoring a panel",
                  (gpu_ctx *g, gpu_mat A, gpu_mat piv, gpu_mat info,
                   ptrdiff_t at),
                  A, piv, info, at)
LAUNCH_PRIMITIVE (lu_unit, "factoring a panel",
                  (gpu_ctx *g, gpu_mat A, ptrdiff_t j, gpu_mat piv,
                   gpu_mat info, gpu_mat list, gpu_mat side, ptrdiff_t at),
                  A, j, piv, info, list, side, at)
LAUNCH_PRIMITIVE (lu_inverse, "inverting a triangle",
                  (gpu_ctx *g, gpu_mat L, gpu_mat X),
                  L, X)
LAUNCH_PRIMITIVE (lu_moves, "combining exchanges",
                  (gpu_ctx *g, gpu_mat piv, ptrdiff_t at, gpu_mat X,
                   gpu_mat list),
                  piv, at, X, list)
LAUNCH_PRIMITIVE (lu_solve, "solving with a triangle",
                  (gpu_ctx *g, gpu_mat list, gpu_mat L, gpu_mat B, gpu_mat U),
                  list, L, B, U)
LAUNCH_PRIMITIVE (lu_trace, "combining exchanges",
                  (gpu_ctx *g, gpu_mat piv, ptrdiff_t at, gpu_mat rows),
                  piv, at, rows)
LAUNCH_PRIMITIVE (lu_order, "combining exchanges",
                  (gpu_ctx *g, gpu_mat piv, gpu_mat rows, gpu_mat to,
                   gpu_mat from),
                  piv, rows, to, from)
LAUNCH_PRIMITIVE (lu_reorder, "moving rows",
                  (gpu_ctx *g, gpu_mat A, ptrdiff_t w, gpu_mat rows,
                   gpu_mat all, gpu_mat buffer),
                  A, w, rows, all, buffer)
LAUNCH_PRIMITIVE (lu_exchange, "moving rows",
                  (gpu_ctx *g, gpu_mat piv, ptrdiff_t at, gpu_mat A),
                  piv, at, A)
LAUNCH_PRIMITIVE (lu_divide, "solving with a triangle",
                  (gpu_ctx *g, gpu_mat piv, ptrdiff_t at, gpu_mat L,
                   gpu_mat A),
                  piv, at, L, A)
LAUNCH_PRIMITIVE (lu_move, "moving rows",
                  (gpu_ctx *g, gpu_mat list, gpu_mat A, gpu_mat B),
                  list, A, B)
LAUNCH_PRIMITIVE (swap_rows, "swapping rows",
                  (gpu_ctx *g, gpu_mat piv, ptrdiff_t at, bool backward,
                   gpu_mat A),
                  piv, at, backward, A)
LAUNCH_PRIMITIVE (det_lu, "multiplying a diagonal",
                  (gpu_ctx *g, gpu_mat LU, gpu_mat piv, gpu_mat d,
                   gpu_mat sign),
                  LU, piv, d, sign)
LAUNCH_PRIMITIVE (norm1, "taking a norm",
                  (gpu_ctx *g, gpu_mat A, gpu_mat r),
                  A, r)
LAUNCH_PRIMITIVE (structure, "looking for a structure",
                  (gpu_ctx *g, gpu_mat A, gpu_mat flags),
                  A, flags)
LAUNCH_PRIMITIVE (mirror, "copying a triangle",
                  (gpu_ctx *g, gpu_mat A),
                  A)
LAUNCH_PRIMITIVE (finish_inv, "finishing an inverse",
                  (gpu_ctx *g, gpu_mat anorm, gpu_mat info, gpu_mat X,
                   gpu_mat rcond),
                  anorm, info, X, rcond)
LAUNCH_PRIMITIVE (chol_pages, "factoring pages",
                  (gpu_ctx *g, gpu_mat A, gpu_mat R, gpu_mat info),
                  A, R, info)
LAUNCH_PRIMITIVE (chol_load, "loading a matrix",
                  (gpu_ctx *g, gpu_mat A, gpu_mat scale, ptrdiff_t band,
                   ptrdiff_t first, ptrdiff_t last, gpu_mat W),
                  A, scale, band, first, last, W)
LAUNCH_PRIMITIVE (chol_store, "storing a factor",
                  (gpu_ctx *g, gpu_mat W, gpu_mat L, gpu_mat scale,
                   ptrdiff_t first, ptrdiff_t last, gpu_mat R),
                  W, L, scale, first, last, R)
LAUNCH_PRIMITIVE (chol_step, "factoring a panel",
                  (gpu_ctx *g, bool pairs, bool carry, gpu_mat A, gpu_mat L11,
                   gpu_mat work, gpu_mat info, ptrdiff_t at),
                  cu->prop.multiProcessorCount, pairs, carry, A, L11, work,
                  info, at)
LAUNCH_PRIMITIVE (chol_strip, "multiplying a panel",
                  (gpu_ctx *g, gpu_mat P, gpu_mat C),
                  P, C)
LAUNCH_PRIMITIVE (split16, "splitting numbers",
                  (gpu_ctx *g, double scale, gpu_mat P, gpu_mat S),
                  scale, P, S)
LAUNCH_PRIMITIVE (quat_sums, "summing quaternions",
                  (gpu_ctx *g, ptrdiff_t pieces, gpu_mat A, int sign_a,
                   gpu_mat SA, gpu_mat B, int sign_b, gpu_mat SB,
                   gpu_mat most),
                  pieces, A, sign_a, SA, B, sign_b, SB, most)
LAUNCH_PRIMITIVE (quat_combine, "combining quaternions",
                  (gpu_ctx *g, gpu_mat W, ptrdiff_t pieces, int sign,
                   gpu_mat C),
                  W, pieces, sign, C)
LAUNCH_PRIMITIVE (quat_thin, "multiplying quaternions",
                  (gpu_ctx *g, gpu_mat A, int sign_a, gpu_mat B, int sign_b,
                   gpu_mat W, gpu_mat most, gpu_mat C),
                  A, sign_a, B, sign_b, W, most, C)
LAUNCH_PRIMITIVE (quat_matrix, "arranging quaternions",
                  (gpu_ctx *g, gpu_mat B, int sign_a, int sign_b, gpu_mat W),
                  B, sign_a, sign_b, W)
LAUNCH_PRIMITIVE (map, "computing elements",
                  (gpu_ctx *g, gpu_operation op, gpu_operand A, gpu_operand B,
                   gpu_mat C),
                  op, A, B, C)
LAUNCH_PRIMITIVE (reduce, "reducing",
                  (gpu_ctx *g, gpu_reduction op, gpu_mat A, int dim,
                   gpu_mat C, gpu_mat at),
                  op, A, dim, C, at)
LAUNCH_PRIMITIVE (gather, "indexing",
                  (gpu_ctx *g, gpu_mat A, const gpu_index at[3], gpu_mat C),
                  A, at, C)
LAUNCH_PRIMITIVE (scatter, "assigning",
                  (gpu_ctx *g, gpu_operand B, gpu_mat A,
                   const gpu_index at[3]),
                  B, A, at)
LAUNCH_PRIMITIVE (band, "copying a band",
                  (gpu_ctx *g, gpu_mat A, ptrdiff_t lo, ptrdiff_t hi,
                   gpu_mat C),
                  A, lo, hi, C)
LAUNCH_PRIMITIVE (project, "projecting points",
                  (gpu_ctx *g, gpu_mat H, gpu_mat P, gpu_mat Q),
                  H, P, Q)
LAUNCH_PRIMITIVE (rigid_inverse, "inverting transforms",
                  (gpu_ctx *g, gpu_mat T, gpu_mat X, gpu_mat deviation),
                  T, X, deviation)
/* clang-format on */

/* Not under its name in gpu.h, which is one of the C library's.  */
static gpu_status
draw (gpu_ctx *g, bool normal, uint64_t seed, uint64_t at, gpu_mat A)
{
  cuda_state *cu = g->dev;
  cu->queued++;
  CUDA_TRY (cuda_random (cu->stream, normal, seed, at, A), "drawing numbers");
  return GPU_OK;
}

static const cudaDataType data[]
  = { CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F };

/* C = alpha * A * B + beta * C, A and B of type FROM; COMPUTE says how.  */
static gpu_status
gemm (gpu_ctx *g, cublasComputeType_t compute, cudaDataType from, double alpha,
      gpu_mat A, gpu_mat B, double beta, gpu_mat C)
{
  static const cublasOperation_t ops[]
    = { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_N, CUBLAS_OP_C };
  cuda_state *cu = g->dev;
  bool is_single = C.type == GPU_SINGLE || C.type == GPU_CSINGLE;
  cudaDataType type = data[C.type];
  /* Scalars of the data's type; the imaginary parts stay zero.  */
  double alpha_d[2] = { alpha, 0 }, beta_d[2] = { beta, 0 };
  float alpha_s[2] = { (float) alpha, 0 }, beta_s[2] = { (float) beta, 0 };
  const void *al = is_single ? (void *) alpha_s : (void *) alpha_d;
  const void *be = is_single ? (void *) beta_s : (void *) beta_d;
  cublasStatus_t status;

  if (C.m == 0 || C.n == 0 || C.pages == 0)
    return GPU_OK;
  GPU_TRY (gpu_advance (g, gpu_product_work (C, A.n)));
  cu->queued++;
  if (C.pages == 1)
    status = cu->gemm (cu->blas, ops[A.op], ops[B.op], C.m, C.n, A.n, al, A.p,
                       from, A.ld, B.p, from, B.ld, be, C.p, type, C.ld,
                       compute, CUBLAS_GEMM_DEFAULT);
  else
    status = cu->gemm_pages (cu->blas, ops[A.op], ops[B.op], C.m, C.n, A.n, al,
                             A.p, from, A.ld, A.step, B.p, from, B.ld, B.step,
                             be, C.p, type, C.ld, C.step, C.pages, compute,
                             CUBLAS_GEMM_DEFAULT);
  if (status != CUBLAS_STATUS_SUCCESS)
    {
      g->lost = cudaDeviceSynchronize () != cudaSuccess;
      return gpu_fail (g, GPU_EDEVICE,
                       "cuBLAS failed in a product (%td x %td times "
                       "%td x %td): status %d%s",
                       A.m, A.n, B.m, B.n, (int) status,
                       g->lost ? "; gpuDevice (\"reset\") brings the GPU back"
                               : "");
    }
  return GPU_OK;
}

static gpu_status
cuda_gemm (gpu_ctx *g, double alpha, gpu_mat A, gpu_mat B, double beta,
           gpu_mat C)
{
  bool is_single = C.type == GPU_SINGLE || C.type == GPU_CSINGLE;
  return gemm (g, is_single ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_64F,
               A.type == GPU_INT16 ? CUDA_R_16F : data[A.type], alpha, A, B,
               beta, C);
}

/* W = A in 16 bits.  Columns begin at multiples of 16 bytes, without which
   tensor cores get their operands slowly.  */
static gpu_status
narrow (gpu_ctx *g, bool bf16, gpu_mat A, gpu_mat *W)
{
  cuda_state *cu = g->dev;
  const gpu_op op = A.op;
  const ptrdiff_t pages = A.pages;
  if (op != GPU_N)
    A = gpu_transposed (A);
  if (A.step == 0)
    A.pages = 1;
  GPU_TRY (gpu_new (g, GPU_INT16, (A.m + 7) / 8 * 8, A.n, A.pages, W));
  W->m = A.m;
  CUDA_TRY (cuda_narrow (cu->stream, bf16, A, *W), "rounding to 16 bits");
  if (A.step == 0)
    W->step = 0;
  W->pages = pages;
  if (op != GPU_N)
    *W = gpu_transposed (*W);
  return GPU_OK;
}

static gpu_status
cuda_gemm_fast (gpu_ctx *g, gpu_precision precision, double alpha, gpu_mat A,
                gpu_mat B, double beta, gpu_mat C)
{
  const bool bf16 = precision == GPU_BF16;
  gpu_mat X, Y;
  if (precision == GPU_TF32)
    return gemm (g, CUBLAS_COMPUTE_32F_FAST_TF32, data[C.type], alpha, A, B,
                 beta, C);
  if (gpu_is_complex (C.type))
    return gemm (
      g, bf16 ? CUBLAS_COMPUTE_32F_FAST_16BF : CUBLAS_COMPUTE_32F_FAST_16F,
      data[C.type], alpha, A, B, beta, C);
  GPU_TRY (narrow (g, bf16, A, &X));
  GPU_TRY (narrow (g, bf16, B, &Y));
  GPU_TRY (gemm (g, CUBLAS_COMPUTE_32F, bf16 ? CUDA_R_16BF : CUDA_R_16F, alpha,
                 X, Y, beta, C));
  gpu_free (g, X);
  gpu_free (g, Y);
  return GPU_OK;
}

/* The whole square: at this size the half that nobody reads costs less than
   more launches would.  */
static gpu_status
cuda_syrk_leaf (gpu_ctx *g, double alpha, gpu_mat A, gpu_mat C)
{
  return gpu_gemm (g, alpha, gpu_adjoint (A), A, 1, C);
}

/* By a thread, by some lanes of a warp or by a block a page, whichever comes
   first in serving this type and size.  */
static gpu_status
inv_pages (gpu_ctx *g, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  cuda_state *cu = g->dev;
  cu->queued++;
  cudaError_t error = cuda_inv_thread (cu->stream, A, X, rcond);
  if (error == cudaErrorNotSupported)
    error = cuda_inv_lanes (cu->stream, A, X, rcond);
  if (error == cudaErrorNotSupported && cu->tuned)
    error = cuda_inv_mma (cu->stream, A, X, rcond);
  if (error == cudaErrorNotSupported)
    error = cuda_inv_block (cu->stream, A, X, rcond);
  if (error == cudaErrorNotSupported)
    error = cuda_inv_wide (cu->stream, A, X, rcond);
  CUDA_TRY (error, "inverting pages");
  return GPU_OK;
}

static gpu_status
det_pages (gpu_ctx *g, gpu_mat A, gpu_mat W, gpu_mat d, gpu_mat sign)
{
  cuda_state *cu = g->dev;
  cu->queued++;
  cudaError_t error = cuda_det_thread (cu->stream, A, d, sign);
  if (error == cudaErrorNotSupported)
    error = cuda_det_lanes (cu->stream, A, d, sign);
  if (error == cudaErrorNotSupported && cu->tuned)
    error = cuda_det_mma (cu->stream, A, d, sign);
  if (error == cudaErrorNotSupported)
    error = cuda_det_block (cu->stream, A, d, sign);
  if (error == cudaErrorNotSupported)
    error = cuda_det_wide (cu->stream, A, W, d, sign);
  CUDA_TRY (error, "taking determinants of pages");
  return GPU_OK;
}

static gpu_status
cuda_pace (gpu_ctx *g)
{
  cuda_state *cu = g->dev;
  const cudaEvent_t last = cu->paced[0];
  cu->paced[0] = cu->paced[1];
  cu->paced[1] = last;
  if (!cu->paced[0])
    CUDA_TRY (cudaEventCreateWithFlags (&cu->paced[0], cudaEventDisableTiming),
              "making an event");
  CUDA_TRY (cudaEventRecord (cu->paced[0], cu->stream), "marking an event");
  if (cu->paced[1])
    CUDA_TRY (cudaEventSynchronize (cu->paced[1]), "computing");
  return GPU_OK;
}

static gpu_status
cuda_wait (gpu_ctx *g)
{
  cuda_state *cu = g->dev;
  CUDA_TRY (cudaStreamSynchronize (cu->stream), "computing");
  return GPU_OK;
}

static gpu_status
cuda_trim (gpu_ctx *g)
{
  cuda_state *cu = g->dev;
  GPU_TRY (cuda_wait (g));
  CUDA_TRY (cudaMemPoolTrimTo (cu->pool, 0), "giving memory back");
  return GPU_OK;
}

static gpu_status
cuda_tic (gpu_ctx *g)
{
  cuda_state *cu = g->dev;
  CUDA_TRY (cudaEventRecord (cu->from, cu->stream), "starting a clock");
  return GPU_OK;
}

static gpu_status
cuda_seconds (gpu_ctx *g, double *s)
{
  cuda_state *cu = g->dev;
  float ms = 0;
  CUDA_TRY (cudaEventRecord (cu->to, cu->stream), "reading a clock");
  CUDA_TRY (cudaEventSynchronize (cu->to), "computing");
  CUDA_TRY (cudaEventElapsedTime (&ms, cu->from, cu->to), "reading a clock");
  *s = ms * 1e-3;
  return GPU_OK;
}

const gpu_backend gpu_cuda_backend = {
  .name = "cuda",
  .host_memory = false,
  .open = cuda_open,
  .close = cuda_close,
  .device = cuda_device,
  .tuning = cuda_tuning,
  .alloc = cuda_alloc,
  .free = cuda_free,
  .put = cuda_put,
  .get = cuda_get,
  .peek = cuda_peek,
  .put_triangle = cuda_put_triangle,
  .get_triangle = cuda_get_triangle,
  .start_move = cuda_start_move,
  .end_move = cuda_end_move,
  .copy = copy,
  .zero = zero,
  .eye = eye,
  .triu = triu,
  .gemm = cuda_gemm,
  .gemm_fast = cuda_gemm_fast,
  .split = split,
  .syrk_leaf = cuda_syrk_leaf,
  .chol_leaf = chol_leaf,
  .trsm_leaf = trsm_leaf,
  .trsm_few = trsm_few,
  .lu_panel = lu_panel,
  .lu_unit = lu_unit,
  .lu_inverse = lu_inverse,
  .lu_moves = lu_moves,
  .lu_move = lu_move,
  .lu_solve = lu_solve,
  .lu_trace = lu_trace,
  .lu_order = lu_order,
  .lu_reorder = lu_reorder,
  .lu_exchange = lu_exchange,
  .lu_divide = lu_divide,
  .swap_rows = swap_rows,
  .det_lu = det_lu,
  .norm1 = norm1,
  .structure = structure,
  .mirror = mirror,
  .finish_inv = finish_inv,
  .chol_pages = chol_pages,
  .inv_pages = inv_pages,
  .det_pages = det_pages,
  .chol_load = chol_load,
  .chol_store = chol_store,
  .chol_step = chol_step,
  .chol_strip = chol_strip,
  .split16 = split16,
  .queue = cuda_queue_into,
  .after = cuda_after,
  .quat_sums = quat_sums,
  .quat_combine = quat_combine,
  .quat_thin = quat_thin,
  .quat_matrix = quat_matrix,
  .map = map,
  .reduce = reduce,
  .gather = gather,
  .scatter = scatter,
  .band = band,
  .random = draw,
  .project = project,
  .rigid_inverse = rigid_inverse,
  .wait = cuda_wait,
  .pace = cuda_pace,
  .trim = cuda_trim,
  .tic = cuda_tic,
  .seconds = cuda_seconds,
};
