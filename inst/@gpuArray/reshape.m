## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} reshape (@var{A}, @var{m}, @var{n}, @dots{})
## @deftypefnx {} {@var{C} =} reshape (@var{A}, [@var{m} @var{n} @dots{}])
## @deftypefnx {} {@var{C} =} reshape (@dots{}, [], @dots{})
## The elements of a device array in another shape of at most three dimensions.
## One of several dimensions may be @code{[]}.
## @end deftypefn

function C = reshape (A, varargin)

  total = prod (size (A));
  if (nargin == 2)
    sz = fix (double (gather (varargin{1})(:)'));
    if (numel (sz) < 2)
      error ("reshape: SIZE must have 2 or more dimensions");
    endif
  else
    unknown = cellfun (@isempty, varargin);
    if (sum (unknown) > 1)
      error ("reshape: only a single dimension can be unknown");
    endif
    sz = ones (1, nargin - 1);
    sz(! unknown) = fix (cellfun (@(x) double (gather (x))(1), ...
                                  varargin(! unknown)));
  endif
  if (any (sz < 0))
    error ("reshape: SIZE must be non-negative");
  elseif (nargin > 2 && any (unknown))
    known = prod (sz(! unknown));
    if (known == 0)
      sz(unknown) = 0;
    elseif (mod (total, known) == 0)
      sz(unknown) = total / known;
    else
      error (["reshape: SIZE is not divisible by the product of known " ...
              "dimensions (= %d)"], known);
    endif
  endif

  if (prod (sz) != total)
    error ("reshape: can't reshape %s array to %s array",
           sprintf ("%dx", size (A))(1:end-1), sprintf ("%dx", sz)(1:end-1));
  endif
  C = reshaped (A, sz);

endfunction

%!test
%! x = reshape (1:24, 4, 6);
%! assert (gather (reshape (gpuArray (x), 3, 8)), reshape (x, 3, 8));
%! assert (gather (reshape (gpuArray (x), [2, 3, 4])), reshape (x, [2, 3, 4]));
%! assert (gather (reshape (gpuArray (x), 2, [], 3)), reshape (x, 2, [], 3));
%! assert (gather (reshape (gpuArray (x), [], 1)), x(:));
%!error <can't reshape 1x3 array to 2x2 array> reshape (gpuArray (1:3), 2, 2)
%!error <not divisible> reshape (gpuArray (1:3), [], 2)
%!error <only a single dimension> reshape (gpuArray (1:3), [], [])
%!error <must be non-negative> reshape (gpuArray (1:3), -1, 2)
%!error <2 or more dimensions> reshape (gpuArray (1:3), 3)
%!error <at most three dimensions> reshape (gpuArray (1:16), 2, 2, 2, 2)
