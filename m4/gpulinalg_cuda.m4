# gpulinalg_cuda.m4: find nvcc, the static runtime and cuBLAS's name.
# SPDX-License-Identifier: GPL-3.0-or-later

# GPULINALG_CUDA
# --------------
# Set have_cuda, and with it CUDA_DIR, NVCC, NVCC_GENCODE, the flags of the
# runtime, CUBLAS_SONAME and CUBLAS_PATH, which the MEX file opens at run
# time.  Without CUDA, cuda_reason says why.
AC_DEFUN([GPULINALG_CUDA],
[AC_ARG_VAR([NVCC], [the CUDA compiler])
AC_ARG_VAR([NVCC_GENCODE],
  [options of nvcc that choose the architectures, instead of --with-cuda-arch])
AC_ARG_VAR([NVCCFLAGS], [more options of nvcc])
AC_ARG_VAR([CUDA_HOME], [the folder of the CUDA toolkit])
AC_ARG_VAR([CUDA_PATH], [the same, if CUDA_HOME is not set])

# pkg install cannot pass options: AC_ARG_WITH takes with_cuda and
# with_cuda_arch from the environment as well.
AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda=auto|yes|no|DIR],
    [build the CUDA backend, with the toolkit in DIR @<:@auto@:>@])],
  [], [with_cuda=auto])
AC_ARG_WITH([cuda-arch],
  [AS_HELP_STRING([--with-cuda-arch=LIST],
    [compute capabilities to build for, e.g. 90 or 80,90 @<:@the GPUs of
     this machine; without one 80,90 and PTX@:>@])],
  [], [with_cuda_arch=])
AS_CASE([$with_cuda_arch], [yes|no],
  [AC_MSG_ERROR([--with-cuda-arch needs a list such as 80,90])])

have_cuda=no
cuda_reason=
AS_CASE([$with_cuda],
  [no], [cuda_reason="not wanted: --with-cuda=no"],
  [auto|yes|/*],
    [_GPULINALG_CUDA_TOOLKIT
     AS_IF([test -z "$cuda_reason"], [_GPULINALG_CUDA_ARCH])
     AS_IF([test -z "$cuda_reason"], [have_cuda=yes])],
  [AC_MSG_ERROR([--with-cuda must be auto, yes, no or an absolute folder, dnl
but is $with_cuda])])

AS_IF([test "x$have_cuda" = xno && test "x$with_cuda" != xno],
  [AS_IF([test "x$with_cuda" = xauto],
    [AC_MSG_NOTICE([no CUDA, building the host backend alone: $cuda_reason])],
    [AC_MSG_ERROR([--with-cuda=$with_cuda: $cuda_reason])])])

AM_CONDITIONAL([HAVE_CUDA], [test "x$have_cuda" = xyes])
AC_SUBST([CUDA_DIR])
AC_SUBST([CUDA_CPPFLAGS])
AC_SUBST([CUDA_LIBS])
AC_SUBST([CUBLAS_SONAME])
AC_SUBST([CUBLAS_PATH])
AC_SUBST([with_cuda])
AC_SUBST([with_cuda_arch])
])

# _GPULINALG_CUDA_TOOLKIT
# -----------------------
# Find nvcc, the headers, the static runtime and the name of cuBLAS, or set
# cuda_reason.
AC_DEFUN([_GPULINALG_CUDA_TOOLKIT],
[AC_MSG_CHECKING([for nvcc])
AS_CASE([$with_cuda],
  [/*], [NVCC=$with_cuda/bin/nvcc],
  [AS_IF([test -z "$NVCC"],
    [for dir in ${CUDA_HOME:+"$CUDA_HOME/bin"} ${CUDA_PATH:+"$CUDA_PATH/bin"}; do
       AS_IF([test -z "$NVCC" && test -x "$dir/nvcc"], [NVCC=$dir/nvcc])
     done
     # The toolkit's installer leaves PATH alone.
     AS_IF([test -z "$NVCC"],
       [NVCC=`PATH=$PATH:/usr/local/cuda/bin:/opt/cuda/bin; command -v nvcc`])])])
AC_MSG_RESULT([${NVCC:-no}])

cuda_version=
AS_IF([test -z "$NVCC"], [cuda_reason="no nvcc found"],
  [cuda_version=`$NVCC --version 2>/dev/null \
     | $SED -n 's/.*release \(@<:@0-9@:>@*\.@<:@0-9@:>@*\).*/\1/p'`
   AS_IF([test -z "$cuda_version"],
     [cuda_reason="no working nvcc ($NVCC)"],
     [test "${cuda_version%%.*}" -lt 12],
     [cuda_reason="CUDA $cuda_version is too old, 12.0 or newer is needed"])])

