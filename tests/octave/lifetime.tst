## The life of device arrays: every last reference frees, nothing else does,
## whatever happens to the objects, the functions and the session.
##
## SPDX-License-Identifier: GPL-3.0-or-later

%!function n = live ()
%!  n = __gpu__ ("live");
%!endfunction

## The output of CODE in an Octave of its own, and its exit status.  Some
## Octaves complain when they leave.
%!function c = command (code)
%!  octave = getenv ("OCTAVE");
%!  if (isempty (octave))
%!    octave = "octave";
%!  endif
%!  paths = sprintf (" --path '%s'", fileparts (which ("gpu_chol")),
%!                   fileparts (which ("__gpu__")),
%!                   fileparts (which ("__gpu_call__")));
%!  c = sprintf (["%s --no-gui --no-window-system -qf %s --eval '%s' " ...
%!                "2>&1 </dev/null"], octave, paths, code);
%!endfunction
%!function [s, status] = session (code)
%!  [status, s] = system (command (code));
%!  s = strrep (s, ["error: ignoring const execution_exception& while ", ...
%!                  "preparing to exit\n"], "");
%!endfunction

## 100,000 creations and releases.
%!test
%! before = live ();
%! memory = __gpu__ ("device").AvailableMemory;
%! for i = 1:100000
%!   g = gpuArray (i);
%! endfor
%! assert (live (), before + 1);
%! assert (gather (g), 100000);
%! clear g
%! assert (live (), before);
%! if (strcmp (__gpu__ ("device").Backend, "cuda"))
%!   assert (__gpu__ ("device").AvailableMemory > memory - 2^28);
%! endif

## Many at once: finding one does not depend on how many there are.
%!test
%! before = live ();
%! n = 20000;
%! c = cell (1, n);
%! for i = 1:n
%!   c{i} = gpuArray (i);
%! endfor
%! assert (live (), before + n);
%! for i = [1, 2, 777, n]
%!   assert (gather (c{i}), i);
%! endfor
%! time = zeros (1, 2);
%! for few = [false, true]
%!   if (few)
%!     g = c{1};
%!     c = {g};
%!     h = [];
%!     assert (live (), before + 1);
%!   endif
%!   g = c{1};
%!   t = Inf;
%!   for trial = 1:5
%!     start = cputime ();
%!     for i = 1:1000
%!       h = g + 1;
%!     endfor
%!     t = min (t, cputime () - start);
%!   endfor
%!   time(1 + few) = t;
%! endfor
%! assert (time(1) < 3 * time(2) + 0.01);
%! clear c g h
%! assert (live (), before);

## Copies share; the last of them frees.
%!test
%! before = live ();
%! g = gpuArray (magic (4));
%! h = g;
%! c = {g, h, {g}};
%! s.a = h;
%! f = @() g;
%! assert (live (), before + 1);
%! clear g h
%! c(1:2) = [];
%! assert (gather (c{1}{1}), magic (4));
%! clear c
%! s.a = [];
%! assert (live (), before + 1);
%! clear f
%! assert (live (), before);

