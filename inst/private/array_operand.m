## SPDX-License-Identifier: GPL-3.0-or-later

## A = array_operand (NAME, A, WHICH): the argument WHICH of the function NAME
## as a full array, single or double, of at most three dimensions, or as it is
## on the device.

function A = array_operand (name, A, which)

  if (isa (A, "gpuArray"))
    return;
  elseif (isobject (A) || ! (isnumeric (A) || islogical (A)))
    error ("%s: wrong type argument '%s'", name, typeinfo (A));
  elseif (ndims (A) > 3)
    error ("%s: %s must have at most three dimensions, but is %s", name,
           which, sprintf ("%d x ", size (A))(1:end-3));
  endif
  A = full (A);
  if (! isfloat (A))
    A = double (A);   # __gpu__ takes an integer for a device array
  endif

endfunction
