## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} gpu_mldivide (@var{A}, @var{B})
## @deftypefnx {} {[@var{X}, @var{rcond}] =} gpu_mldivide (@var{A}, @var{B})
## @deftypefnx {} {[@var{X}, @var{rcond}, @var{info}] =} gpu_mldivide (@dots{}, "precision", @var{p})
## Solve the linear system @code{@var{A} * @var{X} = @var{B}}, as
## @code{@var{A} \ @var{B}} does, or that of each page, on the GPU, or on the
## host where no GPU can be used.
##
## @var{rcond} estimates the reciprocal of the condition number of @var{A} in
## the 1-norm: near 1 for a well conditioned matrix, 0 for a singular one, and
## hardly ever too small.  By factors in single precision (see below) it may be
## too large where it is below some 1e-7.
##
## A triangular matrix is solved by substitution, a Hermitian one with a
## positive diagonal by its Cholesky factor, and any other, or if a pivot of
## that is not positive, by its LU factors.  Octave solves on the host, in the
## least squares sense, if @var{A} is not square, and also if it is singular
## exactly.
##
## The precision is @qcode{"default"} or @qcode{"mixed"}.  In mixed precision one
## square matrix is factored in single precision, with products by tensor cores,
## and the solution is corrected until its residual is that of the default; if
## the residual does not fall to half in a step, as for a condition number above
## some 1e7, GMRES makes the corrections, and if that does not do, the matrix is
## factored anew in full.  For large matrices that are well conditioned this is
## faster.  @var{info} is a struct with the fields @code{path},
## @qcode{"mixed"} or @qcode{"full"}; @code{iterations}, how many corrections
## were made; @code{steps}, those of GMRES; and @code{error}, the residual of
## the worst column as @code{norm (@var{A} * @var{x} - @var{b}) / (norm
## (@var{A}, "fro") * norm (@var{x}))}, which is NaN unless the precision is
## mixed.
##
## @strong{Shapes.}  @var{A} is M x N, @var{B} is M x P, and @var{X} is N x P.  Of
## M x N x K and M x P x K arrays each page is solved by itself, a single
## @var{A} solves all pages of @var{B}, and each @var{A} a single @var{B}.
## @var{rcond} is a scalar or has one number for each page of @var{A}; it is
## NaN if @var{A} is not square.  If @var{A} is a scalar, @var{B} is divided
## by it.
##
## @strong{Classes.}  @var{A} and @var{B} are single or double, real or complex,
## on the host or on the device.  @var{X} is on the device if one of them is,
## and single if one of them is; @var{rcond} is on the host.  Integer and logical
## matrices are converted to double, and a sparse matrix is computed as a dense
## one.  As everywhere in Octave, a complex result on the host with no imaginary
## part becomes real.
##
## @strong{Warnings.}  With one output, a warning with Octave's identifier
## @code{Octave:singular-matrix} tells that @var{A} is singular.  If
## @code{1 + @var{rcond}} is 1 in the class of @var{X}, a warning with the
## identifier @code{Octave:nearly-singular-matrix} shows @var{rcond}.  For pages
## there is one warning, which names the first such page.  With two outputs
## there is none.
##
## @strong{Errors.}  It is an error if the sizes do not fit, with Octave's
## message for the operator, or if an array is not numeric or has more than
## three dimensions.  A @var{p} other than @qcode{"default"} or @qcode{"mixed"} is
## an error, too.
##
## @strong{Accuracy.}  The residual of each column is as small as LAPACK's: for
## an @var{A} of N columns @code{norm (@var{A} * @var{X} - @var{B})} is below a
## small multiple of @code{N * eps * norm (@var{A}) * norm (@var{X})}, with the
## @code{eps} of the class of @var{X}, and the relative error of @var{X} below
## one of @code{N * eps / @var{rcond}}.  As with every elimination with partial
## pivoting, the multiple is not small for matrices whose entries grow in the
## elimination; these are very rare.  The same call gives the same bits each
## time on one machine.
##
## @strong{Example.}
##
## @example
## @group
## gpu_mldivide ([4, 2; 2, 2], [2; 0])
##   @result{} 1
##      -1
## @end group
## @end example
##
## @strong{Algorithm.}  The factors are those of @code{gpu_chol} and
## @code{gpu_lu}.  The estimate is that of N. J. Higham, @cite{FORTRAN codes for
## estimating the one-norm of a real or complex matrix, with applications to
## condition estimation}, ACM Transactions on Mathematical Software 14 (1988),
## of a fixed number of steps.  Corrections of a solution by factors in lower
## precision: J. Langou et al., @cite{Exploiting the performance of 32 bit
## floating point arithmetic in obtaining 64 bit accuracy}, Proceedings of
## SC 2006; by GMRES: E. Carson and N. J. Higham, @cite{Accelerating the solution
## of linear systems by iterative refinement in three precisions}, SIAM Journal
## on Scientific Computing 40 (2018).
## @seealso{mldivide, gpu_inv, gpu_lu, gpu_chol}
## @end deftypefn

