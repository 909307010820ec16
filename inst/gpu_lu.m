## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {[@var{L}, @var{U}, @var{P}] =} gpu_lu (@var{A})
## @deftypefnx {} {[@var{L}, @var{U}] =} gpu_lu (@var{A})
## @deftypefnx {} {@var{Y} =} gpu_lu (@var{A})
## @deftypefnx {} {[@dots{}] =} gpu_lu (@var{A}, "vector")
## Compute the LU factors of @var{A}, by elimination with partial pivoting, on
## the GPU, or on the host where no GPU can be used.
##
## With three outputs @code{@var{P} * @var{A} = @var{L} * @var{U}}: @var{L} is
## lower triangular with ones on the diagonal, @var{U} is upper triangular, and
## @var{P} a permutation matrix or, with @qcode{"vector"}, a column of row
## numbers, such that @code{@var{A}(@var{P},:) = @var{L} * @var{U}}.  With two
## outputs the rows of @var{L} are permuted, such that
## @code{@var{A} = @var{L} * @var{U}}.  With one output
## @code{@var{Y} = @var{L} + @var{U} - eye (size (@var{A}))}, of the @var{L} of
## three outputs.
##
## @strong{Shapes.}  @var{A} is M x N, or M x N x K for K matrices, of which
## each is factored by itself.  With S the smaller of M and N, @var{L} is M x S,
## @var{U} is S x N, and @var{P} is M x M or M x 1; each has K pages, too, and
## @var{P} is then a full array.  Of anything empty all are 0 x 0, but empty
## pages keep their shape.
##
## @strong{Classes.}  @var{A} is single or double, real or complex, and the
## factors have its class; @var{P} is double.  Integer and logical matrices are
## converted to double.  Diagonal, permutation and sparse matrices are computed
## as full ones.  As everywhere in Octave, a complex result with no imaginary
## part becomes real.
##
## @strong{Errors.}  It is an error if @var{A} is not numeric or has more than
## three dimensions, or if there is an option other than @qcode{"vector"}.  A
## singular matrix is none: a pivot is 0 then.
##
## @strong{Accuracy.}  The pivot is the first of the largest elements in its
## column, where of a complex number @code{abs (real) + abs (imag)} counts, as
## in LAPACK.  Elements of @var{L} are at most 1 in modulus (sqrt (2) if
## complex), and @code{norm (@var{P} * @var{A} - @var{L} * @var{U})} is below a
## small multiple of @code{N * eps * norm (@var{L}) * norm (@var{U})}, with the
## @code{eps} of the class of @var{A}.  A NaN counts as larger than any number;
## NaN and Inf spread.  The same call gives the same bits each time on one
## machine.
##
## @strong{Example.}
##
## @example
## @group
## [L, U, P] = gpu_lu ([1, 2; 4, 4])
##   @result{} L =
##         1.0000        0
##         0.2500   1.0000
##   @result{} U =
##         4   4
##         0   1
##   @result{} P =
##         0   1
##         1   0
## @end group
## @end example
##
## @strong{Algorithm.}  Recursive LU factorization: factor the left half of the
## columns, solve for the top of the right half, update its rest, and factor
## that.  See S. Toledo, @cite{Locality of reference in LU decomposition with
## partial pivoting}, SIAM Journal on Matrix Analysis and Applications 18
## (1997).
## @seealso{lu, gpu_det, gpu_inv, gpu_chol}
## @end deftypefn

