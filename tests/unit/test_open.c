/* test_open.c: the choice of the backend, with and without a GPU.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

/* One clear sentence: not empty, one line.  */
static bool
is_sentence (const char *message)
{
  return strlen (message) > 10 && !strchr (message, '\n');
}

static void
check_device (gpu_ctx *g)
{
  gpu_device d;
  double s = -1;
  bool host = g->be == &gpu_host_backend;
  memset (&d, 0xa5, sizeof d);
  g->be->device (g, &d);
  CHECK (memchr (d.name, '\0', sizeof d.name) && *d.name, "no device name");
  CHECK (host ? d.index == 0 : d.index > 0, "index %d", d.index);
  CHECK (host ? d.cc_major == 0 : d.cc_major >= 7, "compute capability %d.%d",
         d.cc_major, d.cc_minor);
  CHECK (d.multiprocessors > 0, "%d multiprocessors", d.multiprocessors);
  CHECK (d.free_memory > 0 && d.free_memory <= d.total_memory,
         "%g of %g bytes free", d.free_memory, d.total_memory);
  for (int type = 0; type < 4; type++)
    {
      gpu_tuning tune = gpu_tune (g, (gpu_type) type);
      CHECK (tune.leaf >= 4 && tune.syrk >= tune.leaf
               && tune.syrk % tune.leaf == 0,
             "leaf %td, syrk %td", tune.leaf, tune.syrk);
    }
  OK (g, g->be->tic (g));
  OK (g, g->be->seconds (g, &s));
  CHECK (s >= 0 && s < 60, "%g s", s);
}

static void
open_host (void)
{
  gpu_ctx g;
  OK (&g, gpu_open (&g, "host"));
  CHECK (g.be == &gpu_host_backend && g.be->host_memory, "not the host");
  CHECK (!*g.note, "note \"%s\"", g.note);
  check_device (&g);
  gpu_close (&g);
  gpu_close (&g);
}

static void
open_nonsense (void)
{
  static const char *const names[] = { "nonsense", "", "HOST", "cuda " };
  gpu_ctx g;
  for (int i = 0; i < 4; i++)
    {
      char quoted[16];
      snprintf (quoted, sizeof quoted, "\"%s\"", names[i]);
      test_at ("%s", quoted);
      CHECK (gpu_open (&g, names[i]) == GPU_EARG, "accepted");
      CHECK (is_sentence (g.message) && strstr (g.message, quoted),
             "message \"%s\"", g.message);
      CHECK (!g.be && !g.arrays && !g.dev, "not zeroed");
      gpu_close (&g);
    }
}

/* Whatever there is: both ways to ask must agree.  */
static void
open_default (void)
{
  gpu_ctx c, g;
  gpu_status status = gpu_open (&c, "cuda");
  if (status != GPU_OK)
    {
      CHECK (status == GPU_EDEVICE || status == GPU_ENOTSUP, "status %d",
             (int) status);
      CHECK (is_sentence (c.message), "message \"%s\"", c.message);
      CHECK (!c.be && !c.arrays && !c.dev, "not zeroed");
    }
  gpu_close (&c);
  OK (&g, gpu_open (&g, NULL));
  CHECK (!strcmp (g.be->name, status == GPU_OK ? "cuda" : "host"),
         "backend is %s", g.be->name);
  CHECK (status == GPU_OK ? !*g.note : is_sentence (g.note), "note \"%s\"",
         g.note);
  check_device (&g);
  gpu_close (&g);
}

/* Open and close many times: nothing may pile up or stay behind.  */
static void
open_again (void)
{
  gpu_ctx g;
  double first = 0;
  for (int i = 0; i < 5; i++)
    {
      gpu_device d;
      gpu_mat A;
      OK (&g, gpu_open (&g, NULL));
      g.be->device (&g, &d);
      if (i == 1)
        first = d.free_memory;
      OK (&g, gpu_new (&g, GPU_DOUBLE, 1024, 1024, 1, &A));
      CHECK (gpu_keep (&g, A) > 0, "no id");
      /* Beside other programs the device's memory tells nothing.  */
      if (i > 1 && !g.be->host_memory && !test_quick ())
        CHECK (first - d.free_memory < 64e6, "%g MB lost",
               (first - d.free_memory) / 1e6);
      gpu_close (&g);
    }
}

int
main (void)
{
  static const struct
  {
    const char *name;
    void (*run) (void);
  } entries[] = { { "host", open_host },
                  { "nonsense", open_nonsense },
                  { "default", open_default },
                  { "again", open_again } };
  test.name = "test_open";
  unsetenv ("GPULINALG_BACKEND");
  for (int i = 0; i < 4; i++)
    {
      long before = test.bad_checks;
      snprintf (test.where, sizeof test.where, "%s", entries[i].name);
      *test.what = '\0';
      entries[i].run ();
      test.bad_checks > before ? test.failed++ : test.passed++;
    }
  return test_summary ();
}
