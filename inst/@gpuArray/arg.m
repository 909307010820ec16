## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} arg (@var{A})
## The argument of each element of a device array.
## @end deftypefn

function C = arg (A)

  C = __gpu_call__ ("map", "arg", A);

endfunction

%!test
%! x = [-1, 2, 3+4i];
%! assert (gather (arg (gpuArray (x))), arg (x), 4 * eps);
