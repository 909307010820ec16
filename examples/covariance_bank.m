## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} covariance_bank ()
## @deftypefnx {} {} covariance_bank (@var{filters})
## @deftypefnx {} {} covariance_bank (@var{filters}, @var{png})
## @deftypefnx {} {@var{result} =} covariance_bank (@dots{})
## Track many objects at once by a bank of Kalman filters, one page of an array
## each, and check that their covariances tell how large their errors are.
##
## Each of @var{filters} objects (a million on a GPU, else 2000; @code{[]} is
## the default, too) moves in space with a velocity that changes at random, and
## its position is measured once a second, 30 times.  States are 6 x 1
## (position in m, velocity in m/s), and covariances 6 x 6.  Every object has
## its own strength of the changes and its own covariance of the measurements.
## At the end all covariances are inverted, as the information form of the
## filter has them.
##
## The normalized estimation error squared (NEES), @code{e' * inv (P) * e} for
## the error @var{e} and its covariance @var{P}, is 6 on average for a filter
## that is consistent; that of the innovations (NIS) is 3.
##
## With a file name @var{png}, the NEES and the errors of position are drawn
## there by time, else on the screen if there is one.  @var{result} is a
## structure with the fields
##
## @table @code
## @item nees
## @itemx nis
## the averages over all filters: NEES of the last step, NIS of all steps
## @item nees_bounds
## @itemx nis_bounds
## between which they lie with a probability of 99.9 %
## @item inverse
## the largest element of @code{P * inv (P) - I} by @code{gpu_cholinv} and by
## @code{gpu_inv}
## @item seconds
## the times of a step of all filters, and of all inverses by both
## @end table
##
## Method: Y. Bar-Shalom, X. R. Li and T. Kirubarajan, @cite{Estimation with
## Applications to Tracking and Navigation}, Wiley 2001, sections 5.2, 5.4 and
## 6.2.
## @seealso{gpu_mtimes, gpu_inv, gpu_cholinv, gpu_chol}
## @end deftypefn

function result = covariance_bank (filters, png)

  if (! exist ("gpu_cholinv"))
    pkg load gpulinalg
  endif
  device = gpuDevice ();
  if (nargin < 1 || isempty (filters))
    filters = 2000;
    if (strcmp (device.Backend, "cuda"))
      filters = 1e6;
    endif
  endif
  if (nargin < 2)
    png = "";
  endif

  gpuArray.rand ("seed", 42);
  gpuArray.randn ("seed", 42);
  steps = 30;
  model = bank (filters);

  ## The first estimate is 0, the truth anywhere its covariance says.
  sd = [100; 100; 100; 10; 10; 10];
  truth = sd .* gpuArray.randn (6, 1, filters);
  x = gpuArray.zeros (6, 1, filters);
  P = repmat (gpuArray (diag (sd .^ 2)), 1, 1, filters);
  seconds = nis = nees = off = expected = zeros (1, steps);
  for k = 1:steps
    truth = gpu_mtimes (model.F, truth) ...
            + model.q .* gpu_mtimes (model.G, gpuArray.randn (6, 1, filters));
    z = truth(1:3,:,:) ...
        + gpu_mtimes (model.L, gpuArray.randn (3, 1, filters));
    gpuDevice ("wait");
    from = tic ();
    [x, P, innovation, S_inverse] = step (x, P, z, model);
    gpuDevice ("wait");
    seconds(k) = toc (from);

    nis(k) = squares (innovation, S_inverse);
    e = x - truth;
    nees(k) = squares (e, gpu_cholinv (P));
    off(k) = sqrt (gather (mean (sumsq (e(1:3,1,:), 1), 3)));
    expected(k) = sqrt (gather (mean (P(1,1,:) + P(2,2,:) + P(3,3,:), 3)));
  endfor

  r.nees = nees(steps);
  r.nis = mean (nis);
  r.nees_bounds = chi2_bounds (6 * filters) / filters;
  r.nis_bounds = chi2_bounds (3 * filters * steps) / (filters * steps);
  r.inverse = [farthest(P, gpu_cholinv (P)), farthest(P, gpu_inv (P))];
  r.seconds = [median(seconds), gputimeit(@() gpu_cholinv (P)), ...
               gputimeit(@() gpu_inv (P), 2)];

  printf ("device: %s\n", device.Name);
  printf ("%d filters with 6 states and 3 measurements, %d steps\n\n", ...
          filters, steps);
  names = {"step of all filters", "6 x 6 inverses, gpu_cholinv", ...
           "6 x 6 inverses, gpu_inv, rcond"};
  printf ("%-32s %10s %16s %12s\n", "", "ms", "million/second", "error");
  for k = 1:3
    printf ("%-32s %10.3f %16.3f", names{k}, r.seconds(k) * 1e3, ...
            filters / r.seconds(k) / 1e6);
    if (k > 1)
      printf (" %12.2g", r.inverse(k-1));
    endif
    printf ("\n");
  endfor
  printf ("\nNEES %.4f, of a consistent filter %.4f to %.4f (99.9 %%)\n", ...
          r.nees, r.nees_bounds);
  printf ("NIS  %.4f, of a consistent filter %.4f to %.4f (99.9 %%)\n", ...
          r.nis, r.nis_bounds);
  printf (["position: off by %.2f m, expected %.2f m " ...
           "(RMS of the last step)\n"], off(steps), expected(steps));

  draw_figure (png, [900, 420], ...
               @() draw (nees, r.nees_bounds, off, expected));
  if (nargout > 0)
    result = r;
  endif

