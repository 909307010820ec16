## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} sinh (@var{A})
## The hyperbolic sine of each element of a device array.
## @end deftypefn

function C = sinh (A)

  C = __gpu_call__ ("map", "sinh", A);

endfunction

%!assert (gather (sinh (gpuArray ([-1, 0, 2]))), sinh ([-1, 0, 2]), 4 * eps)
