## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {[@var{L}, @var{U}, @var{P}] =} gpu_lu (@var{A})
## @deftypefnx {} {[@var{L}, @var{U}] =} gpu_lu (@var{A})
## @deftypefnx {} {@var{Y} =} gpu_lu (@var{A})
## @deftypefnx {} {[@dots{}] =} gpu_lu (@var{A}, "vector")
## The LU factors of each page of a device array.  All are on the device,
## @var{P} as a full matrix; the row numbers that @qcode{"vector"} asks for are
## on the host.  See the function for host arrays for all else.
## @end deftypefn

function [L, U, P] = gpu_lu (A, varargin)

  [L, U, P] = lu_factors ("gpu_lu", nargout, A, varargin{:});

endfunction

%!test
%! A = cat (3, [1, 2, 3; 4, 5, 6], [0, 1, 1; 0, 0, 7]);
%! [L, U, P] = gpu_lu (gpuArray (A));
%! [want_L, want_U, want_P] = gpu_lu (A);
%! assert (gather (L), want_L, 4 * eps);
%! assert (gather (U), want_U, 8 * eps);
%! assert (gather (P), want_P);
%! [L, ~, p] = gpu_lu (gpuArray (A), "vector");
%! [~, ~, want_p] = gpu_lu (A, "vector");
%! assert (p, want_p);
%! [M, U] = gpu_lu (gpuArray (A));
%! for k = 1:2
%!   assert (gather (M)(:,:,k), want_P(:,:,k)' * gather (L)(:,:,k));
%!   assert (gather (M * U)(:,:,k), A(:,:,k), 8 * eps);
%! endfor
%! assert (gather (gpu_lu (gpuArray (A))), gpu_lu (A), 8 * eps);
%!test
%! [L, U, P] = gpu_lu (gpuArray (zeros (3, 2, 0)));
%! assert ({size(L), size(U), size(P)}, {[3, 2, 0], [2, 2, 0], [3, 3, 0]});
%! [L, U, P] = gpu_lu (gpuArray (zeros (0, 2)));
%! assert ({size(L), size(U), size(P)}, {[0, 0], [0, 0], [0, 0]});
%!error <^gpu_lu: unrecognized string argument$> gpu_lu (gpuArray (1), "x")
%!error <Invalid call to gpu_lu> gpu_lu (gpuArray (1), "vector", 1)
