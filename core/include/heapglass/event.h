/* heapglass: the records the allocator leaves behind. Layout only; compiles as C99 and as C++20.
 *
 * This file is the one source of truth for every byte that crosses from the allocator to a reader: the event record,
 * the ring that carries it, and the record of the heap walk. web/src/protocol/event_layout.ts is generated from it
 * (tools/gen_event_layout), so the tables below keep their shape: one X(...) a line.
 *
 * Over 300 lines: one table of all events, with their rules, and what carries them.
 *
 *   event record, 16 bytes, four little-endian 32-bit words
 *
 *     31            16 15      8 7       0
 *    +----------------+---------+---------+
 *    | detail         | heap    | kind    |  word 0   detail: bin, pool id, operation code ... as the table says
 *    +----------------+---------+---------+
 *    | a                                  |  word 1   an address, as an offset in linear memory, unless the table says else
 *    | b                                  |  word 2
 *    | c                                  |  word 3
 *    +------------------------------------+
 *
 *  event.E1  An event is a fact: it names all that is needed to apply it and, with the state it leads to, to undo it.
 *  event.E2  The sequence number of a record is its position: the n-th record ever written has number n, from 0.
 *  event.E3  Addresses are 32-bit offsets from the platform's base: linear memory's address in wasm, the offset in the
 *      reserved region natively.
 *  event.E4  Chunk addresses are those of the header word; node and block addresses are what the user or the pool sees.
 *  event.E5  kind 0 is never written.
 */
#ifndef HEAPGLASS_EVENT_H
#define HEAPGLASS_EVENT_H

#include <stdint.h>

#define HG_TRACE_VERSION 7u     /* raised when any table or record below changes */
#define HG_NO_BIN 0xffffu       /* "no bin" in a detail or a word */

typedef struct hg_event {
  uint32_t head; /* kind | heap << 8 | detail << 16 */
  uint32_t a;
  uint32_t b;
  uint32_t c;
} hg_event;

