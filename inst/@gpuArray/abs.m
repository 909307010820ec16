## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} abs (@var{A})
## The absolute value of each element of a device array.
## @end deftypefn

function C = abs (A)

  C = __gpu_call__ ("map", "abs", A);

endfunction

%!test
%! x = [-1, 0, 3+4i];
%! assert (gather (abs (gpuArray (x))), abs (x), 4 * eps);
