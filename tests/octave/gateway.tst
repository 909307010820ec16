## The commands of __gpu__, their errors, and what they leave behind.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## One matrix of every class, with pages and without.
%!function list = samples ()
%!  X = reshape (1:6, 2, 3);
%!  Y = reshape (1:24, 2, 3, 4);
%!  list = {X, single(X), complex(X, -X), complex(single (X), X), ...
%!          Y, single(Y), complex(Y, -Y), complex(single (Y), Y), ...
%!          7, single(7), 7i, single(7i)};
%!endfunction

%!function X = fresh (s)
%!  X = zeros (s.size, s.class);
%!  if (s.complex)
%!    X = complex (X);
%!  endif
%!endfunction

## put, describe, get, free
%!test
%! before = __gpu__ ("live");
%! for A = samples ()
%!   A = A{1};
%!   id = __gpu__ ("put", A);
%!   assert (class (id), "uint64");
%!   assert (isscalar (id));
%!   assert (__gpu__ ("live"), before + 1);
%!   s = __gpu__ ("describe", id);
%!   assert (s.size, size (A));
%!   assert (s.class, class (A));
%!   assert (s.complex, iscomplex (A));
%!   assert (islogical (s.complex));
%!   X = fresh (s);
%!   __gpu__ ("get", id, X);
%!   assert (X, A);
%!   __gpu__ ("free", id);
%!   assert (__gpu__ ("live"), before);
%! endfor

## Ids are never used again, and an array does not change with its source.
%!test
%! A = magic (4);
%! id = __gpu__ ("put", A);
%! A(1) = -1;
%! other = __gpu__ ("put", A);
%! assert (id != other);
%! X = zeros (4);
%! __gpu__ ("get", id, X);
%! assert (X, magic (4));
%! __gpu__ ("free", id);
%! third = __gpu__ ("put", A);
%! assert (third != id && third != other);
%! __gpu__ ("free", other);
%! __gpu__ ("free", third);

## Freeing an unknown id does nothing.
%!test
%! before = __gpu__ ("live");
%! id = __gpu__ ("put", 1);
%! __gpu__ ("free", id);
%! __gpu__ ("free", id);
%! __gpu__ ("free", intmax ("uint64"));
%! assert (__gpu__ ("live"), before);

## chol of a host array fills R, of a device array gives a device array.
%!test
%! before = __gpu__ ("live");
%! A = [4, 2; 2, 5];
%! for complex_part = {0, [0, 1; -1, 0]}
%!   for cls = {@single, @double}
%!     B = cls{1} (A);
%!     if (any (complex_part{1}(:)))
%!       B = complex (B, complex_part{1});
%!     endif
%!     for uplo = {"upper", "lower"}
%!       R = B * 0;
%!       if (iscomplex (B))
%!         R = complex (zeros (2, class (B)));
%!       endif
%!       p = __gpu__ ("chol", B, uplo{1}, R);
%!       assert (p, 0);
%!       assert (R, chol (B, uplo{1}), 4 * eps (class (B)));
%!       id = __gpu__ ("put", B);
%!       [p, id2] = __gpu__ ("chol", id, uplo{1});
%!       assert (p, 0);
%!       assert (__gpu__ ("live"), before + 2);
%!       X = fresh (__gpu__ ("describe", id2));
%!       __gpu__ ("get", id2, X);
%!       assert (X, R);
%!       __gpu__ ("get", id, X);
%!       assert (X, B);
%!       __gpu__ ("free", id);
%!       __gpu__ ("free", id2);
%!     endfor
%!   endfor
%! endfor
%! assert (__gpu__ ("live"), before);

## p of pages.
%!test
%! A = cat (3, eye (3), diag ([1, -1, 1]), diag ([1, 1, 0]));
%! R = zeros (3, 3, 3);
%! p = __gpu__ ("chol", A, "upper", R);
%! assert (class (p), "double");
%! assert (p, reshape ([0, 2, 3], 1, 1, 3));
%! id = __gpu__ ("put", A);
%! [p, id2] = __gpu__ ("chol", id, "lower");
%! assert (p, reshape ([0, 2, 3], 1, 1, 3));
%! __gpu__ ("free", id);
%! __gpu__ ("free", id2);

