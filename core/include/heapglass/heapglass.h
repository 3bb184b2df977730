/* heapglass: a memory allocator for WebAssembly whose heap can be recorded and shown. This is the whole C interface; it
 * compiles as C99 and C++20. Over 300 lines, because a program includes one header.
 *
 * Units      Sizes are in bytes unless the name says otherwise.
 * Alignment  Every returned address is a multiple of HG_ALIGNMENT (two words: 8 on wasm32, 16 on 64-bit hosts), unless a
 *            function promises more.
 * Threads    In the archives for threads (HG_THREADS=1) any thread may call any function at any time. One exception: no
 *            thread may use a heap or pool while another destroys it. In the other archives nothing is locked, and only
 *            one thread at a time may use a heap.
 * Failure    When memory is out, a function returns NULL (or 0, or an empty chain) and changes nothing; hg_heap_status
 *            gives the reason.
 * Misuse     The checked build detects misuse (double free, foreign pointer ...) and calls the failure hook. In the
 *            release build misuse is undefined behaviour.
 */
#ifndef HEAPGLASS_H
#define HEAPGLASS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HG_ALIGNMENT (2 * sizeof(size_t))

typedef struct hg_heap hg_heap; /* one allocator instance; lives inside its own first segment */
typedef struct hg_pool hg_pool; /* equal nodes on a heap; lives in a chunk of that heap */

/* ---- status: the outcome of the last call on a heap ---- */

#define HG_STATUSES(X)                                                                                       \
  X(0, ok, "ok")                                                                                             \
  X(1, out_of_memory, "out of memory: no free chunk fits and linear memory cannot grow")                     \
  X(2, too_large, "size overflow: the request does not fit in the address space")                            \
  X(3, bad_alignment, "alignment is not a power of two")                                                     \
  X(4, no_command, "command names none of allocate_new, expand_fwd, expand_bwd, shrink_in_place, try_shrink_in_place") \
  X(5, unknown_flag, "command has an unknown flag")                                                          \
  X(6, shrink_with_others, "shrink_in_place cannot be combined with another command")                        \
  X(7, try_shrink_with_others, "try_shrink_in_place cannot be combined with another command")                \
  X(8, reuse_missing, "expand and shrink commands need the address to reuse")                                \
  X(9, limit_below_preferred, "a shrink command needs limit >= preferred")                                   \
  X(10, limit_above_preferred, "allocate_new and expand commands need limit <= preferred")                   \
  X(11, object_size_zero, "size of object is 0")                                                             \
  X(12, cannot_expand, "no room beside the chunk for the limit")                                             \
  X(13, cannot_shrink, "the chunk cannot be made as small as the limit")                                     \
  X(14, bad_argument, "an argument is out of range")

typedef enum hg_status {
#define HG_ENUM(number, name, text) HG_STATUS_##name = number,
  HG_STATUSES(HG_ENUM)
#undef HG_ENUM
} hg_status;

/* Returns the text of a status; never NULL. */
const char *hg_status_text(uint32_t status);
/* Returns the status of the last call on the heap, including commands, bursts and pools. O(1). */
uint32_t hg_heap_status(const hg_heap *heap);

/* ---- heaps ---- */

/* Returns the program's default heap, which grows; the first use creates it. NULL when out of memory. */
hg_heap *hg_default_heap(void);
/* Creates a separate heap that grows. NULL when out of memory or when 255 heaps exist. Events: heap_created, segment_added. */
hg_heap *hg_heap_create(void);
/* Creates a heap inside [base, base + size) that never grows. NULL when the region is too small (below 4 KiB). The region
 * may be a block of another heap, but not in a traced program: a reader reports overlapping segments as damage. */
hg_heap *hg_heap_create_fixed(void *base, size_t size);
/* Ends a heap and returns all its memory, pools included, for other heaps to use. pre: not the default heap. */
void hg_heap_destroy(hg_heap *heap);
/* Returns the heap's number in events, 1..255. */
uint32_t hg_heap_id(const hg_heap *heap);

/* ---- single chunks. heap NULL means the default heap, everywhere ---- */

/* Allocates at least `size` bytes (0 counts as 1). Bounded time, apart from memory growth. */
void *hg_heap_allocate(hg_heap *heap, size_t size);
/* Frees a block and merges it with free neighbours. NULL has no effect. Bounded time. */
void hg_heap_deallocate(hg_heap *heap, void *mem);
/* Allocates count * size zeroed bytes. NULL on overflow or when out of memory. */
void *hg_heap_allocate_zeroed(hg_heap *heap, size_t count, size_t size);
/* Resizes a block in place if possible, otherwise moves it. mem NULL allocates; size 0 frees and returns NULL. On failure
 * returns NULL and keeps the old block. */
