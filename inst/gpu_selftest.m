## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} gpu_selftest ()
## @deftypefnx {} {} gpu_selftest (@var{limit})
## @deftypefnx {} {@var{ok} =} gpu_selftest (@dots{})
## @deftypefnx {} {[@var{ok}, @var{report}] =} gpu_selftest (@dots{})
## Check that the functions of gpulinalg compute correctly on this machine, and
## print a report to send with a message about an error.
##
## The report begins with the versions of the package, of Octave and its
## libraries, and with the device.  One line for each check follows: what was
## computed, the class and size of the matrix, the error, the time of the call
## in milliseconds, and @code{ok} or @code{FAILED}.  The last line counts them.
## All takes some seconds, on a slow machine up to a minute.
##
## With an output argument nothing is printed.  @var{ok} is true if no check
## failed, and @var{report} is the text as a string.
##
## The error is that of the result, which is computed on the host, in units of
## @code{N * eps}, with the number of columns and the @code{eps} of the class,
## relative to the norms of the matrices: of @code{R = gpu_chol (A)} it is
## @code{norm (R' * R - A, 1) / norm (A, 1) / (N * eps)}.  A check fails if its
## error is above @var{limit} (default: 10; usual errors are below 1), if the
## result has another class than the matrix, or if there is an error message,
## which stands in the next line.  What moves elements alone must be exact.
## With a @var{limit} of 0 every rounding error is a failure.
##
## The matrices are random, but the same in each call.  The state of Octave's
## random numbers is restored, and no array stays on the device.
##
## @strong{Errors.}  It is an error if @var{limit} is not a real number from 0
## on.
##
## @strong{Example.}
##
## @example
## @group
## [ok, report] = gpu_selftest ();
## if (! ok)
##   puts (report);
## endif
## @end group
## @end example
## @seealso{gpuDevice, gpu_memory, gputimeit}
## @end deftypefn

function [ok, report] = gpu_selftest (limit = 10)

  if (! (isnumeric (limit) && isreal (limit) && isscalar (limit)
         && limit >= 0))
    error ("gpu_selftest: LIMIT must be a real number from 0 on");
  endif

  start = tic ();
  quiet = nargout > 0;
  state = randn ("twister");
  unwind_protect
    randn ("twister", 42);
    text = say ("", quiet, "%s", surroundings ());
    text = say (text, quiet, "errors in units of N * eps, at most %g\n\n",
                limit);
    text = say (text, quiet, "%-16s %-14s %-15s %8s %8s\n", "check", "class",
                "size", "error", "ms");
    [text, counts] = run_all (text, quiet, limit);
  unwind_protect_cleanup
    randn ("twister", state);
  end_unwind_protect
  text = say (text, quiet, "\n%d checks: %d ok, %d failed, in %.1f s\n",
              sum (counts), counts, toc (start));

  if (! quiet)
    return;
  endif
  ok = counts(2) == 0;
  report = text;

endfunction

## TEXT with another piece, which is printed at once.
function text = say (text, quiet, varargin)

  piece = sprintf (varargin{:});
  if (! quiet)
    puts (piece);
    fflush (stdout);
  endif
  text = [text, piece];

endfunction

## The versions and the device.  The report is of use without a device, too.
function text = surroundings ()

  text = sprintf ("gpulinalg %s, Octave %s, %s\n", package_version (),
                  version (), computer ());
  try
    text = [text, evalc("gpuDevice ()")];
    d = gpuDevice ();
    if (d.Index > 0)
      text = [text, sprintf("%-19s driver %s, toolkit %s\n", "CUDA:",
                            d.DriverVersion, d.ToolkitVersion)];
    endif
  catch err
    text = [text, sprintf("%-19s %s\n", "device:", err.message)];
  end_try_catch
  text = [text, sprintf("%-19s %s\n%-19s %s\n%-19s %d\n", "BLAS:",
                        version ("-blas"), "LAPACK:", version ("-lapack"),
                        "processors:", nproc ())];
  for name = {"BACKEND", "CUBLAS", "TINY", "TRANSFER_THREADS", "TUNING"}
    value = getenv (["GPULINALG_", name{1}]);
    if (! isempty (value))
      text = [text, sprintf("%-19s GPULINALG_%s=%s\n", "environment:",
                            name{1}, value)];
    endif
  endfor

endfunction

