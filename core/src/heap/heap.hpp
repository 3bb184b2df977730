// One heap: its state and everything that can be asked of it.
//
// The state lives inside the heap's own first segment, so a heap is one pointer and costs nothing outside. A heap is
// used by one thread at a time: the skin (abi/) holds lock() where there are several. It knows chunks, bins, segments and the page source; it does not know pools: the
// pool layer hangs its list on pools() and its eyes on PoolHooks.
//
//   segment (first)   base                                                            base + size
//                     | next | size | heap | state (Heap) | first chunk ... | sentinel |
//   segment (others)  | next | size | heap | first chunk ...                | sentinel |
//
//  H1  Every free chunk is in exactly one place: its bin, top, or the designated victim.
//  H2  A free chunk has no free neighbour (between operations).
//  H3  top borders the sentinel of the newest segment; a free chunk that borders it is top. 0 when none.
//  H4  top_size and victim_size repeat the sizes in the headers; 0 when there is none.
//  H5  segments are linked in address order and do not overlap.
//
// Where things are: allocate.cpp (the fast and slow paths), segments.cpp (growth, trim), resize.cpp, aligned.cpp,
// command.cpp, burst.cpp, walk.cpp, check.cpp, guard.cpp (misuse, checked build), heaps.cpp (making and ending heaps).
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

// What the pool layer tells a heap about the chunks it marked. One static table; set by the first pool made on a heap.
// A walk function writes at most `capacity` records and returns how many; it is called again, with the `state` words as
// it left them (all 0 at first), until it returns less than `capacity`. check returns NULL or names what is broken.
inline constexpr Word kPoolWalkWords = 6;
struct PoolHooks {
  // W1 of event.h: the block at mem, its sub-blocks and nodes.
  Word (*walk_block)(const Heap &heap, const void *mem, Word *state, hg_walk_record *records, Word capacity);
  // W3: the trees of all pools.
  Word (*walk_trees)(const Heap &heap, Word *state, hg_walk_record *records, Word capacity);
  const char *(*check)(const Heap &heap);
  void (*destroy_all)(Heap &heap);  // ends every pool; its blocks and itself are given back with deallocate()
};

// What the malloc front tells the heap it works on. One static table.
struct FrontHooks {
  // Nothing free fits and the heap is about to be extended; `linear_memory`: which has to grow for that. Gives back something
  // that waits. Whether it did; if so the heap looks again, and asks again.
  bool (*before_growth)(Heap &heap, bool linear_memory);
  // Who holds a chunk in use that waits for reuse (event.h, P4); ~0 when it does not wait, or in a build without probes.
  std::uint32_t (*holder)(const void *mem);
};

class Heap {
 public:
  // ---- making and ending (heaps.cpp) ----
  static Heap *default_heap();  // nullptr when memory is out; made at the first call, which no other thread may join
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
  std::uint32_t walk_hash(Word *records) const;

  // ---- for callers that share the heap between threads; the heap itself never takes it ----
  SpinLock &lock() const { return lock_; }

  // ---- for the pool layer ----
  // Bit B of the chunk that holds mem: walkers then ask the hooks for what is inside. Cleared before deallocate().
  static void set_block_mark(void *mem, bool marked) { heapglass::set_block_mark(chunk_of(mem), marked); }
  static bool block_mark(const void *mem) { return has_block_mark(chunk_of(mem)); }
  void *&pools() { return pools_; }  // head of the pool layer's own list, nullptr when there is none
  void *pools() const { return pools_; }
  // ---- for the malloc front ----
  void set_front_hooks(const FrontHooks *hooks) { front_ = hooks; }
  bool has_front_hooks() const { return front_ != nullptr; }
  // A chunk that waited for the front becomes free.
  void release_held(void *mem);
  // All that are marked as waiting become free, in one walk that joins what lies side by side. O(chunks).
  void join_waiting();
  // While frozen the heap is not extended; what waits may be asked for all the same.
  void set_frozen(bool frozen) { frozen_ = frozen; }
  // The chunk behind mem, in use, becomes part of mem's.  pre: it belongs to the front
  void join_next_held(void *mem);
  // mem's chunk is cut; the rest becomes a chunk in use, whose mem is returned.  pre: a chunk size, and a chunk is left
  void *split_held(void *mem, Word size);
  // (top.hpp)
  void *take_from_top(Word request);
  bool give_to_top(void *mem);
  // Whether growing mem in place can be worth trying: the chunk behind it is free, or the end.
  bool may_grow_in_place(const void *mem) const {
    const Chunk *const next = next_chunk(chunk_of(mem));
    return !heapglass::in_use(next) || next == end_;
  }
  // Takes what is missing from top, when that is the next chunk and large enough to leave a chunk. The same as
  // reallocate_in_place, without its events.
  bool grow_into_top(void *mem, Word size);
  // Whether mem's chunk would join a free one if it were free. Reads the next header: with threads, under the lock.
  static bool has_free_neighbour(const void *mem) {
    const Chunk *const c = chunk_of(mem);
    return !prev_in_use(c) || !heapglass::in_use(next_chunk(c));
  }
  // Whether mem can have `size` in place by extending the heap with memory that is there already.
  bool has_room_without_growth(const void *mem, Word size) const;
  // Size of one of the largest free chunks. O(1).
  Word largest_free() const;
  void set_pool_hooks(const PoolHooks *hooks) { hooks_ = hooks; }
  // Whether [mem, mem + bytes) lies in one segment of this heap. O(segments).
  bool owns(const void *mem, Word bytes) const;

