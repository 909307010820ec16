## SPDX-License-Identifier: GPL-3.0-or-later

## Q = quaternion_pick (P, K): the planes K of P, of all pages.

function Q = quaternion_pick (P, k)

  if (ndims (P) < 4)
    Q = P(:,:,k);   # a gpuArray has no fourth index
  else
    Q = P(:,:,k,:);
  endif

endfunction
