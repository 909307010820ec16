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

   A warp has the columns of one panel (up to n = 32 of all four) as the mma
   instruction wants them: of every 8 x 8, lane 4 * g + t has the elements
   (g, 2 * t) and (g, 2 * t + 1).  To eliminate its panel it takes it through
   shared memory as rows: lane l has the rows l, l + 32, ...  It does so as
   soon as its own columns are up to date, while the other warps are still at
   theirs; so the chain of pivots runs within one warp and never waits for a
   product, and the block meets once a panel.

   Rows never move: place (row) is the row where LAPACK, which swaps, would
   have it.  Element (i, c) of what is left belongs to row place (i) and to
   column p of step c of the inverse.

   SPDX-License-Identifier: GPL-3.0-or-later  */

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
  static_assert (BLOCKS % 2 == 0, "a product takes 16 rows");
  static constexpr int SIZE = PANEL * BLOCKS;
  static constexpr int OWN = BLOCKS <= 4 ? BLOCKS : 1; /* panels of a warp */
  static constexpr int WARPS = BLOCKS / OWN;
  static constexpr int ROWS = (SIZE + WARP - 1) / WARP; /* of a lane */
  /* Blocks of threads that share a multiprocessor, by their registers.  */
  static constexpr int TOGETHER = BLOCKS <= 4    ? 16
                                  : BLOCKS <= 6  ? 4
                                  : BLOCKS <= 8  ? 3
                                  : BLOCKS <= 12 ? 2
                                                 : 1;
};

/* A panel in shared memory.  Where the pairs of a row are turns with the row,
   so that neither lanes with a row each nor those of a fragment collide.  */
template <int BLOCKS> struct panel
{
  double2 pairs[layout<BLOCKS>::ROWS * WARP][PANEL / 2];

  __device__ double2 &
  at (unsigned row, unsigned pair)
  {
    return pairs[row][pair ^ (row / 2 % 4)];
  }
};

