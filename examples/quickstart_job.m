## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} quickstart_job ()
## @deftypefnx {} {} quickstart_job (@var{file})
## Factor a matrix with @code{gpu_chol} and print the device, the time, the
## rate and the residual, with the time of Octave's @code{chol} beside them.
##
## The matrix is the covariance of a Gaussian process over points in the unit
## square, with a Matern 5/2 kernel and noise: 3000 points on the host, 8000
## on a GPU.  With the name of a Matrix Market file, it is the matrix there.
## @seealso{gpu_chol, read_matrix_market}
## @end deftypefn

function quickstart_job (file)

  if (! exist ("gpu_chol"))
    pkg load gpulinalg
  endif
  device = gpuDevice ();
  if (nargin == 0)
    n = 3000;
    if (strcmp (device.Backend, "cuda"))
      n = 8000;
    endif
    A = covariance (n);
    what = sprintf ("Gaussian process covariance, %d points", n);
  else
    A = read_matrix_market (file);
    if (rows (A) != columns (A) || isempty (A))
      error (["quickstart_job: the matrix must be square and not empty, " ...
              "but %s holds a %d x %d matrix"], file, rows (A), columns (A));
    endif
    [~, name, ext] = fileparts (file);
    what = [name, ext];
  endif

  n = rows (A);
  kind = class (A);
  if (iscomplex (A))
    kind = ["complex " kind];
  endif
  printf ("device       %s, %s backend, %.1f GiB free\n", device.Name,
          device.Backend, device.AvailableMemory / 2^30);
  if (! isempty (device.Note))
    printf ("note         %s\n", device.Note);
  endif
  printf ("matrix       %s: n = %d, %s, %.3g MiB\n", what, n, kind,
          sizeof (A) / 2^20);
  if (! ishermitian (A))
    printf ("note         not Hermitian: only the upper triangle is read\n");
  endif

  ## The first call pays for opening the device and its libraries.
  runs = 3;
  [R, p] = gpu_chol (A);
  seconds = zeros (runs, 2);
  for k = 1:runs
    tic;
    [R, p] = gpu_chol (A);
    seconds(k,1) = toc;
    tic;
    [~, q] = chol (A);
    seconds(k,2) = toc;
  endfor
  seconds = median (seconds, 1);

  if (p == 0)
    gflop = n^3 / 3e9 * (1 + 3 * iscomplex (A));
    printf ("gpu_chol     %.3g s, %.3g GFLOP/s (median of %d runs)\n",
            seconds(1), gflop / seconds(1), runs);
    printf ("Octave chol  %.3g s, %.3g GFLOP/s (median of %d runs)\n",
            seconds(2), gflop / seconds(2), runs);
    printf ("residual     %.2g in units of n*eps*norm (below 1 is good)\n",
            residual (A, R));
  else
    printf ("gpu_chol     %.3g s (median of %d runs)\n", seconds(1), runs);
    printf ("Octave chol  %.3g s (median of %d runs)\n", seconds(2), runs);
    printf (["result       not positive definite: pivot %d of %d " ...
             "(Octave's chol: pivot %d)\n"], p, n, q);
  endif

endfunction

## Matern 5/2 kernel with length 0.2, and noise of variance 0.01.
function K = covariance (n)

  rand ("twister", 42);
  x = rand (n, 2);
  d = sqrt ((x(:,1) - x(:,1)') .^ 2 + (x(:,2) - x(:,2)') .^ 2);
  d *= sqrt (5) / 0.2;
  K = (1 + d + d .^ 2 / 3) .* exp (-d) + 0.01 * eye (n);

endfunction

## Of the Hermitian matrix that the upper triangle of A stands for.
function r = residual (A, R)

  A = triu (A);
  A = A + triu (A, 1)';
  A(1:rows (A)+1:end) = real (diag (A));
  r = norm (R' * R - A, "fro") / (rows (A) * eps * norm (A, "fro"));

endfunction

%!function s = job_on (varargin)
%!  file = tempname ();
%!  fid = fopen (file, "w");
%!  fprintf (fid, "%%%%MatrixMarket matrix array %s\n", varargin{1});
%!  fprintf (fid, "%s\n", varargin{2:end});
%!  fclose (fid);
%!  unwind_protect
%!    s = evalc ("quickstart_job (file)");
%!  unwind_protect_cleanup
%!    unlink (file);
%!  end_unwind_protect
%!endfunction

%!test
%! s = job_on ("real symmetric", "2 2", "4", "2", "5");
%! assert (! isempty (regexp (s, 'matrix .* n = 2, double, .* MiB\n')));
%! assert (! isempty (regexp (s, 'gpu_chol +\S+ s, \S+ GFLOP/s')));
%! r = regexp (s, 'residual +(\S+)', "tokens"){1}{1};
%! assert (str2double (r) < 1);
%!test
%! s = job_on ("complex general", "2 2", "4 0", "0 0", "1 1", "1 0");
%! assert (! isempty (regexp (s, 'complex double')));
%! assert (! isempty (regexp (s, 'not Hermitian')));
%! r = regexp (s, 'residual +(\S+)', "tokens"){1}{1};
%! assert (str2double (r) < 1);
%!test
%! s = job_on ("real symmetric", "2 2", "1", "2", "1");
%! assert (! isempty (strfind (s, "not positive definite: pivot 2 of 2")));
%! assert (! isempty (strfind (s, "(Octave's chol: pivot 2)")));
%!error <must be square and not empty, but .* holds a 1 x 2 matrix$>
%! job_on ("real general", "1 2", "1", "1");
%!error <called with too many inputs> quickstart_job (1, 2)
