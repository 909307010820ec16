/* test_map.c: every elementwise operation on all types, mixed types, sizes
   that broadcast, numbers, views and special values, against long double.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test.h"

#define PI_L 3.14159265358979323846264338327950288L
#define LN2_L 0.693147180559945309417232121458176568L
#define LN10_L 2.30258509299404568401799145468436421L

static const char *const op_names[] = {
  "plus", "minus",   "times", "rdivide", "power", "atan2", "max",
  "min",  "complex", "eq",    "ne",      "lt",    "le",    "gt",
  "ge",   "and",     "or",    "not",     "isnan", "isinf", "isfinite",
  "cast", "uminus",  "abs",   "arg",     "real",  "imag",  "conj",
  "sqrt", "exp",     "expm1", "log",     "log1p", "log2",  "log10",
  "sin",  "cos",     "tan",   "asin",    "acos",  "atan",  "sinh",
  "cosh", "tanh",    "floor", "ceil",    "round", "fix",   "sign",
};
_Static_assert(sizeof op_names / sizeof *op_names == GPU_OPERATIONS,
               "an operation is not tested");

/* The types that compute.  */
static const gpu_type types[]
  = { GPU_SINGLE, GPU_DOUBLE, GPU_CSINGLE, GPU_CDOUBLE, GPU_LOGICAL };
enum
{
  TYPES = sizeof types / sizeof *types
};

static const char *
type_name (gpu_type type)
{
  return type == GPU_LOGICAL ? "logical" : test_type_name (type);
}

/* ---- what Octave's types are ---- */

static bool
takes_two (gpu_operation op)
{
  return op < GPU_NOT;
}

static bool
gives_logical (gpu_operation op)
{
  return (op >= GPU_EQ && op <= GPU_OR)
         || (op >= GPU_NOT && op <= GPU_ISFINITE);
}

static bool
is_single (gpu_type type)
{
  return type == GPU_SINGLE || type == GPU_CSINGLE;
}

/* The type if the values leave the real axis, or do not.  */
static gpu_type
type_of (gpu_operation op, gpu_type a, gpu_type b, bool leaves)
{
  bool in_complex = gpu_is_complex (a) || leaves;
  bool in_single = is_single (a);
  if (takes_two (op))
    {
      in_complex |= gpu_is_complex (b) || op == GPU_COMPLEX;
      in_single |= is_single (b);
    }
  if (gives_logical (op)
      || ((op == GPU_MAX || op == GPU_MIN) && a == GPU_LOGICAL
          && b == GPU_LOGICAL))
    return GPU_LOGICAL;
  if (op == GPU_ABS || op == GPU_ARG || op == GPU_REAL || op == GPU_IMAG)
    in_complex = false;
  return in_complex ? (in_single ? GPU_CSINGLE : GPU_CDOUBLE)
                    : (in_single ? GPU_SINGLE : GPU_DOUBLE);
}

static bool
is_whole (double x)
{
  return fabs (x) < 2147483648.0 && x == trunc (x);
}

/* Whether op (x) of a real x leaves the real axis.  */
static bool
leaves_real (gpu_operation op, double x)
{
  switch (op)
    {
    case GPU_SQRT:
    case GPU_LOG:
    case GPU_LOG2:
    case GPU_LOG10:
      return x < 0;
    case GPU_LOG1P:
      return x < -1;
    case GPU_ASIN:
    case GPU_ACOS:
      return fabs (x) > 1;
    default:
      return false;
    }
}

/* ---- what the values are ---- */

static long double
expected_real (gpu_operation op, long double x, long double y)
{
  switch (op)
    {
    case GPU_PLUS:
      return x + y;
    case GPU_MINUS:
      return x - y;
    case GPU_TIMES:
      return x * y;
    case GPU_RDIVIDE:
      return x / y;
    case GPU_POWER:
      return powl (x, y);
    case GPU_ATAN2:
      return atan2l (x, y);
    case GPU_MAX:
      return isnan (y) || x >= y ? x : y;
    case GPU_MIN:
      return isnan (y) || x <= y ? x : y;
    case GPU_LT:
      return x < y;
    case GPU_LE:
      return x <= y;
    case GPU_GT:
      return x > y;
    case GPU_GE:
      return x >= y;
    case GPU_ARG:
      return signbit (x) ? PI_L : 0;
    case GPU_SQRT:
      return sqrtl (x);
    case GPU_EXP:
      return expl (x);
    case GPU_EXPM1:
      return expm1l (x);
    case GPU_LOG:
      return logl (x);
    case GPU_LOG1P:
      return log1pl (x);
    case GPU_LOG2:
      return log2l (x);
    case GPU_LOG10:
      return log10l (x);
    case GPU_SIN:
      return sinl (x);
    case GPU_COS:
      return cosl (x);
    case GPU_TAN:
      return tanl (x);
    case GPU_ASIN:
      return asinl (x);
    case GPU_ACOS:
      return acosl (x);
    case GPU_ATAN:
      return atanl (x);
    case GPU_SINH:
      return sinhl (x);
    case GPU_COSH:
      return coshl (x);
    case GPU_TANH:
      return tanhl (x);
    case GPU_SIGN:
      return isnan (x) ? x : (x > 0) - (x < 0);
    default:
      return NAN;
    }
}

/* The angle that orders numbers of the same abs; Octave gives real ones 0.  */
static long double
angle_of (lcx a, bool real)
{
  long double angle = real ? 0 : cargl (a);
  return angle == -PI_L || angle == -(long double) M_PI ? PI_L : angle;
}

static int
compare (lcx a, lcx b, bool ra, bool rb)
{
  long double x = cabsl (a), y = cabsl (b);
  if (x == y)
    {
      x = angle_of (a, ra);
      y = angle_of (b, rb);
    }
  return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
}

static lcx
expected_power (lcx a, lcx b)
{
  if (cimagl (b) == 0 && cimagl (a) == 0 && creall (a) >= 0)
    return powl (creall (a), creall (b));
  if (a == 0)
    return creall (b) > 0 ? 0 : CMPLXL (NAN, NAN);
  return cpowl (a, b);
}

