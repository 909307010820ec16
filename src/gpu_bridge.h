/* gpu_bridge.h: what the MEX file lends to __gpu_call__, the oct-file, so that
   the commonest questions about a device array, and operations element by
   element, need no call of __gpu__.

   The oct-file owns the bridge and stays loaded; the MEX file fills it in and,
   before it goes, sets its functions to NULL.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_GPU_BRIDGE_H
#define GPULINALG_GPU_BRIDGE_H 1

#include <stddef.h>
#include <stdint.h>

typedef struct
{
  ptrdiff_t m, n, pages;
  int is_single, is_logical, is_complex;
} gpu_shape;

/* A device array or, where the id is 0, a real number.  */
typedef struct
{
  int64_t id;
  double number;
} gpu_term;

typedef struct
{
  void (*free_id) (int64_t id);
  int (*shape) (int64_t id, gpu_shape *s); /* 0: there is no such array */
  /* The id of op (a) or op (a, b); 0: ask __gpu__, which tells why not.  */
  int64_t (*map) (const char *op, const gpu_term *a, const gpu_term *b);
} gpu_bridge;

#endif
