## SPDX-License-Identifier: GPL-3.0-or-later

## [C, AT] = reduce (NAME, A, DIM, TYPE): NAME (A, DIM, TYPE) of a device array,
## the arguments checked as Octave's functions do.  DIM is [] for the default,
## and AT is computed only if it is asked for.

function [C, at] = reduce (name, A, varargin)

  dim = 0;
  if (! isempty (varargin))
    if (ischar (varargin{end}))
      [name, A] = typed (name, A, varargin{end});
      varargin(end) = [];
    endif
    if (! isempty (varargin) && ! isempty (varargin{1}))
      dim = checked (name, gather (varargin{1}));
    endif
  endif

  if (nargout < 2)
    C = __gpu_call__ ("reduce", name, A, dim);
  else
    [C, at] = __gpu_call__ ("reduce", name, A, dim);
  endif

endfunction

function dim = checked (name, dim)

  if (isscalar (dim) && dim >= 1 && dim == fix (dim))
    return;
  elseif (any (strcmp (name, {"sum", "prod"})))
    error ("%s: invalid dimension DIM = %d", name, dim);
  elseif (any (strcmp (name, {"max", "min"})))
    error ("%s: DIM must be a valid dimension", name);
  elseif (! isequal (dim, 0))   # which is the default here
    error ("%s: invalid dimension argument = %d", name, dim);
  endif

endfunction

## What a result of another class than by default takes.
function [name, A] = typed (name, A, type)

  switch (type)
    case "native"
      if (islogical (A) && strcmp (name, "sum"))
        name = "any";
      elseif (islogical (A))
        name = "all";
      endif
    case "double"
      A = double (A);
    case "extra"
      if (! strcmp (name, "sum"))
        error ("%s: unrecognized type argument '%s'", name, type);
      endif
    otherwise
      error ("%s: unrecognized type argument '%s'", name, type);
  endswitch

endfunction
