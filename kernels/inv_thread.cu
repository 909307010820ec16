/* inv_thread.cu: X = inv (A), rcond and det (A) of the smallest pages, a
   thread a page, the page in registers.

        global          shared, of a warp        registers
      | page 0 |       | page 0 | pad |       lane 0: a = page 0
      | page 1 |  -->  | page 1 | pad |  -->  lane 1: a = page 1
      |  ...   |       |  ...   |     |         ...

   and back.  Pages of up to 2 x 2 are so small that they go directly.  All
   loops over i, j and k are unrolled, and a swap of rows chooses between
   registers.  The inverse is Gauss-Jordan elimination in place: behind step k
   column k is that of the inverse of what was eliminated, and column j of the
   result belongs to the row of A that the swaps brought to row j.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <type_traits>

#include "pages.cuh"

/* The largest pages whose elements and the rest fit the registers.  */
template <class T>
constexpr int max_size = sizeof (T) == 16  ? 6
                         : sizeof (T) == 4 ? 12
                         : is_complex<T>   ? 8
                                           : 10;

/* Warps a block: few where a warp's pages are large.  */
template <class T, int N>
constexpr int warps = N *N * sizeof (T) <= 200 ? 4 : 1;

template <int N> constexpr bool direct = N <= 2;

/* A(:,:) = page, in pieces of 16 bytes where they fit.  */
template <class T, int N>
__device__ __forceinline__ void
load_page (T (&a)[N][N], const T *page)
{
  constexpr int CHUNK = N * N * sizeof (T) % 16 ? 1 : 16 / sizeof (T);
#pragma unroll
  for (int c = 0; c < N * N; c += CHUNK)
    {
      alignas (CHUNK * sizeof (T)) T x[CHUNK];
      if constexpr (CHUNK * sizeof (T) == 16)
        *(int4 *) x = *(const int4 *) (page + c);
      else
        x[0] = page[c];
#pragma unroll
      for (int q = 0; q < CHUNK; q++)
        a[(c + q) % N][(c + q) / N] = x[q];
    }
}

/* Bring the first of the largest of a(K:N,K) to row K, from column FIRST on.
   Returns the row where it was.  */
template <class T, int N>
__device__ __forceinline__ int
swap_pivot_row (T (&a)[N][N], int k, int first)
{
  auto most = size_of (a[k][k]);
  int from = k;
#pragma unroll
  for (int i = k + 1; i < N; i++)
    {
      auto size = size_of (a[i][k]);
      from = size > most ? i : from;
      most = size > most ? size : most;
    }
#pragma unroll
  for (int i = k + 1; i < N; i++)
#pragma unroll
    for (int j = first; j < N; j++)
      {
        T x = a[k][j], y = a[i][j];
        a[k][j] = choose (from == i, y, x);
        a[i][j] = choose (from == i, x, y);
      }
  return from;
}

/* Which row of A came to row j, four bits each.  */
template <int N> struct row_order
{
  using word = std::conditional_t<(N <= 8), uint32_t, uint64_t>;
  word rows = (word) 0xfedcba9876543210;

  __device__ void
  swap (int i, int j)
  {
    word d = (rows >> (4 * i) ^ rows >> (4 * j)) & 15;
    rows ^= d << (4 * i);
    rows ^= d << (4 * j);
  }
  __device__ int
  operator[] (int j) const
  {
    return (int) (rows >> (4 * j)) & 15;
  }
};

__device__ static float
rounded_product (float a, float b)
{
  return __fmul_rn (a, b);
}
__device__ static double
rounded_product (double a, double b)
{
  return __dmul_rn (a, b);
}
template <class R>
__device__ R
rounded_mul_sub (R c, R a, R b)
{
  return c - rounded_product (a, b);
}
template <class R>
__device__ gpu_complex<R>
rounded_mul_sub (gpu_complex<R> c, gpu_complex<R> a, gpu_complex<R> b)
{
  return {
    c.re - (rounded_product (a.re, b.re) - rounded_product (a.im, b.im)),
    c.im - (rounded_product (a.re, b.im) + rounded_product (a.im, b.re))
  };
}

