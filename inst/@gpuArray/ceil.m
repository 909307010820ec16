## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} ceil (@var{A})
## Each element of a device array rounded towards Inf.
## @end deftypefn

function C = ceil (A)

  C = __gpu_call__ ("map", "ceil", A);

endfunction

%!assert (gather (ceil (gpuArray ([-1.5, 0.5, 2]))), ceil ([-1.5, 0.5, 2]))
