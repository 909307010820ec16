## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} gpu_qmtimes (@var{A}, @var{B})
## @deftypefnx {} {@var{C} =} gpu_qmtimes (@dots{}, @var{option}, @var{value}, @dots{})
## @deftypefnx {} {[@var{C}, @var{info}] =} gpu_qmtimes (@dots{})
## Compute the product of two quaternion matrices.
##
## @strong{Arguments.}  A quaternion matrix of @var{M} x @var{N} is an
## @var{M} x @var{N} x 4 array of its planes w, x, y and z, single or double, an
## @var{M} x @var{N} x 4 x @var{K} array of @var{K} such matrices (the product is
## then that of each page), a device array of @var{M} x @var{N} x 4, or an object
## of the class @code{quaternion} of the package of that name.  @var{A} is
## @var{M} x @var{N} and @var{B} is @var{N} x @var{P}; a single page goes with
## all pages of the other.
##
## A real matrix is one as well (two dimensions): its product takes a quarter of
## the time.  A real number, and a 1 x 1 quaternion, multiply each element of the
## other operand, from their own side.
##
## @strong{Result.}  @var{C} is a device array if an operand is, else it has the
## form of the first operand that is a quaternion matrix.  It is single if one
## is.
## The structure @var{info} has the fields @code{method} (@qcode{"fast"} or
## @qcode{"direct"}) and @code{growth}: how many times as large as that of the
## direct way the error of a component may be by the fast way, or 0 if that was
## not looked at.
##
## @strong{Options.}
## @table @asis
## @item @qcode{"method"}: @qcode{"auto"}, @qcode{"fast"} or @qcode{"direct"}
## The direct way takes 16 real products, the fast way 8, or 7 if w of an
## operand is zero.  @qcode{"auto"}, the default, takes the fast way where it is
## faster, all elements are finite and the growth is at most 64, which is less
## than two digits.
##
## @item @qcode{"transa"}, @qcode{"transb"}: @qcode{"none"}, @qcode{"transpose"} or @qcode{"ctranspose"}
## What is multiplied instead of @var{A}, @var{B}: its transpose, or its
## conjugate transpose.
## @end table
##
## @strong{Accuracy.}  By the direct way the error of each component is below
## @code{(4*N+4)*eps} times the sum of the moduli of its products.  By the fast
## way it is below that of all 16 products: small beside the whole quaternion,
## but not beside a small component of it.  The growth is that of the largest
## elements of the planes: rows that differ much from the others are not seen.
##
## @strong{Errors.}  It is an error if the sizes do not fit, with Octave's
## message for the operator, if an array has another third dimension than 4, or
## is complex or of integers.
##
## @strong{Example.}
## @example
## @group
## i = cat (3, 0, 1, 0, 0);
## j = cat (3, 0, 0, 1, 0);
## squeeze (gpu_qmtimes (i, j))'
##   @result{} 0   0   0   1
## @end group
## @end example
##
## @strong{Algorithm.}  Eight products are the least (T. D. Howell and
## J.-C. Lafon, 1975).  The sums are those of A. Cariow and P. Klesk.
## @seealso{gpu_mtimes, gpuArray}
## @end deftypefn

