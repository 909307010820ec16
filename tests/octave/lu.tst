## gpu_lu beside Octave's lu: results, classes and messages; the same pivots in
## double precision; backward errors on matrices that are hard.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## What a call gives: its outputs, or its error but for the name before it.
%!function out = outcome (f, nout, varargin)
%!  out = cell (1, max (nout, 1));
%!  try
%!    [out{:}] = f (varargin{:});
%!  catch err
%!    out = strsplit (strrep (err.message, " to lu.", " to gpu_lu."), "\n"){1};
%!    out = strtok (regexprep (out, '^(gpu_)?lu: ', ""), ".");
%!  end_try_catch
%!endfunction

%!function same (varargin)
%!  for nout = 0:3
%!    want = outcome (@lu, nout, varargin{:});
%!    ours = outcome (@gpu_lu, nout, varargin{:});
%!    assert (class (ours), class (want));
%!    if (ischar (want))
%!      assert (ours, want);
%!      continue;
%!    endif
%!    for k = 1:numel (want)
%!      assert (size (ours{k}), size (want{k}));
%!      assert (class (ours{k}), class (want{k}));
%!      assert (typeinfo (ours{k}), typeinfo (want{k}));
%!      tol = 8 * eps (class (want{k})) * max ([1; abs(want{k}(:))]);
%!      assert (ours{k}, want{k}, tol);
%!    endfor
%!  endfor
%!endfunction

%!test
%! rand ("twister", 42);
%! Z = [4, 1i; -1i, 5];
%! for A = {4, 0, single(4), 1i, [1, 2; 3, 4], single([1, 2; 3, 4]), Z, ...
%!          single(Z), complex(magic (3)), magic(4) + diag(1:4), ...
%!          [1, 2, 3; 4, 5, 7], ...
%!          [1, 2; 3, 5; 9, 7], 1:5, (1:5)', zeros(2), ones(3), eye(3), ...
%!          2 * eye(2), eye(3)(:,[2, 3, 1]), true(2), int8([1, 2; 3, 4]), ...
%!          [], zeros(0, 3), zeros(3, 0), single([]), "abc", {1}, ...
%!          struct("a", 1), @sin, magic(33), magic(33)(:,1:7), ...
%!          single(rand (9, 35))}
%!   same (A{1});
%!   same (A{1}, "vector");
%! endfor
%! same (1, "x");
%! same (1, 0.5);
%! same (1, "vector", "vector");
%! same ();

## The same pivots as LAPACK in double precision: of random and graded numbers,
## where many are as large (Hadamard), and where columns are zero or depend on
## others exactly.
%!test
%! rand ("twister", 42);
%! for n = [37, 64, 65, 129, 200, 300, 700]
%!   H = ones (1);
%!   while (rows (H) < n)
%!     H = [H, H; H, -H];
%!   endwhile
%!   A = rand (n) - 0.5;
%!   B = A;
%!   B(:,round (n / 3)) = 0;
%!   for X = {A, A(:,1:round (n / 2)), A(1:round (n / 2),:), ...
%!            (2 .^ linspace (0, 40, n))' .* A, A .* 2 .^ linspace(0, -40, n), ...
%!            H, H(:,1:n), H(:,[1:n/2, 1:n/2]), ones(n), B, triu(A), ...
%!            A + 1i * (rand (n) - 0.5)}
%!     [~, ~, p] = gpu_lu (X{1}, "vector");
%!     [~, ~, q] = lu (X{1}, "vector");
%!     assert (p, q);
%!   endfor
%! endfor

## Backward errors in units of those that Octave's factors have.
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! for n = [13, 64, 150, 260]
%!   growth = eye (n) - tril (ones (n), -1);
%!   growth(:,n) = 1;
%!   s = sin (1.2) .^ (0:n-1)';
%!   kahan = s .* (eye (n) - cos (1.2) * triu (ones (n), 1));
%!   companion = [-randn(1, n); eye(n - 1), zeros(n - 1, 1)];
%!   circulant = randn (n, 1)(mod ((0:n-1)' - (0:n-1), n) + 1);
%!   scaled = 2 .^ randi ([-30, 30], n, 1) .* randn (n);
%!   for X = {growth, kahan, companion, circulant, scaled, hilb(n), ...
%!            vander(linspace (-1, 1, n))}
%!     for cls = {"single", "double"}
%!       for phase = {1, exp(2i * pi * rand (1, n))}
%!         A = cast (X{1} .* phase{1}, cls{1});
%!         [L, U, P] = gpu_lu (A);
%!         [M, V, Q] = lu (A);
%!         unit = n * eps (cls{1}) * max (max (abs (M) * abs (V)));
%!         assert (max (max (abs (P * A - L * U))) <= unit);
%!       endfor
%!     endfor
%!   endfor
%! endfor
