## SPDX-License-Identifier: GPL-3.0-or-later

## Q = quaternion_signs (P, S): the planes P with the signs S of w, x, y, z.

function Q = quaternion_signs (P, S)

  Q = P .* reshape (S, 1, 1, 4);

endfunction