AS_IF([test -z "$cuda_reason"],
  [AC_MSG_CHECKING([for the CUDA headers and static runtime])
   AS_CASE([$with_cuda], [/*], [CUDA_DIR=$with_cuda],
     [set dummy $NVCC
      CUDA_DIR=`command -v "$[]2"`
      CUDA_DIR=`readlink -f "$CUDA_DIR"`
      CUDA_DIR=${CUDA_DIR%/bin/nvcc}])
   multiarch=`$CC -print-multiarch 2>/dev/null`
   cpu=`uname -m`
   AS_CASE([$cpu], [aarch64], [cpu=sbsa])
   cuda_include=
   for dir in include targets/$cpu-linux/include; do
     AS_IF([test -z "$cuda_include" && test -f "$CUDA_DIR/$dir/cublas_v2.h" \
            && test -f "$CUDA_DIR/$dir/curand_philox4x32_x.h" \
            && test -f "$CUDA_DIR/$dir/cuda_runtime.h"],
       [cuda_include=$CUDA_DIR/$dir])
   done
   cuda_lib=
   for dir in lib64 lib ${multiarch:+"lib/$multiarch"} targets/$cpu-linux/lib; do
     AS_IF([test -z "$cuda_lib" && test -f "$CUDA_DIR/$dir/libcudart_static.a"],
       [cuda_lib=$CUDA_DIR/$dir])
   done
   AC_MSG_RESULT([${cuda_include:-no}, ${cuda_lib:-no}])
   AS_IF([test -z "$cuda_include"],
     [cuda_reason="no cuda_runtime.h, cublas_v2.h and curand_philox4x32_x.h dnl
below $CUDA_DIR"],
     [test -z "$cuda_lib"],
     [cuda_reason="no libcudart_static.a below $CUDA_DIR"])])

AS_IF([test -z "$cuda_reason"],
  [# Naming the compiler's own folder would change its order of search.
   AS_IF([test "$cuda_include" != /usr/include],
     [CUDA_CPPFLAGS="-isystem $cuda_include"])
   # nvcc's host code needs the C++ runtime.
   CUDA_LIBS="-L$cuda_lib -lcudart_static -lstdc++ -ldl -lrt -lpthread"
   AC_MSG_CHECKING([for the name of cuBLAS])
   cublas_major=`$SED -n \
     's/.*define CUBLAS_VER_MAJOR *\(@<:@0-9@:>@*\).*/\1/p' \
     "$cuda_include/cublas_api.h"`
   CUBLAS_SONAME=libcublas.so.$cublas_major
   CUBLAS_PATH=$cuda_lib/$CUBLAS_SONAME
   AC_MSG_RESULT([$CUBLAS_SONAME])
   AS_IF([test -z "$cublas_major"],
     [cuda_reason="no CUBLAS_VER_MAJOR in $cuda_include/cublas_api.h"],
     [test ! -f "$CUBLAS_PATH"],
     [AC_MSG_WARN([$CUBLAS_PATH is missing: set GPULINALG_CUBLAS when running])])])
])

