## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{h} =} @var{g}(@var{i})
## @deftypefnx {} {@var{h} =} @var{g}(@var{i}, @var{j}, @var{k})
## @deftypefnx {} {@var{h} =} subsref (@var{g}, @var{idx})
## Elements of a device array, as a device array.  Indices are what Octave takes:
## numbers, ranges, @code{:}, @code{end} and logical masks, on the host or on
## the device.
## @end deftypefn

function h = subsref (g, S)

  if (numel (S) == 1 && S.type(1) == "(")
    subs = S.subs;
    if (isempty (subs))
      h = g;
      return;
    endif
    try
      h = __gpu_call__ ("index", g, subs{:});
    catch err
      h = by_octave (g, subs, err);
    end_try_catch
  elseif (S(1).type(1) == "(")
    h = subsref (subsref (g, S(1)), S(2:end));
  elseif (S(1).type == "." && g.id == 0)
    args = {};
    if (numel (S) > 1 && S(2).type(1) == "(")
      args = S(2).subs;
      S(2) = [];
    endif
    h = create (S(1).subs, args);
    if (numel (S) > 1)
      h = subsref (h, S(2:end));
    endif
  else
    error ("gpuArray cannot be indexed with %s", S(1).type(1));
  endif

endfunction

## What the device does not take as it is, and Octave's own error.
function h = by_octave (g, subs, err)

  if (! strcmp (err.identifier, "gpulinalg:index")
      && isempty (strfind (err.message, "wrong number of arguments")))
    rethrow (err);
  endif
  [subs, changed] = host_subs (subs);
  if (! changed)
    x = __gpu_call__ ("fresh", "logical", size (g), false);
    x = builtin ("subsref", x, substruct ("()", subs));
    if (numel (subs) < 4)
      rethrow (err);   # Octave can do it; a gpuArray cannot
    endif
  endif
  if (numel (subs) > 3)
    ## Octave checked the others: they are 1, or empty.
    sz = size (x);
    sz(end+1:4) = 1;
    if (numel (sz) > 4 || sz(4) != 1)
      error ("gpuArray: an array has at most three dimensions");
    endif
    subs = subs(1:3);
  endif
  h = subsref (g, substruct ("()", subs));

endfunction

%!shared X, Y, g, h
%! X = reshape (1:24, 4, 6) / 7;
%! Y = reshape (1:24, 2, 3, 4) / 7;
%! g = gpuArray (X);
%! h = gpuArray (Y);
%!assert (gather (g(3)), X(3))
%!assert (gather (g(2,3)), X(2,3))
%!assert (gather (g(:)), X(:))
%!assert (gather (g(:,2)), X(:,2))
%!assert (gather (g(end,:)), X(end,:))
%!assert (gather (g(end)), X(end))
%!assert (gather (g(:,end-1:end)), X(:,end-1:end))
%!assert (gather (g([1, 3, 2, 2],[2, 1])), X([1, 3, 2, 2],[2, 1]))
%!assert (gather (g(X > 1)), X(X > 1))
%!assert (gather (g(g > 1)), X(X > 1))
%!assert (gather (g(gpuArray ([3, 1]))), X([3, 1]))
%!assert (gather (g(:,gpuArray (logical ([1, 0, 0, 1, 0, 1])))), X(:,[1, 4, 6]))
%!assert (gather (g(uint8 (3),int16 ([1, 2]))), X(3,1:2))
%!assert (gather (g(uint64 (3))), X(3))
%!assert (gather (g()), X)
%!assert (gather (g(:,:)), X)
%!assert (gather (g(:,:,1)), X)
%!assert (gather (g(2,3,1,1)), X(2,3))
%!assert (gather (g(:,2)(3)), X(3,2))
%!assert (gather (h(:,:,2)), Y(:,:,2))
%!assert (gather (h(:,5)), Y(:,5))
%!assert (gather (h(2,:,end)), Y(2,:,end))
%!assert (gather (h(2,end)), Y(2,end))
%!assert (gather (h(end)), Y(end))
%!error <^gpuArray cannot be indexed with \{$> g{1}
%!error <^gpuArray cannot be indexed with \.$>
%! g = gpuArray (1);
%! g.id;
