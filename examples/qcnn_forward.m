## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} qcnn_forward ()
## @deftypefnx {} {} qcnn_forward (@var{images}, @var{side})
## @deftypefnx {} {@var{scores} =} qcnn_forward (@dots{})
## Run the forward pass of a small quaternion convolutional network, and print
## the time of each layer by the direct and by the fast product and how far the
## results lie apart.
##
## The input are @var{images} synthetic images of @var{side} x @var{side}
## pixels (on a GPU 32 of 64 x 64, else 4 of 16 x 16), whose red, green, blue
## and depth make a quaternion.  Two convolutions of 3 x 3 pixels, to 32 and 64
## channels, are each one product of the weights and of the pixels under the
## window, followed by a ReLU of each component; a fully connected layer gives
## 10 scores for each image, quaternions in planes: @var{scores} is
## 10 x @var{images} x 4.
##
## The weights are random, with the moduli and directions of the initialization
## by T. Parcollet et al. (2019), scaled as K. He's for ReLU.
## @seealso{gpu_qmtimes, orientations}
## @end deftypefn

function scores = qcnn_forward (images, side)

  if (! exist ("gpu_qmtimes"))
    pkg load gpulinalg
  endif
  device = gpuDevice ();
  on_gpu = strcmp (device.Backend, "cuda");
  if (nargin < 1)
    images = 4 + 28 * on_gpu;
  endif
  if (nargin < 2)
    side = 16 + 48 * on_gpu;
  endif

  rand ("twister", 42);
  randn ("twister", 42);
  X = gpuArray (pictures (images, side));
  channels = [1, 32, 64];
  W = {weights(32, 9), weights(64, 9 * 32), weights(10, 64 * side ^ 2)};
  at = windows (images, side);

  printf ("device: %s\n", device.Name);
  printf ("%d images of %d x %d pixels, red, green, blue and depth\n\n", ...
          images, side, side);
  printf ("%-34s %10s %10s %7s %12s\n", "layer", "direct ms", "fast ms", ...
          "ratio", "difference");
  for layer = 1:2
    P = under_windows (X, at);
    X = layer_of (sprintf ("convolution, %d to %d channels", ...
                           channels(layer:layer+1)), W{layer}, P);
    X = max (X, 0);
  endfor
  X = reshape (X, 64 * side ^ 2, images, 4);
  result = gather (layer_of ("fully connected, 10 scores", W{3}, X));
  if (nargout > 0)
    scores = result;
  endif

endfunction

## The product both ways; the fast one goes on.
function Y = layer_of (name, W, X)

  ways = {"direct", "fast"};
  t = zeros (1, 2);
  Y = cell (1, 2);
  for k = 1:2
    gpu_qmtimes (W, X, "method", ways{k});   # the first call takes memory
    gpuDevice ("wait");
    from = tic ();
    Y{k} = gpu_qmtimes (W, X, "method", ways{k});
    gpuDevice ("wait");
    t(k) = toc (from);
  endfor
  apart = norm_of (Y{1} - Y{2}) / norm_of (Y{1});
  printf ("%-34s %10.2f %10.2f %7.2f %12.2g\n", name, t * 1e3, t(1) / t(2), ...
          apart);
  Y = Y{2};

endfunction

function n = norm_of (X)

  n = gather (sqrt (sum (sumsq (reshape (X, [], 1)))));

endfunction

## The images: soft coloured spots over a slope, a pixel a column, image by
## image, as 1 x (side ^ 2 * images) x 4 planes.
function X = pictures (images, side)

  [x, y] = meshgrid (linspace (-1, 1, side));
  X = zeros (1, side ^ 2 * images, 4, "single");
  for k = 1:images
    at = (k - 1) * side ^ 2 + (1:side^2);
    for c = 1:4
      spot = exp (-8 * ((x - rand + 0.5) .^ 2 + (y - rand + 0.5) .^ 2));
      X(1,at,c) = spot(:) + 0.2 * (x(:) * (rand - 0.5) + y(:) * (rand - 0.5));
    endfor
  endfor

endfunction

## m x n quaternions: the modulus of four normal numbers, in a random
## direction, so that a component has the variance 2 / n / 4.
function W = weights (m, n)

  modulus = sqrt (sumsq (randn (m, n, 4), 3) / (2 * n));
  axis = randn (m, n, 3);
  axis ./= sqrt (sumsq (axis, 3));
  angle = pi * (2 * rand (m, n) - 1);
  W = gpuArray (single (cat (3, modulus .* cos (angle), ...
                             modulus .* sin (angle) .* axis)));

endfunction

## For each place of the 3 x 3 window the number of the pixel under it; outside
## of the image it is that of a column of zeros behind all pixels.
function at = windows (images, side)

  at = cell (1, 9);
  none = side ^ 2 * images + 1;
  number = reshape (1:side^2*images, side, side, images);
  framed = none * ones (side + 2, side + 2, images);
  framed(2:end-1,2:end-1,:) = number;
  for k = 1:9
    [i, j] = ind2sub ([3, 3], k);
    at{k} = framed(i:i+side-1,j:j+side-1,:)(:);
  endfor

endfunction

## All channels of the pixels under the window, one place below the other.
function P = under_windows (X, at)

  X = [X, gpuArray.zeros(rows (X), 1, 4, "single")];
  P = cell (1, 9);
  for k = 1:9
    P{k} = X(:,at{k},:);
  endfor
  P = vertcat (P{:});

endfunction

%!test
%! text = evalc ("scores = qcnn_forward (2, 8);");
%! assert (size (scores), [10, 2, 4]);
%! assert (all (isfinite (scores(:))) && any (scores(:) != 0));
%! apart = regexp (text, '([\d.e+-]+)\n', "tokens");
%! apart = cellfun (@(x) str2double (x{1}), apart(end-2:end));
%! assert (all (apart < 1e-5));
%! evalc ("again = qcnn_forward (2, 8);");
%! assert (again, scores);
