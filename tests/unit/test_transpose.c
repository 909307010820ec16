/* test_transpose.c: gpu_transpose and the copies below it, all eight types:
   every byte of the result, of what lies around it and of the source.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

enum
{
  TYPES = 8
};

/* Where the matrices lie in their arrays.  */
typedef enum
{
  PACKED, /* they are the arrays */
  INSIDE, /* amid rows and columns of others */
  BEHIND, /* behind a page, so at an odd place where that is of odd size */
  PLACES
} place;

static const char *const place_names[PLACES] = { "", " inside", " behind" };

/* Around the tiles and runs of the kernels, primes, vectors, small pages.  */
static const ptrdiff_t shapes[][3] = {
  { 0, 0, 1 },      { 0, 3, 1 },      { 3, 0, 2 },       { 2, 2, 0 },
  { 1, 1, 1 },      { 1, 1, 9 },      { 1, 31, 1 },      { 31, 1, 1 },
  { 1, 7, 30 },     { 7, 1, 30 },     { 2, 2, 1 },       { 3, 5, 41 },
  { 4, 4, 300 },    { 5, 3, 7 },      { 16, 16, 17 },    { 17, 13, 61 },
  { 31, 29, 3 },    { 32, 32, 5 },    { 40, 48, 3 },     { 64, 64, 1 },
  { 64, 64, 3 },    { 65, 33, 2 },    { 3, 1003, 1 },    { 1003, 3, 1 },
  { 4, 1024, 2 },   { 1024, 4, 2 },   { 7, 333, 3 },     { 333, 7, 3 },
  { 16, 512, 1 },   { 12, 640, 1 },   { 640, 12, 1 },    { 19, 1031, 1 },
  { 1031, 19, 1 },  { 129, 131, 1 },  { 128, 128, 1 },   { 96, 160, 1 },
  { 127, 127, 2 },  { 100, 99, 3 },   { 256, 512, 1 },   { 131, 259, 2 },
  { 2, 2, 70001 },  { 17, 13, 501 },  { 31, 8003, 1 },   { 8003, 31, 1 },
  { 3, 100003, 1 }, { 100003, 3, 1 }, { 1021, 1019, 1 }, { 640, 1024, 1 },
};
enum
{
  SHAPES = sizeof shapes / sizeof *shapes
};

static bool
is_skipped (ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages)
{
  return test_quick () && m * n * pages > 20000;
}

typedef struct
{
  gpu_mat whole, part;
  size_t bytes;
  char *x; /* what the whole must hold */
} matrix;

/* An array with an m x n x pages matrix at PLACE; no byte makes a NaN.  */
static gpu_status
make (gpu_ctx *g, gpu_type type, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages,
      place at, matrix *A)
{
  ptrdiff_t edge = at == INSIDE ? 1 : 0, skip = at == BEHIND ? 1 : 0;
  GPU_TRY (
    gpu_new (g, type, m + 3 * edge, n + 2 * edge, pages + skip, &A->whole));
  A->part = gpu_part (gpu_page (A->whole, skip), edge, edge, m, n);
  A->part.pages = pages;
  A->bytes = (size_t) (A->whole.step * A->whole.pages) * gpu_type_size (type);
  A->x = test_alloc (A->bytes + 8);
  for (size_t i = 0; i < A->bytes; i += 8)
    {
      uint64_t bits = test_bits () & UINT64_C (0xbfbfbfbfbfbfbfbf);
      memcpy (A->x + i, &bits, 8);
    }
  return g->be->put (g, A->x, A->whole);
}

static bool
is_there (gpu_ctx *g, matrix A)
{
  char *y = test_alloc (A.bytes + 1);
  return g->be->get (g, A.whole, y) == GPU_OK && !memcmp (A.x, y, A.bytes);
}

/* Element (i, j) of page k on the host.  */
static char *
element (matrix A, ptrdiff_t i, ptrdiff_t j, ptrdiff_t k)
{
  gpu_mat S = A.part;
  ptrdiff_t size = (ptrdiff_t) gpu_type_size (S.type);
  return A.x + ((char *) S.p - (char *) A.whole.p)
         + (i + j * S.ld + k * S.step) * size;
}

