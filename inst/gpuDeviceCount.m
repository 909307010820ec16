## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{n} =} gpuDeviceCount ()
## Return the number of GPUs that gpulinalg can use.
##
## It is 0, and never an error, where there is no GPU, no driver, or where
## the package was built without CUDA.  All functions then compute on the
## host.  The scalar @var{n} is of class double.
##
## @example
## @group
## if (gpuDeviceCount () == 0)
##   disp ("computing on the host");
## endif
## @end group
## @end example
## @seealso{gpuDevice, gpu_chol}
## @end deftypefn

function n = gpuDeviceCount ()

  n = __gpu__ ("device_count");

endfunction

%!test
%! n = gpuDeviceCount ();
%! assert (isscalar (n) && isa (n, "double"));
%! assert (n >= 0 && n == fix (n));
%!testif ; gpuDeviceCount () > 0 && isempty (getenv ("GPULINALG_BACKEND"))
%! assert (gpuDevice ().Backend, "cuda");
%!testif ; gpuDeviceCount () == 0
%! assert (gpuDevice ().Backend, "host");
%!error <called with too many inputs> gpuDeviceCount (1)