function [X, rcond, info] = gpu_mldivide (A, B, varargin)

  mixed = false;
  if (nargin > 2)
    mixed = is_mixed (varargin{:});
  endif
  info = struct ("path", "full", "iterations", 0, "steps", 0, "error", NaN);
  if (nargin < 2)
    print_usage ();
  elseif (! mixed && nargout < 2 && __gpu_call__ ("tiny", A) && __gpu_call__ ("tiny", B))
    X = full (A \ B);
    return;
  endif

  on_host = ! (isobject (A) || isobject (B));
  A = array_operand ("gpu_mldivide", A, "A");
  B = array_operand ("gpu_mldivide", B, "B");
  if (isscalar (A))
    X = B ./ A;
    [~, rcond] = inv (gather (A));
    return;
  endif

  [m, n, pages_A] = size (A);
  [m_B, p, pages_B] = size (B);
  if (m != m_B || (pages_A != pages_B && pages_A != 1 && pages_B != 1))
    error ("Octave:nonconformant-args",
           "operator \\: nonconformant arguments (op1 is %s, op2 is %s)",
           sprintf ("%dx", size (A))(1:end-1),
           sprintf ("%dx", size (B))(1:end-1));
  elseif (m != n || isempty (A) || isempty (B))
    [X, rcond] = by_octave (A, B, on_host);
    return;
  endif
  mixed = mixed && pages_A == 1 && pages_B == 1;
  if (on_host)
    class_X = class ([A(1), B(1)]);
    X = fresh_array ([n, p, max(pages_A, pages_B)], class_X, ...
                     iscomplex (A) || iscomplex (B));
    if (mixed)
      [A, B] = alike (A, B, class_X, iscomplex (X));
    endif
    [rcond, how] = __gpu__ ("mldivide", A, B, mixed, X);
    if (iscomplex (X))
      X = X(:,:,:);   # an index expression narrows to real
    endif
  else
    if (mixed)
      class_X = __gpu_call__ ("class", A(1) + B(1));
      [A, B] = alike (A, B, class_X, iscomplex (A) || iscomplex (B));
    endif
    [X, rcond, how] = __gpu_call__ ("mldivide", A, B, mixed);
    class_X = __gpu_call__ ("class", X);
  endif
  rcond = cast (rcond, class_X);
  if (mixed)
    info.path = {"full", "mixed"}{how(1) + 1};
    info.iterations = how(2);
    info.steps = how(3);
    info.error = how(4);
  endif

  for k = find (rcond == 0)(:)'
    if (pages_A == 1)
      X = by_octave (A, B, on_host);
    else
      X(:,:,k) = by_octave (A(:,:,k), B(:,:,min (k, end)), on_host);
    endif
  endfor
  if (nargout < 2)
    rcond(isnan (rcond)) = 0;   # as Octave says it
    __warn_singular__ (rcond);
  endif

endfunction

