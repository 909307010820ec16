## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gaussian_process ()
## @deftypefnx {} {} gaussian_process (@var{n})
## @deftypefnx {} {} gaussian_process (@var{n}, @var{png})
## @deftypefnx {} {@var{result} =} gaussian_process (@dots{})
## Fit a Gaussian process to noisy samples of a function of one variable: learn
## its hyperparameters by maximum likelihood, predict, and check the 95 % band
## on samples that were held out.
##
## There are @var{n} samples (4000 on a GPU, else 600; @code{[]} is the default,
## too) at random places of an interval of length 10.  The function is a sum of
## 300 cosines drawn so that its covariance is known, the squared exponential
## @code{@var{a}^2 * exp (-@var{d}^2 / (2 * @var{l}^2))} at a distance
## @var{d}; so the length @var{l} and the amplitude @var{a} found can be
## compared with true ones.
##
## The logarithm of the likelihood and its gradient are computed on the device
## by one Cholesky factorization and the inverse from it; @code{fminunc} on the
## host sees four numbers each time.
##
## With a file name @var{png}, the samples, the mean and the band are drawn
## there, else on the screen if there is one.  @var{result} is a structure with
## the fields
##
## @table @code
## @item found
## @itemx true
## length, amplitude and standard deviation of the noise
## @item coverage
## the part of 2000 held out samples inside the band, about 0.95
## @item rms
## the root mean square of mean minus function in these places
## @item gradient
## the relative difference of the gradient from central differences
## @item seconds
## the time of one likelihood with its gradient
## @end table
##
## Method: C. E. Rasmussen and C. K. I. Williams, @cite{Gaussian Processes for
## Machine Learning}, MIT Press 2006, algorithm 2.1 and section 5.4.1; the
## function: A. Rahimi and B. Recht, @cite{Random features for large-scale
## kernel machines}, NIPS 2007.
## @seealso{gpu_chol, gpu_chol2inv, gpu_logdet, quickstart_job}
## @end deftypefn