static lcx
expected_log1p (lcx a)
{
  long double x = creall (a), y = cimagl (a), u = 2 * x + x * x + y * y;
  if (!(cabsl (a) < 0.5L))
    return clogl (1 + a);
  return CMPLXL (log1pl (u) / 2, atan2l (y, 1 + x));
}

static lcx
expected_expm1 (lcx a)
{
  long double x = creall (a), y = cimagl (a), s = sinl (y / 2);
  if (!(cabsl (a) < 1))
    return cexpl (a) - 1;
  return CMPLXL (expm1l (x) * cosl (y) - 2 * s * s, expl (x) * sinl (y));
}

/* A size as it is stored, where that is as few bits of a denormal number.  */
static long double
rounded (long double size)
{
  return size < 0x1p-1022L  ? (double) size
         : size < 0x1p-126L ? (float) size
                            : size;
}

/* op (a, b); RA and RB: these are real numbers.  COMPLEX_DATA: the computation
   is one of complex numbers.  */
static lcx
expected (gpu_operation op, lcx a, lcx b, bool ra, bool rb, bool complex_data)
{
  long double x = creall (a), y = cimagl (a);
  int order;
  switch (op)
    {
    case GPU_EQ:
      return a == b;
    case GPU_NE:
      return a != b;
    case GPU_AND:
      return a != 0 && b != 0;
    case GPU_OR:
      return a != 0 || b != 0;
    case GPU_NOT:
      return a == 0;
    case GPU_ISNAN:
      return isnan (x) || isnan (y);
    case GPU_ISINF:
      return isinf (x) || isinf (y);
    case GPU_ISFINITE:
      return isfinite (x) && isfinite (y);
    case GPU_UMINUS:
      return -a;
    case GPU_ABS:
      return cabsl (a);
    case GPU_REAL:
      return x;
    case GPU_IMAG:
      return y;
    case GPU_CONJ:
      return conjl (a);
    case GPU_FLOOR:
      return CMPLXL (floorl (x), floorl (y));
    case GPU_CEIL:
      return CMPLXL (ceill (x), ceill (y));
    case GPU_ROUND:
      return CMPLXL (roundl (x), roundl (y));
    case GPU_FIX:
      return CMPLXL (truncl (x), truncl (y));
    case GPU_COMPLEX:
      return CMPLXL (x, creall (b));
    default:
      break;
    }
  if (!complex_data)
    return expected_real (op, x, creall (b));
  switch (op)
    {
    case GPU_PLUS:
      return CMPLXL (x + creall (b), y + cimagl (b));
    case GPU_MINUS:
      return CMPLXL (x - creall (b), y - cimagl (b));
    case GPU_TIMES:
      return rb ? a * creall (b) : ra ? x * b : a * b;
    case GPU_RDIVIDE:
      return rb ? a / creall (b) : a / b;
    case GPU_POWER:
      return expected_power (a, b);
    case GPU_MAX:
      return cabsl (a) >= cabsl (b) || a != a ? a : b;
    case GPU_MIN:
      return cabsl (a) <= cabsl (b) || a != a ? a : b;
    case GPU_LT:
    case GPU_LE:
    case GPU_GT:
    case GPU_GE:
      order = compare (a, b, ra, rb);
      return op == GPU_LT   ? order == -1
             : op == GPU_LE ? order == -1 || order == 0
             : op == GPU_GT ? order == 1
                            : order == 1 || order == 0;
    case GPU_ARG:
      return cargl (a);
    case GPU_SQRT:
      return csqrtl (a);
    case GPU_EXP:
      return cexpl (a);
    case GPU_EXPM1:
      return expected_expm1 (a);
    case GPU_LOG:
      return ra && x == 0 ? -INFINITY : clogl (a);
    case GPU_LOG1P:
      return ra && x == -1 ? -INFINITY : expected_log1p (a);
    case GPU_LOG2:
      return ra && x == 0 ? -INFINITY : clogl (a) / LN2_L;
    case GPU_LOG10:
      return ra && x == 0 ? -INFINITY : clogl (a) / LN10_L;
    case GPU_SIN:
      return csinl (a);
    case GPU_COS:
      return ccosl (a);
    case GPU_TAN:
      return ctanl (a);
    case GPU_ASIN:
      return y == 0 && x > 1 ? conjl (casinl (a)) : casinl (a);
    case GPU_ACOS:
      return y == 0 && x > 1 ? conjl (cacosl (a)) : cacosl (a);
    case GPU_ATAN:
      return catanl (a);
    case GPU_SINH:
      return csinhl (a);
    case GPU_COSH:
      return ccoshl (a);
    case GPU_TANH:
      return ctanhl (a);
    case GPU_SIGN:
      return a == 0 ? 0 : a / rounded (cabsl (a));
    default:
      return NAN;
    }
}

/* ---- how close ---- */

/* Errors allowed, in eps times the result.  */
static long double
tolerance (gpu_operation op, bool complex_data, lcx a, lcx b)
{
  if (op == GPU_POWER && complex_data && a != 0)
    return 16 * (1 + cabsl (b * clogl (a)));
  if (op == GPU_POWER)
    return 8;
  if (gives_logical (op) || op == GPU_MAX || op == GPU_MIN
      || op == GPU_COMPLEX)
    return 0;
  if (op == GPU_PLUS || op == GPU_MINUS)
    return 0.51L;
  if (op == GPU_TIMES || op == GPU_RDIVIDE)
    return complex_data ? 4 : 0.51L;
  return complex_data ? 16 : 8;
}

static bool
is_finite (lcx z)
{
  return isfinite (creall (z)) && isfinite (cimagl (z));
}

/* Whether long double is one; valgrind computes it as double, and takes its
   infinities for numbers.  What comes is then not compared.  */
static bool
has_long_double (void)
{
  volatile long double tiny = LDBL_EPSILON, infinite = INFINITY;
  return 1 + tiny != 1 && LDBL_EPSILON < DBL_EPSILON && isinf (infinite);
}

