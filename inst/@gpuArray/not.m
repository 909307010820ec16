## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} not (@var{A})
## True where an element of a device array is zero.
## @end deftypefn

function C = not (A)

  C = __gpu_call__ ("map", "not", A);

endfunction

%!assert (gather (not (gpuArray ([-1, 0, 2]))), not ([-1, 0, 2]))
