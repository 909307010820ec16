## Every operator and method of gpuArray beside Octave's own, on random arrays
## of all classes and shapes, with every mix of host and device operands: the
## class, the size and the values of each result or, where Octave fails, its
## message and identifier.
##
## SPDX-License-Identifier: GPL-3.0-or-later

%!function list = all_classes ()
%!  list = {"double", "single", "cdouble", "csingle", "logical"};
%!endfunction

%!function list = shapes ()
%!  list = {[0, 0], [0, 3], [3, 0], [1, 1], [1, 5], [4, 1], [4, 3], [3, 3], ...
%!          [2, 3, 4], [1, 1, 3], [1, 4, 2], [0, 3, 2], [2, 3, 0]};
%!endfunction

## An array of that size and class.  WHOLE numbers are small, so that sums and
## products of them are exact and many are equal.
%!function A = sample (sz, cls, whole)
%!  if (strcmp (cls, "logical"))
%!    A = rand (sz) < 0.6;
%!    return;
%!  elseif (whole)
%!    A = randi ([-3, 3], sz);
%!    B = randi ([1, 3], sz) .* sign (rand (sz) - 0.5);
%!  else
%!    A = 2 * randn (sz);
%!    B = 2 * randn (sz);
%!  endif
%!  if (cls(1) == "c")
%!    A = complex (A, B);
%!    cls(1) = [];
%!  endif
%!  A = cast (A, cls);
%!endfunction

## What a call gives: its outputs, or its error.
%!function [out, id] = outcome (f, nout, args)
%!  out = cell (1, nout);
%!  id = "";
%!  try
%!    [out{:}] = f (args{:});
%!  catch err
%!    out = err.message;
%!    id = err.identifier;
%!  end_try_catch
%!endfunction

## A call in words.
%!function s = words (f, args)
%!  s = "";
%!  for k = 1:numel (args)
%!    x = args{k};
%!    place = "";
%!    if (isa (x, "gpuArray"))
%!      place = "device ";
%!      x = gather (x);
%!    endif
%!    if (ndims (x) == 2 && numel (x) < 4 && isfloat (x))
%!      s = [s, ", ", place, class(x), " ", mat2str(x, 5)];
%!    else
%!      s = [s, ", ", place, class(x), " ", sprintf("%dx", size (x))(1:end-1)];
%!    endif
%!  endfor
%!  s = sprintf ("%s (%s)", func2str (f), s(3:end));
%!endfunction

## What is wrong with F on ARGS, of which those in ARRAYS are put on the device
## in every mix: NOUT results with relative errors of TOL * eps.
%!function bad = compare (f, args, arrays, tol, nout = 1)
%!  bad = {};
%!  [want, want_id] = outcome (f, nout, args);
%!  on_device = args;
%!  for k = arrays
%!    on_device{k} = gpuArray (args{k});
%!  endfor
%!  mixes = {1, [1, 0; 0, 1; 1, 1], dec2bin(1:7) - "0"}{numel (arrays)};
%!  for mix = mixes'
%!    k = arrays(mix == 1);
%!    given = args;
%!    given(k) = on_device(k);
%!    [ours, our_id] = outcome (f, nout, given);
%!    try
%!      if (ischar (want) && ischar (ours)
%!          && regexp (ours, '/(horz|vert)cat method failed$'))
%!        ## This is all that Octave says about methods behind brackets.
%!      elseif (ischar (want))
%!        assert (ischar (ours), "no error, but %s", want);
%!        assert (strcmp (ours, want), "%s, not %s", ours, want);
%!        assert (our_id, want_id);
%!      else
%!        assert (iscell (ours), "%s", ours);
%!        for k = 1:nout
%!          check (ours{k}, want{k}, tol);
%!        endfor
%!      endif
%!    catch err
%!      bad{end+1} = [words(f, given), ": ", err.message, "\n"];
%!    end_try_catch
%!  endfor
%!endfunction

