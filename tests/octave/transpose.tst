## gpu_transpose and gpu_ctranspose beside the operators: the same results,
## types and messages.
##
## SPDX-License-Identifier: GPL-3.0-or-later

%!function [out, id] = outcome (f, A)
%!  id = "";
%!  try
%!    out = {f(A)};
%!  catch err
%!    out = regexprep (err.message, '^gpu_c?transpose: ', "");
%!    id = err.identifier;
%!  end_try_catch
%!endfunction

%!function same (A)
%!  functions = {@gpu_transpose, @(x) x.'; @gpu_ctranspose, @(x) x'};
%!  for f = functions'
%!    [ours, id] = outcome (f{1}, A);
%!    [want, want_id] = outcome (f{2}, A);
%!    assert (id, want_id);
%!    assert (ours, want);
%!    if (iscell (want))
%!      assert (typeinfo (ours{1}), typeinfo (want{1}));
%!    endif
%!  endfor
%!endfunction

%!test
%! A = reshape (1:6, 2, 3);
%! S = ["abc"; "def"];
%! for A = {A, single(A), complex(A, -A), complex(single (A), 1), ...
%!          complex(A), A > 2, int8(A), uint8(A), int16(A), uint16(A), ...
%!          int32(A), uint32(A), int64(A), uint64(A), S, ['ab'; 'cd'], ...
%!          "abc", 'abc', magic(4), 1i * magic(4), 1:3, 0:0, 5, 2i, ...
%!          single(5), uint64(5), true, "a", [], zeros(0, 3), zeros(3, 0), ...
%!          "", {}, single([]), sparse(A), sparse(A * 1i), sparse(A > 2), ...
%!          sparse(0, 3), eye(3), eye(2, 3), 2i * eye(2, 3), ...
%!          single(2) * eye(2, 3), eye(3)(:,[2, 3, 1]), {1, 2; 3, 4}, ...
%!          {1, "a", []}, struct("a", {1, 2}), struct("a", 1), @sin, ...
%!          containers.Map(), inputParser(), ones(2, 2, 2, 2), ...
%!          ones(2, 3, 1, 2), cell(2, 2, 2), struct("a", cell (2, 2, 2)), ...
%!          zeros(0, 0, 1, 2)}
%!   same (A{1});
%! endfor

## Shapes beside the tiles, and long and thin ones, of every element size.
%!test
%! for f = {@int8, @int16, @single, @double, @(x) complex (x, 1)}
%!   for sz = [1, 2, 3, 7, 2, 3, 16, 17, 5000, 70000, 63, 257, 500, 1023
%!             7, 5000, 5000, 5000, 70000, 100, 257, 3, 7, 3, 65, 256, 500, 513]
%!     A = f{1} (reshape (mod ((1:prod (sz)) * 7919, 127), sz'));
%!     assert (isequal (gpu_transpose (A), A.'));
%!     assert (isequal (gpu_ctranspose (A), A'));
%!   endfor
%! endfor

## The same in place: a square matrix is where the backend may do so.
%!test
%! for n = [2, 3, 31, 32, 33, 64, 100, 257]
%!   for f = {@int8, @int16, @single, @double, @(x) complex (x, 1)}
%!     A = f{1} (reshape (mod ((1:3*n*n) * 7919, 127), n, n, 3));
%!     assert (isequal (gpu_transpose (A), permute (A, [2, 1, 3])));
%!     assert (isequal (gpu_ctranspose (A), conj (permute (A, [2, 1, 3]))));
%!     assert (isequal (gpu_transpose (gpu_transpose (A)), A));
%!   endfor
%! endfor

## Through __gpu__, also what gpu_transpose leaves to Octave.
%!test
%! for A = {1:5, (1:5)', ones(1, 3, 4), single(1:3), int8(1:3), true(1, 2), ...
%!          "abc", zeros(0, 3), zeros(2, 3, 0)}
%!   A = A{1};
%!   sz = [columns(A), rows(A), size(A, 3)];
%!   B = reshape (A, sz);
%!   B(:) = 1;
%!   __gpu__ ("transpose", A, B);
%!   assert (B, permute (A, [2, 1, 3]));
%! endfor
