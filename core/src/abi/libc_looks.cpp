// Queries about malloc under dlmalloc's names, O(chunks) each. They are weak, as the names of libc_names.cpp (libc.N6). They are not
// part of the freestanding archive, because struct mallinfo and the line on standard error are Emscripten's.
#include <emscripten.h>
#include <heapglass/event.h>
#include <heapglass/malloc.h>
#include <malloc.h>
#include <wasi/api.h>

#include "abi/libc_line.hpp"

#if HG_THREADS && HG_HARDENED
// The script's own printing, which each thread does by itself (failure.T4): under Node it is written at once, so the end of the program loses none.
#ifdef EM_JS_DEPS
EM_JS_DEPS(hg_write_console, "$UTF8ToString")
#endif
EM_JS(void, hg_write_console, (const char *line), { err(UTF8ToString(line)); })
#endif

namespace heapglass {

// Uses WASI, which standalone programs and Emscripten's glue provide (libc.N3).
void write_standard_error(const char *text, Word bytes) {
  const __wasi_ciovec_t vector = {reinterpret_cast<const uint8_t *>(text), bytes};
  __wasi_size_t written = 0;
  static_cast<void>(__wasi_fd_write(2, &vector, 1, &written));
}

#if HG_THREADS && HG_HARDENED
void write_console(const char *line) { hg_write_console(line); }
#endif

}  // namespace heapglass

#define HG_WEAK __attribute__((weak))

extern "C" {

// Free bytes are what the next allocations can have: cached chunks belong to them, but are not counted as free blocks. Its fields
// are int, as in Emscripten: beyond 2 GiB they are negative, and unsigned they are right.
[[gnu::visibility("hidden")]] struct mallinfo hg_libc_mallinfo(void) {
  hg_heap_stats heap;
  hg_heap_get_stats(nullptr, &heap);
  hg_malloc_stats stats;
  hg_malloc_get_stats(&stats);
  struct mallinfo info = {};
  info.arena = static_cast<int>(stats.footprint);
  info.ordblks = static_cast<int>(heap.chunks_free);
  info.usmblks = static_cast<int>(stats.peak_footprint);
  info.uordblks = static_cast<int>(stats.in_use);
  info.fordblks = static_cast<int>(stats.free_bytes + stats.cached);
  info.keepcost = static_cast<int>(heap.top_bytes);
  return info;
}
struct mallinfo mallinfo(void) __attribute__((weak, alias("hg_libc_mallinfo")));

HG_WEAK size_t malloc_footprint(void) {
  hg_heap_stats heap;
  hg_heap_get_stats(nullptr, &heap);
  return heap.footprint;
}

HG_WEAK size_t malloc_max_footprint(void) {
  hg_heap_stats heap;
  hg_heap_get_stats(nullptr, &heap);
  return heap.peak_footprint;
}

// The handler gets the payload of each chunk, and how much of it is in use: all or nothing. It must not allocate or free.
HG_WEAK void malloc_inspect_all(void (*handler)(void *start, void *end, size_t used, void *argument), void *argument) {
  hg_malloc_flush();
  hg_walk walk;
  hg_walk_begin(&walk, nullptr);
  hg_walk_record records[64];
  while (const size_t count = hg_walk_next(&walk, records, 64)) {
    for (size_t i = 0; i < count; ++i) {
      const uint32_t kind = records[i].kind & 0xff;
      const bool in_use = kind == HG_WALK_chunk_in_use || kind == HG_WALK_chunk_cached;
      if (!in_use && kind != HG_WALK_chunk_free && kind != HG_WALK_chunk_top && kind != HG_WALK_chunk_victim) continue;
      char *const start = reinterpret_cast<char *>(records[i].address) + sizeof(size_t);
      const size_t bytes = records[i].size - sizeof(size_t);
      handler(start, start + bytes, in_use ? bytes : 0, argument);
    }
  }
}

HG_WEAK void malloc_stats(void) {
  hg_malloc_stats stats;
  hg_malloc_get_stats(&stats);
  heapglass::Line()
      .text("heapglass: footprint ").number(stats.footprint)
      .text(", peak ").number(stats.peak_footprint)
      .text(", in use ").number(stats.in_use)
      .text(", cached ").number(stats.cached)
      .text(", free ").number(stats.free_bytes)
      .print();
}

}  // extern "C"
