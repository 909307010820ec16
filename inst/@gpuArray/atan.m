## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} atan (@var{A})
## The inverse tangent of each element of a device array.
## @end deftypefn

function C = atan (A)

  C = __gpu_call__ ("map", "atan", A);

endfunction

%!assert (gather (atan (gpuArray ([-1, 0, 2]))), atan ([-1, 0, 2]), 4 * eps)