## TOL is relative, in eps; a negative one is relative to the largest element.
%!function check (x, want, tol)
%!  if (! isa (x, "gpuArray"))
%!    error ("the result is no device array");
%!  endif
%!  x = gather (x);
%!  want = full (want);
%!  if (strcmp (class (x), class (want)) && size_equal (x, want)
%!      && iscomplex (x) == iscomplex (want) && all (x(:) == want(:)))
%!    return;   # the short way of what follows
%!  endif
%!  kind = @(x) [class(x), " ", mat2str(size (x)), " ", ...
%!               {"real", "complex"}{1+iscomplex(x)}];
%!  assert (strcmp (kind (x), kind (want)), "%s, not %s", kind (x), ...
%!          kind (want));
%!  if (isfloat (want))
%!    tol *= eps (class (want));
%!  endif
%!  if (iscomplex (want))   # C and C++ differ on what is not finite
%!    x(! isfinite (want)) = 0;
%!    want(! isfinite (want)) = 0;
%!  endif
%!  if (tol < 0)
%!    tol *= -max (abs (want(:)));
%!    assert (x, want, tol);
%!  else
%!    assert (x, want, -tol);
%!  endif
%!endfunction

## Show what is BAD, if something is.
%!function report (bad)
%!  n = numel (bad);
%!  if (n > 0)
%!    error ("%d calls are wrong, among them:\n%s", n,
%!           [bad{unique(round (linspace (1, n, 20)))}]);
%!  endif
%!endfunction

## Of one operand, exactly
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! bad = {};
%! for f = {@uminus, @uplus, @not, @floor, @ceil, @round, @fix, @real, ...
%!          @imag, @conj, @isnan, @isinf, @isfinite, @transpose, ...
%!          @ctranspose, @squeeze, @complex, @any, @all}
%!   for cls = all_classes ()
%!     for sz = shapes ()
%!       bad = [bad, compare(f{1}, {sample(sz{1}, cls{1}, false)}, 1, 0)];
%!       bad = [bad, compare(f{1}, {sample(sz{1}, cls{1}, true)}, 1, 0)];
%!     endfor
%!   endfor
%! endfor
%! report (bad);

## Of one operand, with rounding
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! bad = {};
%! for f = {@exp, @expm1, @log, @log1p, @log2, @log10, @sqrt, @abs, @arg, ...
%!          @angle, @sin, @cos, @tan, @asin, @acos, @atan, @sinh, @cosh, ...
%!          @tanh, @sign}
%!   for cls = all_classes ()
%!     for sz = shapes ()
%!       A = sample (sz{1}, cls{1}, false);
%!       bad = [bad, compare(f{1}, {A}, 1, 32)];
%!       A = sample (sz{1}, cls{1}, true);
%!       bad = [bad, compare(f{1}, {A}, 1, 32)];
%!       if (! islogical (A))
%!         bad = [bad, compare(f{1}, {A .* (A != 0)}, 1, 32)];
%!         bad = [bad, compare(f{1}, {cast(1e-4, class (A)) * A}, 1, 32)];
%!       endif
%!     endfor
%!   endfor
%! endfor
%! report (bad);

## Values at the ends of the range
%!test
%! bad = {};
%! for f = {@uminus, @floor, @ceil, @round, @fix, @sign, @abs, @real, @imag, ...
%!          @conj, @isnan, @isinf, @isfinite, @exp, @expm1, @log, @log1p, ...
%!          @log2, @log10, @sqrt, @sin, @cos, @tan, @atan, @sinh, @cosh, ...
%!          @tanh, @asin, @acos, @arg}
%!   for cls = {"single", "double"}
%!     for x = [0, -0, Inf, -Inf, NaN, realmax(cls{1}), -realmax(cls{1}), ...
%!              realmin(cls{1}), eps(cls{1}), 1, -1, 0.5, -0.5, 2.5, -2.5]
%!       x = cast (x, cls{1});
%!       bad = [bad, compare(f{1}, {x}, 1, 8), compare(f{1}, {[x, 2]}, 1, 8)];
%!     endfor
%!   endfor
%! endfor
%! report (bad);

## Pairs of sizes: equal, broadcast, and such that do not fit
%!function list = pairs ()
%!  list = {[4, 3], [4, 3]; [2, 3, 4], [2, 3, 4]; [1, 1], [1, 1]; ...
%!          [0, 0], [0, 0]; [0, 3], [0, 3]; [1, 5], [1, 5]; ...
%!          [4, 3], [1, 1]; [1, 1], [2, 3, 4]; [4, 3], [1, 3]; ...
%!          [4, 1], [4, 3]; [4, 1], [1, 3]; [2, 3, 4], [2, 1, 4]; ...
%!          [2, 3], [1, 1, 4]; [1, 3, 4], [2, 1]; [0, 3], [1, 1]; ...
%!          [1, 1], [0, 0]; [0, 3], [1, 3]; [0, 1], [1, 3]; ...
%!          [2, 3], [3, 2]; [2, 3, 2], [2, 3, 3]; [0, 3], [2, 3]; ...
%!          [0, 0], [1, 3]; [2, 3], [2, 2, 2]; [3, 0], [3, 2]};
%!endfunction

