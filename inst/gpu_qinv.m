## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} gpu_qinv (@var{A})
## @deftypefnx {} {[@var{X}, @var{rcond}] =} gpu_qinv (@var{A})
## Compute the inverse of the square quaternion matrix @var{A}, or that of each
## page, on the GPU, or on the host where no GPU can be used.
##
## @var{rcond} is the reciprocal of the condition number, in the 1-norm of the
## complex adjoint: near 1 for a well conditioned matrix, 0 for a singular one.
## It is computed as by @code{gpu_inv}.
##
## @strong{Shapes.}  @var{A} is N x N x 4, the planes w, x, y, z of N x N
## quaternions, or N x N x 4 x K for K pages, on the host; a gpuArray of
## N x N x 4; or an object with the fields w, x, y, z, as that of the package
## quaternion.  @var{X} has the size and the form of @var{A}.  @var{rcond} is on
## the host, a scalar, or 1 x 1 x K; it is Inf for an empty matrix.
##
## @strong{Classes.}  @var{A} is single or double, and @var{X} and @var{rcond}
## have its class.  A logical array becomes double.
##
## @strong{Warnings.}  The inverse of a singular matrix is Inf in all
## components.  With one output, a warning says so, with Octave's identifier
## @code{Octave:singular-matrix}.  If @code{1 + @var{rcond}} is 1 in the class
## of @var{A}, or NaN, a warning with the identifier
## @code{Octave:nearly-singular-matrix} shows @var{rcond}.  For pages there is
## one warning, which names the first such page.  With two outputs there is
## none.
##
## @strong{Errors.}  It is an error if @var{A} is not square, if its third
## dimension is not 4, if there are more than four, or if @var{A} is complex, of
## an integer class or not numeric.  A real matrix is none of quaternions.
##
## @strong{Accuracy.}  That of @code{gpu_inv} for a matrix of 2*N rows.  Rows
## are exchanged where a pivot is zero or small, and inverses of permutations
## are exact.
##
## @strong{Example.}
##
## @example
## @group
## X = gpu_qinv (qpack ([0, 0, 0, 2]));
## qunpack (X)
##   @result{} 0        0        0  -0.5000
## @end group
## @end example
##
## @strong{Algorithm.}  @code{gpu_inv} of the complex adjoint, the matrix
## @code{[w+x*i, y+z*i; -y+z*i, w-x*i]}, whose inverse is the adjoint of
## @var{X}: F. Zhang, @cite{Quaternions and matrices of quaternions}, Linear
## Algebra and its Applications 251 (1997).
## @seealso{gpu_inv, gpu_qtimes, gpu_qnorm}
## @end deftypefn

function [X, rcond] = gpu_qinv (A)

  if (nargin < 1)
    print_usage ();
  endif
  [P, form] = quaternion_planes ("gpu_qinv", A, "A");
  [n, columns_P, ~, pages] = size (P);
  if (n != columns_P)
    error ("gpu_qinv: A must be a square quaternion matrix, but is %d x %d",
           n, columns_P);
  endif

  if (isempty (P))
    X = quaternion_as (P, form);
    rcond = Inf ([1, 1, pages], classUnderlying (P));
    return;
  elseif (nargout < 2)
    C = gpu_inv (quaternion_adjoint (P));
  else
    [C, rcond] = gpu_inv (quaternion_adjoint (P));
  endif

  ## The upper half of an adjoint has all of it.
  a = C(1:n,1:n,:);
  b = C(1:n,n+1:2*n,:);
  P = quaternion_join (real (a), imag (a), real (b), imag (b));

  ## gpu_inv gives Inf with an imaginary part of zero for a singular matrix.
  if (! isa (P, "gpuArray"))
    P(:,:,:,all (all (isinf (C), 1), 2)(:)) = Inf;
  elseif (gather (all (isinf (C)(:))))
    P(:) = Inf;
  endif
  X = quaternion_as (P, form);

endfunction

%!function C = product (A, B)
%!  C = zeros (rows (A), columns (B), 4);
%!  for m = 1:rows (A)
%!    for n = 1:columns (B)
%!      for k = 1:columns (A)
%!        C(m,n,:) += gpu_qtimes (double (A(m,k,:)), double (B(k,n,:)));
%!      endfor
%!    endfor
%!  endfor
%!endfunction

