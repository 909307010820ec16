## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} @var{A} + @var{B}
## @deftypefnx {} {@var{C} =} plus (@var{A}, @var{B})
## @deftypefnx {} {@var{C} =} plus (@var{A}, @var{B}, @dots{})
## The sum of arrays, of which one is on the device, element by element;
## dimensions of 1 are repeated.
## @end deftypefn

function C = plus (A, B, varargin)

  C = __gpu_call__ ("map", "plus", A, B);
  if (nargin > 2)
    C = plus (C, varargin{:});
  endif

endfunction

%!test
%! x = [1, 2, 0];
%! y = [2; 1];
%! assert (gather (gpuArray (x) + y), x + y);
%! assert (gather (x + gpuArray (y)), x + y);
%! assert (gather (plus (gpuArray (x), y, 3)), plus (x, y, 3));
