## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{n} =} end (@var{g}, @var{k}, @var{count})
## The last place that index number @var{k} of @var{count} can have.
## @end deftypefn

function n = end (g, k, count)

  sz = __gpu_call__ ("size", g);
  if (k == count)
    n = prod (sz(k:end));
  elseif (k <= columns (sz))
    n = sz(k);
  else
    n = 1;
  endif

endfunction

%!test
%! Y = reshape (1:24, 2, 3, 4);
%! h = gpuArray (Y);
%! assert (gather (h(end)), Y(end));
%! assert (gather (h(end,end)), Y(end,end));
%! assert (gather (h(end,end-1,end)), Y(end,end-1,end));
%! assert (gather (h(1,2,3,end)), Y(1,2,3,end));
%! g = gpuArray (1:5);
%! assert (gather (g(end-1:end)), [4, 5]);