function [C, info] = gpu_qmtimes (A, B, varargin)

  if (nargin < 2 || mod (nargin, 2) == 1)
    print_usage ();
  endif

  method = "auto";
  op = {"none", "none"};
  for k = 1:2:numel (varargin)
    [option, value] = varargin{k:k+1};
    if (! ischar (option))
      error ("gpu_qmtimes: an option must be a string, but is of class %s",
             class (option));
    endif
    switch (lower (option))
      case "method"
        method = chosen (option, value, {"auto", "fast", "direct"});
      case {"transa", "transb"}
        op{1 + (lower (option)(end) == "b")} ...
          = chosen (option, value, {"none", "transpose", "ctranspose"});
      otherwise
        error (['gpu_qmtimes: the options are "method", "transa" and ' ...
                '"transb", but not "%s"'], option);
    endswitch
  endfor

  info = struct ("method", "direct", "growth", 0);
  real_A = is_real (A);
  real_B = is_real (B);
  if (real_A && real_B)
    error (["gpu_qmtimes: A or B must be a quaternion matrix, but they are " ...
            "real matrices"]);
  endif
  if (! real_A)
    [A, form_A] = quaternion_planes ("gpu_qmtimes", A, "A");
  endif
  if (! real_B)
    [B, form_B] = quaternion_planes ("gpu_qmtimes", B, "B");
  endif
  if (real_A)
    form_A = form_B;
  endif
  if (isa (A, "gpuArray") || isa (B, "gpuArray"))
    form_A = "gpuArray";   # an object is of the host
  endif

  if (real_A || real_B || is_one (A) || is_one (B))
    C = by_reals (transformed (A, op{1}, real_A),
                  transformed (B, op{2}, real_B), real_A, real_B);
  elseif (nargout > 1)
    [C, info.method, info.growth] = product (A, B, method, op);
  else
    C = product (A, B, method, op);   # nothing is waited for
  endif
  C = quaternion_as (C, form_A);

endfunction

function value = chosen (option, value, values)

  if (! (ischar (value) && any (strcmpi (value, values))))
    error ('gpu_qmtimes: "%s" must be "%s", "%s" or "%s"', lower (option),
           values{:});
  endif
  value = lower (value);

endfunction

## A real matrix or number, which has no planes.
function tf = is_real (A)

  tf = (isnumeric (A) || islogical (A) || isa (A, "gpuArray")) ...
       && ndims (A) == 2 && isreal (A) && (isfloat (A) || islogical (A));

endfunction

function tf = is_one (A)

  sz = size (A);
  tf = sz(1) == 1 && sz(2) == 1;

endfunction

function A = transformed (A, op, real_A)

  if (strcmp (op, "none"))
    return;
  elseif (real_A)
    A = A.';
  elseif (strcmp (op, "transpose"))
    A = permute (A, [2, 1, 3:ndims(A)]);
  else
    A = gpu_qctranspose (A);
  endif

endfunction

## Products with numbers and real matrices: no component meets another, or by
## elements.
function C = by_reals (A, B, real_A, real_B)

  if ((real_A || real_B) && (is_one (A) || is_one (B)))
    C = A .* B;
  elseif (real_A || real_B)
    check_inner (size (A), size (B));
    C = planes_product (A, B, real_A);
  else
    C = gpu_qtimes (A, B);
  endif

endfunction

function C = planes_product (A, B, real_A)

  sz = size (A);
  if (real_A)
    sz = size (B);
  endif
  pages = prod (sz(3:end));
  if (real_A)
    C = gpu_mtimes (A, reshape (B, sz(1), sz(2), pages));
  else
    C = gpu_mtimes (reshape (A, sz(1), sz(2), pages), B);
  endif
  C = reshape (C, [size(A, 1), size(B, 2), sz(3:end)]);

endfunction

function check_inner (size_A, size_B)

  if (size_A(2) != size_B(1))
    error ("Octave:nonconformant-args",
           ["gpu_qmtimes: operator *: nonconformant arguments " ...
            "(op1 is %dx%d, op2 is %dx%d)"], size_A(1:2), size_B(1:2));
  endif

endfunction

