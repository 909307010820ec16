## What users of other GPU libraries reported, each with its right value.
##
## The numbers are those of the list: an error of one library or another, found
## in its public tracker.  Sizes beyond a few GB are tried on a GPU alone; the
## largest, which take minutes, only with the environment variable
## GPULINALG_TEST_HUGE set, and where the memory suffices.  How fast 21, 22 and
## 23 are, is the benchmarks' business.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## Whether the device has BYTES, and the host twice as many.
%!function tf = has_room (bytes)
%!  tf = gpuDeviceCount () > 0 && gpuDevice ().AvailableMemory > bytes;
%!  if (tf)
%!    [fid, msg] = fopen ("/proc/meminfo", "r");
%!    tf = fid >= 0;
%!    if (tf)
%!      text = fread (fid, Inf, "char=>char").';
%!      fclose (fid);
%!      kB = regexp (text, 'MemAvailable: *(\d+) kB', "tokens");
%!      tf = ! isempty (kB) && str2double (kB{1}{1}) * 1024 > 2 * bytes;
%!    endif
%!  endif
%!endfunction

%!function tf = is_huge (bytes)
%!  tf = ! isempty (getenv ("GPULINALG_TEST_HUGE")) && has_room (bytes);
%!endfunction

## C(:,:,k) = A(:,:,k) * B(:,:,k)
%!function C = times_pages (A, B)
%!  C = 0;
%!  for l = 1:columns (A)
%!    C = C + A(:,l,:) .* B(l,:,:);
%!  endfor
%!endfunction

## X is the inverse of A, as far as a vector sees.
%!function check_inv (X, A)
%!  n = rows (A);
%!  rand ("twister", 42);
%!  v = cast (rand (n, 2) - 0.5, class (A));
%!  unit = n * eps (class (A)) * norm (A, 1) * norm (X, 1) * norm (v, 1);
%!  assert (norm (A * (X * v) - v, 1) <= unit);
%!endfunction

## 1: the factor of an identity with more than 2^31 elements.
%!testif ; is_huge (1.2e10)
%! n = 53248;
%! A = eye (n, "single");
%! A = A + single (0);
%! [R, p] = gpu_chol (A);
%! assert (p, 0);
%! assert (isequal (R, A));

## 2: more than 2^29 elements in pages.
%!testif ; has_room (3e9)
%! randn ("twister", 42);
%! A = randn (20, 20, 1500, "single");
%! d = gpu_det (A);
%! e = gpu_det (repmat (A, [1, 1, 1000]));
%! assert (isequal (e, repmat (d, [1, 1, 1000])));
%! for k = [1, 700, 1500]
%!   assert (d(k), det (A(:,:,k)), 1e-3 * abs (d(k)));
%! endfor

## 3: more than 65,536 pages.
%!test
%! randn ("twister", 42);
%! for n = [2, 3]
%!   A = randn (n) + 4 * eye (n);
%!   X = gpu_inv (repmat (A, [1, 1, 65537]));
%!   E = times_pages (repmat (A, [1, 1, 65537]), X) - full (eye (n));
%!   assert (max (abs (E(:))) < 1e-14);
%! endfor

## 4: NaN is no failure of a factorization; Octave has p = 0 there, too.
%!test
%! [R, p] = gpu_chol (NaN (2));
%! assert (p, 0);
%! assert (any (isnan (R(:))));