## What is wrong with the functions FS of two arrays, every second time of small
## whole numbers.
%!function bad = pairwise (fs, tol)
%!  bad = {};
%!  whole = false;
%!  for f = fs
%!    for s = pairs ()'
%!      for class_A = all_classes ()
%!        for class_B = all_classes ()
%!          whole = ! whole;
%!          A = sample (s{1}, class_A{1}, whole);
%!          B = sample (s{2}, class_B{1}, whole);
%!          bad = [bad, compare(f{1}, {A, B}, 1:2, tol)];
%!        endfor
%!      endfor
%!    endfor
%!  endfor
%!endfunction

%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! report (pairwise ({@plus, @minus, @times, @rdivide, @ldivide}, 8));
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! report (pairwise ({@eq, @ne, @lt, @le, @gt, @ge, @and, @or}, 0));
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! report (pairwise ({@max, @min}, 0));
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! report (pairwise ({@power}, 128));
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! bad = {};
%! for s = pairs ()'
%!   for class_A = all_classes ()(1:4)
%!     for class_B = all_classes ()(1:4)
%!       A = sample (s{1}, class_A{1}, false);
%!       B = sample (s{2}, class_B{1}, false);
%!       bad = [bad, compare(@atan2, {A, B}, 1:2, 8)];
%!     endfor
%!   endfor
%! endfor
%! report (bad);
%!test
%! rand ("twister", 42);
%! bad = {};
%! for s = pairs ()'
%!   for class_A = {"single", "double"}
%!     for class_B = {"single", "double"}
%!       A = sample (s{1}, class_A{1}, true);
%!       B = sample (s{2}, class_B{1}, true);
%!       bad = [bad, compare(@complex, {A, B}, 1:2, 0)];
%!     endfor
%!   endfor
%! endfor
%! report (bad);

## Comparisons and extremes with values at the ends of the range
%!test
%! bad = {};
%! x = [0, -0, Inf, -Inf, NaN, 1, -1];
%! for f = {@plus, @minus, @times, @rdivide, @power, @eq, @ne, @lt, @le, ...
%!          @gt, @ge, @max, @min, @atan2}
%!   for cls = {"single", "double"}
%!     for other = x
%!       other = cast (other, cls{1});
%!       bad = [bad, compare(f{1}, {cast(x, cls{1}), other}, 1:2, 4)];
%!       bad = [bad, compare(f{1}, {other, cast(x, cls{1})}, 1:2, 4)];
%!     endfor
%!   endfor
%! endfor
%! report (bad);

## More than two operands
%!test
%! bad = {};
%! for f = {@plus, @times, @and, @or, @mtimes}
%!   A = [1, 2; 3, 4];
%!   bad = [bad, compare(f{1}, {A, [5, 6; 7, 0], [1, 0; 2, 3]}, 1:3, 0)];
%!   bad = [bad, compare(f{1}, {2, 3, [1, 0; 2, 3], true}, 3, 0)];
%! endfor
%! report (bad);

## Other host classes beside a device array
%!test
%! bad = {};
%! for f = {@plus, @times, @eq, @mtimes}
%!   for x = {1:2, single(2):3, eye(2), 2*eye(2), sparse([1, 2; 0, 3]), ...
%!            eye(2)(:,[2, 1])}
%!     bad = [bad, compare(f{1}, {[1, 2; 3, 4], x{1}}, 1, 0)];
%!     bad = [bad, compare(f{1}, {x{1}, 5}, 2, 0)];
%!   endfor
%! endfor
%! report (bad);

