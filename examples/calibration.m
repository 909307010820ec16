## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} calibration ()
## @deftypefnx {} {} calibration (@var{cameras})
## @deftypefnx {} {} calibration (@var{cameras}, @var{png})
## @deftypefnx {} {@var{result} =} calibration (@dots{})
## Calibrate many cameras at once, each from 15 views of a flat board with known
## marks, as a maker of cameras does, or a study of how accurate that is.
##
## Each of @var{cameras} cameras (2000 on a GPU, else 50; @code{[]} is the
## default, too) has its own focal lengths, near 1000 pixels, and principal
## point, near the middle of its 1280 x 960 pixels.  The board has 9 x 7 marks,
## 30 mm apart, and is held at angles of 25 to 45 degrees.  Marks are found with
## an error of 0.2 pixels (standard deviation of a coordinate).
##
## All homographies from the board to the views are found at once, as pages,
## and then the intrinsic parameters of all cameras, in closed form: they are
## what an optimization would begin with.  At the end the homographies give the
## places of the board.
##
## With a file name @var{png}, the errors are drawn there, else on the screen if
## there is one.  @var{result} is a structure with the fields
##
## @table @code
## @item focal
## @itemx centre
## the median errors of the focal length (in parts of it) and of the principal
## point (its distance in pixels)
## @item marks
## the root mean square of the distances of a coordinate of the marks from where
## the homographies take them, in pixels: somewhat less than the noise, as eight
## parameters are fitted to it
## @item board
## the median error of the place of a board, in mm
## @item failed
## the part of the cameras without a solution
## @item seconds
## the time of all calibrations
## @end table
##
## Method: Z. Zhang, @cite{A flexible new technique for camera calibration},
## IEEE Transactions on Pattern Analysis and Machine Intelligence 22 (2000),
## with a Cholesky factorization instead of the formulas of its appendix B.
## @seealso{gpu_homography, gpu_inv, gpu_chol, panorama}
## @end deftypefn

function result = calibration (cameras, png)

  if (! exist ("gpu_homography"))
    pkg load gpulinalg
  endif
  device = gpuDevice ();
  if (nargin < 1 || isempty (cameras))
    cameras = 50;
    if (strcmp (device.Backend, "cuda"))
      cameras = 2000;
    endif
  endif
  if (nargin < 2)
    png = "";
  endif

  rand ("twister", 42);
  randn ("twister", 42);
  views = 15;
  noise = 0.2;
  sides = [1280; 960];
  K = true_cameras (cameras, sides);
  [board, poses] = boards (cameras * views);
  camera = ceil ((1:cameras*views) / views);
  seen = gpu_homography (gpu_mtimes (K(:,:,camera), poses), board);
  seen += noise * randn (size (seen));

  seen = gpuArray (seen);
  board = gpuArray (board);
  calibrate (seen, board, views, sides);   # the first call takes memory
  gpuDevice ("wait");
  from = tic ();
  [found, H, p] = calibrate (seen, board, views, sides);
  gpuDevice ("wait");
  r.seconds = toc (from);

  good = p(:) == 0;
  r.failed = mean (! good);
  off = gpu_homography (H, board) - seen;
  r.marks = sqrt (gather (mean (mean (mean (off .^ 2, 3), 2), 1)));
  place = places (found(:,:,camera), H);
  off = norm (place - squeeze (poses(:,3,:)), "columns");
  r.board = median (off(good(camera)));
  found = gather (found);
  true_focal = (squeeze (K(1,1,:)) + squeeze (K(2,2,:))) / 2;
  focal = (squeeze (found(1,1,:)) + squeeze (found(2,2,:))) / 2 - true_focal;
  focal = focal(good);
  centre = squeeze (found(1:2,3,:) - K(1:2,3,:))(:,good);
  r.focal = median (abs (focal ./ true_focal(good)));
  r.centre = median (norm (centre, "columns"));

  ## Eight parameters take up their part of the noise.
  expected = noise * sqrt (1 - 8 / (2 * columns (board)));

  printf ("device: %s\n", device.Name);
  printf ("%d cameras, each with %d views of %d marks\n", cameras, views, ...
          columns (board));
  printf (["calibrations: %.3g ms, %.4g a second, %.4g homographies " ...
           "a second\n"], r.seconds * 1e3, cameras / r.seconds, ...
          cameras * views / r.seconds);
  printf ("without a solution: %d\n\n", sum (! good));
  printf ("%-44s %8.3f\n", "marks, from the homographies (pixels, RMS)", ...
          r.marks, "the same, expected from their noise", expected, ...
          "error of focal lengths (%, median)", 100 * r.focal, ...
          "error of principal points (pixels, median)", r.centre, ...
          "error of the boards' places (mm, median)", r.board);

  draw_figure (png, [900, 460], @() draw (focal, centre));
  if (nargout > 0)
    result = r;
  endif

endfunction

function K = true_cameras (cameras, sides)

  K = zeros (3, 3, cameras);
  K(1,1,:) = 1000 + 100 * (rand (1, cameras) - 0.5);
  K(2,2,:) = squeeze (K(1,1,:))' .* (1 + 0.02 * (rand (1, cameras) - 0.5));
  K(1:2,3,:) = sides / 2 + 60 * (rand (2, cameras) - 0.5);
  K(3,3,:) = 1;

endfunction

