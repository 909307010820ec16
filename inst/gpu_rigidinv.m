## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{X} =} gpu_rigidinv (@var{T})
## @deftypefnx {} {@var{X} =} gpu_rigidinv (@dots{}, "full")
## @deftypefnx {} {@var{X} =} gpu_rigidinv (@dots{}, "tolerance", @var{tol})
## @deftypefnx {} {[@var{X}, @var{deviation}] =} gpu_rigidinv (@dots{})
## Invert the rigid transforms @var{T}, such as poses of cameras and of robots'
## links, on the GPU, or on the host where no GPU can be used.
##
## A rigid transform @code{[R, t; 0 0 0 1]} turns by @code{R} and moves by
## @code{t}.  Its inverse is @code{[R', -R' * t; 0 0 0 1]}.
##
## @strong{Shapes.}  @var{T} is 4 x 4, or 3 x 4 without the last row, or has K
## such pages; @var{X} has the same size, and @var{deviation} is 1 x 1 x K.
##
## @strong{Classes.}  @var{T} is real, single or double, on the host or on the
## device, and @var{X} has its class and is where it is.  Integer and logical
## arrays are converted to double.  @var{deviation} is on the host.
##
## @strong{Rigid.}  @var{deviation} is how far @code{R * R'} is from the
## identity and the last row from @code{[0, 0, 0, 1]}, the largest modulus of an
## element.  A mirror is rigid, too.  A page that is further off than
## @var{tol}, by default @code{sqrt (eps)} of the class of @var{T}, is an error.
## With @qcode{"full"} it is inverted as any matrix by @code{gpu_inv}, with its
## warnings.
##
## @strong{Errors.}  It is an error if a page is not rigid, or @var{T} is of
## another shape, complex or not numeric.
##
## @strong{Accuracy.}  @code{@var{T} * @var{X} - I} is some 20 eps, in the last
## column times @code{norm (t)}, plus the square of @var{deviation}: a rotation
## that has lost half of its digits is still inverted in full.
##
## @strong{Example.}
##
## @example
## @group
## gpu_rigidinv ([0, -1, 0, 5; 1, 0, 0, 6; 0, 0, 1, 7; 0, 0, 0, 1])
##   @result{}  0   1   0  -6
##      -1   0   0   5
##       0   0   1  -7
##       0   0   0   1
## @end group
## @end example
##
## @strong{Algorithm.}  One step of Newton's method from @code{R'} (G. Schulz,
## 1933) gives @code{V = R' - R' * E} with @code{E = R * R' - I}, and
## @code{@var{X} = [V, -V * t; 0 0 0 1]}.
## @seealso{gpu_inv, gpu_homography, gpu_mtimes}
## @end deftypefn

function [X, deviation] = gpu_rigidinv (T, varargin)

  if (nargin < 1)
    print_usage ();
  endif
  [tol, full_too] = options (varargin{:});
  T = real_operand ("gpu_rigidinv", T, "T");
  [m, n, pages] = size (T);
  if (! any (m == [3, 4]) || n != 4)
    error (["gpu_rigidinv: T must be 4 x 4, 3 x 4, or pages of these, " ...
            "but is %s"], sprintf ("%d x ", size (T))(1:end-3));
  endif

  if (isobject (T))
    [X, deviation] = __gpu_call__ ("rigidinv", T);
  else
    X = fresh_array (size (T), class (T), false);
    deviation = __gpu__ ("rigidinv", T, X);
  endif
  if (isempty (tol))
    tol = sqrt (eps (class (deviation)));
  endif
  k = find (! (deviation <= tol));
  if (isempty (k))
    return;
  elseif (! full_too)
    where = "T";
    if (pages > 1)
      where = sprintf ("page %d of T", k(1));
    endif
    error (["gpu_rigidinv: %s is not rigid: it is off by %.2g, the " ...
            'tolerance is %.2g; see the options "full" and "tolerance"'],
           where, deviation(k(1)), tol);
  endif
  X(:,:,k) = inverse_in_full (T(:,:,k), m);

endfunction

function [tol, full_too] = options (varargin)

  tol = [];
  full_too = false;
  k = 1;
  while (k <= numel (varargin))
    name = varargin{k};
    if (ischar (name) && strcmpi (name, "full"))
      full_too = true;
      k++;
    elseif (ischar (name) && strcmpi (name, "tolerance")
            && k < numel (varargin))
      tol = varargin{k+1};
      if (! (isnumeric (tol) && isreal (tol) && isscalar (tol) && tol >= 0))
        error ("gpu_rigidinv: the tolerance must be a number from 0 on");
      endif
      k += 2;
    else
      error ('gpu_rigidinv: the options are "full" and "tolerance", TOL');
    endif
  endwhile

endfunction

## T of M x 4 x K, inverted as any matrices.
function X = inverse_in_full (T, m)

  if (m == 3)
    T = [T; repmat([0, 0, 0, 1], [1, 1, size(T, 3)])];
  endif
  X = gpu_inv (T)(1:m,:,:);

endfunction

%!demo
%! ## A camera at [1; 2; 3], turned by 30 degrees: where it sees a point.
%! c = cosd (30);
%! s = sind (30);
%! pose = [c, -s, 0, 1; s, c, 0, 2; 0, 0, 1, 3; 0, 0, 0, 1];
%! to_camera = gpu_rigidinv (pose);
%! printf ("the point [4; 2; 3] is at [%.3f; %.3f; %.3f] of the camera\n",
%!         (to_camera * [4; 2; 3; 1])(1:3));

