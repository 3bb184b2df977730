#include "heap/guard.hpp"

#include "heap/first_chunk.hpp"
#include "trace/chunk_starts.hpp"

namespace heapglass {

namespace {
constexpr Word kNoFlag = kFlags & ~(kInUse | kPrevInUse | kBlockMark);  // of a header: never set
}

const Segment *Guard::segment_of(const Heap &heap, const void *at) {
  for (const Segment *s = heap.segments_; s != nullptr; s = s->next) {
    if (segment_holds(s, at)) return s;
  }
  return nullptr;
}

// Whether what lies at c is the header of a chunk that ends before `end`, where the next one knows it; or the sentinel. So one that was overwritten by the block
// before it is found though P is as it was.
bool Guard::looks_whole(const Chunk *c, const Chunk *end) {
  if (is_sentinel(c)) return c == end;
  const Word size = size_of(c);
  if ((c->head & kNoFlag) != 0 || size < kMinChunk || size > address_of(end) - address_of(c)) return false;
  return prev_in_use(next_chunk(c)) == in_use(c) && (in_use(c) || foot_of(c, size) == size);
}

// Tests the header of a chunk in use as far as possible without a walk: C, size, end, the next chunk and, when the previous chunk is free, its foot.
bool Guard::looks_in_use(const Segment *segment, const Chunk *c) {
  const Word size = size_of(c);
  const Word space = address_of(sentinel_of(segment)) - address_of(c);
  if (!in_use(c) || (c->head & kNoFlag) != 0 || size < kMinChunk || size > space) return false;
  const Chunk *const next = next_chunk(c);
  if (!prev_in_use(next) || !looks_whole(next, sentinel_of(segment))) return false;
  if (prev_in_use(c)) return true;
  const Word foot = prev_foot(c);
  if (foot < kMinChunk || (foot & kFlags) != 0) return false;
  if (foot > address_of(c) - address_of(first_chunk_of(*segment->heap, segment))) return false;
  const Chunk *const prev = prev_chunk(c);
  return !in_use(prev) && size_of(prev) == foot;
}

#if HG_CHECKED

// Follows the headers from one chunk to another place. False: they lead past it, or nowhere.
bool Guard::leads_to(const Chunk *from, const Chunk *c) {
  while (from < c) {
    const Word size = size_of(from);
    if (size < kMinChunk || size > address_of(c) - address_of(from)) return false;
    from = next_chunk(from);
  }
  return from == c;
}

// guard.F4
bool Guard::begins_at(const Segment *segment, const Chunk *c) {
  const Chunk *const first = first_chunk_of(*segment->heap, segment);
  const Chunk *const known = static_cast<const Chunk *>(trace::ChunkStarts::in_region_of(c));
  return (known != nullptr && known >= first && leads_to(known, c)) || leads_to(first, c);
}

#else
bool Guard::begins_at(const Segment *, const Chunk *) { return true; }
#endif

void Guard::prove_in_use(const Heap &heap, const void *mem) {
  const Segment *const segment = segment_of(heap, mem);
  HG_REQUIRE(segment != nullptr, foreign_pointer, mem, nullptr);
  HG_REQUIRE(address_of(mem) % kAlign == 0, misaligned_pointer, mem, nullptr);
  HG_REQUIRE(chunk_of(mem) >= first_chunk_of(*segment->heap, segment) && chunk_of(mem) < sentinel_of(segment), misaligned_pointer, mem,
             "inside a segment's own words");
  if (!looks_in_use(segment, chunk_of(mem)) || !begins_at(segment, chunk_of(mem))) report(segment, mem);
}

// A chunk in use that is the program's: neither malloc nor a pool has it.
void Guard::prove_of_program(const void *mem) {
  const Chunk *const c = chunk_of(mem);
  if (is_cached(c)) fail(kFailure_double_free, mem, "it is cached, in a chunk of", size_of(c));
  if (has_block_mark(c)) fail(kFailure_misaligned_pointer, mem, "a pool has its nodes there, in a chunk of", size_of(c));
}

// Walks the segment to find out why mem is no chunk in use, and reports it.
void Guard::report(const Segment *segment, const void *mem) {
  const Chunk *const wanted = chunk_of(mem);
  const Chunk *const end = sentinel_of(segment);
  const Chunk *c = first_chunk_of(*segment->heap, segment);
  while (c < end) {
    const Word size = size_of(c);
    if (size < kMinChunk || size > address_of(end) - address_of(c)) {
      fail(kFailure_damaged_header, mem_of(const_cast<Chunk *>(c)), "size word", c->head);
    }
    const Chunk *const next = next_chunk(c);
    if (wanted == c && !in_use(c) && !prev_in_use(next) && foot_of(c, size) == size) {
      fail(kFailure_double_free, mem, nullptr);
    }
    if (wanted == c) break;
    if (wanted < next) {
      if (!in_use(c)) fail(kFailure_double_free, mem, "inside the free chunk at", offset_of(c));
      fail(kFailure_misaligned_pointer, mem, "inside the chunk at", offset_of(c));
    }
    c = next;
  }
  // A chunk begins here, but its words disagree with those of its neighbours.
  const Chunk *const next = next_chunk(wanted);
  if (!in_use(wanted) || (wanted->head & kNoFlag) != 0) fail(kFailure_damaged_header, mem, "size word", wanted->head);
  if (!prev_in_use(next)) fail(kFailure_damaged_tag, mem, "header behind it", next->head);
  if (!looks_whole(next, end)) {
    fail(kFailure_damaged_header, mem, "header behind it", next->head);
  }
  fail(kFailure_damaged_tag, mem, "foot before it", prev_foot(wanted));
}

void Guard::prove_free(const Heap &heap, const Chunk *c) {
  const Segment *const segment = segment_of(heap, c);
  HG_REQUIRE(segment != nullptr, damaged_link, c, "leads outside the heap");
  const Word size = size_of(c);
  const Chunk *const end = sentinel_of(segment);
  HG_REQUIRE(address_of(c) % kAlign == kWord && c >= first_chunk_of(*segment->heap, segment) && c < end, damaged_link, c,
             "leads to no chunk");
  HG_REQUIRE((c->head & kFlags) == kPrevInUse && size >= kMinChunk && size <= address_of(end) - address_of(c),
             damaged_header, c, "size word of a free chunk", c->head);
  HG_REQUIRE(foot_of(c, size) == size, damaged_tag, c, "foot", foot_of(c, size));
  HG_REQUIRE(!prev_in_use(next_chunk(c)), damaged_tag, c, "header behind it", next_chunk(c)->head);
}

void Guard::prove_walked(const Segment *segment, const Chunk *c) {
  const Word size = size_of(c);
  HG_REQUIRE(size >= kMinChunk && size <= address_of(sentinel_of(segment)) - address_of(c), damaged_header, c, "size word", c->head);
}

const Word *Guard::first_changed(const Chunk *c, Word from, Word end) {
  constexpr Word kFreedWord = ~Word{0} / 0xff * kFreedByte;
  for (Word at = from; at < end; at += kWord) {
    const Word *const word = at_offset<const Word>(c, at);
    if (*word != kFreedWord) return word;
  }
  return nullptr;
}

void Guard::prove_filled(const Chunk *c, Word from, Word end) {
  const Word *const changed = first_changed(c, from, end);
  HG_REQUIRE(changed == nullptr, damaged_link, changed, "written to after it was freed:", *changed);
}

bool Guard::may_lead_back(const Heap &heap, const Chunk *c) {
  return address_of(c) % kAlign == kWord && segment_of(heap, c) != nullptr && !in_use(c);
}

void Guard::prove_links(const Heap &heap, const Chunk *c) {
  HG_REQUIRE(c->next == nullptr || (may_lead_back(heap, c->next) && c->next->prev == c), damaged_link, c, "next free",
             address_of(c->next));
  HG_REQUIRE(c->prev == nullptr ? heap.bins_.heads[bin_of(size_of(c))] == c
                                : may_lead_back(heap, c->prev) && c->prev->next == c,
             damaged_link, c, "prev free", address_of(c->prev));
}

}  // namespace heapglass
