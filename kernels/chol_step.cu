/* chol_step.cu: one block column of a lower Cholesky factor,

       [A11]   A11 = L11 * L11'      NB x NB
       [A21]   A21 = A21 / L11'

   in double precision for both types, which the tensor cores have at the rate
   of single precision.  In shared memory A11 is blocks of 16 x 16:

       k         Step k of 8:
     +---+       (1) warp 0 factors the block D = A(k,k), a lane a row, and in
   k | D |           its other 16 lanes makes inv (L) of an identity;
     +---+---+   (2) A(i,k) = A(i,k) * inv (L)', i > k;
     | P | E |   (3) A(i,j) = A(i,j) - A(i,k) * A(j,k)', i >= j > k.
     +---+---+
   Warp 0 takes the next P and E itself and goes on with the chain of pivots,
   which is what takes the time; the other warps follow behind it.  Three
   barriers hold them together:

     INVERTED   inv (L) of step k is there
     COLUMN     all A(i,k) are final
     NEXT       what step k + 1 needs has its update

   If A21 is low, every block of threads factors A11 for itself and carries
   its rows of A21 as more rows of blocks, which lie in registers: the helpers
   are bound by shared memory.  Else A11 is factored once, and
   A21 is solved by substitution with L11 and the inverses of its diagonal
   blocks.  L11 goes to a place of its own, since others may still read A11.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "block16.cuh"

enum
{
  NB = 128,
  STEPS = NB / SIDE,
  WARPS = 12,
  THREADS = WARPS * WARP,
  /* The warps that share the chain's quarter of the multiprocessor have less
     to do: they write.  */
  WRITERS = WARPS / 4 - 1,
  HELPERS = WARPS - WRITERS - 1,
  WORKING = (HELPERS + 1) * WARP,
  SOLVERS = STEPS,  /* warps of a solve: each has a column of blocks */
  GOOD = NB,        /* no pivot failed */
  LOST = 0x3f300000 /* the first word of 2^-12: see pivot_chain_16 */
};

/* Barriers.  */
enum
{
  INVERTED = 1,
  COLUMN,
  NEXT,
  SOLVED
};

/* How many blocks lie before block (i, j) of a lower triangle.  */
__device__ constexpr int
index_of (int i, int j)
{
  return i * (i + 1) / 2 + j;
}
enum
{
  IMAGE = index_of (STEPS, 0) * BLOCK, /* what a solve needs of L11: this, */
  DIAGONAL = IMAGE,                    /* its diagonal blocks, */
  ROUGH = DIAGONAL + STEPS * BLOCK, /* and whether they are ill-conditioned */
  WORK = ROUGH + STEPS
};

/* Room for the chain: two columns, pivots and inverse square roots.  */
struct chain_memory
{
  double column[2][WARP], pivot[SIDE], scale[SIDE];
  int rough[STEPS];
};

__device__ static void
store_two (double *global, double2 x)
{
  *(double2 *) global = x;
}
__device__ static void
store_two (float *global, double2 x)
{
  *(float2 *) global = make_float2 ((float) x.x, (float) x.y);
}

/* A block of 16 x 16, of which each lane of a warp moves 4 times two.  Single
   numbers come by way of registers; their copies must not wait for each
   other, so all have begun before the first is ended.  */
