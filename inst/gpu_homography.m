## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{Q} =} gpu_homography (@var{H}, @var{P})
## @deftypefnx {} {@var{Q} =} gpu_homography (@var{H}, @var{P}, "inverse")
## Map the points @var{P} of a plane through the homography @var{H}, or back by
## its inverse, on the GPU, or on the host where no GPU can be used.
##
## A homography, or projective transform of the plane, is a 3 x 3 matrix.  With
## @code{u = @var{H} * [@var{P}(:,i); 1]} the point @code{@var{P}(:,i)} goes to
## @code{@var{Q}(:,i) = u(1:2) / u(3)}.
##
## @strong{Shapes.}  @var{P} has a point [x; y] in each column: 2 x N, or
## 2 x N x K for K groups.  @var{H} is 3 x 3, or 3 x 3 x K for a matrix of each
## group.  One matrix serves for all groups, and one group of points goes
## through each of K matrices; @var{Q} is 2 x N, or 2 x N x K.
##
## @strong{Classes.}  Both are real, single or double, on the host or on the
## device.  @var{Q} is single if one of them is, and on the device if one of
## them is.  Integer and logical arrays are converted to double, and sparse ones
## are computed as full ones.
##
## @strong{Infinity.}  A point that goes to infinity is [Inf; Inf]: one with
## @code{abs (u(3))} below 2 eps times the sum of the moduli of its three terms,
## which in floating point cannot be told from zero.  A NaN in a point stays
## with it.
##
## @strong{Errors.}  It is an error if a shape is another, or an array is
## complex or not numeric.  Where the inverse of a singular matrix is asked for,
## Octave's warning of singular matrices is given, and no point is finite.
##
## @strong{Accuracy.}  The error of @var{Q} is a few eps of what the terms of
## @code{u} add up to in modulus, over @code{u(3)}; the way back has in addition
## that of @code{gpu_inv}.
##
## @strong{Example.}  A square seen from its side:
##
## @example
## @group
## H = [1, 0, 0; 0, 1, 0; 0.5, 0, 1];
## Q = gpu_homography (H, [0, 1, 1, 0; 0, 0, 1, 1])
##   @result{}  0   0.6667   0.6667   0
##       0   0        0.6667   1.0000
## gpu_homography (H, Q, "inverse")
##   @result{}  0   1   1   0
##       0   0   1   1
## @end group
## @end example
##
## @strong{Algorithm.}  See R. Hartley and A. Zisserman, @cite{Multiple View
## Geometry in Computer Vision}, second edition, Cambridge 2004, section 2.3.
## @seealso{gpu_rigidinv, gpu_inv, gpu_mtimes}
## @end deftypefn

function Q = gpu_homography (H, P, direction)

  back = nargin > 2;
  if (nargin < 2)
    print_usage ();
  elseif (back && ! (ischar (direction) && strcmpi (direction, "inverse")))
    error ('gpu_homography: the only option is "inverse"');
  endif
  on_host = ! (isobject (H) || isobject (P));
  H = real_operand ("gpu_homography", H, "H");
  P = real_operand ("gpu_homography", P, "P");
  [m, n, pages_H] = size (H);
  [two, N, pages_P] = size (P);
  if (m != 3 || n != 3)
    error ("gpu_homography: H must be 3 x 3 or 3 x 3 x K, but is %s",
           sprintf ("%d x ", size (H))(1:end-3));
  elseif (two != 2)
    error ("gpu_homography: P must be 2 x N or 2 x N x K, but is %s",
           sprintf ("%d x ", size (P))(1:end-3));
  elseif (pages_H != pages_P && pages_H != 1 && pages_P != 1)
    error ("gpu_homography: H has %d pages, but P has %d", pages_H, pages_P);
  endif

  single_H = strcmp (classUnderlying (H), "single");
  if (single_H != strcmp (classUnderlying (P), "single"))
    H = single (H);
    P = single (P);
  endif
  pages = pages_P;
  if (pages_H != 1)
    pages = pages_H;
  endif
  if (on_host)
    Q = fresh_array ([2, N, pages], class (P), false);
    if (back)
      rcond = __gpu__ ("homography", H, P, back, Q);
    else
      __gpu__ ("homography", H, P, back, Q);
    endif
  elseif (back)
    [Q, rcond] = __gpu_call__ ("homography", H, P, back);
  else
    Q = __gpu_call__ ("homography", H, P, back);
  endif
  if (back)
    __warn_singular__ (rcond);
  endif

endfunction

%!demo
%! ## A chess board, seen at an angle, and back on its plane.
%! [x, y] = meshgrid (0:8);
%! P = [x(:), y(:)]';
%! H = [0.9, -0.2, 1; 0.1, 0.5, 2; 0.01, -0.04, 1];
%! Q = gpu_homography (H, P);
%! printf ("corners of the board in the picture:\n");
%! disp (Q(:,[1, 9, 73, 81]));
%! B = gpu_homography (H, Q, "inverse");
%! printf ("largest error of the way back: %.2g squares\n", ...
%!         max (abs (B - P)(:)));

