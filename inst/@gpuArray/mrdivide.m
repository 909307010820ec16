## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} @var{B} / @var{T}
## @deftypefnx {} {@var{X} =} mrdivide (@var{B}, @var{T})
## Solve @code{@var{X} * @var{T} = @var{B}}, where one of both is on the device,
## with the warnings of Octave's operator, as @code{gpu_mldivide} does.  Of
## arrays with pages, each page is solved.
##
## Where @var{T} is triangular, which the device finds out, nothing but one
## number a page comes back; so a zero on the diagonal gives Inf or NaN there,
## without a warning.
## @seealso{gpu_mldivide}
## @end deftypefn

function X = mrdivide (B, T)

  if (isscalar (T))
    X = __gpu_call__ ("map", "rdivide", B, T);
  else
    ## X * T = B is T' * X' = B'.
    check_sizes ("/", B, T, columns (B), columns (T));
    X = __gpu_call__ ("ctranspose", gpuArray (B));
    X = __gpu_call__ ("ctranspose", solve (T, X, true));
  endif

endfunction

%!test
%! R = [2, 1; 0, 4];
%! b = [4, 8];
%! assert (gather (gpuArray (b) / R), b / R);
%! assert (gather (b / gpuArray (R')), b / R');
%! assert (gather (gpuArray (b) / 2), b / 2);
%!error <operator /: nonconformant arguments \(op1 is 2x1, op2 is 2x2\)>
%! gpuArray ([1; 2]) / eye (2);
%!test
%! A = [4, 2; 1, 3] + [0, 1i; 0, 0];
%! assert (gather ([1, 2i] / gpuArray (A)), [1, 2i] / A, 8 * eps);
%! A = magic (6)(1:3,:);
%! assert (gather (gpuArray (1:6) / A), (1:6) / A, 1e-14);
%!warning <matrix singular to machine precision> [1, 2] / gpuArray (ones (2));
