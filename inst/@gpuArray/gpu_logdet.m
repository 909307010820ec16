## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{L} =} gpu_logdet (@var{A})
## @deftypefnx {} {[@var{L}, @var{S}] =} gpu_logdet (@var{A})
## @code{log (abs (det (@var{A})))} of each page of a device array, and the sign
## of the determinant, both on the device.
## @end deftypefn

function [L, S] = gpu_logdet (A)

  if (rows (A) != columns (A) && ! isempty (A))
    error ("gpu_logdet: A must be a square matrix");
  elseif (isempty (A))
    S = determinant (A);
    L = log (S);
    return;
  elseif (islogical (A))
    A = double (A);
  endif
  [L, S] = __gpu_call__ ("logdet", A);
  if (iscomplex (A))
    is_real = hermitian (A);
    S = S .* ! is_real + sign (real (S)) .* is_real;
  endif

endfunction

%!test
%! A = cat (3, [4, 2; 2, 2], [1, 2; 3, 4]);
%! [L, S] = gpu_logdet (gpuArray (A));
%! [want, want_S] = gpu_logdet (A);
%! assert (gather (L), want, 8 * eps);
%! assert (gather (S), want_S);
%!test
%! A = randn (7) + 1i * randn (7);
%! [L, S] = gpu_logdet (gpuArray (A + A'));
%! [want, want_S] = gpu_logdet (A + A');
%! assert (gather (L), want, 1e-12);
%! assert (gather (S), want_S);
%!error <^gpu_logdet: A must be a square matrix> gpu_logdet (gpuArray ([1, 2]))