## What no device array takes part in, in Octave's words
%!test
%! for x = {{1}, struct("a", 1), @sin, containers.Map()}
%!   for f = {@plus, @times, @eq, @mtimes, @mldivide}
%!     message = outcome (f{1}, 1, {gpuArray(1), x{1}});
%!     assert (ischar (message));
%!     assert (regexp (message, "not implemented|wrong type"));
%!     message = outcome (f{1}, 1, {x{1}, gpuArray(1)});
%!     assert (ischar (message));
%!   endfor
%! endfor

## Products of matrices
%!test
%! rand ("twister", 42);
%! bad = {};
%! for s = {[4, 3], [3, 5]; [1, 4], [4, 1]; [4, 1], [1, 3]; [3, 3], [3, 3]; ...
%!          [1, 1], [4, 3]; [4, 3], [1, 1]; [1, 1], [1, 1]; [0, 3], [3, 2]; ...
%!          [2, 0], [0, 3]; [3, 2], [2, 0]; [0, 0], [0, 0]; [1, 1], [0, 3]; ...
%!          [17, 33], [33, 9]; [2, 3], [2, 3]; [0, 3], [0, 3]; ...
%!          [1, 1], [2, 3, 4]; [2, 3, 4], [1, 1]; [1, 3], [1, 3]}'
%!   for class_A = all_classes ()
%!     for class_B = all_classes ()
%!       A = sample (s{1}, class_A{1}, true);
%!       B = sample (s{2}, class_B{1}, true);
%!       bad = [bad, compare(@mtimes, {A, B}, 1:2, 0)];
%!     endfor
%!   endfor
%! endfor
%! report (bad);

## Of pages: what Octave has as a product of each page
%!test
%! rand ("twister", 42);
%! for class_A = {"double", "single", "cdouble", "csingle"}
%!   for class_B = {"double", "csingle"}
%!     A = sample ([3, 4, 5], class_A{1}, true);
%!     B = sample ([4, 2, 5], class_B{1}, true);
%!     C = gather (gpuArray (A) * B);
%!     assert (size (C), [3, 2, 5]);
%!     for k = 1:5
%!       assert (C(:,:,k), A(:,:,k) * B(:,:,k));
%!     endfor
%!   endfor
%! endfor

