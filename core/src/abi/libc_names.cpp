// The malloc family by libc's names, for the archives libheapglass-malloc-*: what makes hg_malloc a program's malloc.
//
//  libc.N1  One object defines every name of a libc's malloc, for old and new versions of Emscripten: this file, libc_looks.cpp,
//      libc_emmalloc.cpp. The linker would take a missing name from the toolchain's malloc, and with it a second allocator on
//      the same memory.
//  libc.N2  Where the signatures agree a name is an alias: malloc is the function hg_malloc, not a call of it. So the object is made
//      of all sources included in one file (wasm-build.sh).
//  libc.N3  Nothing here uses a part of libc whose linking has a cost (stdio has handlers at exit). The linker removes each
//      function that a program does not call.
//  libc.N4  errno: ENOMEM when memory is out, EINVAL for an alignment that cannot be had. hg_malloc and its kin call
//      report_out_of_memory() before they return nullptr, in these archives.
//  libc.N5  The object is never bitcode, and the compiler must not know these names while it compiles them (-fno-builtin-malloc ...):
//      calloc's own malloc and memset would become a call of calloc.
//  libc.N6  The public names are weak, as in Emscripten's dlmalloc and emmalloc: a program may define its own malloc on top of
//      emscripten_builtin_malloc, and its definition wins, wherever the archive stands on the command line. The builtin names
//      are strong, so a second allocator with the same names is a link error, not a silent mixture.
#include <heapglass/malloc.h>

#include "abi/libc_errno.hpp"
#include "base/bits.hpp"
#include "diagnose/out_of_memory.hpp"

namespace heapglass {
void report_out_of_memory(Word request) {
  note_failure(request);
  set_errno(ENOMEM);
}
}  // namespace heapglass

#define HG_ALIAS(name) __attribute__((alias(#name)))
#define HG_WEAK_ALIAS(name) __attribute__((weak, alias(#name)))
#define HG_WEAK __attribute__((weak))

extern "C" {

// ---- aliases (libc.N2) ----

void *malloc(size_t size) HG_WEAK_ALIAS(hg_malloc);
void free(void *mem) HG_WEAK_ALIAS(hg_free);
void *calloc(size_t count, size_t size) HG_WEAK_ALIAS(hg_calloc);
void *realloc(void *mem, size_t size) HG_WEAK_ALIAS(hg_realloc);
void *realloc_in_place(void *mem, size_t size) HG_WEAK_ALIAS(hg_realloc_in_place);
size_t malloc_usable_size(void *mem) HG_WEAK_ALIAS(hg_malloc_usable_size);
size_t bulk_free(void **blocks, size_t count) HG_WEAK_ALIAS(hg_bulk_free);

// What musl's own sources call.
void *__libc_malloc(size_t size) HG_WEAK_ALIAS(hg_malloc);
void __libc_free(void *mem) HG_WEAK_ALIAS(hg_free);
void *__libc_calloc(size_t count, size_t size) HG_WEAK_ALIAS(hg_calloc);
void *__libc_realloc(void *mem, size_t size) HG_WEAK_ALIAS(hg_realloc);

// What Emscripten's run-time parts call (threads, mmap, environ, sanitizers), and a program that wraps malloc.
void *emscripten_builtin_malloc(size_t size) HG_ALIAS(hg_malloc);
void emscripten_builtin_free(void *mem) HG_ALIAS(hg_free);
void *emscripten_builtin_calloc(size_t count, size_t size) HG_ALIAS(hg_calloc);
void *emscripten_builtin_realloc(void *mem, size_t size) HG_ALIAS(hg_realloc);

// ---- alignment ----

// As in dlmalloc, alignments up to 8 are malloc's, and a larger one is rounded up to a power of two. Above 2 GiB the result is
// EINVAL (dlmalloc loops for ever).
[[gnu::visibility("hidden")]] void *hg_libc_memalign(size_t alignment, size_t size) {
  size_t power = heapglass::kAlign;
  while (power < alignment && power != 0) power <<= 1;
  if (power != 0) return hg_memalign(power, size);
  heapglass::set_errno(EINVAL);
  return nullptr;
}
void *memalign(size_t alignment, size_t size) HG_WEAK_ALIAS(hg_libc_memalign);
void *__libc_memalign(size_t alignment, size_t size) HG_WEAK_ALIAS(hg_libc_memalign);
void *emscripten_builtin_memalign(size_t alignment, size_t size) HG_ALIAS(hg_libc_memalign);

// As in musl and by the C standard: NULL for an alignment that is no power of two. The size need not be a multiple of it.
HG_WEAK void *aligned_alloc(size_t alignment, size_t size) {
  if (!heapglass::is_power_of_two(alignment)) {
    heapglass::set_errno(EINVAL);
    return nullptr;
  }
  return hg_memalign(alignment, size);
}

// The code is returned; errno stays as it was.
[[gnu::visibility("hidden")]] int hg_libc_posix_memalign(void **mem, size_t alignment, size_t size) {
  if (!heapglass::is_power_of_two(alignment) || alignment < sizeof(void *)) return EINVAL;
  const int before = heapglass::get_errno();
  void *const got = hg_memalign(alignment, size);
  if (got == nullptr) {
    heapglass::set_errno(before);
    return ENOMEM;
  }
  *mem = got;
  return 0;
}
int posix_memalign(void **mem, size_t alignment, size_t size) HG_WEAK_ALIAS(hg_libc_posix_memalign);

HG_WEAK void *valloc(size_t size) { return hg_memalign(heapglass::kPageBytes, size); }

HG_WEAK void *pvalloc(size_t size) {
  const size_t rounded = heapglass::round_up(size, heapglass::kPageBytes);
  return hg_memalign(heapglass::kPageBytes, rounded < size ? size : rounded);  // wrapped: refused as too large
}

// ---- many at once ----

HG_WEAK void **independent_calloc(size_t count, size_t size, void **blocks) {
  return hg_heap_independent_calloc(nullptr, count, size, blocks);
}
HG_WEAK void **independent_comalloc(size_t count, size_t *sizes, void **blocks) {
  return hg_heap_independent_comalloc(nullptr, count, sizes, blocks);
}

// ---- settings: there are none ----

HG_WEAK int mallopt(int, int) { return 0; }
HG_WEAK int malloc_trim(size_t pad) { return hg_malloc_trim(pad) != 0; }
HG_WEAK size_t malloc_footprint_limit(void) { return ~size_t{0}; }
HG_WEAK size_t malloc_set_footprint_limit(size_t) { return ~size_t{0}; }

}  // extern "C"
