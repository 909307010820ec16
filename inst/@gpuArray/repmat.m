## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} repmat (@var{A}, @var{m})
## @deftypefnx {} {@var{C} =} repmat (@var{A}, @var{m}, @var{n}, @dots{})
## @deftypefnx {} {@var{C} =} repmat (@var{A}, [@var{m} @var{n} @dots{}])
## Copies of a device array, side by side along up to three dimensions.
## @end deftypefn

function C = repmat (A, m, varargin)

  args = cellfun (@(x) double (gather (x)), [{m}, varargin], ...
                  "UniformOutput", false);
  if (nargin > 3 && ! all (cellfun (@isscalar, args)))
    error ("repmat: all input arguments must be scalar");
  elseif (nargin < 4 && all (cellfun (@isempty, args)))
    args = {1};
  endif
  count = cellfun (@(x) x(:)', args, "UniformOutput", false);
  count = [count{:}];
  if (isscalar (count) && nargin == 2)
    count = [count, count];
  endif
  count(end+1:3) = 1;
  if (any (count(4:end) != 1))
    error ("repmat: a device array has at most three dimensions");
  endif
  C = __gpu_call__ ("repmat", A, fix (max (count(1:3), 0)));

endfunction

%!test
%! x = [1, 2; 3, 4];
%! assert (gather (repmat (gpuArray (x), 2)), repmat (x, 2));
%! assert (gather (repmat (gpuArray (x), 2, 3)), repmat (x, 2, 3));
%! assert (gather (repmat (gpuArray (x), [1, 2, 3])), repmat (x, [1, 2, 3]));
%! assert (gather (repmat (gpuArray (x), 0, 3)), zeros (0, 6));
