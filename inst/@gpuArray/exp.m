## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} exp (@var{A})
## The exponential of each element of a device array.
## @end deftypefn

function C = exp (A)

  C = __gpu_call__ ("map", "exp", A);

endfunction

%!assert (gather (exp (gpuArray ([-1, 0, 2]))), exp ([-1, 0, 2]), 4 * eps)
