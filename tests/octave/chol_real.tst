## gpu_chol on matrices from practice, read from the folder named by the
## environment variable GPULINALG_MATRICES.
##
## SPDX-License-Identifier: GPL-3.0-or-later

%!function A = matrix (name)
%!  A = read_matrix_market (fullfile (getenv ("GPULINALG_MATRICES"), ...
%!                                    [name, ".mtx"]));
%!endfunction

%!function check (name, uplo)
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

%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check ("bcsstk01", "upper");
%! check ("bcsstk01", "lower");
%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check ("bcsstk13", "upper");
%! check ("bcsstk13", "lower");
%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check ("bcsstk16", "upper");
%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check ("mhd1280b", "upper");
%! check ("mhd1280b", "lower");
%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check_failing ("west0067");
%!testif ; ! isempty (getenv ("GPULINALG_MATRICES"))
%! check_failing ("young1c");
