## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} gpu_inv (@var{A})
## @deftypefnx {} {[@var{X}, @var{rcond}] =} gpu_inv (@var{A})
## The inverse of each page of a device array.  @var{X} is on the device and
## @var{rcond} on the host.  See the function for host arrays for all else.
## @end deftypefn

function [X, rcond] = gpu_inv (A)

  if (rows (A) != columns (A) && ! isempty (A))
    error ("gpu_inv: A must be a square matrix");
  elseif (nargout < 2)
    X = inverse (A);
  else
    [X, rcond] = inverse (A);
  endif

endfunction

%!test
%! A = cat (3, [4, 2; 2, 2], [1, 2; 3, 4]);
%! [X, rcond] = gpu_inv (gpuArray (A));
%! [want, want_rcond] = gpu_inv (A);
%! assert (gather (X), want, 8 * eps);
%! assert (rcond, want_rcond, 8 * eps);
%!error <^gpu_inv: A must be a square matrix> gpu_inv (gpuArray ([1, 2]))