## inv, det, logdet and the transpositions of a host array fill what they are
## given, of a device array they give a device array, or numbers.
%!test
%! before = __gpu__ ("live");
%! randn ("twister", 42);
%! for n = [2, 5, 40, 150]
%!   for cls = {"single", "double"}
%!     for is_complex = [false, true]
%!       A = randn ([n, n, 2], cls{1});
%!       if (is_complex)
%!         A = complex (A, randn ([n, n, 2], cls{1}));
%!       endif
%!       A /= sqrt (n);
%!       id = __gpu__ ("put", A);
%!       s = __gpu__ ("describe", id);
%!       live = before + 1;
%!       assert (__gpu__ ("live"), live);
%!
%!       X = fresh (s);
%!       r = __gpu__ ("inv", A, X);
%!       assert (size (r), [1, 1, 2]);
%!       assert (class (r), cls{1});
%!       assert (X(:,:,2) * A(:,:,2), eye (n, cls{1}), ...
%!               20 * n * eps (cls{1}) / r(2));
%!       Y = fresh (s);
%!       __gpu__ ("inv", A, Y);
%!       assert (norm ((X - Y)(:)) <= 4 * n * eps (cls{1}) / min (r) ...
%!                                    * norm (X(:)));
%!       [id2, r2] = __gpu__ ("inv", id);
%!       id3 = __gpu__ ("inv", id);
%!       assert (__gpu__ ("live"), live + 2);
%!       assert (r2, r, 4 * n * eps (cls{1}));
%!       for k = {id2, id3}
%!         __gpu__ ("get", k{1}, Y);
%!         assert (norm ((X - Y)(:)) <= 4 * n * eps (cls{1}) / min (r) ...
%!                                      * norm (X(:)));
%!         __gpu__ ("free", k{1});
%!       endfor
%!
%!       for k = 1:2
%!         t = s;
%!         t.size = [1, 1, 2];
%!         d = fresh (t);
%!         l = zeros (1, 1, 2, cls{1});
%!         sgn = fresh (t);
%!         in = {A, id}{k};
%!         r2 = __gpu__ ("det", in, d);
%!         assert (r2, r, 4 * n * eps (cls{1}));
%!         __gpu__ ("logdet", in, l, sgn);
%!         assert (l, log (abs (d)), 8 * n * eps (cls{1}) / min (r));
%!         assert (abs (sgn - d ./ abs (d)) <= 4 * n * eps (cls{1}) / min (r));
%!       endfor
%!
%!       id2 = __gpu__ ("transpose", id);
%!       __gpu__ ("get", id2, X);
%!       assert (X, permute (A, [2, 1, 3]));
%!       id3 = __gpu__ ("ctranspose", id2);
%!       __gpu__ ("get", id3, X);
%!       assert (X, conj (A));
%!       __gpu__ ("get", id, X);
%!       assert (X, A);
%!       __gpu__ ("free", id2);
%!       __gpu__ ("free", id3);
%!       __gpu__ ("free", id);
%!     endfor
%!   endfor
%! endfor
%! assert (__gpu__ ("live"), before);

## A rectangular device array.
%!test
%! A = reshape (1:24, 2, 3, 4);
%! id = __gpu__ ("put", A);
%! id2 = __gpu__ ("transpose", id);
%! assert (__gpu__ ("describe", id2).size, [3, 2, 4]);
%! X = zeros (3, 2, 4);
%! __gpu__ ("get", id2, X);
%! assert (X, permute (A, [2, 1, 3]));
%! __gpu__ ("free", id);
%! __gpu__ ("free", id2);

## set gives the old value back.
%!test
%! for setting = {"leaf", 8; "memory_limit", 1e9; "allocs_left", 1e6}'
%!   old = __gpu__ ("set", setting{1}, setting{2});
%!   assert (__gpu__ ("set", setting{1}, old), setting{2});
%! endfor
%! assert (__gpu__ ("set", "leaf", 0), 0);
%! assert (__gpu__ ("set", "memory_limit", 0), 0);
%! assert (__gpu__ ("set", "allocs_left", -1), -1);

## device
%!test
%! d = __gpu__ ("device");
%! assert (sort (fieldnames (d)), ...
%!         sort ({"Name"; "Index"; "Backend"; "ComputeCapability"; ...
%!                "MultiprocessorCount"; "DriverVersion"; ...
%!                "ToolkitVersion"; "TotalMemory"; "AvailableMemory"; ...
%!                "BytesUp"; "BytesDown"; "Operations"; "Note"}));
%!assert (isa (__gpu__ ("device_count"), "double"))