## Random rotations about random axes, and shifts.
%!function T = random_poses (k, cls)
%!  q = randn (1, 4, k);
%!  q ./= sqrt (sumsq (q));
%!  [w, x, y, z] = num2cell (q, [1, 3]){:};
%!  R = [w.*w + x.*x - y.*y - z.*z, 2*(x.*y - w.*z), 2*(x.*z + w.*y)
%!       2*(x.*y + w.*z), w.*w - x.*x + y.*y - z.*z, 2*(y.*z - w.*x)
%!       2*(x.*z - w.*y), 2*(y.*z + w.*x), w.*w - x.*x - y.*y + z.*z];
%!  T = cast ([R, 5 * randn(3, 1, k); repmat([0, 0, 0, 1], [1, 1, k])], cls);
%!endfunction
%!function e = worst_error (T, X)
%!  e = 0;
%!  for k = 1:size (T, 3)
%!    E = double (T(:,:,k)) * double (X(:,:,k)) - eye (4);
%!    e = max (e, max (abs (E(:))));
%!  endfor
%!endfunction

%!test
%! randn ("twister", 42);
%! for cls = {"single", "double"}
%!   for k = [0, 1, 2, 33, 500]
%!     T = random_poses (k, cls{1});
%!     if (k > 1)
%!       T(:,1,2) *= -1;   # a mirror
%!     endif
%!     [X, deviation] = gpu_rigidinv (T);
%!     assert (size (X), size (T));
%!     assert (class (X), cls{1});
%!     assert (size (deviation), size (zeros (1, 1, k)));
%!     assert (all (deviation <= 8 * eps (cls{1})));
%!     assert (worst_error (T, X) <= 100 * eps (cls{1}));
%!     assert (X(4,:,:), T(4,:,:));
%!     Y = gpu_rigidinv (T(1:3,:,:));
%!     assert (Y, X(1:3,:,:));
%!     [D, deviation_D] = gpu_rigidinv (gpuArray (T));
%!     assert (class (D), "gpuArray");
%!     assert (gather (D), X, 40 * eps (cls{1}));
%!     assert (deviation_D, deviation, 8 * eps (cls{1}));
%!   endfor
%! endfor

## The translation is -R' * t, not -t.
%!test
%! T = [0, -1, 0, 5; 1, 0, 0, 6; 0, 0, 1, 7; 0, 0, 0, 1];
%! assert (gpu_rigidinv (T), inv (T), eps);
%! assert (gpu_rigidinv (T)(1:3,4), [-6; 5; -7]);
%! assert (gpu_rigidinv (int8 (T)), gpu_rigidinv (T));
%! assert (gpu_rigidinv (sparse (T)), gpu_rigidinv (T));
%! assert (gpu_rigidinv (eye (4)), eye (4));
%! assert (gather (gpu_rigidinv (gpuArray (eye (4) == 1))), eye (4));

## A rotation with half of its digits.
%!test
%! randn ("twister", 42);
%! T = random_poses (50, "double");
%! T(1:3,1:3,:) = round (T(1:3,1:3,:) * 2e8) / 2e8;
%! [X, deviation] = gpu_rigidinv (T);
%! assert (max (deviation) > 1e-9);
%! assert (worst_error (T, X) < 1e-13);

## What is not rigid: an error, or in full.
%!test
%! randn ("twister", 42);
%! T = random_poses (5, "double");
%! T(1:3,1:3,2) *= 2;
%! T(4,1,4) = 0.5;
%! [X, deviation] = gpu_rigidinv (T, "full");
%! assert (deviation([2, 4])(:), [3; 0.5], 1e-14);
%! assert (worst_error (T, X) < 1e-13);
%! X = gpu_rigidinv (T(1:3,:,1:3), "full", "tolerance", 1e-10);
%! T(4,1,4) = 0;
%! assert (X, gpu_inv (T)(1:3,:,1:3), 1e-13);
%! D = gpu_rigidinv (gpuArray (T), "Full");
%! assert (gather (D), gpu_inv (T), 1e-13);
%! X = gpu_rigidinv (T, "tolerance", 4);
%! assert (X(:,:,1), gpu_rigidinv (T(:,:,1)), 0);
%!error <^gpu_rigidinv: page 2 of T is not rigid: it is off by 3, the tolerance>
%! gpu_rigidinv (cat (3, eye (4), diag ([2, 2, 2, 1])));
%!error <^gpu_rigidinv: T is not rigid: it is off by 1>
%! gpu_rigidinv ([eye(3), ones(3, 1); 0, 0, 1, 1]);
%!error <T is not rigid: it is off by NaN> gpu_rigidinv (NaN (3, 4));
%!error <T is not rigid: it is off by 3>
%! gpu_rigidinv (gpuArray (diag ([2, 1, 1, 1])));
%!warning <matrix singular to machine precision>
%! X = gpu_rigidinv (zeros (4), "full");
%! assert (X, Inf (4));

## Nothing stays on the device.
%!test
%! before = __gpu__ ("live");
%! gpu_rigidinv (repmat (eye (4), [1, 1, 100]));
%! try
%!   gpu_rigidinv (zeros (4));
%! end_try_catch
%! assert (__gpu__ ("live"), before);

%!error <Invalid call to gpu_rigidinv> gpu_rigidinv ()
%!error <T must be 4 x 4, 3 x 4, or pages of these, but is 3 x 3$>
%! gpu_rigidinv (eye (3));
%!error <^gpu_rigidinv: T must be real, but is complex$>
%! gpu_rigidinv (1i * eye (4));
%!error <^gpu_rigidinv: wrong type argument 'cell'$> gpu_rigidinv ({1})
%!error <the options are "full" and "tolerance", TOL> gpu_rigidinv (eye (4), 1)
%!error <the options are "full" and "tolerance", TOL>
%! gpu_rigidinv (eye (4), "tolerance");
%!error <the tolerance must be a number from 0 on>
%! gpu_rigidinv (eye (4), "tolerance", -1);
