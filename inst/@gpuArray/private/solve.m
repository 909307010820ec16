## SPDX-License-Identifier: GPL-3.0-or-later

## X = solve (T, B, OP, ADJOINT): T \ B or, if ADJOINT, T' \ B, where T is
## triangular.  OP names the operator in an error.

function X = solve (T, B, op, adjoint)

  if (rows (T) != columns (T))
    error (["operator %s: least squares are not computed on the device: " ...
            "gather first"], op);
  endif

  T = gpuArray (T);
  bits = 1;
  if (! isempty (T))
    bits = __gpu_call__ ("structure", T);
  endif
  if (all (bitand (bits, 1)))
    uplo = "upper";
  elseif (all (bitand (bits, 2)))
    uplo = "lower";
  else
    error (["operator %s: the matrix is not triangular, and others are not " ...
            "solved on the device: gather first"], op);
  endif
  X = __gpu_call__ ("solve", uplo, "nc"(1 + adjoint), T, B);

endfunction
