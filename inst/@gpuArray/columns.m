## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{n} =} columns (@var{g})
## The number of columns of a device array.
## @end deftypefn

function n = columns (g)

  n = __gpu_call__ ("size", g)(2);

endfunction

%!test
%! for x = {5, 1:3, (1:3)', magic(4), ones(2, 3), ones(2, 3, 4), [], ...
%!          zeros(0, 3), zeros(1, 0), ones(1, 1, 3), single(2), 2i, true, ...
%!          complex(single (1:2), 1), false(2), zeros(2, 0, 3)}
%!   assert (columns (gpuArray (x{1})), columns (x{1}));
%! endfor