/* X(number, name, detail, a, b, c): the meaning of each field; _ = always 0.
 *
 * Chunk states between events: a chunk is in use or free. A free chunk may at the same time be in a bin, be top, be the
 * designated victim, or (inside one operation) be none of them. Splits and merges only cut and join; the bin,
 * top and victim events record where a free chunk is kept.
 *
 *  event.P1  pool_created, pool_shaped and pool_ruled come together and say where a block's nodes lie. Sub-block i begins at
 *      block + i * sub_block_bytes and is sub_block_bytes long, the last one what is left of block_bytes. Its first node
 *      lies first_node bytes behind its start (i = 0) or later_node bytes (i > 0); as many nodes follow, side by side,
 *      as fit. Segregated: sub_blocks is 0, the nodes follow from block + first_node. Each way nodes_per_block nodes.
 *      block_bytes is the size of every block_made and of every block record of the walk.
 *  event.P2  Shapes fixed_block, lock_free and fixed_size count like segregated ones: node_taken and node_returned name no block
 *      (0, 0). Their owner keeps the list of free nodes, so a node may be handed out without any operation around it.
 *  event.P3  Shape size_class is one class of the small front. A free node is in the central list of its class or in the cache
 *      of a thread: block_made puts all nodes of the block into the central list, block_retired takes them out of it;
 *      batch_fetched and batch_stored move `count` nodes; node_taken and node_returned (0, 0 for block and count) take
 *      from and give to the cache of the acting thread, which thread_changed named last.
 *      For each class and thread: cached >= 0; for each class: nodes == central + sum of cached + in use.
 *  event.P4  A chunk that malloc caches stays in use for its neighbours, but belongs to no caller, and its header has B without C. It
 *      is on a list of a thread's cache (holder: the thread's number), or on a central list (holder 0).
 *      chunk_cached puts it there and chunk_reused takes it out for a caller, each by the acting thread, which thread_changed
 *      named last; cached_moved carries it from one holder to another; cached_ended takes it out for the heap: chunk_released
 *      or chunks_merged follows.
 *      Outside every operation each of the two is a whole call: chunk_reused a malloc of `request` bytes, chunk_cached a free. Most
 *      calls of a program are such, and what op_begun and op_ended would add follows: the block begins word_size bytes
 *      behind the chunk and has word_size bytes less than it, and the call succeeded. Inside an operation they are its steps.
 *  event.P5  Consecutive text events make one text. The event behind the last of them takes it: a mark (its name), or
 *      string_defined. Numbers of strings and sites begin with 1 and are never reused.
 *  event.P6  snapshot_begun, then for each of its heaps snapshot_heap, what its pools are (pool_created, pool_shaped, pool_ruled
 *      of each living one; what is not told is read off a pool's first block) and so many walk records, then snapshot_ended. A walk
 *      record in a trace is an hg_walk_record whose kind has HG_EVENT_WALK added. From snapshot_ended on the state is what the
 *      records say, whatever it was before: so a trace goes on behind lost events, or begins late.
 *  event.P7  A heap of word_size 0 is foreign: the allocator is another's, and only its calls are seen. Its segment is all of linear
 *      memory, in which nothing but blocks is known: block_allocated and block_freed, with the addresses that the program has. A
 *      resized block is freed and allocated inside one operation. Freeing what is not known changes nothing (it was allocated
 *      unseen), but for P10; a block that begins where one is known replaces it (that one was freed unseen).
 *  event.P8  A slab is a chunk that malloc cuts into `count` blocks of block_bytes, which have no headers (core/src/slab):
 *        | 4 words: the chunk's header and the slab's own | block 0 | ... | block count - 1 | rest |
 *      slab_made says so of a chunk in use, and slab_ended takes it back. Then a block that is in use becomes a chunk in use (no two
 *      neighbours are): it begins at the word before the block and ends a word behind it, in the next one, so it has two words more than the
 *      block. What lies between is a chunk in use until chunk_released says so next; where that is less than the least chunk, four
 *      words, it belongs to the chunk before it. Between slab_made and slab_ended, each of these parts is what
 *      a chunk is elsewhere: its address names the word before a block, which is the block before it or the slab's own, and it has all
 *      the bytes of its size. Its blocks are cached (P4) on the list HG_SLAB_LISTS + class at first; chunk_reused and chunk_cached take and
 *      return them. The slab's own words and the rest are nobody's: list HG_SLAB_WORDS. All of them have holder 1, whoever acts.
 *      count 0: the whole chunk is nobody's. It says where slabs lie.
 *  event.P9  state_kept: the host has a copy of all memory; copies are numbered from 1. state_reset: memory is again what it was at the
 *      state_kept of that number, and so are heaps, chunks, blocks, pools and caches, with the births that they had. What the trace says of
 *      the time between has happened, but what is live now does not come from it. Only the ring goes on, and memory keeps its length. A
 *      reader that did not see that state_kept goes on as behind lost events. Both lie outside every operation.
 *  event.P10  In a foreign heap, block_freed of an address at which no block begins frees the block that it lies in: of those that begin before
 *      it, the last. A compiler may put memalign into its caller. Then the larger block of its malloc is seen, whose front memalign gives back.
 */
