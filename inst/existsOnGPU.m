## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{tf} =} existsOnGPU (@var{g})
## Return true if @var{g} is a @code{gpuArray} whose data are on the device.
##
## @code{gpuDevice ("reset")} frees the data of all device arrays; whatever is
## done with them then is an error.
## @seealso{gpuArray, isgpuarray, gpuDevice}
## @end deftypefn

function tf = existsOnGPU (g)

  if (nargin < 1)
    print_usage ();
  endif
  tf = false;
  if (isa (g, "gpuArray"))
    try
      __gpu_call__ ("size", g);
      tf = true;
    end_try_catch
  endif

endfunction

%!assert (existsOnGPU (gpuArray (1)))
%!assert (! existsOnGPU (1))
%!test
%! g = gpuArray (1);
%! gpuDevice ("reset");
%! assert (! existsOnGPU (g));
%! assert (isgpuarray (g));
%! assert (! isempty (strfind (disp (g), "data no longer exists")));
%! fail ("gather (g)", "data no longer exists on the device");
%! assert (existsOnGPU (gpuArray (1)));
%!error <Invalid call to existsOnGPU> existsOnGPU ()
%!error <called with too many inputs> existsOnGPU (1, 2)
