#include "state.hpp"

#include "report.hpp"
#include "walk_compare.hpp"

namespace contract {

namespace {
uintptr_t address_of(const void *mem) { return reinterpret_cast<uintptr_t>(mem); }
}  // namespace

size_t State::live_blocks() const {
  size_t count = 0;
  for (const auto &slot : heaps) {
    count += slot->twin.count();
    for (const auto &pool : slot->pools) count += pool->twin.count();
  }
  return count;
}

size_t State::live_bytes() const {
  size_t bytes = 0;
  for (const auto &slot : heaps) {
    bytes += slot->twin.bytes();
    for (const auto &pool : slot->pools) bytes += pool->twin.bytes();
  }
  return bytes;
}

void State::note(uint64_t word) {
  for (int i = 0; i < 4; ++i) {
    offsets_hash = (offsets_hash ^ (word & 0xffff)) * 0x100000001b3ull;
    word >>= 16;
  }
}

void State::note_address(const HeapSlot &slot, const void *mem) {
  note(mem == nullptr ? ~0ull : static_cast<uint64_t>(address_of(mem) - address_of(slot.heap)));
}

void State::adopt(HeapSlot &slot, void *mem, size_t request, size_t alignment) {
  note_address(slot, mem);
  expect(address_of(mem) % HG_ALIGNMENT == 0, "block is not aligned to HG_ALIGNMENT", address_of(mem));
  expect(address_of(mem) % alignment == 0, "block is not aligned as asked", address_of(mem), alignment);
  const size_t usable = hg_usable_size(mem);
  expect(usable >= request && usable >= 1, "usable size is below the request", usable, request);
  slot.twin.insert(mem, usable, next_seed++);
}

void *State::pick(HeapSlot &slot, uint32_t random) {
  void *const mem = slot.twin.pick(random);
  const size_t bytes = slot.twin.at(mem).bytes, usable = hg_usable_size(mem);
  if (usable == bytes) return mem;
  expect(is_usable_size(bytes, usable), "a block's usable size changed", bytes, usable);
  slot.twin.grow(mem, usable);
  return mem;
}

void State::adopt_node(HeapSlot &slot, PoolSlot &pool, void *node) {
  note_address(slot, node);
  expect(address_of(node) % sizeof(size_t) == 0, "node is not aligned to the word", address_of(node));
  pool.twin.insert(node, pool.options.node_size, next_seed++);
}

void State::refused(HeapSlot &slot) {
  ++refusals;
  const uint32_t status = hg_heap_status(slot.heap);
  note(status);
  expect(status != HG_STATUS_ok, "nothing returned but the status is ok");
}

}  // namespace contract
