## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} __lu_option__ (@var{name}, @var{option})
## Undocumented internal function of gpulinalg.
## @end deftypefn

## Raise Octave's error of the function NAME unless OPTION is "vector".

function __lu_option__ (name, option)

  if (! ischar (option))
    error (["%s: can not define pivoting threshold THRESH for full " ...
            "matrices"], name);
  elseif (! strcmp (option, "vector"))
    error ("%s: unrecognized string argument", name);
  endif

endfunction

%!test __lu_option__ ("f", "vector");
%!error <^f: can not define pivoting threshold> __lu_option__ ("f", 1)
%!error <^f: unrecognized string argument$> __lu_option__ ("f", "Vector")
