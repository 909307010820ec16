## gpuArray as a class: indices and assignments beside Octave's own on random
## arrays of all shapes and types, with Octave's errors; values, handles, cells.
##
## SPDX-License-Identifier: GPL-3.0-or-later

## An array of a random shape and type, sometimes empty.
%!function x = random_array (sizes)
%!  if (nargin < 1)
%!    sizes = {[1, 1], [0, 0], [1, 5], [4, 1], [3, 4], [2, 3, 4], [1, 1, 3], ...
%!             [1, 4, 2], [0, 3], [3, 0], [2, 0, 3], [1, 0], [0, 1], [5, 1, 2]};
%!  endif
%!  sz = sizes{randi(numel (sizes))};
%!  x = round (10 * randn (sz));
%!  switch (randi (5))
%!    case 1
%!      x = single (x);
%!    case 2
%!      x = complex (x, round (10 * randn (sz)) + 11);
%!    case 3
%!      x = x > 0;
%!    case 4
%!      x = complex (single (x), 3);
%!  endswitch
%!  if (isequal (size (x), [0, 0]))
%!    x = real (x);   # Octave's own rules differ where such a one is complex
%!  endif
%!endfunction

## An index into n places: mostly good ones, of all kinds.
%!function k = random_index (n, growing)
%!  limit = n + (rand () < 0.15) + growing * (rand () < 0.3) * randi (3);
%!  pick = @(sz) randi (max (limit, 1), sz);
%!  switch (randi (14))
%!    case {1, 2, 3}
%!      k = ":";
%!    case {4, 5}
%!      k = pick ([1, 1]);
%!    case 6
%!      k = pick ([1, 4]);
%!    case 7
%!      k = pick ([3, 1]);
%!    case 8
%!      k = 1:2:limit;
%!    case 9
%!      k = limit:-1:1;
%!    case 10
%!      k = rand (1, limit) > 0.5;
%!    case 11
%!      k = {[], zeros(1, 0), zeros(0, 3), false(1, 0), false}{randi(5)};
%!    case 12
%!      k = pick ([2, 3]);
%!    case 13
%!      k = uint16 (pick ([1, 2]));
%!    case 14
%!      k = single (pick ([1, 1]));
%!  endswitch
%!  if (rand () < 0.03)
%!    k = {0, 1.5, -1, NaN, Inf, 2i, "a", 1e30, int8(-3), [1, 0]}{randi(10)};
%!  endif
%!endfunction

%!function subs = random_subs (x, growing)
%!  n = randi (3);
%!  sz = size (x);
%!  sz(end+1:n) = 1;
%!  sz(n) = prod (sz(n:end));
%!  subs = cell (1, n);
%!  for d = 1:n
%!    subs{d} = random_index (sz(d), growing);
%!  endfor
%!  if (n == 1 && rand () < 0.2)
%!    subs{1} = rand (size (x)) > 0.5;
%!  endif
%!endfunction

## Whether an index selects nothing.
%!function tf = is_none (subs)
%!  tf = any (cellfun (@(k) isempty (k) || islogical (k) && ! any (k(:)), ...
%!                     subs));
%!endfunction

## What F gives, or the message and identifier of its error.
%!function [x, message, id] = attempt (f)
%!  x = message = id = [];
%!  try
%!    x = f ();
%!  catch err
%!    message = err.message;
%!    id = err.identifier;
%!  end_try_catch
%!endfunction

%!function check_same (g, want, subs, context)
%!  y = gather (g);
%!  if (! (isequaln (y, want) && strcmp (class (y), class (want))
%!         && isequal (size (g), size (want))))
%!    error ("%s: got %s, want %s, for indices %s", context, ...
%!           disp (y), disp (want), disp (subs));
%!  endif
%!endfunction

%!function tf = isequaln (a, b)
%!  a = double (a);
%!  b = double (b);
%!  tf = isequal (isnan (a), isnan (b));
%!  if (tf)
%!    a(isnan (a)) = 0;
%!    b(isnan (b)) = 0;
%!    tf = isequal (a, b);
%!  endif
%!endfunction

