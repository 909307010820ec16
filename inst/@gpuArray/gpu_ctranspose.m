## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} gpu_ctranspose (@var{A})
## The complex conjugate transpose of a device array, or of each page of it.
## @end deftypefn

function C = gpu_ctranspose (A)

  C = __gpu_call__ ("ctranspose", A);

endfunction

%!assert (gather (gpu_ctranspose (gpuArray ([1, 2i; 3, 4]))), [1, 2i; 3, 4]')
%!test
%! x = reshape (1:12, 2, 3, 2);
%! assert (gather (gpu_ctranspose (gpuArray (x))), permute (x, [2, 1, 3]));