void *hg_heap_reallocate(hg_heap *heap, void *mem, size_t size);
/* Like hg_heap_reallocate(), but never moves the block. Returns mem, or NULL when the block cannot change size in place. */
void *hg_heap_reallocate_in_place(hg_heap *heap, void *mem, size_t size);
/* Allocates `size` bytes at a multiple of `alignment`, a power of two. The block is freed and resized like any other. */
void *hg_heap_allocate_aligned(hg_heap *heap, size_t alignment, size_t size);
/* Returns the bytes that the caller may use at mem, at least the bytes requested. 0 for NULL. O(1). */
size_t hg_usable_size(const void *mem);
/* Returns the bytes that a chunk in use costs besides its usable size: one word. */
size_t hg_chunk_overhead(void);
/* Returns whole free pages at the ends of segments to the page source, and keeps `pad` bytes of top. Returns the number of
 * bytes. O(segments). */
size_t hg_heap_trim(hg_heap *heap, size_t pad);

/* ---- the expansion command ---- */

#define HG_ALLOCATE_NEW 0x01u
#define HG_EXPAND_FWD 0x02u
#define HG_EXPAND_BWD 0x04u
#define HG_SHRINK_IN_PLACE 0x08u
#define HG_NOTHROW_ALLOCATION 0x10u /* accepted and ignored: C does not throw */
#define HG_TRY_SHRINK_IN_PLACE 0x40u

typedef struct hg_command_result {
  void *mem;         /* the block, NULL on failure */
  size_t received;   /* objects that fit; on failure a limit that a new call could meet (0: none) */
  uint32_t status;   /* hg_status */
  uint32_t reused;   /* 1: mem is `reuse`, expanded or shrunk. After backward expansion mem < reuse; the old objects are
                        still at reuse, and the caller moves them. 0: mem is new memory, and reuse is unchanged */
} hg_command_result;

/* Makes memory for objects of `object_size` bytes, at least `limit` and if possible `preferred` of them, in the ways that
 * `flags` names. The order of trials:
 *
 *   1. forward expansion, as near to `preferred` as possible and at least to `limit`;
 *   2. `preferred` in the other named ways: new memory, backward, both directions (without expand_fwd, backward comes
 *      before new memory);
 *   3. `limit` in the same ways. expand_bwd alone: as many objects as possible, at least `limit`.
 *
 * Backward expansion moves the start by a multiple of lcm(object_size, HG_ALIGNMENT). docs/memory_layout.md lists all
 * combinations and preconditions; a broken precondition has its own status. No byte of the old contents is moved. Bounded
 * time, apart from memory growth. Events: command_tried for each trial. */
hg_command_result hg_heap_command(hg_heap *heap, uint32_t flags, size_t object_size, size_t limit, size_t preferred,
                                  void *reuse);

/* ---- bursts: many blocks from one call, each individually freeable ---- */

/* A counted chain of blocks, linked through their first words. Writing to a block destroys its link. */
typedef struct hg_chain {
  void *first;
  void *last;
  size_t count;
} hg_chain;

static inline void hg_chain_init(hg_chain *chain) { chain->first = 0; chain->last = 0; chain->count = 0; }
static inline void *hg_chain_next(const void *mem) { return *(void *const *)mem; }
static inline void hg_chain_push_front(hg_chain *chain, void *mem) {
  *(void **)mem = chain->first;
  chain->first = mem;
  if (!chain->last) chain->last = mem;
  ++chain->count;
}
static inline void hg_chain_push_back(hg_chain *chain, void *mem) {
  *(void **)mem = 0;
  if (chain->last) *(void **)chain->last = mem; else chain->first = mem;
  chain->last = mem;
  ++chain->count;
}
static inline void *hg_chain_pop_front(hg_chain *chain) {
  void *mem = chain->first;
  if (!mem) return 0;
  chain->first = *(void **)mem;
  if (!chain->first) chain->last = 0;
  --chain->count;
  return mem;
}
/* Moves all blocks of `from` to the end of `chain` and empties `from`. O(1). */
static inline void hg_chain_splice_back(hg_chain *chain, hg_chain *from) {
  if (!from->first) return;
  if (chain->last) *(void **)chain->last = from->first; else chain->first = from->first;
  chain->last = from->last;
  chain->count += from->count;
  hg_chain_init(from);
}

