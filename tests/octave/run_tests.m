## Run every test of inst/, examples/ and tests/octave, and count.
##
##   run_tests.m [--only NAME... | --without NAME...]
##
## NAME is a file's, without folder and ending.  One line a file, behind it the
## log of what failed, and at the end "N passed, N failed, N skipped".  Exits
## with 1 if a test failed.  __gpu__ is taken from the load path where it is
## there, else from src/.
##
## SPDX-License-Identifier: GPL-3.0-or-later

1;

function [passed, failed, skipped] = run_file (file)

  log_file = tempname ();
  fid = fopen (log_file, "w+");
  unwind_protect
    try
      [n, nmax, ~, ~, nskip, nrtskip] = test (file, "quiet", fid);
    catch err
      n = nmax = nskip = nrtskip = 0;
      fprintf (fid, "!!!!! %s\n", err.message);
    end_try_catch
    frewind (fid);
    text = fread (fid, Inf, "char=>char").';
  unwind_protect_cleanup
    fclose (fid);
    unlink (log_file);
  end_unwind_protect

  ## A block that does not even compile is in no count, but in the log.
  marks = numel (regexp (text, '^!!!!! ', "lineanchors"));
  passed = n;
  failed = max (nmax - n, marks);
  skipped = nskip + nrtskip;
  if (passed + failed + skipped == 0)
    failed = 1;
    text = "no tests found\n";
  endif

  [folder, name, ext] = fileparts (file);
  [~, folder] = fileparts (folder);
  printf ("%-36s %4d passed, %d failed, %d skipped\n",
          [folder, "/", name, ext], passed, failed, skipped);
  if (failed > 0)
    puts (text);
  endif
  fflush (stdout);

endfunction

function run_all (arguments)

  top = fileparts (fileparts (fileparts (mfilename ("fullpath"))));
  addpath (fullfile (top, "inst"), fullfile (top, "examples"));
  if (exist ("__gpu__") != 3)
    addpath (fullfile (top, "src"));
  endif

  files = [glob(fullfile (top, "inst", "*.m"));
           glob(fullfile (top, "inst", "@*", "*.m"));
           glob(fullfile (top, "examples", "*.m"));
           glob(fullfile (top, "tests", "octave", "*.tst"))];
  if (! isempty (arguments))
    [~, names] = cellfun (@fileparts, files, "uniformoutput", false);
    named = ismember (names, arguments(2:end));
    unknown = setdiff (arguments(2:end), names);
    if (! any (strcmp (arguments{1}, {"--only", "--without"})))
      error ("usage: run_tests.m [--only NAME... | --without NAME...]");
    elseif (! isempty (unknown))
      error ("run_tests.m: there is no test file %s", unknown{1});
    endif
    files = files(named == strcmp (arguments{1}, "--only"));
  endif
  total = zeros (1, 3);
  for k = 1:numel (files)
    [passed, failed, skipped] = run_file (files{k});
    total += [passed, failed, skipped];
  endfor
  printf ("%d passed, %d failed, %d skipped\n", total);
  exit (double (total(2) > 0));

endfunction

run_all (argv ());
