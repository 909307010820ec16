## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{d} =} det (@var{A})
## @deftypefnx {} {[@var{d}, @var{rcond}] =} det (@var{A})
## The determinant of a device matrix, with the errors of Octave's @code{det};
## @var{rcond} is on the host.
## @seealso{gpu_det, gpu_logdet}
## @end deftypefn

function [d, rcond] = det (A)

  if (rows (A) != columns (A) && ! isempty (A))
    error ("det: A must be a square matrix");
  elseif (ndims (A) > 2 && ! isempty (A))
    error ("matrix must be square");
  elseif (nargout < 2)
    d = determinant (A);
  else
    [d, rcond] = determinant (A);
  endif

endfunction

%!test
%! [d, rcond] = det (gpuArray ([4, 2; 2, 2]));
%! assert (gather (d), 4, 8 * eps);
%! assert (rcond, 1 / 9, 4 * eps);
%!error <det: A must be a square matrix> det (gpuArray ([1, 2]))
%!error <matrix must be square> det (gpuArray (ones (2, 2, 2)))
