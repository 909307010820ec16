## SPDX-License-Identifier: GPL-3.0-or-later

## H = fit_homographies (P, Q, W): the 3 x 3 x k homographies that map the
## points P to Q, both 2 x n x k on the device, by the normalized direct linear
## transformation (R. Hartley and A. Zisserman, Multiple View Geometry in
## Computer Vision, Cambridge 2004, algorithm 4.2).  W, 1 x n x k, is 1 for
## points that count and 0 for others.  H(3,3,:) is 1.
##
## A match of (x, y, 1) = p with (u, v) gives two rows of A * vec (H') = 0,
##   [-p', 0, u * p'] and [0, -p', v * p'],
## and the solution is the eigenvector of A' * A of the smallest eigenvalue.

function H = fit_homographies (P, Q, W)

  [~, n, k] = size (P);
  [P, T] = normalized (P, W);
  [Q, U] = normalized (Q, W);
  P = [P; gpuArray.ones(1, n, k)];
  none = gpuArray.zeros (3, n, k);
  At = [-P, none; none, -P; Q(1,:,:) .* P, Q(2,:,:) .* P];
  h = smallest_vectors (gpu_mtimes (At, gpu_transpose ([W, W] .* At)));
  H = gpu_transpose (reshape (h, 3, 3, k));
  [back, ~] = gpu_inv (U);
  H = gpu_mtimes (back, gpu_mtimes (H, T));
  H = H ./ H(3,3,:);

endfunction

## Moved and scaled so that the centre is 0 and the mean distance sqrt (2).
function [P, T] = normalized (P, W)

  count = sum (W, 2);
  centre = sum (W .* P, 2) ./ count;
  P = P - centre;
  scale = sqrt (2) * count ./ sum (W .* sqrt (sumsq (P, 1)), 2);
  P = scale .* P;
  none = gpuArray.zeros (size (scale));
  T = [scale, none, -scale .* centre(1,:,:);
       none, scale, -scale .* centre(2,:,:);
       none, none, none + 1];

endfunction
