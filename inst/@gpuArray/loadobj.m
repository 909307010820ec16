## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{g} =} loadobj (@var{s})
## A device array from what @code{save} wrote of one.
## @end deftypefn

function g = loadobj (s)

  if (isa (s.id, "uint64"))
    error ("gpuArray: the data were gone when this was saved");
  endif
  g = gpuArray (s.id);

endfunction

## Tested by saveobj.
%!assert (ismethod (gpuArray (1), "loadobj"))
