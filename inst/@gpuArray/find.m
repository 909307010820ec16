## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{i} =} find (@var{A})
## @deftypefnx {} {@var{i} =} find (@var{A}, @var{n}, @var{direction})
## @deftypefnx {} {[@var{i}, @var{j}, @var{v}] =} find (@dots{})
## As @code{find} of the host, which computes it from a copy of the device
## array: the results are host arrays, which indexing takes.
## @end deftypefn

function varargout = find (A, varargin)

  [varargout{1:max (nargout, 1)}] = find (gather (A), varargin{:});

endfunction

%!test
%! x = [0, 3, 0; 1, 0, 2];
%! assert (find (gpuArray (x)), find (x));
%! [i, j, v] = find (gpuArray (x));
%! assert ([i, j, v], [2, 1, 1; 1, 2, 3; 2, 3, 2]);
%! assert (find (gpuArray (x), 1), 2);
