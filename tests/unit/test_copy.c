/* test_copy.c: put, get, copy, zero, eye and triu: exact, for every shape and
   op.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

/* Around the tiles of a transposition, and primes.  */
static const ptrdiff_t shapes[][2] = {
  { 0, 0 },   { 0, 5 },   { 5, 0 },   { 1, 1 },   { 1, 7 },    { 7, 1 },
  { 1, 300 }, { 300, 1 }, { 31, 33 }, { 32, 32 }, { 33, 31 },  { 64, 64 },
  { 65, 64 }, { 64, 65 }, { 2, 97 },  { 97, 2 },  { 101, 67 }, { 127, 131 },
};
enum
{
  SHAPES = sizeof shapes / sizeof *shapes
};

static bool
is_skipped (ptrdiff_t m, ptrdiff_t n)
{
  return test_quick () && m * n > 5000;
}

static void
put_get (gpu_ctx *g, gpu_type type)
{
  for (int s = 0; s < SHAPES; s++)
    for (int pad = 0; pad < 2; pad++)
      for (ptrdiff_t pages = 0; pages < 4; pages += s ? 3 : 1)
        {
          ptrdiff_t m = shapes[s][0], n = shapes[s][1];
          ref X = ref_random (type, m, n, pages), Y;
          gpu_mat W, A;
          dev D;
          test_at ("%tdx%tdx%td%s", m, n, pages, pad ? " inside" : "");
          OK (g, dev_put (g, X, GPU_N, pad, &D));
          OK (g, dev_get (g, D, &Y));
          CHECK (ref_same (X, Y), "put, get");

          /* Both onto a part of an array.  */
          void *p = ref_pack (X), *q = ref_pack (X);
          size_t bytes = ref_count (X) * gpu_type_size (type);
          memset (q, 0xa5, bytes);
          OK (g, gpu_new (g, type, m + 2, n + 1, pages, &W));
          OK (g, g->be->zero (g, W));
          A = gpu_part (W, 1, 1, m, n);
          OK (g, g->be->put (g, p, A));
          OK (g, g->be->get (g, A, q));
          CHECK (!memcmp (p, q, bytes), "put, get of a part");
          test_next (g);
        }
}

/* B = A for every pair of ops; complex storage is written as it stands or
   conjugate transposed.  */
static void
copy (gpu_ctx *g, gpu_type type)
{
  static const gpu_op ops[] = { GPU_N, GPU_T, GPU_C };
  for (int s = 0; s < SHAPES; s++)
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        for (int pad = 0; pad < 2; pad++)
          {
            ptrdiff_t m = shapes[s][0], n = shapes[s][1];
            ptrdiff_t pages = pad ? 3 : 1;
            if ((gpu_is_complex (type) && ops[b] == GPU_T) || is_skipped (m, n)
                || test_leaves_out ())
              continue;
            ref X = ref_random (type, m, n, pages), Y;
            ref Z = ref_random (type, m, n, pages);
            dev A, B;
            test_at ("%tdx%tdx%td op %d to %d", m, n, pages, (int) ops[a],
                     (int) ops[b]);
            OK (g, dev_put (g, X, ops[a], pad, &A));
            OK (g, dev_put (g, Z, ops[b], pad, &B));
            OK (g, g->be->copy (g, A.view, B.view));
            OK (g, dev_get (g, B, &Y));
            CHECK (ref_same (X, Y), "copy");
            OK (g, dev_get (g, A, &Y));
            CHECK (ref_same (X, Y), "changed its source");
            test_next (g);
          }
}

static void
zero (gpu_ctx *g, gpu_type type)
{
  for (int s = 0; s < SHAPES; s++)
    for (int pad = 0; pad < 2; pad++)
      for (int op = 0; op < 2; op++)
        {
          ptrdiff_t m = shapes[s][0], n = shapes[s][1], pages = pad ? 3 : 1;
          ref X = ref_random (type, m, n, pages), Y;
          dev D;
          test_at ("%tdx%tdx%td op %d", m, n, pages, op);
          OK (g, dev_put (g, X, op ? GPU_C : GPU_N, pad, &D));
          OK (g, g->be->zero (g, D.view));
          OK (g, dev_get (g, D, &Y));
          CHECK (ref_norm (Y) == 0, "zero");
          test_next (g);
        }
}

static void
triu (gpu_ctx *g, gpu_type type)
{
  for (int s = 0; s < SHAPES; s++)
    for (int pad = 0; pad < 2; pad++)
      for (int op = 0; op < 2; op++)
        {
          ptrdiff_t m = shapes[s][0], n = shapes[s][1], pages = pad ? 3 : 1;
          ref X = ref_random (type, m, n, pages), Y;
          dev D;
          /* What goes away must not be computed with.  */
          ref_fill_triangle (X, GPU_LOWER, NAN);
          test_at ("%tdx%tdx%td op %d", m, n, pages, op);
          OK (g, dev_put (g, X, op ? GPU_C : GPU_N, pad, &D));
          OK (g, g->be->triu (g, D.view));
          OK (g, dev_get (g, D, &Y));
          ref_fill_triangle (X, GPU_LOWER, 0);
          CHECK (ref_same (X, Y), "triu");
          test_next (g);
        }
}

