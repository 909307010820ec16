## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} gpu_inv (@var{A})
## @deftypefnx {} {[@var{X}, @var{rcond}] =} gpu_inv (@var{A})
## Compute the inverse of the square matrix @var{A} on the GPU, or on the host
## where no GPU can be used.
##
## @var{rcond} is the reciprocal of the condition number of @var{A} in the
## 1-norm, @code{1 / (norm (@var{A}, 1) * norm (@var{X}, 1))}: near 1 for a
## well conditioned matrix, 0 for a singular one.  The GPU computes it from
## @var{X}; the host, and Octave, to which tiny matrices are left, take LAPACK's
## estimate, which is the same or, at times, somewhat larger.
##
## @strong{Shapes.}  @var{A} is N x N, or N x N x K for K matrices, of which
## each is inverted by itself.  @var{X} has the size of @var{A}, and
## @var{rcond} is a scalar, or 1 x 1 x K.  The inverse of anything empty is
## a 0 x 0 matrix with @var{rcond} Inf, but empty pages keep their shape.
##
## @strong{Classes.}  @var{A} is single or double, real or complex, and
## @var{X} has its class; @var{rcond} has it, too, and is real.  Integer and
## logical matrices are converted to double.  Diagonal and permutation matrices
## stay what they are.  A sparse matrix is computed as a dense one, and
## @var{X} is a full matrix.  As everywhere in Octave, a complex result with
## no imaginary part becomes real.
##
## @strong{Warnings.}  The inverse of a singular matrix is all Inf.  With one
## output, a warning says so, with Octave's identifier
## @code{Octave:singular-matrix}.  If @code{1 + @var{rcond}} is 1 in the class
## of @var{A}, or NaN, a warning with the identifier
## @code{Octave:nearly-singular-matrix} shows @var{rcond}.  For pages there is
## one warning, which names the first such page.  With two outputs there is
## none, and none for a scalar.  When both warnings are off, @var{rcond} is not
## computed unless it is asked for.
##
## @strong{Errors.}  It is an error if @var{A} is not square, not numeric, or
## has more than three dimensions.
##
## @strong{Accuracy.}  The residual is as small as LAPACK's: one of the norms of
## @code{@var{A} * @var{X} - I} and @code{@var{X} * @var{A} - I} is below
## a small multiple of @code{N * eps * norm (@var{A}) * norm (@var{X})}, with
## the @code{eps} of the class of @var{A}, and so is the relative error of
## @var{X} below a small multiple of @code{N * eps / @var{rcond}}.  As with
## every elimination with partial pivoting, the multiple is not small for
## matrices whose entries grow in the elimination; these are very rare.  NaN
## and Inf in @var{A} give a result that is not finite.  The same call gives
## the same bits each time on one machine.  GPU and host agree but for rounding.
##
## @strong{Example.}
##
## @example
## @group
## A = [4, 2; 2, 2];
## [X, rcond] = gpu_inv (A)
##   @result{} X =
##         0.5000  -0.5000
##        -0.5000   1.0000
##   @result{} rcond = 0.1111
## @end group
## @end example
##
## @strong{Algorithm.}  Small matrices by Gauss-Jordan elimination with partial
## pivoting, many at a time.  Large ones by recursive LU factorization, see
## F. G. Gustavson, @cite{Recursion leads to automatic variable blocking for
## dense linear-algebra algorithms}, IBM Journal of Research and Development 41
## (1997); triangular and Hermitian positive definite ones by their own, cheaper
## ways.  On the error: N. J. Higham, @cite{Accuracy and Stability of Numerical
## Algorithms}, chapter 14, SIAM 2002.
## @seealso{inv, gpu_det, gpu_logdet, gpu_chol}
## @end deftypefn

