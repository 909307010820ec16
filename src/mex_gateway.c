/* mex_gateway.c: __gpu__ (COMMAND, ...), the only MEX function, and the only
   place that raises an error.

   It finds the command in mex_commands, opens the context at first use and
   sweeps before and after each call, since an error of Octave's may have
   thrown through the last one.  When a device has no memory left for host
   arrays, the host computes, with a warning.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mex_internal.h"

static gpu_ctx main_ctx; /* the backend in use */
static gpu_ctx host_ctx; /* the host beside a GPU, once it is needed */

/* By Octave's own function: mexErrMsgIdAndTxt would prefix __gpu__.  */
static void
raise (const char *function, const char *id, const char *head,
       const char *text)
{
  mxArray *args[4] = { mxCreateString (id), mxCreateString ("%s: %s"),
                       mxCreateString (head), mxCreateString (text) };
  mexCallMATLAB (0, NULL, 4, args, function);
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

/* Open the context that the environment asks for.  Ids go on after a reset,
   and start elsewhere in each load of this file, so that a stale id never
   finds an array.  */
static gpu_status
open_main (void)
{
  const char *name = getenv ("GPULINALG_BACKEND");
  int64_t next_id = main_ctx.next_id;
  gpu_status status = gpu_open (&main_ctx, name && *name ? name : NULL);
  main_ctx.next_id = next_id > 0 ? next_id : (int64_t) time (NULL) << 20;
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

void
mexFunction (int nargout, mxArray *out[], int nargin, const mxArray *in[])
{
  char name[32] = "";
  const mex_command *command = mex_commands;
  if (nargin < 1 || mxGetString (in[0], name, sizeof name))
    {
      raise ("error", error_id (GPU_EARG), "__gpu__",
             "the first argument must be a command");
      return;
    }
  while (command->name && strcmp (command->name, name))
    command++;
  if (!command->name || nargin - 1 < command->min_in
      || nargin - 1 > command->max_in || nargout > command->max_out)
    {
      char text[128];
      snprintf (text, sizeof text,
                command->name ? "wrong number of arguments for command \"%s\""
                              : "there is no command \"%s\"",
                name);
      raise ("error", error_id (GPU_EARG), "__gpu__", text);
      return;
    }

  if (!strcmp (name, "shutdown"))
    {
      close_all ();
      if (mexIsLocked ())
        mexUnlock ();
      return;
    }
  if (!strcmp (name, "reset"))
    close_all ();

  gpu_status status = GPU_OK;
  if (!main_ctx.be)
    status = open_main ();
  if (status == GPU_OK && main_ctx.lost)
    status = gpu_fail (&main_ctx, GPU_EDEVICE,
                       "the GPU is lost after an error; gpuDevice (\"reset\") "
                       "brings it back");
  if (!strcmp (name, "device_count"))
    status = GPU_OK; /* a question about devices is no failure without one */
  mex_call call = { &main_ctx, nargout, nargin - 1, out, in + 1 };
  if (status == GPU_OK)
    {
      gpu_sweep (&main_ctx);
      status = run (command, &call);
      gpu_sweep (&main_ctx);
      gpu_sweep (&host_ctx);
    }
  if (status != GPU_OK)
    raise ("error", error_id (status), command->user, call.g->message);
}
