/* reduce_dim.cu: C = op (A, dim) for sums, products, extremes and their
   places, any and all.

   The dimension has L elements, and there are m * n * pages / L results.  A
   block is Y threads along the dimension times X results; which of the two is
   the faster count of its threads, the storage decides:

       sum (A, 1), Y = 8          sum (A, 2), X = 8, Y = 2
     0  8 16 ..                 0  8  0  8  0  8   thread x + 8 * y
     1  9 17                    1  9  1  9  1  9   adds columns y, y + 2, ..
     .. .. ..                   .. .. .. .. .. ..
     7 15 23                    7 15  7 15  7 15
     0  8 16
     1  9 17                    then a tree over y in shared memory

   Few results of long dimensions are cut into pieces; the same kernel then
   reduces what is left of these.  The order never varies.  Single precision
   is accumulated in double precision: memory is the bound.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common.cuh"

enum
{
  THREADS = 256,
  WARP = 32,
  LONG = 512,   /* dimensions that a whole block reads */
  BLOCKS = 1024 /* enough to fill a GPU */
};

template <class T> struct wide
{
  using type = double;
};
template <class R> struct wide<gpu_complex<R>>
{
  using type = gpu_complex<double>;
};
template <class T> using wide_t = typename wide<T>::type;

/* The results of sums are of the operand's type, but for those of logical
   values.  */
template <class T> struct sum_of
{
  using type = T;
};
template <> struct sum_of<unsigned char>
{
  using type = double;
};

__device__ static inline double
widen (double x, bool)
{
  return x;
}
template <class R>
__device__ gpu_complex<double>
widen (gpu_complex<R> x, bool conj)
{
  return { x.re, conj ? -(double) x.im : x.im };
}

template <class T>
__device__ T
narrow (double x)
{
  return (T) x;
}
template <class T>
__device__ T
narrow (gpu_complex<double> x)
{
  using R = typename real_of<T>::type;
  return { (R) x.re, (R) x.im };
}

__device__ static inline double
square (double x)
{
  return x * x;
}
__device__ static inline double
square (gpu_complex<double> x)
{
  return x.re * x.re + x.im * x.im;
}

__device__ static inline unsigned char
conj_if (bool, unsigned char x)
{
  return x;
}

__device__ static inline bool
not_a_number (unsigned char)
{
  return false;
}
template <class R>
__device__ bool
not_a_number (R x)
{
  return x != x;
}
template <class R>
__device__ bool
not_a_number (gpu_complex<R> x)
{
  return x.re != x.re || x.im != x.im;
}

template <class R>
__device__ bool
is_nonzero (R x)
{
  return x != 0;
}
template <class R>
__device__ bool
is_nonzero (gpu_complex<R> x)
{
  return x.re != 0 || x.im != 0;
}

/* -1, 0 or 1 as x is less than y, equal or greater; of complex numbers abs
   counts, then arg in (-pi, pi].  */
template <class R>
__device__ int
compare (R x, R y)
{
  return (x > y) - (x < y);
}
template <class R>
__device__ R
angle (gpu_complex<R> x)
{
  return atan2 (x.im == 0 ? (R) 0 : x.im, x.re);
}
template <class R>
__device__ int
compare (gpu_complex<R> x, gpu_complex<R> y)
{
  const int c = compare (hypot (x.re, x.im), hypot (y.re, y.im));
  return c != 0 ? c : compare (angle (x), angle (y));
}

/* An operation: what it keeps of the elements met so far, what that is of
   none, of the element x at place l, of two parts, and the result.  */
template <class T> struct sums
{
  using kept = wide_t<T>;
  using result = typename sum_of<T>::type;
  bool conj;

  __device__ kept
  none () const
  {
    return make<kept> (0);
  }
  __device__ kept
  one (T x, ptrdiff_t) const
  {
    return widen (x, conj);
  }
  __device__ kept
  both (kept a, kept b) const
  {
    return add (a, b);
  }
  __device__ void
  put (kept a, result *c, int64_t *) const
  {
    *c = narrow<result> (a);
  }
};

template <class T> struct products : sums<T>
{
  using typename sums<T>::kept;

  __device__ kept
  none () const
  {
    return make<kept> (1);
  }
  __device__ kept
  both (kept a, kept b) const
  {
    return mul (a, b);
  }
};

template <class T> struct squares
{
  using kept = double;
  using result = typename real_of<typename sum_of<T>::type>::type;
  bool conj;

  __device__ kept
  none () const
  {
    return 0;
  }
  __device__ kept
  one (T x, ptrdiff_t) const
  {
    return square (widen (x, false));
  }
  __device__ kept
  both (kept a, kept b) const
  {
    return a + b;
  }
  __device__ void
  put (kept a, result *c, int64_t *) const
  {
    *c = (result) a;
  }
};

template <class T> struct place_of
{
  T x;
  int64_t place; /* -1: none */
};