## Both products with A are the unit matrix.
%!function check (X, rcond, A)
%!  n = rows (A);
%!  assert (class (X), class (A));
%!  assert (class (rcond), class (A));
%!  assert (size (X), size (A));
%!  unit = cat (3, eye (n), zeros (n, n, 3));
%!  tol = 20 * (n + 1) * eps (class (A)) * gpu_qnorm (A) * gpu_qnorm (X);
%!  assert (gpu_qnorm (product (A, X) - unit) <= tol);
%!  assert (gpu_qnorm (product (X, A) - unit) <= tol);
%!  assert (rcond > 0 && rcond <= 1 + tol);
%!endfunction

## The result of CODE with the texts and the last identifier of its warnings.
%!function [X, shown, id] = warned (A)
%!  lastwarn ("", "");
%!  quiet = warning ("query", "quiet").state;   # "on" in pkg test
%!  warning ("off", "quiet");
%!  unwind_protect
%!    shown = evalc ("X = gpu_qinv (A);");
%!  unwind_protect_cleanup
%!    warning (quiet, "quiet");
%!  end_unwind_protect
%!  [~, id] = lastwarn ();
%!endfunction

%!assert (qunpack (gpu_qinv (qpack ([0, 0, 0, 2]))), [0, 0, 0, -0.5])
%!assert (qunpack (gpu_qinv (qpack ([1, 2, 3, 4]))), [1, -2, -3, -4] / 30, eps)

## Sizes, 3 and 4 among them, classes, the device.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for n = [1, 2, 3, 4, 5, 9]
%!     A = randn (n, n, 4, cls{1});
%!     [X, rcond] = gpu_qinv (A);
%!     check (X, rcond, A);
%!     assert (gpu_qinv (A), X, -1e4 * eps (cls{1}));
%!     [D, rcond] = gpu_qinv (gpuArray (A));
%!     assert (isa (D, "gpuArray"));
%!     check (gather (D), rcond, A);
%!   endfor
%! endfor

