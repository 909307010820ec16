## Times as a person at the prompt sees them: arrays to the GPU and back,
## gpu_chol and gpu_qmtimes on host arrays, the fixed cost of calls, and
## products by precision.
##
##   octave --path inst --path BUILD/src tests/bench/bench_octave.m \
##          [--csv FILE] [--quick]
##
## SPDX-License-Identifier: GPL-3.0-or-later

1;

## Median seconds of F, which leaves nothing queued.
function t = median_time (f, runs)

  f ();
  t = zeros (1, runs);
  for k = 1:runs
    from = tic ();
    f ();
    t(k) = toc (from);
  endfor
  t = median (t);

endfunction

## The same per call for calls so short that a loop of them is timed, the wait
## for the GPU at its end included.
function t = call_time (f)

  count = 500;
  t = zeros (1, 9);
  for k = 0:numel (t)
    __gpu__ ("wait");
    from = tic ();
    for i = 1:count
      f ();
    endfor
    __gpu__ ("wait");
    if (k > 0)
      t(k) = toc (from) / count;
    endif
  endfor
  t = median (t);

endfunction

function csv_line (csv, op, class_A, shape, variant, ms, peer, peer_ms, err)

  if (csv > 0)
    number = {"", ""};
    if (! isnan (peer_ms))
      number{1} = sprintf ("%.4f", peer_ms);
    endif
    if (! isnan (err))
      number{2} = sprintf ("%.3g", err);
    endif
    fprintf (csv, "%s,%s,%s,%s,%.4f,%s,%s,,%s,\n", op, class_A, shape,
             variant, ms, peer, number{:});
  endif

endfunction

function moves (csv, quick)

  bytes = 2^31;
  if (quick)
    bytes = 2^26;
  endif
  x = rand (bytes / 8 / 2^10, 2^10);
  g = gpuArray (x);
  up = median_time (@() gpuArray (x), 5);
  down = median_time (@() gather (g), 5);
  printf ("%-34s %10s %8s\n", sprintf ("double, %.4g MB", bytes / 1e6), "ms",
          "GB/s");
  printf ("%-34s %10.2f %8.1f\n", "gpuArray (x)", up * 1e3, bytes / up / 1e9);
  printf ("%-34s %10.2f %8.1f\n", "gather (g), into a new array", down * 1e3,
          bytes / down / 1e9);
  if (! isequal (gather (g), x))
    error ("what came back differs");
  endif
  csv_line (csv, "gpuArray", "double", sprintf ("%d", numel (x)), "octave",
            up * 1e3, "", NaN, NaN);
  csv_line (csv, "gather", "double", sprintf ("%d", numel (x)), "octave",
            down * 1e3, "", NaN, NaN);

endfunction

function host_chol (csv, quick)

  sizes = [1000, 2048, 4096, 8192, 16384];
  if (quick)
    sizes = sizes(1:2);
  endif
  printf ("\n%-22s %10s %10s %10s %7s\n", "gpu_chol, host arrays", "n",
          "ours ms", "chol ms", "ratio");
  for n = sizes
    A = rand (n) + n * eye (n);
    ours = median_time (@() gpu_chol (A), 5);
    theirs = NaN;
    if (n <= 8192)
      theirs = median_time (@() chol (A), 1 + 2 * (n < 4000));
    endif
    printf ("%-22s %10d %10.2f %10.2f %7.1f\n", "double", n, ours * 1e3,
            theirs * 1e3, theirs / ours);
    csv_line (csv, "gpu_chol", "double", sprintf ("%d", n), "octave",
              ours * 1e3, "octave", theirs * 1e3, NaN);
  endfor

endfunction