template <class T> struct extremes
{
  using kept = place_of<T>;
  using result = T;
  bool conj;
  int sign; /* 1: the largest, -1: the least */

  __device__ kept
  none () const
  {
    return { T (), -1 };
  }
  __device__ kept
  one (T x, ptrdiff_t l) const
  {
    return { conj_if (conj, x), l };
  }
  __device__ kept
  both (kept a, kept b) const
  {
    if (a.place < 0 || b.place < 0)
      return a.place < 0 ? b : a;
    const bool no_a = not_a_number (a.x), no_b = not_a_number (b.x);
    if (no_a != no_b)
      return no_a ? b : a;
    const int c = no_a ? 0 : sign * compare (a.x, b.x);
    return c > 0 || (c == 0 && a.place < b.place) ? a : b;
  }
  __device__ void
  put (kept a, result *c, int64_t *at) const
  {
    *c = a.x;
    if (at)
      *at = a.place + 1;
  }
};

/* any and all, which NaN does not change.  */
template <class T> struct truths
{
  using kept = unsigned;
  using result = unsigned char;
  bool all;

  __device__ kept
  none () const
  {
    return all;
  }
  __device__ kept
  one (T x, ptrdiff_t) const
  {
    return is_nonzero (x) && (all || !not_a_number (x));
  }
  __device__ kept
  both (kept a, kept b) const
  {
    return all ? a & b : a | b;
  }
  __device__ void
  put (kept a, result *c, int64_t *) const
  {
    *c = (unsigned char) a;
  }
};

/* The same operation on what pieces have kept.  */
template <class Op> struct again : Op
{
  using typename Op::kept;

  __device__ kept
  one (kept x, ptrdiff_t) const
  {
    return x;
  }
};

/* Where result r is, and the elements it is made of: r is i + j * n with i
   below n.  */
struct layout
{
  ptrdiff_t L, skip;  /* the dimension; its elements lie skip apart */
  ptrdiff_t n, count; /* of all results */
  ptrdiff_t ai, aj;   /* how far i and j reach in the operand, */
  ptrdiff_t ci, cj;   /* in the result */
  ptrdiff_t ati, atj; /* and in the places */
  ptrdiff_t length, pieces;
  int y;      /* threads along the dimension */
  bool along; /* the fastest ones */
};

/* With PART, each piece of a result leaves there what it kept.  */
template <class Op, class T>
__global__ void
__launch_bounds__ (THREADS)
  reduce_dim_kernel (Op op, layout s, const T *A, typename Op::result *C,
                     int64_t *at, typename Op::kept *part)
{
  using kept = typename Op::kept;
  constexpr int BATCH = sizeof (T) < 8 ? 8 : 4; /* loads on their way */
  __shared__ kept all[THREADS];
  const int X = THREADS / s.y, tid = threadIdx.x;
  const int x = s.along ? tid / s.y : tid % X;
  const int y = s.along ? tid % s.y : tid / X;
  const ptrdiff_t tiles = (s.count + X - 1) / X;
  for (ptrdiff_t t = blockIdx.x; t < tiles * s.pieces; t += gridDim.x)
    {
      const ptrdiff_t piece = t / tiles, r = t % tiles * X + x;
      const ptrdiff_t j = s.n == s.count ? 0 : r / s.n, i = r - j * s.n;
      const ptrdiff_t end = min (s.L, (piece + 1) * s.length);
      kept k = op.none ();
      if (r < s.count)
        {
          ptrdiff_t l = piece * s.length + y;
          const T *a = A + i * s.ai + j * s.aj + l * s.skip;
          const ptrdiff_t next = s.y * s.skip;
          for (; l + (BATCH - 1) * s.y < end; l += BATCH * s.y)
            {
              T batch[BATCH];
              for (int b = 0; b < BATCH; b++, a += next)
                batch[b] = *a;
              for (int b = 0; b < BATCH; b++)
                k = op.both (k, op.one (batch[b], l + b * s.y));
            }
          for (; l < end; l += s.y, a += next)
            k = op.both (k, op.one (*a, l));
        }
      if (s.y > 1)
        {
          const int stride = s.along ? 1 : X;
          all[tid] = k;
          __syncthreads ();
          for (int h = s.y / 2; h > 0; h /= 2)
            {
              if (y < h)
                all[tid] = k = op.both (k, all[tid + h * stride]);
              __syncthreads ();
            }
        }
      if (y > 0 || r >= s.count)
        continue;
      if (part)
        part[r * s.pieces + piece] = k;
      else
        op.put (k, C + i * s.ci + j * s.cj,
                at ? at + i * s.ati + j * s.atj : nullptr);
    }
}

static int
power_from (ptrdiff_t x, int most)
{
  int p = 1;
  while (p < x && p < most)
    p *= 2;
  return p;
}

/* The threads of a block: along the dimension, a warp reads a short one
   and the block a long one; else up to a warp reads neighbouring results.  */
