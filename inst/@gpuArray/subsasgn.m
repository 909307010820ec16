## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} @var{g}(@var{i}) = @var{x}
## @deftypefnx {} {} @var{g}(@var{i}, @var{j}, @var{k}) = @var{x}
## @deftypefnx {} {@var{g} =} subsasgn (@var{g}, @var{idx}, @var{x})
## Assign to elements of a device array, which becomes a new array.  As in
## Octave, it grows to the largest index, and @code{[]} deletes.  It keeps its
## class, but becomes complex where @var{x} is, and a logical array becomes double
## where @var{x} is single or complex.
## @end deftypefn

function g = subsasgn (g, S, x)

  if (numel (S) > 1 || S.type(1) != "(")
    error ("gpuArray cannot be indexed with %s", S(1).type(1));
  endif
  subs = S.subs;
  if (isempty (subs))
    error ("gpuArray: invalid empty index list");
  elseif (isnumeric (x) && isempty (x) && isequal (size (x), [0, 0])
          && isa (x, "double"))
    g = deleted (g, subs);
    return;
  endif

  try
    g = __gpu_call__ ("assign", g, x, subs{:});
  catch err
    g = by_octave (g, subs, x, err);
  end_try_catch

endfunction

## What the device does not take as it is, and Octave's own error.
function g = by_octave (g, subs, x, err)

  if (! strcmp (err.identifier, "gpulinalg:index")
      && isempty (strfind (err.message, "wrong number of arguments")))
    rethrow (err);
  endif
  [subs, changed] = host_subs (subs);
  if (changed)
    g = subsasgn (g, substruct ("()", subs), x);
  elseif (isequal (size (g), [0, 0]))
    ## Colons mean the size of x, which has all elements that come.
    y = gather (g);
    g = gpuArray (builtin ("subsasgn", y, substruct ("()", subs), gather (x)));
  else
    y = __gpu_call__ ("fresh", "logical", size (g), false);
    z = __gpu_call__ ("fresh", "logical", size (x), false);
    y = builtin ("subsasgn", y, substruct ("()", subs), z);
    if (numel (subs) < 4 || ndims (y) > 3)
      rethrow (err);   # Octave can do it; a gpuArray cannot
    endif
    g = subsasgn (g, substruct ("()", subs(1:3)), x);
  endif

endfunction

## The places that Octave leaves of an array of their numbers, which has the
## size of g or, where only one index is no colon, of that dimension.
function g = deleted (g, subs)

  subs = host_subs (subs);
  sz = size (g);
  n = numel (subs);
  d = find (! strcmp (subs, ":"));
  if (n == 1)
    at = reshape (1:prod (sz), sz);
    at(subs{1}) = [];
    g = __gpu_call__ ("reshape", __gpu_call__ ("index", g, at), size (at));
  elseif (isempty (d))
    g = __gpu_call__ ("index", g, zeros (1, 0), ":", ":");
  elseif (numel (d) == 1 && d <= numel (sz))
    at = reshape (1:sz(d), [ones(1, d - 1), sz(d), 1]);
    at(subs{:}) = [];
    subs = {":", ":", ":"};
    subs{d} = at(:);
    g = __gpu_call__ ("index", g, subs{:});
  else
    ## An error, or nothing is deleted.
    x = __gpu_call__ ("fresh", "logical", sz, false);
    x(subs{:}) = [];
  endif

endfunction

%!test
%! g = gpuArray (magic (4));
%! x = magic (4);
%! h = g;
%! g(2,3) = 7;
%! x(2,3) = 7;
%! assert (gather (g), x);
%! assert (gather (h), magic (4));
%! g(:,1) = 1:4;
%! x(:,1) = 1:4;
%! g(end,:) = gpuArray (0);
%! x(end,:) = 0;
%! g(x > 10) = NaN;
%! x(x > 10) = NaN;
%! assert (gather (g), x);
%! g(g < 3) = gpuArray (5);
%! x(x < 3) = 5;
%! assert (gather (g), x);
%! g(gpuArray ([1, 2])) = [8, 9];
%! x([1, 2]) = [8, 9];
%! assert (gather (g), x);
%! g(6,7) = 1;
%! x(6,7) = 1;
%! g(:,:,2) = 3;
%! x(:,:,2) = 3;
%! assert (gather (g), x);
%! g(:,2,:) = [];
%! x(:,2,:) = [];
%! assert (gather (g), x);
%!test
%! g = gpuArray ([]);
%! g(3) = 1;
%! g(end+1) = 2;
%! assert (gather (g), [0, 0, 1, 2]);
%! g(2) = [];
%! assert (gather (g), [0, 1, 2]);
%! g = gpuArray ([]);
%! g(:,2) = [1; 2];
%! assert (gather (g), [0, 1; 0, 2]);
%!test
%! g = gpuArray (true);
%! g(2) = 0;
%! assert (classUnderlying (g), "logical");
%! g(2) = single (3);
%! assert (classUnderlying (g), "double");
%! g(1) = 1i;
%! assert (gather (g), [1i, 3]);
%! g = gpuArray (single (1));
%! g(2) = pi;
%! assert (gather (g), single ([1, pi]));
%!error <^gpuArray cannot be indexed with \{$> g = gpuArray (1); g{1} = 2;
%!error <^gpuArray cannot be indexed with \.$> g = gpuArray (1); g.x = 2;
%!error <no conversion for assignment of 'cell' to indexed 'gpuArray'>
%! g = gpuArray (1);
%! g(1) = {2};
