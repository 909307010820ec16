/* gpu.h: the nouns of gpulinalg and every function that crosses a file.

   A gpu_mat is a view, a gpu_array owns storage, a gpu_backend is a table
   of primitives (host or cuda), and a gpu_status says whether a call ran.
   All state hangs on one gpu_ctx.  The info of a factorization (which pivot
   failed) is data, not a status: 1-based, sticky, one per page.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GPULINALG_GPU_H
#define GPULINALG_GPU_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum
{
  GPU_OK,      /* it ran */
  GPU_EARG,    /* an argument is not what was asked for */
  GPU_ENOMEM,  /* no memory on the backend */
  GPU_EDEVICE, /* the device or one of its libraries failed */
  GPU_ENOTSUP, /* the backend cannot do this */
  GPU_ESIZE,   /* the sizes of two operands do not fit */
  GPU_ESTOP    /* the user asked to stop */
} gpu_status;

/* Return a failing status to the caller.  The place that failed has already
   called gpu_fail; the sweep frees what was not handed over.  */
#define GPU_TRY(call)                                                         \
  do                                                                          \
    {                                                                         \
      gpu_status status_ = (call);                                            \
      if (status_ != GPU_OK)                                                  \
        return status_;                                                       \
    }                                                                         \
  while (0)

typedef enum
{
  GPU_SINGLE,
  GPU_DOUBLE,
  GPU_CSINGLE,
  GPU_CDOUBLE,
  GPU_INT64, /* info and pivots */
  GPU_INT8,  /* this and what follows is moved, never computed with */
  GPU_INT16,
  GPU_INT32,
  GPU_LOGICAL /* a byte, 0 or 1; only elementwise operations compute it */
} gpu_type;

/* A triangle: bit 0 for the lower one, bit 1 for a diagonal of ones that is
   not read.  */
typedef enum
{
  GPU_UPPER = 0,
  GPU_LOWER = 1,
  GPU_UNIT = 2
} gpu_uplo;

enum
{
  GPU_QUEUES = 4
};

/* What the structure of a matrix can be, as bits.  */
enum
{
  GPU_IS_UPPER = 1,
  GPU_IS_LOWER = 2,
  GPU_IS_HERMITIAN = 4 /* with a real, positive diagonal */
};

/* How a view reads its storage: bit 0 transposes, bit 1 conjugates (complex
   types only).  */
typedef enum
{
  GPU_N = 0,
  GPU_T = 1,
  GPU_C = 3
} gpu_op;

/* A view, passed by value: the m x n x pages matrix that is op (storage).
   Page k starts step elements behind page k - 1.  Owns nothing.  */
typedef struct
{
  void *p;
  ptrdiff_t m, n, ld, pages, step;
  gpu_type type;
  gpu_op op;
} gpu_mat;

static inline size_t
gpu_type_size (gpu_type type)
{
  static const size_t size[] = { 4, 8, 8, 16, 8, 1, 2, 4, 1 };
  return size[type];
}

static inline bool
gpu_is_complex (gpu_type type)
{
  return type == GPU_CSINGLE || type == GPU_CDOUBLE;
}

static inline gpu_type
gpu_real_type (gpu_type type)
{
  return type == GPU_CSINGLE   ? GPU_SINGLE
         : type == GPU_CDOUBLE ? GPU_DOUBLE
                               : type;
}

/* The type of a sum of both: single if one is, complex if one is.  */
static inline gpu_type
gpu_common_type (gpu_type a, gpu_type b)
{
  bool single
    = gpu_real_type (a) == GPU_SINGLE || gpu_real_type (b) == GPU_SINGLE;
  if (gpu_is_complex (a) || gpu_is_complex (b))
    return single ? GPU_CSINGLE : GPU_CDOUBLE;
  return single ? GPU_SINGLE : GPU_DOUBLE;
}

/* Whether the columns and pages of A's storage lie one behind the other
   without gaps.  */
static inline bool
gpu_is_dense (gpu_mat A)
{
  return (A.ld == A.m || A.n <= 1) && (A.step == A.m * A.n || A.pages <= 1);
}

/* The same of a square A, at a place that suits the widest loads.  */
static inline bool
gpu_is_packed (gpu_mat A)
{
  return A.m == A.n && gpu_is_dense (A) && (uintptr_t) A.p % 16 == 0;
}

/* A(i+1:i+m, j+1:j+n, :) as a view.  */
static inline gpu_mat
gpu_part (gpu_mat A, ptrdiff_t i, ptrdiff_t j, ptrdiff_t m, ptrdiff_t n)
{
  ptrdiff_t at = A.op & GPU_T ? j + i * A.ld : i + j * A.ld;
  A.p = (char *) A.p + at * (ptrdiff_t) gpu_type_size (A.type);
  A.m = m;
  A.n = n;
  return A;
}

/* One page of A as a view.  */
static inline gpu_mat
gpu_page (gpu_mat A, ptrdiff_t k)
{
  A.p = (char *) A.p + k * A.step * (ptrdiff_t) gpu_type_size (A.type);
  A.pages = 1;
  return A;
}

/* The diagonal of A, whose op is GPU_N, as a row.  */
static inline gpu_mat
gpu_diagonal (gpu_mat A)
{
  A.n = A.m < A.n ? A.m : A.n;
  A.m = 1;
  A.ld++;
  return A;
}

/* A' as a view: nothing moves.  */
static inline gpu_mat
gpu_adjoint (gpu_mat A)
{
  ptrdiff_t m = A.m;
  A.m = A.n;
  A.n = m;
  A.op = (gpu_op) (A.op ^ (gpu_is_complex (A.type) ? GPU_C : GPU_T));
  return A;
}

