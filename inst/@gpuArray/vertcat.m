## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} [@var{A1}; @var{A2}; @dots{}]
## @deftypefnx {} {@var{C} =} vertcat (@var{A1}, @dots{})
## Arrays, of which one is on the device, one above the other.
## @end deftypefn

function C = vertcat (varargin)

  C = joined ("vertical", 1, varargin);

endfunction

%!test
%! x = [1, 2; 3, 4];
%! assert (gather ([x; gpuArray(x)]), [x; x]);
%! assert (gather ([[]; gpuArray(x)]), x);
%!error <vertical dimensions mismatch \(2x2 vs 3x3\)>
%! vertcat (gpuArray (ones (2)), ones (3));
