## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} gpu_qgram (@var{A})
## Compute the product of the quaternion matrix @var{A} with its conjugate
## transpose, @math{A A^H}, or that of each page, on the GPU, or on the host
## where no GPU can be used.
##
## @var{C} is Hermitian exactly: it is equal to its own conjugate transpose, and
## x, y, z of its diagonal are zero.  It has the products of the rows of
## @var{A}; @code{gpu_qgram (gpu_qctranspose (@var{A}))} is @math{A^H A}.
##
## @strong{Shapes.}  @var{A} is M x N x 4, the planes w, x, y, z of M x N
## quaternions, or M x N x 4 x K for K pages, on the host; a gpuArray of
## M x N x 4; or an object with the fields w, x, y, z, as that of the package
## quaternion.  @var{C} has M x M quaternions in the form of @var{A}.
##
## @strong{Classes.}  @var{A} is single or double, and @var{C} has its class.  A
## logical array becomes double.
##
## @strong{Errors.}  It is an error if the third dimension of @var{A} is not 4,
## if there are more than four, or if @var{A} is complex, of an integer class or
## not numeric.  A real matrix is none of quaternions.
##
## @strong{Accuracy.}  The error of each component of @var{C} is below the same
## of @code{(4*N + 1) * eps} times the sum of the absolute values of the
## products that it is made of, with the @code{eps} of the class of @var{C}.
## Where a row of @var{A} is not finite, or overflows, the diagonal may have NaN
## for zero.
##
## @strong{Example.}
##
## @example
## @group
## A = qpack ([1, 0, 0, 0; 0, 1, 0, 0; 0, 0, 1, 0; 0, 0, 0, 2], 2, 2);
## qunpack (gpu_qgram (A))
##   @result{} 2   0   0   0
##      0   3   0   0
##      0  -3   0   0
##      5   0   0   0
## @end group
## @end example
##
## @strong{Algorithm.}  Half the work of a product by 16 real ones: w is
## @code{[w, x, y, z] * [w, x, y, z]'}, and the others are the differences of
## a product and its transpose, so for x that of @code{[x, z] * [w, y]'}.
## @seealso{gpu_qctranspose, gpu_mtimes, gpu_qinv}
## @end deftypefn

function C = gpu_qgram (A)

  if (nargin < 1)
    print_usage ();
  endif
  [P, form] = quaternion_planes ("gpu_qgram", A, "A");

  if (isempty (P))
    [m, ~, ~, pages] = size (P);
    C = zeros (m, m, 4, pages, classUnderlying (P));
    C = quaternion_as (C, form);
    return;
  endif

  w = product (P, 1:4, 1:4) / 2;   # halves, so that the sum does not overflow
  w = w + gpu_transpose (w);
  x = product (P, [2, 4], [1, 3]);
  x = x - gpu_transpose (x);
  y = product (P, [3, 2], [1, 4]);
  y = y - gpu_transpose (y);
  z = product (P, [4, 3], [1, 2]);
  z = z - gpu_transpose (z);
  C = quaternion_as (quaternion_join (w, x, y, z), form);

endfunction

## The real product of the planes LEFT, side by side, with the planes RIGHT
## transposed.
function C = product (P, left, right)

  C = gpu_mtimes (beside (P, left), gpu_transpose (beside (P, right)));

endfunction

function B = beside (P, k)

  [m, n, ~, pages] = size (P);
  if (numel (k) < 4)
    P = quaternion_pick (P, k);
  endif
  B = reshape (P, m, n * numel (k), pages);

endfunction

## By single quaternions.
%!function C = oracle (A)
%!  [m, n, ~, pages] = size (A);
%!  C = zeros (m, m, 4, pages, class (A));
%!  for p = 1:m
%!    for q = 1:m
%!      for k = 1:n
%!        C(p,q,:,:) += gpu_qtimes (A(p,k,:,:), gpu_qconj (A(q,k,:,:)));
%!      endfor
%!    endfor
%!  endfor
%!endfunction

