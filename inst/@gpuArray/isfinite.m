## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} isfinite (@var{A})
## True where an element of a device array is neither infinite nor NaN.
## @end deftypefn

function C = isfinite (A)

  C = __gpu_call__ ("map", "isfinite", A);

endfunction

%!test
%! x = [NaN, -Inf, 1];
%! assert (gather (isfinite (gpuArray (x))), isfinite (x));
