## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} acos (@var{A})
## The inverse cosine of each element of a device array.
## @end deftypefn

function C = acos (A)

  C = __gpu_call__ ("map", "acos", A);

endfunction

%!test
%! x = [-1, 0, 0.5];
%! assert (gather (acos (gpuArray (x))), acos (x), 4 * eps);
