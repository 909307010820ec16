## SPDX-License-Identifier: GPL-3.0-or-later

## Raise Octave's error of the operator OP on A and B unless M is N.

function check_sizes (op, A, B, m, n)

  if (m != n)
    error ("Octave:nonconformant-args",
           "operator %s: nonconformant arguments (op1 is %s, op2 is %s)", op,
           sprintf ("%dx", size (A))(1:end-1),
           sprintf ("%dx", size (B))(1:end-1));
  endif

endfunction
