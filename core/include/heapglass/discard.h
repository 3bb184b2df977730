/* A hook for hosts that take pages back in place: memory.discard of WebAssembly, madvise of an operating system. */
#ifndef HEAPGLASS_DISCARD_H
#define HEAPGLASS_DISCARD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Define it in the program: the allocator's own does nothing, and is weak. hg_malloc_trim, hg_malloc_flush and hg_heap_trim call it at
 * their end for each run of whole free pages of 64 KiB, also for pages that it was called for before. Afterwards the pages may hold
 * what they held, or zeros. It is called under the heap's lock and must not allocate. The checked build never calls it, because it
 * proves what free chunks contain. */
void hg_discard_pages(void *address, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
