## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} tanh (@var{A})
## The hyperbolic tangent of each element of a device array.
## @end deftypefn

function C = tanh (A)

  C = __gpu_call__ ("map", "tanh", A);

endfunction

%!assert (gather (tanh (gpuArray ([-1, 0, 2]))), tanh ([-1, 0, 2]), 4 * eps)
