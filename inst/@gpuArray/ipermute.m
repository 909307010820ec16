## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} ipermute (@var{A}, @var{perm})
## The device array of which @code{permute (@var{C}, @var{perm})} is @var{A}.
## @end deftypefn

function C = ipermute (A, perm)

  perm = checked_perm ("ipermute", A, perm);
  perm(perm) = 1:numel (perm);
  C = permuted (A, perm);

endfunction

%!test
%! x = reshape (1:24, 2, 3, 4);
%! for p = perms (1:3)'
%!   assert (gather (ipermute (gpuArray (x), p)), ipermute (x, p));
%! endfor
%! x = 1:3;
%! p = [2, 3, 1];
%! assert (gather (ipermute (gpuArray (x), p)), ipermute (x, p));
%!error <identical elements> ipermute (gpuArray (1:3), [1, 1])
%!error <invalid element> ipermute (gpuArray (1:3), [1, 3])
%!error <invalid permutation> ipermute (gpuArray (ones (2, 2, 2)), [2, 1])
