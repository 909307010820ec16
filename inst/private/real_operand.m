## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{A} =} real_operand (@var{name}, @var{A}, @var{which})
## The argument @var{which} of the function @var{name} as a real single or
## double array of at most three dimensions, on the host or the device.
## @end deftypefn

function A = real_operand (name, A, which)

  A = array_operand (name, A, which);
  if (iscomplex (A))
    error ("%s: %s must be real, but is complex", name, which);
  elseif (islogical (A))
    A = double (A);   # on the device
  endif

endfunction
