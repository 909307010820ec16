/* ctx.c: the context.  Chooses the backend, keeps the last message, and
   gives the block sizes that the recursions share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "gpu.h"

enum
{
  MANY_PAGES = 64
};

gpu_status
gpu_fail (gpu_ctx *g, gpu_status status, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  vsnprintf (g->message, sizeof g->message, format, args);
  va_end (args);
  return status;
}

static gpu_status
open_backend (gpu_ctx *g, const gpu_backend *be)
{
  gpu_status status;
  g->be = be;
  status = be->open (g);
  if (status != GPU_OK)
    g->be = NULL;
  return status;
}

gpu_status
gpu_open (gpu_ctx *g, const char *name)
{
  int number;
  char more;
  memset (g, 0, sizeof *g);
  g->next_id = 1;
  g->allocs_left = -1;

  if (name && !strncmp (name, "cuda:", 5)
      && sscanf (name + 5, "%d%c", &number, &more) == 1 && number > 0)
    g->device = number - 1;
  else if (name && strcmp (name, "host") && strcmp (name, "cuda"))
    return gpu_fail (
      g, GPU_EARG,
      "the backend must be \"host\", \"cuda\" or \"cuda:2\" for "
      "the second GPU, but is \"%s\"",
      name);
  if (!name || *name == 'c')
    {
#ifdef HAVE_CUDA
      gpu_status status = open_backend (g, &gpu_cuda_backend);
#else
      gpu_status status = gpu_fail (g, GPU_EDEVICE,
                                    "this build has no CUDA; build it anew "
                                    "on a machine with nvcc");
#endif
      if (status == GPU_OK || name)
        return status;
      memcpy (g->note, g->message, sizeof g->note);
      g->message[0] = '\0';
      g->lost = false;
    }
  return open_backend (g, &gpu_host_backend);
}

void
gpu_close (gpu_ctx *g)
{
  if (!g->be)
    return;
  gpu_free_all (g);
  g->be->close (g);
  g->be = NULL;
}

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Operations that no device does in a moment, how many pieces tell how fast
   it is, and how long one is then, and a call that need not be watched, in
   seconds.  */
static const double MANY_OPERATIONS = 1e12;
static const double PIECES = 16, PIECE = 0.1, SHORT = 1;

void
gpu_begin (gpu_ctx *g, double operations)
{
  gpu_watch *w = &g->watch;
  w->work = operations;
  w->done = w->queued = w->unseen = w->shown = 0;
  w->piece = operations >= MANY_OPERATIONS ? operations / PIECES : 0;
  w->pieces = 0;
  w->from = now ();
}

/* A device that takes long is kept at most two pieces behind the host, so that
   what is shown has been done, and a stop does not come when all is queued
   already.  The second wait is for the first piece, which tells its speed.  */
static gpu_status
keep_pace (gpu_ctx *g)
{
  gpu_watch *w = &g->watch;
  if (!g->be->pace || !(w->piece > 0) || w->queued < w->piece)
    return GPU_OK;
  w->queued = 0;
  GPU_TRY (g->be->pace (g));
  if (++w->pieces == 2)
    {
      const double rate = w->piece / (now () - w->from);
      w->piece = w->work / rate < SHORT ? 0 : PIECE * rate;
    }
  return GPU_OK;
}

gpu_status
gpu_advance (gpu_ctx *g, double operations)
{
  gpu_watch *w = &g->watch;
  if (!(w->work > 0))
    return GPU_OK;
  w->done += operations;
  w->queued += operations;
  w->unseen += operations;
  GPU_TRY (keep_pace (g));
  if (w->unseen < w->work / 1000) /* many small pieces */
    return GPU_OK;
  w->unseen = 0;
  if (w->stop && w->stop ())
    return gpu_fail (g, GPU_ESTOP, "stopped");
  const double seconds = now () - w->from;
  if (w->show && seconds >= (w->shown > 0 ? w->shown + 1 : w->patience))
    {
      const double part = w->done / w->work;
      w->shown = seconds;
      w->show (part < 0.99 ? part : 0.99, seconds, w->done / seconds);
    }
  return GPU_OK;
}

bool
gpu_end (gpu_ctx *g, gpu_status status)
{
  gpu_watch *w = &g->watch;
  const double seconds = now () - w->from;
  const bool shown = w->work > 0 && w->shown > 0;
  w->work = 0;
  if (shown && status == GPU_OK)
    w->show (1, seconds, w->done / seconds);
  return shown;
}

gpu_status
gpu_halt (gpu_ctx *g)
{
  if (!g->be->queue)
    return GPU_OK;
  GPU_TRY (g->be->queue (g, 0));
  for (int q = 1; q < GPU_QUEUES; q++)
    GPU_TRY (g->be->after (g, q));
  return g->be->wait (g);
}

double
gpu_product_work (gpu_mat C, ptrdiff_t k)
{
  return (gpu_is_complex (C.type) ? 8. : 2.) * (double) C.m * (double) C.n
         * (double) C.pages * (double) k;
}

/* g->leaf overrides the backend, so that tests meet the recursion, the
   offsets and info on tiny matrices.  */
gpu_tuning
gpu_tune (gpu_ctx *g, gpu_type type)
{
  gpu_tuning tune = g->be->tuning (g, type);
  if (g->leaf > 0 && g->leaf < tune.leaf)
    {
      tune.leaf = tune.syrk = g->leaf;
      tune.pages = tune.few = tune.many = tune.in_place = g->leaf;
      tune.ahead = tune.lu_ahead = PTRDIFF_MAX;
      tune.few_columns = 0;
      if (g->leaf < tune.panel)
        tune.panel = g->leaf;
    }
  return tune;
}

gpu_text
gpu_size_text (gpu_mat A)
{
  gpu_text t;
  if (A.pages == 1)
    snprintf (t.text, sizeof t.text, "%tdx%td", A.m, A.n);
  else
    snprintf (t.text, sizeof t.text, "%tdx%tdx%td", A.m, A.n, A.pages);
  return t;
}

/* Whether inv_pages and det_pages take A.  Up to tuning.many a page takes a
   multiprocessor for so long that many of them have to share the time.  */
bool
gpu_is_small (gpu_ctx *g, gpu_mat A)
{
  gpu_tuning tune = gpu_tune (g, A.type);
  return A.n <= (A.pages >= MANY_PAGES ? tune.many : tune.few);
}

/* Where a recursion on n > leaf splits: half of n, rounded up to a multiple
   of the leaf, so that every leaf but the last is whole.  */
ptrdiff_t
gpu_split (ptrdiff_t n, ptrdiff_t leaf)
{
  ptrdiff_t leaves = (n + leaf - 1) / leaf;
  return (leaves + 1) / 2 * leaf;
}

bool
gpu_all_failed (gpu_ctx *g, gpu_mat info)
{
  if (!g->be->host_memory)
    return false;
  for (ptrdiff_t k = 0; k < info.pages; k++)
    if (*(const int64_t *) gpu_page (info, k).p == 0)
      return false;
  return true;
}

gpu_status
gpu_bits (gpu_ctx *g, gpu_mat x, int64_t *all, int64_t *any)
{
  int64_t piece[256];
  *all = -1;
  *any = 0;
  for (ptrdiff_t k = 0, count; k < x.pages; k += count)
    {
      gpu_mat part = gpu_page (x, k);
      count = part.pages = x.pages - k < 256 ? x.pages - k : 256;
      GPU_TRY (g->be->peek (g, part, piece));
      for (ptrdiff_t i = 0; i < count; i++)
        {
          *all &= piece[i];
          *any |= piece[i];
        }
    }
  return GPU_OK;
}