/* A.' as a view.  Complex data are transposed as a copy's source only.  */
static inline gpu_mat
gpu_transposed (gpu_mat A)
{
  ptrdiff_t m = A.m;
  A.m = A.n;
  A.n = m;
  A.op = (gpu_op) (A.op ^ GPU_T);
  return A;
}

/* What an elementwise operation takes: a view of any op, or the number re +
   im * i of type A.type if A.p is NULL.  */
typedef struct
{
  gpu_mat A;
  double re, im;
} gpu_operand;

static inline gpu_operand
gpu_number (gpu_type type, double re, double im)
{
  gpu_operand x = { { NULL, 1, 1, 1, 1, 1, type, GPU_N }, re, im };
  return x;
}

static inline gpu_operand
gpu_of (gpu_mat A)
{
  gpu_operand x = { A, 0, 0 };
  return x;
}

/* Elementwise operations, named as in Octave.  */
typedef enum
{
  /* of two operands */
  GPU_PLUS,
  GPU_MINUS,
  GPU_TIMES,
  GPU_RDIVIDE,
  GPU_POWER,
  GPU_ATAN2,
  GPU_MAX, /* NaN only where both are */
  GPU_MIN,
  GPU_COMPLEX,
  GPU_EQ, /* from here on to GPU_OR the result is logical */
  GPU_NE,
  GPU_LT,
  GPU_LE,
  GPU_GT,
  GPU_GE,
  GPU_AND,
  GPU_OR,
  /* of one operand */
  GPU_NOT, /* from here on to GPU_ISFINITE the result is logical */
  GPU_ISNAN,
  GPU_ISINF,
  GPU_ISFINITE,
  GPU_CAST, /* to the type of the result */
  GPU_UMINUS,
  GPU_ABS,
  GPU_ARG,
  GPU_REAL,
  GPU_IMAG,
  GPU_CONJ,
  GPU_SQRT,
  GPU_EXP,
  GPU_EXPM1,
  GPU_LOG,
  GPU_LOG1P,
  GPU_LOG2,
  GPU_LOG10,
  GPU_SIN,
  GPU_COS,
  GPU_TAN,
  GPU_ASIN,
  GPU_ACOS,
  GPU_ATAN,
  GPU_SINH,
  GPU_COSH,
  GPU_TANH,
  GPU_FLOOR,
  GPU_CEIL,
  GPU_ROUND, /* halves away from zero */
  GPU_FIX,
  GPU_SIGN,
  GPU_OPERATIONS /* their number */
} gpu_operation;

typedef enum
{
  GPU_SUM,
  GPU_PROD,
  GPU_SUMSQ, /* of a complex number abs (x)^2; the result is real */
  GPU_MOST,  /* max; NaN counts only where there is nothing else */
  GPU_LEAST, /* min */
  GPU_ANY,
  GPU_ALL
} gpu_reduction;

/* The places first, first + step, ... (0-based) along a dimension, or those
   in LIST, a dense array of count numbers GPU_INT64.  */
typedef struct
{
  ptrdiff_t count, first, step;
  gpu_mat list; /* list.p is NULL if there is none */
} gpu_index;

/* How exactly a product of single arrays is computed; sums are single.  */
typedef enum
{
  GPU_IEEE,
  GPU_TF32,   /* 11 bits of each element */
  GPU_FP16,   /* 11 bits, from 6e-8 to 65504 */
  GPU_BF16,   /* 8 bits */
  GPU_FP32X3, /* 22 bits, by three products of 11 */
  GPU_MIXED   /* of a factorization: FP16, and more where that fails */
} gpu_precision;

/* The ways of a quaternion product: the fast one where that is faster and
   accurate, 8 real products, 16.  */
typedef enum
{
  GPU_QAUTO,
  GPU_QFAST,
  GPU_QDIRECT
} gpu_qmethod;

/* What was done; how many times as large as that of GPU_QDIRECT the error of
   GPU_QFAST may be, 0 if nobody looked.  */
typedef struct
{
  gpu_qmethod method;
  double growth;
} gpu_qinfo;

/* A size in words.  */
typedef struct
{
  char text[64];
} gpu_text;

/* What gpuDevice shows.  */
typedef struct
{
  char name[256];
  int index; /* 1-based; 0 on the host */
  int count; /* GPUs in the machine */
  int cc_major, cc_minor, multiprocessors, driver, toolkit;
  double total_memory, free_memory; /* bytes */
  double up, down;                  /* bytes moved since it was opened */
  double queued;                    /* primitives, likewise */
} gpu_device;

/* The block sizes of the recursions.  */
typedef struct
{
  ptrdiff_t leaf;        /* chol_leaf and trsm_leaf take at most this size */
  ptrdiff_t syrk;        /* syrk_leaf likewise; a multiple of leaf */
  ptrdiff_t panel;       /* lu_panel takes at most that many columns */
  ptrdiff_t pages;       /* the primitives of whole pages take this size, */
  ptrdiff_t few;         /* inv_pages and det_pages this one, */
  ptrdiff_t many;        /* and this one if there are many pages */
  ptrdiff_t tiles;       /* of products, 128 x 128, that fill the device */
  ptrdiff_t ahead;       /* gpu_chol_ahead takes matrices from here on */
  ptrdiff_t chol_work;   /* numbers */
  ptrdiff_t few_columns; /* that trsm_few takes, */
  ptrdiff_t few_most;    /* and numbers of all pages */
  ptrdiff_t lu_ahead;    /* gpu_lu_ahead takes single pages from here on, */
  ptrdiff_t lu_unit;     /* lu_unit so many columns */
  ptrdiff_t lu_rows;     /* of so many rows */
  ptrdiff_t lu_column;   /* the longest that lu_reorder holds by itself */
  ptrdiff_t quaternion;  /* from this size on the fast product is faster */
  ptrdiff_t in_place;    /* from this size on its products take planes as they
                            are, rather than all in one batch of copies */
  ptrdiff_t thin;        /* quat_thin takes so many rows and columns */
} gpu_tuning;

