## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{d} =} gpu_det (@var{A})
## @deftypefnx {} {[@var{d}, @var{rcond}] =} gpu_det (@var{A})
## Compute the determinant of the square matrix @var{A} on the GPU, or on the
## host where no GPU can be used.
##
## @var{rcond} is the reciprocal of the condition number of @var{A} in the
## 1-norm, as @code{gpu_inv} gives it; it costs an inverse if it is asked for.
## Where a determinant is too large or too small for its class, use
## @code{gpu_logdet}.
##
## @strong{Shapes.}  @var{A} is N x N, or N x N x K for K matrices.  @var{d} and
## @var{rcond} are scalars, or 1 x 1 x K.  The determinant of anything empty
## is 1, with @var{rcond} Inf.
##
## @strong{Classes.}  @var{A} is single or double, real or complex, and
## @var{d} has its class; @var{rcond} has it, too, and is real.  Integer and
## logical matrices are converted to double.  A sparse matrix is computed as
## a dense one.  The determinant of a Hermitian matrix is real, and as
## everywhere in Octave a complex result with no imaginary part becomes real.
##
## @strong{Errors.}  It is an error if @var{A} is not square, not numeric, or
## has more than three dimensions.  A singular matrix is none: its determinant
## is 0, or of the size of the rounding errors.
##
## @strong{Accuracy.}  @var{d} is, but for a relative error of
## @code{N * eps}, the determinant of a matrix that differs from @var{A} by a
## small multiple of @code{N * eps * norm (@var{A})}, with the @code{eps} of
## the class of @var{A}; so its relative error is below a small multiple of
## @code{N * eps / @var{rcond}}.  Intermediate products neither overflow nor
## underflow: @var{d} is Inf or 0 only where the determinant is beyond its
## class.  The same call gives the same bits each time on one machine.  GPU
## and host agree but for rounding.
##
## @strong{Example.}
##
## @example
## @group
## [d, rcond] = gpu_det ([4, 2; 2, 2])
##   @result{} d = 4
##   @result{} rcond = 0.1111
## @end group
## @end example
##
## @strong{Algorithm.}  The product of the diagonal of U in the factorization
## P * A = L * U with partial pivoting, kept as a mantissa and an exponent, with
## the sign of the permutation.  See N. J. Higham, @cite{Accuracy and Stability
## of Numerical Algorithms}, section 14.6, SIAM 2002.
## @seealso{det, gpu_logdet, gpu_inv}
## @end deftypefn

function [d, rcond] = gpu_det (A)

  ## Octave's own rounds the determinant of a Hermitian matrix to a complex
  ## number, and of a triangular one it does not compute rcond.
  if (nargin == 1 && nargout > 1 && __gpu_call__ ("tiny_square", A))
    [~, rcond] = gpu_inv (A);
    d = gpu_det (A);
    return;
  elseif (nargin == 1 && __gpu_call__ ("tiny_square", A) && isreal (A))
    d = det (A);
    return;
  elseif (nargin < 1)
    print_usage ();
  endif

  A = square_pages ("gpu_det", A);
  if (isempty (A))
    d = ones ([1, 1, size(A, 3)], class (A));
    rcond = Inf (size (d), class (A));
    return;
  elseif (is_special_matrix (A))
    ## Octave's own; the second output decides on what it computes.
    if (nargout > 1)
      [d, rcond] = det (A);
    else
      d = det (A);
    endif
    return;
  endif

  d = fresh_array ([1, 1, size(A, 3)], class (A), iscomplex (A));
  if (isscalar (A))
    d = A;
    [~, rcond] = inv (A);
  elseif (nargout > 1)
    rcond = __gpu__ ("det", A, d);
  else
    __gpu__ ("det", A, d);
  endif

  if (iscomplex (d))
    k = hermitian_pages (A, find (imag (d) != 0));
    d(k) = real (d(k));
    d = d(:,:,:);   # an index expression narrows to real
  endif

endfunction

%!demo
%! ## The area of a disc as that of 1000 triangles, each half a determinant.
%! k = 1000;
%! phi = reshape (2 * pi * (0:k) / k, 1, 1, []);
%! A = ones (3, 3, k);
%! A(1,2:3,:) = 0;
%! A(2,2:3,:) = [cos(phi(1:k)), sin(phi(1:k))];
%! A(3,2:3,:) = [cos(phi(2:k+1)), sin(phi(2:k+1))];
%! area = sum (gpu_det (A)) / 2;
%! printf ("%d triangles: %.8f, the disc: %.8f\n", k, area, pi);

## Well conditioned matrices of any class.
%!function A = sample (n, cls, is_complex, pages = 1)
%!  A = randn ([n, n, pages], cls);
%!  if (is_complex)
%!    A = complex (A, randn ([n, n, pages], cls));
%!  endif
%!endfunction

