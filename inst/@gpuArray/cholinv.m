## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{X} =} cholinv (@var{A})
## As gpu_cholinv, of a device matrix.
## @seealso{gpu_cholinv}
## @end deftypefn

function X = cholinv (A)

  if (ndims (A) > 2)
    error ("cholinv: requires square matrix");
  endif
  X = gpu_cholinv (A);

endfunction

%!assert (gather (cholinv (gpuArray ([4, 2; 2, 5]))), [5, -2; -2, 4] / 16, eps)
%!error <positive definite> cholinv (gpuArray (-1))
%!error <requires square matrix> cholinv (gpuArray (ones (2, 2, 2)))
