## SPDX-License-Identifier: GPL-3.0-or-later

## plots (csv, folder)
##
## Draw the figures of the manual from tests/gpu/report.csv: each as PNG for
## HTML, PDF for TeX, and text for Info.  gnuplot draws them, without a display.

function plots (csv, folder)

  report = read_report (csv);
  if (! any (strcmp (available_graphics_toolkits (), "gnuplot")))
    error ("manual: Octave has no gnuplot to draw the figures with");
  endif
  warning ("off", "Octave:gnuplot-graphics", "local"); # it is old
  graphics_toolkit ("gnuplot");

  ratios (report, fullfile (folder, "fig-ratio"));
  pages (report, fullfile (folder, "fig-pages"));
  crossover (report, fullfile (folder, "fig-crossover"));
  splits (fullfile (folder, "fig-splits"));

endfunction

## cuSOLVER's time by ours.

function ratios (report, name)

  kinds = {"chol", "lower", "chol"; "lu", "one", "lu"; "inv", "one", "inv"};
  lines = struct ("x", {}, "y", {}, "label", {}, "style", {}, "color", {});
  for c = {"double", "single"; "-o", "-s"; 0, 0.5}
    for k = 1:rows (kinds)
      r = report_rows (report, kinds{k,1}, c{1}, kinds{k,2});
      keep = r.peer > 0 & r.n >= 256 & ! ismember (r.n, [4095, 4097]);
      if (! any (keep))
        error ("manual: %s has no times of cuSOLVER beside %s", report.csv,
               kinds{k,1});
      endif
      lines(end+1) = struct ("x", r.n(keep), "y", r.peer(keep) ./ r.ours(keep),
                             "label", [kinds{k,3} ", " c{1}],
                             "style", c{2},
                             "color", 1 - (1 - c{3}) * (1 - color (k)));
    endfor
  endfor
  top = ceil (max (arrayfun (@(l) max (l.y), lines)) * 2) / 2;
  draw (name, lines, 3, @semilogx, [220, 20000, 0, top + 0.5], ...
        2 .^ (8:14), 0:0.5:top, "n", "time of cuSOLVER / time of gpulinalg");

endfunction

## The rate of many small matrices, beside that of a copy.

function pages (report, name)

  lines = struct ("x", {}, "y", {}, "label", {}, "style", {}, "color", {});
  kinds = {"chol_pages", 2, "chol"; "inv_pages", 2, "inv"; ...
           "det_pages", 1, "det"};
  for k = 1:rows (kinds)
    mask = strcmp (report.op, kinds{k,1}) & strcmp (report.class, "double");
    if (! any (mask))
      report_rows (report, kinds{k,1}, "double", "");
    endif
    [n, order] = sort (report.n(mask));
    count = str2double (report.variant(mask))(order);
    bytes = 8 * n .^ 2 .* count * kinds{k,2};
    rate = bytes ./ report.ours_ms(mask)(order) / 1e6;
    lines(end+1) = struct ("x", n, "y", rate,
                           "label", kinds{k,3}, "style", "-o",
                           "color", color (k));
    if (k == 1)
      copy = struct ("x", n, "y", bytes ./ report.limit_ms(mask)(order) / 1e6,
                     "label", "a copy", "style", "-", "color", color (4));
    endif
  endfor
  lines(end+1) = copy;
  draw (name, lines, 4, @semilogx, [1.8, 1200, 0, 5000], ...
        2 .^ (1:10), 0:1000:5000, "n", "GB/s");

endfunction

## From host arrays: what moving takes, what factoring takes, what Octave takes.

function crossover (report, name)

  host = report_rows (report, "gpu_chol", "double", "octave");
  device = report_rows (report, "chol", "double", "lower");
  up = report_rows (report, "upload", "double", "touched");
  down = report_rows (report, "download", "double", "fresh", up.n);
  compared = host.peer > 0;
  if (! any (compared))
    error ("manual: %s has no time of Octave's chol beside gpu_chol", ...
           report.csv);
  endif
  side = sqrt (up.n);
  far = side >= 200;
  keep = device.n >= 256 & ! ismember (device.n, [4095, 4097]);
  lines = struct ("x", host.n(compared), "y", host.peer(compared),
                  "label", "chol of Octave", "style", "-o", "color", color (2));
  lines(2) = struct ("x", host.n, "y", host.ours,
                     "label", "gpu_chol, host arrays", "style", "-o",
                     "color", color (1));
  lines(3) = struct ("x", side(far), "y", up.ours(far) + down.ours(far),
                     "label", "n x n to the GPU and back", "style", "-s",
                     "color", color (3));
  lines(4) = struct ("x", device.n(keep), "y", device.ours(keep),
                     "label", "gpu_chol, on the device", "style", "-^",
                     "color", color (4));
  draw (name, lines, 4, @loglog, [220, 20000, 0.02, 3e4], ...
        2 .^ (8:14), 10 .^ (-1:4), "n", "ms");