/* c - f * b.  Where time allows, the product is rounded first, as in LAPACK's
   dot products: then [1 1; 3 3] is singular, as people expect, although 1/3
   is not exact.  */
template <class T, int N>
__device__ __forceinline__ T
eliminated (T c, T f, T b)
{
  if constexpr (N <= 4)
    return rounded_mul_sub (c, f, b);
  else
    return mul_sub (c, f, b);
}

/* Gauss-Jordan elimination.  Returns whether a pivot was zero.  */
template <class T, int N>
__device__ __forceinline__ bool
invert (T (&a)[N][N], row_order<N> &order)
{
  bool singular = false;
#pragma unroll
  for (int k = 0; k < N; k++)
    {
      order.swap (swap_pivot_row (a, k, 0), k);
      const pivot<T> p (a[k][k]);
      singular |= p.r == 0;
#pragma unroll
      for (int i = 0; i < N; i++)
        if (i != k)
          {
            const T f = p.divide (a[i][k]);
            a[i][k] = negative (f);
#pragma unroll
            for (int j = 0; j < N; j++)
              if (j != k)
                a[i][j] = eliminated<T, N> (a[i][j], f, a[k][j]);
          }
      a[k][k] = make<T> (1);
#pragma unroll
      for (int j = 0; j < N; j++)
        a[k][j] = mul (a[k][j], p.inverse ());
    }
  return singular;
}

template <class T, int N>
__device__ __forceinline__ product<T>
determinant (T (&a)[N][N])
{
  product<T> d (make<T> (1));
#pragma unroll
  for (int k = 0; k < N; k++)
    {
      const int from = swap_pivot_row (a, k, k);
      const pivot<T> p (a[k][k]);
      d.times (choose (from == k, p.p, negative (p.p)), -p.k);
#pragma unroll
      for (int i = k + 1; i < N; i++)
        {
          const T f = p.divide (a[i][k]);
#pragma unroll
          for (int j = k + 1; j < N; j++)
            a[i][j] = eliminated<T, N> (a[i][j], f, a[k][j]);
        }
    }
  return d;
}

template <class T, int N>
__device__ __forceinline__ typename real_of<T>::type
norm1 (const T (&a)[N][N])
{
  unsigned largest = 0;
#pragma unroll
  for (int e = 0; e < N * N; e++)
    largest = max (largest, extent (a[e % N][e / N]));
  const modulus_sum<T> modulus (largest);
  typename real_of<T>::type most = 0;
#pragma unroll
  for (int j = 0; j < N; j++)
    {
      auto sum = modulus.term (a[0][j]);
#pragma unroll
      for (int i = 1; i < N; i++)
        sum += modulus.term (a[i][j]);
      most = max_or_nan (most, sum);
    }
  return modulus.unscale (most);
}

/* a = inv (a) but for the order of its columns.  Returns rcond if it is
   WANTED, else 0 only for a zero pivot.  */
template <class T, int N>
__device__ __forceinline__ typename real_of<T>::type
invert_page (T (&a)[N][N], row_order<N> &order, bool wanted)
{
  typename real_of<T>::type norm = wanted ? norm1 (a) : 0, r;
  const bool singular = invert (a, order);
  if (wanted)
    r = reciprocal_condition (norm, norm1 (a), singular);
  else
    r = !singular;
  if (r == 0)
#pragma unroll
    for (int e = 0; e < N * N; e++)
      a[e % N][e / N] = make<T> (INFINITY);
  return r;
}

