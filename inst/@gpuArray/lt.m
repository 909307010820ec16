## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} @var{A} < @var{B}
## @deftypefnx {} {@var{C} =} lt (@var{A}, @var{B})
## Where elements of @var{A} are less than those of @var{B}, of which one is
## on the device.  Complex numbers are compared as everywhere in Octave.
## @end deftypefn

function C = lt (A, B)

  C = __gpu_call__ ("map", "lt", A, B);

endfunction

%!test
%! x = [1, 2, 0];
%! y = [2; 1];
%! assert (gather (gpuArray (x) < y), x < y);
%! assert (gather (x < gpuArray (y)), x < y);
