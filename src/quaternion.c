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
  CARVE = 64,        /* elements: arrays in one begin at multiples of it */
  ALIGN = 4,         /* elements: sizes that cuBLAS multiplies at full speed */
  TILE = 128,        /* of a product, as the BLAS divides it */
  SHORTEST = 1024,   /* part of the inner dimension that is worth a product */
  LONG = 256,        /* rows from here on are moved to aligned storage */
  THIN_LENGTH = 4096 /* the inner dimension that is worth the thin way */
};

static ptrdiff_t
round_up (ptrdiff_t n, ptrdiff_t to)
{
  return (n + to - 1) / to * to;
}

/* S = the planes of A with op GPU_N; what is left of the op is the sign of
   x, y and z.  */
static gpu_status
straight (gpu_ctx *g, gpu_mat A, gpu_mat *S, int *sign)
{
  *sign = A.op & (GPU_C ^ GPU_T) ? -1 : 1;
  A.op = A.op & GPU_T ? GPU_T : GPU_N;
  *S = A;
  if (A.op == GPU_N)
    return GPU_OK;
  GPU_TRY (gpu_new (g, A.type, A.m, A.n, A.pages, S));
  return g->be->copy (g, A, *S);
}

static void
drop (gpu_ctx *g, gpu_mat S, gpu_mat A)
{
  if (S.p != A.p)
    gpu_free (g, S);
}

/* S = A (GPU_N), whose pages follow each other without a gap, and whose rows
   go on with zeros to a multiple of ALIGN, if they are many.  */