## One matrix and one for each group, single and double, beside the formula.
%!function Q = by_formula (H, P)
%!  K = max (size (H, 3), size (P, 3));
%!  Q = zeros (2, columns (P), K);
%!  for k = 1:K
%!    u = H(:,:,min (k, end)) * [P(:,:,min (k, end)); ones(1, columns (P))];
%!    Q(:,:,k) = u(1:2,:) ./ u(3,:);
%!  endfor
%!endfunction

%!test
%! rand ("twister", 42);
%! for cls = {"single", "double"}
%!   for N = [0, 1, 2, 31, 1000]
%!     for pages = [1, 1; 1, 4; 4, 1; 4, 4]'
%!       H = cast (repmat ([3, 0, 0; 0, 3, 0; 0, 0, 4], [1, 1, pages(1)]) ...
%!                 + rand ([3, 3, pages(1)]) - 0.5, cls{1});
%!       P = cast (rand ([2, N, pages(2)]), cls{1});
%!       Q = gpu_homography (H, P);
%!       want = by_formula (double (H), double (P));
%!       assert (class (Q), cls{1});
%!       assert (size (Q), size (want));
%!       assert (double (Q), want, 8 * eps (cls{1}));
%!       B = gpu_homography (H, Q, "inverse");
%!       if (pages(2) == 1 && pages(1) > 1)
%!         P = repmat (P, [1, 1, 4]);
%!       endif
%!       assert (B, P, 50 * eps (cls{1}));
%!       D = gpu_homography (gpuArray (H), P(:,:,1:pages(2)));
%!       assert (class (D), "gpuArray");
%!       assert (gather (D), Q, 4 * eps (cls{1}));
%!     endfor
%!   endfor
%! endfor

## The class of the result, and where it is.
%!test
%! H = [1, 2, 3; 4, 5, 6; 7, 8, 10];
%! P = [1, 2; 3, 4];
%! Q = gpu_homography (H, P);
%! assert (class (gpu_homography (single (H), P)), "single");
%! assert (class (gpu_homography (H, single (P))), "single");
%! assert (gpu_homography (int8 (H), int8 (P)), Q);
%! assert (gpu_homography (sparse (H), sparse (P)), Q);
%! assert (gpu_homography (eye (3), logical (eye (2))), eye (2));
%! D = gpu_homography (H, gpuArray (P));
%! assert (class (D), "gpuArray");
%! assert (gather (D), Q, 4 * eps);
%! D = gpu_homography (single (H), gpuArray (P));
%! assert (classUnderlying (D), "single");
%! assert (gather (gpu_homography (H, gpuArray (logical (eye (2))))),
%!         gpu_homography (H, eye (2)), 4 * eps);
%! D = gpu_homography (gpuArray (H), gpuArray (Q), "inverse");
%! assert (gather (D), P, 1e-13);

## Infinity is Inf, also where the terms cancel but for their rounding errors.
%!test
%! H = [1, 0, 0; 0, 1, 0; 1, -1/3, 0];
%! assert (gpu_homography (H, [0.1, 1, NaN; 0.3, 0, 1]),
%!         [Inf, 1, NaN; Inf, 0, NaN]);
%! assert (gather (gpu_homography (H, gpuArray ([0.1; 0.3]))), [Inf; Inf]);

## A singular matrix has no way back, and says so.
%!warning <matrix singular to machine precision>
%! Q = gpu_homography (ones (3), [1; 2], "inverse");
%! assert (! any (isfinite (Q)));
%!warning <singular to machine precision \(page 2\)>
%! gpu_homography (cat (3, eye (3), ones (3)), [1; 2], "inverse");

## Nothing stays on the device.
%!test
%! before = __gpu__ ("live");
%! gpu_homography (eye (3), rand (2, 100), "inverse");
%! assert (__gpu__ ("live"), before);

%!error <Invalid call to gpu_homography> gpu_homography ()
%!error <Invalid call to gpu_homography> gpu_homography (eye (3))
%!error <called with too many inputs> gpu_homography (1, 2, 3, 4)
%!error <the only option is "inverse"> gpu_homography (eye (3), [1; 2], "back")
%!error <^gpu_homography: H must be 3 x 3 or 3 x 3 x K, but is 2 x 2$>
%! gpu_homography (eye (2), [1; 2]);
%!error <^gpu_homography: P must be 2 x N or 2 x N x K, but is 7 x 2$>
%! gpu_homography (eye (3), ones (7, 2));
%!error <^gpu_homography: H has 2 pages, but P has 3$>
%! gpu_homography (ones (3, 3, 2), ones (2, 1, 3));
%!error <^gpu_homography: P must be real, but is complex$>
%! gpu_homography (eye (3), [1i; 2]);
%!error <^gpu_homography: H must be real, but is complex$>
%! gpu_homography (gpuArray (1i * eye (3)), [1; 2]);
%!error <^gpu_homography: wrong type argument 'cell'$>
%! gpu_homography ({1}, [1; 2]);
