## SPDX-License-Identifier: GPL-3.0-or-later

## report = read_report (csv)
##
## Read tests/gpu/report.csv: a structure of columns.  n is the number in
## shape, or NaN; what a row has no value for is NaN.

function report = read_report (csv)

  text = fileread (csv);
  lines = strsplit (strtrim (text), "\n");
  names = strsplit (strtrim (lines{1}), ",");
  expected = {"op", "class", "shape", "variant", "ours_ms", "peer", ...
              "peer_ms", "limit_ms", "ours_error", "peer_error"};
  if (! isequal (names, expected))
    error ("manual: the first line of %s must be %s", csv,
           strjoin (expected, ","));
  endif

  cells = cell (numel (lines) - 1, numel (names));
  for k = 2:numel (lines)
    fields = strsplit (strtrim (lines{k}), ",", "collapsedelimiters", false);
    if (numel (fields) != numel (names))
      error ("manual: line %d of %s must have %d fields, but has %d", k, csv,
             numel (names), numel (fields));
    endif
    cells(k-1,:) = fields;
  endfor

  report.csv = csv;
  for k = 1:numel (names)
    column = cells(:,k);
    if (any (strcmp (names{k}, {"op", "class", "shape", "variant", "peer"})))
      report.(names{k}) = column;
    else
      report.(names{k}) = str2double (column);
    endif
  endfor
  report.n = str2double (report.shape);

endfunction
