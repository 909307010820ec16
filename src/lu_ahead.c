/* lu_ahead.c: P * A = L * U of one large matrix, by blocks of columns:

         j   w
     +---+---+---+-------+     block j       P * A(j:m,j) = L * U
     |   |   |   |       |     near columns  A = P * A
   j |---+---+---+-------|                   A12 = L11 \ A12
     |   | L |   |       |                   A22 = A22 - L21 * A12
     |   |   | n |  far  |     far columns   likewise
     |   |   |   |       |     the left ones A = P * A
     +---+---+---+-------+

   What takes the time is the chain from a pivot to the next, so block j + 1 is
   factored, in a queue of its own, while another applies block j to the far
   columns: first to those that are needed next.

   A block is factored by halves down to units (lu_unit.cu), and L11 \ A12 of
   near columns is by halves as well.  That of far columns is a product with
   X = inv (L11) if a block is more than a unit, by halves

     [X11    ]   X21 = -X22 * (L21 * X11)
     [X21 X22]

   in a third queue.  It is as good as substitution unless X has large numbers:
   then it is done anew by that.
   Exchanges of rows are combined to moves, one for each row.  Those of columns
   on the left wait until the end: then each column is moved but once.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

enum
{
  CONFINED = 3000, /* below, products and moves are too short to be in the
                      way of panels */
  RING = 3,        /* blocks whose X and moves are in use */
  THREE = 3,     /* products that make one of single precision, see mtimes.c */
  LISTS = 4,     /* numbers of a list of moves for each exchange, */
  SIDE = 32,     /* and of side for each column, see gpu.h */
  BUFFERED = 264 /* columns: two for each multiprocessor */
};

typedef struct
{
  gpu_mat A, piv, info;
  gpu_precision precision;     /* of the products of far columns */
  ptrdiff_t unit, rows;        /* most columns and rows of lu_unit, */
  ptrdiff_t longest;           /* and rows that lu_reorder holds by itself */
  ptrdiff_t width;             /* columns of a block */
  int beside;                  /* the queue of the far columns */
  gpu_mat X[RING], list[RING]; /* of a block */
  gpu_mat product;             /* on the way to X */
  gpu_mat top;                 /* rows that are multiplied by X */
  gpu_mat left, right;         /* parts of the operands of a product */
  gpu_mat small, side;         /* of lu_unit */
  bool late;                   /* exchanges on the left at last, */
  gpu_mat rows_of, all;        /* by what they come to for each block, */
  gpu_mat buffer;              /* and columns that are too long otherwise */
  gpu_mat memory;              /* of all these */
} factor;

/* The queues.  */
enum
{
  CHAIN = 1,
  CONFINED_QUEUE = 2,
  INVERSES = 3
};

static ptrdiff_t
smaller (ptrdiff_t a, ptrdiff_t b)
{
  return a < b ? a : b;
}

/* B = L \ B.  */
static gpu_status
solve (gpu_ctx *g, const factor *f, gpu_mat L, gpu_mat B)
{
  const gpu_mat none = { .type = GPU_INT64 };
  if (L.n <= f->unit)
    return g->be->lu_divide (g, none, 0, L, B);
  ptrdiff_t n1 = gpu_split (L.n, f->unit), n2 = L.n - n1;
  gpu_mat B1 = gpu_part (B, 0, 0, n1, B.n), B2 = gpu_part (B, n1, 0, n2, B.n);
  GPU_TRY (solve (g, f, gpu_part (L, 0, 0, n1, n1), B1));
  GPU_TRY (gpu_gemm (g, -1, gpu_part (L, n1, 0, n2, n1), B1, 1, B2));
  return solve (g, f, gpu_part (L, n1, n1, n2, n2), B2);
}

/* The exchanges piv of L = [L11; L21] to A beside it, and A12 = L11 \ A12. Few
   rows are one kernel: a launch takes the host as long as the device.  */
static gpu_status
divide (gpu_ctx *g, const factor *f, gpu_mat piv, ptrdiff_t at, gpu_mat L,
        gpu_mat A)
{
  gpu_mat L11 = gpu_part (L, 0, 0, L.n, L.n);
  if (L.n <= f->unit)
    return g->be->lu_divide (g, piv, at, L11, A);
  GPU_TRY (g->be->lu_exchange (g, piv, at, A));
  return solve (g, f, L11, gpu_part (A, 0, 0, L.n, A.n));
}

