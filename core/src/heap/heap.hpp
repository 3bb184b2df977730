// One heap: its state and all its operations.
//
// The state lies in the heap's own first segment, so a heap is one pointer and uses no memory elsewhere. One thread at a time uses
// a heap: with threads, the C interface (abi/) holds lock(). The heap uses chunks, bins, segments and the page source. It does not
// know pools: the pool layer keeps its list in pools() and provides PoolHooks.
//
//   segment (first)   base                                                            base + size
//                     | next | size | heap | state (Heap) | first chunk ... | sentinel |
//   segment (others)  | next | size | heap | first chunk ...                | sentinel |
//
//  heap.H1  Every free chunk is in exactly one place: its bin, top, or the designated victim.
//  heap.H2  A free chunk has no free neighbour (between operations).
//  heap.H3  top borders the sentinel of the newest segment; a free chunk that borders it is top. nullptr when there is none.
//  heap.H4  top_size and victim_size repeat the sizes in the headers; 0 when there is no such chunk.
//  heap.H5  segments are linked in address order and do not overlap.
//
// The files: allocate.cpp (allocate, free, the search for a chunk), free_chunks.cpp (bin, top, victim, joining), segments.cpp
// (growth, trim), resize.cpp (in place, aligned), command.cpp and expansion.cpp, burst.cpp, walk.cpp and snapshot.cpp, check.cpp,
// guard.cpp and hardened_heap.cpp (misuse), heaps.cpp and default_heap.cpp (creating and ending heaps), malloc_side.cpp (for malloc).
#pragma once

#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include "chunk/chunk.hpp"
#include "chunk/segment.hpp"
#include "index/bins.hpp"
#include "platform/spin_lock.hpp"

namespace heapglass {

struct PageSource;
class Heap;

// The functions of the pool layer for chunks that it marked: one static table, set when the first pool is created on a heap. A
// walk function writes at most `capacity` records and returns their number. It is called again, with the `state` words that it
// left (all 0 at first), until it returns less than `capacity`. check returns NULL or names the broken invariant.
inline constexpr Word kPoolWalkWords = 6;
struct PoolHooks {
  // event.W1 of event.h: the block at mem, its sub-blocks and nodes.
  Word (*walk_block)(const Heap &heap, const void *mem, Word *state, hg_walk_record *records, Word capacity);
  // event.W3: the trees of all pools.
  Word (*walk_trees)(const Heap &heap, Word *state, hg_walk_record *records, Word capacity);
  const char *(*check)(const Heap &heap);
  void (*destroy_all)(Heap &heap);  // ends every pool and frees its blocks and its state with deallocate()
};

// Called before a heap is extended, or changes the size of a block. `linear_memory`: linear memory must grow for that. Returns whether
// it released memory; the heap then searches again.
using GrowthHook = bool (*)(Heap &heap, bool linear_memory);

// Called for each new default heap, before its first use, when malloc is part of the program: free may get a block of this heap
// before malloc is called. Weak: only programs that call malloc link it.
[[gnu::weak]] void prepare_for_malloc(Heap &heap);

// Record i of the walk over a chunk in use that is malloc's own (event.P8); false: it is none, or has no more records. The chunk's own
// record is the first one. Weak for the same reason; only builds with probes ask.
[[gnu::weak]] bool walk_slab(const Heap &heap, const Chunk *c, Word i, hg_walk_record *record);

// nullptr, or the invariant of malloc's slabs that is broken. Weak for the same reason.
[[gnu::weak]] const char *check_slabs(const Heap &heap);

class Heap {
 public:
  // ---- making and ending (heaps.cpp) ----
  static Heap *default_heap();  // nullptr when out of memory. Created at the first call, which no other call may overlap
  static Heap *default_heap_if_made();
  static Heap *create(PageSource *source);
  static Heap *create_fixed(void *base, Word size);
  void destroy();

  // ---- single chunks; each writes op_begun and op_ended, sets status() ----
  void *allocate(Word request);
  void deallocate(void *mem);  // nullptr: nothing
  void *allocate_zeroed(Word count, Word object_size);
  void *allocate_aligned(Word alignment, Word request);
  void *reallocate(void *mem, Word request);
  void *reallocate_in_place(void *mem, Word request);
  static Word usable_size(const void *mem) { return mem == nullptr ? 0 : heapglass::usable_size(chunk_of(mem)); }

