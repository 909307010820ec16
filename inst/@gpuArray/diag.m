## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} diag (@var{A})
## @deftypefnx {} {@var{C} =} diag (@var{A}, @var{k})
## @deftypefnx {} {@var{C} =} diag (@var{v}, @var{m}, @var{n})
## The diagonal number @var{k} of a device array, or for a vector the matrix
## with it there, or the @var{m} x @var{n} matrix with @var{v} on its diagonal.
## @end deftypefn

function C = diag (A, k = 0, n)

  if (nargin == 3 && ! isvector (A))
    error ("diag: V must be a vector");
  elseif (ndims (A) > 2)
    error ("Matrix must be 2-dimensional");
  elseif (nargin < 3)
    C = __gpu_call__ ("diag", A, fix (gather (k)(1)));
  else
    C = __gpu_call__ ("fill", __gpu_call__ ("class", A), 0, [k, n, 1]);
    count = min ([numel(A), k, n]);
    v = __gpu_call__ ("index", A, 1:count);
    C = __gpu_call__ ("assign", C, v, 1:k+1:(k+1)*count);
  endif

endfunction

%!test
%! x = magic (3);
%! for k = -4:4
%!   assert (gather (diag (gpuArray (x), k)), diag (x, k));
%! endfor
%! assert (gather (diag (gpuArray ([1, 2]), -1)), diag ([1, 2], -1));
%! assert (gather (diag (gpuArray ([1, 2]), 3, 4)), full (diag ([1, 2], 3, 4)));
%! assert (gather (diag (gpuArray (1:3), 2, 4)), full (diag (1:3, 2, 4)));
%!error <Matrix must be 2-dimensional> diag (gpuArray (ones (2, 2, 2)))
%!error <V must be a vector> diag (gpuArray (ones (2)), 2, 2)
