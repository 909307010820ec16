/* test_gemm.c: C = alpha * A * B + beta * C for views of every op, and the
   backend's own product behind it.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

static const gpu_op ops[] = { GPU_N, GPU_C, GPU_T };

/* Complex data are never read transposed without conjugation.  */
static int
op_count (gpu_type type)
{
  return gpu_is_complex (type) ? 2 : 3;
}

/* |alpha*A*B + beta*C - D| of page k, estimated.  */
static double
error_of (double alpha, ref A, ref B, double beta, ref C, ref D, ptrdiff_t k)
{
  double worst = 0;
  lcx *Bx = test_vector (B.m), *ABx = test_vector (C.m);
  lcx *Cx = test_vector (C.m), *Dx = test_vector (C.m);
  for (int probe = 0; probe < 3; probe++)
    {
      lcx *x = test_signs (B.n);
      test_multiply (B, k, false, x, Bx);
      test_multiply (A, k, false, Bx, ABx);
      test_multiply (C, k, false, x, Cx);
      test_multiply (D, k, false, x, Dx);
      for (ptrdiff_t i = 0; i < C.m; i++)
        ABx[i] = alpha * ABx[i] + beta * Cx[i];
      double error = test_distance (ABx, Dx, C.m);
      if (!(error <= worst))
        worst = error;
    }
  return worst;
}

static void
product (gpu_ctx *g, gpu_type type, const ptrdiff_t *size, const gpu_op *op,
         double alpha, double beta, bool pad)
{
  ptrdiff_t m = size[0], n = size[1], k = size[2], pages = pad ? 3 : 1;
  ref A = ref_random (type, m, k, pages), B = ref_random (type, k, n, pages);
  ref C = ref_random (type, m, n, pages), P = ref_copy (C), D;
  dev dA, dB, dC;

  /* beta = 0 must not read C.  */
  for (size_t i = 0; i < ref_count (P) && beta == 0; i++)
    P.x[i] = CMPLX (NAN, NAN);
  test_at ("%tdx%tdx%td, %td pages, ops %d %d %d, alpha %g, beta %g", m, n, k,
           pages, (int) op[0], (int) op[1], (int) op[2], alpha, beta);
  OK (g, dev_put (g, A, op[0], pad, &dA));
  OK (g, dev_put (g, B, op[1], pad, &dB));
  OK (g, dev_put (g, P, op[2], pad, &dC));
  if (op[2] == GPU_N && alpha != -1)
    OK (g, g->be->gemm (g, alpha, dA.view, dB.view, beta, dC.view));
  else
    OK (g, gpu_gemm (g, alpha, dA.view, dB.view, beta, dC.view));
  OK (g, dev_get (g, dC, &D));
  for (ptrdiff_t p = 0; p < pages; p++)
    {
      double scale = fabs (alpha) * ref_norm (ref_page (A, p))
                       * ref_norm (ref_page (B, p))
                     + fabs (beta) * ref_norm (ref_page (C, p));
      double error = error_of (alpha, A, B, beta, C, D, p);
      CHECK (test_units (error, k, type, scale) <= 1,
             "page %td: error %g, scale %g", p, error, scale);
    }
}

static void
gemm (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[][3]
    = { { 0, 3, 4 },  { 3, 0, 4 },     { 3, 4, 0 },     { 1, 1, 1 },
        { 5, 1, 7 },  { 1, 6, 3 },     { 16, 16, 16 },  { 17, 13, 19 },
        { 3, 64, 5 }, { 65, 33, 127 }, { 128, 129, 64 } };
  static const double factors[][2]
    = { { 1, 0 }, { -1, 1 }, { 0.5, -2 }, { 0, 1 } };
  int count = op_count (type);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int o = 0; o < count * count * count; o++)
      for (int f = 0; f < 4; f++)
        {
          gpu_op op[3] = { ops[o % count], ops[o / count % count],
                           ops[o / count / count] };
          if (test_quick () && (s > 8 || (o + f) % 3))
            continue;
          product (g, type, sizes[s], op, factors[f][0], factors[f][1], f % 2);
          test_next (g);
        }
}

static void
nonconformant (gpu_ctx *g, gpu_type type)
{
  gpu_mat A, B, C;
  OK (g, gpu_new (g, type, 3, 4, 1, &A));
  OK (g, gpu_new (g, type, 5, 2, 1, &B));
  OK (g, gpu_new (g, type, 3, 2, 1, &C));
  CHECK (gpu_gemm (g, 1, A, B, 0, C) == GPU_EARG, "accepted");
  CHECK (strstr (g->message, "nonconformant"), "message \"%s\"", g->message);
}

int
main (void)
{
  static const test_entry entries[] = {
    { "gemm", gemm, true },
    { "nonconformant", nonconformant, true },
  };
  return test_main ("test_gemm", entries, sizeof entries / sizeof *entries);
}
