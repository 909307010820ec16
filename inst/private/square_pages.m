## SPDX-License-Identifier: GPL-3.0-or-later

## A = square_pages (NAME, A): the N x N or N x N x K array, single or double,
## that NAME computes with: full, or a diagonal or permutation matrix.  Errors
## are NAME's, in the order of Octave's inv and det.  Anything empty is a 0 x 0
## matrix, as there, but empty pages keep their shape, and single stays single.

function A = square_pages (name, A)

  if (isobject (A))
    error ("%s: wrong type argument '%s'", name, typeinfo (A));
  elseif (isempty (A))
    sz = size (A);
    if (numel (sz) != 3 || sz(1) != sz(2))
      sz = [0, 0];
    endif
    class_A = "double";
    if (isa (A, "single"))
      class_A = "single";
    endif
    A = zeros (sz, class_A);
    return;
  elseif (rows (A) != columns (A))
    error ("%s: A must be a square matrix", name);
  elseif (ischar (A))
    error ("%s: invalid conversion from string to real matrix", name);
  elseif (! (isnumeric (A) || islogical (A)))
    error ("%s: wrong type argument '%s'", name, typeinfo (A));
  elseif (ndims (A) > 3)
    error ("%s: A must be N x N or N x N x K, but is %s", name,
           sprintf ("%d x ", size (A))(1:end-3));
  endif

  if (! is_special_matrix (A))
    A = full (A);
  endif
  if (! isfloat (A))
    A = double (A);   # __gpu__ takes an integer for a device array
  endif

endfunction
