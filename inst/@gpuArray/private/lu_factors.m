## SPDX-License-Identifier: GPL-3.0-or-later

## [L, U, P] = lu_factors (NAME, NOUT, A, OPTION): the LU factors of the pages
## of a device array, for NAME, which was asked for NOUT results.

function [L, U, P] = lu_factors (name, nout, A, varargin)

  if (nargin > 4)
    error ("Invalid call to %s", name);
  elseif (nargin > 3)
    __lu_option__ (name, varargin{1});
  endif

  U = P = [];
  sz = [__gpu_call__("size", A), 1](1:3);
  if (prod (sz) == 0)
    if (ndims (A) < 3)
      sz = [0, 0, 1];
    endif
    m = sz(1);
    k = min (sz(1:2));
    L = __gpu_call__ ("fill", class_of (A), 0, sz);
    if (nout > 1)
      L = __gpu_call__ ("fill", class_of (A), 0, [m, k, sz(3)]);
      U = __gpu_call__ ("fill", class_of (A), 0, [k, sz(2:3)]);
    endif
    p = repmat ((1:m)', [1, 1, sz(3)]);
  else
    if (islogical (A))
      A = double (A);
    endif
    if (nout < 2)
      [p, L] = __gpu_call__ ("lu", A, "packed");
    else
      form = {"permuted", "split"}{1 + (nout > 2)};
      [p, L, U] = __gpu_call__ ("lu", A, form);
    endif
  endif

  if (nargin > 3)
    P = p;
  elseif (nout > 2)
    m = sz(1);
    P = __gpu_call__ ("fill", "double", 0, [m, m, sz(3)]);
    at = (1:m)' + (p - 1) * m + reshape (0:sz(3)-1, 1, 1, []) * m^2;
    P = __gpu_call__ ("assign", P, 1, at(:));
  endif

endfunction
