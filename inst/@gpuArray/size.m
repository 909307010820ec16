## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{sz} =} size (@var{g})
## @deftypefnx {} {@var{n} =} size (@var{g}, @var{dim}, @dots{})
## @deftypefnx {} {[@var{m}, @var{n}, @dots{}] =} size (@dots{})
## The size of a device array, in the forms that Octave's @code{size} has.
## @end deftypefn

function varargout = size (g, varargin)

  sz = __gpu_call__ ("size", g);
  if (nargin == 1 && nargout < 2)
    varargout{1} = sz;
    return;
  endif

  if (nargin > 1)
    dim = [cellfun(@double, varargin, "UniformOutput", false){:}];
    if (isempty (dim) || any (dim != fix (dim)))
      error ("size: DIM must be a positive integer");
    elseif (any (dim < 1))
      error ("size: requested dimension DIM (= %d) out of range",
             dim(find (dim < 1, 1)));
    endif
    sz(end+1:max (dim)) = 1;
    sz = sz(dim);
    if (nargout < 2)
      varargout{1} = sz;
    elseif (nargout > numel (sz))
      error ("size: nargout > number of requested dimensions");
    else
      varargout = num2cell (sz(1:nargout));
    endif
  else
    ## The last output is what the others leave.
    sz(end+1:nargout) = 1;
    varargout = num2cell ([sz(1:nargout-1), prod(sz(nargout:end))]);
  endif

endfunction

%!test
%! for x = {5, 1:3, magic(4), ones(2, 3, 4), [], zeros(0, 3), zeros(2, 0, 3)}
%!   x = x{1};
%!   g = gpuArray (x);
%!   assert (size (g), size (x));
%!   assert (size (g, 1), size (x, 1));
%!   assert (size (g, 3), size (x, 3));
%!   assert (size (g, 7), 1);
%!   assert (size (g, [2, 1, 4]), size (x, [2, 1, 4]));
%!   assert (size (g, 3, 1), size (x, 3, 1));
%!   a = b = c = d = cell (1, 4);
%!   [a{1:2}] = size (g);
%!   [b{1:2}] = size (x);
%!   [a{1:4}] = size (g);
%!   [b{1:4}] = size (x);
%!   [c{1:2}] = size (g, 3, 1);
%!   [d{1:2}] = size (x, 3, 1);
%!   assert ({a, c}, {b, d});
%!   [a, b] = size (g);
%!   [c, d] = size (x);
%!   assert ([a, b], [c, d]);
%! endfor
%!error <requested dimension DIM \(= 0\) out of range> size (gpuArray (1), 0)
%!error <DIM must be a positive integer> size (gpuArray (1), 1.5)