enum
{
  TWOS = SIDE * SIDE / 2 / WARP
};
__device__ static void
begin_fetch (double *P, const double *A, ptrdiff_t ld, float2 (&)[TWOS])
{
  const int lane = threadIdx.x % WARP, r = lane % 8 * 2;
#pragma unroll
  for (int c = lane / 8; c < SIDE; c += WARP / 8)
    fetch_two (P + place16 (r, c), A + r + c * ld);
}
__device__ static void
begin_fetch (double *, const float *A, ptrdiff_t ld, float2 (&x)[TWOS])
{
  const int lane = threadIdx.x % WARP, r = lane % 8 * 2, c = lane / 8;
#pragma unroll
  for (int q = 0; q < TWOS; q++)
    x[q] = *(const float2 *) (A + r + (c + q * (WARP / 8)) * ld);
}
__device__ static void
end_fetch (double *, const double *, const float2 (&)[TWOS])
{
}
__device__ static void
end_fetch (double *P, const float *, const float2 (&x)[TWOS])
{
  const int lane = threadIdx.x % WARP, r = lane % 8 * 2, c = lane / 8;
#pragma unroll
  for (int q = 0; q < TWOS; q++)
    *(double2 *) (P + place16 (r, c + q * (WARP / 8)))
      = make_double2 (x[q].x, x[q].y);
}
template <class T>
__device__ void
store_block (const double *P, T *A, ptrdiff_t ld)
{
  const int lane = threadIdx.x % WARP, r = lane % 8 * 2;
#pragma unroll
  for (int c = lane / 8; c < SIDE; c += WARP / 8)
    store_two (A + r + c * ld, *(const double2 *) (P + place16 (r, c)));
}
/* The lower triangle that P has transposed.  */
template <class T>
__device__ void
store_diagonal (const double *P, T *A, ptrdiff_t ld)
{
  const int lane = threadIdx.x % WARP, r = lane % SIDE;
#pragma unroll
  for (int c = lane / SIDE; c < SIDE; c += WARP / SIDE)
    if (r >= c)
      A[r + c * ld] = (T) P[place16 (c, r)];
}
__device__ static void
copy_block (const double *P, double *image)
{
  const int lane = threadIdx.x % WARP;
#pragma unroll
  for (int i = lane; i < BLOCK / 2; i += WARP)
    ((double2 *) image)[i] = ((const double2 *) P)[i];
}

/* The end of a chain: m has the pivots.  They go onto the diagonal: what its
   lanes have there was rounded in another order, and where a pivot is small
   beside what was subtracted, as in rows that are nearly equal, its root would
   not fit the column that was divided by it.  */
__device__ static int
end_chain (double (&a)[SIDE], chain_memory &m, int *rough)
{
  const int lane = threadIdx.x % WARP;
  __syncwarp ();
  const double p = m.pivot[lane % SIDE];
  const unsigned high = (unsigned) __double2hiint (p);
  const unsigned least = 0x00100000, infinite = 0x7ff00000;
  const unsigned bad
    = __ballot_sync (~0u, high - least >= infinite - least) & 0xffff;
  const unsigned lost = __ballot_sync (~0u, high < LOST);
  if (lane < SIDE)
    m.scale[lane] = fast_inverse_sqrt (p);
  if (lane == 0)
    *rough = lost != 0;
  __syncwarp ();
#pragma unroll
  for (int c = 0; c < SIDE; c += 2)
    {
      const double2 w = *(const double2 *) &m.scale[c];
      a[c] = (lane == c ? p : a[c]) * w.x;
      a[c + 1] = (lane == c + 1 ? p : a[c + 1]) * w.y;
    }
  return bad ? __ffs (bad) - 1 : GOOD;
}

/* Row r of a block of 16 x 16 in lane r, and of any 16 x 16 matrix E in lane
   16 + r, become rows of L and of E * inv (L)'.  As L * D * L', two columns at
   a time: what takes the time is the chain from a pivot's reciprocal to the
   next, and each lane computes all pivots for itself, from numbers that it got
   before they were final:

     p            pivot j
     s  q         row j + 1
     .  y  X      row j + 2
     .  z  Y  Z   row j + 3

   The rest of a column comes through shared memory.  The square roots are
   taken at the end, by a lane each.  Returns the first pivot that is not
   positive, normal and finite, or GOOD.  *ROUGH says whether a pivot is so
   small beside the diagonal, which is about 1, that inv (L) may be of no
   use.  */
