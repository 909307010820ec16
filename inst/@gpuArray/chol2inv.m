## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{X} =} chol2inv (@var{R})
## As gpu_chol2inv, of a device matrix.
## @seealso{gpu_chol2inv}
## @end deftypefn

function X = chol2inv (R)

  if (ndims (R) > 2)
    error ("chol2inv: requires square matrix");
  endif
  X = gpu_chol2inv (R);

endfunction

%!assert (gather (chol2inv (gpuArray ([2, 1; 0, 2]))), [5, -2; -2, 4] / 16, eps)
%!error <requires square matrix> chol2inv (gpuArray (ones (2, 2, 2)))
