## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {@var{A} =} read_matrix_market (@var{file})
## Read the Matrix Market file named @var{file} into the full matrix @var{A}.
##
## Coordinate and array files are read, with real, integer, complex or pattern
## entries (a pattern gives ones), general, symmetric, skew-symmetric or
## Hermitian.  Entries that occur more than once are added.  The error for a
## file that breaks the format names the file and the line.
## @end deftypefn

function A = read_matrix_market (file)

  if (nargin != 1)
    print_usage ();
  elseif (! ischar (file))
    error ("read_matrix_market: FILE must be a string, but is of class %s",
           class (file));
  endif
  [fid, msg] = fopen (file, "r");
  if (fid < 0)
    error ("read_matrix_market: cannot open '%s': %s", file, msg);
  endif
  unwind_protect
    header = fgetl (fid);
    kind = parse_header (file, header);
    at = 1;
    do
      text = fgetl (fid);
      at += 1;
      if (! ischar (text))
        bad (file, at, "the file ends before the line with the sizes");
      endif
      text = strtrim (text);
    until (! isempty (text) && text(1) != "%")
    [m, n, count] = parse_sizes (file, at, text, kind);
    body = fread (fid, Inf, "char=>char").';
  unwind_protect_cleanup
    fclose (fid);
  end_unwind_protect

  [V, line] = parse_entries (file, at, body, kind, count);
  if (kind.coordinate)
    [i, j, v] = coordinates (file, line, V, kind, m, n);
  else
    [i, j] = packed_positions (m, n, kind.symmetry);
    v = complex_entries (V, kind);
  endif
  A = accumarray ([i, j], v, [m, n]);

  switch (kind.symmetry)
    case "symmetric"
      A += tril (A, -1).';
    case "skew-symmetric"
      A -= tril (A, -1).';
    case "hermitian"
      A += tril (A, -1)';
  endswitch

endfunction

function bad (file, line, varargin)

  error ("read_matrix_market: %s, line %d: %s", file, line,
         sprintf (varargin{:}));

endfunction

## The first line: what the file holds.
function kind = parse_header (file, header)

  if (! ischar (header))
    bad (file, 1, "the file is empty");
  endif
  word = strsplit (strtrim (lower (header)));
  if (numel (word) != 5 || ! strcmp (word{1}, "%%matrixmarket")
      || ! strcmp (word{2}, "matrix"))
    bad (file, 1, ["expected '%%%%MatrixMarket matrix FORMAT FIELD " ...
                   "SYMMETRY', got '%s'"], header);
  endif
  choices = {{"coordinate", "array"}, ...
             {"real", "integer", "complex", "pattern"}, ...
             {"general", "symmetric", "skew-symmetric", "hermitian"}};
  for k = 1:3
    if (! any (strcmp (word{k + 2}, choices{k})))
      bad (file, 1, "expected one of %s, got '%s'",
           strjoin (choices{k}, ", "), word{k + 2});
    endif
  endfor
  kind.coordinate = strcmp (word{3}, "coordinate");
  kind.field = word{4};
  kind.symmetry = word{5};
  if (strcmp (kind.field, "pattern") && ! kind.coordinate)
    bad (file, 1, "a pattern must be in coordinate format, but is an array");
  elseif (strcmp (kind.symmetry, "hermitian")
          && ! strcmp (kind.field, "complex"))
    bad (file, 1, "a hermitian matrix must be complex, but is %s", kind.field);
  endif

endfunction

## Rows, columns, and the number of entries that must follow.
function [m, n, count] = parse_sizes (file, at, text, kind)

  sizes = str2double (strsplit (text));
  expected = "rows and columns";
  if (kind.coordinate)
    expected = "rows, columns and number of entries";
  endif
  if (numel (sizes) != 2 + kind.coordinate || any (isnan (sizes))
      || any (sizes < 0) || any (sizes != fix (sizes)))
    bad (file, at, "expected %s, got '%s'", expected, text);
  endif
  m = sizes(1);
  n = sizes(2);
  if (! strcmp (kind.symmetry, "general") && m != n)
    bad (file, at, "a %s matrix must be square, but is %d x %d",
         kind.symmetry, m, n);
  endif
  if (kind.coordinate)
    count = sizes(3);
  else
    count = numel (packed_positions (m, n, kind.symmetry));
  endif

