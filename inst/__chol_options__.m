## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn {} {[@var{uplo}, @var{is_vector}, @var{precision}] =} __chol_options__ (@var{name}, @var{option}, @dots{})
## Undocumented internal function of gpulinalg.
## @end deftypefn

## The options of the function NAME: the triangle; whether "vector" was given;
## and, where the function takes it, the precision as __gpu__ calls it, [] for
## the default.

function [uplo, is_vector, precision] = __chol_options__ (name, varargin)

  uplo = "upper";
  is_vector = false;
  precision = [];
  k = 1;
  while (k <= numel (varargin))
    option = varargin{k++};
    if (! ischar (option))
      error ("%s: optional arguments must be strings", name);
    endif
    option = lower (option);
    if (any (strcmp (option, {"upper", "lower"})))
      uplo = option;
    elseif (strcmp (option, "vector"))
      is_vector = true;
    elseif (strcmp (option, "precision") && ! strcmp (name, "chol"))
      precision = named (name, varargin(k:end));
      k++;
    else
      error (['%s: optional argument must be one of "vector", "lower", ' ...
              'or "upper"'], name);
    endif
  endwhile

endfunction

function precision = named (name, rest)

  known = {"default", "ieee", "tf32", "fast", "mixed"};
  as_called = {[], "ieee", "tf32", "fp16", "mixed"};
  k = 0;
  if (! isempty (rest) && ischar (rest{1}))
    k = find (strcmpi (rest{1}, known));
  endif
  if (isempty (k) || k == 0)
    error (['%s: the precision must be "default", "ieee", "tf32", "fast" ' ...
            'or "mixed"'], name);
  endif
  precision = as_called{k};

endfunction

%!test
%! [uplo, is_vector, precision] = __chol_options__ ("f");
%! assert ({uplo, is_vector, precision}, {"upper", false, []});
%!test
%! [uplo, is_vector, precision] ...
%!   = __chol_options__ ("f", "VECTOR", "Lower", "precision", "Fast");
%! assert ({uplo, is_vector, precision}, {"lower", true, "fp16"});
%!test
%! [~, ~, precision] = __chol_options__ ("f", "precision", "mixed");
%! assert (precision, "mixed");
%!error <^f: optional arguments must be strings$> __chol_options__ ("f", 1)
%!error <^chol: optional argument must be one of>
%! __chol_options__ ("chol", "precision", "ieee");
%!error <^f: the precision must be "default"> __chol_options__ ("f", "precision")
