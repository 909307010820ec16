## SPDX-License-Identifier: GPL-3.0-or-later

## [READ, WRITE] = quaternion_order (NAME, ORDER): the indices that take the
## components from ORDER, "wxyz" or "xyzw", to w, x, y, z, and those back.

function [read, write] = quaternion_order (name, order)

  if (! ischar (order) || ! any (strcmpi (order, {"wxyz", "xyzw"})))
    error ('%s: ORDER must be "wxyz" or "xyzw"', name);
  elseif (strcmpi (order, "wxyz"))
    read = write = 1:4;
  else
    read = [4, 1, 2, 3];
    write = [2, 3, 4, 1];
  endif

endfunction
