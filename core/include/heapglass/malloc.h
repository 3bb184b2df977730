/* heapglass: malloc under names that no libc uses. The archives libheapglass-malloc-<profile> define malloc, free and the
 * whole family with these functions. Compiles as C99 and C++20.
 *
 * All functions work on the default heap, and every larger block is a chunk of that heap. A block of hg_malloc may therefore be
 * expanded by hg_heap_command(NULL, ...) and freed by hg_heap_deallocate(NULL, ...), and vice versa. A freed block below
 * 8 KiB is cached for the next request of its size class. The cache is flushed to the heap, which merges neighbours, before
 * memory grows and when it contains sizes that the program no longer requests.
 *
 * Blocks up to 128 bytes lie in slabs and are no chunks; in hardened builds and with threads up to 256 bytes. `small`, `checked` and hardened builds with threads have
 * no slabs. The heap's functions for one block take such blocks all the same; for the expansion command they are blocks without room beside them.
 *
 * Limits: a request and its alignment together may be up to 4 GiB minus two pages on wasm32 (4 GiB minus 16 MiB on 64-bit
 * hosts), so linear memory is the limit. As with dlmalloc, a block may be larger than PTRDIFF_MAX; the distance of two
 * addresses in it may then exceed a ptrdiff_t.
 *
 * Alignment: HG_ALIGNMENT (8 on wasm32). Threads: any function from any thread in builds with threads (HG_THREADS=1).
 */
#ifndef HEAPGLASS_MALLOC_H
#define HEAPGLASS_MALLOC_H

#include <heapglass/heapglass.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates at least `size` bytes (0 counts as 1). NULL when out of memory. A few instructions when a block is cached. */
void *hg_malloc(size_t size);
/* Frees a block. NULL has no effect. A few instructions. */
void hg_free(void *mem);
/* Allocates count * size zeroed bytes. NULL on overflow or when out of memory. */
void *hg_calloc(size_t count, size_t size);
/* Resizes a block in place if possible, otherwise moves it. mem NULL allocates. Size 0 shrinks the block to the smallest
 * size and returns it, as does dlmalloc, Emscripten's default. (emmalloc and hg_heap_reallocate free it and return NULL.)
 * NULL always means failure, and then the old block remains unchanged. */
void *hg_realloc(void *mem, size_t size);
/* Like hg_realloc, but never moves the block. Returns mem, or NULL when it cannot be resized in place. mem NULL: NULL. */
void *hg_realloc_in_place(void *mem, size_t size);
/* Allocates at a multiple of `alignment`, a power of two; otherwise NULL. (Like dlmalloc's, the archives' memalign also
 * accepts other alignments.) */
void *hg_memalign(size_t alignment, size_t size);
/* Returns the bytes that the caller may use, at least the bytes requested. 0 for NULL. */
size_t hg_malloc_usable_size(const void *mem);
/* Frees `count` blocks and sets each entry to NULL; entries may be NULL. Returns 0, the number of entries that it could not
 * free, as the libc function of this name does. */
size_t hg_bulk_free(void **blocks, size_t count);
/* Flushes the calling thread's cache and the central lists to the heap. Returns the bytes of these chunks. */
size_t hg_malloc_flush(void);
/* hg_malloc_flush, then hg_heap_trim. Returns the bytes returned to the page source. */
size_t hg_malloc_trim(size_t pad);

/* Lists the whole pages inside cached chunks and inside free blocks of slabs, as hg_heap_free_pages (heapglass.h) lists those inside free
 * ones: nothing depends on their contents until malloc is called. With threads, and in builds with probes, it lists none. O(cached chunks, and KiB of
 * the heap). */
size_t hg_malloc_cached_pages(size_t page_bytes, size_t *cursor, size_t *runs, size_t capacity);

typedef struct hg_malloc_stats {
  size_t footprint;      /* bytes of segments */
  size_t peak_footprint;
  size_t in_use;         /* bytes of the program's chunks, headers included */
  size_t cached;         /* bytes of chunks in the caches of all threads, and on central lists */
  size_t free_bytes;     /* bytes of free chunks, top included */
  size_t flushes;        /* flushes so far */
  size_t returnable;     /* bytes of whole free pages of 4 KiB */
} hg_malloc_stats;
/* O(chunks). With threads, concurrent changes by other threads may be counted or not. */
void hg_malloc_get_stats(hg_malloc_stats *stats);
/* For scenarios and tests in builds with probes and without threads: the following calls act as thread `number`, 1 .. 16,
 * each with its own cache. From the first call on, caches are bounded and hand over as in builds with threads. In other
 * builds it has no effect. */
void hg_malloc_play_thread(uint32_t number);

#ifdef __cplusplus
}
#endif

#endif
