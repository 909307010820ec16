## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{g} =} gpuArray (@var{x})
## @deftypefnx {} {@var{g} =} gpuArray.zeros (@dots{})
## @deftypefnx {} {@var{g} =} gpuArray.ones (@dots{})
## @deftypefnx {} {@var{g} =} gpuArray.eye (@dots{})
## @deftypefnx {} {@var{g} =} gpuArray.rand (@dots{})
## @deftypefnx {} {@var{g} =} gpuArray.randn (@dots{})
## @deftypefnx {} {@var{g} =} gpuArray.Inf (@dots{})
## @deftypefnx {} {@var{g} =} gpuArray.NaN (@dots{})
## Copy the array @var{x} to the GPU, or to the memory that stands for it where
## no GPU can be used.
##
## What is computed from @var{g} stays there: operators, functions of Octave
## and the functions @code{gpu_@dots{}} of this package take such arrays, alone
## or beside arrays of the host, and give such arrays.  @code{gather (@var{g})}
## brings one back.
##
## @var{x} is single, double or logical, real or complex, and has at most three
## dimensions.  Sparse, diagonal and permutation matrices and ranges become
## full.
##
## @code{gpuArray.zeros (@var{m}, @var{n}, @dots{}, @var{class})} and so on
## take the arguments of Octave's functions of the same names and make the array
## on the device.  With @qcode{"like"} and an array as the last two arguments,
## the class, and whether the result is complex, are that array's.
## @code{gpuArray.rand ("seed", @var{k})} and the same of @code{randn} begin
## the sequence of random numbers anew.
##
## @strong{Values.}  A copy of @var{g} shares its memory, which is freed with
## the last copy.  An assignment as in @code{@var{g}(2) = 1} makes a new array.
## A complex array stays complex if all its imaginary parts become zero;
## @code{gather} then makes it real, as Octave does everywhere.
##
## @code{save} stores the numbers, and @code{load} brings them to the device.
##
## @strong{Errors.}  It is an error if @var{x} is of another class, has more
## dimensions, or if the device has no memory left.
##
## @example
## @group
## A = gpuArray (rand (1000));
## x = gather (sum (A * A'));
## @end group
## @end example
## @seealso{gather, isgpuarray, classUnderlying, existsOnGPU, gpuDevice}
## @end deftypefn

function g = gpuArray (x, id)

  if (nargin == 0)
    ## What stands before the dot in gpuArray.zeros, and where load begins.
    g = class (struct ("id", uint64 (0), "guard", []), "gpuArray");
  elseif (nargin == 2)
    ## For __gpu_call__.m; __gpu_call__.oct makes its objects itself.
    g = class (struct ("id", id, "guard", guard (id)), "gpuArray");
  elseif (isa (x, "gpuArray"))
    g = x;
  elseif (isfloat (x) || islogical (x))
    if (ndims (x) > 3)
      error (["gpuArray: an array has at most three dimensions on the " ...
              "device, but this one is %s"],
             sprintf ("%dx", size (x))(1:end-1));
    endif
    g = __gpu_call__ ("put", x);
  elseif (isnumeric (x))
    error (["gpuArray: arrays of class %s are not computed on the device, " ...
            "only single, double and logical ones"], class (x));
  else
    error ("gpuArray: wrong type argument '%s'", typeinfo (x));
  endif

endfunction

function g = guard (id)

  g = onCleanup (@() __gpu__ ("free", id));

endfunction

