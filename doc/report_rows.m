## SPDX-License-Identifier: GPL-3.0-or-later

## rows = report_rows (report, op, class, variant)
## rows = report_rows (report, op, class, variant, n)
##
## Those rows of what read_report gives, by n: a structure of columns n, ours,
## peer, limit, error and peer_error.  An empty variant stands for any.  With
## n, one row for each of these sizes.  Without any row, or without one of
## these sizes, it is an error: the manual has no table with holes.

function rows = report_rows (report, op, class_name, variant, n)

  mask = strcmp (report.op, op) & strcmp (report.class, class_name);
  if (! isempty (variant))
    mask &= strcmp (report.variant, variant);
  endif
  k = find (mask);
  [~, order] = sort (report.n(k));
  k = k(order);
  missing = "";
  if (isempty (k))
    missing = "rows";
  elseif (nargin > 4)
    [there, place] = ismember (n(:), report.n(k));
    if (! all (there))
      missing = sprintf ("row of size %d", n(find (! there, 1)));
    else
      k = k(place);
    endif
  endif
  if (! isempty (missing))
    error (["manual: %s has no %s with op \"%s\", class \"%s\" and variant " ...
            "\"%s\"; 'make gpu-report' on a machine with a GPU makes it anew"],
           report.csv, missing, op, class_name, variant);
  endif

  rows.n = report.n(k);
  rows.ours = report.ours_ms(k);
  rows.peer = report.peer_ms(k);
  rows.limit = report.limit_ms(k);
  rows.error = report.ours_error(k);
  rows.peer_error = report.peer_error(k);

endfunction