  hg_command_result command(std::uint32_t flags, Word object_size, Word limit, Word preferred, void *reuse);

  // ---- bursts ----
  Word burst_nodes(Word count, Word request, Word contiguous, hg_chain *chain);
  Word burst_arrays(Word count, const Word *lengths, Word object_size, Word contiguous, hg_chain *chain);
  void burst_deallocate(hg_chain *chain);
  void **independent_calloc(Word count, Word request, void **blocks);
  void **independent_comalloc(Word count, const Word *requests, void **blocks);

  Word trim(Word pad);

  // ---- looking inside ----
  hg_heap *handle() { return reinterpret_cast<hg_heap *>(this); }
  const hg_heap *handle() const { return reinterpret_cast<const hg_heap *>(this); }
  std::uint32_t id() const { return id_; }
  Word footprint() const { return footprint_; }
  std::uint32_t status() const { return status_; }
  void set_status(std::uint32_t status) { status_ = status; }
  void get_stats(hg_heap_stats *stats) const;
  const char *check() const;  // nullptr: every invariant holds
  Word walk(hg_walk *walk, hg_walk_record *records, Word capacity) const;
  // pre: the last record was of a pool's block. The walk goes on behind it: each part of a block costs a visit of its free list.
  static void skip_block(hg_walk *walk);
  std::uint32_t walk_hash(Word *records) const;

  // ---- for callers that share the heap between threads; the heap itself never takes this lock ----
  SpinLock &lock() const { return lock_; }

  // ---- for the pool layer ----
  // Bit B of the chunk that holds mem: a walk then calls the hooks for its contents. Clear it before deallocate().
  static void set_block_mark(void *mem, bool marked) { heapglass::set_block_mark(chunk_of(mem), marked); }
  static bool block_mark(const void *mem) { return has_block_mark(chunk_of(mem)); }
  void *&pools() { return pools_; }  // head of the pool layer's own list, nullptr when there is none
  void *pools() const { return pools_; }
  void set_pool_hooks(const PoolHooks *hooks) { hooks_ = hooks; }

  // ---- for malloc, inside its own operations (malloc_side.cpp) ----
  void set_growth_hook(GrowthHook hook) { before_growth_ = hook; }
  GrowthHook growth_hook() const { return before_growth_; }
  Chunk *take_chunk(Word size, Word request);                           // nullptr when out of memory
  Chunk *take_large_from_top(Word size, Word request);                  // nullptr: a hole serves, or top is too small. pre: not small
  Chunk *take_chunk_to_grow(Word size, Word request);                   // likewise, with half its size free behind it if possible
  Chunk *take_aligned_chunk(Word alignment, Word size, Word request);   // pre: alignment is a power of two > kAlign
  // A hole is a free chunk that is not top: whether there is one of at least `size` bytes; from kMinLarge on, of its bin or a larger one.
  bool has_hole(Word size) const;
  bool would_grow_memory(Word size) const;  // whether `size` bytes of top are to be had by growth of linear memory only
  // A chunk whose block begins at a multiple of `step`, out of a hole; nullptr: none was found.  pre: step is a power of two > kMinChunk
  Chunk *take_hole_at_step(Word step, Word size);
  void release_chunk(Chunk *c);                                         // pre: in use
  bool release_before_top(Chunk *c);                                    // false: it does not lie there, or joins another one too. pre: in use
  bool resize_chunk(Chunk *c, Word size);                               // in place. pre: in use, and nothing waits (malloc.W2)

  // Whether [mem, mem + bytes) lies in one segment of this heap. O(segments).
  bool owns(const void *mem, Word bytes) const;

 private:
  friend struct HeapInspector;  // tests only: reads the state below
  friend struct Guard;          // checked build: proves what a caller gives
  friend struct HardenedHeap;   // hardened build: proves less, faster
  friend struct Walker;
  friend struct FreePages;
  friend struct HeapProof;
  friend struct Expansion;      // one run of the command