#define HG_CONTIGUOUS_ALL ((size_t)-1)
#define HG_CONTIGUOUS_DEFAULT ((size_t)0) /* runs of up to 4096 bytes */

/* Allocates `count` blocks of `size` bytes, in runs of up to `contiguous` adjacent blocks, and appends them to the chain.
 * Returns count, or 0 on failure, with chain and heap unchanged. One search per run. Events: bin_searched, burst_carved. */
size_t hg_heap_burst_nodes(hg_heap *heap, size_t count, size_t size, size_t contiguous, hg_chain *chain);
/* Allocates `count` arrays and appends them to the chain; array i has lengths[i] objects of object_size bytes. A run has at
 * most contiguous * object_size bytes. Returns count, or 0 on failure, with chain and heap unchanged. */
size_t hg_heap_burst_arrays(hg_heap *heap, size_t count, const size_t *lengths, size_t object_size, size_t contiguous,
                            hg_chain *chain);
/* Frees every block of the chain and empties the chain. The blocks may come from any function of this heap. */
void hg_heap_burst_deallocate(hg_heap *heap, hg_chain *chain);
/* Allocates `count` adjacent zeroed blocks of `size` bytes and stores their addresses in `blocks`. If blocks is NULL, it
 * allocates that array too; free it like a block. Returns the array, or NULL on failure. */
void **hg_heap_independent_calloc(hg_heap *heap, size_t count, size_t size, void **blocks);
/* Like hg_heap_independent_calloc, but block i has sizes[i] bytes and is not cleared. */
void **hg_heap_independent_comalloc(hg_heap *heap, size_t count, const size_t *sizes, void **blocks);

/* ---- pools: equal nodes ---- */

typedef struct hg_pool_options {
  uint32_t shape;            /* HG_SHAPE_segregated 1, adaptive 2 (sub-blocks), aligned_only 3 */
  uint32_t node_size;        /* bytes, rounded up to a multiple of the word; at most 64 KiB. Nodes are aligned to
                                HG_ALIGNMENT when node_size is a multiple of it, else to the word */
  uint32_t nodes_per_block;  /* the preferred number; 0: 256. hg_pool_stats contains the actual number */
  uint32_t max_free_blocks;  /* entirely free blocks to keep (adaptive kinds); 0xffff or more: all. At most 65535 */
  uint32_t overhead_percent; /* adaptive: the limit for header bytes per block, in percent; 0: 5 */
} hg_pool_options;

/* Creates a pool. NULL when out of memory or when 4095 pools exist. NULL with status bad_argument when an option is out of
 * range, or when a block would be larger than 64 MiB. */
hg_pool *hg_pool_create(hg_heap *heap, const hg_pool_options *options);
/* Ends the pool and returns all its blocks to the heap, including nodes in use. */
void hg_pool_destroy(hg_pool *pool);
/* Allocates one node. An adaptive pool takes it from the fullest block. O(1), apart from a new block; a change of the tree
 * costs O(log blocks). */
void *hg_pool_allocate(hg_pool *pool);
/* Frees a node. An adaptive pool returns free blocks beyond max_free_blocks to the heap immediately. */
void hg_pool_deallocate(hg_pool *pool, void *node);
/* Allocates `count` nodes and appends them to the chain. Returns count, or 0 on failure, with nothing changed. */
size_t hg_pool_burst(hg_pool *pool, size_t count, hg_chain *chain);
void hg_pool_burst_deallocate(hg_pool *pool, hg_chain *chain);
/* Returns every entirely free block to the heap, and the number of blocks to the caller. Adaptive: O(free blocks);
 * segregated: O(blocks * free nodes). */
size_t hg_pool_trim(hg_pool *pool);
/* Returns 1 if mem is a node of this pool, 0 if it is a block of the pool's heap; for code that frees both. pre: mem is one
 * of the two, and in use. Adaptive: O(segments); segregated: O(blocks). */
uint32_t hg_pool_owns_node(const hg_pool *pool, const void *mem);
uint32_t hg_pool_id(const hg_pool *pool);
uint32_t hg_pool_status(const hg_pool *pool);

