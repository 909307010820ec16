## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} gpu_qtimes (@var{A}, @var{B})
## Compute the Hamilton product of each quaternion of @var{A} with that of
## @var{B}.
##
## The units have i*j = k, j*k = i and k*i = j, and the products in the other
## order have the other sign: in general @code{gpu_qtimes (@var{A}, @var{B})} is
## not @code{gpu_qtimes (@var{B}, @var{A})}.
##
## @strong{Shapes.}  @var{A} and @var{B} are M x N x 4, the planes w, x, y, z of
## M x N quaternions, or M x N x 4 x K for K pages, on the host; gpuArrays of
## M x N x 4; or objects with the fields w, x, y, z, as those of the package
## quaternion.  Where one has 1 for M, N or K, it is repeated, as Octave's
## operators do: 1 x 1 x 4 is a scalar, which multiplies from its own side.  One
## of both can be a real matrix, or M x N x 1 x K for pages, which scales.
##
## @var{C} is a gpuArray if one of both is.  Else it has the form of @var{A}, or
## that of @var{B} if @var{A} is real.
##
## @strong{Classes.}  @var{A} and @var{B} are single or double.  @var{C} is
## single if one of them is.  Logical arrays become double, and a sparse matrix
## is computed as a dense one.
##
## @strong{Errors.}  It is an error if the sizes do not fit, with Octave's
## message for the operator and the sizes in quaternions; if both are real; if
## a third dimension is neither 4 nor 1; if one has more than four dimensions;
## if one is complex, of an integer class or not numeric; and if one has pages
## where the other is a gpuArray.
##
## @strong{Accuracy.}  The error of each component of @var{C} is below the same
## of @code{2 * eps} times the sum of the absolute values of its four products,
## with the @code{eps} of the class of @var{C}.  NaN and Inf spread to all
## components that they have a part in.
##
## @strong{Example.}
##
## @example
## @group
## A = qpack ([1, 2, 3, 4]);
## B = qpack ([5, 6, 7, 8]);
## qunpack (gpu_qtimes (A, B))
##   @result{} -60   12   30   24
## qunpack (gpu_qtimes (B, A))
##   @result{} -60   20   14   32
## @end group
## @end example
##
## @strong{Algorithm.}  The definition, with 16 real products.
## @seealso{gpu_qconj, gpu_qctranspose, gpu_qinv, qpack}
## @end deftypefn

function C = gpu_qtimes (A, B)

  if (nargin < 2)
    print_usage ();
  endif
  [A, form_A] = quaternion_operand ("gpu_qtimes", A, "A");
  [B, form_B] = quaternion_operand ("gpu_qtimes", B, "B");
  is_real = strcmp ({form_A, form_B}, "real");
  on_device = [isa(A, "gpuArray"), isa(B, "gpuArray")];
  if (all (is_real))
    error (["gpu_qtimes: A or B must be quaternions, as M x N x 4 planes, " ...
            "but both are real: %s and %s"],
           sprintf ("%d x ", size (A))(1:end-3),
           sprintf ("%d x ", size (B))(1:end-3));
  endif
  check_sizes (A, B);
  if (any (on_device) && (ndims (A) > 3 || ndims (B) > 3))
    error (["gpu_qtimes: pages, M x N x 4 x K, are on the host only, but " ...
            "the other argument is a gpuArray"]);
  endif

  form = form_A;
  if (any (on_device))
    form = "gpuArray";
  elseif (is_real(1))
    form = form_B;
  endif

  if (any (is_real))
    C = A .* B;
  elseif (any (on_device) || isempty (A) || isempty (B))
    C = by_units (A, B);
  else
    C = by_planes (A, B);
  endif
  C = quaternion_as (C, form);

endfunction

## Four products of a plane of A with all of B, which a unit from the left has
## moved and signed: few calls of the device, and cat may lose empty sizes.
function C = by_units (A, B)

  C = quaternion_pick (A, 1) .* B ...
      + quaternion_pick (A, 2) .* moved (B, [2, 1, 4, 3], [-1, 1, -1, 1]) ...
      + quaternion_pick (A, 3) .* moved (B, [3, 4, 1, 2], [-1, 1, 1, -1]) ...
      + quaternion_pick (A, 4) .* moved (B, [4, 3, 2, 1], [-1, -1, 1, 1]);

endfunction

function P = moved (P, k, signs)

  P = quaternion_signs (quaternion_pick (P, k), signs);

endfunction

