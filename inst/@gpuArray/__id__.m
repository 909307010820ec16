## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{id} =} __id__ (@var{g})
## Undocumented internal function of gpulinalg.
## @end deftypefn

function id = __id__ (g)

  id = g.id;

endfunction

%!assert (__id__ (gpuArray (1)) > 0)
