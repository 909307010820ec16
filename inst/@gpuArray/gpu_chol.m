## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{R} =} gpu_chol (@var{A})
## @deftypefnx {} {[@var{R}, @var{p}] =} gpu_chol (@var{A})
## @deftypefnx {} {[@dots{}] =} gpu_chol (@var{A}, "lower")
## @deftypefnx {} {[@dots{}] =} gpu_chol (@dots{}, "precision", @var{prec})
## The Cholesky factor of each page of a device array.  @var{R} is on the device
## and @var{p} on the host.  See the function for host arrays for all else.
## @end deftypefn

function [R, p] = gpu_chol (A, varargin)

  [R, p] = factored ("gpu_chol", nargout, A, varargin{:});

endfunction

%!test
%! A = cat (3, [4, 2; 2, 5], [4, 2; 2, 1], [9, 3; 3, 5]);
%! [R, p] = gpu_chol (gpuArray (A));
%! [want, want_p] = gpu_chol (A);
%! assert (gather (R), want);
%! assert (p, want_p);
%!test
%! A = single (hilb (200) + eye (200));
%! R = gpu_chol (gpuArray (A), "precision", "fast");
%! assert (gather (R' * R), A, 2e-3);
%! R = gpu_chol (gpuArray (double (A)), "precision", "mixed");
%! assert (gather (R' * R), double (A), 2e-3);
%! L = gpu_chol (gpuArray (A), "lower", "precision", "ieee");
%! assert (gather (L * L'), A, 100 * eps ("single"));
%!error <gpu_chol: the precision must be>
%! gpu_chol (gpuArray (1), "precision", "x");
%!error <"tf32" and "fast" are for single matrices$>
%! gpu_chol (gpuArray (1), "precision", "tf32");
%!error <positive definite \(page 2\)>
%! gpu_chol (gpuArray (cat (3, 1, -1)));
