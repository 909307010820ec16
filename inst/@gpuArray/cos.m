## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} cos (@var{A})
## The cosine of each element of a device array.
## @end deftypefn

function C = cos (A)

  C = __gpu_call__ ("map", "cos", A);

endfunction

%!assert (gather (cos (gpuArray ([-1, 0, 2]))), cos ([-1, 0, 2]), 4 * eps)
