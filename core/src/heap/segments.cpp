// Segments: how a heap acquires and releases memory.
//
//  1. The newest segment is extended in place when the page source allows it. Otherwise a new segment begins, and the old top
//     becomes an ordinary free chunk.
//  2. A growth is at least 1/32 of the footprint, in whole pages, so n bytes cost O(log n) growths. When that is refused, a growth
//     by the needed bytes is tried. In the malloc of a program (kGrain below a page) a growth ends at the end of a page, because
//     the program's link settings decide how far linear memory grows ahead. The small profile grows by the needed bytes.
//  3. Trimming releases whole pages at the end of segments, and segments that consist of one free chunk. The first segment
//     stays, because it contains the state. One pass collects the released runs, and the page source takes them as one chain:
//     O(segments + released runs). Releasing each run by itself was tried: O(segments * released runs).
#include "base/build.hpp"
#include "heap/first_chunk.hpp"
#include "heap/free_chunks.hpp"
#include "platform/page_source.hpp"

namespace heapglass {

// The bytes to acquire behind `at` when `needed` are missing.
Word Heap::growth_step(const void *at, Word needed) const {
  if constexpr (kLeastCode) return needed;
  if constexpr (kGrain != kPageBytes) return round_down(round_up(address_of(at) + needed, kPageBytes) - address_of(at), kGrain);
  const Word share = footprint_ / 32;
  return round_up(needed > share ? needed : share, kPageBytes);
}

// The pages below an end of memory. A page that is begun is there: a break (sbrk) may end inside one.
[[maybe_unused]] static Word pages_below(std::uintptr_t end) { return round_up(end - address_base(), kPageBytes) / kPageBytes; }

// Called after each request to the source; records it when it touched the end of memory.
void Heap::note_growth(const PageSource &source, std::uint32_t id, Word wanted) {
  if (source.refused || pages_below(source.old_end) != pages_below(source.new_end)) {
    HG_PROBE(memory_grown, id, !source.refused, pages_below(source.old_end), pages_below(source.new_end), wanted);
  }
}

void Heap::link_segment(Segment *segment) {
  Link<Segment> *link = &segments_;
  Segment *at = *link;
  for (; at != nullptr && at < segment; at = *link) {
    Guard::check_segment(at);
    link = &at->next;
  }
  segment->next = at;
  *link = segment;
}

// Makes [base, base + bytes) the newest segment, with one free chunk, the new top. In a heap's first segment the state takes
// `state_bytes` behind the segment header.
void Heap::add_segment(void *base, Word bytes, Word state_bytes) {
  Segment *const segment = static_cast<Segment *>(base);
  segment->size = bytes;
  segment->heap = this;
  link_segment(segment);
  Chunk *const first = at_offset<Chunk>(segment, sizeof(Segment) + state_bytes);
  Chunk *const end = at_offset<Chunk>(segment, bytes - kWord);
  const Word size = bytes - kSegmentOverhead - state_bytes;
  end->head = kSentinelHead;
  HG_PROBE(segment_added, id_, 0, segment, bytes, first);
  Chunk *const old = top_;
  const Word old_size = top_size_;
  newest_ = segment;
  end_ = end;
  if (old != nullptr) {
    clear_top();
    attach(old, old_size, false);
  }
  Guard::fill(first, kWord, size);
  set_free(first, size);
  set_top(first, size);
  footprint_ += bytes;
  if (!kLeastCode && footprint_ > peak_footprint_) peak_footprint_ = footprint_;
}

// When `size` needs more memory: lets malloc release cached chunks first. Returns whether it released any.
bool Heap::relieved(Word size) {
  if (size <= top_size_ || before_growth_ == nullptr) return false;
  return before_growth_(*this, source_->would_grow(size - top_size_));
}

// Before the heap changes the size of a block for a caller of its own: what waits in malloc is room, too (malloc.W2).
void Heap::relieve_neighbours() {
  if (!kLeastCode && before_growth_ != nullptr) before_growth_(*this, false);
}

// Extends the newest segment, and with it top, by `wanted` bytes or, when that is refused, by `needed`. Both are whole grains.
bool Heap::extend_newest(Word wanted, Word needed) {
  if (source_ == nullptr) return false;
  void *const at = at_offset<void>(end_, kWord);
  bool extended = source_->extend(at, wanted);
  note_growth(*source_, id_, wanted);
  if (!kLeastCode && !extended && needed < wanted) {
    wanted = needed;
    extended = source_->extend(at, wanted);
    note_growth(*source_, id_, wanted);
  }
  if (!extended) return false;
  Chunk *const c = end_;
  HG_PROBE(segment_extended, id_, 0, newest_, newest_->size, newest_->size + wanted);
  newest_->size += wanted;
  end_ = at_offset<Chunk>(c, wanted);
  end_->head = kSentinelHead;
  footprint_ += wanted;
  if (!kLeastCode && footprint_ > peak_footprint_) peak_footprint_ = footprint_;
  Chunk *const old = top_;
  const Word old_size = top_size_;
  Guard::fill(c, kWord, wanted);
  if (old == nullptr) {
    set_free(c, wanted);
    set_top(c, wanted);
    return true;
  }
  clear_top();
  HG_PROBE(chunks_merged, id_, 0, old, old_size, wanted);
  Guard::fill_foot(c);
  Guard::fill(c, 0, kWord);
  Guard::end_chunk(c);
  set_free(old, old_size + wanted);
  set_top(old, old_size + wanted);
  return true;
}

// Makes top at least `size` bytes large.
bool Heap::grow(Word size) {
  if (source_ == nullptr) return false;
  const Word missing = round_up(size - top_size_, kGrain);
  if (extend_newest(growth_step(end_, missing), missing)) return true;
  const Word needed = round_up(size + kSegmentOverhead, kGrain);
  Word bytes = growth_step(nullptr, needed);
  void *base = source_->acquire(bytes);
  note_growth(*source_, id_, bytes);
  if (!kLeastCode && base == nullptr && needed < bytes) {
    bytes = needed;
    base = source_->acquire(bytes);
    note_growth(*source_, id_, bytes);
  }
  if (base == nullptr) return false;
  add_segment(base, bytes, 0);
  return true;
}

// Takes the pages at the end off a segment whose last chunk is free, and keeps `pad` bytes of that chunk. Returns their bytes,
// which lie behind the segment's new end.
Word Heap::trim_segment(Segment *segment, Word pad) {
  Chunk *const sentinel = sentinel_of(segment);
  if (prev_in_use(sentinel)) return 0;
  Guard::check_before(*this, sentinel);
  Chunk *const last = prev_chunk(sentinel);
  const Word size = size_of(last);
  if (size <= pad) return 0;
  Word bytes = round_down(size - pad, kGrain);
  if (bytes != 0 && size != bytes && size - bytes < kMinChunk) bytes -= kGrain;
  if (bytes == 0) return 0;
  const Word keep = size - bytes;
  detach(last, size);
  if (keep != 0) {
    HG_PROBE(chunk_split, id_, 0, last, keep, bytes);
  }
  HG_PROBE(segment_trimmed, id_, 0, segment, segment->size, segment->size - bytes);
  forget_words(sentinel, kWord);  // malloc.P5
  segment->size += Word{0} - bytes;
  footprint_ -= bytes;
  Chunk *const end = sentinel_of(segment);
  end->head = keep != 0 ? kSentinelHead : kSentinelHead | kPrevInUse;
  if (segment == newest_) end_ = end;
  if (keep != 0) attach(last, keep, false);
  return bytes;
}

// Takes the segment at *link out of the heap; its bytes are then the caller's.  pre: it holds one free chunk
void Heap::remove_segment(Link<Segment> *link) {
  Segment *const segment = *link;
  Chunk *const first = first_chunk_of(*this, segment);
  detach(first, size_of(first));
  HG_PROBE(segment_removed, id_, 0, segment, segment->size, first);
  forget_words(sentinel_of(segment), kWord);
  Segment *const behind = segment->next;
  *link = behind;
  Guard::end_chunk(first);
  footprint_ -= segment->size;
  forget_words(&segment->size, kWord);
  if (segment == newest_) {
    // Another segment becomes the newest; its last chunk, when free, becomes top.
    newest_ = segments_;
    end_ = sentinel_of(newest_);
    if (!prev_in_use(end_)) {
      Guard::check_before(*this, end_);
      Chunk *const last = prev_chunk(end_);
      const Word size = size_of(last);
      detach(last, size);
      set_top(last, size);
    }
  }
}

Word Heap::trim(Word pad) {
  HG_PROBE(op_begun, id_, HG_OP_trim, nullptr, pad, 0);
  status_ = HG_STATUS_ok;
  Word given = 0;
  if (source_ != nullptr) {
    Link<ReleasedRun> first_run;  // in address order, as the segments are (heap.H5)
    Link<ReleasedRun> *last_run = &first_run;
    Link<Segment> *link = &segments_;
    while (*link != nullptr) {
      Segment *const segment = *link;
      Guard::check_segment(segment);
      Chunk *const first = first_chunk_of(*this, segment);
      const bool empty = !in_use(first) && next_chunk(first) == sentinel_of(segment);
      const bool kept = segment == newest_ && pad != 0;
      Word bytes = segment->size;
      ReleasedRun *run = at_offset<ReleasedRun>(segment, 0);
      if (empty && !kept && !holds_state(*this, segment)) {
        remove_segment(link);
      } else {
        bytes = trim_segment(segment, segment == newest_ ? pad : 0);
        run = at_offset<ReleasedRun>(segment, segment->size);
        link = &segment->next;
      }
      if (bytes == 0) continue;
      run->bytes = bytes;
      *last_run = run;
      last_run = &run->next;
      given += bytes;
    }
    *last_run = nullptr;
    if (first_run != nullptr) source_->release(first_run);
  }
  HG_ASSERT_SLOW(check() == nullptr, "trim left a broken heap");
  HG_PROBE(op_ended, id_, HG_OP_trim, nullptr, given, HG_STATUS_ok);
  return given;
}

}  // namespace heapglass