typedef struct hg_pool_stats {
  size_t node_size;
  size_t nodes_per_block;
  size_t block_bytes;      /* bytes of a block that the pool requests from the heap */
  size_t sub_block_bytes;  /* alignment of block and sub-blocks; 0 for segregated */
  size_t sub_blocks;
  size_t blocks;
  size_t free_blocks;      /* entirely free and kept (segregated: not counted, 0) */
  size_t nodes_in_use;
  size_t nodes_free;       /* owned pools: counted by visiting them */
} hg_pool_stats;
void hg_pool_get_stats(const hg_pool *pool, hg_pool_stats *stats);

/* ---- owned pools ----
 *
 * Fixed-block managers and lock-free pools allocate nodes inline and keep the free list themselves. An owned pool provides
 * their blocks, and makes their nodes visible to walks, checks and traces.
 */

#define HG_OWNED_BLOCK_HEAD (4 * sizeof(void *)) /* bytes at the start of each block that the owner must not use */

/* The position in a visit of the free nodes. All 0 at the start; the owner defines the meaning of the words. */
typedef struct hg_free_cursor {
  const void *node;
  size_t place;
} hg_free_cursor;
/* Returns the owner's next free node, NULL after the last. O(1). Called while no other thread changes the owner's lists. */
typedef const void *(*hg_next_free)(const void *owner, hg_free_cursor *cursor);

typedef struct hg_owned_pool_options {
  uint32_t shape;           /* HG_SHAPE_size_class, fixed_block, lock_free or fixed_size */
  uint32_t node_size;       /* bytes from one node to the next */
  uint32_t first_node;      /* bytes from the start of a block to its first node; at least HG_OWNED_BLOCK_HEAD */
  uint32_t nodes_per_block; /* first_node + nodes_per_block * node_size <= block_bytes */
  uint32_t block_bytes;
  uint32_t block_alignment; /* a power of two; 0: HG_ALIGNMENT */
  const void *owner;        /* must not move while the pool exists */
  hg_next_free next_free;
} hg_owned_pool_options;

/* Creates an owned pool. NULL when out of memory, or with status bad_argument when an option is out of range. */
hg_pool *hg_owned_pool_create(hg_heap *heap, const hg_owned_pool_options *options);
/* Allocates one more block. The owner must add all its nodes to its free list before it does anything else. NULL when out
 * of memory. */
void *hg_owned_pool_acquire_block(hg_pool *pool);
/* Returns a block to the heap. pre: all its nodes are free, and none is in the owner's list any more. O(1). */
void hg_owned_pool_release_block(hg_pool *pool, void *block);
/* Visits the blocks of the pool, newest first: returns the first (block NULL) or the one after `block`; NULL after the last. */
void *hg_owned_pool_next_block(const hg_pool *pool, const void *block);
/* Returns the pool of a block. O(1). */
hg_pool *hg_owned_pool_of_block(const void *block);
/* Record that the owner allocated or freed a node. An owner calls them only #if HG_TRACE; without probes they do nothing.
 * Events: node_taken, node_returned. */
void hg_owned_node_taken(hg_pool *pool, const void *node);
void hg_owned_node_returned(hg_pool *pool, const void *node);

/* ---- memory pools: a heap for each data structure, freed as a whole ---- */

typedef struct hg_memory_pool hg_memory_pool; /* lives inside its own heap */

/* Creates a heap with a fast path for blocks of fixed_size bytes (0: none; at most 2048). NULL when out of memory. */
hg_memory_pool *hg_memory_pool_create(size_t fixed_size);
/* Ends the pool with everything in it. O(1); touches no page of its blocks. */
void hg_memory_pool_destroy(hg_memory_pool *pool);
/* Allocate and free any size, like hg_heap_allocate and hg_heap_deallocate on hg_memory_pool_heap(pool). */
void *hg_memory_pool_allocate(hg_memory_pool *pool, size_t size);
void hg_memory_pool_deallocate(hg_memory_pool *pool, void *mem);
/* Allocates one block of fixed_size bytes: pops a free list, without header or search. The block is aligned to HG_ALIGNMENT
 * when fixed_size is a multiple of it, otherwise to the word. NULL when out of memory. */
void *hg_memory_pool_allocate_fixed(hg_memory_pool *pool);
/* Frees a block to its pool, which is found by masking the address. NULL has no effect. O(1). */
void hg_memory_pool_deallocate_fixed(void *mem);
hg_heap *hg_memory_pool_heap(hg_memory_pool *pool);
hg_memory_pool *hg_memory_pool_of_fixed(const void *mem);

