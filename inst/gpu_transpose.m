## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{B} =} gpu_transpose (@var{A})
## Transpose @var{A}, or each page of it, on the GPU, or on the host where no
## GPU can be used.
##
## For a matrix, @code{@var{B} = @var{A}.'}.  For pages,
## @code{@var{B}(:,:,k) = @var{A}(:,:,k).'}, where Octave's operator is an
## error: this is an extension.
##
## @strong{Shapes.}  @var{A} is M x N, or M x N x K for K matrices, and @var{B}
## is N x M, or N x M x K.
##
## @strong{Classes.}  @var{A} is of any class that the operator takes, and
## @var{B} has its class and type: single and double, real and complex, integer,
## logical and char arrays; and, without the GPU, cell and struct arrays,
## sparse, diagonal and permutation matrices.  A range becomes a full matrix.
## As everywhere in Octave, a complex result with no imaginary part becomes
## real.
##
## @strong{Errors.}  It is an error if @var{A} has more than three dimensions,
## or is of a class that cannot be transposed.
##
## @strong{Accuracy.}  The elements are moved, not changed.
##
## @strong{Example.}
##
## @example
## @group
## gpu_transpose ([1, 2, 3; 4, 5, 6])
##   @result{} 1   4
##      2   5
##      3   6
## @end group
## @end example
##
## @strong{Algorithm.}  Tiles of the matrix are read row by row into the shared
## memory of the GPU and written column by column, so that both go over
## consecutive addresses.  A square matrix on the GPU is transposed in place.
## See G. Ruetsch and P. Micikevicius, @cite{Optimizing Matrix Transpose in
## CUDA}, NVIDIA 2009.
## @seealso{transpose, gpu_ctranspose}
## @end deftypefn

function B = gpu_transpose (A)

  if (nargin < 1)
    print_usage ();
  endif

  if (__gpu_call__ ("tiny", A))
    B = A.';
    return;
  endif
  B = transposed (A, "transpose");

endfunction

%!demo
%! ## Turn each frame of a film from landscape to portrait.
%! [x, y, t] = meshgrid (1:64, 1:48, 1:30);
%! film = exp (-((x - 2 * t) .^ 2 + (y - 24) .^ 2) / 50);
%! tic ();
%! turned = gpu_transpose (film);
%! ms = 1000 * toc ();
%! printf ("%d frames of %d x %d are %d x %d now, in %.2f ms\n", 30, ...
%!         rows (film), columns (film), rows (turned), columns (turned), ms);
%! printf ("frame 17 is transposed: %d\n", ...
%!         isequal (turned(:,:,17), film(:,:,17).'));

## All classes, shapes around the sizes of tiles, with pages and without.
%!test
%! rand ("twister", 42);
%! classes = {@double, @single, @(x) x > 60, @char, @int8, @uint8, @int16, ...
%!            @uint16, @int32, @uint32, @int64, @uint64, ...
%!            @(x) complex (x, -x), @(x) complex (single (x), 1)};
%! for f = classes
%!   for sz = [2, 2, 3, 31, 32, 33, 65, 5, 100, 128, 2, 300
%!             2, 3, 2, 33, 32, 31, 64, 129, 3, 128, 300, 2]
%!     A = f{1} (floor (rand (sz') * 127));
%!     B = gpu_transpose (A);
%!     assert (B, A.');
%!     assert (class (B), class (A));
%!     assert (iscomplex (B), iscomplex (A));
%!     A = f{1} (floor (rand ([sz', 3]) * 127));
%!     B = gpu_transpose (A);
%!     assert (B, permute (A, [2, 1, 3]));
%!     assert (class (B), class (A));
%!     assert (iscomplex (B), iscomplex (A));
%!   endfor
%! endfor

## Vectors, scalars and empty arrays.
%!test
%! for A = {5, 2i, single(5), true, uint64(5), "a", 1:5, (1:5)', ...
%!          uint64(1:3), [], zeros(0, 3), zeros(3, 0), "", int8([]), ...
%!          zeros(0, 3, "single"), complex([1, 2i, 3]), 0:0, 1:0}
%!   B = gpu_transpose (A{1});
%!   assert (B, A{1}.');
%!   assert (class (B), class (A{1}));
%!   assert (typeinfo (B), typeinfo (A{1}.'));
%! endfor
%!test
%! for A = {ones(1, 3, 4), ones(3, 1, 4), zeros(0, 3, 2), zeros(3, 0, 2), ...
%!          zeros(2, 3, 0), ones(1, 1, 3), complex(ones (1, 3, 2), 1), ...
%!          true(1, 2, 3), uint64(ones (1, 1, 2))}
%!   B = gpu_transpose (A{1});
%!   assert (B, permute (A{1}, [2, 1, 3]));
%!   assert (class (B), class (A{1}));
%! endfor

## Types that are more than a class: kinds of quotes, special matrices.
%!test
%! S = ["ab"; "cd"; "ef"];
%! D = eye (2, 3);
%! P = eye (3)(:,[2, 3, 1]);
%! for A = {"abc", 'abc', S, ['ab'; 'cd'], D, 2i * D, single(2)*D, P, ...
%!          sparse([1, 2i]), sparse(true), 0:3, {1, 2; 3, 4}, {}, {1, 2}, ...
%!          struct("a", {1, 2}), struct("a", 1), speye(3)}
%!   B = gpu_transpose (A{1});
%!   assert (B, A{1}.');
%!   assert (typeinfo (B), typeinfo (A{1}.'));
%! endfor

## The elements move as they are: the sign of zero, NaN, the largest integers.
%!test
%! A = [0, -0; NaN, Inf];
%! assert (1 ./ gpu_transpose (A), 1 ./ A.');
%! A = [intmax("uint64"), 1; 2, intmax("uint64") - 1];
%! assert (gpu_transpose (A), A.');
%! A = [intmin("int64"), 1, 2; -3, intmax("int64"), 5];
%! assert (gpu_transpose (A), A.');

## A complex array without imaginary part becomes real.
%!assert (isreal (gpu_transpose (complex (magic (3)))))
%!assert (isreal (gpu_transpose (complex (ones (2, 3, 2)))))
%!assert (isreal (gpu_transpose (complex (1:3))))
%!assert (isreal (gpu_transpose (complex (ones (1, 3, 2)))))

## Nothing changes A, shares its storage or stays on the device.
%!test
%! before = __gpu__ ("live");
%! for A = {magic(5), ones(3, 5, 2), ["ab"; "cd"], 1:3, int8(magic (3))}
%!   A = A{1};
%!   A_before = A(:,:,:);
%!   B = gpu_transpose (A);
%!   B(1) = 7;
%!   assert (A, A_before);
%!   C = gpu_transpose (A);
%!   A(1) = 7;
%!   assert (gpu_transpose (C), A_before);
%! endfor
%! assert (__gpu__ ("live"), before);

%!error <Invalid call to gpu_transpose> gpu_transpose ()
%!error <called with too many inputs> gpu_transpose (1, 2)
%!error <^gpu_transpose: transpose not defined for N-D objects$>
%! gpu_transpose (ones (2, 2, 2, 2));
%!error <^gpu_transpose: transpose not defined for N-D objects$>
%! gpu_transpose (cell (2, 2, 2));
%!error <unary operator '.'' not implemented for 'function handle' operands$>
%! gpu_transpose (@sin);
%!error <^gpu_transpose: transpose method not defined for containers.Map class$>
%! gpu_transpose (containers.Map ());
