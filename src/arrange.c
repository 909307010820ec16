/* arrange.c: permutations of dimensions, concatenation, repetition, bands and
   diagonals, each by few copies between views.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gpu.h"

/* Elements of A from place AT of its storage on, as an m x n view.  */
static gpu_mat
view_from (gpu_mat A, ptrdiff_t at, ptrdiff_t m, ptrdiff_t n, ptrdiff_t ld)
{
  A.p = (char *) A.p + at * (ptrdiff_t) gpu_type_size (A.type);
  A.m = m;
  A.n = n;
  A.ld = ld;
  A.pages = 1;
  A.step = m * n;
  A.op = GPU_N;
  return A;
}

gpu_status
gpu_dense (gpu_ctx *g, gpu_mat A, gpu_mat *D)
{
  *D = A;
  if (A.op == GPU_N && gpu_is_dense (A))
    return GPU_OK;
  GPU_TRY (gpu_new (g, A.type, A.m, A.n, A.pages, D));
  return g->be->copy (g, A, *D);
}

/* A dense array's dimension, and how far its elements lie apart before and
   after a permutation.  */
typedef struct
{
  ptrdiff_t size, before, after;
} dimension;

/* The three dimensions, of 1 after the others, so that the first of the others
   has neighbours in storage.  */
static void
sort_dimensions (gpu_mat A, const int perm[3], dimension d[3])
{
  const ptrdiff_t size[] = { A.m, A.n, A.pages };
  ptrdiff_t before = 1, after = 1;
  ptrdiff_t reach[3];
  int used = 0;
  for (int i = 0; i < 3; i++)
    {
      reach[perm[i] - 1] = after;
      after *= size[perm[i] - 1];
    }
  for (int single = 0; single < 2; single++)
    for (int i = 0; i < 3; i++)
      if ((size[i] == 1) == single)
        {
          d[used++] = (dimension){ size[i], before, reach[i] };
          before *= size[i];
        }
}

/* The copy is one of matrices, the third dimension being the pages.  The first
   dimensions before and after have to be among those of the matrix: if they
   differ, it is a transposition.  */
gpu_status
gpu_permute (gpu_ctx *g, gpu_mat A, const int perm[3], gpu_mat *C)
{
  const ptrdiff_t size[] = { A.m, A.n, A.pages };
  int met = 0;
  for (int i = 0; i < 3; i++)
    if (perm[i] >= 1 && perm[i] <= 3)
      met |= 1 << perm[i];
  if (met != 14)
    return gpu_fail (g, GPU_EARG, "PERM is not a permutation of 1, 2, 3");
  GPU_TRY (gpu_new (g, A.type, size[perm[0] - 1], size[perm[1] - 1],
                    size[perm[2] - 1], C));
  if (A.m * A.n * A.pages == 0)
    return GPU_OK;

  gpu_mat D, from, to;
  dimension d[3];
  GPU_TRY (gpu_dense (g, A, &D));
  sort_dimensions (D, perm, d);
  int second = d[0].after != 1 && d[1].after != 1 ? 2 : 1, pages = 3 - second;
  if (d[0].after == 1)
    to = view_from (*C, 0, d[0].size, d[second].size, d[second].after);
  else
    to = gpu_transposed (
      view_from (*C, 0, d[second].size, d[0].size, d[0].after));
  from = view_from (D, 0, d[0].size, d[second].size, d[second].before);
  from.pages = to.pages = d[pages].size;
  from.step = d[pages].before;
  to.step = d[pages].after;
  GPU_TRY (g->be->copy (g, from, to));
  if (D.p != A.p)
    gpu_free (g, D);
  return GPU_OK;
}