/* X(:,:) = a with its columns in order, in pieces of 16 bytes.  */
template <class T, int N>
__device__ __forceinline__ void
store_page (T *X, const T (&a)[N][N], const row_order<N> &order)
{
  constexpr int CHUNK = N * N * sizeof (T) % 16 ? 1 : 16 / sizeof (T);
#pragma unroll
  for (int c = 0; c < N * N; c += CHUNK)
    {
      alignas (CHUNK * sizeof (T)) T x[CHUNK];
#pragma unroll
      for (int q = 0; q < CHUNK; q++)
        {
          const int i = (c + q) % N, j = (c + q) / N;
          x[q] = a[i][0];
#pragma unroll
          for (int b = 1; b < N; b++)
            x[q] = choose (order[b] == j, a[i][b], x[q]);
        }
      if constexpr (CHUNK * sizeof (T) == 16)
        *(int4 *) (X + c) = *(const int4 *) x;
      else
        X[c] = x[0];
    }
}

__device__ static float
inverse_of (float x)
{
  return 1 / x;
}
__device__ static double
inverse_of (double x)
{
  return 1 / x;
}
template <class R>
__device__ gpu_complex<R>
inverse_of (gpu_complex<R> x)
{
  return pivot<gpu_complex<R>> (x).inverse ();
}

/* A page of one element, whose condition is 1, 0 or NaN.  */
template <class T>
__device__ typename real_of<T>::type
invert_number (T &a)
{
  const auto size = modulus (a);
  const T x = inverse_of (a);
  if (isnan (size) || (isfinite (size) && size != 0 && isfinite (size_of (x))))
    {
      a = isnan (size) ? a : x;
      return isnan (size) ? size : 1;
    }
  a = make<T> (isfinite (size) ? INFINITY : 0);
  return 0;
}

template <class T, int N>
__global__ void __launch_bounds__ (32 * warps<T, N>)
  inv_direct_kernel (const T *A, T *X, ptrdiff_t pages,
                     typename real_of<T>::type *rcond, ptrdiff_t step)
{
  const ptrdiff_t stride = (ptrdiff_t) gridDim.x * blockDim.x;
  for (ptrdiff_t page = (ptrdiff_t) blockIdx.x * blockDim.x + threadIdx.x;
       page < pages; page += stride)
    {
      T a[N][N];
      row_order<N> order;
      typename real_of<T>::type rc;
      load_page<T, N> (a, A + page * N * N);
      if constexpr (N == 1)
        rc = invert_number (a[0][0]);
      else
        rc = invert_page<T, N> (a, order, rcond);
      if (rcond)
        rcond[page * step] = rc;
      store_page<T, N> (X + page * N * N, a, order);
    }
}

template <class T, int N>
__global__ void __launch_bounds__ (32 * warps<T, N>)
  det_direct_kernel (const T *A, ptrdiff_t pages, det_result<T> result)
{
  const ptrdiff_t stride = (ptrdiff_t) gridDim.x * blockDim.x;
  for (ptrdiff_t page = (ptrdiff_t) blockIdx.x * blockDim.x + threadIdx.x;
       page < pages; page += stride)
    {
      T a[N][N];
      load_page<T, N> (a, A + page * N * N);
      write_det (result, page, determinant<T, N> (a));
    }
}

/* A warp's 32 pages from FIRST on at a time; a lane beyond the last page
   repeats that one, and writes nothing.  */
template <class T, int N>
__global__ void __launch_bounds__ (32 * warps<T, N>)
  inv_thread_kernel (const T *A, T *X, ptrdiff_t pages,
                     typename real_of<T>::type *rcond, ptrdiff_t step)
{
  using group = shelf<T, N, 32>;
  __shared__ group groups[warps<T, N>];
  const int warp = __shfl_sync (~0u, (int) threadIdx.x / 32, 0);
  const int lane = threadIdx.x % 32;
  group &mine = groups[warp];
  const ptrdiff_t stride = (ptrdiff_t) gridDim.x * blockDim.x;
  for (ptrdiff_t first = (ptrdiff_t) blockIdx.x * blockDim.x + warp * 32;
       first < pages; first += stride)
    {
      const int now = (int) min (pages - first, (ptrdiff_t) 32);
      mine.get (A + first * N * N, now, lane);
      T *page = mine.pages + min (lane, now - 1) * group::STEP;
      T a[N][N];
      row_order<N> order;
      load_page<T, N> (a, page);
      const auto rc = invert_page<T, N> (a, order, rcond);
      __syncwarp ();
      if (lane < now)
        {
          if (rcond)
            rcond[(first + lane) * step] = rc;
#pragma unroll
          for (int j = 0; j < N; j++)
#pragma unroll
            for (int i = 0; i < N; i++)
              page[order[j] * N + i] = a[i][j];
        }
      mine.put (X + first * N * N, now, lane);
    }
}

