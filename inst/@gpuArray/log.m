## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} log (@var{A})
## The natural logarithm of each element of a device array.
## @end deftypefn

function C = log (A)

  C = __gpu_call__ ("map", "log", A);

endfunction

%!assert (gather (log (gpuArray ([-1, 0.5, 2]))), log ([-1, 0.5, 2]), 4 * eps)
