## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} panorama ()
## @deftypefnx {} {} panorama (@var{height})
## @deftypefnx {} {} panorama (@var{height}, @var{png})
## @deftypefnx {} {@var{result} =} panorama (@dots{})
## Join five views of a turning camera to a panorama: find the homographies
## between neighbours from point matches, a fifth of which are wrong, and warp
## and blend the views on the device.
##
## The views have @var{height} rows (960 on a GPU, else 180; @code{[]} is the
## default, too) and 4 / 3 as many columns.  The scene is a smooth texture of a
## formula, so that the views need no image files and the panorama can be
## compared with the truth.  Matches have an error of 0.5 pixels (standard
## deviation of a coordinate) in one of the views.
##
## Wrong matches are found by random samples of four matches (RANSAC).  The
## homographies of all samples of all pairs of views are computed at once, as
## pages, by the direct linear transformation, then one for each pair from all
## of its matches that agree.
##
## With a file name @var{png}, the panorama with the outlines of the views and
## its error are drawn there, else on the screen if there is one.  @var{result}
## is a structure with the fields
##
## @table @code
## @item matches
## the root mean square of the distances of a coordinate of the right matches,
## in pixels: the noise
## @item registration
## the same of 9 x 9 points of the views on their way to the middle view, from
## where the true homographies take them
## @item error
## the root mean square of panorama minus scene, whose colors are from 0 to 1
## @item covered
## the part of the panorama's rectangle that is seen in some view
## @item found
## how many of the wrong matches were told from the right ones (a part of 1)
## @item seconds
## the times of the homographies, and of warping and blending
## @end table
##
## Method: R. Hartley and A. Zisserman, @cite{Multiple View Geometry in Computer
## Vision}, Cambridge 2004, algorithms 4.2 and 4.6.
## @seealso{gpu_homography, gpu_inv, gpu_mtimes, calibration}
## @end deftypefn

function result = panorama (height, png)

  if (! exist ("gpu_homography"))
    pkg load gpulinalg
  endif
  device = gpuDevice ();
  on_gpu = strcmp (device.Backend, "cuda");
  if (nargin < 1 || isempty (height))
    height = 180 + 780 * on_gpu;
  endif
  if (nargin < 2)
    png = "";
  endif

  rand ("twister", 42);
  randn ("twister", 42);
  views = 5;
  noise = 0.5;
  samples = 200 + 1800 * on_gpu;
  sides = [round(height * 4 / 3), height];
  scene = texture (height);
  H = turns (views, sides);
  pictures = photographs (scene, H, sides);
  [P, Q, wrong] = matches (H, sides, 1000, noise);

  ## The second time is without taking memory.
  for k = 1:2
    gpuDevice ("wait");
    from = tic ();
    [between, W] = robust_homographies (P, Q, samples, 3 * noise);
    G = to_middle (between);
    gpuDevice ("wait");
    r.seconds = toc (from);
  endfor
  [x, y] = canvas (H, sides);
  for k = 1:2
    gpuDevice ("wait");
    from = tic ();
    [image_, weight] = blended (pictures, G, sides, x, y);
    gpuDevice ("wait");
    r.seconds(2) = toc (from);
  endfor

  W = gather (W);
  off = W .* sumsq (gather (gpu_homography (between, P) - Q), 1);
  r.matches = sqrt (sum (off(:)) / (2 * nnz (W)));
  r.found = mean (! W(wrong));
  [u, v] = meshgrid (linspace (1, sides(1), 9), linspace (1, sides(2), 9));
  grid_ = [u(:), v(:)]';
  r.registration = sqrt (meansq ((gather (gpu_homography (G, grid_)) ...
                                  - gpu_homography (H, grid_))(:)));
  image_ = gather (image_);
  seen = gather (weight > 0);
  truth = scene (x(:), y(:));
  difference = (image_ - truth) .* seen;
  r.error = sqrt (sum (difference(:) .^ 2) / (3 * nnz (seen)));
  r.covered = mean (seen);

  printf ("device: %s\n", device.Name);
  printf ("%d views of %d x %d pixels, ", views, sides);
  printf ("%d matches a pair, %d of them wrong\n", columns (wrong), ...
          sum (wrong(:,:,1)));
  printf ("homographies: %.3g ms, from %d samples of 4 matches\n", ...
          r.seconds(1) * 1e3, samples * (views - 1));
  printf ("warp and blend: %.3g ms, %d x %d pixels, ", r.seconds(2) * 1e3, ...
          columns (x), rows (x));
  printf ("%.3g million a second\n", numel (x) / r.seconds(2) / 1e6);
  printf ("%.1f %% of the wrong matches were found\n", 100 * r.found);
  printf (["the right matches are off by %.3f pixels (noise %.3f), " ...
           "the views by %.3f (RMS)\n"], r.matches, noise, r.registration);
  printf (["the panorama differs from the scene by %.2g of the range " ...
           "(RMS)\n"], r.error);

  draw_figure (png, [900, 720], ...
               @() draw (image_, difference, seen, x, y, H, sides));
  if (nargout > 0)
    result = r;
  endif

