## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{R} =} gpu_chol (@var{A})
## @deftypefnx {} {[@var{R}, @var{p}] =} gpu_chol (@var{A})
## @deftypefnx {} {[@dots{}] =} gpu_chol (@var{A}, "upper")
## @deftypefnx {} {[@var{L}, @dots{}] =} gpu_chol (@var{A}, "lower")
## @deftypefnx {} {[@dots{}] =} gpu_chol (@dots{}, "precision", @var{prec})
## Compute the Cholesky factor of the symmetric or Hermitian positive definite
## matrix @var{A} on the GPU, or on the host where no GPU can be used.
##
## By default, and with @qcode{"upper"}, @var{R} is upper triangular with
## a positive diagonal and
##
## @example
## @var{R}' * @var{R} = @var{A}
## @end example
##
## @noindent
## and only the upper triangle of @var{A} is read.  With @qcode{"lower"} the
## result is lower triangular, @code{@var{L} * @var{L}' = @var{A}}, and only
## the lower triangle is read.  The imaginary part of the diagonal is ignored.
## The options are not case sensitive, and the last one counts.
##
## @strong{Shapes.}  @var{A} is N x N, or N x N x K for K matrices, of which
## each is factored by itself.  @var{R} has the size of @var{A}.
##
## @strong{Classes.}  @var{A} is single or double, real or complex, and
## @var{R} has its class.  Integer and logical matrices are converted to
## double.  A sparse matrix is computed as a dense one, and @var{R} is a full
## matrix; the option @qcode{"vector"} is taken for a sparse matrix and changes
## nothing.  As everywhere in Octave, a complex result with no imaginary part
## becomes real.
##
## @strong{Errors.}  With one output, a matrix that is not positive definite
## is an error, which names the first such page if there are several.  With
## two outputs it is none: @var{p} is 0 where the matrix is positive definite,
## else the number of the pivot that is not positive.  For one matrix,
## @var{R} is then the factor of the leading part
## @code{@var{A}(1:@var{p}-1, 1:@var{p}-1)}.  For pages, @var{p} is
## 1 x 1 x K, and a failing page of @var{R} holds this factor, with zeros in
## the rows and columns from its @var{p} on.
##
## @strong{Accuracy.}  The backward error is as small as LAPACK's: the norm of
## @code{@var{R}' * @var{R} - @var{A}} is below a small multiple of
## @code{N * eps * norm (@var{A})}, with the @code{eps} of the class of
## @var{A}.  The same call gives the same bits each time on one machine.  GPU
## and host agree but for rounding.
##
## @strong{Precision.}  Large single matrices are computed by tensor cores
## where the GPU has those of compute capability 9.0: by default so that the
## error stays that of single precision, with @qcode{"ieee"} in units of single
## and double precision alone, with @qcode{"tf32"} and @qcode{"fast"} with some
## 10 bits in each product, which makes the backward error some 1,000 times as
## large.  A matrix that is nearly not positive definite may then fail.  With
## @qcode{"mixed"}, large double matrices are computed likewise, as the
## start of an iteration, say: as with @qcode{"fast"}, and where a pivot fails
## again as single by default, and where that fails as double.  All other
## matrices are computed in their own precision.
##
## @strong{Example.}
##
## @example
## @group
## A = [4, 2; 2, 5];
## R = gpu_chol (A)
##   @result{} R =
##         2   1
##         0   2
## @end group
## @end example
##
## @strong{Algorithm.}  Recursive Cholesky factorization: factor the first
## half, solve for the block beside it, update the second half, and factor
## that.  See F. G. Gustavson, @cite{Recursion leads to automatic variable
## blocking for dense linear-algebra algorithms}, IBM Journal of Research and
## Development 41 (1997), and B. S. Andersen, F. G. Gustavson, J. Wasniewski,
## @cite{A recursive formulation of Cholesky factorization of a matrix in
## packed storage}, ACM Transactions on Mathematical Software 27 (2001).
## Large matrices are factored by panels in an order that overlaps them
## with products (look-ahead), single ones by half precision products of split
## numbers.
## @seealso{chol, gpuDevice, gpuDeviceCount}
## @end deftypefn

