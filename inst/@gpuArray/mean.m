## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} mean (@var{A})
## @deftypefnx {} {@var{C} =} mean (@var{A}, @var{dim})
## The mean of the elements of a device array along dimension @var{dim}, by
## default the first that is greater than 1.
## @end deftypefn

function C = mean (A, dim)

  if (nargin < 2)
    (dim = find (size (A) > 1, 1)) || (dim = 1);
  elseif (! (isscalar (dim) && dim >= 1 && dim == fix (dim)))
    error ("mean: DIM must be an integer and a valid dimension");
  endif
  C = sum (A, dim) / size (A, dim);

endfunction

%!test
%! x = [1, 2, 0; 3, 4, 5];
%! assert (gather (mean (gpuArray (x))), mean (x));
%! assert (gather (mean (gpuArray (x), 2)), mean (x, 2), eps (4));
%!error <DIM must be> mean (gpuArray (1), 0)
