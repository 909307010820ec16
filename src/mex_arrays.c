/* mex_arrays.c: the commands behind the methods of gpuArray.

   An operand is a device array, a number or an array of the host.  Every
   result is a new device array.  What Octave would refuse is refused in its
   words, except that of indices: there the .m files ask Octave itself, and
   the error has the identifier gpulinalg:index.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mex_internal.h"

#define NONCONFORMANT "Octave:nonconformant-args"
#define BAD_INDEX "gpulinalg:index"

/* Octave's names of classes in messages.  */
static const char *
kind_name (const mxArray *x)
{
  return mex_is_id (x)                    ? "gpuArray"
         : mxIsChar (x)                   ? "string"
         : mxIsFunctionHandle (x)         ? "function handle"
         : !mxIsStruct (x)                ? mxGetClassName (x)
         : mxGetNumberOfElements (x) == 1 ? "scalar struct"
                                          : "struct";
}

/* Whether x can be an operand at all.  */
static bool
is_operand (const mxArray *x)
{
  return mex_is_id (x) || mxIsDouble (x) || mxIsSingle (x) || mxIsLogical (x);
}

/* o = x: a number without a place in memory where x is one.  */
static gpu_status
get_operand (mex_call *c, const mxArray *x, gpu_operand *o)
{
  if (mex_is_id (x) || mxGetNumberOfElements (x) != 1)
    return mex_load (c, x, MEX_ELEMENTS, &o->A);

  gpu_mat X;
  GPU_TRY (mex_view (c, x, MEX_ELEMENTS, &X));
  *o = gpu_number (X.type, 0, 0);
  if (X.type == GPU_LOGICAL)
    o->re = *(const unsigned char *) X.p;
  else if (gpu_real_type (X.type) == GPU_SINGLE)
    {
      const float *p = X.p;
      o->re = p[0];
      o->im = gpu_is_complex (X.type) ? p[1] : 0;
    }
  else
    {
      const double *p = X.p;
      o->re = p[0];
      o->im = gpu_is_complex (X.type) ? p[1] : 0;
    }
  return GPU_OK;
}

/* A = x as an array on the backend, also of a number.  */
static gpu_status
get_array (mex_call *c, const mxArray *x, gpu_mat *A)
{
  if (!is_operand (x))
    return mex_fail (c, "Octave:undefined-function",
                     "%s: wrong type argument '%s'", "gpuArray",
                     kind_name (x));
  return mex_load (c, x, MEX_ELEMENTS, A);
}

static gpu_status
return_new (mex_call *c, gpu_mat C, int k)
{
  return mex_return (c, C, NULL, k);
}

static gpu_status
nonconformant (mex_call *c, const char *id, const char *head, gpu_mat A,
               gpu_mat B)
{
  return mex_fail (c, id, "%s: nonconformant arguments (op1 is %s, op2 is %s)",
                   head, gpu_size_text (A).text, gpu_size_text (B).text);
}

/* The type of what holds numbers of two types, logical for two of them.  */
static gpu_type
common_type (gpu_type a, gpu_type b)
{
  return a == GPU_LOGICAL && b == GPU_LOGICAL ? GPU_LOGICAL
                                              : gpu_common_type (a, b);
}

static gpu_status
cast (gpu_ctx *g, gpu_type type, gpu_mat *A)
{
  return A->type == type ? GPU_OK : gpu_cast (g, *A, type, A);
}

/* The class of TYPE with the numbers of A.  */
static gpu_type
like_numbers (gpu_type type, gpu_mat A)
{
  if (!gpu_is_complex (A.type) || type == GPU_LOGICAL)
    return type;
  return type == GPU_SINGLE ? GPU_CSINGLE : GPU_CDOUBLE;
}

/* --- elementwise --- */

/* The name of an operation, how Octave begins a message about sizes, and for
   operators their sign.  */
typedef struct
{
  const char *name, *head, *sign;
} operation;

static const operation operations[GPU_OPERATIONS] = {
  [GPU_PLUS] = { "plus", "operator +", "+" },
  [GPU_MINUS] = { "minus", "operator -", "-" },
  [GPU_TIMES] = { "times", "product", ".*" },
  [GPU_RDIVIDE] = { "rdivide", "quotient", "./" },
  [GPU_POWER] = { "power", "operator .^", ".^" },
  [GPU_ATAN2] = { "atan2", "atan2", NULL },
  [GPU_MAX] = { "max", "max", NULL },
  [GPU_MIN] = { "min", "min", NULL },
  [GPU_COMPLEX] = { "complex", NULL, NULL },
  [GPU_EQ] = { "eq", "mx_el_eq", "==" },
  [GPU_NE] = { "ne", "mx_el_ne", "!=" },
  [GPU_LT] = { "lt", "mx_el_lt", "<" },
  [GPU_LE] = { "le", "mx_el_le", "<=" },
  [GPU_GT] = { "gt", "mx_el_gt", ">" },
  [GPU_GE] = { "ge", "mx_el_ge", ">=" },
  [GPU_AND] = { "and", "mx_el_and", "&" },
  [GPU_OR] = { "or", "mx_el_or", "|" },
  [GPU_NOT] = { "not", NULL, "!" },
  [GPU_ISNAN] = { "isnan", NULL, NULL },
  [GPU_ISINF] = { "isinf", NULL, NULL },
  [GPU_ISFINITE] = { "isfinite", NULL, NULL },
  [GPU_UMINUS] = { "uminus", NULL, "-" },
  [GPU_ABS] = { "abs", NULL, NULL },
  [GPU_ARG] = { "arg", NULL, NULL },
  [GPU_REAL] = { "real", NULL, NULL },
  [GPU_IMAG] = { "imag", NULL, NULL },
  [GPU_CONJ] = { "conj", NULL, NULL },
  [GPU_SQRT] = { "sqrt", NULL, NULL },
  [GPU_EXP] = { "exp", NULL, NULL },
  [GPU_EXPM1] = { "expm1", NULL, NULL },
  [GPU_LOG] = { "log", NULL, NULL },
  [GPU_LOG1P] = { "log1p", NULL, NULL },
  [GPU_LOG2] = { "log2", NULL, NULL },
  [GPU_LOG10] = { "log10", NULL, NULL },
  [GPU_SIN] = { "sin", NULL, NULL },
  [GPU_COS] = { "cos", NULL, NULL },
  [GPU_TAN] = { "tan", NULL, NULL },
  [GPU_ASIN] = { "asin", NULL, NULL },
  [GPU_ACOS] = { "acos", NULL, NULL },
  [GPU_ATAN] = { "atan", NULL, NULL },
  [GPU_SINH] = { "sinh", NULL, NULL },
  [GPU_COSH] = { "cosh", NULL, NULL },
  [GPU_TANH] = { "tanh", NULL, NULL },
  [GPU_FLOOR] = { "floor", NULL, NULL },
  [GPU_CEIL] = { "ceil", NULL, NULL },
  [GPU_ROUND] = { "round", NULL, NULL },
  [GPU_FIX] = { "fix", NULL, NULL },
  [GPU_SIGN] = { "sign", NULL, NULL },
};

