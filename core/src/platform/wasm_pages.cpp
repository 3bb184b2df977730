// Pages of linear memory.
//
// The linker decides between two cases. In a module without sbrk the source owns everything from __heap_base on and grows memory
// itself. In a program whose libc has its own malloc, sbrk hands out the same memory, so the source calls sbrk, too. pages.G3
// covers the runs of others in between.
//
// The freestanding archive is always the first case. It grows memory by the instruction, since no views need renewing. Other
// sbrks (wasi-libc's) take whole pages, also by the instruction; pages.G3 covers them. Its first memory ends at __heap_end, which
// wasm-ld defines since version 15. With an older linker it ends where memory ends at the first call, as in the wasi-libc of that
// time: pages that a program grew for itself before its first malloc are then handed out again.
#include "base/build.hpp"

#if defined(__wasm__) && !HG_PLACED

#include "platform/memory_view.hpp"
#include "platform/page_source.hpp"

extern "C" {
extern char __heap_base;
#if HG_FREESTANDING
extern char __heap_end __attribute__((weak));
#else
void *sbrk(std::intptr_t bytes) __attribute__((weak));
int emscripten_resize_heap(std::size_t bytes);  // also renews the views of JavaScript
#endif
}

namespace heapglass {

namespace {
// The base is a multiple of 64 KiB. In a module without sbrk, the same calls then return the same offsets from it for every
// alignment up to 64 KiB, whatever lies before it (the ring, in builds with probes). Beside another malloc this does not hold,
// but a run of one page still is one page. With runs at multiples of 4 KiB, one list of BE1 (five pools that grow in turn) lay
// on 127 pages instead of 75. The alignment costs less than a page, once.
// The malloc of a program begins where the program's data ends.
constexpr Word kBaseAlign = kBreakAlign;

// The last page of 4 GiB is left alone: its end would be address 0.
constexpr Word kMostPages = 65535;

std::uintptr_t memory_end() {
  const Word pages = memory_pages();
  return (pages < kMostPages ? pages : kMostPages) * kPageBytes;
}

#if HG_FREESTANDING
bool shares_break() { return false; }
std::uintptr_t move_break(Word) { return 0; }
bool resize_memory(Word end) { return __builtin_wasm_memory_grow(0, (end - memory_end()) / kPageBytes) != ~Word{0}; }
#else
bool shares_break() { return sbrk != nullptr; }
std::uintptr_t move_break(Word bytes) { return reinterpret_cast<std::uintptr_t>(sbrk(static_cast<std::intptr_t>(bytes))); }
bool resize_memory(Word end) { return emscripten_resize_heap(end) != 0; }
#endif
}  // namespace

std::uintptr_t raw_end() { return shares_break() ? move_break(0) : memory_end(); }

std::uintptr_t raw_begin() {
  return round_up(shares_break() ? move_break(0) : reinterpret_cast<std::uintptr_t>(&__heap_base), kBaseAlign);
}

#if HG_FREESTANDING
std::uintptr_t raw_first_end() {
  return &__heap_end != nullptr ? reinterpret_cast<std::uintptr_t>(&__heap_end) : memory_end();
}
#endif

bool memory_is_shared() { return shares_break(); }

std::uintptr_t raw_limit() { return memory_end(); }

bool raw_grow(Word bytes) {
  if (shares_break()) {
    if (move_break(bytes) == ~std::uintptr_t{0}) return false;
  } else {
    const Word end = memory_end();
    if (bytes > kMostPages * kPageBytes - end || !resize_memory(end + round_up(bytes, kPageBytes))) return false;
  }
  note_memory_grown();
  return true;
}

}  // namespace heapglass

#endif
