## SPDX-License-Identifier: GPL-3.0-or-later

## TF = is_special_matrix (A): whether Octave keeps A as a diagonal matrix or as
## a permutation.  Its own functions are then of order N, and keep it so.

function tf = is_special_matrix (A)

  tf = ! isempty (regexp (typeinfo (A), '(diagonal|permutation) matrix$'));

endfunction
