## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {} display (@var{g})
## Show a device array with its name.
## @end deftypefn

function display (g)

  name = inputname (1, false);
  if (isempty (name))
    name = "ans";
  endif
  printf ("%s =\n\n", name);
  disp (g);
  printf ("\n");

endfunction

%!test
%! my_array = gpuArray (magic (3));
%! s = evalc ("my_array");
%! assert (strncmp (s, "my_array =\n\n", 12));
%! assert (evalc ("display (my_array)"), s);
%! assert (! isempty (strfind (s, disp (my_array))));
