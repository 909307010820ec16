/* trsm_few.cu: B = T \ B in place for a large triangular T and few columns of
   B, in one launch.

       0   1   2   r       A block of threads has SIDE rows, r of these blocks
     +---+                 of rows.  It subtracts T(r,c) * B(c) in the order in
   0 | D |                 which the others are done with B(c), and then solves
     +---+---+             with its D = T(r,r):
     |   | D |
     +---+---+---+           X = inv (D),  x = X * b,  x = x + X * (b - D * x)
     |   |   | D |
     +---+---+---+---+     The correction makes up for what is lost by an
   r | . | . | . | D |     inverse; it is left out where that is small, and
   where
     +---+---+---+---+     it is large, x is found by substitution.  X is there
                           long before it is needed: only the way from a B(c)
   to the next takes time.

   Blocks of threads take rows in the order of their tickets, so that those who
   wait do so for some that run.  Every 4 bytes of an x go to the others in one
   word with the number of this launch, so that who reads them knows by that
   whether they are there.  Sums have a fixed order.  An upper T is solved from
   below.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <climits>
#include <cstring>

#include "pivot.cuh"

enum
{
  SIDE = 64,
  WARP = 32,
  THREADS = 256,
  PARTS = THREADS / SIDE, /* of the columns of a block of T */
  OWN = SIDE / PARTS,     /* elements of a thread in a row */
  LD = SIDE + 1,
  TICKETS = 1 << 12 /* B has fewer columns in all */
};

template <class T> struct few_memory
{
  T D[SIDE * LD], X[SIDE * LD];
  T b[SIDE], x[SIDE], y[SIDE], part[PARTS][SIDE], got[2][SIDE];
  int ticket, loses, rough;
};

/* Numbers of an inverse, beside the diagonal, that lose nothing, and some that
   are too large.  */
static constexpr float SMALL = 16, LARGE = 1024;

/* The share of a thread in a block of T: OWN elements of a row or, of a T
   whose rows are columns in storage, 4 x 4.  */
template <bool BY_ROWS>
__device__ int
row_of (int q)
{
  const int t = threadIdx.x;
  return BY_ROWS ? t / 16 + q / 4 * 16 : t % SIDE;
}
template <bool BY_ROWS>
__device__ int
column_of (int q)
{
  const int t = threadIdx.x;
  return BY_ROWS ? t % 16 + q % 4 * 16 : t / SIDE * OWN + q;
}

template <class T, bool BY_ROWS>
__device__ void
fetch (T (&e)[OWN], const strided<T> &A, const T *a, ptrdiff_t i, ptrdiff_t j)
{
#pragma unroll
  for (int q = 0; q < OWN; q++)
    {
      const ptrdiff_t r = i + row_of<BY_ROWS> (q);
      const ptrdiff_t c = j + column_of<BY_ROWS> (q);
      e[q] = make<T> (0);
      if (r < A.m && c < A.n)
        e[q] = conj_if (A.conj, a[r * A.rs + c * A.cs]);
    }
}

/* y = the sums of all threads, each of which has one or, by rows, 4.  */
template <class T, bool BY_ROWS>
__device__ void
add_up (few_memory<T> &m, T (&sum)[4], T *y)
{
  const int t = threadIdx.x;
  if (BY_ROWS)
    {
#pragma unroll
      for (int k = 0; k < 4; k++)
        {
          for (int h = 8; h > 0; h /= 2)
            sum[k] = add (sum[k], from_lane (sum[k], t % WARP ^ h));
          if (t % 16 == 0)
            y[t / 16 + 16 * k] = sum[k];
        }
    }
  else
    {
      m.part[t / SIDE][t % SIDE] = sum[0];
      __syncthreads ();
      if (t < SIDE)
        y[t] = add (add (m.part[0][t], m.part[1][t]),
                    add (m.part[2][t], m.part[3][t]));
    }
  __syncthreads ();
}

/* y = P * x for P in shared memory.  */
template <class T>
__device__ void
multiply (few_memory<T> &m, const T *P, const T *x, T *y)
{
  const int i = row_of<false> (0), j = column_of<false> (0);
  T sum[4] = {};
#pragma unroll
  for (int q = 0; q < OWN; q++)
    sum[0] = mul_add (sum[0], P[i + (j + q) * LD], x[j + q]);
  add_up<T, false> (m, sum, y);
}