#define HG_EVENT_WALK 0x80u
#define HG_SLAB_LISTS 0x100u
#define HG_SLAB_WORDS 0x200u
#define HG_EVENTS(X)                                                                                          \
  /* heaps and segments */                                                                                    \
  X(1, heap_created, word_size, heap_address, alignment, state_bytes) /* word_size 0: a foreign heap, P7 */   \
  X(2, heap_destroyed, _, heap_address, _, _)                    /* its segments are removed before */       \
  X(3, memory_grown, ok, old_pages, new_pages, wanted_bytes)     /* of 64 KiB, begun ones too; ok 0: refused */\
  X(4, segment_added, _, base, size, first_chunk)                /* first_chunk: free, up to the sentinel */ \
  X(5, segment_extended, _, base, old_size, new_size)            /* a free chunk of the growth at the end */ \
  X(6, segment_trimmed, _, base, old_size, new_size)             /* the free chunk at the end is gone */     \
  X(7, segment_removed, _, base, size, first_chunk)              /* held one free chunk, now gone */         \
  X(8, pages_discarded, _, address, size, _)                     /* free, given to the host: hg_discard_pages */ \
  X(9, memory_moved, _, old_pages, new_pages, _)                 /* it went on in another memory: hg_memory_moved */ \
  /* operations: what was asked, what was tried, how it ended */                                              \
  X(10, op_begun, op, address, request, argument)                /* op: HG_OPS; nested ones are inner steps */\
  X(11, op_ended, op, address, size, status)                     /* result, received bytes, hg_status */     \
  X(12, bin_searched, bin, size, found_size, source)             /* bin: first bin tried; source: HG_SOURCES */\
  X(13, command_tried, trial, address, wanted, available)        /* trial: HG_TRIALS | worked << 8 */        \
  /* chunks */                                                                                                \
  X(20, chunk_split, _, address, left_size, right_size)          /* left keeps its state, right is free */   \
  X(21, chunks_merged, in_use, address, left_size, right_size)   /* 0 none, 1 left, 2 right was in use */    \
  X(22, chunk_taken, _, address, size, request)                  /* free -> in use */                        \
  X(23, chunk_released, _, address, size, _)                     /* in use -> free */                        \
  X(24, burst_carved, _, address, element_size, count)           /* free chunk -> count chunks in use */     \
  /* blocks of a foreign heap: P7 */                                                                          \
  X(25, block_allocated, _, address, size, alignment)            /* size: as asked; alignment 0: the heap's */\
  X(26, block_freed, _, address, _, _)                           /* in a block: P10 */                       \
  /* where free chunks are kept */                                                                            \
  X(30, bin_inserted, bin, address, size, predecessor)           /* predecessor in the bin's list, 0 first */\
  X(31, bin_removed, bin, address, size, predecessor)                                                        \
  X(32, top_changed, _, address, old_address, _)                 /* 0: none */                               \
  X(33, victim_changed, _, address, old_address, _)              /* 0: none */                               \
  /* pools: detail is the pool's id, unique among the living */                                               \
  X(40, pool_created, pool, pool_address, node_size, nodes_per_block)                                        \
  X(41, pool_shaped, pool, sub_block_bytes, sub_blocks, shape)   /* shape: HG_SHAPES | max_free_blocks << 8 */\
  X(42, pool_destroyed, pool, pool_address, _, _)                /* its blocks are retired before */         \
  X(43, block_made, pool, block, size, _)                        /* block: address in a chunk in use */      \
  X(44, block_retired, pool, block, size, _)                     /* all its nodes are free */                \
  X(45, block_inserted, pool, block, predecessor, free_nodes)    /* into the tree; in-order predecessor or 0 */\
  X(46, block_removed, pool, block, predecessor, free_nodes)                                                 \
  X(47, block_moved, pool, block, old_predecessor, new_predecessor)                                          \
  X(48, node_taken, pool, node, block, free_nodes)               /* block and its free nodes after, or 0, 0 */\
  X(49, node_returned, pool, node, block, free_nodes)                                                        \
  X(50, pool_ruled, pool, first_node, later_node, block_bytes)   /* directly after pool_shaped: see P1 */    \
  X(51, batch_fetched, pool, first_node, count, thread)          /* central list -> cache of the thread: P3 */\
  X(52, batch_stored, pool, first_node, count, thread)           /* cache of the thread -> central list */   \
  X(53, thread_changed, _, thread, old_thread, _)                /* who acts from here on; 1 at first */     \
  /* malloc: list: the size class, or one more for what waits; P4 */                                          \
  X(54, chunk_cached, list, address, size, thread)                 /* freed by the program, kept for reuse */  \
  X(55, chunk_reused, list, address, size, request)              /* from the acting thread's cache */        \
  X(56, cached_moved, list, address, old_holder, new_holder)       /* thread's number, or 0: central list */   \
  X(57, cached_ended, list, address, size, holder)                 /* goes to the heap */                      \
  X(58, slab_made, list, address, block_bytes, count)              /* a chunk in use becomes blocks: P8 */     \
  X(59, slab_ended, list, address, block_bytes, count)             /* it is one chunk in use again, or several */\
  /* not from the allocator: written by the host or the reader */                                             \
  X(60, mark, code, a, b, c)                                     /* a place the program or scenario names */ \
  X(61, checkpoint, _, walk_hash, walk_records, _)               /* HG walk hash of the real heap, here */   \
  X(62, events_lost, _, count, _, _)                             /* put in by the reader of a full ring */   \
  /* texts and sites: P5 */                                                                                   \
  X(63, text, bytes, text_0, text_1, text_2)                     /* 1 to 12 bytes of UTF-8, low bytes first */\
  X(64, string_defined, _, string, _, _)                         /* the text before it has this number */     \
  X(65, site_defined, _, site, parent, string)                   /* a call site; parent 0: none */            \
  X(66, site_entered, _, site, _, _)                             /* the next outermost operation is of it */  \
  /* snapshots: the state as a walk found it, P6 */                                                           \
  X(67, snapshot_begun, word_size, heaps, thread, _)             /* thread: who acts */                       \
  X(68, snapshot_heap, alignment, heap_address, records, state_bytes)                                         \
  X(69, snapshot_ended, _, _, _, _)                                                                           \
  /* memory set back by the host: P9 */                                                                       \
  X(70, state_kept, _, number, _, _)                                                                          \
  X(71, state_reset, _, number, _, _)

