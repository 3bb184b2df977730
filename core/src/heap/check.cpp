// Proves every invariant of a heap by reading all of it, in any build. It allocates nothing and trusts nothing: it names a broken
// word and does not follow it.
#include "base/failure.hpp"
#include "heap/first_chunk.hpp"
#include "heap/guard.hpp"

namespace heapglass {

namespace {

char g_broken_text[160];

// The sums of the address walk, for comparison with bins, top and victim.
struct Totals {
  Word chunks = 0;
  Word bytes = 0;
};

}  // namespace

struct HeapProof {
  const Heap &heap_;
  const char *broken_ = nullptr;  // text of the first broken invariant
  Totals walked_{};
  Totals kept_{};
  Word footprint_ = 0;
  bool top_seen_ = false;
  bool victim_seen_ = false;

  bool holds(bool condition, const char *invariant, const void *at, Word found = 0) {
    return condition || refuse(invariant, at, found);
  }
  [[gnu::noinline]] bool refuse(const char *invariant, const void *at, Word found) {
    if (broken_ == nullptr) {
      if constexpr (kHardened) found = 0;  // what a word decodes to (malloc.P12)
      write_report(g_broken_text, sizeof g_broken_text, invariant, at, found != 0 ? "found" : nullptr, found);
      broken_ = g_broken_text;
    }
    return false;
  }

  bool chunk(const Segment *segment, const Chunk *c, bool previous_in_use) {
    const Word size = size_of(c);
    const Chunk *const end = sentinel_of(segment);
    if (!holds(size >= kMinChunk && size <= address_of(end) - address_of(c), "chunk.C1 size out of range", c, c->head)) {
      return false;
    }
    if (!holds(prev_in_use(c) == previous_in_use, "chunk.C3 P disagrees with the previous chunk", c, c->head)) {
      return false;
    }
    if (!holds(!is_cached(c) || heap_.before_growth_ != nullptr, "chunk.C4 B without C, and no malloc", c, c->head)) return false;
    if (in_use(c)) return true;
    if (!holds((c->head & kFlags) == kPrevInUse, "chunk.C4 heap.H2 a free chunk has a free neighbour or B", c, c->head)) {
      return false;
    }
    if (!holds(foot_of(c, size) == size, "chunk.C3 foot != size", c, foot_of(c, size))) return false;
    const Word *const changed = Guard::first_changed(c);
    if (!holds(changed == nullptr, "guard.F1 a free chunk was written to", changed, changed != nullptr ? *changed : 0)) return false;
    ++walked_.chunks;
    walked_.bytes += size;
    if (chunk_at(c, size) == heap_.end_ && !holds(c == heap_.top_, "heap.H3 a free chunk at the end is not top", c)) {
      return false;
    }
    top_seen_ |= c == heap_.top_;
    victim_seen_ |= c == heap_.victim_;
    return true;
  }

  bool segments() {
    bool newest_seen = false;
    for (const Segment *s = heap_.segments_; s != nullptr; s = s->next) {
      const bool aligned = address_of(s) % kAlign == 0 && s->size % kAlign == 0;
      if (!holds(aligned, "segment.S1 segment is misaligned", s, s->size)) return false;
      if (!holds(s->heap == &heap_, "segment.S5 a segment names another heap", s)) return false;
      const bool ordered = s->next == nullptr || address_of(s->next) >= address_of(s) + s->size;
      if (!holds(ordered, "heap.H5 segments overlap", s)) return false;
      footprint_ += s->size;
      newest_seen |= s == heap_.newest_;
      const Chunk *const end = sentinel_of(s);
      bool previous_in_use = true;  // segment.S2
      const Chunk *c = first_chunk_of(heap_, s);
      for (; c < end; c = next_chunk(c)) {
        if (!chunk(s, c, previous_in_use)) return false;
        previous_in_use = in_use(c);
      }
      const bool ended = c == end && size_of(end) == 0 && in_use(end);
      if (!holds(ended, "segment.S3 segment.S4 chunks do not end at the sentinel", c)) return false;
      if (!holds(prev_in_use(end) == previous_in_use, "chunk.C3 the sentinel's P is wrong", end, end->head)) return false;
    }
    const bool newest = newest_seen && heap_.end_ == sentinel_of(heap_.newest_);
    return holds(newest, "heap.H3 end is not the newest sentinel", heap_.end_);
  }

