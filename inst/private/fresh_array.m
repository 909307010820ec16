## SPDX-License-Identifier: GPL-3.0-or-later

## X = fresh_array (SZ, CLASS_X, IS_COMPLEX): zeros in storage that no other
## value shares, for __gpu__ to write into.  No page of memory stands behind
## a large one before that, and the system is asked for huge pages.

function X = fresh_array (sz, class_X, is_complex)

  if (prod (sz) >= 2^19)
    X = __gpu_call__ ("fresh", class_X, sz, is_complex);
  else
    X = zeros (sz, class_X);
    if (is_complex)
      X = complex (X);
    endif
  endif

endfunction
