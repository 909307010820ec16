## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} triu (@var{A})
## @deftypefnx {} {@var{C} =} triu (@var{A}, @var{k})
## @deftypefnx {} {@var{C} =} triu (@dots{}, "pack")
## What is above and on diagonal number @var{k} of a device array, with zeros
## elsewhere or, with @qcode{"pack"}, as a column.
## @end deftypefn

function C = triu (A, varargin)

  C = triangle ("triu", A, varargin{:});

endfunction

%!test
%! x = magic (4)(:,1:3);
%! for k = -4:4
%!   assert (gather (triu (gpuArray (x), k)), triu (x, k));
%!   assert (gather (triu (gpuArray (x), k, "pack")), triu (x, k, "pack"));
%! endfor
%! assert (gather (triu (gpuArray (x))), triu (x));
%!error <need a 2-D matrix> triu (gpuArray (ones (2, 2, 2)))
