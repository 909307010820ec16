## SPDX-License-Identifier: GPL-3.0-or-later

## CLS = quaternion_class (A): the class of the elements of A, which may be
## a gpuArray.

function cls = quaternion_class (A)

  if (isa (A, "gpuArray"))
    cls = classUnderlying (A);
  else
    cls = class (A);
  endif

endfunction