function [X, rcond] = gpu_inv (A)

  ## Octave's own may lose a NaN.
  if (nargin == 1 && __gpu_call__ ("tiny_square", A) && all (isfinite (A(:))))
    if (nargout < 2)
      X = inv (A);
    else
      [X, rcond] = inv (A);
    endif
    return;
  elseif (nargin < 1)
    print_usage ();
  endif

  A = square_pages ("gpu_inv", A);
  if (isempty (A))
    X = A;
    rcond = Inf ([1, 1, size(A, 3)], class (A));
    return;
  elseif (isscalar (A) || is_special_matrix (A))
    ## These are Octave's own, and warn as it does.
    if (nargout > 1)
      [X, rcond] = inv (A);
    else
      X = inv (A);
    endif
    return;
  endif

  X = fresh_array (size (A), class (A), iscomplex (A));
  if (nargout > 1)
    rcond = __gpu__ ("inv", A, X);
  elseif (__warn_singular__ ())
    __warn_singular__ (__gpu__ ("inv", A, X));
  else
    __gpu__ ("inv", A, X);
  endif

  if (iscomplex (X))
    X = X(:,:,:);   # an index expression narrows to real, and copies nothing
  endif

endfunction

%!demo
%! ## The inverses of 1000 covariance matrices of 6 measurements, all at once.
%! X = randn (6, 20, 1000);
%! C = gpu_mtimes (X, permute (X, [2, 1, 3])) / 20;
%! tic ();
%! [P, rcond] = gpu_inv (C);
%! ms = 1000 * toc ();
%! E = gpu_mtimes (C, P) - full (eye (6));
%! printf ("1000 inverses in %.2f ms, largest error %.2g, ", ms, ...
%!         max (abs (E(:))));
%! printf ("smallest rcond %.2g\n", min (rcond));

## Well conditioned matrices of any class.
%!function A = sample (n, cls, is_complex, pages = 1)
%!  A = randn ([n, n, pages], cls);
%!  if (is_complex)
%!    A = complex (A, randn ([n, n, pages], cls));
%!  endif
%!endfunction

## X must have the class of A and be its inverse: one of the residuals in units
## of n*eps*norm (A)*norm (X), and the bound is 1 plus what the smallest sizes
## need.  rcond must be what its definition says; on the host it is an estimate.
%!function check (X, rcond, A)
%!  n = rows (A);
%!  assert (class (X), class (A));
%!  assert (class (rcond), class (A));
%!  assert (isreal (rcond));
%!  assert (iscomplex (X), iscomplex (A));
%!  product = norm (A, 1) * norm (X, 1);
%!  unit = (n + 2) * eps (class (A)) * product;
%!  residual = min (norm (A * X - eye (n), 1), norm (X * A - eye (n), 1));
%!  assert (residual / unit <= 1);
%!  q = rcond * product;
%!  tol = 8 * n * eps (class (A));
%!  assert (q >= 1 - tol);
%!  ## LAPACK estimates it: on the host, and where that takes tiny matrices.
%!  estimated = strcmp (gpuDevice ().Backend, "host") ...
%!              || (n <= 32 && ! strcmp (getenv ("GPULINALG_TINY"), "0"));
%!  assert (q <= 1 + tol || (q <= 10 && estimated));
%!endfunction

## The result of CODE with the texts and the last identifier of its warnings.
%!function [X, shown, id] = warned (A)
%!  lastwarn ("", "");
%!  quiet = warning ("query", "quiet").state;   # "on" in pkg test
%!  warning ("off", "quiet");
%!  unwind_protect
%!    shown = evalc ("X = gpu_inv (A);");
%!  unwind_protect_cleanup
%!    warning (quiet, "quiet");
%!  end_unwind_protect
%!  [~, id] = lastwarn ();
%!endfunction

%!assert (gpu_inv ([4, 2; 2, 2]), [0.5, -0.5; -0.5, 1], 4 * eps)
%!test
%! [X, rcond] = gpu_inv ([4, 2; 2, 2]);
%! assert (X, [0.5, -0.5; -0.5, 1], 4 * eps);
%! assert (rcond, 1 / 9, 4 * eps);

## All types, sizes around the block sizes; beside Octave's inv.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     for n = [1:10, 15:18, 31:34, 63:65, 127:129, 200, 257]
%!       A = sample (n, cls{1}, is_complex);
%!       [X, rcond] = gpu_inv (A);
%!       check (X, rcond, A);
%!       C = inv (A);
%!       tol = 20 * n * eps (cls{1}) / rcond;
%!       assert (norm (X - C, 1) <= tol * norm (C, 1));
%!       assert (gpu_inv (A), X);
%!     endfor
%!   endfor
%! endfor

