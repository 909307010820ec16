## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{nrm} =} gpu_qnorm (@var{A})
## @deftypefnx {} {@var{nrm} =} gpu_qnorm (@var{A}, @var{p})
## Compute the norm of the quaternion matrix @var{A}, or that of each page.
##
## The norm @var{p} is @qcode{"fro"}, the default: the root of the sum of the
## squares of all components; or 2: the largest singular value.  The norm of
## a single quaternion, 1 x 1 x 4, is its modulus by either, and the two agree
## for rows and columns.
##
## @strong{Shapes.}  @var{A} is M x N x 4, the planes w, x, y, z of M x N
## quaternions, or M x N x 4 x K for K pages, on the host; a gpuArray of
## M x N x 4; or an object with the fields w, x, y, z, as that of the package
## quaternion.  @var{nrm} is a scalar, or 1 x 1 x K, and a gpuArray if @var{A}
## is one.
##
## @strong{Classes.}  @var{A} is single or double, and @var{nrm} has its class.
## A logical array becomes double.
##
## @strong{Errors.}  It is an error if the third dimension of @var{A} is not 4,
## if there are more than four, if @var{A} is complex, of an integer class or
## not numeric, or if @var{p} is another.  A real matrix is none of quaternions.
##
## @strong{Accuracy.}  The relative error is below a small multiple of
## @code{M*N * eps}, with the @code{eps} of the class of @var{A}; nothing
## overflows or underflows on the way.  NaN in @var{A} gives NaN, and else Inf
## gives Inf.  The norm of
## an empty matrix is 0.
##
## @strong{Example.}
##
## @example
## @group
## A = qpack ([2, 4, 5, 6; 0, 0, 0, 0; 0, 0, 0, 0; 0, 0, 12, 0], 2, 2);
## gpu_qnorm (A)
##   @result{} 15
## gpu_qnorm (A, 2)
##   @result{} 12
## @end group
## @end example
##
## @strong{Algorithm.}  The Frobenius norm from the components divided by
## a power of two.  The 2-norm on the host, as that of the complex adjoint, the
## matrix @code{[w+x*i, y+z*i; -y+z*i, w-x*i]}, which has each singular value of
## @var{A} twice: F. Zhang, @cite{Quaternions and matrices of quaternions},
## Linear Algebra and its Applications 251 (1997).
## @seealso{norm, gpu_qtimes, gpu_qinv}
## @end deftypefn

function nrm = gpu_qnorm (A, p = "fro")

  if (nargin < 1)
    print_usage ();
  endif
  P = quaternion_planes ("gpu_qnorm", A, "A");

  if (ischar (p) && strcmpi (p, "fro"))
    nrm = frobenius (P);
  elseif (! (isnumeric (p) && isscalar (p) && p == 2))
    error ('gpu_qnorm: P must be "fro" or 2');
  elseif (rows (P) <= 1 || columns (P) <= 1)
    nrm = frobenius (P);   # there is one singular value
  else
    nrm = spectral (P);
  endif

endfunction

function nrm = frobenius (P)

  [m, n, ~, pages] = size (P);
  cls = classUnderlying (P);
  if (isempty (P))
    nrm = zeros (1, 1, pages, cls);
    if (isa (P, "gpuArray"))
      nrm = gpuArray (nrm);
    endif
    return;
  endif

  P = reshape (P, 4 * m * n, 1, pages);
  scale = max (min (max (abs (P), [], 1), realmax (cls) / 2), realmin (cls));
  scale = 2 .^ floor (log2 (scale));
  nrm = scale .* sqrt (sumsq (P ./ scale, 1));

endfunction

function nrm = spectral (P)

  on_device = isa (P, "gpuArray");
  C = quaternion_adjoint (P);
  if (on_device)
    C = gather (C);
  endif
  nrm = zeros (1, 1, size (C, 3), class (C));
  for k = 1:size (C, 3)
    page = C(:,:,k);
    if (any (isnan (page(:))))
      nrm(k) = NaN;
    elseif (any (isinf (page(:))))
      nrm(k) = Inf;   # LAPACK takes finite elements only
    else
      nrm(k) = norm (page);
    endif
  endfor
  if (on_device)
    nrm = gpuArray (nrm);
  endif

endfunction

%!test
%! A = qpack ([2, 4, 5, 6; 0, 0, 0, 0; 0, 0, 0, 0; 0, 0, 12, 0], 2, 2);
%! assert (gpu_qnorm (A), 15);
%! assert (gpu_qnorm (A, 2), 12, 8 * eps);

