## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} permute (@var{A}, @var{perm})
## The dimensions of a device array in the order @var{perm}.
## @end deftypefn

function C = permute (A, perm)

  perm = checked_perm ("permute", A, perm);
  C = permuted (A, perm);

endfunction

%!test
%! x = reshape (1:24, 2, 3, 4);
%! for p = perms (1:3)'
%!   assert (gather (permute (gpuArray (x), p)), permute (x, p));
%! endfor
%! x = 1:3;
%! p = [2, 3, 1];
%! assert (gather (permute (gpuArray (x), p)), permute (x, p));
%!error <identical elements> permute (gpuArray (1:3), [1, 1])
%!error <invalid element> permute (gpuArray (1:3), [1, 3])
%!error <invalid permutation vector> permute (gpuArray (ones (2, 2, 2)), [2, 1])