## The same with the smallest blocks, so that every step of the recursion is
## taken on small matrices.
%!test
%! randn ("twister", 42);
%! leaf = __gpu__ ("set", "leaf", 4);
%! unwind_protect
%!   for cls = {"single", "double"}
%!     for is_complex = [false, true]
%!       for n = [3, 4, 5, 8, 11, 17, 37]
%!         A = sample (n, cls{1}, is_complex);
%!         for B = {A, triu(A) + n * eye(n), tril(A) + n * eye(n), ...
%!                  A * A' + eye(n), A + A'}
%!           [X, rcond] = gpu_inv (B{1});
%!           check (X, rcond, B{1});
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   __gpu__ ("set", "leaf", leaf);
%! end_unwind_protect

## The inverse of a triangular matrix is triangular, that of a Hermitian
## positive definite one Hermitian, with a real diagonal: exactly, where large
## matrices take their own ways.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     for n = [2, 5, 20, 64, 150, 300]
%!       A = sample (n, cls{1}, is_complex);
%!       T = triu (A) + n * eye (n);
%!       [X, rcond] = gpu_inv (T);
%!       check (X, rcond, T);
%!       assert (nnz (tril (X, -1)), 0);
%!       [X, rcond] = gpu_inv (T.');
%!       check (X, rcond, T.');
%!       if (n == 300)
%!         assert (nnz (triu (X, 1)), 0);
%!       endif
%!       H = A * A' / n + eye (n);
%!       H = (H + H') / 2;
%!       [X, rcond] = gpu_inv (H);
%!       check (X, rcond, H);
%!       if (n == 300)
%!         assert (X, X');
%!         assert (all (imag (diag (X)) == 0));
%!       endif
%!     endfor
%!   endfor
%! endfor

## A Hermitian matrix with a positive diagonal need not be definite.
%!test
%! for n = [2, 50, 200]
%!   A = ones (n) + 0.5i * (triu (ones (n), 1) - tril (ones (n), -1));
%!   A += 0.25 * eye (n);
%!   [X, rcond] = gpu_inv (A);
%!   check (X, rcond, A);
%! endfor

## Pages.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     for n = [1, 2, 3, 5, 8, 33, 65, 129]
%!       A = sample (n, cls{1}, is_complex, 3);
%!       [X, rcond] = gpu_inv (A);
%!       assert (size (X), [n, n, 3]);
%!       assert (size (rcond), [1, 1, 3]);
%!       for k = 1:3
%!         check (X(:,:,k), rcond(k), A(:,:,k));
%!       endfor
%!     endfor
%!   endfor
%! endfor

## A singular page is Inf with rcond 0; the others are whole.
%!test
%! randn ("twister", 42);
%! for is_complex = [false, true]
%!   for n = [2, 7, 40, 140]
%!     A = sample (n, "double", is_complex, 5);
%!     A(:,n,2) = 0;
%!     A(1,:,5) = 0;
%!     [X, rcond] = gpu_inv (A);
%!     assert (rcond(:)' == 0, [false, true, false, false, true]);
%!     assert (all (isinf (X(:,:,[2, 5])(:))));
%!     for k = [1, 3, 4]
%!       check (X(:,:,k), rcond(k), A(:,:,k));
%!     endfor
%!   endfor
%! endfor

## One output warns, in Octave's words; two outputs never do.
%!test
%! for A = {zeros(2), ones(2), [1, 2; 2, 4], single([1, 2; 2, 4]), ...
%!          [1i, 2i; 1i, 2i], true(2), [1, 2; 0, 0], zeros(150)}
%!   [X, shown, id] = warned (A{1});
%!   assert (X, Inf (size (A{1}), class (X)));
%!   assert (id, "Octave:singular-matrix");
%!   assert (regexp (shown, ...
%!                   '^warning: matrix singular to machine precision\n'), 1);
%!   assert (numel (strfind (shown, "warning: matrix")), 1);
%!   lastwarn ("", "");
%!   [Y, rcond] = gpu_inv (A{1});
%!   assert (lastwarn (), "");
%!   assert (Y, X);
%!   assert (rcond, zeros (class (X)));
%! endfor
%!test
%! for A = {[1, 1; 1, 1+eps], hilb(13), single(hilb(8)), ...
%!          [1, 1; 0, 1e-20], [2, 1i; -1i, 0.5+eps]}
%!   [X, shown, id] = warned (A{1});
%!   assert (id, "Octave:nearly-singular-matrix");
%!   lastwarn ("", "");
%!   [Y, rcond] = gpu_inv (A{1});
%!   assert (lastwarn (), "");
%!   assert (Y, X);
%!   assert (rcond + 1 == 1 && rcond > 0);
%!   text = sprintf (["warning: matrix singular to machine precision, " ...
%!                    "rcond = %g\n"], rcond);
%!   assert (strfind (shown, text), 1);
%! endfor

## For pages, the first of them is named.
%!test
%! A = repmat (eye (3), [1, 1, 7]);
%! A(2,2,[4, 6]) = 0;
%! [~, shown, id] = warned (A);
%! assert (id, "Octave:singular-matrix");
%! assert (numel (strfind (shown, "warning: matrix")), 1);
%! assert (strfind (shown, ["warning: matrix singular to machine " ...
%!                          "precision (page 4)\n"]), 1);
%! A(3,3,2) = 1e-20;
%! [~, shown, id] = warned (A);
%! assert (id, "Octave:nearly-singular-matrix");
%! assert (strfind (shown, ["warning: matrix singular to machine " ...
%!                          "precision, rcond = 1e-20 (page 2)\n"]), 1);

## A warning can be switched off, and made an error.
%!test
%! warning ("off", "Octave:singular-matrix", "local");
%! warning ("off", "Octave:nearly-singular-matrix", "local");
%! for A = {zeros(3), [1, 1; 1, 1+eps], ones(150)}
%!   [X, shown, id] = warned (A{1});
%!   assert (shown, "");
%!   [Y, ~] = gpu_inv (A{1});
%!   assert (X, Y);
%! endfor
%!error id=Octave:singular-matrix
%! warning ("error", "Octave:singular-matrix", "local");
%! gpu_inv (zeros (2));

## Scalars do not warn.
%!test
%! for x = {0, NaN, Inf, -Inf, single(0), 0i, false, 1e-310}
%!   [X, shown] = warned (x{1});
%!   assert (shown, "");
%!   assert (X, inv (x{1}));
%!   [X, rcond] = gpu_inv (x{1});
%!   [C, r] = inv (x{1});
%!   assert ({X, rcond}, {C, r});
%! endfor

## NaN and Inf: the call returns, and something is not finite or zero.
%!test
%! for x = [NaN, Inf]
%!   for cls = {"single", "double"}
%!     for is_complex = [false, true]
%!       for n = [2, 3, 8, 33, 100, 150]
%!         A = full (eye (n, cls{1}));
%!         A(n,1) = A(1,n) = x;
%!         if (is_complex)
%!           A = complex (A, 1);
%!         endif
%!         [X, rcond] = gpu_inv (A);
%!         assert (! (rcond > eps));
%!         [X, rcond] = gpu_inv (x * ones (n, cls{1}));
%!         assert (! any (isfinite (X(:))));
%!         assert (! (rcond > 0));
%!       endfor
%!     endfor
%!   endfor
%! endfor

## The smallest numbers as pivots, and the largest: right or not finite.
%!test
%! for f = {realmin, realmin / 8, realmax / 8}
%!   A = f{1} * [4, 1; 1, 2];
%!   [X, rcond] = gpu_inv (A);
%!   if (all (isfinite (X(:))))
%!     assert (norm ((A / f{1}) * (X * f{1}) - eye (2)) < 1e-14);
%!   endif
%! endfor

## Empty: anything empty gives 0 x 0 with rcond Inf, empty pages keep their
## shape.
%!test
%! for A = {[], zeros(0, 3), zeros(3, 0), {}, "", sparse(0, 0), int8([]), ...
%!          struct([]), zeros(2, 3, 0), eye(0), 1:0}
%!   assert (gpu_inv (A{1}), zeros (0, 0));
%!   [X, rcond] = gpu_inv (A{1});
%!   assert (X, zeros (0, 0));
%!   assert (rcond, Inf);
%! endfor
%!test
%! [X, rcond] = gpu_inv (zeros (3, 3, 0));
%! assert (X, zeros (3, 3, 0));
%! assert (rcond, zeros (1, 1, 0));
%! [X, rcond] = gpu_inv (zeros (0, 0, 3));
%! assert (X, zeros (0, 0, 3));
%! assert (rcond, Inf (1, 1, 3));
%! [X, rcond] = gpu_inv (single ([]));
%! assert ({class(X), class(rcond)}, {"single", "single"});

## Integers and logicals become double.
%!test
%! for f = {@int8, @uint8, @int16, @uint16, @int32, @uint32, @int64, @uint64}
%!   assert (gpu_inv (f{1} ([4, 2; 2, 2])), [0.5, -0.5; -0.5, 1], 4 * eps);
%! endfor
%!assert (gpu_inv (uint64 (4)), 0.25)
%!assert (gpu_inv (true), 1)
%!assert (gpu_inv (logical (eye (3))), eye (3))

## Diagonal and permutation matrices keep their type, sparse ones become full.
%!test
%! D = gpu_inv (2 * eye (3));
%! assert (typeinfo (D), "diagonal matrix");
%! assert (full (D), 0.5 * ones (3) .* eye (3));
%! assert (typeinfo (gpu_inv (2i * eye (3))), "complex diagonal matrix");
%! P = eye (3)(:,[2, 3, 1]);
%! [X, rcond] = gpu_inv (P);
%! assert (typeinfo (X), "permutation matrix");
%! assert (X * P, eye (3));
%! assert (rcond, 1);
%! [X, shown, id] = warned (diag ([1, 0, 2]));
%! assert (diag (X), Inf (3, 1));
%! assert (id, "Octave:singular-matrix");
%!test
%! X = gpu_inv (sparse ([4, 2; 2, 2]));
%! assert (issparse (X), false);
%! assert (X, [0.5, -0.5; -0.5, 1], 4 * eps);
%! assert (gpu_inv (5:5), 0.2, eps);

## A complex result without imaginary part is real.
%!assert (isreal (gpu_inv (complex ([4, 2; 2, 2]))))
%!assert (isreal (gpu_inv (complex (cat (3, magic (3), eye (3))))))
%!assert (iscomplex (gpu_inv ([4, 1i; -1i, 5])))

## Results are independent of each other and of the input, and repeatable.
%!test
%! randn ("twister", 42);
%! for n = [1, 2, 70, 140]
%!   A = sample (n, "double", false);
%!   A_before = A + 0;
%!   X = gpu_inv (A);
%!   X_before = X + 0;
%!   Y = gpu_inv (4 * A);
%!   assert (A, A_before);
%!   assert (X, X_before);
%!   assert (4 * Y, X, 4 * eps * norm (X));
%!   assert (gpu_inv (A), X);
%!   assert (zeros (n), 0 * ones (n));
%! endfor

## Nothing stays on the device.
%!test
%! before = __gpu__ ("live");
%! [X, rcond] = gpu_inv (magic (3));
%! [X, rcond] = gpu_inv (magic (150));
%! assert (__gpu__ ("live"), before);

%!testif ; gpuDeviceCount () > 0
%! randn ("twister", 42);
%! A = randn (2100);
%! [X, rcond] = gpu_inv (A);
%! check (X, rcond, A);
%! [X, rcond] = gpu_inv (single (A));
%! check (X, rcond, single (A));

%!error <Invalid call to gpu_inv> gpu_inv ()
%!error <called with too many inputs> gpu_inv (1, 2)
%!error <called with too many outputs> [X, rcond, x] = gpu_inv (1)
%!error <^gpu_inv: A must be a square matrix$> gpu_inv (ones (2, 3))
%!error <^gpu_inv: A must be a square matrix$> gpu_inv (1:3)
%!error <^gpu_inv: A must be a square matrix$> gpu_inv (eye (2, 3))
%!error <^gpu_inv: A must be a square matrix$> gpu_inv (ones (2, 3, 2))
%!error <A must be N x N or N x N x K, but is 2 x 2 x 2 x 3$>
%! gpu_inv (ones (2, 2, 2, 3));
%!error <^gpu_inv: wrong type argument 'cell'$> gpu_inv ({1})
%!error <^gpu_inv: wrong type argument 'scalar struct'$> gpu_inv (struct ())
%!error <^gpu_inv: wrong type argument 'function handle'$> gpu_inv (@sin)
%!error <^gpu_inv: wrong type argument 'object'$> gpu_inv (containers.Map ())
%!error <^gpu_inv: invalid conversion from string to real matrix$>
%! gpu_inv ("a");
