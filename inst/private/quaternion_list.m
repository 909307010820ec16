## SPDX-License-Identifier: GPL-3.0-or-later

## X = quaternion_list (NAME, X, ARG): the real array X of components, full,
## single or double, or a gpuArray of those.  Errors are NAME's and call it ARG.

function X = quaternion_list (name, X, arg)

  cls = classUnderlying (X);
  if (! any (strcmp (cls, {"single", "double", "logical"})))
    error (["%s: %s must be a real array of class single or double, but is " ...
            "of class %s"], name, arg, cls);
  elseif (! isreal (X))
    error ("%s: %s must be real, but is complex", name, arg);
  endif
  if (! isa (X, "gpuArray"))
    X = full (X);
  endif
  if (strcmp (cls, "logical"))
    X = double (X);
  endif

endfunction
