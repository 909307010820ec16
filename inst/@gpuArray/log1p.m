## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} log1p (@var{A})
## @code{log (1 + @var{A})}, exact near zero, of a device array.
## @end deftypefn

function C = log1p (A)

  C = __gpu_call__ ("map", "log1p", A);

endfunction

%!test
%! x = [-0.5, 0, 1e-9];
%! assert (gather (log1p (gpuArray (x))), log1p (x), 4 * eps);
