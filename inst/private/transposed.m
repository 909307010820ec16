## SPDX-License-Identifier: GPL-3.0-or-later

## B = transposed (A, KIND): each page of A transposed, and conjugated if KIND
## is not "transpose" but "ctranspose".

function B = transposed (A, kind)

  if (! (isnumeric (A) || islogical (A) || ischar (A)) || issparse (A)
      || is_special_matrix (A) || ndims (A) == 2 && min (size (A)) <= 1)
    ## Not a full array of elements, or one of which none moves.
    try
      B = feval (kind, A);
    catch err
      error ("gpu_%s: %s", kind, err.message);
    end_try_catch
    return;
  elseif (ndims (A) > 3)
    error ("gpu_%s: transpose not defined for N-D objects", kind);
  endif

  [m, n, pages] = size (A);
  if (m <= 1 || n <= 1 || pages == 0)
    B = reshape (A, n, m, pages);   # nothing moves here, either
    if (iscomplex (B) && strcmp (kind, "ctranspose"))
      B = conj (B);
    endif
  else
    B = fresh (A, [n, m, pages]);
    __gpu__ (kind, A, B);
  endif

  if (iscomplex (B))
    B = B(:,:,:);   # an index expression narrows to real, and copies nothing
  endif

endfunction

## An array of A's class with storage that no other value shares, which
## __gpu__ writes into.
function B = fresh (A, sz)

  if (isfloat (A))
    B = fresh_array (sz, class (A), iscomplex (A));
  elseif (isnumeric (A))
    B = zeros (sz, class (A));
  elseif (islogical (A))
    B = false (sz);
  else
    B = A(1);   # growing keeps its kind of quotes
    B(sz(1), sz(2), sz(3)) = A(1);
  endif

endfunction
