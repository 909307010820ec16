## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{B} =} gpu_qctranspose (@var{A})
## Compute the conjugate transpose of the quaternion matrix @var{A}, or of each
## page.
##
## That of a product @math{A B} is the product @math{B^H A^H}.  No such rule
## holds for the plain transpose or the plain conjugate, since quaternions do
## not commute.
##
## @strong{Shapes.}  @var{A} is M x N x 4, the planes w, x, y, z of M x N
## quaternions, or M x N x 4 x K for K pages, on the host; a gpuArray of
## M x N x 4; or an object with the fields w, x, y, z, as that of the package
## quaternion.  @var{B} has N x M quaternions in the form of @var{A}.
##
## @strong{Classes.}  @var{A} is single or double, and @var{B} has its class.  A
## logical array becomes double.
##
## @strong{Errors.}  It is an error if the third dimension of @var{A} is not 4,
## if there are more than four, or if @var{A} is complex, of an integer class or
## not numeric.  A real matrix is none of quaternions.
##
## @strong{Accuracy.}  The result is exact.
##
## @strong{Example.}
##
## @example
## @group
## A = qpack ([1, 0, 0, 0; 0, 1, 0, 0; 0, 0, 2, 0; 0, 0, 0, 3], 2, 2);
## qunpack (gpu_qctranspose (A))
##   @result{} 1   0   0   0
##      0   0  -2   0
##      0  -1   0   0
##      0   0   0  -3
## @end group
## @end example
##
## @strong{Algorithm.}  The definition.
## @seealso{gpu_qconj, gpu_qgram, gpu_ctranspose, qpack}
## @end deftypefn

function B = gpu_qctranspose (A)

  if (nargin < 1)
    print_usage ();
  endif
  [P, form] = quaternion_planes ("gpu_qctranspose", A, "A");

  [m, n, ~, pages] = size (P);
  P = gpu_transpose (reshape (P, m, n, 4 * pages));
  P = reshape (P, n, m, 4, pages);
  B = quaternion_as (quaternion_signs (P, [1, -1, -1, -1]), form);

endfunction

%!test
%! A = qpack ([1, 0, 0, 0; 0, 1, 0, 0; 0, 0, 2, 0; 0, 0, 0, 3], 2, 2);
%! assert (qunpack (gpu_qctranspose (A)), ...
%!         [1, 0, 0, 0; 0, 0, -2, 0; 0, -1, 0, 0; 0, 0, 0, -3]);

## 3 and 4 in every place, pages, empty ones, classes.
%!test
%! rand ("twister", 42);
%! for cls = {"single", "double"}
%!   for s = [1, 3, 4, 4, 3, 0, 3, 0, 70
%!            1, 4, 3, 4, 3, 3, 0, 0, 33]
%!     for pages = [1, 3, 4, 0]
%!       A = cast (randi ([-9, 9], [s', 4, pages]), cls{1});
%!       B = gpu_qctranspose (A);
%!       assert (class (B), cls{1});
%!       assert (B, gpu_qconj (permute (A, [2, 1, 3, 4])));
%!       if (pages == 1)
%!         D = gpu_qctranspose (gpuArray (A));
%!         assert (isa (D, "gpuArray"));
%!         assert (gather (D), B);
%!       endif
%!     endfor
%!   endfor
%! endfor

## (q*A)^H is A^H * conj (q), and not conj (q) * A^H.
%!test
%! rand ("twister", 42);
%! q = randi ([-9, 9], [1, 1, 4]);
%! A = randi ([-9, 9], [3, 4, 4]);
%! want = gpu_qtimes (gpu_qctranspose (A), gpu_qconj (q));
%! assert (gpu_qctranspose (gpu_qtimes (q, A)), want);
%! assert (! isequal (gpu_qtimes (gpu_qconj (q), gpu_qctranspose (A)), want));

%!testif ; ! isempty (pkg ("list", "quaternion"))
%! pkg load quaternion
%! q = quaternion (randn (3, 4), randn (3, 4), randn (3, 4), randn (3, 4));
%! p = gpu_qctranspose (q);
%! want = q';
%! assert (class (p), "quaternion");
%! assert ({p.w, p.x, p.y, p.z}, {want.w, want.x, want.y, want.z});

%!error <Invalid call to gpu_qctranspose> gpu_qctranspose ()
%!error <called with too many inputs> gpu_qctranspose (1, 2)
%!error <^gpu_qctranspose: A must be .* M x N x 4 planes .* but is 4 x 1$>
%! gpu_qctranspose (ones (4, 1));
%!error <but is complex$> gpu_qctranspose (ones (2, 2, 4) * 1i)
%!error <but is of class uint8$> gpu_qctranspose (ones (2, 2, 4, "uint8"))
