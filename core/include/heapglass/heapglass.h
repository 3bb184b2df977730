/* heapglass: a memory allocator for WebAssembly that shows its heap. The whole C interface; compiles as C99 and C++20.
 *
 * Units: sizes are bytes unless the name says otherwise. Alignment: every address returned is a multiple of
 * HG_ALIGNMENT (two words: 8 on wasm32, 16 on 64-bit hosts) unless a function promises more. Threads: in the archives
 * made for threads (HG_THREADS=1) every function may be called by any thread at any time, but for making and ending:
 * whoever destroys a heap or a pool is the last to use it. In the others a heap belongs to one thread at a time, and
 * nothing is locked. Failure: out of memory returns NULL (or 0, or an empty chain) and changes nothing;
 * hg_status says why. Misuse (double free, foreign pointer ...) is detected by the checked build, which calls the
 * failure hook; in the release build it is undefined.
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

/* ---- status: why the last call on this heap gave what it gave ---- */

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

/* Text for a status; never NULL. */
const char *hg_status_text(uint32_t status);
/* Status of the last call on the heap (commands, bursts, pools included). O(1). */
uint32_t hg_heap_status(const hg_heap *heap);

/* ---- heaps ---- */

/* The heap of the program, made at first use on growing memory. NULL only when memory is out. */
hg_heap *hg_default_heap(void);
/* A heap of its own on growing memory. NULL when out of memory or when 255 heaps live. Events: heap_created, segment_added. */
hg_heap *hg_heap_create(void);
/* A heap inside [base, base + size) that never grows. The region may be a block of another heap, but then traces cannot
 * show it: a reader takes segments that overlap for a damaged trace. NULL when the region is too small (under 4 KiB). */
hg_heap *hg_heap_create_fixed(void *base, size_t size);
/* Ends a heap: all its memory, pools included, goes back for other heaps to use. Not for the default heap. */
void hg_heap_destroy(hg_heap *heap);
/* The heap's number in events, 1..255. */
uint32_t hg_heap_id(const hg_heap *heap);

/* ---- single chunks. heap NULL means the default heap, everywhere ---- */

/* At least `size` bytes (0 counts as 1). Bounded time but for memory growth. */
void *hg_heap_allocate(hg_heap *heap, size_t size);
/* Gives a block back (NULL: nothing). Bounded time; merges with free neighbours. */
void hg_heap_deallocate(hg_heap *heap, void *mem);
/* count * size zeroed bytes; NULL on overflow. */
void *hg_heap_allocate_zeroed(hg_heap *heap, size_t count, size_t size);
/* Grows or shrinks in place when it can, else moves. mem NULL allocates; size 0 frees and returns NULL. On failure the old block stays. */
void *hg_heap_reallocate(hg_heap *heap, void *mem, size_t size);
/* Like hg_heap_reallocate(), but never moves the block. Returns mem, or NULL when the block cannot change size in place. */
void *hg_heap_reallocate_in_place(hg_heap *heap, void *mem, size_t size);
/* `alignment` is a power of two. The result is freed, grown and shrunk like any other. */
void *hg_heap_allocate_aligned(hg_heap *heap, size_t alignment, size_t size);
/* Bytes the caller may use at mem: at least what was asked. 0 for NULL. O(1). */
size_t hg_usable_size(const void *mem);
/* Bytes an in-use chunk costs beside its usable size: one size word. */
size_t hg_chunk_overhead(void);
/* Gives whole pages at the ends of segments back to the page source, keeping `pad` bytes of top. Bytes given back. */
size_t hg_heap_trim(hg_heap *heap, size_t pad);

/* ---- the expansion command ---- */

#define HG_ALLOCATE_NEW 0x01u
#define HG_EXPAND_FWD 0x02u
#define HG_EXPAND_BWD 0x04u
#define HG_SHRINK_IN_PLACE 0x08u
#define HG_NOTHROW_ALLOCATION 0x10u /* accepted; C has nothing to throw */
#define HG_TRY_SHRINK_IN_PLACE 0x40u

