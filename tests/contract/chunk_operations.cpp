#include "chunk_operations.hpp"

#include "pattern.hpp"
#include "report.hpp"

namespace contract {

namespace {
// The default heap is asked for by its name and as NULL.
hg_heap *heap_argument(const HeapSlot &slot, uint32_t random) {
  return slot.by_default && (random & 0x100) != 0 ? nullptr : slot.heap;
}
}  // namespace

void Allocate::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  void *mem = hg_heap_allocate(heap_argument(in, slot), size);
  if (mem == nullptr) return state.refused(in);
  state.adopt(in, mem, size);
}

void Deallocate::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  if (in.twin.count() == 0) return hg_heap_deallocate(in.heap, nullptr);
  void *mem = state.pick(in, pick);
  in.twin.remove(mem);
  hg_heap_deallocate(heap_argument(in, slot), mem);
}

void AllocateZeroed::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  void *mem = hg_heap_allocate_zeroed(in.heap, count, size);
  if (mem == nullptr) return state.refused(in);
  expect(is_zero(mem, count * size), "zeroed memory is not zero", reinterpret_cast<uintptr_t>(mem), count * size);
  state.adopt(in, mem, count * size);
}

void Reallocate::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  void *old = in.twin.count() == 0 || pick % 32 == 0 ? nullptr : state.pick(in, pick);
  const Entry before = old == nullptr ? Entry{0, 0, 0} : in.twin.at(old);
  if (old != nullptr) in.twin.check_contents(old, before.bytes);
  void *mem = hg_heap_reallocate(in.heap, old, size);
  if (mem == nullptr && size == 0 && old != nullptr) {
    in.twin.forget(old);  // freed
    return;
  }
  if (mem == nullptr) {
    if (old != nullptr) in.twin.check_contents(old, before.bytes);
    return state.refused(in);
  }
  if (old != nullptr) {
    const size_t kept = before.bytes < size ? before.bytes : size;
    expect(has_pattern(mem, kept, before.seed), "reallocate lost contents", reinterpret_cast<uintptr_t>(mem), kept);
    in.twin.forget(old);
  }
  state.adopt(in, mem, size);
}

void ReallocateInPlace::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  if (in.twin.count() == 0) return;
  void *old = state.pick(in, pick);
  const Entry before = in.twin.at(old);
  in.twin.check_contents(old, before.bytes);
  void *mem = hg_heap_reallocate_in_place(in.heap, old, size);
  if (mem == nullptr) {
    in.twin.check_contents(old, before.bytes);
    expect(hg_usable_size(old) == before.bytes, "a refused reallocate_in_place changed the block");
    return state.refused(in);
  }
  expect(mem == old, "reallocate_in_place moved the block");
  const size_t kept = before.bytes < size ? before.bytes : size;
  expect(has_pattern(mem, kept, before.seed), "reallocate_in_place lost contents");
  in.twin.forget(old);
  state.adopt(in, mem, size);
}

void AllocateAligned::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  size_t alignment = static_cast<size_t>(1) << alignment_log2;
  if (alignment > state.largest_alignment) alignment = state.largest_alignment;
  void *mem = hg_heap_allocate_aligned(in.heap, alignment, size);
  if (mem == nullptr) return state.refused(in);
  state.adopt(in, mem, size, alignment);
}

void AskTheImpossible::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  const size_t huge = ~static_cast<size_t>(0) - near_the_end;
  void *mem = nullptr;
  uint32_t expected = HG_STATUS_too_large;
  switch (which % 5) {
    case 0: mem = hg_heap_allocate(in.heap, huge); break;
    case 1: mem = hg_heap_allocate_zeroed(in.heap, huge / 2, 3); break;
    case 2: mem = hg_heap_allocate_aligned(in.heap, 64, huge); break;
    case 3:
      mem = hg_heap_allocate_aligned(in.heap, 48, 100);
      expected = HG_STATUS_bad_alignment;
      break;
    default: {
      if (in.twin.count() == 0) return;
      void *old = state.pick(in, near_the_end);
      mem = hg_heap_reallocate(in.heap, old, huge);
      in.twin.check_contents(old, huge);
    }
  }
  expect(mem == nullptr, "an impossible request was met", reinterpret_cast<uintptr_t>(mem), which);
  expect(hg_heap_status(in.heap) == expected, "an impossible request has the wrong status", hg_heap_status(in.heap),
         which);
  ++state.refusals;
}

}  // namespace contract