%!function check_hermitian (C)
%!  assert (C, gpu_qctranspose (C));
%!  for k = 1:rows (C)
%!    assert (nnz (C(k,k,2:4,:)), 0);
%!  endfor
%!endfunction

%!test
%! A = qpack ([1, 0, 0, 0; 0, 1, 0, 0; 0, 0, 1, 0; 0, 0, 0, 2], 2, 2);
%! assert (qunpack (gpu_qgram (A)), ...
%!         [2, 0, 0, 0; 0, 3, 0, 0; 0, -3, 0, 0; 5, 0, 0, 0]);

## Whole numbers are exact: 3 and 4 in every place, pages, classes, empty ones.
%!test
%! rand ("twister", 42);
%! for cls = {"single", "double"}
%!   for s = [1, 3, 4, 4, 3, 1, 5, 0, 3, 0, 33
%!            1, 4, 3, 4, 3, 5, 1, 3, 0, 0, 2]
%!     for pages = [1, 3, 4, 0]
%!       if (s(1) < 10 || pages == 1)
%!         A = cast (randi ([-9, 9], [s', 4, pages]), cls{1});
%!         C = gpu_qgram (A);
%!         assert (class (C), cls{1});
%!         assert (C, oracle (A));
%!         if (pages == 1)
%!           D = gpu_qgram (gpuArray (A));
%!           assert (isa (D, "gpuArray"));
%!           assert (gather (D), C);
%!         endif
%!       endif
%!     endfor
%!   endfor
%! endfor

## Random ones: Hermitian to the last bit, and within the bound.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for s = [1, 3, 4, 5, 20, 60
%!            4, 4, 3, 7, 3, 50]
%!     A = randn ([s', 4], cls{1});
%!     for C = {gpu_qgram(A), gather(gpu_qgram (gpuArray (A)))}
%!       check_hermitian (C{1});
%!       if (s(1) <= 20)
%!         want = oracle (double (A));
%!         bound = sum (abs (double (A)), 3);
%!         bound = (4 * s(2) + 1) * eps (cls{1}) * bound * bound';
%!         assert (all ((abs (double (C{1}) - want) <= bound)(:)));
%!       endif
%!     endfor
%!   endfor
%!   check_hermitian (gpu_qgram (randn ([5, 6, 4, 3], cls{1})));
%! endfor

## A product of one row with itself is the square of the norm.
%!test
%! randn ("twister", 42);
%! A = randn (1, 7, 4);
%! C = gpu_qgram (A);
%! assert (qunpack (C), [gpu_qnorm(A)^2, 0, 0, 0], -8 * eps);

## (qi qj qk) * (qi qj qk)^H is 3.
%!test
%! A = qpack ([0, 1, 0, 0; 0, 0, 1, 0; 0, 0, 0, 1], 1, 3);
%! assert (qunpack (gpu_qgram (A)), [3, 0, 0, 0]);

## The largest numbers
%!assert (qunpack (gpu_qgram (qpack ([2^511, 2^511, 0, 0]))), [2^1023, 0, 0, 0])

%!assert (gpu_qgram (true (1, 3, 4)), cat (3, 12, 0, 0, 0))

%!testif ; ! isempty (pkg ("list", "quaternion"))
%! pkg load quaternion
%! f = @() randi ([-9, 9], [3, 4]);
%! q = quaternion (f (), f (), f (), f ());
%! C = gpu_qgram (q);
%! assert (class (C), "quaternion");
%! assert (qunpack (C), qunpack (q * q'));

%!error <Invalid call to gpu_qgram> gpu_qgram ()
%!error <called with too many inputs> gpu_qgram (1, 2)
%!error <^gpu_qgram: A must be .* M x N x 4 planes .* but is 4 x 4$>
%! gpu_qgram (ones (4, 4));
%!error <but is complex$> gpu_qgram (ones (2, 2, 4) * 1i)
%!error <but is of class int8$> gpu_qgram (ones (2, 2, 4, "int8"))
