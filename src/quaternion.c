/* quaternion.c: C = A * B of quaternion matrices in planes w, x, y and z, by
   16 real products or by 8.

   Direct:    [Cw Cx Cy Cz] = [Aw Ax Ay Az] * [ Bw  Bx  By  Bz]
                                              [-Bx  Bw -Bz  By]
                                              [-By  Bz  Bw -Bx]
                                              [-Bz -By  Bx  Bw]
   Fast:      the sums P1 = (w + x + y + z) / 2, P2 = (w - x + y - z) / 2,
              P3 = (w + x - y - z) / 2 and P4 = (w - x - y + z) / 2 of A and B
              give D1, .., D4 = P1(A) * P1(B), ..; with L1 = Aw * Bw,
              L2 = Az * By, L3 = Ax * Bz and L4 = Ay * Bx,

              Cw = 2 * L1 - (D1 + D2 + D3 + D4)
              Cx = (D1 - D2 + D3 - D4) - 2 * L2
              Cy = (D1 + D2 - D3 - D4) - 2 * L3
              Cz = (D1 - D2 - D3 + D4) - 2 * L4

   (T. D. Howell and J.-C. Lafon, 1975, show that 8 is the least; A. Cariow and
   P. Klesk made the sums of matrices.)  The sums mix what the components of
   the result would keep apart: a component that is much smaller than the sums
   loses what they round.  From the largest elements a of the planes of A and b
   of B,

              growth = max over c of
                       sum (a) * sum (b) / sum over i of a(i xor c) * b(i)

   tells how many times the error of the direct way that may be.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

#define MOST_GROWTH 64 /* two digits */

enum
{
  PLANES = 4,
  PRODUCTS = 8,
  ALIGN = 4,       /* elements: storage of columns begins at multiples of it */
  TILE = 128,      /* of a product, as the BLAS divides it */
  SHORTEST = 1024, /* part of the inner dimension that is worth a product */
  LONG = 256       /* columns from here on are moved to aligned storage */
};

static ptrdiff_t
round_up (ptrdiff_t n, ptrdiff_t to)
{
  return (n + to - 1) / to * to;
}

/* A new array whose columns are aligned.  */
static gpu_status
new_aligned (gpu_ctx *g, gpu_type type, ptrdiff_t m, ptrdiff_t n,
             ptrdiff_t pages, gpu_mat *A)
{
  GPU_TRY (gpu_new (g, type, round_up (m, ALIGN), n, pages, A));
  A->m = m;
  return GPU_OK;
}

/* S = the planes of A with op GPU_N; what is left of the op is the sign of
   x, y and z.  Pages of S follow each other without a gap, and long columns
   are aligned.  */
static gpu_status
straight (gpu_ctx *g, gpu_mat A, gpu_mat *S, int *sign)
{
  *sign = A.op & (GPU_C ^ GPU_T) ? -1 : 1;
  A.op = A.op & GPU_T ? GPU_T : GPU_N;
  *S = A;
  if (A.op == GPU_N && A.step == A.ld * A.n
      && (A.ld % ALIGN == 0 || A.m < LONG))
    return GPU_OK;
  GPU_TRY (new_aligned (g, A.type, A.m, A.n, A.pages, S));
  return g->be->copy (g, A, *S);
}

static void
drop (gpu_ctx *g, gpu_mat S, gpu_mat A)
{
  if (S.p != A.p)
    gpu_free (g, S);
}

/* Into how many pieces the inner dimension is cut, so that COUNT products of
   m x n fill the device.  */
static ptrdiff_t
pieces_for (gpu_ctx *g, gpu_mat C, ptrdiff_t n, ptrdiff_t inner,
            ptrdiff_t count)
{
  ptrdiff_t tiles
    = count * ((C.m + TILE - 1) / TILE) * ((n + TILE - 1) / TILE);
  ptrdiff_t fill = gpu_tune (g, C.type).tiles, pieces = 1;
  while (pieces * tiles < fill && inner / (2 * pieces) >= SHORTEST)
    pieces *= 2;
  return pieces;
}

/* The larger one, or NaN.  */
static double
larger (double x, double y)
{
  return x != x || x >= y ? x : y;
}

