## SPDX-License-Identifier: GPL-3.0-or-later

## tables (csv, report_md, folder)
##
## Write the tables of the manual, one Texinfo file each, and values.texi, the
## numbers in its sentences, from tests/gpu/report.csv and the head of
## tests/gpu/REPORT.md.

function tables (csv, report_md, folder)

  report = read_report (csv);
  sizes = [128, 256, 512, 1024, 2048, 4096, 8192, 16384]';
  large = sizes(2:end);

  values = machine (report_md);
  values = errors (report, folder, sizes, large, values);
  values = speeds (report, folder, sizes, large, values);

  fid = open_file (folder, "values.texi");
  names = fieldnames (values);
  for k = 1:numel (names)
    fprintf (fid, "@set %s %s\n", names{k}, values.(names{k}));
  endfor
  fclose (fid);

endfunction

## The machine and the sources that the report tells of.

function values = machine (report_md)

  text = fileread (report_md);
  wanted = {"device", "driver", "compilers", "Octave", "host"};
  for k = 1:numel (wanted)
    found = regexp (text, ['^- ' wanted{k} ': (.*)$'], "tokens", "once", ...
                    "lineanchors", "dotexceptnewline");
    if (isempty (found))
      error ('manual: %s has no line "- %s: "', report_md, wanted{k});
    endif
    values.(upper (wanted{k})) = strrep (found{1}, "@", "@@");
  endfor
  values.GPU = strtok (values.DEVICE, ",");

endfunction

function values = errors (report, folder, sizes, large, values)

  ## The backward errors of Cholesky factorizations.
  least = [0, 0, 1024, 1024, 1024, 1024];
  kinds = {"double", "lower"; "single", "lower"; "single", "ieee"; ...
           "single", "tf32"; "single", "fast"; "double", "mixed"};
  few = repmat ({""}, numel (sizes), rows (kinds));
  for k = 1:rows (kinds)
    n = sizes(sizes >= least(k));
    r = report_rows (report, "chol", kinds{k,:}, n);
    if (strcmp (kinds{k,2}, "mixed"))
      r.error *= eps / double (eps ("single"));
    endif
    few(end-numel (n)+1:end,k) = arrayfun (@number, r.error, ...
                                           "uniformoutput", false);
    most(k) = max (r.error);
  endfor
  values.CHOLERRDOUBLE = number (most(1));
  values.CHOLERRSINGLE = number (most(2));
  values.CHOLERRFAST = number (max (most(4:5)));
  values.CHOLERRMIXED = number (most(6));
  theirs_double = report_rows (report, "chol", "double", "lower", sizes);
  theirs_single = report_rows (report, "chol", "single", "lower", sizes);
  body = [counts(sizes), few(:,1), numbers(theirs_double.peer_error), ...
          few(:,2), numbers(theirs_single.peer_error), few(:,3:6)];
  write_table (folder, "tab-chol-errors.texi", ...
               {"n", "double", "theirs", "single", "theirs", ...
                "@code{ieee}", "@code{tf32}", "@code{fast}", ...
                "@code{mixed}"}, body, [8, repmat(11, 1, 8)]);

  ## Those of complex ones.
  n = sizes(sizes <= 8192);
  body = counts (n);
  for name = {"cdouble", "csingle"}
    r = report_rows (report, "chol_complex", name{1}, "lower", n);
    body = [body, numbers(r.error), numbers(r.peer_error)];
  endfor
  write_table (folder, "tab-chol-complex-errors.texi", ...
               {"n", "double", "theirs", "single", "theirs"}, body, ...
               [12, 22, 22, 22, 22]);

  ## LU, inverse, solution.
  for name = {"double", "single"}
    body = counts (large);
    worst = [];
    for op = {"lu", "inv", "solve_1", "mixed_1"}
      r = report_rows (report, op{1}, name{1}, "one", large);
      body = [body, numbers(r.error)];
      if (! strcmp (op{1}, "mixed_1"))
        body = [body, numbers(r.peer_error)];
      endif
      worst(end+1) = max (r.error);
    endfor
    write_table (folder, ["tab-lu-errors-" name{1} ".texi"], ...
                 {"n", "LU", "theirs", "inverse", "theirs", ...
                  "solution", "theirs", "@code{mixed}"}, body, ...
                 [9, repmat(13, 1, 7)]);
    values.(["LUERR" upper(name{1})]) = number (worst(1));
    values.(["INVERR" upper(name{1})]) = number (worst(2));
    values.(["SOLVEERR" upper(name{1})]) = number (worst(3));
  endfor

  ## Pages.
  n = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]';
  body = counts (n);
  worst = 0;
  for name = {"double", "single"}
    for op = {"chol_pages", "inv_pages", "det_pages"}
      r = report_rows (report, op{1}, name{1}, "", n);
      body = [body, numbers(r.error)];
      all_of = report_rows (report, op{1}, name{1}, "");
      worst = max (worst, max (all_of.error));
    endfor
  endfor
  values.PAGESERR = number (worst);
  write_table (folder, "tab-pages-errors.texi", ...
               {"n", "chol, double", "inv", "det", "chol, single", "inv", ...
                "det"}, body, [10, 18, 12, 12, 18, 12, 12]);

  ## Products of single matrices.
  variants = {"ieee", "fp32x3", "tf32", "fp16", "bf16"};
  for k = 1:numel (variants)
    r = report_rows (report, "mtimes", "single", variants{k});
    body_of(k,:) = {sprintf("@code{%s}", variants{k}), ...
                    number(2 * r.n(1)^3 / r.ours(1) / 1e9), ...
                    number(r.error(1))};
  endfor
  values.MTIMESN = sprintf ("%d", r.n(1));
  write_table (folder, "tab-mtimes.texi", ...
               {"precision", "TFLOP/s", "error in eps"}, body_of, ...
               [30, 25, 25]);

  ## Quaternions.
  n = [100, 256, 512, 1024, 2048, 4096]';
  body = counts (n);
  for name = {"double", "single"}
    r = report_rows (report, "qmtimes", name{1}, "fast", n);
    body = [body, numbers(r.error), numbers(r.peer_error)];
  endfor
  write_table (folder, "tab-quaternion-errors.texi", ...
               {"n", "double, fast", "direct", "single, fast", "direct"}, ...
               body, [12, 22, 22, 22, 22]);

