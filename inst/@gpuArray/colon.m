## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{r} =} @var{base}:@var{limit}
## @deftypefnx {} {@var{r} =} @var{base}:@var{increment}:@var{limit}
## A range between scalars, of which one is on the device.  The result is on the
## host, where loops and indexing take it.
## @end deftypefn

function r = colon (varargin)

  args = cellfun (@gather, varargin, "UniformOutput", false);
  r = colon (args{:});

endfunction

%!assert (1:gpuArray (3), 1:3)
%!assert (gpuArray (3):-1:1, 3:-1:1)