__device__ static int
pivot_chain_16 (double (&a)[SIDE], chain_memory &m, int *rough)
{
  const int lane = threadIdx.x % WARP;
  double p = __shfl_sync (~0u, a[0], 0);
  double s = __shfl_sync (~0u, a[0], 1);
  double q = __shfl_sync (~0u, a[1], 1);
  m.column[0][lane] = a[0];
  __syncwarp ();
#pragma unroll
  for (int j = 0; j < SIDE; j += 2)
    {
      double u[SIDE], v[SIDE];
#pragma unroll
      for (int c = j + 2; c < SIDE; c += 2)
        {
          const double2 w = *(const double2 *) &m.column[0][c];
          u[c] = w.x;
          u[c + 1] = w.y;
        }
      const double first = fast_reciprocal (p);
      const double pivot = fma (-s * s, first, q);
      const double second = fast_reciprocal (pivot);
      if (lane == 0)
        *(double2 *) &m.pivot[j] = make_double2 (p, pivot);
      double t = -a[j] * first;
      a[j + 1] = fma (t, s, a[j + 1]);
      if (j + 2 == SIDE)
        break;
      m.column[1][lane] = a[j + 1];
      const double y = __shfl_sync (~0u, a[j + 1], j + 2);
      const double z = __shfl_sync (~0u, a[j + 1], j + 3);
      a[j + 2] = fma (t, u[j + 2], a[j + 2]);
      a[j + 3] = fma (t, u[j + 3], a[j + 3]);
      const double X = __shfl_sync (~0u, a[j + 2], j + 2);
      const double Y = __shfl_sync (~0u, a[j + 2], j + 3);
      const double Z = __shfl_sync (~0u, a[j + 3], j + 3);
      __syncwarp ();
#pragma unroll
      for (int c = j + 4; c < SIDE; c += 2)
        {
          const double2 w = *(const double2 *) &m.column[1][c];
          v[c] = w.x;
          v[c + 1] = w.y;
        }
#pragma unroll
      for (int c = j + 4; c < SIDE; c++)
        a[c] = fma (t, u[c], a[c]);
      p = fma (-y * y, second, X);
      s = fma (-y * z, second, Y);
      q = fma (-z * z, second, Z);
      t = -a[j + 1] * second;
      a[j + 2] = fma (t, y, a[j + 2]);
      m.column[0][lane] = a[j + 2];
      a[j + 3] = fma (t, z, a[j + 3]);
      __syncwarp ();
#pragma unroll
      for (int c = j + 4; c < SIDE; c++)
        a[c] = fma (t, v[c], a[c]);
    }
  return end_chain (a, m, rough);
}

/* The same of a block of pairs (block16.cuh): a step is a complex pivot, the
   first of its two columns, which the other lanes get as u; the second is made
   of it.  Only first columns of the block are read.  */
__device__ static int
pair_chain_16 (double (&a)[SIDE], chain_memory &m, int *rough)
{
  const int lane = threadIdx.x % WARP;
  double p = __shfl_sync (~0u, a[0], 0);
#pragma unroll
  for (int j = 0; j < SIDE; j += 2)
    {
      double *const u = m.column[j / 2 % 2];
      const double inverse = fast_reciprocal (p);
      if (lane == j + 1)
        a[j] = 0; /* the imaginary part of the pivot */
      u[lane] = a[j];
      const double other = __shfl_xor_sync (~0u, a[j], 1);
      a[j + 1] = lane & 1 ? other : -other;
      if (lane == 0)
        *(double2 *) &m.pivot[j] = make_double2 (p, p);
      if (j + 2 == SIDE)
        break;
      const double next = __shfl_sync (~0u, a[j + 2], j + 2);
      const double t = -a[j] * inverse, w = a[j + 1] * inverse;
      __syncwarp ();
      const double2 x = *(const double2 *) &u[j + 2];
      p = fma (-fma (x.x, x.x, x.y * x.y), inverse, next);
#pragma unroll
      for (int c = j + 2; c < SIDE; c += 2)
        {
          const double2 y = *(const double2 *) &u[c];
          a[c] = fma (t, y.x, fma (w, y.y, a[c]));
        }
    }
  return end_chain (a, m, rough);
}

