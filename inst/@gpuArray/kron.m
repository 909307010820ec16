## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} kron (@var{A}, @var{B})
## @deftypefnx {} {@var{C} =} kron (@var{A}, @var{B}, @dots{})
## The Kronecker product of matrices, of which one is on the device.
## @end deftypefn

function C = kron (A, B, varargin)

  if (nargin < 2)
    print_usage ();
  elseif (ndims (A) > 2 || ndims (B) > 2)
    error ("kron: A and B must be matrices");
  endif

  [m, n] = size (A);
  [p, q] = size (B);
  A = __gpu_call__ ("index", A, ceil ((1:m*p) / p), ceil ((1:n*q) / q));
  C = A .* repmat (gpuArray (B), m, n);
  if (nargin > 2)
    C = kron (C, varargin{:});
  endif

endfunction

%!test
%! x = [1, 2; 3, 4];
%! y = [1, 0, 2];
%! assert (gather (kron (gpuArray (x), y)), kron (x, y));
%! assert (gather (kron (y, gpuArray (x))), kron (y, x));
%! assert (gather (kron (x, gpuArray (y), x)), kron (x, y, x));
