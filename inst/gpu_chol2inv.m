## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{X} =} gpu_chol2inv (@var{R})
## Compute @code{inv (@var{R}' * @var{R})} from a Cholesky factor @var{R} on the
## GPU, or on the host where no GPU can be used.
##
## Only the upper triangle of @var{R} is read.  @var{X} is exactly Hermitian.
##
## @strong{Shapes.}  @var{R} is N x N, or N x N x K for K factors.  The result
## for anything empty is a 0 x 0 matrix, but empty pages keep their shape.
##
## @strong{Classes.}  @var{R} is single or double, real or complex, on the host
## or on the device; @var{X} has its class and is where @var{R} is.  Integer and
## logical matrices are converted to double.  Diagonal, permutation and sparse
## matrices are computed as full ones.
##
## @strong{Errors.}  It is an error if @var{R} is not square, not numeric, or has
## more than three dimensions.  A zero on its diagonal is none: then there is an
## Inf or a NaN in @var{X}.
##
## @strong{Accuracy.}  @code{norm (@var{R}' * @var{R} * @var{X} - I)} is below
## a small multiple of @code{N * eps * norm (@var{R}' * @var{R}) * norm
## (@var{X})}, with the @code{eps} of the class of @var{R}.  The same call gives
## the same bits each time on one machine.
##
## @strong{Example.}
##
## @example
## @group
## gpu_chol2inv (gpu_chol ([4, 2; 2, 5]))
##   @result{}  0.3125  -0.1250
##       -0.1250   0.2500
## @end group
## @end example
##
## @strong{Algorithm.}  @code{@var{X} = inv (@var{R}) * inv (@var{R})'}, both by
## halves.
## @seealso{chol2inv, gpu_cholinv, gpu_chol}
## @end deftypefn

function X = gpu_chol2inv (R)

  if (nargin < 1)
    print_usage ();
  endif
  R = inverted_pages ("gpu_chol2inv", R);
  if (isempty (R))
    X = R;
  elseif (isobject (R))
    X = __gpu_call__ ("chol2inv", R);
  else
    X = fresh_array (size (R), class (R), iscomplex (R));
    __gpu__ ("chol2inv", R, X);
    if (iscomplex (X))
      X = X(:,:,:);   # an index expression narrows to real
    endif
  endif

endfunction

%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     for n = [1, 2, 3, 8, 31, 64, 65, 129, 200]
%!       R = triu (randn (n, n, cls{1})) / n + 2 * eye (n, cls{1});
%!       if (is_complex)
%!         R = R .* exp (2i * pi * rand (n, n, cls{1}));
%!       endif
%!       X = gpu_chol2inv (R);
%!       A = R' * R;
%!       assert ({class(X), iscomplex(X)}, {cls{1}, is_complex && n > 1});
%!       assert (X, X');
%!       unit = (n + 8) * eps (cls{1}) * norm (A, 1) * norm (X, 1);
%!       assert (norm (A * X - eye (n), 1) <= unit);
%!       assert (gpu_chol2inv (R + tril (ones (n), -1)), X);
%!     endfor
%!   endfor
%! endfor

%!test
%! R = cat (3, [2, 1; 0, 2], [3, 1; 0, 1]);
%! X = gpu_chol2inv (R);
%! for k = 1:2
%!   assert (X(:,:,k), chol2inv (R(:,:,k)), 4 * eps);
%! endfor
%! Y = gpu_chol2inv (gpuArray (R));
%! assert (class (Y), "gpuArray");
%! assert (gather (Y), X, 4 * eps);
%! assert (gpu_chol2inv (2 * eye (3)), full (eye (3)) / 4, eps);
%! assert (gpu_chol2inv (sparse ([2, 1; 0, 2])), X(:,:,1), 4 * eps);
%! assert (gpu_chol2inv (true), 1);
%! assert (gpu_chol2inv ([]), []);
%! assert (any (! isfinite (gpu_chol2inv (zeros (2))(:))));

%!error <Invalid call to gpu_chol2inv> gpu_chol2inv ()
%!error <^gpu_chol2inv: requires square matrix$> gpu_chol2inv ([1, 2])
%!error <^gpu_chol2inv: wrong type argument 'cell'$> gpu_chol2inv ({1})
