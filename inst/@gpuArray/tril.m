## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} tril (@var{A})
## @deftypefnx {} {@var{C} =} tril (@var{A}, @var{k})
## @deftypefnx {} {@var{C} =} tril (@dots{}, "pack")
## What is below and on diagonal number @var{k} of a device array, with zeros
## elsewhere or, with @qcode{"pack"}, as a column.
## @end deftypefn

function C = tril (A, varargin)

  C = triangle ("tril", A, varargin{:});

endfunction

%!test
%! x = magic (4)(:,1:3);
%! for k = -4:4
%!   assert (gather (tril (gpuArray (x), k)), tril (x, k));
%!   assert (gather (tril (gpuArray (x), k, "pack")), tril (x, k, "pack"));
%! endfor
%! assert (gather (tril (gpuArray (x))), tril (x));
%!error <need a 2-D matrix> tril (gpuArray (ones (2, 2, 2)))
