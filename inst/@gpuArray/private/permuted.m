## SPDX-License-Identifier: GPL-3.0-or-later

## C = permuted (A, PERM): the dimensions of A in the order PERM.  Those behind
## the third are 1: only the size of the result knows them.

function C = permuted (A, perm)

  sz = size (A);
  sz(end+1:numel (perm)) = 1;
  first = perm(perm <= 3);
  first = [first, numel(first)+1:3];
  C = __gpu_call__ ("permute", A, first);
  if (any (perm > 3))
    C = reshaped (C, sz(perm));
  endif

endfunction
