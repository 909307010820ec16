## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpuDevice ()
## @deftypefnx {} {@var{d} =} gpuDevice ()
## @deftypefnx {} {@dots{} =} gpuDevice (@var{k})
## @deftypefnx {} {@dots{} =} gpuDevice ("reset")
## @deftypefnx {} {@dots{} =} gpuDevice ("wait")
## Show the device, a GPU or the host, on which the functions of gpulinalg
## compute, or return a structure that describes it.
##
## The device is the first GPU where one can be used, else the host.  The
## environment variable @env{GPULINALG_BACKEND}, set to @code{host},
## @code{cuda} or @code{cuda:2} (the second GPU) before the first call,
## overrides the choice.
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
## @item BytesUp
## @itemx BytesDown
## bytes of arrays that were moved to the GPU and back since it was opened or
## reset, without the few numbers that tell how to go on, as which pivot
## failed; 0 on the host
## @item Operations
## operations that were queued on the GPU since then; an operation is one or
## a few launches of kernels
## @item Note
## why the host computes, where a GPU might have been expected; else empty
## @end table
##
## @code{gpuDevice (@var{k})} changes to GPU number @var{k}, and
## @code{gpuDevice ("reset")} opens the device anew.  Both free all device
## arrays.  A reset brings the device back after a CUDA error that makes every
## further call fail.
##
## Most operations on device arrays only queue their work.
## @code{gpuDevice ("wait")} returns when all of it is done.
##
## It is an error if the argument is anything else, or if there is no GPU
## number @var{k}.
##
## @example
## @group
## d = gpuDevice ();
## printf ("%s: %.1f GiB\n", d.Name, d.TotalMemory / 2^30);
## @end group
## @end example
## @seealso{gpuDeviceCount, gpu_memory, gputimeit, gpu_chol}
## @end deftypefn

function d = gpuDevice (action)

  if (nargin == 1)
    if (ischar (action) && any (strcmpi (action, {"reset", "wait"})))
      __gpu__ (lower (action));
    elseif (ischar (action))
      error (['gpuDevice: argument must be "reset", "wait" or the number ' ...
              'of a GPU, but is "%s"'], action);
    elseif (isnumeric (action) && isreal (action) && isscalar (action)
            && action == fix (action) && action >= 1)
      __gpu__ ("select", double (action));
    else
      error (['gpuDevice: argument must be "reset", "wait" or the number ' ...
              'of a GPU, but is a %s array of size %s'], class (action),
             sprintf ("%dx%d", rows (action), columns (action)));
    endif
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
  if (d.Index > 0)
    printf ("moved:              %.4g MB to the GPU, %.4g MB back\n",
            d.BytesUp / 1e6, d.BytesDown / 1e6);
  endif
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
%!testif ; strcmp (gpuDevice ().Backend, "cuda")
%! gpuDevice ("reset");
%! d = gpuDevice ();
%! assert ([d.BytesUp, d.BytesDown, d.Operations], [0, 0, 0]);
%! R = gpu_chol (4 * eye (100));
%! d = gpuDevice ();
%! assert (d.BytesUp, 8e4);
%! assert (d.BytesDown, 8e4);
%! assert (d.Operations > 0);
%! k = d.Index;
%! d = gpuDevice (k);
%! assert (d.Index, k);
%! assert ([d.BytesUp, d.BytesDown, d.Operations], [0, 0, 0]);
%!test
%! gpuDevice ("wait");
%! assert (gpuDevice ("WAIT").Name, gpuDevice ().Name);
%!test
%! n = gpuDeviceCount ();
%! if (n > 0)
%!   expected = sprintf ("gpuDevice: there is no GPU number %d", n + 1);
%! else
%!   expected = "gpuDevice: ";
%! endif
%! k = gpuDevice ().Index;
%! unwind_protect
%!   fail ("gpuDevice (n + 1)", ["^", expected]);
%! unwind_protect_cleanup
%!   if (k > 0)
%!     gpuDevice (k);
%!   else
%!     gpuDevice ("reset");
%!   endif
%! end_unwind_protect
%!error <^gpuDevice: argument must be "reset", "wait" or .*, but is "rest"$>
%! gpuDevice ("rest");
%!error <or the number of a GPU, but is a double array of size 1x1$>
%! gpuDevice (0);
%!error <or the number of a GPU, but is a double array of size 1x1$>
%! gpuDevice (1.5);
%!error <or the number of a GPU, but is a double array of size 1x2$>
%! gpuDevice ([1, 2]);
%!error <or the number of a GPU, but is a cell array of size 1x1$>
%! gpuDevice ({1});
%!error <called with too many inputs> gpuDevice ("reset", 1)