/* ---- the small front: size classes, thread caches, central lists ----
 *
 * A program has one small front, on the default heap. Sizes up to HG_SMALL_MAX have classes 2^n, 1.25, 1.5 and 1.75 * 2^n.
 * A block has no header and is aligned to at least the largest power of two that divides its class's size. Larger blocks
 * are chunks of the default heap at multiples of 64 KiB, so the address alone distinguishes them.
 */

#define HG_SMALL_MAX 57344u

/* Allocates at least `size` bytes (0 counts as 1). NULL when out of memory. */
void *hg_small_allocate(size_t size);
/* Frees a block; any thread may free another thread's block. NULL has no effect. */
void hg_small_deallocate(void *mem);
size_t hg_small_usable_size(const void *mem);
/* Returns every entirely free span to the heap, and free pages of the heap to the page source. Other threads may run
 * meanwhile and keep their caches. Returns the bytes of the spans. O(nodes in central lists). */
size_t hg_small_squeeze(void);
/* Moves everything in the calling thread's cache to the central lists. This happens automatically when a POSIX thread
 * ends; other kinds of threads must call it before they end. */
void hg_small_flush(void);
/* From this call on the caller acts as thread `number` (1..): with that thread's cache, and with its number in traces. For
 * deterministic tests and scenarios; only in builds without threads. */
void hg_small_play_thread(uint32_t number);

typedef struct hg_small_stats {
  size_t spans;
  size_t span_bytes;    /* taken from the heap */
  size_t in_use;        /* bytes of class sizes in use, threads' caches not counted */
  size_t cached;        /* bytes in threads' caches */
  size_t central;       /* bytes in central lists */
  size_t batches;       /* in central lists */
  size_t threads;       /* with a cache */
} hg_small_stats;
/* Counts by visiting every span and cache. pre: no other thread uses the small front. */
void hg_small_get_stats(hg_small_stats *stats);

/* ---- threads ---- */

/* Returns the number of the calling thread, assigned at its first call: 1, 2, ...; always 1 in builds without threads. */
uint32_t hg_thread_number(void);

/* ---- looking inside ---- */

typedef struct hg_heap_stats {
  size_t footprint;      /* bytes held from the page source */
  size_t peak_footprint;
  size_t in_use;         /* bytes of chunks in use, headers included */
  size_t free_bytes;     /* bytes of free chunks, top and victim included */
  size_t largest_free;   /* the largest free chunk */
  size_t chunks_in_use;
  size_t chunks_free;
  size_t top_bytes;
  size_t segments;
} hg_heap_stats;
/* Counts by walking the heap: O(chunks). The fast paths count nothing. */
void hg_heap_get_stats(const hg_heap *heap, hg_heap_stats *stats);

/* ---- memory that could go back ----
 *
 * A page is free when it holds neither a block nor a word that the allocator reads. Nothing depends on its contents, so a host may
 * discard it, or leave it out when it copies the memory to a smaller one at the same addresses (JavaScript: heap.shrink(), and
 * heapglass/shrink for linked programs). page_bytes is a power of two, at least a word; of another, the answer is 0. With 4096 it is pages
 * of an operating system, with a word the whole inside of each free chunk.
 */

/* Returns the bytes of the heap's whole free pages. For malloc call hg_malloc_flush() before: cached chunks are not free. What no
 * heap holds is not counted. O(free chunks of page_bytes and more); the fast paths count nothing. */
size_t hg_heap_returnable(const hg_heap *heap, size_t page_bytes);
/* Lists these pages: writes up to `capacity` runs into `runs`, two words each, address and bytes, and returns their number; 0 after
 * the last. cursor: two words, 0 before the first call. pre: the heap does not change meanwhile. The checked build lists none,
 * because it proves what free chunks contain. */
size_t hg_heap_free_pages(const hg_heap *heap, size_t page_bytes, size_t *cursor, size_t *runs, size_t capacity);
/* Lists the free pages that no heap holds in the same way. O(released runs) for each run. */
size_t hg_memory_free_pages(size_t page_bytes, size_t *cursor, size_t *runs, size_t capacity);
/* Returns the address behind the last byte that must be there. */
size_t hg_memory_end(void);
/* For a program whose memory was exchanged for one that ends at `end` (what hg_memory_end() returned) or later, with the same bytes
 * below, free pages excepted. Call it once, before anything else. */
void hg_memory_moved(size_t end);

/* A walk in parts: each call of hg_walk_next writes up to `capacity` records (layout and order: event.h) and returns their
 * number; 0 after the last. pre: the heap does not change until then. Allocates nothing. */