/* How far a long call is, and who wants to know; all zero if nobody does.  A
   call that takes no time worth a look has no work.  */
typedef struct
{
  bool (*stop) (void); /* has the user asked to stop? */
  void (*show) (double part, double seconds, double rate); /* per second */
  double work, done; /* operations of the call, and so far */
  double queued;     /* since the device was last waited for, */
  double unseen;     /* and since it was last looked whether to stop */
  double piece;      /* the device is waited for behind so many */
  int pieces;        /* how often it was */
  double from;       /* when the call began, in seconds */
  double shown;      /* and the last show, since then; 0: none */
  double patience;   /* seconds before the first one */
} gpu_watch;

typedef struct gpu_ctx gpu_ctx;
typedef struct gpu_array gpu_array;

/* The primitives.  They are asynchronous where the device is; only get and
   seconds wait.  Every one works on all pages of its views.  */
typedef struct
{
  const char *name;
  bool host_memory; /* the storage can be read and written by the host */

  gpu_status (*open) (gpu_ctx *g);
  void (*close) (gpu_ctx *g);
  void (*device) (gpu_ctx *g, gpu_device *d);
  gpu_tuning (*tuning) (gpu_ctx *g, gpu_type type);

  gpu_status (*alloc) (gpu_ctx *g, size_t bytes, void **p);
  void (*free) (gpu_ctx *g, void *p);
  /* A(:) = x(:) and x(:) = A(:), x a dense array in host memory and A.op
     GPU_N.  */
  gpu_status (*put) (gpu_ctx *g, const void *x, gpu_mat A);
  gpu_status (*get) (gpu_ctx *g, gpu_mat A, void *x);
  /* As get, for a few numbers that tell how to go on: not counted.  */
  gpu_status (*peek) (gpu_ctx *g, gpu_mat A, void *x);
  /* The same for a triangle.  put_triangle may leave the rest of A undefined;
     for get_triangle the rest of A and of x is zero.  */
  gpu_status (*put_triangle) (gpu_ctx *g, gpu_uplo uplo, const void *x,
                              gpu_mat A);
  gpu_status (*get_triangle) (gpu_ctx *g, gpu_uplo uplo, gpu_mat A, void *x);
  /* Begin to move A to or from X, a view of host memory of A's size and type
     (both GPU_N), behind the work that is queued now; moves begin in their
     order.  end_move waits: then X has been read or is written, and later work
     finds A there.  Every move that began has to be ended.  */
  gpu_status (*start_move) (gpu_ctx *g, bool up, gpu_mat A, gpu_mat X,
                            void **move);
  gpu_status (*end_move) (gpu_ctx *g, void *move);
  /* B = A, both views of any op and type: a transposition if they differ.  The
     two may be the same storage if it is square and packed.  */
  gpu_status (*copy) (gpu_ctx *g, gpu_mat A, gpu_mat B);
  /* A(:) = 0.  */
  gpu_status (*zero) (gpu_ctx *g, gpu_mat A);
  /* A = eye (size (A)).  */
  gpu_status (*eye) (gpu_ctx *g, gpu_mat A);
  /* A = triu (A).  */
  gpu_status (*triu) (gpu_ctx *g, gpu_mat A);
  /* C = alpha * A * B + beta * C, C.op = GPU_N.  */
  gpu_status (*gemm) (gpu_ctx *g, double alpha, gpu_mat A, gpu_mat B,
                      double beta, gpu_mat C);
  /* C = alpha * A * B + beta * C of single arrays in a precision other than
     IEEE and FP32X3; C as in gemm.  W = what of A the tensor cores take or,
     with LOW, what they leave.  NULL where there are no tensor cores.  */
  gpu_status (*gemm_fast) (gpu_ctx *g, gpu_precision precision, double alpha,
                           gpu_mat A, gpu_mat B, double beta, gpu_mat C);
  gpu_status (*split) (gpu_ctx *g, bool low, gpu_mat A, gpu_mat W);
  /* Quaternion matrices have the planes w, x, y and z as pages 4 * k + 1, ..
     of page k.  SA, SB = what the fast product multiplies, of the left operand
     A and of B (GPU_N; real), x, y and z times the sign: for each k and each
     of PIECES, cut from the columns of A and the rows of B with zeros at the
     end, 8 pages, or the 4 sums alone.  most (as in quaternion.c; zero before,
     without storage if nobody asks) = the largest modulus of each plane of A,
     then of B, for each k; NaN is the largest.  */
  gpu_status (*quat_sums) (gpu_ctx *g, ptrdiff_t pieces, gpu_mat A, int sign_a,
                           gpu_mat SA, gpu_mat B, int sign_b, gpu_mat SB,
                           gpu_mat most);
  /* C = what the products W make together, 8 or, without the first, 7 for each
     k, in PIECES to be summed; L2, L3 and L4 times SIGN.  */
  gpu_status (*quat_combine) (gpu_ctx *g, gpu_mat W, ptrdiff_t pieces,
                              int sign, gpu_mat C);
  /* C = A * B of few rows and columns, k = 1, with W, double and 4 pages for
     each part that is summed alone, for its own use.  NULL if thin is 0.  */
  gpu_status (*quat_thin) (gpu_ctx *g, gpu_mat A, int sign_a, gpu_mat B,
                           int sign_b, gpu_mat W, gpu_mat most, gpu_mat C);
  /* W = the 4 * m x 4 * n matrix of the direct product for each k, x, y and z
     of B times SIGN_B, and W such that those of A would be times SIGN_A.  */
  gpu_status (*quat_matrix) (gpu_ctx *g, gpu_mat B, int sign_a, int sign_b,
                             gpu_mat W);
  /* triu (C) = triu (C + alpha * A' * A); the rest of C is undefined.  */
  gpu_status (*syrk_leaf) (gpu_ctx *g, double alpha, gpu_mat A, gpu_mat C);
  /* triu (A) = R with R' * R = A.  At the first pivot j that is not positive,
     info = at + j, unless info is nonzero already.  */
  gpu_status (*chol_leaf) (gpu_ctx *g, gpu_mat A, gpu_mat info, ptrdiff_t at);
  /* What chol_ahead.c needs; NULL where tuning.ahead is PTRDIFF_MAX.  W = D *
     A' * D, lower, and D a diagonal of powers of two
     such that diag (W) is about 1; W is bordered by an identity.  What is
     above the diagonal is zero up to BAND columns from it, else undefined.
     scale, a column, is kept for chol_store: R = L' / D, L on and
     below the diagonal of W but for the blocks on it, which are side by side
     in L.  Both for columns FIRST + 1 to LAST of W, rows of R.  If W is
     complex, there is room for a column i * W behind each column of W, so that
     both are a real matrix of PAIRS: [re; im] beside [-im; re].  */
  gpu_status (*chol_load) (gpu_ctx *g, gpu_mat A, gpu_mat scale,
                           ptrdiff_t band, ptrdiff_t first, ptrdiff_t last,
                           gpu_mat W);
  gpu_status (*chol_store) (gpu_ctx *g, gpu_mat W, gpu_mat L, gpu_mat scale,
                            ptrdiff_t first, ptrdiff_t last, gpu_mat R);
  /* [A11; A21] of as many columns as L11: L11 * L11' = A11, and A21 = A21 /
     L11'.  info as in chol_leaf.  work has tuning.chol_work numbers.  CARRY is
     worth it for few rows (chol_step.cu).  If there is no A21, A may have
     fewer columns: the others are those of an identity, and stay out of
     L11.  Of PAIRS the first columns are read and both are written; info
     counts the complex ones.  */
  gpu_status (*chol_step) (gpu_ctx *g, bool pairs, bool carry, gpu_mat A,
                           gpu_mat L11, gpu_mat work, gpu_mat info,
                           ptrdiff_t at);
  /* C = C - P * P(1:n,:)' on and below the diagonal of C, m x n.  */
  gpu_status (*chol_strip) (gpu_ctx *g, gpu_mat P, gpu_mat C);
  /* S = SCALE * P in half precision (GPU_INT16): rounded, or with 4 times as
     many columns [high, low, high, high].  gemm multiplies such matrices into
     a single one.  P is columns of W.  */
  gpu_status (*split16) (gpu_ctx *g, double scale, gpu_mat P, gpu_mat S);
  /* What comes next goes into queue Q; begins when queue Q has done what it
     has now.  At rest the queue is 0.  Work in queue 1 goes before that of the
     others; queue 2 leaves a part of the device to it; queue 3 is one more. */
  gpu_status (*queue) (gpu_ctx *g, int q); /* below GPU_QUEUES */
  gpu_status (*after) (gpu_ctx *g, int q);
  /* B = T \ B, T triangular; the second of any size, for few columns, and NULL
     if tuning.few_columns is 0.  */
  gpu_status (*trsm_leaf) (gpu_ctx *g, gpu_uplo uplo, gpu_mat T, gpu_mat B);
  gpu_status (*trsm_few) (gpu_ctx *g, gpu_uplo uplo, gpu_mat T, gpu_mat B);

  /* P * A = L * U of an m x n panel with n <= m: L below the diagonal, U on
     and above it.  Row j was swapped with row piv(j) - at, the first of the
     largest in its column (of a complex number abs (re) + abs (im) counts).
     At the first pivot j that is zero, info = at + j, unless info is nonzero
     already; that column is not eliminated.  */
  gpu_status (*lu_panel) (gpu_ctx *g, gpu_mat A, gpu_mat piv, gpu_mat info,
                          ptrdiff_t at);
  /* What lu_ahead.c needs, of single pages; NULL where tuning.lu_ahead is
     PTRDIFF_MAX.  lu_unit does as lu_panel, for more columns, those of A from
     J on; their exchanges are done to all others of A, too.  It uses list, 4
     numbers for each column, GPU_INT32, and side, 32 rows of them.  */
  gpu_status (*lu_unit) (gpu_ctx *g, gpu_mat A, ptrdiff_t j, gpu_mat piv,
                         gpu_mat info, gpu_mat list, gpu_mat side,
                         ptrdiff_t at);
  /* X = inv (L), L unit lower triangular, as many columns as lu_unit has.  */
  gpu_status (*lu_inverse) (gpu_ctx *g, gpu_mat L, gpu_mat X);
  /* list, 4 numbers for each, = what the exchanges piv come to, 512 at most,
     and whether X = inv (L) is too large to multiply by.  The exchanges done
     to A: B = the rows that come to its top.  The top of A is undefined then,
     unless B is that.  U = L \ B if X is too large.  */
  gpu_status (*lu_moves) (gpu_ctx *g, gpu_mat piv, ptrdiff_t at, gpu_mat X,
                          gpu_mat list);
  gpu_status (*lu_move) (gpu_ctx *g, gpu_mat list, gpu_mat A, gpu_mat B);
  gpu_status (*lu_solve) (gpu_ctx *g, gpu_mat list, gpu_mat L, gpu_mat B,
                          gpu_mat U);
  /* The exchanges piv done to A, 512 at most.  lu_divide does as many as L has
     columns or none, and divides the top of A by L, which has no more columns
     than lu_unit.  */
  gpu_status (*lu_exchange) (gpu_ctx *g, gpu_mat piv, ptrdiff_t at, gpu_mat A);
  gpu_status (*lu_divide) (gpu_ctx *g, gpu_mat piv, ptrdiff_t at, gpu_mat L,
                           gpu_mat A);
  /* rows(i) = the row that exchanges of one block bring to row i, for all rows
     from AT on.  The exchanges of block K, of W columns, that is column K of
     ROWS, to all columns of A left of it, for all K; ALL is as ROWS, and
     BUFFER has some columns if those of A are longer than tuning.lu_column. */
  gpu_status (*lu_trace) (gpu_ctx *g, gpu_mat piv, ptrdiff_t at, gpu_mat rows);
  gpu_status (*lu_reorder) (gpu_ctx *g, gpu_mat A, ptrdiff_t w, gpu_mat rows,
                            gpu_mat all, gpu_mat buffer);
  /* For gpu_lu_order; ROWS has a column, GPU_INT32, for each 512 exchanges. */
  gpu_status (*lu_order) (gpu_ctx *g, gpu_mat piv, gpu_mat rows, gpu_mat to,
                          gpu_mat from);
  /* Swap rows j and piv(j) - at of A, for j = 1, 2, ..., piv.m, or backwards
     from piv.m to 1.  */
  gpu_status (*swap_rows) (gpu_ctx *g, gpu_mat piv, ptrdiff_t at,
                           bool backward, gpu_mat A);
  /* d and sign as in gpu_det, from what lu_panel leaves.  */
  gpu_status (*det_lu) (gpu_ctx *g, gpu_mat LU, gpu_mat piv, gpu_mat d,
                        gpu_mat sign);
  /* r = norm (A, 1), NaN if A has one; r is 1 x 1 x pages and real.  */
  gpu_status (*norm1) (gpu_ctx *g, gpu_mat A, gpu_mat r);
  /* flags = the GPU_IS_... that hold for each page; 1 x 1 x pages,
     GPU_INT64.  */
  gpu_status (*structure) (gpu_ctx *g, gpu_mat A, gpu_mat flags);
  /* A = triu (A) + triu (A, 1)'; the diagonal becomes real.  */
  gpu_status (*mirror) (gpu_ctx *g, gpu_mat A);
  /* rcond = (1 / rcond) / anorm, where rcond comes in as norm (X, 1); 0 where
     info is not, and where anorm is finite and the norm of X is not.  Where
     rcond is then 0, X = Inf.  */
  gpu_status (*finish_inv) (gpu_ctx *g, gpu_mat anorm, gpu_mat info, gpu_mat X,
                            gpu_mat rcond);

  /* Whole small problems, of packed pages (gpu_is_packed), as the functions
     without _pages do them: chol_pages up to tuning.pages, the others where
     gpu_is_small.  The result may be the argument's storage.  chol_pages
     takes any op.  Above tuning.pages det_pages needs W, some packed pages
     of A's size.  */
  gpu_status (*chol_pages) (gpu_ctx *g, gpu_mat A, gpu_mat R, gpu_mat info);
  gpu_status (*inv_pages) (gpu_ctx *g, gpu_mat A, gpu_mat X, gpu_mat rcond);
  gpu_status (*det_pages) (gpu_ctx *g, gpu_mat A, gpu_mat W, gpu_mat d,
                           gpu_mat sign);

  /* C = op (A) or op (A, B), element by element.  A dimension of A or B that
     is 1 is repeated.  C.op is GPU_N; C.type is what map.c says.  C may be the
     storage of an operand of the same size and type.  */
  gpu_status (*map) (gpu_ctx *g, gpu_operation op, gpu_operand A,
                     gpu_operand B, gpu_mat C);
  /* C = op (A) along dimension 1, 2 or 3, which is 1 in C; AT (GPU_INT64, as
     C) is the 1-based place of the extreme, unless at.p is NULL.  */
  gpu_status (*reduce) (gpu_ctx *g, gpu_reduction op, gpu_mat A, int dim,
                        gpu_mat C, gpu_mat at);
  /* C = A(at{1}, at{2}, at{3}); here and in the next two all op is GPU_N.  */
  gpu_status (*gather) (gpu_ctx *g, gpu_mat A, const gpu_index at[3],
                        gpu_mat C);
  /* A(at{1}, at{2}, at{3}) = B, a number or a view of that size, repeated
     where it is 1; no place comes twice, and a negative one of a list is
     none.  */
  gpu_status (*scatter) (gpu_ctx *g, gpu_operand B, gpu_mat A,
                         const gpu_index at[3]);
  /* C(i,j) = A(i,j) where lo <= j - i <= hi, else 0; C may be A.  */
  gpu_status (*band) (gpu_ctx *g, gpu_mat A, ptrdiff_t lo, ptrdiff_t hi,
                      gpu_mat C);
  /* A = rand (size (A)), in (0, 1), or randn; the numbers from position AT on
     of the sequence of SEED.  A is dense and real.  */
  gpu_status (*random) (gpu_ctx *g, bool normal, uint64_t seed, uint64_t at,
                        gpu_mat A);
  /* Of geometry.c, whose arrays are real and dense.  Q(:,i) = [u; v] / w with
     [u; v; w] = H * [P(:,i); 1], or Inf where w is zero within its rounding
     error; one page of H or P serves for all of the other.  */
  gpu_status (*project) (gpu_ctx *g, gpu_mat H, gpu_mat P, gpu_mat Q);
  /* X = inv (T), page by page, T = [R, t], 3 x 4, or [R, t; 0 0 0 1].  One
     step of Newton's method from R' gives V = R' - R' * E, E = R * R' - I, and
     X = [V, -V * t]: the error is some E^2.  deviation = the largest modulus
     in E and in what the last row is off.  X may be T.  */
  gpu_status (*rigid_inverse) (gpu_ctx *g, gpu_mat T, gpu_mat X,
                               gpu_mat deviation);
  /* All queued work is done; or what was queued before the last pace.  NULL
     where nothing is queued.  */
  gpu_status (*wait) (gpu_ctx *g);
  gpu_status (*pace) (gpu_ctx *g);
  /* Give memory that is held in reserve back to the system.  */
  gpu_status (*trim) (gpu_ctx *g);
  /* Seconds of device time from tic until all queued work is done.  */
  gpu_status (*tic) (gpu_ctx *g);
  gpu_status (*seconds) (gpu_ctx *g, double *s);
} gpu_backend;

