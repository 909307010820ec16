/* host_arrays.c: reductions, indexing, bands and random numbers of the host.

   Reductions load runs of elements of any type as complex double numbers,
   which holds all of them exactly, so that each operation is written once.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <complex.h>
#include <math.h>
#include <string.h>

#include "host_arrays.h"

enum
{
  RUN = 64,   /* elements loaded at once */
  BLOCK = 512 /* elements added one by one */
};

typedef double complex cx;

static const double two_pi = 6.283185307179586477;

/* ---- reductions ---- */

/* What a reduction keeps of the elements met so far.  */
typedef struct
{
  cx x;
  double size; /* what an extreme is compared by */
  int64_t at;  /* its 1-based place, or 0 */
} kept;

/* x = COUNT elements of TYPE from p on that lie SKIP apart.  */
static void
load (gpu_type type, bool conj_it, const void *p, ptrdiff_t skip,
      ptrdiff_t count, cx *x)
{
  const float *s = p;
  const double *d = p;
  const float complex *c = p;
  const cx *z = p;
  const unsigned char *logical = p;
  for (ptrdiff_t i = 0; i < count; i++)
    switch (type)
      {
      case GPU_SINGLE:
        x[i] = s[i * skip];
        break;
      case GPU_DOUBLE:
        x[i] = d[i * skip];
        break;
      case GPU_CSINGLE:
        x[i] = conj_it ? conj (c[i * skip]) : c[i * skip];
        break;
      case GPU_CDOUBLE:
        x[i] = conj_it ? conj (z[i * skip]) : z[i * skip];
        break;
      default:
        x[i] = logical[i * skip];
      }
}

/* *p = x, of type TYPE.  */
static void
store (gpu_type type, cx x, void *p)
{
  switch (type)
    {
    case GPU_SINGLE:
      *(float *) p = (float) creal (x);
      break;
    case GPU_DOUBLE:
      *(double *) p = creal (x);
      break;
    case GPU_CSINGLE:
      *(float complex *) p = (float complex) x;
      break;
    case GPU_CDOUBLE:
      *(cx *) p = x;
      break;
    default:
      *(unsigned char *) p = creal (x) != 0;
    }
}

static bool
not_a_number (cx x)
{
  return isnan (creal (x)) || isnan (cimag (x));
}

/* What elements are compared by, as TYPE rounds it: real ones themselves,
   complex ones abs, and then arg in (-pi, pi].  */
static double
size_of (gpu_type type, cx x)
{
  return type == GPU_CSINGLE   ? hypotf ((float) creal (x), (float) cimag (x))
         : type == GPU_CDOUBLE ? hypot (creal (x), cimag (x))
                               : creal (x);
}

static double
angle (gpu_type type, cx x)
{
  double im = cimag (x) == 0 ? 0 : cimag (x);
  return type == GPU_CSINGLE   ? atan2f ((float) im, (float) creal (x))
         : type == GPU_CDOUBLE ? atan2 (im, creal (x))
                               : 0;
}

/* Keep x, which stands at place AT, if it exceeds what was kept (with SIGN -1:
   if it is less).  */
static void
keep_extreme (gpu_type type, double sign, cx x, int64_t at, kept *k)
{
  double size = size_of (type, x);
  bool exceeds = k->at == 0 || sign * size > sign * k->size;
  if (not_a_number (x))
    exceeds = k->at == 0;
  else if (k->at > 0 && not_a_number (k->x))
    exceeds = true;
  else if (k->at > 0 && size == k->size && gpu_is_complex (type))
    exceeds = sign * angle (type, x) > sign * angle (type, k->x);
  if (exceeds)
    *k = (kept){ x, size, at };
}

static void
keep (gpu_reduction op, gpu_type type, cx x, int64_t at, kept *k)
{
  switch (op)
    {
    case GPU_SUM:
      k->x += x;
      break;
    case GPU_PROD:
      /* A zero imaginary part times Inf would be NaN.  */
      k->x = gpu_is_complex (type) ? k->x * x : creal (k->x) * creal (x);
      break;
    case GPU_SUMSQ:
      k->x += creal (x) * creal (x) + cimag (x) * cimag (x);
      break;
    case GPU_MOST:
      keep_extreme (type, 1, x, at, k);
      break;
    case GPU_LEAST:
      keep_extreme (type, -1, x, at, k);
      break;
    case GPU_ANY:
      if (x != 0 && !not_a_number (x))
        k->x = 1;
      break;
    case GPU_ALL:
      if (x == 0)
        k->x = 0;
      break;
    }
}

/* How far the elements of dimension D lie apart.  */
static ptrdiff_t
stride (gpu_mat A, int d)
{
  bool turned = A.op & GPU_T;
  return d == 2 ? A.step : (d == 1) != turned ? A.ld : 1;
}

static void *
element (gpu_mat A, ptrdiff_t at)
{
  return (char *) A.p + at * (ptrdiff_t) gpu_type_size (A.type);
}

/* k = what is kept of the elements FROM, FROM + SKIP, ... of A for the places
   L to L + LENGTH of a dimension; with COUNT > 1, of that many results that
   lie NEXT apart.  */
