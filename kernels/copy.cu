/* copy.cu: B = A for views of any op and type, A(:) = 0, A = eye (size (A))
   and A = triu (A).

   What is contiguous on both sides is copied as such.  Else a block takes a
   rectangle of the storage, as tall as a column but for a power of two:

       A, m = 5         threads
     +---------+      0 8 16 .. 248
     |         |      1 9            256 / 8 columns at once
     |         |      ...
     +---------+      7 15 .... 255  the last rows of 8 are idle

   Views of different op are a transposition.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common.cuh"

enum
{
  THREADS = 256
};

/* B = A, conjugated if FLIP says so, m x n; a block takes 2^BITS rows.  B may
   be A.  */
template <class T>
__global__ void
__launch_bounds__ (THREADS)
  copy_kernel (const T *A, ptrdiff_t lda, ptrdiff_t stepa, T *B, ptrdiff_t ldb,
               ptrdiff_t stepb, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages,
               int bits, unsigned flip)
{
  const int rows = 1 << bits, columns = THREADS >> bits;
  const ptrdiff_t down = (m + rows - 1) / rows;
  const ptrdiff_t across = (n + columns - 1) / columns;
  for (ptrdiff_t t = blockIdx.x; t < down * across * pages; t += gridDim.x)
    {
      const ptrdiff_t page = t / (down * across), r = t % (down * across);
      const ptrdiff_t i = r % down * rows + (threadIdx.x & (rows - 1));
      const ptrdiff_t j = r / down * columns + (threadIdx.x >> bits);
      if (i < m && j < n)
        B[i + j * ldb + page * stepb]
          = flipped (A[i + j * lda + page * stepa], flip);
    }
}

/* Zero the storage A, m x n: all of it, or what lies strictly below
   (part < 0) or above (part > 0) the diagonal.  DIAGONAL goes where it is in
   all of it.  A block takes a column.  */
template <class T>
__global__ void
__launch_bounds__ (THREADS)
  zero_kernel (T *A, ptrdiff_t lda, ptrdiff_t step, ptrdiff_t m, ptrdiff_t n,
               ptrdiff_t pages, int part, int diagonal)
{
  for (ptrdiff_t t = blockIdx.x; t < n * pages; t += gridDim.x)
    {
      ptrdiff_t page = t / n, j = t % n;
      ptrdiff_t from = part < 0 ? j + 1 : 0;
      ptrdiff_t to = part > 0 && j < m ? j : m;
      for (ptrdiff_t i = from + threadIdx.x; i < to; i += blockDim.x)
        A[i + j * lda + page * step] = make<T> (i == j ? diagonal : 0);
    }
}

/* The storage of A as m x n pages.  */
struct shape
{
  ptrdiff_t m, n, pages;

  explicit shape (gpu_mat A)
      : m (A.op & GPU_T ? A.n : A.m), n (A.op & GPU_T ? A.m : A.n),
        pages (A.pages)
  {
  }
  bool
  is_empty () const
  {
    return m == 0 || n == 0 || pages == 0;
  }
  /* One column.  */
  bool
  is_contiguous () const
  {
    return n == 1 && pages == 1;
  }
  /* Join pages, and then columns, that lie one behind the other in the storage
     of both A and B, of this shape.  */
  void
  join (gpu_mat *A, gpu_mat *B)
  {
    if (n == 1)
      {
        A->ld = A->step;
        B->ld = B->step;
      }
    if (A->step == n * A->ld && B->step == n * B->ld)
      {
        n *= pages;
        pages = 1;
      }
    if (pages == 1 && A->ld == m && B->ld == m)
      {
        m *= n;
        n = 1;
      }
  }
};

template <class T>
static cudaError_t
copy (cudaStream_t s, gpu_mat A, gpu_mat B, shape a, unsigned flip)
{
  int bits = 0;
  while (1 << bits < THREADS && 1 << bits < a.m)
    bits++;
  const ptrdiff_t rectangles
    = ceil_div (a.m, 1 << bits) * ceil_div (a.n, THREADS >> bits);
  copy_kernel<T><<<grid_for (rectangles * a.pages), THREADS, 0, s>>> (
    (const T *) A.p, A.ld, A.step, (T *) B.p, B.ld, B.step, a.m, a.n, a.pages,
    bits, flip);
  return cudaGetLastError ();
}

template <class T>
static cudaError_t
zero (cudaStream_t s, gpu_mat A, int part, int diagonal)
{
  const shape a (A);
  zero_kernel<T><<<grid_for (a.n * a.pages), THREADS, 0, s>>> (
    (T *) A.p, A.ld, A.step, a.m, a.n, a.pages, A.op & GPU_T ? -part : part,
    diagonal);
  return cudaGetLastError ();
}

cudaError_t
cuda_copy (cudaStream_t s, gpu_mat A, gpu_mat B)
{
  shape a (A);
  const int op = A.op ^ B.op;
  const bool conj = gpu_is_complex (A.type) && op & (GPU_C ^ GPU_T);
  if (a.is_empty ())
    return cudaSuccess;
  if (op & GPU_T)
    return cuda_transpose (s, A.type, conj, A.p, A.ld, A.step, B.p, B.ld,
                           B.step, a.m, a.n, a.pages);
  if (A.p == B.p && !conj)
    return cudaSuccess;
  a.join (&A, &B);
  if (a.is_contiguous () && !conj)
    return cudaMemcpyAsync (B.p, A.p, (size_t) a.m * gpu_type_size (A.type),
                            cudaMemcpyDeviceToDevice, s);
  FOR_ELEMENT_SIZE (A.type, copy, s, A, B, a, conj ? CONJUGATE : 0u);
}

cudaError_t
cuda_zero (cudaStream_t s, gpu_mat A)
{
  shape a (A);
  gpu_mat X = A, Y = A;
  if (a.is_empty ())
    return cudaSuccess;
  a.join (&X, &Y);
  if (a.is_contiguous ())
    return cudaMemsetAsync (A.p, 0, (size_t) a.m * gpu_type_size (A.type), s);
  switch (A.type)
    {
    case GPU_INT8:
    case GPU_LOGICAL:
      return zero<int8_t> (s, A, 0, 0);
    case GPU_INT16:
      return zero<int16_t> (s, A, 0, 0);
    case GPU_INT32:
      return zero<int32_t> (s, A, 0, 0);
    case GPU_INT64:
      return zero<int64_t> (s, A, 0, 0);
    default:
      FOR_ELEMENT_TYPE (A.type, zero, s, A, 0, 0);
    }
}

cudaError_t
cuda_eye (cudaStream_t s, gpu_mat A)
{
  if (shape (A).is_empty ())
    return cudaSuccess;
  FOR_ELEMENT_TYPE (A.type, zero, s, A, 0, 1);
}

cudaError_t
cuda_triu (cudaStream_t s, gpu_mat A)
{
  if (shape (A).is_empty ())
    return cudaSuccess;
  FOR_ELEMENT_TYPE (A.type, zero, s, A, -1, 0);
}

cudaError_t
cuda_kernels_usable (void)
{
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes (&attributes,
                                (const void *) zero_kernel<double>);
}
