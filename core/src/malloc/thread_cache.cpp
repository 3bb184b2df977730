// See thread_cache.hpp.
#include "malloc/thread_cache.hpp"

#include "malloc/central.hpp"
#include "malloc/flush.hpp"
#include "malloc/malloc.hpp"
#include "platform/threads.hpp"

namespace heapglass {

#if HG_THREADS
HG_PER_THREAD ThreadCache t_cache;
constinit ThreadCache g_ended_cache{ThreadCache::Ended{}};
#endif

#if HG_THREADS || HG_TRACE

namespace {

CacheRegistry<ThreadCache> g_thread_caches;

void note_moves(const Heap &heap, unsigned size_class, void *first, std::uint32_t from, std::uint32_t to) {
  if constexpr (kTraced) {
    for (void *mem = first; mem != nullptr; mem = next_cached(mem)) {
      CacheGuard::check_moved(heap, mem, from);
      set_holder(mem, to);
      HG_PROBE(cached_moved, heap.id(), size_class, chunk_of(mem), from, to);
    }
  }
}

}  // namespace

bool ThreadCache::is_registered(Heap &heap) {
  if (state_ != State::kNew) return state_ == State::kRegistered;
#if HG_THREADS
  if (!at_thread_end(Malloc::end_thread)) return false;  // malloc.T7
#endif
  state_ = State::kRegistered;
  const std::intptr_t budget = central::budget();
  set_space(space_ + budget, budget);
  order.begin();
  small_.begin(heap);
  g_thread_caches.add(*this);
  return true;
}

void ThreadCache::hand_over(const Heap &heap) {
  for (unsigned list = 0; list < kHeads; ++list) {
    void *const first = lists[list];
    if (first == nullptr) continue;
    note_moves(heap, list / kWays, first, thread_number(), kCentral);
    lists[list] = nullptr;
    central::store(list / kWays, first);
  }
  const std::intptr_t budget = central::budget();
  set_space(budget - static_cast<std::intptr_t>(waiting_.bytes()) - small_.grown(), budget);
}

// The thread's own lists first: they need no lock.
void *ThreadCache::fetch(unsigned size_class, Heap &heap) {
  if (!is_registered(heap)) return nullptr;
  const unsigned end = end_of_near(size_class);
  for (unsigned k = size_class + 1; k < end; ++k) {
    if (first(k) != nullptr) return pop(k);
  }
  for (unsigned k = size_class; k < end; ++k) {
    if (fetch_batch(k, heap)) return pop(k);
  }
  return nullptr;
}

// Whether the list has chunks now.  pre: it has none
bool ThreadCache::fetch_batch(unsigned size_class, Heap &heap) {
  void *const batch = central::fetch(size_class, heap);
  if (batch == nullptr) return false;
  note_moves(heap, size_class, batch, kCentral, thread_number());
  add_space(-static_cast<std::intptr_t>(central::bytes_of_batch(batch)));
  lists[size_class * kWays] = batch;
  return true;
}

bool ThreadCache::push_slow(void *mem, Heap &heap) {
  const Word size = size_of_block(mem);
  if (!is_registered(heap)) return false;
  if (size >= kListedBytes) return push_large(mem, heap);
  if (space_ < static_cast<std::intptr_t>(size)) hand_over(heap);
  CacheGuard::check_pushed(heap, mem);
  return keep(mem, read_head(chunk_of(mem)));
}

void *ThreadCache::fetch_large(Word size) {
  void *const mem = waiting_.take(size);
  if (mem != nullptr) add_space(static_cast<std::intptr_t>(size_of_block(mem)));
  return mem;
}

bool ThreadCache::push_large(void *mem, Heap &heap) {
  const std::intptr_t size = static_cast<std::intptr_t>(size_of_block(mem));
  if (size > budget_ || !WaitingChunk::may_wait(mem)) return false;
  if (waiting_.bytes() != 0) {
    const HeapLock lock(heap);
    before_heap(heap);
    if (!WaitingChunk::may_wait(mem)) return false;  // what waited lay before it
  }
  if (space_ < size) hand_over(heap);
  add_space(-size);
  waiting_.wait(mem);
  return true;
}

// malloc.O1: each block of a magazine to its slab, or on its list.
void ThreadCache::unload() {
  add_space(small_.grown());
  small_.unload([this](void *mem) {
    add_space(-static_cast<std::intptr_t>(size_of_block(mem)));
    link(mem, lists[class_of_head(read_head(chunk_of(mem)))]);
  });
}

bool ThreadCache::refill_slab(unsigned slab_class, Heap &heap) {
  if (!small_.refill(slab_class, heap)) return false;
  if constexpr (!kMagazines) return true;
  const std::intptr_t bytes = static_cast<std::intptr_t>(Magazines::kGrowth * slab_block_bytes(slab_class));
  if (space_ < bytes) return true;
  add_space(-bytes);
  small_.grow(slab_class);
  return true;
}

void *ThreadCache::pop_chunk(unsigned slab_class, unsigned size_class, Heap &heap) {
  if (first(size_class) == nullptr && !fetch_batch(size_class, heap)) return nullptr;
  if constexpr (!kMagazines) return pop(size_class);
  for (void *mem = lists[size_class]; mem != nullptr; mem = lists[size_class]) {
    void *const rest = next_cached(mem);
    if (!small_.load(slab_class, mem)) break;
    add_space(static_cast<std::intptr_t>(size_of_block(mem)));
    lists[size_class] = rest;
  }
  return small_.pop(slab_class);
}

void ThreadCache::before_carving(Heap &heap, Word bytes) {
  before_heap(heap);
  if (!central::before_carving(heap, bytes) || state_ != State::kRegistered) return;
  unload();
  small_.flush(heap);
}

bool ThreadCache::before_growth(Heap &heap) {
  central::set_budget(heap);
  return central::is_worth_a_flush(heap) && flush(heap) != 0;
}

Word ThreadCache::flush(Heap &heap) {
  const FlushOperation operation(heap);
  unload();
  Word bytes = waiting_.release(heap);
  for (void *&list : lists) bytes += release_chain(heap, list);
  bytes += central::flush(heap);
  if (state_ == State::kRegistered) change(space_, budget_);
  const Word of_chunks = operation.ended(bytes);
  return of_chunks + small_.flush(heap);
}

Word ThreadCache::bytes() {
  Word bytes = small_.bytes();
  g_thread_caches.for_each([&bytes](const ThreadCache &cache) { bytes += static_cast<Word>(seen(cache.budget_) - seen(cache.space_) - cache.small_.grown()); });
  return bytes + central::bytes();
}

void ThreadCache::end(Heap &heap) {
  if (state_ != State::kRegistered) return;
  {
    const HeapLock lock(heap);
    before_heap(heap);
    unload();
    small_.end(heap);
  }
  hand_over(heap);
  {
    const HeapLock lock(heap);
    unregister(heap);
  }
  state_ = State::kEnded;
}

void ThreadCache::unregister(Heap &heap) {
  if (state_ != State::kRegistered) return;
  small_.end(heap);
  g_thread_caches.remove(*this);
  set_space(0, 0);
  state_ = State::kNew;
}

#endif

#if HG_TRACE && !HG_THREADS
void ThreadCache::play(std::uint32_t number, ThreadCache &active) {
  static PlayedCaches<ThreadCache> parked;
  parked.play(number, active, g_thread_caches);
}

void PlayedCache::play(std::uint32_t number, Heap &heap) {
  if (!playing_) solo_.flush(heap);
  playing_ = true;
  if (number != thread_number()) ThreadCache::play(number, threads_);
}
#endif

}  // namespace heapglass
