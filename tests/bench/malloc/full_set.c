/* Nothing but the functions of an allocator, exported: the size of this module is the size of the allocator. */
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((used, visibility("default")))

#if defined(BENCH_HEAPGLASS)
#include <heapglass/heapglass.h>
EXPORT void *x_allocate(size_t size) { return hg_heap_allocate(0, size); }
EXPORT void x_deallocate(void *mem) { hg_heap_deallocate(0, mem); }
#ifdef BENCH_FULL
EXPORT void *x_zeroed(size_t count, size_t size) { return hg_heap_allocate_zeroed(0, count, size); }
EXPORT void *x_reallocate(void *mem, size_t size) { return hg_heap_reallocate(0, mem, size); }
EXPORT void *x_aligned(size_t alignment, size_t size) { return hg_heap_allocate_aligned(0, alignment, size); }
EXPORT size_t x_usable(void *mem) { return hg_usable_size(mem); }
#endif
#elif defined(BENCH_NOTHING)
EXPORT void *x_allocate(size_t size) { return (void *)size; }
EXPORT void x_deallocate(void *mem) { (void)mem; }
#else
#include <malloc.h>
#include <stdlib.h>
EXPORT void *x_allocate(size_t size) { return malloc(size); }
EXPORT void x_deallocate(void *mem) { free(mem); }
#if defined(BENCH_FULL) || defined(BENCH_FAMILY) /* the family: the five calls that every allocator has */
EXPORT void *x_zeroed(size_t count, size_t size) { return calloc(count, size); }
EXPORT void *x_reallocate(void *mem, size_t size) { return realloc(mem, size); }
EXPORT void *x_aligned(size_t alignment, size_t size) { return memalign(alignment, size); }
#endif
#ifdef BENCH_FULL
EXPORT size_t x_usable(void *mem) { return malloc_usable_size(mem); }
#endif
#endif