## Reading.
%!test
%! rand ("twister", 1);
%! randn ("twister", 1);
%! errors = 0;
%! for trial = 1:1500
%!   x = random_array ();
%!   g = gpuArray (x);
%!   subs = random_subs (x, false);
%!   S = substruct ("()", subs);
%!   [want, message, id] = attempt (@() builtin ("subsref", x, S));
%!   [h, message2, id2] = attempt (@() subsref (g, S));
%!   if (ndims (want) > 3)
%!     assert (! isempty (message2));
%!   elseif (isempty (message) && isempty (message2))
%!     check_same (h, want, subs, "read");
%!   else
%!     errors++;
%!     assert (message2, message);
%!     assert (id2, id);
%!   endif
%! endfor
%! assert (errors > 50);

## The same by indices on the device.
%!test
%! rand ("twister", 2);
%! for trial = 1:300
%!   x = random_array ({[3, 4], [2, 3, 4], [1, 6], [5, 1]});
%!   g = gpuArray (x);
%!   subs = random_subs (x, false);
%!   on_device = subs;
%!   for d = 1:numel (subs)
%!     if ((isfloat (subs{d}) || islogical (subs{d})) && rand () < 0.7)
%!       on_device{d} = gpuArray (subs{d});
%!     endif
%!   endfor
%!   [want, message] = attempt (@() builtin ("subsref", x, ...
%!                                           substruct ("()", subs)));
%!   [h, message2] = attempt (@() subsref (g, substruct ("()", on_device)));
%!   if (ndims (want) <= 3)
%!     assert (message2, message);
%!     if (isempty (message))
%!       check_same (h, want, subs, "read");
%!     endif
%!   endif
%! endfor

## Writing, of numbers and arrays, on the host and the device, with growth.
%!test
%! rand ("twister", 3);
%! randn ("twister", 3);
%! errors = grown = 0;
%! warning ("off", "all", "local");
%! for trial = 1:2000
%!   x = random_array ();
%!   g = gpuArray (x);
%!   subs = random_subs (x, true);
%!   S = substruct ("()", subs);
%!   ## A right-hand side that mostly fits.
%!   [part, message] = attempt (@() builtin ("subsref", x, S));
%!   v = random_array ();
%!   if (isempty (message) && ndims (part) < 4 && rand () < 0.6)
%!     v = random_array ({size(part)});
%!   elseif (rand () < 0.5)
%!     v = random_array ({[1, 1]});
%!   endif
%!   if (isequal (size (v), [0, 0]) && isa (v, "double"))
%!     continue;   # a deletion
%!   endif
%!   w = v;
%!   if (rand () < 0.5)
%!     w = gpuArray (v);
%!   endif
%!   [want, message, id] = attempt (@() builtin ("subsasgn", x, S, v));
%!   [h, message2, id2] = attempt (@() subsasgn (g, S, w));
%!   if (ndims (want) > 3 || any (regexp (char (message), "no conversion"))
%!       || isequal (size (x), [0, 0]) && isempty (message) != isempty (message2)
%!       || numel (subs) == 3 && (isempty (x) || is_none (subs)))
%!     continue;   # where Octave's rules differ from type to type
%!   elseif (isempty (message) && isempty (message2))
%!     check_same (h, want, {x, subs, v}, "write");
%!     grown += numel (want) > numel (x);
%!   else
%!     errors++;
%!     assert (message2, message);
%!     assert (id2, id);
%!   endif
%!   check_same (g, x, {}, "unchanged");
%! endfor
%! assert (errors > 50);
%! assert (grown > 100);

## Deleting.
%!test
%! rand ("twister", 4);
%! deleted = 0;
%! for trial = 1:800
%!   x = random_array ();
%!   g = gpuArray (x);
%!   subs = random_subs (x, false);
%!   S = substruct ("()", subs);
%!   y = x;
%!   [~, message] = attempt (@() builtin ("subsref", x, S));
%!   try
%!     y(subs{:}) = [];
%!   catch err
%!     y = err.message;
%!   end_try_catch
%!   [h, message2] = attempt (@() subsasgn (g, S, []));
%!   if (ischar (y))
%!     ## Octave may name the variable.
%!     assert (regexprep (message2, '^at|^x', "y"), y);
%!   else
%!     assert (message2, []);
%!     check_same (h, y, {x, subs}, "delete");
%!     deleted += numel (y) < numel (x);
%!   endif
%! endfor
%! assert (deleted > 100);

