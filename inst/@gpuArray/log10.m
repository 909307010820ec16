## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} log10 (@var{A})
## The logarithm to the base 10 of each element of a device array.
## @end deftypefn

function C = log10 (A)

  C = __gpu_call__ ("map", "log10", A);

endfunction

%!test
%! x = [0.1, 1, 100];
%! assert (gather (log10 (gpuArray (x))), log10 (x), 4 * eps);