static void
eye (gpu_ctx *g, gpu_type type)
{
  for (int s = 0; s < SHAPES; s++)
    for (int pad = 0; pad < 2; pad++)
      for (int op = 0; op < 2; op++)
        {
          ptrdiff_t m = shapes[s][0], n = shapes[s][1], pages = pad ? 3 : 1;
          ref X = ref_random (type, m, n, pages), Y;
          dev D;
          test_at ("%tdx%tdx%td op %d", m, n, pages, op);
          OK (g, dev_put (g, X, op ? GPU_C : GPU_N, pad, &D));
          OK (g, g->be->eye (g, D.view));
          OK (g, dev_get (g, D, &Y));
          for (ptrdiff_t k = 0; k < pages; k++)
            for (ptrdiff_t j = 0; j < n; j++)
              for (ptrdiff_t i = 0; i < m; i++)
                AT (X, i, j, k) = i == j;
          CHECK (ref_same (X, Y), "eye");
          test_next (g);
        }
}

/* B = A in the same storage: op (A) = A, and conj (A) where only that
   differs.  */
static void
same_storage (gpu_ctx *g, gpu_type type)
{
  for (int s = 0; s < SHAPES; s++)
    for (int pad = 0; pad < 2; pad++)
      {
        ptrdiff_t m = shapes[s][0], n = shapes[s][1], pages = pad ? 3 : 1;
        ref X = ref_random (type, m, n, pages), Y;
        dev D;
        test_at ("%tdx%tdx%td%s", m, n, pages, pad ? " inside" : "");
        OK (g, dev_put (g, X, GPU_N, pad, &D));
        OK (g, g->be->copy (g, D.view, D.view));
        OK (g, dev_get (g, D, &Y));
        CHECK (ref_same (X, Y), "copy to itself");
        OK (g, g->be->copy (g, gpu_transposed (D.view), gpu_adjoint (D.view)));
        OK (g, dev_get (g, D, &Y));
        CHECK (ref_same (ref_op (X, (gpu_op) (GPU_C ^ GPU_T)), Y),
               "conjugation in place");
        test_next (g);
      }
}

/* Integers, copied between arrays and parts of them, and zeroed.  */
static void
integers (gpu_ctx *g, gpu_type unused)
{
  (void) unused;
  for (int type = GPU_INT64; type <= GPU_INT32; type++)
    for (int s = 0; s < SHAPES; s++)
      for (int pad = 0; pad < 4; pad++)
        {
          ptrdiff_t m = shapes[s][0], n = shapes[s][1], pages = 1 + pad;
          ref X = ref_new ((gpu_type) type, m, n, pages), Y;
          ref Z = ref_new ((gpu_type) type, m, n, pages);
          dev A, B;
          test_at ("%s %tdx%tdx%td", test_type_name ((gpu_type) type), m, n,
                   pages);
          for (size_t i = 0; i < ref_count (X); i++)
            X.x[i] = (double) (int8_t) test_bits ();
          OK (g, dev_put (g, X, GPU_N, pad & 1, &A));
          OK (g, dev_put (g, Z, GPU_N, pad & 2, &B));
          OK (g, g->be->copy (g, A.view, B.view));
          OK (g, dev_get (g, B, &Y));
          CHECK (ref_same (X, Y), "copy");
          OK (g, g->be->zero (g, B.view));
          OK (g, dev_get (g, B, &Y));
          CHECK (ref_same (Z, Y), "zero");
          test_next (g);
        }
}

/* All bits of an integer.  */
static void
wide (gpu_ctx *g, gpu_type unused)
{
  int64_t x[5] = { 1, -2, INT64_MAX, 4, 0 }, y[5];
  gpu_mat A, B;
  (void) unused;
  OK (g, gpu_new (g, GPU_INT64, 1, 1, 5, &A));
  OK (g, gpu_new (g, GPU_INT64, 1, 1, 5, &B));
  OK (g, g->be->put (g, x, A));
  OK (g, g->be->copy (g, A, B));
  OK (g, g->be->get (g, B, y));
  CHECK (!memcmp (x, y, sizeof x), "put, copy, get");
}

/* More rows, columns and pages than a grid has blocks in y and z.  */
static void
large (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t sizes[][3]
    = { { 1, 2200000, 1 }, { 2200000, 1, 1 }, { 1, 2, 70000 } };
  for (int s = 0; s < (test_quick () ? 0 : 3); s++)
    {
      ref X = ref_random (type, sizes[s][0], sizes[s][1], sizes[s][2]), Y;
      ref Z = ref_new (type, X.m, X.n, X.pages);
      dev A, B;
      test_at ("%tdx%tdx%td", X.m, X.n, X.pages);
      OK (g, dev_put (g, X, GPU_N, false, &A));
      OK (g, dev_put (g, Z, GPU_C, false, &B));
      OK (g, g->be->copy (g, A.view, B.view));
      OK (g, dev_get (g, B, &Y));
      CHECK (ref_same (X, Y), "copy");
      OK (g, g->be->triu (g, B.view));
      OK (g, dev_get (g, B, &Y));
      ref_fill_triangle (X, GPU_LOWER, 0);
      CHECK (ref_same (X, Y), "triu");
      test_next (g);
    }
}

int
main (void)
{
  static const test_entry entries[] = {
    { "put_get", put_get, true },
    { "copy", copy, true },
    { "zero", zero, true },
    { "triu", triu, true },
    { "eye", eye, true },
    { "same_storage", same_storage, true },
    { "integers", integers, false },
    { "wide", wide, false },
    { "large", large, true },
  };
  return test_main ("test_copy", entries, sizeof entries / sizeof *entries);
}
