// How the C++ headers report what C reports with NULL: an exception, or, in a program compiled without exceptions, the
// end of the program by a trap. A program that must go on uses the functions that return nullptr instead.
#pragma once

#include <new>
#include <stdexcept>

namespace heapglass {

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_bad_alloc() {
#if defined(__cpp_exceptions)
  throw std::bad_alloc();
#else
  __builtin_trap();
#endif
}

// A count of objects whose bytes no size_t can hold.
[[noreturn, gnu::cold, gnu::noinline]] inline void raise_bad_array_new_length() {
#if defined(__cpp_exceptions)
  throw std::bad_array_new_length();
#else
  __builtin_trap();
#endif
}

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_length_error([[maybe_unused]] const char *what) {
#if defined(__cpp_exceptions)
  throw std::length_error(what);
#else
  __builtin_trap();
#endif
}

}  // namespace heapglass
