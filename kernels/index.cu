/* index.cu: C = A(at{:}), A(at{:}) = B, and C = A in a band of diagonals.

   A block takes a rectangle of the indexed part, as tall as that is but for a
   power of two, as in copy.cu; its neighbouring threads are neighbours there:

       C, m = 5    thread       A
     +-------+     0 8 ..       C(i,j) is at place (at{1}, i)
     |       |     1 9                     + place (at{2}, j)
     |       |     ...                     + place (at{3}, k)
     +-------+     7 15         where a list or a progression has the places

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>

#include "common.cuh"

enum
{
  THREADS = 256
};

/* One dimension of the indexed part: element i is i * near in the part, and
   in the whole list[i] * far or, without a list, first + i * far.  */
struct axis
{
  const int64_t *list;
  ptrdiff_t count, first, far, near;

  /* A negative place is none.  */
  __device__ bool
  find (ptrdiff_t i, ptrdiff_t *place) const
  {
    const ptrdiff_t l = list ? list[i] : i;
    *place += first + l * far;
    return l >= 0;
  }
};

struct axes
{
  axis of[3];
};

/* part = whole(at{:}) or, with INTO, whole(at{:}) = part, or x if that is
   NULL; a block takes 2^BITS rows.  */
template <bool INTO, class T>
__global__ void
__launch_bounds__ (THREADS)
  index_kernel (T *whole, T *part, T x, axes a, int bits)
{
  const int rows = 1 << bits, columns = THREADS >> bits;
  const ptrdiff_t m = a.of[0].count, n = a.of[1].count;
  const ptrdiff_t down = (m + rows - 1) / rows;
  const ptrdiff_t across = (n + columns - 1) / columns;
  const ptrdiff_t blocks = down * across * a.of[2].count;
  for (ptrdiff_t t = blockIdx.x; t < blocks; t += gridDim.x)
    {
      const ptrdiff_t k = t / (down * across), r = t % (down * across);
      const ptrdiff_t i = r % down * rows + (threadIdx.x & (rows - 1));
      const ptrdiff_t j = r / down * columns + (threadIdx.x >> bits);
      ptrdiff_t place = 0;
      if (i >= m || j >= n || !a.of[0].find (i, &place)
          || !a.of[1].find (j, &place) || !a.of[2].find (k, &place))
        continue;
      const ptrdiff_t near
        = i * a.of[0].near + j * a.of[1].near + k * a.of[2].near;
      if (!INTO)
        part[near] = whole[place];
      else
        whole[place] = part ? part[near] : x;
    }
}

template <class T>
__global__ void
__launch_bounds__ (THREADS)
  band_kernel (const T *A, ptrdiff_t lda, ptrdiff_t stepa, T *C, ptrdiff_t ldc,
               ptrdiff_t stepc, ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages,
               ptrdiff_t lo, ptrdiff_t hi, int bits)
{
  const int rows = 1 << bits, columns = THREADS >> bits;
  const ptrdiff_t down = (m + rows - 1) / rows;
  const ptrdiff_t across = (n + columns - 1) / columns;
  for (ptrdiff_t t = blockIdx.x; t < down * across * pages; t += gridDim.x)
    {
      const ptrdiff_t k = t / (down * across), r = t % (down * across);
      const ptrdiff_t i = r % down * rows + (threadIdx.x & (rows - 1));
      const ptrdiff_t j = r / down * columns + (threadIdx.x >> bits);
      if (i < m && j < n)
        C[i + j * ldc + k * stepc]
          = lo <= j - i && j - i <= hi ? A[i + j * lda + k * stepa] : T ();
    }
}

/* The bits of a block's rows, and the blocks of m x n pages.  */
static int
row_bits (ptrdiff_t m)
{
  int bits = 0;
  while (1 << bits < THREADS && 1 << bits < m)
    bits++;
  return bits;
}

static unsigned
blocks_for (ptrdiff_t m, ptrdiff_t n, ptrdiff_t pages, int bits)
{
  return grid_for (ceil_div (m, 1 << bits) * ceil_div (n, THREADS >> bits)
                   * pages);
}

/* The places AT of WHOLE, and PART, which repeats where its size is 1; the
   dimensions that threads should share come first.  */
