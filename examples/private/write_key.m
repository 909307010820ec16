## SPDX-License-Identifier: GPL-3.0-or-later

## write_key (X, Y, NAMES, COLORS): write the NAMES of curves one below the
## other, each in the color of its curve, from the place X, Y of the axes on, in
## units of their sides.  Octave's legend comes out too large with gnuplot.

function write_key (x, y, names, colors)

  line = 24 / (get (gcf (), "position")(4) * get (gca (), "position")(4));
  for k = 1:numel (names)
    text (x, y - line * (k - 1), names{k}, "units", "normalized", ...
          "color", colors{k}, "fontweight", "bold");
  endfor

endfunction