struct hg_walk_record;
typedef struct hg_walk {
  const hg_heap *heap;
  size_t state[13]; /* private */
} hg_walk;
void hg_walk_begin(hg_walk *walk, const hg_heap *heap);
size_t hg_walk_next(hg_walk *walk, struct hg_walk_record *records, size_t capacity);
/* Returns the FNV-1a hash of the whole walk, and in *records, if not NULL, the number of records. O(chunks + nodes). */
uint32_t hg_walk_hash(const hg_heap *heap, size_t *records);

/* Checks every invariant of the heap and its pools. Returns NULL if all hold, otherwise a text in a static buffer that names
 * the broken one ("C3 foot != size at 0x..."). O(chunks + nodes); segregated pools O(blocks * free nodes). In every build. */
const char *hg_heap_check(const hg_heap *heap);

/* ---- misuse, detected by the checked build ---- */

#define HG_FAILURES(X)                                                                \
  X(1, double_free, "double free: the chunk is free already")                         \
  X(2, foreign_pointer, "foreign pointer: not in this heap")                          \
  X(3, misaligned_pointer, "misaligned pointer: not the address of a block")          \
  X(4, damaged_header, "damaged header: the size word was overwritten")               \
  X(5, damaged_tag, "damaged boundary tag: header and neighbour disagree")            \
  X(6, damaged_link, "damaged free-list link: a free chunk was written to")           \
  X(7, foreign_node, "foreign node: not a node of this pool")                         \
  X(8, damaged_block, "damaged block header: a pool's block was overwritten")         \
  X(9, broken_invariant, "broken invariant: a bug in heapglass, please report it")

/* kind: one of HG_FAILURES. address: the address that was passed or found. text: kind, address and details, in a static
 * buffer. The hook must not call heapglass. After it returns, the program traps.
 *
 * Without a hook (NULL, the default) the text goes to standard error, "heapglass: double free ...", in native programs and
 * in programs linked with libheapglass-malloc-checked. A hook receives the text instead. A wasm module for another host
 * prints nothing, because it has no import for that; its host reads hg_failure_text(). */
typedef void (*hg_failure_hook)(uint32_t kind, const void *address, const char *text);
void hg_set_failure_hook(hg_failure_hook hook);
/* Returns the text of the last failure, "" if there was none; for a host that caught the trap. */
const char *hg_failure_text(void);

/* ---- events: only in the trace and checked builds; see event.h ---- */

struct hg_ring;
/* Returns the ring, with its head up to date; NULL in a build without probes. */
struct hg_ring *hg_trace_ring(void);
/* Starts recording. mode 0: drop; 1: lossless (a full ring calls the drain hook). pre: the heap does not exist yet, or was
 * not used since hg_trace_stop. */
void hg_trace_start(uint32_t mode);
void hg_trace_stop(void);
/* Starts recording late, or continues after hg_trace_stop: records events_lost with the number of missing events, then a
 * snapshot. No effect while recording. O(chunks). */
void hg_trace_resume(void);
/* Records a snapshot of all heaps, with which a reader can begin (event.P6). O(chunks); allocates nothing. pre: not called
 * from a drain hook, which sets snapshot_due of the ring instead. */
void hg_trace_snapshot(void);
/* For a host that copies memory and sets it back later (event.P9). The first records state_kept: call it directly behind the
 * copy. The second takes the place of hg_memory_moved(end) behind a reset: the ring goes on, and it records state_reset.
 * pre: the ring was read empty before, and its fields (hg_ring) were written back behind the reset. */
void hg_trace_kept(uint32_t number);
void hg_trace_reset(uint32_t number, size_t end);
/* Records a named mark on the time line, in UTF-8: hg_mark("level 3"). No effect in builds without probes. O(length). */
void hg_mark(const char *text);
/* Called in lossless mode when the ring is full. The hook must read all records and move the tail. In wasm without a hook,
 * the program's recorder drains the ring, if it is linked; otherwise the import heapglass.drain is called. */
typedef void (*hg_drain_hook)(struct hg_ring *ring);
void hg_set_drain_hook(hg_drain_hook hook);
/* Records a mark. */
void hg_trace_mark(hg_heap *heap, uint32_t code, uint32_t a, uint32_t b, uint32_t c);
/* Records a checkpoint with the hash of the heap's walk. O(chunks). */
void hg_trace_checkpoint(hg_heap *heap);

#ifdef __cplusplus
}
#endif

#endif
