/* block16.cuh: blocks of 16 x 16 in shared memory as operands of the tensor
   cores.  Element (r, c) lies at 16 * c + (r ^ turn (c)), so that a warp that
   takes its elements of an operand, of its transpose or of a result meets no
   bank twice.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_BLOCK16_CUH
#define GPULINALG_BLOCK16_CUH 1

#include "common.cuh"
#include "mma.cuh"

enum
{
  WARP = 32,
  SIDE = 16,
  BLOCK = SIDE * SIDE
};

__device__ constexpr int
turn (int c)
{
  return ((c & 3) ^ ((c >> 2) & 1)) << 2;
}
__device__ constexpr int
place16 (int r, int c)
{
  return SIDE * c + (r ^ turn (c));
}

/* Where a lane finds its elements of a block.  */
struct lane_places
{
  int even, odd; /* of row g: columns t and, less 4 columns, t + 4 */
  int result[2]; /* of row g: columns 2 * t and 2 * t + 1 */

  __device__ explicit lane_places (int lane)
  {
    const int g = lane / 4, t = lane % 4;
    even = SIDE * t + (g ^ (t << 2));
    odd = SIDE * t + (g ^ ((t ^ 1) << 2));
    result[0] = place16 (g, 2 * t);
    result[1] = place16 (g, 2 * t + 1);
  }

  /* Columns 2 * c and 2 * c + 1 of a matrix of PAIRS are those of a complex
     matrix C, [re; im] of each element, and of i * C.  Of results x: what is
     in the second columns is made from the first.  */
  __device__ static void
  pair (double (&x)[4])
  {
    const bool imaginary = threadIdx.x & 4;
#pragma unroll
    for (int i = 0; i < 4; i += 2)
      {
        const double other = __shfl_xor_sync (~0u, x[i], 4);
        x[i + 1] = imaginary ? other : -other;
      }
  }

  /* a = P.  */
  __device__ void
  left (double (&a)[8], const double *P) const
  {
#pragma unroll
    for (int i = 0; i < 4; i++)
      {
        const int at = 4 * SIDE * i + (i % 2 ? odd : even);
        a[2 * i] = P[at];
        a[2 * i + 1] = P[at ^ 8];
      }
  }
  /* The same of a P of pairs, of which only the first columns are right.  */
  __device__ static void
  left_paired (double (&a)[8], const double *P)
  {
    const int lane = threadIdx.x % WARP, second = lane & 1;
    const int r = (lane / 4) ^ second, c = lane % 4 - second;
    const bool minus = second && r % 2;
#pragma unroll
    for (int i = 0; i < 4; i++)
      {
        const int at = place16 (r, c + 4 * i);
        a[2 * i] = minus ? -P[at] : P[at];
        a[2 * i + 1] = minus ? -P[at ^ 8] : P[at ^ 8];
      }
  }
  /* b = columns 8 * h + 1 to 8 * h + 8 of P'.  */
  __device__ void
  right_transposed (double (&b)[4], const double *P, int h) const
  {
#pragma unroll
    for (int i = 0; i < 4; i++)
      b[i] = P[4 * SIDE * i + ((i % 2 ? odd : even) ^ (8 * h))];
  }
  /* b = columns 8 * h + 1 to 8 * h + 8 of P, upper triangular.  */
  __device__ void
  right_upper (double (&b)[4], const double *P, int h) const
  {
    const int lane = threadIdx.x % WARP, k = lane % 4, c = 8 * h + lane / 4;
#pragma unroll
    for (int i = 0; i < 4; i++)
      b[i] = k + 4 * i <= c ? P[place16 (k + 4 * i, c)] : 0;
  }
  /* The elements of columns 8 * h + 1 to 8 * h + 8 of a result.  */
  __device__ int
  of_result (int h, int i) const
  {
    return 8 * SIDE * h + (result[i % 2] ^ (8 * (i / 2)));
  }
  /* P = [x, y].  */
  __device__ void
  store (double *P, const double (&x)[4], const double (&y)[4]) const
  {
#pragma unroll
    for (int i = 0; i < 4; i++)
      {
        P[of_result (0, i)] = x[i];
        P[of_result (1, i)] = y[i];
      }
  }
  /* P as a result.  */
  __device__ void
  load (double (&x)[2][4], const double *P) const
  {
#pragma unroll
    for (int i = 0; i < 8; i++)
      x[i / 4][i % 4] = P[of_result (i / 4, i % 4)];
  }
  /* [x, y] = [x, y] + P * Y' with Y lower triangular.  */
  template <bool PAIRS>
  __device__ void
  add_product (double (&x)[4], double (&y)[4], const double *P,
               const double *Y) const
  {
    double a[8], first[4], second[4];
    if (PAIRS)
      left_paired (a, P);
    else
      left (a, P);
    right_transposed (second, Y, 1);
    right_transposed (first, Y, 0);
    multiply_add_16 (y, a, second);
    multiply_add_8 (x, a, first);
    if (PAIRS)
      {
        pair (x);
        pair (y);
      }
    __syncwarp ();
  }
  /* P = P / L' = [x, y], of L its inverse Y and its transpose U.  If ROUGH,
     the residual is divided, too: the inverse of an ill-conditioned L has lost
     what a substitution has not.  */
  template <bool PAIRS>
  __device__ void
  divide (double (&x)[4], double (&y)[4], double *P, const double *Y,
          const double *U, bool rough) const
  {
    double a[8], b[4], old[2][4], r[2][4] = {};
    if (rough)
      load (old, P);
#pragma unroll
    for (int i = 0; i < 4; i++)
      x[i] = y[i] = 0;
    add_product<PAIRS> (x, y, P, Y);
    store (P, x, y);
    if (!rough)
      return;
    __syncwarp ();
    left (a, P);
#pragma unroll
    for (int h = 0; h < 2; h++)
      {
        right_upper (b, U, h);
        multiply_add_16 (r[h], a, b);
#pragma unroll
        for (int i = 0; i < 4; i++)
          r[h][i] = old[h][i] - r[h][i];
        if (PAIRS)
          pair (r[h]);
      }
    __syncwarp ();
    store (P, r[0], r[1]);
    __syncwarp ();
    add_product<PAIRS> (x, y, P, Y);
    store (P, x, y);
  }
  /* C = C - P * Q' for N blocks C and Q, of P what left gives.  All is asked
     for before the first product, so that the latencies of two hide each
     other.  */
  template <int N>
  __device__ void
  update (double *const (&C)[N], const double (&a)[8],
          const double *const (&Q)[N]) const
  {
    double b[N][2][4], old[N][8], x[N][2][4] = {};
#pragma unroll
    for (int n = 0; n < N; n++)
      {
        right_transposed (b[n][0], Q[n], 0);
        right_transposed (b[n][1], Q[n], 1);
      }
#pragma unroll
    for (int i = 0; i < 8 * N; i++)
      old[i / 8][i % 8] = C[i / 8][of_result (i % 8 / 4, i % 4)];
#pragma unroll
    for (int n = 0; n < N; n++)
      {
        multiply_add_16 (x[n][0], a, b[n][0]);
        multiply_add_16 (x[n][1], a, b[n][1]);
      }
#pragma unroll
    for (int i = 0; i < 8 * N; i++)
      C[i / 8][of_result (i % 8 / 4, i % 4)]
        = old[i / 8][i % 8] - x[i / 8][i % 8 / 4][i % 4];
  }
  __device__ void
  update (double *C, const double (&a)[8], const double *Q) const
  {
    double *const one[1] = { C };
    const double *const with[1] = { Q };
    update (one, a, with);
  }
};

#endif
