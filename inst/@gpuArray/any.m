## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} any (@var{A})
## @deftypefnx {} {@var{C} =} any (@var{A}, @var{dim})
## Whether an element of a device array is nonzero along dimension @var{dim},
## by default the first that is not 1.
## @end deftypefn

function C = any (A, varargin)

  C = reduce ("any", A, varargin{:});

endfunction

%!test
%! x = [1, 2, 0; 3, 4, 5];
%! assert (gather (any (gpuArray (x))), any (x));
%! assert (gather (any (gpuArray (x), 2)), any (x, 2));
