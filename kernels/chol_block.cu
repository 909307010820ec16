/* chol_block.cu: R = chol (A) of many packed pages above 32 x 32, a block of
   threads a page, in shared memory.

        k  k+PANEL       Panels of PANEL rows:
      +---+---------+    (1) one warp factors the diagonal block D, a lane a
    k | D |    P    |        column in registers;
      +---+---------+    (2) a thread a column solves P = D' \ P;
          |    C    |    (3) all threads update C = C - P' * P.
          +---------+
   Only the panels are stored, one behind the other, from D on: that is little
   more than the triangle.  Their columns are LD apart, a pad of one element,
   which frees both rows and columns of bank conflicts.

   The view of an adjoint is read by rows; as chol (conj (A)) = conj (chol
   (A)), its elements need not be conjugated.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "chol_panel.cuh"

enum
{
  LD = PANEL + 1,
  FEW = 256 /* pages that do not fill a GPU */
};

/* Where the panel from row K on starts.  */
template <int SIZE>
__host__ __device__ constexpr int
panel_at (int k)
{
  return LD * (k / PANEL) * (2 * SIZE + PANEL - k) / 2;
}

/* Not inlined: one copy serves all panels.  */
template <class T>
__device__ __noinline__ int
factor_panel (T *S, int rest, T (*rows)[PANEL],
              typename real_of<T>::type *inverse)
{
  return pivot_chain<T, LD, false> (S, rest, rows, inverse);
}

/* C = C - P' * P in the upper triangle, by DOWN x ACROSS threads.  P is at S,
   in the panel from row K on; C is all behind it.  A thread's elements are
   DOWN and ACROSS apart, so whole rectangles of them lie below the diagonal
   and are left out.  */
template <class T, int SIZE, int K, int DOWN, int ACROSS>
__device__ void
update_trailing (T *S)
{
  constexpr int REST = SIZE - K - PANEL, M = REST / DOWN, N = REST / ACROSS;
  const int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;
  const T *P = S + panel_at<SIZE> (K) + PANEL * LD;
  T sum[M][N];
#pragma unroll
  for (int a = 0; a < M; a++)
#pragma unroll
    for (int b = 0; b < N; b++)
      sum[a][b] = make<T> (0);
#pragma unroll 2
  for (int q = 0; q < PANEL; q++)
    {
      T u[M], v[N];
#pragma unroll
      for (int a = 0; a < M; a++)
        u[a] = P[q + (y + DOWN * a) * LD];
#pragma unroll
      for (int b = 0; b < N; b++)
        v[b] = P[q + (x + ACROSS * b) * LD];
#pragma unroll
      for (int a = 0; a < M; a++)
#pragma unroll
        for (int b = DOWN * a / ACROSS; b < N; b++)
          sum[a][b] = mul_sub_conj (sum[a][b], u[a], v[b]);
    }
#pragma unroll
  for (int a = 0; a < M; a++)
#pragma unroll
    for (int b = DOWN * a / ACROSS; b < N; b++)
      {
        const int top = DOWN * a / PANEL * PANEL; /* of C's panel */
        const int i = y + DOWN * a, j = x + ACROSS * b;
        T *s = S + panel_at<SIZE> (K + PANEL + top) + i - top + (j - top) * LD;
        if (i <= j)
          *s = mul_add (*s, make<T> (1), sum[a][b]);
      }
}

/* update_trailing for the panel from row k >= K on.  */
template <class T, int SIZE, int DOWN, int ACROSS, int K = 0>
__device__ void
update_from (T *S, int k)
{
  if constexpr (K + PANEL < SIZE)
    {
      if (k == K)
        update_trailing<T, SIZE, K, DOWN, ACROSS> (S);
      else
        update_from<T, SIZE, DOWN, ACROSS, K + PANEL> (S, k);
    }
}

/* S = chol (S).  inverse(i) = 1 / R(i,i).  Returns, in the first warp, the
   first bad pivot.  */
template <class T, int SIZE, int DOWN, int ACROSS>
__device__ int
factor (T *S, int n, T (*rows)[PANEL], typename real_of<T>::type *inverse)
{
  const int t = threadIdx.x;
  int bad = 0;
#pragma unroll 1
  for (int k = 0; k < n; k += PANEL)
    {
      T *P = S + panel_at<SIZE> (k);
      const int rest = n - k - PANEL;
      if (t < PANEL)
        {
          int b = factor_panel<T> (P, n - k, rows, inverse + k);
          if (b && !bad)
            bad = k + b;
        }
      __syncthreads ();
      if (rest <= 0)
        break;
      if (t < rest)
        solve_column<T, LD> (P, inverse + k, P + (PANEL + t) * LD);
      __syncthreads ();
      update_from<T, SIZE, DOWN, ACROSS> (S, k);
      __syncthreads ();
    }
  return bad;
}

