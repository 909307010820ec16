## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} @var{A} != @var{B}
## @deftypefnx {} {@var{C} =} ne (@var{A}, @var{B})
## Where elements of arrays, of which one is on the device, differ;
## dimensions of 1 are repeated.
## @end deftypefn

function C = ne (A, B)

  C = __gpu_call__ ("map", "ne", A, B);

endfunction

%!test
%! x = [1, 2, 0];
%! y = [2; 1];
%! assert (gather (gpuArray (x) != y), x != y);
%! assert (gather (x != gpuArray (y)), x != y);
