/* mex_gateway.c: __gpu__ (COMMAND, ...), the only MEX function, and the only
   place that raises an error.

   It finds the command in mex_commands, opens the context at first use and
   sweeps before and after each call, since an error of Octave's may have
   thrown through the last one.  When a device has no memory left for host
   arrays, the host computes, with a warning.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mex_internal.h"

static gpu_ctx main_ctx; /* the backend in use */
static gpu_ctx host_ctx; /* the host beside a GPU, once it is needed */
static int selected;     /* the number of the GPU that a user chose; 0: none */
static gpu_bridge *bridge;         /* what __gpu_call__ has; NULL without it */
static const mex_command *running; /* NULL between calls */
bool mex_verbose;

/* Octave's own, set when a signal came, and counting those of Ctrl-C; NULL in
   a version without them.  */
extern volatile sig_atomic_t octave_signal_caught __attribute__ ((weak));
extern volatile sig_atomic_t octave_interrupt_state __attribute__ ((weak));

/* By Octave's own function: mexErrMsgIdAndTxt would prefix __gpu__.  ID may be
   empty, and so may HEAD.  */
static void
tell (const char *function, const char *id, const char *head, const char *text)
{
  mxArray *args[4]
    = { mxCreateString (id), mxCreateString (*head ? "%s: %s" : "%s%s"),
        mxCreateString (head), mxCreateString (text) };
  int first = *id ? 0 : 1;
  mexCallMATLAB (0, NULL, 4 - first, args + first, function);
}

static bool
stop (void)
{
  return &octave_signal_caught && &octave_interrupt_state
         && octave_signal_caught && octave_interrupt_state > 0;
}

static void
print (const char *text)
{
  mxArray *args[2] = { mxCreateDoubleScalar (1), mxCreateString (text) };
  mexCallMATLAB (0, NULL, 2, args, "fputs");
  mexCallMATLAB (0, NULL, 1, args, "fflush");
  mxDestroyArray (args[0]);
  mxDestroyArray (args[1]);
}

static void
show (double part, double seconds, double rate)
{
  const bool tera = rate >= 1e12;
  char text[128];
  snprintf (text, sizeof text, "\r%s: %3.0f %%, %.1f s, %.3g %s  ",
            running->user, floor (100 * part), seconds,
            rate / (tera ? 1e12 : 1e9), tera ? "TFLOP/s" : "GFLOP/s");
  print (text);
}

void
mex_begin (mex_call *c, gpu_type type, double operations)
{
  gpu_watch *w = &c->g->watch;
  const double patience = 2;
  w->stop = stop;
  w->show = mex_verbose ? show : NULL;
  w->patience = patience;
  gpu_begin (c->g, gpu_is_complex (type) ? 4 * operations : operations);
}

gpu_status
mex_fail (mex_call *c, const char *error_id, const char *format, ...)
{
  char text[sizeof c->g->message];
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  c->error_id = error_id;
  return gpu_fail (c->g, GPU_EARG, "%s", text);
}

static const char *
error_id (gpu_status status)
{
  switch (status)
    {
    case GPU_ENOMEM:
      return "gpulinalg:nomem";
    case GPU_EDEVICE:
      return "gpulinalg:device";
    case GPU_ENOTSUP:
      return "gpulinalg:notsup";
    default:
      return "gpulinalg:arg";
    }
}

/* Open the context that the user or the environment asks for.  Ids go on after
   a reset, and start elsewhere in each load of this file, so that a stale id
   never finds an array.  */
static gpu_status
open_main (void)
{
  const char *name = getenv ("GPULINALG_BACKEND");
  char number[32];
  if (selected > 0)
    {
      snprintf (number, sizeof number, "cuda:%d", selected);
      name = number;
    }
  int64_t next_id = main_ctx.next_id;
  gpu_status status = gpu_open (&main_ctx, name && *name ? name : NULL);
  main_ctx.next_id = next_id > 0 ? next_id : (int64_t) time (NULL) << 20;
  main_ctx.seed = (uint64_t) main_ctx.next_id;
  if (status == GPU_OK && !mexIsLocked ())
    mexLock (); /* an unloaded MEX file would leave ids without arrays */
  if (status == GPU_OK && main_ctx.degraded)
    tell ("warning", "gpulinalg:host", "gpulinalg: computing on the host",
          main_ctx.note);
  return status;
}

static void
close_all (void)
{
  gpu_close (&host_ctx);
  gpu_close (&main_ctx);
}

/* select (number): the arrays go, unless that GPU cannot be used.  */
static gpu_status
select_device (mex_call *c)
{
  gpu_ctx probe;
  char name[32];
  double number;

  GPU_TRY (mex_get_number (c, c->in[0], &number));
  if (!(number >= 1 && number <= 1e6 && number == floor (number)))
    return gpu_fail (&main_ctx, GPU_EARG, "there is no GPU number %g", number);
  if (!main_ctx.lost)
    {
      snprintf (name, sizeof name, "cuda:%d", (int) number);
      gpu_status status = gpu_open (&probe, name);
      if (status != GPU_OK)
        {
          if (status != GPU_EARG) /* which GPU is the current one now? */
            close_all ();
          return gpu_fail (&main_ctx, status, "%s", probe.message);
        }
      gpu_close (&probe);
    }
  close_all ();
  selected = (int) number;
  return open_main ();
}

