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
  elseif (nargout > 1 || is_heard ())
    [X, rcond] = __gpu_call__ ("inv", A);
    if (nargout < 2)
      warn_singular (rcond);
    endif
  else
    X = __gpu_call__ ("inv", A);
  endif

endfunction

## Whether a warning would reach anybody.
function tf = is_heard ()

  ids = {"Octave:singular-matrix", "Octave:nearly-singular-matrix"};
  tf = ! (strcmp (warning ("query", ids{1}).state, "off")
          && strcmp (warning ("query", ids{2}).state, "off"));

endfunction

## Octave's warnings, its test and its texts.
function warn_singular (rcond)

  page = find (rcond + 1 == 1 | isnan (rcond), 1);
  if (isempty (page))
    return;
  endif
  id = "Octave:singular-matrix";
  text = "matrix singular to machine precision";
  if (rcond(page) != 0)
    id = "Octave:nearly-singular-matrix";
    text = [text, ", rcond = ", tolower(sprintf ("%g", rcond(page)))];
  endif
  if (! isscalar (rcond))
    text = sprintf ("%s (page %d)", text, page);
  endif
  warning (id, "%s", text);

endfunction
