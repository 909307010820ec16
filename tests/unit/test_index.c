/* test_index.c: indexing and indexed assignment by lists and progressions
   against plain loops; nothing is rounded, so all has to be equal.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

enum
{
  TYPES = GPU_LOGICAL + 1
};

/* Some indices of a dimension, on the host and on the backend.  */
typedef enum
{
  ALL,
  ONE,
  NONE,
  EVERY_OTHER,
  BACKWARD,
  LISTED,
  KINDS
} kind;

typedef struct
{
  ptrdiff_t count;
  int64_t *place;
  gpu_index at;
} places;

static gpu_status
upload (gpu_ctx *g, places *P)
{
  P->at = (gpu_index){ .count = P->count };
  GPU_TRY (gpu_new (g, GPU_INT64, P->count, 1, 1, &P->at.list));
  return g->be->put (g, P->place, P->at.list);
}

/* Places in a dimension of EXTENT; with ONCE none comes twice.  */
static gpu_status
choose (gpu_ctx *g, kind what, ptrdiff_t extent, bool once, places *P)
{
  gpu_index *at = &P->at;
  *at = (gpu_index){ 0 };
  if (what == ALL)
    *at = (gpu_index){ .count = extent, .step = 1 };
  if (what == ONE && extent > 0)
    *at = (gpu_index){ .count = 1, .first = extent - 1, .step = 99 };
  if (what == EVERY_OTHER)
    *at = (gpu_index){ .count = extent / 2, .first = extent > 1, .step = 2 };
  if (what == BACKWARD)
    *at = (gpu_index){ .count = extent, .first = extent - 1, .step = -1 };
  P->count = at->count;
  if (what == LISTED && extent > 0)
    P->count = extent + (once ? 0 : 3);
  P->place = test_alloc ((size_t) P->count * sizeof *P->place + 1);
  for (ptrdiff_t i = 0; i < P->count; i++)
    P->place[i] = at->first + i * at->step;
  if (what != LISTED)
    return GPU_OK;
  for (ptrdiff_t i = 0; i < P->count; i++)
    P->place[i] = once ? i : (int64_t) (test_bits () >> 8) % extent;
  for (ptrdiff_t i = P->count - 1; i > 0 && once; i--)
    {
      ptrdiff_t j = (ptrdiff_t) (test_bits () >> 8) % (i + 1);
      int64_t other = P->place[j];
      P->place[j] = P->place[i];
      P->place[i] = other;
    }
  return upload (g, P);
}

/* Numbers that every type holds.  */
static ref
numbers (gpu_type type, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages)
{
  ref A = ref_new (type, m, n, pages);
  for (size_t i = 0; i < ref_count (A); i++)
    {
      double re = floor (100 * test_uniform ());
      A.x[i] = type == GPU_LOGICAL     ? re > 0
               : gpu_is_complex (type) ? CMPLX (re, test_uniform ())
                                       : re;
    }
  return A;
}

static gpu_status
read_back (gpu_ctx *g, gpu_mat C, ref *X)
{
  dev D = { C, C };
  return dev_get (g, D, X);
}

static const ptrdiff_t shapes[][3]
  = { { 1, 1, 1 },   { 7, 1, 1 },   { 1, 9, 1 },   { 1, 1, 5 },
      { 5, 4, 3 },   { 0, 3, 1 },   { 33, 65, 2 }, { 1, 5, 31 },
      { 300, 2, 1 }, { 2, 300, 1 }, { 2, 3, 77 },  { 257, 19, 3 } };

