## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{cls} =} classUnderlying (@var{x})
## Return the class of the elements of the device array @var{x}:
## @qcode{"double"}, @qcode{"single"} or @qcode{"logical"}; for anything that
## is not on the device, its class.
## @seealso{gpuArray, class, isgpuarray}
## @end deftypefn

function cls = classUnderlying (x)

  if (nargin < 1)
    print_usage ();
  elseif (isa (x, "gpuArray"))
    cls = __gpu_call__ ("class", x);
  else
    cls = class (x);
  endif

endfunction

%!assert (classUnderlying (gpuArray (1)), "double")
%!assert (classUnderlying (gpuArray (single (1i))), "single")
%!assert (classUnderlying (gpuArray (true)), "logical")
%!assert (classUnderlying (int8 (1)), "int8")
%!error <Invalid call to classUnderlying> classUnderlying ()
%!error <called with too many inputs> classUnderlying (1, 2)
