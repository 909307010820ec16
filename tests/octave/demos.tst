## The code of every demo runs, and shows something.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## The code of each demo in FILE.
%!function demos = demos_of (file)
%!  [code, at] = test (file, "grabdemo");
%!  demos = cell (1, max (0, numel (at) - 1));
%!  for k = 1:numel (demos)
%!    demos{k} = code(at(k):at(k+1)-1);
%!  endfor
%!endfunction

## As demo runs it: in a function without arguments and variables.
%!function text = output_of (code)
%!  eval (["function __demo__ ()\n", code, "\nendfunction"]);
%!  unwind_protect
%!    text = evalc ("__demo__ ();");
%!  unwind_protect_cleanup
%!    clear __demo__
%!  end_unwind_protect
%!endfunction

## Those that plot go as far where Octave has nothing to plot with.
%!test
%! warning ("off", "Octave:gnuplot-graphics", "local");
%! can_plot = ! isempty (available_graphics_toolkits ());
%! inst = fileparts (which ("gpu_chol"));
%! visible = get (0, "defaultfigurevisible");
%! state = {rand("twister"), randn("twister")};
%! unwind_protect
%!   set (0, "defaultfigurevisible", "off");
%!   for file = [glob(fullfile (inst, "*.m")); ...
%!               glob(fullfile (inst, "@*", "*.m"))]'
%!     demos = demos_of (file{1});
%!     for k = 1:numel (demos)
%!       before = __gpu__ ("live");
%!       try
%!         text = output_of (demos{k});
%!       catch err
%!         if (! can_plot && strfind (err.message, "no graphics toolkits"))
%!           continue;
%!         endif
%!         error ("demo %d of %s: %s", k, file{1}, err.message);
%!       end_try_catch
%!       assert (! isempty (text), "demo %d of %s prints nothing", k, file{1});
%!       close ("all");
%!       assert (__gpu__ ("live"), before);
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   close ("all");
%!   set (0, "defaultfigurevisible", visible);
%!   rand ("twister", state{1});
%!   randn ("twister", state{2});
%! end_unwind_protect

## The main functions have one.
%!test
%! for name = {"gpu_chol", "gpu_lu", "gpu_mldivide", "gpu_inv", "gpu_det", ...
%!             "gpu_logdet", "gpu_mtimes", "gpu_transpose", "gpu_qmtimes", ...
%!             "gputimeit", "@gpuArray/gpuArray"}
%!   assert (numel (demos_of (name{1})) >= 1, name{1});
%! endfor
