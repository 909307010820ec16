/* map.cu: C = op (A, B), element by element.

   One kernel per operation and type of the computation; to that type the
   operands are brought as they are loaded.  Where C and the operands are of
   that type and lie without gaps, a thread moves words of 16 bytes, which hold
   4, 2 or 1 elements; of cheap operations two, so that more is on its way:

     +----+----+-----+------+----+----+-----+------+----
     | t0 | t1 | ... | t255 | t0 | t1 | ... | t255 |       block 0, 1, ...
     +----+----+-----+------+----+----+-----+------+----

   Else a block takes a rectangle of the result, its rows a power of two, and a
   thread some elements of it, the rows or columns of threads apart.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "elementwise.h"
#include "map_math.cuh"

enum
{
  THREADS = 256,
  BITS = 8, /* of THREADS */
  WORD = 16 /* bytes */
};

/* ---- operations ---- */

/* Whether only memory counts.  */
__host__ __device__ static constexpr bool
is_cheap (gpu_operation op)
{
  return op <= GPU_TIMES || (op >= GPU_MAX && op <= GPU_UMINUS)
         || (op >= GPU_REAL && op <= GPU_CONJ)
         || (op >= GPU_FLOOR && op <= GPU_FIX);
}

/* op (a, b) in type T.  RA and RB tell that the data are real numbers.  */
template <gpu_operation OP, class T>
__device__ auto
apply (T a, T b, bool ra, bool rb)
{
  if constexpr (OP == GPU_PLUS)
    return add (a, b);
  else if constexpr (OP == GPU_MINUS)
    return subtract (a, b);
  else if constexpr (OP == GPU_TIMES)
    return times (a, b, ra, rb);
  else if constexpr (OP == GPU_RDIVIDE)
    return divide (a, b, rb);
  else if constexpr (OP == GPU_POWER)
    return power (a, b);
  else if constexpr (OP == GPU_ATAN2)
    return atan2 (a, b);
  else if constexpr (OP == GPU_MAX)
    return larger (a, b);
  else if constexpr (OP == GPU_MIN)
    return smaller (a, b);
  else if constexpr (OP == GPU_COMPLEX)
    return T{ a.re, b.re };
  else if constexpr (OP == GPU_EQ)
    return equal (a, b);
  else if constexpr (OP == GPU_NE)
    return !equal (a, b);
  else if constexpr (OP == GPU_LT || OP == GPU_LE)
    return less (a, b, ra, rb, OP == GPU_LE);
  else if constexpr (OP == GPU_AND)
    return !is_zero (a) && !is_zero (b);
  else if constexpr (OP == GPU_OR)
    return !is_zero (a) || !is_zero (b);
  else if constexpr (OP == GPU_NOT)
    return is_zero (a);
  else if constexpr (OP == GPU_ISNAN)
    return isnan (real_part (a)) || isnan (imag_part (a));
  else if constexpr (OP == GPU_ISINF)
    return isinf (real_part (a)) || isinf (imag_part (a));
  else if constexpr (OP == GPU_ISFINITE)
    return isfinite (real_part (a)) && isfinite (imag_part (a));
  else if constexpr (OP == GPU_CAST)
    return a;
  else if constexpr (OP == GPU_UMINUS)
    return by_parts (a, [] (auto x) { return -x; });
  else if constexpr (OP == GPU_ABS)
    return abs_of (a);
  else if constexpr (OP == GPU_ARG)
    return arg_of (a);
  else if constexpr (OP == GPU_REAL)
    return real_part (a);
  else if constexpr (OP == GPU_IMAG)
    return imag_part (a);
  else if constexpr (OP == GPU_CONJ)
    return conj_if (true, a);
  else if constexpr (OP == GPU_SQRT)
    return sqrt (a);
  else if constexpr (OP == GPU_EXP)
    return exp (a);
  else if constexpr (OP == GPU_EXPM1)
    return expm1 (a);
  else if constexpr (OP == GPU_LOG)
    return log_base<0> (a, ra);
  else if constexpr (OP == GPU_LOG1P)
    return log1p_of (a, ra);
  else if constexpr (OP == GPU_LOG2)
    return log_base<2> (a, ra);
  else if constexpr (OP == GPU_LOG10)
    return log_base<10> (a, ra);
  else if constexpr (OP == GPU_SIN)
    return sin (a);
  else if constexpr (OP == GPU_COS)
    return cos (a);
  else if constexpr (OP == GPU_TAN)
    return tan (a);
  else if constexpr (OP == GPU_ASIN)
    return asin_of (a, ra);
  else if constexpr (OP == GPU_ACOS)
    return acos_of (a, ra);
  else if constexpr (OP == GPU_ATAN)
    return atan (a);
  else if constexpr (OP == GPU_SINH)
    return sinh (a);
  else if constexpr (OP == GPU_COSH)
    return cosh (a);
  else if constexpr (OP == GPU_TANH)
    return tanh (a);
  else if constexpr (OP == GPU_FLOOR)
    return by_parts (a, [] (auto x) { return floor (x); });
  else if constexpr (OP == GPU_CEIL)
    return by_parts (a, [] (auto x) { return ceil (x); });
  else if constexpr (OP == GPU_ROUND)
    return by_parts (a, [] (auto x) { return round (x); });
  else if constexpr (OP == GPU_FIX)
    return by_parts (a, [] (auto x) { return trunc (x); });
  else
    {
      static_assert (OP == GPU_SIGN, "an operation is missing");
      return sign (a);
    }
}

