## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} norm (@var{A})
## @deftypefnx {} {@var{C} =} norm (@var{A}, @var{p})
## @deftypefnx {} {@var{C} =} norm (@var{A}, @var{p}, @var{opt})
## The norm of a device array, as a device array.
##
## It is computed on the device for vectors and, for matrices, if @var{p} is 1,
## Inf or @qcode{"fro"}.  All else, the 2-norm of a matrix among it, which is
## the default, the host computes from a copy.
## @end deftypefn

function C = norm (A, p = 2, varargin)

  q = p;
  if (ischar (q) && strcmpi (q, "inf"))
    q = Inf;
  elseif (ischar (q) && strcmpi (q, "fro"))
    q = 2;   # as for a vector
  endif
  is_vector = isvector (A) || ischar (p) && q == 2;
  if (nargin > 2 || ndims (A) > 2 || isempty (A) || islogical (A)
      || ! (isscalar (q) && isnumeric (q) && isreal (q))
      || ! (is_vector && (q >= 0 || q == -Inf) || any (q == [1, Inf])))
    C = gpuArray (norm (gather (A), gather (p), varargin{:}));
    return;
  endif

  if (! is_vector)
    C = with_nan (@max, sum (abs (A), 1 + (q == Inf)));
    return;
  endif
  A = __gpu_call__ ("index", A, ":");
  switch (q)
    case 0
      C = __gpu_call__ ("cast", sum (A != 0), class_of (A));
    case 1
      C = sum (abs (A));
    case 2
      C = root_of_squares (A);
    case Inf
      C = with_nan (@max, abs (A));
    case -Inf
      C = with_nan (@min, abs (A));
    otherwise
      C = sum (abs (A) .^ q) .^ (1 / q);
  endswitch

endfunction

## sqrt (sumsq (A)), where nothing overflows on the way: the largest element is
## divided out, or the nearest number that may be.
function C = root_of_squares (A)

  cls = class_of (A);
  scale = max (min (max (abs (A)), realmax (cls)), realmin (cls));
  C = scale .* sqrt (sumsq (A ./ scale));

endfunction

## F (A), or NaN if there is one in the vector A: 0 / 0 where 1 / 1 stands else.
function C = with_nan (f, A)

  good = ! any (isnan (A));
  C = f (A) .* (good ./ good);

endfunction

%!test
%! x = [3, -4, 1e-3];
%! for p = {1, 2, 3, Inf, -Inf, 0, "fro", "inf"}
%!   assert (gather (norm (gpuArray (x), p{1})), norm (x, p{1}), 1e-14);
%! endfor
%! x = magic (4)(:,1:3);
%! for p = {1, 2, Inf, "fro", "inf"}
%!   assert (gather (norm (gpuArray (x), p{1})), norm (x, p{1}), 1e-13);
%! endfor
%! assert (gather (norm (gpuArray ([3e200, 4e200]))), 5e200, 1e185);
%! assert (gather (norm (gpuArray ([3e-200, 4e-200]))), 5e-200, 1e-215);
%! assert (gather (norm (gpuArray ([NaN, 1; 2, 3]), 1)), NaN);