/* Whether the number that came is WANT, rounded to TYPE but for an error of
   LIMIT * eps * abs (want).  Of a complex number it counts only that it is not
   finite, if it is not.  */
static bool
agrees (cx got, lcx want, gpu_type type, long double limit)
{
  bool single = is_single (type);
  long double most = single ? FLT_MAX : DBL_MAX, size = cabsl (want);
  long double least = single ? FLT_MIN * (long double) FLT_EPSILON
                             : DBL_MIN * (long double) DBL_EPSILON;
  long double error = cabsl ((lcx) got - want);
  bool finite = isfinite (creal (got)) && isfinite (cimag (got));
  if (!has_long_double ())
    return true;
  if (isfinite (size) && size > most * (1 - limit * test_eps (type)))
    return !finite || error <= limit * test_eps (type) * size;
  if (!is_finite (want))
    return gpu_is_complex (type)   ? !finite
           : isnan (creall (want)) ? isnan (creal (got))
                                   : creal (got) == (double) creall (want);
  return finite && error <= limit * test_eps (type) * size + 2 * least;
}

/* ---- data ---- */

typedef enum
{
  ANY,
  POSITIVE,
  INTEGERS,
  KINDS
} kind;

static double
draw (kind k)
{
  double x = test_uniform ();
  return k == ANY        ? 2 * x
         : k == POSITIVE ? (x == 0 ? 1 : fabs (x))
                         : (double) (int) (4 * x);
}

static ref
make (gpu_type type, kind k, const ptrdiff_t size[3])
{
  ref X = ref_new (type, size[0], size[1], size[2]);
  for (size_t i = 0; i < ref_count (X); i++)
    {
      double re = draw (k);
      X.x[i] = type == GPU_LOGICAL     ? re > 0
               : gpu_is_complex (type) ? CMPLX (re, draw (k))
                                       : re;
    }
  return X;
}

static cx
value (ref X, ptrdiff_t i, ptrdiff_t j, ptrdiff_t k)
{
  return AT (X, X.m == 1 ? 0 : i, X.n == 1 ? 0 : j, X.pages == 1 ? 0 : k);
}

static gpu_operand
operand (gpu_mat A)
{
  gpu_operand X = { A, 0, 0 };
  return X;
}

static gpu_operand
number (gpu_type type, cx x)
{
  gpu_operand X = { { 0 }, creal (x), cimag (x) };
  X.A.type = type;
  return X;
}

static ptrdiff_t
wider (ptrdiff_t a, ptrdiff_t b)
{
  return a == 1 ? b : a;
}

/* Whether op (A, B) of real numbers leaves the real axis, as Octave sees
   it.  */
static bool
leaves (gpu_operation op, ref A, ref B)
{
  bool pairs = A.m == B.m && A.n == B.n && A.pages == B.pages;
  bool negative = false, fraction = false;
  if (gpu_is_complex (A.type) || (takes_two (op) && gpu_is_complex (B.type)))
    return false;
  if (op != GPU_POWER)
    {
      for (size_t i = 0; i < ref_count (A); i++)
        if (leaves_real (op, creal (A.x[i])))
          return true;
      return false;
    }
  for (size_t i = 0; pairs && i < ref_count (A); i++)
    if (creal (A.x[i]) < 0 && !is_whole (creal (B.x[i])))
      return true;
  for (size_t i = 0; i < ref_count (A); i++)
    negative |= creal (A.x[i]) < 0;
  for (size_t i = 0; i < ref_count (B); i++)
    fraction |= !is_whole (creal (B.x[i]));
  return !pairs && negative && fraction;
}

/* Check that Z is op (A, B).  */
static void
check_values (gpu_operation op, ref A, ref B, ref Z)
{
  bool two = takes_two (op), ra = !gpu_is_complex (A.type);
  bool rb = two ? !gpu_is_complex (B.type) : ra;
  bool complex_data = !ra || !rb || gpu_is_complex (Z.type);
  long bad = 0;
  for (ptrdiff_t k = 0; k < Z.pages; k++)
    for (ptrdiff_t j = 0; j < Z.n; j++)
      for (ptrdiff_t i = 0; i < Z.m; i++)
        {
          cx a = value (A, i, j, k), b = two ? value (B, i, j, k) : a;
          gpu_type c = type_of (op, A.type, two ? B.type : A.type, false);
          lcx want, got = AT (Z, i, j, k);
          if (is_single (c) || (is_single (A.type) || is_single (B.type)))
            {
              a = CMPLX ((float) creal (a), (float) cimag (a));
              b = CMPLX ((float) creal (b), (float) cimag (b));
            }
          want = expected (op, a, b, ra, rb, complex_data);
          if (!agrees ((cx) got, want, Z.type,
                       tolerance (op, complex_data, a, b))
              && bad++ < 3)
            CHECK (false,
                   "%s (%.17g%+.17gi, %.17g%+.17gi) = %.17g%+.17gi, "
                   "not %.17Lg%+.17Lgi",
                   op_names[op], creal (a), cimag (a), creal (b), cimag (b),
                   (double) creall (got), (double) cimagl (got), creall (want),
                   cimagl (want));
        }
  CHECK (bad == 0, "%ld of %zu values", bad, ref_count (Z));
}

static gpu_status
get (gpu_ctx *g, gpu_mat A, ref *X)
{
  dev D = { A, A };
  return dev_get (g, D, X);
}

/* ---- cases ---- */

/* Every operation, all pairs of types, sizes that broadcast; some operands are
   views, numbers where they can be.  */
