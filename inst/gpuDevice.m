## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpuDevice ()
## @deftypefnx {} {@var{d} =} gpuDevice ()
## @deftypefnx {} {@dots{} =} gpuDevice ("reset")
## Show the device that the functions of gpulinalg compute on, or return
## a structure that describes it.
##
## The device is a GPU where one can be used, else the host.  The environment
## variable @env{GPULINALG_BACKEND}, set to @code{host} or @code{cuda} before
## the first call, overrides the choice.
##
## The fields of the scalar structure @var{d} are
##
## @table @code
## @item Name
## the name of the GPU, or @qcode{"host CPU"}
## @item Index
## the number of the GPU, from 1 on; 0 for the host
## @item Backend
## @qcode{"cuda"} or @qcode{"host"}
## @item ComputeCapability
## for instance @qcode{"9.0"}; empty for the host
## @item MultiprocessorCount
## the number of multiprocessors
## @item DriverVersion
## @itemx ToolkitVersion
## the CUDA version that the driver supports, and the one of the runtime
## @item TotalMemory
## @itemx AvailableMemory
## memory in bytes
## @item Note
## why the host computes, where a GPU might have been expected; else empty
## @end table
##
## @code{gpuDevice ("reset")} frees all device arrays and opens the device
## anew.  It brings the device back after a CUDA error that makes every
## further call fail.
##
## It is an error if the argument is anything but @qcode{"reset"}.
##
## @example
## @group
## d = gpuDevice ();
## printf ("%s: %.1f GiB\n", d.Name, d.TotalMemory / 2^30);
## @end group
## @end example
## @seealso{gpuDeviceCount, gpu_chol}
## @end deftypefn

function d = gpuDevice (action)

  if (nargin == 1)
    if (! ischar (action))
      error ('gpuDevice: argument must be "reset", but is of class %s',
             class (action));
    elseif (! strcmpi (action, "reset"))
      error ('gpuDevice: argument must be "reset", but is "%s"', action);
    endif
    __gpu__ ("reset");
    if (nargout == 0)
      return;
    endif
  endif

  device = __gpu__ ("device");
  if (nargout > 0)
    d = device;
  else
    show (device);
  endif

endfunction

function show (d)

  printf ("device:             %s\n", d.Name);
  printf ("backend:            %s\n", d.Backend);
  if (! isempty (d.ComputeCapability))
    printf ("compute capability: %s\n", d.ComputeCapability);
  endif
  printf ("memory:             %.1f GiB free of %.1f GiB\n",
          d.AvailableMemory / 2^30, d.TotalMemory / 2^30);
  if (! isempty (d.Note))
    printf ("note:               %s\n", d.Note);
  endif

endfunction

%!test
%! d = gpuDevice ();
%! assert (isscalar (d) && isstruct (d));
%! for name = {"Name", "Backend", "ComputeCapability", "DriverVersion", ...
%!             "ToolkitVersion", "Note"}
%!   assert (ischar (d.(name{1})));
%! endfor
%! assert (any (strcmp (d.Backend, {"cuda", "host"})));
%! assert (d.TotalMemory > 0);
%! assert (d.AvailableMemory > 0 && d.AvailableMemory <= d.TotalMemory);
%!test
%! s = evalc ("gpuDevice ()");
%! assert (! isempty (regexp (s, '^device: +\S')));
%! assert (! isempty (regexp (s, 'backend: +(cuda|host)\n')));
%! assert (! isempty (regexp (s, 'memory: .*GiB free of .*GiB\n')));
%! assert (! isempty (strfind (s, gpuDevice ().Name)));
%!testif ; strcmp (gpuDevice ().Backend, "host")
%! d = gpuDevice ();
%! assert (d.Name, "host CPU");
%! assert (d.Index, 0);
%! assert (d.ComputeCapability, "");
%!testif ; strcmp (gpuDevice ().Backend, "cuda")
%! d = gpuDevice ();
%! assert (d.Index >= 1);
%! assert (! isempty (regexp (d.ComputeCapability, '^\d+\.\d+$')));
%! assert (! isempty (regexp (d.DriverVersion, '^\d+\.\d+$')));
%! assert (d.MultiprocessorCount >= 1);
%! assert (d.Note, "");
%!test
%! id = __gpu__ ("put", 1);
%! before = gpuDevice ();
%! assert (evalc ('gpuDevice ("reset")'), "");
%! assert (__gpu__ ("live"), 0);
%! d = gpuDevice ("RESET");
%! assert (d.Name, before.Name);
%! assert (gpu_chol ([4, 2; 2, 5]), [2, 1; 0, 2], 4 * eps);
%!error <^gpuDevice: argument must be "reset", but is "rest"$>
%! gpuDevice ("rest");
%!error <^gpuDevice: argument must be "reset", but is of class double$>
%! gpuDevice (1);
%!error <called with too many inputs> gpuDevice ("reset", 1)
