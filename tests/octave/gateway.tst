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
%!                "Note"}));
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
%!test
%! live = __gpu__ ("live");
%! memory = __gpu__ ("device").AvailableMemory;
%! A = full (-eye (64));
%! id = __gpu__ ("put", A);
%! R = zeros (64);
%! for k = 1:1000
%!   p = __gpu__ ("chol", A, "upper", R);
%!   assert (p, 1);
%!   try
%!     gpu_chol (A);
%!     error ("no error");
%!   catch err
%!     assert (err.message,
%!             "gpu_chol: input matrix must be positive definite");
%!   end_try_catch
%!   try
%!     __gpu__ ("chol", A, "upper", id);
%!     error ("no error");
%!   catch err
%!     assert (err.identifier, "gpulinalg:arg");
%!   end_try_catch
%!   try
%!     __gpu__ ("chol", id, "middle");
%!     error ("no error");
%!   catch err
%!     assert (err.identifier, "gpulinalg:arg");
%!   end_try_catch
%! endfor
%! assert (__gpu__ ("live"), live + 1);
%! __gpu__ ("free", id);
%! assert (__gpu__ ("live"), live);
%! if (strcmp (__gpu__ ("device").Backend, "cuda"))
%!   ## What the pool keeps for later calls is not a leak.
%!   assert (__gpu__ ("device").AvailableMemory > memory - 2^28);
%! endif

## Every allocation fails once: an error, or the host's result with a warning;
## never an array left over, and the next call works.
%!test
%! randn ("twister", 42);
%! n = 13;
%! A = randn (n);
%! A = A' * A + eye (n);
%! C = chol (A);
%! live = __gpu__ ("live");
%! leaf = __gpu__ ("set", "leaf", 4);
%! unwind_protect
%!   for input = {"host", "device", "put"}
%!     for k = 0:100
%!       warning ("off", "gpulinalg:nomem", "local");
%!       source = [];
%!       if (strcmp (input{1}, "device"))
%!         source = __gpu__ ("put", A);
%!       endif
%!       ok = true;
%!       __gpu__ ("set", "allocs_left", k);
%!       try
%!         switch (input{1})
%!           case "host"
%!             R = zeros (n);
%!             p = __gpu__ ("chol", A, "upper", R);
%!           case "device"
%!             [p, id] = __gpu__ ("chol", source, "upper");
%!           case "put"
%!             id = __gpu__ ("put", A);
%!         endswitch
%!       catch err
%!         ok = false;
%!         assert (err.identifier, "gpulinalg:nomem");
%!       end_try_catch
%!       left = __gpu__ ("set", "allocs_left", -1);
%!       if (ok && strcmp (input{1}, "host"))
%!         assert (p, 0);
%!         assert (norm (R - C), 0, 100 * n * eps * norm (C));
%!       elseif (ok)
%!         assert (__gpu__ ("live"), live + 1 + ! isempty (source));
%!         __gpu__ ("free", id);
%!       endif
%!       if (! isempty (source))
%!         __gpu__ ("free", source);
%!       endif
%!       assert (__gpu__ ("live"), live);
%!       if (left > 0)
%!         break;
%!       endif
%!     endfor
%!     assert (ok);
%!     assert (left > 0);
%!   endfor
%! unwind_protect_cleanup
%!   __gpu__ ("set", "allocs_left", -1);
%!   __gpu__ ("set", "leaf", leaf);
%! end_unwind_protect
%! assert (gpu_chol (A), C, 100 * n * eps * norm (C));

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

## Out of device memory with a host array: a warning, and the host's result.
%!testif ; strcmp (gpuDevice ().Backend, "cuda")
%! A = full (4 * eye (200));
%! limit = __gpu__ ("set", "memory_limit", 1e5);
%! unwind_protect
%!   lastwarn ("", "");
%!   shown = evalc ("R = gpu_chol (A);");
%!   [~, id] = lastwarn ();
%!   assert (id, "gpulinalg:nomem");
%!   assert (! isempty (strfind (shown, "gpu_chol: computing on the host")));
%!   assert (R, full (2 * eye (200)));
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
