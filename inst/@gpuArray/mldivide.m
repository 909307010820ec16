## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} @var{T} \ @var{B}
## @deftypefnx {} {@var{X} =} mldivide (@var{T}, @var{B})
## Solve @code{@var{T} * @var{X} = @var{B}}, where one of both is on the device
## and @var{T} is a scalar or triangular, which the device finds out: only one
## number a page comes back.  Of arrays with pages, each page is solved.
##
## A zero on the diagonal gives Inf or NaN, without a warning.
## @end deftypefn

function X = mldivide (T, B)

  if (isscalar (T))
    X = __gpu_call__ ("map", "rdivide", B, T);
  else
    check_sizes ("\\", T, B, rows (T), rows (B));
    X = solve (T, B, "\\", false);
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
%!error <not triangular> gpuArray (ones (2)) \ [1; 2]
