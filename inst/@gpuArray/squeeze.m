## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} squeeze (@var{A})
## A device array without its dimensions of 1, unless it is a matrix.
## @end deftypefn

function C = squeeze (A)

  C = A;
  sz = size (A);
  if (numel (sz) > 2)
    sz = sz(sz != 1);
    C = reshaped (A, [sz, ones(1, 2 - numel (sz))]);
  endif

endfunction

%!assert (gather (squeeze (gpuArray (ones (1, 1, 3)))), ones (3, 1))
%!assert (gather (squeeze (gpuArray (ones (2, 1, 3)))), ones (2, 3))
%!assert (gather (squeeze (gpuArray (1:3))), 1:3)
