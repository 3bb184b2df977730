// The expansion command: one call that allocates, expands forward, backward or both, shrinks, or queries a shrink.
//
//  Order of trials (P: preferred, L: limit; "up to P" takes any size >= L, as near to P as there is)
//    fwd                 fwd up to P
//    bwd                 bwd P, bwd up to P
//    new                 new P, new L
//    fwd | new           fwd up to P, new P, new L
//    bwd | new           bwd P, new P, bwd up to P, new L
//    fwd | bwd           fwd up to P, bwd P, both P, bwd up to P, both up to P
//    fwd | bwd | new     fwd up to P, new P, bwd P, both P, new L, bwd up to P, both up to P
//
//  command.X1  No byte of the old contents is moved. When no trial succeeds nothing changes, except that memory may have grown.
//  command.X2  Backward: old start - new start is a multiple of lcm(object size, kAlign).
//  command.X3  On failure `received` is the most objects that a requested way could now provide, so it succeeds as the next limit.
//  command.X4  try_shrink changes nothing; its `received` succeeds as the limit of a shrink.
//  command.X5  New memory that needs no search is taken as allocate() takes it: from the exact bin, the victim or top
//      (Heap::take_quickly). The chunk is the same as after a search, and so are the events.
#include "heap/expansion.hpp"
#include "heap/free_chunks.hpp"

namespace heapglass {

// lcm(object size, kAlign). kAlign is a power of two, so its gcd with a size is the lowest power of two of the size,
// at most kAlign, so no size needs a division. 0: the multiple is beyond the address space.
Word backward_step(Word object_size) {
  const Word power = lowest_power(object_size);
  const Word factor = power >= kAlign ? 1 : kAlign / power;
  Word step = 0;
  return checked_multiply(object_size, factor, &step) && step <= kMaxRequest ? step : 0;
}

namespace {

constexpr std::uint32_t kCommands =
    HG_ALLOCATE_NEW | HG_EXPAND_FWD | HG_EXPAND_BWD | HG_SHRINK_IN_PLACE | HG_TRY_SHRINK_IN_PLACE;
constexpr std::uint32_t kShrinks = HG_SHRINK_IN_PLACE | HG_TRY_SHRINK_IN_PLACE;

// Chunk size for `objects`; more than any heap can hold when that overflows.
Word chunk_size_of(Word objects, Word object_size) {
  Word bytes = 0;
  if (!checked_multiply(objects, object_size, &bytes) || bytes > kMaxRequest) return kImpossible;
  return chunk_size_for(bytes);
}

// Nothing but new memory, and no precondition is broken.
bool asks_only_for_new_memory(std::uint32_t flags, Word object_size, Word limit, Word preferred) {
  return (flags & ~HG_NOTHROW_ALLOCATION) == HG_ALLOCATE_NEW && object_size != 0 && limit <= preferred;
}

}  // namespace

std::uint32_t broken_precondition(std::uint32_t flags, Word object_size, Word limit, Word preferred,
                                  const void *reuse) {
  const std::uint32_t commands = flags & kCommands;
  if (object_size == 0) return HG_STATUS_object_size_zero;
  if ((flags & ~(kCommands | HG_NOTHROW_ALLOCATION)) != 0) return HG_STATUS_unknown_flag;
  if (commands == 0) return HG_STATUS_no_command;
  if ((commands & HG_SHRINK_IN_PLACE) != 0 && commands != HG_SHRINK_IN_PLACE) return HG_STATUS_shrink_with_others;
  if ((commands & HG_TRY_SHRINK_IN_PLACE) != 0 && commands != HG_TRY_SHRINK_IN_PLACE) {
    return HG_STATUS_try_shrink_with_others;
  }
  if (commands != HG_ALLOCATE_NEW && reuse == nullptr) return HG_STATUS_reuse_missing;
  if ((commands & kShrinks) != 0) {
    if (limit < preferred) return HG_STATUS_limit_below_preferred;
  } else if (limit > preferred) {
    return HG_STATUS_limit_above_preferred;
  }
  return HG_STATUS_ok;
}

hg_command_result Heap::command(std::uint32_t flags, Word object_size, Word limit, Word preferred, void *reuse) {
  HG_PROBE(op_begun, id_, HG_OP_command, reuse, preferred * object_size, flags);
  hg_command_result result = {nullptr, 0, HG_STATUS_ok, 0};
  Word size = kImpossible;
  if (!kLeastCode && asks_only_for_new_memory(flags, object_size, limit, preferred)) size = chunk_size_of(preferred, object_size);
  Chunk *const c = size != kImpossible ? take_quickly(size, size - kWord) : nullptr;
  if (c != nullptr) {  // command.X5
    HG_PROBE(command_tried, id_, HG_TRIAL_allocate_new | Expansion::kWorked, c, size - kWord, heapglass::usable_size(c));
    Guard::fill_new(c);
    result.mem = mem_of(c);
    result.received = heapglass::usable_size(c) / object_size;
  } else {
    command_slow(flags, object_size, limit, preferred, reuse, &result);
  }
  status_ = result.status;
  HG_PROBE(op_ended, id_, HG_OP_command, result.mem, usable_size(result.mem), status_);
  return result;
}

void Heap::command_slow(std::uint32_t flags, Word object_size, Word limit, Word preferred, void *reuse,
                        hg_command_result *result) {
  result->status = broken_precondition(flags, object_size, limit, preferred, reuse);
  if (result->status != HG_STATUS_ok) return;
  if ((flags & kCommands) != HG_ALLOCATE_NEW) {
    Guard::check_in_use(*this, reuse);
    relieve_neighbours();
  }
  Expansion expansion{*this,
                      reuse != nullptr ? chunk_of(reuse) : nullptr,
                      object_size,
                      chunk_size_of(limit, object_size),
                      chunk_size_of(preferred, object_size),
                      (flags & HG_EXPAND_BWD) != 0 ? backward_step(object_size) : 0};
  if ((flags & kShrinks) != 0) {
    expansion.shrink((flags & HG_SHRINK_IN_PLACE) != 0, preferred, limit, result);
  } else {
    expansion.run(flags, result);
  }
}

void Expansion::run(std::uint32_t flags, hg_command_result *result) {
  const bool fwd = (flags & HG_EXPAND_FWD) != 0;
  const bool bwd = (flags & HG_EXPAND_BWD) != 0;
  const bool fresh = (flags & HG_ALLOCATE_NEW) != 0;
  Chunk *got = nullptr;
  bool is_new = false;
  if (fwd) got = forward();
  for (int round = 0; round < 2 && got == nullptr; ++round) {
    const Goal goal = round == 0 ? Goal::kPreferred : Goal::kLimit;
    if (fresh && fwd) is_new = (got = allocate_new(goal)) != nullptr;
    if (got == nullptr && bwd) got = backward(goal);
    if (got == nullptr && bwd && fwd) got = both(goal);
    if (got == nullptr && fresh && !fwd) is_new = (got = allocate_new(goal)) != nullptr;
  }
  if (got == nullptr) {
    result->received = best_limit(fwd, bwd, fresh);
    result->status = fresh ? HG_STATUS_out_of_memory : HG_STATUS_cannot_expand;
    if (limit_ == kImpossible) result->status = HG_STATUS_too_large;
    return;
  }
  result->mem = mem_of(got);
  result->received = objects_in(size_of(got));
  result->reused = is_new ? 0 : 1;
}

}  // namespace heapglass
