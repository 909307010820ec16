## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} fix (@var{A})
## Each element of a device array rounded towards zero.
## @end deftypefn

function C = fix (A)

  C = __gpu_call__ ("map", "fix", A);

endfunction

%!assert (gather (fix (gpuArray ([-1.5, 0.5, 2]))), fix ([-1.5, 0.5, 2]))
