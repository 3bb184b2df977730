/* heapglass: malloc, by names that no libc has. The archives libheapglass-malloc-<profile> define malloc, free and
 * their whole family on top of it. Compiles as C99 and C++20.
 *
 * All of it works on the default heap, and every block is a chunk of that heap: what hg_malloc returns may be expanded by
 * hg_heap_command(NULL, ...) and freed by hg_heap_deallocate(NULL, ...), and the reverse. A freed block below 8 KiB is cached
 * for the next request of its size class. The cache is flushed into the heap, which joins neighbours, before memory grows and
 * when it holds sizes that the program no longer asks for.
 *
 * Limits: a request and its alignment together may be up to 4 GiB less two pages on wasm32 (4 GiB less 16 MiB on 64-bit hosts), so
 * linear memory itself is the limit. A block may be larger than PTRDIFF_MAX, as with dlmalloc: two addresses in it may be further
 * apart than a ptrdiff_t can say.
 *
 * Alignment: HG_ALIGNMENT (8 on wasm32). Threads: any function from any thread in builds with threads (HG_THREADS=1).
 */
#ifndef HEAPGLASS_MALLOC_H
#define HEAPGLASS_MALLOC_H

#include <heapglass/heapglass.h>

#ifdef __cplusplus
extern "C" {
#endif

/* At least `size` bytes (0 counts as 1). NULL when out of memory. A handful of instructions when a block is cached. */
void *hg_malloc(size_t size);
/* Gives a block back; NULL: nothing. A handful of instructions. */
void hg_free(void *mem);
/* count * size bytes, all zero; NULL on overflow or out of memory. */
void *hg_calloc(size_t count, size_t size);
/* Grows or shrinks in place when it can, else moves. mem NULL allocates. Size 0 frees nothing: the block shrinks to the least
 * size and is returned, as by dlmalloc, Emscripten's default (emmalloc frees it and returns NULL; so does hg_heap_reallocate).
 * So NULL always means failure, and on failure the old block stays as it is. */
void *hg_realloc(void *mem, size_t size);
/* Like hg_realloc, but never moves: mem, or NULL when the block cannot have the size where it is. mem NULL: NULL. */
void *hg_realloc_in_place(void *mem, size_t size);
/* `alignment` is a power of two, else NULL. (The archives' memalign also takes other alignments, as dlmalloc's does.) */
void *hg_memalign(size_t alignment, size_t size);
/* Bytes the caller may use: at least what was asked. 0 for NULL. */
size_t hg_malloc_usable_size(const void *mem);
/* Frees `count` blocks and sets each entry to NULL; entries may be NULL. Always 0, what the libc function of the name
 * promises: entries it could not free. */
size_t hg_bulk_free(void **blocks, size_t count);
/* Flushes the calling thread's cache, and the central lists, into the heap. Bytes of chunks that went back. */
size_t hg_malloc_flush(void);
/* hg_malloc_flush, then hg_heap_trim: bytes given back to the page source. */
size_t hg_malloc_trim(size_t pad);

typedef struct hg_malloc_stats {
  size_t footprint;      /* bytes of segments */
  size_t peak_footprint;
  size_t in_use;         /* bytes of chunks in the hands of the program, headers included */
  size_t cached;         /* bytes of chunks in the caches of all threads, and on central lists */
  size_t free_bytes;     /* bytes of free chunks, top included */
  size_t flushes;        /* flushes so far */
} hg_malloc_stats;
/* O(chunks). With threads, what other threads do meanwhile may be counted or not. */
void hg_malloc_get_stats(hg_malloc_stats *stats);
/* For builds with probes and without threads, for stories and tests: the calls that follow are those of thread `number`,
 * 1 .. 16, each with a cache of its own. Once called, caches are bounded and hand over as in builds with threads. Elsewhere
 * it does nothing. */
void hg_malloc_play_thread(uint32_t number);

#ifdef __cplusplus
}
#endif

#endif