## The Frobenius norm: 3 and 4 in every place, pages, classes, the device.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for s = [1, 3, 4, 4, 3, 1, 0, 3, 20
%!            1, 4, 3, 4, 3, 5, 3, 0, 30]
%!     for pages = [1, 3, 4, 0]
%!       A = randn ([s', 4, pages], cls{1});
%!       nrm = gpu_qnorm (A);
%!       assert (class (nrm), cls{1});
%!       assert (size (nrm, 1:3), [1, 1, pages]);
%!       assert (gpu_qnorm (A, "FRO"), nrm);
%!       for k = 1:pages
%!         want = 0;
%!         for x = double (A(:,:,:,k))(:)'
%!           want += x ^ 2;
%!         endfor
%!         assert (double (nrm(k)), sqrt (want), -8 * eps (cls{1}));
%!       endfor
%!       if (pages == 1)
%!         D = gpu_qnorm (gpuArray (A));
%!         assert (isa (D, "gpuArray"));
%!         assert (gather (D), nrm, -8 * eps (cls{1}));
%!       endif
%!     endfor
%!   endfor
%! endfor

## The 2-norm of a matrix is that of the real representation, and of known
## singular values those.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   tol = 100 * eps (cls{1});
%!   for s = [1, 3, 4, 4, 3, 1, 5
%!            1, 4, 3, 4, 3, 5, 1]
%!     A = randn ([s', 4, 3], cls{1});
%!     nrm = gpu_qnorm (A, 2);
%!     assert (class (nrm), cls{1});
%!     assert (size (nrm), [1, 1, 3]);
%!     for k = 1:3
%!       w = A(:,:,1,k);
%!       x = A(:,:,2,k);
%!       y = A(:,:,3,k);
%!       z = A(:,:,4,k);
%!       assert (nrm(k), norm ([w, -x, -y, -z; x, w, -z, y; y, z, w, -x; ...
%!                              z, -y, x, w]), -tol);
%!     endfor
%!     D = gpu_qnorm (gpuArray (A(:,:,:,2)), 2);
%!     assert (isa (D, "gpuArray"));
%!     assert (gather (D), nrm(2), -tol);
%!   endfor
%! endfor
%!assert (gpu_qnorm (zeros (0, 3, 4), 2), 0)
%!assert (gpu_qnorm (zeros (2, 0, 4), 2), 0)
%!assert (gpu_qnorm (zeros (2, 2, 4, 0), 2), zeros (1, 1, 0))
%!assert (gather (gpu_qnorm (gpuArray (zeros (0, 3, 4)))), 0)

## The norm of a product of single quaternions is that of the norms.
%!test
%! p = qpack ([1, 2, 3, 4]);
%! q = qpack ([5, 6, 7, 8]);
%! want = gpu_qnorm (p) * gpu_qnorm (q);
%! assert (gpu_qnorm (gpu_qtimes (p, q)), want, -4 * eps);
%! assert (gpu_qnorm (p), sqrt (30), -eps);

## Nothing overflows or underflows, and what is not finite is seen.
%!test
%! for cls = {"single", "double"}
%!   for f = {realmax(cls{1}) / 4, realmin(cls{1}), realmin(cls{1}) / 4}
%!     A = repmat (f{1}, [1, 1, 4]);
%!     for D = {A, gpuArray(A)}
%!       nrm = gpu_qnorm (D{1});
%!       if (isa (nrm, "gpuArray"))
%!         nrm = gather (nrm);
%!         ## a device need not have the smallest numbers of single
%!         tol = 8 * eps (cls{1}) * f{1} + realmin (cls{1});
%!         assert (abs (nrm - 2 * f{1}) <= tol);
%!       else
%!         assert (nrm, 2 * f{1});
%!       endif
%!     endfor
%!   endfor
%!   A = zeros (2, 2, 4, cls{1});
%!   A(1,:,1) = [3, 4];
%!   for f = 2 .^ cast ([100, -100], cls{1})
%!     assert (gpu_qnorm (A * f), 5 * f);
%!     assert (gpu_qnorm (A * f, 2), 5 * f, -8 * eps (cls{1}));
%!   endfor
%! endfor
%! assert (gpu_qnorm (qpack ([realmax, realmax, 0, 0])), Inf);
%! for x = [Inf, -Inf, NaN]
%!   A = ones (2, 2, 4, 2);
%!   A(1,2,3,2) = x;
%!   assert (gpu_qnorm (A), cat (3, 4, abs (x)));
%!   assert (gpu_qnorm (A, 2), cat (3, 4, abs (x)), 8 * eps);
%! endfor
%! assert (gpu_qnorm (qpack ([NaN, Inf, 0, 0])), NaN);
%! assert (gpu_qnorm (zeros (2, 2, 4)), 0);

%!assert (gpu_qnorm (true (1, 1, 4)), 2)

%!testif ; ! isempty (pkg ("list", "quaternion"))
%! pkg load quaternion
%! q = quaternion ([1, 1], [1, 1], [1, 1], [1, 1]);
%! assert (gpu_qnorm (q), sqrt (8), eps);
%! assert (gpu_qnorm (quaternion (single (3), 0, 4, 0), 2), single (5));

%!error <Invalid call to gpu_qnorm> gpu_qnorm ()
%!error <called with too many inputs> gpu_qnorm (1, 2, 3)
%!error <^gpu_qnorm: A must be .* M x N x 4 planes .* but is 3 x 4$>
%! gpu_qnorm (ones (3, 4));
%!error <^gpu_qnorm: P must be "fro" or 2$> gpu_qnorm (ones (1, 1, 4), 1)
%!error <P must be "fro" or 2$> gpu_qnorm (ones (1, 1, 4), "inf")
%!error <P must be "fro" or 2$> gpu_qnorm (ones (1, 1, 4), [2, 2])
%!error <but is complex$> gpu_qnorm (ones (1, 1, 4) * 1i)
%!error <but is of class int8$> gpu_qnorm (ones (1, 1, 4, "int8"))
