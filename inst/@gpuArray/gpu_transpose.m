## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} gpu_transpose (@var{A})
## The transpose of a device array, or of each page of it.
## @end deftypefn

function C = gpu_transpose (A)

  C = __gpu_call__ ("transpose", A);

endfunction

%!assert (gather (gpu_transpose (gpuArray ([1, 2i; 3, 4]))), [1, 2i; 3, 4].')
%!test
%! x = reshape (1:12, 2, 3, 2);
%! assert (gather (gpu_transpose (gpuArray (x))), permute (x, [2, 1, 3]));
