## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{tf} =} size_equal (@var{A}, @var{B}, @dots{})
## Whether all arrays, some of them on the device, have the same size.
## @end deftypefn

function tf = size_equal (varargin)

  tf = true;
  for i = 2:nargin
    tf = tf && isequal (size (varargin{1}), size (varargin{i}));
  endfor

endfunction

%!assert (size_equal (gpuArray (1:3), 4:6, gpuArray (7:9)))
%!assert (! size_equal (1:3, gpuArray ((1:3)')))
%!assert (! size_equal (gpuArray (1:3), ones (1, 3, 2)))