extern const gpu_backend gpu_host_backend;
extern const gpu_backend gpu_cuda_backend; /* only if built with CUDA */

struct gpu_ctx
{
  const gpu_backend *be;
  int device;        /* which GPU, from 0 */
  void *dev;         /* the backend's own state */
  gpu_array *arrays; /* the registry: those of the running call, */
  gpu_array **chain; /* and the user's, in chains by id */
  ptrdiff_t chains, kept;
  ptrdiff_t live;      /* arrays of both kinds */
  double bytes;        /* held by them */
  int64_t next_id;     /* ids are never reused */
  ptrdiff_t leaf;      /* 0: as the backend says; else for all recursions */
  ptrdiff_t enlarged;  /* lu_ahead.c chooses its blocks as for a matrix so
                          many times larger, for tests; 0: once */
  double memory_limit; /* bytes; 0: none */
  gpu_watch watch;
  uint64_t seed, drawn;  /* of random numbers, and how many were drawn */
  ptrdiff_t allocs_left; /* allocation fails at 0, for tests; < 0: never */
  bool lost;             /* a device error that only a reset can clear */
  bool degraded;         /* a GPU is there, but the host has to compute */
  char note[512];        /* why the host computes */
  char message[512];     /* of the last failure */
};

/* ctx.c.  gpu_all_failed tells, where that costs nothing, whether no page is
   left to work on; it may say no.  NAME is "host", "cuda", "cuda:K" for
   the Kth GPU, or NULL (the GPU if one is usable, else the host, with the
   reason in note).  gpu_open leaves g
   zeroed on failure, but for the message.  */
