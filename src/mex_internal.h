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
   array of at most three dimensions is a host array.  */
bool mex_is_id (const mxArray *x);
gpu_status mex_get_id (mex_call *c, const mxArray *x, int64_t *id);
gpu_status mex_get_number (mex_call *c, const mxArray *x, double *value);
gpu_status mex_get_string (mex_call *c, const mxArray *x, char *s,
                           size_t size);
mxArray *mex_new_number (double value);
mxArray *mex_new_id (int64_t id);

/* A host array as a dense view of Octave's memory: single or double or, if it
   is only to be MOVED, of any class whose elements are plain bytes.  */
gpu_status mex_view (mex_call *c, const mxArray *x, bool moved, gpu_mat *A);

/* A = x to read from: a device array, Octave's own memory where the backend
   can reach it, else a copy on the device.  */
gpu_status mex_load (mex_call *c, const mxArray *x, bool moved, gpu_mat *A);

/* A = x, and X = where a result of A's type goes, of A's size or, if OP says
   so, of its transpose's.  Of a host array that is RESULT, a fresh array that
   nothing else refers to, where the backend can reach it; else A itself if it
   fits and is a copy of ours; else a new array.  A transposition only moves
   its elements.  */
gpu_status mex_work (mex_call *c, const mxArray *x, const mxArray *result,
                     gpu_op op, gpu_mat *A, gpu_mat *X);
/* RESULT(:) = X(:), unless X is RESULT's own memory.  */
gpu_status mex_finish (mex_call *c, gpu_mat X, const mxArray *result);
/* The same or, of a device array without RESULT, its id as output number K,
   if that is wanted.  */
gpu_status mex_return (mex_call *c, gpu_mat X, const mxArray *result, int k);
/* Output number K = A(:), real, as a 1 x 1 x pages array.  */
gpu_status mex_return_pages (mex_call *c, gpu_mat A, int k);

#endif