function calls (csv)

  A = rand (4) + 4 * eye (4);
  x = rand (4, 4);
  g = gpuArray (A);
  h = gpuArray (rand (100));
  s = gpuArray (7);
  kinds = {
    "a function of Octave's: chol (A)", @() chol (A);
    "gpu_chol (A)", @() gpu_chol (A);
    "gpu_inv (A)", @() gpu_inv (A);
    "gpu_det (A)", @() gpu_det (A);
    "gpu_transpose (A)", @() gpu_transpose (A);
    "gpu_mtimes (A, A)", @() gpu_mtimes (A, A);
    "gpuArray (A)", @() gpuArray (A);
    "gather (g)", @() gather (g);
    "g + 1", @() g + 1;
    "g + g", @() g + g;
    "h .* h, 100 x 100", @() h .* h;
    "exp (h), 100 x 100", @() exp (h);
    "h', 100 x 100", @() h';
    "h * h, 100 x 100", @() h * h;
    "sum (h), 100 x 100", @() sum (h);
    "h(:,1), 100 x 100", @() h(:,1);
    "chol (g)", @() chol (g);
    "gpu_chol (g)", @() gpu_chol (g);
    "size (g)", @() size (g);
  };
  printf ("\n%-34s %10s\n", "a call, A host and g device, 4 x 4", "us");
  for k = 1:rows (kinds)
    t = call_time (kinds{k,2});
    printf ("%-34s %10.1f\n", kinds{k,1}, t * 1e6);
    csv_line (csv, "call", "double", "4", strrep (kinds{k,1}, ",", ""),
              t * 1e3, "", NaN, NaN);
  endfor

endfunction

## In units of eps times the product of the moduli, which one product's
## rounding cannot exceed in single precision.
function precisions (csv, quick)

  n = 8192;
  if (quick)
    n = 256;
  endif
  A = gpuArray.randn (n, n, "single");
  B = gpuArray.randn (n, n, "single");
  part = 1:min (n, 512);
  exact = double (A(part,:)) * double (B);
  bound = abs (double (A(part,:))) * abs (double (B));
  printf ("\n%-22s %10s %10s %10s %12s\n", "products, single", "n", "ms",
          "TFLOP/s", "error, eps");
  for name = {"ieee", "tf32", "fp16", "bf16", "fp32x3"}
    C = gpu_mtimes (A, B, "precision", name{1});
    err = gather (max (max (abs (double (C(part,:)) - exact) ./ bound)));
    err /= eps ("single");
    t = gputimeit (@() gpu_mtimes (A, B, "precision", name{1}));
    printf ("%-22s %10d %10.3f %10.1f %12.3g\n", name{1}, n, t * 1e3,
            2e-12 * n ^ 3 / t, err);
    csv_line (csv, "mtimes", "single", sprintf ("%d", n), name{1}, t * 1e3,
              "", NaN, err);
  endfor

endfunction

function quaternions (csv, quick)

  sizes = [300, 1000, 3000];
  if (quick)
    sizes = sizes(1);
  endif
  printf ("\n%-26s %6s %10s %10s %10s\n", "gpu_qmtimes, host arrays", "n",
          "auto ms", "fast ms", "direct ms");
  for class_A = {"single", "double"}
    for n = sizes
      A = cast (rand (n, n, 4) - 0.5, class_A{1});
      B = cast (rand (n, n, 4) - 0.5, class_A{1});
      ms = zeros (1, 3);
      names = {"auto", "fast", "direct"};
      for k = 1:3
        f = @() gpu_qmtimes (A, B, "method", names{k});
        ms(k) = median_time (f, 7) * 1e3;
      endfor
      printf ("%-26s %6d %10.2f %10.2f %10.2f\n", class_A{1}, n, ms);
      for k = 1:2
        csv_line (csv, "gpu_qmtimes", class_A{1}, sprintf ("%d", n),
                  [names{k}, " octave"], ms(k), "direct octave", ms(3), NaN);
      endfor
    endfor
  endfor

endfunction

function main (arguments)

  csv = 0;
  quick = false;
  k = 1;
  while (k <= numel (arguments))
    if (strcmp (arguments{k}, "--csv") && k < numel (arguments))
      k++;
      csv = fopen (arguments{k}, "a");
      if (csv < 0)
        error ("cannot write %s", arguments{k});
      endif
    elseif (strcmp (arguments{k}, "--quick"))
      quick = true;
    else
      error ("usage: bench_octave.m [--csv FILE] [--quick]");
    endif
    k++;
  endwhile
  d = gpuDevice ();
  printf ("device: %s\n", d.Name);
  rand ("twister", 42);
  moves (csv, quick);
  host_chol (csv, quick);
  quaternions (csv, quick);
  calls (csv);
  precisions (csv, quick);
  if (csv > 0)
    fclose (csv);
  endif

endfunction

main (argv ());