static void
all (gpu_ctx *g, gpu_type unused)
{
  static const ptrdiff_t shapes[][2][3] = {
    { { 5, 3, 2 }, { 5, 3, 2 } }, { { 1, 1, 1 }, { 4, 3, 2 } },
    { { 4, 3, 2 }, { 1, 1, 1 } }, { { 5, 1, 1 }, { 1, 4, 1 } },
    { { 1, 4, 1 }, { 5, 1, 3 } }, { { 37, 1, 1 }, { 37, 1, 1 } },
    { { 3, 5, 4 }, { 3, 5, 1 } }, { { 1, 1, 7 }, { 6, 1, 1 } },
    { { 0, 3, 1 }, { 1, 3, 1 } }, { { 4, 4, 2 }, { 4, 4, 2 } },
    { { 1, 1, 1 }, { 1, 1, 1 } }, { { 2, 3, 0 }, { 2, 3, 1 } },
  };
  enum
  {
    SHAPES = sizeof shapes / sizeof *shapes
  };
  int turn = 0;
  (void) unused;
  for (gpu_operation op = 0; op < GPU_OPERATIONS; op++)
    for (int ta = 0; ta < TYPES; ta++)
      for (int tb = 0; tb < (takes_two (op) ? TYPES : 1); tb++)
        for (int s = 0; s < SHAPES; s++)
          {
            gpu_type a = types[ta], b = types[tb];
            int how = turn++ % 5; /* 0 to 3: plain, views; 4: a number */
            kind k = (kind) (turn / 3 % KINDS);
            ref A = make (a, k, shapes[s][0]), B = make (b, k, shapes[s][1]);
            gpu_operand x, y;
            dev X, Y;
            gpu_mat C;
            ref Z;
            if (op == GPU_CAST || test_leaves_out ())
              continue;
            test_at ("%s (%s %tdx%tdx%td, %s %tdx%tdx%td), way %d",
                     op_names[op], type_name (a), A.m, A.n, A.pages,
                     type_name (b), B.m, B.n, B.pages, how);
            OK (g, dev_put (g, A, how & 1 ? GPU_C : GPU_N, how & 2, &X));
            OK (g, dev_put (g, B, how & 2 ? GPU_T : GPU_N, how & 1, &Y));
            x = operand (X.view);
            y = operand (Y.view);
            if (how == 4 && ref_count (A) == 1)
              x = number (a, A.x[0]);
            if (how == 4 && ref_count (B) == 1)
              y = number (b, B.x[0]);
            if ((op == GPU_ATAN2 || op == GPU_COMPLEX)
                && (gpu_is_complex (a) || gpu_is_complex (b)))
              {
                CHECK (gpu_map (g, op, x, y, &C) == GPU_EARG, "complex data");
                test_next (g);
                continue;
              }
            OK (g, gpu_map (g, op, x, y, &C));
            CHECK (C.type == type_of (op, a, b, leaves (op, A, B)),
                   "the type is %s", type_name (C.type));
            if (takes_two (op))
              CHECK (C.m == wider (A.m, B.m) && C.n == wider (A.n, B.n)
                       && C.pages == wider (A.pages, B.pages),
                     "the size is %tdx%tdx%td", C.m, C.n, C.pages);
            else
              CHECK (C.m == A.m && C.n == A.n && C.pages == A.pages,
                     "the size is %tdx%tdx%td", C.m, C.n, C.pages);
            OK (g, get (g, C, &Z));
            check_values (op, A, B, Z);
            CHECK (g->live == 3, "%td arrays are left", g->live - 3);
            test_next (g);
          }
}

/* Zeros, infinities, NaN, what is barely or hardly a number, halves, and for
   real types every pair of them.  */
static void
special (gpu_ctx *g, gpu_type type)
{
  double big = is_single (type) ? 0x1p126 : 0x1p1022;
  double tiny = is_single (type) ? 0x1p-140 : 0x1p-1060;
  double half = is_single (type) ? nextafterf (0.5f, 0) : nextafter (0.5, 0);
  double one = is_single (type) ? nextafterf (1, 2) : nextafter (1, 2);
  const double parts[]
    = { 0,   -0.0, 1,    -1,  0.5, -0.5, 2.5,      -2,        tiny, -tiny,
        big, -big, half, one, 100, -700, INFINITY, -INFINITY, NAN };
  ptrdiff_t n = sizeof parts / sizeof *parts;
  bool complex_data = gpu_is_complex (type);
  ref A = ref_new (type, n * n, 1, 1), B = ref_new (type, n * n, 1, 1);
  for (ptrdiff_t i = 0; i < n * n; i++)
    {
      A.x[i]
        = complex_data ? CMPLX (parts[i % n], parts[i / n]) : parts[i % n];
      B.x[i] = complex_data ? A.x[(i * 7 + 5) % (n * n)] : parts[i / n];
    }
  for (gpu_operation op = 0; op < GPU_OPERATIONS; op++)
    {
      bool leave = leaves (op, A, B);
      dev X, Y;
      gpu_mat C;
      ref Z;
      if (op == GPU_CAST
          || (complex_data
              && (op == GPU_POWER || op == GPU_ATAN2 || op == GPU_COMPLEX)))
        continue;
      test_at ("%s", op_names[op]);
      OK (g, dev_put (g, A, GPU_N, false, &X));
      OK (g, dev_put (g, B, GPU_N, false, &Y));
      OK (g, gpu_map (g, op, operand (X.view), operand (Y.view), &C));
      CHECK (C.type == type_of (op, type, type, leave), "the type is %s",
             type_name (C.type));
      OK (g, get (g, C, &Z));
      if (op != GPU_POWER)
        check_values (op, A, B, Z);
      for (ptrdiff_t i = 0; i < n * n && !gpu_is_complex (Z.type); i++)
        if (op <= GPU_RDIVIDE || op == GPU_UMINUS
            || (op >= GPU_FLOOR && op <= GPU_FIX && !complex_data))
          {
            double x = creal (Z.x[i]);
            lcx want = expected (op, A.x[i], B.x[i], true, true, false);
            CHECK (x != 0 || !signbit (x) == !signbit (creall (want)),
                   "%s (%g, %g) is %g", op_names[op], creal (A.x[i]),
                   creal (B.x[i]), x);
          }
      gpu_sweep (g);
    }
  test_next (g);
}

