## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} tril (@var{A})
## @deftypefnx {} {@var{C} =} tril (@var{A}, @var{k})
## @deftypefnx {} {@var{C} =} tril (@dots{}, "pack")
## What is below and on diagonal number @var{k} of a device array, with zeros
## elsewhere or, with @qcode{"pack"}, as a column.
## @end deftypefn

function C = tril (A, varargin)

  pack = ! isempty (varargin) && ischar (varargin{end});
  k = 0;
  if (numel (varargin) > pack)
    k = fix (gather (varargin{1})(1));
  endif
  sz = size (A);
  if (numel (sz) > 2)
    error ("tril: need a 2-D matrix");
  elseif (pack)
    A = __gpu_call__ ("index", A, ":");
    C = __gpu_call__ ("index", A, find (tril (true (sz), k))(:));
  else
    C = __gpu_call__ ("band", A, -Inf, k);
  endif

endfunction

%!test
%! x = magic (4)(:,1:3);
%! for k = -4:4
%!   assert (gather (tril (gpuArray (x), k)), tril (x, k));
%!   assert (gather (tril (gpuArray (x), k, "pack")), tril (x, k, "pack"));
%! endfor
%! assert (gather (tril (gpuArray (x))), tril (x));
%!error <need a 2-D matrix> tril (gpuArray (ones (2, 2, 2)))
