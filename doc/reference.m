## SPDX-License-Identifier: GPL-3.0-or-later

## reference (source, folder)
##
## Write what the manual takes from other files of the package in SOURCE:
##
##   version.texi       @set VERSION, from DESCRIPTION
##   functions.texi     the functions that INDEX names, from their help
##   methods.texi       one line for each other method of gpuArray
##   readme-*.texi      the tables of README.md
##   permission.txt     the additional permission of COPYING

function reference (source, folder)

  text = fileread (fullfile (source, "DESCRIPTION"));
  version = regexp (text, '^Version: *(\S+)', "tokens", "once", "lineanchors");
  write (folder, "version.texi", ["@set VERSION " version{1}]);

  [sections, names] = read_index (fullfile (source, "INDEX"));
  write (folder, "functions.texi", functions_text (source, sections, names));
  write (folder, "methods.texi", methods_text (source, names));

  readme = fileread (fullfile (source, "README.md"));
  tables = markdown_tables (readme, "Install");
  write (folder, "readme-configure.texi", tables{1});
  tables = markdown_tables (readme, "Environment variables");
  if (numel (tables) != 2)
    error (["manual: README.md must have 2 tables under Environment " ...
            "variables, but has %d"], numel (tables));
  endif
  write (folder, "readme-building.texi", tables{1});
  write (folder, "readme-running.texi", tables{2});

  text = fileread (fullfile (source, "COPYING"));
  text = regexp (text, '(Additional permission .*?)\n-----', "tokens", "once");
  write (folder, "permission.txt", strtrim (text{1}));

endfunction

## The headings of INDEX, and the functions below each.

function [sections, names] = read_index (file)

  lines = strsplit (fileread (file), "\n")(2:end); # the first is the package
  sections = names = {};
  for k = 1:numel (lines)
    if (isempty (strtrim (lines{k})))
      continue;
    elseif (any (lines{k}(1) == " \t"))
      new = strsplit (strtrim (lines{k}));
      names{end} = [names{end}, new];
    else
      sections{end+1} = strtrim (lines{k});
      names{end+1} = {};
    endif
  endfor

endfunction

function text = functions_text (source, sections, names)

  known = [names{:}];
  lines = {"@menu"};
  for s = 1:numel (sections)
    lines{end+1} = sprintf ("* %s (functions)::", sections{s});
  endfor
  lines{end+1} = "* Methods of gpuArray::";
  lines{end+1} = "@end menu";
  for s = 1:numel (sections)
    lines{end+1} = sprintf ("\n@node %s (functions)\n@section %s\n\n@menu",
                            sections{s}, sections{s});
    for k = 1:numel (names{s})
      lines{end+1} = sprintf ("* %s::", names{s}{k});
    endfor
    lines{end+1} = "@end menu";
    for k = 1:numel (names{s})
      lines{end+1} = sprintf ("\n@node %s\n@subsection @code{%s}\n\n%s\n%s",
                              names{s}{k}, names{s}{k},
                              ["@cindex @code{" names{s}{k} "}"],
                              help_text (source, names{s}{k}, known));
    endfor
  endfor
  text = strjoin (lines, "\n");

endfunction

## The Texinfo block of a function.  Macros of Octave's that Texinfo has under
## the same name take another, as in Octave's own manual.

function text = help_text (source, name, known)

  file = fullfile (source, "inst", [name ".m"]);
  if (! exist (file, "file"))
    file = fullfile (source, "inst", "@gpuArray", [name ".m"]);
  endif
  if (! exist (file, "file"))
    error ("manual: INDEX names %s, but inst/ has no such function", name);
  endif
  text = texinfo_block (file);
  text = regexprep (text, '^(@deftypefnx? *)\{\}', '$1{Function}', ...
                    "lineanchors");
  list = regexp (text, '@seealso\{([^}]*)\}', "tokens", "once");
  if (! isempty (list))
    others = strtrim (strsplit (regexprep (list{1}, '\s+', " "), ","));
    for k = 1:numel (others)
      if (any (strcmp (others{k}, known)))
        others{k} = sprintf ("@ref{%s}", others{k});
      else
        others{k} = sprintf ("@code{%s}", others{k});
      endif
    endfor
    text = regexprep (text, '@seealso\{[^}]*\}', ...
                      ["@xseealso{" strjoin(others, ", ") "}"]);
  endif

endfunction

function text = texinfo_block (file)

  text = fileread (file);
  text = regexp (text, '## -\*- texinfo -\*-\n((?:##[^\n]*\n)+)', "tokens", ...
                 "once");
  if (isempty (text))
    error ("manual: %s has no Texinfo help", file);
  endif
  text = regexprep (text{1}, '^## ?', "", "lineanchors");

endfunction

## The other methods, each with the first sentence of its help.

function text = methods_text (source, names)

  files = dir (fullfile (source, "inst", "@gpuArray", "*.m"));
  lines = {"@table @code"};
  for k = 1:numel (files)
    [~, name] = fileparts (files(k).name);
    if (name(1) == "_" || any (strcmp (name, [names{:}])))
      continue;
    endif
    block = texinfo_block (fullfile (source, "inst", "@gpuArray", ...
                                     files(k).name));
    block = regexprep (block, '^@(deftypefnx?|end deftypefn).*$', "", ...
                       "lineanchors", "dotexceptnewline");
    block = regexprep (block, '@seealso\{[^}]*\}', "");
    block = strtrim (regexprep (block, '\s+', " "));
    sentence = regexp (block, '^.*?\.(?=\s|$)', "match", "once");
    if (isempty (sentence))
      error ("manual: the help of @gpuArray/%s has no sentence", name);
    endif
    lines{end+1} = sprintf ("@item %s\n%s", name, sentence);
  endfor
  lines{end+1} = "@end table";
  text = strjoin (lines, "\n");

endfunction

## The tables of a section of a Markdown file, as Texinfo's two-column tables.

function tables = markdown_tables (text, heading)

  section = regexp (text, ['^## ' heading '$(.*?)(?=^## |$(?!.))'], ...
                    "tokens", "once", "lineanchors");
  if (isempty (section))
    error ('manual: README.md has no section "%s"', heading);
  endif
  tables = {};
  inside = false;
  for line = strsplit (section{1}, "\n")
    cells = regexp (line{1}, '^\| *(.*?) *(?<!\\)\| *(.*?) *\|$', "tokens", ...
                    "once");
    if (isempty (cells))
      inside = false;
    elseif (! inside)
      inside = true;
      tables{end+1} = {};
    elseif (isempty (regexp (cells{1}, '^-+$')))
      tables{end}{end+1} = sprintf ("@item %s\n%s", markdown (cells{1}), ...
                                    markdown (cells{2}));
    endif
  endfor
  for k = 1:numel (tables)
    tables{k} = sprintf ("@table @asis\n%s\n@end table",
                         strjoin (tables{k}, "\n"));
  endfor

endfunction

function text = markdown (text)

  text = regexprep (strrep (text, '\|', "|"), '([@{}])', '@$1');
  text = regexprep (text, '`([^`]*)`', '@code{$1}');

endfunction

function write (folder, name, text)

  file = fullfile (folder, name);
  [fid, message] = fopen (file, "w");
  if (fid < 0)
    error ("manual: cannot write %s: %s", file, message);
  endif
  fprintf (fid, "%s\n", text);
  fclose (fid);

endfunction
