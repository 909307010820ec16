## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} uminus (@var{A})
## The elements of a device array with the other sign.
## @end deftypefn

function C = uminus (A)

  C = __gpu_call__ ("map", "uminus", A);

endfunction

%!assert (gather (uminus (gpuArray ([-1, 0, 2]))), uminus ([-1, 0, 2]))
