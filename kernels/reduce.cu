/* reduce.cu: what has to look at a whole matrix: its norm, its structure, and
   what an inverse needs at its end.

   Results that several blocks have a part in are combined by atomic maxima of
   the bits and by atomic "and", whose order makes no difference.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pages.cuh"

enum
{
  WARP = 32,
  TILE = 32,
  THREADS = 256,
  EACH = 8,    /* columns of a team that sums them, */
  TALL = 1024, /* which is all of a block if they are so long */
  COLUMNS = 64 /* that a block fills */
};

__device__ static void
keep_largest (float *r, float x)
{
  atomicMax ((unsigned *) r, high_bits (x));
}
__device__ static void
keep_largest (double *r, double x)
{
  atomicMax ((unsigned long long *) r,
             (unsigned long long) __double_as_longlong (x));
}

/* sum (abs (x)) for M numbers RS apart, by TEAM threads, of which this is the
   one named MEMBER: what it has to add.  */
template <class T, int TEAM>
__device__ typename real_of<T>::type
sum_of_sizes (const T *x, ptrdiff_t m, ptrdiff_t rs, int member)
{
  constexpr int AT_ONCE = 4; /* loads on their way */
  typename real_of<T>::type sum[AT_ONCE] = {};
  ptrdiff_t i = member;
  for (; i + (AT_ONCE - 1) * TEAM < m; i += AT_ONCE * TEAM)
#pragma unroll
    for (int u = 0; u < AT_ONCE; u++)
      sum[u] += modulus (x[(i + u * TEAM) * rs]);
  for (; i < m; i += TEAM)
    sum[0] += modulus (x[i * rs]);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* r = norm (A, 1), where r is zero: TEAM threads sum a column, a warp or all
   of a block.  */
template <class T, int TEAM>
__global__ void
__launch_bounds__ (THREADS)
  norm1_kernel (strided<T> A, typename real_of<T>::type *r, ptrdiff_t r_step)
{
  using R = typename real_of<T>::type;
  constexpr int TEAMS = THREADS / TEAM;
  __shared__ R part[THREADS / WARP];
  const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
  const int team = threadIdx.x / TEAM;
  const ptrdiff_t pieces = (A.n + TEAMS * EACH - 1) / (TEAMS * EACH);
  for (ptrdiff_t g = blockIdx.x; g < pieces * A.pages; g += gridDim.x)
    {
      const ptrdiff_t page = g / pieces, j0 = g % pieces * TEAMS * EACH;
      R most = 0;
      for (ptrdiff_t e = 0; e < EACH; e++)
        {
          const ptrdiff_t j = j0 + e * TEAMS + team;
          if (j >= A.n)
            break;
          R sum = sum_of_sizes<T, TEAM> (A.p + j * A.cs + page * A.step, A.m,
                                         A.rs, threadIdx.x % TEAM);
          for (int h = WARP / 2; h > 0; h /= 2)
            sum += __shfl_xor_sync (~0u, sum, h);
          if (TEAM > WARP)
            {
              if (lane == 0)
                part[warp] = sum;
              __syncthreads ();
              sum = 0;
              for (int w = 0; w < THREADS / WARP; w++)
                sum += part[w];
              __syncthreads ();
            }
          if (high_bits (sum) > high_bits (most)
              || (high_bits (sum) == high_bits (most)
                  && low_bits (sum) > low_bits (most)))
            most = sum;
        }
      if (threadIdx.x % TEAM == 0)
        keep_largest (r + page * r_step, most);
    }
}

__global__ static void
set_flags_kernel (int64_t *flags, ptrdiff_t step, ptrdiff_t pages, int64_t all)
{
  ptrdiff_t k = (ptrdiff_t) blockIdx.x * blockDim.x + threadIdx.x;
  for (; k < pages; k += (ptrdiff_t) gridDim.x * blockDim.x)
    flags[k * step] = all;
}

/* The structure of A, whose flags are all set: a block looks at the tile (ti,
   tj) and, turned round in shared memory, at the tile (tj, ti).  Once nothing
   is left to be found out, nothing is read.  */
template <class T>
__global__ void
__launch_bounds__ (THREADS)
  structure_kernel (strided<T> A, int64_t *flags, ptrdiff_t step)
{
  __shared__ T turned[TILE][TILE + 1];
  const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  const ptrdiff_t n = A.n, tiles = (n + TILE - 1) / TILE;
  const ptrdiff_t pairs = tiles * (tiles + 1) / 2;
  for (ptrdiff_t g = blockIdx.x; g < pairs * A.pages; g += gridDim.x)
    {
      const ptrdiff_t page = g / pairs;
      const T *a = A.p + page * A.step;
      unsigned long long *flag = (unsigned long long *) flags + page * step;
      ptrdiff_t ti, tj;
      tile_pair (g % pairs, &ti, &tj);
      const int left
        = __syncthreads_or (*(volatile unsigned long long *) flag != 0);
      if (!left)
        continue;
      for (int r = y; r < TILE; r += THREADS / TILE)
        {
          const ptrdiff_t i = tj * TILE + x, j = ti * TILE + r;
          if (i < n && j < n)
            turned[r][x] = a[i * A.rs + j * A.cs];
        }
      __syncthreads ();
      int found = GPU_IS_UPPER | GPU_IS_LOWER | GPU_IS_HERMITIAN;
      for (int r = y; r < TILE; r += THREADS / TILE)
        {
          const ptrdiff_t i = ti * TILE + x, j = tj * TILE + r;
          if (i >= n || j >= n || i > j)
            continue;
          const T upper = a[i * A.rs + j * A.cs], lower = turned[x][r];
          const T other = conj_if (true, lower);
          const T gap = mul_sub (upper, other, make<T> (1));
          if (i < j && size_of (upper) != 0)
            found &= ~GPU_IS_LOWER;
          if (i < j && size_of (lower) != 0)
            found &= ~GPU_IS_UPPER;
          if (size_of (gap) != 0 || (i == j && !(real_part (upper) > 0)))
            found &= ~GPU_IS_HERMITIAN;
        }
      unsigned long long all = 0;
      for (int bit = 1; bit <= GPU_IS_HERMITIAN; bit *= 2)
        if (__syncthreads_and (found & bit))
          all |= bit;
      if (threadIdx.x == 0)
        atomicAnd (flag, all);
    }
}

/* The tile (tj, ti) becomes the adjoint of the tile (ti, tj).  */
template <class T>
__global__ void
__launch_bounds__ (THREADS) mirror_kernel (strided<T> A)
{
  __shared__ T turned[TILE][TILE + 1];
  const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  const ptrdiff_t n = A.n, tiles = (n + TILE - 1) / TILE;
  const ptrdiff_t pairs = tiles * (tiles + 1) / 2;
  for (ptrdiff_t g = blockIdx.x; g < pairs * A.pages; g += gridDim.x)
    {
      T *a = A.p + g / pairs * A.step;
      ptrdiff_t ti, tj;
      tile_pair (g % pairs, &ti, &tj);
      for (int r = y; r < TILE; r += THREADS / TILE)
        {
          const ptrdiff_t i = ti * TILE + x, j = tj * TILE + r;
          if (i < n && j < n)
            turned[r][x] = a[i * A.rs + j * A.cs];
        }
      __syncthreads ();
      for (int r = y; r < TILE; r += THREADS / TILE)
        {
          const ptrdiff_t i = tj * TILE + x, j = ti * TILE + r;
          if (i < n && j < n && i > j)
            a[i * A.rs + j * A.cs] = conj_if (true, turned[x][r]);
          if (i < n && i == j)
            a[i * A.rs + j * A.cs] = make<T> (real_part (turned[x][r]));
        }
      __syncthreads ();
    }
}

/* rcond = (1 / rcond) / anorm, 0 where info is not.  */
template <class R>
__global__ void
rcond_kernel (const R *anorm, ptrdiff_t anorm_step, const int64_t *info,
              ptrdiff_t info_step, R *rcond, ptrdiff_t rcond_step,
              ptrdiff_t pages)
{
  ptrdiff_t k = (ptrdiff_t) blockIdx.x * blockDim.x + threadIdx.x;
  for (; k < pages; k += (ptrdiff_t) gridDim.x * blockDim.x)
    {
      R *r = rcond + k * rcond_step;
      *r = reciprocal_condition (anorm[k * anorm_step], *r,
                                 info[k * info_step] != 0);
    }
}

/* The pages whose rcond is 0 become Inf; PARTS blocks take a page.  */
template <class T>
__global__ void
__launch_bounds__ (THREADS)
  fill_singular_kernel (const typename real_of<T>::type *rcond,
                        ptrdiff_t rcond_step, strided<T> X, int parts)
{
  for (ptrdiff_t g = blockIdx.x; g < X.pages * parts; g += gridDim.x)
    {
      const ptrdiff_t page = g / parts;
      if (rcond[page * rcond_step] != 0)
        continue;
      for (ptrdiff_t j = g % parts; j < X.n; j += parts)
        for (ptrdiff_t i = threadIdx.x; i < X.m; i += THREADS)
          X.p[i * X.rs + j * X.cs + page * X.step] = make<T> (INFINITY);
    }
}

template <class T, int TEAM>
static cudaError_t
norm1_by (cudaStream_t s, gpu_mat A, gpu_mat r)
{
  const ptrdiff_t pieces = ceil_div (A.n, THREADS / TEAM * EACH);
  norm1_kernel<T, TEAM><<<grid_for (pieces * A.pages), THREADS, 0, s>>> (
    strided<T> (A), (typename real_of<T>::type *) r.p, r.step);
  return cudaGetLastError ();
}

template <class T>
static cudaError_t
norm1 (cudaStream_t s, gpu_mat A, gpu_mat r)
{
  if (A.m == 0 || A.n == 0)
    return cudaSuccess;
  return A.m >= TALL ? norm1_by<T, THREADS> (s, A, r)
                     : norm1_by<T, WARP> (s, A, r);
}

template <class T>
static cudaError_t
structure (cudaStream_t s, gpu_mat A, gpu_mat flags)
{
  const ptrdiff_t tiles = ceil_div (A.n, TILE);
  if (tiles > 0)
    structure_kernel<T>
      <<<grid_for (tiles * (tiles + 1) / 2 * A.pages), THREADS, 0, s>>> (
        strided<T> (A), (int64_t *) flags.p, flags.step);
  return cudaGetLastError ();
}

template <class T>
static cudaError_t
mirror (cudaStream_t s, gpu_mat A)
{
  const ptrdiff_t tiles = ceil_div (A.n, TILE);
  mirror_kernel<T>
    <<<grid_for (tiles * (tiles + 1) / 2 * A.pages), THREADS, 0, s>>> (
      strided<T> (A));
  return cudaGetLastError ();
}

template <class T>
static cudaError_t
finish_inv (cudaStream_t s, gpu_mat anorm, gpu_mat info, gpu_mat X,
            gpu_mat rcond)
{
  using R = typename real_of<T>::type;
  rcond_kernel<R><<<grid_for (ceil_div (X.pages, THREADS)), THREADS, 0, s>>> (
    (const R *) anorm.p, anorm.step, (const int64_t *) info.p, info.step,
    (R *) rcond.p, rcond.step, X.pages);
  if (X.n > 0)
    {
      const int parts = (int) ceil_div (X.n, COLUMNS);
      fill_singular_kernel<T><<<grid_for (X.pages * parts), THREADS, 0, s>>> (
        (const R *) rcond.p, rcond.step, strided<T> (X), parts);
    }
  return cudaGetLastError ();
}

cudaError_t
cuda_norm1 (cudaStream_t s, gpu_mat A, gpu_mat r)
{
  cudaError_t status = cuda_zero (s, r);
  if (status != cudaSuccess || A.pages == 0)
    return status;
  FOR_ELEMENT_TYPE (A.type, norm1, s, A, r);
}

cudaError_t
cuda_structure (cudaStream_t s, gpu_mat A, gpu_mat flags)
{
  if (A.pages == 0)
    return cudaSuccess;
  set_flags_kernel<<<grid_for (ceil_div (A.pages, THREADS)), THREADS, 0, s>>> (
    (int64_t *) flags.p, flags.step, A.pages,
    GPU_IS_UPPER | GPU_IS_LOWER | GPU_IS_HERMITIAN);
  FOR_ELEMENT_TYPE (A.type, structure, s, A, flags);
}

cudaError_t
cuda_mirror (cudaStream_t s, gpu_mat A)
{
  if (A.n == 0 || A.pages == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (A.type, mirror, s, A);
}

cudaError_t
cuda_finish_inv (cudaStream_t s, gpu_mat anorm, gpu_mat info, gpu_mat X,
                 gpu_mat rcond)
{
  if (X.pages == 0)
    return cudaSuccess;
  FOR_ELEMENT_TYPE (X.type, finish_inv, s, anorm, info, X, rcond);
}
