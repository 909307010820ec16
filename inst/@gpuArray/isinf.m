## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} isinf (@var{A})
## True where an element of a device array is infinite.
## @end deftypefn

function C = isinf (A)

  C = __gpu_call__ ("map", "isinf", A);

endfunction

%!assert (gather (isinf (gpuArray ([NaN, -Inf, 1]))), isinf ([NaN, -Inf, 1]))
