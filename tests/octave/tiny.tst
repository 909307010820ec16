## The functions leave tiny matrices to Octave's own: what their tests demand
## holds there, too.  All other tests are run without this (run-octave).
##
## SPDX-License-Identifier: GPL-3.0-or-later

## In an Octave of its own, since the limit is read once.
%!function s = results (limit)
%!  octave = getenv ("OCTAVE");
%!  if (isempty (octave))
%!    octave = "octave";
%!  endif
%!  inst = fileparts (which ("gpu_chol"));
%!  paths = sprintf (" --path '%s'", inst, fileparts (which ("__gpu__")), ...
%!                   fileparts (which ("__gpu_call__")));
%!  code = ["for f = {\"chol\", \"inv\", \"det\", \"transpose\", " ...
%!          "\"ctranspose\", \"mtimes\"}; [n, all] = test (which " ...
%!          "([\"gpu_\", f{1}]), \"quiet\", tempname ()); " ...
%!          "printf (\"%d of %d\\n\", n, all); end"];
%!  [status, s] = system (sprintf (["GPULINALG_TINY=%s %s --no-gui " ...
%!                                  "--no-window-system -qf %s --eval '%s' " ...
%!                                  "2>/dev/null </dev/null"], ...
%!                                 limit, octave, paths, code));
%!endfunction

%!test
%! for limit = {"", "16", "x"}
%!   s = results (limit{1});
%!   counts = regexp (s, '(\d+) of (\d+)\n', "tokens");
%!   assert (numel (counts), 6, s);
%!   for k = 1:6
%!     assert (counts{k}{1}, counts{k}{2}, s);
%!     assert (str2double (counts{k}{1}) > 3, s);
%!   endfor
%! endfor