static void
get (gpu_ctx *g, gpu_type unused)
{
  const size_t count = sizeof shapes / sizeof *shapes;
  (void) unused;
  for (size_t s = 0; s < count; s++)
    for (int type = 0; type < TYPES; type++)
      for (int kinds = 0; kinds < KINDS * KINDS * KINDS; kinds++)
        {
          const ptrdiff_t *size = shapes[s];
          static const gpu_op ops[] = { GPU_N, GPU_T, GPU_C };
          gpu_op op = ops[kinds % (gpu_is_complex ((gpu_type) type) ? 3 : 2)];
          const int what[]
            = { kinds % KINDS, kinds / KINDS % KINDS, kinds / KINDS / KINDS };
          ref A, C, want;
          dev D;
          gpu_mat X;
          places P[3];
          if ((kinds + type) % (test_quick () ? 41 : 5))
            continue;
          test_at ("%s %td x %td x %td, kinds %d %d %d, op %d",
                   test_type_name ((gpu_type) type), size[0], size[1], size[2],
                   what[0], what[1], what[2], (int) op);
          A = numbers ((gpu_type) type, size[0], size[1], size[2]);
          OK (g, dev_put (g, A, op, kinds % 4 > 0, &D));
          for (int d = 0; d < 3; d++)
            OK (g, choose (g, (kind) what[d], size[d], false, &P[d]));
          want = ref_new ((gpu_type) type, P[0].count, P[1].count, P[2].count);
          for (ptrdiff_t k = 0; k < want.pages; k++)
            for (ptrdiff_t j = 0; j < want.n; j++)
              for (ptrdiff_t i = 0; i < want.m; i++)
                AT (want, i, j, k)
                  = AT (A, P[0].place[i], P[1].place[j], P[2].place[k]);
          const gpu_index at[] = { P[0].at, P[1].at, P[2].at };
          OK (g, gpu_index_get (g, D.view, at, &X));
          CHECK (X.m == want.m && X.n == want.n && X.pages == want.pages
                   && X.type == (gpu_type) type,
                 "%td x %td x %td", X.m, X.n, X.pages);
          OK (g, read_back (g, X, &C));
          CHECK (ref_same (C, want), "wrong elements");
          /* Into a part of a larger array.  */
          C = ref_new ((gpu_type) type, want.m, want.n, want.pages);
          if (op == GPU_N)
            {
              dev to;
              OK (g, dev_put (g, C, GPU_N, true, &to));
              OK (g, g->be->gather (g, D.view, at, to.view));
              OK (g, dev_get (g, to, &C));
              CHECK (ref_same (C, want), "wrong elements in a part");
            }
          test_next (g);
        }
}

/* What B is: of the size of the places, one element of the backend, a
   number, or turned: its dimensions of 1 elsewhere.  */
typedef enum
{
  WHOLE,
  ELEMENT,
  NUMBER,
  TURNED,
  SHAPES
} shape;

static void
set (gpu_ctx *g, gpu_type unused)
{
  const size_t count = sizeof shapes / sizeof *shapes;
  (void) unused;
  for (size_t s = 0; s < count; s++)
    for (int type = 0; type < TYPES; type++)
      for (int kinds = 0; kinds < KINDS * KINDS * KINDS; kinds++)
        {
          const ptrdiff_t *size = shapes[s];
          const shape form = (shape) ((kinds + (int) s) % SHAPES);
          const int what[]
            = { kinds % KINDS, kinds / KINDS % KINDS, kinds / KINDS / KINDS };
          ref A, B, C, want;
          dev dA, dB;
          gpu_mat X;
          gpu_operand b;
          places P[3];
          if ((kinds + type) % (test_quick () ? 41 : 5)
              || (form == NUMBER && type > GPU_CDOUBLE && type != GPU_LOGICAL))
            continue;
          test_at ("%s %td x %td x %td, kinds %d %d %d, form %d",
                   test_type_name ((gpu_type) type), size[0], size[1], size[2],
                   what[0], what[1], what[2], (int) form);
          for (int d = 0; d < 3; d++)
            OK (g, choose (g, (kind) what[d], size[d], true, &P[d]));
          const ptrdiff_t m = P[0].count, n = P[1].count, pages = P[2].count;
          A = numbers ((gpu_type) type, size[0], size[1], size[2]);
          B = form == WHOLE || form == TURNED
                ? numbers ((gpu_type) type, m, n, pages)
                : numbers ((gpu_type) type, 1, 1, 1);
          want = ref_copy (A);
          for (ptrdiff_t k = 0; k < pages; k++)
            for (ptrdiff_t j = 0; j < n; j++)
              for (ptrdiff_t i = 0; i < m; i++)
                AT (want, P[0].place[i], P[1].place[j], P[2].place[k])
                  = ref_count (B) == 1 ? B.x[0] : AT (B, i, j, k);
          if (form == TURNED && (m == 1 || n == 1 || pages == 1))
            {
              /* The same elements, the first dimension of 1 put last.  */
              B.pages = m == 1 || n == 1 ? 1 : pages;
              B.n = m == 1 || n == 1 ? pages : n;
              B.m = m == 1 ? n : m;
            }
          OK (g, dev_put (g, A, GPU_N, kinds % 2, &dA));
          OK (g, dev_put (g, B, GPU_N, kinds % 3 == 0, &dB));
          b = (gpu_operand){ dB.view, 0, 0 };
          if (form == NUMBER)
            b = (gpu_operand){ { .type = (gpu_type) type },
                               creal (B.x[0]),
                               cimag (B.x[0]) };
          const gpu_index at[] = { P[0].at, P[1].at, P[2].at };
          OK (g, gpu_index_set (g, dA.view, at, b, &X));
          CHECK (X.m == A.m && X.n == A.n && X.pages == A.pages
                   && X.type == A.type,
                 "%td x %td x %td", X.m, X.n, X.pages);
          OK (g, read_back (g, X, &C));
          CHECK (ref_same (C, want), "wrong elements");
          OK (g, dev_get (g, dA, &C));
          CHECK (ref_same (C, A), "A changed");
          /* Into a part of a larger array.  */
          if (form != TURNED)
            {
              OK (g, g->be->scatter (g, b, dA.view, at));
              OK (g, dev_get (g, dA, &C));
              CHECK (ref_same (C, want), "wrong elements in a part");
            }
          test_next (g);
        }
}

