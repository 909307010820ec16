## SPDX-License-Identifier: GPL-3.0-or-later

## [D, RCOND] = determinant (A): of each square page of a device array.

function [d, rcond] = determinant (A)

  if (islogical (A))
    A = double (A);
  endif
  if (isempty (A))
    pages = 1;
    if (ndims (A) == 3 && rows (A) == columns (A))
      pages = size (A, 3);
    endif
    d = __gpu_call__ ("fill", class_of (A), 1, [1, 1, pages]);
    rcond = Inf ([1, 1, pages], class_of (A));
  elseif (nargout < 2)
    d = __gpu_call__ ("det", A);
  else
    [d, rcond] = __gpu_call__ ("det", A);
  endif
  if (iscomplex (A) && ! isempty (A))
    d = complex (real (d), imag (d) .* ! hermitian (A));   # those are real
  endif

endfunction
