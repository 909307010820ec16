/* inv_mma.cu: X = inv (A) and det (A) for pages of 25 x 25 to 128 x 128 on the
   tensor cores of compute capability 9.0 and later, in double precision.

   Gauss-Jordan elimination in place, by panels of 8 columns:

        panel                The panel becomes M: inv (A(p,p)) in the rows p
       +---+---------+       of its pivots, -A(i,p) * inv (A(p,p)) in the
     i |   |         |       others.  The rest of the step is one product:
       |   |         |
     p |###|### B ###|       B = C(p,:);  C(p,:) = 0;  C = C + M * B
       |   |    C    |
       +---+---------+

   A warp has the columns of some panels, up to n = 48 of all, as the mma
   instruction wants them: of every 8 x 8, lane 4 * g + t has the elements
   (g, 2 * t) and (g, 2 * t + 1).  To eliminate a panel it takes it through
   shared memory as rows: lane l has the rows l, l + 32, ...  It does so as
   soon as its own columns are up to date, while the other warps are still at
   theirs; so the chain of pivots runs within one warp and never waits for
   the product of another, and the block meets once for the panels of a warp.

   Rows never move: place (row) is the row where LAPACK, which swaps, would
   have it.  Element (i, c) of what is left belongs to row place (i) and to
   column p of step c of the inverse.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mma.cuh"
#include "pages.cuh"
#include "warp_pivot.cuh"

enum
{
  WARP = 32,
  PANEL = 8
};

/* Pages of BLOCKS x BLOCKS blocks of 8 x 8.  */
template <int BLOCKS> struct layout
{
  static constexpr int SIZE = PANEL * BLOCKS;
  /* The panels of a warp, and the blocks of threads that share a
     multiprocessor, by their registers.  */
  static constexpr int OWN = BLOCKS <= 6    ? BLOCKS
                             : BLOCKS == 9  ? 3
                             : BLOCKS <= 12 ? 2
                                            : 1;
  static constexpr int TOGETHER = BLOCKS <= 4    ? 16
                                  : BLOCKS == 5  ? 12
                                  : BLOCKS == 6  ? 8
                                  : BLOCKS <= 9  ? 4
                                  : BLOCKS == 10 ? 3
                                  : BLOCKS <= 12 ? 2
                                                 : 1;
  static constexpr int WARPS = (BLOCKS + OWN - 1) / OWN;
  static constexpr int ROWS = (SIZE + WARP - 1) / WARP; /* of a lane */
  /* In shared memory: those of a warp, and of the one before, which others
     still work with.  */
  static constexpr int PANELS = WARPS == 1 ? 1 : 2 * OWN;
  /* A byte for each block.  */
  static constexpr int WORDS = BLOCKS <= 4 ? 1 : BLOCKS <= 8 ? 2 : 4;
};

/* A panel in shared memory.  */
template <int BLOCKS> struct panel
{
  using L = layout<BLOCKS>;
  double2 pairs[L::ROWS * WARP][PANEL / 2];
  /* The step whose pivot row 8 * i + g was is byte i of steps[g], PANEL for
     none.  */
  alignas (4 * L::WORDS) unsigned char steps[PANEL][4 * L::WORDS];

  /* Where the pairs of a row are turns with the row, so that lanes do not
     collide that have a pair of a row each, or those of a fragment, by pairs
     or by elements.  */
  __device__ double2 &
  pair (unsigned row, unsigned p)
  {
    return pairs[row][p ^ (row & 2) ^ (row / 4 % 2)];
  }
  __device__ double
  at (unsigned row, unsigned c)
  {
    return ((const double *) &pair (row, c / 2))[c % 2];
  }
};

/* What the lanes and the warps of a page tell each other.  */
template <int BLOCKS> struct page_memory
{
  using L = layout<BLOCKS>;
  static constexpr int ROWS = L::ROWS * WARP, COLS = L::OWN * PANEL;
  struct work
  {
    panel<BLOCKS> panels[L::PANELS];
    double rows[L::WARPS][PANEL][COLS + 4]; /* each warp's B */
    alignas (16) double line[2][PANEL];     /* the pivot's row of the panel */
  };
  union
  {
    work w;
    double out[L::WARPS][COLS][L::SIZE + 2];
  };
  double pivot[ROWS]; /* by its step, for LU with the swap's sign */
  double norm[2][L::WARPS];
  int place[ROWS];
  int row[ROWS]; /* of the pivot, by its step */
  bool singular;
};

