## gpu_chol beside chol: the same result, class and size, or the same message
## under its own name.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## What a call gives: its outputs, or its error with chol's name for ours.
%!function [out, id] = outcome (f, nout, varargin)
%!  out = cell (1, nout);
%!  id = "";
%!  try
%!    [out{:}] = f (varargin{:});
%!  catch err
%!    out = strrep (err.message, "gpu_chol: ", "chol: ");
%!    id = err.identifier;
%!  end_try_catch
%!endfunction

%!function same (varargin)
%!  for nout = 1:2
%!    [ours, our_id] = outcome (@gpu_chol, nout, varargin{:});
%!    [want, want_id] = outcome (@chol, nout, varargin{:});
%!    assert (our_id, want_id);
%!    if (ischar (want))
%!      assert (ours, want);
%!    else
%!      assert (iscell (ours));
%!      for k = 1:nout
%!        assert (class (ours{k}), class (want{k}));
%!        assert (iscomplex (ours{k}), iscomplex (want{k}));
%!        assert (full (ours{k}), full (want{k}), 4 * eps ("single"));
%!      endfor
%!    endif
%!  endfor
%!endfunction

%!function list = matrices ()
%!  A = [4, 2; 2, 5];
%!  Z = [4, 1i; -1i, 5];
%!  list = {4, 0, -4, NaN, Inf, -Inf, 1i, 4+1i, complex(4, 0), single(4), ...
%!          single(-4), A, single(A), Z, single(Z), complex(A), ...
%!          single(complex (A)), [1, 2; 2, 1], single([1, 2; 2, 1]), ...
%!          [1, 2i; -2i, 1], zeros(2), ones(2), [1, 2; 0, 5], ...
%!          [1+3i, 2; 2, 5], [4, 1i; 1i, 5], ones(2, 3), ones(1, 3), 1:3, ...
%!          5:5, eye(2), eye(2)(:,[2, 1]), eye(3)(:,[1, 3, 2]), ...
%!          eye(2, 3), 2*eye(2), single(2)*eye(2), diag([1, -2, 3]), ...
%!          int8(A), uint64(A), int32([1, 2; 2, 1]), true, false, true(2), ...
%!          uint8(5), {1}, {1, 2}, struct(), struct("a", {1, 2}), @sin, ...
%!          containers.Map(), containers.Map({"a"}, {1})};
%!endfunction

%!test
%! for A = matrices ()
%!   same (A{1});
%! endfor
%!test
%! for A = matrices ()
%!   same (A{1}, "lower");
%! endfor

## Options, and which complaint comes first.
%!test
%! values = {[4, 2; 2, 5], ones(2, 3), {1}, struct(), []};
%! options = {{"lowr"}, {""}, {1}, {{}}, {@sin}, {"lower", 1}, ...
%!            {"lowr", 1}, {1, "lowr"}, {"upper", "LOWER"}, ...
%!            {"Lower", "uPPer"}};
%! for v = values
%!   for o = options
%!     if (! isempty (v{1}) || ischar (outcome (@chol, 1, v{1}, o{1}{:})))
%!       same (v{1}, o{1}{:});
%!     endif
%!   endfor
%! endfor
%!test
%! for v = {[4, 2; 2, 5], ones(2, 3), {1}, "a", NaN}
%!   same (v{1}, "vector");
%!   same (v{1}, "vector", "lower");
%! endfor

## With one output, empty input gives what chol gives.  Two outputs of chol
## are an error there, and p = 0 here.
%!test
%! for A = {[], zeros(0, 3), zeros(3, 0), {}, "", int8([]), struct([])}
%!   assert (gpu_chol (A{1}), chol (A{1}));
%!   assert (class (gpu_chol (A{1})), class (chol (A{1})));
%!   [~, p] = gpu_chol (A{1});
%!   assert (p, 0);
%! endfor

## chol's message for a string is that of the conversion, without a name.
%!test
%! for A = {"a", "ab", ["ab"; "cd"]}
%!   ours = outcome (@gpu_chol, 1, A{1});
%!   assert (ours, ["chol: ", outcome(@chol, 1, A{1})]);
%! endfor

## Three outputs
%!test
%! for A = {[4, 2; 2, 5], [], {1}, ones(2, 3)}
%!   assert (outcome (@gpu_chol, 3, A{1}), outcome (@chol, 3, A{1}));
%!   assert (outcome (@gpu_chol, 3, A{1}, 1), outcome (@chol, 3, A{1}, 1));
%! endfor
