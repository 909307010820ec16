/* host_map.c: the primitive map of the host: C = op (A, B), element by
   element.

   What lies in one run of memory is computed in pieces that fit the first
   cache: the operands are brought to the type of the computation, unless they
   have it, and one loop per operation does the rest.  host_map.inc holds what
   depends on the type.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include <tgmath.h>

#include "elementwise.h"
#include "host_arrays.h"

enum
{
  PIECE = 512,          /* elements computed at once */
  MULTIPLIED_POWER = 64 /* up to it, complex powers are products */
};

/* Whether the data of an operand are real numbers.  */
static bool
is_real (gpu_operand A)
{
  return !gpu_is_complex (A.A.type);
}

#define T float
#define REAL float
#define COMPLEX 0
#define TYPE GPU_SINGLE
#define FN(name) map_##name##_s
#include "host_map.inc"

#define T double
#define REAL double
#define COMPLEX 0
#define TYPE GPU_DOUBLE
#define FN(name) map_##name##_d
#include "host_map.inc"

#define T float complex
#define REAL float
#define COMPLEX 1
#define MAKE CMPLXF
#define TYPE GPU_CSINGLE
#define FN(name) map_##name##_c
#include "host_map.inc"

#define T double complex
#define REAL double
#define COMPLEX 1
#define MAKE CMPLX
#define TYPE GPU_CDOUBLE
#define FN(name) map_##name##_z
#include "host_map.inc"

gpu_status
host_map (gpu_ctx *g, gpu_operation op, gpu_operand A, gpu_operand B,
          gpu_mat C)
{
  if (op >= GPU_NOT)
    B = A;
  if (C.type == GPU_LOGICAL)
    op = gpu_map_logical (op, &B);
  switch (gpu_map_type (op, A.A.type, B.A.type, C.type))
    {
    case GPU_SINGLE:
      map_all_s (op, A, B, C);
      return GPU_OK;
    case GPU_DOUBLE:
    case GPU_INT64:
      map_all_d (op, A, B, C);
      return GPU_OK;
    case GPU_CSINGLE:
      map_all_c (op, A, B, C);
      return GPU_OK;
    case GPU_CDOUBLE:
      map_all_z (op, A, B, C);
      return GPU_OK;
    default:
      return gpu_fail (g, GPU_ENOTSUP, "map: no such type");
    }
}