function result = gaussian_process (n, png)

  if (! exist ("gpu_chol"))
    pkg load gpulinalg
  endif
  device = gpuDevice ();
  if (nargin < 1 || isempty (n))
    n = 600;
    if (strcmp (device.Backend, "cuda"))
      n = 4000;
    endif
  endif
  if (nargin < 2)
    png = "";
  endif

  rand ("twister", 42);
  randn ("twister", 42);
  r.true = [0.5; 1.5; 0.3];
  width = 10;
  f = random_function (r.true(1), r.true(2));
  x = width * rand (n, 1);
  y = f (x) + r.true(3) * randn (n, 1);
  held = width * rand (2000, 1);
  held_y = f (held) + r.true(3) * randn (size (held));

  ## Logarithms keep the parameters positive, and their scales alike.
  squares = (gpuArray (x) - x') .^ 2;
  Y = gpuArray (y);
  cost = @(theta) minus_log_likelihood (theta, squares, Y);
  start = log ([1; 1; 1]);
  [~, g] = cost (start);
  r.gradient = norm (g - by_differences (cost, start)) / norm (g);
  r.seconds = gputimeit (@() cost (start), 2);
  options = optimset ("GradObj", "on", "TolX", 1e-4, "TolFun", 1e-6);
  [theta, value, ~, out] = fminunc (cost, start, options);
  r.found = exp (theta);

  [mean_, sd] = predict (r.found, x, squares, Y, held);
  r.coverage = mean (abs (held_y - mean_) < 1.96 * hypot (sd, r.found(3)));
  r.rms = sqrt (meansq (mean_ - f (held)));

  printf ("device: %s\n", device.Name);
  printf ("%d samples; a likelihood with its gradient takes %.3g ms\n", n, ...
          r.seconds * 1e3);
  printf (["the gradient differs by %.2g from central differences " ...
           "(relative)\n"], r.gradient);
  printf ("log likelihood after %d steps of fminunc: %.2f\n\n", ...
          out.iterations, -value);
  printf ("%-24s %10s %10s\n", "", "found", "true");
  names = {"length", "amplitude", "noise"};
  for k = 1:3
    printf ("%-24s %10.4f %10.4f\n", names{k}, r.found(k), r.true(k));
  endfor
  printf (["\n%.1f %% of %d held out samples lie in the 95 %% band; the " ...
           "mean is off by %.3f (RMS)\n"], 100 * r.coverage, numel (held), ...
          r.rms);

  at = linspace (0, width, 400)';
  draw_figure (png, [900, 480], ...
               @() draw (r.found, x, y, squares, Y, at, f (at)));
  if (nargout > 0)
    result = r;
  endif

endfunction

## A draw from the process itself, but for a finite number of frequencies.
function f = random_function (len, amplitude)

  count = 300;
  frequency = randn (1, count) / len;
  phase = 2 * pi * rand (1, count);
  f = @(x) amplitude * sqrt (2 / count) ...
           * sum (cos (x .* frequency + phase), 2);

endfunction

function K = kernel (squares, p)

  K = p(2) ^ 2 * exp (squares / (-2 * p(1) ^ 2));

endfunction

## Its minimum is the likelihood's maximum.  A matrix that is not positive
## definite, far off, is no error but a bad place.
function [value, gradient] = minus_log_likelihood (theta, squares, y)

  n = rows (y);
  p = exp (theta);
  K = kernel (squares, p);
  [R, failed] = chol (K + p(3) ^ 2 * gpuArray.eye (n));
  if (failed)
    value = Inf;
    gradient = zeros (3, 1);
    return;
  endif
  alpha = R \ (R' \ y);
  value = gather (y' * alpha / 2 + sum (log (diag (R)))) ...
          + n / 2 * log (2 * pi);
  if (nargout > 1)
    ## With W symmetric, trace (W * dK) is the sum of W .* dK.
    W = chol2inv (R) - alpha * alpha';
    WK = W .* K;
    gradient = [sum(sum (WK .* squares)) / p(1) ^ 2 / 2;
                sum(sum (WK));
                p(3) ^ 2 * trace(W)];
    gradient = gather (gradient);
  endif

endfunction

function g = by_differences (cost, theta)

  h = 1e-4;
  g = zeros (3, 1);
  for k = 1:3
    step = h * ((1:3)' == k);
    g(k) = (cost (theta + step) - cost (theta - step)) / (2 * h);
  endfor

endfunction

## Mean and standard deviation of the function itself, without noise.
function [m, sd] = predict (p, x, squares, y, at)

  R = chol (kernel (squares, p) + p(3) ^ 2 * gpuArray.eye (rows (y)));
  V = R' \ kernel ((gpuArray (x) - at') .^ 2, p);
  m = gather (V' * (R' \ y));
  sd = gather (sqrt (max (p(2) ^ 2 - sumsq (V, 1)', 0)));

endfunction

function draw (p, x, y, squares, Y, at, truth)

  [m, sd] = predict (p, x, squares, Y, at);
  half = 1.96 * hypot (sd, p(3));
  shown = 1:ceil (numel (x) / 1000):numel (x);
  colors = {[0.80, 0.87, 0.96], [0.45, 0.45, 0.45], [0.85, 0.33, 0.10], ...
            [0.00, 0.30, 0.60]};
  fill ([at; flipud(at)], [m + half; flipud(m - half)], colors{1}, ...
        "edgecolor", "none");
  hold on;
  plot (x(shown), y(shown), ".", "color", colors{2}, "markersize", 5);
  plot (at, truth, "--", "color", colors{3}, "linewidth", 2);
  plot (at, m, "color", colors{4}, "linewidth", 2);
  hold off;
  axis tight;
  xlabel ("x");
  ylabel ("y");
  title (sprintf ("Gaussian process from %d noisy samples", numel (x)));
  colors{1} = [0.45, 0.60, 0.85];   # the band's would be too pale to read
  write_key (0.03, 0.94, {"95 % band of samples", "samples", "function", ...
                          "mean"}, colors);

endfunction

%!test
%! png = [tempname(), ".png"];
%! unwind_protect
%!   text = evalc ("r = gaussian_process (150, png);");
%!   assert (exist (png, "file") == 2
%!           || isempty (available_graphics_toolkits ()));
%! unwind_protect_cleanup
%!   [~, ~] = unlink (png);
%! end_unwind_protect
%! assert (r.gradient < 1e-7);
%! assert (r.coverage > 0.92 && r.coverage < 0.98);
%! assert (r.rms < 0.6 * r.true(3));
%! assert (abs (r.found ./ r.true - 1) < [0.25; 0.5; 0.15]);
%! assert (! isempty (regexp (text, "length +[\\d.]+ +0.5000\n")));
