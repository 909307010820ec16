/* gpu_object.cc: __gpu_call__ (COMMAND, ...), __gpu__ for the methods of
   gpuArray: objects in place of ids, among arguments and results.

   A gpuArray is an object of an old-style class with the one field id.  Its
   value is a uint64 number that frees the array when the last copy goes, and
   in all else is what it looks like.  What is asked most is answered here:

     size = __gpu_call__ ("size", g)        name = __gpu_call__ ("class", g)
     tf = __gpu_call__ ("complex", g)       x = __gpu_call__ ("gather", g)
     x = __gpu_call__ ("fresh", class, size, is_complex)

   where fresh makes an array of zeros that no page of memory stands behind
   until it is written, and whether host matrices are so small that Octave's
   own function has its result before an array would be on the GPU:

     tf = __gpu_call__ ("tiny", A)
     tf = __gpu_call__ ("tiny_square", A)
     tf = __gpu_call__ ("tiny_product", A, B)

   Octave's MEX interface offers none of this: the host has no other C++.
   Where this file cannot be compiled, __gpu_call__.m takes its place.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <octave/oct.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <octave/interpreter.h>
#include <octave/oct-map.h>
#include <octave/ov-bool-mat.h>
#include <octave/ov-class.h>
#include <octave/ov-cx-mat.h>
#include <octave/ov-flt-cx-mat.h>
#include <octave/ov-flt-re-mat.h>
#include <octave/ov-re-mat.h>
#include <octave/ov-uint64.h>
#include <octave/parse.h>

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "gpu_bridge.h"

namespace
{

const char CLASS[] = "gpuArray";

gpu_bridge bridge;

bool
find_shape (octave_uint64 id, gpu_shape *s)
{
  return bridge.shape && bridge.shape (static_cast<int64_t> (id.value ()), s);
}

[[noreturn]] void
gone ()
{
  error_with_id ("gpulinalg:arg",
                 "gpuArray: data no longer exists on the device");
  std::abort (); // error_with_id throws, but does not say so everywhere
}

dim_vector
dimensions (const gpu_shape &s)
{
  return s.pages == 1 ? dim_vector (s.m, s.n) : dim_vector (s.m, s.n, s.pages);
}

/* --- fresh arrays --- */

const std::size_t LARGE = std::size_t (4) << 20;

/* Zeros of which the whole pages are given back to the system, which hands
   them out anew, as zeros, when they are written.  */