/* B = A.' or, with CONJ, B = A' on the host; X holds what A held.  */
static void
expect (matrix A, matrix B, bool conj)
{
  gpu_mat S = A.part;
  size_t size = gpu_type_size (S.type);
  bool flip = conj && gpu_is_complex (S.type);
  for (ptrdiff_t k = 0; k < S.pages; k++)
    for (ptrdiff_t j = 0; j < S.n; j++)
      for (ptrdiff_t i = 0; i < S.m; i++)
        {
          char *b = element (B, j, i, k);
          memcpy (b, element (A, i, j, k), size);
          if (flip)
            b[size - 1] = (char) (b[size - 1] ^ 0x80);
        }
}

static gpu_mat
turned (gpu_mat A, bool conj)
{
  return conj ? gpu_adjoint (A) : gpu_transposed (A);
}

/* B = op (A); with a destination of another op, op (B) = A.  */
static void
one (gpu_ctx *g, gpu_type type, const ptrdiff_t *s, place at, bool conj,
     bool into)
{
  matrix A, B;
  test_at ("%s %tdx%tdx%td%s%s%s", test_type_name (type), s[0], s[1], s[2],
           place_names[at], conj ? " conjugate" : "", into ? " into" : "");
  OK (g, make (g, type, s[0], s[1], s[2], at, &A));
  OK (g, make (g, type, s[1], s[0], s[2], at, &B));
  if (into)
    OK (g, gpu_transpose (g, A.part, turned (B.part, conj)));
  else
    OK (g, gpu_transpose (g, turned (A.part, conj), B.part));
  expect (A, B, conj);
  CHECK (is_there (g, B), "transposition");
  CHECK (is_there (g, A), "changed its source");
  test_next (g);
}

static void
transpose (gpu_ctx *g, gpu_type unused)
{
  (void) unused;
  for (int s = 0; s < SHAPES; s++)
    for (int type = 0; type < TYPES; type++)
      for (int at = 0; at < PLACES; at++)
        for (int conj = 0; conj < 2; conj++)
          {
            const ptrdiff_t *m = shapes[s];
            bool is_complex = gpu_is_complex ((gpu_type) type);
            if (is_skipped (m[0], m[1], m[2]) || (conj && !is_complex))
              continue;
            one (g, (gpu_type) type, m, (place) at, conj, false);
            if (at == BEHIND && (conj || !is_complex))
              one (g, (gpu_type) type, m, (place) at, conj, true);
          }
}

/* A = A.' and A = A'.  */
static void
in_place (gpu_ctx *g, gpu_type unused)
{
  static const ptrdiff_t sizes[][2]
    = { { 0, 1 },   { 1, 1 },   { 2, 1 },    { 31, 1 }, { 64, 1 },
        { 65, 1 },  { 130, 1 }, { 500, 1 },  { 1, 20 }, { 2, 999 },
        { 13, 40 }, { 32, 7 },  { 64, 3 },   { 65, 3 }, { 127, 2 },
        { 300, 2 }, { 577, 1 }, { 2, 70001 } };
  (void) unused;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int type = 0; type < TYPES; type++)
      for (int at = 0; at < PLACES; at++)
        for (int conj = 0; conj < 2; conj++)
          {
            ptrdiff_t n = sizes[s][0], pages = sizes[s][1];
            matrix A, B;
            if (is_skipped (n, n, pages))
              continue;
            test_at ("%s %tdx%tdx%td%s", test_type_name ((gpu_type) type), n,
                     n, pages, place_names[at]);
            OK (g, make (g, (gpu_type) type, n, n, pages, (place) at, &A));
            OK (g, gpu_transpose (g, turned (A.part, conj), A.part));
            B = A;
            B.x = test_alloc (A.bytes + 1);
            memcpy (B.x, A.x, A.bytes);
            expect (A, B, conj);
            CHECK (is_there (g, B), "transposition in place");
            test_next (g);
          }
}

