/* chol_ahead.c: A = R' * R for large real matrices on a device that waits for
   the pivots: in an order that keeps it busy meanwhile.

   The factor is made as L = R' in a square W of its own, scaled by powers of
   two and bordered by an identity to a multiple of BLOCK.  A panel of columns
   is the recursion by halves: factor the left half, subtract its product from
   the right half, factor that.  Its smallest part, BLOCK columns, is one
   primitive.  For pages, and a matrix that is not so large, that is all.  Else
   panels go through the second queue while the first subtracts what is known
   already from the columns after:

     double   left-looking: column block k + 1 gets the products of the
              columns before k while panel k is factored, then those of panel
              k.  Long products are the fastest, and write less.
     single   right-looking, in half precision by tensor cores: a number is
              split in two, and three products of the parts make up one.  They
              add with less care the longer they are; so each has only the
              columns of one panel.  What the next panel needs is subtracted
              in the second queue, before that panel.

   Most of A comes beside the first panel, and most of R goes beside the last
   ones.

   A mixed precision is single, whatever the type, and tries half precision
   first.  A pivot that fails then means nothing yet: the next attempt has
   more.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

enum
{
  BLOCK = 128,       /* columns of chol_step */
  TILE = 32,         /* of chol_strip, */
  STRIP_TILES = 200, /* which is faster than gemm up to so many */
  SQUARE = 1024,     /* on the diagonal, of which both halves are computed */
  RECURSIVE = 2048,  /* up to this size a panel is all there is, */
  RECURSIVE_SINGLE = 896, /* of single numbers, and no split is worth it; */
  RECURSIVE_PAIRS = 2048, /* W of larger complex ones is complex, */
  PANEL_COMPLEX = 256,    /* its panels have so many columns at most */
  TOGETHER = 2048,        /* of pages, that are factored together */
  LOOK_FROM = 8192,  /* size from which the rest of a failure takes long */
  SPLIT_LEAST = 256, /* columns that are worth a split */
  MOST_AT_ONCE = 1 << 27, /* elements of the pages that are worked on */
  PARTS = 4,              /* of a split matrix */
  SHARES = 8              /* panels beside which R is stored */
};

/* The scale of half precision numbers: after equilibration those of L are
   below 2, and 4096 times them below 65504.  */
static const double HALF_SCALE = 4096;

/* A tensor core cuts off what does not fit when it adds: the product of K
   columns with themselves comes out too small, on an H200 by 3.8, 7.7, 17 and
   37 units of 2^-23 for K = 128, 256, 512 and 1024.  This part for each column
   goes back into the factor of the product.  */
static const double CUT_OFF = 0x1p-23 / 30;

typedef struct
{
  gpu_mat A, R, info;
  gpu_mat W, L;        /* L has its blocks on the diagonal, side by side */
  gpu_mat V;           /* the pairs of a panel, if W is complex */
  gpu_mat scale, work; /* for chol_load and chol_step */
  gpu_mat split[3];    /* of two outer panels in turn, and in a panel */
  gpu_mat memory;      /* of all these */
  ptrdiff_t pairs;     /* columns of L for one of A: 2 if A is complex, */
  ptrdiff_t wide;      /* and of W: 1 if it is complex, too */
  ptrdiff_t columns;   /* of W that will be final, */
  ptrdiff_t loaded, stored; /* that came, and that have gone */
  ptrdiff_t band;           /* of zeros that W needs above its diagonal */
  bool last;                /* R may be written before the end */
  ptrdiff_t carry;          /* rows that chol_step should carry */
  ptrdiff_t longest;        /* columns of a product of split numbers */
  gpu_precision precision;  /* of products of single numbers */
} factor;

/* Whether the panel of all columns is the whole algorithm.  */
static bool
is_recursive (gpu_mat W)
{
  return !gpu_is_complex (W.type)
         && (W.n <= (W.type == GPU_SINGLE ? RECURSIVE_SINGLE : RECURSIVE)
             || W.pages > 1);
}

/* The complex matrix whose elements are in the first columns of the pairs of
   X, or X.  */
static gpu_mat
elements (gpu_mat X, bool pairs)
{
  if (!pairs)
    return X;
  X.m /= 2;
  X.n /= 2;
  X.step /= 2;
  X.type = X.type == GPU_SINGLE ? GPU_CSINGLE : GPU_CDOUBLE;
  return X;
}

