## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} all (@var{A})
## @deftypefnx {} {@var{C} =} all (@var{A}, @var{dim})
## Whether all elements of a device array are nonzero along dimension
## @var{dim}, by default the first that is not 1.
## @end deftypefn

function C = all (A, varargin)

  C = reduce ("all", A, varargin{:});

endfunction

%!test
%! x = [1, 2, 0; 3, 4, 5];
%! assert (gather (all (gpuArray (x))), all (x));
%! assert (gather (all (gpuArray (x), 2)), all (x, 2));