/* Vectors stay where they are; their pages too.  */
static void
vectors (gpu_ctx *g, gpu_type unused)
{
  (void) unused;
  for (int type = 0; type < TYPES; type++)
    for (ptrdiff_t pages = 1; pages < 4; pages += 2)
      for (int row = 0; row < 2; row++)
        {
          ptrdiff_t n = 1001;
          matrix A, B;
          gpu_mat turn;
          test_at ("%s %s of %td x %td", test_type_name ((gpu_type) type),
                   row ? "row" : "column", n, pages);
          OK (g, make (g, (gpu_type) type, row ? 1 : n, row ? n : 1, pages,
                       PACKED, &A));
          turn = A.part;
          turn.m = A.part.n;
          turn.n = A.part.m;
          turn.ld = turn.m;
          OK (g, gpu_transpose (g, turned (A.part, true), turn));
          B = A;
          B.part = turn;
          expect (A, B, true);
          CHECK (is_there (g, B), "transposition of a vector in place");
          test_next (g);
        }
}

static void
arguments (gpu_ctx *g, gpu_type unused)
{
  gpu_mat A, B, C;
  (void) unused;
  OK (g, gpu_new (g, GPU_DOUBLE, 4, 6, 2, &A));
  OK (g, gpu_new (g, GPU_DOUBLE, 4, 6, 2, &B));
  OK (g, gpu_new (g, GPU_INT64, 6, 4, 2, &C));
  CHECK (gpu_transpose (g, gpu_transposed (A), B) == GPU_EARG, "sizes");
  CHECK (gpu_transpose (g, gpu_transposed (A), C) == GPU_EARG, "types");
  C = A;
  C.m = 6;
  C.n = 4;
  C.ld = 6;
  CHECK (gpu_transpose (g, gpu_transposed (A), C) == GPU_EARG,
         "in place, but not square");
}

/* More than 2^31 elements, put and checked some columns at a time.  */
static unsigned char
pattern (ptrdiff_t i, ptrdiff_t j)
{
  uint32_t x = (uint32_t) i * UINT32_C (2654435761)
               + (uint32_t) j * UINT32_C (2246822519);
  return (unsigned char) ((x ^ x >> 13) >> 15);
}

static void
huge (gpu_ctx *g, gpu_type unused)
{
  const ptrdiff_t m = 46349, n = 46337, some = 1024;
  gpu_mat A, B;
  gpu_device d;
  (void) unused;
  g->be->device (g, &d);
  if (g->be->host_memory || test_quick ()
      || d.free_memory < 2.5 * (double) m * (double) n)
    return;
  unsigned char *x = test_alloc ((size_t) (m * some));
  OK (g, gpu_new (g, GPU_INT8, m, n, 1, &A));
  OK (g, gpu_new (g, GPU_INT8, n, m, 1, &B));
  OK (g, g->be->zero (g, B));
  for (ptrdiff_t j0 = 0; j0 < n; j0 += some)
    {
      ptrdiff_t columns = n - j0 < some ? n - j0 : some;
      for (ptrdiff_t j = 0; j < columns; j++)
        for (ptrdiff_t i = 0; i < m; i++)
          x[i + j * m] = pattern (i, j0 + j);
      OK (g, g->be->put (g, x, gpu_part (A, 0, j0, m, columns)));
      /* put may return before it has read x.  */
      OK (g, g->be->get (g, gpu_part (A, 0, j0, 1, 1), x));
    }
  OK (g, gpu_transpose (g, gpu_transposed (A), B));
  size_t bad = 0;
  for (ptrdiff_t j0 = 0; j0 < m; j0 += some)
    {
      ptrdiff_t columns = m - j0 < some ? m - j0 : some;
      OK (g, g->be->get (g, gpu_part (B, 0, j0, n, columns), x));
      for (ptrdiff_t j = 0; j < columns; j++)
        for (ptrdiff_t i = 0; i < n; i++)
          bad += x[i + j * n] != pattern (j0 + j, i);
    }
  CHECK (bad == 0, "%zu wrong elements of %td x %td", bad, m, n);
}

int
main (void)
{
  static const test_entry entries[] = {
    { "transpose", transpose, false }, { "in_place", in_place, false },
    { "vectors", vectors, false },     { "arguments", arguments, false },
    { "huge", huge, false },
  };
  return test_main ("test_transpose", entries,
                    sizeof entries / sizeof *entries);
}