static void
free_id (int64_t id)
{
  gpu_free_id (&main_ctx, id);
}

static int
shape (int64_t id, gpu_shape *s)
{
  gpu_mat A;
  if (main_ctx.lost || gpu_find (&main_ctx, id, &A) != GPU_OK)
    return 0;
  s->m = A.m;
  s->n = A.n;
  s->pages = A.pages;
  s->is_single = gpu_real_type (A.type) == GPU_SINGLE;
  s->is_logical = A.type == GPU_LOGICAL;
  s->is_complex = gpu_is_complex (A.type);
  return 1;
}

static int64_t
map (const char *op, const gpu_term *a, const gpu_term *b)
{
  if (!main_ctx.be || main_ctx.lost)
    return 0;
  gpu_sweep (&main_ctx);
  int64_t id = mex_map (&main_ctx, op, a, b);
  gpu_sweep (&main_ctx);
  return id;
}

/* When this file is unloaded there is nothing left to call.  */
static void
burn_bridge (void)
{
  if (bridge)
    memset (bridge, 0, sizeof *bridge);
  bridge = NULL;
}

/* bridge (address, size)  */
gpu_status
mex_bridge (mex_call *c)
{
  const mxArray *address = c->in[0];
  double size;
  GPU_TRY (mex_get_number (c, c->in[1], &size));
  if (!mex_is_id (address) || size != sizeof *bridge)
    return gpu_fail (c->g, GPU_EARG,
                     "__gpu_call__ belongs to another version; please "
                     "restart Octave");
  bridge = (gpu_bridge *) (uintptr_t) * (const uint64_t *) mxGetData (address);
  bridge->free_id = free_id;
  bridge->shape = shape;
  bridge->map = map;
  mexAtExit (burn_bridge);
  return GPU_OK;
}

static bool
any_id (int nargin, const mxArray **in)
{
  for (int i = 0; i < nargin; i++)
    if (mex_is_id (in[i]))
      return true;
  return false;
}

static gpu_status
run (const mex_command *command, mex_call *c)
{
  running = command;
  gpu_status status = command->run (c);
  if (status != GPU_ENOMEM || main_ctx.be->host_memory || !command->host_too
      || any_id (c->nargin, c->in))
    return status;
  if (!host_ctx.be && gpu_open (&host_ctx, "host") != GPU_OK)
    return status;
  gpu_end (&main_ctx, status);
  gpu_sweep (&main_ctx);
  char head[64];
  snprintf (head, sizeof head, "%s: computing on the host", command->user);
  tell ("warning", error_id (status), head, main_ctx.message);
  c->g = &host_ctx;
  return command->run (c);
}

static const mex_command *
find_command (const char *name)
{
  const mex_command *tables[] = { mex_commands, mex_array_commands };
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    for (const mex_command *command = tables[i]; command->name; command++)
      if (!strcmp (command->name, name))
        return command;
  return NULL;
}

void
mexFunction (int nargout, mxArray *out[], int nargin, const mxArray *in[])
{
  char name[32] = "";
  const mex_command *command;
  if (nargin < 1 || mxGetString (in[0], name, sizeof name))
    {
      tell ("error", error_id (GPU_EARG), "__gpu__",
            "the first argument must be a command");
      return;
    }
  command = find_command (name);
  if (!command || nargin - 1 < command->min_in || nargin - 1 > command->max_in
      || nargout > command->max_out)
    {
      char text[128];
      snprintf (text, sizeof text,
                command ? "wrong number of arguments for command \"%s\""
                        : "there is no command \"%s\"",
                name);
      tell ("error", error_id (GPU_EARG), "__gpu__", text);
      return;
    }

  if (!strcmp (name, "shutdown"))
    {
      close_all ();
      burn_bridge ();
      if (mexIsLocked ())
        mexUnlock ();
      return;
    }
  if (!strcmp (name, "reset"))
    close_all ();

  gpu_status status = GPU_OK;
  mex_call call = { &main_ctx, nargout, nargin - 1, out, in + 1, NULL };
  if (!strcmp (name, "select"))
    status = select_device (&call);
  else if (!main_ctx.be)
    status = open_main ();
  if (status == GPU_OK && main_ctx.lost)
    status = gpu_fail (&main_ctx, GPU_EDEVICE,
                       "the GPU is lost after an error; gpuDevice (\"reset\") "
                       "brings it back");
  if (!strcmp (name, "device_count"))
    status = GPU_OK; /* a question about devices is no failure without one */
  if (status == GPU_OK)
    {
      if (running && main_ctx.be) /* an exception left it */
        {
          gpu_end (&main_ctx, GPU_ESTOP);
          gpu_end (&host_ctx, GPU_ESTOP);
          status = gpu_halt (&main_ctx);
        }
      gpu_sweep (&main_ctx);
      if (status == GPU_OK)
        status = run (command, &call);
      if (status == GPU_ESTOP)
        gpu_halt (&main_ctx);
      gpu_sweep (&main_ctx);
      gpu_sweep (&host_ctx);
      if (gpu_end (call.g, status))
        print ("\n");
      running = NULL;
    }
  /* Octave itself stops, when it comes to a statement.  */
  if (status == GPU_ESTOP)
    mexEvalString ("0;");
  if (status != GPU_OK && call.error_id)
    tell ("error", call.error_id, "", call.g->message);
  else if (status != GPU_OK)
    tell ("error", error_id (status), command->user, call.g->message);
}