endfunction

function values = speeds (report, folder, sizes, large, values)

  ## From host arrays and back.
  r = report_rows (report, "gpu_chol", "double", "octave");
  body = cell (0, 4);
  for k = 1:numel (r.n)
    theirs = {"", ""};
    if (! isnan (r.peer(k)))
      theirs = {number(r.peer(k)), number(r.peer(k) / r.ours(k))};
    endif
    body(end+1,:) = {sprintf("%d", r.n(k)), number(r.ours(k)), theirs{:}};
  endfor
  write_table (folder, "tab-host.texi", ...
               {"n", "@code{gpu_chol}, ms", "@code{chol}, ms", "ratio"}, ...
               body, [15, 28, 28, 20]);
  compared = find (! isnan (r.peer));
  if (isempty (compared))
    error ("manual: %s has no time of Octave's chol beside gpu_chol", ...
           report.csv);
  endif
  k = compared(1);
  values.HOSTN = sprintf ("%d", r.n(k));
  values.HOSTRATIO = number (r.peer(k) / r.ours(k));
  k = compared(end);
  values.HOSTLASTN = sprintf ("%d", r.n(k));
  values.HOSTLASTRATIO = number (r.peer(k) / r.ours(k));

  ## What moving costs.
  up = report_rows (report, "upload", "double", "touched");
  down = report_rows (report, "download", "double", "touched", up.n);
  fresh = report_rows (report, "download", "double", "fresh", up.n);
  body = cell (0, 5);
  for k = 1:numel (up.n)
    body(end+1,:) = {sprintf("%d", up.n(k)), ...
                     sprintf("%d", floor (sqrt (up.n(k)))), ...
                     number(up.ours(k)), number(down.ours(k)), ...
                     number(fresh.ours(k))};
  endfor
  write_table (folder, "tab-transfers.texi", ...
               {"elements", "n", "to the GPU", "back, memory in use", ...
                "back, new memory"}, body, [20, 12, 18, 25, 22]);
  bytes = 8 * up.n(end);
  values.UPRATE = number (bytes / up.ours(end) / 1e6);
  values.DOWNRATE = number (bytes / down.ours(end) / 1e6);
  values.FRESHRATE = number (bytes / fresh.ours(end) / 1e6);

  ## One call on the smallest matrices.
  mask = strcmp (report.op, "call");
  if (! any (mask))
    error ('manual: %s has no rows with op "call"', report.csv);
  endif
  names = report.variant(mask);
  ms = report.ours_ms(mask);
  body = cell (0, 2);
  for k = 1:numel (names)
    name = regexprep (names{k}, '^a function of Octave''s: ', "");
    name = strrep (strrep (name, "(A A)", "(A, A)"), "(:1)", "(:,1)");
    code = regexprep (name, ' 100 x 100$', "");
    rest = "";
    if (! strcmp (code, name))
      rest = ", 100 x 100";
    elseif (! strcmp (name, names{k}) && strncmp (names{k}, "a function", 10))
      rest = ", Octave's own";
    endif
    body(end+1,:) = {sprintf("@code{%s}%s", code, rest), number(1e3 * ms(k))};
  endfor
  half = ceil (rows (body) / 2);
  body(end+1:2*half,:) = {""};
  write_table (folder, "tab-calls.texi", {"call", "us", "call", "us"}, ...
               [body(1:half,:), body(half+1:end,:)], [35, 13, 35, 13]);
  values.CALLOCTAVE = number (1e3 * ms(strcmp (names, ...
    "a function of Octave's: chol (A)")));
  values.CALLOURS = number (1e3 * ms(strcmp (names, "gpu_chol (A)")));

  ## Large matrices on the device.
  least = [0, 0, 1024];
  kinds = {"double", "lower"; "single", "lower"; "double", "mixed"};
  body = counts (sizes);
  for k = 1:rows (kinds)
    n = sizes(sizes >= least(k));
    r = report_rows (report, "chol", kinds{k,:}, n);
    column = repmat ({""}, numel (sizes), 1);
    column(end-numel (n)+1:end) = beside (r);
    body = [body, column];
  endfor
  n = sizes(sizes <= 8192);
  for name = {"cdouble", "csingle"}
    r = report_rows (report, "chol_complex", name{1}, "lower", n);
    column = repmat ({""}, numel (sizes), 1);
    column(1:numel (n)) = beside (r);
    body = [body, column];
  endfor
  write_table (folder, "tab-chol.texi", ...
               {"n", "double", "single", "double, @code{mixed}", ...
                "complex double", "complex single"}, body, ...
               [10, 18, 18, 18, 18, 18]);

  for name = {"double", "single"}
    body = counts (large);
    for op = {"lu", "inv", "solve_1", "mixed_1", "solve_100"}
      r = report_rows (report, op{1}, name{1}, "one", large);
      body = [body, beside(r)];
    endfor
    write_table (folder, ["tab-lu-" name{1} ".texi"], ...
                 {"n", "LU", "inverse", "solution", ...
                  "the same, @code{mixed}", "100 right sides"}, body, ...
                 [10, 18, 18, 18, 18, 18]);
  endfor

  kinds = {"single", "lower", "default"; "single", "ieee", "ieee"; ...
           "single", "tf32", "tf32"; "single", "fast", "fast"; ...
           "double", "lower", "double"; "double", "mixed", "mixed"};
  n = sizes(sizes >= 1024);
  body = counts (n);
  for k = 1:rows (kinds)
    r = report_rows (report, "chol", kinds{k,1:2}, n);
    body = [body, numbers(r.ours)];
  endfor
  write_table (folder, "tab-precisions.texi", ...
               {"n", "single", "@code{ieee}", "@code{tf32}", ...
                "@code{fast}", "double", "@code{mixed}"}, body, ...
               [12, repmat(14, 1, 6)]);

  ## Pages: GB/s of what is read and written.
  n = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]';
  body = counts (n);
  size_of = struct ("double", 8, "single", 4);
  for name = {"double", "single"}
    for op = {"chol_pages", "inv_pages", "det_pages"}
      r = report_rows (report, op{1}, name{1}, "", n);
      k = find (strcmp (report.op, op{1}) & strcmp (report.class, name{1}));
      [~, place] = ismember (n, report.n(k));
      pages = str2double (report.variant(k(place)));
      passes = 2 - strcmp (op{1}, "det_pages");
      rate = size_of.(name{1}) * n.^2 .* pages * passes ./ r.ours / 1e6;
      column = cell (numel (n), 1);
      for i = 1:numel (n)
        column{i} = sprintf ("%.0f (%.1f)", rate(i), r.peer(i) / r.ours(i));
      endfor
      body = [body, column];
    endfor
  endfor
  write_table (folder, "tab-pages.texi", ...
               {"n", "chol, double", "inv", "det", "chol, single", "inv", ...
                "det"}, body, [8, 17, 15, 14, 17, 15, 14]);
  r = report_rows (report, "chol_pages", "double", "", 8);
  k = find (strcmp (report.op, "chol_pages") & strcmp (report.class, "double")
            & report.n == 8, 1);
  values.COPYRATE = number (2 * 8 * 64 * str2double (report.variant{k})
                            / r.limit / 1e6);

  ## Transposition.
  shapes = {"8192x8192", "16384x16384", "16383x16381", "3x100000000", ...
            "100000000x3", "1000000x100"};
  body = cell (0, 4);
  for k = 1:numel (shapes)
    body{k,1} = strrep (shapes{k}, "x", " x ");
    classes = {"double", "single", "cdouble"};
    for c = 1:3
      i = find (strcmp (report.op, "transpose")
                & strcmp (report.variant, "tuned")
                & strcmp (report.shape, shapes{k})
                & strcmp (report.class, classes{c}), 1);
      if (isempty (i))
        error ("manual: %s has no transposition of %s, class %s", report.csv,
               shapes{k}, classes{c});
      endif
      body{k,c+1} = sprintf ("%.1f", 100 * report.limit_ms(i)
                             / report.ours_ms(i));
    endfor
  endfor
  write_table (folder, "tab-transpose.texi", ...
               {"shape", "double", "single", "complex double"}, body, ...
               [28, 18, 18, 25]);

  ## Quaternions.
  n = [100, 256, 512, 1024, 2048, 4096]';
  body = counts (n);
  for name = {"double", "single"}
    for variant = {"auto", "fast"}
      body = [body, beside(report_rows (report, "qmtimes", name{1}, ...
                                        variant{1}, n))];
    endfor
  endfor
  write_table (folder, "tab-quaternion.texi", ...
               {"n", "double, auto", "double, fast", "single, auto", ...
                "single, fast"}, body, [12, 22, 22, 22, 22]);