/* Read anew in each part, so that what follows from it, addresses, is not kept
   in registers from part to part.  */
__device__ inline int
lane_id ()
{
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane % WARP;
}

template <int WARPS>
__device__ void
meet ()
{
  if (WARPS == 1)
    __syncwarp ();
  else
    __syncthreads ();
}

/* Panel Q in shared memory, M, becomes M.  By one warp.  */
template <bool FULL, bool INVERT, int BLOCKS>
__device__ void
eliminate_panel (page_memory<BLOCKS> &m, panel<BLOCKS> &M, int q, int n)
{
  using L = layout<BLOCKS>;
  constexpr int ROWS = L::ROWS;
  const int lane = lane_id (), k0 = PANEL * q;
  const int steps = FULL ? PANEL : min ((int) PANEL, n - k0);
  double x[ROWS][PANEL];
  int place[ROWS];

#pragma unroll
  for (int r = 0; r < ROWS; r++)
    {
      place[r] = m.place[lane + WARP * r];
#pragma unroll
      for (int c = 0; c < PANEL; c += 2)
        {
          double2 pair = { 0, 0 };
          if (L::SIZE % WARP == 0 || place[r] >= 0)
            pair = M.pair (lane + WARP * r, c / 2);
          x[r][c] = pair.x;
          x[r][c + 1] = pair.y;
        }
    }

    /* The columns go round in the registers, so that column k is always the
       first and the loop stays small.  */
#pragma unroll 1
  for (int s = 0; s < steps; s++)
    {
      double f[ROWS], y[PANEL];
      const int row
        = find_pivot<INVERT> (m, m.w.line[s % 2], x, place, f, y, k0 + s);
#pragma unroll
      for (int c = 1; c < PANEL; c++)
#pragma unroll
        for (int r = 0; r < ROWS; r++)
          x[r][c - 1] = fma (f[r], y[c], x[r][c]);
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        x[r][PANEL - 1] = lane + WARP * r == row ? 1 : f[r];
    }
  if (!FULL)
#pragma unroll 1
    for (int s = steps; s < PANEL; s++)
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        {
          const double first = x[r][0];
#pragma unroll
          for (int c = 1; c < PANEL; c++)
            x[r][c - 1] = x[r][c];
          x[r][PANEL - 1] = first;
        }

#pragma unroll
  for (int r = 0; r < ROWS; r++)
    {
      const int row = lane + WARP * r;
      const bool is_pivot = place[r] >= k0 && place[r] < k0 + steps;
      double by = 1;
      if (INVERT && is_pivot)
        by = pivot<double> (m.pivot[place[r]]).inverse ();
#pragma unroll
      for (int c = 0; c < PANEL; c += 2)
        M.pair (row, c / 2) = make_double2 (x[r][c] * by, x[r][c + 1] * by);
      m.place[row] = place[r];
      if (L::SIZE % WARP == 0 || row < L::SIZE)
        M.steps[row % PANEL][row / PANEL] = is_pivot ? place[r] - k0 : PANEL;
    }
}

/* steps[g] of a panel, in registers.  */
template <int BLOCKS>
__device__ void
read_steps (unsigned (&steps)[layout<BLOCKS>::WORDS], const panel<BLOCKS> &M,
            int g)
{
  constexpr int WORDS = layout<BLOCKS>::WORDS;
  struct alignas (4 * WORDS) words
  {
    unsigned w[WORDS];
  };
  const words all = *(const words *) M.steps[g];
#pragma unroll
  for (int w = 0; w < WORDS; w++)
    steps[w] = all.w[w];
}

/* B = C(p,:); C(p,:) = 0; C = C + M * B for the panel Q, and for the warp's
   panels from FIRST on without OMIT.  */
