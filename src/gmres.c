/* gmres.c: corrections of a solution by Krylov spaces, for factors that are
   too far from A for corrections by themselves: D in the span of Z1, ..., Zk
   with the least norm (R - A * D), where

     V1 = R / norm (R)
     Zj = nearly A \ Vj
     A * Zj = [V1, ..., Vj+1] * hj, V orthonormal

   GMRES of Y. Saad and M. H. Schultz (1986) in the flexible form of Saad
   (1993), which allows for the rounding of Zj in lower precision.  Columns of
   R are independent, and go together: each is a page of all that is made.
   Nothing waits for the device.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

/* Beside the square of a sine it counts for nothing.  It keeps columns that
   are solved exactly, where all is zero, from a division by zero.  */
#define NOTHING 0x1p-100

typedef struct
{
  ptrdiff_t columns, steps;
  gpu_mat V, Z; /* n x columns x steps, V one more */
  gpu_mat H;    /* steps + 1 x steps x columns */
  gpu_mat h;    /* one more column of it, before it is orthogonal */
} krylov;

/* The first COUNT vectors of V or Z, a page for each column.  */
static gpu_mat
vectors (const krylov *k, gpu_mat V, ptrdiff_t count)
{
  V.n = count;
  V.pages = k->columns;
  V.ld = V.m * k->columns;
  V.step = V.m;
  return V;
}

/* The columns of X as pages.  */
static gpu_mat
by_columns (gpu_mat X)
{
  X.pages = X.n;
  X.step = X.ld;
  X.n = 1;
  return X;
}

/* X = X / norm, columns by themselves, SIZE = norm.  A zero stays one.  */
static gpu_status
normalize (gpu_ctx *g, gpu_mat X, gpu_mat *size)
{
  const gpu_type real = gpu_real_type (X.type);
  const double least = real == GPU_SINGLE ? 0x1p-126 : 0x1p-1022;
  gpu_mat squares, safe, by;
  GPU_TRY (gpu_reduce (g, GPU_SUMSQ, X, 1, &squares, NULL));
  GPU_TRY (gpu_new (g, real, 1, X.n, 1, size));
  GPU_TRY (
    g->be->map (g, GPU_SQRT, gpu_of (squares), (gpu_operand){ 0 }, *size));
  GPU_TRY (
    gpu_map (g, GPU_MAX, gpu_of (*size), gpu_number (real, least, 0), &safe));
  GPU_TRY (gpu_cast (g, safe, X.type, &by));
  GPU_TRY (g->be->map (g, GPU_RDIVIDE, gpu_of (X), gpu_of (by), X));
  gpu_free (g, squares);
  gpu_free (g, safe);
  gpu_free (g, by);
  return GPU_OK;
}

/* A row of real numbers into the first row of each page of Y.  */
static gpu_status
put_row (gpu_ctx *g, gpu_mat row, gpu_mat Y)
{
  return gpu_convert (g, by_columns (row), gpu_part (Y, 0, 0, 1, 1));
}

/* V(j+1) and column J of H from W = A * Z(j), by the Gram-Schmidt process,
   twice: what the first leaves by rounding, the second takes.  */
static gpu_status
orthogonalize (gpu_ctx *g, krylov *k, ptrdiff_t j)
{
  gpu_mat V = vectors (k, k->V, j + 1), W = gpu_page (k->V, j + 1);
  gpu_mat w = by_columns (W), size;
  gpu_mat to = gpu_part (k->H, 0, j, j + 1, 1);
  gpu_mat h = gpu_part (k->h, 0, 0, j + 1, 1);
  GPU_TRY (gpu_gemm (g, 1, gpu_adjoint (V), w, 0, to));
  GPU_TRY (gpu_gemm (g, -1, V, to, 1, w));
  GPU_TRY (gpu_gemm (g, 1, gpu_adjoint (V), w, 0, h));
  GPU_TRY (gpu_gemm (g, -1, V, h, 1, w));
  GPU_TRY (g->be->map (g, GPU_PLUS, gpu_of (to), gpu_of (h), to));
  GPU_TRY (normalize (g, W, &size));
  GPU_TRY (put_row (g, size, gpu_part (k->H, j + 1, j, 1, 1)));
  gpu_free (g, size);
  return GPU_OK;
}

/* X = X + Z * y, y the solution of least squares of H * y = [norm (R); 0], by
   its normal equations: H is nearly orthogonal if Z was nearly A \ V, and what
   is lost a next correction finds.  */
static gpu_status
correct (gpu_ctx *g, krylov *k, gpu_mat size, gpu_mat X)
{
  const gpu_type type = X.type;
  const ptrdiff_t s = k->steps, c = k->columns;
  gpu_mat N, right, product, y;
  GPU_TRY (gpu_new (g, type, s, s, c, &N));
  GPU_TRY (gpu_new (g, type, s + 1, 1, c, &right));
  GPU_TRY (gpu_new (g, type, s, 1, c, &product));
  GPU_TRY (gpu_new (g, type, s, 1, c, &y));
  GPU_TRY (g->be->zero (g, right));
  GPU_TRY (put_row (g, size, right));
  GPU_TRY (g->be->eye (g, N));
  GPU_TRY (gpu_gemm (g, 1, gpu_adjoint (k->H), k->H, NOTHING, N));
  GPU_TRY (gpu_gemm (g, 1, gpu_adjoint (k->H), right, 0, product));
  GPU_TRY (gpu_inv (g, N, N, (gpu_mat){ 0 }));
  GPU_TRY (gpu_gemm (g, 1, N, product, 0, y));
  GPU_TRY (gpu_gemm (g, 1, vectors (k, k->Z, s), y, 1, by_columns (X)));
  const gpu_mat all[] = { N, right, product, y };
  for (int i = 0; i < 4; i++)
    gpu_free (g, all[i]);
  return GPU_OK;
}

gpu_status
gpu_gmres (gpu_ctx *g, gpu_mat A, gpu_mat R, ptrdiff_t steps,
           gpu_approximation solve, const void *data, gpu_mat X)
{
  const gpu_type type = X.type;
  krylov k = { .columns = X.n, .steps = steps };
  gpu_mat size;
  GPU_TRY (gpu_new (g, type, X.m, X.n, steps + 1, &k.V));
  GPU_TRY (gpu_new (g, type, X.m, X.n, steps, &k.Z));
  GPU_TRY (gpu_new (g, type, steps + 1, steps, X.n, &k.H));
  GPU_TRY (gpu_new (g, type, steps, 1, X.n, &k.h));
  GPU_TRY (g->be->zero (g, k.H));
  GPU_TRY (g->be->copy (g, R, gpu_page (k.V, 0)));
  GPU_TRY (normalize (g, gpu_page (k.V, 0), &size));
  for (ptrdiff_t j = 0; j < steps; j++)
    {
      gpu_mat Z = gpu_page (k.Z, j);
      GPU_TRY (solve (g, data, gpu_page (k.V, j), Z));
      GPU_TRY (gpu_gemm (g, 1, A, Z, 0, gpu_page (k.V, j + 1)));
      GPU_TRY (orthogonalize (g, &k, j));
    }
  GPU_TRY (correct (g, &k, size, X));
  const gpu_mat all[] = { size, k.V, k.Z, k.H, k.h };
  for (int i = 0; i < 5; i++)
    gpu_free (g, all[i]);
  return GPU_OK;
}