/* The factorization of A11 in shared memory with EXTRA rows of blocks of A21
   below, and where its columns go when they are final.  */
template <class T, int EXTRA, bool PAIRS> struct step
{
  static constexpr int BELOW = STEPS + EXTRA;
  static constexpr int BLOCKS = index_of (BELOW, 0);
  static constexpr int OWN = EXTRA > 0 ? EXTRA : 1; /* blocks of a helper */

  double *blocks, *inverses;
  chain_memory *chain;
  lane_places at;
  T *A21; /* where EXTRA rows of blocks go, of which ROWS exist */
  ptrdiff_t ld;
  int rows, steps; /* fewer than STEPS if the rest of A11 is an identity */
  T *L11;          /* NB x NB, or NULL */
  double *image;   /* WORK numbers, or NULL */

  static constexpr size_t
  bytes ()
  {
    return (BLOCKS + STEPS) * BLOCK * sizeof (double) + sizeof (chain_memory);
  }

  __device__
  step (unsigned char *shared, const strided<T> &A, T *A21_, int rows_,
        T *L11_, double *image_)
      : blocks ((double *) shared), inverses (blocks + BLOCKS * BLOCK),
        chain ((chain_memory *) (inverses + STEPS * BLOCK)),
        at (threadIdx.x % WARP), A21 (A21_), ld (A.cs), rows (rows_),
        steps (((int) A.n + SIDE - 1) / SIDE), L11 (L11_), image (image_)
  {
  }

  __device__ double *
  block (int i, int j) const
  {
    return blocks + index_of (i, j) * BLOCK;
  }

  /* A11, and what rows there are of A21; zeros for the others.  */
  __device__ void
  fetch (const T *A11)
  {
    constexpr int HIGH = index_of (STEPS, 0), ALL = HIGH + EXTRA * STEPS;
    constexpr int MINE = (ALL + WARPS - 1) / WARPS;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    double *P[MINE];
    const T *from[MINE];
    float2 x[MINE][TWOS];
#pragma unroll
    for (int q = 0; q < MINE; q++)
      {
        const int u = warp + q * WARPS;
        int i = 0, j = u - HIGH;
        from[q] = NULL;
        P[q] = NULL;
        if (u < HIGH)
          {
            while (index_of (i + 1, 0) <= u)
              i++;
            j = u - index_of (i, 0);
            P[q] = block (i, j);
            from[q] = A11 + SIDE * (i + j * ld);
          }
        else if (u < ALL)
          {
            i = j / STEPS;
            j %= STEPS;
            P[q] = block (STEPS + i, j);
            if (i < rows)
              from[q] = A21 + SIDE * (i + j * ld);
          }
        if (from[q])
          begin_fetch (P[q], from[q], ld, x[q]);
      }
#pragma unroll
    for (int q = 0; q < MINE; q++)
      if (from[q])
        end_fetch (P[q], from[q], x[q]);
      else if (P[q])
        for (int e = lane; e < BLOCK; e += WARP)
          P[q][e] = 0;
    copies_arrive ();
    __syncthreads ();
  }

  /* The first bad pivot of A11.  */
  __device__ int
  factor ()
  {
    const int warp = threadIdx.x / WARP;
    int bad = GOOD;
    if (warp == 0)
      bad = lead ();
    else if (warp % 4 != 0)
      follow (warp - 1 - warp / 4);
    else
      write (warp / 4 - 1);
    __syncthreads ();
    let_next_in ();
    for (int i = steps - 1 + warp; i < STEPS + rows; i += WARPS)
      put (i, steps - 1);
    return bad;
  }

private:
  /* Warp 0.  */
  __device__ int
  lead ()
  {
    const int lane = threadIdx.x % WARP, r = lane % SIDE;
    int first_bad = GOOD;
#pragma unroll 1
    for (int k = 0; k < steps; k++)
      {
        double a[SIDE], *D = block (k, k), *Y = inverses + k * BLOCK;
#pragma unroll
        for (int c = 0; c < SIDE; c++)
          a[c] = lane < SIDE ? D[place16 (r, c)] : c == r ? 1 : 0;
        const int bad = PAIRS ? pair_chain_16 (a, *chain, &chain->rough[k])
                              : pivot_chain_16 (a, *chain, &chain->rough[k]);
        if (bad != GOOD && first_bad == GOOD)
          first_bad = SIDE * k + bad;
        /* L and, in the other lanes, inv (L)', both transposed.  */
        double *Z = lane < SIDE ? D : Y;
#pragma unroll
        for (int c = 0; c < SIDE; c += 2)
          *(double2 *) (Z + place16 (c, r)) = make_double2 (a[c], a[c + 1]);
        __syncwarp ();
        /* Then all have passed INVERTED of the last step, too.  */
        if (k > 0)
          barrier_wait (NEXT, WORKING);
        barrier_come (INVERTED, WORKING);
        if (k + 1 == steps)
          break;
        double *P = block (k + 1, k), left[8];
        divide (P, k);
        __syncwarp ();
        barrier_come (COLUMN, THREADS);
        at.left (left, P);
        at.update (block (k + 1, k + 1), left, P);
        __syncwarp ();
      }
    return first_bad;
  }

  /* Helper H of the others.  */
  __device__ void
  follow (int h)
  {
    /* Its blocks of A21: of row R from column C on.  */
    double own[OWN][2][4];
    const int r = STEPS + h * OWN / STEPS, c = h * OWN % STEPS;
    const bool has = EXTRA > 0 && h < STEPS;
    if (has)
#pragma unroll
      for (int q = 0; q < OWN; q++)
        at.load (own[q], block (r, c + q));
    for (int k = 0; k < steps; k++)
      {
        barrier_wait (INVERTED, WORKING);
        for (int i = k + 2 + h; i < STEPS; i += HELPERS)
          divide (block (i, k), k);
        if (has && k >= c && k < c + OWN)
          divide (block (r, k), k);
        if (k + 1 == steps)
          break;
        barrier_wait (COLUMN, THREADS);
        update_next (k, h);
        barrier_come (NEXT, WORKING);
        if (has && k + 1 < c + OWN)
          update_own (own, r, c, k);
        update_rest (k, h);
      }
  }

  /* Step (3) of its blocks of A21; the one of column k + 1 is ready to be
     divided then.  */
  __device__ void
  update_own (double (&own)[OWN][2][4], int r, int c, int k)
  {
    double left[8];
    at.left (left, block (r, k));
#pragma unroll
    for (int i = 0; i < 8; i++)
      left[i] = -left[i];
#pragma unroll
    for (int q = 0; q < OWN; q++)
      if (c + q > k)
        {
          double first[4], second[4];
          at.right_transposed (first, block (c + q, k), 0);
          at.right_transposed (second, block (c + q, k), 1);
          multiply_add_16 (own[q][0], left, first);
          multiply_add_16 (own[q][1], left, second);
          if (c + q == k + 1)
            at.store (block (r, k + 1), own[q][0], own[q][1]);
        }
  }

  /* Writer W of the others.  */
  __device__ void
  write (int w)
  {
    for (int k = 0; k + 1 < steps; k++)
      {
        barrier_pass ();
        barrier_wait (COLUMN, THREADS);
        for (int i = k + w; i < STEPS + rows; i += WRITERS)
          put (i, k);
        barrier_pass ();
      }
    barrier_pass ();
  }

  /* Step (2).  */
  __device__ void
  divide (double *P, int k)
  {
    double x[4], y[4];
    at.divide<PAIRS> (x, y, P, inverses + k * BLOCK, block (k, k),
                      chain->rough[k]);
  }

  /* Step (3) of what step k + 1 needs: column k + 1 below its first two
     blocks' rows, and block (k + 2, k + 2).  */
  __device__ void
  update_next (int k, int h)
  {
    const int count = STEPS - 2 - k;
    double left[8];
    for (int u = h; count > 0 && u <= count; u += HELPERS)
      {
        const int i = k + 2 + (u < count ? u : 0);
        at.left (left, block (i, k));
        at.update (block (i, u < count ? k + 1 : k + 2), left,
                   block (u < count ? k + 1 : k + 2, k));
      }
  }

  /* The others of A11: rows from k + 3 on from column k + 2 on.  A helper has
     a stretch of them, so that few rows are read twice.  */
  __device__ void
  update_rest (int k, int h)
  {
    const int high = STEPS - 3 - k > 0 ? STEPS - 3 - k : 0; /* rows of A11 */
    const int all = (high + 1) * (high + 2) / 2 - 1;
    const int end = all * (h + 1) / HELPERS;
    int u = all * h / HELPERS, i = k + 3, skip = u, row = -1;
    for (; skip >= i - k - 1; i++)
      skip -= i - k - 1;
    int j = k + 2 + skip;
    double left[8];
    while (u < end)
      {
        const bool two = u + 1 < end && j < i;
        if (row != i)
          at.left (left, block (i, k));
        row = i;
        if (two)
          {
            double *const both[2] = { block (i, j), block (i, j + 1) };
            const double *const with[2] = { block (j, k), block (j + 1, k) };
            at.update (both, left, with);
          }
        else
          at.update (block (i, j), left, block (j, k));
        u += two ? 2 : 1;
        j += two ? 2 : 1;
        if (j > i)
          {
            i++;
            j = k + 2;
          }
      }
  }

  /* Block (i, k) is final.  */
  __device__ void
  put (int i, int k)
  {
    T *to = L11 + SIDE * (i + k * NB);
    if (i >= STEPS)
      store_block (block (i, k), A21 + SIDE * (i - STEPS + k * ld), ld);
    else if (L11 && i == k)
      store_diagonal (block (k, k), to, NB);
    else if (L11)
      store_block (block (i, k), to, NB);
    if (image && i < STEPS)
      copy_block (i == k ? inverses + k * BLOCK : block (i, k),
                  image + index_of (i, k) * BLOCK);
    if (image && i == k)
      {
        copy_block (block (k, k), image + DIAGONAL + k * BLOCK);
        image[ROUGH + k] = chain->rough[k];
      }
  }
};