/* Each place is left once in the list, where it came last.  */
static void
check_last (const int64_t *before, const int64_t *after, ptrdiff_t count,
            ptrdiff_t extent)
{
  ptrdiff_t *last = test_alloc ((size_t) extent * sizeof *last);
  size_t bad = 0;
  for (ptrdiff_t i = 0; i < count; i++)
    last[before[i]] = i;
  for (ptrdiff_t i = 0; i < count; i++)
    bad += after[i] != (last[before[i]] == i ? before[i] : -1);
  CHECK (bad == 0, "%zu of %td places wrong", bad, count);
}

/* A(list) = B by linear index, long, with places that come several times; in
   two dimensions the order of assignments decides too.  */
static void
duplicates (gpu_ctx *g, gpu_type type)
{
  const ptrdiff_t long_count = test_quick () ? 1003 : 1000003;
  for (int two = 0; two < 2; two++)
    for (int sorted = 0; sorted < 2; sorted++)
      {
        const ptrdiff_t m = two ? 37 : long_count, n = two ? 41 : 1;
        ref A = numbers (type, m, n, 1), B, C;
        places P[3] = { { .count = two ? 101 : m },
                        { .count = two ? 77 : 1 },
                        { .count = 1 } };
        dev dA, dB;
        gpu_mat X;
        test_at ("%td x %td, %s", m, n, sorted ? "rising" : "random");
        for (int d = 0; d < 3; d++)
          {
            const ptrdiff_t extent = d == 0 ? m : d == 1 ? n : 1;
            P[d].place = test_alloc ((size_t) P[d].count * sizeof *P[d].place);
            for (ptrdiff_t i = 0; i < P[d].count; i++)
              P[d].place[i] = sorted ? i * extent / P[d].count
                                     : (int64_t) (test_bits () >> 8) % extent;
          }
        B = numbers (type, P[0].count, P[1].count, 1);
        OK (g, dev_put (g, A, GPU_N, false, &dA));
        OK (g, dev_put (g, B, GPU_N, false, &dB));
        for (ptrdiff_t j = 0; j < B.n; j++)
          for (ptrdiff_t i = 0; i < B.m; i++)
            AT (A, P[0].place[i], P[1].place[j], 0) = AT (B, i, j, 0);
        for (int d = 0; d < 3; d++)
          {
            const ptrdiff_t extent = d == 0 ? m : d == 1 ? n : 1;
            const size_t bytes = (size_t) extent / 8 + 1;
            unsigned char *seen = test_alloc (bytes);
            memset (seen, 0, bytes);
            const size_t size = (size_t) P[d].count * sizeof *P[d].place;
            int64_t *before = test_alloc (size);
            memcpy (before, P[d].place, size);
            gpu_last_wins (P[d].place, P[d].count, seen);
            check_last (before, P[d].place, P[d].count, extent);
            OK (g, upload (g, &P[d]));
          }
        const gpu_index at[] = { P[0].at, P[1].at, P[2].at };
        OK (g, gpu_index_set (g, dA.view, at, (gpu_operand){ dB.view, 0, 0 },
                              &X));
        OK (g, read_back (g, X, &C));
        CHECK (ref_same (C, A), "wrong elements");
        test_next (g);
      }
}