/* A22 = A22 - L21 * A12.  */
static gpu_status
update (gpu_ctx *g, gpu_mat L, gpu_mat A)
{
  const ptrdiff_t k = L.n, m2 = A.m - k;
  return gpu_gemm (g, -1, gpu_part (L, k, 0, m2, k),
                   gpu_part (A, 0, 0, k, A.n), 1, gpu_part (A, k, 0, m2, A.n));
}

/* Columns J to J + N - 1 of a block, A from their diagonal on, AT their place;
   their exchanges are done to all of A.  */
static gpu_status
block (gpu_ctx *g, factor *f, gpu_mat A, ptrdiff_t j, ptrdiff_t n,
       ptrdiff_t at)
{
  const ptrdiff_t m = A.m, end = j + n;
  gpu_mat piv = gpu_part (f->piv, at, 0, n, 1);
  if (n <= f->unit && m <= f->rows)
    return g->be->lu_unit (g, A, j, piv, f->info, f->small, f->side, at);
  if (n <= f->unit)
    {
      GPU_TRY (gpu_lu_halves (g, gpu_part (A, 0, j, m, n), piv, f->info, at));
      GPU_TRY (g->be->lu_exchange (g, piv, at, gpu_part (A, 0, 0, m, j)));
      return g->be->lu_exchange (g, piv, at,
                                 gpu_part (A, 0, end, m, A.n - end));
    }
  const ptrdiff_t n1 = gpu_split (n, f->unit), n2 = n - n1;
  gpu_mat A1 = gpu_part (A, 0, j, m, n1), A2 = gpu_part (A, 0, j + n1, m, n2);

  GPU_TRY (block (g, f, A, j, n1, at));
  GPU_TRY (
    solve (g, f, gpu_part (A1, 0, 0, n1, n1), gpu_part (A2, 0, 0, n1, n2)));
  GPU_TRY (update (g, A1, A2));
  return block (g, f, gpu_part (A, n1, 0, m - n1, A.n), j + n1, n2, at + n1);
}

/* X = inv (L); X is zero above the diagonal before, too.  */
static gpu_status
invert (gpu_ctx *g, const factor *f, gpu_mat L, gpu_mat X)
{
  if (L.n <= f->unit)
    return g->be->lu_inverse (g, L, X);
  ptrdiff_t n1 = gpu_split (L.n, f->unit), n2 = L.n - n1;
  gpu_mat X11 = gpu_part (X, 0, 0, n1, n1), X21 = gpu_part (X, n1, 0, n2, n1);
  gpu_mat X22 = gpu_part (X, n1, n1, n2, n2);
  gpu_mat B = gpu_part (f->product, 0, 0, n2, n1);
  GPU_TRY (invert (g, f, gpu_part (L, 0, 0, n1, n1), X11));
  GPU_TRY (invert (g, f, gpu_part (L, n1, n1, n2, n2), X22));
  GPU_TRY (gpu_gemm (g, -1, gpu_part (L, n1, 0, n2, n1), X11, 0, B));
  return gpu_gemm (g, 1, X22, B, 0, X21);
}

/* Block J of W columns, and what far columns need of it.  */
static gpu_status
next_block (gpu_ctx *g, factor *f, ptrdiff_t j, ptrdiff_t w)
{
  const ptrdiff_t turn = j / f->width % RING;
  gpu_mat A = gpu_part (f->A, j, j, f->A.m - j, w);
  gpu_mat X = gpu_part (f->X[turn], 0, 0, w, w);
  GPU_TRY (block (g, f, A, 0, w, j));
  if (f->width <= f->unit)
    return GPU_OK;
  GPU_TRY (g->be->queue (g, INVERSES));
  GPU_TRY (g->be->after (g, CHAIN));
  GPU_TRY (invert (g, f, gpu_part (A, 0, 0, w, w), X));
  GPU_TRY (
    g->be->lu_moves (g, gpu_part (f->piv, j, 0, w, 1), j, X, f->list[turn]));
  return g->be->queue (g, CHAIN);
}

