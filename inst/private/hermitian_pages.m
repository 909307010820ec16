## SPDX-License-Identifier: GPL-3.0-or-later

## K = hermitian_pages (A, K): those of the pages K of A that are Hermitian.
## The first row and column decide about most that are not.

function k = hermitian_pages (A, k)

  first = A(:,1,k) == conj (permute (A(1,:,k), [2, 1, 3]));
  k = k(all (first, 1)(:));
  A = A(:,:,k);
  same = A == conj (permute (A, [2, 1, 3]));
  k = k(all (all (same, 1), 2)(:));

endfunction
