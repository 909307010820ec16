## SPDX-License-Identifier: GPL-3.0-or-later

## G = create (NAME, ARGS): gpuArray.NAME (ARGS{:}).

function g = create (name, args)

  is_complex = false;
  class_g = "double";
  if (numel (args) > 1 && ischar (args{end-1}) && strcmp (args{end-1}, "like"))
    class_g = classUnderlying (args{end});
    is_complex = iscomplex (args{end});
    args(end-1:end) = [];
  elseif (numel (args) == 2 && ischar (args{1}) && strcmp (args{1}, "seed")
          && any (strcmp (name, {"rand", "randn"})))
    __gpu__ ("set", "seed", double (args{2}));
    g = [];
    return;
  elseif (! isempty (args) && ischar (args{end}))
    class_g = args{end};
    args(end) = [];
  endif
  sz = dimensions (name, args);

  is_logical = strcmp (class_g, "logical");
  if (! any (strcmp (class_g, {"single", "double"}))
      && ! (is_logical && any (strcmp (name, {"zeros", "ones"}))))
    error ("gpuArray.%s: an array of class %s cannot be made", name, class_g);
  endif

  switch (name)
    case "zeros"
      g = filled (class_g, 0, is_complex, sz);
    case "ones"
      g = filled (class_g, 1, is_complex, sz);
    case {"Inf", "inf"}
      g = filled (class_g, Inf, is_complex, sz);
    case {"NaN", "nan"}
      g = filled (class_g, NaN, is_complex, sz);
    case "true"
      g = filled ("logical", true, false, sz);
    case "false"
      g = filled ("logical", false, false, sz);
    case "eye"
      if (sz(3) != 1)
        error ("gpuArray.eye: an identity has two dimensions");
      endif
      g = __gpu_call__ ("eye", class_g, sz);
      if (is_complex)
        g = __gpu_call__ ("map", "complex", g, 0);
      endif
    case "rand"
      g = __gpu_call__ ("random", "uniform", class_g, sz);
    case "randn"
      g = __gpu_call__ ("random", "normal", class_g, sz);
    otherwise
      error ("gpuArray: there is no gpuArray.%s", name);
  endswitch

endfunction

function g = filled (class_g, value, is_complex, sz)

  if (is_complex)
    value = complex (value, 0);
  endif
  g = __gpu_call__ ("fill", class_g, value, sz);

endfunction

## The size that ARGS say, as three numbers.
function sz = dimensions (name, args)

  for i = 1:numel (args)
    if (isa (args{i}, "gpuArray"))
      args{i} = gather (args{i});
    elseif (! (isnumeric (args{i}) || islogical (args{i})))
      error ("gpuArray.%s: dimensions must be numbers, but one is of class %s",
             name, class (args{i}));
    endif
  endfor
  if (isempty (args))
    sz = [1, 1, 1];
    return;
  elseif (numel (args) == 1 && isscalar (args{1}))
    sz = double (args{1}) * [1, 1];
  elseif (numel (args) == 1)
    sz = double (args{1}(:)');
  elseif (all (cellfun ("numel", args) == 1))
    sz = cellfun (@double, args);
  else
    error ("gpuArray.%s: dimensions must be scalar integers", name);
  endif
  if (any (sz != fix (sz)))
    error ("gpuArray.%s: dimensions must be integers", name);
  endif
  sz = max (sz, 0);
  if (any (sz(4:end) != 1))
    error ("gpuArray.%s: at most three dimensions, but there are %d", name,
           numel (sz));
  endif
  sz(end+1:3) = 1;
  sz = sz(1:3);

endfunction
