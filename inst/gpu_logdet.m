## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{logabsdet} =} gpu_logdet (@var{A})
## @deftypefnx {} {[@var{logabsdet}, @var{sign}] =} gpu_logdet (@var{A})
## Compute the logarithm of the absolute value of the determinant of the square
## matrix @var{A}, and its sign, on the GPU, or on the host where no GPU can be
## used.
##
## The determinant is @code{@var{sign} * exp (@var{logabsdet})}, but here it
## may be as large or as small as it likes.  @var{sign} is 1 or -1, of a complex
## matrix a number of absolute value 1.  For a singular matrix @var{logabsdet}
## is -Inf and @var{sign} is 0.
##
## @strong{Shapes.}  @var{A} is N x N, or N x N x K for K matrices.
## @var{logabsdet} and @var{sign} are scalars, or 1 x 1 x K.  Of anything empty
## they are 0 and 1.
##
## @strong{Classes.}  @var{A} is single or double, real or complex, and both
## results have its class; @var{logabsdet} is real.  Integer and logical
## matrices are converted to double.  A sparse matrix is computed as a dense
## one.  The sign of a Hermitian matrix is real, and as everywhere in Octave
## a complex result with no imaginary part becomes real.
##
## @strong{Errors.}  It is an error if @var{A} is not square, not numeric, or
## has more than three dimensions.
##
## @strong{Accuracy.}  As that of @code{gpu_det}: the absolute error of
## @var{logabsdet} is below a small multiple of
## @code{N * eps / rcond + eps * abs (@var{logabsdet})}.
##
## @strong{Example.}
##
## @example
## @group
## A = 100 * eye (300) + ones (300);
## [logabsdet, sign] = gpu_logdet (A)
##   @result{} logabsdet = 1382.9
##   @result{} sign = 1
## gpu_det (A)
##   @result{} Inf
## @end group
## @end example
##
## @strong{Algorithm.}  As for @code{gpu_det}; the logarithm is taken of the
## product's mantissa and exponent.
## @seealso{gpu_det, gpu_inv, gpu_chol, det}
## @end deftypefn

function [logabsdet, sign_A] = gpu_logdet (A)

  if (nargin < 1)
    print_usage ();
  endif

  A = square_pages ("gpu_logdet", A);
  if (isempty (A))
    logabsdet = zeros ([1, 1, size(A, 3)], class (A));
    sign_A = ones (size (logabsdet), class (A));
    return;
  elseif (isscalar (A) || is_special_matrix (A))
    if (columns (A) > 1 && strcmp (typeinfo (A), "permutation matrix"))
      A = det (A);
    endif
    logabsdet = cast (sum (log (abs (double (diag (A))))), class (A));
    sign_A = prod (sign (diag (A)));
    return;
  endif

  logabsdet = fresh_array ([1, 1, size(A, 3)], class (A), false);
  sign_A = fresh_array (size (logabsdet), class (A), iscomplex (A));
  __gpu__ ("logdet", A, logabsdet, sign_A);

  if (iscomplex (sign_A))
    k = hermitian_pages (A, find (imag (sign_A) != 0));
    sign_A(k) = sign (real (sign_A(k)));
    sign_A = sign_A(:,:,:);   # an index expression narrows to real
  endif

endfunction

