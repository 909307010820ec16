/* mex_commands.c: the commands of __gpu__, one short function each.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mex_internal.h"

enum
{
  MANY_COLUMNS = 1024 /* of a matrix that is moved and factored by panels */
};

/* A call begins that takes PER_CUBE * n^3 operations for each page of A, as
   for a square matrix.  */
static void
begin (mex_call *c, gpu_mat A, double per_cube)
{
  const double m = (double) A.m, n = (double) A.n;
  mex_begin (c, A.type, per_cube * m * n * fmin (m, n) * (double) A.pages);
}

/* R = chol (A) or its lower factor, from the host to the host if A is large:
 *done says so.  */
static gpu_status
chol_by_panels (mex_call *c, gpu_precision precision, bool lower,
                const mxArray *result, bool *done)
{
  gpu_mat A, R, info;
  *done = false;
  if (!result || c->g->be->host_memory)
    return GPU_OK;
  GPU_TRY (mex_view (c, c->in[0], MEX_NUMBERS, &A));
  if (A.m != A.n || A.n < MANY_COLUMNS || A.pages != 1)
    return GPU_OK;
  begin (c, A, 1. / 3);
  GPU_TRY (mex_view_result (c, A, result, &R));
  GPU_TRY (gpu_new (c->g, GPU_INT64, 1, 1, 1, &info));
  if (lower)
    GPU_TRY (
      gpu_chol_host (c->g, precision, gpu_adjoint (A), gpu_adjoint (R), info));
  else
    GPU_TRY (gpu_chol_host (c->g, precision, A, R, info));
  int64_t failed;
  GPU_TRY (c->g->be->peek (c->g, info, &failed));
  c->out[0] = mex_new_number ((double) failed);
  *done = true;
  return GPU_OK;
}

/* info, one number for each page, as output number 0.  */
static gpu_status
return_failed (mex_call *c, gpu_mat info)
{
  int64_t *failed = mxMalloc ((size_t) (info.pages + 1) * sizeof *failed);
  GPU_TRY (c->g->be->peek (c->g, info, failed));
  c->out[0] = mex_new_pages (info);
  double *p = mxGetData (c->out[0]);
  for (ptrdiff_t k = 0; k < info.pages; k++)
    p[k] = (double) failed[k];
  mxFree (failed);
  return GPU_OK;
}

/* p = chol (A, uplo, R), R of zeros; [p, id] = chol (id, uplo); a precision
   may be the last argument  */
static gpu_status
cmd_chol (mex_call *c)
{
  gpu_ctx *g = c->g;
  const bool chosen = c->nargin > 2 && mxIsChar (c->in[c->nargin - 1]);
  const mxArray *result = c->nargin > 2 + chosen ? c->in[2] : NULL;
  gpu_precision precision = GPU_FP32X3;
  gpu_mat A, R, info;
  char uplo[8];

  GPU_TRY (mex_get_string (c, c->in[1], uplo, sizeof uplo));
  if (strcmp (uplo, "upper") && strcmp (uplo, "lower"))
    return gpu_fail (g, GPU_EARG,
                     "the triangle must be \"upper\" or \"lower\", but is "
                     "\"%s\"",
                     uplo);
  if (chosen)
    GPU_TRY (mex_get_precision (c, c->in[c->nargin - 1], &precision));
  bool done;
  GPU_TRY (chol_by_panels (c, precision, *uplo == 'l', result, &done));
  if (done)
    return GPU_OK;
  GPU_TRY (mex_work (c, c->in[0], result, GPU_N, &A, &R));
  begin (c, A, 1. / 3);
  GPU_TRY (gpu_new (g, GPU_INT64, 1, 1, A.pages, &info));
  if (*uplo == 'l')
    GPU_TRY (gpu_chol (g, precision, gpu_adjoint (A), gpu_adjoint (R), info));
  else
    GPU_TRY (gpu_chol (g, precision, A, R, info));

  GPU_TRY (return_failed (c, info));
  return mex_return (c, R, result, 1);
}

