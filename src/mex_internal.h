/* mex_internal.h: what the three mex_*.c files share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_MEX_INTERNAL_H
#define GPULINALG_MEX_INTERNAL_H 1

#include "gpu.h"
#include "mex.h"

/* One call of __gpu__ (COMMAND, ...): what stands behind the command.  */
typedef struct
{
  gpu_ctx *g;
  int nargout, nargin;
  mxArray **out;
  const mxArray **in;
} mex_call;

typedef struct
{
  const char *name;
  const char *user; /* the function that a user called: it heads messages */
  int min_in, max_in, max_out;
  bool host_too; /* the host may do it when the device has no memory left */
  gpu_status (*run) (mex_call *c);
} mex_command;

/* mex_commands.c: the table, closed by a NULL name.  */
extern const mex_command mex_commands[];

/* mex_args.c: at this boundary a uint64 scalar is a device array, and a full
   single or double array of at most three dimensions is a host array.  */
bool mex_is_id (const mxArray *x);
gpu_status mex_get_id (mex_call *c, const mxArray *x, int64_t *id);
gpu_status mex_get_number (mex_call *c, const mxArray *x, double *value);
gpu_status mex_get_string (mex_call *c, const mxArray *x, char *s,
                           size_t size);
mxArray *mex_new_number (double value);
mxArray *mex_new_id (int64_t id);

/* A host array as a dense view of Octave's memory.  */
gpu_status mex_view (mex_call *c, const mxArray *x, gpu_mat *A);

/* A = a copy of x to work on: of a device array on the device; of a host
   array in RESULT, a fresh array that nothing else refers to, where the
   backend can reach it, else on the device.  */
gpu_status mex_work (mex_call *c, const mxArray *x, const mxArray *result,
                     gpu_mat *A);
/* RESULT(:) = A(:), unless A is RESULT's own memory.  */
gpu_status mex_finish (mex_call *c, gpu_mat A, const mxArray *result);

#endif
