## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} @var{A} .\ @var{B}
## @deftypefnx {} {@var{C} =} ldivide (@var{A}, @var{B})
## The quotient @code{@var{B} ./ @var{A}} of arrays, of which one is on the
## device, element by element; dimensions of 1 are repeated.
## @end deftypefn

function C = ldivide (A, B)

  C = __gpu_call__ ("map", "rdivide", B, A);

endfunction

%!test
%! x = [1, 2, 0];
%! y = [2; 1];
%! assert (gather (gpuArray (x) .\ y), x .\ y);
%! assert (gather (x .\ gpuArray (y)), x .\ y);
