// See hardened_heap.hpp.
#include "heap/hardened_heap.hpp"

#include "base/failure.hpp"

namespace heapglass {

#if HG_HARDENED

// `head`, which lies at c, is a header: the size is one that the heap may have, and the flags go together.
inline bool HardenedHeap::is_header(const Heap &heap, const Chunk *c, Word head) {
  const Word size = head & ~kFlags;
  if ((head & ~kPrevInUse) == kSentinelHead) return true;
  if (size < kMinChunk || size > heap.footprint_ || (head & kFlags & ~(kInUse | kPrevInUse | kBlockMark)) != 0) return false;
  return (head & (kInUse | kBlockMark)) != 0 || ((head & kPrevInUse) != 0 && foot_of(c, size) == size);
}

// A foot lies where a program may have written.
void HardenedHeap::check_before(const Heap &heap, const Chunk *c) {
  const Word foot = prev_foot(c);
  if (foot > heap.footprint_ || prev_chunk(c)->head != (foot | kPrevInUse)) fail(kFailure_damaged_tag, c, "foot");
}

void HardenedHeap::prove_in_use(const Heap &heap, const void *mem) {
  if (!heap.owns(mem, kMinChunk - kWord)) fail(kFailure_foreign_pointer, mem, nullptr);
  if (address_of(mem) % kAlign != 0) fail(kFailure_misaligned_pointer, mem, nullptr);
  const Chunk *const c = chunk_of(mem);
  const Word head = c->head;
  const bool is_there = is_header(heap, c, head);
  if (is_there && (head & kInUse) == 0) fail(kFailure_double_free, mem, nullptr);
  if (!is_there || (head & kBlockMark) != 0) fail(kFailure_damaged_header, mem, "or no block");
  const Chunk *const next = next_chunk(c);
  const Word behind = next->head;
  if (!is_header(heap, next, behind) || (behind & kPrevInUse) == 0) fail(kFailure_damaged_header, next, nullptr);
}

void HardenedHeap::check_elsewhere(const void *mem) {
  const Chunk *const c = chunk_of(mem);
  const Word head = c->head;
  const bool is_there = (head & kInUse) != 0 && (head & ~kFlags) >= kMinChunk && prev_in_use(chunk_at(c, head & ~kFlags));
  if (!is_there) fail(kFailure_damaged_header, mem, nullptr);
}

void HardenedHeap::set_own(void *mem) { set_block_mark(chunk_of(mem), true); }
void HardenedHeap::clear_own(const Heap &heap, void *mem) {
  set_block_mark(chunk_of(mem), false);
  check_in_use(heap, mem);
}

inline bool HardenedHeap::is_behind_free(const Heap &heap, const Chunk *next) {
  const Word head = next->head;
  return (head & kPrevInUse) == 0 && is_header(heap, next, head);
}

void HardenedHeap::check_free(const Heap &heap, const Chunk *c) {
  const Word head = c->head;
  const Word size = head & ~kFlags;
  const bool is_there = (head & kFlags) == kPrevInUse && size <= heap.footprint_ && foot_of(c, size) == size;
  if (!is_there || !is_behind_free(heap, chunk_at(c, size))) fail(kFailure_damaged_tag, c, nullptr);
}

void HardenedHeap::check_listed(const Heap &heap, const Chunk *c, bool is_first) {
  check_free(heap, c);
  const Chunk *const next = c->next;
  const Chunk *const prev = c->prev;
  if ((prev == nullptr) != is_first || (next != nullptr && next->prev != c)) fail(kFailure_damaged_link, c, nullptr);
}

void HardenedHeap::check_walked(const Segment *segment, const Chunk *c) {
  const Word size = size_of(c);
  const bool fits = size >= kMinChunk && size <= address_of(sentinel_of(segment)) - address_of(c);
  if (!fits || prev_in_use(chunk_at(c, size)) != in_use(c)) fail(kFailure_damaged_header, c, nullptr);
}

void HardenedHeap::check_segment(const Segment *segment) {
  const Segment *const next = segment->next;
  const bool is_there = (sentinel_of(segment)->head & ~kPrevInUse) == kSentinelHead;
  if (!is_there || (next != nullptr && next <= segment)) fail(kFailure_damaged_link, segment, nullptr);
}

#endif

}  // namespace heapglass