# _GPULINALG_CUDA_COMPILES(GENCODE, [IF-YES], [IF-NO])
# ----------------------------------------------------
# Whether nvcc compiles a kernel with these options.
AC_DEFUN([_GPULINALG_CUDA_COMPILES],
[cat >conftest.cu <<EOF
#include <cuda_runtime.h>
__global__ void k (double *x) { x[[threadIdx.x]] *= 2; }
extern "C" int run (double *x)
{
  k<<<1, 32>>> (x);
  return cudaGetLastError ();
}
EOF
cuda_command="$NVCC $1 $NVCCFLAGS -std=c++17 -Xcompiler -fPIC -c conftest.cu -o conftest.o"
AS_ECHO(["$as_me: $cuda_command"]) >&AS_MESSAGE_LOG_FD
AS_IF([$cuda_command >&AS_MESSAGE_LOG_FD 2>&1], [$2], [$3])
rm -f conftest.cu conftest.o])

# _GPULINALG_CUDA_ARCH
# --------------------
# Set NVCC_GENCODE and cuda_targets, or cuda_reason.
AC_DEFUN([_GPULINALG_CUDA_ARCH],
[AC_MSG_CHECKING([for the GPU architectures])
cuda_found=
cuda_ptx=
AS_IF([test -n "$NVCC_GENCODE"], [cuda_targets=$NVCC_GENCODE],
  [cuda_list=`AS_ECHO(["$with_cuda_arch"]) | tr , ' '`
   AS_IF([test -z "$cuda_list"],
     [# Every GPU in the machine that this toolkit can compile for.
      cuda_found=`nvidia-smi --query-gpu=compute_cap --format=csv,noheader \
        2>/dev/null | $GREP '^@<:@0-9@:>@*\.@<:@0-9@:>@*$' | tr -d . | sort -un`
      for arch in $cuda_found; do
        _GPULINALG_CUDA_COMPILES(
          [-gencode arch=compute_$arch,code=sm_$arch],
          [cuda_list="$cuda_list $arch"])
      done])
   AS_IF([test -z "$cuda_list"], [cuda_list="80 90" cuda_ptx=yes])
   cuda_targets=
   for arch in $cuda_list; do
     arch=`AS_ECHO(["$arch"]) | $SED 's/^sm_//; s/^compute_//; s/\.//'`
     AS_CASE([$arch], [@<:@1-9@:>@@<:@0-9@:>@|@<:@1-9@:>@@<:@0-9@:>@@<:@0-9af@:>@|@<:@1-9@:>@@<:@0-9@:>@@<:@0-9@:>@@<:@af@:>@], [],
       [AC_MSG_ERROR([--with-cuda-arch: expected compute capabilities such dnl
as 80,90, but got $arch])])
     NVCC_GENCODE="$NVCC_GENCODE -gencode arch=compute_$arch,code=sm_$arch"
     cuda_targets="$cuda_targets sm_$arch"
   done
   AS_IF([test -n "$cuda_ptx"],
     [NVCC_GENCODE="$NVCC_GENCODE -gencode arch=compute_$arch,code=compute_$arch"
      cuda_targets="$cuda_targets and PTX of compute_$arch"])
   NVCC_GENCODE=${NVCC_GENCODE# }
   cuda_targets=${cuda_targets# }])
AC_MSG_RESULT([$cuda_targets])
AS_IF([test -n "$cuda_found" && test -n "$cuda_ptx"],
  [AC_MSG_WARN([CUDA $cuda_version cannot compile for the GPU of this dnl
machine: it will be too old for the CUDA backend])])

AC_MSG_CHECKING([whether nvcc compiles a kernel])
_GPULINALG_CUDA_COMPILES([$NVCC_GENCODE],
  [AC_MSG_RESULT([yes])],
  [AC_MSG_RESULT([no])
   AS_IF([test -n "$with_cuda_arch"],
     [AC_MSG_ERROR([$NVCC does not compile for $cuda_targets: see config.log])])
   cuda_reason="$NVCC does not compile a kernel, see config.log"])
])