typedef struct hg_command_result {
  void *mem;         /* the block, NULL on failure */
  size_t received;   /* objects it holds; on failure a limit a new call could meet (0: none) */
  uint32_t status;   /* hg_status */
  uint32_t reused;   /* 1: mem is reuse expanded or shrunk (mem < reuse after backward expansion: the old objects
                        still lie at reuse, the caller moves them); 0: new memory, reuse is untouched */
} hg_command_result;

/* Tries, in this order: forward expansion, getting as near to preferred as it can and content with limit; then preferred
 * by the other ways named (new, backward, both directions; backward before new when forward is not named); then limit by
 * the same ways. expand_bwd alone: preferred, else as much as there is. Counts are in objects of `object_size` bytes.
 * Backward expansion moves the start by a multiple of the least common multiple of object_size and HG_ALIGNMENT. The
 * effects and preconditions, one by one: docs/memory_layout.md. Bounded time but for memory growth and zero copying: no
 * byte of the old contents is moved. */
hg_command_result hg_heap_command(hg_heap *heap, uint32_t flags, size_t object_size, size_t limit, size_t preferred,
                                  void *reuse);

/* ---- bursts: many blocks from one call, each individually freeable ---- */

/* A chain of blocks linked through their first word. size is counted. The links are gone once the user writes there. */
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
/* Moves all of `from` to the end of `chain`; `from` is empty after. O(1). */
static inline void hg_chain_splice_back(hg_chain *chain, hg_chain *from) {
  if (!from->first) return;
  if (chain->last) *(void **)chain->last = from->first; else chain->first = from->first;
  chain->last = from->last;
  chain->count += from->count;
  hg_chain_init(from);
}

#define HG_CONTIGUOUS_ALL ((size_t)-1)
#define HG_CONTIGUOUS_DEFAULT ((size_t)0) /* runs of up to 4096 bytes */

/* Appends `count` blocks of `size` bytes to the chain, in runs of up to `contiguous` neighbours. All or nothing:
 * returns count, or 0 with chain and heap contents as before. One search per run. Events: bin_searched, burst_carved. */
size_t hg_heap_burst_nodes(hg_heap *heap, size_t count, size_t size, size_t contiguous, hg_chain *chain);
/* Appends `count` arrays; array i has lengths[i] objects of object_size bytes. A run is at most contiguous *
 * object_size bytes. All or nothing. */
size_t hg_heap_burst_arrays(hg_heap *heap, size_t count, const size_t *lengths, size_t object_size, size_t contiguous,
                            hg_chain *chain);
/* Frees every block of the chain and empties it. Blocks may come from any function of this heap. */
void hg_heap_burst_deallocate(hg_heap *heap, hg_chain *chain);
/* count zeroed blocks of `size` bytes side by side; addresses in `blocks`, or (blocks NULL) in an array allocated with
 * them and freed like them. NULL on failure. */
void **hg_heap_independent_calloc(hg_heap *heap, size_t count, size_t size, void **blocks);
/* The same with a size each and contents not cleared. */
void **hg_heap_independent_comalloc(hg_heap *heap, size_t count, const size_t *sizes, void **blocks);

/* ---- pools: equal nodes ---- */

typedef struct hg_pool_options {
  uint32_t shape;            /* HG_SHAPE_segregated 1, adaptive 2 (sub-blocks), aligned_only 3 */
  uint32_t node_size;        /* bytes, rounded up to a multiple of the word; at most 64 KiB. Nodes are aligned to
                                HG_ALIGNMENT when node_size is a multiple of it, else to the word */
  uint32_t nodes_per_block;  /* wished for; 0: 256. hg_pool_stats tells what it became */
  uint32_t max_free_blocks;  /* wholly free blocks kept (adaptive kinds); 0xffff or more: all. At most 65535 */
  uint32_t overhead_percent; /* adaptive: most header bytes per block in percent; 0: 5 */
} hg_pool_options;