## Triangular systems, from both sides, and scalars.  A well conditioned matrix
## lets elements be compared.
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! bad = {};
%! for class_T = all_classes ()(1:4)
%!   for class_B = all_classes ()
%!     for n = [1, 2, 3, 7, 40]
%!       T = sample ([n, n], class_T{1}, false) / n + 4 * eye (n);
%!       for S = {triu(T), tril(T), T .* eye(n)}
%!         B = sample ([n, 3], class_B{1}, false);
%!         bad = [bad, compare(@mldivide, {S{1}, B}, 1:2, 1e4)];
%!         bad = [bad, compare(@mrdivide, {B', S{1}}, 1:2, 1e4)];
%!         bad = [bad, compare(@mrdivide, {B, 2}, 1, 8)];
%!         bad = [bad, compare(@mldivide, {4, B}, 1:2, 8)];
%!       endfor
%!     endfor
%!   endfor
%! endfor
%! for s = {[2, 2], [3, 1]; [2, 2], [1, 1]; [0, 0], [0, 3]; [0, 0], [2, 2]}'
%!   T = eye (s{1});
%!   B = ones (s{2});
%!   bad = [bad, compare(@mldivide, {full(T), B}, 1:2, 0)];
%!   bad = [bad, compare(@mrdivide, {B', full(T)}, 1:2, 0)];
%! endfor
%! report (bad);

## Of pages, of other matrices, and what is not solved
%!test
%! randn ("twister", 42);
%! T = randn (4, 4, 3) / 4 + 3 * full (eye (4));
%! for k = 1:3
%!   T(:,:,k) = tril (T(:,:,k));
%! endfor
%! B = randn (4, 2, 3);
%! X = gather (gpuArray (T) \ B);
%! Y = gather (permute (B, [2, 1, 3]) / gpuArray (T));
%! for k = 1:3
%!   assert (X(:,:,k), T(:,:,k) \ B(:,:,k), 1e-13);
%!   assert (Y(:,:,k), B(:,:,k)' / T(:,:,k), 1e-13);
%! endfor
%!assert (gather (gpuArray (magic (3)) \ [1; 2; 3]), magic (3) \ [1; 2; 3], 1e-14)
%!assert (gather ([1, 2, 3] / gpuArray (magic (3))), [1, 2, 3] / magic (3), 1e-14)
%!assert (gather (gpuArray (magic (4)(:,1:2)) \ (1:4)'), magic (4)(:,1:2) \ (1:4)', 1e-14)
%!error <operator \\: nonconformant> gpuArray (ones (2, 3)) \ [1; 2; 3]

## Along dimensions.  Sums of whole numbers are exact.
%!test
%! rand ("twister", 42);
%! bad = {};
%! for f = {@sum, @prod, @sumsq, @any, @all}
%!   for cls = all_classes ()
%!     for sz = shapes ()
%!       A = sample (sz{1}, cls{1}, true);
%!       bad = [bad, compare(f{1}, {A}, 1, 0)];
%!       for dim = 1:4
%!         bad = [bad, compare(f{1}, {A, dim}, 1, 0)];
%!       endfor
%!     endfor
%!   endfor
%! endfor
%! report (bad);
%!test
%! rand ("twister", 42);
%! bad = {};
%! for f = {@max, @min}
%!   for cls = all_classes ()
%!     for sz = shapes ()
%!       A = sample (sz{1}, cls{1}, true);
%!       if (islogical (A) && isempty (A))
%!         continue;   # Octave's sizes are not those of other classes
%!       endif
%!       for nout = 1:2
%!         bad = [bad, compare(f{1}, {A}, 1, 0, nout)];
%!         for dim = 1:4
%!           bad = [bad, compare(f{1}, {A, [], dim}, 1, 0, nout)];
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%!   for A = {[NaN, 1, 2], [NaN, NaN], [1, NaN, 1; NaN, 3, 2], [Inf, -Inf], ...
%!            [0, -0], single([3, NaN, 3])}
%!     bad = [bad, compare(f{1}, A, 1, 0, 2)];
%!     bad = [bad, compare(f{1}, {A{1}, [], 1}, 1, 0, 2)];
%!   endfor
%! endfor
%! report (bad);
%!test
%! rand ("twister", 42);
%! bad = {};
%! for cls = all_classes ()
%!   for sz = shapes ()
%!     A = sample (sz{1}, cls{1}, true);
%!     bad = [bad, compare(@mean, {A}, 1, 4)];
%!     for dim = 1:4
%!       bad = [bad, compare(@mean, {A, dim}, 1, 4)];
%!     endfor
%!   endfor
%! endfor
%! report (bad);

## Long sums are as good as those of the host: relative to the sum of absolutes
%!test
%! randn ("twister", 42);
%! for cls = all_classes ()(1:4)
%!   A = sample ([3, 20000], cls{1}, false);
%!   bound = 40 * eps (class (A)) * sum (abs (double (A)), 2);
%!   assert (all (abs (double (gather (sum (gpuArray (A), 2))) ...
%!                     - sum (double (A), 2)) <= bound));
%!   assert (gather (sumsq (gpuArray (A), 2)), sumsq (A, 2), ...
%!           -1000 * eps (class (A)));
%! endfor

## Options and errors
%!test
%! bad = {};
%! for f = {@sum, @prod}
%!   for A = {true(2, 3), false(2), single([1, 2; 3, 4]), [1, 2; 3, 4]}
%!     for type = {"native", "double"}
%!       bad = [bad, compare(f{1}, {A{1}, type{1}}, 1, 0)];
%!       if (! isa (A{1}, "single"))   # prod of Octave 7 is wrong then
%!         bad = [bad, compare(f{1}, {A{1}, 2, type{1}}, 1, 0)];
%!       endif
%!     endfor
%!   endfor
%!   bad = [bad, compare(f{1}, {1, "other"}, 1, 0)];
%! endfor
%! bad = [bad, compare(@sum, {[1, 2], "extra"}, 1, 0)];
%! for f = {@sum, @prod, @sumsq, @mean}
%!   for dim = {0, -1}
%!     bad = [bad, compare(f{1}, {[1, 2; 3, 4], dim{1}}, 1, 0)];
%!   endfor
%! endfor
%! for f = {@max, @min}
%!   for dim = {0, -1}
%!     bad = [bad, compare(f{1}, {[1, 2; 3, 4], [], dim{1}}, 1, 0)];
%!   endfor
%! endfor
%! report (bad);

## Moves
%!test
%! rand ("twister", 42);
%! bad = {};
%! for cls = all_classes ()
%!   for sz = shapes ()
%!     A = sample (sz{1}, cls{1}, true);
%!     for p = {1:3, [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1], ...
%!              [2, 1], [2, 1, 3, 4], [1, 1], [0, 1, 2], [1, 2, 4], 1}
%!       if (numel (p{1}) > 1)   # else the error is a text of many lines
%!         bad = [bad, compare(@permute, {A, p{1}}, 1, 0)];
%!         bad = [bad, compare(@ipermute, {A, p{1}}, 1, 0)];
%!       endif
%!     endfor
%!     n = numel (A);
%!     for s = {{1, n}, {n, 1}, {[1, n]}, {[1, 1, n]}, {[], 1}, {1, [], 2}, ...
%!              {2, []}, {[], []}, {3, 3}, {7}, {-1, 2}, {2, 2, []}, ...
%!              {2, n / 2, 1, 1}, {0, []}, {n, 1, 1}}
%!       bad = [bad, compare(@reshape, [{A}, s{1}], 1, 0)];
%!     endfor
%!     for s = {{2}, {1}, {0}, {2, 3}, {[2, 3]}, {[1, 2, 2]}, {2, 1, 3}, ...
%!              {1, 0}, {-1, 2}, {[]}, {[1, 1, 2]}}
%!       bad = [bad, compare(@repmat, [{A}, s{1}], 1, 0)];
%!     endfor
%!     for k = {{}, {0}, {1}, {-1}, {2}, {-9}, {9}, {"pack"}, {1, "pack"}}
%!       bad = [bad, compare(@tril, [{A}, k{1}], 1, 0)];
%!       bad = [bad, compare(@triu, [{A}, k{1}], 1, 0)];
%!     endfor
%!     for k = {{}, {0}, {1}, {-1}, {3}, {9}, {-9}, {3, 4}, {7, 5}, {2, 9}}
%!       bad = [bad, compare(@diag, [{A}, k{1}], 1, 0)];
%!     endfor
%!     bad = [bad, compare(@trace, {A}, 1, 0)];
%!   endfor
%! endfor
%! report (bad);

## Joined, in brackets and by cat
%!test
%! rand ("twister", 42);
%! bad = {};
%! across = @(varargin) [varargin{:}];
%! down = @(a, b) [a; b];
%! for s = {[2, 3], [2, 3]; [2, 3], [2, 1]; [2, 3], [1, 3]; [0, 0], [2, 3]; ...
%!          [2, 3], [0, 0]; [0, 3], [0, 3]; [0, 3], [2, 3]; [1, 1], [1, 1]; ...
%!          [2, 3, 2], [2, 3, 2]; [2, 3, 2], [2, 3]; [1, 3, 2], [2, 3, 2]; ...
%!          [1, 0], [2, 3]; [2, 3], [0, 1]; [0, 0], [0, 0]; [2, 3], [3, 2]}'
%!   for class_A = all_classes ()
%!     for class_B = all_classes ()
%!       A = sample (s{1}, class_A{1}, true);
%!       B = sample (s{2}, class_B{1}, true);
%!       bad = [bad, compare(across, {A, B}, 1:2, 0)];
%!       bad = [bad, compare(across, {A, B, A}, 1:3, 0)];
%!       bad = [bad, compare(down, {A, B}, 1:2, 0)];
%!       for dim = 1:3
%!         if (! (dim == 3 && isempty (A) && isempty (B)))
%!           bad = [bad, compare(@cat, {dim, A, B}, 2:3, 0)];
%!         endif
%!       endfor
%!     endfor
%!   endfor
%! endfor
%! bad = [bad, compare(@cat, {0, 1, 2}, 2:3, 0)];
%! report (bad);

## Products of vectors, and the Kronecker product
%!test
%! rand ("twister", 42);
%! bad = {};
%! for s = {[1, 4], [1, 4]; [4, 1], [1, 4]; [4, 3], [4, 3]; ...
%!          [2, 3, 4], [2, 3, 4]; [1, 4], [1, 3]; [4, 3], [3, 4]; ...
%!          [0, 0], [0, 0]; [0, 3], [0, 3]; ...
%!          [1, 1], [1, 1]}'
%!   for class_A = all_classes ()
%!     for class_B = all_classes ()
%!       A = sample (s{1}, class_A{1}, true);
%!       B = sample (s{2}, class_B{1}, true);
%!       bad = [bad, compare(@dot, {A, B}, 1:2, 0)];
%!       for dim = {1, 2, 3}
%!         bad = [bad, compare(@dot, {A, B, dim{1}}, 1:2, 0)];
%!       endfor
%!       if (ndims (A) == 2 && ! islogical (A) && ! islogical (B))
%!         bad = [bad, compare(@kron, {A, B}, 1:2, 0)];
%!       endif
%!     endfor
%!   endfor
%! endfor
%! report (bad);

## Norms
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! bad = {};
%! for cls = all_classes ()
%!   for sz = shapes ()
%!     A = sample (sz{1}, cls{1}, false);
%!     bad = [bad, compare(@norm, {A}, 1, 64)];
%!     for p = {1, 2, Inf, "fro", "inf", "Inf", -Inf, 0, 3, 1.5, -1, "x", ...
%!              [1, 2]}
%!       bad = [bad, compare(@norm, {A, p{1}}, 1, 64)];
%!     endfor
%!     bad = [bad, compare(@norm, {A, 2, "rows"}, 1, 64)];
%!   endfor
%! endfor
%! for A = {[NaN, 1; 2, 3], [Inf, 1; 2, 3], [NaN, 1], [Inf, 1], ...
%!          [-Inf, 1, 2], zeros(1, 3), [1e200, 1e200], ...
%!          [1e-200; 1e-200], single([1e30, 1e30])}
%!   for p = {1, Inf, "fro"}
%!     bad = [bad, compare(@norm, {A{1}, p{1}}, 1, 64)];
%!   endfor
%!   if (isvector (A{1}))
%!     bad = [bad, compare(@norm, A, 1, 64), ...
%!            compare(@norm, {A{1}, -Inf}, 1, 64)];
%!   endif
%! endfor
%! report (bad);

## Factorizations and what comes of them: elements of well conditioned matrices
%!test
%! rand ("twister", 42);
%! randn ("twister", 42);
%! bad = {};
%! for cls = all_classes ()
%!   for n = [0, 1, 2, 5, 40]
%!     A = sample ([n, n], cls{1}, false);
%!     B = A * A' + n * eye (n);
%!     if (strcmp (cls{1}, "logical") && n > 0)
%!       A = B = logical (eye (n));
%!     endif
%!     if (n == 0 && isa (A, "single"))
%!       continue;   # Octave's empty results are double then
%!     endif
%!     bad = [bad, compare(@chol, {B}, 1, 1e4), ...
%!            compare(@chol, {B, "lower"}, 1, 1e4), ...
%!            compare(@inv, {B}, 1, 1e4), compare(@det, {B}, 1, 1e4)];
%!     bad = [bad, compare(@chol, {-B}, 1, 1e4)];
%!     for k = {0, 1, 2, 3, 6, -1, -2}
%!       bad = [bad, compare(@mpower, {B, k{1}}, 1, -1e3)];
%!     endfor
%!   endfor
%! endfor
%! for A = {ones(2, 3), ones(2, 2, 2), ones(1, 3), zeros(0, 3), zeros(3, 0)}
%!   bad = [bad, compare(@chol, A, 1, 0), compare(@inv, A, 1, 0), ...
%!          compare(@det, A, 1, 0), compare(@mpower, {A{1}, 2}, 1, 0)];
%! endfor
%! for A = {4, -4, 0, NaN, Inf, 2i, single(3), true}
%!   bad = [bad, compare(@chol, A, 1, 4), compare(@inv, A, 1, 4), ...
%!          compare(@det, A, 1, 4), compare(@mpower, {A{1}, 3}, 1:2, 8)];
%! endfor
%! for option = {"upper", "LOWER", "vector", "x", 1, {}}
%!   bad = [bad, compare(@chol, {[4, 2; 2, 5], option{1}}, 1, 8)];
%! endfor
%! bad = [bad, compare(@mpower, {ones(2), ones(2)}, 1:2, 0)];
%! bad = [bad, compare(@mpower, {2, ones(2, 3)}, 1:2, 0)];
%! report (bad);

## Second outputs are on the host.
%!test
%! randn ("twister", 42);
%! for A = {[4, 2; 2, 5], [4, 2; 2, 1], zeros(2), ones(3), magic(4), ...
%!          single([4, 2; 2, 5]), [4, 1i; -1i, 5], randn(30)}
%!   [R, p] = chol (gpuArray (A{1}));
%!   [want, want_p] = chol (A{1});
%!   assert (p, want_p);
%!   check (R, want, 1000);
%! endfor
%!test
%! randn ("twister", 42);
%! for A = {5, 0, NaN, Inf, [4, 2; 2, 5], ones(3), randn(30), ...
%!          single(randn (9)), complex(randn (9), randn (9))}
%!   lastwarn ("", "");
%!   [X, rcond] = inv (gpuArray (A{1}));
%!   [d, rcond_d] = det (gpuArray (A{1}));
%!   assert (lastwarn (), "");
%!   [want, want_rcond] = inv (A{1});
%!   [own, own_rcond] = gpu_inv (A{1});
%!   assert (class (rcond), class (A{1}));
%!   assert (rcond, own_rcond, 100 * eps (class (A{1})));
%!   assert (rcond_d, own_rcond, 100 * eps (class (A{1})));
%!   assert (gather (X), own, -1e4 * eps (class (A{1})));
%! endfor

## The warnings of inv
%!function [text, id] = warned (A)
%!  lastwarn ("", "");
%!  evalc ("X = inv (A);");
%!  [text, id] = lastwarn ();
%!endfunction
%!test
%! for A = {ones(2), zeros(3), [1, 1; 1, 1+eps], hilb(13), single(hilb (8))}
%!   [want, want_id] = warned (A{1});
%!   [text, id] = warned (gpuArray (A{1}));
%!   assert (id, want_id);
%!   assert (regexprep (text, "=.*", ""), regexprep (want, "=.*", ""));
%! endfor

## isequal
%!test
%! list = {[], zeros(0, 3), 1, single(1), true, 1i, NaN, 1:3, (1:3)', "a", ...
%!         97, {1}, {}, struct(), @sin, ones(2, 3, 2), ...
%!         single(0.1), 0.1, [1, 2, 4], complex(1, 0)};
%! for A = list
%!   for B = list
%!     if (isnumeric (A{1}) && isfloat (A{1}) || islogical (A{1}))
%!       tf = isequal (gpuArray (A{1}), B{1});
%!       assert (islogical (tf));
%!       assert (tf, isequal (A{1}, B{1}));
%!       assert (isequal (B{1}, gpuArray (A{1})), tf);
%!       assert (isequal (A{1}, B{1}, gpuArray (A{1})), tf);
%!       if (isfloat (B{1}))
%!         assert (isequal (gpuArray (A{1}), gpuArray (B{1})), tf);
%!       endif
%!     endif
%!   endfor
%! endfor

## What the host computes
%!test
%! rand ("twister", 42);
%! for cls = all_classes ()
%!   for sz = shapes ()
%!     A = sample (sz{1}, cls{1}, true);
%!     assert (find (gpuArray (A)), find (A));
%!     assert (find (gpuArray (A), 1), find (A, 1));
%!     [i, j, v] = find (gpuArray (A));
%!     [want_i, want_j, want_v] = find (A);
%!     assert ({i, j, v}, {want_i, want_j, want_v});
%!   endfor
%! endfor
%!assert (gpuArray (2):5, 2:5)
%!assert (1:gpuArray (2):6, 1:2:6)

## Operands and arguments do not change, and nothing stays on the device.
%!test
%! before = __gpu__ ("live");
%! A = gpuArray (magic (4));
%! B = A;
%! C = A + B;
%! C = -C;
%! C = tril (A);
%! C = reshape (A, 2, 8);
%! C = A .* 2;
%! assert (gather (A), magic (4));
%! assert (gather (B), magic (4));
%! clear A B C
%! assert (__gpu__ ("live"), before);

## An error in the middle leaks nothing.
%!test
%! before = __gpu__ ("live");
%! A = gpuArray (magic (4));
%! for k = 1:10
%!   fail ("(A + 1) * (A(:,1:2) + A(1:3,1:2))", "nonconformant");
%!   fail ("chol (A - 100 * A)", "positive definite");
%!   fail ("reshape (A + 1, 3, 3)", "can't reshape");
%! endfor
%! clear A
%! assert (__gpu__ ("live"), before);
