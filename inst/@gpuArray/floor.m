## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} floor (@var{A})
## Each element of a device array rounded towards -Inf.
## @end deftypefn

function C = floor (A)

  C = __gpu_call__ ("map", "floor", A);

endfunction

%!assert (gather (floor (gpuArray ([-1.5, 0.5, 2]))), floor ([-1.5, 0.5, 2]))