function [R, p, Q] = gpu_chol (A, varargin)

  if (nargin == 1 && nargout < 3 && __gpu_call__ ("tiny_square", A))
    [R, p] = chol (A);
    R = full (R);
    if (p > 0 && nargout < 2)
      error ("gpu_chol: input matrix must be positive definite");
    endif
    return;
  elseif (nargin < 1)
    print_usage ();
  elseif (nargout == 3 && issparse (A))
    error (["gpu_chol: the permutation of a sparse matrix is not " ...
            "computed; use chol"]);
  elseif (nargout == 3)
    error (["gpu_chol: using three output arguments, matrix A must be " ...
            "sparse"]);
  endif

  [uplo, is_vector, precision] = __chol_options__ ("gpu_chol", varargin{:});

  ## An object may call itself empty, but is of a wrong type.
  if (isempty (A) && ! isobject (A))
    [R, p] = empty_factor (A);
    return;
  endif

  if (is_vector && ! issparse (A))
    error ('gpu_chol: A must be sparse for the "vector" option');
  elseif (ischar (A))
    error ("gpu_chol: invalid conversion from string to real matrix");
  elseif (! (isnumeric (A) || islogical (A)))
    error ("gpu_chol: wrong type argument '%s'", typeinfo (A));
  elseif (rows (A) != columns (A))
    error ("gpu_chol: requires square matrix");
  elseif (ndims (A) > 3)
    error ("gpu_chol: A must be N x N or N x N x K, but is %s",
           sprintf ("%d x ", size (A))(1:end-3));
  endif

  if (any (strcmp (precision, {"tf32", "fp16"})) && ! isa (A, "single"))
    error ('gpu_chol: the precisions "tf32" and "fast" are for single matrices');
  endif

  A = full (A);
  if (! isfloat (A))
    A = double (A);   # __gpu__ takes an integer for a device array
  endif

  R = fresh_array (size (A), class (A), iscomplex (A));
  if (isempty (precision))
    p = __gpu__ ("chol", A, uplo, R);
  else
    p = __gpu__ ("chol", A, uplo, R, precision);
  endif

  failed = p > 0;
  if (any (failed))
    if (nargout < 2 && isscalar (p))
      error ("gpu_chol: input matrix must be positive definite");
    elseif (nargout < 2)
      error ("gpu_chol: input matrix must be positive definite (page %d)",
             find (failed, 1));
    elseif (isscalar (p))
      R = R(1:p-1, 1:p-1);
    else
      at = 1:rows (R);
      F = R(:,:,failed);
      F(max (at', at) >= p(:,:,failed)) = 0;
      R(:,:,failed) = F;
    endif
  endif

  if (iscomplex (R))
    R = R(:,:,:);   # an index expression narrows to real, and copies nothing
  endif

endfunction

## Octave's chol gives a 0 x 0 matrix for anything empty, of any type.  Empty
## pages keep their shape, and single stays single.
function [R, p] = empty_factor (A)

  sz = size (A);
  if (numel (sz) != 3 || sz(1) != sz(2))
    sz = [0, 0, 1];
  endif
  class_R = "double";
  if (isa (A, "single"))
    class_R = "single";
  endif
  R = zeros (sz, class_R);
  p = zeros (1, 1, sz(3));

endfunction

%!demo
%! ## Random paths with a given covariance: if C = L * L', the covariance of
%! ## L * randn (n, 1) is C.
%! t = linspace (0, 1, 400)';
%! C = exp (-abs (t - t') / 0.2);
%! L = gpu_chol (C, "lower");
%! printf ("norm (L * L' - C, 1) = %.2g\n", norm (L * L' - C, 1));
%! plot (t, L * randn (400, 5));
%! xlabel ("time");
%! title ("Five paths with covariance exp (-|t - s| / 0.2)");

%!demo
%! ## The time beside that of Octave's chol, from and to the host.
%! n = [100, 200, 400, 800, 1600];
%! ms = Inf (2, numel (n));
%! for k = 1:numel (n)
%!   A = gallery ("minij", n(k));
%!   for trial = 1:3
%!     tic ();
%!     gpu_chol (A);
%!     ms(1,k) = min (ms(1,k), 1000 * toc ());
%!     tic ();
%!     chol (A);
%!     ms(2,k) = min (ms(2,k), 1000 * toc ());
%!   endfor
%! endfor
%! printf ("n = %4d: gpu_chol %8.3f ms, chol %8.3f ms\n", [n; ms]);
%! loglog (n, ms, "-o");
%! xlabel ("n");
%! ylabel ("time in ms");
%! legend ("gpu\\_chol", "chol", "location", "northwest");

## Test matrices: positive definite, well conditioned, any class.
%!function A = spd (n, cls, is_complex, pages = 1)
%!  A = zeros ([n, n, pages], cls);
%!  for k = 1:pages
%!    B = randn (n);
%!    if (is_complex)
%!      B = complex (B, randn (n));
%!    endif
%!    B = B' * B / n + eye (n);
%!    A(:,:,k) = (B + B') / 2;
%!  endfor
%!endfunction

## The factor must be triangular with a real, positive diagonal, have the
## class of A, and reproduce A.  In units of n*eps*norm, the bound is 1 plus
## what the smallest sizes need.
%!function check (R, A, uplo)
%!  n = rows (A);
%!  assert (class (R), class (A));
%!  assert (iscomplex (R), iscomplex (A));
%!  d = diag (R);
%!  assert (isreal (d) || ! any (imag (d)));
%!  assert (all (real (d) > 0));
%!  if (strcmp (uplo, "upper"))
%!    assert (nnz (tril (R, -1)), 0);
%!    H = R' * R;
%!  else
%!    assert (nnz (triu (R, 1)), 0);
%!    H = R * R';
%!  endif
%!  unit = (n + 2) * eps (class (A)) * norm (A, "fro");
%!  assert (norm (H - A, "fro") / unit <= 1);
%!endfunction

## The triangle that must not be read, filled with NaN.
%!function A = spoil (A, uplo)
%!  if (strcmp (uplo, "upper"))
%!    A(repmat (tril (true (rows (A)), -1), [1, 1, size(A, 3)])) = NaN;
%!  else
%!    A(repmat (triu (true (rows (A)), 1), [1, 1, size(A, 3)])) = NaN;
%!  endif
%!endfunction

%!assert (gpu_chol ([4, 2; 2, 5]), [2, 1; 0, 2], 4 * eps)
%!assert (gpu_chol ([4, 2; 2, 5], "lower"), [2, 0; 1, 2], 4 * eps)
%!assert (gpu_chol (4), 2)
%!assert (gpu_chol (single (4)), single (2))
%!assert (gpu_chol (Inf), Inf)

## All types, both triangles, sizes around the block sizes, with garbage in
## the triangle that must not be read; the same as Octave's chol.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     for n = [1, 2, 3, 5, 17, 63, 64, 65, 127, 128, 129, 131, 257]
%!       A = spd (n, cls{1}, is_complex && n > 1);
%!       tol = 10 * n * eps (cls{1});
%!       for uplo = {"upper", "lower"}
%!         [R, p] = gpu_chol (spoil (A, uplo{1}), uplo{1});
%!         assert (p, 0);
%!         check (R, A, uplo{1});
%!         C = chol (A, uplo{1});
%!         assert (norm (R - C, "fro") <= tol * norm (C, "fro"));
%!       endfor
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
%!         A = spd (n, cls{1}, is_complex);
%!         for uplo = {"upper", "lower"}
%!           check (gpu_chol (spoil (A, uplo{1}), uplo{1}), A, uplo{1});
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   __gpu__ ("set", "leaf", leaf);
%! end_unwind_protect

## p at the first, a middle and the last pivot, and the leading factor.
%!test
%! randn ("twister", 42);
%! for leaf = [0, 4]
%!   old = __gpu__ ("set", "leaf", leaf);
%!   unwind_protect
%!     for cls = {"single", "double"}
%!       for is_complex = [false, true]
%!         for n = [1, 2, 3, 5, 17, 64, 65, 131, 257]
%!           for q = unique ([1, ceil(n / 2), n])
%!             A = spd (n, cls{1}, is_complex && n > 1);
%!             A(q,q) = -1;
%!             for uplo = {"upper", "lower"}
%!               [R, p] = gpu_chol (A, uplo{1});
%!               assert (p, q);
%!               assert (size (R), [q - 1, q - 1]);
%!               if (q > 2)
%!                 check (R, A(1:q-1,1:q-1), uplo{1});
%!               endif
%!             endfor
%!           endfor
%!         endfor
%!       endfor
%!     endfor
%!   unwind_protect_cleanup
%!     __gpu__ ("set", "leaf", old);
%!   end_unwind_protect
%! endfor

## The first failure counts.
%!test
%! A = eye (300);
%! A(70,70) = A(71,71) = A(299,299) = -1;
%! [R, p] = gpu_chol (A);
%! assert (p, 70);
%! assert (R, eye (69));

## A singular matrix fails where its pivot is zero.
%!test
%! [R, p] = gpu_chol (ones (2));
%! assert (p, 2);
%! assert (R, 1);
%! [R, p] = gpu_chol (zeros (2));
%! assert (p, 1);
%! assert (R, zeros (0, 0));

## Pages.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     for n = [1, 2, 5, 33, 65]
%!       A = spd (n, cls{1}, is_complex && n > 1, 3);
%!       for uplo = {"upper", "lower"}
%!         [R, p] = gpu_chol (spoil (A, uplo{1}), uplo{1});
%!         assert (size (R), [n, n, 3]);
%!         assert (p, zeros (1, 1, 3));
%!         for k = 1:3
%!           check (R(:,:,k), A(:,:,k), uplo{1});
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! endfor

## A failing page holds the leading factor and zeros; the others are whole.
%!test
%! randn ("twister", 42);
%! n = 40;
%! for is_complex = [false, true]
%!   for uplo = {"upper", "lower"}
%!     A = spd (n, "double", is_complex, 5);
%!     A(1,1,2) = A(30,30,4) = A(n,n,5) = -1;
%!     [R, p] = gpu_chol (A, uplo{1});
%!     assert (p, reshape ([0, 1, 0, 30, n], 1, 1, 5));
%!     check (R(:,:,1), A(:,:,1), uplo{1});
%!     assert (R(:,:,2), zeros (n));
%!     check (R(:,:,3), A(:,:,3), uplo{1});
%!     check (R(1:29,1:29,4), A(1:29,1:29,4), uplo{1});
%!     assert (nnz (R(30:n,:,4)) + nnz (R(:,30:n,4)), 0);
%!     check (R(1:n-1,1:n-1,5), A(1:n-1,1:n-1,5), uplo{1});
%!     assert (nnz (R(n,:,5)) + nnz (R(:,n,5)), 0);
%!   endfor
%! endfor

## Many small pages.
%!test
%! A = repmat ([4, 2; 2, 5], [1, 1, 70000]);
%! A(2,2,69999) = 0;
%! [R, p] = gpu_chol (A);
%! assert (R(:,:,[1, 70000]), repmat ([2, 1; 0, 2], [1, 1, 2]), 4 * eps);
%! assert (find (p), 69999);
%! assert (p(69999), 2);
%! assert (R(:,:,69999), [2, 0; 0, 0], 4 * eps);

## Empty: anything empty gives 0 x 0, empty pages keep their shape.
%!test
%! for A = {[], zeros(0, 3), zeros(3, 0), {}, "", sparse(0, 0), int8([]), ...
%!          struct([]), zeros(2, 3, 0)}
%!   [R, p] = gpu_chol (A{1});
%!   assert (R, zeros (0, 0));
%!   assert (p, 0);
%! endfor
%!test
%! [R, p] = gpu_chol (zeros (3, 3, 0));
%! assert (R, zeros (3, 3, 0));
%! assert (p, zeros (1, 1, 0));
%! [R, p] = gpu_chol (zeros (0, 0, 3));
%! assert (R, zeros (0, 0, 3));
%! assert (p, zeros (1, 1, 3));
%!assert (class (gpu_chol (single ([]))), "single")

## Integers and logicals become double; p is double whatever the class.
%!test
%! for f = {@int8, @uint8, @int16, @uint16, @int32, @uint32, @int64, @uint64}
%!   assert (gpu_chol (f{1} ([4, 2; 2, 5])), [2, 1; 0, 2], 4 * eps);
%! endfor
%!assert (gpu_chol (uint64 (4)), 2)
%!assert (gpu_chol (true), 1)
%!assert (gpu_chol (logical (eye (3))), eye (3))
%!test
%! [~, p] = gpu_chol (single ([4, 2; 2, 5]));
%! assert (class (p), "double");

## Sparse, range, diagonal and permutation matrices.
%!test
%! R = gpu_chol (sparse ([4, 2; 2, 5]), "vector");
%! assert (issparse (R), false);
%! assert (R, [2, 1; 0, 2], 4 * eps);
%! [R, p] = gpu_chol (sparse ([1, 2; 2, 1]));
%! assert (R, 1);
%! assert (p, 2);
%!assert (gpu_chol (5:5), sqrt (5), eps (5))
%!assert (gpu_chol (4 * eye (3)), full (2 * eye (3)))
%!assert (gpu_chol (single (4) * eye (3)), single (full (2 * eye (3))))
%!error <input matrix must be positive definite> gpu_chol (eye (2)(:,[2, 1]))

## Only one triangle is read, and the imaginary part of the diagonal is not.
%!assert (gpu_chol ([1, 2; 0, 5]), [1, 2; 0, 1])
%!assert (gpu_chol ([1, 0; 2, 5], "lower"), [1, 0; 2, 1])
%!assert (gpu_chol ([1+3i, 2; 2, 5]), [1, 2; 0, 1])
%!assert (gpu_chol (4 + 1i), 2)
%!test
%! A = [4, 1i; 1i, 5];
%! assert (gpu_chol (A), chol (A), 4 * eps);
%! assert (gpu_chol (A, "lower"), chol (A, "lower"), 4 * eps);

## A complex result without imaginary part is real.
%!assert (isreal (gpu_chol (complex ([4, 2; 2, 5]))))
%!assert (isreal (gpu_chol (complex ([4, 2; 2, 5], [0, 0; 1, 0]))))
%!assert (iscomplex (gpu_chol ([4, 1i; -1i, 5])))

## NaN is not a failure, it spreads.
%!test
%! [R, p] = gpu_chol (NaN);
%! assert (R, NaN);
%! assert (p, 0);
%! [R, p] = gpu_chol ([4, NaN; NaN, 3]);
%! assert (p, 0);
%! assert (R, [2, NaN; 0, NaN]);

## The last option counts, in any case.
%!assert (gpu_chol ([4, 2; 2, 5], "LOWER", "Upper"), [2, 1; 0, 2], 4 * eps)
%!assert (gpu_chol ([4, 2; 2, 5], "upper", "LoweR"), [2, 0; 1, 2], 4 * eps)

## Results are independent of each other and of the input, and repeatable.
%!test
%! randn ("twister", 42);
%! for n = [1, 2, 70]
%!   A = spd (n, "double", false);
%!   A_before = A + 0;
%!   R = gpu_chol (A);
%!   R_before = R + 0;
%!   S = gpu_chol (4 * A);
%!   assert (A, A_before);
%!   assert (R, R_before);
%!   assert (S, 2 * R, 4 * eps * norm (R));
%!   assert (gpu_chol (A), R);
%!   assert (zeros (n), 0 * ones (n));
%! endfor

## Nothing stays on the device.
%!test
%! before = __gpu__ ("live");
%! gpu_chol (eye (20));
%! [~, p] = gpu_chol (-eye (20));
%! assert (__gpu__ ("live"), before);

%!testif ; gpuDeviceCount () > 0
%! randn ("twister", 42);
%! n = 4100;
%! A = randn (n);
%! A = A' * A / n + eye (n);
%! check (gpu_chol (spoil (A, "upper")), A, "upper");
%! check (gpu_chol (single (A), "lower"), single (A), "lower");

%!error <Invalid call to gpu_chol> gpu_chol ()
%!error <called with too many outputs> [R, p, Q, x] = gpu_chol (1)
%!error <^gpu_chol: input matrix must be positive definite$> gpu_chol (0)
%!error <^gpu_chol: input matrix must be positive definite$> gpu_chol (-4)
%!error <^gpu_chol: input matrix must be positive definite$> gpu_chol (-Inf)
%!error <^gpu_chol: input matrix must be positive definite$> gpu_chol (1i)
%!error <^gpu_chol: input matrix must be positive definite$>
%! gpu_chol (-eye (3));
%!error <^gpu_chol: input matrix must be positive definite \(page 3\)$>
%! gpu_chol (cat (3, 1, 4, -1, 9, -1));
%!error <^gpu_chol: requires square matrix$> gpu_chol (ones (2, 3))
%!error <^gpu_chol: requires square matrix$> gpu_chol (1:3)
%!error <^gpu_chol: requires square matrix$> gpu_chol (ones (2, 3, 2))
%!error <A must be N x N or N x N x K, but is 2 x 2 x 2 x 3$>
%! gpu_chol (ones (2, 2, 2, 3));
%!error <^gpu_chol: wrong type argument 'cell'$> gpu_chol ({1})
%!error <^gpu_chol: wrong type argument 'scalar struct'$> gpu_chol (struct ())
%!error <^gpu_chol: wrong type argument 'function handle'$> gpu_chol (@sin)
%!error <^gpu_chol: invalid conversion from string to real matrix$>
%! gpu_chol ("a");
%!error <^gpu_chol: optional arguments must be strings$> gpu_chol (1, 1)
%!error <must be one of "vector", "lower", or "upper"$> gpu_chol (1, "lowr")
%!error <the precision must be "default", "ieee", "tf32", "fast" or "mixed"$>
%! gpu_chol (1, "precision", "half");
%!error <gpu_chol: the precision must be> gpu_chol (1, "precision")
%!error <gpu_chol: the precision must be> gpu_chol (1, "precision", 1)
%!error <"tf32" and "fast" are for single matrices$>
%! gpu_chol (1, "precision", "fast");
%!test
%! A = single (hilb (40) + eye (40));
%! [L, p] = gpu_chol (A, "Precision", "IEEE", "lower");
%! assert (L * L', A, 20 * eps ("single"));
%! assert (p, 0);
%! for precision = {"default", "tf32", "fast", "mixed"}
%!   R = gpu_chol (A, "precision", precision{1});
%!   assert (R' * R, A, 2e-3);
%! endfor
%!error <must be one of "vector", "lower", or "upper"$> gpu_chol ([], "")
%!error <^gpu_chol: A must be sparse for the "vector" option$>
%! gpu_chol (1, "vector");
%!error <^gpu_chol: using three output arguments, matrix A must be sparse$>
%! [R, p, Q] = gpu_chol (1);
%!error <permutation of a sparse matrix is not computed; use chol$>
%! [R, p, Q] = gpu_chol (speye (2));
