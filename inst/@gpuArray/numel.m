## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{n} =} numel (@var{g})
## The number of elements of a device array, or of the part that an index
## selects.
## @end deftypefn

function n = numel (g, varargin)

  if (nargin > 1)
    n = numel (__gpu_call__ ("fresh", "logical", size (g), false),
               varargin{:});
  elseif (g.id == 0)
    n = 1;   # the constructor itself, before a dot
  else
    n = prod (__gpu_call__ ("size", g));
  endif

endfunction

%!test
%! for x = {5, 1:3, (1:3)', magic(4), ones(2, 3), ones(2, 3, 4), [], ...
%!          zeros(0, 3), zeros(1, 0), ones(1, 1, 3), single(2), 2i, true, ...
%!          complex(single (1:2), 1), false(2), zeros(2, 0, 3)}
%!   assert (numel (gpuArray (x{1})), numel (x{1}));
%! endfor
%!assert (numel (gpuArray (magic (4)), ":", [1, 2]), 8)
