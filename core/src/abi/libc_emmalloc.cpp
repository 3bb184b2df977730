// The names of <emscripten/emmalloc.h>, for programs that call emmalloc by name: they keep their meaning, on heapglass.
//
//  emmalloc.E1  emmalloc_realloc and its kin free a block for size 0 and return NULL, as emmalloc does; realloc does not (malloc.R5).
//  emmalloc.E2  An alignment that is no power of two is rounded up (hg_libc_memalign); emmalloc would give a block with no such alignment.
//  emmalloc.E3  Queries about memory return heapglass's state: free bytes are the heap's and the cache's.
//
// Weak, as the names of libc_names.cpp (libc.N6). Only the functions that a program calls are linked. Not part of the freestanding
// archive.
#include <heapglass/event.h>
#include <heapglass/malloc.h>
#include <malloc.h>

#include "abi/libc_line.hpp"
#include "base/bits.hpp"

#define HG_WEAK __attribute__((weak))
#define HG_WEAK_ALIAS(name) __attribute__((weak, alias(#name)))

extern "C" {

void *hg_libc_memalign(size_t alignment, size_t size);  // libc_names.cpp
int hg_libc_posix_memalign(void **mem, size_t alignment, size_t size);
struct mallinfo hg_libc_mallinfo(void);  // libc_looks.cpp
size_t emscripten_get_heap_max(void);
size_t emscripten_get_heap_size(void);

void *emmalloc_malloc(size_t size) HG_WEAK_ALIAS(hg_malloc);
void *emmalloc_memalign(size_t alignment, size_t size) HG_WEAK_ALIAS(hg_libc_memalign);
void *emmalloc_calloc(size_t count, size_t size) HG_WEAK_ALIAS(hg_calloc);
void emmalloc_free(void *mem) HG_WEAK_ALIAS(hg_free);
size_t emmalloc_usable_size(void *mem) HG_WEAK_ALIAS(hg_malloc_usable_size);
int emmalloc_posix_memalign(void **mem, size_t alignment, size_t size) HG_WEAK_ALIAS(hg_libc_posix_memalign);
struct mallinfo emmalloc_mallinfo(void) HG_WEAK_ALIAS(hg_libc_mallinfo);

// ---- resizing (emmalloc.E1) ----

HG_WEAK void *emmalloc_realloc(void *mem, size_t size) {
  if (mem == nullptr || size != 0) return hg_realloc(mem, size);
  hg_free(mem);
  return nullptr;
}

HG_WEAK void *emmalloc_realloc_try(void *mem, size_t size) {
  if (mem == nullptr || size != 0) return hg_realloc_in_place(mem, size);
  hg_free(mem);
  return nullptr;
}

// Does not copy: what does not fit in place is freed first, so its bytes serve the new block. NULL: the old block is gone.
static void *resize_or_replace(void *mem, size_t alignment, size_t size) {
  if (void *const same = emmalloc_realloc_try(mem, size)) return same;
  if (mem != nullptr && size == 0) return nullptr;
  hg_free(mem);
  return hg_libc_memalign(alignment, size);
}

HG_WEAK void *emmalloc_realloc_uninitialized(void *mem, size_t size) {
  return resize_or_replace(mem, heapglass::kAlign, size);
}
HG_WEAK void *emmalloc_aligned_realloc_uninitialized(void *mem, size_t alignment, size_t size) {
  return resize_or_replace(mem, alignment, size);
}

// pre: mem has the alignment
HG_WEAK void *emmalloc_aligned_realloc(void *mem, size_t alignment, size_t size) {
  if (mem == nullptr) return hg_libc_memalign(alignment, size);
  if (alignment <= heapglass::kAlign || size == 0) return emmalloc_realloc(mem, size);
  if (void *const same = hg_realloc_in_place(mem, size)) return same;
  void *const to = hg_libc_memalign(alignment, size);
  if (to == nullptr) return nullptr;
  const size_t old = hg_malloc_usable_size(mem);
  __builtin_memcpy(to, mem, old < size ? old : size);
  hg_free(mem);
  return to;
}
void *aligned_realloc(void *mem, size_t alignment, size_t size) HG_WEAK_ALIAS(emmalloc_aligned_realloc);

HG_WEAK int emmalloc_trim(size_t pad) { return hg_malloc_trim(pad) != 0; }

// ---- looking inside (emmalloc.E3) ----

// 0: sound. Else 1, and one line on standard error names what is broken.
HG_WEAK int emmalloc_validate_memory_regions(void) {
  const char *const broken = hg_heap_check(nullptr);
  if (broken == nullptr) return 0;
  heapglass::Line().text("heapglass: ").text(broken).print();
  return 1;
}

HG_WEAK size_t emmalloc_dynamic_heap_size(void) {
  hg_malloc_stats stats;
  hg_malloc_get_stats(&stats);
  return stats.footprint;
}

HG_WEAK size_t emmalloc_free_dynamic_memory(void) {
  hg_malloc_stats stats;
  hg_malloc_get_stats(&stats);
  return stats.free_bytes + stats.cached;
}

// What linear memory may still grow by. Bytes behind the heap's end that are there already are not counted.
HG_WEAK size_t emmalloc_unclaimed_heap_memory(void) { return emscripten_get_heap_max() - emscripten_get_heap_size(); }

// Free chunks by the power of two of their size; their number.
HG_WEAK size_t emmalloc_compute_free_dynamic_memory_fragmentation_map(size_t counts[32]) {
  for (unsigned i = 0; i < 32; ++i) counts[i] = 0;
  hg_malloc_flush();
  size_t found = 0;
  hg_walk walk;
  hg_walk_begin(&walk, nullptr);
  hg_walk_record records[64];
  while (const size_t count = hg_walk_next(&walk, records, 64)) {
    for (size_t i = 0; i < count; ++i) {
      const uint32_t kind = records[i].kind & 0xff;
      if (kind != HG_WALK_chunk_free && kind != HG_WALK_chunk_top && kind != HG_WALK_chunk_victim) continue;
      ++counts[heapglass::floor_log2(records[i].size)];
      ++found;
    }
  }
  return found;
}

// On standard error, where emmalloc's goes to the console.
HG_WEAK void emmalloc_dump_free_dynamic_memory_fragmentation_map(void) {
  size_t counts[32];
  emmalloc_compute_free_dynamic_memory_fragmentation_map(counts);
  for (unsigned power = 0; power < 32; ++power) {
    if (counts[power] == 0) continue;
    heapglass::Line().text("heapglass: free chunks of 2^").number(power).text(" bytes or more: ").number(counts[power]).print();
  }
}

HG_WEAK void emmalloc_dump_memory_regions(void) {
  hg_walk walk;
  hg_walk_begin(&walk, nullptr);
  hg_walk_record records[64];
  while (const size_t count = hg_walk_next(&walk, records, 64)) {
    for (size_t i = 0; i < count; ++i) {
      const uint32_t kind = records[i].kind & 0xff;
      const char *const what = kind == HG_WALK_chunk_in_use   ? "in use"
                               : kind == HG_WALK_chunk_cached ? "cached"
                               : kind == HG_WALK_chunk_free   ? "free"
                               : kind == HG_WALK_chunk_top    ? "top"
                               : kind == HG_WALK_chunk_victim ? "victim"
                                                              : nullptr;
      if (what == nullptr) continue;
      heapglass::Line().text(what).text(" at ").number(records[i].address).text(", ").number(records[i].size).print();
    }
  }
}

}  // extern "C"
