/* mex_args.c: between Octave's arrays and ours.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>

#include "mex_internal.h"

bool
mex_is_id (const mxArray *x)
{
  return mxIsUint64 (x) && mxGetNumberOfElements (x) == 1;
}

gpu_status
mex_get_id (mex_call *c, const mxArray *x, int64_t *id)
{
  if (!mex_is_id (x))
    return gpu_fail (c->g, GPU_EARG,
                     "the number of a device array must be a uint64 scalar, "
                     "but is %s",
                     mxGetClassName (x));
  *id = (int64_t) * (const uint64_t *) mxGetData (x);
  return GPU_OK;
}

gpu_status
mex_get_number (mex_call *c, const mxArray *x, double *value)
{
  if (!mxIsDouble (x) || mxIsComplex (x) || mxGetNumberOfElements (x) != 1)
    return gpu_fail (c->g, GPU_EARG,
                     "a value must be a real double scalar, but is %s",
                     mxGetClassName (x));
  *value = mxGetScalar (x);
  return GPU_OK;
}

gpu_status
mex_get_string (mex_call *c, const mxArray *x, char *s, size_t size)
{
  if (!mxIsChar (x) || mxGetString (x, s, (mwSize) size))
    return gpu_fail (c->g, GPU_EARG,
                     "an option must be a string of less than %zu characters, "
                     "but is %s",
                     size, mxGetClassName (x));
  return GPU_OK;
}

mxArray *
mex_new_number (double value)
{
  return mxCreateDoubleScalar (value);
}

mxArray *
mex_new_id (int64_t id)
{
  mxArray *x = mxCreateNumericMatrix (1, 1, mxUINT64_CLASS, mxREAL);
  *(uint64_t *) mxGetData (x) = (uint64_t) id;
  return x;
}

gpu_status
mex_view (mex_call *c, const mxArray *x, gpu_mat *A)
{
  const mwSize *size = mxGetDimensions (x);
  mwSize dims = mxGetNumberOfDimensions (x);
  bool is_complex = mxIsComplex (x);

  if (mxIsSparse (x) || !(mxIsDouble (x) || mxIsSingle (x)) || dims > 3)
    return gpu_fail (c->g, GPU_EARG,
                     "an array must be full, single or double, and of at most "
                     "3 dimensions, but is a %s%s array of %d",
                     mxIsSparse (x) ? "sparse " : "", mxGetClassName (x),
                     (int) dims);
  memset (A, 0, sizeof *A);
  A->p = mxGetData (x);
  A->m = size[0];
  A->n = size[1];
  A->pages = dims == 3 ? size[2] : 1;
  A->ld = A->m > 0 ? A->m : 1;
  A->step = A->m * A->n;
  if (mxIsSingle (x))
    A->type = is_complex ? GPU_CSINGLE : GPU_SINGLE;
  else
    A->type = is_complex ? GPU_CDOUBLE : GPU_DOUBLE;
  return GPU_OK;
}

/* RESULT must have the size and type of A.  */
static gpu_status
view_result (mex_call *c, gpu_mat A, const mxArray *result, gpu_mat *R)
{
  GPU_TRY (mex_view (c, result, R));
  if (R->m != A.m || R->n != A.n || R->pages != A.pages || R->type != A.type)
    return gpu_fail (c->g, GPU_EARG,
                     "the result must have the argument's size, class and "
                     "complexity (%td x %td x %td), but is %td x %td x %td",
                     A.m, A.n, A.pages, R->m, R->n, R->pages);
  return GPU_OK;
}

gpu_status
mex_work (mex_call *c, const mxArray *x, const mxArray *result, gpu_mat *A)
{
  gpu_ctx *g = c->g;
  gpu_mat X, R;
  int64_t id;

  if (mex_is_id (x))
    {
      GPU_TRY (mex_get_id (c, x, &id));
      GPU_TRY (gpu_find (g, id, &X));
      GPU_TRY (gpu_new (g, X.type, X.m, X.n, X.pages, A));
      return g->be->copy (g, X, *A);
    }

  GPU_TRY (mex_view (c, x, &X));
  if (!result)
    return gpu_fail (g, GPU_EARG,
                     "a host array needs an array for the result");
  GPU_TRY (view_result (c, X, result, &R));
  if (g->be->host_memory)
    *A = R;
  else
    GPU_TRY (gpu_new (g, X.type, X.m, X.n, X.pages, A));
  return g->be->put (g, X.p, *A);
}

gpu_status
mex_finish (mex_call *c, gpu_mat A, const mxArray *result)
{
  gpu_mat R;
  GPU_TRY (view_result (c, A, result, &R));
  return A.p == R.p ? GPU_OK : c->g->be->get (c->g, A, R.p);
}