/* rcond = inv (A, X), [id, rcond] = inv (id): rcond costs nothing unless it
   is asked for  */
static gpu_status
cmd_inv (mex_call *c)
{
  const mxArray *result = c->nargin > 1 ? c->in[1] : NULL;
  int k = result ? 0 : 1; /* the number of the output rcond */
  gpu_mat A, X, rcond;

  GPU_TRY (mex_work (c, c->in[0], result, GPU_N, &A, &X));
  begin (c, A, 2);
  memset (&rcond, 0, sizeof rcond);
  if (c->nargout > k)
    GPU_TRY (gpu_new (c->g, gpu_real_type (A.type), 1, 1, A.pages, &rcond));
  GPU_TRY (gpu_inv (c->g, A, X, rcond));
  if (c->nargout > k)
    GPU_TRY (mex_return_pages (c, rcond, k));
  return mex_return (c, X, result, 0);
}

/* p = cholinv (A, X), [p, id] = cholinv (id)  */
static gpu_status
cmd_cholinv (mex_call *c)
{
  const mxArray *result = c->nargin > 1 ? c->in[1] : NULL;
  gpu_mat A, X, info;
  GPU_TRY (mex_work (c, c->in[0], result, GPU_N, &A, &X));
  begin (c, A, 1);
  GPU_TRY (gpu_new (c->g, GPU_INT64, 1, 1, A.pages, &info));
  GPU_TRY (gpu_cholinv (c->g, A, X, info));
  GPU_TRY (return_failed (c, info));
  return mex_return (c, X, result, 1);
}

/* chol2inv (R, X), id = chol2inv (id)  */
static gpu_status
cmd_chol2inv (mex_call *c)
{
  const mxArray *result = c->nargin > 1 ? c->in[1] : NULL;
  gpu_mat R, X;
  GPU_TRY (mex_work (c, c->in[0], result, GPU_N, &R, &X));
  begin (c, R, 2. / 3);
  GPU_TRY (gpu_chol2inv (c->g, R, X));
  return mex_return (c, X, result, 0);
}

/* An op of quaternions by its name.  */
static gpu_status
get_quaternion_op (mex_call *c, const mxArray *x, gpu_mat *A)
{
  char name[16];
  GPU_TRY (mex_get_string (c, x, name, sizeof name));
  if (!strcmp (name, "none"))
    return GPU_OK;
  if (strcmp (name, "transpose") && strcmp (name, "ctranspose"))
    return gpu_fail (c->g, GPU_EARG, "there is no operation \"%s\"", name);
  *A = gpu_transposed (*A);
  if (*name == 'c')
    A->op = GPU_C;
  return GPU_OK;
}

/* [method, growth] = qmtimes (A, B, method, op of A, op of B, C),
   [id, method, growth] = qmtimes (id, id, method, op, op)  */
