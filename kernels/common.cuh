/* common.cuh: what the kernels share: a complex type with plain arithmetic,
   views of any op as strides, the type switch and the launch check.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_COMMON_CUH
#define GPULINALG_COMMON_CUH 1

#include "kernels.h"

/* Products without the checks for Inf and NaN of the standard library.  */
template <class R> struct alignas (2 * sizeof (R)) gpu_complex
{
  R re, im;
};

template <class T> struct real_of
{
  using type = T;
};
template <class R> struct real_of<gpu_complex<R>>
{
  using type = R;
};

template <class T>
__device__ T
make (typename real_of<T>::type x)
{
  if constexpr (sizeof (T) == sizeof (x))
    return x;
  else
    return T{ x, 0 };
}

__device__ inline float
conj_if (bool, float x)
{
  return x;
}
__device__ inline double
conj_if (bool, double x)
{
  return x;
}
template <class R>
__device__ gpu_complex<R>
conj_if (bool yes, gpu_complex<R> x)
{
  return { x.re, yes ? -x.im : x.im };
}

__device__ inline float
real_part (float x)
{
  return x;
}
__device__ inline double
real_part (double x)
{
  return x;
}
template <class R>
__device__ R
real_part (gpu_complex<R> x)
{
  return x.re;
}

/* x * r with r real.  */
template <class R>
__device__ R
scale (R x, R r)
{
  return x * r;
}
template <class R>
__device__ gpu_complex<R>
scale (gpu_complex<R> x, R r)
{
  return { x.re * r, x.im * r };
}