/* Powers of real numbers that stay real, special values among them.  */
static void
powers (gpu_ctx *g, gpu_type type)
{
  const double bases[] = { 0, 1, 0.5, 3, 1e30, INFINITY, NAN };
  const double whole[] = { 0, 1, 2, 3, -1, -2, 7, 30, -30 };
  const double exponents[]
    = { 0, 0.5, -0.5, 1.0 / 3, 2, 3, 2.5, INFINITY, -INFINITY, NAN };
  for (int negative = 0; negative < 2; negative++)
    {
      ptrdiff_t m = sizeof bases / sizeof *bases;
      ptrdiff_t n = negative ? 9 : 10;
      ref A = ref_new (type, m, 1, 1), B = ref_new (type, 1, n, 1), Z;
      gpu_mat C;
      dev X, Y;
      for (ptrdiff_t i = 0; i < m; i++)
        A.x[i] = ref_rounded (type, negative ? -bases[i] : bases[i]);
      for (ptrdiff_t j = 0; j < n; j++)
        B.x[j] = ref_rounded (type, negative ? whole[j] : exponents[j]);
      OK (g, dev_put (g, A, GPU_N, false, &X));
      OK (g, dev_put (g, B, GPU_N, false, &Y));
      OK (g, gpu_map (g, GPU_POWER, operand (X.view), operand (Y.view), &C));
      OK (g, get (g, C, &Z));
      if (!gpu_is_complex (type))
        {
          CHECK (C.type == type, "the type is %s", type_name (C.type));
          check_values (GPU_POWER, A, B, Z);
        }
      else
        /* Of complex ones what is not infinite.  */
        for (ptrdiff_t i = 0; i < 4; i++)
          for (ptrdiff_t j = 0; j < n; j++)
            {
              lcx a = A.x[i], b = B.x[j], want = expected_power (a, b);
              CHECK (isinf (creal (b)) || isnan (creal (b))
                       || agrees (AT (Z, i, j, 0), want, type,
                                  tolerance (GPU_POWER, true, a, b)),
                     "%g ^ %g is %g%+gi", (double) creall (a),
                     (double) creall (b), creal (AT (Z, i, j, 0)),
                     cimag (AT (Z, i, j, 0)));
            }
      test_next (g);
    }
}

typedef struct
{
  gpu_operation op;
  cx a[3], b[3], want[3];
  bool real_b;
} exact_case;

/* Results that are exact, as in Octave.  */
static void
exact (gpu_ctx *g, gpu_type type)
{
  static const exact_case reals[] = {
    { GPU_POWER, { 0.1, -7, 0 }, { 2, 2, 0 }, { NAN, 49, 1 }, true },
    { GPU_LOG2, { 8, 1, 0.25 }, { 0 }, { 3, 0, -2 }, true },
    { GPU_ROUND, { 0.5, -2.5, 1.49 }, { 0 }, { 1, -3, 1 }, true },
    { GPU_MAX, { 1, NAN, NAN }, { NAN, 2, NAN }, { 1, 2, NAN }, true },
    { GPU_MIN, { 1, NAN, 3 }, { NAN, 2, -1 }, { 1, 2, -1 }, true },
    { GPU_AND, { NAN, 0, 2 }, { 1, NAN, 3 }, { 1, 0, 1 }, true },
    { GPU_LT, { -1, 1, NAN }, { 1, 1, 1 }, { 1, 0, 0 }, true },
  };
  static const exact_case complexes[] = {
    { GPU_POWER,
      { 1 + 2 * I, -2, I },
      { 2, 3, 4 },
      { -3 + 4 * I, -8, 1 },
      false },
    { GPU_SQRT, { -4, 3 + 4 * I, 0 }, { 0 }, { 2 * I, 2 + I, 0 }, false },
    { GPU_LT, { 1, I, -1 }, { -1, -1, 1 }, { 1, 1, 0 }, false },
    { GPU_LT, { 1, -1, I }, { -1, -1, -1 }, { 0, 0, 0 }, true },
    { GPU_LE, { 1, -1, 0 }, { -1, 1, -1 }, { 1, 0, 1 }, true },
    { GPU_GE, { 3 + 4 * I, 5, 1 }, { 5, 3 + 4 * I, 2 }, { 1, 0, 0 }, false },
    { GPU_EQ, { 1 + I, 1 - I, 2 }, { 1 + I, 1 + I, 2 }, { 1, 0, 1 }, false },
    { GPU_MAX, { 1, -1, NAN }, { -1, 1 + I, 3 }, { 1, 1 + I, NAN }, false },
    { GPU_MIN, { 1, 2, 3 }, { -1, 1, NAN }, { 1, 1, NAN }, false },
    { GPU_RDIVIDE,
      { 4 + 2 * I, 1, I },
      { 1 + I, 2 * I, I },
      { 3 - I, -0.5 * I, 1 },
      false },
    { GPU_ACOS, { 1, -1, 0 }, { 0 }, { 0, NAN, NAN }, false },
  };
  const exact_case *cases = gpu_is_complex (type) ? complexes : reals;
  size_t count = gpu_is_complex (type) ? sizeof complexes / sizeof *complexes
                                       : sizeof reals / sizeof *reals;
  for (size_t c = 0; c < count; c++)
    {
      ref A = ref_new (type, 1, 3, 1), Z;
      ref B = ref_new (cases[c].real_b ? gpu_real_type (type) : type, 1, 3, 1);
      gpu_mat C;
      dev X, Y;
      for (int i = 0; i < 3; i++)
        {
          A.x[i] = ref_rounded (type, cases[c].a[i]);
          B.x[i] = ref_rounded (B.type, cases[c].b[i]);
        }
      OK (g, dev_put (g, A, GPU_N, false, &X));
      OK (g, dev_put (g, B, GPU_N, false, &Y));
      OK (g, gpu_map (g, cases[c].op, operand (X.view), operand (Y.view), &C));
      OK (g, get (g, C, &Z));
      for (int i = 0; i < 3; i++)
        {
          cx want = cases[c].want[i];
          if (cases[c].op == GPU_POWER && is_nan (want))
            want = ref_rounded (type, A.x[i] * A.x[i]);
          if (cases[c].op == GPU_ACOS && is_nan (want))
            continue;
          CHECK (is_nan (want) ? is_nan (Z.x[i]) : Z.x[i] == want,
                 "%s: %.17g%+.17gi, not %.17g%+.17gi", op_names[cases[c].op],
                 creal (Z.x[i]), cimag (Z.x[i]), creal (want), cimag (want));
        }
      test_next (g);
    }

  /* What Octave would narrow: the product with the conjugate.  */
  if (gpu_is_complex (type))
    {
      ref A = ref_random (type, 101, 3, 1), Z;
      gpu_mat C, D;
      dev X;
      double imag = 0;
      OK (g, dev_put (g, A, GPU_N, false, &X));
      OK (g, gpu_map (g, GPU_CONJ, operand (X.view), operand (X.view), &C));
      OK (g, gpu_map (g, GPU_TIMES, operand (X.view), operand (C), &D));
      OK (g, get (g, D, &Z));
      for (size_t i = 0; i < ref_count (Z); i++)
        imag = fmax (imag, fabs (cimag (Z.x[i])));
      CHECK (imag == 0, "z * conj (z) has an imaginary part of %g", imag);
    }
}