static gpu_status
cmd_qmtimes (mex_call *c)
{
  static const char *const names[] = { "auto", "fast", "direct" };
  gpu_ctx *g = c->g;
  const mxArray *result = c->nargin > 5 ? c->in[5] : NULL;
  char name[16];
  int method = 0;
  gpu_mat A, B, C;
  gpu_qinfo info;

  GPU_TRY (mex_get_string (c, c->in[2], name, sizeof name));
  while (method < 3 && strcmp (names[method], name))
    method++;
  if (method == 3)
    return gpu_fail (g, GPU_EARG, "there is no method \"%s\"", name);
  GPU_TRY (mex_load (c, c->in[0], MEX_NUMBERS, &A));
  GPU_TRY (mex_load (c, c->in[1], MEX_NUMBERS, &B));
  if (gpu_is_complex (A.type) || A.type != B.type)
    return gpu_fail (g, GPU_EARG, "the planes must be real and of one class");
  GPU_TRY (get_quaternion_op (c, c->in[3], &A));
  GPU_TRY (get_quaternion_op (c, c->in[4], &B));

  gpu_mat S = A;
  S.m = A.m;
  S.n = B.n;
  /* One quaternion page is four planes.  */
  S.pages = A.pages == 4 ? B.pages : A.pages;
  GPU_TRY (mex_new_result (c, S, result, &C));
  mex_begin (c, S.type, gpu_product_work (S, (method == 2 ? 4 : 2) * A.n));
  const int at = result ? 0 : 1;
  const bool wanted = c->nargout > at;
  GPU_TRY (
    gpu_qmtimes (g, (gpu_qmethod) method, A, B, C, wanted ? &info : NULL));
  if (wanted)
    c->out[at] = mxCreateString (names[info.method]);
  if (c->nargout > at + 1)
    c->out[at + 1] = mex_new_number (info.growth);
  return mex_return (c, C, result, 0);
}

/* All COUNT results of a host array are given, from argument FIRST on, of a
   device array all or none.  */
static gpu_status
check_results (mex_call *c, int first, int count)
{
  int given = c->nargin - first;
  if (given == count || (given == 0 && mex_is_id (c->in[0])))
    return GPU_OK;
  return gpu_fail (c->g, GPU_EARG,
                   "a host array needs an array for each result");
}

/* rcond = det (A, d), [id, rcond] = det (id): rcond costs an inverse if it is
   asked for  */
static gpu_status
cmd_det (mex_call *c)
{
  gpu_ctx *g = c->g;
  const mxArray *result = c->nargin > 1 ? c->in[1] : NULL;
  int k = result ? 0 : 1; /* the number of the output rcond */
  gpu_mat A, X, d, rcond, none;

  GPU_TRY (check_results (c, 1, 1));
  GPU_TRY (mex_load (c, c->in[0], MEX_NUMBERS, &A));
  begin (c, A, c->nargout > k ? 8. / 3 : 2. / 3);
  GPU_TRY (gpu_new (g, A.type, 1, 1, A.pages, &d));
  memset (&none, 0, sizeof none);
  GPU_TRY (gpu_det (g, A, d, none));
  GPU_TRY (mex_return (c, d, result, 0));
  if (c->nargout <= k)
    return GPU_OK;
  GPU_TRY (gpu_new (g, gpu_real_type (A.type), 1, 1, A.pages, &rcond));
  X = A;
  if (g->be->host_memory || mex_is_id (c->in[0])) /* A is not ours */
    GPU_TRY (gpu_new (g, A.type, A.m, A.n, A.pages, &X));
  GPU_TRY (gpu_inv (g, A, X, rcond));
  return mex_return_pages (c, rcond, k);
}

/* logdet (A, logabsdet, sign), [id, id of sign] = logdet (id)  */
static gpu_status
cmd_logdet (mex_call *c)
{
  gpu_ctx *g = c->g;
  gpu_mat A, logabsdet, sign;

  GPU_TRY (check_results (c, 1, 2));
  GPU_TRY (mex_load (c, c->in[0], MEX_NUMBERS, &A));
  begin (c, A, 2. / 3);
  GPU_TRY (gpu_new (g, gpu_real_type (A.type), 1, 1, A.pages, &logabsdet));
  GPU_TRY (gpu_new (g, A.type, 1, 1, A.pages, &sign));
  GPU_TRY (gpu_det (g, A, logabsdet, sign));
  GPU_TRY (mex_return (c, logabsdet, c->nargin > 1 ? c->in[1] : NULL, 0));
  return mex_return (c, sign, c->nargin > 2 ? c->in[2] : NULL, 1);
}

/* rcond = homography (H, P, back, Q), [id, rcond] = homography (H, P, back):
   rcond is that of H, for the way back  */