endfunction

## How the recursion cuts a matrix of 8 leaves: which step makes which block.

function splits (name)

  parts = blocks (0, 8, 1);
  tones = [0.20 0.45 0.75; 0.45 0.65 0.85; 0.72 0.84 0.94];
  f = figure ("visible", "off", "paperunits", "inches", ...
              "papersize", [5, 4.4], "paperposition", [0, 0, 5, 4.4]);
  hold on
  for k = 1:rows (parts)
    [x, y, w, h, level] = num2cell (parts(k,:)){:};
    c = [0.95, 0.60, 0.20];
    if (level > 0)
      c = tones(level,:);
    endif
    patch (x + [0, w, w, 0], -y - [0, 0, h, h], c, "edgecolor", "k");
    if (level > 0)
      text (x + w / 2, -y - h / 2, num2str (level), ...
            "horizontalalignment", "center", "fontsize", 8 + 16 / 2 ^ level);
    endif
  endfor
  plot ([0, 8, 8, 0, 0], [0, 0, -8, -8, 0], "k");
  hold off
  axis ([-0.1, 8.1, -8.1, 0.1], "square", "off");
  print (f, "-dpng", "-r90", [name ".png"]);
  print (f, "-dpdf", [name ".pdf"]);
  close (f);

  picture = {
    "+---+---+-------+---------------+"
    "| F | 3 |       |               |"
    "+---+---+   2   |               |"
    "    | F |       |               |"
    "    +---+---+---+       1       |"
    "        | F | 3 |               |"
    "        +---+---+               |"
    "            | F |               |"
    "            +---+---+---+-------+"
    "                | F | 3 |       |"
    "                +---+---+   2   |"
    "                    | F |       |"
    "                    +---+---+---+"
    "                        | F | 3 |"
    "                        +---+---+"
    "                            | F |"
    "                            +---+"};
  write_text ([name ".txt"], strjoin (picture', "\n"));

endfunction

## Rows [x, y, width, height, level]: 0 for a leaf.

function parts = blocks (at, n, level)

  if (n == 1)
    parts = [at, at, 1, 1, 0];
    return;
  endif
  half = n / 2;
  parts = [blocks(at, half, level + 1)
           at + half, at, half, half, level
           blocks(at + half, half, level + 1)];

endfunction

function c = color (k)

  c = [0.00 0.45 0.70; 0.84 0.37 0.00; 0.00 0.62 0.45; 0.35 0.35 0.35](k,:);

endfunction

## All lines for paper and screen, the first FEW of them for text, where gnuplot
## draws them with *, #, $ and % in turn.

function draw (name, lines, few, plotter, limits, xticks, yticks, x, y)

  f = figure ("visible", "off", "paperunits", "inches", ...
              "papersize", [7.6, 3.8], "paperposition", [0, 0, 7.6, 3.8]);
  put_lines (lines, plotter, limits, xticks, yticks, x, y);
  grid on
  grid minor off
  set (legend ("location", "northeastoutside"), "interpreter", "none");
  print (f, "-dpng", "-r160", [name ".png"]);
  print (f, "-dpdf", [name ".pdf"]);
  clf (f);
  lines = lines(1:few);
  [lines.style] = deal ("-");
  put_lines (lines, plotter, limits, xticks, yticks, x, y);
  print (f, "-ddumb", [name ".txt"]);
  close (f);
  picture = strsplit (fileread ([name ".txt"]), "\n");
  picture = regexprep (picture, '[\f\s]+$', "");
  picture = picture(! cellfun (@isempty, picture));
  for k = 1:few
    picture{end+1} = sprintf ("       %s  %s", "*#$%"(k), lines(k).label);
  endfor
  write_text ([name ".txt"], strjoin (picture, "\n"));

endfunction

function put_lines (lines, plotter, limits, xticks, yticks, x, y)

  for l = lines
    plotter (l.x, l.y, l.style, "color", l.color, "linewidth", 2, ...
             "markersize", 4, "displayname", l.label);
    hold on
  endfor
  hold off
  axis (limits);
  set (gca (), "xtick", xticks, "xminortick", "off", "ytick", yticks, ...
       "xticklabel", arrayfun (@num2str, xticks, "uniformoutput", false), ...
       "yticklabel", arrayfun (@num2str, yticks, "uniformoutput", false), ...
       "gridcolor", [0.8, 0.8, 0.8], "fontsize", 11);
  xlabel (x);
  ylabel (y);

endfunction

function write_text (name, text)

  fid = fopen (name, "w");
  if (fid < 0)
    error ("manual: cannot write %s", name);
  endif
  fprintf (fid, "%s\n", text);
  fclose (fid);

endfunction
