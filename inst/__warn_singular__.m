## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{tf} =} __warn_singular__ ()
## @deftypefnx {} {} __warn_singular__ (@var{rcond})
## Undocumented internal function: whether a warning of singular matrices would
## reach anybody, and Octave's warnings for the first page whose @var{rcond},
## one for each, is too small.
## @end deftypefn

function tf = __warn_singular__ (rcond)

  ids = {"Octave:singular-matrix", "Octave:nearly-singular-matrix"};
  if (nargin == 0)
    tf = ! (strcmp (warning ("query", ids{1}).state, "off")
            && strcmp (warning ("query", ids{2}).state, "off"));
    return;
  endif

  page = find (rcond + 1 == 1 | isnan (rcond), 1);
  if (isempty (page))
    return;
  endif
  id = ids{1};
  text = "matrix singular to machine precision";
  if (rcond(page) != 0)
    id = ids{2};
    text = [text, ", rcond = ", tolower(sprintf ("%g", rcond(page)))];
  endif
  if (! isscalar (rcond))
    text = sprintf ("%s (page %d)", text, page);
  endif
  warning (id, "%s", text);

endfunction

%!test
%! warning ("on", "Octave:singular-matrix", "local");
%! warning ("off", "Octave:nearly-singular-matrix", "local");
%! assert (__warn_singular__ ());
%! warning ("off", "Octave:singular-matrix", "local");
%! assert (! __warn_singular__ ());
%!warning <^matrix singular to machine precision$> __warn_singular__ (0);
%!warning <^matrix singular to machine precision \(page 3\)$>
%! __warn_singular__ (cat (3, 1, 0.5, 0, 0));
%!warning <^matrix singular to machine precision, rcond = 1e-17$>
%! __warn_singular__ (1e-17);
%!warning <rcond = nan> __warn_singular__ (NaN);
%!test
%! lastwarn ("");
%! __warn_singular__ (1e-10);
%! assert (lastwarn (), "");