## The marks, around the board's origin, in mm, and [r1, r2, t] of each view:
## turned out of the picture's plane about an axis of any direction in it, then
## about the line of sight, and moved.
function [board, poses] = boards (count)

  [u, v] = meshgrid (-120:30:120, -90:30:90);
  board = [u(:), v(:)]';
  tilt = pi / 180 * (25 + 20 * rand (1, 1, count));
  axis = 2 * pi * rand (1, 1, count);
  roll = pi * (rand (1, 1, count) - 0.5);
  turned = [cos(roll), -sin(roll); sin(roll), cos(roll)];
  normal = [cos(axis), sin(axis)];     # to the axis, in the plane
  along = sum (permute (normal, [2, 1, 3]) .* turned, 1);
  flat = turned - (1 - cos (tilt)) .* permute (normal, [2, 1, 3]) .* along;
  deep = sin (tilt) .* along;
  poses = [flat; deep];
  poses(:,3,:) = [50; 40; 60] .* (2 * rand (3, 1, count) - 1) + [0; 0; 450];

endfunction

## The homographies H of all views, and K of each camera.
function [K, H, p] = calibrate (seen, board, views, sides)

  [~, marks, count] = size (seen);
  cameras = count / views;
  H = fit_homographies (repmat (board, 1, 1, count), seen, ...
                        gpuArray.ones (1, marks, count));

  ## In units of half the picture's width, from its middle, numbers are of
  ## the order of 1.
  half = sides(1) / 2;
  T = [1 / half, 0, -sides(1) / 2 / half;
       0, 1 / half, -sides(2) / 2 / half;
       0, 0, 1];
  N = gpu_mtimes (gpuArray (T), H);
  N ./= sqrt (sum (sumsq (N, 1), 2));

  ## h1' * B * h2 = 0 and h1' * B * h1 = h2' * B * h2 of each view, for the
  ## symmetric B = inv (K)' * inv (K).
  a = N(:,1,:);
  b = N(:,2,:);
  V = [products(a, b), products(a, a) - products(b, b)];
  V = reshape (V, 6, 2 * views, cameras);
  s = smallest_vectors (gpu_mtimes (V, gpu_transpose (V)));
  B = [s(1,1,:), s(2,1,:), s(4,1,:);
       s(2,1,:), s(3,1,:), s(5,1,:);
       s(4,1,:), s(5,1,:), s(6,1,:)];
  [R, p] = gpu_chol (sign (s(6,1,:)) .* B);
  p = gather (p);

  ## Of a camera without a solution, R has zeros.
  [K, ~] = gpu_inv (R);
  K = K ./ K(3,3,:);
  K = gpu_mtimes (gpuArray (inv (T)), K);

endfunction

## The 6 coefficients in x' * B * y of B's elements 11, 12, 22, 13, 23, 33.
function v = products (x, y)

  v = [x(1,:,:) .* y(1,:,:);
       x(1,:,:) .* y(2,:,:) + x(2,:,:) .* y(1,:,:);
       x(2,:,:) .* y(2,:,:);
       x(1,:,:) .* y(3,:,:) + x(3,:,:) .* y(1,:,:);
       x(2,:,:) .* y(3,:,:) + x(3,:,:) .* y(2,:,:);
       x(3,:,:) .* y(3,:,:)];

endfunction

## Where the boards' origins are, in mm, 3 x 1 each: inv (K) * H has the two
## columns of a rotation and the place, up to a factor.
function t = places (K, H)

  [X, ~] = gpu_inv (K);
  E = gpu_mtimes (X, H);
  scale = (sqrt (sumsq (E(:,1,:), 1)) + sqrt (sumsq (E(:,2,:), 1))) / 2;
  t = gather (reshape (E(:,3,:) ./ scale, 3, []));

endfunction

function draw (focal, centre)

  blue = [0.00, 0.30, 0.60];
  axes ("position", [0.10, 0.16, 0.37, 0.72]);
  half = 3 * sqrt (meansq (focal));
  middle = linspace (-half, half, 21);
  count = hist (focal, middle);
  bar (middle, count, 1, "facecolor", [0.80, 0.87, 0.96], ...
       "edgecolor", blue);
  axis ([1.1 * [-half, half], 0, 1.1 * max(count)]);
  xlabel ("error of the focal length (pixels)");
  ylabel ("cameras");
  title ("focal lengths");

  axes ("position", [0.60, 0.16, 0.37, 0.72]);
  shown = 1:ceil (columns (centre) / 2000):columns (centre);
  plot (centre(1,shown), centre(2,shown), ".", "color", blue, "markersize", 6);
  half = 1.1 * max (abs (centre(:)));
  axis ([-half, half, -half, half]);
  axis square;
  xlabel ("error of x (pixels)");
  ylabel ("error of y (pixels)");
  title ("principal points");

endfunction

%!test
%! png = [tempname(), ".png"];
%! unwind_protect
%!   text = evalc ("r = calibration (20, png);");
%!   assert (exist (png, "file") == 2
%!           || isempty (available_graphics_toolkits ()));
%! unwind_protect_cleanup
%!   [~, ~] = unlink (png);
%! end_unwind_protect
%! assert (r.failed, 0);
%! assert (r.focal < 1e-3);
%! assert (r.centre < 1);
%! assert (r.marks, 0.2 * sqrt (1 - 8 / 126), 0.004);
%! assert (r.board < 1);
%! assert (! isempty (strfind (text, "20 cameras, each with 15 views")));