## The same sums in the same order, with less traffic of memory.
function C = by_planes (A, B)

  a = @(k) quaternion_pick (A, k);
  b = @(k) quaternion_pick (B, k);
  [aw, ax, ay, az] = deal (a (1), a (2), a (3), a (4));
  [bw, bx, by, bz] = deal (b (1), b (2), b (3), b (4));
  C = cat (3, aw .* bw - ax .* bx - ay .* by - az .* bz,
              aw .* bx + ax .* bw + ay .* bz - az .* by,
              aw .* by - ax .* bz + ay .* bw + az .* bx,
              aw .* bz + ax .* by - ay .* bx + az .* bw);

endfunction

## Octave's error, with the sizes in quaternions.
function check_sizes (A, B)

  sz_A = quaternion_size (A);
  sz_B = quaternion_size (B);
  if (any (sz_A != sz_B & sz_A != 1 & sz_B != 1))
    error ("Octave:nonconformant-args",
           ["gpu_qtimes: product: nonconformant arguments " ...
            "(op1 is %s, op2 is %s)"], text_of (sz_A), text_of (sz_B));
  endif

endfunction

function sz = quaternion_size (P)

  sz = size (P);
  sz(end+1:4) = 1;
  sz(3) = [];

endfunction

function text = text_of (sz)

  text = sprintf ("%dx%d", sz(1:2));
  if (sz(3) != 1)
    text = sprintf ("%s, %d pages", text, sz(3));
  endif

endfunction

## By single components, from the table of the units.
%!function C = oracle (A, B)
%!  unit = [1, 2, 3, 4; 2, -1, 4, -3; 3, -4, -1, 2; 4, 3, -2, -1];
%!  sz_A = sz_B = ones (1, 4);
%!  sz_A(1:ndims (A)) = size (A);
%!  sz_B(1:ndims (B)) = size (B);
%!  sz = max (sz_A, sz_B);
%!  sz(sz_A == 0 | sz_B == 0) = 0;
%!  C = zeros (sz, class (A([]) .* B([])));
%!  for m = 1:sz(1)
%!    for n = 1:sz(2)
%!      for k = 1:sz(4)
%!        at = {m, n, 1, k};
%!        for a = 1:4
%!          for b = 1:4
%!            u = unit(a,b);
%!            C(m,n,abs(u),k) += sign (u) ...
%!              * A(min (m, sz_A(1)), min (n, sz_A(2)), a, min (k, sz_A(4))) ...
%!              * B(min (m, sz_B(1)), min (n, sz_B(2)), b, min (k, sz_B(4)));
%!          endfor
%!        endfor
%!      endfor
%!    endfor
%!  endfor
%!endfunction

%!function q = product (varargin)
%!  q = varargin{1};
%!  for k = 2:nargin
%!    q = gpu_qtimes (q, varargin{k});
%!  endfor
%!endfunction

## The units.
%!test
%! e = qpack ([1, 0, 0, 0]);
%! i = qpack ([0, 1, 0, 0]);
%! j = qpack ([0, 0, 1, 0]);
%! k = qpack ([0, 0, 0, 1]);
%! assert (product (e, e), e);
%! assert (product (i, j), k);
%! assert (product (j, k), i);
%! assert (product (k, i), j);
%! assert (product (j, i), -k);
%! assert (product (k, j), -i);
%! assert (product (i, k), -j);
%! for u = {i, j, k}
%!   assert (product (u{1}, u{1}), -e);
%!   assert (product (e, u{1}), u{1});
%!   assert (product (u{1}, e), u{1});
%! endfor
%! assert (product (product (i, j), k), -e);
%! assert (product (i, product (j, k)), -e);

%!assert (qunpack (gpu_qtimes (qpack ([1, 2, 3, 4]), qpack ([5, 6, 7, 8]))), ...
%!        [-60, 12, 30, 24])
%!assert (qunpack (gpu_qtimes (qpack ([5, 6, 7, 8]), qpack ([1, 2, 3, 4]))), ...
%!        [-60, 20, 14, 32])

