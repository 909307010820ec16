## gpu_mldivide beside Octave's operator: results, classes, messages and
## warnings; backward errors on matrices that are hard.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## What a call gives: X or an error, and the warning.  Octave warns once of the
## same matrix, so that it gets a copy.
%!function [X, text, id] = outcome (f, A, B)
%!  if (strcmp (regexprep (typeinfo (A), '^(float )?(complex )?', ""), "matrix"))
%!    A = A - 0;
%!  endif
%!  lastwarn ("", "");
%!  X = [];
%!  shown = evalc ("try, X = f (A, B); catch err, X = err.message; end");
%!  [text, id] = lastwarn ();
%!  if (ischar (X))
%!    X = regexprep (X, '^gpu_mldivide: ', "");
%!  endif
%!endfunction

%!function same (A, B)
%!  [want, want_text, want_id] = outcome (@mldivide, A, B);
%!  [X, text, id] = outcome (@gpu_mldivide, A, B);
%!  assert (id, want_id);
%!  number = @(s) regexprep (s, 'rcond = .*', "rcond");
%!  assert (number (text), number (want_text));
%!  if (ischar (want))
%!    assert (X, want);
%!    return;
%!  endif
%!  assert (size (X), size (want));
%!  assert (class (X), class (want));
%!  assert (iscomplex (X), iscomplex (want));
%!  cls = class (want);
%!  tol = 8 * eps (cls) * max ([1; abs(want(:))]);
%!  if (isempty (strfind (id, "singular")) && rows (A) == columns (A) ...
%!      && ! isempty (A))
%!    tol /= rcond (full (double (A)));
%!  endif
%!  if (! strcmp (id, "Octave:nearly-singular-matrix"))
%!    assert (X, full (want), tol);
%!  endif
%!endfunction

%!test
%! for A = {[1, 2; 3, 4], ones(2), zeros(2), [1, 1; 0, 0], [0, 1; 0, 1], ...
%!          [1, 0; 1, 0], [1, 1; 1, 1+eps], [1, 1; 0, 1e-20], [2, 1; 1, 2], ...
%!          [1, 2; 2, 1], hilb(2), [1, 2; 0, 3], [1, 0; 2, 3], ...
%!          [1, 0; 2, 0], [0, 1; 1, 0], [0, 1; 1, 1], eye(2), 2 * eye(2), ...
%!          eye(2)([2, 1],:), true(2), [true, false; true, true], ...
%!          [1, 1i; -1i, 2], [1, 1i; -1i, 1], ...
%!          complex([1, 2; 3, 4]), single([1, 2; 3, 4]), [1, 2; 0, 0], ...
%!          single([1, 1; 1, 1+1e-7]), [1, 1e16; 0, 1], zeros(2, 0), ...
%!          [1, 2, 3; 4, 5, 6], ones(3, 2), ones(3), 2, 0, single(2), 1i}
%!   for B = {[1; 2], [1, 2; 3, 5], single([1; 2]), [1i; 2], zeros(2, 0)}
%!     same (A{1}, B{1});
%!   endfor
%! endfor
%! same (zeros (0, 0), zeros (0, 2));
%! same (zeros (0, 3), zeros (0, 2));
%! same ([1, 2; 3, 4], [NaN; 1]);
%! same (hilb (40), ones (40, 1));
%! same (sparse ([1, 2; 3, 4]), [1; 2]);
%!warning <singular to machine precision>
%! assert (any (isnan (gpu_mldivide ([NaN, 1; 1, 2], [1; 2]))));

## The backward error in units of Octave's own or of n * eps.
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! for n = [13, 64, 150, 260]
%!   i = 1:n;
%!   growth = eye (n) - tril (ones (n), -1);
%!   growth(:,n) = 1;
%!   s = sin (1.2) .^ (0:n-1)';
%!   kahan = s .* (eye (n) - cos (1.2) * triu (ones (n), 1));
%!   if (n > 64)
%!     growth = kahan = randn (n);   # both leave the range of single
%!   endif
%!   companion = [-randn(1, n); eye(n - 1), zeros(n - 1, 1)];
%!   circulant = randn (n, 1)(mod (i' - i, n) + 1);
%!   scaled = 2 .^ randi ([-9, 9], n, 1) .* randn (n);
%!   for X = {growth, kahan, companion, circulant, scaled, randn(n), ...
%!            min(i', i) ./ max(i', i), toeplitz(0.9 .^ (i - 1)), ...
%!            randn(n) .* 2 .^ linspace(0, -20, n)}
%!     for cls = {"single", "double"}
%!       for is_complex = [false, true]
%!         A = cast (X{1}, cls{1});
%!         if (is_complex)
%!           A = A .* cast (exp (2i * pi * rand (1, n)), cls{1});
%!         endif
%!         B = cast (randn (n, 2), cls{1});
%!         evalc ("x = gpu_mldivide (A, B); y = A \\ B;");
%!         error_of = @(x) norm (A * x - B, 1) / (norm (A, 1) * norm (x, 1));
%!         assert (error_of (x) <= max (n * eps (cls{1}), 4 * error_of (y)));
%!       endfor
%!     endfor
%!   endfor
%! endfor

## As B / A, too.
%!test
%! A = magic (35);
%! B = rand (3, 35);
%! X = gpu_mldivide (A', B')';
%! assert (X, B / A, 1e-12);