static gpu_status
cmd_homography (mex_call *c)
{
  gpu_ctx *g = c->g;
  const mxArray *result = c->nargin > 3 ? c->in[3] : NULL;
  const int k = result ? 0 : 1; /* the number of the output rcond */
  const bool back = mxIsLogicalScalarTrue (c->in[2]);
  const bool wanted = back && c->nargout > k;
  gpu_mat H, P, Q, rcond = { 0 };

  GPU_TRY (mex_load (c, c->in[0], MEX_NUMBERS, &H));
  GPU_TRY (mex_load (c, c->in[1], MEX_NUMBERS, &P));
  gpu_mat S = P;
  S.pages = H.pages == 1 ? P.pages : H.pages;
  GPU_TRY (mex_new_result (c, S, result, &Q));
  if (wanted)
    GPU_TRY (gpu_new (g, gpu_real_type (H.type), 1, 1, H.pages, &rcond));
  GPU_TRY (gpu_homography (g, H, P, back, Q, rcond));
  if (wanted)
    GPU_TRY (mex_return_pages (c, rcond, k));
  return mex_return (c, Q, result, 0);
}

/* deviation = rigidinv (T, X), [id, deviation] = rigidinv (id)  */
static gpu_status
cmd_rigidinv (mex_call *c)
{
  const mxArray *result = c->nargin > 1 ? c->in[1] : NULL;
  gpu_mat T, X, deviation;

  GPU_TRY (mex_work (c, c->in[0], result, GPU_N, &T, &X));
  GPU_TRY (gpu_new (c->g, gpu_real_type (T.type), 1, 1, T.pages, &deviation));
  GPU_TRY (gpu_rigidinv (c->g, T, X, deviation));
  GPU_TRY (mex_return_pages (c, deviation, result ? 0 : 1));
  return mex_return (c, X, result, 0);
}

/* p, m x 1 for each page, with A(p,:) = L * U, as output number 0.  */
static gpu_status
return_permutation (mex_call *c, gpu_mat piv, ptrdiff_t m)
{
  const mwSize size[] = { (mwSize) m, 1, (mwSize) piv.pages };
  int64_t *rows = mxMalloc ((size_t) (piv.m * piv.pages + 1) * sizeof *rows);
  GPU_TRY (c->g->be->peek (c->g, piv, rows));
  c->out[0] = mxCreateNumericArray (3, size, mxDOUBLE_CLASS, mxREAL);
  double *p = mxGetData (c->out[0]);
  for (ptrdiff_t k = 0; k < piv.pages; k++, p += m)
    {
      for (ptrdiff_t i = 0; i < m; i++)
        p[i] = (double) (i + 1);
      for (ptrdiff_t j = 0; j < piv.m; j++)
        {
          const ptrdiff_t i = (ptrdiff_t) rows[j + k * piv.m] - 1;
          const double t = p[j];
          p[j] = p[i];
          p[i] = t;
        }
    }
  mxFree (rows);
  return GPU_OK;
}

/* p = lu (A, "packed", Y), p = lu (A, "split" or "permuted", L, U), or of a
   device array [p, id] and [p, id, id]: U + L - I, L and U, P' * L and U  */
