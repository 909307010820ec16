## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{R} =} chol (@var{A})
## @deftypefnx {} {[@var{R}, @var{p}] =} chol (@var{A})
## @deftypefnx {} {[@dots{}] =} chol (@var{A}, "lower")
## The Cholesky factor of a device matrix, with the options and errors of
## Octave's @code{chol}; @var{p} is on the host.
## @seealso{gpu_chol}
## @end deftypefn

function [R, p] = chol (A, varargin)

  sz = __gpu_call__ ("size", A);
  if (numel (sz) > 2 && prod (sz) > 0)
    error ("chol: requires square matrix");
  endif
  [R, p] = factored ("chol", nargout, A, varargin{:});

endfunction

%!test
%! A = [4, 2; 2, 5];
%! assert (gather (chol (gpuArray (A))), [2, 1; 0, 2]);
%! assert (gather (chol (gpuArray (A), "lower")), [2, 0; 1, 2]);
%! [R, p] = chol (gpuArray ([4, 2; 2, 1]));
%! assert (gather (R), 2);
%! assert (p, 2);
%!error <^chol: input matrix must be positive definite>
%! chol (gpuArray ([1, 2; 2, 1]));
%!error <^chol: requires square matrix> chol (gpuArray ([1, 2]))
%!error <^chol: optional arg> chol (gpuArray (1), "x")
