// Pages of linear memory.
//
// Two cases, told apart by the linker. Alone in its module (nothing links sbrk) the source owns everything from
// __heap_base on and grows memory itself. In a program whose libc brings its own malloc, sbrk is there and hands out
// the same memory, so the source asks sbrk like everyone else; runs of others in between are pages.G3's case.
//
// The freestanding archive is always the first case, and grows memory by the instruction: nobody has views that it must renew, and
// other sbrks (wasi-libc's) take whole pages only, also by the instruction, which again is pages.G3's case. Its first memory ends at
// __heap_end, which wasm-ld defines from 15 on. With an older one it ends where memory ends at the first call, as in wasi-libc of
// that time: who grows memory for himself before the program's first malloc loses it.
#include "base/build.hpp"

#if defined(__wasm__) && !HG_PLACED

#include "platform/page_source.hpp"

extern "C" {
extern char __heap_base;
#if HG_FREESTANDING
extern char __heap_end __attribute__((weak));
#else
void *sbrk(std::intptr_t bytes) __attribute__((weak));
int emscripten_resize_heap(std::size_t bytes);  // tells JavaScript that its views are stale
#endif
}

namespace heapglass {

namespace {
// The base is a multiple of 64 KiB. Alone, the same calls then give the same offsets from it, whatever lies before it (the
// ring, in builds with probes), for every alignment up to 64 KiB. Beside another malloc nothing like that holds, but a
// run of one page is one page: measured with runs at multiples of 4 KiB (BE1, five pools that grow in turn), one list
// was spread over 127 pages instead of 75. It costs less than a page, once.
// The malloc of a program begins where its data ends.
constexpr Word kBaseAlign = kBreakAlign;

// The last page of 4 GiB is left alone: its end would be address 0.
constexpr Word kMostPages = 65535;

std::uintptr_t memory_end() {
  const Word pages = __builtin_wasm_memory_size(0);
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

std::uintptr_t raw_limit() { return memory_end(); }

bool raw_grow(Word bytes) {
  if (shares_break()) return move_break(bytes) != ~std::uintptr_t{0};
  const Word end = memory_end();
  if (bytes > kMostPages * kPageBytes - end) return false;
  return resize_memory(end + round_up(bytes, kPageBytes));
}

}  // namespace heapglass

#endif
