## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} @var{T} \ @var{B}
## @deftypefnx {} {@var{X} =} mldivide (@var{T}, @var{B})
## Solve @code{@var{T} * @var{X} = @var{B}}, where one of both is on the device,
## with the warnings of Octave's operator, as @code{gpu_mldivide} does.  Of
## arrays with pages, each page is solved.
##
## Where @var{T} is triangular, which the device finds out, nothing but one
## number a page comes back; so a zero on the diagonal gives Inf or NaN there,
## without a warning.
## @seealso{gpu_mldivide}
## @end deftypefn

function X = mldivide (T, B)

  if (isscalar (T))
    X = __gpu_call__ ("map", "rdivide", B, T);
  else
    check_sizes ("\\", T, B, rows (T), rows (B));
    X = solve (T, B, false);
  endif

endfunction

%!test
%! R = [2, 1; 0, 4];
%! b = [4; 8];
%! assert (gather (gpuArray (R) \ b), R \ b);
%! assert (gather (R' \ gpuArray (b)), R' \ b);
%! assert (gather (2 \ gpuArray (b)), 2 \ b);
%!error <operator \\: nonconformant arguments \(op1 is 2x2, op2 is 1x2\)>
%! gpuArray (eye (2)) \ [1, 2];
%!test
%! A = [4, 2; 1, 3] + [0, 1i; 0, 0];
%! assert (gather (gpuArray (A) \ [1; 2]), A \ [1; 2], 8 * eps);
%! A = magic (6)(:,1:3);
%! x = gpuArray (A) \ (1:6)';
%! assert (class (x), "gpuArray");
%! assert (gather (x), A \ (1:6)', 1e-14);
%!warning <matrix singular to machine precision> gpuArray (ones (2)) \ [1; 2];
