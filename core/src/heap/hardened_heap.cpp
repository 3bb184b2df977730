// See hardened_heap.hpp.
#include "heap/hardened_heap.hpp"

#include "base/failure.hpp"
#include "heap/first_chunk.hpp"

namespace heapglass {

#if HG_HARDENED

const Segment *HardenedHeap::segment_of(const Heap &heap, const void *at) {
  for (const Segment *s = heap.segments_; s != nullptr; s = s->next) {
    if (segment_holds(s, at)) return s;
  }
  return nullptr;
}

// What lies at c decodes to a header: the size stays inside the segment, and the flags go together.
bool HardenedHeap::is_header(const Segment *segment, const Chunk *c) {
  const Word head = c->head;
  const Word size = head & ~kFlags;
  const Word room = address_of(sentinel_of(segment)) - address_of(c);
  if (room == 0) return (head & ~kPrevInUse) == kSentinelHead;  // S3
  if (size < kMinChunk || size > room || (head & kFlags & ~(kInUse | kPrevInUse | kBlockMark)) != 0) return false;
  return in_use(c) || ((head & kPrevInUse) != 0 && foot_of(c, size) == size);
}

// The chunk before c has a header, is free, and its size leads to c. A foot lies where a program may have written.
bool HardenedHeap::ends_at(const Segment *segment, const Chunk *c) {
  const Word foot = prev_foot(c);
  if (foot < kMinChunk || (foot & kFlags) != 0 || foot > address_of(c) - address_of(first_chunk_of(segment))) return false;
  return prev_chunk(c)->head == (foot | kPrevInUse);
}

void HardenedHeap::check_before(const Heap &heap, const Chunk *c) {
  if (!ends_at(segment_of(heap, c), c)) fail(kFailure_damaged_tag, c, "foot before it", prev_foot(c));
}

void HardenedHeap::prove_in_use(const Heap &heap, const void *mem) {
  const Segment *const segment = segment_of(heap, mem);
  if (segment == nullptr) fail(kFailure_foreign_pointer, mem, nullptr);
  const Chunk *const c = chunk_of(mem);
  if (address_of(mem) % kAlign != 0 || c < first_chunk_of(segment) || c >= sentinel_of(segment)) {
    fail(kFailure_misaligned_pointer, mem, nullptr);
  }
  const Word head = c->head;
  if ((head & kInUse) == 0 && is_header(segment, c)) fail(kFailure_double_free, mem, nullptr);
  if (!is_header(segment, c) || (head & (kInUse | kBlockMark)) != kInUse) {
    fail(kFailure_damaged_header, mem, "or no block begins here");
  }
  const Chunk *const next = next_chunk(c);
  if (!is_header(segment, next) || !prev_in_use(next)) fail(kFailure_damaged_header, next, "behind the block", size_of(c));
  if (!prev_in_use(c)) check_before(heap, c);
}

void HardenedHeap::check_free(const Heap &heap, const Chunk *c) {
  const Segment *const segment = segment_of(heap, c);
  if (segment == nullptr || address_of(c) % kAlign != kWord) fail(kFailure_damaged_link, c, "leads to no chunk");
  if (in_use(c) || !is_header(segment, c)) fail(kFailure_damaged_tag, c, "of a free chunk");
  const Chunk *const next = next_chunk(c);
  if (prev_in_use(next)) fail(kFailure_damaged_tag, c, "header behind a free chunk");
}

void HardenedHeap::check_links(const Heap &heap, const Chunk *c) {
  const Chunk *const next = c->next;
  const Chunk *const prev = c->prev;
  const auto leads_to = [&heap](const Chunk *at) { return address_of(at) % kAlign == kWord && heap.owns(at, kMinChunk); };
  const bool next_leads_back = next == nullptr || (leads_to(next) && next->prev == c);
  const bool prev_leads_here = prev == nullptr ? heap.bins_.heads[bin_of(size_of(c))] == c : leads_to(prev) && prev->next == c;
  if (!next_leads_back || !prev_leads_here) fail(kFailure_damaged_link, c, nullptr);
}

#endif

}  // namespace heapglass
