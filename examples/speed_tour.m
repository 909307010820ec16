## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} speed_tour ()
## @deftypefnx {} {} speed_tour (@var{sizes})
## @deftypefnx {} {} speed_tour (@var{sizes}, @var{png})
## @deftypefnx {} {@var{result} =} speed_tour (@dots{})
## Show from which size of a matrix on the GPU is faster than Octave, with
## the way of the matrix to the GPU and back, and without.
##
## Computed are the Cholesky factor, the inverse, the determinant and the square
## of double matrices of order @var{sizes} (128 to 4096 on a GPU, else 50 to
## 200; @code{[]} is the default, too): by Octave's own function; by
## @code{gpu_chol}, @code{gpu_inv}, @code{gpu_det} and @code{gpu_mtimes} of a
## host array, whose transfers count; and by the same of a @code{gpuArray},
## which stays on the device with its result.  Times are medians of several
## calls (@code{gputimeit}).  Without a GPU all three are the same libraries.
##
## With a file name @var{png}, the times are drawn there by size, with marks
## where a curve crosses Octave's, else on the screen if there is one.
## @var{result} is a structure with the fields
##
## @table @code
## @item sizes
## @itemx names
## the sizes and the names of the operations
## @item seconds
## sizes x operations x 3 times: Octave, host arrays, device arrays
## @item crossing
## operations x 2: the size from which on host arrays and device arrays are
## faster than Octave, between sizes by interpolation of the logarithms; NaN if
## they are not at the largest size
## @item error
## sizes x operations: the difference from Octave's result, in units of
## @code{n * eps} relative to it (in the 1-norm); the condition number of the
## matrices is below 6
## @end table
## @seealso{gpu_chol, gpu_inv, gpu_det, gpu_mtimes, gputimeit}
## @end deftypefn

function result = speed_tour (sizes, png)

  if (! exist ("gpu_chol"))
    pkg load gpulinalg
  endif
  device = gpuDevice ();
  on_gpu = strcmp (device.Backend, "cuda");
  if (nargin < 1 || isempty (sizes))
    sizes = [50, 100, 200];
    if (on_gpu)
      sizes = 2 .^ (7:12);
    endif
  endif
  if (nargin < 2)
    png = "";
  endif

  randn ("twister", 42);
  ours = {@gpu_chol, @gpu_inv, @gpu_det, @(A) gpu_mtimes(A, A)};
  octaves = {@chol, @inv, @det, @(A) A * A};
  r.names = {"chol", "inv", "det", "product"};
  r.sizes = sizes(:)';
  r.seconds = zeros (numel (sizes), 4, 3);
  r.error = zeros (numel (sizes), 4);

  printf ("device: %s\n", device.Name);
  if (! on_gpu)
    printf (["There is no GPU here: what follows compares Octave's " ...
             "libraries with themselves.\n"]);
  endif
  printf ("\n%-9s %6s %11s %11s %11s %9s %9s %8s\n", "", "", "Octave", ...
          "transfers", "device", "", "", "error,");
  printf ("%-9s %6s %11s %11s %11s %9s %9s %8s\n", "double", "n", "ms", ...
          "ms", "ms", "ratio", "ratio", "n*eps");
  for op = 1:4
    for k = 1:numel (sizes)
      n = sizes(k);
      A = matrix (n);
      g = gpuArray (A);
      t = [gputimeit(@() octaves{op} (A)), gputimeit(@() ours{op} (A)), ...
           gputimeit(@() ours{op} (g))];
      r.seconds(k,op,:) = t;
      want = octaves{op} (A);
      r.error(k,op) = max (norm (ours{op} (A) - want, 1), ...
                           norm (gather (ours{op} (g)) - want, 1)) ...
                      / (norm (want, 1) * n * eps);
      printf ("%-9s %6d %11.3f %11.3f %11.3f %9.2f %9.2f %8.2g\n", ...
              r.names{op}, n, t * 1e3, t(1) ./ t(2:3), r.error(k,op));
    endfor
  endfor

  r.crossing = [crossings(r.sizes, r.seconds, 2), ...
                crossings(r.sizes, r.seconds, 3)];
  if (on_gpu)
    printf ("\nfaster than Octave from n = about\n");
    printf ("%-9s %18s %18s\n", "", "with transfers", "on the device");
    for op = 1:4
      printf ("%-9s %18s %18s\n", r.names{op}, ...
              in_words (r.crossing(op,1), r.sizes), ...
              in_words (r.crossing(op,2), r.sizes));
    endfor
  endif

  draw_figure (png, [900, 760], @() draw (r));
  if (nargout > 0)
    result = r;
  endif