/* f->left = [low, high, high] of L21 of block J.  */
static gpu_status
split_block (gpu_ctx *g, factor *f, ptrdiff_t j, ptrdiff_t w)
{
  const ptrdiff_t m2 = f->A.m - j - w;
  if (f->precision == GPU_IEEE)
    return GPU_OK;
  for (int i = 0; i < THREE; i++)
    GPU_TRY (g->be->split (g, i == 0, gpu_part (f->A, j + w, j, m2, w),
                           gpu_part (f->left, 0, i * w, m2, w)));
  return GPU_OK;
}

/* Block J of W columns is applied to columns C to C + N - 1, behind
   split_block.  The product is by tensor cores, [low, high, high] times [high;
   low; high], unless all has to be IEEE.  */
static gpu_status
apply_far (gpu_ctx *g, factor *f, ptrdiff_t j, ptrdiff_t w, ptrdiff_t c,
           ptrdiff_t n)
{
  const ptrdiff_t turn = j / f->width % RING, m = f->A.m - j, m2 = m - w;
  gpu_mat L = gpu_part (f->A, j, j, m, w), L11 = gpu_part (L, 0, 0, w, w);
  gpu_mat A = gpu_part (f->A, j, c, m, n), A12 = gpu_part (A, 0, 0, w, n);
  gpu_mat X = gpu_part (f->X[turn], 0, 0, w, w), list = f->list[turn];
  gpu_mat B = gpu_part (f->top, 0, 0, w, n);
  if (n == 0)
    return GPU_OK;
  if (f->width <= f->unit)
    GPU_TRY (divide (g, f, gpu_part (f->piv, j, 0, w, 1), j, L, A));
  else
    {
      GPU_TRY (g->be->lu_move (g, list, A, B));
      GPU_TRY (gpu_gemm (g, 1, X, B, 0, A12));
      GPU_TRY (g->be->lu_solve (g, list, L11, B, A12));
    }
  if (f->precision == GPU_IEEE || m2 == 0)
    return update (g, L, A);
  for (int i = 0; i < THREE; i++)
    GPU_TRY (
      g->be->split (g, i == 1, A12, gpu_part (f->right, i * w, 0, w, n)));
  return g->be->gemm_fast (
    g, GPU_TF32, -1, gpu_part (f->left, 0, 0, m2, THREE * w),
    gpu_part (f->right, 0, 0, THREE * w, n), 1, gpu_part (A, w, 0, m2, n));
}

/* The exchanges of block J of W columns to those left of it, or what they come
   to, if that is to be done at last.  */
static gpu_status
exchange_left (gpu_ctx *g, factor *f, ptrdiff_t j, ptrdiff_t w)
{
  gpu_mat piv = gpu_part (f->piv, j, 0, w, 1);
  if (f->late)
    return g->be->lu_trace (g, piv, j,
                            gpu_part (f->rows_of, 0, j / f->width, f->A.m, 1));
  return g->be->lu_exchange (g, piv, j, gpu_part (f->A, j, 0, f->A.m - j, j));
}

static gpu_status
all_blocks (gpu_ctx *g, factor *f)
{
  const ptrdiff_t k = f->piv.m, n = f->A.n;
  GPU_TRY (g->be->queue (g, f->beside));
  GPU_TRY (g->be->after (g, 0));
  GPU_TRY (g->be->queue (g, CHAIN));
  GPU_TRY (g->be->after (g, 0));
  GPU_TRY (next_block (g, f, 0, smaller (f->width, k)));
  for (ptrdiff_t j = 0; j < k; j += f->width)
    {
      const ptrdiff_t w = smaller (f->width, k - j), next = j + w;
      const ptrdiff_t w1 = smaller (f->width, k - next), second = next + w1;
      /* Small ones in fewer pieces, since each takes the host some time.  */
      const ptrdiff_t w2
        = f->width > f->unit ? smaller (f->width, k - second) : n - second;
      const ptrdiff_t rest = second + w2;
      gpu_mat L = gpu_part (f->A, j, j, f->A.m - j, w);
      gpu_mat near = gpu_part (f->A, j, next, f->A.m - j, w1);

      GPU_TRY (g->be->queue (g, f->beside));
      GPU_TRY (g->be->after (g, CHAIN));
      if (f->width > f->unit)
        GPU_TRY (g->be->after (g, INVERSES));
      GPU_TRY (split_block (g, f, j, w));
      GPU_TRY (apply_far (g, f, j, w, second, w2));
      if (w1 > 0)
        {
          GPU_TRY (g->be->queue (g, CHAIN));
          GPU_TRY (divide (g, f, gpu_part (f->piv, j, 0, w, 1), j, L, near));
          GPU_TRY (update (g, L, near));
          GPU_TRY (next_block (g, f, next, w1));
          GPU_TRY (g->be->after (g, f->beside));
          GPU_TRY (g->be->queue (g, f->beside));
        }
      GPU_TRY (apply_far (g, f, j, w, rest, n - rest));
      if (j > 0)
        GPU_TRY (exchange_left (g, f, j, w));
    }
  return GPU_OK;
}