 private:
  friend struct HeapInspector;  // tests only: reads the state below
  friend struct Guard;          // checked build: proves what a caller gives
  friend struct Walker;
  friend struct HeapProof;
  friend struct Expansion;      // one run of the command

  // Detached free chunks: free, header and foot right, in no bin, neither top nor victim. Every operation goes the
  // same way: detach, cut or join, attach.
  // (free_chunks.hpp)
  void insert_in_bin(Chunk *c, Word size);
  void remove_from_bin(Chunk *c, Word size);
  void set_top(Chunk *c, Word size);
  void clear_top();
  void set_victim(Chunk *c, Word size);
  void clear_victim();
  [[gnu::noinline]] void detach(Chunk *c, Word size);
  [[gnu::noinline]] void attach(Chunk *c, Word size, bool as_victim);
  void merge_and_attach(Chunk *c, Word size);

  // (allocate.cpp)
  void cut_front(Chunk *c, Word size, Word rest, Word request);
  Chunk *take_top(unsigned bin, Word size, Word request);
  void *allocate_large(Word request);
  [[gnu::noinline]] void *allocate_slow(Word request);
  [[gnu::noinline]] Chunk *find(Word size);
  [[gnu::noinline]] Chunk *take(Chunk *c, Word size, Word request);
  [[gnu::noinline]] Chunk *obtain(Word size, Word request);

  // (segments.cpp)
  bool relieved(Word size);
  [[gnu::noinline]] bool grow(Word size);
  [[gnu::noinline]] bool extend_newest(Word wanted, Word needed);
  Word growth_step(const void *at, Word needed) const;
  static void note_growth(const PageSource &source, std::uint32_t id, Word wanted);
  void add_segment(void *base, Word bytes, Word state_bytes);
  void link_segment(Segment *segment);
  Word trim_segment(Segment *segment, Word pad);
  void remove_segment(Segment **link);
  static Heap *place(void *base, Word bytes, PageSource *source, std::uint32_t id);

  // (heaps.cpp)
  void release_all();

  // (resize.cpp)
  bool borders_end(const Chunk *c) const;
  Word room_forward(const Chunk *c) const;
  [[gnu::noinline]] bool make_room(Chunk *c, Word size);
  [[gnu::noinline]] void join_next(Chunk *c);
  [[gnu::noinline]] void cut_to(Chunk *c, Word size);
  [[gnu::noinline]] bool resize(Chunk *c, Word size);
  Chunk *obtain_aligned(Word alignment, Word size, Word request);

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
  Segment *segments_;
  Segment *newest_;
  PageSource *source_;  // nullptr: a fixed region
  Word footprint_;
  Word peak_footprint_;
  void *pools_;
  const FrontHooks *front_;  // nullptr: nothing waits
  bool frozen_;
  const PoolHooks *hooks_;
  [[no_unique_address]] mutable SpinLock lock_;
  Bins bins_;
};

static_assert(alignof(Heap) <= kWord, "the state lies behind a segment header of three words");

}  // namespace heapglass
