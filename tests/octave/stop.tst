## Ctrl-C in a long call, and what such a call shows.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## What an interactive Octave on the host prints that reads CODE and, so many
## SECONDS after it printed "process N", its number, meets a Ctrl-C.
%!function out = interrupted (code, seconds)
%!  octave = getenv ("OCTAVE");
%!  if (isempty (octave))
%!    octave = "octave";
%!  endif
%!  paths = sprintf (" --path '%s'", fileparts (which ("gpu_chol")),
%!                   fileparts (which ("__gpu__")),
%!                   fileparts (which ("__gpu_call__")));
%!  script = tempname ();
%!  log = tempname ();
%!  unwind_protect
%!    fid = fopen (script, "w");
%!    fputs (fid, code);
%!    fclose (fid);
%!    [~, ~] = system (sprintf (["GPULINALG_BACKEND=host %s --no-gui " ...
%!      "--no-window-system -qfi %s <'%s' >'%s' 2>&1 & " ...
%!      "for k in $(seq 600); do pid=$(sed -n 's/.*process //p' '%s'); " ...
%!      "test -n \"$pid\" && break; sleep 0.1; done; " ...
%!      "sleep %g; kill -INT $pid; wait"], octave, paths, script, log, log, ...
%!      seconds));
%!    out = fileread (log);
%!  unwind_protect_cleanup
%!    delete (script);
%!    delete (log);
%!  end_unwind_protect
%!endfunction

## The call stops between two pages; nothing is left, and Octave goes on.
%!test
%! code = ["A = rand (6, 6, 1500000); gpu_inv (eye (40)); gpu_verbose (true);\n" ...
%!         "printf (\"process %d\\n\", getpid ()); fflush (stdout);\n" ...
%!         "X = gpu_inv (A); printf (\"not stopped\\n\");\n" ...
%!         "printf (\"X %d, live %d\\n\", exist (\"X\"), __gpu__ (\"live\"));\n" ...
%!         "printf (\"then %g\\n\", det (gpu_inv (2 * eye (40))) * 2 ^ 40);\n"];
%! out = interrupted (code, 2.5);
%! assert (isempty (strfind (out, "not stopped")), true, out);
%! assert (! isempty (strfind (out, "X 0, live 0")), true, out);
%! assert (! isempty (strfind (out, "then 1\n")), true, out);
%! shown = regexp (out, 'gpu_inv: +\d+ %, [\d.]+ s, [\d.]+ [GT]FLOP/s');
%! assert (! isempty (shown), true, out);