static gpu_status
mismatch (gpu_ctx *g, int dim, const ptrdiff_t a[3], const ptrdiff_t b[3])
{
  const char *what = dim == 1   ? "vertical dimensions mismatch"
                     : dim == 2 ? "horizontal dimensions mismatch"
                                : "cat: dimension mismatch";
  gpu_mat A = { .m = a[0], .n = a[1], .pages = a[2] };
  gpu_mat B = { .m = b[0], .n = b[1], .pages = b[2] };
  return gpu_fail (g, GPU_ESIZE, "%s (%s vs %s)", what, gpu_size_text (A).text,
                   gpu_size_text (B).text);
}

/* 1 x 0 or 0 x 1.  */
static bool
is_small (const ptrdiff_t size[3])
{
  return size[0] + size[1] == 1 && size[2] == 1;
}

/* SIZE and then NEXT along dimension DIM.  Octave leaves out what does not fit
   and is 0 x 0, and in a matrix also what is 1 x 0 or 0 x 1.  */
static gpu_status
append (gpu_ctx *g, int dim, ptrdiff_t size[3], const ptrdiff_t next[3])
{
  bool match = true, matrix = dim < 3;
  for (int d = 0; d < 3; d++)
    match &= d == dim - 1 || size[d] == next[d];
  if (match)
    {
      size[dim - 1] += next[dim - 1];
      return GPU_OK;
    }
  if (next[0] + next[1] == 0 && next[2] == 1)
    return GPU_OK;
  if (matrix && is_small (next))
    {
      if (is_small (size))
        size[0] = size[1] = 0;
      return GPU_OK;
    }
  if ((size[0] + size[1] > 0 || size[2] != 1) && !(matrix && is_small (size)))
    return mismatch (g, dim, size, next);
  for (int d = 0; d < 3; d++)
    size[d] = next[d];
  return GPU_OK;
}

gpu_status
gpu_cat (gpu_ctx *g, int dim, int count, const gpu_mat *A, gpu_mat *C)
{
  ptrdiff_t size[3], at = 0;
  gpu_type type;
  if (dim < 1 || dim > 3)
    return gpu_fail (g, GPU_EARG, "DIM must be 1, 2 or 3, but is %d", dim);
  if (count < 1)
    return gpu_fail (g, GPU_EARG, "there is nothing to concatenate");
  type = A[0].type;
  for (int i = 0; i < count; i++)
    {
      const ptrdiff_t next[] = { A[i].m, A[i].n, A[i].pages };
      if (A[i].type != type)
        type = gpu_common_type (type, A[i].type);
      if (i > 0)
        GPU_TRY (append (g, dim, size, next));
      else
        for (int d = 0; d < 3; d++)
          size[d] = next[d];
    }
  GPU_TRY (gpu_new (g, type, size[0], size[1], size[2], C));
  for (int i = 0; i < count; i++)
    {
      gpu_mat D = A[i], to = *C;
      if (D.m * D.n * D.pages == 0)
        continue;
      if (D.type != type)
        GPU_TRY (gpu_cast (g, D, type, &D));
      if (dim == 1)
        to = gpu_part (to, at, 0, D.m, D.n);
      else if (dim == 2)
        to = gpu_part (to, 0, at, D.m, D.n);
      else
        {
          to = gpu_page (to, at);
          to.pages = D.pages;
        }
      GPU_TRY (g->be->copy (g, D, to));
      if (D.p != A[i].p)
        gpu_free (g, D);
      at += dim == 1 ? D.m : dim == 2 ? D.n : D.pages;
    }
  return GPU_OK;
}

/* The part of C with SIZE elements from AT on in dimension D, and as many as
   FULL says in the others.  */
static gpu_mat
slab (gpu_mat C, const ptrdiff_t full[3], int d, ptrdiff_t at, ptrdiff_t size)
{
  C = gpu_part (gpu_page (C, d == 2 ? at : 0), d == 0 ? at : 0,
                d == 1 ? at : 0, d == 0 ? size : full[0],
                d == 1 ? size : full[1]);
  C.pages = d == 2 ? size : full[2];
  return C;
}

