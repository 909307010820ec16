/* array.c: the registry, the only caller of the backend's alloc and free.

   An array belongs to the running call until gpu_keep gives it an id; from
   then on it is the user's, and immutable.  gpu_sweep frees what calls left
   behind, also when Octave's error () threw through them.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

#include "gpu.h"

struct gpu_array
{
  gpu_mat A;
  double bytes;
  int64_t id; /* 0 while a call owns it */
  gpu_array *next;
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
  g->live--;
  g->bytes -= a->bytes;
  g->be->free (g, a->A.p);
  free (a);
}

/* Free the arrays of the running call, and with ALL those of the user.  */
static void
free_arrays (gpu_ctx *g, bool all)
{
  gpu_array **link = &g->arrays;
  while (*link)
    if (all || (*link)->id == 0)
      unlink_and_free (g, link);
    else
      link = &(*link)->next;
}

void
gpu_sweep (gpu_ctx *g)
{
  free_arrays (g, false);
}

void
gpu_free_all (gpu_ctx *g)
{
  free_arrays (g, true);
}

void
gpu_free (gpu_ctx *g, gpu_mat A)
{
  gpu_array **link;
  for (link = &g->arrays; *link; link = &(*link)->next)
    if ((*link)->A.p == A.p && (*link)->id == 0)
      {
        unlink_and_free (g, link);
        return;
      }
}

int64_t
gpu_keep (gpu_ctx *g, gpu_mat A)
{
  gpu_array *a;
  for (a = g->arrays; a; a = a->next)
    if (a->A.p == A.p && a->id == 0)
      return a->id = g->next_id++;
  return 0;
}

gpu_status
gpu_find (gpu_ctx *g, int64_t id, gpu_mat *A)
{
  gpu_array *a;
  for (a = g->arrays; a; a = a->next)
    if (a->id == id && id != 0)
      {
        *A = a->A;
        return GPU_OK;
      }
  return gpu_fail (g, GPU_EARG, "there is no device array number %lld",
                   (long long) id);
}

/* An unknown id is no error: a guard may outlive a reset.  */
void
gpu_free_id (gpu_ctx *g, int64_t id)
{
  gpu_array **link;
  for (link = &g->arrays; *link; link = &(*link)->next)
    if ((*link)->id == id && id != 0)
      {
        unlink_and_free (g, link);
        return;
      }
}