/* Octave's words for operands of other classes.  */
static gpu_status
wrong_operands (mex_call *c, const char *name, const char *sign,
                const mxArray *a, const mxArray *b)
{
  const char *id = "Octave:undefined-function";
  if (sign && b)
    return mex_fail (c, id,
                     "binary operator '%s' not implemented for '%s' by '%s' "
                     "operations",
                     sign, kind_name (a), kind_name (b));
  if (sign)
    return mex_fail (c, id,
                     "unary operator '%s' not implemented for '%s' operands",
                     sign, kind_name (a));
  return mex_fail (c, id, "%s: wrong type argument '%s'", name,
                   kind_name (is_operand (a) && b ? b : a));
}

/* The operation NAME of COUNT operands; GPU_OPERATIONS if there is none.  */
static int
find_operation (const char *name, int count)
{
  int op = 0;
  while (op < GPU_OPERATIONS
         && !(operations[op].name && !strcmp (operations[op].name, name)))
    op++;
  return op < GPU_OPERATIONS && (op < GPU_NOT) == (count == 2)
           ? op
           : GPU_OPERATIONS;
}

static gpu_status
get_term (gpu_ctx *g, const gpu_term *t, gpu_operand *o)
{
  if (t->id != 0)
    return gpu_find (g, t->id, &o->A);
  *o = gpu_number (GPU_DOUBLE, t->number, 0);
  return GPU_OK;
}

int64_t
mex_map (gpu_ctx *g, const char *name, const gpu_term *a, const gpu_term *b)
{
  const int op = find_operation (name, b ? 2 : 1);
  gpu_operand A = { 0 }, B = { 0 };
  gpu_mat C;
  if (op == GPU_OPERATIONS || get_term (g, a, &A) != GPU_OK
      || (b && get_term (g, b, &B) != GPU_OK)
      || gpu_map (g, (gpu_operation) op, A, B, &C) != GPU_OK)
    return 0;
  return gpu_keep (g, C);
}

/* id = map (operation, a [, b])  */
static gpu_status
cmd_map (mex_call *c)
{
  char name[16];
  const mxArray *a = c->in[1], *b = c->nargin > 2 ? c->in[2] : NULL;
  gpu_operand A = { 0 }, B = { 0 };
  gpu_mat C;

  GPU_TRY (mex_get_string (c, c->in[0], name, sizeof name));
  const int op = find_operation (name, b ? 2 : 1);
  if (op == GPU_OPERATIONS)
    return gpu_fail (c->g, GPU_EARG,
                     "there is no operation \"%s\" of %d operands", name,
                     c->nargin - 1);
  if (!is_operand (a) || (b && !is_operand (b)))
    return wrong_operands (c, name, operations[op].sign, a, b);

  GPU_TRY (get_operand (c, a, &A));
  if (b)
    GPU_TRY (get_operand (c, b, &B));
  gpu_status status = gpu_map (c->g, (gpu_operation) op, A, B, &C);
  if (status == GPU_ESIZE && operations[op].head)
    return nonconformant (c, NONCONFORMANT, operations[op].head, A.A, B.A);
  if (status == GPU_ESIZE)
    return mex_fail (c, "", "%s: dimension mismatch", name);
  if (status == GPU_EARG)
    return mex_fail (c, "", "%s", c->g->message);
  GPU_TRY (status);
  return return_new (c, C, 0);
}

/* id = cast (a, class)  */
static gpu_status
cmd_cast (mex_call *c)
{
  gpu_mat A, C;
  gpu_type type;
  GPU_TRY (get_array (c, c->in[0], &A));
  GPU_TRY (mex_get_class (c, c->in[1], &type));
  GPU_TRY (gpu_cast (c->g, A, like_numbers (type, A), &C));
  return return_new (c, C, 0);
}

/* --- reductions --- */

/* [id, id of places] = reduce (operation, a, dim), along the first dimension
   that is not 1 if dim is 0  */