/* Results become complex exactly where Octave's do.  */
static void
leaving (gpu_ctx *g, gpu_type type)
{
  static const struct
  {
    gpu_operation op;
    double a[2], b[2];
    bool complex_result;
  } cases[] = {
    { GPU_SQRT, { 4, 0 }, { 0 }, false },
    { GPU_SQRT, { 4, -0.0 }, { 0 }, false },
    { GPU_SQRT, { NAN, NAN }, { 0 }, false },
    { GPU_SQRT, { NAN, -4 }, { 0 }, true },
    { GPU_SQRT, { INFINITY, -INFINITY }, { 0 }, true },
    { GPU_LOG, { 1, 0 }, { 0 }, false },
    { GPU_LOG2, { 1, -8 }, { 0 }, true },
    { GPU_LOG10, { -1, 8 }, { 0 }, true },
    { GPU_LOG1P, { -1, 8 }, { 0 }, false },
    { GPU_LOG1P, { -1.5, 8 }, { 0 }, true },
    { GPU_ASIN, { -1, 1 }, { 0 }, false },
    { GPU_ASIN, { 0, 1.5 }, { 0 }, true },
    { GPU_ACOS, { 0, -1.5 }, { 0 }, true },
    { GPU_ACOS, { NAN, 0.5 }, { 0 }, false },
    { GPU_EXP, { -1, 2 }, { 0 }, false },
    { GPU_POWER, { -2, 3 }, { 2, 0.5 }, false },
    { GPU_POWER, { -2, 3 }, { 0.5, 2 }, true },
    { GPU_POWER, { -2, 3 }, { NAN, 2 }, true },
    { GPU_POWER, { -2, 3 }, { INFINITY, 2 }, true },
    { GPU_POWER, { -2, 3 }, { 2147483648.0, 2 }, true },
    { GPU_POWER, { 2, 3 }, { 0.5, 2 }, false },
    { GPU_POWER, { -0.0, 3 }, { 0.5, 2 }, false },
  };
  if (gpu_is_complex (type))
    return;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (int last = 0; last < 2; last++)
      {
        /* The two values at one end of an array of ones.  */
        ref A = ref_new (type, 7, 5, 3), B = ref_new (type, 7, 5, 3), Z;
        size_t at = last ? ref_count (A) - 2 : 0;
        gpu_mat C;
        dev X, Y;
        for (size_t i = 0; i < ref_count (A); i++)
          A.x[i] = B.x[i] = 1;
        for (size_t i = 0; i < 2; i++)
          {
            A.x[at + i] = cases[c].a[i];
            B.x[at + i] = cases[c].b[i];
          }
        test_at ("%s (%g, %g)", op_names[cases[c].op], cases[c].a[0],
                 cases[c].a[1]);
        OK (g, dev_put (g, A, last ? GPU_T : GPU_N, last, &X));
        OK (g, dev_put (g, B, last ? GPU_N : GPU_T, last, &Y));
        OK (g,
            gpu_map (g, cases[c].op, operand (X.view), operand (Y.view), &C));
        CHECK (gpu_is_complex (C.type) == cases[c].complex_result,
               "the type is %s", type_name (C.type));
        CHECK (g->live == 3, "%td arrays are left", g->live - 3);
        OK (g, get (g, C, &Z));
        if (cases[c].op != GPU_POWER)
          check_values (cases[c].op, A, B, Z);
        test_next (g);
      }

  /* Of other sizes each operand counts as a whole.  */
  static const struct
  {
    double a[2], b[2];
    ptrdiff_t m, n; /* of B, with A a column, or a number if N is 0 */
    bool complex_result;
  } sizes[] = {
    { { -2, 3 }, { 2, 0.5 }, 1, 2, true },
    { { -2, 3 }, { 2, 3 }, 1, 2, false },
    { { 2, 3 }, { 2, 0.5 }, 1, 2, false },
    { { -2, 3 }, { 2, INFINITY }, 1, 2, true },
    { { -2, 3 }, { 2, 2147483648.0 }, 1, 2, false },
    { { -2, 3 }, { 2 }, 1, 1, false },
    { { -2, 3 }, { 2.5 }, 1, 1, true },
    { { -2, 3 }, { 2147483648.0 }, 1, 1, true },
    { { -2, 3 }, { 3 }, 1, 0, false },
    { { -2, 3 }, { 0.5 }, 1, 0, true },
    { { -2, 3 }, { NAN }, 1, 0, true },
  };
  for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++)
    {
      ptrdiff_t n = sizes[c].n ? sizes[c].n : 1;
      ref A = ref_new (type, 2, 1, 1), B = ref_new (type, 1, n, 1);
      gpu_mat C;
      dev X, Y;
      for (ptrdiff_t i = 0; i < 2; i++)
        A.x[i] = sizes[c].a[i];
      for (ptrdiff_t i = 0; i < n; i++)
        B.x[i] = sizes[c].b[i];
      test_at ("power (%g, %g)", sizes[c].b[0], sizes[c].b[1]);
      OK (g, dev_put (g, A, GPU_N, false, &X));
      OK (g, dev_put (g, B, GPU_N, false, &Y));
      OK (g, gpu_map (g, GPU_POWER, operand (X.view),
                      sizes[c].n ? operand (Y.view)
                                 : number (GPU_DOUBLE, sizes[c].b[0]),
                      &C));
      CHECK (gpu_is_complex (C.type) == sizes[c].complex_result,
             "the type is %s", type_name (C.type));
      test_next (g);
    }
}