/* Of the largest elements of the planes of A and of B.  */
static double
growth_of (const double *a, const double *b)
{
  double sum_a = 0, sum_b = 0, growth = 0;
  for (int i = 0; i < PLANES; i++)
    {
      sum_a += a[i];
      sum_b += b[i];
    }
  for (int c = 0; c < PLANES; c++)
    {
      double own = 0;
      for (int i = 0; i < PLANES; i++)
        own += a[i ^ c] * b[i];
      double ratio = sum_a * sum_b / own;
      growth = larger (growth, ratio);
    }
  return growth;
}

/* The growth, and whether w of A or of B is zero, in the worst page.  */
static gpu_status
look (gpu_ctx *g, gpu_mat most_a, gpu_mat most_b, double *growth, bool *pure)
{
  *growth = 0;
  *pure = true;
  for (ptrdiff_t k = 0; k < most_a.pages; k += PLANES)
    {
      double most[2][PLANES];
      for (int i = 0; i < 2; i++)
        {
          gpu_mat M = gpu_page (i ? most_b : most_a, k);
          float single[PLANES];
          M.pages = PLANES;
          GPU_TRY (g->be->peek (
            g, M, M.type == GPU_SINGLE ? (void *) single : most[i]));
          for (int c = 0; c < PLANES && M.type == GPU_SINGLE; c++)
            most[i][c] = single[c];
        }
      *growth = larger (*growth, growth_of (most[0], most[1]));
      *pure = *pure && (most[0][0] == 0 || most[1][0] == 0);
    }
  return GPU_OK;
}

static gpu_status
direct (gpu_ctx *g, gpu_mat A, int sign_a, gpu_mat B, int sign_b, gpu_mat C)
{
  ptrdiff_t n = PLANES * A.n, p = PLANES * B.n, pages = A.pages / PLANES;
  gpu_mat W, D = C, S;
  GPU_TRY (gpu_new (g, A.type, n, p, pages, &W));
  GPU_TRY (g->be->quat_matrix (g, B, sign_a, sign_b, W));

  /* The planes side by side.  */
  A.n = n;
  A.pages = pages;
  A.step *= PLANES;
  ptrdiff_t pieces = pages == 1 ? pieces_for (g, C, p, n, 1) : 1;
  while (n % pieces)
    pieces /= 2;
  if (C.ld % ALIGN && C.m >= LONG && pieces == 1)
    GPU_TRY (new_aligned (g, C.type, C.m, C.n, C.pages, &D));
  gpu_mat wide = D;
  wide.n = p;
  wide.pages = pages;
  wide.step *= PLANES;
  if (pieces == 1)
    GPU_TRY (gpu_gemm (g, 1, A, W, 0, wide));
  else
    {
      GPU_TRY (gpu_new (g, C.type, C.m, p, pieces, &S));
      gpu_mat X = A, Y = W;
      X.n = Y.m = n / pieces;
      X.pages = Y.pages = pieces;
      X.step = X.ld * X.n;
      Y.step = Y.m;
      GPU_TRY (gpu_gemm (g, 1, X, Y, 0, S));
      gpu_mat none = { 0 };
      GPU_TRY (g->be->reduce (g, GPU_SUM, S, 3, wide, none));
      gpu_free (g, S);
    }
  if (D.p != C.p)
    {
      GPU_TRY (g->be->copy (g, D, C));
      gpu_free (g, D);
    }
  gpu_free (g, W);
  return GPU_OK;
}

/* Stops before the products, and *info says GPU_QDIRECT, if the growth is too
   large and the METHOD GPU_QAUTO.  */