static gpu_status
cmd_lu (mex_call *c)
{
  gpu_ctx *g = c->g;
  char form[16];
  gpu_mat A, S, LU, L, U, piv, info;

  GPU_TRY (mex_get_string (c, c->in[1], form, sizeof form));
  const bool packed = !strcmp (form, "packed");
  const bool permuted = !strcmp (form, "permuted");
  if (!packed && !permuted && strcmp (form, "split"))
    return gpu_fail (g, GPU_EARG, "there is no form \"%s\" of factors", form);
  GPU_TRY (check_results (c, 2, packed ? 1 : 2));
  const mxArray *first = c->nargin > 2 ? c->in[2] : NULL;
  const mxArray *second = c->nargin > 3 ? c->in[3] : NULL;

  GPU_TRY (mex_load (c, c->in[0], MEX_NUMBERS, &A));
  const ptrdiff_t k = A.m < A.n ? A.m : A.n;
  begin (c, A, 2. / 3);
  LU = A;
  if (g->be->host_memory || mex_is_id (c->in[0])) /* A is not ours */
    {
      GPU_TRY (mex_new_result (c, A, packed ? first : NULL, &LU));
      GPU_TRY (g->be->copy (g, A, LU));
    }
  GPU_TRY (gpu_new (g, GPU_INT64, k, 1, A.pages, &piv));
  GPU_TRY (gpu_new (g, GPU_INT64, 1, 1, A.pages, &info));
  GPU_TRY (gpu_lu (g, LU, piv, info));
  GPU_TRY (return_permutation (c, piv, A.m));
  if (packed)
    return mex_return (c, LU, first, 1);
  S = A;
  S.n = k;
  GPU_TRY (mex_new_result (c, S, first, &L));
  S = A;
  S.m = k;
  GPU_TRY (mex_new_result (c, S, second, &U));
  GPU_TRY (gpu_lu_factors (g, LU, piv, permuted, L, U));
  GPU_TRY (mex_return (c, L, first, 1));
  return mex_return (c, U, second, 2);
}

static gpu_status
transpose (mex_call *c, bool conj)
{
  const mxArray *result = c->nargin > 1 ? c->in[1] : NULL;
  gpu_mat A, B;

  GPU_TRY (mex_work (c, c->in[0], result, GPU_T, &A, &B));
  A = conj ? gpu_adjoint (A) : gpu_transposed (A);
  GPU_TRY (gpu_transpose (c->g, A, B));
  return mex_return (c, B, result, 0);
}

/* transpose (A, B), id = transpose (id)  */
static gpu_status
cmd_transpose (mex_call *c)
{
  return transpose (c, false);
}

/* ctranspose (A, B), id = ctranspose (id)  */
static gpu_status
cmd_ctranspose (mex_call *c)
{
  return transpose (c, true);
}

/* id = put (A)  */
static gpu_status
cmd_put (mex_call *c)
{
  gpu_mat X, A;
  GPU_TRY (mex_view (c, c->in[0], MEX_ELEMENTS, &X));
  GPU_TRY (gpu_new (c->g, X.type, X.m, X.n, X.pages, &A));
  GPU_TRY (c->g->be->put (c->g, X.p, A));
  return mex_return (c, A, NULL, 0);
}

/* get (id, X): X(:) = the device array, X a fresh array  */
static gpu_status
cmd_get (mex_call *c)
{
  gpu_mat A;
  int64_t id;
  GPU_TRY (mex_get_id (c, c->in[0], &id));
  GPU_TRY (gpu_find (c->g, id, &A));
  return mex_finish (c, A, c->in[1]);
}

/* s = describe (id)  */
static gpu_status
cmd_describe (mex_call *c)
{
  static const char *fields[] = { "size", "class", "complex" };
  gpu_mat A;
  int64_t id;
  GPU_TRY (mex_get_id (c, c->in[0], &id));
  GPU_TRY (gpu_find (c->g, id, &A));

  c->out[0] = mxCreateStructMatrix (1, 1, 3, fields);
  mxSetField (c->out[0], 0, "size", mex_new_size (A));
  mxSetField (c->out[0], 0, "class", mxCreateString (mex_class_name (A.type)));
  mxSetField (c->out[0], 0, "complex",
              mxCreateLogicalScalar (gpu_is_complex (A.type)));
  return GPU_OK;
}

/* free (id)  */
static gpu_status
cmd_free (mex_call *c)
{
  int64_t id;
  GPU_TRY (mex_get_id (c, c->in[0], &id));
  gpu_free_id (c->g, id);
  return GPU_OK;
}