__device__ static void
note_failure (int64_t *info, bool pairs, ptrdiff_t at, int bad)
{
  if (threadIdx.x == 0 && bad != GOOD && *info == 0)
    *info = (pairs ? (at + bad) / 2 : at + bad) + 1;
}

/* A11 alone, a page for each block of threads.  */
template <class T, bool PAIRS>
__global__ void
__launch_bounds__ (THREADS, 1)
  leaf_kernel (strided<T> A, strided<T> L11, double *image,
               strided<int64_t> info, ptrdiff_t at)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  const ptrdiff_t page = blockIdx.x;
  step<T, 0, PAIRS> s (shared, A, NULL, 0, L11.p + page * L11.step,
                       image + page * WORK);
  await_last ();
  s.fetch (A.p + page * A.step);
  note_failure (info.p + page * info.step, PAIRS, at, s.factor ());
}

/* A11, and EXTRA rows of blocks of A21 for each block of threads.  */
template <class T, int EXTRA, bool PAIRS>
__global__ void
__launch_bounds__ (THREADS, 1)
  step_kernel (strided<T> A, strided<T> L11, strided<int64_t> info,
               ptrdiff_t at, int blocks)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  const int part = blockIdx.x % blocks;
  const ptrdiff_t page = blockIdx.x / blocks;
  T *A11 = A.p + page * A.step;
  T *A21 = A11 + NB + (ptrdiff_t) part * EXTRA * SIDE;
  const ptrdiff_t left = (A.m - NB) / SIDE - (ptrdiff_t) part * EXTRA;
  const int rows = left < EXTRA ? (int) left : EXTRA;
  step<T, EXTRA, PAIRS> s (shared, A, A21, rows,
                           part == 0 ? L11.p + page * L11.step : NULL, NULL);
  await_last ();
  s.fetch (A11);
  const int bad = s.factor ();
  if (part == 0)
    note_failure (info.p + page * info.step, PAIRS, at, bad);
}