template <bool FULL, int BLOCKS, int OWN>
__device__ void
update (page_memory<BLOCKS> &m, double (&C)[BLOCKS][OWN][2], int warp,
        int first, int omit, int q, int n)
{
  using L = layout<BLOCKS>;
  const int lane = lane_id (), g = lane / 4, t = lane % 4, k0 = PANEL * q;
  panel<BLOCKS> &M = m.w.panels[q % L::PANELS];
  auto &rows = m.w.rows[warp];
  unsigned steps[L::WORDS];

  read_steps (steps, M, g);
#pragma unroll
  for (int i = 0; i < BLOCKS; i++)
    {
      const unsigned s = __byte_perm (steps[i / 4], 0, 0x4440 + i % 4);
      if (s < PANEL)
#pragma unroll
        for (int b = first; b < OWN; b++)
          if (b != omit)
            {
              *(double2 *) &rows[s][PANEL * b + 2 * t]
                = make_double2 (C[i][b][0], C[i][b][1]);
              C[i][b][0] = C[i][b][1] = 0;
            }
    }
  __syncwarp ();
  double2 B[OWN];
#pragma unroll
  for (int b = first; b < OWN; b++)
    if (b != omit)
      {
        /* Beyond the page there is no pivot, and nothing in its row.  */
        const bool one = FULL || k0 + t < n, two = FULL || k0 + t + 4 < n;
        B[b].x = one ? rows[t][PANEL * b + g] : 0;
        B[b].y = two ? rows[t + 4][PANEL * b + g] : 0;
      }
#pragma unroll
  for (int i = 0; i < BLOCKS; i += 2)
    {
      /* A last block alone has nothing below.  */
      const bool alone = i + 1 == BLOCKS;
      const int row = PANEL * i + g;
      const double2 M0 = { M.at (row, t), M.at (row, t + 4) };
      double2 M1 = { 0, 0 };
      if (!alone)
        M1 = { M.at (row + PANEL, t), M.at (row + PANEL, t + 4) };
#pragma unroll
      for (int b = first; b < OWN; b++)
        if (b != omit)
          {
            double none[2] = { 0, 0 };
            multiply_add (C[i][b], alone ? none : C[i + !alone][b], M0, M1,
                          B[b]);
          }
    }
  __syncwarp ();
}

/* The panels of another warp, WHOSE.  */
template <bool FULL, int BLOCKS, int OWN>
__device__ void
update_all (page_memory<BLOCKS> &m, double (&C)[BLOCKS][OWN][2], int warp,
            int whose, int n)
{
#pragma unroll
  for (int b = 0; b < OWN; b++)
    if (BLOCKS % OWN == 0 || OWN * whose + b < BLOCKS)
      update<FULL> (m, C, warp, 0, OWN, OWN * whose + b, n);
}

/* The warp's panel B, which is panel Q of the page, through its elimination
   and back, and what follows for the warp's others.  */
template <bool FULL, bool INVERT, int BLOCKS, int OWN>
__device__ void
eliminate (page_memory<BLOCKS> &m, double (&C)[BLOCKS][OWN][2], int warp,
           int b, int q, int n)
{
  const int lane = lane_id (), g = lane / 4, t = lane % 4;
  panel<BLOCKS> &M = m.w.panels[q % layout<BLOCKS>::PANELS];
#pragma unroll
  for (int i = 0; i < BLOCKS; i++)
    M.pair (PANEL * i + g, t) = make_double2 (C[i][b][0], C[i][b][1]);
  __syncwarp ();
  eliminate_panel<FULL, INVERT> (m, M, q, n);
  __syncwarp ();
  if (OWN > 1)
    update<FULL> (m, C, warp, INVERT ? 0 : b + 1, b, q, n);
#pragma unroll
  for (int i = 0; i < BLOCKS; i++)
    {
      const double2 pair = M.pair (PANEL * i + g, t);
      C[i][b][0] = pair.x;
      C[i][b][1] = pair.y;
    }
  __syncwarp ();
}

