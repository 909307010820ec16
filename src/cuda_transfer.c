/* cuda_transfer.c: large arrays between Octave's memory and the GPU, at the
   speed of the bus.

   Octave's memory is pageable, and the driver moves that with one thread.
   Here some threads share the work: an array falls into pieces, and each
   thread takes the next piece through pinned buffers of its own,

        Octave's memory  --memcpy-->  pinned  --DMA-->  GPU     (up)
        Octave's memory  <--memcpy--  pinned  <--DMA--  GPU     (down)

   with one buffer on the bus while it fills or empties another.  Writing into
   memory that nothing has touched yet also costs a page fault every page,
   which the threads share as well.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda_transfer.h"

enum
{
  SLOTS = 3,            /* buffers of a thread */
  PIECE = 1 << 20,      /* bytes of a buffer */
  MAX_THREADS = 16,     /* more do not help */
  PIECES_A_THREAD = 2,  /* at least, of an array that is not so large */
  MIN_PIECE = 64 << 10, /* bytes */
  MIN_UP = 16 << 20,    /* bytes; below, a plain copy is as fast */
  MIN_DOWN = 1 << 20
};

/* A grid of pieces, columns by columns; those outside of the part that moves
   are empty.  */
struct transfer_job
{
  gpu_mat A, X;
  transfer_part part;
  bool up;
  ptrdiff_t size;          /* of an element */
  ptrdiff_t rows, columns; /* of a piece */
  ptrdiff_t row_pieces, col_pieces;
  ptrdiff_t pieces, next, finished;
  cudaEvent_t after; /* when it may begin */
  cudaError_t error;
  transfer_job *later;
};

/* Rows i to i + m and columns j to j + n of page k.  */
typedef struct
{
  ptrdiff_t i, j, k, m, n;
} transfer_piece;

typedef struct
{
  transfer_pool *pool;
  pthread_t thread;
  cudaStream_t stream;
  cudaEvent_t last;        /* its last piece is on the GPU */
  cudaEvent_t done[SLOTS]; /* the buffer is free, or full */
  char *buffer;
} transfer_thread;

struct transfer_pool
{
  int device, threads;
  char *pinned;
  pthread_mutex_t lock;
  pthread_cond_t work, finished;
  transfer_job *jobs; /* those with pieces left, in their order */
  bool quit;
  transfer_thread thread[MAX_THREADS];
};

static ptrdiff_t
min_of (ptrdiff_t a, ptrdiff_t b)
{
  return a < b ? a : b;
}

static transfer_piece
piece_of (const transfer_job *job, ptrdiff_t index)
{
  transfer_piece p;
  p.i = index % job->row_pieces * job->rows;
  index /= job->row_pieces;
  p.j = index % job->col_pieces * job->columns;
  p.k = index / job->col_pieces;
  p.m = min_of (job->rows, job->A.m - p.i);
  p.n = min_of (job->columns, job->A.n - p.j);
  if (job->part == MOVE_UPPER)
    p.m = min_of (p.m, p.j + p.n - p.i);
  else if (job->part == MOVE_LOWER && p.j > p.i)
    {
      p.m -= p.j - p.i;
      p.i = p.j;
    }
  return p;
}

/* Between Octave's memory and a buffer.  */
static void
copy_on_host (const transfer_job *job, transfer_piece p, char *buffer)
{
  gpu_mat X = gpu_page (gpu_part (job->X, p.i, p.j, p.m, p.n), p.k);
  size_t bytes = (size_t) (p.m * job->size);
  size_t stride = (size_t) (X.ld * job->size), columns = (size_t) p.n;
  if (bytes == stride)
    {
      bytes *= columns;
      columns = 1;
    }
  for (size_t j = 0; j < columns; j++)
    {
      char *b = buffer + j * bytes, *x = (char *) X.p + j * stride;
      if (job->up)
        memcpy (b, x, bytes);
      else
        memcpy (x, b, bytes);
    }
}

static cudaError_t
copy_over_bus (const transfer_job *job, transfer_piece p, char *buffer,
               cudaStream_t stream)
{
  gpu_mat A = gpu_page (gpu_part (job->A, p.i, p.j, p.m, p.n), p.k);
  size_t pitch = (size_t) (A.ld * job->size);
  size_t bytes = (size_t) (p.m * job->size), columns = (size_t) p.n;
  if (bytes == pitch)
    {
      bytes = pitch *= columns;
      columns = 1;
    }
  if (columns == 1)
    return cudaMemcpyAsync (job->up ? A.p : buffer, job->up ? buffer : A.p,
                            bytes, cudaMemcpyDefault, stream);
  return cudaMemcpy2DAsync (job->up ? A.p : buffer, job->up ? pitch : bytes,
                            job->up ? buffer : A.p, job->up ? bytes : pitch,
                            bytes, columns, cudaMemcpyDefault, stream);
}

