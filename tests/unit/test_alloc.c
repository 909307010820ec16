/* test_alloc.c: every allocation of a call fails once; nothing stays behind.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

/* The allocations of one factorization, as a caller makes them.  */
static gpu_status
factor (gpu_ctx *g, gpu_type type, ptrdiff_t allocs_left, double limit)
{
  ref A = ref_definite (type, 37, 2), bad;
  gpu_mat info;
  dev D;
  g->allocs_left = allocs_left;
  g->memory_limit = limit;
  GPU_TRY (dev_put (g, A, GPU_N, true, &D));
  GPU_TRY (gpu_new (g, GPU_INT64, 1, 1, 2, &info));
  ptrdiff_t live = g->live;
  GPU_TRY (gpu_chol (g, D.view, info));
  CHECK (g->live == live, "the call left its workspace");
  g->allocs_left = -1;
  g->memory_limit = 0;
  dev di = { info, info };
  GPU_TRY (dev_get (g, di, &bad));
  CHECK (ref_norm (bad) == 0, "info is not 0");
  return GPU_OK;
}

/* What the sweep after each call must leave: the array of the user.  */
static void
check_swept (gpu_ctx *g, double bytes)
{
  g->allocs_left = -1;
  g->memory_limit = 0;
  test_next (g);
  CHECK (g->live == 1 && g->bytes == bytes, "%td arrays, %g bytes left",
         g->live, g->bytes);
}

static void
failing (gpu_ctx *g, gpu_type type)
{
  gpu_mat mine;
  OK (g, gpu_new (g, type, 7, 7, 1, &mine));
  int64_t id = gpu_keep (g, mine);
  double bytes = g->bytes;
  g->leaf = 4;

  gpu_status status = GPU_ENOMEM;
  ptrdiff_t k;
  for (k = 0; k < 100 && status != GPU_OK; k++)
    {
      test_at ("allocation %td", k);
      *g->message = '\0';
      status = factor (g, type, k, 0);
      if (status != GPU_OK)
        CHECK (status == GPU_ENOMEM && strstr (g->message, "needed")
                 && strstr (g->message, "free"),
               "status %d, message \"%s\"", (int) status, g->message);
      check_swept (g, bytes);
    }
  CHECK (status == GPU_OK, "never ran");
  CHECK (k > 2, "less was allocated than the matrix and info");

  /* No room for even one byte more, then enough for all.  */
  test_at ("limit");
  status = factor (g, type, -1, 1);
  CHECK (status == GPU_ENOMEM && strstr (g->message, "needed"),
         "status %d, message \"%s\"", (int) status, g->message);
  check_swept (g, bytes);
  status = factor (g, type, -1, 1e9);
  CHECK (status == GPU_OK, "%s", g->message);
  check_swept (g, bytes);
  gpu_free_id (g, id);
}

/* Failing calls, many times: the device's own memory stays flat too.  */
static void
flat (gpu_ctx *g, gpu_type type)
{
  gpu_device before, after;
  int count = test_quick () ? 20 : 300;
  g->leaf = 4;
  for (int i = 0; i <= count; i++)
    {
      gpu_status status = factor (g, type, i % 2 - 1, 0);
      CHECK (i % 2 ? status == GPU_ENOMEM : status == GPU_OK, "status %d",
             (int) status);
      g->allocs_left = -1;
      test_next (g);
      if (i == 10)
        g->be->device (g, &before);
    }
  g->be->device (g, &after);
  CHECK (g->live == 0 && g->bytes == 0, "%td arrays left", g->live);
  /* Beside other programs the device's memory tells nothing.  */
  if (!g->be->host_memory && !test_quick ())
    CHECK (before.free_memory - after.free_memory < 64e6, "%g MB lost",
           (before.free_memory - after.free_memory) / 1e6);
}

int
main (void)
{
  static const test_entry entries[] = {
    { "failing", failing, true },
    { "flat", flat, false },
  };
  return test_main ("test_alloc", entries, sizeof entries / sizeof *entries);
}
