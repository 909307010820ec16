## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} real (@var{A})
## The real part of a device array.
## @end deftypefn

function C = real (A)

  C = __gpu_call__ ("map", "real", A);

endfunction

%!assert (gather (real (gpuArray ([1, 2i, 3+4i]))), real ([1, 2i, 3+4i]))