static gpu_status
cmd_reduce (mex_call *c)
{
  static const char *names[]
    = { "sum", "prod", "sumsq", "max", "min", "any", "all" };
  gpu_ctx *g = c->g;
  char name[8];
  int op = 0;
  double dim;
  gpu_mat A, C, at;

  GPU_TRY (mex_get_string (c, c->in[0], name, sizeof name));
  while (op <= GPU_ALL && strcmp (names[op], name))
    op++;
  if (op > GPU_ALL)
    return gpu_fail (g, GPU_EARG, "there is no reduction \"%s\"", name);
  GPU_TRY (mex_get_number (c, c->in[2], &dim));
  if (dim != floor (dim) || dim < 0)
    return mex_fail (c, "", "%s: DIM must be a valid dimension", name);
  GPU_TRY (get_array (c, c->in[1], &A));
  if (A.m == 0 && A.n == 0 && A.pages == 1 && op != GPU_MOST
      && op != GPU_LEAST)
    gpu_reshape (g, &A, 0, 1, 1); /* as Octave: sum ([]) is 0 */
  if (dim == 0)
    dim = A.m != 1 ? 1 : A.n != 1 ? 2 : A.pages != 1 ? 3 : 1;
  gpu_mat V = A;
  if (dim > 3) /* of one element each: the columns of a column */
    gpu_reshape (g, &V, A.m * A.n * A.pages, 1, 1);
  GPU_TRY (gpu_reduce (g, (gpu_reduction) op, V, dim > 3 ? 2 : (int) dim, &C,
                       c->nargout > 1 ? &at : NULL));
  if (dim > 3)
    {
      gpu_reshape (g, &C, A.m, A.n, A.pages);
      if (c->nargout > 1)
        gpu_reshape (g, &at, A.m, A.n, A.pages);
    }
  GPU_TRY (return_new (c, C, 0));
  if (c->nargout < 2)
    return GPU_OK;
  GPU_TRY (gpu_cast (g, at, GPU_DOUBLE, &at));
  return return_new (c, at, 1);
}

/* --- indices --- */

/* One index, as given: its places, the largest of them + 1, and the size of
   what a linear index gives.  */
typedef struct
{
  gpu_index at;
  ptrdiff_t end;
  bool colon;
  ptrdiff_t m, n, pages;
} place;

static gpu_status
bad_index (mex_call *c)
{
  return mex_fail (c, BAD_INDEX, "index out of bound");
}

/* Whether exactly one dimension is not 1.  */
static bool
is_vector (ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages)
{
  return (m != 1) + (n != 1) + (pages != 1) == 1;
}

/* The places of the true elements of a mask, whose size a linear index keeps
   only if it is a vector.  */
static gpu_status
read_mask (mex_call *c, const mxArray *x, int64_t **list, place *p)
{
  ptrdiff_t n = (ptrdiff_t) mxGetNumberOfElements (x), count = 0;
  const unsigned char *mask;
  if (mxIsSparse (x))
    return bad_index (c);
  mask = mxGetData (x);
  for (ptrdiff_t i = 0; i < n; i++)
    count += mask[i] != 0;
  *list = mxMalloc ((size_t) (count + 1) * sizeof **list);
  int64_t *l = *list;
  for (ptrdiff_t i = 0; i < n; i++)
    if (mask[i])
      *l++ = i;
  p->at.count = count;
  if (n == 1)
    p->m = p->n = count;
  else if (!is_vector (p->m, p->n, p->pages))
    {
      p->m = count;
      p->n = p->pages = 1;
    }
  else if (p->m != 1)
    p->m = count;
  else if (p->n != 1)
    p->n = count;
  else
    p->pages = count;
  return GPU_OK;
}

#define READ(T)                                                               \
  for (ptrdiff_t i = 0; i < n; i++)                                           \
    {                                                                         \
      T t = ((const T *) mxGetData (x))[i];                                   \
      int64_t k = (int64_t) t;                                                \
      if (!(t >= 1) || (T) k != t || k <= 0)                                  \
        return bad_index (c);                                                 \
      l[i] = k - 1;                                                           \
    }

static gpu_status
read_numbers (mex_call *c, const mxArray *x, int64_t **list, place *p)
{
  ptrdiff_t n = (ptrdiff_t) mxGetNumberOfElements (x);
  if (mxIsSparse (x) || mxIsComplex (x))
    return bad_index (c);
  int64_t *l = *list = mxMalloc ((size_t) (n + 1) * sizeof **list);
  p->at.count = n;
  switch (mxGetClassID (x))
    {
    case mxDOUBLE_CLASS:
      if (n > 0 && !(*(const double *) mxGetData (x) < 0x1p62))
        return bad_index (c);
      READ (double)
      break;
    case mxSINGLE_CLASS:
      READ (float)
      break;
    case mxINT8_CLASS:
      READ (int8_t)
      break;
    case mxUINT8_CLASS:
      READ (uint8_t)
      break;
    case mxINT16_CLASS:
      READ (int16_t)
      break;
    case mxUINT16_CLASS:
      READ (uint16_t)
      break;
    case mxINT32_CLASS:
      READ (int32_t)
      break;
    case mxUINT32_CLASS:
      READ (uint32_t)
      break;
    case mxINT64_CLASS:
      READ (int64_t)
      break;
    case mxUINT64_CLASS:
      READ (uint64_t)
      break;
    default:
      return bad_index (c);
    }
  return GPU_OK;
}

/* p = x, an index into SIZE places.  A list goes to the backend unless it is
   a progression, without the places that come again if they are ASSIGNED
   to.  */
