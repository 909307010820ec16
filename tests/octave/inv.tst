## gpu_inv beside inv: the same results, classes, types and warnings, or the
## same message under its own name.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## What a call gives: its outputs, or its error with our name for Octave's, and
## the identifier and text of its last warning.
%!function [out, warned, id] = outcome (f, nout, A)
%!  out = cell (1, nout);
%!  id = "";
%!  lastwarn ("", "");
%!  try
%!    evalc ("[out{:}] = f (A);");
%!  catch err
%!    out = regexprep (err.message, '^inv(erse)?: ', "gpu_inv: ");
%!    id = err.identifier;
%!  end_try_catch
%!  [text, warn_id] = lastwarn ();
%!  warned = {text, warn_id};
%!endfunction

## Octave's rcond is an estimate, never below the one that is computed.
%!function same (A)
%!  for nout = 1:2
%!    [ours, warned, id] = outcome (@gpu_inv, nout, A);
%!    [want, want_warned, want_id] = outcome (@inv, nout, A);
%!    assert (id, want_id);
%!    assert (warned{2}, want_warned{2});
%!    assert (strtok (warned{1}, "="), strtok (want_warned{1}, "="));
%!    if (ischar (want))
%!      assert (ours, want);
%!    else
%!      assert (iscell (ours));
%!      if (nout == 2)
%!        assert (class (ours{2}), class (want{2}));
%!        r = ours{2};
%!        if (! issparse (A))   # Octave's rcond of those is another
%!          assert (r <= 1.001 * want{2} && r >= want{2} / 3 ...
%!                  || isnan (r) && isnan (want{2}));
%!        endif
%!        tol = min (1, 8 * eps (class (r)) / max (r, realmin));
%!        assert (full (ours{1}), full (want{1}),
%!                tol * max (abs (full (want{1})(:))));
%!      elseif (issparse (A))
%!        assert (issparse (ours{1}), false);
%!      else
%!        assert (typeinfo (ours{1}), typeinfo (want{1}));
%!      endif
%!    endif
%!  endfor
%!endfunction

## Those with NaN or Inf are beside the contract: Octave's result depends on
## its BLAS.
%!function list = matrices ()
%!  A = [4, 2; 2, 5];
%!  Z = [4, 1i; -1i, 5];
%!  list = {4, 0, -4, NaN, Inf, -Inf, 1i, 4+1i, complex(4, 0), single(4), ...
%!          single(0), 1e-200, 1e-310, A, single(A), Z, single(Z), ...
%!          complex(A), single(complex (A)), [1, 2; 3, 4], magic(3), ...
%!          single(magic (3)), [1, 2; 0, 4], [1, 0; 2, 4], [1, 2i; 3, 4], ...
%!          zeros(2), ones(2), single(ones (3)), [1, 2; 2, 4], ...
%!          [1i, 2i; 1i, 2i], [1, 2; 0, 0], [1, 1; 1, 1+eps], ...
%!          [1, 1; 0, 1e-20], single([1, 1; 1, 1+eps("single")]), ...
%!          ones(2, 3), ones(1, 3), 1:3, 5:5, eye(2), eye(3)(:,[2, 3, 1]), ...
%!          eye(2, 3), 2*eye(2), 2i*eye(2), diag([1, 0, 2]), ...
%!          diag([1, 1e-20]), single(2)*eye(2), int8(A), uint64(A), ...
%!          int32([1, 2; 2, 4]), true, false, true(2), logical(eye (2)), ...
%!          uint8(5), {1}, {1, 2}, struct(), struct("a", {1, 2}), @sin, ...
%!          containers.Map(), containers.Map({"a"}, {1}), ...
%!          ["ab"], sparse([4, 2; 2, 5]), sparse(ones (2)), ...
%!          sparse(ones (2, 3))};
%!endfunction

%!test
%! for A = matrices ()
%!   same (A{1});
%! endfor

## Matrices that are hardly singular, and large ones that are.
%!test
%! for A = {hilb(4), single(hilb (3)), hilb(13), zeros(100), ...
%!          single(ones (40))}
%!   [~, warned] = outcome (@gpu_inv, 1, A{1});
%!   [~, want] = outcome (@inv, 1, A{1});
%!   assert (warned{2}, want{2});
%!   assert (strtok (warned{1}, "="), strtok (want{1}, "="));
%! endfor

## Empty input gives what inv gives.  Two outputs of inv are an error there.
%!test
%! for A = {[], zeros(0, 3), zeros(3, 0), {}, "", int8([]), struct([])}
%!   assert (gpu_inv (A{1}), inv (A{1}));
%!   assert (class (gpu_inv (A{1})), class (inv (A{1})));
%! endfor

## inv's message for a string is that of the conversion, without a name.
%!test
%! for A = {"a", ["ab"; "cd"]}
%!   ours = outcome (@gpu_inv, 1, A{1});
%!   assert (ours, ["gpu_inv: ", outcome(@inv, 1, A{1})]);
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
%!       [X, rcond] = gpu_inv (A);
%!       for k = 1:100
%!         [Y, r] = gpu_inv (A);
%!         assert (isequal (X, Y) && isequal (r, rcond));
%!       endfor
%!     endfor
%!   endfor
%! endfor
