## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} angle (@var{A})
## The argument of each element of a device array.
## @end deftypefn

function C = angle (A)

  C = __gpu_call__ ("map", "arg", A);

endfunction

%!test
%! x = [-1, 2, 3+4i];
%! assert (gather (angle (gpuArray (x))), angle (x), 4 * eps);