/* What the lanes and the warps of a page tell each other.  */
template <class T, int BLOCKS> struct page_memory
{
  using L = layout<BLOCKS>;
  static constexpr int ROWS = L::ROWS * WARP, COLS = L::OWN * PANEL;
  struct work
  {
    panel<BLOCKS> panels[2];                /* this one, and the one before */
    double rows[L::WARPS][PANEL][COLS + 2]; /* each warp's B */
    double line[2][PANEL];                  /* the pivot's row of the panel */
  };
  union
  {
    work w;
    T out[L::WARPS][COLS][L::SIZE + 2];
  };
  double inverse[ROWS]; /* 1 / pivot, by its row */
  double pivot[ROWS];   /* by its step, its sign turned by a swap */
  double norm[2][L::WARPS];
  int place[2][ROWS]; /* after this panel, and after the one before */
  int row[ROWS];      /* of the pivot, by its step */
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

/* [c0; c1] = [c0; c1] + [a0; a1] * b for blocks of 8 x 8, of which the lane
   has a pair of neighbours in a row, in b in a column.  */
__device__ inline void
multiply_add (double (&c0)[2], double (&c1)[2], double2 a0, double2 a1,
              double2 b)
{
#if __CUDA_ARCH__ >= 900
  asm volatile(
    "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
    "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
    : "+d"(c0[0]), "+d"(c0[1]), "+d"(c1[0]), "+d"(c1[1])
    : "d"(a0.x), "d"(a1.x), "d"(a0.y), "d"(a1.y), "d"(b.x), "d"(b.y));
#endif
}

/* Panel Q in shared memory becomes M.  By one warp.  */
template <class T, int BLOCKS, bool FULL, bool INVERT>
__device__ void
eliminate_panel (page_memory<T, BLOCKS> &m, int q, int n)
{
  constexpr int ROWS = layout<BLOCKS>::ROWS;
  const int lane = lane_id (), k0 = PANEL * q;
  const int steps = FULL ? PANEL : min ((int) PANEL, n - k0);
  panel<BLOCKS> &M = m.w.panels[q % 2];
  double x[ROWS][PANEL];
  int place[ROWS];

#pragma unroll
  for (int r = 0; r < ROWS; r++)
    {
      place[r] = m.place[(q + 1) % 2][lane + WARP * r];
#pragma unroll
      for (int c = 0; c < PANEL; c += 2)
        {
          double2 pair = { 0, 0 };
          if (place[r] >= 0)
            pair = M.at (lane + WARP * r, c / 2);
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
      double2 *line = (double2 *) m.w.line[s % 2];
      const int row = find_pivot<INVERT> (m, x, place, f, k0 + s);
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        if (lane + WARP * r == row)
#pragma unroll
          for (int c = 0; c < PANEL; c += 2)
            line[c / 2] = make_double2 (x[r][c], x[r][c + 1]);
      __syncwarp ();
#pragma unroll
      for (int c = 0; c < PANEL; c += 2)
        {
          const double2 pair = line[c / 2];
          y[c] = pair.x;
          y[c + 1] = pair.y;
        }
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        {
#pragma unroll
          for (int c = 1; c < PANEL; c++)
            x[r][c - 1] = fma (f[r], y[c], x[r][c]);
          x[r][PANEL - 1] = lane + WARP * r == row ? 1 : f[r];
        }
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
      const double by = INVERT && is_pivot ? m.inverse[row] : 1;
#pragma unroll
      for (int c = 0; c < PANEL; c += 2)
        M.at (row, c / 2) = make_double2 (x[r][c] * by, x[r][c + 1] * by);
      m.place[q % 2][row] = place[r];
    }
}

/* The warp's panel B, which is panel Q of the page, through its elimination
   and back.  */
template <bool FULL, bool INVERT, class T, int BLOCKS, int OWN>
__device__ void
eliminate (page_memory<T, BLOCKS> &m, double (&C)[BLOCKS][OWN][2], int b,
           int q, int n)
{
  const int lane = lane_id (), g = lane / 4, t = lane % 4;
  panel<BLOCKS> &M = m.w.panels[q % 2];
#pragma unroll
  for (int i = 0; i < BLOCKS; i++)
    M.at (PANEL * i + g, t) = make_double2 (C[i][b][0], C[i][b][1]);
  __syncwarp ();
  eliminate_panel<T, BLOCKS, FULL, INVERT> (m, q, n);
  __syncwarp ();
#pragma unroll
  for (int i = 0; i < BLOCKS; i++)
    {
      const double2 pair = M.at (PANEL * i + g, t);
      C[i][b][0] = pair.x;
      C[i][b][1] = pair.y;
    }
}

/* B = C(p,:); C(p,:) = 0; C = C + M * B for the panel Q, and for the warp's
   panels from FIRST on without OMIT.  */
template <bool FULL, class T, int BLOCKS, int OWN>
__device__ void
update (page_memory<T, BLOCKS> &m, double (&C)[BLOCKS][OWN][2], int warp,
        int first, int omit, int q, int n)
{
  const int lane = lane_id (), g = lane / 4, t = lane % 4, k0 = PANEL * q;
  panel<BLOCKS> &M = m.w.panels[q % 2];
  auto &rows = m.w.rows[warp];

#pragma unroll
  for (int i = 0; i < BLOCKS; i++)
    {
      const unsigned s = m.place[q % 2][PANEL * i + g] - k0;
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
    {
      /* Beyond the page there is no pivot, and nothing in its row.  */
      const bool one = FULL || k0 + 2 * t < n,
                 two = FULL || k0 + 2 * t + 1 < n;
      B[b].x = one ? rows[2 * t][PANEL * b + g] : 0;
      B[b].y = two ? rows[2 * t + 1][PANEL * b + g] : 0;
    }
#pragma unroll
  for (int i = 0; i < BLOCKS; i += 2)
    {
      const double2 M0 = M.at (PANEL * i + g, t);
      const double2 M1 = M.at (PANEL * (i + 1) + g, t);
#pragma unroll
      for (int b = first; b < OWN; b++)
        if (b != omit)
          multiply_add (C[i][b], C[i + 1][b], M0, M1, B[b]);
    }
  __syncwarp ();
}

/* All panels; without INVERT, only what LU needs.  */
template <bool FULL, bool INVERT, class T, int BLOCKS, int OWN>
__device__ void
eliminate_all (page_memory<T, BLOCKS> &m, double (&C)[BLOCKS][OWN][2],
               int warp, int n)
{
  if constexpr (layout<BLOCKS>::WARPS == 1)
#pragma unroll
    for (int q = 0; q < BLOCKS; q++)
      {
        eliminate<FULL, INVERT> (m, C, q, q, n);
        update<FULL> (m, C, 0, INVERT ? 0 : q + 1, q, q, n);
      }
  else
#pragma unroll 1
    for (int q = 0; q <= (int) blockDim.x / WARP; q++)
      {
        const int last = q - 1;
        if (q > 0 && (INVERT ? warp != last : warp > last))
          update<FULL> (m, C, warp, 0, OWN, last, n);
        if (warp == q)
          eliminate<FULL, INVERT> (m, C, 0, q, n);
        __syncthreads ();
      }
}

/* The warp's columns of a page; zero outside.  */
template <bool FULL, class T, int BLOCKS, int OWN>
__device__ void
load (const T *A, double (&C)[BLOCKS][OWN][2], int warp, int n)
{
  const int lane = lane_id (), g = lane / 4, t = lane % 4;
#pragma unroll
  for (int b = 0; b < OWN; b++)
#pragma unroll
    for (int e = 0; e < 2; e++)
      {
        const int c = PANEL * (OWN * warp + b) + 2 * t + e;
        const T *column = A + c * n + g;
#pragma unroll
        for (int i = 0; i < BLOCKS; i++)
          {
            C[i][b][e] = 0;
            if (FULL || (c < n && PANEL * i + g < n))
              C[i][b][e] = __ldcs (column + PANEL * i);
          }
      }
}

template <class T, int BLOCKS>
__device__ void
reset (page_memory<T, BLOCKS> &m, int n)
{
  for (int i = threadIdx.x; i < layout<BLOCKS>::ROWS * WARP; i += blockDim.x)
    m.place[1][i] = i < n ? i : -1;
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
    /* The lanes of a column: halves of the columns change sides, until a lane
       has one column.  */
#pragma unroll
  for (int h = 4, c = OWN; h < WARP; h *= 2, c /= 2)
    if (c > 0)
      {
        const bool up = threadIdx.x & h;
#pragma unroll
        for (int i = 0; i < c; i++)
          {
            const double keep = up ? sum[c + i] : sum[i];
            const double send = up ? sum[i] : sum[c + i];
            sum[i] = keep + __shfl_xor_sync (~0u, send, h);
          }
      }
    else
      sum[0] += __shfl_xor_sync (~0u, sum[0], h);
  return warp_largest (sum[0]);
}

/* X = what is left, by way of shared memory, where each element goes to its
   row.  */
template <bool FULL, class T, int BLOCKS, int OWN>
__device__ void
store (page_memory<T, BLOCKS> &m, const double (&C)[BLOCKS][OWN][2], T *X,
       int warp, int n, bool singular)
{
  const int lane = threadIdx.x % WARP, g = lane / 4, t = lane % 4;
  const int c0 = PANEL * OWN * warp;
  const auto &place = m.place[(n - 1) / PANEL % 2];
  auto &out = m.out[warp];
#pragma unroll
  for (int i = 0; i < BLOCKS; i++)
    {
      const int to = place[PANEL * i + g];
      if (FULL || to >= 0)
#pragma unroll
        for (int c = 0; c < 2 * OWN; c++)
          out[PANEL * (c / 2) + 2 * t + c % 2][to] = (T) C[i][c / 2][c % 2];
    }
  __syncwarp ();
#pragma unroll 4
  for (int c = 0; c < PANEL * OWN; c++)
    if (FULL || c0 + c < n)
      {
        T *column = X + m.row[c0 + c] * n;
#pragma unroll
        for (int r = lane; r < layout<BLOCKS>::SIZE; r += WARP)
          if (FULL || r < n)
            __stcs (column + r, singular ? (T) INFINITY : out[c][r]);
      }
}

template <class T, int BLOCKS, bool FULL, bool RCOND>
__global__ void
__launch_bounds__ (WARP *layout<BLOCKS>::WARPS, layout<BLOCKS>::TOGETHER)
  inv_mma_kernel (const T *A, T *X, int n_, ptrdiff_t pages,
                  typename real_of<T>::type *rcond, ptrdiff_t rcond_step)
{
#if __CUDA_ARCH__ >= 900
  using L = layout<BLOCKS>;
  extern __shared__ __align__ (16) unsigned char shared[];
  page_memory<T, BLOCKS> &m = *(page_memory<T, BLOCKS> *) shared;
  const int n = FULL ? L::SIZE : n_;
  const int warp = __shfl_sync (~0u, (int) threadIdx.x / WARP, 0);
  const int lane = threadIdx.x % WARP, warps = blockDim.x / WARP;

  for (ptrdiff_t page = blockIdx.x; page < pages; page += gridDim.x)
    {
      double C[BLOCKS][L::OWN][2];
      load<FULL> (A + page * n * n, C, warp, n);
      reset (m, n);
      meet<L::WARPS> ();
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
          meet<L::WARPS> ();
          const double a = warp_largest (lane < warps ? m.norm[0][lane] : 0);
          const double x = warp_largest (lane < warps ? m.norm[1][lane] : 0);
          const T rc = reciprocal_condition ((T) a, (T) x, singular);
          singular = singular || rc == 0;
          if (threadIdx.x == 0)
            rcond[page * rcond_step] = rc;
        }
      store<FULL> (m, C, X + page * n * n, warp, n, singular);
      meet<L::WARPS> ();
    }
#endif
}

template <class T, int BLOCKS, bool FULL>
__global__ void
__launch_bounds__ (WARP *layout<BLOCKS>::WARPS, layout<BLOCKS>::TOGETHER)
  det_mma_kernel (const T *A, int n_, ptrdiff_t pages, det_result<T> result)
{
#if __CUDA_ARCH__ >= 900
  using L = layout<BLOCKS>;
  extern __shared__ __align__ (16) unsigned char shared[];
  page_memory<T, BLOCKS> &m = *(page_memory<T, BLOCKS> *) shared;
  const int n = FULL ? L::SIZE : n_;
  const int warp = __shfl_sync (~0u, (int) threadIdx.x / WARP, 0);
  const int lane = threadIdx.x % WARP;

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
          product<T> det ((T) d.m);
          det.e += d.e;
          if (lane == 0)
            write_det (result, page, det);
        }
      meet<L::WARPS> ();
    }
#endif
}

