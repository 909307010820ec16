## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {[@var{L}, @var{U}, @var{P}] =} lu (@var{A})
## @deftypefnx {} {[@var{L}, @var{U}] =} lu (@var{A})
## @deftypefnx {} {@var{Y} =} lu (@var{A})
## @deftypefnx {} {[@dots{}] =} lu (@var{A}, "vector")
## The LU factors of a device matrix, with the options of Octave's @code{lu}.
## All are on the device, @var{P} as a full matrix; the row numbers that
## @qcode{"vector"} asks for are on the host.
## @seealso{gpu_lu}
## @end deftypefn

function [L, U, P] = lu (A, varargin)

  if (ndims (A) > 2)
    error ("lu: A must be a matrix; gpu_lu takes pages");
  endif
  [L, U, P] = lu_factors ("lu", nargout, A, varargin{:});

endfunction

%!test
%! A = single ([1, 2; 4, 4]);
%! [L, U, P] = lu (gpuArray (A));
%! assert (gather (L), single ([1, 0; 0.25, 1]));
%! assert (gather (U), single ([4, 4; 0, 1]));
%! assert (gather (P), [0, 1; 1, 0]);
%! assert (gather (lu (gpuArray (A))), single ([4, 4; 0.25, 1]));
%!test
%! [L, U] = lu (gpuArray (true (2)));
%! assert (gather (L), [1, 0; 1, 1]);
%! assert (gather (U), [1, 1; 0, 0]);
%!error <^lu: can not define pivoting threshold> lu (gpuArray (1), 0.5)
%!error <gpu_lu takes pages> lu (gpuArray (ones (2, 2, 2)))
