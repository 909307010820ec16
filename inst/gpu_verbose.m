## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpu_verbose (@var{tf})
## @deftypefnx {} {@var{old} =} gpu_verbose (@dots{})
## Let long computations show how far they are, or no more.
##
## While @var{tf} is true, a factorization, an inverse, a determinant, a
## solution or a product that takes longer than two seconds shows each second
## how much of its work is done, the seconds so far, and the rate:
##
## @example
## gpu_inv:  42 %, 3.0 s, 61.3 TFLOP/s
## @end example
##
## The rate counts multiplications and additions that were done.  The answer
## @var{old} is what held before; without an argument nothing changes.
##
## Shown or not, Ctrl-C stops a long computation between its blocks, which takes
## some tenths of a second on a GPU.  What it had is freed, and arrays on the
## device stay.  On the host the inverse or the determinant of one matrix is one
## call of LAPACK, which ends first.
##
## @strong{Errors.}  It is an error if @var{tf} is not true or false.
##
## @strong{Example.}
##
## @example
## @group
## gpu_verbose (true);
## X = gpu_inv (rand (20000));
## gpu_verbose (false);
## @end group
## @end example
## @seealso{gpuDevice, gputimeit}
## @end deftypefn

function old = gpu_verbose (tf)

  if (nargin < 1)
    was = __gpu__ ("set", "verbose", 0) != 0;
    __gpu__ ("set", "verbose", double (was));
  elseif (! ((islogical (tf) || isnumeric (tf)) && isscalar (tf)
             && (tf == 0 || tf == 1)))
    error ("gpu_verbose: TF must be true or false");
  else
    was = __gpu__ ("set", "verbose", double (tf)) != 0;
  endif
  if (nargin < 1 || nargout > 0)
    old = was;
  endif

endfunction

%!test
%! old = gpu_verbose (true);
%! unwind_protect
%!   assert (gpu_verbose (), true);
%!   assert (gpu_verbose (), true);
%!   assert (gpu_verbose (0), true);
%!   assert (gpu_verbose (), false);
%!   assert (islogical (gpu_verbose (true)));
%!   gpu_verbose (false);
%!   assert (gpu_verbose (), false);
%! unwind_protect_cleanup
%!   gpu_verbose (old);
%! end_unwind_protect
%!error <^gpu_verbose: TF must be true or false$> gpu_verbose (2)
%!error <^gpu_verbose: TF must be true or false$> gpu_verbose ("on")
%!error <^gpu_verbose: TF must be true or false$> gpu_verbose ([1, 1])
%!error <called with too many inputs> gpu_verbose (1, 2)
