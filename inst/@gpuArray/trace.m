## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} trace (@var{A})
## The sum of the diagonal of a device array.
## @end deftypefn

function C = trace (A)

  if (ndims (A) > 2)
    error ("trace: only valid on 2-D objects");
  elseif (isempty (A))
    C = gpuArray (0);
  elseif (isvector (A))
    C = __gpu_call__ ("index", A, 1);
  else
    C = sum (diag (A), 1);
  endif

endfunction

%!assert (gather (trace (gpuArray (magic (3)))), 15)
%!error <only valid on 2-D objects> trace (gpuArray (ones (2, 2, 2)))
