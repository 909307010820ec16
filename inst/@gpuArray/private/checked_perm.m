## SPDX-License-Identifier: GPL-3.0-or-later

## PERM = checked_perm (NAME, A, PERM): PERM as a row, if it is an order of A's
## dimensions, else NAME's error.

function perm = checked_perm (name, A, perm)

  perm = fix (double (gather (perm)(:)'));
  n = numel (perm);
  if (n < ndims (A))
    error ("%s: invalid permutation vector", name);
  elseif (any (perm < 1 | perm > n | isnan (perm)))
    error ("%s: permutation vector contains an invalid element", name);
  elseif (numel (unique (perm)) < n)
    error ("%s: permutation vector cannot contain identical elements", name);
  endif

endfunction
