/* array.c: the registry, the only caller of the backend's alloc and free.

   An array belongs to the running call until gpu_keep gives it an id; from
   then on it is the user's, and immutable.  gpu_sweep frees what calls left
   behind, also when Octave's error () threw through them.

   The arrays of the call are a list, so that a sweep does not meet the
   user's; those are in chains by their ids, which are given in order and so
   spread evenly.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

#include "gpu.h"

struct gpu_array
{
  gpu_mat A;
  double bytes;
  int64_t id;      /* 0 while a call owns it */
  gpu_array *next; /* in the list or the chain */
};

enum
{
  FIRST_CHAINS = 64 /* always a power of 2 */
};

gpu_status
gpu_new (gpu_ctx *g, gpu_type type, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages,
         gpu_mat *A)
{
  double size = (double) gpu_type_size (type);
  double bytes = (double) m * (double) n * (double) pages * size;
  double limit = g->memory_limit > 0 ? g->memory_limit : (double) PTRDIFF_MAX;
  gpu_array *a = NULL;
  gpu_status status;

  if (m < 0 || n < 0 || pages < 0)
    return gpu_fail (g, GPU_EARG, "an array's size is negative");
  if (g->allocs_left == 0 || g->bytes + bytes > limit)
    status = GPU_ENOMEM;
  else
    {
      if (g->allocs_left > 0)
        g->allocs_left--;
      a = calloc (1, sizeof *a);
      if (!a)
        return gpu_fail (g, GPU_ENOMEM, "out of host memory");
      status = g->be->alloc (g, (size_t) bytes, &a->A.p);
    }
  if (status != GPU_OK)
    {
      gpu_device d;
      free (a);
      if (status != GPU_ENOMEM)
        return status;
      g->be->device (g, &d);
      if (g->memory_limit > 0 && limit - g->bytes < d.free_memory)
        d.free_memory = limit - g->bytes;
      return gpu_fail (g, status,
                       "out of memory on %s: %.4g MB needed, %.4g MB free",
                       d.name, bytes / 1e6, d.free_memory / 1e6);
    }

  a->A.m = m;
  a->A.n = n;
  a->A.ld = m > 0 ? m : 1;
  a->A.pages = pages;
  a->A.step = m * n;
  a->A.type = type;
  a->bytes = bytes;
  a->next = g->arrays;
  g->arrays = a;
  g->live++;
  g->bytes += bytes;
  *A = a->A;
  return GPU_OK;
}

static void
unlink_and_free (gpu_ctx *g, gpu_array **link)
{
  gpu_array *a = *link;
  *link = a->next;
  g->kept -= a->id != 0;
  g->live--;
  g->bytes -= a->bytes;
  g->be->free (g, a->A.p);
  free (a);
}

void
gpu_sweep (gpu_ctx *g)
{
  while (g->arrays)
    unlink_and_free (g, &g->arrays);
}

void
gpu_free_all (gpu_ctx *g)
{
  gpu_sweep (g);
  for (ptrdiff_t i = 0; i < g->chains; i++)
    while (g->chain[i])
      unlink_and_free (g, &g->chain[i]);
  free (g->chain);
  g->chain = NULL;
  g->chains = 0;
}

/* Where the call's array with storage P hangs, or the end of the list.  */
static gpu_array **
find_own (gpu_ctx *g, const void *p)
{
  gpu_array **link = &g->arrays;
  while (*link && (*link)->A.p != p)
    link = &(*link)->next;
  return link;
}

void
gpu_reshape (gpu_ctx *g, gpu_mat *A, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages)
{
  gpu_array *a = *find_own (g, A->p);
  A->m = m;
  A->n = n;
  A->ld = m > 0 ? m : 1;
  A->pages = pages;
  A->step = m * n;
  if (a)
    a->A = *A;
}

void
gpu_free (gpu_ctx *g, gpu_mat A)
{
  gpu_array **link = find_own (g, A.p);
  if (*link)
    unlink_and_free (g, link);
}

static gpu_array **
chain_of (gpu_ctx *g, int64_t id)
{
  return &g->chain[id & (int64_t) (g->chains - 1)];
}

/* At least as many chains as arrays, or what memory allows.  */
static bool
make_room (gpu_ctx *g)
{
  ptrdiff_t chains = g->chains > 0 ? 2 * g->chains : FIRST_CHAINS;
  if (g->kept < g->chains)
    return true;
  gpu_array **old = g->chain, **chain;
  chain = calloc ((size_t) chains, sizeof (gpu_array *));
  if (!chain)
    return g->chains > 0;
  ptrdiff_t old_chains = g->chains;
  g->chain = chain;
  g->chains = chains;
  for (ptrdiff_t i = 0; i < old_chains; i++)
    while (old[i])
      {
        gpu_array *a = old[i], **to = chain_of (g, a->id);
        old[i] = a->next;
        a->next = *to;
        *to = a;
      }
  free (old);
  return true;
}

int64_t
gpu_keep (gpu_ctx *g, gpu_mat A)
{
  gpu_array **link = find_own (g, A.p), *a = *link, **chain;
  if (!a || !make_room (g))
    return 0;
  *link = a->next;
  a->id = g->next_id++;
  chain = chain_of (g, a->id);
  a->next = *chain;
  *chain = a;
  g->kept++;
  return a->id;
}

/* Where the user's array ID hangs, or NULL.  */
static gpu_array **
find_kept (gpu_ctx *g, int64_t id)
{
  if (g->chains == 0 || id == 0)
    return NULL;
  gpu_array **link = chain_of (g, id);
  while (*link && (*link)->id != id)
    link = &(*link)->next;
  return *link ? link : NULL;
}

gpu_status
gpu_find (gpu_ctx *g, int64_t id, gpu_mat *A)
{
  gpu_array **link = find_kept (g, id);
  if (!link)
    return gpu_fail (g, GPU_EARG, "there is no device array number %lld",
                     (long long) id);
  *A = (*link)->A;
  return GPU_OK;
}

/* An unknown id is no error: a guard may outlive a reset.  */
void
gpu_free_id (gpu_ctx *g, int64_t id)
{
  gpu_array **link = find_kept (g, id);
  if (link)
    unlink_and_free (g, link);
}
