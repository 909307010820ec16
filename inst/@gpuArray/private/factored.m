## SPDX-License-Identifier: GPL-3.0-or-later

## [R, P] = factored (NAME, NOUT, A, OPTION, ...): the Cholesky factors of the
## pages of a device array, for NAME, which was asked for NOUT results.

function [R, p] = factored (name, nout, A, varargin)

  [uplo, is_vector, precision] = __chol_options__ (name, varargin{:});

  sz = __gpu_call__ ("size", A);
  if (prod (sz) == 0 && ! (numel (sz) == 3 && sz(1) == sz(2)))
    A = __gpu_call__ ("fill", class_of (A), 0, [0, 0, 1]);
  elseif (is_vector)
    error ('%s: A must be sparse for the "vector" option', name);
  elseif (sz(1) != sz(2))
    error ("%s: requires square matrix", name);
  elseif (strcmp (__gpu_call__ ("class", A), "logical"))
    A = double (A);
  endif

  if (isempty (precision))
    [p, R] = __gpu_call__ ("chol", A, uplo);
  elseif (any (strcmp (precision, {"tf32", "fp16"}))
          && ! strcmp (__gpu_call__ ("class", A), "single"))
    error ('%s: the precisions "tf32" and "fast" are for single matrices', name);
  else
    [p, R] = __gpu_call__ ("chol", A, uplo, precision);
  endif
  if (any (p))
    [R, p] = cut (name, nout, R, p);
  endif

endfunction

## What is left of R where a pivot was not positive.
function [R, p] = cut (name, nout, R, p)

  if (nout < 2 && isscalar (p))
    error ("%s: input matrix must be positive definite", name);
  elseif (nout < 2)
    error ("%s: input matrix must be positive definite (page %d)", name,
           find (p, 1));
  elseif (isscalar (p))
    R = __gpu_call__ ("index", R, 1:p-1, 1:p-1);
  else
    at = 1:rows (R);
    R = __gpu_call__ ("assign", R, 0, find (max (at', at) >= p & p > 0)(:));
  endif

endfunction
