## SPDX-License-Identifier: GPL-3.0-or-later

## V = smallest_vectors (S): of each page of S, a positive semidefinite matrix,
## the eigenvector of the smallest eigenvalue, as n x 1 x k array on the device:
## the least squares solution of A * v = 0 with norm (v) = 1 for S = A' * A.
##
## Inverse iteration: each step multiplies the error by the smallest eigenvalue
## over the next one, that is, by noise over signal, a tenth at the most here.
## The shift, far below both, keeps a page invertible for which A * v = 0 can be
## solved exactly.

function V = smallest_vectors (S)

  [n, ~, k] = size (S);
  at = reshape (1:n+1:n^2, [], 1) + n ^ 2 * (0:k-1);
  shift = 1e-13 * sum (reshape (S(at), n, 1, k), 1);
  [X, ~] = gpu_inv (S + shift .* gpuArray.eye (n));
  V = gpuArray.ones (n, 1, k);
  for step = 1:4
    V = gpu_mtimes (X, V);
    V ./= sqrt (sumsq (V, 1));
  endfor

endfunction