## The determinant beside Octave's, both with the error that the condition
## allows; rcond as gpu_inv has it.
%!function check (d, rcond, A)
%!  n = rows (A);
%!  [X, r] = gpu_inv (A);
%!  assert (class (d), class (A));
%!  r(2) = 1 / norm (A, 1) / norm (X, 1);   # r(1) may be an estimate
%!  assert (min (abs (rcond - r)) <= 8 * n * eps (class (A)));
%!  c = det (A);
%!  assert (abs (d - c) <= 4 * n * eps (class (A)) / rcond * abs (c));
%!endfunction

%!assert (gpu_det ([4, 2; 2, 2]), 4, 8 * eps)
%!test
%! [d, rcond] = gpu_det ([4, 2; 2, 2]);
%! assert (d, 4, 8 * eps);
%! assert (rcond, 1 / 9, 4 * eps);

## All types, sizes around the block sizes, of pages too.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     for n = [2:10, 15:17, 31:34, 63:65, 127:129, 200, 257]
%!       A = sample (n, cls{1}, is_complex, 3) / sqrt (n);
%!       [d, rcond] = gpu_det (A);
%!       assert (size (d), [1, 1, 3]);
%!       assert (size (rcond), [1, 1, 3]);
%!       for k = 1:3
%!         check (d(k), rcond(k), A(:,:,k));
%!         assert (gpu_det (A(:,:,k)), d(k), ...
%!                 4 * n * eps (cls{1}) / rcond(k) * abs (d(k)));
%!       endfor
%!       assert (gpu_det (A), d);
%!     endfor
%!   endfor
%! endfor

## The same with the smallest blocks.
%!test
%! randn ("twister", 42);
%! leaf = __gpu__ ("set", "leaf", 4);
%! unwind_protect
%!   for cls = {"single", "double"}
%!     for is_complex = [false, true]
%!       for n = [3, 4, 5, 8, 11, 17, 37]
%!         A = sample (n, cls{1}, is_complex);
%!         [d, rcond] = gpu_det (A);
%!         check (d, rcond, A);
%!       endfor
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   __gpu__ ("set", "leaf", leaf);
%! end_unwind_protect

## Known determinants: a product of triangles with units on one diagonal and
## small whole numbers, of which nothing is rounded; permutations.
%!test
%! rand ("twister", 42);
%! for cls = {"single", "double"}
%!   for n = [2, 3, 5, 9, 20, 70, 140]
%!     d = [-2, ones(1, n - 2), 3];
%!     A = cast (diag (d) + triu (ones (n), 1), cls{1});
%!     assert (gpu_det (A), cast (-6, cls{1}));
%!     p = randperm (n);
%!     sign_p = det (eye (n)(p,:));
%!     assert (gpu_det (A(p,:)), cast (-6 * sign_p, cls{1}));
%!     assert (gpu_det (full (eye (n, cls{1})(p,:))), ...
%!             cast (sign_p, cls{1}));
%!   endfor
%! endfor

## Nothing overflows on the way, and what is beyond the class is Inf or 0.
%!test
%! for n = [4, 30, 130, 300]
%!   x = repmat ([1e200; 1e-200], n / 2, 1);
%!   A = full (diag ([x(1:2:end); x(2:2:end)]));
%!   A(1,n) = 1e-200;
%!   A(n,1) = 1e-201;
%!   assert (gpu_det (A), 1, 4 * n * eps);
%!   assert (gpu_det (1e200 * (eye (n) + tril (ones (n), -1))), Inf);
%!   assert (gpu_det (-1e-200 * (eye (n) + tril (ones (n), -1))), 0);
%! endfor
%!test
%! A = repmat ([1e-310, 1e-310; 0, 0], [1, 1, 9]);
%! assert (gpu_det (A), zeros (1, 1, 9));

## Singular matrices, and those with no finite determinant.
%!test
%! for n = [2, 3, 7, 33, 140]
%!   for cls = {"single", "double"}
%!     [d, rcond] = gpu_det (ones (n, cls{1}));
%!     assert (d, zeros (cls{1}));
%!     assert (rcond, zeros (cls{1}));
%!     assert (gpu_det (zeros (n, cls{1})), zeros (cls{1}));
%!     assert (gpu_det (NaN (n, cls{1})), NaN (cls{1}));
%!     assert (! isfinite (gpu_det (Inf (n, cls{1}))));
%!   endfor
%! endfor
%! lastwarn ("", "");
%! [d, rcond] = gpu_det (ones (3));
%! assert (lastwarn (), "");
%!assert (abs (gpu_det (magic (4))) < 1e-11)
%!assert (abs (gpu_det (single (magic (4)))) < 1e-2)

