## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} @var{A} | @var{B}
## @deftypefnx {} {@var{C} =} or (@var{A}, @var{B})
## @deftypefnx {} {@var{C} =} or (@var{A}, @var{B}, @dots{})
## Where elements of one of two arrays, of which one is on the device, are
## nonzero.  NaN, which is an error on the host, counts as nonzero.
## @end deftypefn

function C = or (A, B, varargin)

  C = __gpu_call__ ("map", "or", A, B);
  if (nargin > 2)
    C = or (C, varargin{:});
  endif

endfunction

%!test
%! x = [1, 2, 0];
%! y = [2; 1];
%! assert (gather (gpuArray (x) | y), x | y);
%! assert (gather (x | gpuArray (y)), x | y);
%! assert (gather (or (gpuArray (x), y, 3)), or (x, y, 3));
