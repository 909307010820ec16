## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{Q} =} qpack (@var{X})
## @deftypefnx {} {@var{Q} =} qpack (@var{X}, @var{M}, @var{N})
## @deftypefnx {} {@var{Q} =} qpack (@dots{}, @var{order})
## Make M x N x 4 planes of a list of quaternions, one in each row of @var{X}.
##
## The list goes down the columns of the matrix of quaternions.  Without
## @var{M} and @var{N} it becomes a column.  The @var{order} of the components
## in a row is @qcode{"wxyz"}, the default, or @qcode{"xyzw"}; the planes are
## always w, x, y, z.
##
## @strong{Shapes.}  @var{X} is M*N x 4, or M*N x 4 x K for K pages, and @var{Q}
## is M x N x 4, or M x N x 4 x K.  A gpuArray gives one, without pages.
##
## @strong{Classes.}  @var{X} is single or double, and @var{Q} has its class.  A
## logical array becomes double, and a sparse matrix a dense one.
##
## @strong{Errors.}  It is an error if @var{X} has not four columns or not
## @var{M}*@var{N} rows, or is complex, of an integer class or not numeric.
##
## @strong{Accuracy.}  The result is exact.  No element moves, unless
## the @var{order} is another.
##
## @strong{Example.}
##
## @example
## @group
## Q = qpack ([1, 2, 3, 4; 5, 6, 7, 8], 1, 2);
## Q(:,:,1)
##   @result{} 1   5
## @end group
## @end example
##
## @strong{Algorithm.}  A @code{reshape}.
## @seealso{qunpack, qfrominterleaved, gpu_qtimes}
## @end deftypefn

function Q = qpack (X, varargin)

  order = "wxyz";
  if (nargin == 2 || nargin == 4)
    order = varargin{end};
  elseif (nargin < 1 || nargin > 4)
    print_usage ();
  endif
  from = quaternion_order ("qpack", order);

  X = quaternion_list ("qpack", X, "X");
  if (size (X, 2) != 4 || ndims (X) > 3)
    error (["qpack: X must be a list with a quaternion in each row, " ...
            "K x 4, or K x 4 x pages, but is %s"],
           sprintf ("%d x ", size (X))(1:end-3));
  endif
  [count, ~, pages] = size (X);
  m = count;
  n = 1;
  if (nargin > 2)
    m = sizes (varargin{1}, "M");
    n = sizes (varargin{2}, "N");
    if (m * n != count)
      error ("qpack: X must have M*N = %d rows, but is %s", m * n,
             sprintf ("%d x ", size (X))(1:end-3));
    endif
  endif

  if (pages != 1 && isa (X, "gpuArray"))
    error ("qpack: pages, M x N x 4 x K, are on the host only");
  elseif (from(1) != 1)
    X = X(:,from,:);
  endif
  Q = reshape (X, m, n, 4, pages);

endfunction

function n = sizes (n, name)

  if (! (isnumeric (n) && isscalar (n) && isreal (n) && n >= 0
         && n == fix (n)))
    error ("qpack: %s must be a whole number, not negative", name);
  endif
  n = double (n);

endfunction

%!test
%! X = [1, 2, 3, 4; 5, 6, 7, 8];
%! Q = qpack (X, 1, 2);
%! assert (size (Q), [1, 2, 4]);
%! assert (squeeze (Q(1,2,:))', [5, 6, 7, 8]);
%! assert (qpack (X), permute (Q, [2, 1, 3]));
%! assert (qpack (X(:,[2, 3, 4, 1]), 1, 2, "xyzw"), Q);
%! assert (qpack (X(:,[2, 3, 4, 1]), "XYZW"), qpack (X));
%! assert (qpack (X, "wxyz"), qpack (X));
%! assert (class (qpack (single (X))), "single");
%! assert (class (qpack (X > 3)), "double");
%! assert (issparse (qpack (sparse (X))), false);
%! assert (qpack (sparse (X)), qpack (X));

## 3 and 4 in every place: there and back.
%!test
%! rand ("twister", 42);
%! for s = [1, 3, 4, 4, 3, 0, 4, 0
%!          1, 4, 3, 4, 3, 3, 0, 0]
%!   for pages = [1, 4, 0]
%!     X = rand ([prod(s), 4, pages]);
%!     for order = {"wxyz", "xyzw"}
%!       Q = qpack (X, s(1), s(2), order{1});
%!       assert (Q, reshape (qpack (X, order{1}), [s', 4, pages]));
%!       assert (qunpack (Q, order{1}), X);
%!       if (pages == 1)
%!         D = qpack (gpuArray (X), s(1), s(2), order{1});
%!         assert (isa (D, "gpuArray"));
%!         assert (gather (D), Q);
%!       endif
%!     endfor
%!     for p = 1:min (pages, prod (s))
%!       assert (squeeze (Q(end,end,:,p))', X(end,[4, 1, 2, 3],p));
%!     endfor
%!   endfor
%! endfor

%!error <Invalid call to qpack> qpack ()
%!error <Invalid call to qpack>
%! qpack (1, 2, 3, "wxyz", 5);
%!error <^qpack: ORDER must be "wxyz" or "xyzw"$> qpack (ones (1, 4), "zyxw")
%!error <ORDER must be> qpack (ones (1, 4), 1)
%!error <^qpack: X must be a list .* K x 4, .* but is 4 x 3$>
%! qpack (ones (4, 3));
%!error <but is 1 x 4 x 2 x 2$> qpack (ones (1, 4, 2, 2))
%!error <^qpack: X must have M\*N = 6 rows, but is 5 x 4$>
%! qpack (ones (5, 4), 2, 3);
%!error <^qpack: N must be a whole number> qpack (ones (3, 4), 2, 1.5)
%!error <^qpack: M must be a whole number> qpack (ones (3, 4), -3, -1)
%!error <^qpack: M must be a whole number> qpack (ones (3, 4), [3, 1], 1)
%!error <^qpack: X must be real, but is complex$> qpack (1i * ones (1, 4))
%!error <^qpack: X must be .* but is of class int8$> qpack (int8 (1:4))
%!error <^qpack: X must be .* but is of class cell$> qpack ({1, 2, 3, 4})
%!error <^qpack: X must be .* but is of class char$> qpack ("wxyz")
%!error <^qpack: pages, .* on the host only$> qpack (gpuArray (ones (1, 4, 2)))
