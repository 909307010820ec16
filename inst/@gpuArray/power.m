## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} @var{A} .^ @var{B}
## @deftypefnx {} {@var{C} =} power (@var{A}, @var{B})
## Elements of @var{A} to the power of those of @var{B}, of which one is on
## the device; dimensions of 1 are repeated.
## @end deftypefn

function C = power (A, B)

  C = __gpu_call__ ("map", "power", A, B);

endfunction

%!test
%! x = [1, 2, 0];
%! y = [2; 1];
%! assert (gather (gpuArray (x) .^ y), x .^ y, 4 * eps);
%! assert (gather (x .^ gpuArray (y)), x .^ y, 4 * eps);