static gpu_status
read_place (mex_call *c, const mxArray *x, ptrdiff_t size, bool assigned,
            place *p)
{
  gpu_ctx *g = c->g;
  int64_t *list = NULL;

  memset (p, 0, sizeof *p);
  p->at.step = 1;
  if (mxIsChar (x) && mxGetNumberOfElements (x) == 1
      && *(const char *) mxGetData (x) == ':')
    {
      p->colon = true;
      p->at.count = p->end = p->m = size;
      p->n = p->pages = 1;
      return GPU_OK;
    }
  const mwSize *dims = mxGetDimensions (x);
  if (mxGetNumberOfDimensions (x) > 3)
    return bad_index (c);
  p->m = dims[0];
  p->n = dims[1];
  p->pages = mxGetNumberOfDimensions (x) == 3 ? dims[2] : 1;
  if (mxIsLogical (x))
    GPU_TRY (read_mask (c, x, &list, p));
  else
    GPU_TRY (read_numbers (c, x, &list, p));

  ptrdiff_t count = p->at.count;
  int64_t step = count > 1 ? list[1] - list[0] : 1;
  bool regular = step != 0;
  for (ptrdiff_t i = 0; i < count; i++)
    {
      if (list[i] >= p->end)
        p->end = list[i] + 1;
      regular = regular && list[i] == list[0] + i * step;
    }
  if (regular)
    {
      p->at.first = count > 0 ? list[0] : 0;
      p->at.step = step;
      return GPU_OK;
    }
  if (assigned)
    {
      unsigned char *seen = mxCalloc ((size_t) (p->end / 8 + 1), 1);
      gpu_last_wins (list, count, seen);
      mxFree (seen);
    }
  gpu_mat L = gpu_number (GPU_INT64, 0, 0).A;
  L.p = list;
  L.m = L.ld = L.step = count;
  p->at.list = L;
  if (g->be->host_memory)
    return GPU_OK;
  GPU_TRY (gpu_new (g, GPU_INT64, count, 1, 1, &p->at.list));
  return g->be->put (g, list, p->at.list);
}

/* A seen with COUNT indices: the last of them goes on over the dimensions that
   have none.  */
static void
fold (gpu_ctx *g, gpu_mat *A, int count)
{
  if (count == 1)
    gpu_reshape (g, A, A->m * A->n * A->pages, 1, 1);
  else if (count == 2)
    gpu_reshape (g, A, A->m, A->n * A->pages, 1);
}

static gpu_status
read_places (mex_call *c, int first, gpu_mat A, bool assigned, place p[3])
{
  const ptrdiff_t size[] = { A.m, A.n, A.pages };
  for (int d = 0; d < 3; d++)
    if (first + d < c->nargin)
      GPU_TRY (read_place (c, c->in[first + d], size[d], assigned, &p[d]));
    else
      p[d] = (place){ { 1, 0, 1, { 0 } }, 1, false, 1, 1, 1 };
  return GPU_OK;
}

/* id = index (a, i [, j [, k]])  */
static gpu_status
cmd_index (mex_call *c)
{
  gpu_ctx *g = c->g;
  gpu_mat A, S, C;
  place p[3];

  GPU_TRY (get_array (c, c->in[0], &A));
  S = A;
  fold (g, &A, c->nargin - 1);
  GPU_TRY (read_places (c, 1, A, false, p));
  if (p[0].end > A.m || p[1].end > A.n || p[2].end > A.pages)
    return bad_index (c);
  const gpu_index at[] = { p[0].at, p[1].at, p[2].at };
  GPU_TRY (gpu_index_get (g, A, at, &C));
  if (c->nargin == 2)
    {
      /* The result has the size of the index, but a vector indexed by a
         vector keeps its direction.  */
      ptrdiff_t count = p[0].at.count, m = p[0].m, n = p[0].n;
      ptrdiff_t pages = p[0].pages;
      if (!p[0].colon && A.m != 1 && is_vector (S.m, S.n, S.pages)
          && count != 1 && is_vector (m, n, pages))
        {
          m = S.m == 1 ? 1 : count;
          n = S.n == 1 ? 1 : count;
          pages = S.pages == 1 ? 1 : count;
        }
      gpu_reshape (g, &C, m, n, pages);
    }
  return return_new (c, C, 0);
}

/* The size of A for places up to P, as Octave grows an array.  */
static gpu_status
grown (mex_call *c, int count, gpu_mat A, const place p[3], ptrdiff_t size[3])
{
  size[0] = A.m;
  size[1] = A.n;
  size[2] = A.pages;
  if (count == 1)
    {
      if (p[0].end <= A.m * A.n * A.pages)
        return GPU_OK;
      if (A.pages != 1 || (A.m > 1 && A.n != 1))
        return bad_index (c);
      size[0] = A.m > 1 ? p[0].end : 1;
      size[1] = A.m > 1 ? 1 : p[0].end;
      return GPU_OK;
    }
  for (int d = 0; d < count; d++)
    {
      ptrdiff_t have = count == 2 && d == 1 ? A.n * A.pages : size[d];
      if (p[d].end <= have)
        continue;
      if (count == 2 && A.pages != 1)
        return bad_index (c);
      size[d] = p[d].end;
    }
  return GPU_OK;
}

/* C = A, with zeros to the new size.  */
static gpu_status
grow (gpu_ctx *g, gpu_mat A, const ptrdiff_t size[3], gpu_mat *C)
{
  GPU_TRY (gpu_new (g, A.type, size[0], size[1], size[2], C));
  GPU_TRY (g->be->zero (g, *C));
  gpu_mat part = gpu_part (*C, 0, 0, A.m, A.n);
  part.pages = A.pages;
  return g->be->copy (g, A, part);
}

/* Whether an array of B's size fills the places, dimensions of 1 left out.  */
static bool
fits (gpu_mat B, const place p[3])
{
  ptrdiff_t have[] = { B.m, B.n, B.pages };
  ptrdiff_t b[4] = { 1, 1, 1, 1 }, l[4] = { 1, 1, 1, 1 };
  int nb = 0, nl = 0;
  for (int d = 0; d < 3; d++)
    {
      if (have[d] != 1)
        b[nb++] = have[d];
      if (p[d].at.count != 1)
        l[nl++] = p[d].at.count;
    }
  return nb == nl && b[0] == l[0] && b[1] == l[1] && b[2] == l[2];
}