void
make_zero (void *p, std::size_t bytes)
{
#if defined(__linux__) && defined(MADV_DONTNEED)
  const std::uintptr_t page
    = static_cast<std::uintptr_t> (sysconf (_SC_PAGESIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t> (p);
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + bytes) / page * page;
  if (bytes >= LARGE
      && madvise (reinterpret_cast<void *> (first), last - first,
                  MADV_DONTNEED)
           == 0)
    {
#if defined(MADV_HUGEPAGE)
      madvise (reinterpret_cast<void *> (first), last - first, MADV_HUGEPAGE);
#endif
      std::memset (p, 0, first - begin);
      std::memset (reinterpret_cast<void *> (last), 0, begin + bytes - last);
      return;
    }
#endif
  std::memset (p, 0, bytes);
}

template <class T>
Array<T>
fresh (const dim_vector &size)
{
  const std::size_t count = size.safe_numel ();
  T *p = std::allocator<T> ().allocate (count);
  make_zero (p, count * sizeof (T));
  return Array<T> (p, size);
}

/* Values are made directly: octave_value would look at every element, to see
   whether complex numbers are real.  */
octave_value
fresh_value (bool is_single, bool is_logical, bool is_complex,
             const dim_vector &size)
{
  octave_base_value *value;
  if (is_logical)
    value = new octave_bool_matrix (boolNDArray (fresh<bool> (size)));
  else if (is_single && is_complex)
    value = new octave_float_complex_matrix (
      FloatComplexNDArray (fresh<FloatComplex> (size)));
  else if (is_single)
    value = new octave_float_matrix (FloatNDArray (fresh<float> (size)));
  else if (is_complex)
    value = new octave_complex_matrix (ComplexNDArray (fresh<Complex> (size)));
  else
    value = new octave_matrix (NDArray (fresh<double> (size)));
  return octave_value (value);
}

/* --- the number in an object --- */

/* x = array number ID, a complex one also if it could be real.  */
octave_value
download (const octave_value &id, const gpu_shape &s)
{
  octave_value x
    = fresh_value (s.is_single, s.is_logical, s.is_complex, dimensions (s));
  octave::feval ("__gpu__", ovl ("get", id, x), 0);
  return x;
}

/* The number of a device array, which it frees.  A change makes a copy, which
   is a number and nothing more.  What is saved are the elements of the array,
   here since Octave asks saveobj but then saves the fields that are there.
   For MATLAB's formats it writes what saveobj gives, but counts the bytes of
   the fields; an error is better than such a file.  */
class guarded_id : public octave_uint64_scalar
{
public:
  explicit guarded_id (octave_uint64 id) : octave_uint64_scalar (id) {}
  guarded_id (const guarded_id &) = delete;
  guarded_id &operator= (const guarded_id &) = delete;

  ~guarded_id ()
  {
    if (bridge.free_id)
      bridge.free_id (static_cast<int64_t> (scalar.value ()));
  }

  uint64NDArray
  uint64_array_value () const
  {
    error ("gpuArray: not saved in a format of MATLAB's; gather it first, or "
           "take another format");
  }

  std::string
  type_name () const
  {
    return saved ().type_name ();
  }

  bool
  save_ascii (std::ostream &os)
  {
    return elements ().save_ascii (os);
  }

  bool
  save_binary (std::ostream &os, bool save_as_floats)
  {
    return elements ().save_binary (os, save_as_floats);
  }

  bool
  save_hdf5 (octave_hdf5_id place, const char *name, bool save_as_floats)
  {
    return elements ().save_hdf5 (place, name, save_as_floats);
  }

private:
  /* An array without elements of the type that elements has; a number where
     the data are gone.  */
  octave_value
  saved () const
  {
    gpu_shape s;
    if (!find_shape (scalar, &s))
      return octave_value (scalar);
    return fresh_value (s.is_single, s.is_logical, s.is_complex,
                        dim_vector (0, 0));
  }

  octave_value
  elements () const
  {
    gpu_shape s;
    if (!find_shape (scalar, &s))
      return octave_value (scalar);
    return download (octave_value (scalar), s);
  }
};

/* --- objects --- */

/* Values of this file may live when Octave would unload it.  */
void
stay_loaded ()
{
#if defined(RTLD_NODELETE)
  Dl_info info;
  if (dladdr (&bridge, &info) && info.dli_fname)
    dlopen (info.dli_fname, RTLD_NOW | RTLD_NODELETE);
#endif
}

void
connect (octave::interpreter &interp)
{
  stay_loaded ();
  const octave_uint64 address (reinterpret_cast<std::uintptr_t> (&bridge));
  interp.feval ("__gpu__", ovl ("bridge", address, sizeof bridge), 0);
}

bool
is_gpu_array (const octave_value &x)
{
  return x.isobject () && x.class_name () == CLASS;
}

octave_value
id_of (const octave_value &x)
{
  return x.map_value ().contents ("id") (0);
}

/* An object that knows whether it is true: Octave asks its method logical, and
   then asks the result, which is an object as well.  */
class gpu_object : public octave_class
{
public:
  explicit gpu_object (const octave_map &fields) : octave_class (fields, CLASS)
  {
  }

  octave_base_value *
  clone () const
  {
    return new gpu_object (*this);
  }
  octave_base_value *
  unique_clone ()
  {
    return clone ();
  }

  bool
  is_true () const
  {
    const octave_value id = map_value ().contents ("id") (0);
    gpu_shape s;
    if (!find_shape (id.uint64_scalar_value (), &s))
      gone ();
    octave_value x = download (octave_value (id.uint64_scalar_value ()), s);
    x.maybe_mutate ();
    return x.is_true ();
  }
};

octave_value
new_object (const octave_value &id)
{
  static const octave_map empty (dim_vector (1, 1), string_vector ("id"));
  octave_map fields = empty;
  Cell value (1, 1);
  value (0) = octave_value (new guarded_id (id.uint64_scalar_value ()));
  fields.setfield ("id", value);
  return octave_value (new gpu_object (fields));
}

bool
is_id (const octave_value &x)
{
  return x.is_uint64_type () && x.numel () == 1;
}

/* The id of an object as a plain number, for __gpu__.  */
octave_value
plain_id (const octave_value &x)
{
  return octave_value (id_of (x).uint64_scalar_value ());
}

/* What __gpu__ takes for x.  A uint64 scalar of the user's is no id.  Octave 7
   gives a complex diagonal matrix too little memory when it becomes full in a
   MEX file.  */
octave_value
argument (const octave_value &x)
{
  if (is_gpu_array (x))
    return plain_id (x);
  if (x.issparse () || x.is_diag_matrix () || x.is_perm_matrix ())
    return x.full_value ();
  if (is_id (x))
    return octave_int64 (x.uint64_scalar_value ());
  return x;
}

gpu_shape
shape_of (const octave_value &x)
{
  gpu_shape s;
  if (!is_gpu_array (x) || !find_shape (id_of (x).uint64_scalar_value (), &s))
    gone ();
  return s;
}

/* The array on the host; a complex one without imaginary part becomes real,
   as everywhere in Octave.  */
octave_value
gather (const octave_value &g)
{
  octave_value x = download (plain_id (g), shape_of (g));
  x.maybe_mutate ();
  return x;
}

octave_value
fresh_command (const octave_value_list &args)
{
  const std::string name = args (1).string_value ();
  dim_vector size;
  octave::get_dimensions (args (2), "fresh", size);
  return fresh_value (name == "single", name == "logical",
                      args (3).bool_value (), size);
}

/* The id of op (a) or op (a, b), the last COUNT arguments; 0 if __gpu__ has
   to do it.  */
int64_t
map_id (const octave_value_list &args, int count)
{
  gpu_term terms[2];
  for (int i = 0; i < count; i++)
    {
      const octave_value &x = args (2 + i);
      terms[i].id = 0;
      if (is_gpu_array (x))
        terms[i].id
          = static_cast<int64_t> (id_of (x).uint64_scalar_value ().value ());
      else if (x.is_double_type () && x.is_real_scalar ())
        terms[i].number = x.double_value ();
      else
        return 0;
    }
  return bridge.map (args (1).string_value ().c_str (), terms,
                     count > 1 ? terms + 1 : nullptr);
}

/* --- tiny matrices --- */

octave_idx_type
tiny_limit ()
{
  const char *text = std::getenv ("GPULINALG_TINY");
  char *end = nullptr;
  const double limit = text ? std::strtod (text, &end) : -1;
  return end != text && limit >= 0 ? static_cast<octave_idx_type> (limit)
                                   : 1024;
}

bool
is_tiny (const octave_value &x)
{
  static const octave_idx_type limit = tiny_limit ();
  const octave_idx_type count = x.numel ();
  return x.isfloat () && !x.isobject () && !x.issparse () && x.ndims () == 2
         && count > 0 && count <= limit;
}

bool
is_tiny_command (const std::string &command, const octave_value_list &args,
                 bool *tiny)
{
  const bool two = command == "tiny_product";
  if (args.length () != (two ? 3 : 2)
      || !(two || command == "tiny" || command == "tiny_square"))
    return false;
  const octave_value &A = args (1);
  *tiny
    = is_tiny (A) && (command != "tiny_square" || A.rows () == A.columns ());
  if (two)
    *tiny = *tiny && is_tiny (args (2)) && A.columns () == args (2).rows ();
  return true;
}

octave_value
size_row (const gpu_shape &s)
{
  const dim_vector size = dimensions (s);
  RowVector v (size.ndims ());
  for (int i = 0; i < size.ndims (); i++)
    v (i) = size (i);
  return v;
}

} // namespace

