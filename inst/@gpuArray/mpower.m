## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{C} =} @var{A} ^ @var{k}
## @deftypefnx {} {@var{C} =} mpower (@var{A}, @var{k})
## The power of a square device array to the whole number @var{k}, or of
## a scalar to a scalar, of which one is on the device.
## @end deftypefn

function C = mpower (A, k)

  if (isscalar (A) && isscalar (k))
    C = power (A, k);
    return;
  elseif (! (isscalar (A) || isscalar (k)))
    error ("can't do A ^ B for A and B both matrices");
  elseif (isempty (A) || isempty (k))
    C = gpuArray (zeros (0, 0));
    return;
  elseif (! (issquare (A) && issquare (k)))
    error (["for x^y, only square matrix arguments are permitted and one " ...
            "argument must be scalar.  Use .^ for elementwise power."]);
  endif

  k = gather (k);
  if (! (isscalar (k) && isreal (k) && k == fix (k) && isfinite (k)))
    error (["operator ^: the exponent is not a whole number, and others " ...
            "are not computed on the device: gather first"]);
  elseif (k == 0)
    C = __gpu_call__ ("eye", class_of (A), size (A));
    return;
  elseif (k < 0)
    A = inv (A);
    k = -k;
  endif
  A = +A;   # a logical matrix becomes double

  ## Squares, and the product of those that are bits of k.
  C = [];
  while (true)
    if (mod (k, 2) == 1)
      if (isempty (C))
        C = A;
      else
        C = C * A;
      endif
    endif
    k = floor (k / 2);
    if (k == 0)
      return;
    endif
    A = A * A;
  endwhile

endfunction

%!test
%! A = [1, 2; 3, 5];
%! for k = 0:7
%!   assert (gather (gpuArray (A) ^ k), full (A ^ k));
%! endfor
%! assert (gather (gpuArray (A) ^ -2), A ^ -2, 1e-12);
%! assert (gather (2 ^ gpuArray (3)), 8);
%!error <only square matrix> gpuArray (ones (2, 3)) ^ 2
%!error <both matrices> gpuArray (ones (2)) ^ ones (2)
%!error <not a whole number> gpuArray (ones (2)) ^ 0.5