template <class T, int N>
__global__ void __launch_bounds__ (32 * warps<T, N>)
  det_thread_kernel (const T *A, ptrdiff_t pages, det_result<T> result)
{
  using group = shelf<T, N, 32>;
  __shared__ group groups[warps<T, N>];
  const int warp = __shfl_sync (~0u, (int) threadIdx.x / 32, 0);
  const int lane = threadIdx.x % 32;
  group &mine = groups[warp];
  const ptrdiff_t stride = (ptrdiff_t) gridDim.x * blockDim.x;
  for (ptrdiff_t first = (ptrdiff_t) blockIdx.x * blockDim.x + warp * 32;
       first < pages; first += stride)
    {
      const int now = (int) min (pages - first, (ptrdiff_t) 32);
      mine.get (A + first * N * N, now, lane);
      T a[N][N];
      load_page<T, N> (a, mine.pages + min (lane, now - 1) * group::STEP);
      __syncwarp ();
      const product<T> d = determinant<T, N> (a);
      if (lane < now)
        write_det (result, first + lane, d);
    }
}

template <class T, int N = 1>
static cudaError_t
inv_thread (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  using R = typename real_of<T>::type;
  if constexpr (N <= max_size<T>)
    {
      if (A.n != N)
        return inv_thread<T, N + 1> (s, A, X, rcond);
      if (A.pages == 0)
        return cudaSuccess;
      constexpr int THREADS = 32 * warps<T, N>;
      const unsigned grid = grid_for (ceil_div (A.pages, THREADS));
      if constexpr (direct<N>)
        inv_direct_kernel<T, N><<<grid, THREADS, 0, s>>> (
          (const T *) A.p, (T *) X.p, A.pages, (R *) rcond.p, rcond.step);
      else
        inv_thread_kernel<T, N><<<grid, THREADS, 0, s>>> (
          (const T *) A.p, (T *) X.p, A.pages, (R *) rcond.p, rcond.step);
      return cudaGetLastError ();
    }
  return cudaErrorNotSupported;
}

template <class T, int N = 1>
static cudaError_t
det_thread (cudaStream_t s, gpu_mat A, gpu_mat d, gpu_mat sign)
{
  if constexpr (N <= max_size<T>)
    {
      if (A.n != N)
        return det_thread<T, N + 1> (s, A, d, sign);
      if (A.pages == 0)
        return cudaSuccess;
      constexpr int THREADS = 32 * warps<T, N>;
      const unsigned grid = grid_for (ceil_div (A.pages, THREADS));
      const det_result<T> result (d, sign);
      if constexpr (direct<N>)
        det_direct_kernel<T, N>
          <<<grid, THREADS, 0, s>>> ((const T *) A.p, A.pages, result);
      else
        det_thread_kernel<T, N>
          <<<grid, THREADS, 0, s>>> ((const T *) A.p, A.pages, result);
      return cudaGetLastError ();
    }
  return cudaErrorNotSupported;
}

cudaError_t
cuda_inv_thread (cudaStream_t s, gpu_mat A, gpu_mat X, gpu_mat rcond)
{
  FOR_ELEMENT_TYPE (A.type, inv_thread, s, A, X, rcond);
}

cudaError_t
cuda_det_thread (cudaStream_t s, gpu_mat A, gpu_mat d, gpu_mat sign)
{
  FOR_ELEMENT_TYPE (A.type, det_thread, s, A, d, sign);
}