## rcond of scalars and triangular matrices is the true one.
%!test
%! for x = {5, -5, 2i, single(3), 0, Inf, NaN, true, int8(7)}
%!   [d, rcond] = gpu_det (x{1});
%!   assert (d, det (x{1}));
%!   assert (class (d), class (det (x{1})));
%!   [~, want] = inv (x{1});
%!   assert (rcond, want);
%! endfor
%! [d, rcond] = gpu_det ([1, 2; 0, 4]);
%! assert (d, 4);
%! assert (rcond, 1 / 6, eps);
%! [d, rcond] = gpu_det (diag ([1, 1e-20]));
%! assert (d, 1e-20);
%! assert (rcond, 1e-20, 1e-35);

## A Hermitian matrix has a real determinant, a complex one may have.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for n = [2, 3, 6, 20, 150]
%!     A = sample (n, cls{1}, true, 3);
%!     for k = 1:2
%!       A(:,:,k) = A(:,:,k) + A(:,:,k)';
%!     endfor
%!     d = gpu_det (A);
%!     assert (imag (d(1:2))(:), zeros (2, 1, cls{1}));
%!     assert (imag (d(3)) != 0);
%!     assert (isreal (gpu_det (A(:,:,1:2))));
%!     assert (isreal (gpu_det (A(:,:,1))));
%!     assert (iscomplex (gpu_det (A(:,:,3))));
%!   endfor
%! endfor
%!assert (isreal (gpu_det (complex ([4, 2; 2, 2]))))
%!assert (isreal (gpu_det ([1i, 0; 0, 1i] + [0, 0; 1, 0])))
%!assert (gpu_det ([4, 1i; -1i, 5]), 19, 20 * eps)
%!assert (gpu_det (2i), 2i)
%!assert (isreal (gpu_det (complex (4, 0))))

## Empty.
%!test
%! for A = {[], zeros(0, 3), zeros(3, 0), {}, "", sparse(0, 0), int8([]), ...
%!          struct([]), zeros(2, 3, 0), eye(0), 1:0}
%!   [d, rcond] = gpu_det (A{1});
%!   assert (d, 1);
%!   assert (rcond, Inf);
%! endfor
%!test
%! [d, rcond] = gpu_det (zeros (3, 3, 0));
%! assert (d, ones (1, 1, 0));
%! assert (rcond, ones (1, 1, 0));
%! [d, rcond] = gpu_det (zeros (0, 0, 3));
%! assert (d, ones (1, 1, 3));
%! assert (rcond, Inf (1, 1, 3));
%!assert (class (gpu_det (single ([]))), "single")

## Integers and logicals become double; other kinds of matrices.
%!test
%! for f = {@int8, @uint8, @int16, @uint16, @int32, @uint32, @int64, @uint64}
%!   assert (gpu_det (f{1} ([4, 2; 2, 2])), 4, 8 * eps);
%!   assert (gpu_det (f{1} (7)), 7);
%! endfor
%!assert (gpu_det (logical (eye (3))), 1)
%!assert (gpu_det (sparse ([4, 2; 2, 2])), 4, 8 * eps)
%!assert (gpu_det (5:5), 5)
%!assert (gpu_det (2 * eye (3)), 8)
%!assert (gpu_det (2i * eye (2)), -4)
%!test
%! [d, rcond] = gpu_det (eye (3)(:,[2, 1, 3]));
%! assert (d, -1);
%! assert (rcond, 1);

## Nothing changes A or stays on the device.
%!test
%! before = __gpu__ ("live");
%! for n = [3, 150]
%!   A = magic (n);
%!   [d, rcond] = gpu_det (A);
%!   assert (A, magic (n));
%! endfor
%! assert (__gpu__ ("live"), before);

%!error <Invalid call to gpu_det> gpu_det ()
%!error <called with too many inputs> gpu_det (1, 2)
%!error <called with too many outputs> [d, rcond, x] = gpu_det (1)
%!error <^gpu_det: A must be a square matrix$> gpu_det (ones (2, 3))
%!error <^gpu_det: A must be a square matrix$> gpu_det (eye (2, 3))
%!error <^gpu_det: A must be a square matrix$> gpu_det (ones (2, 3, 2))
%!error <A must be N x N or N x N x K, but is 2 x 2 x 2 x 3$>
%! gpu_det (ones (2, 2, 2, 3));
%!error <^gpu_det: wrong type argument 'cell'$> gpu_det ({1})
%!error <^gpu_det: wrong type argument 'function handle'$> gpu_det (@sin)
%!error <^gpu_det: invalid conversion from string to real matrix$>
%! gpu_det ("a");