/* As many warps as there are panels.  */
template <class T, int BLOCKS>
static unsigned
threads_for (ptrdiff_t n)
{
  const ptrdiff_t columns = PANEL * layout<BLOCKS>::OWN;
  return WARP * (unsigned) ceil_div (n, columns);
}

template <class T, int BLOCKS, bool FULL>
static cudaError_t
inv_pages (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  auto kernel = rcond.p ? inv_mma_kernel<T, BLOCKS, FULL, true>
                        : inv_mma_kernel<T, BLOCKS, FULL, false>;
  return launch_shared (
    kernel, grid_for (A.pages), threads_for<T, BLOCKS> (A.n),
    sizeof (page_memory<T, BLOCKS>), s, (const T *) A.p, (T *) X.p, (int) A.n,
    A.pages, (T *) rcond.p, rcond.step);
}

template <class T, int BLOCKS, bool FULL>
static cudaError_t
det_pages (cudaStream_t s, gpu_mat A, gpu_mat d, gpu_mat sign)
{
  return launch_shared (det_mma_kernel<T, BLOCKS, FULL>, grid_for (A.pages),
                        threads_for<T, BLOCKS> (A.n),
                        sizeof (page_memory<T, BLOCKS>), s, (const T *) A.p,
                        (int) A.n, A.pages, det_result<T> (d, sign));
}