/* D = T(r,r), bordered by an identity, and X = inv (D), a thread a column.  */
template <class T>
__device__ void
prepare (few_memory<T> &m, const strided<T> &A, const T *a, ptrdiff_t r,
         bool lower, bool unit)
{
  const int t = threadIdx.x;
  for (int e = t; e < SIDE * SIDE; e += THREADS)
    {
      /* Along the columns of the storage.  */
      const int i = A.by_rows ? e / SIDE : e % SIDE;
      const int j = A.by_rows ? e % SIDE : e / SIDE;
      T x = make<T> (i == j);
      if ((lower ? i > j : i < j) || (i == j && !unit))
        if (r + i < A.n && r + j < A.n)
          x = conj_if (A.conj, a[(r + i) * A.rs + (r + j) * A.cs]);
      m.D[i + j * LD] = x;
    }
  __syncthreads ();
  if (t < SIDE)
    m.x[t] = reciprocal (m.D[t + t * LD]);
  __syncthreads ();
  if (t < SIDE)
    for (int k = 0; k < SIDE; k++)
      {
        const int i = lower ? k : SIDE - 1 - k, step = lower ? 1 : -1;
        const int count = (i - t) * step; /* from its diagonal on */
        T even = make<T> (i == t), odd = make<T> (0);
        for (int l = 0; l < count; l++)
          {
            const int c = t + l * step;
            T &to = l % 2 ? odd : even;
            to = mul_sub (to, m.D[i + c * LD], m.X[c + t * LD]);
          }
        const T x = mul (add (even, odd), m.x[i]);
        const auto size = size_of (x);
        m.X[i + t * LD] = count < 0 ? make<T> (0) : x;
        const auto p = size * size_of (m.D[i + i * LD]);
        const auto q = size * size_of (m.D[t + t * LD]);
        if (count >= 0 && !(p <= SMALL && q <= SMALL))
          m.loses = 1;
        if (count >= 0 && !(p <= LARGE && q <= LARGE))
          m.rough = 1;
      }
  __syncthreads ();
}

/* b = D \ b by substitution.  */
template <class T>
__device__ void
substitute (few_memory<T> &m, bool lower)
{
  const int t = threadIdx.x;
  for (int k = 0; k < SIDE; k++)
    {
      const int i = lower ? k : SIDE - 1 - k;
      if (t == i)
        m.x[i] = mul (m.b[i], reciprocal (m.D[i + i * LD]));
      __syncthreads ();
      if (t < SIDE && (lower ? t > i : t < i))
        m.b[t] = mul_sub (m.b[t], m.D[t + i * LD], m.x[i]);
      __syncthreads ();
    }
}

/* A number on its way: 4 bytes of it and the number of the launch, and so on.
   A word is written and read at once.  */
template <class T> struct message
{
  static constexpr int WORDS = sizeof (T) / 4;
  uint2 word[WORDS];

  __device__ void
  write (T x, unsigned launch)
  {
    unsigned part[WORDS];
    memcpy (part, &x, sizeof x);
#pragma unroll
    for (int i = 0; i < WORDS; i++)
      asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" ::"l"(word + i),
                   "r"(part[i]), "r"(launch)
                   : "memory");
  }
  /* Waits.  */
  __device__ T
  read (unsigned launch) const
  {
    unsigned part[WORDS];
    bool there;
    T x;
    do
      {
        there = true;
#pragma unroll
        for (int i = 0; i < WORDS; i++)
          {
            unsigned from;
            asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];"
                         : "=r"(part[i]), "=r"(from)
                         : "l"(word + i)
                         : "memory");
            there = there && from == launch;
          }
      }
    while (!there);
    memcpy (&x, part, sizeof x);
    return x;
  }
};