function [C, varargout] = product (A, B, method, op)

  on_device = isa (A, "gpuArray") || isa (B, "gpuArray");
  size_A = size (A);
  size_B = size (B);
  if (! strcmp (op{1}, "none"))
    size_A([1, 2]) = size_A([2, 1]);
  endif
  if (! strcmp (op{2}, "none"))
    size_B([1, 2]) = size_B([2, 1]);
  endif
  check_inner (size_A, size_B);
  pages_A = prod (size_A(4:end));
  pages_B = prod (size_B(4:end));
  if (pages_A != pages_B && pages_A != 1 && pages_B != 1)
    error ("Octave:nonconformant-args",
           "gpu_qmtimes: A has %d pages, but B has %d", pages_A, pages_B);
  endif
  if (on_device)
    if (pages_A > 1 || pages_B > 1)
      error (["gpu_qmtimes: pages are not multiplied with device arrays, " ...
              "which have at most three dimensions"]);
    endif
    A = gpuArray (A);
    B = gpuArray (B);
  endif
  is_single = any (strcmp ({classUnderlying(A), classUnderlying(B)}, "single"));
  if (is_single)
    A = single (A);
    B = single (B);
  endif

  if (on_device)
    [C, varargout{1:nargout-1}] ...
      = __gpu_call__ ("qmtimes", A, B, method, op{:});
    return;
  endif
  pages = pages_A;
  if (pages_B != 1)
    pages = pages_B;
  endif
  A = reshape (A, rows (A), columns (A), 4 * pages_A);
  B = reshape (B, rows (B), columns (B), 4 * pages_B);
  C = fresh_array ([size_A(1), size_B(2), 4 * pages], class (A), false);
  [varargout{1:nargout-1}] = __gpu__ ("qmtimes", A, B, method, op{:}, C);
  C = reshape (C, size_A(1), size_B(2), 4, pages);

endfunction

