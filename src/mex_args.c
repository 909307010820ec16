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

gpu_status
mex_get_precision (mex_call *c, const mxArray *x, gpu_precision *precision)
{
  static const char *const names[]
    = { "ieee", "tf32", "fp16", "bf16", "fp32x3", "mixed" };
  const int count = sizeof names / sizeof *names;
  char name[16];
  int k = 0;
  GPU_TRY (mex_get_string (c, x, name, sizeof name));
  while (k < count && strcmp (names[k], name))
    k++;
  if (k == count)
    return gpu_fail (c->g, GPU_EARG, "there is no precision \"%s\"", name);
  *precision = (gpu_precision) k;
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

const char *
mex_class_name (gpu_type type)
{
  return type == GPU_LOGICAL                  ? "logical"
         : gpu_real_type (type) == GPU_SINGLE ? "single"
                                              : "double";
}

gpu_status
mex_get_class (mex_call *c, const mxArray *x, gpu_type *type)
{
  char name[16];
  GPU_TRY (mex_get_string (c, x, name, sizeof name));
  for (int i = 0; i < 3; i++)
    {
      *type = (const gpu_type[]){ GPU_DOUBLE, GPU_SINGLE, GPU_LOGICAL }[i];
      if (!strcmp (name, mex_class_name (*type)))
        return GPU_OK;
    }
  return gpu_fail (c->g, GPU_EARG,
                   "the class must be \"double\", \"single\" or \"logical\", "
                   "but is \"%s\"",
                   name);
}

gpu_status
mex_get_size (mex_call *c, const mxArray *x, ptrdiff_t size[3])
{
  size_t count = mxGetNumberOfElements (x);
  if (!mxIsDouble (x) || mxIsComplex (x) || count < 1 || count > 3)
    return gpu_fail (c->g, GPU_EARG,
                     "an array has 2 or 3 dimensions, but the size is a %s "
                     "array of %zu elements",
                     mxGetClassName (x), count);
  for (size_t i = 0; i < 3; i++)
    {
      double d = i < count ? ((const double *) mxGetData (x))[i] : 1;
      if (!(d < 0x1p62))
        return mex_fail (c, "Octave:undefined-function",
                         "out of memory or dimension too large for Octave's "
                         "index type");
      size[i] = d > 0 ? (ptrdiff_t) d : 0;
    }
  return GPU_OK;
}

mxArray *
mex_new_size (gpu_mat A)
{
  mxArray *size = mxCreateDoubleMatrix (1, A.pages == 1 ? 2 : 3, mxREAL);
  double *s = mxGetData (size);
  s[0] = (double) A.m;
  s[1] = (double) A.n;
  if (A.pages != 1)
    s[2] = (double) A.pages;
  return size;
}

/* The type of the elements of x, GPU_INT8 and so on for those that are only
   bytes.  */
static bool
get_type (const mxArray *x, mex_kind kind, gpu_type *type)
{
  bool is_complex = mxIsComplex (x);

  if (mxIsSingle (x))
    *type = is_complex ? GPU_CSINGLE : GPU_SINGLE;
  else if (mxIsDouble (x))
    *type = is_complex ? GPU_CDOUBLE : GPU_DOUBLE;
  else if (mxIsLogical (x) && kind != MEX_NUMBERS)
    *type = GPU_LOGICAL;
  else if (kind == MEX_BYTES && (mxIsNumeric (x) || mxIsChar (x)))
    switch (mxGetElementSize (x))
      {
      case 1:
        *type = GPU_INT8;
        break;
      case 2:
        *type = GPU_INT16;
        break;
      case 4:
        *type = GPU_INT32;
        break;
      default:
        *type = GPU_INT64;
      }
  else
    return false;
  return true;
}

gpu_status
mex_view (mex_call *c, const mxArray *x, mex_kind kind, gpu_mat *A)
{
  static const char *kinds[]
    = { "single or double", "single, double or logical",
        "numeric, logical or char" };
  const mwSize *size = mxGetDimensions (x);
  mwSize dims = mxGetNumberOfDimensions (x);

  memset (A, 0, sizeof *A);
  if (mxIsSparse (x) || dims > 3 || !get_type (x, kind, &A->type))
    return gpu_fail (c->g, GPU_EARG,
                     "an array must be full, %s, and of at most 3 dimensions, "
                     "but is a %s%s array of %d",
                     kinds[kind], mxIsSparse (x) ? "sparse " : "",
                     mxGetClassName (x), (int) dims);
  A->p = mxGetData (x);
  A->m = size[0];
  A->n = size[1];
  A->pages = dims == 3 ? size[2] : 1;
  A->ld = A->m > 0 ? A->m : 1;
  A->step = A->m * A->n;
  return GPU_OK;
}

gpu_status
mex_view_result (mex_call *c, gpu_mat X, const mxArray *result, gpu_mat *R)
{
  GPU_TRY (mex_view (c, result, MEX_BYTES, R));
  if (R->m != X.m || R->n != X.n || R->pages != X.pages || R->type != X.type)
    return gpu_fail (c->g, GPU_EARG,
                     "the result must be a %td x %td x %td array of the "
                     "argument's class and complexity, but is a %td x %td x "
                     "%td %s array",
                     X.m, X.n, X.pages, R->m, R->n, R->pages,
                     mxGetClassName (result));
  return GPU_OK;
}

gpu_status
mex_load (mex_call *c, const mxArray *x, mex_kind kind, gpu_mat *A)
{
  gpu_ctx *g = c->g;
  gpu_mat X;
  int64_t id;

  if (mex_is_id (x))
    {
      GPU_TRY (mex_get_id (c, x, &id));
      GPU_TRY (gpu_find (g, id, A));
      if (kind == MEX_NUMBERS && A->type == GPU_LOGICAL)
        return gpu_fail (g, GPU_EARG,
                         "a device array must be single or double, but is "
                         "logical");
      return GPU_OK;
    }
  GPU_TRY (mex_view (c, x, kind, &X));
  *A = X;
  if (g->be->host_memory)
    return GPU_OK;
  GPU_TRY (gpu_new (g, X.type, X.m, X.n, X.pages, A));
  return g->be->put (g, X.p, *A);
}

gpu_status
mex_work (mex_call *c, const mxArray *x, const mxArray *result, gpu_op op,
          gpu_mat *A, gpu_mat *X)
{
  gpu_ctx *g = c->g;
  gpu_mat S;

  if (!mex_is_id (x) && !result)
    return gpu_fail (g, GPU_EARG,
                     "a host array needs an array for the result");
  GPU_TRY (mex_load (c, x, op == GPU_N ? MEX_NUMBERS : MEX_BYTES, A));
  S = op == GPU_N ? *A : gpu_transposed (*A);
  if (!mex_is_id (x))
    {
      GPU_TRY (mex_view_result (c, S, result, X));
      if (g->be->host_memory)
        return GPU_OK;
      *X = *A;
      if (A->m == S.m)
        return GPU_OK;
    }
  return gpu_new (g, S.type, S.m, S.n, S.pages, X);
}

gpu_status
mex_new_result (mex_call *c, gpu_mat S, const mxArray *result, gpu_mat *X)
{
  if (result)
    GPU_TRY (mex_view_result (c, S, result, X));
  return result && c->g->be->host_memory
           ? GPU_OK
           : gpu_new (c->g, S.type, S.m, S.n, S.pages, X);
}

gpu_status
mex_finish (mex_call *c, gpu_mat X, const mxArray *result)
{
  gpu_mat R;
  GPU_TRY (mex_view_result (c, X, result, &R));
  return X.p == R.p ? GPU_OK : c->g->be->get (c->g, X, R.p);
}

gpu_status
mex_return (mex_call *c, gpu_mat X, const mxArray *result, int k)
{
  if (result)
    return mex_finish (c, X, result);
  if (k > 0 && k >= c->nargout)
    return GPU_OK;
  int64_t id = gpu_keep (c->g, X);
  if (id == 0)
    return gpu_fail (c->g, GPU_ENOMEM, "out of host memory");
  c->out[k] = mex_new_id (id);
  return GPU_OK;
}

mxArray *
mex_new_pages (gpu_mat A)
{
  mwSize size[3] = { 1, 1, (mwSize) A.pages };
  return mxCreateNumericArray (
    3, size, A.type == GPU_SINGLE ? mxSINGLE_CLASS : mxDOUBLE_CLASS, mxREAL);
}

gpu_status
mex_return_pages (mex_call *c, gpu_mat A, int k)
{
  c->out[k] = mex_new_pages (A);
  return c->g->be->get (c->g, A, mxGetData (c->out[k]));
}