/* M x N of TYPE from *AT on.  */
static gpu_mat
place (const factor *f, gpu_type type, ptrdiff_t m, ptrdiff_t n, size_t *at)
{
  const size_t bytes = (size_t) (m * n) * gpu_type_size (type);
  gpu_mat A = { .m = m, .n = n, .ld = m, .pages = 1, .step = m * n };
  A.type = type;
  A.p = (char *) f->memory.p + *at;
  *at += (bytes + 255) / 256 * 256;
  return A;
}

static size_t
place_all (factor *f)
{
  const gpu_type type = f->A.type;
  const ptrdiff_t w = f->width, blocks = (f->piv.m + w - 1) / w;
  size_t at = 0;
  f->small = place (f, GPU_INT32, LISTS * f->unit, 1, &at);
  f->side = place (f, type, SIDE, f->unit, &at);
  if (f->late)
    {
      f->rows_of = place (f, GPU_INT32, f->A.m, blocks, &at);
      f->all = place (f, GPU_INT32, f->A.m, blocks, &at);
    }
  if (f->late && f->A.m > f->longest)
    f->buffer = place (f, type, f->A.m, BUFFERED, &at);
  if (w > f->unit)
    {
      for (int i = 0; i < RING; i++)
        f->X[i] = place (f, type, w, w, &at);
      for (int i = 0; i < RING; i++)
        f->list[i] = place (f, GPU_INT32, LISTS * w, 1, &at);
      f->product = place (f, type, w, w, &at);
      f->top = place (f, type, w, f->A.n, &at);
    }
  if (f->precision == GPU_IEEE)
    return at;
  f->left = place (f, type, f->A.m, THREE * w, &at);
  f->right = place (f, type, THREE * w, f->A.n, &at);
  return at;
}

gpu_status
gpu_lu_ahead (gpu_ctx *g, gpu_precision precision, gpu_mat A, gpu_mat piv,
              gpu_mat info)
{
  const gpu_tuning tune = gpu_tune (g, A.type);
  const ptrdiff_t k = piv.m, size = g->enlarged > 1 ? g->enlarged * k : k;
  factor f = { .A = A, .piv = piv, .info = info, .precision = precision };
  f.unit = tune.lu_unit;
  f.rows = tune.lu_rows;
  f.longest = tune.lu_column;
  f.late = size >= CONFINED;
  f.beside = f.late ? CONFINED_QUEUE : 0;
  f.width = size <= 5120 ? f.unit : size <= 10240 ? 2 * f.unit : 4 * f.unit;
  GPU_TRY (
    gpu_new (g, GPU_LOGICAL, (ptrdiff_t) place_all (&f), 1, 1, &f.memory));
  place_all (&f);
  for (int i = 0; i < RING && f.width > f.unit; i++)
    GPU_TRY (g->be->zero (g, f.X[i]));
  gpu_status status = all_blocks (g, &f);
  GPU_TRY (g->be->queue (g, 0));
  GPU_TRY (g->be->after (g, CHAIN));
  GPU_TRY (g->be->after (g, f.beside));
  GPU_TRY (g->be->after (g, INVERSES));
  GPU_TRY (status);
  if (f.late)
    GPU_TRY (g->be->lu_reorder (g, gpu_part (A, 0, 0, A.m, k), f.width,
                                f.rows_of, f.all, f.buffer));
  gpu_free (g, f.memory);
  return GPU_OK;
}
