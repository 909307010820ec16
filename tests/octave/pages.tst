## Many matrices at once: every function, page counts that are no multiple of
## anything, against the definition of the result on every page.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## C(:,:,k) = A(:,:,k) * B(:,:,k)
%!function C = times_pages (A, B)
%!  C = 0;
%!  for l = 1:columns (A)
%!    C = C + A(:,l,:) .* B(l,:,:);
%!  endfor
%!endfunction

## The 1-norm of each page.
%!function r = norm_pages (A)
%!  r = max (sum (abs (A), 1), [], 2);
%!endfunction

%!function A = sample (n, cls, is_complex, pages)
%!  A = randn ([n, n, pages], cls);
%!  if (is_complex)
%!    A = complex (A, randn ([n, n, pages], cls));
%!  endif
%!endfunction

%!function check_inv (A)
%!  n = rows (A);
%!  u = (n + 2) * eps (class (A));
%!  [X, r] = gpu_inv (A);
%!  assert (size (X), size (A));
%!  I = full (eye (n, class (A)));
%!  product = norm_pages (A) .* norm_pages (X);
%!  residual = min (norm_pages (times_pages (A, X) - I),
%!                  norm_pages (times_pages (X, A) - I));
%!  assert (all (residual <= u * product));
%!  assert (all (r .* product >= 1 - 8 * u));
%!  if (strcmp (gpuDevice ().Backend, "host"))
%!    assert (all (r .* product <= 10));   # LAPACK estimates it
%!  else
%!    assert (all (r .* product <= 1 + 8 * u));
%!  endif
%!
%!  ## Determinants are products, and of them and their inverses 1 is left.
%!  d = gpu_det (A);
%!  assert (size (d), size (r));
%!  e = gpu_det (X);
%!  assert (all (abs (d .* e - 1) <= 40 * u ./ r));
%!  if (n == 2)
%!    want = A(1,1,:) .* A(2,2,:) - A(1,2,:) .* A(2,1,:);
%!    size_d = abs (A(1,1,:) .* A(2,2,:)) + abs (A(1,2,:) .* A(2,1,:));
%!    assert (all (abs (d - want) <= 8 * eps (class (A)) * size_d));
%!  endif
%!  [l, s] = gpu_logdet (A);
%!  assert (all (abs (l - log (abs (d))) <= 4 * u * (1 + abs (l))));
%!  assert (all (abs (s .* abs (d) - d) <= 4 * u * abs (d)));
%!endfunction

%!function check_chol (A)
%!  n = rows (A);
%!  H = times_pages (conj (permute (A, [2, 1, 3])), A);
%!  H = H + full (eye (n, class (A)));
%!  H = (H + conj (permute (H, [2, 1, 3]))) / 2;
%!  [R, p] = gpu_chol (H);
%!  assert (any (p(:)), false);
%!  E = times_pages (conj (permute (R, [2, 1, 3])), R) - H;
%!  assert (all (norm_pages (E) <= (n + 2) * eps (class (A)) * norm_pages (H)));
%!endfunction

%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     for pages = [1, 2, 3, 5, 7, 13, 31, 97, 257, 1009]
%!       for n = [1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17]
%!         A = sample (n, cls{1}, is_complex, pages);
%!         if (pages > 1 && n > 1)
%!           check_inv (A);
%!         endif
%!         check_chol (A);
%!         assert (isequal (gpu_transpose (A), permute (A, [2, 1, 3])));
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!test
%! randn ("twister", 42);
%! for n = [24, 31, 33, 50, 64, 65, 100, 128, 129]
%!   for cls = {"single", "double"}
%!     for is_complex = [false, true]
%!       A = sample (n, cls{1}, is_complex, 5);
%!       check_inv (A / sqrt (n));
%!       check_chol (A);
%!     endfor
%!   endfor
%! endfor

## 70,001 pages of 2 x 2.
%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for is_complex = [false, true]
%!     A = sample (2, cls{1}, is_complex, 70001);
%!     check_inv (A);
%!     check_chol (A);
%!     B = gpu_transpose (A(1,:,:));
%!     assert (isequal (B, permute (A(1,:,:), [2, 1, 3])));
%!     assert (isequal (gpu_ctranspose (A), conj (permute (A, [2, 1, 3]))));
%!   endfor
%! endfor

## One singular page among many is the only one that says so.
%!test
%! randn ("twister", 42);
%! for n = [2, 3, 8, 20]
%!   for k = [1, 500, 1009]
%!     A = sample (n, "double", false, 1009);
%!     A(:,1,k) = 0;
%!     [X, r] = gpu_inv (A);
%!     assert (find (r == 0)(:), k);
%!     assert (find (any (any (isinf (X), 1), 2))(:), k);
%!     assert (find (gpu_det (A) == 0)(:), k);
%!     assert (find (isinf (gpu_logdet (A)))(:), k);
%!     lastwarn ("", "");
%!     evalc ("gpu_inv (A);");
%!     assert (lastwarn (), ...
%!             sprintf (["matrix singular to machine precision " ...
%!                       "(page %d)"], k));
%!   endfor
%! endfor

## A page of NaN spoils no other.
%!test
%! randn ("twister", 42);
%! for n = [2, 5, 17, 40]
%!   A = sample (n, "double", false, 11);
%!   B = A;
%!   B(:,:,6) = NaN;
%!   others = [1:5, 7:11];
%!   [X, r] = gpu_inv (A);
%!   [Y, q] = gpu_inv (B);
%!   assert (isequal (Y(:,:,others), X(:,:,others)));
%!   assert (isequal (q(others), r(others)));
%!   assert (! any (isfinite (Y(:,:,6)(:))));
%!   d = gpu_det (A);
%!   e = gpu_det (B);
%!   assert (isequal (e(others), d(others)));
%!   assert (isnan (e(6)));
%! endfor