endfunction

## One column of V for each entry, and the line that each stands on.
function [V, line] = parse_entries (file, at, body, kind, count)

  width = 2 * kind.coordinate;
  switch (kind.field)
    case {"real", "integer"}
      width += 1;
    case "complex"
      width += 2;
  endswitch

  space = isspace (body);
  start = find (! space & [true, space(1:end-1)]);
  line = at + 1 + lookup (find (body == "\n"), start);
  V = sscanf (body, "%f");
  if (numel (V) != numel (start))
    word = strsplit (strtrim (body));
    k = find (isnan (str2double (word)) & ! strcmpi (word, "nan"), 1);
    bad (file, line(k), "'%s' is not a number", word{k});
  endif

  ## Every line must hold the numbers of exactly one entry.
  first = [true(1, ! isempty (line)), diff(line) != 0];
  per_line = diff ([find(first), numel(line) + 1]);
  line = line(first);
  k = find (per_line != width, 1);
  if (! isempty (k))
    bad (file, line(k), "expected %d numbers, got %d", width, per_line(k));
  elseif (numel (line) < count)
    bad (file, max ([at, line]),
         "the file ends after %d entries, but %d were announced",
         numel (line), count);
  elseif (numel (line) > count)
    bad (file, line(count + 1), "more entries than the %d announced", count);
  endif
  V = reshape (V, width, count);

endfunction

function v = complex_entries (V, kind)

  switch (kind.field)
    case "complex"
      v = complex (V(end-1,:), V(end,:)).';
    case "pattern"
      v = ones (columns (V), 1);
    otherwise
      v = V(end,:).';
  endswitch

endfunction

function [i, j, v] = coordinates (file, line, V, kind, m, n)

  i = V(1,:).';
  j = V(2,:).';
  k = find (i < 1 | i > m | i != fix (i) | j < 1 | j > n | j != fix (j), 1);
  if (! isempty (k))
    bad (file, line(k), "position (%g, %g) lies outside the %d x %d matrix",
         i(k), j(k), m, n);
  endif
  if (! strcmp (kind.symmetry, "general"))
    k = find (i < j, 1);
    if (! isempty (k))
      bad (file, line(k),
           "position (%d, %d) lies above the diagonal of a %s matrix",
           i(k), j(k), kind.symmetry);
    endif
  endif
  if (strcmp (kind.symmetry, "skew-symmetric"))
    k = find (i == j, 1);
    if (! isempty (k))
      bad (file, line(k),
           "position (%d, %d) lies on the diagonal of a %s matrix",
           i(k), j(k), kind.symmetry);
    endif
  endif
  v = complex_entries (V, kind);

endfunction

## The positions that an array file lists, column by column.
function [i, j] = packed_positions (m, n, symmetry)

  switch (symmetry)
    case "general"
      listed = true (m, n);
    case "skew-symmetric"
      listed = tril (true (m, n), -1);
    otherwise
      listed = tril (true (m, n));
  endswitch
  [i, j] = find (listed);
  i = i(:);
  j = j(:);

endfunction

## Write the lines to a file, and read it.
%!function A = from (varargin)
%!  file = tempname ();
%!  fid = fopen (file, "w");
%!  fprintf (fid, "%s\n", varargin{:});
%!  fclose (fid);
%!  unwind_protect
%!    A = read_matrix_market (file);
%!  unwind_protect_cleanup
%!    unlink (file);
%!  end_unwind_protect
%!endfunction

