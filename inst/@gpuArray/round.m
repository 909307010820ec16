## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} round (@var{A})
## Each element of a device array rounded, halves away from zero.
## @end deftypefn

function C = round (A)

  C = __gpu_call__ ("map", "round", A);

endfunction

%!assert (gather (round (gpuArray ([-1.5, 0.5, 2]))), round ([-1.5, 0.5, 2]))
