## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{m} =} gpu_memory ()
## @deftypefnx {} {@var{old} =} gpu_memory ("limit", @var{bytes})
## @deftypefnx {} {} gpu_memory ("trim")
## Tell how much memory device arrays take, limit it, or give memory that is
## not in use back to the system.
##
## The fields of the scalar structure @var{m} are
##
## @table @code
## @item Arrays
## the number of device arrays
## @item Used
## their bytes, with those of what is being computed
## @item Limit
## the bytes that they may take; @code{Inf} without a limit
## @item Available
## the bytes that the device has left
## @end table
##
## @code{gpu_memory ("limit", @var{bytes})} makes an operation that would take
## more fail as if the device were full: arrays of the host are then computed
## on the host, with a warning.  @code{Inf} or 0 lifts the limit.  The previous
## one is returned if asked for.
##
## Memory of arrays that are gone is kept for the next ones, so that they need
## not wait for it.  @code{gpu_memory ("trim")} gives it back to the system, for
## other processes on the same GPU.
##
## It is an error if @var{bytes} is not a real number from 0 on.
##
## @example
## @group
## gpu_memory ("limit", 20e9);     # of 80 GB: leave room for others
## gpu_memory ("limit", Inf);
## @end group
## @end example
## @seealso{gpuDevice, gpuArray}
## @end deftypefn

function m = gpu_memory (action, bytes)

  if (nargin == 0)
    d = gpuDevice ();
    [live, used, limit] = __gpu__ ("memory");
    m = struct ("Arrays", live, "Used", used, "Limit", limit, ...
                "Available", d.AvailableMemory);
    return;
  endif

  if (! (ischar (action) && any (strcmpi (action, {"limit", "trim"}))))
    error ('gpu_memory: first argument must be "limit" or "trim"');
  endif
  if (strcmpi (action, "trim"))
    if (nargin > 1)
      print_usage ();
    endif
    __gpu__ ("trim");
    return;
  endif

  if (nargin < 2)
    print_usage ();
  endif
  if (! (isnumeric (bytes) && isreal (bytes) && isscalar (bytes)
         && bytes >= 0))
    error ("gpu_memory: BYTES must be a real number from 0 on");
  endif
  bytes = floor (double (bytes));
  if (isinf (bytes))
    bytes = 0;
  endif
  old = __gpu__ ("set", "memory_limit", bytes);
  if (nargout > 0)
    m = old;
    if (m == 0)
      m = Inf;
    endif
  endif

endfunction

%!test
%! m = gpu_memory ();
%! assert (fieldnames (m), {"Arrays"; "Used"; "Limit"; "Available"});
%! assert (m.Limit, Inf);
%! assert (m.Available > 0);
%! id = __gpu__ ("put", ones (100));
%! after = gpu_memory ();
%! __gpu__ ("free", id);
%! assert (after.Arrays, m.Arrays + 1);
%! assert (after.Used, m.Used + 8e4);
%! assert (gpu_memory ().Used, m.Used);
%!test
%! assert (gpu_memory ("limit", 1e6), Inf);
%! unwind_protect
%!   assert (gpu_memory ().Limit, 1e6);
%!   fail ('__gpu__ ("put", ones (1000))', "out of memory .* 8 MB needed");
%!   assert (gpu_memory ("limit", Inf), 1e6);
%!   __gpu__ ("free", __gpu__ ("put", ones (1000)));
%! unwind_protect_cleanup
%!   gpu_memory ("limit", 0);
%! end_unwind_protect
%! assert (gpu_memory ().Limit, Inf);
%!test
%! gpu_memory ("trim");
%! assert (gpu_chol (4), 2);
%!error <gpu_memory: first argument must be "limit" or "trim"> gpu_memory (1)
%!error <gpu_memory: first argument must be "limit" or "trim"> gpu_memory ("x")
%!error <BYTES must be a real number from 0 on> gpu_memory ("limit", -1)
%!error <BYTES must be a real number from 0 on> gpu_memory ("limit", [1, 2])
%!error <BYTES must be a real number from 0 on> gpu_memory ("limit", "1")
%!error <BYTES must be a real number from 0 on> gpu_memory ("limit", 2i)
%!error <BYTES must be a real number from 0 on> gpu_memory ("limit", NaN)
%!error <Invalid call> gpu_memory ("limit")
%!error <Invalid call> gpu_memory ("trim", 1)
%!error <called with too many inputs> gpu_memory ("limit", 1, 2)
