## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{h} =} logical (@var{g})
## Whether each element of a device array is other than zero, as a logical
## device array.  It is an error if one is NaN, or if @var{g} is complex.
## @end deftypefn

function g = logical (g)

  if (! strcmp (__gpu_call__ ("class", g), "logical"))
    if (__gpu_call__ ("complex", g))
      error ("logical: wrong type argument 'complex matrix'");
    endif
    bad = __gpu_call__ ("map", "isnan", g);
    bad = __gpu_call__ ("reshape", bad, numel (bad));
    if (gather (__gpu_call__ ("reduce", "any", bad, 1)))
      error ("logical: NaN can't be converted to logical value");
    endif
  endif
  if (strcmp (typeinfo (g.id), "uint64 scalar"))
    ## Of __gpu_call__.m: Octave asks this function whether such an object is
    ## true, and would ask its result again.
    g = logical (gather (g));
  else
    g = __gpu_call__ ("cast", g, "logical");
  endif

endfunction

%!test
%! for x = {[1, 0, -2], single(0), true(2), zeros(0, 3), Inf, ones(2, 3, 2)}
%!   g = logical (gpuArray (x{1}));
%!   assert (gather (g), logical (x{1}));
%!   assert (classUnderlying (g), "logical");
%! endfor
%!test
%! values = {1, 0, [], [1, 2], [1, 0], true, false, -1, single(0), ...
%!           ones(3, 3, 2), zeros(0, 3)};
%! for x = values
%!   want = false;
%!   if (x{1})
%!     want = true;
%!   endif
%!   g = gpuArray (x{1});
%!   got = false;
%!   if (g)
%!     got = true;
%!   endif
%!   assert (got, want);
%!   assert (g && true, want);
%!   while (g)
%!     g = gpuArray (false);
%!   endwhile
%! endfor
## An object that load made.
%!testif ; exist ("__gpu_call__") == 3
%! file = tempname ();
%! g = gpuArray (true);
%! save (file, "g");
%! load (file);
%! unlink (file);
%! assert (g && true);
%! g = ! g;
%! assert (g || false, false);
%!error <NaN can't be converted to logical value> logical (gpuArray ([1, NaN]))
%!error <logical: wrong type argument 'complex matrix'> logical (gpuArray (1i))
