# gpulinalg_octave.m4: find mkoctfile and Octave, and what they know.
# SPDX-License-Identifier: GPL-3.0-or-later

# GPULINALG_OCTAVE
# ----------------
# Set MKOCTFILE and OCTAVE, the flags to compile and to link programs with
# the BLAS and LAPACK of Octave, and octave_version and octave_blas for the
# summary.
AC_DEFUN([GPULINALG_OCTAVE],
[AC_ARG_VAR([MKOCTFILE], [mkoctfile, which compiles and links MEX files])
AC_ARG_VAR([OCTAVE], [the Octave program])

AC_PATH_PROG([MKOCTFILE], [mkoctfile])
AS_IF([test -z "$MKOCTFILE"],
  [AC_MSG_ERROR([mkoctfile not found: install Octave's development files dnl
(octave-dev, liboctave-dev or octave-devel) or set MKOCTFILE])])
AC_PATH_PROGS([OCTAVE], [octave-cli octave])
AS_IF([test -z "$OCTAVE"],
  [AC_MSG_ERROR([Octave not found: install it or set OCTAVE])])

# A relocated Octave comes with octave-env, which runs a program with the
# shared libraries of that Octave.
AC_PATH_PROG([OCTAVE_ENV], [octave-env])

AC_MSG_CHECKING([for the flags of $MKOCTFILE])
# MKOCTFILE may hold options (pkg adds --verbose), so it is not quoted.
OCTAVE_INCFLAGS=`$MKOCTFILE -p INCFLAGS 2>/dev/null`
OCTAVE_LAPACK=`$MKOCTFILE -p LAPACK_LIBS 2>/dev/null`
OCTAVE_BLAS=`$MKOCTFILE -p BLAS_LIBS 2>/dev/null`
# Of the linker flags, programs need the folders alone: the others are for
# shared objects.
OCTAVE_LDFLAGS=
for flag in `$MKOCTFILE -p LDFLAGS 2>/dev/null`; do
  AS_CASE([$flag], [-L*], [OCTAVE_LDFLAGS="$OCTAVE_LDFLAGS $flag"])
done
AS_IF([test -z "$OCTAVE_INCFLAGS"],
  [AC_MSG_RESULT([none])
   AC_MSG_ERROR([$MKOCTFILE -p INCFLAGS prints nothing: it does not work])])
AC_MSG_RESULT([$OCTAVE_LDFLAGS $OCTAVE_LAPACK $OCTAVE_BLAS])
AC_SUBST([OCTAVE_INCFLAGS])
AC_SUBST([OCTAVE_LDFLAGS])
AC_SUBST([OCTAVE_LAPACK])
AC_SUBST([OCTAVE_BLAS])

save_CPPFLAGS=$CPPFLAGS
save_LDFLAGS=$LDFLAGS
save_LIBS=$LIBS
CPPFLAGS="$OCTAVE_INCFLAGS $CPPFLAGS"
LDFLAGS="$OCTAVE_LDFLAGS $LDFLAGS"
LIBS="$OCTAVE_LAPACK $OCTAVE_BLAS $LIBS"
AC_CHECK_HEADER([mex.h], [],
  [AC_MSG_ERROR([mex.h not found: install Octave's development files dnl
(octave-dev, liboctave-dev or octave-devel)])])
AC_CHECK_FUNC([dpotrf_], [],
  [AC_MSG_ERROR([the LAPACK of Octave ($OCTAVE_LAPACK $OCTAVE_BLAS) does dnl
not link: see config.log])])
CPPFLAGS=$save_CPPFLAGS
LDFLAGS=$save_LDFLAGS
LIBS=$save_LIBS

AC_MSG_CHECKING([which Octave and BLAS])
# Octave may warn while it exits; what it printed before counts.
octave_version=`$MKOCTFILE --version 2>&1 | $SED -n 's/.*version *//p'`
octave_blas=`$OCTAVE --no-gui -qf \
  --eval "printf ('%s', version ('-blas'))" 2>/dev/null`
test -n "$octave_version" || octave_version=unknown
test -n "$octave_blas" || octave_blas="$OCTAVE_LAPACK $OCTAVE_BLAS"
AC_MSG_RESULT([$octave_version, $octave_blas])
])
