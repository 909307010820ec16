## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} imag (@var{A})
## The imaginary part of a device array.
## @end deftypefn

function C = imag (A)

  C = __gpu_call__ ("map", "imag", A);

endfunction

%!assert (gather (imag (gpuArray ([1, 2i, 3+4i]))), imag ([1, 2i, 3+4i]))
