## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} +@var{A}
## @deftypefnx {} {@var{C} =} uplus (@var{A})
## The device array @var{A} itself, or in double if it is logical.
## @end deftypefn

function C = uplus (A)

  C = A;
  if (islogical (A))
    C = double (A);
  endif

endfunction

%!assert (gather (+gpuArray ([-1, 2])), [-1, 2])
%!assert (class (gather (+(gpuArray (1) == 1))), "double")