/* The next piece that is not empty; false if there is none or, if WAIT, at the
   end of the pool.  */
static bool
take (transfer_pool *pool, bool wait, transfer_job **job, transfer_piece *p)
{
  bool found = false;
  pthread_mutex_lock (&pool->lock);
  while (!found)
    {
      while (wait && !pool->quit && !pool->jobs)
        pthread_cond_wait (&pool->work, &pool->lock);
      if (pool->quit || !pool->jobs)
        break;
      *job = pool->jobs;
      *p = piece_of (*job, (*job)->next++);
      if ((*job)->next == (*job)->pieces)
        pool->jobs = (*job)->later;
      found = p->m > 0;
      if (!found && ++(*job)->finished == (*job)->pieces)
        pthread_cond_broadcast (&pool->finished);
    }
  pthread_mutex_unlock (&pool->lock);
  return found;
}

static void
finish (transfer_pool *pool, transfer_job *job, cudaError_t error)
{
  pthread_mutex_lock (&pool->lock);
  if (error != cudaSuccess)
    job->error = error;
  if (++job->finished == job->pieces)
    pthread_cond_broadcast (&pool->finished);
  pthread_mutex_unlock (&pool->lock);
}

static cudaError_t
first_error (cudaError_t a, cudaError_t b)
{
  return a != cudaSuccess ? a : b;
}

/* A piece on its way into buffer SLOT, or from there.  */
static cudaError_t
send (transfer_thread *t, const transfer_job *job, transfer_piece p, int slot)
{
  char *buffer = t->buffer + (size_t) slot * PIECE;
  cudaError_t error = cudaSuccess;
  if (job->up)
    {
      error = cudaEventSynchronize (t->done[slot]);
      copy_on_host (job, p, buffer);
    }
  error = first_error (error, cudaStreamWaitEvent (t->stream, job->after, 0));
  error = first_error (error, copy_over_bus (job, p, buffer, t->stream));
  error = first_error (error, cudaEventRecord (t->done[slot], t->stream));
  if (job->up)
    error = first_error (error, cudaEventRecord (t->last, t->stream));
  return error;
}

static void
receive (transfer_thread *t, transfer_job *job, transfer_piece p, int slot,
         cudaError_t error)
{
  error = first_error (error, cudaEventSynchronize (t->done[slot]));
  if (error == cudaSuccess)
    copy_on_host (job, p, t->buffer + (size_t) slot * PIECE);
  finish (t->pool, job, error);
}

static void *
serve (void *arg)
{
  transfer_thread *t = arg;
  transfer_job *job[SLOTS]; /* of what is coming down */
  transfer_piece p[SLOTS];
  cudaError_t error[SLOTS];
  int sent = 0, received = 0;
  cudaSetDevice (t->pool->device);
  for (;;)
    {
      int slot = sent % SLOTS;
      bool full = sent - received == SLOTS;
      bool more
        = !full && take (t->pool, sent == received, &job[slot], &p[slot]);
      if (!more && sent == received)
        return NULL;
      /* What is coming down has to make room, also for what goes up.  */
      while (received < sent && (!more || job[slot]->up))
        {
          int oldest = received++ % SLOTS;
          receive (t, job[oldest], p[oldest], oldest, error[oldest]);
          if (full)
            break;
        }
      if (!more)
        continue;
      bool up = job[slot]->up;
      error[slot] = send (t, job[slot], p[slot], slot);
      sent++;
      if (up)
        {
          received++;
          finish (t->pool, job[slot], error[slot]);
        }
    }
}

static int
thread_count (void)
{
  const char *wanted = getenv ("GPULINALG_TRANSFER_THREADS");
  long count = wanted && *wanted ? strtol (wanted, NULL, 10)
                                 : sysconf (_SC_NPROCESSORS_ONLN);
  return (int) (count < 1 ? 1 : count > MAX_THREADS ? MAX_THREADS : count);
}

static bool
start_thread (transfer_pool *pool, int i)
{
  transfer_thread *t = &pool->thread[i];
  t->pool = pool;
  t->buffer = pool->pinned + (size_t) i * SLOTS * PIECE;
  if (cudaStreamCreateWithFlags (&t->stream, cudaStreamNonBlocking)
      || cudaEventCreateWithFlags (&t->last, cudaEventDisableTiming))
    return false;
  for (int s = 0; s < SLOTS; s++)
    if (cudaEventCreateWithFlags (&t->done[s], cudaEventDisableTiming))
      return false;
  return pthread_create (&t->thread, NULL, serve, t) == 0;
}

static void
drop_thread (transfer_thread *t)
{
  for (int s = 0; s < SLOTS; s++)
    if (t->done[s])
      cudaEventDestroy (t->done[s]);
  if (t->last)
    cudaEventDestroy (t->last);
  if (t->stream)
    cudaStreamDestroy (t->stream);
}