  // A detached chunk is free, has a correct header and foot, and is in no bin and neither top nor victim. Every operation
  // detaches, cuts or joins, and attaches.
  // (free_chunks.hpp)
  void insert_in_bin(Chunk *c, Word size);
  void remove_from_bin(Chunk *c, Word size);
  void set_top(Chunk *c, Word size);
  void clear_top();
  void set_victim(Chunk *c, Word size);
  void clear_victim();
  void join_top(Chunk *c, Word size);
  void note_place(bool victim, Chunk *c);
  void cut_front(Chunk *c, Word size, Word rest, Word request);
  Chunk *take_top(unsigned bin, Word size, Word request);
  Chunk *take_small(Word size, Word request);
  Chunk *take_quickly(Word size, Word request);
  [[gnu::noinline]] void detach(Chunk *c, Word size);
  [[gnu::noinline]] void attach(Chunk *c, Word size, bool as_victim);
  void merge_and_attach(Chunk *c, Word size);

  // (allocate.cpp)
  [[gnu::noinline]] void *allocate_slow(Word request);
  [[gnu::noinline]] Chunk *find(Word size);
  [[gnu::noinline]] Chunk *take(Chunk *c, Word size, Word request);
  [[gnu::noinline]] Chunk *obtain(Word size, Word request);

  // (segments.cpp)
  bool relieved(Word size);
  void relieve_neighbours();
  [[gnu::noinline]] bool grow(Word size);
  [[gnu::noinline]] bool extend_newest(Word wanted, Word needed);
  Word growth_step(const void *at, Word needed) const;
  static void note_growth(const PageSource &source, std::uint32_t id, Word wanted);
  [[gnu::noinline]] void add_segment(void *base, Word bytes, Word state_bytes);
  void link_segment(Segment *segment);
  Word trim_segment(Segment *segment, Word pad);
  void remove_segment(Link<Segment> *link);
  static Heap *place(void *base, Word bytes, PageSource *source, std::uint32_t id);

  // (heaps.cpp)
  void release_all();

  // (command.cpp)
  [[gnu::noinline]] void command_slow(std::uint32_t flags, Word object_size, Word limit, Word preferred, void *reuse,
                                      hg_command_result *result);

  // (resize.cpp)
  bool borders_end(const Chunk *c) const;
  Word space_forward(const Chunk *c) const;
  [[gnu::noinline]] bool make_space(Chunk *c, Word size);
  [[gnu::noinline]] void join_next(Chunk *c);
  [[gnu::noinline]] void cut_to(Chunk *c, Word size);
  bool move_top(Chunk *c, Word head, Word size);
  [[gnu::noinline]] bool resize(Chunk *c, Word size);
  [[gnu::noinline]] bool resize_slow(Chunk *c, Word size);
  Chunk *obtain_aligned(Word alignment, Word size, Word request);
  // What must be cut off before a free chunk, so that its block is aligned: nothing, or a chunk.
  static Word lead_of(const Chunk *c, Word alignment);
  [[gnu::noinline]] Chunk *take_aligned(Chunk *found, Word alignment, Word size, Word request);

  // (burst.cpp)
  template <class Sizes>
  Word burst(Sizes sizes, Word count, hg_chain *chain);
  template <class Sizes>
  bool carve_run(Sizes sizes, Word from, Word count, Word bytes, hg_chain *chain);
  template <class Sizes>
  void **independent(Sizes sizes, Word count, void **blocks);
  void free_chain(hg_chain *chain);
  Chunk *release_next(hg_chain *chain);

  // Hot fields first.
  Word top_size_;
  Chunk *top_;
  Word victim_size_;
  Chunk *victim_;
  Chunk *end_;  // sentinel of the newest segment
  std::uint32_t status_;
  std::uint32_t id_;
  Link<Segment> segments_;
  Segment *newest_;
  PageSource *source_;  // nullptr: a fixed region
  Word footprint_;
  Word peak_footprint_;
  void *pools_;
  GrowthHook before_growth_;  // nullptr: none
  const PoolHooks *hooks_;
  [[no_unique_address]] mutable SpinLock lock_;
  Bins bins_;
};

static_assert(alignof(Heap) <= kWord, "the state lies behind a segment header of three words");

}  // namespace heapglass