endfunction

## Colors of 0 to 1, for columns of places a row of red, green and blue.  Waves
## bent by slow waves, of brightness, of warm and cold, and of red and green;
## the shortest has some 25 pixels where a view has 180 rows.
function scene = texture (height)

  unit = height / 180;
  slow = 2 * pi * (rand (2, 3) - 0.5) / (90 * unit);
  phase = 2 * pi * rand (1, 3);
  fast = 2 * pi ./ (unit * [40, 75, 55]) .* exp (1i * [0.3, 1.5, 2.6]);
  fast = [real(fast); imag(fast)];
  colors = [0.24, 0.24, 0.24; 0.17, 0.02, -0.17; 0.08, -0.08, 0];
  bent = @(P) P * fast + 2.5 * sin (P * slow + phase);
  scene = @(x, y) 0.5 + sin (bent ([x, y])) * colors;

endfunction

## The homographies from each view to the middle one, of a camera that turns by
## 16 degrees from view to view and is not held quite still.
function H = turns (views, sides)

  K = [1.2 * sides(1), 0, (sides(1) + 1) / 2;
       0, 1.2 * sides(1), (sides(2) + 1) / 2;
       0, 0, 1];
  middle = (views + 1) / 2;
  H = zeros (3, 3, views);
  for k = 1:views
    angle = pi / 180 * [3 * randn, 16 * (k - middle), 3 * randn];
    angle *= (k != middle);
    c = cos (angle);
    s = sin (angle);
    turn = [c(2), 0, s(2); 0, 1, 0; -s(2), 0, c(2)] ...
           * [1, 0, 0; 0, c(1), -s(1); 0, s(1), c(1)] ...
           * [c(3), -s(3), 0; s(3), c(3), 0; 0, 0, 1];
    H(:,:,k) = K * turn / K;
  endfor

endfunction

