/* heapglass: the reason for out of memory, and a warning before it happens. Compiles as C99 and C++20.
 *
 * In the profiles trace and checked, the first malloc that fails prints the report on standard error. In the others the
 * program requests it; functions that it does not call are not linked. No function here allocates.
 */
#ifndef HEAPGLASS_OUT_OF_MEMORY_H
#define HEAPGLASS_OUT_OF_MEMORY_H

#include <heapglass/heapglass.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a few lines of text on why the newest malloc (calloc, realloc, memalign) failed: the request, the cause, and the
 * heap's figures now. The causes:
 *
 *   fragmentation  enough memory is free, but not in one chunk; names the blocks in use that prevent the cheapest hole
 *   leak           nearly everything is live, and one size class only grew; names it. Needs a history (see below)
 *   limit          memory must not grow, because of the program's linker flags or its host
 *   shortage       the live bytes and the request exceed what memory can have
 *
 * Writes at most `capacity` bytes with the final 0, in whole characters, and returns the length. If nothing has failed, the
 * text says so. O(chunks). */
size_t hg_out_of_memory_report(char *buffer, size_t capacity);

/* Sets a hook that is called once, at the beginning of the first allocation from the heap after its footprint has passed the
 * limit. The hook may allocate, free, and set a new limit. hook NULL: no limit. From the first call on, a history is kept for
 * the report: each time the heap has doubled, the live bytes of each size class. The profiles trace and checked keep it from
 * the beginning. The profile small has neither hook nor history. */
typedef void (*hg_soft_limit_hook)(size_t footprint, size_t limit);
void hg_set_soft_limit(size_t bytes, hg_soft_limit_hook hook);

#ifdef __cplusplus
}
#endif

#endif
