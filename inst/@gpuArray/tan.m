## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} tan (@var{A})
## The tangent of each element of a device array.
## @end deftypefn

function C = tan (A)

  C = __gpu_call__ ("map", "tan", A);

endfunction

%!assert (gather (tan (gpuArray ([-1, 0, 2]))), tan ([-1, 0, 2]), 4 * eps)
