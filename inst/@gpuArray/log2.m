## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} log2 (@var{A})
## The logarithm to the base 2 of each element of a device array.
## @end deftypefn

function C = log2 (A)

  C = __gpu_call__ ("map", "log2", A);

endfunction

%!assert (gather (log2 (gpuArray ([0.5, 1, 8]))), log2 ([0.5, 1, 8]), 4 * eps)