/* n = live ()  */
static gpu_status
cmd_live (mex_call *c)
{
  c->out[0] = mex_new_number ((double) c->g->live);
  return GPU_OK;
}

/* "13.0" from the 13000 of the CUDA runtime.  */
static mxArray *
version (int v)
{
  char s[24] = "";
  if (v > 0)
    snprintf (s, sizeof s, "%d.%d", v / 1000, v % 1000 / 10);
  return mxCreateString (s);
}

/* d = device ()  */
static gpu_status
cmd_device (mex_call *c)
{
  static const char *fields[] = { "Name",
                                  "Index",
                                  "Backend",
                                  "ComputeCapability",
                                  "MultiprocessorCount",
                                  "DriverVersion",
                                  "ToolkitVersion",
                                  "TotalMemory",
                                  "AvailableMemory",
                                  "BytesUp",
                                  "BytesDown",
                                  "Operations",
                                  "Note" };
  gpu_device d = { 0 };
  char cc[24] = "";
  mxArray *s
    = mxCreateStructMatrix (1, 1, sizeof fields / sizeof *fields, fields);
  c->g->be->device (c->g, &d);
  if (d.cc_major > 0)
    snprintf (cc, sizeof cc, "%d.%d", d.cc_major, d.cc_minor);
  mxSetField (s, 0, "Name", mxCreateString (d.name));
  mxSetField (s, 0, "Index", mex_new_number (d.index));
  mxSetField (s, 0, "Backend", mxCreateString (c->g->be->name));
  mxSetField (s, 0, "ComputeCapability", mxCreateString (cc));
  mxSetField (s, 0, "MultiprocessorCount", mex_new_number (d.multiprocessors));
  mxSetField (s, 0, "DriverVersion", version (d.driver));
  mxSetField (s, 0, "ToolkitVersion", version (d.toolkit));
  mxSetField (s, 0, "TotalMemory", mex_new_number (d.total_memory));
  mxSetField (s, 0, "AvailableMemory", mex_new_number (d.free_memory));
  mxSetField (s, 0, "BytesUp", mex_new_number (d.up));
  mxSetField (s, 0, "BytesDown", mex_new_number (d.down));
  mxSetField (s, 0, "Operations", mex_new_number (d.queued));
  mxSetField (s, 0, "Note", mxCreateString (c->g->note));
  c->out[0] = s;
  return GPU_OK;
}

/* n = device_count (), 0 also where the backend that was asked for cannot be
   opened  */
static gpu_status
cmd_device_count (mex_call *c)
{
  gpu_device d = { 0 };
  if (c->g->be)
    c->g->be->device (c->g, &d);
  c->out[0] = mex_new_number (d.count);
  return GPU_OK;
}

/* wait ()  */
static gpu_status
cmd_wait (mex_call *c)
{
  return c->g->be->wait (c->g);
}

/* trim ()  */
static gpu_status
cmd_trim (mex_call *c)
{
  return c->g->be->trim (c->g);
}

/* [live, used, limit] = memory (), in bytes but for the first  */
static gpu_status
cmd_memory (mex_call *c)
{
  gpu_ctx *g = c->g;
  double limit = g->memory_limit > 0 ? g->memory_limit : INFINITY;
  const double values[] = { (double) g->live, g->bytes, limit };
  for (int k = 0; k < 3 && (k == 0 || k < c->nargout); k++)
    c->out[k] = mex_new_number (values[k]);
  return GPU_OK;
}

