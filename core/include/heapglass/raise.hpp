// Where C returns NULL, the C++ headers throw an exception, or trap in a program compiled without exceptions. A program that
// must continue uses the functions that return nullptr.
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

// Thrown for a count of objects whose bytes exceed a size_t.
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