static axes
axes_of (gpu_mat whole, const gpu_index at[3], gpu_mat part)
{
  const ptrdiff_t far[] = { 1, whole.ld, whole.step };
  const ptrdiff_t size[] = { part.m, part.n, part.pages };
  const ptrdiff_t near[] = { 1, part.ld, part.step };
  axes a = {};
  int used = 0;
  for (int several = 1; several >= 0; several--)
    for (int d = 0; d < 3; d++)
      if ((at[d].count > 1) == several)
        {
          axis *x = &a.of[used++];
          const bool listed = at[d].list.p != NULL;
          x->list = (const int64_t *) at[d].list.p;
          x->count = at[d].count;
          x->first = listed ? 0 : at[d].first * far[d];
          x->far = listed ? far[d] : at[d].step * far[d];
          x->near = size[d] == 1 ? 0 : near[d];
        }
  return a;
}

static bool
is_empty (const axes &a)
{
  return a.of[0].count == 0 || a.of[1].count == 0 || a.of[2].count == 0;
}

template <class T>
static cudaError_t
index (cudaStream_t s, bool into, void *whole, void *part, const void *number,
       axes a)
{
  const int bits = row_bits (a.of[0].count);
  const unsigned blocks
    = blocks_for (a.of[0].count, a.of[1].count, a.of[2].count, bits);
  T x = {};
  if (number)
    memcpy (&x, number, sizeof x);
  if (into)
    index_kernel<true, T>
      <<<blocks, THREADS, 0, s>>> ((T *) whole, (T *) part, x, a, bits);
  else
    index_kernel<false, T>
      <<<blocks, THREADS, 0, s>>> ((T *) whole, (T *) part, x, a, bits);
  return cudaGetLastError ();
}

template <class T>
static cudaError_t
band (cudaStream_t s, gpu_mat A, ptrdiff_t lo, ptrdiff_t hi, gpu_mat C)
{
  const int bits = row_bits (C.m);
  band_kernel<T><<<blocks_for (C.m, C.n, C.pages, bits), THREADS, 0, s>>> (
    (const T *) A.p, A.ld, A.step, (T *) C.p, C.ld, C.step, C.m, C.n, C.pages,
    lo, hi, bits);
  return cudaGetLastError ();
}

/* The number re + im * i as an element of TYPE; false for those without
   numbers.  */
static bool
make_number (double re, double im, gpu_type type, void *number)
{
  const float single[] = { (float) re, (float) im };
  const double both[] = { re, im };
  const unsigned char logical = re != 0;
  const size_t size = gpu_type_size (type);
  switch (type)
    {
    case GPU_SINGLE:
    case GPU_CSINGLE:
      memcpy (number, single, size);
      return true;
    case GPU_DOUBLE:
    case GPU_CDOUBLE:
      memcpy (number, both, size);
      return true;
    case GPU_LOGICAL:
      memcpy (number, &logical, size);
      return true;
    default:
      return false;
    }
}

cudaError_t
cuda_gather (cudaStream_t s, gpu_mat A, const gpu_index at[3], gpu_mat C)
{
  const axes a = axes_of (A, at, C);
  if (is_empty (a))
    return cudaSuccess;
  FOR_ELEMENT_SIZE (A.type, index, s, false, A.p, C.p, NULL, a);
}

cudaError_t
cuda_scatter (cudaStream_t s, gpu_operand B, gpu_mat A, const gpu_index at[3])
{
  const axes a = axes_of (A, at, B.A);
  double number[2];
  if (is_empty (a))
    return cudaSuccess;
  if (!B.A.p && !make_number (B.re, B.im, A.type, number))
    return cudaErrorInvalidValue;
  FOR_ELEMENT_SIZE (A.type, index, s, true, A.p, B.A.p, B.A.p ? NULL : number,
                    a);
}

cudaError_t
cuda_band (cudaStream_t s, gpu_mat A, ptrdiff_t lo, ptrdiff_t hi, gpu_mat C)
{
  if (C.m == 0 || C.n == 0 || C.pages == 0)
    return cudaSuccess;
  FOR_ELEMENT_SIZE (A.type, band, s, A, lo, hi, C);
}