%!assert (from ("%%MatrixMarket matrix coordinate real general",
%!              "% a comment", "", "2 3 4", "1 1 1.5", "2 3 -2e1",
%!              "1 2 1", "", "1 2 2"), [1.5, 3, 0; 0, 0, -20])
%!assert (from ("%%MatrixMarket MATRIX Coordinate Integer Symmetric",
%!              "2 2 2", "1 1 4", "2 1 7"), [4, 7; 7, 0])
%!assert (from ("%%MatrixMarket matrix coordinate complex hermitian",
%!              "2 2 2", "1 1 4 0", "2 1 1 2"), [4, 1-2i; 1+2i, 0])
%!assert (from ("%%MatrixMarket matrix coordinate complex symmetric",
%!              "2 2 1", "2 1 1 2"), [0, 1+2i; 1+2i, 0])
%!assert (from ("%%MatrixMarket matrix coordinate real skew-symmetric",
%!              "2 2 1", "2 1 3"), [0, -3; 3, 0])
%!assert (from ("%%MatrixMarket matrix coordinate pattern general",
%!              "2 2 2", "1 2", "2 1"), [0, 1; 1, 0])
%!assert (from ("%%MatrixMarket matrix coordinate real general", "2 2 0"),
%!        zeros (2))
%!assert (from ("%%MatrixMarket matrix array real general",
%!              "2 2", "1", "2", "3", "4"), [1, 3; 2, 4])
%!assert (from ("%%MatrixMarket matrix array real symmetric",
%!              "2 2", "1", "2", "3"), [1, 2; 2, 3])
%!assert (from ("%%MatrixMarket matrix array real skew-symmetric",
%!              "2 2", "5"), [0, -5; 5, 0])
%!assert (from ("%%MatrixMarket matrix array complex hermitian",
%!              "2 2", "1 0", "2 3", "4 0"), [1, 2-3i; 2+3i, 4])
%!error <line 1: expected '%%MatrixMarket .*', got ''> from ("")
%!error <line 1: the file is empty> read_matrix_market ("/dev/null")
%!error <line 1: expected '%%MatrixMarket matrix FORMAT FIELD SYMMETRY', got>
%! from ("1 2 3");
%!error <line 1: expected one of coordinate, array, got 'dense'>
%! from ("%%MatrixMarket matrix dense real general");
%!error <line 1: a pattern must be in coordinate format>
%! from ("%%MatrixMarket matrix array pattern general");
%!error <line 1: a hermitian matrix must be complex, but is real>
%! from ("%%MatrixMarket matrix array real hermitian");
%!error <line 3: the file ends before the line with the sizes>
%! from ("%%MatrixMarket matrix array real general", "% nothing");
%!error <line 2: expected rows, columns and number of entries, got '2 2'>
%! from ("%%MatrixMarket matrix coordinate real general", "2 2");
%!error <line 2: a symmetric matrix must be square, but is 2 x 3>
%! from ("%%MatrixMarket matrix array real symmetric", "2 3");
%!error <line 4: 'x' is not a number>
%! from ("%%MatrixMarket matrix array real general", "2 1", "1", "x");
%!error <line 3: expected 3 numbers, got 2>
%! from ("%%MatrixMarket matrix coordinate real general", "2 2 1", "1 1");
%!error <line 3: the file ends after 1 entries, but 2 were announced>
%! from ("%%MatrixMarket matrix coordinate real general", "2 2 2", "1 1 1");
%!error <line 4: more entries than the 1 announced>
%! from ("%%MatrixMarket matrix coordinate real general", "2 2 1", "1 1 1",
%!       "2 2 1");
%!error <line 3: position \(3, 1\) lies outside the 2 x 2 matrix>
%! from ("%%MatrixMarket matrix coordinate real general", "2 2 1", "3 1 1");
%!error <line 3: position \(1, 2\) lies above the diagonal of a symmetric>
%! from ("%%MatrixMarket matrix coordinate real symmetric", "2 2 1", "1 2 1");
%!error <line 3: position \(1, 1\) lies on the diagonal of a skew-symmetric>
%! from ("%%MatrixMarket matrix coordinate real skew-symmetric", "2 2 1",
%!       "1 1 1");
%!error <cannot open '/nonexistent.mtx'> read_matrix_market ("/nonexistent.mtx")
%!error <FILE must be a string, but is of class double> read_matrix_market (1)
%!error <Invalid call> read_matrix_market ()
