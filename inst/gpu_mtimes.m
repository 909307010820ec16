## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} gpu_mtimes (@var{A}, @var{B})
## @deftypefnx {} {@var{C} =} gpu_mtimes (@dots{}, "precision", @var{P})
## Compute the matrix product @code{@var{A} * @var{B}}, or that of each page, on
## the GPU, or on the host where no GPU can be used.
##
## @strong{Shapes.}  @var{A} is M x K and @var{B} is K x N.  Of M x K x P and K
## x N x P arrays each page is multiplied by itself, and a single matrix by all
## pages, where Octave's operator is an error: this is an extension.  If one of
## both is a scalar, the other is scaled.
##
## @strong{Classes.}  @var{A} and @var{B} are single or double, real or complex,
## on the host or on the device.  @var{C} is on the device if one of them is,
## and single if one of them is.  Integer and logical matrices are converted to
## double, and a sparse matrix is computed as a dense one.  As everywhere in
## Octave, a complex result on the host with no imaginary part becomes real.
##
## @strong{Precision.}  @var{P} says how products of single arrays are computed:
##
## @table @asis
## @item @qcode{"ieee"}
## in single; this is the default
##
## @item @qcode{"tf32"}
## @itemx @qcode{"fp16"}
## @itemx @qcode{"bf16"}
## by tensor cores, from elements rounded to 11, 11 and 8 bits; @qcode{"fp16"}
## has room for numbers up to 65504 only
##
## @item @qcode{"fp32x3"}
## by tensor cores, from elements split into two parts of 11 bits, with about
## the accuracy of single
## @end table
##
## @noindent
## All of them sum in single.  The host, and a GPU without tensor cores, compute
## as with @qcode{"ieee"}, which is more accurate.  Double arrays are computed
## in double: for them any other @var{P} is an error.
##
## @strong{Errors.}  It is an error if the sizes do not fit, with Octave's
## message for the operator, or if an array is not numeric or has more than
## three dimensions.
##
## @strong{Accuracy.}  The error of each element of @var{C} is below the same of
## @code{K * eps * abs (@var{A}) * abs (@var{B})}, with the @code{eps} of the
## class of @var{C}; another @var{P} adds the error of rounding the elements of
## @var{A} and @var{B}.  The same call gives the same bits each time on one
## machine.
##
## @strong{Example.}
##
## @example
## @group
## gpu_mtimes ([1, 2; 3, 4], [5; 6])
##   @result{} 17
##      39
## @end group
## @end example
##
## @strong{Algorithm.}  The matrix products of cuBLAS, or of the BLAS on the
## host.
## @seealso{mtimes, gpuArray}
## @end deftypefn

function C = gpu_mtimes (A, B, varargin)

  if (nargin == 2 && __gpu_call__ ("tiny_product", A, B))
    C = full (A * B);
    return;
  elseif (nargin < 2 || mod (nargin, 2) == 1)
    print_usage ();
  endif

  precision = "ieee";
  for k = 1:2:numel (varargin)
    if (! (ischar (varargin{k}) && strcmpi (varargin{k}, "precision")))
      error ('gpu_mtimes: the only option is "precision"');
    endif
    precision = varargin{k+1};
  endfor
  known = {"ieee", "tf32", "fp16", "bf16", "fp32x3"};
  if (! (ischar (precision) && any (strcmpi (precision, known))))
    error (['gpu_mtimes: the precision must be "ieee", "tf32", "fp16", ' ...
            '"bf16" or "fp32x3"']);
  endif
  precision = lower (precision);

  on_host = ! (isobject (A) || isobject (B));
  A = array_operand ("gpu_mtimes", A, "A");
  B = array_operand ("gpu_mtimes", B, "B");
  if (! strcmp (precision, "ieee")
      && ! (is_single (A) && is_single (B)))
    error ('gpu_mtimes: the precision "%s" is for single arrays', precision);
  endif

  C = __gpu_call__ ("mtimes", A, B, precision);
  if (on_host)
    C = gather (C);
  endif

endfunction

function tf = is_single (A)

  if (isa (A, "gpuArray"))
    tf = strcmp (__gpu_call__ ("class", A), "single");
  else
    tf = isa (A, "single");
  endif

endfunction

%!demo
%! ## Turn a body of 500 points by 360 rotations at once.
%! P = randn (3, 500);
%! a = reshape ((1:360) * pi / 180, 1, 1, []);
%! R = zeros (3, 3, 360);
%! R(1:2,1:2,:) = [cos(a), -sin(a); sin(a), cos(a)];
%! R(3,3,:) = 1;
%! Q = gpu_mtimes (R, P);
%! printf ("%d x %d points on each of %d pages\n", size (Q));
%! printf ("after one turn they are back but for %.2g\n", ...
%!         max (abs (Q(:,:,360) - P)(:)));

%!demo
%! ## What the precisions cost: a GPU with tensor cores rounds the elements.
%! A = randn (500, "single");
%! B = randn (500, "single");
%! C = double (A) * double (B);
%! for p = {"ieee", "fp32x3", "tf32", "fp16", "bf16"}
%!   E = double (gpu_mtimes (A, B, "precision", p{1})) - C;
%!   printf ("%-6s  relative error %.2g\n", p{1}, norm (E, 1) / norm (C, 1));
%! endfor

