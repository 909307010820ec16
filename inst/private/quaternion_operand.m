## SPDX-License-Identifier: GPL-3.0-or-later

## [P, FORM] = quaternion_operand (NAME, A, ARG): as quaternion_planes, but a
## real matrix is taken, too, with pages as M x N x 1 x K: FORM is "real" then.
## P is a full array, single or double, or a gpuArray.

function [P, form] = quaternion_operand (name, A, arg)

  if (isa (A, "quaternion") || size (A, 3) != 1 || ndims (A) > 4
      || ! (isnumeric (A) || islogical (A)) || isinteger (A) || ! isreal (A))
    [P, form] = quaternion_planes (name, A, arg);
    return;
  endif

  form = "real";
  P = A;
  if (! isa (A, "gpuArray"))
    P = full (P);
  endif
  if (islogical (P))
    P = double (P);
  endif

endfunction
