## Chains of operations on device arrays give Octave's results, and no array
## moves.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## The bytes moved so far; on the host nothing moves.
%!function [up, down] = moved ()
%!  d = gpuDevice ();
%!  up = d.BytesUp;
%!  down = d.BytesDown;
%!endfunction

## A covariance matrix with a condition that lets elements be compared.
%!function [K, y] = sample (n, cls, is_complex)
%!  x = cast (rand (n, 1), cls);
%!  K = exp (-10 * (x - x.') .^ 2) + eye (n, cls);
%!  y = randn (n, 2, cls);
%!  if (is_complex)
%!    K = K .* exp (1i * (x - x.'));
%!    y = complex (y, randn (n, 2, cls));
%!  endif
%!endfunction

## The logarithm of a likelihood
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! for cls = {"double", "single"}
%!   for is_complex = [false, true]
%!     for n = [1, 5, 64, 200, 300]
%!       [K, y] = sample (n, cls{1}, is_complex);
%!       want_a = K \ y;
%!       want_l = sum (log (diag (chol (K))));
%!       K = gpuArray (K);
%!       y = gpuArray (y);
%!       [up, down] = moved ();
%!       R = chol (K);
%!       a = R \ (R' \ y);
%!       l = sum (log (diag (R)));
%!       [now_up, now_down] = moved ();
%!       assert ([now_up, now_down], [up, down]);
%!       tol = 100 * n * eps (cls{1});
%!       assert (class (gather (a)), cls{1});
%!       assert (gather (a), want_a, tol);
%!       assert (gather (l), want_l, tol);
%!     endfor
%!   endfor
%! endfor

## The same from the other side and the lower factor
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! [K, y] = sample (150, "double", true);
%! want = y' / K;
%! K = gpuArray (K);
%! y = gpuArray (y);
%! [up, down] = moved ();
%! L = chol (K, "lower");
%! a = (y' / L') / L;
%! [now_up, now_down] = moved ();
%! assert ([now_up, now_down], [up, down]);
%! assert (gather (a), want, 1e-10);

## Pages
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! K = zeros (20, 20, 3);
%! y = zeros (20, 2, 3);
%! want = y;
%! want_l = zeros (1, 1, 3);
%! for k = 1:3
%!   [K(:,:,k), y(:,:,k)] = sample (20, "double", false);
%!   want(:,:,k) = K(:,:,k) \ y(:,:,k);
%!   want_l(k) = log (det (K(:,:,k)));
%! endfor
%! K = gpuArray (K);
%! y = gpuArray (y);
%! [up, down] = moved ();
%! R = gpu_chol (K);
%! a = R \ (gpu_ctranspose (R) \ y);
%! l = gpu_logdet (K);
%! r = K * a - y;
%! [now_up, now_down] = moved ();
%! assert ([now_up, now_down], [up, down]);
%! assert (gather (a), want, 1e-12);
%! assert (gather (l), want_l, 1e-12);
%! assert (max (abs (gather (r))(:)) < 1e-12);

## A step of many methods: Newton's for the inverse of a matrix
%!test
%! randn ("twister", 42);
%! A = randn (30) / 10 + 2 * eye (30);
%! want = inv (A);
%! A = gpuArray (A);
%! [up, down] = moved ();
%! X = A' / (norm (A, 1) * norm (A, Inf));
%! for k = 1:20
%!   X = 2 * X - X * A * X;
%! endfor
%! r = norm (A * X - gpuArray.eye (30), "fro");
%! [now_up, now_down] = moved ();
%! assert ([now_up, now_down], [up, down]);
%! assert (gather (X), want, 1e-13);
%! assert (gather (r) < 1e-12);

## Elementwise, along dimensions, moves, and indices that are ranges
%!test
%! rand ("twister", 42);
%! x = rand (40, 30);
%! f = @(x) sum (max (x(2:2:end,:) - mean (x, 1), 0) .^ 2, 2)' ...
%!          .* reshape (x(1:20), 1, []) - tril (x(1:20,1:20));
%! g = gpuArray (x);
%! [up, down] = moved ();
%! y = f (g);
%! y = [y; repmat(y(end:-1:1,:), 2, 1)];
%! y = permute (abs (y), [2, 1]) >= 0.5;
%! [now_up, now_down] = moved ();
%! assert ([now_up, now_down], [up, down]);
%! z = f (x);
%! z = [z; repmat(z(end:-1:1,:), 2, 1)];
%! z = permute (abs (z), [2, 1]) >= 0.5;
%! assert (gather (y), z);
