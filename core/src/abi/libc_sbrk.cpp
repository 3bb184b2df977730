// sbrk, brk and the position of the break, for the archives libheapglass-malloc-*. This separate member is linked when the program
// uses one of these names (a program's own sbrk, SAFE_HEAP, wasm workers). The page source then also calls sbrk
// (platform/wasm_pages.cpp); otherwise it owns linear memory alone.
//
// Emscripten had these functions in its malloc up to 3.1.35, in libc up to 3.1.69, and has them in its malloc again since. Without
// that malloc they would be missing, and with it there would be two.
//
//  sbrk.B1  The break only rises. An increment is unsigned, as in Emscripten, so all of 4 GiB is available. A call that would
//      lower the break or pass the end of the address space fails with ENOMEM.
//  sbrk.B2  Memory grows by emscripten_resize_heap, which renews JavaScript's views and ends the program when it was linked to do so
//      (ABORTING_MALLOC).
//  sbrk.B3  Threads: the break moves by compare and swap; memory that grew for a losing thread serves the next. Other code may
//      also move it, through emscripten_get_sbrk_ptr.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/memory_view.hpp"

extern "C" char __heap_base;
extern "C" int emscripten_resize_heap(size_t bytes);

namespace {

constexpr uint64_t kBreakAlign = 16;

uintptr_t g_break = reinterpret_cast<uintptr_t>(&__heap_base);

// The end of memory of 4 GiB does not fit an address.
bool reach(uintptr_t end) {
  const uint64_t there = static_cast<uint64_t>(heapglass::memory_pages()) * 65536;
  if (end <= there) return true;
  if (emscripten_resize_heap(end) == 0) return false;
  heapglass::note_memory_grown();
  return true;
}

bool fail() {
  errno = ENOMEM;
  return false;
}

// Moves the break up to what `end_from` says for it. False: refused. *from: where it was.
template <class EndFrom>
bool move_break(EndFrom end_from, uintptr_t *from) {
  *from = __atomic_load_n(&g_break, __ATOMIC_SEQ_CST);
  for (;;) {
    const uint64_t end = end_from(*from);
    if (end < *from || end > UINTPTR_MAX || !reach(static_cast<uintptr_t>(end))) return fail();
    const uintptr_t to = static_cast<uintptr_t>(end);
    if (__atomic_compare_exchange_n(&g_break, from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return true;
  }
}

void *raise_break(uint64_t bytes) {
  const uint64_t rounded = (bytes + kBreakAlign - 1) & ~(kBreakAlign - 1);
  uintptr_t from = 0;
  const bool moved = rounded >= bytes && move_break([rounded](uintptr_t at) { return at + rounded; }, &from);
  return reinterpret_cast<void *>(moved ? from : UINTPTR_MAX);
}

}  // namespace

extern "C" {

uintptr_t *emscripten_get_sbrk_ptr(void) { return &g_break; }

void *sbrk(intptr_t increment) { return raise_break(static_cast<uintptr_t>(increment)); }

// Emscriptens after 3.1.69 have it for increments from 2 GiB on.
void *_sbrk64(int64_t increment) { return raise_break(static_cast<uint64_t>(increment)); }

int brk(void *end) {
  uintptr_t from = 0;
  return move_break([end](uintptr_t) -> uint64_t { return reinterpret_cast<uintptr_t>(end); }, &from) ? 0 : -1;
}

}  // extern "C"
