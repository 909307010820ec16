## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{d} =} gpu_det (@var{A})
## @deftypefnx {} {[@var{d}, @var{rcond}] =} gpu_det (@var{A})
## The determinant of each page of a device array.  @var{d} is on the device and
## @var{rcond} on the host.  See the function for host arrays for all else.
## @end deftypefn

function [d, rcond] = gpu_det (A)

  if (rows (A) != columns (A) && ! isempty (A))
    error ("gpu_det: A must be a square matrix");
  elseif (nargout < 2)
    d = determinant (A);
  else
    [d, rcond] = determinant (A);
  endif

endfunction

%!test
%! A = cat (3, [4, 2; 2, 2], [1, 2; 3, 4]);
%! [d, rcond] = gpu_det (gpuArray (A));
%! assert (gather (d), gpu_det (A), 8 * eps);
%! [~, want] = gpu_inv (A);
%! assert (rcond, want, 8 * eps);
%!error <^gpu_det: A must be a square matrix> gpu_det (gpuArray ([1, 2]))
