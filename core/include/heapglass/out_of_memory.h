/* heapglass: out of memory, explained, and a warning before it happens. Compiles as C99 and C++20.
 *
 * In the profiles trace and checked the first malloc that fails prints the report on standard error by itself. In the others a
 * program asks for it; what it does not call is not linked. Nothing here allocates.
 */
#ifndef HEAPGLASS_OUT_OF_MEMORY_H
#define HEAPGLASS_OUT_OF_MEMORY_H

#include <heapglass/heapglass.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Why the newest malloc (calloc, realloc, memalign) failed, in a few lines of text: what was asked, the cause, the figures of the
 * heap as it is now. The causes:
 *
 *   fragmentation  enough is free, but not in one piece; it names the blocks in use that keep the cheapest hole from forming
 *   leak           nearly all is live, and one size class only grew; it says which, and how. Needs a history (see below)
 *   limit          memory may not grow at all: how the program was linked, or its host
 *   shortage       what is live and what was asked are more than memory can have
 *
 * Writes at most `capacity` bytes with the final 0, in whole letters; returns the length. When nothing has failed it says so.
 * O(chunks). */
size_t hg_out_of_memory_report(char *buffer, size_t capacity);

/* Called once, at the first allocation from the heap after its footprint has passed the limit, before that allocation does anything;
 * it may allocate, free, and set a limit anew. hook NULL: no limit. From the first call on a history is kept, for the report: each
 * time the heap has doubled, what is live in each size class. Profiles trace and checked keep it from the beginning. The profile
 * small has neither. */
typedef void (*hg_soft_limit_hook)(size_t footprint, size_t limit);
void hg_set_soft_limit(size_t bytes, hg_soft_limit_hook hook);

#ifdef __cplusplus
}
#endif

#endif