endfunction

## Symmetric positive definite with eigenvalues between 1 and 6 or so, divided
## by their geometric mean: the determinant is 1, and not out of range.
function A = matrix (n)

  B = randn (n);
  A = B * B' / n + eye (n);
  A /= exp (2 * mean (log (diag (chol (A)))));

endfunction

## Of each operation.
function n = crossings (sizes, seconds, way)

  n = NaN (columns (seconds), 1);
  for op = 1:columns (seconds)
    gain = log (seconds(:,op,1) ./ seconds(:,op,way));
    k = find (gain <= 0, 1, "last");
    if (isempty (k))
      n(op) = sizes(1);
    elseif (k < numel (sizes))
      part = gain(k) / (gain(k) - gain(k+1));
      n(op) = exp ([1 - part, part] * log (sizes(k:k+1)'));
    endif
  endfor

endfunction

function s = in_words (n, sizes)

  if (isnan (n))
    s = sprintf ("> %d", sizes(end));
  elseif (n == sizes(1))
    s = sprintf ("<= %d", n);
  else
    s = sprintf ("%d", round (n));
  endif

endfunction

function text = labels (numbers)

  text = arrayfun (@(x) sprintf ("%g", x), numbers, "uniformoutput", false);

endfunction

function draw (r)

  colors = {[0.45, 0.45, 0.45], [0.85, 0.33, 0.10], [0.00, 0.30, 0.60]};
  for op = 1:4
    axes ("position", [0.12 + 0.50 * (mod (op, 2) == 0), ...
                       0.61 - 0.49 * (op > 2), 0.35, 0.31]);
    for way = 1:3
      loglog (r.sizes, r.seconds(:,op,way) * 1e3, "o-", "linewidth", 2, ...
              "color", colors{way}, "markersize", 4);
      hold on;
    endfor
    for way = 2:3
      at = r.crossing(op,way-1);
      if (at > r.sizes(1))
        t = exp (interp1 (log (r.sizes), log (r.seconds(:,op,1)), log (at)));
        loglog (at, t * 1e3, "p", "color", colors{way}, "markersize", 14);
      endif
    endfor
    hold off;
    decades = log10 (r.seconds(:,op,:)(:) * 1e3);
    decades = floor (min (decades)):floor (max (decades)) + 1;
    shown = r.sizes(1:ceil (numel (r.sizes) / 4):end);
    axis ([r.sizes(1) / 1.2, r.sizes(end) * 1.2, 10 .^ decades([1, end])]);
    set (gca (), "xminortick", "off", ...
                 "xtick", shown, "xticklabel", labels (shown), ...
                 "ytick", 10 .^ decades, "yticklabel", labels (10 .^ decades));
    xlabel ("n");
    ylabel ("time (ms)");
    title (r.names{op});
    if (op == 1)
      write_key (0.05, 0.93, {"Octave", "host arrays", ...
                              "device arrays"}, colors);
    endif
  endfor

endfunction

%!test
%! png = [tempname(), ".png"];
%! unwind_protect
%!   text = evalc ("r = speed_tour (16, png);");
%!   assert (exist (png, "file") == 2
%!           || isempty (available_graphics_toolkits ()));
%! unwind_protect_cleanup
%!   [~, ~] = unlink (png);
%! end_unwind_protect
%! assert (size (r.seconds), [1, 4, 3]);
%! assert (all (r.seconds(:) > 0));
%! assert (r.error < 10);
%! assert (! isempty (regexp (text, 'product +16( +[\d.e-]+){6}\n')));
