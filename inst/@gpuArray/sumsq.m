## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} sumsq (@var{A})
## @deftypefnx {} {@var{C} =} sumsq (@var{A}, @var{dim})
## The sum of the squares of the absolute values of a device array along
## dimension @var{dim}, by default the first that is not 1.
## @end deftypefn

function C = sumsq (A, varargin)

  C = reduce ("sumsq", A, varargin{:});

endfunction

%!test
%! x = [1, 2, 0; 3, 4, 5];
%! assert (gather (sumsq (gpuArray (x))), sumsq (x));
%! assert (gather (sumsq (gpuArray (x), 2)), sumsq (x, 2));
