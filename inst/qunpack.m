## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} qunpack (@var{Q})
## @deftypefnx {} {@var{X} =} qunpack (@var{Q}, @var{order})
## List the quaternions of @var{Q}, one in each row of @var{X}: the inverse of
## @code{qpack}.
##
## The list goes down the columns of @var{Q}.  The @var{order} of the components
## in a row is @qcode{"wxyz"}, the default, or @qcode{"xyzw"}.
##
## @strong{Shapes.}  @var{Q} is M x N x 4, the planes w, x, y, z of M x N
## quaternions, or M x N x 4 x K for K pages, on the host; a gpuArray of
## M x N x 4; or an object with the fields w, x, y, z, as that of the package
## quaternion.  @var{X} is M*N x 4, or M*N x 4 x K, and a gpuArray if @var{Q} is
## one.
##
## @strong{Classes.}  @var{Q} is single or double, and @var{X} has its class.  A
## logical array becomes double.
##
## @strong{Errors.}  It is an error if the third dimension of @var{Q} is not 4,
## if there are more than four, or if @var{Q} is complex, of an integer class or
## not numeric.
##
## @strong{Accuracy.}  The result is exact.  No element moves, unless
## the @var{order} is another.
##
## @strong{Example.}
##
## @example
## @group
## qunpack (cat (3, [1, 5], [2, 6], [3, 7], [4, 8]))
##   @result{} 1   2   3   4
##      5   6   7   8
## @end group
## @end example
##
## @strong{Algorithm.}  A @code{reshape}.
## @seealso{qpack, qfrominterleaved}
## @end deftypefn

function X = qunpack (Q, order = "wxyz")

  if (nargin < 1)
    print_usage ();
  endif
  [~, to] = quaternion_order ("qunpack", order);
  P = quaternion_planes ("qunpack", Q, "Q");

  [m, n, ~, pages] = size (P);
  X = reshape (P, m * n, 4, pages);
  if (to(1) != 1)
    X = X(:,to,:);
  endif

endfunction

%!test
%! Q = cat (3, [1, 5], [2, 6], [3, 7], [4, 8]);
%! assert (qunpack (Q), [1:4; 5:8]);
%! assert (qunpack (Q, "xyzw"), [2, 3, 4, 1; 6, 7, 8, 5]);
%! assert (class (qunpack (single (Q))), "single");
%! assert (qunpack (Q > 4), double ([1:4; 5:8] > 4));
%! D = qunpack (gpuArray (Q), "xyzw");
%! assert (isa (D, "gpuArray"));
%! assert (gather (D), qunpack (Q, "xyzw"));

## 3 and 4 in every place: there and back.
%!test
%! rand ("twister", 42);
%! for s = [1, 3, 4, 4, 3, 0, 4
%!          1, 4, 3, 4, 3, 3, 0]
%!   for pages = [1, 4, 0]
%!     Q = rand ([s', 4, pages]);
%!     X = qunpack (Q);
%!     assert (size (X, 1), prod (s));
%!     assert (qpack (X, s(1), s(2)), Q);
%!     for c = 1:4
%!       assert (reshape (X(:,c,:), [s', 1, pages]), Q(:,:,c,:));
%!     endfor
%!   endfor
%! endfor

%!testif ; ! isempty (pkg ("list", "quaternion"))
%! pkg load quaternion
%! assert (qunpack (quaternion ([1, 5], [2, 6], [3, 7], [4, 8])), [1:4; 5:8]);

%!error <Invalid call to qunpack> qunpack ()
%!error <called with too many inputs> qunpack (1, "wxyz", 2)
%!error <^qunpack: ORDER must be "wxyz" or "xyzw"$>
%! qunpack (ones (1, 1, 4), "w");
%!error <^qunpack: Q must be .* M x N x 4 planes .* but is 3 x 4$>
%! qunpack (ones (3, 4));
%!error <but is of class int16$> qunpack (ones (1, 1, 4, "int16"))
