## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} cosh (@var{A})
## The hyperbolic cosine of each element of a device array.
## @end deftypefn

function C = cosh (A)

  C = __gpu_call__ ("map", "cosh", A);

endfunction

%!assert (gather (cosh (gpuArray ([-1, 0, 2]))), cosh ([-1, 0, 2]), 4 * eps)
