## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} isnan (@var{A})
## True where an element of a device array is NaN.
## @end deftypefn

function C = isnan (A)

  C = __gpu_call__ ("map", "isnan", A);

endfunction

%!assert (gather (isnan (gpuArray ([NaN, Inf, 1]))), isnan ([NaN, Inf, 1]))