/* old = set (name, value), for tests  */
static gpu_status
cmd_set (mex_call *c)
{
  gpu_ctx *g = c->g;
  char name[32];
  double value, old = 0;
  GPU_TRY (mex_get_string (c, c->in[0], name, sizeof name));
  GPU_TRY (mex_get_number (c, c->in[1], &value));
  if (value != floor (value) || value < -1)
    return gpu_fail (g, GPU_EARG,
                     "a value must be a whole number from -1 on, but is %g",
                     value);
  if (!strcmp (name, "leaf"))
    {
      old = (double) g->leaf;
      g->leaf = (ptrdiff_t) value;
    }
  else if (!strcmp (name, "memory_limit"))
    {
      old = g->memory_limit;
      g->memory_limit = value;
    }
  else if (!strcmp (name, "allocs_left"))
    {
      old = (double) g->allocs_left;
      g->allocs_left = (ptrdiff_t) value;
    }
  else if (!strcmp (name, "verbose"))
    {
      old = mex_verbose;
      mex_verbose = value != 0;
    }
  else if (!strcmp (name, "lost")) /* as after an error of the GPU's */
    {
      old = g->lost;
      g->lost = value != 0;
    }
  else if (!strcmp (name, "seed")) /* the numbers start anew */
    {
      old = (double) g->seed;
      g->seed = (uint64_t) (int64_t) value;
      g->drawn = 0;
    }
  else
    return gpu_fail (
      g, GPU_EARG,
      "the name must be \"leaf\", \"memory_limit\", \"allocs_left\", "
      "\"verbose\", \"lost\" or \"seed\", but is \"%s\"",
      name);
  c->out[0] = mex_new_number (old);
  return GPU_OK;
}

/* reset, select and shutdown act on the context itself: mex_gateway.c does
   it.  */
static gpu_status
cmd_none (mex_call *c)
{
  (void) c;
  return GPU_OK;
}

const mex_command mex_commands[] = {
  { "chol", "gpu_chol", 2, 4, 2, true, cmd_chol },
  { "inv", "gpu_inv", 1, 2, 2, true, cmd_inv },
  { "cholinv", "gpu_cholinv", 1, 2, 2, true, cmd_cholinv },
  { "chol2inv", "gpu_chol2inv", 1, 2, 1, true, cmd_chol2inv },
  { "det", "gpu_det", 1, 2, 2, true, cmd_det },
  { "logdet", "gpu_logdet", 1, 3, 2, true, cmd_logdet },
  { "lu", "gpu_lu", 2, 4, 3, true, cmd_lu },
  { "transpose", "gpu_transpose", 1, 2, 1, true, cmd_transpose },
  { "ctranspose", "gpu_ctranspose", 1, 2, 1, true, cmd_ctranspose },
  { "qmtimes", "gpu_qmtimes", 5, 6, 3, true, cmd_qmtimes },
  { "homography", "gpu_homography", 3, 4, 2, true, cmd_homography },
  { "rigidinv", "gpu_rigidinv", 1, 2, 2, true, cmd_rigidinv },
  { "put", "gpuArray", 1, 1, 1, false, cmd_put },
  { "get", "gather", 2, 2, 0, false, cmd_get },
  { "describe", "gpuArray", 1, 1, 1, false, cmd_describe },
  { "free", "gpuArray", 1, 1, 0, false, cmd_free },
  { "bridge", "gpuArray", 2, 2, 0, false, mex_bridge },
  { "live", "__gpu__", 0, 0, 1, false, cmd_live },
  { "device", "gpuDevice", 0, 0, 1, false, cmd_device },
  { "device_count", "gpuDeviceCount", 0, 0, 1, false, cmd_device_count },
  { "set", "__gpu__", 2, 2, 1, false, cmd_set },
  { "wait", "gpuDevice", 0, 0, 0, false, cmd_wait },
  { "trim", "gpu_memory", 0, 0, 0, false, cmd_trim },
  { "memory", "gpu_memory", 0, 0, 3, false, cmd_memory },
  { "select", "gpuDevice", 1, 1, 0, false, cmd_none },
  { "reset", "gpuDevice", 0, 0, 0, false, cmd_none },
  { "shutdown", "__gpu__", 0, 0, 0, false, cmd_none },
  { NULL, NULL, 0, 0, 0, false, NULL },
};
