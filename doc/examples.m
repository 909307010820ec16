## SPDX-License-Identifier: GPL-3.0-or-later

## examples (manual)
##
## Run the examples of the manual's source that "@c run" stands before, in turn
## and with the same variables, and compare what each line at a prompt prints.
## Space does not count, and dots stand for anything.

function examples (manual)

  blocks = regexp (fileread (manual), ...
                   '^@c run\n@example\n(.*?)\n@end example', "tokens", ...
                   "lineanchors");
  if (isempty (blocks))
    error ("manual: %s has no example to run", manual);
  endif
  lines = cellfun (@(b) strsplit (b{1}, "\n"), blocks, "uniformoutput", false);
  lines = [lines{:}];
  lines = lines(! ismember (lines, {"@group", "@end group"}));
  lines = regexprep (lines, '@([@{}])', '$1');

  prompts = find (strncmp (lines, ">> ", 3));
  ends = [prompts(2:end) - 1, numel(lines)];
  failed = 0;
  for k = 1:numel (prompts)
    code = lines{prompts(k)}(4:end);
    if (strncmp (code, "pkg load ", 9))
      continue;
    endif
    expected = squeeze_space (strjoin (lines(prompts(k)+1:ends(k)), "\n"));
    got = squeeze_space (run_line (code));
    pattern = strjoin (regexptranslate ("escape", ...
                                        strsplit (expected, "...")), '.*');
    if (! strcmp (got, expected)
        && isempty (regexp (got, ['^' pattern '$'], "once")))
      failed++;
      printf ("manual: %s\nprints\n  %s\ninstead of\n  %s\n", code, got,
              expected);
    endif
  endfor
  if (failed)
    error ("manual: %d of %d lines of the examples print something else",
           failed, numel (prompts));
  endif
  printf ("%d lines of the examples print what the manual says\n",
          numel (prompts));

endfunction

## In the base workspace, with warnings and errors as a prompt shows them.

function text = run_line (code)

  lastwarn ("");
  text = "";
  try
    text = evalc (["evalin ('base', '" strrep(code, "'", "''") "');"]);
  catch err
    text = [text "error: " err.message "\n"];
  end_try_catch
  if (! isempty (lastwarn ()) && isempty (strfind (text, "warning: ")))
    text = ["warning: " lastwarn() "\n" text];
  endif
  text = regexprep (text, '^warning: called from\n(    .*\n)*', "", ...
                    "lineanchors", "dotexceptnewline");

endfunction

function text = squeeze_space (text)

  text = strtrim (regexprep (text, '\s+', " "));

endfunction