/* X(number, name): operations in op_begun / op_ended */
#define HG_OPS(X)            \
  X(1, allocate)             \
  X(2, deallocate)           \
  X(3, allocate_zeroed)      \
  X(4, reallocate)           \
  X(5, allocate_aligned)     \
  X(6, command)              \
  X(7, burst_nodes)          \
  X(8, burst_arrays)         \
  X(9, burst_deallocate)     \
  X(10, trim)                \
  X(11, pool_allocate)       \
  X(12, pool_deallocate)     \
  X(13, pool_burst)          \
  X(14, pool_burst_deallocate) \
  X(15, pool_trim)           \
  X(16, pool_create)         \
  X(17, pool_destroy)        \
  X(18, heap_create)         \
  X(19, heap_destroy)          \
  X(20, small_allocate)        \
  X(21, small_deallocate)      \
  X(22, small_squeeze)         \
  X(23, small_flush)           \
  X(24, malloc_flush)          \
  X(25, bulk_free)

/* X(number, name): where bin_searched ended */
#define HG_SOURCES(X)        \
  X(0, none)                 \
  X(1, exact_bin)            \
  X(2, larger_bin)           \
  X(3, victim)               \
  X(4, top)                  \
  X(5, own_bin_scan)

/* X(number, name): steps of the expansion command, in command_tried */
#define HG_TRIALS(X)         \
  X(1, expand_fwd)           \
  X(2, expand_bwd)           \
  X(3, expand_both)          \
  X(4, allocate_new)         \
  X(5, shrink_in_place)      \
  X(6, try_shrink_in_place)

/* X(number, name): kinds of pool, low byte of pool_shaped.shape */
#define HG_SHAPES(X)         \
  X(1, segregated)           \
  X(2, adaptive)             \
  X(3, aligned_only)         \
  X(4, size_class)           \
  X(5, fixed_block)          \
  X(6, lock_free)            \
  X(7, fixed_size)

#define HG_ENUM(number, name, ...) HG_EVENT_##name = number,
enum hg_event_kind { HG_EVENTS(HG_ENUM) };
#undef HG_ENUM
#define HG_ENUM(number, name) HG_OP_##name = number,
enum hg_op { HG_OPS(HG_ENUM) };
#undef HG_ENUM
#define HG_ENUM(number, name) HG_SOURCE_##name = number,
enum hg_source { HG_SOURCES(HG_ENUM) };
#undef HG_ENUM
#define HG_ENUM(number, name) HG_TRIAL_##name = number,
enum hg_trial { HG_TRIALS(HG_ENUM) };
#undef HG_ENUM
#define HG_ENUM(number, name) HG_SHAPE_##name = number,
enum hg_shape { HG_SHAPES(HG_ENUM) };
#undef HG_ENUM