gpu_status gpu_open (gpu_ctx *g, const char *name);
void gpu_close (gpu_ctx *g);
gpu_status gpu_fail (gpu_ctx *g, gpu_status status, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));
/* A call of so many operations begins; so many more are about to be queued:
   the backends say it.  gpu_halt brings the context to rest behind GPU_ESTOP,
   or an exception.  */
void gpu_begin (gpu_ctx *g, double operations);
gpu_status gpu_advance (gpu_ctx *g, double operations);
gpu_status gpu_halt (gpu_ctx *g);
/* The call ends; was anything shown?  */
bool gpu_end (gpu_ctx *g, gpu_status status);
/* Those of C = A * B of some pages, with K columns in A.  */
double gpu_product_work (gpu_mat C, ptrdiff_t k);
gpu_tuning gpu_tune (gpu_ctx *g, gpu_type type);
gpu_text gpu_size_text (gpu_mat A); /* "2x3" */
bool gpu_is_small (gpu_ctx *g, gpu_mat A);
bool gpu_all_failed (gpu_ctx *g, gpu_mat info);
/* What all pages of x (1 x 1 x pages, GPU_INT64) have in common, and what any
   has, as bits.  Waits for the device.  */
gpu_status gpu_bits (gpu_ctx *g, gpu_mat x, int64_t *all, int64_t *any);
ptrdiff_t gpu_split (ptrdiff_t n, ptrdiff_t leaf);