static void
choose_threads (layout *s)
{
  const int most = s->L > LONG ? THREADS : WARP;
  s->along = s->skip <= s->ai || s->count == 1;
  s->y = power_from ((s->L + 1) / 2,
                     s->along ? most : THREADS / power_from (s->count, WARP));
}

/* Pieces of a dimension, if else few blocks had much to do.  */
static void
choose_pieces (layout *s)
{
  const ptrdiff_t tiles = ceil_div (s->count, THREADS / s->y);
  const ptrdiff_t wanted = ceil_div (BLOCKS, tiles), least = 8 * s->y;
  const ptrdiff_t most = s->L / least > 0 ? s->L / least : 1;
  const ptrdiff_t pieces = wanted < most ? wanted : most;
  s->length = ceil_div (ceil_div (s->L, pieces), s->y) * s->y;
  s->pieces = s->L > 0 ? ceil_div (s->L, s->length) : 1;
}

template <class Op, class T>
static cudaError_t
launch (cudaStream_t s, Op op, const layout &w, const T *A, void *C, void *at,
        typename Op::kept *part)
{
  const ptrdiff_t tiles = ceil_div (w.count, THREADS / w.y);
  reduce_dim_kernel<Op, T><<<grid_for (tiles * w.pieces), THREADS, 0, s>>> (
    op, w, A, (typename Op::result *) C, (int64_t *) at, part);
  return cudaGetLastError ();
}

template <class Op, class T>
static cudaError_t
reduce_by (cudaStream_t s, Op op, layout w, const T *A, void *C, void *at)
{
  typename Op::kept *part = NULL;
  choose_threads (&w);
  choose_pieces (&w);
  if (w.pieces == 1)
    return launch<Op, T> (s, op, w, A, C, at, NULL);
  cudaError_t status = cudaMallocAsync (
    (void **) &part, (size_t) (w.count * w.pieces) * sizeof *part, s);
  if (status != cudaSuccess)
    return status;
  status = launch<Op, T> (s, op, w, A, NULL, NULL, part);
  w.L = w.length = w.pieces;
  w.pieces = 1;
  w.skip = 1;
  w.ai = w.L;
  w.aj = w.n * w.L;
  choose_threads (&w);
  if (status == cudaSuccess)
    status
      = launch<again<Op>, typename Op::kept> (s, { op }, w, part, C, at, NULL);
  cudaFreeAsync (part, s);
  return status;
}

template <class T>
static cudaError_t
reduce (cudaStream_t s, gpu_reduction op, bool conj, layout w, const void *p,
        void *C, void *at)
{
  const T *A = (const T *) p;
  switch (op)
    {
    case GPU_SUM:
      return reduce_by (s, sums<T>{ conj }, w, A, C, at);
    case GPU_PROD:
      return reduce_by (s, products<T>{ { conj } }, w, A, C, at);
    case GPU_SUMSQ:
      return reduce_by (s, squares<T>{}, w, A, C, at);
    case GPU_MOST:
      return reduce_by (s, extremes<T>{ conj, 1 }, w, A, C, at);
    case GPU_LEAST:
      return reduce_by (s, extremes<T>{ conj, -1 }, w, A, C, at);
    default:
      return reduce_by (s, truths<T>{ op == GPU_ALL }, w, A, C, at);
    }
}

/* How far the elements of each dimension of a view lie apart.  */
struct strides
{
  ptrdiff_t by[3];

  explicit strides (gpu_mat A)
      : by{ A.op & GPU_T ? A.ld : 1, A.op & GPU_T ? 1 : A.ld, A.step }
  {
  }
};

cudaError_t
cuda_reduce (cudaStream_t s, gpu_reduction op, gpu_mat A, int dim, gpu_mat C,
             gpu_mat at)
{
  const ptrdiff_t size[] = { A.m, A.n, A.pages };
  const strides a (A), c (C), t (at);
  const bool conj = A.op & (GPU_C ^ GPU_T);
  const int d = dim - 1;
  int i = d == 0 ? 1 : 0, j = d == 2 ? 1 : 2;
  if (size[i] == 1 || (size[j] > 1 && a.by[j] < a.by[i]))
    {
      const int k = i;
      i = j;
      j = k;
    }
  layout w = {};
  w.L = size[d];
  w.skip = a.by[d];
  w.n = size[i];
  w.count = size[i] * size[j];
  w.ai = a.by[i];
  w.aj = a.by[j];
  w.ci = c.by[i];
  w.cj = c.by[j];
  w.ati = t.by[i];
  w.atj = t.by[j];
  if (w.count == 0)
    return cudaSuccess;
  /* One count where the results of j follow those of i.  */
  if (w.aj == w.n * w.ai && w.cj == w.n * w.ci
      && (!at.p || w.atj == w.n * w.ati))
    w.n = w.count;
  if (A.type == GPU_LOGICAL)
    return reduce<unsigned char> (s, op, false, w, A.p, C.p, at.p);
  FOR_ELEMENT_TYPE (A.type, reduce, s, op, conj, w, A.p, C.p, at.p);
}