%!demo
%! ## Rotate points by a unit quaternion: v becomes q * v * conj (q).
%! angle = pi / 2;
%! q = qpack ([cos(angle / 2), 0, 0, sin(angle / 2)]);   # about the z axis
%! points = [1, 0, 0; 0, 1, 0; 1, 2, 3];
%! v = qpack ([zeros(3, 1), points]);
%! w = gpu_qmtimes (gpu_qmtimes (q, v), gpu_qconj (q));
%! printf ("(%g, %g, %g) -> (%5.2f, %5.2f, %5.2f)\n", ...
%!         [points, qunpack(w)(:,2:4)]');

%!demo
%! ## Eight real products instead of sixteen.
%! A = randn (150, 150, 4);
%! B = randn (150, 150, 4);
%! for method = {"direct", "fast"}
%!   tic ();
%!   C.(method{1}) = gpu_qmtimes (A, B, "method", method{1});
%!   printf ("%-6s  %.1f ms\n", method{1}, 1000 * toc ());
%! endfor
%! printf ("they differ by %.2g of the largest element\n", ...
%!         max (abs (C.fast - C.direct)(:)) / max (abs (C.direct)(:)));

## The sum of Hamilton's products, by 16 products of planes.
%!function C = hamilton (A, B)
%!  s = [1, 1, 1, 1; -1, 1, -1, 1; -1, 1, 1, -1; -1, -1, 1, 1];
%!  C = zeros ([rows(A), columns(B), 4], class ([A(:); B(:)]));
%!  for r = 1:4
%!    for c = 1:4
%!      C(:,:,c) += s(r,c) * A(:,:,r) * B(:,:,1+bitxor (r-1, c-1));
%!    endfor
%!  endfor
%!endfunction
%!function A = whole (varargin)
%!  A = randi ([-9, 9], varargin{:});
%!endfunction
%!function q = units (k)
%!  q = zeros (1, 1, 4);
%!  q(k) = 1;
%!endfunction

%!test
%! for a = 1:4
%!   for b = 1:4
%!     want = hamilton (units (a), units (b));
%!     assert (gpu_qmtimes (units (a), units (b)), want);
%!     C = gpu_qmtimes (repmat (units (a), 2, 2), repmat (units (b), 2, 2));
%!     assert (C, repmat (2 * want, 2, 2));
%!   endfor
%! endfor
%! assert (gpu_qmtimes (units (2), units (3)), units (4));
%! assert (gpu_qmtimes (units (3), units (2)), -units (4));

%!test
%! rand ("twister", 42);
%! for n = {[3, 4, 3], [4, 3, 4], [4, 4, 4], [1, 5, 1], [5, 1, 5], [2, 3, 7], ...
%!          [33, 17, 29], [1, 1, 3], [0, 2, 3], [2, 0, 3], [2, 3, 0]}
%!   [m, k, p] = num2cell (n{1}){:};
%!   for cls = {"double", "single"}
%!     A = cast (whole (m, k, 4), cls{1});
%!     B = cast (whole (k, p, 4), cls{1});
%!     want = hamilton (A, B);
%!     At = permute (A, [2, 1, 3]);
%!     Bt = permute (B, [2, 1, 3]);
%!     Ah = cat (3, At(:,:,1), -At(:,:,2:4));
%!     Bh = cat (3, Bt(:,:,1), -Bt(:,:,2:4));
%!     for method = {"auto", "fast", "direct"}
%!       f = @(varargin) gpu_qmtimes (varargin{:}, "method", method{1});
%!       assert (f (A, B), want);
%!       assert (class (f (A, B)), cls{1});
%!       assert (f (At, B, "transa", "transpose"), want);
%!       assert (f (A, Bt, "transb", "transpose"), want);
%!       assert (f (Ah, Bh, "transa", "ctranspose", "transb", "ctranspose"), ...
%!               want);
%!       g = f (gpuArray (A), B);
%!       assert (isgpuarray (g));
%!       assert (gather (g), want);
%!       assert (gather (f (A, gpuArray (Bh), "transb", "ctranspose")), want);
%!     endfor
%!   endfor
%! endfor

## Pages, mixed classes, what was done
%!test
%! rand ("twister", 42);
%! A = whole (3, 4, 4, 5);
%! B = single (whole (4, 2, 4, 5));
%! C = gpu_qmtimes (A, B);
%! D = gpu_qmtimes (A(:,:,:,2), B);
%! assert (class (C), "single");
%! assert (size (C), [3, 2, 4, 5]);
%! for k = 1:5
%!   assert (C(:,:,:,k), hamilton (A(:,:,:,k), B(:,:,:,k)));
%!   assert (D(:,:,:,k), hamilton (A(:,:,:,2), B(:,:,:,k)));
%! endfor
%! [~, info] = gpu_qmtimes (A, B, "METHOD", "FAST");
%! assert (info.method, "fast");
%! assert (info.growth >= 4);
%! [~, info] = gpu_qmtimes (A, B, "method", "direct");
%! assert (info, struct ("method", "direct", "growth", 0));

## Real matrices and numbers
%!test
%! rand ("twister", 42);
%! A = whole (4, 4, 4);
%! X = whole (3, 4);
%! C = gpu_qmtimes (X, A);
%! D = gpu_qmtimes (A, X');
%! E = gpu_qmtimes (A, X, "transb", "transpose");
%! for k = 1:4
%!   assert (C(:,:,k), X * A(:,:,k));
%!   assert (D(:,:,k), A(:,:,k) * X');
%! endfor
%! assert (E, D);
%! assert (gpu_qmtimes (2, A), 2 * A);
%! assert (gpu_qmtimes (A, true), A);
%! assert (gather (gpu_qmtimes (gpuArray (X), A)), C);
%! assert (gather (gpu_qmtimes (X, gpuArray (A))), C);
%! q = whole (1, 1, 4);
%! assert (gpu_qmtimes (X, q), X .* q);
%! assert (gpu_qmtimes (q, X'), X' .* q);
%! for i = 1:4
%!   assert (gpu_qmtimes (q, A)(2,i,:), hamilton (q, A(2,i,:)));
%!   assert (gpu_qmtimes (A, q)(2,i,:), hamilton (A(2,i,:), q));
%! endfor

## What the fast way would lose
%!test
%! d = 1e-17;
%! n = 128;
%! A = repmat (cat (3, 1, d, 0, 0), n, n);
%! B = repmat (cat (3, 1, 0, d, 0), n, n);
%! [C, info] = gpu_qmtimes (A, B);
%! assert (info.method, "direct");
%! assert (squeeze (C(1,1,:)), n * [1; d; d; d^2], -1e-13);
%! rand ("twister", 42);
%! turn = @() single (cat (3, 2 * rand(n) - 1, 2e-4 * rand(n, n, 3) - 1e-4));
%! A = turn ();
%! B = turn ();
%! [C, info] = gpu_qmtimes (A, B);
%! assert (info.method, "direct");
%! E = double (C) - hamilton (double (A), double (B));
%! assert (norm (E(:,:,2)) < 1e-6 * norm (double (C(:,:,2))));
%! for x = {NaN, Inf}
%!   A(1) = x{1};
%!   [C, info] = gpu_qmtimes (A, B);
%!   assert (info.method, "direct");
%!   assert (! isfinite (C(1,1,1)));
%!   assert (all (isfinite (C(2:end,:,:)(:))));
%! endfor

## Objects of the package quaternion, where it is installed
%!testif ; ! isempty (pkg ("list", "quaternion"))
%! pkg load quaternion
%! rand ("twister", 42);
%! A = whole (3, 4, 4);
%! B = whole (4, 2, 4);
%! object = @(A) quaternion (A(:,:,1), A(:,:,2), A(:,:,3), A(:,:,4));
%! C = gpu_qmtimes (object (A), object (B));
%! D = object (A) * object (B);
%! assert (isa (C, "quaternion"));
%! assert ({C.w, C.x, C.y, C.z}, {D.w, D.x, D.y, D.z});
%! C = gpu_qmtimes (whole (2, 3), object (A), "method", "direct");
%! assert (isa (C, "quaternion"));
%! assert (isgpuarray (gpu_qmtimes (object (A), gpuArray (B))));

%!error <Invalid call to gpu_qmtimes> gpu_qmtimes (1)
%!error <Invalid call to gpu_qmtimes> gpu_qmtimes (1, 2, "method")
%!error <A or B must be a quaternion matrix, but they are real> gpu_qmtimes (1, 2)
%!error <A must be quaternions, as M x N x 4 planes .* but is 4 x 4 x 3>
%! gpu_qmtimes (ones (4, 4, 3), ones (4, 4, 4))
%!error <B must be quaternions, as real M x N x 4 planes, but is complex>
%! gpu_qmtimes (ones (4, 4, 4), 1i * ones (4))
%!error <B must be quaternions.*class int8>
%! gpu_qmtimes (ones (4, 4, 4), int8 (ones (4, 4, 4)))
%!error <operator \*: nonconformant arguments \(op1 is 2x3, op2 is 2x3\)>
%! gpu_qmtimes (ones (2, 3, 4), ones (2, 3, 4))
%!error <operator \*: nonconformant arguments \(op1 is 2x3, op2 is 2x2\)>
%! gpu_qmtimes (ones (2, 3, 4), ones (2, 2))
%!assert (gpu_qmtimes (ones (2, 3, 4), ones (3, 2, 4, 0)), zeros (2, 2, 4, 0))
%!assert (gpu_qmtimes (ones (2, 3, 4, 0), ones (3, 2, 4)), zeros (2, 2, 4, 0))
%!error <A has 2 pages, but B has 3>
%! gpu_qmtimes (ones (2, 2, 4, 2), ones (2, 2, 4, 3))
%!error <the options are .* but not "precision">
%! gpu_qmtimes (ones (2, 2, 4), ones (2, 2, 4), "precision", "ieee")
%!error <"method" must be "auto", "fast" or "direct">
%! gpu_qmtimes (ones (2, 2, 4), ones (2, 2, 4), "method", 8)
%!error <"transa" must be "none", "transpose" or "ctranspose">
%! gpu_qmtimes (ones (2, 2, 4), ones (2, 2, 4), "transa", "yes")
%!error <an option must be a string, but is of class double>
%! gpu_qmtimes (ones (2, 2, 4), ones (2, 2, 4), 1, 2)
