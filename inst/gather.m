## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{x} =} gather (@var{g})
## @deftypefnx {} {[@var{x}, @var{y}, @dots{}] =} gather (@var{g}, @var{h}, @dots{})
## Bring the device array @var{g} to the host.
##
## @var{x} has the class and size of what is on the device.  As everywhere in
## Octave, a complex array without imaginary part becomes real.  Anything that
## is not on the device is returned as it is, so that functions need not know
## where their arguments are.
##
## @example
## @group
## g = gpuArray ([4, 2; 2, 5]);
## gather (chol (g))
##   @result{} 2   1
##      0   2
## @end group
## @end example
## @seealso{gpuArray, isgpuarray}
## @end deftypefn

function varargout = gather (varargin)

  if (nargin < 1)
    print_usage ();
  elseif (nargout > nargin)
    error ("gather: there are more results than arrays");
  endif
  varargout = varargin(1:max (nargout, 1));

endfunction

%!assert (gather (3), 3)
%!assert (gather ("a"), "a")
%!test
%! [x, y] = gather (1:3, {2});
%! assert ({x, y}, {1:3, {2}});
%!assert (gather (gpuArray (magic (3))), magic (3))
%!error <Invalid call to gather> gather ()
%!error <^gather: there are more results than arrays$> [a, b] = gather (1);