## Bad arguments: the id says what kind of error it is.
%!error id=gpulinalg:arg __gpu__ ()
%!error id=gpulinalg:arg __gpu__ (1)
%!error id=gpulinalg:arg __gpu__ ("no such command")
%!error id=gpulinalg:arg __gpu__ ("put")
%!error id=gpulinalg:arg __gpu__ ("put", {1})
%!error id=gpulinalg:arg __gpu__ ("put", "a")
%!error id=gpulinalg:arg __gpu__ ("put", int8 (1))
%!error id=gpulinalg:arg __gpu__ ("put", sparse (1))
%!error id=gpulinalg:arg __gpu__ ("get", uint64 (0), 1)
%!error id=gpulinalg:arg __gpu__ ("get", 1, 1)
%!error id=gpulinalg:arg __gpu__ ("describe", intmax ("uint64"))
%!error id=gpulinalg:arg __gpu__ ("describe", [])
%!error id=gpulinalg:arg __gpu__ ("chol", intmax ("uint64"), "upper")
%!error id=gpulinalg:arg __gpu__ ("chol", ones (2, 3), "upper", ones (2, 3))
%!error id=gpulinalg:arg __gpu__ ("chol", eye (2), "middle", ones (2))
%!error id=gpulinalg:arg __gpu__ ("chol", eye (2), 1, ones (2))
%!error id=gpulinalg:arg __gpu__ ("chol", eye (2), "upper")
%!error id=gpulinalg:arg __gpu__ ("chol", full (eye (2)), "upper", ones (3))
%!error id=gpulinalg:arg
%! __gpu__ ("chol", full (eye (2)), "upper", ones (2, "single"));
%!error id=gpulinalg:arg
%! __gpu__ ("chol", full (eye (2)), "upper", complex (ones (2)));
%!error id=gpulinalg:arg __gpu__ ("inv", intmax ("uint64"))
%!error id=gpulinalg:arg __gpu__ ("inv", magic (3))
%!error id=gpulinalg:arg __gpu__ ("inv", ones (2, 3), ones (2, 3))
%!error id=gpulinalg:arg __gpu__ ("inv", magic (3), ones (2))
%!error id=gpulinalg:arg __gpu__ ("inv", magic (3), ones (3, "single"))
%!error id=gpulinalg:arg __gpu__ ("inv", int8 (magic (3)), int8 (ones (3)))
%!error id=gpulinalg:arg __gpu__ ("inv", true (3), true (3))
%!error id=gpulinalg:arg __gpu__ ("inv", {1}, 1)
%!error id=gpulinalg:arg __gpu__ ("inv", sparse (1), 1)
%!error id=gpulinalg:arg __gpu__ ("det", magic (3))
%!error id=gpulinalg:arg __gpu__ ("det", magic (3), ones (2))
%!error id=gpulinalg:arg __gpu__ ("det", magic (3), single (1))
%!error id=gpulinalg:arg __gpu__ ("det", ones (2, 3), 1)
%!error id=gpulinalg:arg __gpu__ ("det", int8 (magic (3)), int8 (1))
%!error id=gpulinalg:arg __gpu__ ("logdet", magic (3), 1)
%!error id=gpulinalg:arg __gpu__ ("logdet", magic (3), 1, 1i)
%!error id=gpulinalg:arg __gpu__ ("logdet", ones (2, 3), 1, 1)
%!error id=gpulinalg:arg __gpu__ ("transpose", ones (2, 3))
%!error id=gpulinalg:arg __gpu__ ("transpose", ones (2, 3), ones (2, 3))
%!error id=gpulinalg:arg __gpu__ ("transpose", ones (2, 3), true (3, 2))
%!error id=gpulinalg:arg __gpu__ ("transpose", cell (2, 3), cell (3, 2))
%!error id=gpulinalg:arg __gpu__ ("transpose", sparse (2, 3), ones (3, 2))
%!error id=gpulinalg:arg
%! __gpu__ ("transpose", ones (2, 2, 2, 2), ones (2, 2, 2, 2));
%!error id=gpulinalg:arg __gpu__ ("ctranspose", int8 (ones (2, 3)), ones (3, 2))
%!error id=gpulinalg:arg __gpu__ ("set", "no such setting", 1)
%!error id=gpulinalg:arg __gpu__ ("set", "leaf", "a")

## get into an array of another shape or class
%!test
%! id = __gpu__ ("put", eye (3)(:,:));
%! unwind_protect
%!   for X = {zeros(2, 3), single(zeros (3)), complex(zeros (3)), int8(1)}
%!     try
%!       __gpu__ ("get", id, X{1});
%!       error ("no error");
%!     catch err
%!       assert (err.identifier, "gpulinalg:arg");
%!     end_try_catch
%!   endfor
%! unwind_protect_cleanup
%!   __gpu__ ("free", id);
%! end_unwind_protect