## Temporaries, results that nobody takes, overwriting.
%!test
%! before = live ();
%! g = gpuArray (magic (4));
%! x = gather ((g + 1) * (g - 1)' + g(:,1));
%! g + g;
%! sum (g * 2);
%! clear ans
%! assert (live (), before + 1);
%! g = g + 1;
%! assert (live (), before + 1);
%! g(2) = 5;
%! g(:,end+1) = 7;
%! assert (live (), before + 1);
%! [r, i] = max (g);
%! assert (live (), before + 3);
%! clear g r i
%! assert (live (), before);

## Errors in the middle.
%!function fails (g, how)
%!  h = g + 1;
%!  k = {h * 2, struct("a", h - 1)};
%!  switch (how)
%!    case 1
%!      error ("on purpose");
%!    case 2
%!      h + ones (7, 9);
%!    case 3
%!      h(100, 100, 2);
%!    case 4
%!      chol (-h * h');
%!    case 5
%!      h + {1};
%!    case 6
%!      cellfun (@(x) error ("x"), {h, k});
%!    case 7
%!      h(1:2) = ones (3);
%!    case 8
%!      __gpu__ ("set", "allocs_left", 1);
%!      h * h + h;
%!    case 9
%!      [h; ones(2, 9)];
%!    case 10
%!      gpuArray ({1});
%!  endswitch
%!endfunction
%!test
%! before = live ();
%! g = gpuArray (magic (4));
%! for i = 1:100
%!   for how = 1:10
%!     failed = false;
%!     try
%!       fails (g, how);
%!     catch
%!       failed = true;
%!     end_try_catch
%!     __gpu__ ("set", "allocs_left", -1);
%!     assert (failed);
%!     assert ([how, live()], [how, before + 1]);
%!   endfor
%! endfor
%! clear g err
%! lasterr ("");
%! assert (live (), before);

## Out of memory: what is needed and free is said, and the rest goes on.
%!test
%! before = live ();
%! g = gpuArray (ones (100));
%! limit = __gpu__ ("set", "memory_limit", 3e5);
%! unwind_protect
%!   try
%!     h = g + 1;
%!     k = (h * g) * (g + h);
%!     error ("no error");
%!   catch err
%!     assert (err.identifier, "gpulinalg:nomem");
%!     assert (! isempty (strfind (err.message, "needed")));
%!   end_try_catch
%!   assert (gather (g(1) + h(2)), 3);
%! unwind_protect_cleanup
%!   __gpu__ ("set", "memory_limit", limit);
%! end_unwind_protect
%! clear g h
%! assert (live (), before);

## A chain ends where it began, whichever allocation fails.
%!test
%! before = live ();
%! A = magic (4) + 40 * eye (4);
%! g = gpuArray (A);
%! want = sum (log (diag (chol (A))));
%! for k = 0:200
%!   __gpu__ ("set", "allocs_left", k);
%!   done = false;
%!   try
%!     x = gather (sum (log (diag (chol (g)))));
%!     done = true;
%!   end_try_catch
%!   __gpu__ ("set", "allocs_left", -1);
%!   assert (live (), before + 1);
%!   if (done)
%!     break;
%!   endif
%! endfor
%! assert (done && k > 0);
%! assert (x, want, 1e-12);

## Objects survive the clearing of functions.
%!test
%! s = session (["g = gpuArray (1:3); clear functions;" ...
%!               "disp (gather (g + 1)); clear __gpu__; clear __gpu_call__; h = g + 1; clear g;" ...
%!               "disp (gather (h)); clear -all; disp (__gpu__ (\"live\"))"]);
%! assert (regexprep (s, '\s+', " "), " 2 3 4 2 3 4 0 ");

## clear all
%!test
%! s = session (["g = gpuArray (1:3); h = {g, g + 1}; clear all;" ...
%!               "disp (__gpu__ (\"live\")); g = gpuArray (1:3);" ...
%!               "disp (gather (g + 1)); clear all; clear all;" ...
%!               "disp (__gpu__ (\"live\"))"]);
%! assert (regexprep (s, '\s+', " "), "0 2 3 4 0 ");

## Exit with live arrays: in variables, globals, cells, after an error.
%!test
%! for code = {"g = gpuArray (1:3); h = {g, @() g};", ...
%!             "global g; g = gpuArray (1:3); exit (0);", ...
%!             "g = gpuArray (1:3); clear all; g = gpuArray (4); quit", ...
%!             "g = gpuArray (1:3); clear functions; h = g + 1;"}
%!   [s, status] = session (code{1});
%!   assert (status, 0);
%!   assert (isempty (strfind (s, "panic")) && isempty (strfind (s, "fault")));
%! endfor
%! [s, status] = session ("g = gpuArray (1:3); error (\"on purpose\");");
%! assert (status, 1);
%! assert (! isempty (strfind (s, "on purpose")));

## Unloaded as pkg unload does it: the objects stay, their data are gone, and
## new ones are made.
%!test
%! s = session (["cd (tempdir ()); g = gpuArray (1:3);" ...
%!               "p = fileparts (which (\"gpu_chol\"));" ...
%!               "__gpu__ (\"shutdown\"); clear __gpu__; rmpath (p);" ...
%!               "clear g; addpath (p); h = gpuArray (4); k = h;" ...
%!               "disp (gather (h + 1)); disp (__gpu__ (\"live\"));" ...
%!               "__gpu__ (\"shutdown\"); clear __gpu__; clear h;" ...
%!               "disp (existsOnGPU (k)); clear k; disp (__gpu__ (\"live\"));"]);
%! assert (regexprep (s, '\s+', " "), "5 1 0 0 ");

## gpuDevice ("reset") frees all, and a stale object frees nothing.
%!test
%! g = gpuArray (1:3);
%! gpuDevice ("reset");
%! assert (live (), 0);
%! h = gpuArray (4);
%! clear g
%! assert (live (), 1);
%! assert (gather (h), 4);

## After an error that the GPU does not survive all calls fail, till a reset;
## what was there is gone.
%!test
%! s = session (["g = gpuArray (1:3); h = g + 1; k = {g};" ...
%!               "__gpu__ (\"set\", \"lost\", 1);" ...
%!               "try, g + 1, catch e, disp (e.message), end;" ...
%!               "try, gpu_chol (4 * ones (50) + eye (50)), " ...
%!               "catch e, disp (e.message), end;" ...
%!               "disp (existsOnGPU (g)); clear h; gpuDevice (\"reset\");" ...
%!               "try, gather (g), catch e, disp (e.message), end;" ...
%!               "h = gpuArray (4); clear g k; disp (gather (h + 1));" ...
%!               "disp (__gpu__ (\"live\"));"]);
%! lines = strsplit (strtrim (s), "\n");
%! lost = 'the GPU is lost after an error; gpuDevice \("reset"\) brings it back';
%! assert (numel (lines), 6, s);
%! assert (! isempty (regexp (lines{1}, lost)), s);
%! assert (! isempty (regexp (lines{2}, lost)), s);
%! assert (lines(3:6), {"0", ["gpuArray: data no longer exists on the " ...
%!                            "device"], "5", "1"});

## More than the GPU has: needed and free bytes are said, the rest goes on.
%!testif ; strcmp (gpuDevice ().Backend, "cuda")
%! g = gpuArray (magic (4));
%! n = ceil (sqrt (gpuDevice ().TotalMemory / 8));
%! try
%!   h = gpuArray.zeros (n) + 1;
%!   error ("no error");
%! catch err
%!   assert (err.identifier, "gpulinalg:nomem");
%!   assert (! isempty (regexp (err.message, '[\d.]+ \wB.* needed.*free')), ...
%!           err.message);
%! end_try_catch
%! assert (gather (g * g), magic (4) ^ 2);

## Two processes on one GPU, at the same time, get the same bits.
%!testif ; strcmp (gpuDevice ().Backend, "cuda")
%! code = ["n = 300; A = n * eye (n) + cos (magic (n)); A = gpuArray (A);" ...
%!         "x = 0; for k = 1:300;" ...
%!         "x = x + sum (log (diag (chol (A + transpose (A))))) / k; end;" ...
%!         "x = gather (x);"];
%! other = popen (command ([code, "printf (\"%.17g\\n\", x)"]), "r");
%! eval (code);
%! theirs = fgetl (other);
%! assert (pclose (other), 0);
%! assert (theirs, sprintf ("%.17g", x));