/* id = assign (a, value, i [, j [, k]])  */
static gpu_status
cmd_assign (mex_call *c)
{
  gpu_ctx *g = c->g;
  int count = c->nargin - 2;
  gpu_operand B = { 0 };
  gpu_mat A, C;
  place p[3];
  ptrdiff_t size[3];

  GPU_TRY (get_array (c, c->in[0], &A));
  if (!is_operand (c->in[1]))
    return mex_fail (c, "Octave:undefined-function",
                     "operator =: no conversion for assignment of '%s' to "
                     "indexed 'gpuArray'",
                     kind_name (c->in[1]));
  GPU_TRY (get_operand (c, c->in[1], &B));
  bool is_number = B.A.m * B.A.n * B.A.pages == 1;
  gpu_type type = gpu_assigned_type (A.type, B.A.type);
  if (type == GPU_LOGICAL && !B.A.p)
    {
      if (isnan (B.re))
        return mex_fail (c, "", "invalid conversion from NaN to logical");
      B.re = B.re != 0;
    }

  gpu_mat F = A;
  fold (g, &F, count);
  GPU_TRY (read_places (c, 2, F, true, p));
  if (A.m == 0 && A.n == 0) /* colons then mean the size of B */
    for (int d = 0; d < count; d++)
      if (p[d].colon)
        return bad_index (c);

  ptrdiff_t total = p[0].at.count * p[1].at.count * p[2].at.count;
  if (!is_number && count == 1 ? B.A.m * B.A.n * B.A.pages != total
                               : !is_number && !fits (B.A, p))
    {
      gpu_mat L = gpu_number (type, 0, 0).A;
      L.m = p[0].at.count;
      L.n = p[1].at.count;
      L.pages = p[2].at.count;
      if (total > 0 || B.A.m * B.A.n * B.A.pages > 0)
        return nonconformant (c, BAD_INDEX, "=", L, B.A);
      GPU_TRY (gpu_cast (g, A, type, &C)); /* nothing goes nowhere */
      return return_new (c, C, 0);
    }
  GPU_TRY (grown (c, count, A, p, size));
  if (B.A.p && !is_number)
    gpu_reshape (g, &B.A, p[0].at.count, p[1].at.count, p[2].at.count);
  if (size[0] != A.m || size[1] != A.n || size[2] != A.pages)
    GPU_TRY (grow (g, A, size, &A));
  F = A;
  fold (g, &F, count);
  const gpu_index at[] = { p[0].at, p[1].at, p[2].at };
  GPU_TRY (gpu_index_set (g, F, at, B, &C));
  gpu_reshape (g, &C, size[0], size[1], size[2]);
  return return_new (c, C, 0);
}

/* --- shape --- */

/* id = reshape (a, size)  */
static gpu_status
cmd_reshape (mex_call *c)
{
  gpu_mat A, C;
  ptrdiff_t size[3];
  GPU_TRY (get_array (c, c->in[0], &A));
  GPU_TRY (mex_get_size (c, c->in[1], size));
  GPU_TRY (gpu_new (c->g, A.type, A.m, A.n, A.pages, &C));
  if (size[0] * size[1] * size[2] != A.m * A.n * A.pages)
    {
      C.m = size[0];
      C.n = size[1];
      C.pages = size[2];
      return mex_fail (c, "", "reshape: can't reshape %s array to %s array",
                       gpu_size_text (A).text, gpu_size_text (C).text);
    }
  GPU_TRY (c->g->be->copy (c->g, A, C));
  gpu_reshape (c->g, &C, size[0], size[1], size[2]);
  return return_new (c, C, 0);
}

/* id = permute (a, perm)  */
static gpu_status
cmd_permute (mex_call *c)
{
  gpu_mat A, C;
  size_t count = mxGetNumberOfElements (c->in[1]);
  int perm[3] = { 1, 2, 3 };
  bool seen[3] = { false, false, false };
  GPU_TRY (get_array (c, c->in[0], &A));
  if (!mxIsDouble (c->in[1]) || mxIsComplex (c->in[1]) || count < 2)
    return mex_fail (c, "Octave:invalid-fun-call", "Invalid call to permute");
  for (size_t i = 0; i < count; i++)
    {
      double d = ((const double *) mxGetData (c->in[1]))[i];
      if (i >= 3 && d == (double) (i + 1))
        continue;
      if (!(d >= 1 && d <= 3 && d == floor (d) && i < 3))
        return mex_fail (c, "", "permute: PERM is invalid");
      if (seen[(int) d - 1])
        return mex_fail (c, "",
                         "permute: permutation vector cannot contain "
                         "identical elements");
      seen[(int) d - 1] = true;
      perm[i] = (int) d;
    }
  if (count == 2 && (perm[0] == 3 || perm[1] == 3))
    return mex_fail (c, "", "permute: PERM is too short");
  if (count == 2 && A.pages != 1)
    return mex_fail (c, "", "permute: PERM is too short");
  GPU_TRY (gpu_permute (c->g, A, perm, &C));
  return return_new (c, C, 0);
}

/* Octave's words for arrays that do not fit side by side.  */
static gpu_status
mismatch (mex_call *c, int dim, gpu_mat A, gpu_mat B)
{
  if (dim > 2)
    return mex_fail (c, "", "cat: dimension mismatch");
  return mex_fail (c, "", "%s dimensions mismatch (%s vs %s)",
                   dim == 1 ? "vertical" : "horizontal",
                   gpu_size_text (A).text, gpu_size_text (B).text);
}