/* Numbers on both sides, and what is negative among them.  */
static void
numbers (gpu_ctx *g, gpu_type type)
{
  gpu_mat C;
  ref Z;
  OK (g, gpu_map (g, GPU_PLUS, number (type, 2), number (GPU_LOGICAL, 1), &C));
  OK (g, get (g, C, &Z));
  CHECK (C.type == type && C.m == 1 && C.n == 1 && C.pages == 1 && Z.x[0] == 3,
         "2 + true");
  OK (g, gpu_map (g, GPU_SQRT, number (type, -4), number (type, 0), &C));
  OK (g, get (g, C, &Z));
  CHECK (gpu_is_complex (C.type) && Z.x[0] == CMPLX (0, 2), "sqrt (-4)");
  OK (g, gpu_map (g, GPU_ASIN, number (type, 0.5), number (type, 0), &C));
  CHECK (C.type == type, "asin (0.5)");
  OK (g,
      gpu_map (g, GPU_POWER, number (type, -8), number (type, 1.0 / 3), &C));
  OK (g, get (g, C, &Z));
  CHECK (gpu_is_complex (C.type)
           && agrees (Z.x[0], 1 + sqrtl (3) * I, C.type, 8),
         "(-8) ^ (1/3)");
  OK (g, gpu_map (g, GPU_LT, number (type, 1), number (GPU_DOUBLE, 2), &C));
  OK (g, get (g, C, &Z));
  CHECK (C.type == GPU_LOGICAL && Z.x[0] == 1, "1 < 2");
}

/* The primitive in the storage of an operand, and in a part of an array.  */
static void
in_place (gpu_ctx *g, gpu_type type)
{
  static const gpu_operation ops[]
    = { GPU_PLUS, GPU_RDIVIDE, GPU_UMINUS, GPU_EXP, GPU_CONJ };
  static const ptrdiff_t sizes[][3]
    = { { 5, 3, 2 }, { 1, 6, 1 }, { 1000, 1, 1 }, { 67, 31, 3 } };
  for (int o = 0; o < 5; o++)
    for (int s = 0; s < 4; s++)
      for (int pad = 0; pad < 2; pad++)
        for (int second = 0; second < 2; second++)
          {
            gpu_operation op = ops[o];
            ref A = make (type, POSITIVE, sizes[s]);
            ref B = make (type, POSITIVE, sizes[s]), Z;
            dev X, Y;
            test_at ("%s, %tdx%tdx%td%s", op_names[op], A.m, A.n, A.pages,
                     pad ? " inside" : "");
            OK (g, dev_put (g, A, GPU_N, pad, &X));
            OK (g, dev_put (g, B, GPU_N, !pad, &Y));
            if (second && takes_two (op))
              {
                OK (g, g->be->map (g, op, operand (Y.view), operand (X.view),
                                   X.view));
                OK (g, dev_get (g, X, &Z));
                check_values (op, B, A, Z);
              }
            else
              {
                OK (g, g->be->map (g, op, operand (X.view), operand (Y.view),
                                   X.view));
                OK (g, dev_get (g, X, &Z));
                check_values (op, A, B, Z);
              }
            test_next (g);
          }
}

/* All pairs of types; of complex numbers the real part, or whether they are
   not 0.  */
static void
casts (gpu_ctx *g, gpu_type unused)
{
  static const gpu_type from[] = { GPU_SINGLE,  GPU_DOUBLE,  GPU_CSINGLE,
                                   GPU_CDOUBLE, GPU_LOGICAL, GPU_INT64 };
  static const ptrdiff_t size[3] = { 37, 5, 2 };
  (void) unused;
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++)
      for (int pad = 0; pad < 2; pad++)
        {
          ref A = make (from[a], from[a] == GPU_INT64 ? INTEGERS : ANY, size);
          ref Z;
          gpu_mat C;
          dev X;
          bool good = true;
          test_at ("%s to %s", type_name (from[a]), type_name (from[b]));
          A.x[3] = 0;
          if (gpu_is_complex (from[a]))
            A.x[4] = CMPLX (0, 1);
          OK (g, dev_put (g, A, pad ? GPU_C : GPU_N, pad, &X));
          OK (g, gpu_cast (g, X.view, from[b], &C));
          CHECK (C.type == from[b] && C.m == A.m && C.n == A.n
                   && C.pages == A.pages,
                 "the type or the size");
          OK (g, get (g, C, &Z));
          for (size_t i = 0; i < ref_count (A); i++)
            {
              cx want = A.x[i];
              if (from[b] == GPU_LOGICAL)
                want = want != 0;
              else if (from[b] == GPU_INT64)
                want = trunc (creal (want));
              else
                want = ref_rounded (from[b], want);
              good &= Z.x[i] == want;
            }
          CHECK (good, "values");
          test_next (g);
        }
}

static ref
without_rows (ref X, ptrdiff_t rows)
{
  ref Y = ref_new (X.type, X.m - rows, X.n, X.pages);
  for (ptrdiff_t k = 0; k < Y.pages; k++)
    for (ptrdiff_t j = 0; j < Y.n; j++)
      for (ptrdiff_t i = 0; i < Y.m; i++)
        AT (Y, i, j, k) = AT (X, i + rows, j, k);
  return Y;
}

/* Many blocks, places that are not aligned, and numbers of
   elements that no word divides.  */
