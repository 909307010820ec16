## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{B} =} gpu_qconj (@var{A})
## Compute the conjugate of each quaternion of @var{A}: w - x*i - y*j - z*k.
##
## @strong{Shapes.}  @var{A} is M x N x 4, the planes w, x, y, z of M x N
## quaternions, or M x N x 4 x K for K pages, on the host; a gpuArray of
## M x N x 4; or an object with the fields w, x, y, z, as that of the package
## quaternion.  @var{B} has the size and the form of @var{A}.
##
## @strong{Classes.}  @var{A} is single or double, and @var{B} has its class.  A
## logical array becomes double.
##
## @strong{Errors.}  It is an error if the third dimension of @var{A} is not 4,
## if there are more than four, or if @var{A} is complex, of an integer class or
## not numeric.  A real matrix is none of quaternions.
##
## @strong{Accuracy.}  The result is exact.  Note that the conjugate of a
## product of matrices is not the product of the conjugates; see
## @code{gpu_qctranspose}.
##
## @strong{Example.}
##
## @example
## @group
## qunpack (gpu_qconj (qpack ([1, 2, 3, 4])))
##   @result{} 1  -2  -3  -4
## @end group
## @end example
##
## @strong{Algorithm.}  The definition.
## @seealso{gpu_qctranspose, gpu_qtimes, gpu_qnorm, qpack}
## @end deftypefn

function B = gpu_qconj (A)

  if (nargin < 1)
    print_usage ();
  endif
  [P, form] = quaternion_planes ("gpu_qconj", A, "A");
  B = quaternion_as (quaternion_signs (P, [1, -1, -1, -1]), form);

endfunction

%!assert (qunpack (gpu_qconj (qpack ([1, 2, 3, 4]))), [1, -2, -3, -4])

## 3 and 4 in every place, pages, empty ones, classes.
%!test
%! rand ("twister", 42);
%! for cls = {"single", "double"}
%!   for s = [1, 3, 4, 4, 3, 0, 3, 2
%!            1, 4, 3, 4, 3, 3, 0, 5]
%!     for pages = [1, 3, 4, 0]
%!       A = cast (randi ([-9, 9], [s', 4, pages]), cls{1});
%!       B = gpu_qconj (A);
%!       assert (class (B), cls{1});
%!       assert (size (B), size (A));
%!       assert (B(:,:,1,:), A(:,:,1,:));
%!       assert (B(:,:,2:4,:), -A(:,:,2:4,:));
%!       assert (gpu_qconj (B), A);
%!       if (pages == 1)
%!         D = gpu_qconj (gpuArray (A));
%!         assert (isa (D, "gpuArray"));
%!         assert (gather (D), B);
%!       endif
%!     endfor
%!   endfor
%! endfor

%!assert (qunpack (gpu_qconj (qpack ([1, -Inf, NaN, 0]))), [1, Inf, NaN, 0])
%!test
%! B = gpu_qconj (true (2, 2, 4));
%! assert (class (B), "double");
%! assert (B(:,:,4), -ones (2));
%! B = gpu_qconj (gpuArray (true (1, 1, 4)));
%! assert (gather (B)(:)', [1, -1, -1, -1]);

## An object comes back as one.
%!testif ; ! isempty (pkg ("list", "quaternion"))
%! pkg load quaternion
%! p = gpu_qconj (quaternion ([1, 2; 3, 4], ones (2), 2 * ones (2), zeros (2)));
%! assert (class (p), "quaternion");
%! assert ({p.w, p.x, p.y, p.z}, ...
%!         {[1, 2; 3, 4], -ones(2), -2 * ones(2), zeros(2)});
%! for sz = {[0, 0], [0, 3], [3, 4, 5], [4, 4], [1, 1, 4]}
%!   a = {randn(sz{1}), randn(sz{1}), randn(sz{1}), randn(sz{1})};
%!   p = gpu_qconj (quaternion (a{:}));
%!   assert ({p.w, p.x, p.y, p.z}, {a{1}, -a{2}, -a{3}, -a{4}});
%! endfor

%!error <Invalid call to gpu_qconj> gpu_qconj ()
%!error <called with too many inputs> gpu_qconj (1, 2)
%!error <called with too many outputs> [x, y] = gpu_qconj (ones (1, 1, 4))
%!error <^gpu_qconj: A must be .* M x N x 4 planes .* but is 2 x 4$>
%! gpu_qconj (ones (2, 4));
%!error <A must be .* M x N x 4 planes .* but is 4 x 4 x 3$>
%! gpu_qconj (ones (4, 4, 3));
%!error <but is 0 x 0$> gpu_qconj ([])
%!error <but is 4 x 4 x 4 x 2 x 2$> gpu_qconj (ones (4, 4, 4, 2, 2))
%!error <but is 2 x 2$> gpu_qconj (speye (2))
%!error <but is 2 x 2$> gpu_qconj (gpuArray (eye (2)))
%!error <real M x N x 4 planes, but is complex$> gpu_qconj (ones (2, 2, 4) * 1i)
%!error <but is complex$> gpu_qconj (gpuArray (ones (2, 2, 4) * 1i))
%!error <single or double, .* but is of class int8$>
%! gpu_qconj (ones (2, 2, 4, "int8"));
%!error <but is of class char$> gpu_qconj (repmat ("a", [1, 1, 4]))
%!error <but is of class cell$> gpu_qconj ({1})
%!error <but is of class struct$> gpu_qconj (struct ("w", 1))
%!error <but is of class function_handle$> gpu_qconj (@sin)
%!error <but is of class containers.Map$> gpu_qconj (containers.Map ())
