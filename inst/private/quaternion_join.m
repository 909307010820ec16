## SPDX-License-Identifier: GPL-3.0-or-later

## P = quaternion_join (W, X, Y, Z): the planes M x N x 4 x K of four arrays of
## M x N x K.  Unlike cat, it keeps the sizes of empty ones.

function P = quaternion_join (w, x, y, z)

  [m, n, pages] = size (w);
  P = [w(:); x(:); y(:); z(:)];
  if (pages == 1)
    P = reshape (P, m, n, 4);
  else
    P = permute (reshape (P, m, n, pages, 4), [1, 2, 4, 3]);
  endif

endfunction
