/* geometry.cu: points through homographies, inverses of rigid transforms.

   Both are bound by memory: a point is read and written once, by the thread of
   its number, and so is a transform, whose page goes through the shared memory
   of its warp like those of inv_thread.cu.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pages.cuh"

enum
{
  THREADS = 256,
  POINTS = 4, /* of a thread: they are read before the first is computed */
  WARPS = 4   /* of a block that inverts transforms */
};

template <class R> struct alignas (2 * sizeof (R)) point
{
  R x, y;
};

template <class R> constexpr R rounding = sizeof (R) == 4 ? 0x1p-22 : 0x1p-51;

/* p through the 3 x 3 matrix H.  W is a sum of three terms, each of them
   rounded, so that a smaller one cannot be told from zero.  */
template <class R>
__device__ point<R>
projected (const R *H, point<R> p)
{
  const R u = H[0] * p.x + (H[3] * p.y + H[6]);
  const R v = H[1] * p.x + (H[4] * p.y + H[7]);
  const R a = H[2] * p.x, b = H[5] * p.y, c = H[8];
  const R w = a + b + c;
  if (fabs (w) <= rounding<R> * (fabs (a) + fabs (b) + fabs (c)))
    return { (R) INFINITY, (R) INFINITY };
  return { u / w, v / w };
}

/* Q(:,i) = P(:,i) through H for COUNT points, of which N follow each other on
   a page.  SHARED: one H for all pages, else one for each; REPEATED: the N
   points are those of each page.  Numbers are of type I, since division by N
   is slow in 64 bits.  */
template <class R, class I, bool SHARED>
__global__ void
__launch_bounds__ (THREADS)
  project_kernel (const R *H, const point<R> *P, point<R> *Q, I n, I count,
                  bool repeated)
{
  const I stride = (I) gridDim.x * (THREADS * POINTS);
  for (I first = (I) blockIdx.x * (THREADS * POINTS) + threadIdx.x;
       first < count; first += stride)
    {
      point<R> p[POINTS];
      I page[POINTS] = { 0 };
#pragma unroll
      for (int c = 0; c < POINTS; c++)
        {
          const I i = first + c * THREADS;
          if (!SHARED)
            page[c] = i / n;
          if (i < count)
            p[c] = P[repeated ? i - page[c] * n : i];
        }
#pragma unroll
      for (int c = 0; c < POINTS; c++)
        {
          const I i = first + c * THREADS;
          if (i < count)
            Q[i]
              = projected (H + (SHARED ? 0 : 9 * (ptrdiff_t) page[c]), p[c]);
        }
    }
}

template <class R, class I>
static cudaError_t
project_numbered (cudaStream_t s, gpu_mat H, gpu_mat P, gpu_mat Q)
{
  const I n = (I) Q.n, count = (I) (Q.n * Q.pages);
  const unsigned grid = grid_for (ceil_div (Q.n * Q.pages, THREADS * POINTS));
  const bool repeated = P.pages < Q.pages;
  const auto kernel
    = H.pages == 1 ? project_kernel<R, I, true> : project_kernel<R, I, false>;
  kernel<<<grid, THREADS, 0, s>>> ((const R *) H.p, (const point<R> *) P.p,
                                   (point<R> *) Q.p, n, count, repeated);
  return cudaGetLastError ();
}

template <class R>
static cudaError_t
project (cudaStream_t s, gpu_mat H, gpu_mat P, gpu_mat Q)
{
  /* The last stride must not overflow.  */
  const ptrdiff_t most = 1 << 30;
  if (Q.n * Q.pages == 0)
    return cudaSuccess;
  return Q.n * Q.pages < most ? project_numbered<R, unsigned> (s, H, P, Q)
                              : project_numbered<R, ptrdiff_t> (s, H, P, Q);
}

