## Products of quaternion matrices that others got wrong, each with its right
## value, and an example of the field.
##
## SPDX-License-Identifier: GPL-3.0-or-later

%!function q = quat (w, x, y, z)
%!  q = cat (3, w, x, y, z);
%!endfunction

## K x 4 rows of M x N quaternions, row by row.
%!function A = by_rows (list, m, n)
%!  A = permute (reshape (list, n, m, 4), [2, 1, 3]);
%!endfunction

%!function same (A, B, want)
%!  for method = {"auto", "fast", "direct"}
%!    assert (gpu_qmtimes (A, B, "method", method{1}), want);
%!  endfor
%!endfunction

## The example of the package qmatmul (github.com/pklesk/quaternions): its
## README prints element (3,2) of A with -3k in the program and with +3k in the
## formula, and both results.
%!test
%! A = [0, 2, 1, 0; -1, 1, -1, 4; 5, -1, 3, 0
%!      1, 4, -4, -4; -5, 3, 3, 4; 5, 3, 0, 3
%!      -4, 1, -4, 4; 0, -1, -2, -3; 0, 1, -5, 1
%!      1, 1, 4, 2; -1, -1, 2, -4; 2, 2, -3, -4
%!      -2, -1, 1, -1; 5, -4, -3, -3; 2, -2, 0, -3];
%! B = [-3, -4, 2, -4; -3, -1, 3, -4
%!      3, -4, 5, 0; 5, 1, 2, -5
%!      -2, -4, -2, -4; -2, -1, -4, 2];
%! C = [4, -53, -39, 15; 16, -6, -17, 52
%!      1, -3, 4, 7; -30, 3, 30, 56
%!      44, 53, 8, -56; 10, 8, -11, -23
%!      -34, -14, 29, -17; -40, -62, -10, -21
%!      -14, -18, 21, -26; 18, 0, -41, -18];
%! same (by_rows (A, 5, 3), by_rows (B, 3, 2), by_rows (C, 5, 2));
%! A(8,4) = 3;
%! C(5:6,:) = [44, 23, -16, -38; 40, -4, -5, 7];
%! same (by_rows (A, 5, 3), by_rows (B, 3, 2), by_rows (C, 5, 2));

## 1: one times one, where w last was taken for w first
%!test
%! one = quat (1, 0, 0, 0);
%! same (one, one, one);
%! same (repmat (one, 2, 2), repmat (one, 2, 2), repmat (2 * one, 2, 2));

## 2: arrays of quaternions have a product at all
%!test
%! i = quat (0, 1, 0, 0);
%! j = quat (0, 0, 1, 0);
%! k = quat (0, 0, 0, 1);
%! one = quat (1, 0, 0, 0);
%! same ([one, i; j, k], [j, k; i, one], [j - one, k + i; j - one, i + k]);

## 3: real numbers times one quaternion
%!test
%! q = quat (1, 2, 3, 4);
%! C = gpu_qmtimes ((0:4)', q);
%! assert (reshape (C, 5, 4), (0:4)' * (1:4));
%! assert (reshape (gpu_qmtimes (0:4, q), 5, 4), (0:4)' * (1:4));
%! assert (gpu_qmtimes (q, 3), 3 * q);

## 4: products of two numbers, and of three units in both orders
%!test
%! same (quat (1, 2, 3, 4), quat (5, 6, 7, 8), quat (-60, 12, 30, 24));
%! i = quat (0, 1, 0, 0);
%! j = quat (0, 0, 1, 0);
%! k = quat (0, 0, 0, 1);
%! same (gpu_qmtimes (i, j), k, quat (-1, 0, 0, 0));
%! same (i, gpu_qmtimes (j, k), quat (-1, 0, 0, 0));
%! same (i, j, k);

## 5: batches of 3 and of 4, and sizes of 3 and of 4
%!test
%! rand ("twister", 42);
%! for pages = [3, 4]
%!   for n = [3, 4]
%!     A = randi ([-9, 9], n, n, 4, pages);
%!     B = randi ([-9, 9], n, n, 4, pages);
%!     C = gpu_qmtimes (A, B);
%!     for k = 1:pages
%!       same (A(:,:,:,k), B(:,:,:,k), C(:,:,:,k));
%!     endfor
%!   endfor
%! endfor

## 6: the adjoint of a product comes in the other order, also of a number
%!test
%! rand ("twister", 42);
%! a = randi ([-9, 9], 1, 1, 4);
%! A = randi ([-9, 9], 3, 5, 4);
%! B = randi ([-9, 9], 5, 2, 4);
%! assert (gpu_qctranspose (gpu_qmtimes (a, A)), ...
%!         gpu_qmtimes (gpu_qctranspose (A), gpu_qconj (a)));
%! same (gpu_qctranspose (B), gpu_qctranspose (A), ...
%!       gpu_qctranspose (gpu_qmtimes (A, B)));
%! assert (gpu_qmtimes (B, A, "transa", "ctranspose", "transb", ...
%!                      "ctranspose"), gpu_qctranspose (gpu_qmtimes (A, B)));

## 7: a permutation matrix has an inverse
%!test
%! P = quat ([0, 1; 1, 0], zeros (2), zeros (2), zeros (2));
%! assert (gpu_qinv (P), P);
%! same (P, P, quat (eye (2), zeros (2), zeros (2), zeros (2)));

## 8: i times j is k, not the scalar product 0
%!test
%! same (quat (0, 1, 0, 0), quat (0, 0, 1, 0), quat (0, 0, 0, 1));

## 9: the result has the size of neither operand
%!test
%! A = quat (ones (2, 5), zeros (2, 5), zeros (2, 5), zeros (2, 5));
%! B = quat (zeros (5, 3), ones (5, 3), zeros (5, 3), zeros (5, 3));
%! same (A, B, quat (zeros (2, 3), 5 * ones (2, 3), zeros (2, 3), ...
%!                   zeros (2, 3)));

## The units in a row times the same in a column
%!test
%! u = by_rows ([zeros(3, 1), eye(3)], 1, 3);
%! same (u, permute (u, [2, 1, 3]), quat (-3, 0, 0, 0));

## Products of three associate
%!test
%! rand ("twister", 42);
%! A = randi ([-9, 9], 7, 5, 4);
%! B = randi ([-9, 9], 5, 4, 4);
%! C = randi ([-9, 9], 4, 3, 4);
%! same (gpu_qmtimes (A, B), C, gpu_qmtimes (A, gpu_qmtimes (B, C)));
