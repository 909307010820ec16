## SPDX-License-Identifier: GPL-3.0-or-later

## Whether A, and B if given, are host matrices so small that Octave's own
## function has its result before an array would be on the GPU: full, of
## floating point, of at most 1024 elements or what GPULINALG_TINY says.  The
## conditions stand here twice, since a call for each array would take longer.

function tf = is_tiny (A, B)

  persistent limit = tiny_limit ();

  tf = ! isobject (A) && isfloat (A) && numel (A) <= limit ...
       && ndims (A) == 2 && ! issparse (A) && ! isempty (A) ...
       && (nargin < 2 ...
           || ! isobject (B) && isfloat (B) && numel (B) <= limit ...
              && ndims (B) == 2 && ! issparse (B) && ! isempty (B));

endfunction

function limit = tiny_limit ()

  limit = str2double (getenv ("GPULINALG_TINY"));
  if (! (limit >= 0))
    limit = 1024;
  endif

endfunction