static gpu_status
fast (gpu_ctx *g, gpu_qmethod method, gpu_mat A, int sign_a, gpu_mat B,
      int sign_b, gpu_mat C, gpu_qinfo *info)
{
  ptrdiff_t pages = A.pages / PLANES;
  ptrdiff_t pieces = pages == 1 ? pieces_for (g, C, C.n, A.n, PRODUCTS) : 1;
  ptrdiff_t inner = round_up ((A.n + pieces - 1) / pieces, ALIGN);
  ptrdiff_t count = PRODUCTS * pages * pieces;
  gpu_mat SA, SB, W, most;
  bool pure;

  GPU_TRY (gpu_new (g, A.type, 1, 1, A.pages + B.pages, &most));
  GPU_TRY (new_aligned (g, A.type, A.m, inner, count, &SA));
  GPU_TRY (gpu_new (g, A.type, inner, B.n, count, &SB));
  gpu_mat most_b = gpu_page (most, A.pages), most_a = most;
  most_a.pages = A.pages;
  most_b.pages = B.pages;
  GPU_TRY (g->be->zero (g, most));
  GPU_TRY (g->be->quat_sums (g, A, false, sign_a, SA, most_a));
  GPU_TRY (g->be->quat_sums (g, B, true, sign_b, SB, most_b));
  GPU_TRY (look (g, most_a, most_b, &info->growth, &pure));
  gpu_free (g, most);
  info->method = method == GPU_QAUTO && !(info->growth <= MOST_GROWTH)
                   ? GPU_QDIRECT
                   : GPU_QFAST;
  if (info->method == GPU_QFAST)
    {
      /* The last product, L1, is zero then.  */
      if (pure && pages == 1)
        count -= pieces;
      GPU_TRY (new_aligned (g, C.type, C.m, C.n, count, &W));
      SA.pages = SB.pages = count;
      GPU_TRY (gpu_gemm (g, 1, SA, SB, 0, W));
      GPU_TRY (g->be->quat_combine (g, W, pieces, C));
      gpu_free (g, W);
    }
  gpu_free (g, SA);
  gpu_free (g, SB);
  return GPU_OK;
}

static gpu_status
product (gpu_ctx *g, gpu_qmethod method, gpu_mat A, gpu_mat B, gpu_mat C,
         gpu_qinfo *info)
{
  /* The products by the passes, so that it is n for square matrices.  */
  double m = (double) A.m, n = (double) A.n, p = (double) B.n;
  double size = 3 / (1 / m + 1 / n + 1 / p);
  gpu_mat X, Y;
  int sign_a, sign_b;

  if (method == GPU_QAUTO && size < (double) gpu_tune (g, C.type).quaternion)
    method = GPU_QDIRECT;
  info->method = method;
  info->growth = 0;
  GPU_TRY (straight (g, A, &X, &sign_a));
  GPU_TRY (straight (g, B, &Y, &sign_b));
  if (method != GPU_QDIRECT)
    GPU_TRY (fast (g, method, X, sign_a, Y, sign_b, C, info));
  if (info->method == GPU_QDIRECT)
    GPU_TRY (direct (g, X, sign_a, Y, sign_b, C));
  drop (g, X, A);
  drop (g, Y, B);
  return GPU_OK;
}

static gpu_mat
quaternion_page (gpu_mat A, ptrdiff_t k)
{
  A = gpu_page (A, PLANES * k);
  A.pages = PLANES;
  return A;
}

gpu_status
gpu_qmtimes (gpu_ctx *g, gpu_qmethod method, gpu_mat A, gpu_mat B, gpu_mat C,
             gpu_qinfo *info)
{
  ptrdiff_t pages = C.pages / PLANES;

  if (A.n != B.m || A.pages % PLANES || B.pages % PLANES
      || (A.pages != B.pages && A.pages != PLANES && B.pages != PLANES))
    return gpu_fail (g, GPU_ESIZE,
                     "nonconformant arguments (op1 is %s, op2 is %s)",
                     gpu_size_text (A).text, gpu_size_text (B).text);
  info->method = GPU_QDIRECT;
  info->growth = 0;
  if (C.m == 0 || C.n == 0 || pages == 0)
    return GPU_OK;
  if (A.n == 0)
    return g->be->zero (g, C);
  if (A.pages == B.pages)
    return product (g, method, A, B, C, info);
  for (ptrdiff_t k = 0; k < pages; k++)
    {
      gpu_qinfo page;
      gpu_mat X = A.pages == PLANES ? A : quaternion_page (A, k);
      gpu_mat Y = B.pages == PLANES ? B : quaternion_page (B, k);
      GPU_TRY (product (g, method, X, Y, quaternion_page (C, k), &page));
      info->growth = larger (info->growth, page.growth);
      if (page.method == GPU_QFAST)
        info->method = GPU_QFAST;
    }
  return GPU_OK;
}
