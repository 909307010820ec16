## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} atan2 (@var{Y}, @var{X})
## The inverse tangent of @code{@var{Y} ./ @var{X}} in the right quadrant, of
## arrays, of which one is on the device; dimensions of 1 are repeated.
## @end deftypefn

function C = atan2 (Y, X)

  C = __gpu_call__ ("map", "atan2", Y, X);

endfunction

%!assert (gather (atan2 (gpuArray ([1, -1]), [-1; 2])), ...
%!        atan2 ([1, -1], [-1; 2]), 4 * eps)