#define FOR_FULL(n, fn, T, BLOCKS, ...)                                       \
  return (n) == layout<BLOCKS>::SIZE ? fn<T, BLOCKS, true> (__VA_ARGS__)      \
                                     : fn<T, BLOCKS, false> (__VA_ARGS__)

/* FN<T, BLOCKS, FULL> (A, ...) for the size and the type of A.  */
#define FOR_PAGES(A, fn, ...)                                                 \
  do                                                                          \
    {                                                                         \
      if ((A).type != GPU_DOUBLE || (A).n <= 24)                              \
        return cudaErrorNotSupported;                                         \
      switch (((A).n + 15) / 16)                                              \
        {                                                                     \
        case 2:                                                               \
          FOR_FULL ((A).n, fn, double, 4, __VA_ARGS__);                       \
        case 3:                                                               \
          FOR_FULL ((A).n, fn, double, 6, __VA_ARGS__);                       \
        case 4:                                                               \
          FOR_FULL ((A).n, fn, double, 8, __VA_ARGS__);                       \
        case 5:                                                               \
          FOR_FULL ((A).n, fn, double, 10, __VA_ARGS__);                      \
        case 6:                                                               \
          FOR_FULL ((A).n, fn, double, 12, __VA_ARGS__);                      \
        case 7:                                                               \
          FOR_FULL ((A).n, fn, double, 14, __VA_ARGS__);                      \
        case 8:                                                               \
          FOR_FULL ((A).n, fn, double, 16, __VA_ARGS__);                      \
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
    &attributes, (const void *) det_mma_kernel<double, 4, true>);
  *yes = status == cudaSuccess && attributes.ptxVersion >= 90;
  return status;
}
