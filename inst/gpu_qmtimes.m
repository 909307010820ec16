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
## @strong{Result.}  @var{C} has the form of the first operand that is a
## quaternion matrix, is on the device if one operand is, and single if one is.
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

  if (real_A || real_B || is_one (A) || is_one (B))
    C = by_reals (transformed (A, op{1}, real_A),
                  transformed (B, op{2}, real_B), real_A, real_B);
  else
    [C, info.method, info.growth] = product (A, B, method, op);
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

  if (real_A && isscalar (A) || real_B && isscalar (B))
    C = A .* B;
  elseif (real_A || real_B)
    check_inner (A, B);
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

function check_inner (A, B)

  if (columns (A) != rows (B))
    error ("Octave:nonconformant-args",
           ["gpu_qmtimes: operator *: nonconformant arguments " ...
            "(op1 is %dx%d, op2 is %dx%d)"], rows (A), columns (A), ...
           rows (B), columns (B));
  endif

endfunction

function [C, method, growth] = product (A, B, method, op)

  on_device = isa (A, "gpuArray") || isa (B, "gpuArray");
  size_A = size (A);
  size_B = size (B);
  if (! strcmp (op{1}, "none"))
    size_A([1, 2]) = size_A([2, 1]);
  endif
  if (! strcmp (op{2}, "none"))
    size_B([1, 2]) = size_B([2, 1]);
  endif
  if (size_A(2) != size_B(1))
    check_inner (zeros (size_A(1:2)), zeros (size_B(1:2)));
  endif
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
    [method, growth, C] = __gpu_call__ ("qmtimes", A, B, method, op{:});
    return;
  endif
  pages = pages_A;
  if (pages_B != 1)
    pages = pages_B;
  endif
  A = reshape (A, rows (A), columns (A), []);
  B = reshape (B, rows (B), columns (B), []);
  C = fresh_array ([size_A(1), size_B(2), 4 * pages], class (A), false);
  [method, growth] = __gpu__ ("qmtimes", A, B, method, op{:}, C);
  C = reshape (C, size_A(1), size_B(2), 4, pages);

endfunction