endfunction

## Constant velocity with white noise of acceleration, in steps of a second:
## x = F * x + q * G * w, with w of covariance I, and z = x(1:3) + L * v.
function model = bank (filters)

  model.F = gpuArray ([eye(3), eye(3); zeros(3), eye(3)]);
  model.G = gpuArray (kron (chol ([1/3, 1/2; 1/2, 1], "lower"), eye (3)));
  model.q = 0.2 + 1.8 * gpuArray.rand (1, 1, filters);
  model.Q = gpu_mtimes (model.G, model.G') .* model.q .^ 2;
  B = gpuArray.randn (3, 3, filters);
  model.R = 4 * (gpu_mtimes (B, gpu_transpose (B)) + gpuArray.eye (3));
  model.L = gpu_chol (model.R, "lower");

endfunction

## Predict, and correct by the measurements z of the positions.  The last line
## is Joseph's form of the covariance: it stays positive definite.
function [x, P, innovation, S_inverse] = step (x, P, z, model)

  x = gpu_mtimes (model.F, x);
  P = gpu_mtimes (gpu_mtimes (model.F, P), model.F') + model.Q;

  innovation = z - x(1:3,:,:);
  [S_inverse, ~] = gpu_inv (P(1:3,1:3,:) + model.R);
  W = gpu_mtimes (P(:,1:3,:), S_inverse);
  x += gpu_mtimes (W, innovation);
  J = gpuArray.eye (6) - [W, gpuArray.zeros(size (W))];
  P = gpu_mtimes (gpu_mtimes (J, P), gpu_transpose (J)) ...
      + gpu_mtimes (gpu_mtimes (W, model.R), gpu_transpose (W));

endfunction

## The average of e' * X * e.
function m = squares (e, X)

  m = gather (mean (sum (e .* gpu_mtimes (X, e), 1), 3));

endfunction

## Between which a chi-square variable of n degrees of freedom lies with
## a probability of 99.9 %, by E. B. Wilson's and M. M. Hilferty's approximation
## (1931); gammaincinv takes seconds for millions.
function bounds = chi2_bounds (n)

  z = sqrt (2) * erfinv (0.999) * [-1, 1];
  bounds = n * (1 - 2 / (9 * n) + z * sqrt (2 / (9 * n))) .^ 3;

endfunction

function d = farthest (P, X)

  d = gather (max (max (max (abs (gpu_mtimes (P, X) - gpuArray.eye (6))))));

endfunction

function draw (nees, bounds, off, expected)

  t = 1:numel (nees);
  blue = [0.00, 0.30, 0.60];
  grey = [0.45, 0.45, 0.45];
  axes ("position", [0.12, 0.18, 0.34, 0.70]);
  plot (t, nees, "o-", "color", blue, "markersize", 4, ...
        t([1, end]), bounds([1, 1]), "--", "color", grey, ...
        t([1, end]), bounds([2, 2]), "--", "color", grey);
  write_key (0.05, 0.95, {"average NEES", "99.9 % bounds"}, {blue, grey});
  half = diff (bounds);
  axis ([0, t(end) + 1, 6 - 1.5 * half, 6 + 1.5 * half]);
  xlabel ("time (s)");
  ylabel ("NEES");
  title ("consistency");

  axes ("position", [0.62, 0.18, 0.34, 0.70]);
  plot (t, expected, "color", grey, "linewidth", 2, ...
        t, off, "o", "color", blue, "markersize", 4);
  write_key (0.20, 0.95, {"true error", "expected by the filters"}, ...
             {blue, grey});
  xlim ([0, t(end) + 1]);
  xlabel ("time (s)");
  ylabel ("error of position (m, RMS)");
  title ("accuracy");

endfunction

%!test
%! png = [tempname(), ".png"];
%! unwind_protect
%!   text = evalc ("r = covariance_bank (100, png);");
%!   assert (exist (png, "file") == 2
%!           || isempty (available_graphics_toolkits ()));
%! unwind_protect_cleanup
%!   [~, ~] = unlink (png);
%! end_unwind_protect
%! assert (r.nees > r.nees_bounds(1) && r.nees < r.nees_bounds(2));
%! assert (r.nis > r.nis_bounds(1) && r.nis < r.nis_bounds(2));
%! exact = 2 * gammaincinv ([0.0005, 0.9995], 6 * 100 / 2) / 100;
%! assert (r.nees_bounds, exact, 1e-3);
%! assert (r.inverse < 1e-13);
%! assert (! isempty (strfind (text, "100 filters with 6 states")));
