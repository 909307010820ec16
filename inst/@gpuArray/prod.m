## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} prod (@var{A})
## @deftypefnx {} {@var{C} =} prod (@var{A}, @var{dim})
## @deftypefnx {} {@var{C} =} prod (@dots{}, @var{type})
## The product of the elements of a device array along dimension @var{dim}, by
## default the first that is not 1.  @var{type} is
## @qcode{"native"}, @qcode{"double"}, as in Octave.
## @end deftypefn

function C = prod (A, varargin)

  C = reduce ("prod", A, varargin{:});

endfunction

%!test
%! x = [1, 2, 0; 3, 4, 5];
%! assert (gather (prod (gpuArray (x))), prod (x));
%! assert (gather (prod (gpuArray (x), 2)), prod (x, 2));