/* A21 = A21 / L11', ROWS rows of blocks for each block of threads.  Warp w has
   column w of blocks in registers; once column j is final, those right of it
   take their share.  */
template <class T, int ROWS, bool PAIRS>
__global__ void
__launch_bounds__ (SOLVERS *WARP)
  solve_kernel (strided<T> A, const double *image, int blocks)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  double *L = (double *) shared, *solved = L + IMAGE;
  const int w = threadIdx.x / WARP, lane = threadIdx.x % WARP;
  const int g = lane / 4, t = lane % 4;
  const ptrdiff_t page = blockIdx.x / blocks, m = A.m, ld = A.cs;
  const ptrdiff_t row0 = (ptrdiff_t) (blockIdx.x % blocks) * ROWS * SIDE;
  const lane_places at (lane);
  T *A21 = A.p + page * A.step + row0 + (ptrdiff_t) SIDE * w * ld;
  double x[ROWS][2][4];
  image += page * WORK;

  await_last ();
  /* A warp reads its own row of blocks.  */
  for (int e = index_of (w, 0) * BLOCK / 2 + lane;
       e < index_of (w + 1, 0) * BLOCK / 2; e += WARP)
    copy_async_once ((int4 *) L + e, (const int4 *) image + e);
#pragma unroll
  for (int q = 0; q < ROWS; q++)
