## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{Q} =} qfrominterleaved (@var{X})
## @deftypefnx {} {@var{Q} =} qfrominterleaved (@var{X}, @var{order})
## Make M x N x 4 planes of interleaved quaternions, whose four components lie
## side by side in memory: @var{X} is 4 x N x M.
##
## So comes a NumPy array of the shape (M, N, 4) into Octave from a file that
## keeps the order of memory and not the shape: from HDF5 with @code{load}, or
## from a raw file with @code{fread (fid, Inf, "double")} and
## @code{reshape (@dots{}, 4, N, M)}.  NumPy's last index runs fastest and
## Octave's first, so that all dimensions are reversed.  Files that keep the
## shape, as those of @code{scipy.io.savemat}, come in as M x N x 4, which are
## planes already, and as K x 4, which is for @code{qpack}: neither is for this
## function.
##
## The @var{order} of the four components is @qcode{"wxyz"}, the default, or
## @qcode{"xyzw"}, as in SciPy, ROS and Eigen; the planes are always w, x, y, z.
##
## @strong{Shapes.}  @var{X} is 4 x N x M for the shape (M, N, 4); 4 x N for
## the shape (N, 4), a row of quaternions; or 4 x N x M x K for the shape
## (K, M, N, 4), K pages.  @var{Q} is M x N x 4, 1 x N x 4 or M x N x 4 x K.
## The first dimension alone holds the components, whatever the others are.
## A gpuArray, without pages, gives one.
##
## @strong{Classes.}  @var{X} is single or double, and @var{Q} has its class.  A
## logical array becomes double, and a sparse matrix a dense one.
##
## @strong{Errors.}  It is an error if the first dimension of @var{X} is not 4,
## if there are more than four, or if @var{X} is complex, of an integer class or
## not numeric.
##
## @strong{Accuracy.}  The result is exact.
##
## @strong{Example.}  In Python
## @code{q = numpy.arange (24.0).reshape (2, 3, 4)} and
## @code{q.tofile ("q.bin")} write the numbers 0 to 23, and @code{q[1, 0]} is
## (12, 13, 14, 15).  In Octave the same file is read as
##
## @example
## @group
## X = reshape (0:23, 4, 3, 2);   # fread gives the column (0:23)'
## Q = qfrominterleaved (X);
## squeeze (Q(2,1,:))'
##   @result{} 12   13   14   15
## @end group
## @end example
##
## @strong{Algorithm.}  A @code{permute}.
## @seealso{qpack, qunpack}
## @end deftypefn

function Q = qfrominterleaved (X, order = "wxyz")

  if (nargin < 1)
    print_usage ();
  endif
  from = quaternion_order ("qfrominterleaved", order);
  X = quaternion_list ("qfrominterleaved", X, "X");
  if (rows (X) != 4 || ndims (X) > 4)
    hint = "";
    if (size (X, 3) == 4)
      hint = ", which are planes already";
    elseif (ndims (X) == 2 && columns (X) == 4)
      hint = ", which is for qpack";
    endif
    error (["qfrominterleaved: X must be 4 x N x M, or 4 x N x M x K for " ...
            "K pages, but is %s%s"],
           sprintf ("%d x ", size (X))(1:end-3), hint);
  endif

  Q = permute (X, [3, 2, 1, 4:ndims(X)]);
  if (from(1) != 1)
    Q = quaternion_pick (Q, from);
  endif

endfunction

## The bytes of a C array of the shape (M, N, 4) and (K, M, N, 4).
%!test
%! Q = qfrominterleaved (reshape (0:23, 4, 3, 2));
%! assert (size (Q), [2, 3, 4]);
%! for m = 0:1
%!   for n = 0:2
%!     assert (squeeze (Q(m+1,n+1,:))', 12 * m + 4 * n + (0:3));
%!   endfor
%! endfor
%! Q = qfrominterleaved (reshape (0:119, 4, 3, 2, 5));
%! assert (size (Q), [2, 3, 4, 5]);
%! for k = 0:4
%!   for m = 0:1
%!     for n = 0:2
%!       assert (squeeze (Q(m+1,n+1,:,k+1))', 24 * k + 12 * m + 4 * n + (0:3));
%!     endfor
%!   endfor
%! endfor

## From a file in that order.
%!test
%! name = tempname ();
%! unwind_protect
%!   fid = fopen (name, "w+");
%!   fwrite (fid, 0:23, "double");
%!   frewind (fid);
%!   X = reshape (fread (fid, Inf, "double"), 4, 3, 2);
%!   fclose (fid);
%! unwind_protect_cleanup
%!   unlink (name);
%! end_unwind_protect
%! assert (squeeze (qfrominterleaved (X)(2,1,:))', 12:15);

## xyzw: the last of the four is the scalar.
%!test
%! Q = qfrominterleaved (reshape (0:23, 4, 3, 2), "xyzw");
%! assert (squeeze (Q(2,1,:))', [15, 12, 13, 14]);
%! Q = qfrominterleaved (reshape (0:47, 4, 3, 2, 2), "XYZW");
%! assert (squeeze (Q(2,1,:,2))', 24 + [15, 12, 13, 14]);
%! assert (qunpack (qfrominterleaved ([0; 0; 0; 1], "xyzw")), [1, 0, 0, 0]);

## 3 and 4 in every place: the first dimension has the components.
%!test
%! rand ("twister", 42);
%! for s = [1, 3, 4, 4, 3, 0, 4
%!          1, 4, 3, 4, 3, 3, 0]
%!   for pages = [1, 4, 0]
%!     for cls = {"single", "double"}
%!       X = rand ([4, s(2), s(1), pages], cls{1});
%!       Q = qfrominterleaved (X);
%!       assert (class (Q), cls{1});
%!       assert (size (Q, 1:4), [s', 4, pages]);
%!       assert (permute (Q, [3, 2, 1, 4]), X);
%!       if (pages == 1)
%!         for order = {"wxyz", "xyzw"}
%!           D = qfrominterleaved (gpuArray (X), order{1});
%!           assert (isa (D, "gpuArray"));
%!           assert (gather (D), qfrominterleaved (X, order{1}));
%!         endfor
%!       endif
%!     endfor
%!   endfor
%! endfor

%!assert (qfrominterleaved (sparse ([1; 2; 3; 4])), qpack ([1, 2, 3, 4]))
%!assert (class (qfrominterleaved (true (4, 1))), "double")

%!error <Invalid call to qfrominterleaved> qfrominterleaved ()
%!error <called with too many inputs> qfrominterleaved (1, "wxyz", 2)
%!error <^qfrominterleaved: ORDER must be "wxyz" or "xyzw"$>
%! qfrominterleaved (ones (4, 1), "xyz");
%!error <X must be 4 x N x M, .* but is 3 x 2 x 4, which are planes already$>
%! qfrominterleaved (ones (3, 2, 4));
%!error <X must be 4 x N x M, .* but is 3 x 4, which is for qpack$>
%! qfrominterleaved (ones (3, 4));
%!error <but is 3 x 3$> qfrominterleaved (ones (3, 3))
%!error <but is 4 x 1 x 1 x 1 x 2$> qfrominterleaved (ones (4, 1, 1, 1, 2))
%!error <X must be real, but is complex$> qfrominterleaved (1i * ones (4, 1))
%!error <but is of class int8$> qfrominterleaved (int8 ([1; 2; 3; 4]))
