## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} inv (@var{A})
## @deftypefnx {} {[@var{X}, @var{rcond}] =} inv (@var{A})
## The inverse of a device matrix, with the warnings and errors of Octave's
## @code{inv}; @var{rcond} is on the host.
## @seealso{gpu_inv}
## @end deftypefn

function [X, rcond] = inv (A)

  if (rows (A) != columns (A) && ! isempty (A))
    error ("inverse: A must be a square matrix");
  elseif (ndims (A) > 2 && ! isempty (A))
    error ("inverse requires square matrix");
  elseif (nargout < 2)
    X = inverse (A);
  else
    [X, rcond] = inverse (A);
  endif

endfunction

%!test
%! A = [4, 2; 2, 2];
%! [X, rcond] = inv (gpuArray (A));
%! assert (gather (X), inv (A), 4 * eps);
%! assert (rcond, 1 / 9, 4 * eps);
%!warning <singular> inv (gpuArray (ones (2)));
%!error <inverse: A must be a square matrix> inv (gpuArray ([1, 2]))
%!error <inverse requires square matrix> inv (gpuArray (ones (2, 2, 2)))