static ptrdiff_t
round_up (ptrdiff_t n, ptrdiff_t to)
{
  return (n + to - 1) / to * to;
}

static ptrdiff_t
smaller (ptrdiff_t a, ptrdiff_t b)
{
  return a < b ? a : b;
}

/* Columns of a matrix that are an operand; if split, the parts of each
   LONGEST of them.  */
typedef struct
{
  gpu_mat P, S;
  ptrdiff_t longest, parts;
  gpu_precision precision;
} operand;

static bool
is_split (gpu_precision precision)
{
  return precision == GPU_FP32X3 || precision == GPU_FP16;
}

static gpu_status
prepare (gpu_ctx *g, factor *f, int buffer, gpu_mat P, operand *o)
{
  o->P = P;
  o->parts = f->precision == GPU_FP16 ? 1 : PARTS;
  o->precision = P.n >= SPLIT_LEAST ? f->precision : GPU_IEEE;
  if (!is_split (o->precision))
    return GPU_OK;
  o->longest = smaller (P.n, f->longest);
  o->S = f->split[buffer];
  o->S.m = o->S.ld = P.m;
  o->S.n = o->parts * P.n;
  for (ptrdiff_t j = 0; j < P.n; j += o->longest)
    {
      ptrdiff_t n = smaller (o->longest, P.n - j);
      GPU_TRY (
        g->be->split16 (g, HALF_SCALE, gpu_part (P, 0, j, P.m, n),
                        gpu_part (o->S, 0, o->parts * j, P.m, o->parts * n)));
    }
  return GPU_OK;
}

/* C = C - P(i+1:i+m,:) * P(j+1:j+n,:)', m x n like C.  */
static gpu_status
subtract (gpu_ctx *g, operand o, ptrdiff_t i, ptrdiff_t j, gpu_mat C)
{
  ptrdiff_t k = o.P.n;
  gpu_mat left = gpu_part (o.P, i, 0, C.m, k);
  gpu_mat right = gpu_adjoint (gpu_part (o.P, j, 0, C.n, k));
  if (o.precision == GPU_TF32)
    return g->be->gemm_fast (g, GPU_TF32, -1, left, right, 1, C);
  if (!is_split (o.precision))
    return gpu_gemm (g, -1, left, right, 1, C);
  for (ptrdiff_t l = 0; l < k; l += o.longest)
    {
      ptrdiff_t n = smaller (o.longest, k - l);
      /* [low, high, high] times [high, low, high]' */
      ptrdiff_t both = o.parts == 1 ? n : (PARTS - 1) * n;
      gpu_mat X = gpu_part (o.S, i, o.parts * (l + n) - both, C.m, both);
      gpu_mat Y = gpu_part (o.S, j, o.parts * l, C.n, both);
      double alpha = -(1 + CUT_OFF * (double) n) / (HALF_SCALE * HALF_SCALE);
      GPU_TRY (g->be->gemm (g, alpha, X, gpu_transposed (Y), 1, C));
    }
  return GPU_OK;
}

/* The same for the lower triangle of C, rows and columns from i on.  */
static gpu_status
subtract_square (gpu_ctx *g, operand o, ptrdiff_t i, gpu_mat C)
{
  if (C.n <= SQUARE)
    return subtract (g, o, i, i, C);
  ptrdiff_t n1 = round_up (C.n / 2, SQUARE), n2 = C.n - n1;
  GPU_TRY (subtract_square (g, o, i, gpu_part (C, 0, 0, n1, n1)));
  GPU_TRY (subtract (g, o, i + n1, i, gpu_part (C, n1, 0, n2, n1)));
  return subtract_square (g, o, i + n1, gpu_part (C, n1, n1, n2, n2));
}

