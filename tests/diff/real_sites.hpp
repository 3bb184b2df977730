// In place of sites.hpp, for builds whose sites the instrumented module tells by itself. allocate() leaves no frame.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace sites {

__attribute__((always_inline, nodebug)) inline void *allocate(std::size_t bytes) {
  void *mem = std::malloc(bytes);
  __asm__ volatile("" : "+r"(mem));  // else a compiler leaves out what is freed unread
  return mem;
}

}  // namespace sites

#define CALL(...) (__VA_ARGS__)

inline void hg_mark(const char *) {}
