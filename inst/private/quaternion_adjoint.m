## SPDX-License-Identifier: GPL-3.0-or-later

## C = quaternion_adjoint (P): the complex adjoint of the planes P: the 2M x 2N
## matrix [a, b; -conj(b), conj(a)] with a = w + x*i and b = y + z*i, on a page
## for each page of P.  It is that of a product if it is multiplied, and is
## inverted and transposed with the quaternions.

function C = quaternion_adjoint (P)

  [m, n, ~, pages] = size (P);
  plane = @(k) reshape (quaternion_pick (P, k), m, n, pages);
  a = complex (plane (1), plane (2));
  b = complex (plane (3), plane (4));
  C = [a, b; -conj(b), conj(a)];

endfunction