%!demo
%! ## How fast does a signal vary?  The likelihood of a Gaussian process needs
%! ## the determinant of its covariance, which is too small for a double.
%! t = linspace (0, 10, 200)';
%! y = sin (2 * t) + sin (3 * t + 1);
%! scale = logspace (-1.5, 0.5, 25);
%! for k = 1:numel (scale)
%!   K = exp (-(t - t') .^ 2 / (2 * scale(k) ^ 2)) + 1e-4 * eye (200);
%!   loglik(k) = -(gpu_logdet (K) + y' * gpu_mldivide (K, y)) / 2;
%! endfor
%! [~, best] = max (loglik);
%! printf ("gpu_det (K) = %g, gpu_logdet (K) = %.1f\n", gpu_det (K), ...
%!         gpu_logdet (K));
%! printf ("the most likely length scale is %.2f\n", scale(best));
%! semilogx (scale, loglik, "-o");
%! xlabel ("length scale");
%! ylabel ("log likelihood");

## Both outputs beside those of the factors of lu.
%!function check (l, s, A)
%!  n = rows (A);
%!  assert (class (l), class (A));
%!  assert (class (s), class (A));
%!  assert (isreal (l));
%!  [L, U, P] = lu (A);
%!  u = diag (U);
%!  unit = n * eps (class (A)) / rcond (A);
%!  want = sum (log (abs (u)));
%!  assert (abs (l - want) <= 4 * unit + 4 * eps (class (A)) * n * abs (want));
%!  assert (abs (s - prod (sign (u)) * det (P)) <= 4 * unit);
%!  assert (abs (s), ones (class (A)), 4 * eps (class (A)));
%!endfunction

%!test
%! [l, s] = gpu_logdet ([4, 2; 2, 2]);
%! assert (l, log (4), 8 * eps);
%! assert (s, 1);
%! assert (gpu_logdet ([4, 2; 2, 2]), l);
%! [l, s] = gpu_logdet ([0, 2; 2, 2]);
%! assert (l, log (4), 8 * eps);
%! assert (s, -1);

## All types, sizes around the block sizes, of pages too.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     for n = [2:10, 15:17, 31:34, 63:65, 127:129, 200, 257]
%!       A = randn ([n, n, 3], cls{1});
%!       if (is_complex)
%!         A = complex (A, randn ([n, n, 3], cls{1}));
%!       endif
%!       [l, s] = gpu_logdet (A);
%!       assert (size (l), [1, 1, 3]);
%!       assert (size (s), [1, 1, 3]);
%!       for k = 1:3
%!         check (l(k), s(k), A(:,:,k));
%!       endfor
%!       assert (gpu_logdet (A), l);
%!     endfor
%!   endfor
%! endfor

## The same with the smallest blocks.
%!test
%! randn ("twister", 42);
%! leaf = __gpu__ ("set", "leaf", 4);
%! unwind_protect
%!   for n = [3, 5, 8, 17, 37]
%!     A = randn (n);
%!     [l, s] = gpu_logdet (A);
%!     check (l, s, A);
%!     A = complex (A, randn (n));
%!     [l, s] = gpu_logdet (A);
%!     check (l, s, A);
%!   endfor
%! unwind_protect_cleanup
%!   __gpu__ ("set", "leaf", leaf);
%! end_unwind_protect

## Far beyond the range of the class.
%!test
%! for n = [2, 9, 40, 130, 500]
%!   for x = [1e300, 1e-300, 3]
%!     [l, s] = gpu_logdet (-x * (eye (n) + tril (ones (n), -1)));
%!     assert (l, n * log (x), 4 * n * eps * abs (log (x)));
%!     assert (s, (-1) ^ n);
%!     [l, s] = gpu_logdet (single (x ^ 0.1) * full (eye (n, "single")));
%!     assert (l, single (n * log (x) / 10), ...
%!             single (n * abs (log (x)) / 5) * eps ("single") * 8);
%!   endfor
%! endfor
%!test
%! A = 100 * eye (300) + ones (300);
%! [l, s] = gpu_logdet (A);
%! assert (l, 299 * log (100) + log (400), 1e-10);
%! assert (s, 1);
%! assert (gpu_det (A), Inf);

## Singular: -Inf and 0, of that page alone.
%!test
%! for n = [1, 2, 3, 7, 33, 140]
%!   for cls = {"single", "double"}
%!     A = repmat (eye (n, cls{1}), [1, 1, 3]);
%!     A(:,n,2) = 0;
%!     [l, s] = gpu_logdet (A);
%!     assert (l(:)', cast ([0, -Inf, 0], cls{1}));
%!     assert (s(:)', cast ([1, 0, 1], cls{1}));
%!     [l, s] = gpu_logdet (complex (A));
%!     assert (l(:)', cast ([0, -Inf, 0], cls{1}));
%!     assert (s(:)', cast ([1, 0, 1], cls{1}));
%!     [l, s] = gpu_logdet (NaN (n, cls{1}));
%!     assert ([l, s], NaN (1, 2, cls{1}));
%!   endfor
%! endfor

## A Hermitian matrix has a real sign.
%!test
%! randn ("twister", 42);
%! for n = [2, 3, 6, 20, 150]
%!   A = complex (randn (n), randn (n));
%!   A = A + A';
%!   [l, s] = gpu_logdet (A);
%!   assert (isreal (s));
%!   check (l, s, A);
%! endfor

## Scalars, empty, and other kinds of matrices.
%!test
%! for x = {5, -5, 3+4i, 2i, single(3), 0, Inf, NaN, true, int8(-7), ...
%!          single(-2i), sparse(-3), 5:5}
%!   [l, s] = gpu_logdet (x{1});
%!   want = full (double (x{1}));
%!   if (isa (x{1}, "single"))
%!     want = full (x{1});
%!   endif
%!   assert (l, log (abs (want)));
%!   assert (s, sign (want));
%! endfor
%!test
%! for A = {[], zeros(0, 3), zeros(3, 0), {}, "", sparse(0, 0), int8([]), ...
%!          struct([]), zeros(2, 3, 0), eye(0), 1:0}
%!   [l, s] = gpu_logdet (A{1});
%!   assert (l, 0);
%!   assert (s, 1);
%! endfor
%!test
%! [l, s] = gpu_logdet (zeros (3, 3, 0));
%! assert (l, zeros (1, 1, 0));
%! assert (s, ones (1, 1, 0));
%! [l, s] = gpu_logdet (zeros (0, 0, 3, "single"));
%! assert (l, zeros (1, 1, 3, "single"));
%! assert (s, ones (1, 1, 3, "single"));
%!test
%! for A = {diag([1, -2, 3]), 2i*eye(3), diag([1, 0]), ...
%!          eye(3)(:,[2, 1, 3]), eye(3)(:,[2, 3, 1]), int8([0, 2; 2, 2]), ...
%!          sparse([0, 2; 2, 2]), logical(eye(3))}
%!   [l, s] = gpu_logdet (A{1});
%!   d = det (double (full (A{1})));
%!   assert (l, log (abs (d)), 8 * eps);
%!   assert (s, sign (d), 8 * eps);
%! endfor

## Nothing changes A or stays on the device.
%!test
%! before = __gpu__ ("live");
%! for n = [3, 150]
%!   A = magic (n);
%!   [l, s] = gpu_logdet (A);
%!   assert (A, magic (n));
%! endfor
%! assert (__gpu__ ("live"), before);

%!error <Invalid call to gpu_logdet> gpu_logdet ()
%!error <called with too many inputs> gpu_logdet (1, 2)
%!error <called with too many outputs> [l, s, x] = gpu_logdet (1)
%!error <^gpu_logdet: A must be a square matrix$> gpu_logdet (ones (2, 3))
%!error <A must be N x N or N x N x K, but is 2 x 2 x 2 x 3$>
%! gpu_logdet (ones (2, 2, 2, 3));
%!error <^gpu_logdet: wrong type argument 'cell'$> gpu_logdet ({1})
%!error <^gpu_logdet: invalid conversion from string to real matrix$>
%! gpu_logdet ("a");