/* a * b, c + a * b, c - a * b, a + b and c - conj (a) * b.  */
template <class R>
__device__ R
mul (R a, R b)
{
  return a * b;
}
template <class R>
__device__ gpu_complex<R>
mul (gpu_complex<R> a, gpu_complex<R> b)
{
  return { a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}
template <class R>
__device__ R
mul_add (R c, R a, R b)
{
  return c + a * b;
}
template <class R>
__device__ gpu_complex<R>
mul_add (gpu_complex<R> c, gpu_complex<R> a, gpu_complex<R> b)
{
  return { c.re + a.re * b.re - a.im * b.im,
           c.im + a.re * b.im + a.im * b.re };
}
template <class R>
__device__ R
mul_sub (R c, R a, R b)
{
  return c - a * b;
}
template <class R>
__device__ gpu_complex<R>
mul_sub (gpu_complex<R> c, gpu_complex<R> a, gpu_complex<R> b)
{
  return { c.re - a.re * b.re + a.im * b.im,
           c.im - a.re * b.im - a.im * b.re };
}
template <class R>
__device__ R
add (R a, R b)
{
  return a + b;
}
template <class R>
__device__ gpu_complex<R>
add (gpu_complex<R> a, gpu_complex<R> b)
{
  return { a.re + b.re, a.im + b.im };
}
template <class R>
__device__ R
mul_sub_conj (R c, R a, R b)
{
  return c - a * b;
}
template <class R>
__device__ gpu_complex<R>
mul_sub_conj (gpu_complex<R> c, gpu_complex<R> a, gpu_complex<R> b)
{
  return { c.re - a.re * b.re - a.im * b.im,
           c.im - a.re * b.im + a.im * b.re };
}

__device__ static inline float
inverse_sqrt (float x)
{
  return rsqrtf (x);
}
__device__ static inline double
inverse_sqrt (double x)
{
  return rsqrt (x);
}

/* The value of x in another lane of the warp.  */
template <class R>
__device__ R
from_lane (R x, int lane)
{
  return __shfl_sync (~0u, x, lane);
}
template <class R>
__device__ gpu_complex<R>
from_lane (gpu_complex<R> x, int lane)
{
  return { from_lane (x.re, lane), from_lane (x.im, lane) };
}

/* A gpu_mat of element type T as strides: element (i, j) of page k is
   conj_if (conj, p[i * rs + j * cs + k * step]).  */
template <class T> struct strided
{
  T *p;
  ptrdiff_t m, n, rs, cs, pages, step;
  bool by_rows, conj; /* its rows are the columns of storage */

  explicit strided (gpu_mat A)
      : p ((T *) A.p), m (A.m), n (A.n), rs (A.op & GPU_T ? A.ld : 1),
        cs (A.op & GPU_T ? 1 : A.ld), pages (A.pages), step (A.step),
        by_rows (A.op & GPU_T), conj (A.op & (GPU_C ^ GPU_T))
  {
  }
};

/* The walk of all threads of a block over a piece of a matrix, ALONG elements
   of each column of its storage (of each row of the matrix, if it is read
   transposed): first (i, j), then di and dj further, in storage SKIP further.
   It spares the 64-bit products of an index.  */
template <class T> struct walk
{
  int i, j, di, dj;
  T *p;
  ptrdiff_t skip;

  __device__
  walk (const strided<T> &A, ptrdiff_t page, int along)
  {
    const int fast = threadIdx.x % along, slow = threadIdx.x / along;
    const int stride = blockDim.x / along;
    const bool rows = A.by_rows;
    i = rows ? slow : fast;
    j = rows ? fast : slow;
    di = rows ? stride : 0;
    dj = rows ? 0 : stride;
    p = A.p + i * A.rs + j * A.cs + page * A.step;
    skip = stride * (rows ? A.rs : A.cs);
  }
  __device__ void
  next ()
  {
    i += di;
    j += dj;
    p += skip;
  }
};

/* Call FN<T> (...) for the element type of TYPE.  */
#define FOR_ELEMENT_TYPE(type, fn, ...)                                       \
  do                                                                          \
    switch (type)                                                             \
      {                                                                       \
      case GPU_SINGLE:                                                        \
        return fn<float> (__VA_ARGS__);                                       \
      case GPU_DOUBLE:                                                        \
        return fn<double> (__VA_ARGS__);                                      \
      case GPU_CSINGLE:                                                       \
        return fn<gpu_complex<float>> (__VA_ARGS__);                          \
      case GPU_CDOUBLE:                                                       \
        return fn<gpu_complex<double>> (__VA_ARGS__);                         \
      default:                                                                \
        return cudaErrorInvalidValue;                                         \
      }                                                                       \
  while (0)

static inline ptrdiff_t
ceil_div (ptrdiff_t a, ptrdiff_t b)
{
  return (a + b - 1) / b;
}

/* Blocks for WORK independent pieces; kernels loop over the rest.  */
static inline unsigned
grid_for (ptrdiff_t work)
{
  const ptrdiff_t most = 1 << 20;
  return (unsigned) (work < most ? work : most);
}

/* Which tile pair (ti, tj), ti <= tj, has number g.  */
__device__ inline void
tile_pair (ptrdiff_t g, ptrdiff_t *ti, ptrdiff_t *tj)
{
  ptrdiff_t j = (ptrdiff_t) ((sqrt (8.0 * (double) g + 1) - 1) / 2);
  while ((j + 1) * (j + 2) / 2 <= g)
    j++;
  while (j * (j + 1) / 2 > g)
    j--;
  *tj = j;
  *ti = g - j * (j + 1) / 2;
}

/* *shared = *global for one element, on its way until copies_arrive.  */
template <class T>
__device__ void
copy_async (T *shared, const T *global)
{
#if __CUDA_ARCH__ >= 800
  unsigned to = (unsigned) __cvta_generic_to_shared (shared);
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to),
               "l"(global), "n"(sizeof (T))
               : "memory");
#else
  *shared = *global;
#endif
}

/* The same for 16 bytes, past the first cache.  */
__device__ static inline void
copy_async_once (int4 *shared, const int4 *global)
{
#if __CUDA_ARCH__ >= 800
  unsigned to = (unsigned) __cvta_generic_to_shared (shared);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
               "l"(global)
               : "memory");