/* array.c.  A new array belongs to the call that made it until gpu_keep
   hands it to the user; gpu_sweep frees those never handed over.  */
gpu_status gpu_new (gpu_ctx *g, gpu_type type, ptrdiff_t m, ptrdiff_t n,
                    ptrdiff_t pages, gpu_mat *A);
/* A dense array, or a view of one that is the user's, as m x n x pages.  */
void gpu_reshape (gpu_ctx *g, gpu_mat *A, ptrdiff_t m, ptrdiff_t n,
                  ptrdiff_t pages);
void gpu_free (gpu_ctx *g, gpu_mat A);
int64_t gpu_keep (gpu_ctx *g, gpu_mat A);
gpu_status gpu_find (gpu_ctx *g, int64_t id, gpu_mat *A);
void gpu_free_id (gpu_ctx *g, int64_t id);
void gpu_sweep (gpu_ctx *g);
void gpu_free_all (gpu_ctx *g);

/* chol_ahead.c: the same for real matrices of at least tuning.ahead.  */
gpu_status gpu_chol_ahead (gpu_ctx *g, gpu_precision precision, gpu_mat A,
                           gpu_mat R, gpu_mat info);

/* chol.c: R = chol (A) from the upper triangle of A; R may be A.  The lower
   factor of a matrix is what the views gpu_adjoint (A) and gpu_adjoint (R)
   hold.  info is 1 x 1 x pages, GPU_INT64.  Behind a failed pivot p,
   R(1:p-1,1:p-1) is right and the rest undefined.  */
