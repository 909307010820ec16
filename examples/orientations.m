## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} orientations ()
## @deftypefnx {} {} orientations (@var{n})
## @deftypefnx {} {[@var{worst}, @var{drift}] =} orientations (@dots{})
## Turn many rigid bodies at once: compose @var{n} orientations with as many
## small turns, 100 times, and turn a vector by each.
##
## Orientations are unit quaternions, @var{n} x 1 x 4 (a million on a GPU, else
## 20000).  Printed are the time of a step, how far the moduli drift from 1
## (@var{drift}), and the largest distance (@var{worst}) from what rotation
## matrices give.
## @seealso{gpu_qtimes, gpu_qconj, qcnn_forward}
## @end deftypefn

function [worst, drift] = orientations (n)

  if (! exist ("gpu_qtimes"))
    pkg load gpulinalg
  endif
  device = gpuDevice ();
  if (nargin < 1)
    n = 20000;
    if (strcmp (device.Backend, "cuda"))
      n = 1e6;
    endif
  endif

  steps = 100;
  randn ("twister", 42);
  q = randn (n, 1, 4);
  q ./= sqrt (sumsq (q, 3));
  axis = randn (n, 1, 3);
  axis ./= sqrt (sumsq (axis, 3));
  angle = 0.02 * randn (n, 1);
  turn = cat (3, cos (angle / 2), sin (angle / 2) .* axis);
  v = randn (n, 3);

  g = gpuArray (q);
  t = gpuArray (turn);
  gpu_qtimes (t, g);   # the first call takes memory
  gpuDevice ("wait");
  from = tic ();
  for k = 1:steps
    g = gpu_qtimes (t, g);
  endfor
  gpuDevice ("wait");
  seconds = toc (from) / steps;

  drift_ = gather (max (abs (sqrt (sum (g .* g, 3)) - 1)));
  p = gpuArray (cat (3, zeros (n, 1), reshape (v, n, 1, 3)));
  turned = gather (gpu_qtimes (gpu_qtimes (g, p), gpu_qconj (g)));
  turned = reshape (turned(:,:,2:4), n, 3);

  ## The same turns about one axis make one turn by 100 times the angle.
  total = cat (3, cos (steps * angle / 2), sin (steps * angle / 2) .* axis);
  want = by_matrix (total, by_matrix (q, v));
  worst_ = max (sqrt (sumsq (turned - want, 2)));

  printf ("device: %s\n", device.Name);
  printf ("%d orientations, %d steps: %.3g ms a step, %.3g million a second\n", ...
          n, steps, seconds * 1e3, n / seconds / 1e6);
  printf ("moduli drift by %.2g; vectors differ by %.2g from those of rotation matrices\n", ...
          drift_, worst_);
  if (nargout > 0)
    worst = worst_;
    drift = drift_;
  endif

endfunction

## Each row of v turned by the rotation matrix of its quaternion.
function u = by_matrix (q, v)

  [w, x, y, z] = num2cell (reshape (q, rows (q), 4), 1){:};
  u = [(1 - 2 * (y .^ 2 + z .^ 2)) .* v(:,1) ...
       + 2 * (x .* y - w .* z) .* v(:,2) + 2 * (x .* z + w .* y) .* v(:,3), ...
       2 * (x .* y + w .* z) .* v(:,1) ...
       + (1 - 2 * (x .^ 2 + z .^ 2)) .* v(:,2) ...
       + 2 * (y .* z - w .* x) .* v(:,3), ...
       2 * (x .* z - w .* y) .* v(:,1) + 2 * (y .* z + w .* x) .* v(:,2) ...
       + (1 - 2 * (x .^ 2 + y .^ 2)) .* v(:,3)];

endfunction

%!test
%! text = evalc ("[worst, drift] = orientations (500);");
%! assert (worst < 1e-12);
%! assert (drift < 1e-13);
%! assert (! isempty (strfind (text, "500 orientations, 100 steps")));