function mixed = is_mixed (varargin)

  if (numel (varargin) != 2 || ! ischar (varargin{1})
      || ! strcmpi (varargin{1}, "precision"))
    error (['gpu_mldivide: after the matrices only "precision" and its ' ...
            'value may follow']);
  elseif (! ischar (varargin{2})
          || ! any (strcmpi (varargin{2}, {"default", "mixed"})))
    error ('gpu_mldivide: the precision must be "default" or "mixed"');
  endif
  mixed = strcmpi (varargin{2}, "mixed");

endfunction

## Both of one class, and complex if one is.
function [A, B] = alike (A, B, class_X, is_complex)

  if (is_complex && ! iscomplex (A))
    A = complex (A, 0);
  endif
  if (is_complex && ! iscomplex (B))
    B = complex (B, 0);
  endif
  if (strcmp (class_X, "single"))
    A = single (A);
    B = single (B);
  endif

endfunction

## What Octave makes of each page.  It would warn only once of the same matrix.
function [X, rcond] = by_octave (A, B, on_host)

  A = gather (A);
  B = gather (B);
  warning ("off", "Octave:singular-matrix", "local");
  warning ("off", "Octave:nearly-singular-matrix", "local");
  pages = size (A, 3);
  if (pages == 1)
    pages = size (B, 3);
  endif
  X = zeros ([columns(A), columns(B), pages], class ([A(:)(1:0); B(:)(1:0)]));
  for k = 1:pages
    X(:,:,k) = A(:,:,min (k, end)) \ B(:,:,min (k, end));
  endfor
  rcond = NaN ([1, 1, size(A, 3)], class (X));
  if (! on_host)
    X = gpuArray (X);
  endif

endfunction

%!demo
%! ## The temperature of a square plate: one edge at 100 degrees, three at 0.
%! n = 24;
%! T = full (gallery ("tridiag", n));
%! A = kron (T, eye (n)) + kron (eye (n), T);
%! b = zeros (n);
%! b(1,:) = 100;
%! [u, rcond] = gpu_mldivide (A, b(:));
%! u = reshape (u, n, n);
%! printf ("%d unknowns, rcond = %.2g\n", n ^ 2, rcond);
%! printf ("temperature near the middle: %.1f degrees\n", u(n/2,n/2));
%! contourf (u);
%! colorbar ();
%! title ("Temperature of a plate");

%!demo
%! ## Factors in single precision, and a solution as good as in double.
%! n = 600;
%! A = gallery ("minij", n) / n + 10 * eye (n)(randperm (n),:);
%! b = A * ones (n, 1);
%! [x, ~, info] = gpu_mldivide (A, b, "precision", "mixed");
%! printf ("the factors are %s, %d corrections, error %.2g\n", info.path, ...
%!         info.iterations, norm (x - 1, Inf));

%!function A = sample (sz, cls, is_complex)
%!  A = randn (sz, cls);
%!  if (is_complex)
%!    A = complex (A, randn (sz, cls));
%!  endif
%!endfunction

## The residual in units of n * eps, and rcond beside the exact one.
%!function check (A, B)
%!  n = rows (A);
%!  [X, r] = gpu_mldivide (A, B);
%!  cls = class ([A(1), B(1)]);
%!  assert (size (X), [n, columns(B)]);
%!  assert ({class(X), class(r)}, {cls, cls});
%!  assert (iscomplex (X), iscomplex (A) || iscomplex (B));
%!  residual = norm (A * X - B, 1);
%!  assert (residual <= (n + 8) * eps (cls) * norm (A, 1) * norm (X, 1));
%!  q = double (r) * norm (double (A), 1) * norm (inv (double (A)), 1);
%!  tol = 8 * n * eps (cls) * cond (double (A), 1);
%!  assert (q >= 1 - tol && q <= 4 + tol);
%!  assert (gpu_mldivide (A, B), X, 100 * eps (cls) / r * norm (X, 1));
%!endfunction

