#include "command_operation.hpp"

#include "pattern.hpp"
#include "report.hpp"

namespace contract {

namespace {

constexpr uint32_t kExpand = HG_EXPAND_FWD | HG_EXPAND_BWD;
constexpr uint32_t kShrink = HG_SHRINK_IN_PLACE | HG_TRY_SHRINK_IN_PLACE;

struct Call {
  uint32_t flags;
  size_t object_size, limit, preferred;
  void *reuse;

  hg_command_result run(hg_heap *heap) const {
    return hg_heap_command(heap, flags, object_size, limit, preferred, reuse);
  }
};

size_t least_common_multiple(size_t a, size_t b) {
  size_t x = a, y = b;
  while (y != 0) {
    const size_t rest = x % y;
    x = y;
    y = rest;
  }
  return a / x * b;
}

// What breaks a precondition, the first one when several do; ok when the call is legal.
uint32_t precondition(const Call &call) {
  const uint32_t flags = call.flags;
  const uint32_t ways = flags & (HG_ALLOCATE_NEW | kExpand | kShrink);
  if (call.object_size == 0) return HG_STATUS_object_size_zero;
  if ((flags & ~(ways | HG_NOTHROW_ALLOCATION)) != 0) return HG_STATUS_unknown_flag;
  if (ways == 0) return HG_STATUS_no_command;
  if ((ways & HG_SHRINK_IN_PLACE) != 0 && ways != HG_SHRINK_IN_PLACE) return HG_STATUS_shrink_with_others;
  if ((ways & HG_TRY_SHRINK_IN_PLACE) != 0 && ways != HG_TRY_SHRINK_IN_PLACE) return HG_STATUS_try_shrink_with_others;
  if ((ways & (kExpand | kShrink)) != 0 && call.reuse == nullptr) return HG_STATUS_reuse_missing;
  if ((ways & kShrink) != 0 && call.limit < call.preferred) return HG_STATUS_limit_below_preferred;
  if ((ways & (kExpand | HG_ALLOCATE_NEW)) != 0 && call.limit > call.preferred) return HG_STATUS_limit_above_preferred;
  return HG_STATUS_ok;
}

void check_success(State &state, HeapSlot &in, const Call &call, const hg_command_result &result, const Entry &before) {
  expect(result.mem != nullptr && result.status == HG_STATUS_ok, "K1 mem and status disagree", result.status);
  const size_t usable = hg_usable_size(result.mem);
  expect(result.received <= usable / call.object_size, "K2 received objects do not fit", result.received, usable);
  if ((call.flags & kShrink) == 0) {
    expect(result.received >= call.limit, "K2 received is below the limit", result.received, call.limit);
  } else {
    expect(result.received >= call.preferred && result.received <= call.limit, "K2 shrunk outside preferred .. limit",
           result.received, call.limit);
  }
  const size_t request = result.received * call.object_size;
  if (result.reused == 0) {
    expect((call.flags & HG_ALLOCATE_NEW) != 0, "K3 new memory without allocate_new");
    if (call.reuse != nullptr) in.twin.check_contents(call.reuse, before.bytes);
    return state.adopt(in, result.mem, request);
  }
  const uintptr_t start = reinterpret_cast<uintptr_t>(result.mem);
  const uintptr_t old_start = reinterpret_cast<uintptr_t>(call.reuse);
  expect(start <= old_start, "K3 the start moved forward", start, old_start);
  if (start != old_start) {
    expect((call.flags & HG_EXPAND_BWD) != 0, "K3 the start moved without expand_bwd");
    const size_t unit = least_common_multiple(call.object_size, HG_ALIGNMENT);
    expect((old_start - start) % unit == 0, "K3 backward distance is not a multiple of object and alignment",
           old_start - start, unit);
  }
  // K4: what of the old contents still belongs to the block; a shrunk block lost its end.
  const size_t kept = before.bytes < usable ? before.bytes : usable;
  expect(has_pattern(call.reuse, kept, before.seed), "K4 the old contents changed", old_start, kept);
  in.twin.forget(call.reuse);
  state.adopt(in, result.mem, request);
}

void check_refusal(State &state, HeapSlot &in, const Call &call, const hg_command_result &result, const Entry &before) {
  ++state.refusals;
  expect(result.mem == nullptr && result.status != HG_STATUS_ok, "K1 mem and status disagree", result.status);
  const uint32_t expected = precondition(call);
  if (expected != HG_STATUS_ok) {
    expect(result.status == expected, "wrong status for a broken precondition", result.status, expected);
  }
  if (call.reuse != nullptr) {
    expect(hg_usable_size(call.reuse) == before.bytes, "K5 a refusal changed the block");
    in.twin.check_contents(call.reuse, before.bytes);
  }
  if (expected != HG_STATUS_ok || result.received == 0) return;
  Call again = call;
  again.limit = result.received;
  ++state.retries;
  const hg_command_result met = again.run(in.heap);
  expect(met.status == HG_STATUS_ok, "K5 the limit a refusal promised was not met", result.received, met.status);
  check_success(state, in, again, met, before);
}

}  // namespace

void Command::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  Call call{flags, object_size, 0, 0, in.twin.count() == 0 || pick % 64 == 0 ? nullptr : state.pick(in, pick)};
  const Entry before = call.reuse == nullptr ? Entry{0, 0, 0} : in.twin.at(call.reuse);
  const size_t old_objects = object_size == 0 ? 0 : before.bytes / object_size;
  if ((flags & kShrink) != 0) {
    call.preferred = old_objects - limit_step % (old_objects + 1);
    call.limit = call.preferred + preferred_step % (old_objects - call.preferred + 1);
  } else {
    call.limit = old_objects + limit_step;
    call.preferred = call.limit + preferred_step;
  }
  if (pick % 50 == 0) {  // the wrong way round
    const size_t kept = call.limit;
    call.limit = call.preferred;
    call.preferred = kept;
  }
  if (call.reuse != nullptr) in.twin.check_contents(call.reuse, before.bytes);

  const hg_command_result result = call.run(in.heap);
  state.note(result.received);
  state.note(result.status);
  expect(hg_heap_status(in.heap) == result.status, "heap status differs from the result's", hg_heap_status(in.heap),
      result.status);
  if (result.status != HG_STATUS_ok) return check_refusal(state, in, call, result, before);
  expect(precondition(call) == HG_STATUS_ok, "a call with a broken precondition succeeded", precondition(call));
  if ((flags & HG_TRY_SHRINK_IN_PLACE) == 0) return check_success(state, in, call, result, before);

  expect(result.mem == call.reuse && hg_usable_size(call.reuse) == before.bytes, "K6 try_shrink changed the block");
  in.twin.check_contents(call.reuse, before.bytes);
  Call shrink = call;
  shrink.flags = HG_SHRINK_IN_PLACE;
  shrink.limit = result.received;
  const hg_command_result shrunk = shrink.run(in.heap);
  expect(shrunk.status == HG_STATUS_ok, "K6 shrink_in_place refused what try_shrink promised", result.received,
      shrunk.status);
  expect(shrunk.received == result.received, "K6 shrink_in_place gave another size", result.received, shrunk.received);
  check_success(state, in, shrink, shrunk, before);
}

}  // namespace contract
