## SPDX-License-Identifier: GPL-3.0-or-later

## draw_figure (FILE, SIDES, DRAW): call DRAW on a new figure of
## SIDES = [width, height] pixels.  With the name of a file, it is printed there
## as PNG and never seen; else it stays on the screen, if there is one.

function draw_figure (file, sides, draw)

  on_screen = isempty (file);
  if (on_screen && ! have_window_system ())
    return;
  endif
  if (isempty (available_graphics_toolkits ()))
    printf ("no picture: this Octave has no graphics toolkit\n");
    return;
  endif

  fig = figure ("visible", {"off", "on"}{1 + on_screen}, ...
                "position", [100, 100, sides], ...
                "defaultaxesfontsize", 11, "defaulttextfontsize", 11);
  unwind_protect
    draw ();
    if (! on_screen)
      print (fig, file, "-dpng", sprintf ("-S%d,%d", sides));
    endif
  unwind_protect_cleanup
    if (! on_screen)
      close (fig);
    endif
  end_unwind_protect

endfunction
