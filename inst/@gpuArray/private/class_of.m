## SPDX-License-Identifier: GPL-3.0-or-later

## "single" or "double": the class that A computes with.

function cls = class_of (A)

  cls = __gpu_call__ ("class", A);
  if (strcmp (cls, "logical"))
    cls = "double";
  endif

endfunction
