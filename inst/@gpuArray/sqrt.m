## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} sqrt (@var{A})
## The square root of each element of a device array.
## @end deftypefn

function C = sqrt (A)

  C = __gpu_call__ ("map", "sqrt", A);

endfunction

%!assert (gather (sqrt (gpuArray ([-4, 0, 2]))), sqrt ([-4, 0, 2]), 4 * eps)
