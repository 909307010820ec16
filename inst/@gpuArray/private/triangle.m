## SPDX-License-Identifier: GPL-3.0-or-later

## C = triangle (NAME, A, ...): what tril or triu, which NAME is, gives for a
## device array.

function C = triangle (name, A, varargin)

  pack = ! isempty (varargin) && ischar (varargin{end});
  k = 0;
  if (numel (varargin) > pack)
    k = fix (gather (varargin{1})(1));
  endif
  sz = size (A);
  if (numel (sz) > 2)
    error ("%s: need a 2-D matrix", name);
  elseif (pack)
    A = __gpu_call__ ("index", A, ":");
    C = __gpu_call__ ("index", A, find (feval (name, true (sz), k))(:));
  elseif (strcmp (name, "tril"))
    C = __gpu_call__ ("band", A, -Inf, k);
  else
    C = __gpu_call__ ("band", A, k, Inf);
  endif

endfunction