/* Dimensions of 1 are repeated by indexing with equal places; then the others
   one by one, by copies of what is there, each twice the last.  */
gpu_status
gpu_repmat (gpu_ctx *g, gpu_mat A, const ptrdiff_t count[3], gpu_mat *C)
{
  const ptrdiff_t size[] = { A.m, A.n, A.pages };
  ptrdiff_t done[3], all[3];
  gpu_index at[3];
  gpu_mat D;
  for (int d = 0; d < 3; d++)
    {
      if (count[d] < 0)
        return gpu_fail (g, GPU_EARG, "a number of copies is negative");
      all[d] = size[d] * count[d];
      done[d] = size[d] == 1 ? count[d] : size[d];
      at[d] = (gpu_index){ .count = done[d], .step = size[d] > 1 };
    }
  GPU_TRY (gpu_new (g, A.type, all[0], all[1], all[2], C));
  if (all[0] == 0 || all[1] == 0 || all[2] == 0)
    return GPU_OK;
  GPU_TRY (gpu_dense (g, A, &D));
  GPU_TRY (g->be->gather (g, D, at, slab (*C, done, 0, 0, done[0])));
  for (int d = 0; d < 3; d++)
    while (done[d] < all[d])
      {
        ptrdiff_t left = all[d] - done[d];
        ptrdiff_t some = left < done[d] ? left : done[d];
        GPU_TRY (g->be->copy (g, slab (*C, done, d, 0, some),
                              slab (*C, done, d, done[d], some)));
        done[d] += some;
      }
  if (D.p != A.p)
    gpu_free (g, D);
  return GPU_OK;
}

gpu_status
gpu_band (gpu_ctx *g, gpu_mat A, ptrdiff_t lo, ptrdiff_t hi, gpu_mat *C)
{
  gpu_mat D;
  GPU_TRY (gpu_dense (g, A, &D));
  GPU_TRY (gpu_new (g, A.type, A.m, A.n, A.pages, C));
  GPU_TRY (g->be->band (g, D, lo, hi, *C));
  if (D.p != A.p)
    gpu_free (g, D);
  return GPU_OK;
}

/* Diagonal K of A, n elements, as a row.  */
static gpu_mat
diagonal (gpu_mat A, ptrdiff_t k, ptrdiff_t n)
{
  return gpu_diagonal (gpu_part (A, k < 0 ? -k : 0, k < 0 ? 0 : k, n, n));
}

gpu_status
gpu_diag (gpu_ctx *g, gpu_mat A, ptrdiff_t k, gpu_mat *C)
{
  const ptrdiff_t shift = k < 0 ? -k : k;
  gpu_mat D;
  if (A.pages != 1)
    return gpu_fail (g, GPU_EARG, "Matrix must be 2-dimensional");
  GPU_TRY (gpu_dense (g, A, &D));
  if (A.m == 1 || A.n == 1)
    {
      const ptrdiff_t n = A.m * A.n;
      GPU_TRY (gpu_new (g, A.type, n + shift, n + shift, 1, C));
      GPU_TRY (g->be->zero (g, *C));
      if (n > 0)
        GPU_TRY (
          g->be->copy (g, view_from (D, 0, 1, n, 1), diagonal (*C, k, n)));
    }
  else
    {
      const ptrdiff_t m = A.m - (k < 0 ? shift : 0);
      const ptrdiff_t n = A.n - (k > 0 ? shift : 0);
      const ptrdiff_t count = m < 0 || n < 0 ? 0 : m < n ? m : n;
      const bool none = A.m == 0 && A.n == 0;
      GPU_TRY (gpu_new (g, A.type, count, none ? 0 : 1, 1, C));
      if (count > 0)
        GPU_TRY (g->be->copy (g, diagonal (D, k, count),
                              view_from (*C, 0, 1, count, 1)));
    }
  if (D.p != A.p)
    gpu_free (g, D);
  return GPU_OK;
}
