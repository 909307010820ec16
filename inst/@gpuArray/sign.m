## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} sign (@var{A})
## The sign of each element of a device array.
## @end deftypefn

function C = sign (A)

  C = __gpu_call__ ("map", "sign", A);

endfunction

%!assert (gather (sign (gpuArray ([-1.5, 0, 2]))), sign ([-1.5, 0, 2]))