## That of these files, which need not be those of an installed package.
function v = package_version ()

  v = "(unknown version)";
  folder = fileparts (mfilename ("fullpath"));
  for file = {fullfile(folder, "packinfo", "DESCRIPTION"), ...
              fullfile(fileparts (folder), "DESCRIPTION")}
    if (exist (file{1}, "file"))
      line = regexp (fileread (file{1}), '^Version: *(\S+)', "tokens", ...
                     "once", "lineanchors");
      if (! isempty (line))
        v = line{1};
        return;
      endif
    endif
  endfor

endfunction

## COUNTS are the numbers of checks that succeeded and that failed.
function [text, counts] = run_all (text, quiet, limit)

  types = {"single", false; "double", false; "single", true; "double", true};
  counts = [0, 0];
  before = __gpu__ ("live");

  for check = numeric_checks ()'
    [name, make, call, nout, relative_error, which_types, sizes] = check{:};
    for type = types(which_types,:)'
      for sz = sizes
        [cls, is_complex] = type{:};
        run = @() measure (make (sz{1}, cls, is_complex), call, nout, ...
                           relative_error);
        kind = [{"", "complex "}{1 + is_complex}, cls];
        [text, counts] = one_check (text, counts, quiet, limit, run, name,
                                    kind, sprintf ("%d x ", sz{1})(1:end-3));
      endfor
    endfor
  endfor

  for check = other_checks (before)'
    run = @() passes (check{2});
    [text, counts] = one_check (text, counts, quiet, limit, run, check{1},
                                "", "");
  endfor

endfunction

function [text, counts] = one_check (text, counts, quiet, limit, run, name, ...
                                     kind, size_text)

  message = "";
  try
    [err, seconds] = run ();
    numbers = sprintf ("%8.2g %8.2f", err, 1000 * seconds);
    failed = ! (err <= limit);   # NaN is a failure
  catch problem
    numbers = sprintf ("%8s %8s", "-", "-");
    failed = true;
    message = ["  ", problem.message, "\n"];
  end_try_catch
  counts(1 + failed)++;
  text = say (text, quiet, "%-16s %-14s %-15s %s  %s\n%s", name, kind,
              size_text, numbers, {"ok", "FAILED"}{1 + failed}, message);

endfunction

## The largest error of all pages, in units, and the time of the call.
function [err, seconds] = measure (in, call, nout, relative_error)

  out = cell (1, nout);
  start = tic ();
  [out{:}] = call (in{:});
  seconds = toc (start);
  cls = class (in{1});
  if (! strcmp (class (out{1}), cls))
    error ("the result is of class %s", class (out{1}));
  endif

  err = zeros (1, size (in{1}, 3));
  for k = 1:numel (err)
    page = cellfun (@(x) double (x(:,:,k)), [in, out], ...
                    "uniformoutput", false);
    err(k) = relative_error (page{:});
  endfor
  err(isnan (err)) = Inf;
  err = max (err) / (columns (in{1}) * eps (cls));

endfunction

function [err, seconds] = passes (f)

  start = tic ();
  f ();
  seconds = toc (start);
  err = 0;

endfunction

