// The cache in builds with probes and one thread, where threads may be played for stories and tests (hg_malloc_play_thread):
// a SoloCache until the first thread is played, from then on a ThreadCache for each number.
#pragma once

#include "malloc/flush.hpp"
#include "malloc/solo_cache.hpp"
#include "malloc/thread_cache.hpp"

namespace heapglass {

class PlayedCache {
 public:
  void *pop(unsigned size_class) { return playing_ ? threads_.pop(size_class) : solo_.pop(size_class); }
  void *first(unsigned size_class) const { return playing_ ? threads_.first(size_class) : solo_.first(size_class); }
  bool offers(Word request) const { return playing_ ? threads_.offers(request) : solo_.offers(request); }
  bool push(void *mem) { return playing_ ? threads_.push(mem) : solo_.push(mem); }
  void *fetch(unsigned size_class, Heap &heap) { return playing_ ? threads_.fetch(size_class, heap) : solo_.fetch(size_class, heap); }
  bool push_slow(void *mem, Heap &heap) {
    return playing_ ? threads_.push_slow(mem, heap) : solo_.push_slow(mem, heap);
  }
  bool uses_slabs(Heap &) const { return kSlabs && !playing_; }
  Slabs &slabs() { return g_slabs; }
  bool refill_slab(unsigned slab_class, Heap &heap) { return solo_.refill_slab(slab_class, heap); }  // pre: uses_slabs()
  void *pop_small(unsigned slab_class) {
    const unsigned size_class = slab_class != 0 ? slab_class : class_for_request(0);  // the one for which fetch is called
    return playing_ ? threads_.pop(size_class) : solo_.pop_small(slab_class);
  }
  void *pop_chunk(unsigned slab_class, unsigned size_class, Heap &heap) { return solo_.pop_chunk(slab_class, size_class, heap); }  // pre: uses_slabs()
  void push_small(unsigned slab_class, void *mem) {
    if (playing_) g_slabs.push(slab_class, mem);
    else solo_.push_small(slab_class, mem);
  }
  void *fetch_large(Word size) { return playing_ ? threads_.fetch_large(size) : solo_.fetch_large(size); }
  Word before_heap(Heap &heap) { return playing_ ? threads_.before_heap(heap) : solo_.before_heap(heap); }
  void before_carving(Heap &heap, Word bytes) {
    if (playing_) threads_.before_carving(heap, bytes);
    else solo_.before_carving(heap, bytes);
  }
  bool before_growth(Heap &heap) { return playing_ ? threads_.before_growth(heap) : solo_.before_growth(heap); }
  Word flush(Heap &heap) { return playing_ ? threads_.flush(heap) + flush_left_slabs(heap) : solo_.flush(heap); }
  Word bytes() { return playing_ ? threads_.bytes() : solo_.bytes(); }

  // The calls that follow are those of thread `number`, 1 .. kPlayedThreads. The caller then changes the thread number.
  void play(std::uint32_t number, Heap &heap);

 private:
  // Of the time before the first thread was played: their blocks may be freed since.
  static Word flush_left_slabs([[maybe_unused]] Heap &heap) {
    if constexpr (kSlabs) {
      if (g_slabs.would_flush()) return FlushOperation(heap).ended(g_slabs.flush(heap));
    }
    return 0;
  }

  bool playing_;
  SoloCache solo_;
  ThreadCache threads_;  // the acting thread's
};

#if HG_TRACE && !HG_THREADS
extern PlayedCache g_played_cache;
#endif

}  // namespace heapglass