## Products of small whole numbers are exact in every order.
%!function A = sample (sz, cls, is_complex)
%!  A = cast (randi ([-9, 9], sz), cls);
%!  if (is_complex)
%!    A = complex (A, cast (randi ([-9, 9], sz), cls));
%!  endif
%!endfunction

%!assert (gpu_mtimes ([1, 2; 3, 4], [5; 6]), [17; 39])

## All types and their mixes, sizes around those of tiles, and empty ones; on
## the host and on the device.
%!test
%! rand ("twister", 42);
%! for class_A = {"single", "double"}
%!   for class_B = {"single", "double"}
%!     for complexity = [0, 0, 1, 1; 0, 1, 0, 1]
%!       for s = [1, 2, 7, 33, 64, 1, 5, 0, 3, 4
%!                1, 3, 9, 32, 65, 9, 1, 3, 0, 1
%!                1, 4, 8, 31, 63, 1, 5, 4, 4, 0]
%!         A = sample (s(1:2)', class_A{1}, complexity(1));
%!         B = sample (s(2:3)', class_B{1}, complexity(2));
%!         C = gpu_mtimes (A, B);
%!         assert (C, A * B);
%!         assert (class (C), class (A * B));
%!         for D = {gpu_mtimes(gpuArray (A), B), ...
%!                  gpu_mtimes(A, gpuArray (B)), ...
%!                  gpu_mtimes(gpuArray (A), gpuArray (B))}
%!           assert (isa (D{1}, "gpuArray"));
%!           assert (gather (D{1}), C);
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! endfor

## Pages
%!test
%! rand ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     A = sample ([5, 3, 4], cls{1}, is_complex);
%!     B = sample ([3, 6, 4], cls{1}, is_complex);
%!     C = gpu_mtimes (A, B);
%!     assert (size (C), [5, 6, 4]);
%!     for k = 1:4
%!       assert (C(:,:,k), A(:,:,k) * B(:,:,k));
%!     endfor
%!     assert (gpu_mtimes (A, 3), 3 * A);
%!     C = gpu_mtimes (A(:,:,2), gpuArray (B));
%!     assert (gather (C)(:,:,3), A(:,:,2) * B(:,:,3));
%!   endfor
%! endfor

## Every precision gives products of small whole numbers without an error, and
## others with that of the operands.
%!test
%! randn ("twister", 42);
%! A = randn (40, 50, "single");
%! B = randn (50, 30, "single");
%! bound = abs (double (A)) * abs (double (B));
%! want = double (A) * double (B);
%! for p = {"ieee", eps("single"); "tf32", 2^-10; "fp16", 2^-10; ...
%!          "bf16", 2^-7; "fp32x3", eps("single")}'
%!   C = gpu_mtimes (A, B, "precision", p{1});
%!   assert (class (C), "single");
%!   assert (all ((abs (double (C) - want) <= (p{2} + 50 * eps ("single")) ...
%!                                            * bound)(:)));
%!   assert (gpu_mtimes (round (A), round (B), "Precision", upper (p{1})), ...
%!           round (A) * round (B));
%! endfor

## Classes that are converted
%!assert (gpu_mtimes (int8 ([1, 2]), [3; 4]), 11)
%!assert (gpu_mtimes (uint64 (3), 4), 12)
%!assert (gpu_mtimes (true (2), [1; 2]), [3; 3])
%!assert (gpu_mtimes (sparse ([1, 2]), [3; 4]), 11)
%!assert (issparse (gpu_mtimes (speye (2), speye (2))), false)
%!assert (isreal (gpu_mtimes (2i, 2i)))

%!error <Invalid call to gpu_mtimes> gpu_mtimes ()
%!error <Invalid call to gpu_mtimes> gpu_mtimes (1)
%!error <Invalid call to gpu_mtimes> gpu_mtimes (1, 2, "precision")
%!error <Invalid call to gpu_mtimes> gpu_mtimes (1, 2, "precision", "ieee", 3)
%!error <called with too many outputs> [x, y] = gpu_mtimes (1, 2)
%!error <the only option is "precision"> gpu_mtimes (1, 2, "prec", "ieee")
%!error <the precision must be "ieee", "tf32"> gpu_mtimes (1, 2, "precision", 1)
%!error <the precision must be> gpu_mtimes (1, 2, "precision", "fp8")
%!error <the precision "tf32" is for single arrays>
%! gpu_mtimes (1, single (2), "precision", "tf32");
%!error <operator \*: nonconformant arguments \(op1 is 2x3, op2 is 4x5\)>
%! gpu_mtimes (ones (2, 3), ones (4, 5));
%!error <nonconformant arguments> gpu_mtimes (ones (2, 2, 2), ones (2, 2, 3))
%!error <^gpu_mtimes: wrong type argument 'cell'$> gpu_mtimes ({1}, 2)
%!error <^gpu_mtimes: wrong type argument 'string'$> gpu_mtimes (1, "a")
%!error <A must have at most three dimensions, but is 1 x 1 x 1 x 2$>
%! gpu_mtimes (ones (1, 1, 1, 2), 1);