/* All panels; without INVERT, only what LU needs.  */
template <bool FULL, bool INVERT, int BLOCKS, int OWN>
__device__ void
eliminate_all (page_memory<BLOCKS> &m, double (&C)[BLOCKS][OWN][2], int warp,
               int n)
{
  constexpr int WARPS = layout<BLOCKS>::WARPS;
#pragma unroll 1
  for (int w = 0; w < WARPS; w++)
    {
      if (w > 0 && (INVERT ? warp != w - 1 : warp >= w))
        update_all<FULL> (m, C, warp, w - 1, n);
      if (warp == w)
#pragma unroll
        for (int b = 0; b < OWN; b++)
          if (BLOCKS % OWN == 0 || OWN * w + b < BLOCKS)
            eliminate<FULL, INVERT> (m, C, warp, b, OWN * w + b, n);
      meet<WARPS> ();
    }
  if (INVERT && WARPS > 1)
    {
      if (warp < WARPS - 1)
        update_all<FULL> (m, C, warp, WARPS - 1, n);
      __syncthreads ();
    }
}

/* The warp's columns of a page; zero outside.  */
template <bool FULL, int BLOCKS, int OWN>
__device__ void
load (const double *A, double (&C)[BLOCKS][OWN][2], int warp, int n)
{
  const int lane = lane_id (), g = lane / 4, t = lane % 4;
#pragma unroll
  for (int b = 0; b < OWN; b++)
#pragma unroll
    for (int e = 0; e < 2; e++)
      {
        const int c = PANEL * (OWN * warp + b) + 2 * t + e;
        const bool in = (FULL && BLOCKS % OWN == 0) || c < n;
        const double *column = A + c * n + g;
#pragma unroll
        for (int i = 0; i < BLOCKS; i++)
          {
            C[i][b][e] = 0;
            if (in && (FULL || i < BLOCKS - 1 || PANEL * i + g < n))
              C[i][b][e] = __ldcs (column + PANEL * i);
          }
      }
}

template <int BLOCKS>
__device__ void
reset (page_memory<BLOCKS> &m, int n)
{
  for (int i = threadIdx.x; i < layout<BLOCKS>::ROWS * WARP; i += blockDim.x)
    m.place[i] = i < n ? i : -1;
  if (threadIdx.x == 0)
    m.singular = false;
}

/* norm (C, 1) of the warp's columns.  */
template <int BLOCKS, int OWN>
__device__ double
columns_norm (const double (&C)[BLOCKS][OWN][2])
{
  double sum[2 * OWN];
#pragma unroll
  for (int c = 0; c < 2 * OWN; c++)
    {
      sum[c] = 0;
#pragma unroll
      for (int i = 0; i < BLOCKS; i++)
        sum[c] += fabs (C[i][c / 2][c % 2]);
    }
  /* The lanes of a column: halves of the columns change sides, as long as
     their number is even.  */
  int columns = 2 * OWN;
#pragma unroll
  for (int h = 4; h < WARP; h *= 2)
    {
      const bool up = threadIdx.x & h, even = columns % 2 == 0;
      columns /= even ? 2 : 1;
#pragma unroll
      for (int i = 0; i < 2 * OWN; i++)
        if (i < columns)
          {
            const int j = even ? columns + i : i;
            const double keep = up ? sum[j] : sum[i];
            const double send = up && even ? sum[i] : sum[j];
            sum[i] = keep + __shfl_xor_sync (~0u, send, h);
          }
    }
#pragma unroll
  for (int i = 1; i < 2 * OWN; i++)
    if (i < columns)
      sum[0] = max_or_nan (sum[0], sum[i]);
  return warp_largest (sum[0]);
}

/* X = what is left, by way of shared memory, where each element goes to its
   row.  */
template <bool FULL, int BLOCKS, int OWN>
__device__ void
store (page_memory<BLOCKS> &m, const double (&C)[BLOCKS][OWN][2], double *X,
       int warp, int n, bool singular)
{
  const int lane = threadIdx.x % WARP, g = lane / 4, t = lane % 4;
  const int c0 = PANEL * OWN * warp;
  const int end
    = FULL && BLOCKS % OWN == 0 ? PANEL * OWN : min (PANEL * OWN, n - c0);
  auto &out = m.out[warp];
#pragma unroll
  for (int i = 0; i < BLOCKS; i++)
    {
      const int to = m.place[PANEL * i + g];
      if (FULL || i < BLOCKS - 1 || to >= 0)
#pragma unroll
        for (int c = 0; c < 2 * OWN; c++)
          out[PANEL * (c / 2) + 2 * t + c % 2][to] = C[i][c / 2][c % 2];
    }
  __syncwarp ();
#pragma unroll 4
  for (int c = 0; c < end; c++)
    {
      double *column = X + m.row[c0 + c] * n;
#pragma unroll
      for (int r = lane; r < layout<BLOCKS>::SIZE; r += WARP)
        if (r < n)
          __stcs (column + r, singular ? INFINITY : out[c][r]);
    }
}

