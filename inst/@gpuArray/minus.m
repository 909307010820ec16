## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} @var{A} - @var{B}
## @deftypefnx {} {@var{C} =} minus (@var{A}, @var{B})
## The difference of arrays, of which one is on the device, element by
## element; dimensions of 1 are repeated.
## @end deftypefn

function C = minus (A, B)

  C = __gpu_call__ ("map", "minus", A, B);

endfunction

%!test
%! x = [1, 2, 0];
%! y = [2; 1];
%! assert (gather (gpuArray (x) - y), x - y);
%! assert (gather (x - gpuArray (y)), x - y);