transfer_pool *
transfer_open (int device)
{
  transfer_pool *pool = calloc (1, sizeof *pool);
  int count = thread_count ();
  sigset_t all, before;
  if (!pool)
    return NULL;
  pool->device = device;
  pthread_mutex_init (&pool->lock, NULL);
  pthread_cond_init (&pool->work, NULL);
  pthread_cond_init (&pool->finished, NULL);
  /* Signals are for Octave's own thread.  */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  if (cudaMallocHost ((void **) &pool->pinned, (size_t) count * SLOTS * PIECE)
      == cudaSuccess)
    while (pool->threads < count && start_thread (pool, pool->threads))
      pool->threads++;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (pool->threads < count)
    {
      cudaGetLastError ();
      transfer_close (pool);
      return NULL;
    }
  return pool;
}

void
transfer_close (transfer_pool *pool)
{
  pthread_mutex_lock (&pool->lock);
  pool->quit = true;
  pthread_cond_broadcast (&pool->work);
  pthread_mutex_unlock (&pool->lock);
  for (int i = 0; i < pool->threads; i++)
    pthread_join (pool->thread[i].thread, NULL);
  for (int i = 0; i < MAX_THREADS; i++)
    drop_thread (&pool->thread[i]);
  cudaFreeHost (pool->pinned);
  pthread_cond_destroy (&pool->finished);
  pthread_cond_destroy (&pool->work);
  pthread_mutex_destroy (&pool->lock);
  free (pool);
}

bool
transfer_serves (size_t bytes, bool up)
{
  return bytes >= (up ? MIN_UP : MIN_DOWN);
}

static bool
has_gaps (gpu_mat A)
{
  return A.ld != A.m || (A.step != A.m * A.n && A.pages > 1);
}

/* Pieces of whole columns, as many as a buffer takes, or of one column's
   rows; smaller, if else there were too few for all threads.  An array without
   gaps is one column.  */
static void
cut (transfer_job *job, int threads)
{
  gpu_mat *A = &job->A, *X = &job->X;
  if (job->part == MOVE_ALL && !has_gaps (*A) && !has_gaps (*X))
    {
      A->m *= A->n * A->pages;
      A->n = A->pages = 1;
      A->ld = A->m;
      *X = (gpu_mat){
        .p = X->p, .m = A->m, .n = 1, .ld = A->m, .pages = 1, .type = A->type
      };
    }
  ptrdiff_t all = A->m * A->n * A->pages * job->size;
  ptrdiff_t most = all / (threads * PIECES_A_THREAD);
  most = most > PIECE ? PIECE : most < MIN_PIECE ? MIN_PIECE : most;
  ptrdiff_t elements = most / job->size;
  job->rows = min_of (A->m, elements);
  job->columns = min_of (A->n, elements / job->rows);
  job->row_pieces = (A->m + job->rows - 1) / job->rows;
  job->col_pieces = (A->n + job->columns - 1) / job->columns;
  job->pieces = job->row_pieces * job->col_pieces * A->pages;
}

cudaError_t
transfer_start (transfer_pool *pool, cudaStream_t stream, gpu_mat A, gpu_mat X,
                transfer_part part, bool up, transfer_job **started)
{
  transfer_job *job = calloc (1, sizeof *job);
  if (!job)
    return cudaErrorMemoryAllocation;
  job->A = A;
  job->X = X;
  job->part = part;
  job->up = up;
  job->size = (ptrdiff_t) gpu_type_size (A.type);
  cudaError_t error
    = cudaEventCreateWithFlags (&job->after, cudaEventDisableTiming);
  if (error == cudaSuccess)
    error = cudaEventRecord (job->after, stream);
  if (error != cudaSuccess)
    {
      if (job->after)
        cudaEventDestroy (job->after);
      free (job);
      return error;
    }
  cut (job, pool->threads);

  pthread_mutex_lock (&pool->lock);
  transfer_job **last = &pool->jobs;
  while (*last)
    last = &(*last)->later;
  *last = job;
  pthread_cond_broadcast (&pool->work);
  pthread_mutex_unlock (&pool->lock);
  *started = job;
  return cudaSuccess;
}

cudaError_t
transfer_wait (transfer_pool *pool, cudaStream_t stream, transfer_job *job)
{
  pthread_mutex_lock (&pool->lock);
  while (job->finished < job->pieces)
    pthread_cond_wait (&pool->finished, &pool->lock);
  pthread_mutex_unlock (&pool->lock);

  cudaError_t error = job->error;
  for (int i = 0; i < pool->threads && job->up; i++)
    error = first_error (
      error, cudaStreamWaitEvent (stream, pool->thread[i].last, 0));
  cudaEventDestroy (job->after);
  free (job);
  return error;
}
