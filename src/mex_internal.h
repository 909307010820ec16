/* mex_internal.h: what the mex_*.c files share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_MEX_INTERNAL_H
#define GPULINALG_MEX_INTERNAL_H 1

#include "gpu.h"
#include "gpu_bridge.h"
#include "mex.h"

/* One call of __gpu__ (COMMAND, ...): what stands behind the command.  */
typedef struct
{
  gpu_ctx *g;
  int nargout, nargin;
  mxArray **out;
  const mxArray **in;
  const char *error_id; /* of a message in Octave's own words, which has no
                           head; else NULL */
} mex_call;

typedef struct
{
  const char *name;
  const char *user; /* the function that a user called: it heads messages */
  int min_in, max_in, max_out;
  bool host_too; /* the host may do it when the device has no memory left */
  gpu_status (*run) (mex_call *c);
} mex_command;

/* mex_commands.c and mex_arrays.c: the tables, closed by a NULL name.  */
extern const mex_command mex_commands[];
extern const mex_command mex_array_commands[];

/* The function map of gpu_bridge.h.  */
int64_t mex_map (gpu_ctx *g, const char *name, const gpu_term *a,
                 const gpu_term *b);

/* mex_gateway.c: lend or take back the functions of gpu_bridge.h.  */
gpu_status mex_bridge (mex_call *c);

/* A call begins that takes OPERATIONS, as numbers of A's type count.  */
void mex_begin (mex_call *c, gpu_type type, double operations);
/* Whether long calls show how far they are.  */
extern bool mex_verbose;

/* Fail in the words of Octave, whose error this is.  */
gpu_status mex_fail (mex_call *c, const char *error_id, const char *format,
                     ...) __attribute__ ((format (printf, 3, 4)));

/* mex_args.c: at this boundary a uint64 scalar is a device array, and a full
   array of at most three dimensions is a host array.  */
bool mex_is_id (const mxArray *x);
gpu_status mex_get_id (mex_call *c, const mxArray *x, int64_t *id);
gpu_status mex_get_number (mex_call *c, const mxArray *x, double *value);
gpu_status mex_get_string (mex_call *c, const mxArray *x, char *s,
                           size_t size);
gpu_status mex_get_precision (mex_call *c, const mxArray *x,
                              gpu_precision *precision);
mxArray *mex_new_number (double value);
mxArray *mex_new_id (int64_t id);
/* The class of an array of type TYPE, and back; GPU_EARG for other classes. */
const char *mex_class_name (gpu_type type);
gpu_status mex_get_class (mex_call *c, const mxArray *x, gpu_type *type);
/* The size of x, 1 to 3 numbers, as m, n and pages.  */
gpu_status mex_get_size (mex_call *c, const mxArray *x, ptrdiff_t size[3]);
mxArray *mex_new_size (gpu_mat A);

/* What may be done with an array decides what its elements may be.  */
typedef enum
{
  MEX_NUMBERS,  /* single or double */
  MEX_ELEMENTS, /* or logical */
  MEX_BYTES     /* any class whose elements are plain bytes */
} mex_kind;

/* A host array as a dense view of Octave's memory.  */
gpu_status mex_view (mex_call *c, const mxArray *x, mex_kind kind, gpu_mat *A);
/* R = RESULT, a host array that must have the size and type of X.  */
gpu_status mex_view_result (mex_call *c, gpu_mat X, const mxArray *result,
                            gpu_mat *R);

/* A = x to read from: a device array, Octave's own memory where the backend
   can reach it, else a copy on the device.  */
gpu_status mex_load (mex_call *c, const mxArray *x, mex_kind kind, gpu_mat *A);

/* A = x, and X = where a result of A's type goes, of A's size or, if OP says
   so, of its transpose's.  Of a host array that is RESULT, a fresh array that
   nothing else refers to, where the backend can reach it; else A itself if it
   fits and is a copy of ours; else a new array.  A transposition only moves
   its elements.  */
gpu_status mex_work (mex_call *c, const mxArray *x, const mxArray *result,
                     gpu_op op, gpu_mat *A, gpu_mat *X);
/* X = where a result of the size and type of S goes: RESULT, if there is one,
   where the backend can reach it, else a new array.  */
gpu_status mex_new_result (mex_call *c, gpu_mat S, const mxArray *result,
                           gpu_mat *X);
/* RESULT(:) = X(:), unless X is RESULT's own memory.  */
gpu_status mex_finish (mex_call *c, gpu_mat X, const mxArray *result);
/* The same or, of a device array without RESULT, its id as output number K,
   if that is wanted.  */
gpu_status mex_return (mex_call *c, gpu_mat X, const mxArray *result, int k);
/* A 1 x 1 x pages array for A, which is real; A in it as output number K.  */
mxArray *mex_new_pages (gpu_mat A);
gpu_status mex_return_pages (mex_call *c, gpu_mat A, int k);

#endif