/* NULL when out of memory (or 4095 pools live), when an option is out of range or when a block of so many nodes would pass
 * 64 MiB (status bad_argument). */
hg_pool *hg_pool_create(hg_heap *heap, const hg_pool_options *options);
/* All blocks go back to the heap, nodes in use included. */
void hg_pool_destroy(hg_pool *pool);
/* One node. Adaptive: from the fullest block, O(1) but for a new block; the tree changes in O(log blocks). */
void *hg_pool_allocate(hg_pool *pool);
/* The node goes back; an adaptive pool gives blocks beyond max_free_blocks to the heap at once. */
void hg_pool_deallocate(hg_pool *pool, void *node);
/* Appends `count` nodes, all or nothing: count or 0. */
size_t hg_pool_burst(hg_pool *pool, size_t count, hg_chain *chain);
void hg_pool_burst_deallocate(hg_pool *pool, hg_chain *chain);
/* Gives every wholly free block back. Blocks given. Adaptive: O(free blocks); segregated: O(blocks * free nodes). */
size_t hg_pool_trim(hg_pool *pool);
/* 1: mem is a node of this pool; 0: it is a block of the pool's heap. For whoever frees both without knowing which. pre:
 * it is one of the two, and in use. Adaptive: O(segments); segregated: O(blocks). */
uint32_t hg_pool_owns_node(const hg_pool *pool, const void *mem);
uint32_t hg_pool_id(const hg_pool *pool);
uint32_t hg_pool_status(const hg_pool *pool);

typedef struct hg_pool_stats {
  size_t node_size;
  size_t nodes_per_block;
  size_t block_bytes;      /* payload bytes a block asks of the heap */
  size_t sub_block_bytes;  /* alignment of block and sub-blocks; 0 for segregated */
  size_t sub_blocks;
  size_t blocks;
  size_t free_blocks;      /* wholly free, kept (segregated: not counted, 0) */
  size_t nodes_in_use;
  size_t nodes_free;       /* owned pools: counted by visiting them */
} hg_pool_stats;
void hg_pool_get_stats(const hg_pool *pool, hg_pool_stats *stats);

/* ---- pools with an owner of their own ----
 *
 * Fixed-block managers and lock-free pools hand out nodes by themselves, inline, and keep the list of free nodes where
 * they like. An owned pool gives them their blocks, and lets walks, checks and traces see inside.
 */

#define HG_OWNED_BLOCK_HEAD (4 * sizeof(void *)) /* bytes at the start of each block that are not the owner's */

/* Where a visit of the free nodes stands. All 0 at first; what the words mean is the owner's business. */
typedef struct hg_free_cursor {
  const void *node;
  size_t place;
} hg_free_cursor;
/* The next free node of the owner, NULL after the last. O(1). Called while no other thread changes the owner's lists. */
typedef const void *(*hg_next_free)(const void *owner, hg_free_cursor *cursor);

typedef struct hg_owned_pool_options {
  uint32_t shape;           /* HG_SHAPE_size_class, fixed_block, lock_free or fixed_size */
  uint32_t node_size;       /* bytes from one node to the next */
  uint32_t first_node;      /* bytes from the start of a block to its first node; at least HG_OWNED_BLOCK_HEAD */
  uint32_t nodes_per_block; /* first_node + nodes_per_block * node_size <= block_bytes */
  uint32_t block_bytes;
  uint32_t block_alignment; /* a power of two; 0: HG_ALIGNMENT */
  const void *owner;        /* must stay where it is as long as the pool lives */
  hg_next_free next_free;
} hg_owned_pool_options;

/* NULL when out of memory or when an option is out of range (status bad_argument). */
hg_pool *hg_owned_pool_create(hg_heap *heap, const hg_owned_pool_options *options);
/* One more block, none of whose nodes is in the owner's list yet: the owner adds them all before it does anything else.
 * NULL when out of memory. */