/* id = cat (dim, a, b, ...), in which [] counts for nothing but its class  */
static gpu_status
cmd_cat (mex_call *c)
{
  gpu_ctx *g = c->g;
  int count = 0;
  double dim;
  gpu_type type = GPU_LOGICAL;
  gpu_mat C, sum = { 0 };
  gpu_mat *A = mxMalloc ((size_t) c->nargin * sizeof *A);

  GPU_TRY (mex_get_number (c, c->in[0], &dim));
  if (dim != floor (dim) || dim < 1)
    return mex_fail (c, "", "cat: DIM must be a valid dimension");
  for (int i = 1; i < c->nargin; i++)
    {
      if (!is_operand (c->in[i]))
        return mex_fail (c, "Octave:undefined-function",
                         "concatenation operator not implemented for "
                         "'gpuArray' by '%s' operations",
                         kind_name (c->in[i]));
      gpu_mat *B = &A[count];
      GPU_TRY (mex_load (c, c->in[i], MEX_ELEMENTS, B));
      type = i == 1 ? B->type : common_type (type, B->type);
      if (B->m == 0 && B->n == 0 && B->pages == 1)
        continue;
      if (count == 0)
        sum = *B;
      else if ((dim != 1 && sum.m != B->m) || (dim != 2 && sum.n != B->n)
               || (dim != 3 && sum.pages != B->pages))
        return mismatch (c, (int) fmin (dim, 4), sum, *B);
      else
        {
          sum.m += dim == 1 ? B->m : 0;
          sum.n += dim == 2 ? B->n : 0;
          sum.pages += dim == 3 ? B->pages : 0;
        }
      count++;
    }
  if (dim > 3 && count > 1)
    return mex_fail (c, "gpulinalg:arg",
                     "cat: a gpuArray has at most 3 dimensions");
  if (count == 0)
    {
      GPU_TRY (gpu_new (g, type, 0, 0, 1, &C));
      return return_new (c, C, 0);
    }
  for (int i = 0; i < count; i++)
    GPU_TRY (cast (g, type, &A[i]));
  GPU_TRY (gpu_cat (g, dim > 3 ? 1 : (int) dim, count, A, &C));
  return return_new (c, C, 0);
}

/* id = repmat (a, count)  */
static gpu_status
cmd_repmat (mex_call *c)
{
  gpu_mat A, C;
  ptrdiff_t count[3];
  GPU_TRY (get_array (c, c->in[0], &A));
  GPU_TRY (mex_get_size (c, c->in[1], count));
  GPU_TRY (gpu_repmat (c->g, A, count, &C));
  return return_new (c, C, 0);
}

static gpu_status
get_diagonal (mex_call *c, const mxArray *x, ptrdiff_t *k)
{
  double d;
  GPU_TRY (mex_get_number (c, x, &d));
  if (isnan (d) || (isfinite (d) && d != floor (d)))
    return gpu_fail (c->g, GPU_EARG,
                     "a diagonal must be a whole number, but is %g", d);
  *k = (ptrdiff_t) fmax (fmin (d, 0x1p62), -0x1p62);
  return GPU_OK;
}

/* id = band (a, lo, hi)  */
static gpu_status
cmd_band (mex_call *c)
{
  gpu_mat A, C;
  ptrdiff_t lo, hi;
  GPU_TRY (get_array (c, c->in[0], &A));
  GPU_TRY (get_diagonal (c, c->in[1], &lo));
  GPU_TRY (get_diagonal (c, c->in[2], &hi));
  GPU_TRY (gpu_band (c->g, A, lo, hi, &C));
  return return_new (c, C, 0);
}

/* id = diag (a, k)  */
static gpu_status
cmd_diag (mex_call *c)
{
  gpu_mat A, C;
  ptrdiff_t k;
  GPU_TRY (get_array (c, c->in[0], &A));
  GPU_TRY (get_diagonal (c, c->in[1], &k));
  if (A.pages != 1)
    return mex_fail (c, "", "Array<T>::diag: requires 2-D array");
  GPU_TRY (gpu_diag (c->g, A, k, &C));
  return return_new (c, C, 0);
}

/* --- products and solutions --- */

/* id = mtimes (a, b [, precision]): page by page, where one page stands for
   all; a number times an array is elementwise  */
static gpu_status
cmd_mtimes (mex_call *c)
{
  gpu_ctx *g = c->g;
  gpu_precision precision = GPU_IEEE;
  gpu_operand X = { 0 }, Y = { 0 };
  gpu_mat A, B, C;

  if (c->nargin > 2)
    GPU_TRY (mex_get_precision (c, c->in[2], &precision));
  if (!is_operand (c->in[0]) || !is_operand (c->in[1]))
    return wrong_operands (c, "mtimes", "*", c->in[0], c->in[1]);
  GPU_TRY (get_operand (c, c->in[0], &X));
  GPU_TRY (get_operand (c, c->in[1], &Y));
  if (X.A.m * X.A.n * X.A.pages == 1 || Y.A.m * Y.A.n * Y.A.pages == 1)
    {
      GPU_TRY (gpu_map (g, GPU_TIMES, X, Y, &C));
      return return_new (c, C, 0);
    }
  A = X.A;
  B = Y.A;
  C = A;
  C.n = B.n;
  C.pages = A.pages == 1 ? B.pages : A.pages;
  mex_begin (c, GPU_DOUBLE, gpu_product_work (C, A.n));
  gpu_status status = gpu_mtimes (g, precision, A, B, &C);
  if (status == GPU_ESIZE)
    return nonconformant (c, NONCONFORMANT, "operator *", A, B);
  GPU_TRY (status);
  return return_new (c, C, 0);
}

