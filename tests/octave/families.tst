## gpu_chol on families of positive definite matrices, with planted pivots that
## fail, NaN and Inf, at sizes around the blocks that it works in.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## Each case is a name and a matrix of n rows.  LOW is how small an eigenvalue
## may be beside the largest one.
%!function list = families (n, low)
%!  rand ("twister", n);
%!  randn ("twister", n);
%!  [Q, ~] = qr (randn (n));
%!  i = 1:n;
%!  x = rand (n, 3);
%!  far = sqrt (max (sumsq (x, 2) + sumsq (x, 2)' - 2 * x * x', 0));
%!  G = randn (2 * n, n);
%!  B = randn (n) / sqrt (n);
%!  B(2:2:n,:) = B(1:2:n-1,:) + sqrt (low) * B(2:2:n,:);
%!  list = {"Lehmer", min(i, i') ./ max(i, i');
%!          "Hilbert", hilb(n) + low * eye(n);
%!          "Gram", G' * G;
%!          "rows nearly equal", B * B' + low * eye(n);
%!          "covariance", exp(-far / 0.3) + 1e-2 * eye(n);
%!          "Gaussian kernel", exp(-(far / 0.3) .^ 2) + 1e-2 * eye(n);
%!          "Toeplitz", toeplitz(0.9 .^ (0:n-1));
%!          "second differences", toeplitz([2, -1, zeros(1, n - 2)])};
%!  for k = 2:2:floor (-log10 (low))
%!    A = Q * diag (logspace (0, -k, n)) * Q';
%!    list(end+1,:) = {sprintf("condition 1e%d", k), (A + A') / 2};
%!  endfor
%!endfunction

## The residual of each element beside its row and its column, in eps.
%!function r = residual (R, A)
%!  A = double (A);
%!  R = double (R);
%!  d = sqrt (diag (A));
%!  r = max (max (abs (((R ./ d')' * (R ./ d') - A ./ d ./ d'))));
%!endfunction

%!function check (name, A)
%!  n = rows (A);
%!  unit = n * eps (class (A));
%!  [R, p] = gpu_chol (A);
%!  [L, q] = gpu_chol (A, "lower");
%!  if (p != 0 || q != 0)
%!    error ("%s, n = %d, %s: pivots %d and %d failed", name, n, class (A), p,
%!           q);
%!  elseif (! istriu (R) || ! istril (L) || any (diag (R) <= 0))
%!    error ("%s, n = %d, %s: no triangular factor", name, n, class (A));
%!  endif
%!  r = [residual(R, A), residual(L', A), residual(chol (A), A)] / unit;
%!  if (! all (r(1:2) <= 1))
%!    error ("%s, n = %d, %s: residual %g and %g, Octave's %g", name, n,
%!           class (A), r);
%!  endif
%!endfunction

## A with rows and columns times complex numbers of modulus 1.
%!function A = turned (A)
%!  d = exp (2i * pi * rand (rows (A), 1));
%!  A = d .* A .* d';
%!  A = (A + A') / 2;
%!endfunction

%!test
%! for n = [13, 127, 129, 257, 400]
%!   for c = families (n, 1e-12)'
%!     check (c{:});
%!     if (any (n == [13, 129]))
%!       check (["complex ", c{1}], turned (c{2}));
%!     endif
%!   endfor
%!   for c = families (n, 1e-4)'
%!     check (c{1}, single (c{2}));
%!     if (any (n == [13, 129]))
%!       check (["complex ", c{1}], single (turned (c{2})));
%!     endif
%!   endfor
%! endfor

## Rows and columns in units that are far apart.
%!test
%! for n = [20, 129, 300, 520]
%!   for k = {"double", 150; "single", 17}'
%!     c = families (n, 1e-3);
%!     for j = [1, 3, 4]
%!       d = 10 .^ (k{2} * (2 * rand (n, 1) - 1));
%!       check (["graded ", c{j,1}], cast (d .* c{j,2} .* d', k{1}));
%!       check (["complex graded ", c{j,1}],
%!              cast (turned (d .* c{j,2} .* d'), k{1}));
%!     endfor
%!   endfor
%! endfor

## Larger ones, up to where panels look ahead.
%!test
%! for n = [1025, 2049, 2300]
%!   x = rand (n, 1);
%!   A = exp (-abs (x - x')) + 1e-2 * eye (n);
%!   check ("exponential", A);
%!   check ("exponential", single (A));
%!   check ("complex exponential", turned (A));
%!   check ("complex exponential", single (turned (A)));
%! endfor

## A matrix that is not positive definite fails at the right pivot, and what is
## before it is right.
%!test
%! for cls = {"double", "single", "double", "single"; 1, 1, 1i, 1i}
%!   for n = [100, 129, 250, 384]
%!     A = toeplitz (0.5 .^ (0:n-1)) .* cls{2} .^ ((1:n)' - (1:n));
%!     for k = unique ([1:29:n, 16, 17, min(n, [127:129, 255:257]), n])
%!       B = cast (A, cls{1});
%!       B(k,k) = -1;
%!       [R, p] = gpu_chol (B);
%!       assert (p, k);
%!       assert (size (R), [k - 1, k - 1]);
%!       assert (R' * R, B(1:k-1,1:k-1), 10 * eps (cls{1}));
%!     endfor
%!   endfor
%! endfor

## NaN fails where it is met, Inf there or nowhere.  LAPACK goes on with NaN,
## and so do the kernels for small pages.
%!test
%! on_gpu = strcmp (gpuDevice ().Backend, "cuda");
%! for cls = {"double", "single", "double", "single"; 1, 1, 1i, 1i}
%!   for n = [64, 200, 300, 600](1:2 * isreal (cls{2}) + 2)
%!     for k = [1, 2; 1, n; n - 1, n; 40, 50; 17, 17; n, n; 1, 1; 60, 61]'
%!       for x = [NaN, Inf, -Inf]
%!         B = cast (toeplitz (0.5 .^ (0:n-1))
%!                   .* cls{2} .^ ((1:n)' - (1:n)), cls{1});
%!         B(k(1),k(2)) = x;
%!         [R, p] = gpu_chol (B);
%!         at_once = on_gpu && n > 128 && isnan (x) ...
%!                   || (x < 0 && k(1) == k(2));
%!         if (! (p == k(2) || (p == 0 && ! at_once
%!                              && ! all (isfinite (R(:))))))
%!           error ("n = %d, %g at (%d, %d): p = %d", n, x, k, p);
%!         endif
%!       endfor
%!     endfor
%!   endfor
%! endfor
