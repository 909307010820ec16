/* test_array.c: the registry: ids, owners, the sweep, limits and counts.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

static void
ids (gpu_ctx *g, gpu_type type)
{
  int64_t id[3];
  gpu_mat A, B;
  for (int i = 0; i < 3; i++)
    {
      OK (g, gpu_new (g, type, 3, 2, 1, &A));
      id[i] = gpu_keep (g, A);
      CHECK (id[i] > (i ? id[i - 1] : 0), "id %d does not grow", i);
      CHECK (gpu_keep (g, A) == 0, "an array has two owners");
      OK (g, gpu_find (g, id[i], &B));
      CHECK (B.p == A.p && B.m == 3 && B.n == 2 && B.ld == 3 && B.pages == 1
               && B.type == type && B.op == GPU_N,
             "found another array");
    }
  CHECK (g->live == 3, "live is %td", g->live);
  gpu_free_id (g, id[1]);
  CHECK (g->live == 2, "live is %td", g->live);
  CHECK (gpu_find (g, id[1], &B) == GPU_EARG && *g->message,
         "found a freed array");
  OK (g, gpu_new (g, type, 3, 2, 1, &A));
  CHECK (gpu_keep (g, A) > id[2], "an id came back");

  gpu_free_id (g, id[1]);
  gpu_free_id (g, 0);
  gpu_free_id (g, -1);
  gpu_free_id (g, INT64_MAX);
  CHECK (g->live == 3, "freeing an unknown id did something");
  CHECK (gpu_find (g, 0, &B) == GPU_EARG, "found number 0");
  CHECK (gpu_find (g, INT64_MAX, &B) == GPU_EARG, "found an unknown number");
  gpu_free_all (g);
  CHECK (g->live == 0 && g->bytes == 0, "free_all left something");
  CHECK (gpu_find (g, id[0], &B) == GPU_EARG, "found after free_all");
}

static void
owners (gpu_ctx *g, gpu_type type)
{
  gpu_mat A, B, C, F;
  OK (g, gpu_new (g, type, 5, 5, 1, &A));
  OK (g, gpu_new (g, type, 4, 4, 2, &B));
  OK (g, gpu_new (g, type, 3, 3, 3, &C));
  double bytes = (25 + 32 + 27) * (double) gpu_type_size (type);
  CHECK (g->bytes == bytes, "%g bytes, should be %g", g->bytes, bytes);

  int64_t id = gpu_keep (g, B);
  gpu_free (g, B);
  CHECK (g->live == 3, "gpu_free took an array of the user");
  gpu_free (g, A);
  CHECK (g->live == 2, "gpu_free left the array of the call");
  gpu_sweep (g);
  CHECK (g->live == 1, "the sweep left %td arrays", g->live);
  OK (g, gpu_find (g, id, &F));
  CHECK (F.p == B.p && F.pages == 2 && F.step >= 16, "found another array");
  gpu_sweep (g);
  CHECK (g->live == 1, "the sweep took an array of the user");
  gpu_free_id (g, id);
  CHECK (g->live == 0 && g->bytes == 0, "%td arrays, %g bytes left", g->live,
         g->bytes);
}

static void
empty (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[][3]
    = { { 0, 0, 1 }, { 0, 3, 1 }, { 3, 0, 1 }, { 3, 3, 0 }, { 0, 0, 0 } };
  gpu_mat A[5];
  for (int i = 0; i < 5; i++)
    {
      test_at ("%tdx%tdx%td", sizes[i][0], sizes[i][1], sizes[i][2]);
      OK (g, gpu_new (g, type, sizes[i][0], sizes[i][1], sizes[i][2], &A[i]));
      CHECK (A[i].ld >= 1, "ld is %td", A[i].ld);
      for (int j = 0; j < i; j++)
        CHECK (A[i].p != A[j].p, "two arrays share their storage");
    }
  CHECK (g->bytes == 0, "%g bytes", g->bytes);
}

/* The message names both numbers, and later calls work.  */
static void
check_no_memory (gpu_ctx *g, gpu_type type, gpu_status status)
{
  gpu_mat A;
  CHECK (status == GPU_ENOMEM, "status %d", (int) status);
  CHECK (strstr (g->message, "needed") && strstr (g->message, "free"),
         "message \"%s\"", g->message);
  OK (g, gpu_new (g, type, 2, 2, 1, &A));
  OK (g, g->be->zero (g, A));
  gpu_free (g, A);
}

static void
limits (gpu_ctx *g, gpu_type type)
{
  gpu_mat A, B;
  double size = (double) gpu_type_size (type);
  ptrdiff_t live;

  OK (g, gpu_new (g, type, 100, 10, 1, &A));
  live = g->live;
  test_at ("memory limit");
  g->memory_limit = 1500 * size;
  check_no_memory (g, type, gpu_new (g, type, 100, 6, 1, &B));
  CHECK (g->live == live, "a failed call left an array");
  OK (g, gpu_new (g, type, 100, 5, 1, &B));
  gpu_free (g, B);
  g->memory_limit = 0;

  test_at ("allocs_left");
  g->allocs_left = 1;
  OK (g, gpu_new (g, type, 1, 1, 1, &B));
  CHECK (gpu_new (g, type, 1, 1, 1, &B) == GPU_ENOMEM, "did not fail");
  g->allocs_left = -1;

  test_at ("too large");
  live = g->live;
  check_no_memory (g, type,
                   gpu_new (g, type, PTRDIFF_MAX / 2, PTRDIFF_MAX / 2, 1, &B));
  check_no_memory (g, type,
                   gpu_new (g, type, (ptrdiff_t) 1 << 30, 1 << 25, 2, &B));
  CHECK (g->live == live, "a failed call left an array");

  test_at ("negative");
  CHECK (gpu_new (g, type, -1, 2, 1, &B) == GPU_EARG, "m");
  CHECK (gpu_new (g, type, 2, -1, 1, &B) == GPU_EARG, "n");
  CHECK (gpu_new (g, type, 2, 2, -1, &B) == GPU_EARG, "pages");
}

int
main (void)
{
  static const test_entry entries[] = {
    { "ids", ids, true },
    { "owners", owners, true },
    { "empty", empty, true },
    { "limits", limits, true },
  };
  return test_main ("test_array", entries, sizeof entries / sizeof *entries);
}
