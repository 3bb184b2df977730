// Creating and ending heaps. The state lies in the first bytes of the heap's own memory.
#include <cstddef>

#include "heap/first_chunk.hpp"
#include "heap/free_chunks.hpp"
#include "heap/snapshot.hpp"
#include "platform/entropy.hpp"
#include "platform/page_source.hpp"

namespace heapglass {

namespace {

static_assert(kHardened || (offsetof(Segment, next) == offsetof(ReleasedRun, next) && offsetof(Segment, size) == offsetof(ReleasedRun, bytes)),
              "the segments of an ended heap are a chain of runs as they are");

constexpr Word kMinRegion = 4096;
constexpr Word kFirstBytes = kGrain == kPageBytes ? kPageBytes : 2 * kGrain;
SpinLock g_ids_lock;
std::uint32_t g_ids[8];  // bit n: id n is in use; id 0 means none
Heap *g_default = nullptr;

std::uint32_t acquire_id() {
  const Hold hold(g_ids_lock);
  g_ids[0] |= 1;
  for (std::uint32_t word = 0; word < 8; ++word) {
    if (g_ids[word] == ~0u) continue;
    const std::uint32_t bit = lowest_bit(~g_ids[word]);
    g_ids[word] |= 1u << bit;
    return word * 32 + bit;
  }
  return 0;
}

void release_id(std::uint32_t id) {
  const Hold hold(g_ids_lock);
  g_ids[id / 32] &= ~(1u << id % 32);
}

}  // namespace

// pre: base is aligned to kAlign, bytes a multiple of it
Heap *Heap::place(void *base, Word bytes, PageSource *source, std::uint32_t id) {
  Heap *const heap = at_offset<Heap>(base, sizeof(Segment));
  __builtin_memset(static_cast<void *>(heap), 0, sizeof(Heap));
  heap->id_ = id;
  heap->source_ = source;
  HardenedHeap::count_other(1);
  heap->segments_ = nullptr;
  if constexpr (kTraced) note_heap(id, heap);
  HG_PROBE(heap_created, id, kWord, heap, kAlign, kStateBytes);
  heap->add_segment(base, bytes, kStateBytes);
  return heap;
}

Heap *Heap::create(PageSource *source) {
  if constexpr (kHardened) draw_secret();
  const std::uint32_t id = acquire_id();
  if (id == 0) return nullptr;
  HG_PROBE(op_begun, id, HG_OP_heap_create, nullptr, kFirstBytes, 0);
  void *const base = source->acquire(kFirstBytes);
  note_growth(*source, id, kFirstBytes);
  if (base == nullptr) {
    release_id(id);
    HG_PROBE(op_ended, id, HG_OP_heap_create, nullptr, 0, HG_STATUS_out_of_memory);
    return nullptr;
  }
  Heap *const heap = place(base, kFirstBytes, source, id);
  HG_PROBE(op_ended, id, HG_OP_heap_create, heap, kFirstBytes, HG_STATUS_ok);
  return heap;
}

Heap *Heap::create_fixed(void *base, Word size) {
  growing_pages()->begin();  // offsets in events count from its base
  const Word skipped = (kAlign - address_of(base) % kAlign) % kAlign;
  if (base == nullptr || size > kMaxRequest || size < kMinRegion + skipped) return nullptr;
  if constexpr (kHardened) draw_secret();
  const std::uint32_t id = acquire_id();
  if (id == 0) return nullptr;
  const Word bytes = round_down(size - skipped, kAlign);
  HG_PROBE(op_begun, id, HG_OP_heap_create, base, bytes, 0);
  Heap *const heap = place(at_offset<void>(base, skipped), bytes, nullptr, id);
  HG_PROBE(op_ended, id, HG_OP_heap_create, heap, bytes, HG_STATUS_ok);
  return heap;
}

Heap *Heap::default_heap_if_made() { return __atomic_load_n(&g_default, __ATOMIC_ACQUIRE); }

Heap *Heap::default_heap() {
  if (g_default == nullptr) {
    Heap *const made = create(growing_pages());
    if (made != nullptr) HardenedHeap::count_other(Word{0} - 1);  // it is none
    if (made != nullptr && prepare_for_malloc != nullptr) prepare_for_malloc(*made);
    __atomic_store_n(&g_default, made, __ATOMIC_RELEASE);
  }
  return g_default;
}

// Returns all memory in constant time, apart from releasing the ids of pools. It reads and writes only this state (pages.G5). A
// trace records each fact, so a traced build frees chunk by chunk before. So does a hardened one: no header may be left (malloc.P5), and no link.
void Heap::destroy() {
  const std::uint32_t id = id_;
  HG_PROBE(op_begun, id, HG_OP_heap_destroy, this, 0, 0);
  HG_ASSERT_SLOW(check() == nullptr, "a broken heap is ended");
  const bool is_other = this != g_default;
  if (!is_other) __atomic_store_n(&g_default, nullptr, __ATOMIC_RELEASE);
  if (hooks_ != nullptr) hooks_->destroy_all(*this);
  if constexpr (kTraced || kHardened) release_all();
  if constexpr (kTraced) note_heap(id, nullptr);
  PageSource *const source = source_;
  release_id(id);
  auto *const runs = reinterpret_cast<ReleasedRun *>(static_cast<Segment *>(segments_));
  forget_words(static_cast<void *>(this), sizeof *this);
  if (source == nullptr) forget_words(runs, sizeof *runs);
  else if constexpr (kHardened) source->release(runs);  // pages.G5
  else source->retire(runs, this);
  if (is_other) HardenedHeap::count_other(Word{0} - 1);
  HG_PROBE(op_ended, id, HG_OP_heap_destroy, nullptr, 0, HG_STATUS_ok);
}

// Frees everything in use, so that each segment holds one free chunk; then records the removal of the segments.
void Heap::release_all() {
  for (Segment *segment = segments_; segment != nullptr; segment = segment->next) {
    Guard::check_segment(segment);
    for (Chunk *c = first_chunk_of(*this, segment); !is_sentinel(c); c = next_chunk(c)) {
      if constexpr (kHardened) HardenedHeap::check_walked(segment, c);
      if (!in_use(c)) continue;
      Chunk *const joined = prev_in_use(c) ? c : prev_chunk(c);
      c->head = (c->head & ~kBlockMark) | kInUse;  // a cached chunk has B alone
      deallocate(mem_of(c));
      c = joined;
    }
  }
  for (Segment *segment = segments_; segment != nullptr; segment = segment->next) {
    Chunk *const first = first_chunk_of(*this, segment);
    detach(first, size_of(first));
    Guard::end_chunk(first);
    forget_words(sentinel_of(segment), kWord);
    if constexpr (kHardened) {  // elsewhere they are runs as they are
      reinterpret_cast<ReleasedRun *>(segment)->bytes = Word{segment->size};
      forget_words(&segment->size, kWord);
    }
    HG_PROBE(segment_removed, id_, 0, segment, segment->size, first);
  }
  HG_PROBE(heap_destroyed, id_, 0, this, 0, 0);
}

}  // namespace heapglass
