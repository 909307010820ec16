## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{h} =} double (@var{g})
## A device array in double precision; it stays on the device.
## @end deftypefn

function g = double (g)

  if (! strcmp (__gpu_call__ ("class", g), "double"))
    g = __gpu_call__ ("cast", g, "double");
  endif

endfunction

%!test
%! for x = {1:3, single(pi), single(2i), true(2), zeros(0, 3, "single")}
%!   g = double (gpuArray (x{1}));
%!   assert (class (g), "gpuArray");
%!   assert (gather (g), double (x{1}));
%!   assert (classUnderlying (g), "double");
%! endfor
