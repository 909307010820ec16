/* chol.c: A = R' * R, the recursive Cholesky factorization.

     [A11 A12]   A11 = R11' * R11
     [    A22]   A12 = R11' * R12
                 A22 = R12' * R12 + R22' * R22

   by halves at multiples of the leaf (F. Gustavson, 1997).  The upper
   triangle of A is read and becomes R; the lower factor is the same
   recursion on the view A'.  Nothing waits for a device: a failed pivot is
   noted in info by the leaf that met it, and what follows it is undefined.

   A matrix of the host that is large goes through the device by panels of
   columns, each finished from those before it (left-looking): the first are
   computed while the others still arrive, and leave while later ones are
   computed.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

enum
{
  MANY = 64 /* pages */
};

/* AT is the place of A in the whole matrix.  */
static gpu_status
chol (gpu_ctx *g, gpu_mat A, gpu_mat info, ptrdiff_t at)
{
  ptrdiff_t leaf = gpu_tune (g, A.type).leaf;
  if (A.n <= leaf)
    return g->be->chol_leaf (g, A, info, at);

  ptrdiff_t n1 = gpu_split (A.n, leaf), n2 = A.n - n1;
  gpu_mat A11 = gpu_part (A, 0, 0, n1, n1);
  gpu_mat A12 = gpu_part (A, 0, n1, n1, n2);
  gpu_mat A22 = gpu_part (A, n1, n1, n2, n2);

  /* A11 = chol (A11) */
  GPU_TRY (chol (g, A11, info, at));
  if (gpu_all_failed (g, info))
    return GPU_OK;
  /* A12 = A11' \ A12 */
  GPU_TRY (gpu_trsm (g, GPU_LOWER, gpu_adjoint (A11), A12));
  /* A22 = A22 - A12' * A12 */
  GPU_TRY (gpu_syrk (g, -1, A12, A22));
  /* A22 = chol (A22) */
  return chol (g, A22, info, at + n1);
}

gpu_status
gpu_chol (gpu_ctx *g, gpu_precision precision, gpu_mat A, gpu_mat R,
          gpu_mat info)
{
  if (A.m != A.n)
    return gpu_fail (g, GPU_EARG, "requires square matrix");
  GPU_TRY (g->be->zero (g, info));
  if (A.n <= gpu_tune (g, A.type).pages && A.op == R.op && gpu_is_packed (A)
      && gpu_is_packed (R))
    return g->be->chol_pages (g, A, R, info);
  /* Many single pages are faster as complex numbers than as pairs of
     columns.  */
  if (A.n >= gpu_tune (g, A.type).ahead
      && !(A.type == GPU_CSINGLE && A.pages >= MANY))
    return gpu_chol_ahead (g, precision, A, R, info);
  if (R.p != A.p)
    GPU_TRY (g->be->copy (g, A, R));
  GPU_TRY (chol (g, R, info, 0));
  return g->be->triu (g, R);
}

/* How a matrix is cut that comes from the host and goes back there.  */
enum
{
  PANELS = 16,     /* at most */
  NARROWEST = 512, /* columns of a panel */
  APART = 12288    /* a smaller one moves and is factored as a whole: narrow
                     panels cost more than the overlap gains */
};

typedef struct
{
  void *move[2][PANELS]; /* of each panel up, and down */
  int begun[2], ended[2];
} traffic;

/* Rows 1:j+n of the columns j+1:j+n of A, as they lie in storage.  */
static gpu_mat
panel (gpu_mat A, ptrdiff_t j, ptrdiff_t n)
{
  gpu_mat P = gpu_part (A, 0, j, j + n, n);
  if (A.op != GPU_N)
    P = gpu_adjoint (P);
  return P;
}

static gpu_status
begin (gpu_ctx *g, traffic *t, bool up, gpu_mat D, gpu_mat X)
{
  GPU_TRY (g->be->start_move (g, up, D, X, &t->move[up][t->begun[up]]));
  t->begun[up]++;
  return GPU_OK;
}

static gpu_status
end (gpu_ctx *g, traffic *t, bool up)
{
  return g->be->end_move (g, t->move[up][t->ended[up]++]);
}

/* D = chol (A), R = D, by panels of WIDTH columns.  */
static gpu_status
chol_panels (gpu_ctx *g, ptrdiff_t width, gpu_mat A, gpu_mat D, gpu_mat R,
             gpu_mat info, traffic *t)
{
  ptrdiff_t n = A.n;
  for (ptrdiff_t j = 0; j < n; j += width)
    {
      ptrdiff_t w = n - j < width ? n - j : width;
      GPU_TRY (begin (g, t, true, panel (D, j, w), panel (A, j, w)));
    }
  for (ptrdiff_t j = 0; j < n; j += width)
    {
      ptrdiff_t w = n - j < width ? n - j : width;
      gpu_mat D11 = gpu_part (D, 0, 0, j, j), D12 = gpu_part (D, 0, j, j, w);
      gpu_mat D22 = gpu_part (D, j, j, w, w);
      GPU_TRY (end (g, t, true));
      if (j > 0)
        {
          /* D12 = D11' \ D12 */
          GPU_TRY (gpu_trsm (g, GPU_LOWER, gpu_adjoint (D11), D12));
          /* D22 = D22 - D12' * D12 */
          GPU_TRY (gpu_syrk (g, -1, D12, D22));
        }
      /* D22 = chol (D22) */
      GPU_TRY (chol (g, D22, info, j));
      GPU_TRY (g->be->triu (g, D22));
      GPU_TRY (begin (g, t, false, panel (D, j, w), panel (R, j, w)));
    }
  return GPU_OK;
}

/* D = chol (A), R = D, as wholes, A and R dense.  */
static gpu_status
chol_apart (gpu_ctx *g, gpu_precision precision, gpu_mat A, gpu_mat D,
            gpu_mat R, gpu_mat info)
{
  gpu_uplo triangle = A.op == GPU_N ? GPU_UPPER : GPU_LOWER;
  gpu_mat S = A.op == GPU_N ? D : gpu_adjoint (D); /* as it lies in storage */
  GPU_TRY (g->be->put_triangle (g, triangle, A.p, S));
  GPU_TRY (gpu_chol (g, precision, D, D, info));
  return g->be->get_triangle (g, triangle, S, R.p);
}

gpu_status
gpu_chol_host (gpu_ctx *g, gpu_precision precision, gpu_mat A, gpu_mat R,
               gpu_mat info)
{
  ptrdiff_t width = (A.n + PANELS - 1) / PANELS;
  traffic t = { 0 };
  gpu_mat D;

  if (A.m != A.n || A.pages != 1)
    return gpu_fail (g, GPU_EARG, "requires one square matrix");
  width = (width + NARROWEST - 1) / NARROWEST * NARROWEST;
  GPU_TRY (gpu_new (g, A.type, A.n, A.n, 1, &D));
  if (A.op != GPU_N)
    D = gpu_adjoint (D);
  GPU_TRY (g->be->zero (g, info));
  gpu_status status = GPU_OK;
  if (A.n < APART && g->leaf == 0 && A.ld == D.ld && R.ld == D.ld)
    status = chol_apart (g, precision, A, D, R, info);
  else
    status = chol_panels (g, width, A, D, R, info, &t);
  /* What has begun uses the host's memory until it ends.  */
  for (int up = 0; up < 2; up++)
    while (t.ended[up] < t.begun[up])
      {
        gpu_status ending = end (g, &t, up);
        if (status == GPU_OK)
          status = ending;
      }
  gpu_free (g, D);
  return status;
}