## Pages, of which one is singular.
%!test
%! randn ("twister", 42);
%! for n = [1, 2, 3, 4, 20]
%!   for pages = [2, 3, 4]
%!     A = randn (n, n, 4, pages);
%!     [X, rcond] = gpu_qinv (A);
%!     assert (size (rcond), [1, 1, pages]);
%!     for k = 1:pages * (n < 20)
%!       check (X(:,:,:,k), rcond(k), A(:,:,:,k));
%!     endfor
%!     A(1,:,:,2) = 0;
%!     [Y, rcond] = gpu_qinv (A);
%!     assert (all (isinf (Y(:,:,:,2)(:))));
%!     assert (rcond(:)' == 0, (1:pages) == 2);
%!     Y(:,:,:,2) = X(:,:,:,2);
%!     assert (Y, X, -1e6 * eps);
%!   endfor
%! endfor

## A pivot of zero: permutations, by units too, invert exactly.
%!test
%! X = gpu_qinv (cat (3, [0, 1; 1, 0], zeros (2, 2, 3)));
%! assert (X, cat (3, [0, 1; 1, 0], zeros (2, 2, 3)));
%! rand ("twister", 42);
%! for n = [2, 3, 4, 5, 40]
%!   for cls = {"single", "double"}
%!     p = randperm (n);
%!     for c = 1:4
%!       A = zeros (n, n, 4, cls{1});
%!       A(:,:,c) = eye (n)(p,:);
%!       [X, rcond] = gpu_qinv (A);
%!       assert (X, gpu_qctranspose (A));
%!       assert (rcond, ones (cls{1}), 2 * eps (cls{1}));
%!       assert (gather (gpu_qinv (gpuArray (A))), X);
%!     endfor
%!     u = ceil (4 * rand (n, 1));
%!     A = zeros (n, n, 4, cls{1});
%!     A(sub2ind (size (A), (1:n)', p(:), u)) = 1;
%!     assert (gpu_qinv (A), gpu_qctranspose (A));
%!   endfor
%! endfor

## The inverse of a product is the product of the inverses in the other order.
%!test
%! randn ("twister", 42);
%! A = randn (3, 3, 4);
%! B = randn (3, 3, 4);
%! want = product (gpu_qinv (B), gpu_qinv (A));
%! assert (gpu_qinv (product (A, B)), want, 1e-11);
%! want = gpu_qctranspose (gpu_qinv (A));
%! assert (gpu_qinv (gpu_qctranspose (A)), want, 1e-12);

## Singular ones: all Inf, and one warning, unless there are two outputs.  The
## second row of the last is i times the first.
%!test
%! dependent = [qpack([1, 0, 0, 0; 0, 0, 1, 0], 1, 2)
%!              qpack([0, 1, 0, 0; 0, 0, 0, 1], 1, 2)];
%! for A = {zeros(2, 2, 4), zeros(1, 1, 4), cat(3, ones(2), zeros(2, 2, 3)), ...
%!          zeros(3, 3, 4, "single"), dependent}
%!   for on_device = [false, true]
%!     B = A{1};
%!     if (on_device)
%!       B = gpuArray (B);
%!     endif
%!     [X, shown, id] = warned (B);
%!     if (on_device)
%!       assert (isa (X, "gpuArray"));
%!       X = gather (X);
%!     endif
%!     assert (X, Inf (size (A{1}), class (A{1})));
%!     assert (id, "Octave:singular-matrix");
%!     assert (numel (strfind (shown, "warning: matrix singular")), 1);
%!     lastwarn ("", "");
%!     [X, rcond] = gpu_qinv (B);
%!     assert (lastwarn (), "");
%!     assert (rcond, zeros (class (A{1})));
%!   endfor
%! endfor
%! [~, shown] = warned (cat (4, ones (1, 1, 4), zeros (1, 1, 4)));
%! assert (! isempty (strfind (shown, "(page 2)")));
%! [~, shown, id] = warned (cat (3, [1, 1; 1, 1+eps], zeros (2, 2, 3)));
%! assert (id, "Octave:nearly-singular-matrix");

## Empty
%!test
%! for sz = {[0, 0, 4], [0, 0, 4, 3], [2, 2, 4, 0]}
%!   [X, rcond] = gpu_qinv (zeros (sz{1}));
%!   assert (X, zeros (sz{1}));
%!   assert (rcond, Inf (1, 1, prod (sz{1}(4:end))));
%! endfor
%! [X, rcond] = gpu_qinv (zeros (0, 0, 4, "single"));
%! assert ({class(X), class(rcond)}, {"single", "single"});
%! assert (size (gpu_qinv (gpuArray (zeros (0, 0, 4)))), [0, 0, 4]);

%!assert (gpu_qinv (cat (3, eye (2), zeros (2, 2, 3)) > 0), ...
%!        cat (3, eye (2), zeros (2, 2, 3)))

## NaN and Inf: something is not finite or zero.
%!test
%! for x = [NaN, Inf]
%!   A = ones (3, 3, 4);
%!   A(2,1,3) = x;
%!   [X, rcond] = gpu_qinv (A);
%!   assert (! (rcond > eps));
%! endfor

## The object's own inverse of this one is NaN.
%!testif ; ! isempty (pkg ("list", "quaternion"))
%! pkg load quaternion
%! q = gpu_qinv (quaternion ([0, 1; 1, 0]));
%! assert (class (q), "quaternion");
%! assert ({q.w, q.x, q.y, q.z}, {[0, 1; 1, 0], zeros(2), zeros(2), zeros(2)});
%! q = quaternion (randn (4), randn (4), randn (4), randn (4));
%! unit = q * gpu_qinv (q);
%! assert (qunpack (unit), qunpack (quaternion (eye (4))), 1e-12);

%!error <Invalid call to gpu_qinv> gpu_qinv ()
%!error <called with too many inputs> gpu_qinv (1, 2)
%!error <called with too many outputs> [X, r, y] = gpu_qinv (ones (1, 1, 4))
%!error <^gpu_qinv: A must be a square quaternion matrix, but is 4 x 3$>
%! gpu_qinv (ones (4, 3, 4));
%!error <must be a square .* is 0 x 3$> gpu_qinv (zeros (0, 3, 4))
%!error <must be a square .* is 1 x 4$> gpu_qinv (gpuArray (ones (1, 4, 4)))
%!error <^gpu_qinv: A must be .* M x N x 4 planes .* but is 4 x 4$>
%! gpu_qinv (eye (4));
%!error <but is 4 x 4 x 3$> gpu_qinv (ones (4, 4, 3))
%!error <but is complex$> gpu_qinv (ones (1, 1, 4) * 1i)
%!error <but is of class int8$> gpu_qinv (ones (1, 1, 4, "int8"))
%!error <but is of class cell$> gpu_qinv ({1})