## Nothing is left after 1,000 failing calls of each kind.
%!function must_fail (id, command, varargin)
%!  try
%!    __gpu__ (command, varargin{:});
%!    error ("no error");
%!  catch err
%!    assert (err.identifier, id);
%!  end_try_catch
%!endfunction

%!test
%! live = __gpu__ ("live");
%! memory = __gpu__ ("device").AvailableMemory;
%! A = full (-eye (64));
%! B = ones (64, 63);
%! id = __gpu__ ("put", A);
%! id2 = __gpu__ ("put", B);
%! R = zeros (64);
%! for k = 1:1000
%!   assert (__gpu__ ("chol", A, "upper", R), 1);
%!   try
%!     gpu_chol (A);
%!     error ("no error");
%!   catch err
%!     assert (err.message,
%!             "gpu_chol: input matrix must be positive definite");
%!   end_try_catch
%!   must_fail ("gpulinalg:arg", "chol", A, "upper", id);
%!   must_fail ("gpulinalg:arg", "chol", id, "middle");
%!   must_fail ("gpulinalg:arg", "inv", id, R(:,1:63));
%!   must_fail ("gpulinalg:arg", "inv", id2);
%!   must_fail ("gpulinalg:arg", "inv", B, zeros (64, 63));
%!   must_fail ("gpulinalg:arg", "det", id, 1i);
%!   must_fail ("gpulinalg:arg", "det", id2, 1);
%!   must_fail ("gpulinalg:arg", "logdet", id, 1, 1i);
%!   must_fail ("gpulinalg:arg", "transpose", B, R);
%!   must_fail ("gpulinalg:arg", "transpose", id2, R);
%! endfor
%! assert (__gpu__ ("live"), live + 2);
%! __gpu__ ("free", id);
%! __gpu__ ("free", id2);
%! assert (__gpu__ ("live"), live);
%! if (strcmp (__gpu__ ("device").Backend, "cuda"))
%!   ## What the pool keeps for later calls is not a leak.
%!   assert (__gpu__ ("device").AvailableMemory > memory - 2^28);
%! endif

## Every allocation fails once: an error, or the host's result with a warning;
## never an array left over, and the next call works.
%!function check_allocs (command, is_device, n, verify)
%!  live = __gpu__ ("live");
%!  warning ("off", "gpulinalg:nomem", "local");
%!  randn ("twister", 42);
%!  A = randn (n);
%!  A = A' * A + eye (n);
%!  for k = 0:100
%!    in = A;
%!    if (is_device)
%!      in = __gpu__ ("put", A);
%!    endif
%!    id = [];
%!    out = {};
%!    ok = true;
%!    __gpu__ ("set", "allocs_left", k);
%!    try
%!      switch (command)
%!        case "put"
%!          id = __gpu__ ("put", A);
%!        case "chol"
%!          if (is_device)
%!            [out{1}, id] = __gpu__ ("chol", in, "upper");
%!          else
%!            out = {0, zeros(n)};
%!            out{1} = __gpu__ ("chol", in, "upper", out{2});
%!          endif
%!        case "inv"
%!          if (is_device)
%!            [id, out{1}] = __gpu__ ("inv", in);
%!          else
%!            out = {0, zeros(n)};
%!            out{1} = __gpu__ ("inv", in, out{2});
%!          endif
%!        case "det"
%!          out = {0, zeros(1)};
%!          out{1} = __gpu__ ("det", in, out{2});
%!        case "logdet"
%!          out = {zeros(1), zeros(1)};
%!          __gpu__ ("logdet", in, out{:});
%!        case {"transpose", "ctranspose"}
%!          if (is_device)
%!            id = __gpu__ (command, in);
%!          else
%!            out = {zeros(n)};
%!            __gpu__ (command, in, out{1});
%!          endif
%!      endswitch
%!    catch err
%!      ok = false;
%!      assert (err.identifier, "gpulinalg:nomem");
%!    end_try_catch
%!    left = __gpu__ ("set", "allocs_left", -1);
%!    if (ok)
%!      assert (__gpu__ ("live"), live + is_device + ! isempty (id));
%!      if (! isempty (id))
%!        out{end+1} = zeros (n);
%!        __gpu__ ("get", id, out{end});
%!        __gpu__ ("free", id);
%!      endif
%!      verify (A, out{:});
%!    endif
%!    if (is_device)
%!      __gpu__ ("free", in);
%!    endif
%!    assert (__gpu__ ("live"), live);
%!    if (left > 0)
%!      break;
%!    endif
%!  endfor
%!  assert (ok);
%!  assert (left > 0);
%!endfunction

