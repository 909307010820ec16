## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} @var{A} * @var{B}
## @deftypefnx {} {@var{C} =} mtimes (@var{A}, @var{B})
## @deftypefnx {} {@var{C} =} mtimes (@var{A}, @var{B}, @dots{})
## The matrix product of arrays, of which one is on the device; of M x K x P and
## K x N x P arrays that of each page.
## @seealso{gpu_mtimes}
## @end deftypefn

function C = mtimes (A, B, varargin)

  C = __gpu_call__ ("mtimes", A, B);
  if (nargin > 2)
    C = mtimes (C, varargin{:});
  endif

endfunction

%!test
%! x = [1, 2; 3, 4; 5, 6];
%! assert (gather (gpuArray (x) * x'), x * x');
%! assert (gather (x' * gpuArray (x)), x' * x);
%! assert (gather (2 * gpuArray (x)), 2 * x);
%! assert (gather (mtimes (x', gpuArray (x), 3)), x' * x * 3);
%!test
%! x = reshape (1:12, 2, 3, 2);
%! y = gather (gpuArray (x) * permute (x, [2, 1, 3]));
%! assert (y(:,:,2), x(:,:,2) * x(:,:,2)');
%!error <operator \*: nonconformant arguments \(op1 is 1x2, op2 is 1x3\)>
%! gpuArray ([1, 2]) * [1, 2, 3];