/* a = inv (a), M x 4, as rigid_inverse in gpu.h; returns the deviation.  */
template <class R, int M>
__device__ R
invert_rigid (R (&a)[M][4])
{
  R deviation = 0, e[3][3], v[3][3];
#pragma unroll
  for (int i = 0; i < 3; i++)
#pragma unroll
    for (int j = 0; j <= i; j++)
      {
        R sum = i == j ? -1 : 0;
#pragma unroll
        for (int k = 0; k < 3; k++)
          sum += a[i][k] * a[j][k];
        e[i][j] = e[j][i] = sum;
        deviation = max_or_nan (deviation, (R) fabs (sum));
      }
  if constexpr (M == 4)
#pragma unroll
    for (int j = 0; j < 4; j++)
      deviation = max_or_nan (deviation, (R) fabs (a[3][j] - (j == 3)));
#pragma unroll
  for (int i = 0; i < 3; i++)
#pragma unroll
    for (int j = 0; j < 3; j++)
      {
        R sum = 0;
#pragma unroll
        for (int k = 0; k < 3; k++)
          sum += a[k][i] * e[k][j];
        v[i][j] = a[j][i] - sum;
      }
  const R t[3] = { a[0][3], a[1][3], a[2][3] };
#pragma unroll
  for (int i = 0; i < 3; i++)
    {
      a[i][3] = -(v[i][0] * t[0] + v[i][1] * t[1] + v[i][2] * t[2]);
#pragma unroll
      for (int j = 0; j < 3; j++)
        a[i][j] = v[i][j];
    }
  if constexpr (M == 4)
#pragma unroll
    for (int j = 0; j < 4; j++)
      a[3][j] = j == 3;
  return deviation;
}

template <class R, int M>
__global__ void __launch_bounds__ (32 * WARPS)
  rigid_kernel (const R *T, R *X, ptrdiff_t pages, R *deviation,
                ptrdiff_t step)
{
  using group = shelf<R, M, 32, 4>;
  __shared__ group groups[WARPS];
  const int warp = __shfl_sync (~0u, (int) threadIdx.x / 32, 0);
  const int lane = threadIdx.x % 32;
  group &mine = groups[warp];
  const ptrdiff_t stride = (ptrdiff_t) gridDim.x * blockDim.x;
  for (ptrdiff_t first = (ptrdiff_t) blockIdx.x * blockDim.x + warp * 32;
       first < pages; first += stride)
    {
      const int now = (int) min (pages - first, (ptrdiff_t) 32);
      mine.get (T + first * M * 4, now, lane);
      R a[M][4];
      R *page = mine.pages + min (lane, now - 1) * group::STEP;
#pragma unroll
      for (int e = 0; e < M * 4; e++)
        a[e % M][e / M] = page[e];
      const R d = invert_rigid<R, M> (a);
      __syncwarp ();
      if (lane < now)
        {
          deviation[(first + lane) * step] = d;
#pragma unroll
          for (int e = 0; e < M * 4; e++)
            page[e] = a[e % M][e / M];
        }
      mine.put (X + first * M * 4, now, lane);
    }
}

template <class R>
static cudaError_t
rigid_inverse (cudaStream_t s, gpu_mat T, gpu_mat X, gpu_mat deviation)
{
  if (T.pages == 0)
    return cudaSuccess;
  const unsigned grid = grid_for (ceil_div (T.pages, 32 * WARPS));
  const auto kernel = T.m == 3 ? rigid_kernel<R, 3> : rigid_kernel<R, 4>;
  kernel<<<grid, 32 * WARPS, 0, s>>> ((const R *) T.p, (R *) X.p, T.pages,
                                      (R *) deviation.p, deviation.step);
  return cudaGetLastError ();
}

cudaError_t
cuda_project (cudaStream_t s, gpu_mat H, gpu_mat P, gpu_mat Q)
{
  return Q.type == GPU_SINGLE ? project<float> (s, H, P, Q)
                              : project<double> (s, H, P, Q);
}

cudaError_t
cuda_rigid_inverse (cudaStream_t s, gpu_mat T, gpu_mat X, gpu_mat deviation)
{
  return T.type == GPU_SINGLE ? rigid_inverse<float> (s, T, X, deviation)
                              : rigid_inverse<double> (s, T, X, deviation);
}