/* ---- operands ---- */

/* What a kernel sees of an operand: an array of TYPE, or the number x if p is
   NULL.  WORDS: of type T, without gaps and aligned.  */
template <class T> struct operand
{
  const void *p;
  gpu_type type;
  bool conj, real, words;
  T x;
};

template <class T, class S>
__device__ T
converted (S x)
{
  using R = typename real_of<T>::type;
  if constexpr (sizeof (T) == sizeof (R))
    return (T) real_part (x);
  else
    return T{ (R) real_part (x), (R) imag_part (x) };
}

/* x[v] = element AT + v * STEP for v < COUNT, N at most.  */
template <int N, class S, class T>
__device__ void
load_as (const void *p, ptrdiff_t at, ptrdiff_t step, ptrdiff_t count, T *x)
{
  const S *q = (const S *) p + at;
#pragma unroll
  for (int v = 0; v < N; v++)
    if (v < count)
      x[v] = converted<T> (q[v * step]);
}

/* Only a CAST meets integers, and complex numbers where T is real.  */
template <int N, bool CAST, class T>
__device__ void
load (const operand<T> &A, ptrdiff_t at, ptrdiff_t step, ptrdiff_t count, T *x)
{
  constexpr bool complex = sizeof (T) > sizeof (typename real_of<T>::type);
  switch (A.p ? A.type : GPU_INT8)
    {
    case GPU_SINGLE:
      load_as<N, float> (A.p, at, step, count, x);
      break;
    case GPU_DOUBLE:
      load_as<N, double> (A.p, at, step, count, x);
      break;
    case GPU_LOGICAL:
      load_as<N, unsigned char> (A.p, at, step, count, x);
      break;
    case GPU_CSINGLE:
      if constexpr (CAST || complex)
        load_as<N, gpu_complex<float>> (A.p, at, step, count, x);
      break;
    case GPU_CDOUBLE:
      if constexpr (CAST || complex)
        load_as<N, gpu_complex<double>> (A.p, at, step, count, x);
      break;
    case GPU_INT64:
      if constexpr (CAST)
        load_as<N, int64_t> (A.p, at, step, count, x);
      break;
    default:
#pragma unroll
      for (int v = 0; v < N; v++)
        x[v] = A.x;
    }
  if constexpr (complex)
    if (A.conj)
#pragma unroll
      for (int v = 0; v < N; v++)
        x[v].im = -x[v].im;
}

/* N elements that are moved at once.  */
template <class T, int N>
struct alignas (sizeof (T) * N < WORD ? sizeof (T) * N : WORD) word
{
  T x[N];
};

/* W words of N elements from p + AT on, THREADS words apart, as far as LEFT
   elements go.  */
template <int W, int N, class T>
__device__ void
load_words (const void *p, ptrdiff_t at, ptrdiff_t left, T *x)
{
#pragma unroll
  for (int w = 0; w < W; w++)
    {
      const T *q = (const T *) p + at + w * THREADS * N;
      const ptrdiff_t count = left - w * THREADS * N;
      word<T, N> y = {};
      if (count >= N)
        y = *(const word<T, N> *) q;
      else
#pragma unroll
        for (int v = 0; v < N; v++)
          if (v < count)
            y.x[v] = q[v];
#pragma unroll
      for (int v = 0; v < N; v++)
        x[w * N + v] = y.x[v];
    }
}

/* And back.  */
template <int W, int N, class T>
__device__ void
store_words (T *p, ptrdiff_t left, const T *x)
{
#pragma unroll
  for (int w = 0; w < W; w++)
    {
      T *q = p + w * THREADS * N;
      const ptrdiff_t count = left - w * THREADS * N;
      word<T, N> y = {};
#pragma unroll
      for (int v = 0; v < N; v++)
        y.x[v] = x[w * N + v];
      if (count >= N)
        *(word<T, N> *) q = y;
      else
#pragma unroll
        for (int v = 0; v < N; v++)
          if (v < count)
            q[v] = x[w * N + v];
    }
}

