## SPDX-License-Identifier: GPL-3.0-or-later

## [SUBS, CHANGED] = host_subs (SUBS): indices with device arrays brought to
## the host, and characters as the numbers that Octave takes them for.

function [subs, changed] = host_subs (subs)

  changed = false;
  for i = 1:numel (subs)
    if (isa (subs{i}, "gpuArray"))
      subs{i} = gather (subs{i});
      changed = true;
    elseif (ischar (subs{i}) && ! strcmp (subs{i}, ":"))
      subs{i} = double (subs{i});
      changed = true;
    endif
  endfor

endfunction