endfunction

## A time and, in parentheses, the other's by it.

function column = beside (r)

  column = cell (numel (r.n), 1);
  for k = 1:numel (r.n)
    ratio = r.peer(k) / r.ours(k);
    column{k} = sprintf ("%s (%.1f)", number (r.ours(k)), ratio);
  endfor

endfunction

function column = counts (n)

  column = arrayfun (@(x) sprintf ("%d", x), n, "uniformoutput", false);

endfunction

function column = numbers (x)

  column = arrayfun (@number, x, "uniformoutput", false);

endfunction

## Two digits of what is small, three of what is not.

function s = number (x)

  if (isnan (x))
    s = "";
  elseif (x != 0 && abs (x) < 0.001)
    s = regexprep (sprintf ("%.1e", x), 'e([-+])0*(\d)', "e$1$2");
  elseif (abs (x) < 0.1)
    s = sprintf ("%.2g", x);
  elseif (abs (x) < 100)
    s = sprintf ("%.3g", x);
  else
    s = sprintf ("%.0f", x);
  endif

endfunction

function fid = open_file (folder, name)

  [fid, message] = fopen (fullfile (folder, name), "w");
  if (fid < 0)
    error ("manual: cannot write %s: %s", fullfile (folder, name), message);
  endif

endfunction

## A multitable with column widths in per cent.

function write_table (folder, name, head, body, width)

  fid = open_file (folder, name);
  fprintf (fid, "@multitable @columnfractions%s\n", sprintf (" %.3g",
           min (width / 100, 1)));
  fprintf (fid, "@headitem %s\n", strjoin (head, "\n@tab "));
  for k = 1:rows (body)
    fprintf (fid, "@item %s\n", strjoin (body(k,:), "\n@tab "));
  endfor
  fprintf (fid, "@end multitable\n");
  fclose (fid);

endfunction