/* A and B as arrays of one type that computes.  */
static gpu_status
get_pair (mex_call *c, const mxArray *a, const mxArray *b, gpu_mat *A,
          gpu_mat *B)
{
  if (!is_operand (a) || !is_operand (b))
    return wrong_operands (c, "mldivide", "\\", a, b);
  GPU_TRY (mex_load (c, a, MEX_ELEMENTS, A));
  GPU_TRY (mex_load (c, b, MEX_ELEMENTS, B));
  gpu_type type = common_type (A->type, B->type);
  if (type == GPU_LOGICAL)
    type = GPU_DOUBLE;
  GPU_TRY (cast (c->g, type, A));
  return cast (c->g, type, B);
}

/* id = solve (uplo, trans, T, B): op (T) \ B, T triangular, uplo "upper" or
   "lower", trans "n", "t" or "c"  */
static gpu_status
cmd_solve (mex_call *c)
{
  gpu_ctx *g = c->g;
  char uplo[8], trans[8];
  gpu_mat T, B, X;

  GPU_TRY (mex_get_string (c, c->in[0], uplo, sizeof uplo));
  GPU_TRY (mex_get_string (c, c->in[1], trans, sizeof trans));
  if ((strcmp (uplo, "upper") && strcmp (uplo, "lower"))
      || (strcmp (trans, "n") && strcmp (trans, "t") && strcmp (trans, "c")))
    return gpu_fail (g, GPU_EARG,
                     "a triangle is \"upper\" or \"lower\", \"n\", \"t\" or "
                     "\"c\", but not \"%s\", \"%s\"",
                     uplo, trans);
  GPU_TRY (get_pair (c, c->in[2], c->in[3], &T, &B));
  gpu_uplo triangle = *uplo == 'u' ? GPU_UPPER : GPU_LOWER;
  if (T.m != T.n || T.m != B.m
      || (T.pages != B.pages && T.pages != 1 && B.pages != 1))
    return nonconformant (c, NONCONFORMANT, "operator \\", T, B);
  ptrdiff_t pages = T.pages == 1 ? B.pages : T.pages;
  GPU_TRY (gpu_new (g, B.type, B.m, B.n, pages, &X));
  if (X.m > 0 && X.n > 0 && pages > 0)
    {
      if (*trans == 't' && gpu_is_complex (T.type))
        {
          /* T.' = conj (T)' */
          gpu_operand operand = { T, 0, 0 }, none = { 0 };
          GPU_TRY (gpu_map (g, GPU_CONJ, operand, none, &T));
        }
      if (T.pages != pages)
        T.step = 0;
      T.pages = pages;
      if (*trans != 'n')
        {
          T = gpu_adjoint (T);
          triangle = (gpu_uplo) (triangle ^ GPU_LOWER);
        }
      if (B.pages != pages)
        B.step = 0;
      B.pages = pages;
      GPU_TRY (g->be->copy (g, B, X));
      GPU_TRY (gpu_trsm (g, triangle, T, X));
    }
  return return_new (c, X, 0);
}

/* [rcond, info] = mldivide (A, B, mixed, X) or [id, rcond, info] = mldivide
   (A, B, mixed): X = A \ B, A square; pages by pages or by one.  If MIXED, of
   single pages, info = [mixed, corrections, steps, error], else [].  */
static gpu_status
cmd_mldivide (mex_call *c)
{
  gpu_ctx *g = c->g;
  const mxArray *result = c->nargin > 3 ? c->in[3] : NULL;
  const bool mixed = mxGetScalar (c->in[2]) != 0;
  gpu_solution how = { 0 };
  gpu_mat A, B, X, S;

  GPU_TRY (get_pair (c, c->in[0], c->in[1], &A, &B));
  if (A.m != A.n || A.m != B.m
      || (A.pages != B.pages && A.pages != 1 && B.pages != 1))
    return nonconformant (c, NONCONFORMANT, "operator \\", A, B);
  S = B;
  S.pages = A.pages == 1 ? B.pages : A.pages;
  GPU_TRY (mex_new_result (c, S, result, &X));
  if (B.pages != S.pages)
    B.step = 0;
  B.pages = S.pages;
  GPU_TRY (g->be->copy (g, B, X));

  /* The pages of B are columns for one A.  */
  S = X;
  if (A.pages == 1)
    {
      S.n *= S.pages;
      S.pages = 1;
    }
  const double n = (double) A.n;
  mex_begin (c, A.type,
             n * n * (n * (double) A.pages * 2 / 3 + 2 * (double) S.n));
  gpu_mat r = A;
  r.type = GPU_DOUBLE;
  mxArray *rcond = mex_new_pages (r);
  double *work = mxMalloc ((size_t) (A.pages + 1) * sizeof *work);
  GPU_TRY (gpu_solve (g, A, S, mxGetData (rcond), work, mixed ? &how : NULL));
  mxFree (work);
  c->out[result ? 0 : 1] = rcond;
  if (c->nargout > (result ? 1 : 2))
    {
      mxArray *info = mxCreateDoubleMatrix (1, mixed ? 4 : 0, mxREAL);
      const double all[]
        = { how.mixed, how.corrections, how.steps, sqrt (how.error2) };
      if (mixed)
        memcpy (mxGetData (info), all, sizeof all);
      c->out[result ? 1 : 2] = info;
    }
  return mex_return (c, X, result, 0);
}

/* flags = structure (a): of each page 1 for upper triangular + 2 for lower
   triangular + 4 for Hermitian with a positive diagonal  */