#pragma unroll
    for (int i = 0; i < 8; i++)
      {
        const int r = SIDE * q + g + i / 2 % 2 * 8;
        const int c = i / 4 * 8 + 2 * t + i % 2;
        x[q][i / 4][i % 4] = row0 + r < m ? (double) A21[r + c * ld] : 0;
      }
  copies_arrive ();
  __syncwarp ();
  for (int j = 0; j < STEPS; j++)
    {
      if (w == j)
        {
          const bool rough = image[ROUGH + w] != 0;
#pragma unroll
          for (int q = 0; q < ROWS; q++)
            {
              double *P = solved + (ROWS * j + q) * BLOCK;
              at.store (P, x[q][0], x[q][1]);
              __syncwarp ();
              at.divide<PAIRS> (x[q][0], x[q][1], P,
                                L + index_of (w, w) * BLOCK,
                                image + DIAGONAL + w * BLOCK, rough);
              __syncwarp ();
              const double minus[2][4]
                = { { -x[q][0][0], -x[q][0][1], -x[q][0][2], -x[q][0][3] },
                    { -x[q][1][0], -x[q][1][1], -x[q][1][2], -x[q][1][3] } };
              at.store (P, minus[0], minus[1]);
            }
        }
      __syncthreads ();
      if (w > j)
        {
          const double *Q = L + index_of (w, j) * BLOCK;
          double first[4], second[4], left[8];
          at.right_transposed (first, Q, 0);
          at.right_transposed (second, Q, 1);
#pragma unroll
          for (int q = 0; q < ROWS; q++)
            {
              at.left (left, solved + (ROWS * j + q) * BLOCK);
              multiply_add_16 (x[q][0], left, first);
              multiply_add_16 (x[q][1], left, second);
            }
        }
    }
  let_next_in ();
#pragma unroll
  for (int q = 0; q < ROWS; q++)
#pragma unroll
    for (int i = 0; i < 8; i++)
      {
        const int r = SIDE * q + g + i / 2 % 2 * 8;
        const int c = i / 4 * 8 + 2 * t + i % 2;
        if (row0 + r < m)
          A21[r + c * ld] = (T) x[q][i / 4][i % 4];
      }
}

