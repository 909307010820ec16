## SPDX-License-Identifier: GPL-3.0-or-later

## A = inverted_pages (NAME, A): the N x N or N x N x K array of which NAME
## computes inverses, single or double, full or on the device.  Anything empty
## is a 0 x 0 matrix, but empty pages keep their shape.

function A = inverted_pages (name, A)

  A = array_operand (name, A, "A");
  [m, n, pages] = size (A);
  if (isempty (A) && ! (ndims (A) == 3 && m == n))
    A = [];
  elseif (m != n)
    error ("%s: requires square matrix", name);
  elseif (islogical (A))
    A = double (A);   # on the device
  endif

endfunction
