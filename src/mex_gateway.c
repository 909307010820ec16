/* mex_gateway.c: __gpu__ (COMMAND, ...), the only MEX function, and the only
   place that raises an error.

   It finds the command in mex_commands, opens the context at first use and
   sweeps before and after each call, since an error of Octave's may have
   thrown through the last one.  When a device has no memory left for host
   arrays, the host computes, with a warning.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mex_internal.h"

static gpu_ctx main_ctx; /* the backend in use */
static gpu_ctx host_ctx; /* the host beside a GPU, once it is needed */
static int selected;     /* the number of the GPU that a user chose; 0: none */
static gpu_bridge *bridge; /* what __gpu_call__ has; NULL without it */

/* By Octave's own function: mexErrMsgIdAndTxt would prefix __gpu__.  ID may be
   empty, and so may HEAD.  */
static void
raise (const char *function, const char *id, const char *head,
       const char *text)
{
  mxArray *args[4]
    = { mxCreateString (id), mxCreateString (*head ? "%s: %s" : "%s%s"),
        mxCreateString (head), mxCreateString (text) };
  int first = *id ? 0 : 1;
  mexCallMATLAB (0, NULL, 4 - first, args + first, function);
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
    raise ("warning", "gpulinalg:host", "gpulinalg: computing on the host",
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
  gpu_status status = command->run (c);
  if (status != GPU_ENOMEM || main_ctx.be->host_memory || !command->host_too
      || any_id (c->nargin, c->in))
    return status;
  if (!host_ctx.be && gpu_open (&host_ctx, "host") != GPU_OK)
    return status;
  gpu_sweep (&main_ctx);
  char head[64];
  snprintf (head, sizeof head, "%s: computing on the host", command->user);
  raise ("warning", error_id (status), head, main_ctx.message);
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
      raise ("error", error_id (GPU_EARG), "__gpu__",
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
      raise ("error", error_id (GPU_EARG), "__gpu__", text);
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
      gpu_sweep (&main_ctx);
      status = run (command, &call);
      gpu_sweep (&main_ctx);
      gpu_sweep (&host_ctx);
    }
  if (status != GPU_OK && call.error_id)
    raise ("error", call.error_id, "", call.g->message);
  else if (status != GPU_OK)
    raise ("error", error_id (status), command->user, call.g->message);
}
