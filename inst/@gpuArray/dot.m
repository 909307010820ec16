## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} dot (@var{A}, @var{B})
## @deftypefnx {} {@var{C} =} dot (@var{A}, @var{B}, @var{dim})
## The sum of @code{conj (@var{A}) .* @var{B}} along dimension @var{dim}, by
## default the first that is not 1, of arrays of which one is on the device.
## @end deftypefn

function C = dot (A, B, dim)

  if (islogical (A) || islogical (B) || ! (isnumeric (A) && isnumeric (B)))
    error ("dot: X and Y must be numeric");
  elseif (nargin < 3 && isvector (A) && isvector (B) && numel (A) == numel (B))
    A = reshape (A, [], 1);
    B = reshape (B, [], 1);
  elseif (! size_equal (A, B))
    error ("dot: sizes of X and Y must match");
  endif

  if (nargin < 3)
    (dim = find (size (A) != 1, 1)) || (dim = 1);
  elseif (! (isscalar (dim) && dim >= 1))
    error ("dot: DIM must be a valid dimension");
  endif
  C = conj (A) .* B;
  if (isequal (size (C), [0, 0]))
    C = reshape (C, (1:2) == dim);   # where sum would make it 1 x 1
  else
    C = sum (C, fix (dim));
  endif

endfunction

%!assert (gather (dot (gpuArray (1:3), [1; 2; 3])), 14)
%!assert (gather (dot (gpuArray ([1i, 2]), [1, 1])), 2 - 1i)
%!test
%! x = magic (3);
%! assert (gather (dot (gpuArray (x), x, 2)), dot (x, x, 2));
%!error <sizes of X and Y must match> dot (gpuArray (1:3), 1:2)
