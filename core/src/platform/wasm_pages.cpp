// Pages of linear memory.
//
// Two cases, told apart by the linker. Alone in its module (nothing links sbrk) the source owns everything from
// __heap_base on and grows memory itself. In a program whose libc brings its own malloc, sbrk is there and hands out
// the same memory, so the source asks sbrk like everyone else; runs of others in between are G3's case.
#if defined(__wasm__)

#include "platform/page_source.hpp"

extern "C" {
extern char __heap_base;
void *sbrk(std::intptr_t bytes) __attribute__((weak));
int emscripten_resize_heap(std::size_t bytes);  // tells JavaScript that its views are stale
}

namespace heapglass {

namespace {
// The base is a multiple of 64 KiB. Alone, the same calls then give the same offsets from it, whatever lies before it (the
// ring, in builds with probes), for every alignment up to 64 KiB. Beside another malloc nothing like that holds, but a
// run of one page is one page: measured with runs at multiples of 4 KiB (BE1, five pools that grow in turn), one list
// was spread over 127 pages instead of 75. It costs less than a page, once.
// The malloc of a program begins where its data ends.
constexpr Word kBaseAlign = kBreakAlign;
}

std::uintptr_t raw_end() {
  if (sbrk != nullptr) return reinterpret_cast<std::uintptr_t>(sbrk(0));
  return static_cast<std::uintptr_t>(__builtin_wasm_memory_size(0)) * kPageBytes;
}

std::uintptr_t raw_begin() {
  if (sbrk != nullptr) return round_up(raw_end(), kBaseAlign);
  return round_up(reinterpret_cast<std::uintptr_t>(&__heap_base), kBaseAlign);
}

std::uintptr_t raw_limit() { return static_cast<std::uintptr_t>(__builtin_wasm_memory_size(0)) * kPageBytes; }

bool raw_grow(Word bytes) {
  if (sbrk != nullptr) return reinterpret_cast<std::intptr_t>(sbrk(static_cast<std::intptr_t>(bytes))) != -1;
  const Word end = raw_end();
  if (bytes > ~Word{0} - kPageBytes - end) return false;
  return emscripten_resize_heap(end + round_up(bytes, kPageBytes)) != 0;
}

}  // namespace heapglass

#endif
