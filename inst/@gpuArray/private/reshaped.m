## SPDX-License-Identifier: GPL-3.0-or-later

## C = reshaped (A, SZ): A with its elements in an array of the size SZ.

function C = reshaped (A, sz)

  while (numel (sz) > 3 && sz(end) == 1)
    sz(end) = [];
  endwhile
  if (numel (sz) > 3)
    error ("gpuArray: an array has at most three dimensions, not %s",
           sprintf ("%dx", sz)(1:end-1));
  endif
  C = __gpu_call__ ("reshape", A, [sz, ones(1, 3 - numel (sz))]);

endfunction