/* ---- the kernel ---- */

/* The remainder of t / n, which becomes t; 32 bits are faster.  */
__device__ static ptrdiff_t
split (ptrdiff_t *t, ptrdiff_t n)
{
  const ptrdiff_t x = *t;
  if ((x | n) >> 32)
    *t = x / n;
  else
    *t = (unsigned) x / (unsigned) n;
  return x - *t * n;
}

/* C = op (A, B) on BOX, which is one column if WORDS; else a block has 2^BITS
   rows of threads.  */
template <gpu_operation OP, class T>
__global__ void
__launch_bounds__ (THREADS) map_kernel (operand<T> A, operand<T> B, void *C,
                                        gpu_box box, int bits, bool words)
{
  constexpr int N = WORD / sizeof (T), W = is_cheap (OP) ? 2 : 1, V = N * W;
  constexpr bool two = OP < GPU_NOT;
  constexpr bool cast = OP == GPU_CAST || OP == GPU_OR; /* to logical */
  using R = decltype (apply<OP> (T{}, T{}, false, false));
  R *const c = (R *) C;
  const int rows = 1 << bits, columns = THREADS >> bits;
  const int down = bits == BITS ? V : 1, across = bits == BITS ? 1 : V;
  const ptrdiff_t high = (box.size[0] + rows * down - 1) / (rows * down);
  const ptrdiff_t wide
    = (box.size[1] + columns * across - 1) / (columns * across);
  const ptrdiff_t tiles = high * wide * box.size[2];
  const int gap = words ? (THREADS - 1) * N : 0; /* behind a thread's word */

  for (ptrdiff_t t = blockIdx.x; t < tiles; t += gridDim.x)
    {
      T a[V] = {}, b[V] = {};
      R r[V] = {};
      ptrdiff_t at[3] = {}, step[3] = {}; /* in C, A and B */
      ptrdiff_t left;                     /* elements from here on */
      if (words)
        {
          at[0] = t * THREADS * V + threadIdx.x * N;
          left = box.size[0] - at[0];
        }
      else
        {
          ptrdiff_t i = t, j = 0, k = 0;
          if (tiles > high)
            {
              k = t;
              i = split (&k, high);
              j = split (&k, wide);
            }
          i = i * rows * down + (threadIdx.x & (rows - 1));
          j = j * columns * across + (threadIdx.x >> bits);
          left = i >= box.size[0] || j >= box.size[1] ? 0
                 : down > 1 ? (box.size[0] - i + rows - 1) >> bits
                            : (box.size[1] - j + columns - 1) >> (BITS - bits);
          for (int x = 0; x < 3; x++)
            {
              at[x] = i * box.stride[0][x] + j * box.stride[1][x]
                      + k * box.stride[2][x];
              step[x] = down > 1 ? rows * box.stride[0][x]
                                 : columns * box.stride[1][x];
            }
        }

      if (A.words)
        load_words<W, N> (A.p, at[0], left, a);
      else
        load<V, cast> (A, at[1], step[1], left, a);
      if (two && B.words)
        load_words<W, N> (B.p, at[0], left, b);
      else if (two)
        load<V, cast> (B, at[2], step[2], left, b);
#pragma unroll
      for (int v = 0; v < V; v++)
        if (v + v / N * gap < left)
          r[v] = apply<OP> (a[v], b[v], A.real, B.real);
      if (words)
        store_words<W, N> (c + at[0], left, r);
      else
#pragma unroll
        for (int v = 0; v < V; v++)
          if (v < left)
            c[at[0] + v * step[0]] = r[v];
    }
}

/* ---- launchers ---- */

template <class T>
static operand<T>
operand_of (gpu_operand A, gpu_type type, const gpu_box &box, int number)
{
  using R = typename real_of<T>::type;
  const bool real = !gpu_is_complex (A.A.type);
  const bool conj = !real && A.A.op & (GPU_C ^ GPU_T);
  const bool words = A.A.p && A.A.type == type && !conj
                     && box.stride[0][number] == 1
                     && (uintptr_t) A.A.p % WORD == 0;
  operand<T> X{ A.A.p, A.A.type, conj, real, words, {} };
  if constexpr (sizeof (T) == sizeof (R))
    X.x = (T) A.re;
  else
    X.x = { (R) A.re, (R) (real ? 0 : A.im) };
  return X;
}

