## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} @var{A} .* @var{B}
## @deftypefnx {} {@var{C} =} times (@var{A}, @var{B})
## @deftypefnx {} {@var{C} =} times (@var{A}, @var{B}, @dots{})
## The product of arrays, of which one is on the device, element by
## element; dimensions of 1 are repeated.
## @end deftypefn

function C = times (A, B, varargin)

  C = __gpu_call__ ("map", "times", A, B);
  if (nargin > 2)
    C = times (C, varargin{:});
  endif

endfunction

%!test
%! x = [1, 2, 0];
%! y = [2; 1];
%! assert (gather (gpuArray (x) .* y), x .* y);
%! assert (gather (x .* gpuArray (y)), x .* y);
%! assert (gather (times (gpuArray (x), y, 3)), times (x, y, 3));
