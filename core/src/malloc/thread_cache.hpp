// The cache of a thread, and the central lists through which threads hand chunks to each other.
//
//   thread 1: lists ──all, when full──> central lists (central.hpp) ──a batch──> thread 2: lists
//                                           └──when they age, before memory grows, at a flush──> the heap, one lock
//
//  malloc.T1  Each thread changes its own cache only. A freed chunk goes to the freeing thread's cache. So the fast paths lock
//             nothing and send nothing back.
//  malloc.T2  space_ is what the cache may still take, in bytes of chunks. A chunk for which there is no space makes the cache
//             hand over all it has, cut into batches. A fetched batch may take space_ below 0.
//  malloc.T3  All zero bits is a cache that is not registered: its space is 0, so its first push is a slow one.
//  malloc.T4  A thread looks in its own lists first, then in the central ones (central.hpp), each time as malloc.S2 says.
//  malloc.T5  Before linear memory grows, the growing thread gives its own cache and the central lists to the heap, if a share
//             of the heap was carved since the last time. What other threads cache is theirs: at most central::kCacheBytes each, or
//             a 16th of a large heap.
//  malloc.T6  A cache ends with its thread: it is empty, has no space, and what the thread still calls goes to the heap.
//  malloc.T7  A thread of whose end nobody learns (threads.E3) never registers its cache: its lists stay empty and its space 0,
//             so every call goes to the heap.
//             In hardened builds the caches lie in the threads' own blocks, which are blocks of the heap.
//  malloc.T13  Small blocks come from the thread's own slabs (own_slabs.hpp), which no other thread takes blocks of; lists and what a cache may
//             hold are of chunks. Magazines grow (magazines.G5) into what the cache may hold. Each time the central lists age, who carves unloads its magazines and ends empty slabs, too.
//  malloc.T8  A large chunk waits (malloc.W1) only in a cache that has space for it.
//  malloc.T9  Threads that have no variables yet share one cache that has ended. Nothing changes it.
#pragma once

#include "base/shared_word.hpp"
#include "heap/heap.hpp"
#include "malloc/cache_lists.hpp"
#include "malloc/own_slabs.hpp"
#include "malloc/waiting_chunk.hpp"
#include "threads/threads.hpp"

namespace heapglass {

class ThreadCache : public CacheLists {
 public:
  [[gnu::always_inline]] void *pop(unsigned size_class) {
    void *const mem = CacheLists::pop(size_class);
    if (__builtin_expect(mem != nullptr, 1)) add_space(static_cast<std::intptr_t>(size_of_block(mem)));
    return mem;
  }
  [[gnu::always_inline]] bool push(void *mem) {
    const Word head = quick_head(chunk_of(mem));
    if constexpr (kHardened) {
      if (__builtin_expect(!Hardened::is_plain_block(chunk_of(mem), head), 0)) return false;
    }
    return keep(mem, head);
  }
  bool push_slow(void *mem, Heap &heap);
  void *fetch(unsigned size_class, Heap &heap);
  bool offers(Word request) const {
    if (kMagazines && request <= kMaxSlabRequest) return !small_.is_empty(slab_class_for(request));
    return first(class_for_request(request)) != nullptr;
  }
  bool uses_slabs(Heap &heap) { return kOwnSlabs && is_registered(heap) && small_.has_number(); }
  bool refill_slab(unsigned slab_class, Heap &heap);
  [[gnu::always_inline]] void *pop_small(unsigned slab_class) { return small_.pop(slab_class); }
  // A chunk of the class's lists, and some more for its magazine; nullptr: they are empty.
  void *pop_chunk(unsigned slab_class, unsigned size_class, Heap &heap);
  [[gnu::always_inline]] void push_small(unsigned slab_class, void *mem) { small_.push(slab_class, mem); }
#if HG_SLABS && HG_THREADS
  Slabs &slabs() { return small_.slabs(); }
#endif
  void *fetch_large(Word size);
  Word before_heap(Heap &heap) {  // the bytes of what waited
    const Word bytes = waiting_.release(heap);
    if (bytes != 0) add_space(static_cast<std::intptr_t>(bytes));
    return bytes;
  }

  void before_carving(Heap &heap, Word bytes);
  bool before_growth(Heap &heap);
  Word flush(Heap &heap);
  Word bytes();  // of all threads and the central lists; what other threads do meanwhile may be counted or not

#if !HG_THREADS
  // The cache of thread `number` becomes the active one, and the acting thread's is parked.
  static void play(std::uint32_t number, ThreadCache &active);
#endif

  // malloc.T6. Once, by the thread itself.
  void end(Heap &heap);
  // The cache is as a new thread's (malloc.T3) until it is used again. pre: its lists are empty, and the heap's lock is held
  void unregister(Heap &heap);

  // thread_block.hpp: the cache ends, and the thread's block stays; whether it did, once.
  void keep_block(Heap &heap) {
    end(heap);
    state_ = State::kKept;
  }
  bool take_kept_block() {
    if (state_ != State::kKept) return false;
    state_ = State::kEnded;
    return true;
  }

  // malloc.T9
  struct Ended {};
  constexpr explicit ThreadCache(Ended) : CacheLists{}, next(nullptr), space_(0), budget_(0), state_(State::kEnded), waiting_(), small_() {}
  ThreadCache() = default;

  ThreadCache *next;  // the other registered ones

 private:
  // Other threads read both, for the statistics.
  [[gnu::always_inline]] void add_space(std::intptr_t bytes) { change(space_, space_ + bytes); }
  void set_space(std::intptr_t space, std::intptr_t budget) {
    change(space_, space);
    change(budget_, budget);
  }
  [[gnu::always_inline]] bool keep(void *mem, Word head) {
    const std::intptr_t space = space_ - static_cast<std::intptr_t>(head & ~kFlags);
    if (head >= kListedBytes || __builtin_expect(space < 0, 0)) return false;
    if (kMagazines && small_.push_chunk(class_of_head(head), mem)) {
      if constexpr (kMarksCached) mark_cached(chunk_of(mem), head);
      return true;
    }
    change(space_, space);
    put(mem, head);
    return true;
  }
  enum class State : std::uint32_t { kNew, kRegistered, kEnded, kKept };
  static constexpr bool kOwnSlabs = kSlabs && kThreads;
  bool is_registered(Heap &heap);
  [[gnu::noinline]] void unload();
  [[gnu::noinline]] bool fetch_batch(unsigned size_class, Heap &heap);
  bool push_large(void *mem, Heap &heap);
  [[gnu::noinline]] void hand_over(const Heap &heap);

  std::intptr_t space_;
  std::intptr_t budget_;  // space_ of the empty cache
  State state_;
  WaitingChunk waiting_;  // its bytes are part of what space_ lacks
  [[no_unique_address]] OwnSlabs small_;  // not part of it
};

#if HG_THREADS
extern HG_PER_THREAD ThreadCache t_cache;
extern ThreadCache g_ended_cache;  // malloc.T9
#endif

}  // namespace heapglass