template <gpu_operation OP> struct mapper
{
  template <class T>
  static cudaError_t
  run (cudaStream_t s, gpu_type type, gpu_operand A, gpu_operand B, gpu_mat C)
  {
    constexpr int V = WORD / sizeof (T) * (is_cheap (OP) ? 2 : 1);
    const gpu_box box = gpu_box_of (C, A.A, B.A);
    const ptrdiff_t *n = box.size, *first = box.stride[0];
    operand<T> a = operand_of<T> (A, type, box, 1);
    operand<T> b = operand_of<T> (B, type, box, 2);
    int bits = 0;
    if (n[0] == 0 || n[1] == 0 || n[2] == 0)
      return cudaSuccess;
    const bool words
      = n[1] == 1 && n[2] == 1 && first[0] == 1 && (uintptr_t) C.p % WORD == 0
        && (a.words || first[1] == 0) && (b.words || first[2] == 0);
    a.words &= words;
    b.words &= words;
    while (bits < BITS && (ptrdiff_t) 1 << bits < n[0])
      bits++;
    if (words)
      bits = BITS;
    const ptrdiff_t height = ((ptrdiff_t) 1 << bits) * (bits == BITS ? V : 1);
    const ptrdiff_t width = (THREADS >> bits) * (bits == BITS ? 1 : V);
    const ptrdiff_t tiles
      = ceil_div (n[0], height) * ceil_div (n[1], width) * n[2];
    map_kernel<OP, T>
      <<<grid_for (tiles), THREADS, 0, s>>> (a, b, C.p, box, bits, words);
    return cudaGetLastError ();
  }
};

#define CASE(op)                                                              \
  case op:                                                                    \
    FOR_ELEMENT_TYPE (type, mapper<op>::run, s, type, A, B, C)

cudaError_t
cuda_map (cudaStream_t s, gpu_operation op, gpu_operand A, gpu_operand B,
          gpu_mat C)
{
  if (op >= GPU_NOT)
    B = A;
  if (C.type == GPU_LOGICAL)
    op = gpu_map_logical (op, &B);
  const gpu_type type = gpu_map_type (op, A.A.type, B.A.type, C.type);
  switch (op)
    {
      CASE (GPU_PLUS);
      CASE (GPU_MINUS);
      CASE (GPU_TIMES);
      CASE (GPU_RDIVIDE);
      CASE (GPU_POWER);
    case GPU_ATAN2:
      if (type == GPU_SINGLE)
        return mapper<GPU_ATAN2>::run<float> (s, type, A, B, C);
      return mapper<GPU_ATAN2>::run<double> (s, type, A, B, C);
      CASE (GPU_MAX);
      CASE (GPU_MIN);
    case GPU_COMPLEX:
      if (type == GPU_CSINGLE)
        return mapper<GPU_COMPLEX>::run<gpu_complex<float>> (s, type, A, B, C);
      return mapper<GPU_COMPLEX>::run<gpu_complex<double>> (s, type, A, B, C);
      CASE (GPU_EQ);
      CASE (GPU_NE);
      CASE (GPU_LT);
      CASE (GPU_LE);
    case GPU_GT:
      return cuda_map (s, GPU_LT, B, A, C);
    case GPU_GE:
      return cuda_map (s, GPU_LE, B, A, C);
      CASE (GPU_AND);
      CASE (GPU_OR);
      CASE (GPU_NOT);
      CASE (GPU_ISNAN);
      CASE (GPU_ISINF);
      CASE (GPU_ISFINITE);
    case GPU_CAST:
      if (type == GPU_INT64)
        return mapper<GPU_CAST>::run<int64_t> (s, type, A, B, C);
      FOR_ELEMENT_TYPE (type, mapper<GPU_CAST>::run, s, type, A, B, C);
      CASE (GPU_UMINUS);
      CASE (GPU_ABS);
      CASE (GPU_ARG);
      CASE (GPU_REAL);
      CASE (GPU_IMAG);
      CASE (GPU_CONJ);
      CASE (GPU_SQRT);
      CASE (GPU_EXP);
      CASE (GPU_EXPM1);
      CASE (GPU_LOG);
      CASE (GPU_LOG1P);
      CASE (GPU_LOG2);
      CASE (GPU_LOG10);
      CASE (GPU_SIN);
      CASE (GPU_COS);
      CASE (GPU_TAN);
      CASE (GPU_ASIN);
      CASE (GPU_ACOS);
      CASE (GPU_ATAN);
      CASE (GPU_SINH);
      CASE (GPU_COSH);
      CASE (GPU_TANH);
      CASE (GPU_FLOOR);
      CASE (GPU_CEIL);
      CASE (GPU_ROUND);
      CASE (GPU_FIX);
      CASE (GPU_SIGN);
    default:
      return cudaErrorInvalidValue;
    }
}
