// The trials of the expansion command; command.cpp has their order.
//
//  Backward                 chunk_
//  |  prev (free)           |  old chunk          |        distance = old start - new start, a multiple of step_
//  +-----------+------------+---------------------+
//  |  lead     |  distance  |  old chunk          |        lead is 0 or a chunk (>= kMinChunk), and stays free
//  +-----------+------------+---------------------+
//              | result: header here, old contents where they were
#include "heap/expansion.hpp"

#include "heap/free_chunks.hpp"

namespace heapglass {

Chunk *Expansion::forward() {
  Chunk *const c = chunk_;
  const Word used = size_of(c);
  bool worked = used >= preferred_;
  if (!worked) {
    // Memory grows only for a chunk at the end. When there is not enough for preferred, limit may succeed.
    worked = preferred_ != kImpossible && heap_.make_space(c, preferred_);
    if (!worked && limit_ != kImpossible) worked = heap_.make_space(c, limit_);
  }
  HG_PROBE(command_tried, heap_.id_, HG_TRIAL_expand_fwd | (worked ? kWorked : 0), c,
           preferred_ - kWord, heap_.space_forward(c) - kWord);
  if (!worked) return nullptr;
  if (size_of(c) < preferred_) {
    if (!in_use(next_chunk(c))) heap_.join_next(c);
    const Word have = size_of(c);
    Guard::check_filled(c, used, have < preferred_ ? have : preferred_);
    if (have > preferred_) heap_.cut_to(c, preferred_);
  }
  return c;
}

Word Expansion::space_backward() const {
  if (prev_in_use(chunk_)) return 0;
  Guard::check_before(heap_, chunk_);
  return prev_foot(chunk_);
}

// The least distance >= missing whose lead is 0 or large enough for a chunk; 0: none. A lead that is too small has one kAlign, so
// the loop tries at most two multiples.  pre: missing > 0
Word Expansion::least_distance(Word missing) const {
  const Word space = space_backward();
  if (step_ == 0 || missing > space) return 0;
  // d + step_ may exceed a word: room may be more than half of it.
  for (Word d = (missing - 1) / step_ * step_; space - d >= step_;) {
    d += step_;
    if (space == d || space - d >= kMinChunk) return d;
  }
  return 0;
}

Word Expansion::most_distance() const {
  const Word space = space_backward();
  if (step_ == 0) return 0;
  Word d = space / step_ * step_;
  if (d != 0 && space != d && space - d < kMinChunk) d -= step_;
  return d;
}

// The distance by which a chunk of `have` bytes reaches the goal; 0: it cannot.  pre: have < preferred_
Word Expansion::distance(Word have, Goal goal) const {
  const Word exact = least_distance(preferred_ - have);
  if (exact != 0 || goal == Goal::kPreferred) return exact;
  const Word most = most_distance();
  return have + most >= limit_ ? most : 0;
}

// Moves the start of the chunk `distance` bytes down; its contents stay where they are.
Chunk *Expansion::move_back(Word distance) {
  Chunk *const c = chunk_;
  const Word have = size_of(c);
  const Word space = prev_foot(c);
  HG_ASSERT(distance % kAlign == 0 && distance <= space, "the start moves by no multiple, or too far");
  Chunk *const lead = prev_chunk(c);
  Chunk *const start = chunk_at(lead, space - distance);
  heap_.detach(lead, space);
  Guard::check_filled(lead, start == lead ? sizeof(Chunk) : space - distance, space - kWord);
  if (start != lead) {
    HG_PROBE(chunk_split, heap_.id_, 0, lead, space - distance, distance);
  }
  HG_PROBE(chunks_merged, heap_.id_, 2, start, distance, have);
  Guard::end_chunk(c);
  start->head = (have + distance) | kPrevInUse | kInUse;
  if (start != lead) heap_.attach(lead, space - distance, false);
  return start;
}

Chunk *Expansion::backward(Goal goal) {
  const Word have = size_of(chunk_);
  const Word way = have >= preferred_ ? 0 : distance(have, goal);
  const bool worked = have >= preferred_ || way != 0 || (goal == Goal::kLimit && have >= limit_);
  HG_PROBE(command_tried, heap_.id_, HG_TRIAL_expand_bwd | (worked ? kWorked : 0), chunk_,
           wanted(goal) - kWord, have + most_distance() - kWord);
  if (!worked) return nullptr;
  return way == 0 ? chunk_ : move_back(way);
}

// pre: forward() failed, so the chunk with the room behind it is smaller than limit and preferred
Chunk *Expansion::both(Goal goal) {
  Chunk *const c = chunk_;
  const Word space = heap_.space_forward(c);
  const Word way = in_use(next_chunk(c)) ? 0 : distance(space, goal);
  HG_PROBE(command_tried, heap_.id_, HG_TRIAL_expand_both | (way != 0 ? kWorked : 0), c,
           wanted(goal) - kWord, space + most_distance() - kWord);
  if (way == 0) return nullptr;
  const Word have = size_of(c);
  heap_.join_next(c);
  Guard::check_filled(c, have, space);
  Chunk *const start = move_back(way);
  if (size_of(start) > preferred_) {
    heap_.cut_to(start, preferred_);
    Guard::fill_next(start);  // the end of the old contents may lie behind preferred
  }
  return start;
}

Chunk *Expansion::allocate_new(Goal goal) {
  const Word size = wanted(goal);
  Chunk *c = nullptr;
  if (size != kImpossible) {
    if constexpr (!kLeastCode) c = heap_.take_quickly(size, size - kWord);
    if (c == nullptr) c = heap_.obtain(size, size - kWord);
  }
  HG_PROBE(command_tried, heap_.id_, HG_TRIAL_allocate_new | (c != nullptr ? kWorked : 0), c,
           size - kWord, c != nullptr ? heapglass::usable_size(c) : 0);
  if (c != nullptr) Guard::fill_new(c);
  return c;
}

Word Expansion::best_limit(bool fwd, bool bwd, bool fresh) const {
  Word best = 0;
  if (fwd) best = heap_.space_forward(chunk_);
  if (bwd) {
    const Word back = (fwd ? best : size_of(chunk_)) + most_distance();
    if (back > best) best = back;
  }
  if (fresh) {
    if (heap_.top_size_ > best) best = heap_.top_size_;
    if (heap_.victim_size_ > best) best = heap_.victim_size_;
    const Chunk *const largest = heap_.bins_.largest();
    if constexpr (kHardened) {
      if (largest != nullptr) HardenedHeap::check_free(heap_, largest);  // malloc.P12
    }
    if (largest != nullptr && size_of(largest) > best) best = size_of(largest);
  }
  return best == 0 ? 0 : objects_in(best);
}

// A tail that joins a free chunk behind it may have any size. Any other tail must be large enough for a chunk, or nothing is cut.
void Expansion::shrink(bool commit, Word preferred, Word limit, hg_command_result *result) {
  Chunk *const c = chunk_;
  const Word have = size_of(c);
  Word best = have;
  if (preferred_ < have && (!in_use(next_chunk(c)) || have - preferred_ >= kMinChunk)) best = preferred_;
  const Word received = objects_in(best);
  const bool worked = preferred <= received && received <= limit;
  const Word trial = commit ? HG_TRIAL_shrink_in_place : HG_TRIAL_try_shrink_in_place;
  HG_PROBE(command_tried, heap_.id_, trial | (worked ? kWorked : 0), c, preferred_ - kWord, best - kWord);
  result->received = received;
  result->status = worked ? HG_STATUS_ok : HG_STATUS_cannot_shrink;
  if (!worked) return;
  result->mem = mem_of(c);
  result->reused = 1;
  if (!commit || best == have) return;
  Guard::fill(c, best, have);
  heap_.cut_to(c, best);
}

}  // namespace heapglass
