/* test_transfer.c: what put and get move between host and device comes there
   whole, and nothing beside it: arrays of all sizes around those of the
   pieces, views with gaps, pages, triangles, and orders of work.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

/* An element of each place of its own; in x there is GUARD bytes at both
   ends.  */
enum
{
  GUARD = 64
};

static unsigned char *
host_bytes (size_t bytes, int fill)
{
  unsigned char *x = test_alloc (bytes + 2 * GUARD);
  memset (x, fill, bytes + 2 * GUARD);
  return x + GUARD;
}

static bool
guards_hold (const unsigned char *x, size_t bytes, int fill)
{
  for (int i = 0; i < GUARD; i++)
    if (x[-1 - i] != fill || x[bytes + (size_t) i] != fill)
      return false;
  return true;
}

static size_t
bytes_of (gpu_mat A)
{
  return (size_t) (A.m * A.n * A.pages) * gpu_type_size (A.type);
}

/* The element of the dense host array behind A's place (i, j, k).  */
static unsigned char *
at (unsigned char *x, gpu_mat A, ptrdiff_t i, ptrdiff_t j, ptrdiff_t k)
{
  return x + (size_t) ((k * A.n + j) * A.m + i) * gpu_type_size (A.type);
}

static bool
moves (gpu_uplo uplo, ptrdiff_t i, ptrdiff_t j)
{
  return uplo & GPU_LOWER ? i >= j : i <= j;
}

/* There and back through a view with GAP more rows and columns around it.  */
static void
there_and_back (gpu_ctx *g, gpu_type type, ptrdiff_t m, ptrdiff_t n,
                ptrdiff_t pages, ptrdiff_t gap)
{
  gpu_mat S, A;
  OK (g, gpu_new (g, type, m + gap, n + gap, pages, &S));
  A = gpu_part (S, gap / 2, gap / 2, m, n);
  size_t bytes = bytes_of (A), all = bytes_of (S);
  unsigned char *x = host_bytes (bytes, 0x11), *y = host_bytes (bytes, 0x22);
  unsigned char *whole = host_bytes (all, 0x33);
  test_at ("%td x %td x %td, gap %td", m, n, pages, gap);
  for (size_t i = 0; i < bytes; i++)
    x[i] = (unsigned char) test_bits ();

  memset (whole, 0x44, all);
  OK (g, g->be->put (g, whole, S));
  OK (g, g->be->put (g, x, A));
  OK (g, g->be->get (g, A, y));
  CHECK (!memcmp (x, y, bytes), "came back changed");
  CHECK (guards_hold (y, bytes, 0x22), "written beside the array");
  OK (g, g->be->get (g, S, whole));
  size_t touched = 0;
  for (size_t i = 0; i < all; i++)
    touched += whole[i] == 0x44;
  CHECK (touched >= all - bytes, "written outside the view");

  /* Work that waits on the device comes between.  */
  OK (g, g->be->put (g, x, A));
  OK (g, g->be->zero (g, A));
  OK (g, g->be->get (g, A, y));
  for (size_t i = 0; i < bytes; i++)
    if (y[i])
      {
        CHECK (false, "byte %zu was read before it was cleared", i);
        break;
      }
}

static void
sizes (gpu_ctx *g, gpu_type type)
{
  ptrdiff_t piece = (1 << 20) / (ptrdiff_t) gpu_type_size (type);
  const ptrdiff_t size[][4] = { { 0, 0, 1, 0 },
                                { 0, 5, 2, 0 },
                                { 1, 1, 1, 0 },
                                { 3, 4, 5, 0 },
                                { 3, 4, 5, 2 },
                                { piece - 1, 1, 1, 0 },
                                { piece, 1, 1, 0 },
                                { piece + 1, 1, 1, 0 },
                                { 1, piece + 7, 1, 0 },
                                { 1, piece / 8, 1, 2 },
                                { 2 * piece + 3, 3, 1, 2 },
                                { 5, 17, 4001, 0 },
                                { 5, 17, 401, 3 },
                                { 1021, 1031, 1, 0 },
                                { 1021, 1031, 1, 6 },
                                { 517, 311, 9, 5 },
                                { 2053, 2039, 2, 4 },
                                { 17 * piece + 5, 1, 1, 0 } };
  for (size_t s = 0; s < sizeof size / sizeof *size; s++)
    {
      if (test_quick () && s % 3 == 2)
        continue;
      there_and_back (g, type, size[s][0], size[s][1], size[s][2], size[s][3]);
      test_next (g);
    }
}