function [L, U, P] = gpu_lu (A, varargin)

  if (nargin < 1 || nargin > 2)
    print_usage ();
  elseif (nargin == 2)
    __lu_option__ ("gpu_lu", varargin{1});
  endif

  ## Octave's own takes a NaN for less than any number.
  if (__gpu_call__ ("tiny", A) && all (isfinite (A(:))))
    if (nargout < 2)
      L = lu (A);
    elseif (nargout < 3)
      [L, U] = lu (A);
    else
      [L, U, P] = lu (A, varargin{:});
    endif
    return;
  endif

  if (ischar (A))
    error ("gpu_lu: invalid conversion from string to real matrix");
  endif
  A = array_operand ("gpu_lu", A, "A");
  [m, n, pages] = size (A);
  if (isempty (A) && ndims (A) < 3)
    L = U = P = [];
    return;
  endif

  k = min (m, n);
  forms = {"packed", "packed", "permuted", "split"};
  form = forms{1 + nargout};
  if (nargout < 2)
    L = fresh_array (size (A), class (A), iscomplex (A));
  else
    L = fresh_array ([m, k, pages], class (A), iscomplex (A));
    U = fresh_array ([k, n, pages], class (A), iscomplex (A));
  endif
  if (isempty (A))
    p = repmat ((1:m)', [1, 1, pages]);
  elseif (nargout < 2)
    p = __gpu__ ("lu", A, form, L);
  else
    p = __gpu__ ("lu", A, form, L, U);
  endif

  if (iscomplex (L))
    L = L(:,:,:);   # an index expression narrows to real, and copies nothing
  endif
  if (nargout > 1 && iscomplex (U))
    U = U(:,:,:);
  endif
  if (nargin == 2)
    P = p;
  elseif (nargout > 2)
    P = permutations (p);
  endif

endfunction

## The permutation matrix with P(i,p(i)) = 1, or one for each page.
function P = permutations (p)

  [m, ~, pages] = size (p);
  if (ndims (p) < 3)
    P = eye (m)(p,:);
    return;
  endif
  P = zeros (m, m, pages);
  for k = 1:pages
    P(:,:,k) = eye (m)(p(:,1,k),:);
  endfor

endfunction

%!demo
%! ## Heat flows along a rod that moves: factor the matrix of an implicit time
%! ## step once, and take 200 steps with the factors.
%! n = 300;
%! A = full (gallery ("tridiag", n, -1.2, 2, -0.8));
%! [L, U, p] = gpu_lu (eye (n) + 0.5 * A, "vector");
%! x = double (1:n == 20)';
%! for step = 1:200
%!   x = U \ (L \ x(p));
%! endfor
%! [~, at] = max (x);
%! printf ("the peak moved from 20 to %d, %.1f %% of the heat is there\n", ...
%!         at, 100 * sum (x));

## Well conditioned matrices of any class.
%!function A = sample (sz, cls, is_complex)
%!  A = randn (sz, cls);
%!  if (is_complex)
%!    A = complex (A, randn (sz, cls));
%!  endif
%!endfunction

## All forms of the factors of A, one page.
%!function check (A)
%!  [m, n] = size (A);
%!  k = min (m, n);
%!  [L, U, P] = gpu_lu (A);
%!  assert (size (L), [m, k]);
%!  assert (size (U), [k, n]);
%!  assert ({class(L), class(U), class(P)}, {class(A), class(A), "double"});
%!  assert (iscomplex (U), iscomplex (A));
%!  assert (P' * P, eye (m));
%!  assert (tril (L), L);
%!  assert (L(1:m+1:m*k)(:), ones (k, 1, class (A)));
%!  assert (triu (U), U);
%!  assert (all (abs (L(:)) <= sqrt (1 + iscomplex (A)) * (1 + 4 * eps)));
%!  unit = (k + 2) * eps (class (A)) * norm (L, 1) * norm (U, 1);
%!  assert (norm (P * A - L * U, 1) <= unit);
%!  [M, V] = gpu_lu (A);
%!  assert (V, U);
%!  assert (M, P' * L);
%!  [M, V, p] = gpu_lu (A, "vector");
%!  assert ({M, V}, {L, U});
%!  assert (size (p), [m, 1]);
%!  assert (eye (m)(p,:), P);
%!  E = zeros (m, n);
%!  E(1:m+1:m*k) = 1;
%!  Y = gpu_lu (A);
%!  assert (size (Y), [m, n]);
%!  assert (triu (Y), [U; zeros(m - k, n)]);
%!  assert (tril (Y, -1), [tril(L, -1), zeros(m, n - k)]);
%!endfunction

## All types and shapes, sizes around the block sizes.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     for sz = {[1, 1], [2, 2], [3, 5], [5, 3], [17, 16], [31, 33], [64, 64], ...
%!               [65, 63], [1, 40], [40, 1], [129, 128], [127, 200], [257, 100]}
%!       check (sample (sz{1}, cls{1}, is_complex));
%!     endfor
%!   endfor
%! endfor

## The same with the smallest blocks.
%!test
%! randn ("twister", 42);
%! leaf = __gpu__ ("set", "leaf", 4);
%! unwind_protect
%!   for is_complex = [false, true]
%!     for sz = {[5, 5], [9, 8], [17, 33], [37, 20], [41, 41]}
%!       check (sample (sz{1}, "double", is_complex));
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   __gpu__ ("set", "leaf", leaf);
%! end_unwind_protect

## Pages: each as if it were alone.
%!test
%! randn ("twister", 42);
%! for sz = {[2, 2, 3], [40, 30, 2], [33, 70, 4], [130, 130, 2], [5, 5, 1, 1]}
%!   A = sample (sz{1}, "double", true);
%!   [L, U, P] = gpu_lu (A);
%!   [M, V, p] = gpu_lu (A, "vector");
%!   Y = gpu_lu (A);
%!   assert ({M, V}, {L, U});
%!   for k = 1:size (A, 3)
%!     assert (size (p(:,:,k)), [rows(A), 1]);
%!     assert (P(:,:,k), full (eye (rows (A))(p(:,1,k),:)));
%!     unit = columns (A) * eps * norm (L(:,:,k), 1) * norm (U(:,:,k), 1);
%!     assert (norm (A(p(:,1,k),:,k) - L(:,:,k) * U(:,:,k), 1) <= unit);
%!     assert (triu (Y(:,:,k))(1:rows (U),:), U(:,:,k));
%!   endfor
%! endfor

## Singular matrices are factored, too.
%!test
%! for A = {zeros(40), ones(50), zeros(40, 3), [1, 2; 2, 4], ones(3, 40), ...
%!          magic(36)}
%!   [L, U, P] = gpu_lu (A{1});
%!   assert (P * A{1}, L * U, 1e-10);
%! endfor

## NaN and Inf: the call returns.
%!test
%! for x = [NaN, Inf]
%!   for n = [2, 33, 150]
%!     A = eye (n) + 1;
%!     A(n,1) = x;
%!     [L, U, P] = gpu_lu (A);
%!     assert (find (P(1,:)), n);
%!     assert (any (! isfinite (U(:))));
%!     gpu_lu (x * ones (n));
%!   endfor
%! endfor

## Empty, as in Octave; empty pages keep their shape.
%!test
%! for A = {[], zeros(0, 3), zeros(3, 0), single([]), sparse(0, 0)}
%!   [L, U, P] = gpu_lu (A{1});
%!   assert ({L, U, P}, {[], [], []});
%!   assert (gpu_lu (A{1}), []);
%! endfor
%! [L, U, P] = gpu_lu (zeros (3, 2, 0));
%! assert ({size(L), size(U), size(P)}, {[3, 2, 0], [2, 2, 0], [3, 3, 0]});
%! [L, U, p] = gpu_lu (zeros (3, 0, 2), "vector");
%! assert ({size(L), size(U), size(p)}, {[3, 0, 2], [0, 0, 2], [3, 1, 2]});

## Integers and logicals become double; special and sparse matrices are full.
%!test
%! for f = {@int8, @uint64, @double, @(x) x > 3, @sparse}
%!   [L, U, P] = gpu_lu (f{1} ([1, 2; 4, 4]));
%!   [M, V, Q] = lu (double (full (f{1} ([1, 2; 4, 4]))));
%!   assert ({L, U, P}, {M, V, Q});
%!   assert (issparse (L), false);
%! endfor
%! [L, U, P] = gpu_lu (eye (40)(:,[2:40, 1]));
%! assert ({L, U}, {full(eye (40)), full(eye (40))});
%! assert (typeinfo (P), "permutation matrix");

%!assert (isreal (gpu_lu (complex (magic (40)))))
%!assert (nthargout (1, 2, @gpu_lu, 3i), 1)

## Nothing stays on the device.
%!test
%! before = __gpu__ ("live");
%! [L, U, P] = gpu_lu (magic (40));
%! Y = gpu_lu (magic (40));
%! assert (__gpu__ ("live"), before);

%!testif ; gpuDeviceCount () > 0
%! randn ("twister", 42);
%! check (randn (2100));
%! check (randn (1500, 2100, "single"));

%!error <Invalid call to gpu_lu> gpu_lu ()
%!error <Invalid call to gpu_lu> gpu_lu (1, "vector", 1)
%!error <called with too many outputs> [L, U, P, Q] = gpu_lu (1)
%!error <^gpu_lu: unrecognized string argument$> gpu_lu (1, "x")
%!error <^gpu_lu: can not define pivoting threshold THRESH for full matrices$>
%! gpu_lu (1, 0.5);
%!error <^gpu_lu: wrong type argument 'cell'$> gpu_lu ({1})
%!error <^gpu_lu: invalid conversion from string to real matrix$> gpu_lu ("a")
%!error <A must have at most three dimensions, but is 2 x 2 x 2 x 3$>
%! gpu_lu (ones (2, 2, 2, 3));
