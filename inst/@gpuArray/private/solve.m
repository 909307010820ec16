## SPDX-License-Identifier: GPL-3.0-or-later

## X = solve (T, B, ADJOINT): T \ B or, if ADJOINT, T' \ B, of fitting sizes.
## What is triangular waits for nothing.

function X = solve (T, B, adjoint)

  T = gpuArray (T);
  bits = 0;
  if (isempty (T))
    bits = (rows (T) == columns (T));
  elseif (rows (T) == columns (T))
    bits = __gpu_call__ ("structure", T);
  endif
  if (all (bitand (bits, 1)))
    X = __gpu_call__ ("solve", "upper", "nc"(1 + adjoint), T, B);
  elseif (all (bitand (bits, 2)))
    X = __gpu_call__ ("solve", "lower", "nc"(1 + adjoint), T, B);
  elseif (adjoint)
    X = gpu_mldivide (__gpu_call__ ("ctranspose", T), B);
  else
    X = gpu_mldivide (T, B);
  endif

endfunction
