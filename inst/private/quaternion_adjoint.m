## SPDX-License-Identifier: GPL-3.0-or-later

## C = quaternion_adjoint (P): the complex adjoint of the planes P: the 2M x 2N
## matrix [a, b; -conj(b), conj(a)] with a = w + x*i and b = y + z*i, on a page
## for each page of P.  It is that of a product if it is multiplied, and is
## inverted and transposed with the quaternions.

function C = quaternion_adjoint (P)

  [m, n, ~, pages] = size (P);
  if (pages == 1)   # a gpuArray has no fourth index
    a = complex (P(:,:,1), P(:,:,2));
    b = complex (P(:,:,3), P(:,:,4));
  else
    a = reshape (complex (P(:,:,1,:), P(:,:,2,:)), m, n, pages);
    b = reshape (complex (P(:,:,3,:), P(:,:,4,:)), m, n, pages);
  endif
  C = [a, b; -conj(b), conj(a)];

endfunction
