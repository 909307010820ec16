## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{X} =} gpu_cholinv (@var{A})
## Compute the inverse of the symmetric or Hermitian positive definite matrix
## @var{A} by its Cholesky factor on the GPU, or on the host where no GPU can be
## used.
##
## Only the upper triangle of @var{A} and the diagonal are read, and not the
## imaginary part of that.  @var{X} is exactly Hermitian.
##
## @strong{Shapes.}  @var{A} is N x N, or N x N x K for K matrices, of which
## each is inverted by itself.  The inverse of anything empty is a 0 x 0 matrix,
## but empty pages keep their shape.
##
## @strong{Classes.}  @var{A} is single or double, real or complex, on the host
## or on the device; @var{X} has its class and is where @var{A} is.  Integer and
## logical matrices are converted to double.  Diagonal, permutation and sparse
## matrices are computed as full ones.
##
## @strong{Errors.}  It is an error if @var{A} is not positive definite, and then
## the first such page is named; if it is not square, not numeric, or has more
## than three dimensions.
##
## @strong{Accuracy.}  @code{norm (@var{A} * @var{X} - I)} is below a small
## multiple of @code{N * eps * norm (@var{A}) * norm (@var{X})}, with the
## @code{eps} of the class of @var{A}.  The same call gives the same bits each
## time on one machine.
##
## @strong{Example.}
##
## @example
## @group
## gpu_cholinv ([4, 2; 2, 5])
##   @result{}  0.3125  -0.1250
##       -0.1250   0.2500
## @end group
## @end example
##
## @strong{Algorithm.}  With @code{@var{A} = R' * R} as @code{gpu_chol} finds it,
## @code{@var{X} = inv (R) * inv (R)'}, both by halves.
## @seealso{cholinv, gpu_chol2inv, gpu_chol, gpu_inv}
## @end deftypefn

function X = gpu_cholinv (A)

  if (nargin < 1)
    print_usage ();
  elseif (! isobject (A) && __gpu_call__ ("tiny_square", A))
    [R, p] = chol (A);
    if (p > 0)
      error ("gpu_cholinv: A must be positive definite");
    endif
    X = chol2inv (full (R));
    return;
  endif

  A = inverted_pages ("gpu_cholinv", A);
  p = 0;
  if (isempty (A))
    X = A;
  elseif (isobject (A))
    [p, X] = __gpu_call__ ("cholinv", A);
  else
    X = fresh_array (size (A), class (A), iscomplex (A));
    p = __gpu__ ("cholinv", A, X);
    if (iscomplex (X))
      X = X(:,:,:);   # an index expression narrows to real
    endif
  endif
  if (any (p))
    page = "";
    if (! isscalar (p))
      page = sprintf (" (page %d)", find (p, 1));
    endif
    error ("gpu_cholinv: A must be positive definite%s", page);
  endif

endfunction

%!function A = sample (n, cls, is_complex, pages = 1)
%!  A = zeros (n, n, pages, cls);
%!  for k = 1:pages
%!    G = randn (n, 2 * n, cls);
%!    if (is_complex)
%!      G = complex (G, randn (n, 2 * n, cls));
%!    endif
%!    A(:,:,k) = G * G' / n;
%!  endfor
%!endfunction

%!function check (X, A)
%!  n = rows (A);
%!  assert (class (X), class (A));
%!  assert (iscomplex (X), iscomplex (A));
%!  assert (X, X');
%!  unit = (n + 2) * eps (class (A)) * norm (A, 1) * norm (X, 1);
%!  assert (norm (A * X - eye (n), 1) <= unit);
%!endfunction

%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     for n = [2, 3, 8, 31, 33, 64, 65, 127, 129, 200]
%!       A = sample (n, cls{1}, is_complex, 2);
%!       X = gpu_cholinv (A);
%!       for k = 1:2
%!         check (X(:,:,k), A(:,:,k));
%!         check (gpu_cholinv (A(:,:,k)), A(:,:,k));
%!         check (gpu_cholinv (triu (A(:,:,k))), A(:,:,k));
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!test
%! randn ("twister", 42);
%! leaf = __gpu__ ("set", "leaf", 4);
%! unwind_protect
%!   for n = [5, 17, 37]
%!     A = sample (n, "double", true);
%!     check (gpu_cholinv (A), A);
%!   endfor
%! unwind_protect_cleanup
%!   __gpu__ ("set", "leaf", leaf);
%! end_unwind_protect

%!test
%! A = sample (40, "single", false, 2);
%! X = gpu_cholinv (gpuArray (A));
%! assert (class (X), "gpuArray");
%! assert (gather (X), gpu_cholinv (A), 1e-3);
%! assert (gpu_cholinv (int8 ([4, 2; 2, 5])), [5, -2; -2, 4] / 16, eps);
%! assert (gpu_cholinv (sparse ([4, 2; 2, 5])), [5, -2; -2, 4] / 16, eps);
%! assert (gpu_cholinv (2 * eye (40)), full (eye (40)) / 2, eps);
%! assert (gpu_cholinv (zeros (0, 3)), []);
%! assert (size (gpu_cholinv (zeros (3, 3, 0))), [3, 3, 0]);

%!error <Invalid call to gpu_cholinv> gpu_cholinv ()
%!error <called with too many inputs> gpu_cholinv (1, 2)
%!error <^gpu_cholinv: A must be positive definite$> gpu_cholinv ([1, 2; 2, 1])
%!error <^gpu_cholinv: A must be positive definite$> gpu_cholinv (-eye (150))
%!error <^gpu_cholinv: A must be positive definite \(page 2\)$>
%! gpu_cholinv (cat (3, eye (40), -eye (40)));
%!error <^gpu_cholinv: requires square matrix$> gpu_cholinv ([1, 2])
%!error <^gpu_cholinv: requires square matrix$> gpu_cholinv (gpuArray ([1, 2]))
%!error <^gpu_cholinv: wrong type argument 'cell'$> gpu_cholinv ({1})
%!error <^gpu_cholinv: wrong type argument 'string'$> gpu_cholinv ("a")
