## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{tf} =} isequal (@var{A}, @var{B}, @dots{})
## Whether arrays, of which one is on the device, have the same size and
## elements.  The answer is a logical value on the host.
## @end deftypefn

function tf = isequal (A, varargin)

  if (nargin < 2)
    print_usage ();
  endif

  tf = true;
  for k = 1:numel (varargin)
    tf = tf && equal (A, varargin{k});
  endfor

endfunction

function tf = equal (A, B)

  tf = is_array (A) && is_array (B) && size_equal (A, B);
  if (tf && isobject (A) || tf && isobject (B))
    same = eq (converted (A), converted (B));
    tf = gather (all (__gpu_call__ ("index", same, ":")));
  elseif (tf)
    tf = isequal (A, B);
  endif

endfunction

function tf = is_array (A)

  tf = isnumeric (A) || islogical (A) || ischar (A);

endfunction

## Numbers that the device has.
function A = converted (A)

  if (! isobject (A) && ! isfloat (A))
    A = double (A);
  endif

endfunction

%!assert (isequal (gpuArray ([1, 2]), [1, 2]))
%!assert (isequal ([1, 2], gpuArray ([1, 2]), [1, 2]))
%!assert (! isequal (gpuArray ([1, 2]), [1; 2]))
%!assert (! isequal (gpuArray ([1, NaN]), [1, NaN]))
%!assert (! isequal (gpuArray (1), {1}))
%!assert (isequal (gpuArray ([]), []))
