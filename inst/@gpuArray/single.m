## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{h} =} single (@var{g})
## A device array in single precision; it stays on the device.
## @end deftypefn

function g = single (g)

  if (! strcmp (__gpu_call__ ("class", g), "single"))
    g = __gpu_call__ ("cast", g, "single");
  endif

endfunction

%!test
%! for x = {1:3, single(pi), pi * 1i, true(2), zeros(0, 3), 1e300, NaN}
%!   g = single (gpuArray (x{1}));
%!   assert (class (g), "gpuArray");
%!   assert (gather (g), single (x{1}));
%!   assert (classUnderlying (g), "single");
%! endfor
