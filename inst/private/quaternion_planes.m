## SPDX-License-Identifier: GPL-3.0-or-later

## [P, FORM] = quaternion_planes (NAME, A, ARG): the planes w, x, y, z of the
## quaternion matrices A, M x N x 4, or M x N x 4 x K for K pages.
##
## P is a full real array, single or double, and a gpuArray if A is one.  FORM
## says what A was, for quaternion_as: "planes", "object" or "gpuArray".  Errors
## are NAME's and call A by its name ARG.  A real matrix is not taken for
## quaternions here: quaternion_operand does so.

function [P, form] = quaternion_planes (name, A, arg)

  if (isa (A, "gpuArray"))
    form = "gpuArray";
  elseif (isa (A, "quaternion"))
    form = "object";
    A = object_planes (name, A, arg);
  else
    form = "planes";
  endif

  cls = classUnderlying (A);
  if (! any (strcmp (cls, {"single", "double", "logical"})))
    error (["%s: %s must be quaternions, as M x N x 4 planes of class " ...
            "single or double, a quaternion object or a gpuArray, but is " ...
            "of class %s"], name, arg, cls);
  elseif (! isreal (A))
    error (["%s: %s must be quaternions, as real M x N x 4 planes, " ...
            "but is complex"], name, arg);
  elseif (size (A, 3) != 4 || ndims (A) > 4)
    ## Never a guess from a 4 in another dimension.
    error (["%s: %s must be quaternions, as M x N x 4 planes or " ...
            "M x N x 4 x K for K pages, but is %s"], name, arg,
           sprintf ("%d x ", size (A))(1:end-3));
  endif

  P = A;
  if (strcmp (cls, "logical"))
    P = double (P);
  endif

endfunction

## The planes of an object with the fields w, x, y, z, where an empty w means
## a pure quaternion.
function P = object_planes (name, q, arg)

  x = full (q.x);
  y = full (q.y);
  z = full (q.z);
  w = full (q.w);
  if (isempty (w))
    w = zeros (size (x), class (x));
  endif
  if (ndims (x) > 3)
    error (["%s: %s must be M x N quaternions, or M x N x K for K pages, " ...
            "but is an object of %s"], name, arg,
           sprintf ("%d x ", size (x))(1:end-3));
  endif
  P = quaternion_join (w, x, y, z);

endfunction