## 5: pages that are not positive definite say so.
%!test
%! A = cat (3, [4, 2, 0; 2, 5, 0; 0, 0, 1], ones (3), ...
%!          -[4, 12, -16; 12, 37, -43; -16, -43, 98]);
%! [R, p] = gpu_chol (A);
%! assert (p(:)', [0, 2, 1]);
%! assert (R(1,1,2), 1);
%! assert (nnz (R(:,:,3)), 0);

## 6: the failing pivot is set, and the factor before it.
%!test
%! [R, p] = gpu_chol ([1, 2; 2, 1]);
%! assert ({R, p}, {1, 2});

## 7: the failing pivot is counted from the matrix, not from a block.
%!test
%! A = full (eye (1000));
%! A(700,700) = -1;
%! [R, p] = gpu_chol (A);
%! assert (p, 700);
%! assert (isequal (R, eye (699)));
%! [R, p] = gpu_chol (A, "lower");
%! assert (p, 700);

## 8: many pages of denormal numbers.
%!test
%! for x = {single(1e-40), 1e-310}
%!   A = repmat ([x{1}, x{1}; 0, 0], [1, 1, 9]);
%!   assert (isequal (gpu_det (A), zeros (1, 1, 9)));
%!   [X, rcond] = gpu_inv (A);
%!   assert (isequal (rcond, zeros (1, 1, 9)));
%! endfor

## 9: singular pages have no NaN.
%!test
%! for cls = {"single", "double"}
%!   A = cast (0.8909 * ones (3, 3, 3), cls{1});
%!   assert (isequal (gpu_det (A), zeros (1, 1, 3)));
%!   [X, rcond] = gpu_inv (A);
%!   assert (isequal (X, Inf (3, 3, 3)));
%!   assert (isequal (rcond, zeros (1, 1, 3)));
%! endfor

## 10: the determinant of a singular matrix is 0 or rounding error, and logdet
## is its logarithm.
%!test
%! A = single ([1, 2, 3; 2, 5, 6; 3, 6, 9]);
%! d = gpu_det (A);
%! assert (abs (d) <= 3 * eps ("single") * prod (sqrt (sumsq (A, 2))));
%! [l, s] = gpu_logdet (A);
%! assert (s * exp (l), d, 4 * eps ("single") * abs (d));

## 11: the inverse of a singular matrix is Inf, and not silent.
%!test
%! for A = {[1, 1; 3, 3], full(diag ([1, 1, 0])), zeros(2)}
%!   lastwarn ("", "");
%!   evalc ("X = gpu_inv (A{1});");
%!   assert (X, Inf (size (A{1})));
%!   [text, id] = lastwarn ();
%!   assert (text, "matrix singular to machine precision");
%!   assert (id, "Octave:singular-matrix");
%! endfor
%!assert (gpu_inv (0), Inf)

## 12: NaN of any size, and the call returns.
%!test
%! warning ("off", "Octave:singular-matrix", "local");
%! warning ("off", "Octave:nearly-singular-matrix", "local");
%! for n = [2:40, 63:65, 127:129, 191, 255:257, 300, 511:513, 1023, 1024]
%!   X = gpu_inv (NaN (n));
%!   assert (size (X), [n, n]);
%!   assert (! any (isfinite (X(:))));
%! endfor

## 13: a thousand calls with two pages give the same bits.
%!test
%! c = cos (0.3);
%! s = sin (0.3);
%! A = repmat ([c, -s, 0; s, c, 0; 0, 0, 1], [1, 1, 2]);
%! X = gpu_inv (A);
%! d = gpu_det (A);
%! for k = 1:1000
%!   assert (isequal (gpu_inv (A), X));
%!   assert (isequal (gpu_det (A), d));
%! endfor
%! assert (norm (A(:,:,1) * X(:,:,2) - eye (3)) < 1e-15);

## 14: the same factor in each run, or the same failure.
%!test
%! randn ("twister", 42);
%! n = 300;
%! if (gpuDeviceCount () > 0)
%!   n = 4096;
%! endif
%! A = randn (n, "single");
%! A = A * A';
%! A = (A + A') / max (abs (A(:)));
%! [R, p] = gpu_chol (A);
%! for k = 1:4
%!   [S, q] = gpu_chol (A);
%!   assert (q, p);
%!   assert (isequal (S, R));
%! endfor

## 15: a page is factored as the same matrix alone, also if that is hard.
%!test
%! H = hilb (12);
%! [R, p] = gpu_chol (repmat (H, [1, 1, 7]));
%! assert (p(:)', zeros (1, 7));
%! E = R(:,:,5)' * R(:,:,5) - H;
%! assert (norm (E) <= 12 * eps * norm (H));
%! assert (isequal (gpu_det (ones (3, 3, 65)), zeros (1, 1, 65)));

## 16: one large page; a number of pages that no block divides.
%!test
%! randn ("twister", 42);
%! for pages = [5, 17, 33]
%!   A = randn (14, 14, pages) + 8 * full (eye (14));
%!   X = gpu_inv (A);
%!   E = times_pages (A, X) - full (eye (14));
%!   assert (max (abs (E(:))) < 1e-12);
%! endfor
%!testif ; is_huge (5e9)
%! rand ("twister", 42);
%! A = rand (12161);
%! check_inv (gpu_inv (A), A);

## 17: a matrix of 20 GB.
%!testif ; is_huge (6.5e10)
%! rand ("twister", 42);
%! n = 50000;
%! A = rand (n);
%! [l, s] = gpu_logdet (A);
%! ## The logarithm of a random determinant: n/2*log(n/12) but for log(n).
%! assert (l, n / 2 * (log (n / 12) - 1), 50 + 0.01 * n);
%! assert (abs (s), 1);

## 18: what lies in unused memory does not matter.
%!test
%! warning ("off", "Octave:singular-matrix", "local");
%! warning ("off", "Octave:nearly-singular-matrix", "local");
%! randn ("twister", 42);
%! for n = [5, 30, 100, 200, 600]
%!   A = randn (n);
%!   A = A' * A / n + eye (n);
%!   A = (A + A') / 2;
%!   gpu_inv (NaN (n));
%!   [~, p] = gpu_chol (NaN (n));
%!   X = gpu_inv (A);
%!   check_inv (X, A);
%!   gpu_inv (NaN (n));
%!   assert (isequal (gpu_inv (A), X));
%! endfor

## 19: nothing is left after thousands of calls.
%!test
%! A = full (4 * eye (60));
%! A(1,60) = A(60,1) = 1;
%! [R, p] = gpu_chol (A);
%! [X, r] = gpu_inv (A);
%! live = __gpu__ ("live");
%! memory = gpuDevice ().AvailableMemory;
%! for k = 1:2000
%!   [R, p] = gpu_chol (A);
%!   [X, r] = gpu_inv (A);
%!   d = gpu_det (A);
%! endfor
%! assert (__gpu__ ("live"), live);
%! if (strcmp (gpuDevice ().Backend, "cuda"))
%!   assert (gpuDevice ().AvailableMemory > memory - 2^26);
%! endif

## 20: transposes that are long, thin, or of more than 2^31 elements.
%!function check_long (sz)
%!  A = zeros (sz, "int8");
%!  n = numel (A);
%!  at = unique (round (linspace (1, n, 1e5)));
%!  A(at) = mod (at, 127) + 1;
%!  B = zeros (sz([2, 1]), "int8");
%!  __gpu__ ("transpose", A, B);
%!  [i, j] = ind2sub (sz, at);
%!  assert (isequal (B(sub2ind (sz([2, 1]), j, i))(:), A(at)(:)));
%!  assert (sum (B(:) != 0), numel (at));
%!endfunction
%!test
%! check_long ([1, 2^21 * 32 + 1]);
%! check_long ([2^21 * 32 + 1, 1]);
%! check_long ([2097121, 1]);
%! check_long ([3, 2097121]);
%! check_long ([2097121, 3]);
%!testif ; is_huge (1e10)
%! check_long ([2, 2^30 + 1]);
%! check_long ([2^30 + 1, 2]);
%! check_long ([46351, 46351]);

## 21: batches around a size where a library changes its way, and a large one.
%!test
%! randn ("twister", 42);
%! for n = [511, 512, 513]
%!   A = randn (n, n, 2);
%!   [X, r] = gpu_inv (A);
%!   d = gpu_det (A / sqrt (n));
%!   for k = 1:2
%!     check_inv (X(:,:,k), A(:,:,k));
%!     want = det (A(:,:,k) / sqrt (n));
%!     assert (d(k), want, 4 * n * eps / r(k) * abs (want));
%!   endfor
%! endfor
%!testif ; gpuDeviceCount () > 0
%! randn ("twister", 42);
%! A = randn (4096) / 64;
%! [l, s] = gpu_logdet (A);
%! [L, U, P] = lu (A);
%! u = diag (U);
%! assert (l, sum (log (abs (u))), 1e-8);
%! assert (s, prod (sign (u)) * det (P));

## 22: the first pivot fails.
%!test
%! n = 1000;
%! if (gpuDeviceCount () > 0)
%!   n = 8192;
%! endif
%! A = full (eye (n));
%! A(1,1) = -1;
%! [R, p] = gpu_chol (A);
%! assert (p, 1);
%! assert (R, zeros (0, 0));

## 23: inverses of middling sizes.
%!test
%! randn ("twister", 42);
%! sizes = [256, 512];
%! if (gpuDeviceCount () > 0)
%!   sizes = [sizes, 1024, 2048];
%! endif
%! for n = sizes
%!   A = randn (n);
%!   check_inv (gpu_inv (A), A);
%! endfor

## 24: products of elements that overflow on the way.
%!test
%! for cls = {"single", "double"}
%!   A = diag ([2.1e9, 3.6e27, 3.6e27, 1.8e27]) + 1e9 * (ones (4) - eye (4));
%!   A = cast (A, cls{1});
%!   [X, r] = gpu_inv (A);
%!   [C, ~] = inv (A);
%!   assert (norm (X - C, 1) <= 8 * eps (cls{1}) * norm (C, 1));
%!   assert (r > 0 && isfinite (r));
%!   [l, s] = gpu_logdet (A);
%!   assert (l, cast (log (2.1e9 * 3.6 * 3.6 * 1.8) + 81 * log(10), cls{1}), ...
%!           1e-5);
%!   assert (s, cast (1, cls{1}));
%! endfor
