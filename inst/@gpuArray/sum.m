## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} sum (@var{A})
## @deftypefnx {} {@var{C} =} sum (@var{A}, @var{dim})
## @deftypefnx {} {@var{C} =} sum (@dots{}, @var{type})
## The sum of the elements of a device array along dimension @var{dim}, by
## default the first that is not 1.  @var{type} is
## @qcode{"native"}, @qcode{"double"} or @qcode{"extra"}, as in Octave.
## @end deftypefn

function C = sum (A, varargin)

  C = reduce ("sum", A, varargin{:});

endfunction

%!test
%! x = [1, 2, 0; 3, 4, 5];
%! assert (gather (sum (gpuArray (x))), sum (x));
%! assert (gather (sum (gpuArray (x), 2)), sum (x, 2));