%!function near (X, Y, A)
%!  assert (norm (X - Y, 1) <= 100 * eps * norm (Y, 1) * cond (A, 1));
%!endfunction

%!test
%! n = 13;
%! cases = {"put", @(A, X) near (X, A, A);
%!          "chol", @(A, p, R) near (R, chol (A), A);
%!          "inv", @(A, r, X) near (X, inv (A), A);
%!          "det", @(A, r, d) near (d, det (A), A);
%!          "logdet", @(A, l, s) near (s * exp (l), det (A), A);
%!          "transpose", @(A, B) near (B, A.', A);
%!          "ctranspose", @(A, B) near (B, A', A)};
%! for leaf = [0, 4]
%!   old = __gpu__ ("set", "leaf", leaf);
%!   unwind_protect
%!     for c = cases'
%!       check_allocs (c{1}, false, n, c{2});
%!       if (! strcmp (c{1}, "put"))
%!         check_allocs (c{1}, true, n, c{2});
%!       endif
%!     endfor
%!   unwind_protect_cleanup
%!     __gpu__ ("set", "allocs_left", -1);
%!     __gpu__ ("set", "leaf", old);
%!   end_unwind_protect
%! endfor

## The limit on memory: a device array does not fit, and the error says so.
%!test
%! live = __gpu__ ("live");
%! limit = __gpu__ ("set", "memory_limit", 1e5);
%! unwind_protect
%!   try
%!     __gpu__ ("put", zeros (200));
%!     error ("no error");
%!   catch err
%!     assert (err.identifier, "gpulinalg:nomem");
%!   end_try_catch
%!   assert (__gpu__ ("live"), live);
%!   id = __gpu__ ("put", zeros (20));
%!   __gpu__ ("free", id);
%! unwind_protect_cleanup
%!   __gpu__ ("set", "memory_limit", limit);
%! end_unwind_protect

%!function r = second_of_inv (A)
%!  [~, r] = gpu_inv (A);
%!endfunction

## Out of device memory with a host array: a warning, and the host's result.
%!testif ; strcmp (gpuDevice ().Backend, "cuda")
%! A = full (4 * eye (200));
%! A(1,200) = 1;
%! calls = {"gpu_chol (A)", chol(A);
%!          "gpu_inv (A)", inv(A);
%!          "second_of_inv (A)", rcond(A);
%!          "gpu_det (A)", det(A);
%!          "gpu_logdet (A)", log(det (A));
%!          "gpu_lu (A)", lu(A);
%!          "gpu_mldivide (A, A)", eye(200);
%!          "gpu_transpose (A)", A';
%!          "gpu_transpose (int8 (A))", int8(A');
%!          "gpu_transpose (A(1:150,:))", A(1:150,:)';
%!          "gpu_ctranspose (A * 1i)", A' * -1i};
%! limit = __gpu__ ("set", "memory_limit", 1e4);
%! unwind_protect
%!   for c = calls'
%!     lastwarn ("", "");
%!     shown = evalc (["X = " c{1} ";"]);
%!     [~, id] = lastwarn ();
%!     assert (id, "gpulinalg:nomem");
%!     name = regexp (strrep (c{1}, "second_of_inv", "gpu_inv"), ...
%!                    'gpu_\w+', "match"){1};
%!     assert (! isempty (strfind (shown, ...
%!                                 [name, ": computing on the host"])));
%!     assert (X, c{2}, 1e-12 * max (abs (double (c{2}(:)))));
%!     assert (class (X), class (c{2}));
%!   endfor
%! unwind_protect_cleanup
%!   __gpu__ ("set", "memory_limit", limit);
%! end_unwind_protect

## The MEX file stays: clear does not lose the arrays.
%!test
%! id = __gpu__ ("put", 42);
%! clear __gpu__
%! X = zeros (1);
%! __gpu__ ("get", id, X);
%! assert (X, 42);
%! __gpu__ ("free", id);

## reset frees everything; shutdown too, and the next call opens again.
%!test
%! id = __gpu__ ("put", 1);
%! __gpu__ ("reset");
%! assert (__gpu__ ("live"), 0);
%! next = __gpu__ ("put", 1);
%! assert (next != id);
%! __gpu__ ("free", next);
%!test
%! __gpu__ ("put", 1);
%! __gpu__ ("shutdown");
%! assert (__gpu__ ("live"), 0);
%! assert (gpu_chol (4), 2);