/* TICKETS, of each page and column, are zero before and after.  */
template <class T, bool BY_ROWS>
__global__ void
__launch_bounds__ (THREADS)
  few_kernel (strided<T> A, strided<T> B, bool lower, bool unit,
              unsigned launch, int *tickets, message<T> *messages)
{
  extern __shared__ __align__ (16) unsigned char shared[];
  using R = typename real_of<T>::type;
  few_memory<T> &m = *(few_memory<T> *) shared;
  const int t = threadIdx.x, blocks = (int) gridDim.x;
  const ptrdiff_t page = blockIdx.z, column = blockIdx.y, n = A.n;
  const ptrdiff_t which = page * gridDim.y + column;
  const T *a = A.p + page * A.step;
  T *b = B.p + page * B.step + column * B.cs;
  messages += which * n;
  if (t == 0)
    {
      m.ticket = atomicAdd (tickets + which, 1);
      m.loses = m.rough = 0;
    }
  __syncthreads ();
  const int turn = m.ticket;
  auto place
    = [=] (int k) { return (ptrdiff_t) (lower ? k : blocks - 1 - k) * SIDE; };
  const ptrdiff_t r = place (turn);
  T next[OWN], sum[4] = {};
  if (turn > 0)
    fetch<T, BY_ROWS> (next, A, a, r, place (0));
  prepare (m, A, a, r, lower, unit);
  const T own = t < SIDE && r + t < n ? conj_if (B.conj, b[(r + t) * B.rs])
                                      : make<T> (0);

  for (int k = 0; k < turn; k++)
    {
      T e[OWN], *x = m.got[k % 2];
#pragma unroll
      for (int q = 0; q < OWN; q++)
        e[q] = next[q];
      if (k + 1 < turn)
        fetch<T, BY_ROWS> (next, A, a, r, place (k + 1));
      const ptrdiff_t c = place (k) + t;
      if (t < SIDE)
        x[t] = c < n ? messages[c].read (launch) : make<T> (0);
      __syncthreads ();
#pragma unroll
      for (int q = 0; q < OWN; q++)
        {
          T &to = sum[BY_ROWS ? q / 4 : 0];
          to = mul_add (to, e[q], x[column_of<BY_ROWS> (q)]);
        }
    }
  add_up<T, BY_ROWS> (m, sum, m.y);
  if (t < SIDE)
    m.b[t] = add (own, scale (m.y[t], (R) -1));
  __syncthreads ();
  if (m.rough)
    substitute (m, lower);
  else
    {
      multiply (m, m.X, m.b, m.x);
      if (m.loses)
        {
          multiply (m, m.D, m.x, m.y);
          if (t < SIDE)
            m.b[t] = add (m.b[t], scale (m.y[t], (R) -1));
          __syncthreads ();
          multiply (m, m.X, m.b, m.y);
          if (t < SIDE)
            m.x[t] = add (m.x[t], m.y[t]);
        }
    }
  if (t < SIDE && r + t < n)
    {
      messages[r + t].write (m.x[t], launch);
      b[(r + t) * B.rs] = conj_if (B.conj, m.x[t]);
    }
  if (t == 0 && turn + 1 == blocks)
    tickets[which] = 0;
}

template <class T>
static cudaError_t
few (cudaStream_t s, gpu_uplo uplo, gpu_mat A, gpu_mat B, unsigned launch,
     void *work)
{
  const strided<T> a (A);
  auto kernel = a.by_rows ? few_kernel<T, true> : few_kernel<T, false>;
  const size_t bytes = sizeof (few_memory<T>);
  const dim3 grid ((unsigned) ceil_div (A.n, SIDE), (unsigned) B.n,
                   (unsigned) B.pages);
  const cudaError_t status = cudaFuncSetAttribute (
    (const void *) kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
    (int) bytes);
  if (status != cudaSuccess)
    return status;
  kernel<<<grid, THREADS, bytes, s>>> (
    a, strided<T> (B), uplo & GPU_LOWER, uplo & GPU_UNIT, launch, (int *) work,
    (message<T> *) ((int *) work + TICKETS));
  return cudaGetLastError ();
}

cudaError_t
cuda_trsm_few (cudaStream_t s, gpu_uplo uplo, gpu_mat A, gpu_mat B, void *work)
{
  static unsigned launches; /* none has the number 0 */
  if (A.n == 0 || B.n == 0 || B.pages == 0)
    return cudaSuccess;
  if (B.n * B.pages > TICKETS || A.n * B.n * B.pages > TRSM_FEW_MOST)
    return cudaErrorInvalidValue;
  launches = launches < UINT_MAX ? launches + 1 : 1;
  FOR_ELEMENT_TYPE (A.type, few, s, uplo, A, B, launches, work);
}