/* P is columns of a real W from the diagonal on, AT its place.  */
static gpu_status
panel (gpu_ctx *g, factor *f, gpu_mat P, ptrdiff_t at)
{
  ptrdiff_t m = P.m, n = P.n;
  if (n == BLOCK)
    return g->be->chol_step (
      g, f->pairs == 2, m - BLOCK <= f->carry,
      gpu_part (P, 0, 0, m, smaller (BLOCK, f->pairs * f->A.n - at)),
      gpu_part (f->L, 0, at, BLOCK, BLOCK), f->work, f->info, at);
  ptrdiff_t n1 = round_up (n / 2, BLOCK), n2 = n - n1, m2 = m - n1;
  ptrdiff_t down = m2 / TILE, across = n2 / TILE;
  gpu_mat P1 = gpu_part (P, 0, 0, m, n1), P21 = gpu_part (P, n1, 0, m2, n1);
  gpu_mat C = gpu_part (P, n1, n1, m2, n2);
  operand o;

  GPU_TRY (panel (g, f, P1, at));
  if (n1 == BLOCK && down * across - across * (across - 1) / 2 <= STRIP_TILES)
    GPU_TRY (g->be->chol_strip (g, P21, C));
  else
    {
      GPU_TRY (prepare (g, f, 2, P21, &o));
      GPU_TRY (subtract (g, o, 0, 0, C));
    }
  return panel (g, f, C, at + n1);
}

/* Columns j + 1 to j + n of W, from the diagonal on.  A complex panel is
   factored as pairs, of which the first columns are all that is read: half of
   the work is not needed, but that of a panel is little beside the
   products.  */
static gpu_status
columns (gpu_ctx *g, factor *f, ptrdiff_t j, ptrdiff_t n)
{
  gpu_mat P = gpu_part (f->W, j, j, f->W.n - j, n);
  if (f->wide == f->pairs)
    return panel (g, f, P, j);
  gpu_mat V = gpu_part (f->V, 0, 0, 2 * P.m, 2 * n);
  if (j == 0)
    GPU_TRY (g->be->zero (g, V)); /* what is never read is defined, too */
  GPU_TRY (g->be->copy (g, P, elements (V, true)));
  GPU_TRY (panel (g, f, V, 2 * j));
  return g->be->copy (g, elements (V, true), P);
}

/* Columns k1 + 1 to k2 of W applied to columns j + 1 to j + n, by products of
   at most LONGEST columns.  */
static gpu_status
apply (gpu_ctx *g, factor *f, ptrdiff_t k1, ptrdiff_t k2, ptrdiff_t longest,
       ptrdiff_t j, ptrdiff_t n)
{
  ptrdiff_t m = f->W.n - j;
  for (ptrdiff_t k = k1; k < k2; k += longest)
    {
      operand o = { .P = gpu_part (f->W, j, k, m, smaller (longest, k2 - k)),
                    .precision = GPU_IEEE };
      GPU_TRY (subtract (g, o, 0, 0, gpu_part (f->W, j, j, m, n)));
    }
  return GPU_OK;
}

/* Both queues wait for what the other has now: the first for a panel, the
   second for all products but those with that panel.  */
static gpu_status
meet (gpu_ctx *g)
{
  GPU_TRY (g->be->queue (g, 1));
  GPU_TRY (g->be->after (g, 0));
  GPU_TRY (g->be->queue (g, 0));
  return g->be->after (g, 1);
}

/* Columns up to column TO come into W.  */
static gpu_status
load_to (gpu_ctx *g, factor *f, ptrdiff_t to)
{
  ptrdiff_t from = f->loaded;
  f->loaded = to;
  return from >= to ? GPU_OK
                    : g->be->chol_load (g, f->A, f->scale, f->band / f->wide,
                                        from / f->wide, to / f->wide,
                                        elements (f->W, f->wide == 2));
}

/* Columns up to column TO go into R, which may be A.  */
static gpu_status
store_to (gpu_ctx *g, factor *f, ptrdiff_t to)
{
  ptrdiff_t from = f->stored;
  if (from >= to)
    return GPU_OK;
  f->stored = to;
  return g->be->chol_store (g, elements (f->W, f->wide == 2),
                            elements (f->L, f->pairs == 2), f->scale,
                            from / f->wide, to / f->wide, f->R);
}

/* While panel K is factored, one of the last, a share of what is final goes:
   all of it beside the last panel.  */
static gpu_status
store_some (gpu_ctx *g, factor *f, ptrdiff_t k, ptrdiff_t width)
{
  ptrdiff_t later = (f->W.n - k - 1) / width;
  if (later >= SHARES || !f->last)
    return GPU_OK;
  return store_to (g, f, round_up (k * (SHARES - later) / SHARES, BLOCK));
}

/* The first panel, which is all if a pivot failed.  The other columns come
   beside it.  */