static void
reduce_block (gpu_reduction op, gpu_mat A, ptrdiff_t from, ptrdiff_t skip,
              ptrdiff_t l, ptrdiff_t length, ptrdiff_t count, ptrdiff_t next,
              kept *k)
{
  const bool conj_it = A.op & (GPU_C ^ GPU_T);
  const ptrdiff_t end = l + length;
  cx x[RUN];
  for (ptrdiff_t r = 0; r < count; r++)
    k[r] = (kept){ op == GPU_PROD || op == GPU_ALL, 0, 0 };
  for (ptrdiff_t some; l < end; l += some)
    {
      const void *p = element (A, from + l * skip);
      some = count > 1 ? 1 : end - l < RUN ? end - l : RUN;
      load (A.type, conj_it, p, count > 1 ? next : skip,
            count > 1 ? count : some, x);
      for (ptrdiff_t r = 0; r < count && count > 1; r++)
        keep (op, A.type, x[r], l + 1, &k[r]);
      for (ptrdiff_t r = 0; r < some && count == 1; r++)
        keep (op, A.type, x[r], l + r + 1, k);
    }
}

/* The results j and, from i on, COUNT of the dimensions OUT, along the
   dimension D.  Sums of blocks are added, which keeps their errors small.  */
static void
reduce_run (gpu_reduction op, gpu_mat A, int d, const int out[2], ptrdiff_t i,
            ptrdiff_t j, ptrdiff_t count, gpu_mat C, gpu_mat at)
{
  const ptrdiff_t size[] = { A.m, A.n, A.pages }, length = size[d];
  const ptrdiff_t next = stride (A, out[0]);
  const ptrdiff_t from = i * next + j * stride (A, out[1]);
  const gpu_reduction join = op == GPU_SUMSQ ? GPU_SUM : op;
  kept all[RUN], k[RUN];
  for (ptrdiff_t l = 0; l == 0 || l < length; l += BLOCK)
    {
      ptrdiff_t some = length - l < BLOCK ? length - l : BLOCK;
      reduce_block (op, A, from, stride (A, d), l, some, count, next, k);
      for (ptrdiff_t r = 0; r < count; r++)
        if (l == 0)
          all[r] = k[r];
        else
          keep (join, A.type, k[r].x, k[r].at, &all[r]);
    }
  for (ptrdiff_t r = 0; r < count; r++)
    {
      ptrdiff_t c = (i + r) * stride (C, out[0]) + j * stride (C, out[1]);
      store (C.type, all[r].x, element (C, c));
      c = (i + r) * stride (at, out[0]) + j * stride (at, out[1]);
      if (at.p)
        *(int64_t *) element (at, c) = all[r].at;
    }
}

gpu_status
host_reduce (gpu_ctx *g, gpu_reduction op, gpu_mat A, int dim, gpu_mat C,
             gpu_mat at)
{
  const ptrdiff_t size[] = { A.m, A.n, A.pages };
  int d = dim - 1, out[] = { d == 0 ? 1 : 0, d == 2 ? 1 : 2 };
  (void) g;
  if (stride (A, out[1]) < stride (A, out[0]))
    {
      int first = out[0];
      out[0] = out[1];
      out[1] = first;
    }
  ptrdiff_t run = stride (A, d) < stride (A, out[0]) ? 1 : RUN;
  for (ptrdiff_t j = 0; j < size[out[1]]; j++)
    for (ptrdiff_t i = 0; i < size[out[0]]; i += run)
      {
        ptrdiff_t left = size[out[0]] - i;
        reduce_run (op, A, d, out, i, j, left < run ? left : run, C, at);
      }
  return GPU_OK;
}

/* ---- indexing ---- */

/* The place of element i, 0-based; of none, negative.  */
static ptrdiff_t
place (const gpu_index *at, ptrdiff_t i)
{
  return at->list.p ? (ptrdiff_t) ((const int64_t *) at->list.p)[i]
                    : at->first + i * at->step;
}

/* Copy one element of SIZE bytes.  */
static void
move (void *to, const void *from, size_t size)
{
  switch (size)
    {
    case 1:
      memcpy (to, from, 1);
      break;
    case 2:
      memcpy (to, from, 2);
      break;
    case 4:
      memcpy (to, from, 4);
      break;
    case 8:
      memcpy (to, from, 8);
      break;
    default:
      memcpy (to, from, 16);
    }
}

gpu_status
host_gather (gpu_ctx *g, gpu_mat A, const gpu_index at[3], gpu_mat C)
{
  const size_t size = gpu_type_size (A.type);
  (void) g;
  for (ptrdiff_t k = 0; k < C.pages; k++)
    for (ptrdiff_t j = 0; j < C.n; j++)
      {
        const char *from
          = element (A, place (&at[1], j) * A.ld + place (&at[2], k) * A.step);
        char *to = element (C, j * C.ld + k * C.step);
        if (!at[0].list.p && at[0].step == 1)
          memcpy (to, from + at[0].first * (ptrdiff_t) size,
                  (size_t) C.m * size);
        else
          for (ptrdiff_t i = 0; i < C.m; i++)
            move (to + (size_t) i * size,
                  from + place (&at[0], i) * (ptrdiff_t) size, size);
      }
  return GPU_OK;
}