gpu_status gpu_chol (gpu_ctx *g, gpu_precision precision, gpu_mat A, gpu_mat R,
                     gpu_mat info);
/* The same for one matrix A in the host's memory, of which only the upper
   triangle needs to be finite, and a result R there that is zero.  Both are
   what their owner has, or both adjoints of it.  */
gpu_status gpu_chol_host (gpu_ctx *g, gpu_precision precision, gpu_mat A,
                          gpu_mat R, gpu_mat info);

/* lu.c: P * A = L * U of an m x n matrix, in place: L is unit lower
   triangular, U upper triangular.  Row j was swapped with row piv(j); piv is
   min (m, n) x 1 x pages, GPU_INT64.  info as in gpu_chol: the first pivot
   that is exactly zero.  A.op is GPU_N.  */
gpu_status gpu_lu (gpu_ctx *g, gpu_mat A, gpu_mat piv, gpu_mat info);
/* The same of a single array with products in another PRECISION, IEEE or
   FP32X3.  */
gpu_status gpu_lu_fast (gpu_ctx *g, gpu_precision precision, gpu_mat A,
                        gpu_mat piv, gpu_mat info);
/* Its two ways, of columns whose place in the whole matrix is AT, and of a
   large matrix where tuning.lu_ahead says so (lu_ahead.c); info was zero or
   stays.  */
gpu_status gpu_lu_halves (gpu_ctx *g, gpu_mat A, gpu_mat piv, gpu_mat info,
                          ptrdiff_t at);
gpu_status gpu_lu_ahead (gpu_ctx *g, gpu_precision precision, gpu_mat A,
                         gpu_mat piv, gpu_mat info);
/* L and U of what gpu_lu left, arrays of their own: m x k and k x n with k =
   min (m, n).  PERMUTED: L is P' * L, so that A = L * U.  */
gpu_status gpu_lu_factors (gpu_ctx *g, gpu_mat LU, gpu_mat piv, bool permuted,
                           gpu_mat L, gpu_mat U);
/* What the exchanges of one large square matrix come to, as lists of places,
   GPU_INT64: from(i) = the row that comes to row i, to(from(i)) = i.  NULL
   where swap_rows is as good.  */
gpu_status gpu_lu_order (gpu_ctx *g, gpu_mat LU, gpu_mat piv, gpu_mat *to,
                         gpu_mat *from);

/* det.c: d = det (A) of each page or, with a view SIGN, d = log (abs (det
   (A))) and sign = det (A) / abs (det (A)).  All are 1 x 1 x pages, sign and a
   determinant of A's type, a logarithm real; sign.p is NULL if there is
   none.  */
gpu_status gpu_det (gpu_ctx *g, gpu_mat A, gpu_mat d, gpu_mat sign);

/* inverse.c: X = inv (A) of each page; X may be A.  rcond is the reciprocal
   of norm (A, 1) * norm (X, 1), or on the host LAPACK's estimate of it, as in
   Octave; 1 x 1 x pages and real.  Where it is 0, A is singular and X is Inf.
   rcond.p is NULL if nobody asks.  */
gpu_status gpu_inv (gpu_ctx *g, gpu_mat A, gpu_mat X, gpu_mat rcond);

/* X = inv (R' * R) from the upper triangle of R, and X = inv (A) from that of
   A, positive definite; X may be the argument.  info as in gpu_chol: where a
   pivot fails, X is of no use.  */
gpu_status gpu_chol2inv (gpu_ctx *g, gpu_mat R, gpu_mat X);
gpu_status gpu_cholinv (gpu_ctx *g, gpu_mat A, gpu_mat X, gpu_mat info);

/* gmres.c: X = X + D, where D has a small R - A * D for each column, by so
   many STEPS.  SOLVE is an approximation: X = nearly A \ V.  */
typedef gpu_status (*gpu_approximation) (gpu_ctx *g, const void *data,
                                         gpu_mat V, gpu_mat X);
gpu_status gpu_gmres (gpu_ctx *g, gpu_mat A, gpu_mat R, ptrdiff_t steps,
                      gpu_approximation solve, const void *data, gpu_mat X);

/* How a system was solved: by factors in single precision, with so many
   corrections and then steps of GMRES, or by those of A's type; with the
   square of the error norm (B(:,j) - A * X(:,j)) / (norm (A, "fro") * norm
   (X(:,j))) of the worst column.  */
typedef struct
{
  bool mixed;
  int corrections, steps;
  double error2;
} gpu_solution;

/* solve.c: X = A \ X of square pages.  rcond[k] is an estimate of 1 / (norm
   (A, 1) * norm (inv (A), 1)) of page k, hardly ever below it; 0 where a
   pivot is 0, and X is of no use there.  WORK has as many numbers.  Waits for
   the device.  With HOW, A and X are single pages of one type, and factors in
   single precision are tried first.  */
gpu_status gpu_solve (gpu_ctx *g, gpu_mat A, gpu_mat X, double *rcond,
                      double *work, gpu_solution *how);

/* geometry.c, of dense arrays: Q = the points P, 2 x n, through the matrix H,
   3 x 3, or BACK through it, as project.  rcond is that of H for the way back,
   as in gpu_inv.  H and Q have P's type.  */
