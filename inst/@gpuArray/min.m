## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} min (@var{A})
## @deftypefnx {} {@var{C} =} min (@var{A}, [], @var{dim})
## @deftypefnx {} {[@var{C}, @var{at}] =} min (@dots{})
## @deftypefnx {} {@var{C} =} min (@var{A}, @var{B})
## The smallest elements of a device array along dimension @var{dim}, by default
## the first that is not 1, and their places; or the smaller elements of two
## arrays.  NaN counts only where there is nothing else.
## @end deftypefn

function [C, at] = min (A, B, dim = [])

  if (nargin == 2)
    C = __gpu_call__ ("map", "min", A, B);
    return;
  elseif (nargin > 2 && ! isempty (B))
    warning ("min: second argument is ignored");
  endif

  if (nargout < 2)
    C = reduce ("min", A, dim);
  else
    [C, at] = reduce ("min", A, dim);
  endif

endfunction

%!test
%! x = [1, 5, NaN; 3, 4, 5];
%! [c, at] = min (gpuArray (x), [], 2);
%! [want, want_at] = min (x, [], 2);
%! assert (gather (c), want);
%! assert (gather (at), want_at);
%! assert (gather (min (gpuArray (x))), min (x));
%! assert (gather (min (gpuArray (x), 2)), min (x, 2));