static void
large (gpu_ctx *g, gpu_type type)
{
  static const ptrdiff_t shapes[][2][3] = {
    { { 30011, 1, 1 }, { 30011, 1, 1 } }, { { 30011, 1, 1 }, { 1, 1, 1 } },
    { { 321, 1, 1 }, { 1, 257, 1 } },     { { 1, 2, 7000 }, { 3, 1, 7000 } },
    { { 3, 1, 1 }, { 3, 11111, 1 } },     { { 160, 120, 2 }, { 160, 120, 2 } },
    { { 1, 40009, 1 }, { 1, 40009, 1 } },
  };
  static const gpu_operation ops[]
    = { GPU_PLUS, GPU_TIMES, GPU_LT, GPU_SQRT, GPU_ABS };
  for (int s = 0; s < (test_quick () ? 1 : 7); s++)
    for (int o = 0; o < 5; o++)
      for (int skip = 0; skip < 3; skip++)
        {
          /* Without the first SKIP rows or columns, so at an odd place.  */
          ref A = make (type, POSITIVE, shapes[s][0]), Z;
          ref B
            = make (skip == 2 ? GPU_LOGICAL : type, POSITIVE, shapes[s][1]);
          ptrdiff_t rows = A.m > 1000 ? skip : 0;
          gpu_mat C;
          dev X, Y;
          test_at ("%s, %tdx%tdx%td, %td", op_names[ops[o]], A.m, A.n, A.pages,
                   rows);
          OK (g, dev_put (g, A, GPU_N, false, &X));
          OK (g, dev_put (g, B, GPU_N, false, &Y));
          X.view = gpu_part (X.view, rows, 0, A.m - rows, A.n);
          if (B.m > 1)
            Y.view = gpu_part (Y.view, rows, 0, B.m - rows, B.n);
          OK (g, gpu_map (g, ops[o], operand (X.view), operand (Y.view), &C));
          OK (g, get (g, C, &Z));
          A = without_rows (A, rows);
          if (B.m > 1)
            B = without_rows (B, rows);
          check_values (ops[o], A, B, Z);
          test_next (g);
        }
}

/* More pieces than a grid has blocks.  */
static void
pieces (gpu_ctx *g, gpu_type unused)
{
  static const ptrdiff_t size[][3] = { { 1, 2, 1100000 }, { 3, 1, 1100000 } };
  ref A, B, Z;
  gpu_mat C;
  dev X, Y;
  (void) unused;
  if (test_quick ())
    return;
  A = make (GPU_SINGLE, ANY, size[0]);
  B = make (GPU_SINGLE, ANY, size[1]);
  OK (g, dev_put (g, A, GPU_N, false, &X));
  OK (g, dev_put (g, B, GPU_N, false, &Y));
  OK (g, gpu_map (g, GPU_MINUS, operand (X.view), operand (Y.view), &C));
  OK (g, get (g, C, &Z));
  check_values (GPU_MINUS, A, B, Z);
}

static void
errors (gpu_ctx *g, gpu_type unused)
{
  gpu_mat A, B, C;
  (void) unused;
  OK (g, gpu_new (g, GPU_DOUBLE, 2, 3, 1, &A));
  OK (g, gpu_new (g, GPU_DOUBLE, 4, 5, 1, &B));
  CHECK (gpu_map (g, GPU_PLUS, operand (A), operand (B), &C) == GPU_ESIZE
           && !strcmp (g->message,
                       "nonconformant arguments (op1 is 2x3, op2 is 4x5)"),
         "\"%s\"", g->message);
  OK (g, gpu_new (g, GPU_DOUBLE, 2, 1, 0, &B));
  OK (g, gpu_new (g, GPU_DOUBLE, 2, 3, 4, &A));
  CHECK (gpu_map (g, GPU_LT, operand (A), operand (B), &C) == GPU_ESIZE
           && !strcmp (g->message, "nonconformant arguments (op1 is 2x3x4, "
                                   "op2 is 2x1x0)"),
         "\"%s\"", g->message);
  OK (g, gpu_new (g, GPU_INT32, 2, 3, 4, &B));
  CHECK (gpu_map (g, GPU_PLUS, operand (A), operand (B), &C) == GPU_EARG,
         "integers");
  CHECK (gpu_cast (g, B, GPU_DOUBLE, &C) == GPU_EARG, "casts of integers");
  CHECK (gpu_map (g, GPU_CAST, operand (A), operand (A), &C) == GPU_EARG,
         "a cast without a type");
  CHECK (gpu_map (g, GPU_OPERATIONS, operand (A), operand (A), &C) == GPU_EARG,
         "no operation");
}

/* No memory at any place of the way.  */
static void
memory (gpu_ctx *g, gpu_type unused)
{
  static const ptrdiff_t size[3] = { 3, 4, 2 };
  bool done = false;
  int fails = 0;
  (void) unused;
  for (ptrdiff_t left = 0; !done; left++)
    {
      ref A = make (GPU_DOUBLE, ANY, size), B = make (GPU_DOUBLE, ANY, size);
      gpu_mat C;
      dev X, Y;
      OK (g, dev_put (g, A, GPU_T, true, &X));
      OK (g, dev_put (g, B, GPU_N, true, &Y));
      g->allocs_left = left;
      gpu_status status
        = gpu_map (g, GPU_POWER, operand (X.view), operand (Y.view), &C);
      done = status == GPU_OK;
      fails += status == GPU_ENOMEM;
      CHECK (done || status == GPU_ENOMEM, "status %d", (int) status);
      g->allocs_left = -1;
      test_next (g);
      CHECK (g->live == 0, "%td arrays are left", g->live);
    }
  CHECK (fails > 3, "only %d allocations", fails);
}

int
main (void)
{
  static const test_entry entries[] = {
    { "all", all, false },          { "special", special, true },
    { "powers", powers, true },     { "exact", exact, true },
    { "leaving", leaving, true },   { "numbers", numbers, true },
    { "in_place", in_place, true }, { "casts", casts, false },
    { "large", large, true },       { "pieces", pieces, false },
    { "errors", errors, false },    { "memory", memory, false },
  };
  return test_main ("test_map", entries, sizeof entries / sizeof *entries);
}
