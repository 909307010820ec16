## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} max (@var{A})
## @deftypefnx {} {@var{C} =} max (@var{A}, [], @var{dim})
## @deftypefnx {} {[@var{C}, @var{at}] =} max (@dots{})
## @deftypefnx {} {@var{C} =} max (@var{A}, @var{B})
## The largest elements of a device array along dimension @var{dim}, by default
## the first that is not 1, and their places; or the larger elements of two
## arrays.  NaN counts only where there is nothing else.
## @end deftypefn

function [C, at] = max (A, B, dim = [])

  if (nargin == 2)
    C = __gpu_call__ ("map", "max", A, B);
    return;
  elseif (nargin > 2 && ! isempty (B))
    warning ("max: second argument is ignored");
  endif

  if (nargout < 2)
    C = reduce ("max", A, dim);
  else
    [C, at] = reduce ("max", A, dim);
  endif

endfunction

%!test
%! x = [1, 5, NaN; 3, 4, 5];
%! [c, at] = max (gpuArray (x), [], 2);
%! [want, want_at] = max (x, [], 2);
%! assert (gather (c), want);
%! assert (gather (at), want_at);
%! assert (gather (max (gpuArray (x))), max (x));
%! assert (gather (max (gpuArray (x), 2)), max (x, 2));
