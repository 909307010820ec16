## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} expm1 (@var{A})
## @code{exp (@var{A}) - 1}, exact near zero, of a device array.
## @end deftypefn

function C = expm1 (A)

  C = __gpu_call__ ("map", "expm1", A);

endfunction

%!test
%! x = [-1, 0, 1e-9];
%! assert (gather (expm1 (gpuArray (x))), expm1 (x), 4 * eps);
