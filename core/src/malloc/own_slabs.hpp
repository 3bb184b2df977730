// The small blocks of a thread: its magazines, and its slabs behind them.
//
//   malloc ── magazine ──> a bit of the current slab ──> what others freed ──> a slab of its list ──> one of the orphans ──> a new one
//   free   ── magazine ──full──> its bit, if the slab is the thread's ──> else the inbox of whose slab it is (slab/slab_owners.hpp)
//
//  malloc.O1  A magazine has blocks of any thread's slabs: who frees a block may give it out again. So free asks whose slab it is only where
//             the magazine is full.
//  malloc.O2  The thread's number is taken when its cache is registered, and given back when it ends. Then its blocks go to their slabs, slabs without a
//             block in use to the heap, and the others are orphans. O(KiB of the heap).
//  malloc.O3  All zero bits belong to a thread that has none: no magazine takes a block, and no slab is its own.
//  malloc.O4  Hardened builds have no magazines: each block goes to its bit, those of another thread under that one's lock (slab_owners.O6).
#pragma once

#include "base/shared_word.hpp"
#include "heap/heap.hpp"
#include "malloc/cache_lists.hpp"
#include "malloc/magazines.hpp"
#include "slab/slab_owners.hpp"
#include "slab/slabs.hpp"

namespace heapglass {

#if HG_SLABS && HG_THREADS

class OwnSlabs {
 public:
  [[gnu::always_inline]] void *pop(unsigned slab_class) {
    void *const mem = magazines_.pop(slab_class);
    if (kTraced && mem != nullptr) is_slab_block(mem) ? unmark_waiting(mem) : unmark_cached(chunk_of(mem));
    return mem != nullptr ? mem : slabs_.pop(slab_class);
  }
  [[gnu::always_inline]] void push([[maybe_unused]] unsigned slab_class, void *mem) {
#if HG_PROVEN_OWNERS
    if (__builtin_expect(g_slab_map.owner_at(mem) == owner_, 1)) return slabs_.push_own(mem);
    free_for_owner(mem);
#else
    mark_waiting(mem);
    if (__builtin_expect(!magazines_.push(slab_class, mem), 0)) give_back(slab_class, mem);
#endif
  }
  // A chunk of a class that has no slab yet (magazines.G4). False: it is for its list.
  [[gnu::always_inline]] bool push_chunk(unsigned size_class, void *mem) {
    return kMagazines && size_class < Magazines::kClasses - 1 && magazines_.push(size_class, mem);
  }
  bool load(unsigned slab_class, void *mem) { return magazines_.push(slab_class, mem); }  // one that was cached. False: it is full
  bool is_empty(unsigned slab_class) const { return magazines_.is_empty(slab_class); }
  bool has_number() const { return owner_ != SlabOwners::kNobody; }
  Slabs &slabs() { return slabs_; }

#if HG_PROVEN_OWNERS
  static Word usable_size(const void *mem);  // proved; 0 never.  pre: it lies in a slab
#endif

  void begin(Heap &heap);  // takes a number, if there is one
  void grow(unsigned slab_class) {  // magazines.G5
    magazines_.grow(slab_class);
    if (kMagazines) change(grown_, grown_ + static_cast<std::intptr_t>(Magazines::kGrowth * slab_block_bytes(slab_class)));
  }
  std::intptr_t grown() const { return seen(grown_); }  // the bytes that magazines grew by since they were unloaded: a part of what the cache may hold
  // Whether the current slab of the class has a block now.
  [[gnu::noinline]] bool refill(unsigned slab_class, Heap &heap);
  // Slabs without a block in use, and the orphans among them, end; their bytes.  pre: the heap's lock is held, and the magazines are empty
  Word flush(Heap &heap);
  // malloc.O2.  pre: likewise
  void end(Heap &heap);
  // pre: release takes chunks only
  template <class Release>
  void unload(Release release) {
    if constexpr (!kMagazines) return;
    const Hold hold(slabs_.lock());
    magazines_.each([&](void *mem) {
      if (is_slab_block(mem)) sort_in(mem);
      else release(mem);
    });
    change(grown_, std::intptr_t{0});
    if (has_number()) magazines_.open();
    else magazines_.close();
  }
  // Of what this thread and the orphans have at hand, and of slabs' own words. What others have at hand is in use. pre: the heap's lock is held
  Word bytes();

 private:
#if HG_PROVEN_OWNERS
  [[gnu::noinline]] static void free_for_owner(void *mem);
  void sort_in(void *) {}
  void receive() {}
  static void receive_for_orphans() {}
#else
  [[gnu::noinline]] void give_back(unsigned slab_class, void *mem);
  [[gnu::noinline]] void sort_in(void *mem);
  [[gnu::noinline]] void receive();
  [[gnu::noinline]] void receive_for_orphans();
#endif
  Word flush_others(Heap &heap);

  unsigned owner_;
  std::intptr_t grown_;
  [[no_unique_address]] SmallBlocks magazines_;
  Slabs slabs_;
};

#else

// Of builds that have none.
class OwnSlabs {
 public:
  void *pop(unsigned) { return nullptr; }
  void push(unsigned, void *) {}
  bool push_chunk(unsigned, void *) { return false; }
  bool load(unsigned, void *) { return false; }
  bool is_empty(unsigned) const { return true; }
  bool has_number() const { return false; }
  void begin(Heap &) {}
  void grow(unsigned) {}
  std::intptr_t grown() const { return 0; }
  bool refill(unsigned, Heap &) { return false; }
  Word flush(Heap &) { return 0; }
  void end(Heap &) {}
  template <class Release>
  void unload(Release) {}
  Word bytes() { return 0; }
};

#endif

}  // namespace heapglass