/* Call f (place in A, place in S, whether it is in the upper triangle) for
   each element; a warp takes every WARPS-th column of storage.  */
template <class T, int SIZE, int WARPS, class F>
__device__ void
for_elements (const strided<T> &A, F f)
{
  const int n = (int) A.n, lane = threadIdx.x % PANEL;
  for (int slow = threadIdx.x / PANEL; slow < n; slow += WARPS)
#pragma unroll
    for (int e = 0; e < SIZE; e += PANEL)
      {
        const int fast = e + lane;
        const int i = A.by_rows ? slow : fast, j = A.by_rows ? fast : slow;
        const int top = i / PANEL * PANEL;
        if (fast < n)
          f (i * A.rs + j * A.cs,
             panel_at<SIZE> (top) + i - top + (j - top) * LD, i <= j);
      }
}

/* A block of threads takes a page; below the diagonal of R are zeros.  */
template <class T, int SIZE, int DOWN, int ACROSS, int BLOCKS>
__global__ void
__launch_bounds__ (DOWN *ACROSS, BLOCKS)
  chol_block_kernel (strided<T> A, strided<T> R, int64_t *info,
                     ptrdiff_t info_step)
{
  constexpr int WARPS = DOWN * ACROSS / PANEL;
  extern __shared__ __align__ (16) unsigned char shared[];
  T *S = (T *) shared;
  __shared__ __align__ (16) T rows[2][PANEL];
  __shared__ typename real_of<T>::type inverse[SIZE];
  const int n = (int) A.n;

  for (ptrdiff_t page = blockIdx.x; page < A.pages; page += gridDim.x)
    {
      const T *from = A.p + page * A.step;
      T *to = R.p + page * R.step;

      for_elements<T, SIZE, WARPS> (A,
                                    [=] (ptrdiff_t e, int place, bool inside) {
                                      if (inside)
                                        copy_async (S + place, from + e);
                                    });
      copies_arrive ();
      __syncthreads ();

      const int bad = factor<T, SIZE, DOWN, ACROSS> (S, n, rows, inverse);

      for_elements<T, SIZE, WARPS> (R,
                                    [=] (ptrdiff_t e, int place, bool inside) {
                                      to[e] = inside ? S[place] : make<T> (0);
                                    });
      if (threadIdx.x == 0 && bad)
        info[page * info_step] = bad;
      __syncthreads ();
    }
}

template <class T, int SIZE, int DOWN, int ACROSS, int BLOCKS>
static cudaError_t
launch (cudaStream_t s, gpu_mat A, gpu_mat R, gpu_mat info)
{
  return launch_shared (chol_block_kernel<T, SIZE, DOWN, ACROSS, BLOCKS>,
                        grid_for (A.pages), DOWN * ACROSS,
                        panel_at<SIZE> (SIZE) * sizeof (T), s, strided<T> (A),
                        strided<T> (R), (int64_t *) info.p, info.step);
}

/* Many pages: few threads each, so that more pages share a multiprocessor,
   whose pivot chains hide each other's latency.  */
template <class T>
static cudaError_t
chol_block (cudaStream_t s, gpu_mat A, gpu_mat R, gpu_mat info)
{
  constexpr bool wide = sizeof (T) > 8;
  if (A.n <= 64 && A.pages <= FEW)
    return launch<T, 64, 16, 16, 1> (s, A, R, info);
  if (A.n <= 64)
    return launch < T, 64, 8, 8, wide ? 4 : 6 > (s, A, R, info);
  if constexpr (!wide)
    {
      if (A.n <= 96)
        return launch<T, 96, 8, 16, 4> (s, A, R, info);
      if (A.n <= 128)
        return launch<T, 128, 16, 16, 2> (s, A, R, info);
    }
  return cudaErrorNotSupported;
}

cudaError_t
cuda_chol_block (cudaStream_t s, gpu_mat A, gpu_mat R, gpu_mat info)
{
  FOR_ELEMENT_TYPE (A.type, chol_block, s, A, R, info);
}