static gpu_status
cmd_structure (mex_call *c)
{
  gpu_ctx *g = c->g;
  gpu_mat A, flags;
  GPU_TRY (mex_load (c, c->in[0], MEX_NUMBERS, &A));
  if (A.m != A.n)
    return gpu_fail (g, GPU_EARG, "the structure is that of a square matrix");
  GPU_TRY (gpu_new (g, GPU_INT64, 1, 1, A.pages, &flags));
  if (A.m == 0 || A.pages == 0)
    GPU_TRY (g->be->zero (g, flags));
  else
    GPU_TRY (g->be->structure (g, A, flags));
  GPU_TRY (gpu_cast (g, flags, GPU_DOUBLE, &flags));
  c->out[0] = mex_new_pages (flags);
  return g->be->peek (g, flags, mxGetData (c->out[0]));
}

/* --- new arrays --- */

/* id = random ("uniform" or "normal", class, size)  */
static gpu_status
cmd_random (mex_call *c)
{
  char name[16];
  gpu_type type;
  ptrdiff_t size[3];
  gpu_mat A;
  GPU_TRY (mex_get_string (c, c->in[0], name, sizeof name));
  bool normal = !strcmp (name, "normal");
  if (!normal && strcmp (name, "uniform"))
    return gpu_fail (c->g, GPU_EARG,
                     "random numbers are \"uniform\" or \"normal\", but not "
                     "\"%s\"",
                     name);
  GPU_TRY (mex_get_class (c, c->in[1], &type));
  GPU_TRY (mex_get_size (c, c->in[2], size));
  if (type == GPU_LOGICAL)
    return gpu_fail (c->g, GPU_EARG,
                     "random numbers are double or single, but not logical");
  GPU_TRY (gpu_random (c->g, normal, type, size[0], size[1], size[2], &A));
  return return_new (c, A, 0);
}

/* id = fill (class, value, size)  */
static gpu_status
cmd_fill (mex_call *c)
{
  gpu_ctx *g = c->g;
  gpu_type type;
  ptrdiff_t size[3];
  gpu_operand x = { 0 };
  gpu_mat A;
  if (!is_operand (c->in[1]) || mxGetNumberOfElements (c->in[1]) != 1)
    return gpu_fail (g, GPU_EARG, "the value must be a number");
  GPU_TRY (mex_get_class (c, c->in[0], &type));
  GPU_TRY (get_operand (c, c->in[1], &x));
  GPU_TRY (mex_get_size (c, c->in[2], size));
  type = like_numbers (type, x.A);
  GPU_TRY (gpu_new (g, type, size[0], size[1], size[2], &A));
  if (A.m == 0 || A.n == 0 || A.pages == 0)
    return return_new (c, A, 0);
  if (!x.A.p && x.re == 0 && x.im == 0)
    GPU_TRY (g->be->zero (g, A));
  else
    {
      const gpu_index all[] = { { A.m, 0, 1, { 0 } },
                                { A.n, 0, 1, { 0 } },
                                { A.pages, 0, 1, { 0 } } };
      GPU_TRY (g->be->scatter (g, x, A, all));
    }
  return return_new (c, A, 0);
}

/* id = eye (class, size)  */
static gpu_status
cmd_eye (mex_call *c)
{
  gpu_type type;
  ptrdiff_t size[3];
  gpu_mat A;
  GPU_TRY (mex_get_class (c, c->in[0], &type));
  GPU_TRY (mex_get_size (c, c->in[1], size));
  if (type == GPU_LOGICAL || size[2] != 1)
    return gpu_fail (c->g, GPU_EARG,
                     "an identity is a double or single matrix");
  GPU_TRY (gpu_new (c->g, type, size[0], size[1], 1, &A));
  GPU_TRY (c->g->be->eye (c->g, A));
  return return_new (c, A, 0);
}

/* size = size (id)  */
static gpu_status
cmd_size (mex_call *c)
{
  gpu_mat A;
  GPU_TRY (mex_load (c, c->in[0], MEX_BYTES, &A));
  c->out[0] = mex_new_size (A);
  return GPU_OK;
}

enum
{
  MANY = 1 << 20 /* arguments of cat */
};

const mex_command mex_array_commands[] = {
  { "map", "gpuArray", 2, 3, 1, false, cmd_map },
  { "index", "gpuArray", 2, 4, 1, false, cmd_index },
  { "assign", "gpuArray", 3, 5, 1, false, cmd_assign },
  { "size", "gpuArray", 1, 1, 1, false, cmd_size },
  { "reduce", "gpuArray", 3, 3, 2, false, cmd_reduce },
  { "mtimes", "mtimes", 2, 3, 1, false, cmd_mtimes },
  { "solve", "mldivide", 4, 4, 1, false, cmd_solve },
  { "mldivide", "gpu_mldivide", 3, 4, 3, true, cmd_mldivide },
  { "structure", "gpuArray", 1, 1, 1, false, cmd_structure },
  { "reshape", "reshape", 2, 2, 1, false, cmd_reshape },
  { "permute", "permute", 2, 2, 1, false, cmd_permute },
  { "cat", "cat", 1, MANY, 1, false, cmd_cat },
  { "repmat", "repmat", 2, 2, 1, false, cmd_repmat },
  { "band", "gpuArray", 3, 3, 1, false, cmd_band },
  { "diag", "diag", 2, 2, 1, false, cmd_diag },
  { "cast", "gpuArray", 2, 2, 1, false, cmd_cast },
  { "random", "gpuArray", 3, 3, 1, false, cmd_random },
  { "fill", "gpuArray", 3, 3, 1, false, cmd_fill },
  { "eye", "gpuArray", 2, 2, 1, false, cmd_eye },
  { NULL, NULL, 0, 0, 0, false, NULL },
};