## What the camera sees, one row a pixel, and a page a view.
function pictures = photographs (scene, H, sides)

  [u, v] = meshgrid (1:sides(1), 1:sides(2));
  at = gpu_homography (H, [u(:), v(:)]');
  pictures = zeros (numel (u), 3, size (H, 3));
  for k = 1:size (H, 3)
    pictures(:,:,k) = scene (at(1,:,k)', at(2,:,k)');
  endfor
  pictures = gpuArray (pictures);

endfunction

## Q in view k is the point P in view k + 1, but for noise, and for the wrong
## ones, which are anywhere.
function [P, Q, wrong] = matches (H, sides, count, noise)

  pairs = size (H, 3) - 1;
  P = Q = zeros (2, count, pairs);
  for k = 1:pairs
    some = 1 + rand (2, 20 * count) .* (sides' - 1);
    there = gpu_homography (H(:,:,k) \ H(:,:,k+1), some);
    both = find (all (there >= 1 & there <= sides'), count);
    P(:,:,k) = some(:,both);
    Q(:,:,k) = there(:,both);
  endfor
  Q += noise * randn (size (Q));
  wrong = false (1, count, pairs);
  wrong(:,1:5:end,:) = true;
  anywhere = 1 + rand (size (Q)) .* (sides' - 1);
  Q(:,1:5:end,:) = anywhere(:,1:5:end,:);
  P = gpuArray (P);
  Q = gpuArray (Q);

endfunction

## Of all samples of four matches of a pair the homography that most matches
## agree with, up to a distance; then that of those matches.
function [H, W] = robust_homographies (P, Q, samples, distance)

  [~, count, pairs] = size (P);
  pages = samples * pairs;
  pair = ceil ((1:pages) / samples);
  four = ceil (count * rand (4, pages)) + count * (pair - 1);
  pick = @(X) reshape (reshape (X, 2, [])(:,four(:)), 2, 4, pages);
  H = fit_homographies (pick (P), pick (Q), gpuArray.ones (1, 4, pages));
  W = agree (H, P(:,:,pair), Q(:,:,pair), distance);
  [~, best] = max (reshape (sum (W, 2), samples, pairs), [], 1);
  W = W(:,:,best + samples * (0:pairs-1));
  for k = 1:2
    H = fit_homographies (P, Q, W);
    W = agree (H, P, Q, distance);
  endfor

endfunction

function W = agree (H, P, Q, distance)

  W = double (sumsq (gpu_homography (H, P) - Q, 1) < 2 * distance ^ 2);

endfunction

## From each view to the middle one, by way of those between.
function G = to_middle (between)

  views = size (between, 3) + 1;
  middle = (views + 1) / 2;
  G = cell (1, views);
  G{middle} = gpuArray.eye (3);
  for k = middle+1:views
    G{k} = gpu_mtimes (G{k-1}, between(:,:,k-1));
  endfor
  for k = middle-1:-1:1
    G{k} = gpu_mtimes (G{k+1}, gpu_inv (between(:,:,k)));
  endfor
  G = cat (3, G{:});

endfunction

## The pixels of the panorama, in the plane of the middle view.
function [x, y] = canvas (H, sides)

  corners = gpu_homography (H, outline (sides));
  low = floor (min (min (corners, [], 2), [], 3));
  high = ceil (max (max (corners, [], 2), [], 3));
  [x, y] = meshgrid (low(1):high(1), low(2):high(2));

endfunction

function P = outline (sides)

  P = 1 + [0, 1, 1, 0, 0; 0, 0, 1, 1, 0] .* (sides' - 1);

endfunction

## Each pixel is taken from where it lies in the views, between four of their
## pixels; towards its borders a view counts less.
function [image_, weight] = blended (pictures, G, sides, x, y)

  canvas_ = gpuArray ([x(:), y(:)]');
  image_ = gpuArray.zeros (numel (x), 3);
  weight = gpuArray.zeros (numel (x), 1);
  for k = 1:size (pictures, 3)
    at = gpu_homography (G(:,:,k), canvas_, "inverse");
    inside = find (all (at >= 1, 1) & at(1,:) < sides(1) & at(2,:) < sides(2));
    u = at(1,inside)';
    v = at(2,inside)';
    left = floor (u);
    upper = floor (v);
    u -= left;
    v -= upper;
    first = upper + sides(2) * (left - 1);
    picture = pictures(:,:,k);
    colors = (1 - v) .* ((1 - u) .* picture(first,:) ...
                         + u .* picture(first + sides(2),:)) ...
             + v .* ((1 - u) .* picture(first + 1,:) ...
                     + u .* picture(first + sides(2) + 1,:));
    u += left;
    v += upper;
    w = min (u - 1, sides(1) - u) .* min (v - 1, sides(2) - v) + 1e-6;
    image_(inside,:) = image_(inside,:) + w .* colors;
    weight(inside) = weight(inside) + w;
  endfor
  image_ = image_ ./ max (weight, 1e-6);

endfunction

function draw (image_, difference, seen, x, y, H, sides)

  step = ceil (columns (x) / 900);
  rows_ = 1:step:rows (x);
  columns_ = 1:step:columns (x);
  image_(! seen,:) = 1;
  picture = reshape (image_, [size(x), 3])(rows_,columns_,:);
  axes ("position", [0.09, 0.57, 0.88, 0.35]);
  image (x(1,columns_), y(rows_,1), min (max (picture, 0), 1));
  axis image;
  hold on;
  frames = gpu_homography (H, outline (sides));
  for k = 1:size (H, 3)
    plot (frames(1,:,k), frames(2,:,k), "k", "linewidth", 2);
  endfor
  hold off;
  set (gca (), "xticklabel", {});
  ylabel ("y (pixels)");
  title ("panorama and the outlines of the views");

  errors = reshape (max (abs (difference), [], 2), size (x));
  axes ("position", [0.09, 0.11, 0.88, 0.35]);
  imagesc (x(1,columns_), y(rows_,1), errors(rows_,columns_));
  axis image;
  colormap (flipud (gray ()));
  xlabel ("x (pixels)");
  ylabel ("y (pixels)");
  title (sprintf (["error of a color, from 0 (white) to %.2g (black) " ...
                   "of its range"], max (errors(:))));

endfunction

%!test
%! png = [tempname(), ".png"];
%! unwind_protect
%!   text = evalc ("r = panorama (60, png);");
%!   assert (exist (png, "file") == 2
%!           || isempty (available_graphics_toolkits ()));
%! unwind_protect_cleanup
%!   [~, ~] = unlink (png);
%! end_unwind_protect
%! assert (r.matches > 0.45 && r.matches < 0.55);
%! assert (r.registration < 0.2);
%! assert (r.error < 0.03);
%! assert (r.covered > 0.6 && r.covered < 1);
%! assert (r.found > 0.95);
%! assert (! isempty (strfind (text, "5 views of 80 x 60 pixels")));
