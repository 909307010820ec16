/* test_alloc.c: every allocation of a call fails once; nothing stays behind.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

/* What is called: each takes another way through the workspaces.  */
typedef enum
{
  CHOL,
  DET,
  LOGDET,
  INV,
  INV_RCOND,
  INV_IN_PLACE,
  INV_INDEFINITE, /* Cholesky first, then LU */
  INV_UPPER,
  CALLS
} call;

/* The allocations of one call, as a caller makes them.  */
static gpu_status
compute (gpu_ctx *g, gpu_type type, call what, ptrdiff_t allocs_left,
         double limit)
{
  ref A = ref_definite (type, 37, 2), bad;
  gpu_mat info, x = { 0 }, y = { 0 };
  dev D;
  if (what == DET || what == LOGDET || what == INV)
    A = ref_random (type, 37, 37, 2);
  if (what == INV_INDEFINITE)
    AT (A, 1, 0, 1) = AT (A, 0, 1, 1) = 9;
  if (what == INV_UPPER)
    ref_fill_triangle (A, GPU_LOWER, 0);
  g->allocs_left = allocs_left;
  g->memory_limit = limit;
  GPU_TRY (dev_put (g, A, GPU_N, true, &D));
  GPU_TRY (gpu_new (g, GPU_INT64, 1, 1, 2, &info));
  GPU_TRY (g->be->zero (g, info));
  if (what == DET || what == LOGDET)
    GPU_TRY (
      gpu_new (g, what == DET ? type : gpu_real_type (type), 1, 1, 2, &x));
  if (what == LOGDET)
    GPU_TRY (gpu_new (g, type, 1, 1, 2, &y));
  if (what == INV_RCOND)
    GPU_TRY (gpu_new (g, gpu_real_type (type), 1, 1, 2, &y));
  if (what == INV || what == INV_RCOND || what == INV_UPPER
      || what == INV_INDEFINITE)
    GPU_TRY (gpu_new (g, type, 37, 37, 2, &x));

  ptrdiff_t live = g->live;
  if (what == CHOL)
    GPU_TRY (gpu_chol (g, GPU_FP32X3, D.view, D.view, info));
  else if (what == DET || what == LOGDET)
    GPU_TRY (gpu_det (g, D.view, x, y));
  else
    GPU_TRY (gpu_inv (g, D.view, what == INV_IN_PLACE ? D.view : x, y));
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
failing_call (gpu_ctx *g, gpu_type type, call what, double bytes)
{
  gpu_status status = GPU_ENOMEM;
  ptrdiff_t k;
  for (k = 0; k < 100 && status != GPU_OK; k++)
    {
      test_at ("call %d, allocation %td", (int) what, k);
      *g->message = '\0';
      status = compute (g, type, what, k, 0);
      if (status != GPU_OK)
        CHECK (status == GPU_ENOMEM && strstr (g->message, "needed")
                 && strstr (g->message, "free"),
               "status %d, message \"%s\"", (int) status, g->message);
      check_swept (g, bytes);
    }
  CHECK (status == GPU_OK, "never ran");
  CHECK (k > 2, "less was allocated than the matrix and info");

  /* No room for even one byte more, then enough for all.  */
  test_at ("call %d, limit", (int) what);
  status = compute (g, type, what, -1, 1);
  CHECK (status == GPU_ENOMEM && strstr (g->message, "needed"),
         "status %d, message \"%s\"", (int) status, g->message);
  check_swept (g, bytes);
  status = compute (g, type, what, -1, 1e9);
  CHECK (status == GPU_OK, "%s", g->message);
  check_swept (g, bytes);
}

static void
failing (gpu_ctx *g, gpu_type type)
{
  gpu_mat mine;
  OK (g, gpu_new (g, type, 7, 7, 1, &mine));
  int64_t id = gpu_keep (g, mine);
  double bytes = g->bytes;
  for (int leaf = 0; leaf < 2; leaf++)
    {
      g->leaf = leaf ? 4 : 0;
      for (int what = 0; what < CALLS; what++)
        failing_call (g, type, (call) what, bytes);
    }
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
      gpu_status status
        = compute (g, type, (call) (i / 2 % CALLS), i % 2 - 1, 0);
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
