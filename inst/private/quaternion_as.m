## SPDX-License-Identifier: GPL-3.0-or-later

## Q = quaternion_as (P, FORM): the planes P in the form that quaternion_planes
## told: a quaternion "object", a "gpuArray", or "planes", where they are.

function Q = quaternion_as (P, form)

  on_device = isa (P, "gpuArray");
  switch (form)
    case "gpuArray"
      Q = P;
      if (! on_device)
        Q = gpuArray (P);
      endif
    case "object"
      if (on_device)
        P = gather (P);
      endif
      [m, n, ~, pages] = size (P);
      plane = @(k) reshape (P(:,:,k,:), m, n, pages);
      Q = quaternion (plane (1), plane (2), plane (3), plane (4));
    otherwise
      Q = P;
  endswitch

endfunction