gpu_status
host_scatter (gpu_ctx *g, gpu_operand B, gpu_mat A, const gpu_index at[3])
{
  const size_t size = gpu_type_size (A.type);
  /* Dimensions of B that are 1 are repeated, as is a number.  */
  const ptrdiff_t down = B.A.p && B.A.m > 1, across = B.A.p && B.A.n > 1;
  const ptrdiff_t pages = B.A.p && B.A.pages > 1;
  cx number;
  store (A.type, CMPLX (B.re, B.im), &number);
  if (!B.A.p)
    B.A = (gpu_mat){ .p = &number, .type = A.type };
  (void) g;
  for (ptrdiff_t k = 0; k < at[2].count; k++)
    for (ptrdiff_t j = 0; j < at[1].count; j++)
      for (ptrdiff_t i = 0; i < at[0].count; i++)
        {
          ptrdiff_t pi = place (&at[0], i), pj = place (&at[1], j),
                    pk = place (&at[2], k);
          ptrdiff_t from
            = i * down + j * across * B.A.ld + k * pages * B.A.step;
          if (pi >= 0 && pj >= 0 && pk >= 0)
            move (element (A, pi + pj * A.ld + pk * A.step),
                  element (B.A, from), size);
        }
  return GPU_OK;
}

gpu_status
host_band (gpu_ctx *g, gpu_mat A, ptrdiff_t lo, ptrdiff_t hi, gpu_mat C)
{
  const ptrdiff_t size = (ptrdiff_t) gpu_type_size (A.type);
  (void) g;
  for (ptrdiff_t k = 0; k < C.pages; k++)
    for (ptrdiff_t j = 0; j < C.n; j++)
      {
        /* Rows from to - 1 are in the band.  */
        ptrdiff_t from = hi > j ? 0 : hi < j - C.m ? C.m : j - hi;
        ptrdiff_t to = lo < j - C.m ? C.m : lo > j ? 0 : j - lo + 1;
        to = to > C.m ? C.m : to;
        from = from > to ? to : from;
        const char *a = element (A, j * A.ld + k * A.step);
        char *c = element (C, j * C.ld + k * C.step);
        memmove (c + from * size, a + from * size,
                 (size_t) ((to - from) * size));
        memset (c, 0, (size_t) (from * size));
        memset (c + to * size, 0, (size_t) ((C.m - to) * size));
      }
  return GPU_OK;
}

/* ---- random numbers: see kernels/random.cu ---- */

/* w = the four words of counter b, of Philox 4x32-10 (J. Salmon et al.,
   2011).  */
static void
philox (uint64_t b, uint64_t seed, uint32_t w[4])
{
  uint32_t key0 = (uint32_t) seed, key1 = (uint32_t) (seed >> 32);
  w[0] = (uint32_t) b;
  w[1] = (uint32_t) (b >> 32);
  w[2] = w[3] = 0;
  for (int round = 0; round < 10; round++)
    {
      uint64_t x = UINT64_C (0xD2511F53) * w[0];
      uint64_t y = UINT64_C (0xCD9E8D57) * w[2];
      w[0] = (uint32_t) (y >> 32) ^ w[1] ^ key0;
      w[1] = (uint32_t) y;
      w[2] = (uint32_t) (x >> 32) ^ w[3] ^ key1;
      w[3] = (uint32_t) x;
      key0 += UINT32_C (0x9E3779B9);
      key1 += UINT32_C (0xBB67AE85);
    }
}

gpu_status
host_random (gpu_ctx *g, bool normal, uint64_t seed, uint64_t at, gpu_mat A)
{
  const uint64_t count = (uint64_t) (A.m * A.n * A.pages);
  float *s = A.p;
  double *d = A.p;
  (void) g;
  for (uint64_t b = at / 2; 2 * b < at + count; b++)
    {
      uint32_t w[4];
      philox (b, seed, w);
      uint64_t bits[]
        = { (uint64_t) w[1] << 32 | w[0], (uint64_t) w[3] << 32 | w[2] };
      double radius
        = normal
            ? sqrt (-2 * log (fmax ((double) (bits[0] >> 11), 0.5) * 0x1p-53))
            : 0;
      double turn = two_pi * ((double) (bits[1] >> 11) * 0x1p-53);
      for (uint64_t h = 0; h < 2; h++)
        {
          uint64_t i = 2 * b + h - at;
          double z = 0;
          if (2 * b + h < at || i >= count)
            continue;
          if (normal)
            z = radius * (h ? sin (turn) : cos (turn));
          else if (A.type == GPU_SINGLE)
            z = fmax ((double) (bits[h] >> 40), 0.5) * 0x1p-24;
          else
            z = fmax ((double) (bits[h] >> 11), 0.5) * 0x1p-53;
          if (A.type == GPU_SINGLE)
            s[i] = (float) z;
          else
            d[i] = z;
        }
    }
  return GPU_OK;
}