/* The number of the thread's warp, which the compiler is to know is the same
   for all its lanes.  */
template <int WARPS>
__device__ int
warp_id ()
{
  return WARPS == 1 ? 0 : __shfl_sync (~0u, (int) threadIdx.x / WARP, 0);
}

template <int BLOCKS, bool FULL, bool RCOND>
__global__ void
__launch_bounds__ (WARP *layout<BLOCKS>::WARPS, layout<BLOCKS>::TOGETHER)
  inv_mma_kernel (const double *A, double *X, int n_, ptrdiff_t pages,
                  double *rcond, ptrdiff_t rcond_step)
{
#if __CUDA_ARCH__ >= 900
  using L = layout<BLOCKS>;
  constexpr int WARPS = L::WARPS;
  extern __shared__ __align__ (16) unsigned char shared[];
  page_memory<BLOCKS> &m = *(page_memory<BLOCKS> *) shared;
  const int n = FULL ? L::SIZE : n_;
  const int warp = warp_id<WARPS> (), lane = threadIdx.x % WARP;

  for (ptrdiff_t page = blockIdx.x; page < pages; page += gridDim.x)
    {
      double C[BLOCKS][L::OWN][2];
      load<FULL> (A + page * n * n, C, warp, n);
      reset (m, n);
      meet<WARPS> ();
      if (RCOND)
        {
          const double norm = columns_norm (C);
          if (lane == 0)
            m.norm[0][warp] = norm;
        }
      eliminate_all<FULL, true> (m, C, warp, n);
      bool singular = m.singular;
      if (RCOND)
        {
          const double norm = columns_norm (C);
          if (lane == 0)
            m.norm[1][warp] = norm;
          meet<WARPS> ();
          const double a = warp_largest (lane < WARPS ? m.norm[0][lane] : 0);
          const double x = warp_largest (lane < WARPS ? m.norm[1][lane] : 0);
          const double rc = reciprocal_condition (a, x, singular);
          singular = singular || rc == 0;
          if (threadIdx.x == 0)
            rcond[page * rcond_step] = rc;
        }
      store<FULL> (m, C, X + page * n * n, warp, n, singular);
      meet<WARPS> ();
    }
#endif
}

template <int BLOCKS, bool FULL>
__global__ void
__launch_bounds__ (WARP *layout<BLOCKS>::WARPS, layout<BLOCKS>::TOGETHER)
  det_mma_kernel (const double *A, int n_, ptrdiff_t pages,
                  det_result<double> result)
{
#if __CUDA_ARCH__ >= 900
  using L = layout<BLOCKS>;
  extern __shared__ __align__ (16) unsigned char shared[];
  page_memory<BLOCKS> &m = *(page_memory<BLOCKS> *) shared;
  const int n = FULL ? L::SIZE : n_;
  const int warp = warp_id<L::WARPS> (), lane = threadIdx.x % WARP;

  for (ptrdiff_t page = blockIdx.x; page < pages; page += gridDim.x)
    {
      double C[BLOCKS][L::OWN][2];
      load<FULL> (A + page * n * n, C, warp, n);
      reset (m, n);
      meet<L::WARPS> ();
      eliminate_all<FULL, false> (m, C, warp, n);
      if (warp == 0)
        {
          product<double> d (1);
          for (int k = lane; k < n; k += WARP)
            {
              const product<double> p (m.pivot[k]);
              d.times (p.m, p.e);
            }
          d.times_warp ();
          if (lane == 0)
            write_det (result, page, d);
        }
      meet<L::WARPS> ();
    }
#endif
}

