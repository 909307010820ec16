## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{tf} =} isgpuarray (@var{x})
## Return true if @var{x} is a @code{gpuArray}.
## @seealso{gpuArray, existsOnGPU, classUnderlying}
## @end deftypefn

function tf = isgpuarray (x)

  if (nargin < 1)
    print_usage ();
  endif
  tf = isa (x, "gpuArray");

endfunction

%!assert (isgpuarray (gpuArray (1)))
%!assert (! isgpuarray (1))
%!assert (! isgpuarray ({gpuArray(1)}))
%!error <Invalid call to isgpuarray> isgpuarray ()
%!error <called with too many inputs> isgpuarray (1, 2)
