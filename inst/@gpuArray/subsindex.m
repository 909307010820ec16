## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{i} =} subsindex (@var{g})
## The places, counted from 0, that a device array means as the index of an array
## of the host.
## @end deftypefn

function i = subsindex (g)

  i = gather (g);
  if (islogical (i))
    i = find (i);
  endif
  i = double (i) - 1;

endfunction

%!test
%! x = 11:15;
%! assert (x(gpuArray ([4, 2])), [14, 12]);
%! assert (x(gpuArray (x > 13)), [14, 15]);
