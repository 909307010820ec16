/* bench_peer.h: cuSOLVER, if it is there, and its times.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_BENCH_PEER_H
#define GPULINALG_BENCH_PEER_H 1

#include <cusolverDn.h>

#include "bench.h"

typedef struct
{
  void *library;
  cusolverDnHandle_t handle;
  cudaStream_t stream;
  cudaEvent_t from, to;
  __typeof__ (&cusolverDnXpotrf_bufferSize) potrf_size;
  __typeof__ (&cusolverDnXpotrf) potrf;
  __typeof__ (&cusolverDnXpotrs) potrs;
  __typeof__ (&cusolverDnXgetrf_bufferSize) getrf_size;
  __typeof__ (&cusolverDnXgetrf) getrf;
  __typeof__ (&cusolverDnXgetrs) getrs;
} peer;

static const cudaDataType peer_types[]
  = { CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F };

static inline bool
peer_open (peer *s)
{
  __typeof__ (&cusolverDnCreate) create;
  __typeof__ (&cusolverDnSetStream) set_stream;
  char name[64];

  memset (s, 0, sizeof *s);
  snprintf (name, sizeof name, "libcusolver.so.%d", CUSOLVER_VER_MAJOR);
  s->library = open_library (name);
  if (!s->library)
    return false;
  *(void **) &create = dlsym (s->library, "cusolverDnCreate");
  *(void **) &set_stream = dlsym (s->library, "cusolverDnSetStream");
  *(void **) &s->potrf_size
    = dlsym (s->library, "cusolverDnXpotrf_bufferSize");
  *(void **) &s->potrf = dlsym (s->library, "cusolverDnXpotrf");
  *(void **) &s->potrs = dlsym (s->library, "cusolverDnXpotrs");
  *(void **) &s->getrf_size
    = dlsym (s->library, "cusolverDnXgetrf_bufferSize");
  *(void **) &s->getrf = dlsym (s->library, "cusolverDnXgetrf");
  *(void **) &s->getrs = dlsym (s->library, "cusolverDnXgetrs");
  return create && set_stream && s->potrf_size && s->potrf && s->potrs
         && s->getrf_size && s->getrf && s->getrs
         && create (&s->handle) == CUSOLVER_STATUS_SUCCESS
         && cudaStreamCreateWithFlags (&s->stream, cudaStreamNonBlocking)
              == cudaSuccess
         && set_stream (s->handle, s->stream) == CUSOLVER_STATUS_SUCCESS
         && cudaEventCreate (&s->from) == cudaSuccess
         && cudaEventCreate (&s->to) == cudaSuccess;
}

/* Memory that cuSOLVER asked for; its info lies behind the workspace.  */
typedef struct
{
  void *device, *host;
  size_t device_bytes, host_bytes;
  int *info;
} peer_work;

static inline bool
peer_allocate (peer_work *w)
{
  size_t at = (w->device_bytes + sizeof *w->info - 1) / sizeof *w->info
              * sizeof *w->info;
  w->device = w->host = NULL;
  if (cudaMalloc (&w->device, at + sizeof *w->info) != cudaSuccess)
    return false;
  w->info = (int *) ((char *) w->device + at);
  w->host = host_memory (w->host_bytes + 1);
  return true;
}

/* Whether all went well, INFO included.  */
static inline bool
peer_free (peer_work *w)
{
  int bad = 1;
  bool good = w->device
              && cudaMemcpy (&bad, w->info, sizeof bad, cudaMemcpyDeviceToHost)
                   == cudaSuccess;
  cudaFree (w->device);
  free (w->host);
  return good && bad == 0;
}

static inline void
peer_tic (peer *s)
{
  cudaDeviceSynchronize ();
  cudaEventRecord (s->from, s->stream);
}

/* Seconds since peer_tic, NaN if anything failed.  */
static inline double
peer_toc (peer *s)
{
  float ms = 0;
  cudaEventRecord (s->to, s->stream);
  if (cudaEventSynchronize (s->to) != cudaSuccess
      || cudaEventElapsedTime (&ms, s->from, s->to) != cudaSuccess)
    return NAN;
  return 1e-3 * (double) ms;
}

#endif
