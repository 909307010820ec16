## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{B} =} gpu_ctranspose (@var{A})
## Transpose @var{A}, or each page of it, and take the complex conjugate, on
## the GPU, or on the host where no GPU can be used.
##
## For a matrix, @code{@var{B} = @var{A}'}.  For pages,
## @code{@var{B}(:,:,k) = @var{A}(:,:,k)'}, where Octave's operator is an error:
## this is an extension.  If @var{A} is real, @var{B} is what
## @code{gpu_transpose} gives.
##
## @strong{Shapes.}  @var{A} is M x N, or M x N x K for K matrices, and @var{B}
## is N x M, or N x M x K.
##
## @strong{Classes and errors.}  These are those of @code{gpu_transpose}.
##
## @strong{Accuracy.}  The elements are moved, and the sign of imaginary parts
## is changed, also that of zero.
##
## @strong{Example.}
##
## @example
## @group
## gpu_ctranspose ([1+2i, 3i; 4, 5])
##   @result{} 1 - 2i   4 - 0i
##      0 - 3i   5 - 0i
## @end group
## @end example
##
## @strong{Algorithm.}  As for @code{gpu_transpose}; the conjugation costs
## nothing beside the movement.
## @seealso{ctranspose, gpu_transpose}
## @end deftypefn

function B = gpu_ctranspose (A)

  if (nargin < 1)
    print_usage ();
  endif

  if (__gpu_call__ ("tiny", A))
    B = A';
    return;
  endif
  B = transposed (A, "ctranspose");

endfunction

## Complex arrays, shapes around the sizes of tiles, with pages and without.
%!test
%! rand ("twister", 42);
%! for cls = {"single", "double"}
%!   for sz = [2, 2, 3, 31, 32, 33, 65, 5, 100, 128, 2, 300
%!             2, 3, 2, 33, 32, 31, 64, 129, 3, 128, 300, 2]
%!     A = complex (rand (sz', cls{1}), rand (sz', cls{1}));
%!     B = gpu_ctranspose (A);
%!     assert (B, A');
%!     assert (class (B), cls{1});
%!     A = complex (rand ([sz', 3], cls{1}), rand ([sz', 3], cls{1}));
%!     assert (gpu_ctranspose (A), conj (permute (A, [2, 1, 3])));
%!   endfor
%! endfor

## Everything else is transposed.
%!test
%! S = ["ab"; "cd"; "ef"];
%! D = eye (2, 3);
%! for A = {magic(4), single(ones (3, 5)), true(2, 3), int8(magic (3)), ...
%!          uint64(ones (2, 3)), "abc", 'abc', S, D, 2i * D, ...
%!          eye(3)(:,[2, 3, 1]), sparse([1, 2i]), sparse(true), 0:3, ...
%!          {1, 2; 3, 4}, struct("a", {1, 2}), 5, 2i, single(2i), true, ...
%!          uint64(5), 1:5, (1:5)' * 1i, [], zeros(0, 3), zeros(3, 0), ""}
%!   B = gpu_ctranspose (A{1});
%!   assert (B, A{1}');
%!   assert (class (B), class (A{1}));
%!   assert (typeinfo (B), typeinfo (A{1}'));
%! endfor
%!test
%! for A = {ones(1, 3, 4), zeros(0, 3, 2), zeros(2, 3, 0), ones(1, 1, 3), ...
%!          complex(ones (1, 3, 2), 1), complex(ones (3, 1, 2), 1), ...
%!          reshape(1:24, 2, 3, 4)}
%!   assert (gpu_ctranspose (A{1}), conj (permute (A{1}, [2, 1, 3])));
%! endfor

## The imaginary part of a real element becomes -0, as with Octave's operator.
%!test
%! for A = {[4, 1i; 2, 5], single([4, 1i; 2, 5]), [4, 1i, 3], ...
%!          complex(ones (2, 3), [0, 1, 2; 3, 0, 5])}
%!   B = gpu_ctranspose (A{1});
%!   assert (B, A{1}');
%!   assert (1 ./ imag (B), 1 ./ imag (A{1}'));
%! endfor

## A complex array without imaginary part becomes real.
%!assert (isreal (gpu_ctranspose (complex (magic (3)))))
%!assert (isreal (gpu_ctranspose (complex (ones (2, 3, 2)))))
%!assert (isreal (gpu_ctranspose (complex (1:3))))

%!error <Invalid call to gpu_ctranspose> gpu_ctranspose ()
%!error <called with too many inputs> gpu_ctranspose (1, 2)
%!error <^gpu_ctranspose: transpose not defined for N-D objects$>
%! gpu_ctranspose (ones (2, 2, 2, 2));
%!error <^gpu_ctranspose: transpose not defined for N-D objects$>
%! gpu_ctranspose (cell (2, 2, 2));
%!error <unary operator ''' not implemented for 'function handle' operands$>
%! gpu_ctranspose (@sin);