void *hg_owned_pool_acquire_block(hg_pool *pool);
/* The block goes back to the heap. All its nodes are free, and none is in the owner's list any more. O(1). */
void hg_owned_pool_release_block(hg_pool *pool, void *block);
/* The blocks of the pool, newest first: the first (block NULL) or the one after `block`; NULL after the last. */
void *hg_owned_pool_next_block(const hg_pool *pool, const void *block);
/* The pool of a block. O(1). */
hg_pool *hg_owned_pool_of_block(const void *block);
/* What the owner did, for traces; they do nothing in a build without probes, and an owner calls them only #if HG_TRACE. */
void hg_owned_node_taken(hg_pool *pool, const void *node);
void hg_owned_node_returned(hg_pool *pool, const void *node);

/* ---- memory pools: a heap for each data structure, freed as a whole ---- */

typedef struct hg_memory_pool hg_memory_pool; /* lives inside a heap of its own */

/* A heap of its own, with a fast path for blocks of fixed_size bytes (0: none; at most 2048). NULL when out of memory. */
hg_memory_pool *hg_memory_pool_create(size_t fixed_size);
/* The whole pool goes, whatever is in it: O(1), and no page of its blocks is touched. */
void hg_memory_pool_destroy(hg_memory_pool *pool);
/* Any size: as hg_heap_allocate and hg_heap_deallocate on hg_memory_pool_heap(pool). */
void *hg_memory_pool_allocate(hg_memory_pool *pool, size_t size);
void hg_memory_pool_deallocate(hg_memory_pool *pool, void *mem);
/* One block of fixed_size bytes: the pop of a list, no header, no search. Aligned to HG_ALIGNMENT when fixed_size is a
 * multiple of it, else to the word. */
void *hg_memory_pool_allocate_fixed(hg_memory_pool *pool);
/* Back to the pool it came from, which is found by a mask of the address. NULL: nothing. */
void hg_memory_pool_deallocate_fixed(void *mem);
hg_heap *hg_memory_pool_heap(hg_memory_pool *pool);
hg_memory_pool *hg_memory_pool_of_fixed(const void *mem);

/* ---- the small front: size classes, thread caches, central lists ----
 *
 * One front a program, on the default heap. Sizes up to HG_SMALL_MAX have classes 2^n, 1.25, 1.5 and 1.75 * 2^n; a block
 * carries no header and is aligned to at least the largest power of two that divides its class's size. Larger ones are
 * chunks of the default heap at multiples of 64 KiB, so the address alone tells the two apart; the block is not read.
 */

#define HG_SMALL_MAX 57344u

/* At least `size` bytes (0 counts as 1). NULL when out of memory. */
void *hg_small_allocate(size_t size);
/* Any thread may give back what another one took. NULL: nothing. */
void hg_small_deallocate(void *mem);
size_t hg_small_usable_size(const void *mem);
/* Gives every wholly free span back to the heap, and what the heap can spare to the page source; other threads go on
 * meanwhile, and keep what is in their caches. Bytes of spans given back. */
size_t hg_small_squeeze(void);
/* Moves everything in the calling thread's cache to the central lists. Called by itself when a POSIX thread ends; a
 * thread that ends otherwise calls it before. */
void hg_small_flush(void);
/* From here on the caller acts as thread `number` (1..): with that thread's cache, and under its number in traces. For
 * deterministic tests and stories; only in builds without threads. */
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
/* Counted by visiting everything; other threads must be at rest. */
void hg_small_get_stats(hg_small_stats *stats);

/* ---- threads ---- */

/* The number of the calling thread, given at its first call: 1, 2, ...; always 1 in builds without threads. */
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
/* Counted by walking: O(chunks). Nothing is counted on the fast paths. */
void hg_heap_get_stats(const hg_heap *heap, hg_heap_stats *stats);

/* The walk in parts: fill up to `capacity` records (layout and order: event.h), go on where it stopped. The heap must
 * not change between begin and the part that returns 0. Allocates nothing. */