/* The type of the result, and the values in it.  */
static void
types (gpu_ctx *g, gpu_type unused)
{
  static const struct
  {
    gpu_type A, B, C;
  } rules[] = { { GPU_DOUBLE, GPU_SINGLE, GPU_DOUBLE },
                { GPU_SINGLE, GPU_DOUBLE, GPU_SINGLE },
                { GPU_SINGLE, GPU_CDOUBLE, GPU_CSINGLE },
                { GPU_DOUBLE, GPU_CSINGLE, GPU_CDOUBLE },
                { GPU_CDOUBLE, GPU_DOUBLE, GPU_CDOUBLE },
                { GPU_CSINGLE, GPU_LOGICAL, GPU_CSINGLE },
                { GPU_DOUBLE, GPU_LOGICAL, GPU_DOUBLE },
                { GPU_LOGICAL, GPU_DOUBLE, GPU_LOGICAL },
                { GPU_LOGICAL, GPU_SINGLE, GPU_DOUBLE },
                { GPU_LOGICAL, GPU_CSINGLE, GPU_CDOUBLE } };
  (void) unused;
  for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
    for (int number = 0; number < 2; number++)
      {
        ref A = numbers (rules[r].A, 5, 4, 1), C;
        ref B = numbers (rules[r].B, 5, number ? 1 : 4, 1);
        dev dA, dB;
        gpu_mat X;
        const gpu_index at[] = { { .count = 5, .step = 1 },
                                 { .count = number ? 1 : 4, .step = 1 },
                                 { .count = 1 } };
        test_at ("%s into %s%s", test_type_name (B.type),
                 test_type_name (A.type), number ? ", a number" : "");
        OK (g, dev_put (g, A, GPU_N, false, &dA));
        OK (g, dev_put (g, B, GPU_N, false, &dB));
        gpu_operand b = { dB.view, 0, 0 };
        if (number)
          b = (gpu_operand){ { .type = B.type },
                             creal (B.x[0]),
                             cimag (B.x[0]) };
        OK (g, gpu_index_set (g, dA.view, at, b, &X));
        CHECK (X.type == rules[r].C, "gives %s", test_type_name (X.type));
        OK (g, read_back (g, X, &C));
        for (ptrdiff_t i = 0; i < 20; i++)
          {
            cx z = number && i < 5 ? B.x[0] : number ? A.x[i] : B.x[i];
            A.x[i] = X.type == GPU_LOGICAL ? z != 0 : ref_rounded (X.type, z);
          }
        CHECK (ref_same (C, A), "wrong elements");
        test_next (g);
      }
}

static void
arguments (gpu_ctx *g, gpu_type unused)
{
  gpu_mat A, B, C;
  const gpu_index all[] = { { .count = 3, .step = 1 },
                            { .count = 4, .step = 1 },
                            { .count = 1, .step = 1 } };
  (void) unused;
  OK (g, gpu_new (g, GPU_DOUBLE, 3, 4, 1, &A));
  OK (g, gpu_new (g, GPU_DOUBLE, 4, 3, 1, &B));
  CHECK (gpu_index_set (g, A, all, (gpu_operand){ B, 0, 0 }, &C) == GPU_ESIZE
           && strcmp (g->message, "=: nonconformant arguments (op1 is 3x4, "
                                  "op2 is 4x3)")
                == 0,
         "\"%s\"", g->message);
  B = gpu_part (B, 0, 0, 3, 3);
  CHECK (gpu_index_set (g, A, all, (gpu_operand){ B, 0, 0 }, &C) == GPU_ESIZE,
         "fewer columns");
  OK (g, gpu_new (g, GPU_DOUBLE, 3, 4, 2, &B));
  CHECK (gpu_index_set (g, A, all, (gpu_operand){ B, 0, 0 }, &C) == GPU_ESIZE
           && strcmp (g->message, "=: nonconformant arguments (op1 is 3x4, "
                                  "op2 is 3x4x2)")
                == 0,
         "\"%s\"", g->message);
  for (int d = 0; d < 3; d++)
    for (int wrong = 0; wrong < 4; wrong++)
      {
        gpu_index at[] = { all[0], all[1], all[2] };
        test_at ("dimension %d, wrong %d", d, wrong);
        if (wrong == 0)
          at[d].first = -1;
        if (wrong == 1)
          at[d].count++;
        if (wrong == 2)
          at[d] = (gpu_index){ .count = 1, .first = 4 };
        if (wrong == 3)
          at[d] = (gpu_index){ .count = 2, .step = -1 };
        CHECK (gpu_index_get (g, A, at, &C) == GPU_EARG, "got");
        CHECK (gpu_index_set (g, A, at, (gpu_operand){ { 0 }, 1, 0 }, &C)
                 == GPU_EARG,
               "set");
      }
}

int
main (void)
{
  static const test_entry entries[] = {
    { "get", get, false },
    { "set", set, false },
    { "duplicates", duplicates, true },
    { "types", types, false },
    { "arguments", arguments, false },
  };
  return test_main ("test_index", entries, sizeof entries / sizeof *entries);
}