/* The ring. One writer; a reader copies records [tail, head) and then sets tail.
 *
 *    records[seq & (capacity - 1)] holds event seq while head - capacity <= seq < head
 *
 *  event.R1  head counts every event ever written (64 bits as two words), tail what the reader has taken.
 *  event.R2  mode drop: the writer never waits, the oldest unread records are overwritten; the reader finds
 *      lost = head - tail - capacity when that is positive.
 *  event.R3  mode lossless: when head - tail == batch the writer calls the drain hook before it writes. A reader that must not lose
 *      much at a sudden end asks for a batch below the capacity, which counts from the next call of the hook on.
 *  event.R4  head is brought up to date by hg_trace_ring() and before each call of the drain hook, not with each record.
 *  event.R5  A drain hook runs inside an operation of malloc, so it must not walk the heap. It sets snapshot_due instead, when
 *      records were lost or when it wants a snapshot to begin with later.
 */
typedef struct hg_ring {
  uint32_t version;   /* HG_TRACE_VERSION */
  uint32_t capacity;  /* records, a power of two */
  uint32_t head_low, head_high;
  uint32_t tail_low, tail_high;
  uint32_t mode;      /* 0 drop, 1 lossless */
  uint32_t enabled;   /* 0: probes write nothing */
  uint32_t records;   /* address of the first record */
  uint32_t word_size; /* bytes of a chunk's header word: 4 or 8 */
  /* For snapshots (R5). */
  uint32_t snapshot_due;                /* not 0: malloc writes a snapshot before its next operation. Set by readers */
  uint32_t snapshot_low, snapshot_high; /* number of the newest snapshot_begun */
  uint32_t snapshot_records;            /* from it to its snapshot_ended */
  uint32_t batch; /* 1 to capacity: R3. Set by readers */
} hg_ring;

/* The walk: everything there is in a heap, as records of 16 bytes in a fixed order.
 *
 *  event.W1  First the address space: for each segment in address order its record, then its chunks in address order; after a
 *      chunk that is a pool's block come the block, and in address order its sub-blocks and nodes; after a slab its blocks.
 *  event.W2  Then the free lists: for each non-empty bin in number order its chunks from first to last.
 *  event.W3  Then for each pool in id order, its blocks in tree order.
 *  event.W4  The walk hash is FNV-1a (32 bit) over all words of all records, each word as four little-endian bytes.
 */
typedef struct hg_walk_record {
  uint32_t kind; /* HG_WALK_* | heap << 8 | detail << 16 */
  uint32_t address;
  uint32_t size;
  uint32_t extra;
} hg_walk_record;

/* X(number, name, detail, address, size, extra)
 * sub_block: exactly as many records a block as pool_shaped.sub_blocks says (none in segregated pools), each followed by
 * its nodes. position counts from 0. */
#define HG_WALKS(X)                                                                          \
  X(1, segment, _, base, size, first_chunk)                                                  \
  X(2, chunk_in_use, _, chunk, size, header_word)    /* header_word: low 32 bits, raw */     \
  X(3, chunk_free, bin, chunk, size, header_word)    /* bin, or HG_NO_BIN for top, victim */ \
  X(4, chunk_top, _, chunk, size, header_word)                                               \
  X(5, chunk_victim, _, chunk, size, header_word)                                            \
  X(6, block, pool, block, size, free_nodes)                                                 \
  X(7, sub_block, pool, sub_block, size, block)                                              \
  X(8, node_in_use, pool, node, node_size, block)                                            \
  X(9, node_free, pool, node, node_size, block)                                              \
  X(10, bin_entry, bin, chunk, size, position)                                               \
  X(11, tree_entry, pool, block, free_nodes, position)                                       \
  X(12, chunk_cached, holder, chunk, size, header_word) /* in place of chunk_in_use: P4 */   \
  X(13, slab, list, chunk, size, header_word)        /* likewise: P8. Its blocks follow */   \
  X(14, slab_block_in_use, list, address, size, _)                                           \
  X(15, slab_block_free, list, address, size, _)

#define HG_ENUM(number, name, ...) HG_WALK_##name = number,
enum hg_walk_kind { HG_WALKS(HG_ENUM) };
#undef HG_ENUM

#endif
