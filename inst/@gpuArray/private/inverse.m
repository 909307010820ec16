## SPDX-License-Identifier: GPL-3.0-or-later

## [X, RCOND] = inverse (A): the inverse of each square page of a device array,
## with a warning if one is singular and RCOND is not asked for.

function [X, rcond] = inverse (A)

  if (islogical (A))
    A = double (A);
  endif
  if (isempty (A))
    pages = 1;
    if (ndims (A) == 3 && rows (A) == columns (A))
      pages = size (A, 3);
    else
      A = __gpu_call__ ("fill", class_of (A), 0, [0, 0, 1]);
    endif
    X = A;
    rcond = Inf ([1, 1, pages], class_of (A));
  elseif (isscalar (A))
    X = 1 ./ A;   # without a warning, as on the host
    if (nargout > 1)
      [~, rcond] = inv (gather (A));
    endif
  elseif (nargout > 1 || __warn_singular__ ())
    [X, rcond] = __gpu_call__ ("inv", A);
    if (nargout < 2)
      __warn_singular__ (rcond);
    endif
  else
    X = __gpu_call__ ("inv", A);
  endif

endfunction
