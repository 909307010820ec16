## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} conj (@var{A})
## The complex conjugate of a device array.
## @end deftypefn

function C = conj (A)

  C = __gpu_call__ ("map", "conj", A);

endfunction

%!assert (gather (conj (gpuArray ([1, 2i, 3+4i]))), conj ([1, 2i, 3+4i]))
