## SPDX-License-Identifier: GPL-3.0-or-later

## C = joined (NAME, DIM, ARGS): the arrays ARGS joined along DIM, with the
## errors of cat or, if NAME is "horizontal" or "vertical", of brackets.  An
## array that is 0 x 0 fits everywhere and counts for the class only; in
## brackets also one that is 1 x 0 or 0 x 1.

function C = joined (name, dim, args)

  in_brackets = ! strcmp (name, "cat");
  others = [1:dim-1, dim+1:3];
  kept = false (size (args));
  sz = size (args{1});
  sz(end+1:3) = 1;
  kept(1) = true;
  for k = 2:numel (args)
    s = size (args{k});
    s(end+1:3) = 1;
    kept(k) = true;
    if (isequal (s(others), sz(others)))
      sz(dim) += s(dim);
    elseif (fits_all (s, in_brackets))
      kept(k) = false;
    elseif (fits_all (sz, in_brackets))
      kept(1:k-1) = false;
      sz = s;
    elseif (in_brackets)
      error ("%s dimensions mismatch (%s vs %s)", name, text (sz), text (s));
    else
      error ("cat: dimension mismatch");
    endif
  endfor

  ## What fits everywhere goes along as [], for its class.
  args(! kept) = cellfun (@(x) reshape (x, 0, 0), args(! kept),
                          "UniformOutput", false);
  C = __gpu_call__ ("cat", dim, args{:});

endfunction

function tf = fits_all (sz, in_brackets)

  tf = sz(3) == 1 && (sz(1) + sz(2) == 0 || in_brackets && sz(1) + sz(2) == 1);

endfunction

function s = text (sz)

  if (sz(3) == 1)
    sz(3) = [];
  endif
  s = sprintf ("%dx", sz)(1:end-1);

endfunction
