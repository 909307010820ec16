## SPDX-License-Identifier: GPL-3.0-or-later

## TF = hermitian (A): whether each page of a device array is Hermitian.

function tf = hermitian (A)

  tf = all (all (A == __gpu_call__ ("ctranspose", A), 1), 2);

endfunction
