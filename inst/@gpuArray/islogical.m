## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{tf} =} islogical (@var{g})
## Whether a device array is logical.
## @end deftypefn

function tf = islogical (g)

  tf = strcmp (__gpu_call__ ("class", g), "logical");

endfunction

%!test
%! for x = {5, 1:3, (1:3)', magic(4), ones(2, 3), ones(2, 3, 4), [], ...
%!          zeros(0, 3), zeros(1, 0), ones(1, 1, 3), single(2), 2i, true, ...
%!          complex(single (1:2), 1), false(2), zeros(2, 0, 3)}
%!   assert (islogical (gpuArray (x{1})), islogical (x{1}));
%! endfor