static gpu_status
aligned (gpu_ctx *g, gpu_mat A, gpu_mat *S)
{
  ptrdiff_t m = A.m < LONG ? A.m : round_up (A.m, ALIGN);
  *S = A;
  if (A.m == m && A.step == A.ld * A.n && (m < LONG || A.ld % ALIGN == 0))
    return GPU_OK;
  GPU_TRY (gpu_new (g, A.type, m, A.n, A.pages, S));
  gpu_mat end = gpu_part (*S, A.m, 0, m - A.m, A.n);
  GPU_TRY (g->be->zero (g, end));
  return g->be->copy (g, A, gpu_part (*S, 0, 0, A.m, A.n));
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

/* Room for the largest elements of the planes of A, then of B, for each k.  */
static gpu_status
new_most (gpu_ctx *g, gpu_mat A, gpu_mat *most)
{
  GPU_TRY (gpu_new (g, A.type, 1, 1, 2 * A.pages, most));
  return g->be->zero (g, *most);
}

/* The growth, and whether w of A or of B is zero, in the worst page; whether
   the METHOD then is the fast one.  MOST is dropped.  */
static gpu_status
look (gpu_ctx *g, gpu_qmethod method, gpu_mat most, gpu_qinfo *info,
      bool *pure)
{
  *pure = true;
  for (ptrdiff_t k = 0; k < most.pages; k += 2 * PLANES)
    {
      double x[2 * PLANES];
      float single[2 * PLANES];
      gpu_mat M = gpu_page (most, k);
      M.pages = 2 * PLANES;
      GPU_TRY (g->be->peek (
        g, M, M.type == GPU_SINGLE ? (void *) single : (void *) x));
      for (int c = 0; c < 2 * PLANES && M.type == GPU_SINGLE; c++)
        x[c] = single[c];
      info->growth = larger (info->growth, growth_of (x, x + PLANES));
      *pure = *pure && (x[0] == 0 || x[PLANES] == 0);
    }
  gpu_free (g, most);
  info->method = method == GPU_QAUTO && !(info->growth <= MOST_GROWTH)
                   ? GPU_QDIRECT
                   : GPU_QFAST;
  return GPU_OK;
}

static gpu_status
direct (gpu_ctx *g, gpu_mat A, int sign_a, gpu_mat B, int sign_b, gpu_mat C)
{
  ptrdiff_t n = PLANES * A.n, p = PLANES * B.n, pages = A.pages / PLANES;
  gpu_mat X, W, D = C, S;
  GPU_TRY (gpu_new (g, A.type, n, p, pages, &W));
  GPU_TRY (g->be->quat_matrix (g, B, sign_a, sign_b, W));
  GPU_TRY (aligned (g, A, &X));

  /* The planes side by side.  */
  gpu_mat side = X, wide;
  side.n = n;
  side.pages = pages;
  side.step *= PLANES;
  ptrdiff_t pieces = pages == 1 ? pieces_for (g, C, p, n, 1) : 1;
  while (n % pieces)
    pieces /= 2;
  if (X.m != C.m)
    GPU_TRY (gpu_new (g, C.type, X.m, C.n, C.pages, &D));
  wide = D;
  wide.n = p;
  wide.pages = pages;
  wide.step *= PLANES;
  if (pieces == 1)
    GPU_TRY (gpu_gemm (g, 1, side, W, 0, wide));
  else
    {
      GPU_TRY (gpu_new (g, C.type, X.m, p, pieces, &S));
      gpu_mat Y = W;
      side.n = Y.m = n / pieces;
      side.pages = Y.pages = pieces;
      side.step = side.ld * side.n;
      Y.step = Y.m;
      GPU_TRY (gpu_gemm (g, 1, side, Y, 0, S));
      gpu_mat none = { 0 };
      GPU_TRY (g->be->reduce (g, GPU_SUM, S, 3, wide, none));
      gpu_free (g, S);
    }
  if (D.p != C.p)
    {
      GPU_TRY (g->be->copy (g, gpu_part (D, 0, 0, C.m, C.n), C));
      gpu_free (g, D);
    }
  drop (g, X, A);
  gpu_free (g, W);
  return GPU_OK;
}

/* Whether the products L1, .., L4 take the planes of A and B as they are:
   where that is faster, and of sizes that are fast.  */
static bool
in_place (gpu_ctx *g, gpu_mat A, gpu_mat B)
{
  const ptrdiff_t least = gpu_tune (g, A.type).in_place;
  return A.pages == PLANES && A.m % ALIGN == 0 && A.n % ALIGN == 0
         && B.n % ALIGN == 0 && A.ld % ALIGN == 0 && B.ld % ALIGN == 0
         && A.m >= least && A.n >= least && B.n >= least;
}

/* A new array at the begin of REST, which becomes what is left.  */
static gpu_mat
carve (gpu_mat *rest, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages)
{
  gpu_mat A = *rest;
  A.m = A.ld = m;
  A.n = n;
  A.pages = pages;
  A.step = m * n;
  *rest = gpu_part (*rest, round_up (m * n * pages, CARVE), 0,
                    rest->m - round_up (m * n * pages, CARVE), 1);
  return A;
}

/* W = [L1, D1, .., D4, L3, L4, L2], without L1 if PURE, of the sums SA and SB
   of A and B.  */
static gpu_status
in_place_products (gpu_ctx *g, gpu_mat A, gpu_mat B, gpu_mat SA, gpu_mat SB,
                   bool pure, gpu_mat W)
{
  const ptrdiff_t first = pure ? 1 : 0;
  gpu_mat D = gpu_page (W, 1 - first), L = gpu_page (W, 0), X = A, Y = B;
  D.pages = PLANES;
  GPU_TRY (gpu_gemm (g, 1, SA, SB, 0, D));
  if (pure)
    {
      X = gpu_page (A, 1);
      Y = gpu_page (B, 3);
      L = gpu_page (W, 4);
    }
  else
    {
      /* w * w and x * z  */
      X.pages = Y.pages = L.pages = 2;
      Y.step *= 3;
      L.step *= 5;
    }
  GPU_TRY (gpu_gemm (g, 1, X, Y, 0, L));
  /* y * x and z * y  */
  X = gpu_page (A, 2);
  Y = gpu_page (B, 1);
  L = gpu_page (W, 6 - first);
  X.pages = Y.pages = L.pages = 2;
  return gpu_gemm (g, 1, X, Y, 0, L);
}

/* Stops before the products, and *info says GPU_QDIRECT, if the growth is too
   large and the METHOD GPU_QAUTO.  */
static gpu_status
fast (gpu_ctx *g, gpu_qmethod method, bool looking, gpu_mat A, int sign_a,
      gpu_mat B, int sign_b, gpu_mat C, gpu_qinfo *info)
{
  ptrdiff_t pages = A.pages / PLANES;
  ptrdiff_t pieces = pages == 1 ? pieces_for (g, C, C.n, A.n, PRODUCTS) : 1;
  bool there = pieces == 1 && in_place (g, A, B), pure = false;
  ptrdiff_t inner = round_up ((A.n + pieces - 1) / pieces, ALIGN);
  ptrdiff_t m = round_up (A.m, ALIGN), n = round_up (B.n, ALIGN);
  ptrdiff_t count = PRODUCTS * pages * pieces;
  ptrdiff_t sums = there ? PLANES : count;
  gpu_mat whole, most = { 0 };

  if (looking)
    GPU_TRY (new_most (g, A, &most));
  /* One array, since to ask for more takes as long as a small product.  */
  GPU_TRY (gpu_new (g, A.type,
                    round_up (m * inner * sums, CARVE)
                      + round_up (inner * n * sums, CARVE)
                      + round_up (m * n * count, CARVE),
                    1, 1, &whole));
  gpu_mat rest = whole, SA = carve (&rest, m, inner, sums);
  gpu_mat SB = carve (&rest, inner, n, sums);
  GPU_TRY (g->be->quat_sums (g, pieces, A, sign_a, SA, B, sign_b, SB, most));
  info->method = GPU_QFAST;
  if (looking)
    GPU_TRY (look (g, method, most, info, &pure));
  if (info->method == GPU_QFAST)
    {
      /* L1 is zero then.  */
      pure = pure && pages == 1;
      if (pure)
        count -= pieces;
      gpu_mat W = carve (&rest, m, n, count);
      if (there)
        GPU_TRY (in_place_products (g, A, B, SA, SB, pure, W));
      else
        {
          gpu_mat X = gpu_page (SA, pure ? pieces : 0);
          gpu_mat Y = gpu_page (SB, pure ? pieces : 0);
          X.pages = Y.pages = count;
          GPU_TRY (gpu_gemm (g, 1, X, Y, 0, W));
        }
      GPU_TRY (
        g->be->quat_combine (g, W, pieces, there ? sign_a * sign_b : 1, C));
    }
  gpu_free (g, whole);
  return GPU_OK;
}

/* The fast way where reading A and B takes the time: in one pass.  */
static gpu_status
thin (gpu_ctx *g, gpu_qmethod method, bool looking, gpu_mat A, int sign_a,
      gpu_mat B, int sign_b, gpu_mat C, gpu_qinfo *info)
{
  gpu_mat W, most = { 0 };
  bool pure;
  if (looking)
    GPU_TRY (new_most (g, A, &most));
  GPU_TRY (gpu_new (g, GPU_DOUBLE, C.m, C.n,
                    PLANES * gpu_tune (g, C.type).tiles, &W));
  GPU_TRY (g->be->quat_thin (g, A, sign_a, B, sign_b, W, most, C));
  gpu_free (g, W);
  info->method = GPU_QFAST;
  return looking ? look (g, method, most, info, &pure) : GPU_OK;
}

static gpu_status
product (gpu_ctx *g, gpu_qmethod method, bool looking, gpu_mat A, gpu_mat B,
         gpu_mat C, gpu_qinfo *info)
{
  const gpu_tuning tune = gpu_tune (g, C.type);
  /* The products by the passes, so that it is n for square matrices.  */
  double m = (double) A.m, n = (double) A.n, p = (double) B.n;
  double size = 3 / (1 / m + 1 / n + 1 / p);
  bool is_thin = A.m <= tune.thin && B.n <= tune.thin && A.n >= THIN_LENGTH
                 && A.pages == PLANES;
  gpu_mat X, Y;
  int sign_a, sign_b;

  if (method == GPU_QAUTO && !is_thin && size < (double) tune.quaternion)
    method = GPU_QDIRECT;
  looking = looking || method == GPU_QAUTO;
  info->method = method;
  info->growth = 0;
  GPU_TRY (straight (g, A, &X, &sign_a));
  GPU_TRY (straight (g, B, &Y, &sign_b));
  if (method != GPU_QDIRECT)
    GPU_TRY ((is_thin ? thin : fast) (g, method, looking, X, sign_a, Y, sign_b,
                                      C, info));
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
  const bool looking = info != NULL;
  gpu_qinfo own, page;

  if (A.n != B.m || A.pages % PLANES || B.pages % PLANES
      || (A.pages != B.pages && A.pages != PLANES && B.pages != PLANES))
    return gpu_fail (g, GPU_ESIZE,
                     "nonconformant arguments (op1 is %s, op2 is %s)",
                     gpu_size_text (A).text, gpu_size_text (B).text);
  if (!info)
    info = &own;
  info->method = GPU_QDIRECT;
  info->growth = 0;
  if (C.m == 0 || C.n == 0 || pages == 0)
    return GPU_OK;
  if (A.n == 0)
    return g->be->zero (g, C);
  if (A.pages == B.pages)
    return product (g, method, looking, A, B, C, info);
  for (ptrdiff_t k = 0; k < pages; k++)
    {
      gpu_mat X = A.pages == PLANES ? A : quaternion_page (A, k);
      gpu_mat Y = B.pages == PLANES ? B : quaternion_page (B, k);
      GPU_TRY (
        product (g, method, looking, X, Y, quaternion_page (C, k), &page));
      info->growth = larger (info->growth, page.growth);
      if (page.method == GPU_QFAST)
        info->method = GPU_QFAST;
    }
  return GPU_OK;
}