/* Blocks of threads for A's rows if each has COUNT rows of blocks.  */
static ptrdiff_t
blocks_for (gpu_mat A, ptrdiff_t rows, int count)
{
  const ptrdiff_t blocks = ceil_div (rows, count * SIDE);
  return A.pages * (blocks > 0 ? blocks : 1);
}

template <class T, int ROWS, bool PAIRS>
static cudaError_t
solve (cudaStream_t s, gpu_mat A, const double *image)
{
  const ptrdiff_t blocks = blocks_for (A, A.m, ROWS);
  return launch_chained (solve_kernel<T, ROWS, PAIRS>, (unsigned) blocks,
                         SOLVERS * WARP,
                         (IMAGE + ROWS * STEPS * BLOCK) * sizeof (double), s,
                         strided<T> (A), image, (int) (blocks / A.pages));
}

template <class T, int EXTRA, bool PAIRS>
static cudaError_t
fused (cudaStream_t s, gpu_mat A, gpu_mat L11, gpu_mat info, ptrdiff_t at)
{
  const ptrdiff_t blocks = blocks_for (A, A.m - NB, EXTRA);
  return launch_chained (
    step_kernel<T, EXTRA, PAIRS>, (unsigned) blocks, THREADS,
    step<T, EXTRA, PAIRS>::bytes (), s, strided<T> (A), strided<T> (L11),
    strided<int64_t> (info), at, (int) (blocks / A.pages));
}

/* As few rows for a block of threads as COUNT multiprocessors can take in one
   wave.  */
template <class T, bool PAIRS>
static cudaError_t
chol_step (cudaStream_t s, int count, bool carry, gpu_mat A, gpu_mat L11,
           gpu_mat work, gpu_mat info, ptrdiff_t at)
{
  const ptrdiff_t m = A.m - NB;
  if (carry && blocks_for (A, m, 1) <= count)
    return fused<T, 1, PAIRS> (s, A, L11, info, at);
  if (carry && blocks_for (A, m, 2) <= count)
    return fused<T, 2, PAIRS> (s, A, L11, info, at);
  if (carry && blocks_for (A, m, 4) <= count)
    return fused<T, 4, PAIRS> (s, A, L11, info, at);
  const cudaError_t status = launch_chained (
    leaf_kernel<T, PAIRS>, (unsigned) A.pages, THREADS,
    step<T, 0, PAIRS>::bytes (), s, strided<T> (A), strided<T> (L11),
    (double *) work.p, strided<int64_t> (info), at);
  if (status != cudaSuccess || m == 0)
    return status;
  gpu_mat A21 = gpu_part (A, NB, 0, m, NB);
  return blocks_for (A, m, 1) <= count
           ? solve<T, 1, PAIRS> (s, A21, (double *) work.p)
         : blocks_for (A, m, 2) <= count
           ? solve<T, 2, PAIRS> (s, A21, (double *) work.p)
           : solve<T, 4, PAIRS> (s, A21, (double *) work.p);
}

ptrdiff_t
cuda_chol_work (void)
{
  return WORK;
}

template <class T>
static cudaError_t
any_step (cudaStream_t s, int count, bool pairs, bool carry, gpu_mat A,
          gpu_mat L11, gpu_mat work, gpu_mat info, ptrdiff_t at)
{
  return pairs ? chol_step<T, true> (s, count, carry, A, L11, work, info, at)
               : chol_step<T, false> (s, count, carry, A, L11, work, info, at);
}

cudaError_t
cuda_chol_step (cudaStream_t s, int count, bool pairs, bool carry, gpu_mat A,
                gpu_mat L11, gpu_mat work, gpu_mat info, ptrdiff_t at)
{
  return A.type == GPU_SINGLE
           ? any_step<float> (s, count, pairs, carry, A, L11, work, info, at)
         : A.type == GPU_DOUBLE
           ? any_step<double> (s, count, pairs, carry, A, L11, work, info, at)
           : cudaErrorInvalidValue;
}
