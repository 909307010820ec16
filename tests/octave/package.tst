## The files that describe the package agree with its functions and with each
## other.
##
## SPDX-License-Identifier: GPL-3.0-or-later

%!function folder = top ()
%!  folder = fileparts (fileparts (which ("gpu_chol")));
%!endfunction

%!function text = read (varargin)
%!  text = fileread (fullfile (top (), varargin{:}));
%!endfunction

## What users call: the files of inst/ but those of __names__, and the class.
%!function names = public_functions ()
%!  files = glob (fullfile (top (), "inst", "*.m"));
%!  [~, names] = cellfun (@fileparts, files, "uniformoutput", false);
%!  names = sort ([names(! strncmp (names, "__", 2)); "gpuArray"]);
%!endfunction

## INDEX: the title, then categories, each with functions, and each function
## once.
%!test
%! lines = strsplit (strtrim (read ("INDEX")), "\n");
%! assert (lines{1}, "gpulinalg >> GPU linear algebra");
%! is_name = cellfun (@(s) s(1) == " ", lines);
%! assert (! is_name(2));
%! assert (all (is_name(find (! is_name)(2:end) + 1)));
%! categories = lines(! is_name)(2:end);
%! assert (numel (unique (categories)), numel (categories));
%! names = strtrim (lines(is_name));
%! assert (numel (unique (names)), numel (names));
%! wrong = setxor (names, public_functions ()');
%! assert (isempty (wrong), "in INDEX or in inst alone: %s", ...
%!         strjoin (wrong, ", "));

## The first sentence of each help says what it does, by itself: it is what
## lookfor shows and searches.
%!test
%! for name = public_functions ()'
%!   s = get_first_help_sentence (name{1}, 400);
%!   words = strsplit (s);
%!   assert (numel (words) >= 5 && numel (words) <= 35, name{1});
%!   assert (! isempty (regexp (s, '^[A-Z][^.]*[^.\s]\.$')), ...
%!           sprintf ("%s: %s", name{1}, s));
%! endfor

## What one looks for is in the first 80 columns: lookfor has no more.
%!test
%! expected = {"Cholesky", "gpu_chol"; "LU factor", "gpu_lu"; ...
%!             "linear system", "gpu_mldivide"; "inverse", "gpu_inv"; ...
%!             "determinant", "gpu_det"; "determinant", "gpu_logdet"; ...
%!             "matrix product", "gpu_mtimes"; "transpose", "gpu_transpose"; ...
%!             "quaternion", "gpu_qmtimes"; "GPU", "gpuDevice"; ...
%!             "memory", "gpu_memory"; "GPU", "gpuArray"; ...
%!             "seconds", "gputimeit"; "Check", "gpu_selftest"};
%! for pair = expected'
%!   s = strrep (get_first_help_sentence (pair{2}, 80), "gpulinalg", "");
%!   assert (! isempty (regexpi (s, pair{1}, "once")), pair{2});
%! endfor

## One version and one date.
%!test
%! field = @(name) regexp (read ("DESCRIPTION"), ["^", name, ": *(.*)$"], ...
%!                         "tokens", "once", "lineanchors", ...
%!                         "dotexceptnewline"){1};
%! version = strrep (field ("Version"), ".", '\.');
%! assert (! isempty (regexp (read ("NEWS"), ["^[^\n]* ", version, "\n"])));
%! in_citation = regexp (read ("CITATION"), ["[vV]ersion ", version, '\D']);
%! assert (numel (in_citation), 2);
%! in_configure = ['AC_INIT\(\[gpulinalg\], \[', version, '\]\)'];
%! assert (! isempty (regexp (read ("configure.ac"), in_configure)));
%! yaml = read ("packaging", "gpulinalg.yaml");
%! expected = sprintf ("- id: \"%s\"\n  date: \"%s\"\n", field ("Version"), ...
%!                     field ("Date"));
%! assert (numel (strfind (yaml, expected)), 1);
%! octave = regexp (field ("Depends"), '\(.*\)', "match"){1};
%! assert (numel (strfind (yaml, ["\"octave ", octave, "\""])), 1);