DEFMETHOD_DLD (__gpu_call__, interp, args, nargout, "-*- texinfo -*-\n\
@deftypefn {} {@dots{} =} __gpu_call__ (@var{command}, @dots{})\n\
Undocumented internal function of gpulinalg.\n\
@end deftypefn")
{
  const int nargin = args.length ();
  if (nargin < 1 || !args (0).is_string ())
    error_with_id ("gpulinalg:arg",
                   "__gpu_call__: the first argument must be a command");
  const std::string command = args (0).string_value ();
  bool tiny;
  if (is_tiny_command (command, args, &tiny))
    return ovl (tiny);
  if (!bridge.free_id)
    connect (interp);

  if (nargin == 2)
    {
      if (command == "size")
        return ovl (size_row (shape_of (args (1))));
      if (command == "gather")
        return ovl (gather (args (1)));
      if (command == "class")
        {
          const gpu_shape s = shape_of (args (1));
          return ovl (s.is_logical  ? "logical"
                      : s.is_single ? "single"
                                    : "double");
        }
      if (command == "complex")
        return ovl (shape_of (args (1)).is_complex != 0);
    }
  if (command == "fresh" && nargin == 4)
    return ovl (fresh_command (args));
  if (command == "map" && (nargin == 3 || nargin == 4) && args (1).is_string ()
      && bridge.map)
    {
      const int64_t id = map_id (args, nargin - 2);
      if (id != 0)
        return ovl (new_object (octave_uint64 (id)));
    }

  octave_value_list in (nargin);
  in (0) = args (0);
  for (int i = 1; i < nargin; i++)
    in (i) = argument (args (i));
  octave_value_list out = interp.feval ("__gpu__", in, nargout);
  for (int i = 0; i < out.length (); i++)
    if (out (i).is_defined () && is_id (out (i)))
      out (i) = new_object (out (i));
  return out;
}