struct hg_walk_record;
typedef struct hg_walk {
  const hg_heap *heap;
  size_t state[13]; /* private */
} hg_walk;
void hg_walk_begin(hg_walk *walk, const hg_heap *heap);
size_t hg_walk_next(hg_walk *walk, struct hg_walk_record *records, size_t capacity);
/* FNV-1a over the whole walk; *records gets their number when not NULL. */
uint32_t hg_walk_hash(const hg_heap *heap, size_t *records);

/* Proves every invariant of heap and pools. NULL when all hold, else a text naming the broken one ("C3 foot != size at
 * 0x..."), in a static buffer. O(chunks + nodes), but segregated pools O(blocks * free nodes); any build. */
const char *hg_heap_check(const hg_heap *heap);

/* ---- failures of the caller, found by the checked build ---- */

#define HG_FAILURES(X)                                                                \
  X(1, double_free, "double free: the chunk is free already")                         \
  X(2, foreign_pointer, "foreign pointer: not inside any segment of this heap")       \
  X(3, misaligned_pointer, "misaligned pointer: not an address this heap returns")    \
  X(4, damaged_header, "damaged header: the size word was overwritten")               \
  X(5, damaged_tag, "damaged boundary tag: header and neighbour disagree")            \
  X(6, damaged_link, "damaged free-list link: a free chunk was written to")           \
  X(7, foreign_node, "foreign node: not a node of this pool")                         \
  X(8, damaged_block, "damaged block header: a pool's block was overwritten")         \
  X(9, broken_invariant, "broken invariant: a bug in heapglass, please report it")

/* kind: HG_FAILURES; address: what was passed or found; text: kind, address and details, in a static buffer. The hook
 * must not call heapglass. After it returns, the program traps.
 *
 * Without a hook (NULL, as at first) the text is printed on standard error, "heapglass: double free ...": natively, and in a
 * program that is linked with libheapglass-malloc-checked. A hook takes the text instead. A wasm module made for a host
 * prints nothing, as it has no import for that; its host reads hg_failure_text(). */
typedef void (*hg_failure_hook)(uint32_t kind, const void *address, const char *text);
void hg_set_failure_hook(hg_failure_hook hook);
/* Text of the last failure, "" when none: for a host that caught the trap. */
const char *hg_failure_text(void);

/* ---- events: only in the trace and checked builds; see event.h ---- */

struct hg_ring;
/* The ring, its head as it is now; NULL in a build without probes. */
struct hg_ring *hg_trace_ring(void);
/* mode 0 drop, 1 lossless (drains through the hook when full). For a heap that is not made yet, or not used since hg_trace_stop. */
void hg_trace_start(uint32_t mode);
void hg_trace_stop(void);
/* Begins in the middle, or goes on after hg_trace_stop: writes events_lost with the number of events that were not written, then a
 * snapshot. Nothing when events are written already. O(chunks). */
void hg_trace_resume(void);
/* Writes a snapshot of all heaps: whoever reads from here on knows them (event.P6). O(chunks), allocates nothing. Not from a drain
 * hook: that sets snapshot_due of the ring. */
void hg_trace_snapshot(void);
/* A place on the time line with a name, in UTF-8: hg_mark("level 3"). Does nothing in builds without probes. O(length). */
void hg_mark(const char *text);
/* Called by a lossless writer when the ring is full; it must take all records and move the tail. In wasm without a
 * hook set, the program's recorder takes them, where it is linked, or the import heapglass.drain is called. */
typedef void (*hg_drain_hook)(struct hg_ring *ring);
void hg_set_drain_hook(hg_drain_hook hook);
/* Writes a mark. */
void hg_trace_mark(hg_heap *heap, uint32_t code, uint32_t a, uint32_t b, uint32_t c);
/* Writes a checkpoint with the heap's walk hash. O(chunks). */
void hg_trace_checkpoint(hg_heap *heap);

#ifdef __cplusplus
}
#endif

#endif
