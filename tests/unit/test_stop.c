/* test_stop.c: long calls can be stopped between any two of their pieces,
   leave nothing behind, and show how far they are.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

static long questions_left, questions;

static bool
stop (void)
{
  questions++;
  return questions_left-- <= 0;
}

typedef enum
{
  CHOL,
  LOWER,
  LU,
  INV,
  CHOLINV,
  DET,
  SOLVE,
  PRODUCT,
  CALLS
} call;

static const char *const names[CALLS]
  = { "chol",    "chol, lower", "lu",       "inv",
      "cholinv", "det",         "mldivide", "mtimes" };

/* The result of one call on A.  */
static gpu_status
compute (gpu_ctx *g, call which, gpu_mat A, ref *X)
{
  gpu_mat R, info, piv, none = { 0 };
  double rcond[3], work[3];
  GPU_TRY (gpu_new (g, A.type, A.m, A.n, A.pages, &R));
  GPU_TRY (gpu_new (g, GPU_INT64, 1, 1, A.pages, &info));
  GPU_TRY (gpu_new (g, GPU_INT64, A.n, 1, A.pages, &piv));
  GPU_TRY (g->be->copy (g, A, R));
  switch (which)
    {
    case CHOL:
      GPU_TRY (gpu_chol (g, GPU_IEEE, R, R, info));
      break;
    case LOWER:
      GPU_TRY (gpu_chol (g, GPU_IEEE, gpu_adjoint (R), gpu_adjoint (R), info));
      break;
    case LU:
      GPU_TRY (gpu_lu (g, R, piv, info));
      break;
    case INV:
      GPU_TRY (gpu_inv (g, A, R, none));
      break;
    case CHOLINV:
      GPU_TRY (gpu_cholinv (g, A, R, info));
      break;
    case DET:
      GPU_TRY (gpu_new (g, A.type, 1, 1, A.pages, &R));
      GPU_TRY (gpu_det (g, A, R, none));
      break;
    case SOLVE:
      GPU_TRY (gpu_solve (g, A, R, rcond, work, NULL));
      break;
    default:
      GPU_TRY (gpu_mtimes (g, GPU_IEEE, A, A, &R));
    }
  return dev_get (g, (dev){ R, R }, X);
}

/* Stop CALL at its first question, the second, ..., and at some of many.  */
static void
stopped_everywhere (gpu_ctx *g, call which, gpu_mat A)
{
  ref X, Y;
  g->watch.stop = NULL;
  OK (g, compute (g, which, A, &X));
  g->watch.stop = stop;
  const ptrdiff_t live = g->live;
  long most = 1;
  for (long at = 0; at < most; at += 1 + most / (test_quick () ? 3 : 12))
    {
      questions_left = at;
      questions = 0;
      gpu_begin (g, 1);
      const gpu_status status = compute (g, which, A, &Y);
      CHECK (status == GPU_ESTOP && !strcmp (g->message, "stopped"),
             "question %ld: status %d, message \"%s\"", at, status,
             g->message);
      OK (g, gpu_halt (g));
      gpu_end (g, status);
      /* What the test itself holds is of the running call, too.  */
      CHECK (g->live >= live, "freed what was not its own");

      questions_left = 1L << 40;
      questions = 0;
      gpu_begin (g, 1);
      OK (g, compute (g, which, A, &Y));
      gpu_end (g, GPU_OK);
      most = questions;
      CHECK (most > 0, "nobody asked");
      CHECK (ref_same (X, Y), "another result after a stop");
    }
  g->watch.stop = NULL;
}

static void
stops (gpu_ctx *g, gpu_type type)
{
  /* By halves, by what has several queues, and page by page.  */
  const ptrdiff_t large = g->be->host_memory ? 300 : 1500;
  const ptrdiff_t sizes[][3]
    = { { 30, 1, 4 }, { 13, 3, 4 }, { large, 1, 0 }, { 40, 3, 0 } };
  for (int i = 0; i < (test_quick () ? 1 : 4); i++)
    for (int which = 0; which < CALLS; which++)
      {
        const ptrdiff_t n = sizes[i][0], pages = sizes[i][1];
        /* Where one primitive does all of it, there is nothing between.  */
        const bool whole = !g->be->host_memory && sizes[i][2] == 0 && n < 256
                           && which != PRODUCT;
        ref S = ref_definite (type, n, pages);
        dev D;
        g->leaf = sizes[i][2];
        test_at ("%s, n %td, %td pages", names[which], n, pages);
        OK (g, dev_put (g, S, GPU_N, false, &D));
        if (!whole)
          stopped_everywhere (g, (call) which, D.view);
        g->leaf = 0;
        test_next (g);
      }
}

static int shows;
static double last_part;
static bool in_order;

static void
show (double part, double seconds, double rate)
{
  shows++;
  in_order &= part >= last_part && part <= 1 && seconds > 0 && rate > 0;
  last_part = part;
}

/* The first show comes when patience ends, others not before a second, and
   the last is of all the work.  */
static void
shown (gpu_ctx *g, gpu_type type)
{
  ref S = ref_definite (type, 60, 1), X;
  dev D;
  g->leaf = 4;
  OK (g, dev_put (g, S, GPU_N, false, &D));
  g->watch.show = show;
  g->watch.patience = 1e-9;
  shows = 0;
  last_part = 0;
  in_order = true;
  gpu_begin (g, 60. * 60 * 60 / 3);
  OK (g, compute (g, CHOL, D.view, &X));
  CHECK (shows == 1 && last_part < 1, "%d shows, %g", shows, last_part);
  CHECK (gpu_end (g, GPU_OK), "nothing was shown");
  CHECK (shows == 2 && last_part == 1, "%d shows, %g", shows, last_part);

  gpu_begin (g, 60. * 60 * 60 / 3);
  last_part = 0;
  OK (g, compute (g, CHOL, D.view, &X));
  CHECK (gpu_end (g, GPU_ESTOP) && shows == 3, "%d shows", shows);

  g->watch.patience = 1000;
  gpu_begin (g, 60. * 60 * 60 / 3);
  OK (g, compute (g, CHOL, D.view, &X));
  CHECK (!gpu_end (g, GPU_OK) && shows == 3, "%d shows", shows);
  CHECK (in_order, "parts, seconds or rates are wrong");
  g->watch.show = NULL;
  g->leaf = 0;
}

int
main (void)
{
  static const test_entry entries[] = {
    { "stops", stops, true },
    { "shown", shown, true },
  };
  return test_main ("test_stop", entries, sizeof entries / sizeof *entries);
}
