## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} @var{B} / @var{T}
## @deftypefnx {} {@var{X} =} mrdivide (@var{B}, @var{T})
## Solve @code{@var{X} * @var{T} = @var{B}}, where one of both is on the device
## and @var{T} is a scalar or triangular, which the device finds out: only one
## number a page comes back.  Of arrays with pages, each page is solved.
##
## A zero on the diagonal gives Inf or NaN, without a warning.
## @end deftypefn

function X = mrdivide (B, T)

  if (isscalar (T))
    X = __gpu_call__ ("map", "rdivide", B, T);
  else
    ## X * T = B is T' * X' = B'.
    check_sizes ("/", B, T, columns (B), columns (T));
    X = __gpu_call__ ("ctranspose", gpuArray (B));
    X = __gpu_call__ ("ctranspose", solve (T, X, "/", true));
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
%!error <not triangular> [1, 2] / gpuArray (ones (2))
