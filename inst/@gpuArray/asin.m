## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} asin (@var{A})
## The inverse sine of each element of a device array.
## @end deftypefn

function C = asin (A)

  C = __gpu_call__ ("map", "asin", A);

endfunction

%!test
%! x = [-1, 0, 0.5];
%! assert (gather (asin (gpuArray (x))), asin (x), 4 * eps);
