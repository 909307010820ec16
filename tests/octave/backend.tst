## What decides which backend computes, each case in an Octave of its own.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## The output of CODE with the variables VARS, such as "X=1", and no other
## GPULINALG_ variable.
%!function s = run_with (vars, code)
%!  octave = getenv ("OCTAVE");
%!  if (isempty (octave))
%!    octave = "octave";
%!  endif
%!  paths = sprintf (" --path '%s'", fileparts (which ("gpu_chol")),
%!                   fileparts (which ("__gpu__")));
%!  command = ["env -u GPULINALG_BACKEND -u GPULINALG_CUBLAS " ...
%!             "-u GPULINALG_TUNING %s %s " ...
%!             "--no-gui --no-window-system -qf %s --eval '%s' " ...
%!             "2>&1 </dev/null"];
%!  [~, s] = system (sprintf (command, vars, octave, paths, code));
%!endfunction

%!function assert_like (s, pattern)
%!  if (isempty (regexp (s, pattern, "once")))
%!    error ("expected a match of \"%s\", but got:\n%s", pattern, s);
%!  endif
%!endfunction

%!shared show
%! show = "disp (gpu_chol (4)); disp (gpuDevice ().Backend);";

## The host, wherever it is asked for, and without a word.
%!test
%! s = run_with ("GPULINALG_BACKEND=host", show);
%! assert_like (s, '^2\s+host\s');
%! assert (isempty (strfind (s, "warning")));
%! assert_like (run_with ("GPULINALG_BACKEND=host",
%!                        "disp (gpuDeviceCount ())"), '^0\s');

## An unknown backend.
%!test
%! s = run_with ("GPULINALG_BACKEND=gpu", show);
%! assert_like (s, ['error: gpu_chol: the backend must be "host", "cuda" ' ...
%!                  'or "cuda:2" for the second GPU, but is "gpu"']);

## Without a GPU: cuda is refused in one sentence, and nothing said else.
%!testif ; gpuDeviceCount () == 0 && isempty (getenv ("GPULINALG_BACKEND"))
%! s = run_with ("GPULINALG_BACKEND=cuda", show);
%! assert_like (s, 'error: gpu_chol: (no NVIDIA|this build|the NVIDIA)');
%! assert_like (run_with ("GPULINALG_BACKEND=cuda",
%!                        "disp (gpuDeviceCount ())"), '^0\s');
%! s = run_with ("", [show, "disp (gpuDevice ().Note)"]);
%! assert_like (s, '^2\s+host\s+(no NVIDIA|this build)');
%! assert (isempty (strfind (s, "warning")));

## A GPU without cuBLAS: one warning, and the host computes; no detour if
## the GPU was asked for.
%!testif ; gpuDeviceCount () > 0
%! s = run_with ("GPULINALG_CUBLAS=/none.so", [show, show]);
%! assert (numel (strfind (s, "warning: gpulinalg: computing")), 1);
%! assert_like (s, ['computing on the host: /none.so was not found; set ' ...
%!                  'GPULINALG_CUBLAS to its path']);
%! assert_like (s, '2\s+host\s+2\s+host');
%! s = run_with ("GPULINALG_BACKEND=cuda GPULINALG_CUBLAS=/none.so", show);
%! assert_like (s, 'error: gpu_chol: /none.so was not found');

## A GPU that is used without being asked for.
%!testif ; gpuDeviceCount () > 0
%! assert_like (run_with ("", show), '^2\s+cuda\s');

## A value that means nothing is told, not ignored.
%!testif ; gpuDeviceCount () > 0
%! assert_like (run_with ("GPULINALG_BACKEND=cuda GPULINALG_TUNING=fast", show),
%!              ['error: gpu_chol: GPULINALG_TUNING must be "portable" or ' ...
%!               'unset, but is "fast"']);
%! assert_like (run_with ("GPULINALG_TUNING=portable", show), '^2\s+cuda\s');
