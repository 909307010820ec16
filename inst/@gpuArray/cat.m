## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{C} =} cat (@var{dim}, @var{A1}, @dots{})
## Arrays, of which one is on the device, joined along dimension @var{dim}, at
## most 3.
## @end deftypefn

function C = cat (dim, varargin)

  dim = gather (dim);
  if (dim < 1)
    error ("cat: DIM must be a valid dimension");
  endif
  C = joined ("cat", fix (dim), varargin);

endfunction

%!assert (gather (cat (3, gpuArray ([1, 2]), [3, 4])), cat (3, [1, 2], [3, 4]))
%!error <cat: dimension mismatch> cat (1, gpuArray ([1, 2]), 3)