gpu_status gpu_homography (gpu_ctx *g, gpu_mat H, gpu_mat P, bool back,
                           gpu_mat Q, gpu_mat rcond);
/* X = inv (T) of rigid transforms, as rigid_inverse; deviation is 1 x 1 x
   pages.  */
gpu_status gpu_rigidinv (gpu_ctx *g, gpu_mat T, gpu_mat X, gpu_mat deviation);

/* transpose.c: B = A for views of any op and type.  Both may be the same
   storage if it is square.  */
gpu_status gpu_transpose (gpu_ctx *g, gpu_mat A, gpu_mat B);

/* map.c: C = op (A) or op (A, B) as Octave does it elementwise, a new array:
   sizes broadcast (else GPU_ESIZE), single if an operand is, complex where the
   values ask for it (sqrt of a negative number).  B is ignored by operations
   of one operand.  GPU_CAST is gpu_cast.  */
gpu_status gpu_map (gpu_ctx *g, gpu_operation op, gpu_operand A, gpu_operand B,
                    gpu_mat *C);
gpu_status gpu_cast (gpu_ctx *g, gpu_mat A, gpu_type type, gpu_mat *C);
/* C = A in C's type, one of gpu_cast's but logical.  */
gpu_status gpu_convert (gpu_ctx *g, gpu_mat A, gpu_mat C);

/* reduce.c: C = op (A, dim), a new array, and AT, unless it is NULL.  An empty
   dimension has no extreme: it stays empty.  */
gpu_status gpu_reduce (gpu_ctx *g, gpu_reduction op, gpu_mat A, int dim,
                       gpu_mat *C, gpu_mat *at);

/* index.c: C = A(at{:}), and C = A with C(at{:}) = B, of the type that Octave
   gives it: gpu_assigned_type.  A progression out of range is GPU_EARG, and
   the caller has Octave's words for it; a list, which may be on the device, is
   the caller's to check.  A B of other sizes is GPU_ESIZE, in Octave's words.

   No place may come twice in what is assigned to: gpu_last_wins makes all but
   the last of each in LIST, in host memory, -1, which an assignment skips;
   done in each dimension, that is what the order of assignments in Octave
   leaves.  SEEN has a zero bit for every place there can be.  */
void gpu_last_wins (int64_t *list, ptrdiff_t count, unsigned char *seen);
gpu_type gpu_assigned_type (gpu_type a, gpu_type b);
gpu_status gpu_index_get (gpu_ctx *g, gpu_mat A, const gpu_index at[3],
                          gpu_mat *C);
gpu_status gpu_index_set (gpu_ctx *g, gpu_mat A, const gpu_index at[3],
                          gpu_operand B, gpu_mat *C);

/* arrange.c: D = A as a dense view of op GPU_N: A itself, or a new array.

   C = permute (A, perm) with perm 1-based, cat (dim, A{:}) of operands cast to
   one type, repmat (A, count), tril and triu by bands, and diag in both
   directions.  All are new arrays.  */
gpu_status gpu_dense (gpu_ctx *g, gpu_mat A, gpu_mat *D);
gpu_status gpu_permute (gpu_ctx *g, gpu_mat A, const int perm[3], gpu_mat *C);
gpu_status gpu_cat (gpu_ctx *g, int dim, int count, const gpu_mat *A,
                    gpu_mat *C);
gpu_status gpu_repmat (gpu_ctx *g, gpu_mat A, const ptrdiff_t count[3],
                       gpu_mat *C);
gpu_status gpu_band (gpu_ctx *g, gpu_mat A, ptrdiff_t lo, ptrdiff_t hi,
                     gpu_mat *C);
gpu_status gpu_diag (gpu_ctx *g, gpu_mat A, ptrdiff_t k, gpu_mat *C);

/* quaternion.c: C = A * B of quaternion matrices, real pages in planes (see
   gpu_backend), C dense and GPU_N.  op GPU_C is the conjugate transpose of
   quaternions, and so on.  Pages go with pages or with one.  Without INFO,
   GPU_QFAST waits for nothing.  GPU_ESIZE if the sizes do not fit.  */
gpu_status gpu_qmtimes (gpu_ctx *g, gpu_qmethod method, gpu_mat A, gpu_mat B,
                        gpu_mat C, gpu_qinfo *info);

/* random.c: a new array of random numbers, real.  */
gpu_status gpu_random (gpu_ctx *g, bool normal, gpu_type type, ptrdiff_t m,
                       ptrdiff_t n, ptrdiff_t pages, gpu_mat *A);

/* trsm.c: B = T \ B, T triangular.  B / T is the adjoint's T' \ B'.  */
gpu_status gpu_trsm (gpu_ctx *g, gpu_uplo uplo, gpu_mat T, gpu_mat B);

/* syrk.c: triu (C) = triu (C + alpha * A' * A).  */
gpu_status gpu_syrk (gpu_ctx *g, double alpha, gpu_mat A, gpu_mat C);

/* gemm.c: C = alpha * A * B + beta * C for views of any op.  */
gpu_status gpu_gemm (gpu_ctx *g, double alpha, gpu_mat A, gpu_mat B,
                     double beta, gpu_mat C);

/* mtimes.c: C = A * B as Octave's operator, a new array, of operands of any
   type; pages by pages, or by one matrix.  PRECISION is for single arrays, and
   IEEE wherever there are no tensor cores.  */
gpu_status gpu_mtimes (gpu_ctx *g, gpu_precision precision, gpu_mat A,
                       gpu_mat B, gpu_mat *C);

#endif