%!demo
%! ## The largest eigenvalue by power iteration: the matrix goes to the device
%! ## once, and one number comes back in each step.
%! n = 500;
%! A = gpuArray (gallery ("minij", n));
%! x = gpuArray.ones (n, 1);
%! before = gpuDevice ();
%! for step = 1:10
%!   y = A * x;
%!   lambda = gather (x' * y);
%!   x = y / norm (y);
%! endfor
%! after = gpuDevice ();
%! printf ("largest eigenvalue: %.6f, exact: %.6f\n", lambda, ...
%!         1 / (2 - 2 * cos (pi / (2 * n + 1))));
%! printf ("%d bytes went to the GPU meanwhile, %d came back\n", ...
%!         after.BytesUp - before.BytesUp, after.BytesDown - before.BytesDown);

## All classes and shapes, there and back.
%!test
%! X = reshape (1:24, 4, 6) / 7;
%! Y = reshape (1:24, 2, 3, 4) / 7;
%! for x = {X, single(X), complex(X, -X), complex(single (X), 1), X > 1, ...
%!          Y, single(Y), complex(Y, 1), Y > 1, 7, single(7), 7i, true, ...
%!          single(7i), [], single([]), zeros(0, 3), zeros(3, 0, "single"), ...
%!          zeros(2, 0, 3), true(0, 0), 1:5, (1:5)', NaN, -0, Inf}
%!   x = x{1};
%!   g = gpuArray (x);
%!   assert (class (g), "gpuArray");
%!   assert (isobject (g));
%!   assert (gather (g), x);
%!   assert (class (gather (g)), class (x));
%!   assert (iscomplex (g), iscomplex (x));
%!   assert (size (g), size (x));
%!   h = gpuArray (g);
%!   assert (gather (h), x);
%! endfor

## Special matrices become full.
%!test
%! for x = {speye(3), eye(3), 2i*eye(3), eye(2, 3), eye(3)(:,[2, 3, 1]), ...
%!          0:5, sparse([1, 2i]), sparse(true)}
%!   assert (gather (gpuArray (x{1})), full (x{1}));
%! endfor

%!test
%! assert (gather (gpuArray.zeros (2, 3)), zeros (2, 3));
%! assert (gather (gpuArray.zeros ()), 0);
%! assert (gather (gpuArray.zeros), 0);
%! assert (gather (gpuArray.ones (2)), ones (2));
%! assert (gather (gpuArray.ones ([2, 3, 4], "single")), ones (2, 3, 4, "single"));
%! assert (gather (gpuArray.eye (2, 3)), full (eye (2, 3)));
%! assert (gather (gpuArray.eye (3, "single")), full (eye (3, "single")));
%! assert (gather (gpuArray.Inf (2, 1)), Inf (2, 1));
%! assert (gather (gpuArray.NaN (1, 2, "single")), NaN (1, 2, "single"));
%! assert (gather (gpuArray.zeros (-1, 3)), zeros (0, 3));
%! assert (gather (gpuArray.zeros (2, 3, 1, 1)), zeros (2, 3));
%! assert (gather (gpuArray.ones (gpuArray (2), 3)), ones (2, 3));
%! assert (gather (gpuArray.true (2)), true (2));
%!test
%! g = gpuArray (single (1i));
%! for f = {"zeros", "ones", "Inf", "NaN", "eye"}
%!   x = feval (f{1}, 2, 2);
%!   for p = {g, single(1i)}
%!     h = subsref (gpuArray (), substruct (".", f{1}, "()", {2, 2, "like", p{1}}));
%!     assert (classUnderlying (h), "single");
%!     assert (iscomplex (h));
%!     assert (gather (h), single (full (x)));
%!   endfor
%! endfor
%! assert (classUnderlying (gpuArray.zeros (2, "like", gpuArray (true))), "logical");
%!test
%! for f = {"rand", "randn"}
%!   make = @(varargin) subsref (gpuArray (), ...
%!                               substruct (".", f{1}, "()", varargin));
%!   make ("seed", 42);
%!   A = gather (make (100, 100));
%!   B = gather (make (100, 100));
%!   assert (size (A), [100, 100]);
%!   assert (numel (unique ([A(:); B(:)])) > 19990);
%!   make ("seed", 42);
%!   assert (gather (make (100)), A);
%!   assert (class (gather (make (2, 3, "single"))), "single");
%!   assert (size (make (2, 3, 4)), [2, 3, 4]);
%! endfor
%! A = gather (gpuArray.rand (100));
%! assert (all (A(:) > 0 & A(:) < 1));
%! assert (mean (A(:)), 0.5, 0.02);
%! A = gather (gpuArray.randn (100));
%! assert ([mean(A(:)), std(A(:))], [0, 1], 0.06);

%!error <^gpuArray: arrays of class int8 are not computed> gpuArray (int8 (1))
%!error <^gpuArray: wrong type argument 'string'> gpuArray ("a")
%!error <^gpuArray: wrong type argument 'cell'> gpuArray ({1})
%!error <^gpuArray: wrong type argument 'scalar struct'> gpuArray (struct ())
%!error <^gpuArray: wrong type argument 'function handle'> gpuArray (@sin)
%!error <at most three dimensions on the device, but this one is 2x1x1x3$>
%! gpuArray (ones (2, 1, 1, 3))
%!error <called with too many inputs> gpuArray (1, 2, 3)
%!error <^gpuArray.zeros: at most three dimensions> gpuArray.zeros (1, 2, 3, 4)
%!error <^gpuArray.zeros: .*class> gpuArray.zeros (1, "int8")
%!error <^gpuArray.ones: dimensions> gpuArray.ones ({1})
%!error <^gpuArray.eye: .*two dimensions> gpuArray.eye (1, 2, 3)
%!error <^gpuArray: there is no gpuArray.foo$> gpuArray.foo (1)