  bool bin(unsigned number) {
    const Chunk *before = nullptr;
    for (const Chunk *c = heap_.bins_.heads[number]; c != nullptr; c = c->next) {
      const bool inside = heap_.owns(c, kMinChunk) && address_of(c) % kAlign == kWord;
      if (!holds(inside, "bins.I4 a link leads outside", c)) return false;
      if (!holds(c->prev == before, "bins.I4 links disagree", c)) return false;
      if (!holds(!in_use(c), "heap.H1 a chunk in use is in a bin", c, c->head)) return false;
      const bool own = size_of(c) >= kMinChunk && bin_of(size_of(c)) == number;
      if (!holds(own, "bins.I1 bins.I2 chunk is in the wrong bin", c, number)) return false;
      if (!holds(++kept_.chunks <= walked_.chunks, "heap.H1 more chunks in bins than free chunks", c)) return false;
      kept_.bytes += size_of(c);
      before = c;
    }
    return true;
  }

  bool bins() {
    const Bins &bins = heap_.bins_;
    const bool of_bins = bins.small_map >> kSmallBins == 0 && bins.first_map >> kPowers == 0;
    if (!holds(of_bins, "bins.I3 a map has a bit of no bin", &bins)) return false;
    for (unsigned number = 0; number < kBins; ++number) {
      const bool used = bins.heads[number] != nullptr;
      bool bit;
      if (number < kSmallBins) {
        bit = (bins.small_map >> number & 1) != 0;
      } else {
        const unsigned large = number - kSmallBins;
        bit = (bins.second_map[large / kSteps] >> large % kSteps & 1) != 0;
        const bool power = (bins.first_map >> large / kSteps & 1) != 0;
        const bool steps = bins.second_map[large / kSteps] != 0;
        if (!holds(power == steps, "bins.I3 first map bit is wrong", &bins, number)) return false;
      }
      if (!holds(bit == used, "bins.I3 bin map bit is wrong", &bins, number)) return false;
      if (used && !bin(number)) return false;
    }
    return true;
  }

  bool one(const Chunk *c, Word size, bool seen, const char *invariant) {
    if (c == nullptr) return holds(size == 0, invariant, c, size);
    if (!holds(seen && size_of(c) == size, invariant, c, size)) return false;
    ++kept_.chunks;
    kept_.bytes += size;
    return true;
  }

  const char *run() {
    if (segments() && bins() && one(heap_.top_, heap_.top_size_, top_seen_, "heap.H4 top is not what it says") &&
        one(heap_.victim_, heap_.victim_size_, victim_seen_, "heap.H4 victim is not what it says")) {
      const Chunk *const top = heap_.top_;
      holds(top == nullptr || next_chunk(top) == heap_.end_, "heap.H3 top is not at the end", top);
      holds(top == nullptr || top != heap_.victim_, "heap.H1 top is the victim", top);
      holds(kept_.chunks == walked_.chunks && kept_.bytes == walked_.bytes,
            "heap.H1 a free chunk is in no place", nullptr, walked_.chunks - kept_.chunks);
      holds(footprint_ == heap_.footprint_, "H footprint is not the sum of segments", nullptr, footprint_);
    }
    if (broken_ == nullptr && !kPlaced && check_slabs != nullptr) broken_ = check_slabs(heap_);
    if (broken_ == nullptr && heap_.hooks_ != nullptr) return heap_.hooks_->check(heap_);
    return broken_;
  }
};

const char *Heap::check() const { return HeapProof{*this}.run(); }

}  // namespace heapglass
