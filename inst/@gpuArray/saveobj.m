## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{s} =} saveobj (@var{g})
## What @code{save} writes of a device array: its elements, as long as the
## format is one of Octave's own.  For the formats of @sc{matlab},
## @code{gather} first.
## @end deftypefn

function s = saveobj (g)

  ## The number knows how to save what it stands for, in gpu_object.cc.
  s = struct ("id", g.id);
  if (strcmp (typeinfo (g.id), "uint64 scalar") && existsOnGPU (g))
    error ("gpuArray: gather an array before it is saved");
  endif

endfunction

%!testif ; exist ("__gpu_call__") == 3
%! file = tempname ();
%! list = {magic(4), single(ones (2, 3, 2)), complex([1, 2i]), true(2, 3), ...
%!         [], 5, zeros(0, 3, "single"), single(2i), rand(50), NaN, true};
%! unwind_protect
%!   for format = {"-text", "-binary", "-zip"}
%!     for x = list
%!       g = gpuArray (x{1});
%!       s = struct ("a", 1, "b", g);
%!       c = {g, 2};
%!       save (format{1}, file, "g", "s", "c");
%!       g = s = c = [];
%!       load (file);
%!       assert (class (g), "gpuArray");
%!       assert (gather (g), x{1}, eps (double (x{1})));
%!       assert (classUnderlying (g), class (x{1}));
%!       assert (gather (s.b), x{1}, eps (double (x{1})));
%!       assert (gather (c{1}), x{1}, eps (double (x{1})));
%!     endfor
%!   endfor
%!   ## A loaded array can be saved again.
%!   save ("-binary", file, "g");
%!   g = [];
%!   load (file);
%!   assert (gather (g), true);
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect

## An error is better than a file that cannot be read.
%!error <MAT>
%! g = gpuArray (magic (4));
%! file = tempname ();
%! unwind_protect
%!   save ("-v7", file, "g");
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
