## The errors of gpu_inv, gpu_det and gpu_logdet on matrices that are hard for
## them, in all four types.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## Each case is a name, a matrix of class CLS, and the logarithm of the absolute
## value of its determinant where that is known to a small relative error of the
## determinant, else NaN.  Complex ones get phases by rows and columns.
%!function list = gallery_of (n, cls, is_complex)
%!  rand ("twister", 42);
%!  randn ("twister", 42);
%!  k = 12;
%!  if (strcmp (cls, "single"))
%!    k = 5;
%!  endif
%!  Q = orth_of (n, is_complex);
%!  V = orth_of (n, is_complex);
%!  d = logspace (0, -k, n);
%!  two = 2 .^ round (linspace (0, -k, n));
%!  t = 1.2;
%!  kahan = eye (n) - cos (t) * triu (ones (n), 1);
%!  kahan = sin (t) .^ (0:n-1)' .* kahan;
%!  growth = eye (n) - tril (ones (n), -1);
%!  growth(:,n) = 1;
%!  list = {"graded", two' .* Q .* two, 2 * sum(log (two));
%!          "nearly singular", Q * diag([ones(1, n - 1), 10 ^ -k]) * V, NaN;
%!          "orthogonal times diagonal", Q .* d, sum(log (d));
%!          "diagonal times orthogonal", two' .* Q, sum(log (two));
%!          "spread", Q * diag(d) * V, NaN;
%!          "badly scaled", (2 .^ randi ([-k, k], n, 1)) .* randn(n), NaN;
%!          "orthogonal", Q, 0;
%!          "hermitian", Q * diag(d) * Q', NaN};
%!  if (n <= 100)
%!    list(end+1,:) = {"kahan", kahan, sum(log (abs (diag(kahan))))};
%!  endif
%!  if (n <= 6)
%!    list(end+1,:) = {"hilb", hilb(n), NaN};
%!  endif
%!  if (n <= 20)
%!    list(end+1,:) = {"growth", growth, (n - 1) * log(2)};
%!  endif
%!  for i = 1:rows (list)
%!    A = list{i,2};
%!    if (is_complex && isreal (A))
%!      A = exp (2i * pi * rand (n, 1)) .* A .* exp (2i * pi * rand (1, n));
%!    endif
%!    list{i,2} = cast (A, cls);
%!  endfor
%!endfunction

%!function Q = orth_of (n, is_complex)
%!  A = randn (n);
%!  if (is_complex)
%!    A = complex (A, randn (n));
%!  endif
%!  [Q, ~] = qr (A);
%!endfunction

## Growth in the elimination is the matrix's, and Octave's, too: a residual may
## be as large as its, give or take.
%!function check_inv (name, A)
%!  n = rows (A);
%!  [X, r] = gpu_inv (A);
%!  [C, ~] = inv (A);
%!  product = norm (A, 1) * norm (X, 1);
%!  unit = n * eps (class (A)) * product;
%!  q = r * product;   # 1, or what LAPACK's estimate makes of it
%!  residual = @(X) min (norm (A * X - eye (n), 1), norm (X * A - eye (n), 1));
%!  if (! (residual (X) <= max (unit, 10 * residual (C))))
%!    error ("%s, n = %d, %s: residual %g, Octave's %g, unit %g", name, n,
%!           class (A), residual (X), residual (C), unit);
%!  elseif (! (q <= 10 && q >= 1 - 4 * n * eps (class (A)) * (2 + 1 / r)))
%!    error ("%s, n = %d, %s: rcond %g", name, n, class (A), r);
%!  endif
%!endfunction

## The determinant by what is known of it, else beside Octave's.
%!function check_det (name, A, known)
%!  n = rows (A);
%!  u = n * eps (class (A));
%!  [l, s] = gpu_logdet (A);
%!  [d, r] = gpu_det (A);
%!  [L, U, P] = lu (double (A));
%!  want = sum (log (abs (diag (U))));
%!  tol = 4 * u / r;
%!  if (! isnan (known))
%!    want = known;
%!    tol = 10 * u * n;
%!  endif
%!  tol = min (tol, 0.5) + u * abs (want);
%!  if (! (abs (l - want) <= tol))
%!    error ("%s, n = %d, %s: logdet %.15g, expected %.15g, tolerance %g", name,
%!           n, class (A), l, want, tol);
%!  endif
%!  phase = prod (diag (U) ./ abs (diag (U))) * det (P);
%!  if (isreal (A) || tol < 1)
%!    assert (abs (s - phase) <= tol);
%!  endif
%!  if (l > log (realmax (class (A))))
%!    assert (isinf (d));
%!    return;
%!  endif
%!  ## A Hermitian determinant loses an imaginary part of the size of the error.
%!  tol = (4 * u * (1 + abs (l)) + min (4 * u / r, 1) ^ 2) * exp (l);
%!  if (! (abs (d - s * exp (l)) <= tol + 4 * realmin (class (A))))
%!    error ("%s, n = %d, %s: det %g, but logdet %g", name, n, class (A), d, l);
%!  endif
%!endfunction

%!test
%! for n = [2, 3, 4, 6, 9, 17, 32, 50, 100, 140, 300]
%!   for cls = {"single", "double"}
%!     for is_complex = [false, true]
%!       for c = gallery_of (n, cls{1}, is_complex)'
%!         check_inv (c{1:2});
%!         check_det (c{:});
%!       endfor
%!     endfor
%!   endfor
%! endfor

## The same in pages: no page is worse off than alone.
%!test
%! for n = [3, 8, 20, 40]
%!   for cls = {"single", "double"}
%!     for is_complex = [false, true]
%!       list = gallery_of (n, cls{1}, is_complex);
%!       A = cat (3, list{:,2});
%!       [X, r] = gpu_inv (A);
%!       [l, s] = gpu_logdet (A);
%!       for k = 1:rows (list)
%!         [Y, q] = gpu_inv (A(:,:,k));
%!         unit = n * eps (cls{1}) / min (q, 1);
%!         assert (norm (X(:,:,k) - Y, 1) <= 4 * min (unit, 1) * norm (Y, 1));
%!         assert (abs (l(k) - gpu_logdet (A(:,:,k))) ...
%!                 <= 4 * unit + 4 * n * eps (cls{1}) * abs (l(k)));
%!       endfor
%!     endfor
%!   endfor
%! endfor

## What is known of Hilbert matrices: their inverses are whole numbers.
%!test
%! for n = 2:7
%!   [X, r] = gpu_inv (hilb (n));
%!   C = invhilb (n);
%!   assert (norm (X - C, 1) <= 4 * n * eps / r * norm (C, 1));
%!   assert (r, 1 / norm (hilb (n), 1) / norm (C, 1), 4 * n * eps);
%!   assert (gpu_det (hilb (n)) * gpu_det (C), 1, 8 * n * eps / r);
%! endfor

## Elimination of the matrix with the largest growth is exact.
%!test
%! for n = [2, 5, 10, 20]
%!   A = eye (n) - tril (ones (n), -1);
%!   A(:,n) = 1;
%!   assert (gpu_det (A), 2 ^ (n - 1));
%!   assert (gpu_det (single (A)), single (2 ^ (n - 1)));
%! endfor