static gpu_status
begin (gpu_ctx *g, factor *f, ptrdiff_t width)
{
  int64_t bad = 0;
  GPU_TRY (load_to (g, f, width));
  GPU_TRY (meet (g));
  GPU_TRY (load_to (g, f, f->W.n));
  GPU_TRY (g->be->queue (g, 1));
  GPU_TRY (columns (g, f, 0, width));
  if (f->W.n >= LOOK_FROM)
    GPU_TRY (g->be->peek (g, f->info, &bad));
  if (bad)
    f->columns = width;
  return GPU_OK;
}

static gpu_status
look_left (gpu_ctx *g, factor *f, ptrdiff_t width, ptrdiff_t longest)
{
  ptrdiff_t size = f->W.n;
  GPU_TRY (begin (g, f, width));
  for (ptrdiff_t k = width; k < f->columns; k += width)
    {
      ptrdiff_t n = smaller (width, size - k), next = k + n;
      GPU_TRY (meet (g));
      if (next < size)
        GPU_TRY (
          apply (g, f, 0, k, longest, next, smaller (width, size - next)));
      GPU_TRY (store_some (g, f, k, width));
      GPU_TRY (g->be->queue (g, 1));
      GPU_TRY (apply (g, f, k - width, k, longest, k, n));
      GPU_TRY (columns (g, f, k, n));
    }
  return GPU_OK;
}

static gpu_status
look_right (gpu_ctx *g, factor *f, ptrdiff_t width)
{
  ptrdiff_t size = f->W.n;
  operand o, next;
  GPU_TRY (begin (g, f, width));
  if (width < f->columns)
    GPU_TRY (
      prepare (g, f, 0, gpu_part (f->W, width, 0, size - width, width), &o));
  for (ptrdiff_t k = width, turn = 1; k < f->columns; k += width, turn ^= 1)
    {
      ptrdiff_t m = size - k, n = smaller (width, m);
      GPU_TRY (meet (g));
      if (n < m)
        GPU_TRY (subtract_square (
          g, o, n, gpu_part (f->W, k + n, k + n, m - n, m - n)));
      GPU_TRY (store_some (g, f, k, width));
      GPU_TRY (g->be->queue (g, 1));
      GPU_TRY (subtract (g, o, 0, 0, gpu_part (f->W, k, k, m, n)));
      GPU_TRY (columns (g, f, k, n));
      if (n < m)
        GPU_TRY (prepare (g, f, (int) turn,
                          gpu_part (f->W, k + n, k, m - n, n), &next));
      o = next;
    }
  return GPU_OK;
}

/* The order, by size: what was fastest on an H200.  */
static gpu_status
all_columns (gpu_ctx *g, factor *f)
{
  ptrdiff_t n = f->L.n;
  f->carry = n <= 8192 || f->precision != GPU_IEEE ? n : 1024;
  f->band = is_recursive (f->W) ? n : SQUARE;
  if (is_recursive (f->W))
    {
      GPU_TRY (load_to (g, f, n));
      return columns (g, f, 0, n);
    }
  if (f->precision != GPU_IEEE)
    return look_right (g, f, f->longest);
  if (gpu_is_complex (f->W.type))
    return look_left (g, f, n <= 12288 ? 128 : PANEL_COMPLEX, n);
  return n <= 12288   ? look_left (g, f, 256, n)
         : n <= 24576 ? look_left (g, f, 512, 2048)
                      : look_left (g, f, SQUARE, n);
}

/* M x N for each page of W, from *AT on.  */
static gpu_mat
place (const factor *f, gpu_type type, ptrdiff_t m, ptrdiff_t n, size_t *at)
{
  gpu_mat A = { .m = m, .n = n, .ld = m, .step = m * n, .type = type };
  A.pages = f->A.pages;
  A.p = (char *) f->memory.p + *at;
  *at += (size_t) round_up (m * n * A.pages * (ptrdiff_t) gpu_type_size (type),
                            BLOCK);
  return A;
}

/* All of them, for products that are not too long; how many bytes that
   takes.  */