## Values: a copy does not change with its source.
%!function g = spoiled (g)
%!  g(1) = -1;
%!endfunction
%!test
%! x = magic (4);
%! g = gpuArray (x);
%! h = g;
%! c = {g, g};
%! s.a.b = g;
%! f = @() g(1);
%! k = spoiled (g);
%! g(1) = 100;
%! for y = {h, c{:}, s.a.b}
%!   assert (gather (y{1}), x);
%! endfor
%! assert (gather (f ()), x(1));
%! assert (gather (k(1)), -1);
%! s.a.b(2) = 7;
%! assert (gather (s.a.b(2)), 7);
%! assert (gather (h), x);
%! c{2}(3,:) = 0;
%! assert (gather (c{2}(3,:)), zeros (1, 4));
%! assert (gather (c{1}), x);
%! g += 1;
%! assert (gather (g(1)), 101);
%! assert (gather (h), x);

## Handles, cells, struct arrays, loops, global and persistent variables.
%!function g = remembered (g)
%!  persistent p;
%!  if (nargin > 0)
%!    p = g;
%!  endif
%!  g = p;
%!endfunction
%!test
%! make = @gpuArray;
%! g = make (1:4);
%! assert (class (g), "gpuArray");
%! c = cellfun (make, {1, 2, 3}, "UniformOutput", false);
%! assert (cellfun (@(x) gather (x), c), 1:3);
%! assert (cellfun (@gather, c), 1:3);
%! assert (cellfun (@numel, {g, g}), [4, 4]);
%! assert (cellfun ("isclass", c, "gpuArray"), true (1, 3));
%! d = cellfun (@plus, c, {10, 20, 30}, "UniformOutput", false);
%! assert (cellfun (@gather, d), [11, 22, 33]);
%! s = struct ("v", c);
%! assert (gather (s(2).v), 2);
%! assert (arrayfun (@(t) gather (t.v), s), 1:3);
%! total = gpuArray (0);
%! for i = 1:10
%!   total += i;
%! endfor
%! assert (gather (total), 55);
%! parfor i = 1:3
%!   total = total + 1;
%! endparfor
%! assert (gather (total), 58);
%! global the_global
%! the_global = g;
%! assert (gather (the_global), 1:4);
%! clear -global the_global
%! remembered (g);
%! assert (gather (remembered ()), 1:4);
%! remembered ([]);
%! a.b(3).c = g;
%! assert (gather (a.b(3).c(2)), 2);

## What depends on the class.
%!test
%! g = gpuArray (1:3);
%! assert (isa (g, "gpuArray"));
%! assert (isobject (g));
%! assert (! iscell (g) && ! isstruct (g) && ! ischar (g));
%! assert (ismethod (g, "plus"));
%! assert (! isempty (get_help_text ("gpuArray")));
%! if (gpuArray (true))
%!   ok = true;
%! endif
%! assert (ok);

## An array of the host, indexed by one of the device.
%!test
%! x = 10:20;
%! assert (x(gpuArray (3)), 12);
%! assert (x(gpuArray (x > 18)), [19, 20]);

## Zero-argument and other forms of the constructors.
%!assert (size (gpuArray.zeros (0)), [0, 0])
%!assert (size (gpuArray.ones (0, 3)), [0, 3])
%!assert (gather (gpuArray.ones (2, 2)(1,:)), [1, 1])

## gpu_* functions give arrays of the device for arrays of the device.
%!test
%! A = [4, 2; 2, 5];
%! g = gpuArray (A);
%! for f = {@gpu_chol, @gpu_inv, @gpu_det, @gpu_logdet, @gpu_transpose, ...
%!          @gpu_ctranspose, @gpu_lu, @chol, @inv, @det, @transpose, ...
%!          @ctranspose, @lu}
%!   want = f{1} (A);
%!   h = f{1} (g);
%!   assert (class (h), "gpuArray");
%!   assert (gather (h), want, 8 * eps * max (abs (want(:))));
%! endfor
%! [R, p] = gpu_chol (g);
%! assert (class (p), "double");
%! assert (p, 0);

## A uint64 number is no device array.
%!error <not implemented for 'gpuArray' by> gpuArray (1) + uint64 (3)
%!error gpuArray (1) + {1}