## The rows are the name, the function that makes the arguments, the call and
## the number of its outputs, the relative error of arguments and outputs, the
## types (single, double, complex single, complex double) and the sizes.  The
## small sizes are odd, the large ones are those that are computed by blocks.
function list = numeric_checks ()

  sizes = {[67, 67], [1031, 1031], [7, 7, 101], [37, 37, 11]};
  inverse_error = @(A, X, varargin) norm (A * X - eye (size (A)), 1) ...
                                    / (norm (A, 1) * norm (X, 1));
  solution_error = @(A, B, X, varargin) norm (A * X - B, 1) ...
                                        / (norm (A, 1) * norm (X, 1));
  product_error = @(A, B, C) norm (C - A * B, 1) / (norm (A, 1) * norm (B, 1));

  list = {
    "chol", @definite, @gpu_chol, 1, ...
      @(A, R) factor_error (A, R, R'), 1:4, sizes;
    "chol, lower", @definite, @(A) gpu_chol (A, "lower"), 1, ...
      @(A, L) factor_error (A, L', L), 1:4, {[259, 259]};
    "chol, mixed", @definite, @(A) gpu_chol (A, "precision", "mixed"), 1, ...
      @(A, R) factor_error (A, R, R'), 2, sizes(2);
    "lu", @general, @gpu_lu, 3, ...
      @(A, L, U, P) norm (P * A - L * U, 1) / norm (A, 1), 1:4, ...
      [sizes, {[131, 67]}];
    "inv", @general, @gpu_inv, 2, inverse_error, 1:4, sizes;
    "cholinv", @definite, @gpu_cholinv, 1, inverse_error, 1:4, sizes([1, 4]);
    "det", @moderate, @gpu_det, 1, ...
      @(A, d) abs (d / det (A) - 1) * rcond (A), 1:4, sizes([1, 3]);
    "logdet", @moderate, @gpu_logdet, 2, @logdet_error, 1:4, ...
      {[37, 37, 11], [515, 515]};
    "mldivide", @linear_system, @gpu_mldivide, 2, solution_error, 1:4, sizes;
    "mldivide, mixed", @linear_system, ...
      @(A, B) gpu_mldivide (A, B, "precision", "mixed"), 1, solution_error, ...
      [2, 4], sizes(2);
    "transpose", @general, @gpu_transpose, 1, @(A, B) exact (A.', B), 1:4, ...
      {[513, 1031], [7, 5, 101]};
    "ctranspose", @general, @gpu_ctranspose, 1, @(A, B) exact (A', B), 3:4, ...
      {[513, 1031], [7, 5, 101]};
    "mtimes", @pair, @gpu_mtimes, 1, product_error, 1:4, ...
      {[259, 131], [513, 1031], [37, 35, 11]};
    "mtimes, fp32x3", @pair, ...
      @(A, B) gpu_mtimes (A, B, "precision", "fp32x3"), 1, product_error, 1, ...
      {[513, 1031]};
    "qmtimes", @pair_of_quaternions, @by_planes, 1, @quaternion_error, 1:2, ...
      {[35, 37], [259, 131]};
    "qinv", @square_of_quaternions, ...
      @(A) flat (gpu_qinv (planes (A))), 1, ...
      @(A, X) quaternion_error (A, X, flat (eye_of_quaternions (rows (A)))), ...
      1:2, {[37, 37]};
    "homography", @points_of_a_plane, @gpu_homography, 1, ...
      @homography_error, 1:2, {[3, 3], [3, 3, 101]};
    "rigidinv", @poses, @gpu_rigidinv, 1, inverse_error, 1:2, {[4, 4, 101]};
    "transfer", @general, @(A) gather (gpuArray (A)), 1, @exact, 1:4, ...
      {[67, 31], [1031, 1033]};
    "device, index", @general, @(A) gather (picked (gpuArray (A))), 1, ...
      @(A, B) exact (picked (A), B), 1:4, {[67, 31], [5, 7, 101]};
    "device, map", @general, @(A) gather (mapped (gpuArray (A))), 1, ...
      @(A, y) norm (mapped (A) - y, 1) / norm (y, 1), 1:4, {[259, 131]};
    "device, solve", @definite_system, @solved, 1, solution_error, 1:4, ...
      sizes(1)};

endfunction

## Messages and warnings, and what is left on the device.
function list = other_checks (before)

  list = {"not definite", @check_indefinite;
          "singular", @check_singular;
          "wrong sizes", @check_sizes;
          "memory", @() check_memory(before)};

endfunction

function A = normal (sz, cls, is_complex)

  A = randn (sz, cls);
  if (is_complex)
    A = complex (A, randn (sz, cls));
  endif

endfunction

function in = general (sz, cls, is_complex)

  in = {normal(sz, cls, is_complex)};

endfunction

## The eigenvalues of the random part lie between -2 and 2, nearly always.
function in = definite (sz, cls, is_complex)

  A = normal (sz, cls, is_complex) / sqrt (2 * (1 + is_complex) * sz(1));
  A += conj (permute (A, [2, 1, 3]));
  in = {A + 4 * full(eye (sz(1)))};

endfunction

## Well conditioned, with a determinant that is in the range of single for small
## sizes, and with rows out of order, so that they must be exchanged.
function in = moderate (sz, cls, is_complex)

  A = definite (sz, cls, is_complex){1} / 2;
  in = {A([2:2:end, 1:2:end],:,:)};

endfunction

function in = with_right_side (A, cls, is_complex)

  in = {A, normal([rows(A), 3, size(A, 3)], cls, is_complex)};

endfunction

function in = linear_system (sz, cls, is_complex)

  in = with_right_side (normal (sz, cls, is_complex), cls, is_complex);

endfunction

function in = definite_system (sz, cls, is_complex)

  A = definite (sz, cls, is_complex){1};
  in = with_right_side (A, cls, is_complex);

endfunction

function in = pair (sz, cls, is_complex)

  A = normal (sz, cls, is_complex);
  in = {A, normal([sz([2, 1]), sz(3:end)], cls, is_complex)};

endfunction

## Quaternion matrices as [w, x, y, z], so that they have two dimensions.
function in = square_of_quaternions (sz, cls, ~)

  in = {randn(sz .* [1, 4], cls)};

endfunction

function in = pair_of_quaternions (sz, cls, ~)

  in = {randn(sz .* [1, 4], cls), randn(fliplr (sz) .* [1, 4], cls)};

endfunction

function P = planes (A)

  P = reshape (A, rows (A), [], 4);

endfunction

function A = flat (P)

  A = reshape (P, rows (P), []);

endfunction

function P = eye_of_quaternions (n)

  P = zeros (n, n, 4);
  P(:,:,1) = eye (n);

endfunction

function C = by_planes (A, B)

  C = flat (gpu_qmtimes (planes (A), planes (B)));

endfunction

function in = points_of_a_plane (sz, cls, ~)

  H = full (eye (3, cls)) + normal (sz, cls, false) / 50;
  in = {H, normal([2, 67, sz(3:end)], cls, false)};

endfunction

## Rotations about an axis in space, and shifts.
function in = poses (sz, cls, ~)

  q = normal ([1, 4, sz(3)], "double", false);
  q ./= sqrt (sumsq (q));
  [w, x, y, z] = num2cell (q, [1, 3]){:};
  R = [w.*w + x.*x - y.*y - z.*z, 2*(x.*y - w.*z), 2*(x.*z + w.*y)
       2*(x.*y + w.*z), w.*w - x.*x + y.*y - z.*z, 2*(y.*z - w.*x)
       2*(x.*z - w.*y), 2*(y.*z + w.*x), w.*w - x.*x - y.*y + z.*z];
  last = repmat ([0, 0, 0, 1], [1, 1, sz(3)]);
  in = {cast([R, 1 + w .* [x; y; z]; last], cls)};

endfunction

function A = picked (A)

  A(2:3,:,:) = A([end, 1],:,:);
  A = [A(end:-2:1,:,:); A(1:3,:,:)];

endfunction

function y = mapped (A)

  y = sum (sqrt (abs (A(:,2:2:end) .* A(:,1:2:end-1) + 1)), 1);

endfunction

function X = solved (A, B)

  R = chol (gpuArray (A));
  X = gather (R \ (R' \ B));

endfunction

function err = factor_error (A, R, L)

  err = norm (L * R - A, 1) / norm (A, 1);
  if (! istriu (R))
    err = Inf;
  endif

endfunction

function err = logdet_error (A, logabsdet, sign_A)

  [~, U, P] = lu (A);
  u = diag (U);
  err = (abs (logabsdet - sum (log (abs (u))))
         + abs (sign_A - prod (sign (u)) * det (P))) * rcond (A);

endfunction

function err = exact (A, B)

  err = 0;
  if (! isequal (A, B))
    err = Inf;
  endif

endfunction

function err = homography_error (H, P, Q)

  u = H * [P; ones(1, columns (P))];
  err = norm (u(1:2,:) ./ u(3,:) - Q, 1) / norm (Q, 1);

endfunction

## The complex adjoint of a product is that of its factors multiplied.
function err = quaternion_error (A, B, C)

  A = quaternion_adjoint (planes (A));
  B = quaternion_adjoint (planes (B));
  C = quaternion_adjoint (planes (C));
  err = norm (A * B - C, 1) / (norm (A, 1) * norm (B, 1));

endfunction

function check_indefinite ()

  A = 2 * eye (67) + ones (67);
  A(40,40) = -1;
  [R, p] = gpu_chol (A);
  if (p != 40 || columns (R) != 39)
    error ("gpu_chol found pivot %d instead of 40", p);
  endif
  must_fail (@() gpu_chol (A), @(err) strfind (err.message, ...
                                               "must be positive definite"));

endfunction

function check_singular ()

  A = ones (67);
  [X, rcond] = gpu_inv (A);
  if (rcond != 0 || any (X(:) != Inf))
    error ("the inverse of a singular matrix is not Inf");
  endif
  warning ("error", "Octave:singular-matrix", "local");
  must_fail (@() gpu_inv (A), @(err) strfind (err.identifier, ...
                                              "Octave:singular-matrix"));

endfunction

function check_sizes ()

  must_fail (@() gpu_mtimes (ones (40, 41), ones (40, 41)), ...
             @(err) strfind (err.identifier, "Octave:nonconformant-args"));

endfunction

function must_fail (f, is_expected)

  message = "none";
  try
    f ();
  catch err
    if (! isempty (is_expected (err)))
      return;
    endif
    message = err.message;
  end_try_catch
  error ("an error was expected, but the message is: %s", message);

endfunction

function check_memory (before)

  left = __gpu__ ("live") - before;
  if (left != 0)
    error ("%d arrays were left on the device", left);
  endif

endfunction

## All is well; the report has the versions, each check and the sum; and the
## random numbers go on as if nothing had been drawn.
%!test
%! randn ("twister", 7);
%! expected = randn (1, 3);
%! randn ("twister", 7);
%! before = __gpu__ ("live");
%! [ok, report] = gpu_selftest ();
%! assert (ok, true, report);
%! assert (randn (1, 3), expected);
%! assert (__gpu__ ("live"), before);
%! for line = {'^gpulinalg \d\S*, Octave \d\S*, \S+$', '^device: +\S', ...
%!             '^backend: +(cuda|host)$', '^memory: .* GiB', '^BLAS: +\S', ...
%!             '^LAPACK: +\S', '^processors: +\d+$', ...
%!             'errors in units of N \* eps, at most 10$', ...
%!             '^check +class +size +error +ms$'}
%!   assert (! isempty (regexp (report, line{1}, "lineanchors")), line{1});
%! endfor
%! number = '[\d.e+-]+';
%! for name = {"chol", "lu", "inv", "det", "logdet", "mldivide", ...
%!             "transpose", "mtimes", "transfer", "device, index", ...
%!             "device, map", "device, solve"}
%!   for kind = {"single", "double", "complex single", "complex double"}
%!     line = ['^', name{1}, ' +', kind{1}, ' +\d+ x \d+( x \d+)? +', ...
%!             number, ' +', number, '  ok$'];
%!     assert (! isempty (regexp (report, line, "lineanchors")), line);
%!   endfor
%! endfor
%! for name = {"qmtimes", "qinv", "homography", "rigidinv", ...
%!             "not definite", "singular", "wrong sizes", "memory"}
%!   line = ['^', name{1}, ' .* ', number, '  ok$'];
%!   assert (! isempty (regexp (report, line, "lineanchors", ...
%!                              "dotexceptnewline")), line);
%! endfor
%! n = numel (regexp (report, '  ok$', "lineanchors"));
%! last = sprintf ('\\n%d checks: %d ok, 0 failed, in [\\d.]+ s\\n$', n, n);
%! assert (! isempty (regexp (report, last)), report);

## With a limit of 0, whatever rounds fails, and whatever is exact does not.
%!test
%! [ok, report] = gpu_selftest (0);
%! assert (ok, false);
%! for line = {'^chol +double +67 x 67 .*FAILED$', '^transpose .*  ok$', ...
%!             '^inv +complex single +1031 x 1031 .*FAILED$', ...
%!             '^transfer .*  ok$', '^memory .*  ok$'}
%!   assert (! isempty (regexp (report, line{1}, "lineanchors", ...
%!                              "dotexceptnewline")), line{1});
%! endfor
%! n = [numel(regexp (report, '  ok$', "lineanchors")), ...
%!      numel(regexp (report, '  FAILED$', "lineanchors"))];
%! assert (all (n > 0));
%! last = sprintf ("\n%d checks: %d ok, %d failed, in ", sum (n), n);
%! assert (! isempty (strfind (report, last)), report);

## An error in a check is a failure with its message; the others go on.
%!test
%! warning ("off", "gpulinalg:nomem", "local");
%! old = gpu_memory ("limit", 1);
%! unwind_protect
%!   text = evalc ("gpu_selftest ()");
%! unwind_protect_cleanup
%!   gpu_memory ("limit", old);
%! end_unwind_protect
%! line = '^transfer +double +67 x 31 +- +- +FAILED\n  gpuArray: out of memory';
%! assert (! isempty (regexp (text, line, "lineanchors")), text);
%! line = '^wrong sizes .*  ok$';
%! assert (! isempty (regexp (text, line, "lineanchors", ...
%!                            "dotexceptnewline")), text);
%! last = '\n\d+ checks: \d+ ok, \d+ failed, in [\d.]+ s\n$';
%! assert (! isempty (regexp (text, last)), text);

%!error <^gpu_selftest: LIMIT must be a real number from 0 on$>
%! gpu_selftest (-1);
%!error <LIMIT must be a real number from 0 on> gpu_selftest ([1, 2])
%!error <LIMIT must be a real number from 0 on> gpu_selftest (1i)
%!error <LIMIT must be a real number from 0 on> gpu_selftest (NaN)
%!error <LIMIT must be a real number from 0 on> gpu_selftest ("10")
%!error <called with too many inputs> gpu_selftest (1, 2)
