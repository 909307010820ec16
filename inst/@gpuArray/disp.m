## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} disp (@var{g})
## @deftypefnx {} {@var{s} =} disp (@var{g})
## Show the size, class, device and bytes of a device array and its first rows
## and columns, of the first page if there are several.
## @end deftypefn

function s = disp (g)

  if (g.id == 0)
    text = "  gpuArray: see 'help gpuArray'\n";
  else
    text = describe (g);
  endif
  if (nargout > 0)
    s = text;
  else
    puts (text);
  endif

endfunction

function text = describe (g)

  most = [5, 8];   # rows and columns shown
  try
    info = __gpu_call__ ("describe", g);
  catch
    text = "  data no longer exists on the device\n";
    return;
  end_try_catch

  kind = info.class;
  bytes = prod (info.size);
  if (! strcmp (kind, "logical"))
    bytes *= merge (strcmp (kind, "single"), 4, 8) * (1 + info.complex);
  endif
  if (info.complex)
    kind = ["complex " kind];
  endif
  text = sprintf ("  %s %s gpuArray on %s, %d bytes\n",
                  sprintf ("%d x ", info.size)(1:end-3), kind,
                  __gpu__ ("device").Name, bytes);

  if (bytes > 0)
    shown = min (info.size(1:2), most);
    part = gather (__gpu_call__ ("index", g, 1:shown(1), 1:shown(2), 1));
    text = [text, "\n", disp(part)];
    if (any (info.size(1:2) > shown) || numel (info.size) > 2)
      text = [text, sprintf("\n  first %d x %d of %s elements\n", shown,
                            sprintf ("%d x ", info.size)(1:end-3))];
    endif
  endif

endfunction

%!test
%! s = disp (gpuArray (single (magic (4))));
%! assert (! isempty (strfind (s, "  4 x 4 single gpuArray on ")));
%! assert (! isempty (strfind (s, ", 64 bytes\n")));
%! assert (! isempty (strfind (s, disp (single (magic (4))))));
%! s = disp (gpuArray (ones (10, 20, 2) * 1i));
%! assert (! isempty (strfind (s, "  10 x 20 x 2 complex double gpuArray on ")));
%! assert (! isempty (strfind (s, "first 5 x 8 of 10 x 20 x 2 elements")));
%! assert (! isempty (strfind (disp (gpuArray (true)), "logical gpuArray")));
%! assert (! isempty (strfind (disp (gpuArray ([])), ", 0 bytes")));
%! assert (evalc ("disp (gpuArray (1))"), disp (gpuArray (1)));