## All types and ways, sizes around the block sizes.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     for n = [2, 3, 8, 31, 33, 64, 65, 127, 129, 200]
%!       A = sample ([n, n], cls{1}, is_complex);
%!       B = sample ([n, 3], cls{1}, is_complex);
%!       H = A * A' / n + eye (n);
%!       for T = {A, triu(A) / n + 2 * eye(n), tril(A) / n + 2 * eye(n), ...
%!                (H + H') / 2, A + A'}
%!         check (T{1}, B);
%!         check (T{1}, B(:,1));
%!       endfor
%!     endfor
%!   endfor
%! endfor

## The same with the smallest blocks, and operands of two types.
%!test
%! randn ("twister", 42);
%! leaf = __gpu__ ("set", "leaf", 4);
%! unwind_protect
%!   for n = [5, 9, 17, 37]
%!     A = sample ([n, n], "double", true);
%!     for T = {A, triu(A) + 2 * n * eye(n), A * A' + eye(n), single(A), real(A)}
%!       check (T{1}, sample ([n, 2], "double", true));
%!       check (T{1}, sample ([n, 2], "single", false));
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   __gpu__ ("set", "leaf", leaf);
%! end_unwind_protect

## Pages by pages, by one matrix, and one right side for all.
%!test
%! randn ("twister", 42);
%! for n = [2, 7, 40, 140]
%!   A = randn (n, n, 3);
%!   B = randn (n, 2, 3);
%!   [X, r] = gpu_mldivide (A, B);
%!   [Y, s] = gpu_mldivide (A(:,:,1), B);
%!   [Z, t] = gpu_mldivide (A, B(:,:,2));
%!   assert ({size(X), size(Y), size(Z)}, repmat ({[n, 2, 3]}, 1, 3));
%!   assert ({size(r), size(s), size(t)}, {[1, 1, 3], [1, 1], [1, 1, 3]});
%!   assert (t, r);
%!   for k = 1:3
%!     tol = 100 * n * eps / r(k);
%!     one = @(A, B) gpu_mldivide (A, B);
%!     assert (X(:,:,k), one (A(:,:,k), B(:,:,k)), tol);
%!     assert (Y(:,:,k), one (A(:,:,1), B(:,:,k)), 100 * n * eps / r(1));
%!     assert (Z(:,:,k), one (A(:,:,k), B(:,:,2)), tol);
%!   endfor
%! endfor

## A Hermitian matrix with a positive diagonal need not be definite.
%!test
%! for n = [3, 50, 150]
%!   check (ones (n) * 2 - eye (n), (1:n)');
%! endfor

## Singular pages: what Octave makes of them, and one warning.
%!test
%! A = cat (3, magic (3), ones (3), [1, 2, 3; 0, 0, 4; 0, 0, 5]);
%! b = [1; 2; 4];
%! lastwarn ("", "");
%! [X, r] = gpu_mldivide (A, b);
%! assert (lastwarn (), "");
%! assert (r(:)' == 0, [false, true, true]);
%! assert (X(:,:,1), magic (3) \ b, 1e-14);
%! assert (X(:,:,2), repmat (7 / 9, 3, 1), 1e-14);
%! warning ("off", "Octave:singular-matrix", "local");
%! assert (X(:,:,3), A(:,:,3) \ b, 1e-14);
%!warning <matrix singular to machine precision \(page 2\)>
%! gpu_mldivide (cat (3, eye (2), ones (2)), [1; 2]);
%!warning <matrix singular to machine precision$>
%! gpu_mldivide (ones (150), ones (150, 1));
%!warning <matrix singular to machine precision, rcond = >
%! gpu_mldivide (hilb (50) + 0 * magic (50), ones (50, 1));

%!testif ; gpuDeviceCount () > 0
%! randn ("twister", 42);
%! A = randn (2100);
%! b = randn (2100, 1);
%! X = gpu_mldivide (A, b);
%! assert (norm (A * X - b, 1) <= 2100 * eps * norm (A, 1) * norm (X, 1));

## Scalars, least squares and empty arrays, as in Octave.
%!test
%! assert (gpu_mldivide (2, [2, 4]), [1, 2]);
%! assert (gpu_mldivide (0, 1), Inf);
%! assert (gpu_mldivide (2, cat (3, 2, 4)), cat (3, 1, 2));
%! A = magic (40)(:,1:7);
%! [X, r] = gpu_mldivide (A, (1:40)');
%! assert (X, A \ (1:40)', 1e-12);
%! assert (r, NaN);
%! assert (gpu_mldivide (A', (1:7)'), A' \ (1:7)', 1e-12);
%! assert (gpu_mldivide (zeros (0, 3), zeros (0, 2)), zeros (3, 2));
%! assert (gpu_mldivide (magic (3), zeros (3, 0)), zeros (3, 0));
%! assert (size (gpu_mldivide (zeros (3, 3, 0), zeros (3, 1, 0))), [3, 1, 0]);
%! assert (gpu_mldivide (int8 ([4, 2; 2, 2]), [2; 0]), [1; -1], 4 * eps);
%! assert (gpu_mldivide (sparse ([4, 2; 2, 2]), [2; 0]), [1; -1], 4 * eps);

## Device arrays.
%!test
%! A = [4, 2; 2, 2];
%! for a = {A, gpuArray(A)}
%!   for b = {[2; 0], gpuArray([2; 0])}
%!     [X, r] = gpu_mldivide (a{1}, b{1});
%!     is_there = isobject (a{1}) || isobject (b{1});
%!     assert (class (X), {"double", "gpuArray"}{1 + is_there});
%!     assert (gather (X), [1; -1], 8 * eps);
%!     assert (r, 1 / 9, 8 * eps);
%!   endfor
%! endfor
%! [X, r] = gpu_mldivide (gpuArray (ones (2, 2, 2)), [1; 3]);
%! assert (gather (X), ones (2, 1, 2), 1e-14);
%! assert (class (X), "gpuArray");

## Nothing stays on the device.
%!test
%! before = __gpu__ ("live");
%! [X, r] = gpu_mldivide (magic (41), ones (41, 1));
%! assert (__gpu__ ("live"), before);

%!error <Invalid call to gpu_mldivide> gpu_mldivide ()
%!error <Invalid call to gpu_mldivide> gpu_mldivide (1)
%!error <called with too many outputs> [X, r, i, j] = gpu_mldivide (1, 1)
%!error <operator \\: nonconformant arguments \(op1 is 40x40, op2 is 1x2\)>
%! gpu_mldivide (magic (40), [1, 2]);
%!error <nonconformant arguments>
%! gpu_mldivide (ones (2, 2, 2), ones (2, 2, 3));
%!error <^gpu_mldivide: wrong type argument 'cell'$> gpu_mldivide ({1}, 2)
%!error <^gpu_mldivide: wrong type argument 'string'$> gpu_mldivide (1, "a")
%!error <B must have at most three dimensions, but is 2 x 1 x 1 x 2$>
%! gpu_mldivide (eye (2), ones (2, 1, 1, 2));

## Mixed precision: corrections where they lead to the end, all ways, classes
## and sides, one column and more.
%!test
%! randn ("twister", 42);
%! for cls = {"double", "single"}
%!   for is_complex = [false, true]
%!     for n = [2, 9, 64, 65, 130, 300]
%!       A = sample ([n, n], cls{1}, is_complex) / sqrt (n) + 3 * eye (n);
%!       for M = {A, A * A' + eye(n)}
%!         for p = [1, 3]
%!           B = sample ([n, p], cls{1}, is_complex);
%!           [X, r, info] = gpu_mldivide (M{1}, B, "precision", "mixed");
%!           assert ({class(X), class(r)}, {cls{1}, cls{1}});
%!           assert (iscomplex (X), is_complex);
%!           assert (info.path, "mixed");
%!           assert (info.iterations <= 5);
%!           residual = norm (M{1} * X - B, "columns") ...
%!                      ./ norm (X, "columns") / norm (M{1}, "fro");
%!           assert (residual < 3 * max (2, sqrt (n) / 16) * eps (cls{1}));
%!           assert (info.error, max (residual), 4 * eps (cls{1}));
%!           assert (gpu_mldivide (M{1}, B, "precision", "mixed"), X);
%!           [~, want] = gpu_mldivide (M{1}, B);
%!           assert (r, want, 0.2 * want);
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! endfor

## GMRES, where they stall because of few directions that single precision does
## not see; a column of zeros takes part.
%!test
%! randn ("twister", 42);
%! for n = [60, 150, 300]
%!   for is_complex = [false, true]
%!     [Q, ~] = qr (sample ([n, n], "double", is_complex));
%!     [V, ~] = qr (sample ([n, n], "double", is_complex));
%!     A = Q * diag ([ones(1, n - 2), 1e-9, 1e-10]) * V';
%!     B = sample ([n, 3], "double", is_complex);
%!     B(:,2) = 0;
%!     [X, r, info] = gpu_mldivide (A, B, "precision", "mixed");
%!     assert (info.path, "mixed");
%!     assert (info.steps > 0 && info.steps < 40);
%!     residual = norm (A * X - B, "columns") ./ norm (X, "columns") ...
%!                / norm (A, "fro");
%!     assert (residual([1, 3]) < 8 * eps);
%!     assert (info.error <= 2 * eps);
%!     assert (X(:,2), zeros (n, 1));
%!     assert (gpu_mldivide (A, B, "precision", "mixed"), X);
%!   endfor
%! endfor

## Where they lead nowhere, or single precision has no room, and for triangles,
## the result is that of full precision.
%!test
%! randn ("twister", 42);
%! n = 90;
%! [Q, ~] = qr (randn (n));
%! [V, ~] = qr (randn (n));
%! A = Q * diag (logspace (0, -11, n)) * V';
%! b = randn (n, 2);
%! for M = {A, 1e200 * randn(n), 1e-200 * randn(n), triu(randn (n)) + 20 * eye(n)}
%!   [X, r, info] = gpu_mldivide (M{1}, b, "precision", "mixed");
%!   [want, s] = gpu_mldivide (M{1}, b);
%!   assert (X, want);
%!   assert (r, s);
%!   assert (info.path, "full");
%!   if (norm (M{1}) < 1e100 && norm (M{1}) > 1e-100)
%!     assert (info.error < 10 * eps);
%!   endif
%! endfor
%! A(4,7) = NaN;
%! [X, ~, info] = gpu_mldivide (A, b, "precision", "mixed");
%! assert (info.path, "full");
%! assert (! any (isfinite (X(:))));

## Operands of two types; what is not one square matrix; the default.
%!test
%! A = [4, 1; 1, 3];
%! [X, ~, info] = gpu_mldivide (A, single ([1; 2i]), "precision", "mixed");
%! assert (class (X), "single");
%! assert (X, single (A) \ single ([1; 2i]), 4 * eps ("single"));
%! assert (info.path, "mixed");
%! [X, ~, info] = gpu_mldivide (A, [1; 2], "precision", "default");
%! assert (X, A \ [1; 2], 4 * eps);
%! assert (info, struct ("path", "full", "iterations", 0, "steps", 0, ...
%!                       "error", NaN));
%! [X, ~, info] = gpu_mldivide ([1; 2], [1; 2], "precision", "mixed");
%! assert (X, 1, 4 * eps);
%! assert (info.path, "full");
%! [X, ~, info] = gpu_mldivide (cat (3, A, 2 * A), [1; 2], "precision", "mixed");
%! assert (X(:,:,2), 2 * A \ [1; 2], 4 * eps);
%! assert (info.path, "full");
%!test
%! fail ("gpu_mldivide (ones (2), ones (2), \"precision\", \"mixed\")",
%!       "warning", "singular");

%!error <^gpu_mldivide: after the matrices only "precision" and its value may follow$>
%! gpu_mldivide (1, 2, "mixed")
%!error <^gpu_mldivide: after the matrices only> gpu_mldivide (1, 2, 3, 4)
%!error <^gpu_mldivide: the precision must be "default" or "mixed"$>
%! gpu_mldivide (1, 2, "precision", "half")
%!error <^gpu_mldivide: the precision must be> gpu_mldivide (1, 2, "precision", 3)
