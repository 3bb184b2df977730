// The malloc family by libc's names, for the archives libheapglass-malloc-*: what makes hg_malloc a program's malloc.
//
//  N1  Every name that a libc's malloc has, those of old and new Emscriptens included, is defined in this one object. A name
//      that is missing would be taken from the toolchain's malloc, and with it a second allocator on the same memory.
//  N2  Where the signatures agree a name is an alias: malloc is the function hg_malloc, not a call of it. So the object is made
//      of all sources included in one file (wasm-build.sh).
//  N3  Nothing here refers to a part of libc that costs something by being linked (stdio has handlers at exit), and the
//      linker leaves out each function that a program does not call.
//  N4  errno: ENOMEM when memory is out, EINVAL for an alignment that is no power of two. hg_malloc and its kin call
//      report_out_of_memory() before they return nullptr, in these archives.
//  N5  The object is never bitcode, and the compiler must not know these names while it compiles them (-fno-builtin-malloc ...):
//      calloc's own malloc and memset would become a call of calloc.
#include <errno.h>
#include <heapglass/event.h>
#include <heapglass/malloc.h>
#include <malloc.h>
#include <wasi/api.h>

#include "base/bits.hpp"
#include "base/failure.hpp"

namespace heapglass {

void report_out_of_memory() { errno = ENOMEM; }

// By WASI, which standalone programs and Emscripten's glue have (N3).
void write_standard_error(const char *text, Word bytes) {
  const __wasi_ciovec_t vector = {reinterpret_cast<const uint8_t *>(text), bytes};
  __wasi_size_t written = 0;
  static_cast<void>(__wasi_fd_write(2, &vector, 1, &written));
}

}  // namespace heapglass

#define HG_ALIAS(name) __attribute__((alias(#name)))

extern "C" {

// ---- aliases (N2) ----

void *malloc(size_t size) HG_ALIAS(hg_malloc);
void free(void *mem) HG_ALIAS(hg_free);
void *calloc(size_t count, size_t size) HG_ALIAS(hg_calloc);
void *realloc(void *mem, size_t size) HG_ALIAS(hg_realloc);
void *realloc_in_place(void *mem, size_t size) HG_ALIAS(hg_realloc_in_place);
size_t malloc_usable_size(void *mem) HG_ALIAS(hg_malloc_usable_size);
size_t bulk_free(void **blocks, size_t count) HG_ALIAS(hg_bulk_free);

// What musl's own sources call.
void *__libc_malloc(size_t size) HG_ALIAS(hg_malloc);
void __libc_free(void *mem) HG_ALIAS(hg_free);
void *__libc_calloc(size_t count, size_t size) HG_ALIAS(hg_calloc);
void *__libc_realloc(void *mem, size_t size) HG_ALIAS(hg_realloc);

// What Emscripten's run-time parts call (threads, mmap, environ, sanitizers), so that a program may wrap malloc.
void *emscripten_builtin_malloc(size_t size) HG_ALIAS(hg_malloc);
void emscripten_builtin_free(void *mem) HG_ALIAS(hg_free);
void *emscripten_builtin_calloc(size_t count, size_t size) HG_ALIAS(hg_calloc);
void *emscripten_builtin_realloc(void *mem, size_t size) HG_ALIAS(hg_realloc);

// ---- alignment ----

void *memalign(size_t alignment, size_t size) {
  if (!heapglass::is_power_of_two(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  return hg_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) HG_ALIAS(memalign);
void *__libc_memalign(size_t alignment, size_t size) HG_ALIAS(memalign);
void *emscripten_builtin_memalign(size_t alignment, size_t size) HG_ALIAS(memalign);

// The code is returned and errno left as it was.
int posix_memalign(void **mem, size_t alignment, size_t size) {
  if (!heapglass::is_power_of_two(alignment) || alignment < sizeof(void *)) return EINVAL;
  const int before = errno;
  void *const got = hg_memalign(alignment, size);
  if (got == nullptr) {
    errno = before;
    return ENOMEM;
  }
  *mem = got;
  return 0;
}

void *valloc(size_t size) { return hg_memalign(heapglass::kPageBytes, size); }

void *pvalloc(size_t size) {
  const size_t rounded = heapglass::round_up(size, heapglass::kPageBytes);
  return hg_memalign(heapglass::kPageBytes, rounded < size ? size : rounded);  // wrapped: refused as too large
}

// ---- many at once ----

void **independent_calloc(size_t count, size_t size, void **blocks) {
  return hg_heap_independent_calloc(nullptr, count, size, blocks);
}
void **independent_comalloc(size_t count, size_t *sizes, void **blocks) {
  return hg_heap_independent_comalloc(nullptr, count, sizes, blocks);
}

// ---- looking inside, O(chunks) each ----

// Free bytes are what the next allocations can have: cached chunks belong to them, but are not counted as free blocks.
struct mallinfo mallinfo(void) {
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

size_t malloc_footprint(void) {
  hg_heap_stats heap;
  hg_heap_get_stats(nullptr, &heap);
  return heap.footprint;
}

size_t malloc_max_footprint(void) {
  hg_heap_stats heap;
  hg_heap_get_stats(nullptr, &heap);
  return heap.peak_footprint;
}

// The handler gets the payload of each chunk, and how much of it is in use: all or nothing. It must not allocate or free.
void malloc_inspect_all(void (*handler)(void *start, void *end, size_t used, void *argument), void *argument) {
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

// One line on standard error, by a plain write (N3).
void malloc_stats(void) {
  hg_malloc_stats stats;
  hg_malloc_get_stats(&stats);
  const struct {
    const char *name;
    size_t bytes;
  } parts[] = {{"heapglass: footprint ", stats.footprint}, {", peak ", stats.peak_footprint}, {", in use ", stats.in_use},
               {", cached ", stats.cached},                 {", free ", stats.free_bytes}};
  char line[160];
  size_t length = 0;
  for (const auto &part : parts) {
    for (const char *letter = part.name; *letter != '\0'; ++letter) line[length++] = *letter;
    char digits[10];
    size_t count = 0;
    size_t rest = part.bytes;
    do digits[count++] = static_cast<char>('0' + rest % 10);
    while ((rest /= 10) != 0);
    while (count != 0) line[length++] = digits[--count];
  }
  line[length++] = '\n';
  heapglass::write_standard_error(line, length);
}

// ---- settings: there are none ----

int mallopt(int, int) { return 0; }
int malloc_trim(size_t pad) { return hg_malloc_trim(pad) != 0; }
size_t malloc_footprint_limit(void) { return ~size_t{0}; }
size_t malloc_set_footprint_limit(size_t) { return ~size_t{0}; }

}  // extern "C"
