## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{n} =} length (@var{g})
## The largest dimension of a device array, or 0 if it is empty.
## @end deftypefn

function n = length (g)

  sz = __gpu_call__ ("size", g);
  n = max (sz) * all (sz);

endfunction

%!test
%! for x = {5, 1:3, (1:3)', magic(4), ones(2, 3), ones(2, 3, 4), [], ...
%!          zeros(0, 3), zeros(1, 0), ones(1, 1, 3), single(2), 2i, true, ...
%!          complex(single (1:2), 1), false(2), zeros(2, 0, 3)}
%!   assert (length (gpuArray (x{1})), length (x{1}));
%! endfor