static size_t
place_all (gpu_ctx *g, gpu_type type, factor *f)
{
  ptrdiff_t size = round_up (f->pairs * f->A.n, BLOCK), left = size;
  size_t at = 0;
  f->longest = size < 2048 ? 256 : size <= 12288 ? 512 : 1024;
  f->wide = f->pairs;
  if (f->pairs == 2 && type == GPU_DOUBLE && size > RECURSIVE_PAIRS)
    {
      f->wide = 1;
      left = size / 2;
      f->V = place (f, type, size, 2 * PANEL_COMPLEX, &at);
      type = GPU_CDOUBLE;
    }
  f->W = place (f, type, left, left, &at);
  type = gpu_real_type (type);
  f->L = place (f, type, BLOCK, size, &at);
  f->work = place (f, GPU_DOUBLE, gpu_tune (g, type).chol_work, 1, &at);
  f->scale = place (f, gpu_real_type (f->A.type), size / f->pairs, 1, &at);
  if (!is_split (f->precision))
    return at;
  /* The parts of panels of LONGEST columns, or of one within the recursion,
     which has at most a quarter of the elements.  */
  const bool recursive = is_recursive (f->W);
  for (int i = recursive ? 2 : 0; i < 3; i++)
    f->split[i]
      = place (f, GPU_INT16, size, recursive ? size : PARTS * f->longest, &at);
  return at;
}

/* One piece of memory for all: many would take as long as a small matrix.  */
static gpu_status
new_factor (gpu_ctx *g, gpu_type type, gpu_precision precision, factor *f)
{
  size_t bytes;
  f->precision = type == GPU_SINGLE ? precision : GPU_IEEE;
  if (precision == GPU_FP32X3 && f->pairs * f->A.n <= RECURSIVE_SINGLE)
    f->precision = GPU_IEEE;
  bytes = place_all (g, type, f);
  GPU_TRY (gpu_new (g, GPU_LOGICAL, (ptrdiff_t) bytes, 1, 1, &f->memory));
  place_all (g, type, f);
  f->columns = f->W.n;
  return GPU_OK;
}

/* R = chol (A) in this type and precision; unless it is the LAST attempt,
 *failed says whether a pivot failed, and R is left alone then.  */
static gpu_status
attempt (gpu_ctx *g, gpu_type type, gpu_precision precision, bool last,
         gpu_mat A, gpu_mat R, gpu_mat info, bool *failed)
{
  factor f = { .A = A, .R = R, .info = info, .last = last };
  f.pairs = gpu_is_complex (A.type) ? 2 : 1;
  *failed = false;
  GPU_TRY (new_factor (g, type, precision, &f));
  gpu_status status = all_columns (g, &f);
  if (!is_recursive (f.W))
    GPU_TRY (meet (g));
  GPU_TRY (status);
  for (ptrdiff_t k = 0; k < info.pages && !last && !*failed; k++)
    {
      int64_t bad;
      GPU_TRY (g->be->peek (g, gpu_page (info, k), &bad));
      *failed = bad != 0;
    }
  if (!*failed)
    GPU_TRY (store_to (g, &f, f.columns));
  gpu_free (g, f.memory);
  return GPU_OK;
}

static gpu_status
some_pages (gpu_ctx *g, gpu_precision precision, gpu_mat A, gpu_mat R,
            gpu_mat info)
{
  bool failed;
  if (precision != GPU_MIXED)
    return attempt (g, gpu_real_type (A.type), precision, true, A, R, info,
                    &failed);
  GPU_TRY (attempt (g, GPU_SINGLE, GPU_FP16, false, A, R, info, &failed));
  if (!failed)
    return GPU_OK;
  GPU_TRY (g->be->zero (g, info));
  GPU_TRY (attempt (g, GPU_SINGLE, GPU_FP32X3, false, A, R, info, &failed));
  if (!failed)
    return GPU_OK;
  GPU_TRY (g->be->zero (g, info));
  return attempt (g, gpu_real_type (A.type), GPU_IEEE, true, A, R, info,
                  &failed);
}

static gpu_mat
pages_of (gpu_mat A, ptrdiff_t k, ptrdiff_t count)
{
  A = gpu_page (A, k);
  A.pages = count;
  return A;
}

gpu_status
gpu_chol_ahead (gpu_ctx *g, gpu_precision precision, gpu_mat A, gpu_mat R,
                gpu_mat info)
{
  ptrdiff_t size = round_up (gpu_is_complex (A.type) ? 2 * A.n : A.n, BLOCK);
  ptrdiff_t count = MOST_AT_ONCE / (size * size);
  if (count < 1 || size > TOGETHER)
    count = 1;
  for (ptrdiff_t k = 0; k < A.pages; k += count)
    {
      ptrdiff_t pages = smaller (count, A.pages - k);
      GPU_TRY (some_pages (g, precision, pages_of (A, k, pages),
                           pages_of (R, k, pages), pages_of (info, k, pages)));
    }
  return GPU_OK;
}