#else
  *shared = *global;
#endif
}

/* Two numbers on their way into shared memory, as double.  */
__device__ static inline void
fetch_two (double *shared, const double *global)
{
  copy_async_once ((int4 *) shared, (const int4 *) global);
}
__device__ static inline void
fetch_two (double *shared, const float *global)
{
  const float2 x = *(const float2 *) global;
  *(double2 *) shared = make_double2 (x.x, x.y);
}

/* This thread's copies are there; the others' need a barrier.  */
__device__ static inline void
copies_arrive (void)
{
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/* The copies since the last call are one group; all groups but the last LEFT
   are there.  */
__device__ static inline void
copies_group (void)
{
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int LEFT>
__device__ void
groups_arrive (void)
{
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory");
#endif
}

/* Launch KERNEL with SHARED bytes of dynamic shared memory, which from 48 KiB
   on a kernel has to ask for.  If EARLY, it is put in place while the last
   kernel of the stream ends.  */
template <class... P, class... Args>
static cudaError_t
launch_with (bool early, void (*kernel) (P...), unsigned grid,
             unsigned threads, size_t shared, cudaStream_t s, Args... args)
{
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = threads;
  config.dynamicSmemBytes = shared;
  config.stream = s;
  config.attrs = &attribute;
  config.numAttrs = early;
  if (shared > 48 << 10)
    {
      const cudaError_t status = cudaFuncSetAttribute (
        (const void *) kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        (int) shared);
      if (status != cudaSuccess)
        return status;
    }
  return [&] (P... p) {
    void *all[] = { &p... };
    return cudaLaunchKernelExC (&config, (const void *) kernel, all);
  }(args...);
}
template <class K, class... Args>
static cudaError_t
launch_shared (K kernel, unsigned grid, unsigned threads, size_t shared,
               cudaStream_t s, Args... args)
{
  return launch_with (false, kernel, grid, threads, shared, s, args...);
}
/* For a kernel of a chain, each of which begins by await_last.  */
template <class K, class... Args>
static cudaError_t
launch_chained (K kernel, unsigned grid, unsigned threads, size_t shared,
                cudaStream_t s, Args... args)
{
  return launch_with (true, kernel, grid, threads, shared, s, args...);
}

/* What came before in the stream is done, and its results are there.  */
__device__ static inline void
await_last (void)
{
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Once all blocks of threads have come here, the next kernel of the chain may
   be put in place, where it awaits the end of this one.  */
__device__ static inline void
let_next_in (void)
{
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* An element that is only moved is a word of its size.  FLIP is xored to its
   last 32 bits: CONJUGATE, the sign of the imaginary part, or 0.  */
enum : unsigned
{
  CONJUGATE = 1u << 31
};

template <class T>
__device__ T
flipped (T x, unsigned)
{
  return x;
}
__device__ inline uint2
flipped (uint2 x, unsigned flip)
{
  return make_uint2 (x.x, x.y ^ flip);
}
__device__ inline uint4
flipped (uint4 x, unsigned flip)
{
  return make_uint4 (x.x, x.y, x.z, x.w ^ flip);
}

/* Call FN<T> (...) for the word T of an element of TYPE.  */
#define FOR_ELEMENT_SIZE(type, fn, ...)                                       \
  do                                                                          \
    switch (gpu_type_size (type))                                             \
      {                                                                       \
      case 1:                                                                 \
        return fn<unsigned char> (__VA_ARGS__);                               \
      case 2:                                                                 \
        return fn<unsigned short> (__VA_ARGS__);                              \
      case 4:                                                                 \
        return fn<unsigned> (__VA_ARGS__);                                    \
      case 8:                                                                 \
        return fn<uint2> (__VA_ARGS__);                                       \
      case 16:                                                                \
        return fn<uint4> (__VA_ARGS__);                                       \
      default:                                                                \
        return cudaErrorInvalidValue;                                         \
      }                                                                       \
  while (0)

#endif
