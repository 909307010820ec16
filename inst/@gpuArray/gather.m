## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{x}, @var{y}, @dots{}] =} gather (@var{g}, @var{h}, @dots{})
## Bring device arrays to the host; arrays of the host stay what they are.
## @end deftypefn

function varargout = gather (varargin)

  if (nargin == 1 && nargout < 2)
    varargout{1} = __gpu_call__ ("gather", varargin{1});
    return;
  elseif (nargout > nargin)
    error ("gather: there are more results than arrays");
  endif
  for i = 1:max (nargout, 1)
    if (isa (varargin{i}, "gpuArray"))
      varargout{i} = __gpu_call__ ("gather", varargin{i});
    else
      varargout{i} = varargin{i};
    endif
  endfor

endfunction

%!test
%! [x, y, z] = gather (gpuArray (1:3), "a", gpuArray (single (2i)));
%! assert ({x, y, z}, {1:3, "a", single(2i)});
%!assert (isreal (gather (gpuArray (complex (1:3)))))
%!assert (iscomplex (gpuArray (complex (1:3))))
%!error <^gather: there are more results than arrays$>
%! [a, b] = gather (gpuArray (1));
