## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} complex (@var{A})
## @deftypefnx {} {@var{C} =} complex (@var{re}, @var{im})
## A complex device array from its real and imaginary parts, of which one is on
## the device.
## @end deftypefn

function C = complex (A, B = 0)

  if (nargin < 2 && iscomplex (A))
    C = A;
    return;
  elseif (! (isscalar (A) || isscalar (B) || size_equal (A, B)))
    error ("complex: dimension mismatch");
  endif
  C = __gpu_call__ ("map", "complex", A, B);

endfunction

%!assert (gather (complex (gpuArray ([1, 2]), 3)), [1+3i, 2+3i])
%!assert (iscomplex (complex (gpuArray (1))))
%!error <dimension mismatch> complex (gpuArray ([1, 2]), [1; 2])