template <int BLOCKS, bool FULL>
static cudaError_t
inv_pages (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  auto kernel = rcond.p ? inv_mma_kernel<BLOCKS, FULL, true>
                        : inv_mma_kernel<BLOCKS, FULL, false>;
  return launch_shared (
    kernel, grid_for (A.pages), WARP * layout<BLOCKS>::WARPS,
    sizeof (page_memory<BLOCKS>), s, (const double *) A.p, (double *) X.p,
    (int) A.n, A.pages, (double *) rcond.p, rcond.step);
}

template <int BLOCKS, bool FULL>
static cudaError_t
det_pages (cudaStream_t s, gpu_mat A, gpu_mat d, gpu_mat sign)
{
  return launch_shared (det_mma_kernel<BLOCKS, FULL>, grid_for (A.pages),
                        WARP * layout<BLOCKS>::WARPS,
                        sizeof (page_memory<BLOCKS>), s, (const double *) A.p,
                        (int) A.n, A.pages, det_result<double> (d, sign));
}

/* FN<BLOCKS, FULL> (A, ...) for the size and the type of A.  The multiples of
   32 have kernels of their own, which ask nowhere whether a row is there.  */
#define CASE_BLOCKS(n, fn, BLOCKS, ...)                                       \
  case BLOCKS:                                                                \
    if ((n) == PANEL * (BLOCKS) && (BLOCKS) % 4 == 0)                         \
      return fn<BLOCKS, (BLOCKS) % 4 == 0> (__VA_ARGS__);                     \
    return fn<BLOCKS, false> (__VA_ARGS__)

#define FOR_PAGES(A, fn, ...)                                                 \
  do                                                                          \
    {                                                                         \
      if ((A).type != GPU_DOUBLE || (A).n <= 24)                              \
        return cudaErrorNotSupported;                                         \
      switch (ceil_div ((A).n, PANEL))                                        \
        {                                                                     \
          CASE_BLOCKS ((A).n, fn, 4, __VA_ARGS__);                            \
          CASE_BLOCKS ((A).n, fn, 5, __VA_ARGS__);                            \
          CASE_BLOCKS ((A).n, fn, 6, __VA_ARGS__);                            \
          CASE_BLOCKS ((A).n, fn, 7, __VA_ARGS__);                            \
          CASE_BLOCKS ((A).n, fn, 8, __VA_ARGS__);                            \
          CASE_BLOCKS ((A).n, fn, 9, __VA_ARGS__);                            \
          CASE_BLOCKS ((A).n, fn, 10, __VA_ARGS__);                           \
          CASE_BLOCKS ((A).n, fn, 11, __VA_ARGS__);                           \
          CASE_BLOCKS ((A).n, fn, 12, __VA_ARGS__);                           \
          CASE_BLOCKS ((A).n, fn, 13, __VA_ARGS__);                           \
          CASE_BLOCKS ((A).n, fn, 14, __VA_ARGS__);                           \
          CASE_BLOCKS ((A).n, fn, 15, __VA_ARGS__);                           \
          CASE_BLOCKS ((A).n, fn, 16, __VA_ARGS__);                           \
        default:                                                              \
          return cudaErrorNotSupported;                                       \
        }                                                                     \
    }                                                                         \
  while (0)

cudaError_t
cuda_inv_mma (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  if (A.pages == 0)
    return cudaSuccess;
  FOR_PAGES (A, inv_pages, s, A, X, rcond);
}

cudaError_t
cuda_det_mma (cudaStream_t s, gpu_mat A, gpu_mat d, gpu_mat sign)
{
  if (A.pages == 0)
    return cudaSuccess;
  FOR_PAGES (A, det_pages, s, A, d, sign);
}

/* A build for older GPUs may be translated for this one, and is empty.  */
cudaError_t
cuda_mma_usable (bool *yes)
{
  cudaFuncAttributes attributes;
  const cudaError_t status = cudaFuncGetAttributes (
    &attributes, (const void *) det_mma_kernel<4, true>);
  *yes = status == cudaSuccess && attributes.ptxVersion >= 90;
  return status;
}
