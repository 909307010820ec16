## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} @var{A}.'
## @deftypefnx {} {@var{C} =} transpose (@var{A})
## The transpose of a device array.  @code{gpu_transpose}
## transposes each page of an array, too.
## @end deftypefn

function C = transpose (A)

  if (numel (__gpu_call__ ("size", A)) > 2)   # ndims takes longer
    error ("transpose not defined for N-D objects");
  endif
  C = __gpu_call__ ("transpose", A);

endfunction

%!assert (gather (gpuArray ([1, 2i; 3, 4]).'), [1, 2i; 3, 4].')
%!error <transpose not defined for N-D objects> gpuArray (ones (2, 2, 2)).'