## Real numbers on either side: none of the components is lost.
%!test
%! q = qpack ([1, 2, 3, 4]);
%! want = (0:4)' * [1, 2, 3, 4];
%! assert (qunpack (gpu_qtimes (0:4, q)), want);
%! assert (qunpack (gpu_qtimes (q, (0:4)')), want);
%! assert (qunpack (gpu_qtimes (2, q)), 2 * [1, 2, 3, 4]);
%! assert (qunpack (gpu_qtimes (q, true)), [1, 2, 3, 4]);
%! assert (qunpack (gpu_qtimes (sparse ([0, 2]), q)), [0; 2] * [1, 2, 3, 4]);
%! assert (qunpack (gpu_qtimes (eye (2), q)), [1; 0; 0; 1] * [1, 2, 3, 4]);
%! assert (gather (gpu_qtimes (gpuArray (0:4), q)), gpu_qtimes (0:4, q));
%! assert (gather (gpu_qtimes (q, gpuArray (true (3, 4)))), repmat (q, 3, 4));

## All broadcasts of sizes with 3 and 4 in every place, empty ones, pages and
## classes; on the device where there are no pages.
%!test
%! rand ("twister", 42);
%! sizes = [1, 3, 4, 4, 1, 3, 0, 0
%!          1, 4, 3, 4, 3, 1, 0, 3];
%! fitting = @(a, b) all (a == b | a == 1 | b == 1);
%! count = 0;
%! for sa = [sizes, sizes, sizes; ones(1, 8), 3 * ones(1, 8), zeros(1, 8)]
%!   for sb = [sizes, sizes; ones(1, 8), 3 * ones(1, 8)]
%!     if (fitting (sa, sb))
%!       for cls = {"single", "double", "single"; "double", "double", "single"}
%!         A = cast (randi ([-9, 9], [sa(1:2)', 4, sa(3)]), cls{1});
%!         B = cast (randi ([-9, 9], [sb(1:2)', 4, sb(3)]), cls{2});
%!         C = gpu_qtimes (A, B);
%!         assert (C, oracle (A, B));
%!         assert (class (C), class (A([]) .* B([])));
%!         if (sa(3) == 1 && sb(3) == 1)
%!           for D = {gpu_qtimes(gpuArray (A), B), ...
%!                    gpu_qtimes(A, gpuArray (B)), ...
%!                    gpu_qtimes(gpuArray (A), gpuArray (B))}
%!             assert (isa (D{1}, "gpuArray"));
%!             assert (gather (D{1}), C);
%!           endfor
%!         endif
%!         count++;
%!       endfor
%!     endif
%!   endfor
%! endfor
%! assert (count > 200);

## Real operands, with pages, too.
%!test
%! rand ("twister", 42);
%! for s = {[3, 4], [1, 4], [3, 1], [1, 1], [3, 4, 1, 3], [1, 1, 1, 3]}
%!   for pages = [1, 3]
%!     R = randi ([-9, 9], s{1});
%!     A = randi ([-9, 9], [3, 4, 4, pages]);
%!     want = oracle (cat (3, R, zeros ([s{1}(1:2), 3, s{1}(4:end)])), A);
%!     assert (gpu_qtimes (R, A), want);
%!     assert (gpu_qtimes (A, R), want);
%!     assert (class (gpu_qtimes (single (R), A)), "single");
%!   endfor
%! endfor

## A scalar multiplies from its own side.
%!test
%! rand ("twister", 42);
%! q = randi ([-9, 9], [1, 1, 4]);
%! A = randi ([-9, 9], [4, 4, 4]);
%! assert (gpu_qtimes (q, A), gpu_qtimes (repmat (q, 4, 4), A));
%! assert (gpu_qtimes (A, q), gpu_qtimes (A, repmat (q, 4, 4)));
%! assert (! isequal (gpu_qtimes (q, A), gpu_qtimes (A, q)));

## Associative, the norm multiplies, and conj (a*b) is conj (b) * conj (a).
%!test
%! rand ("twister", 42);
%! A = randi ([-9, 9], [3, 4, 4, 2]);
%! B = randi ([-9, 9], [3, 4, 4, 2]);
%! C = randi ([-9, 9], [3, 4, 4, 2]);
%! assert (product (product (A, B), C), product (A, product (B, C)));
%! assert (sumsq (product (A, B), 3), sumsq (A, 3) .* sumsq (B, 3));
%! assert (gpu_qconj (product (A, B)), product (gpu_qconj (B), gpu_qconj (A)));

## Random ones within the bound, and small components beside large ones.
%!test
%! randn ("twister", 42);
%! A = randn (5, 4, 4);
%! B = randn (5, 4, 4) .* 10 .^ randi ([-9, 9], [5, 4, 4]);
%! want = oracle (A, B);
%! bound = 4 * eps * (abs (A(:,:,1)) .* abs (B) ...
%!                    + abs (A(:,:,2)) .* abs (B(:,:,[2, 1, 4, 3])) ...
%!                    + abs (A(:,:,3)) .* abs (B(:,:,[3, 4, 1, 2])) ...
%!                    + abs (A(:,:,4)) .* abs (B(:,:,[4, 3, 2, 1])));
%! C = gpu_qtimes (A, B);
%! assert (all ((abs (C - want) <= bound)(:)));
%! C = gather (gpu_qtimes (A, gpuArray (B)));
%! assert (all ((abs (C - want) <= bound)(:)));
%! q = gpu_qtimes (qpack ([1, 1e-17, 0, 0]), qpack ([1, 0, 1e-17, 0]));
%! assert (qunpack (q), [1, 1e-17, 1e-17, 1e-17 * 1e-17], -eps);

%!assert (qunpack (gpu_qtimes (qpack ([Inf, 1, 1, 1]), 2)), [Inf, 2, 2, 2])
%!assert (gpu_qtimes (qpack ([NaN, 0, 0, 0]), qpack ([1, 2, 3, 4])), ...
%!        NaN (1, 1, 4))

## Objects, with themselves and others: the first quaternions give the form.
%!testif ; ! isempty (pkg ("list", "quaternion"))
%! pkg load quaternion
%! a = randi ([-9, 9], [3, 4, 4]);
%! b = randi ([-9, 9], [3, 4, 4]);
%! p = quaternion (a(:,:,1), a(:,:,2), a(:,:,3), a(:,:,4));
%! q = quaternion (b(:,:,1), b(:,:,2), b(:,:,3), b(:,:,4));
%! want = p .* q;
%! for C = {gpu_qtimes(p, q), gpu_qtimes(p, b)}
%!   assert (class (C{1}), "quaternion");
%!   assert (qunpack (C{1}), [want.w(:), want.x(:), want.y(:), want.z(:)]);
%! endfor
%! C = gpu_qtimes (a, q);
%! assert (C, oracle (a, b));
%! C = gpu_qtimes (2, q);
%! assert (C.y, 2 * b(:,:,3));
%! assert (gather (gpu_qtimes (p, gpuArray (b))), oracle (a, b));
%! assert (numel (gpu_qtimes (quaternion (zeros (0, 3)), 2).w), 0);

%!error <Invalid call to gpu_qtimes> gpu_qtimes ()
%!error <Invalid call to gpu_qtimes> gpu_qtimes (1)
%!error <called with too many inputs> gpu_qtimes (1, 2, 3)
%!error <called with too many outputs> [x, y] = gpu_qtimes (1, ones (1, 1, 4))
%!error <^gpu_qtimes: product: .* arguments \(op1 is 2x3, op2 is 3x2\)$>
%! gpu_qtimes (ones (2, 3, 4), ones (3, 2, 4));
%!error <\(op1 is 2x3, op2 is 2x4\)$> gpu_qtimes (ones (2, 3, 4), ones (2, 4))
%!error <\(op1 is 1x4, op2 is 3x3\)$>
%! gpu_qtimes (gpuArray (ones (1, 4, 4)), ones (3, 3, 4));
%!error <\(op1 is 1x1, 2 pages, op2 is 1x1, 3 pages\)$>
%! gpu_qtimes (ones (1, 1, 4, 2), ones (1, 1, 4, 3));
%!error <^gpu_qtimes: A or B must be .* but both are real: 1 x 4 and 1 x 1$>
%! gpu_qtimes ([1, 2, 3, 4], 2);
%!error <^gpu_qtimes: A must be .* M x N x 4 planes .* but is 4 x 4 x 3$>
%! gpu_qtimes (ones (4, 4, 3), 1);
%!error <^gpu_qtimes: B must be .* M x N x 4 planes .* but is 4 x 1 x 2$>
%! gpu_qtimes (1, ones (4, 1, 2));
%!error <but is 1 x 1 x 4 x 1 x 2$> gpu_qtimes (ones (1, 1, 4, 1, 2), 1)
%!error <but is 1 x 1 x 1 x 1 x 2$> gpu_qtimes (ones (1, 1, 1, 1, 2), 1)
%!error <^gpu_qtimes: A must be .*, but is complex$>
%! gpu_qtimes (1i, ones (1, 1, 4));
%!error <^gpu_qtimes: B must be .*, but is complex$>
%! gpu_qtimes (ones (1, 1, 4), 1i * ones (1, 1, 4));
%!error <but is of class int32$> gpu_qtimes (int32 (2), ones (1, 1, 4))
%!error <but is of class uint8$> gpu_qtimes (2, ones (1, 1, 4, "uint8"))
%!error <but is of class char$> gpu_qtimes ("a", ones (1, 1, 4))
%!error <but is of class cell$> gpu_qtimes ({}, ones (1, 1, 4))
%!error <^gpu_qtimes: pages, M x N x 4 x K, are on the host only>
%! gpu_qtimes (gpuArray (2), ones (1, 1, 4, 2));
