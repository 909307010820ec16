## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{t} =} gputimeit (@var{f})
## @deftypefnx {} {@var{t} =} gputimeit (@var{f}, @var{n})
## Measure how many seconds the function handle @var{f}, called without
## arguments, takes, its work on the GPU included.
##
## @var{f} is called some times for warming up, then as often as fits about
## half a second, at least 3 and at most 1000 times; the GPU has finished before
## a clock is read.  @var{t} is the median, a double scalar.  @var{n} is the
## number of outputs that @var{f} is asked for (default: 1, or 0 if it has
## none).
##
## It is an error if @var{f} is not a function handle, or @var{n} not a whole
## number from 0 on.
##
## @example
## @group
## A = gpuArray (rand (1000));
## gputimeit (@@() A * A)
## @end group
## @end example
## @seealso{gpuDevice, tic, toc}
## @end deftypefn

function t = gputimeit (f, n)

  if (nargin < 1)
    print_usage ();
  endif
  if (! is_function_handle (f))
    error ("gputimeit: F must be a function handle, but is of class %s",
           class (f));
  endif
  if (nargin < 2)
    n = outputs_of (f);
  elseif (! (isnumeric (n) && isreal (n) && isscalar (n) && n >= 0
             && n == fix (n)))
    error ("gputimeit: N must be a whole number from 0 on");
  endif

  out = cell (1, n);
  for k = 1:2
    once = one_call (f, out);
  endfor
  t = zeros (1, min (1000, max (3, ceil (0.5 / once))));
  for k = 1:numel (t)
    t(k) = one_call (f, out);
  endfor
  t = median (t);

endfunction

function t = one_call (f, out)

  __gpu__ ("wait");
  from = tic ();
  [out{:}] = f ();
  __gpu__ ("wait");
  t = toc (from);

endfunction

## Of an anonymous function nobody can tell.
function n = outputs_of (f)

  n = 1;
  if (func2str (f)(1) != "@")
    n = min (1, abs (nargout (f)));
  endif

endfunction

%!demo
%! ## What it costs to bring the arrays to the device for each product.
%! A = rand (300);
%! g = gpuArray (A);
%! t = [gputimeit(@() g * g), ...
%!      gputimeit(@() gather (gpuArray (A) * gpuArray (A)))];
%! printf ("product on the device:   %.3f ms\n", 1000 * t(1));
%! printf ("with moves of arrays:    %.3f ms\n", 1000 * t(2));

%!test
%! t = gputimeit (@() ones (3));
%! assert (isa (t, "double") && isscalar (t));
%!test
%! t = gputimeit (@() pause (0.02), 0);
%! assert (t >= 0.02 && t < 0.2);
%!test
%! t = gputimeit (@() gpu_inv (magic (4) + eye (4)), 2);
%! assert (t > 0 && t < 1);
%!error <Invalid call> gputimeit ()
%!error <F must be a function handle, but is of class double> gputimeit (1)
%!error <N must be a whole number from 0 on> gputimeit (@sin, -1)
%!error <N must be a whole number from 0 on> gputimeit (@sin, 0.5)
%!error <called with too many inputs> gputimeit (@() 1, 1, 1)
