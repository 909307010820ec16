## gpu_det beside det: the same results and classes, or the same message under
## its own name; gpu_logdet beside both.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## What a call gives: its outputs, or its error with our name for Octave's.
%!function [out, id] = outcome (f, nout, A)
%!  out = cell (1, nout);
%!  id = "";
%!  try
%!    [out{:}] = f (A);
%!  catch err
%!    out = strrep (err.message, "gpu_logdet: ", "gpu_det: ");
%!    out = regexprep (out, '^det: ', "gpu_det: ");
%!    id = err.identifier;
%!  end_try_catch
%!endfunction

## Octave gives 0 as rcond of scalars and triangular matrices: there, inv's is
## right.
%!function same (A)
%!  lastwarn ("", "");
%!  [want, want_id] = outcome (@det, 1, A);
%!  for nout = 1:2
%!    [ours, id] = outcome (@gpu_det, nout, A);
%!    assert (id, want_id);
%!    if (ischar (want))
%!      assert (ours, want);
%!      assert (outcome (@gpu_logdet, nout, A), want);
%!    else
%!      assert (iscell (ours));
%!      tol = 20 * eps (class (want{1})) * max (abs (double (A)(:))) ^ rows (A);
%!      assert (full (ours{1}), full (want{1}), full (tol));
%!      assert (class (ours{1}), class (want{1}));
%!      assert (iscomplex (ours{1}), iscomplex (want{1}));
%!    endif
%!  endfor
%!  assert (lastwarn (), "");
%!  if (iscell (want))
%!    [l, s] = gpu_logdet (A);
%!    tol = tol + 2 * eps (class (l)) * abs (max (l, -1e4)) * exp (l);
%!    assert (s * exp (l), full (want{1}), 2 * full (tol));
%!    assert (class (l), class (want{1}));
%!    assert (class (s), class (want{1}));
%!    [~, r] = gpu_inv (A);
%!    assert (ours{2}, full (r), 8 * eps (class (r)));
%!  endif
%!endfunction

%!function list = matrices ()
%!  A = [4, 2; 2, 5];
%!  Z = [4, 1i; -1i, 5];
%!  list = {4, 0, -4, 1i, 4+1i, complex(4, 0), single(4), single(0), ...
%!          1e-200, A, single(A), Z, single(Z), complex(A), ...
%!          single(complex (A)), [1, 2; 3, 4], magic(3), magic(4), ...
%!          single(magic (3)), single(magic (4)), [1, 2; 0, 4], ...
%!          [1, 0; 2, 4], [1, 2i; 3, 4], zeros(2), ones(2), ...
%!          single(ones (3)), [1, 2; 2, 4], [1i, 2i; 1i, 2i], ...
%!          [1, 2; 0, 0], [1, 1; 1, 1+eps], ones(2, 3), ones(1, 3), 1:3, ...
%!          5:5, eye(2), eye(3)(:,[2, 3, 1]), eye(3)(:,[2, 1, 3]), ...
%!          eye(2, 3), 2*eye(2), 2i*eye(2), diag([1, 0, 2]), ...
%!          diag([1, 1e-20]), single(2)*eye(2), int8(A), uint64(A), ...
%!          int32([1, 2; 2, 4]), true, false, true(2), logical(eye (2)), ...
%!          uint8(5), {1}, {1, 2}, struct(), struct("a", {1, 2}), @sin, ...
%!          containers.Map(), containers.Map({"a"}, {1}), "ab", ...
%!          sparse([4, 2; 2, 5]), sparse(ones (2)), sparse(ones (2, 3))};
%!endfunction

%!test
%! for A = matrices ()
%!   same (A{1});
%! endfor

## NaN and Inf
%!test
%! for A = {NaN, Inf, -Inf, NaN(2), NaN(3, "single"), NaN(150)}
%!   assert (gpu_det (A{1}), det (A{1}));
%! endfor
%!assert (gpu_det ([1, 2; NaN, 4]), NaN)

## Empty input gives what det gives.  Two outputs of det are an error there.
%!test
%! for A = {[], zeros(0, 3), zeros(3, 0), {}, "", int8([]), struct([])}
%!   assert (gpu_det (A{1}), det (A{1}));
%!   assert (class (gpu_det (A{1})), class (det (A{1})));
%! endfor

## det's message for a string is that of the conversion, without a name.
%!test
%! for A = {"a", ["ab"; "cd"]}
%!   ours = outcome (@gpu_det, 1, A{1});
%!   assert (ours, ["gpu_det: ", outcome(@det, 1, A{1})]);
%! endfor

## The same bits in 100 calls, at every size that has its own way.
%!test
%! randn ("twister", 42);
%! for n = [2, 5, 12, 20, 33, 100, 140]
%!   for cls = {"single", "double"}
%!     for is_complex = [false, true]
%!       A = randn ([n, n, 3], cls{1});
%!       if (is_complex)
%!         A = complex (A, randn ([n, n, 3], cls{1}));
%!       endif
%!       d = gpu_det (A);
%!       [l, s] = gpu_logdet (A);
%!       for k = 1:100
%!         assert (isequal (gpu_det (A), d));
%!         [l2, s2] = gpu_logdet (A);
%!         assert (isequal (l2, l) && isequal (s2, s));
%!       endfor
%!     endfor
%!   endfor
%! endfor