/* Only the triangle has to move; what the other one of the host holds is
   kept by a get into zeros.  */
static void
triangle (gpu_ctx *g, gpu_type type, ptrdiff_t n, ptrdiff_t pages,
          gpu_uplo uplo)
{
  gpu_mat A;
  size_t size = gpu_type_size (type);
  OK (g, gpu_new (g, type, n, n, pages, &A));
  size_t bytes = bytes_of (A);
  unsigned char *x = host_bytes (bytes, 0x11), *y = host_bytes (bytes, 0);
  test_at ("n = %td, %td pages, %s", n, pages,
           uplo == GPU_LOWER ? "lower" : "upper");
  for (size_t i = 0; i < bytes; i++)
    x[i] = (unsigned char) test_bits ();
  OK (g, g->be->zero (g, A));
  OK (g, g->be->put_triangle (g, uplo, x, A));
  OK (g, g->be->get (g, A, y));
  bool same = true;
  for (ptrdiff_t k = 0; k < pages; k++)
    for (ptrdiff_t j = 0; j < n; j++)
      for (ptrdiff_t i = 0; i < n; i++)
        if (moves (uplo, i, j))
          same
            = same && !memcmp (at (x, A, i, j, k), at (y, A, i, j, k), size);
        else
          memset (at (x, A, i, j, k), 0, size);
  CHECK (same, "put_triangle");

  OK (g, g->be->put (g, x, A));
  memset (y, 0, bytes);
  OK (g, g->be->get_triangle (g, uplo, A, y));
  CHECK (!memcmp (x, y, bytes), "get_triangle");
  CHECK (guards_hold (y, bytes, 0), "written beside the array");
}

static void
triangles (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t n[] = { 0, 1, 2, 33, 361, 512, 1031, 2203 };
  for (size_t s = 0; s < sizeof n / sizeof *n; s++)
    for (int uplo = GPU_UPPER; uplo <= GPU_LOWER; uplo++)
      {
        if (test_quick () && s == 7)
          continue;
        triangle (g, type, n[s], s % 2 ? 1 : 2, (gpu_uplo) uplo);
        test_next (g);
      }
}

/* What gpu_device tells.  */
static void
counts (gpu_ctx *g, gpu_type type)
{
  gpu_device before, after;
  gpu_mat A;
  unsigned char *x;
  OK (g, gpu_new (g, type, 100, 7, 3, &A));
  x = host_bytes (bytes_of (A), 1);
  g->be->device (g, &before);
  OK (g, g->be->put (g, x, A));
  OK (g, g->be->zero (g, A));
  OK (g, g->be->get (g, A, x));
  OK (g, g->be->get (g, A, x));
  g->be->device (g, &after);
  if (g->be->host_memory)
    return;
  CHECK (after.up - before.up == (double) bytes_of (A), "up %g",
         after.up - before.up);
  CHECK (after.down - before.down == 2 * (double) bytes_of (A), "down %g",
         after.down - before.down);
  CHECK (after.queued > before.queued, "no work counted");
}

int
main (void)
{
  static const test_entry entries[] = {
    { "sizes", sizes, true },
    { "triangles", triangles, true },
    { "counts", counts, true },
  };
  return test_main ("test_transfer", entries,
                    sizeof entries / sizeof *entries);
}
