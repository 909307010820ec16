## The functions on matrices from practice, read from the folder named by the
## environment variable GPULINALG_MATRICES.
##
## SPDX-License-Identifier: GPL-3.0-or-later

%!function A = matrix (name)
%!  A = read_matrix_market (fullfile (getenv ("GPULINALG_MATRICES"), ...
%!                                    [name, ".mtx"]));
%!endfunction

## Cholesky factors.
%!function check_chol (name, uplo)
%!  A = matrix (name);
%!  R = gpu_chol (A, uplo);
%!  if (strcmp (uplo, "lower"))
%!    R = R';
%!  endif
%!  assert (istriu (R));
%!  unit = rows (A) * eps * norm (A, "fro");
%!  assert (norm (R' * R - A, "fro") / unit < 1);
%!endfunction

%!function check_failing (name)
%!  A = matrix (name);
%!  for uplo = {"upper", "lower"}
%!    [C, q] = chol (A, uplo{1});
%!    [R, p] = gpu_chol (A, uplo{1});
%!    assert (p, q);
%!    assert (q > 0);
%!    assert (size (R), size (C));
%!    assert (norm (R - C, "fro") <= 1e-10 * norm (C, "fro"));
%!  endfor
%!endfunction

## The inverse beside Octave's: its residual (on four vectors) is as small, the
## two agree as far as the condition allows, and both warn or neither.
%!function check_inv (name)
%!  A = full (matrix (name));
%!  n = rows (A);
%!  [X, id] = warned (@gpu_inv, A);
%!  [C, want_id] = warned (@inv, A);
%!  assert (id, want_id);
%!  unit = n * eps * norm (A, 1) * norm (C, 1);
%!  assert (norm (X - C, 1) <= 4 * unit * norm (C, 1));
%!  rand ("twister", 42);
%!  V = rand (n, 4) - 0.5;
%!  residual = @(X) min (norm (A * (X * V) - V, 1), norm (X * (A * V) - V, 1));
%!  assert (residual (X) <= max (unit, 10 * residual (C)) * norm (V, 1));
%!endfunction

%!function [X, id] = warned (f, A)
%!  lastwarn ("", "");
%!  evalc ("X = f (A);");
%!  [~, id] = lastwarn ();
%!endfunction

## The determinant beside that of Octave's factors: its own would overflow.
%!function check_logdet (name)
%!  A = full (matrix (name));
%!  n = rows (A);
%!  [L, U, P] = lu (A);
%!  u = diag (U);
%!  want = sum (log (abs (u)));
%!  [l, s] = gpu_logdet (A);
%!  assert (abs (l - want) <= 1e-12 * n * max (1, abs (want)));
%!  assert (abs (s - prod (u ./ abs (u)) * det (P)) <= 1e-12 * n);
%!  if (n < 1000)
%!    assert (gpu_det (A), s * exp (l), 1e-10 * exp (l));
%!  endif
%!endfunction

## LU factors: the backward error beside that of Octave's.
%!function check_lu (name)
%!  A = full (matrix (name));
%!  [L, U, P] = gpu_lu (A);
%!  [M, V, Q] = lu (A);
%!  unit = rows (A) * eps * norm (abs (M) * abs (V), 1);
%!  assert (norm (P * A - L * U, 1) <= max (unit, norm (Q * A - M * V, 1)));
%!endfunction

## The backward error of a solution.
%!function check_solve (name)
%!  A = full (matrix (name));
%!  b = A * ones (rows (A), 1);
%!  evalc ("x = gpu_mldivide (A, b); y = A \\ b;");
%!  error_of = @(x) norm (A * x - b, 1) / (norm (A, 1) * norm (x, 1));
%!  assert (error_of (x) <= max (rows (A) * eps, error_of (y)));
%!endfunction

%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check_chol ("bcsstk01", "upper");
%! check_chol ("bcsstk01", "lower");
%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check_chol ("bcsstk13", "upper");
%! check_chol ("bcsstk13", "lower");
%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check_chol ("bcsstk16", "upper");
%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check_chol ("mhd1280b", "upper");
%! check_chol ("mhd1280b", "lower");
%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check_failing ("west0067");
%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check_failing ("young1c");

%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check_lu ("west0067");
%! check_solve ("west0067");
%! check_inv ("west0067");
%! check_logdet ("west0067");
%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check_lu ("fs_183_1");
%! check_solve ("fs_183_1");
%! check_inv ("fs_183_1");
%! check_logdet ("fs_183_1");
%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check_lu ("young1c");
%! check_solve ("young1c");
%! check_inv ("young1c");
%! check_logdet ("young1c");
%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check_solve ("bcsstk16");
%! check_inv ("bcsstk16");
%! check_logdet ("bcsstk16");
