// errno, for the files that stand in for a part of libc. With Emscripten it is libc's. The freestanding archive needs no libc: it
// finds errno through weak references, so it is set where the program has one and nowhere else.
//
//   __errno_location    musl, newer wasi-libc: the function behind the macro
//   errno               wasi-libc: a plain word in a program without threads
//
// The numbers are WASI's, which Emscripten has too: ENOMEM is 48, EINVAL 28.
#pragma once

#include <errno.h>

#include "base/build.hpp"

namespace heapglass {

#if HG_FREESTANDING

extern "C" int *__errno_location(void) __attribute__((weak));
extern "C" int g_libc_errno __asm__("errno") __attribute__((weak));

// nullptr: the program has no errno.
inline int *errno_place() { return &__errno_location != nullptr ? __errno_location() : &g_libc_errno; }
inline void set_errno(int code) {
  if (int *const place = errno_place()) *place = code;
}
inline int get_errno() {
  const int *const place = errno_place();
  return place != nullptr ? *place : 0;
}

#else

inline void set_errno(int code) { errno = code; }
inline int get_errno() { return errno; }

#endif

}  // namespace heapglass
