## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} sin (@var{A})
## The sine of each element of a device array.
## @end deftypefn

function C = sin (A)

  C = __gpu_call__ ("map", "sin", A);

endfunction

%!assert (gather (sin (gpuArray ([-1, 0, 2]))), sin ([-1, 0, 2]), 4 * eps)
