#include "pool/pool_ids.hpp"

#include "base/bits.hpp"
#include "platform/spin_lock.hpp"

namespace heapglass {
namespace {

constexpr uint32_t kPoolIdWords = (kMaxPools + 1) / 32;
constexpr uint32_t kHeapIds = 256;

SpinLock g_pool_ids_lock;
uint32_t g_pool_ids[kPoolIdWords];  // bit n: id n is in use; id 0 means none
uint16_t g_first_pool_id[kHeapIds];
uint16_t g_next_pool_id[kMaxPools + 1];

// Marks the lowest free id as used and returns it.
uint32_t take_pool_id() {
  g_pool_ids[0] |= 1;
  for (uint32_t word = 0; word < kPoolIdWords; ++word) {
    if (g_pool_ids[word] == ~0u) continue;
    const uint32_t bit = lowest_bit(~g_pool_ids[word]);
    g_pool_ids[word] |= 1u << bit;
    return word * 32 + bit;
  }
  return 0;
}

uint16_t *pool_id_link(uint32_t heap_id, uint32_t id) {
  uint16_t *link = &g_first_pool_id[heap_id];
  while (*link != 0 && *link < id) link = &g_next_pool_id[*link];
  return link;
}

}  // namespace

uint32_t acquire_pool_id(uint32_t heap_id) {
  const Hold hold(g_pool_ids_lock);
  const uint32_t id = take_pool_id();
  if (id == 0) return 0;
  uint16_t *const link = pool_id_link(heap_id, id);
  g_next_pool_id[id] = *link;
  *link = static_cast<uint16_t>(id);
  return id;
}

void release_pool_id(uint32_t heap_id, uint32_t id) {
  const Hold hold(g_pool_ids_lock);
  *pool_id_link(heap_id, id) = g_next_pool_id[id];
  g_pool_ids[id / 32] &= ~(1u << id % 32);
}

void release_pool_ids(uint32_t heap_id) {
  const Hold hold(g_pool_ids_lock);
  for (uint32_t id = g_first_pool_id[heap_id]; id != 0; id = g_next_pool_id[id]) {
    g_pool_ids[id / 32] &= ~(1u << id % 32);
  }
  g_first_pool_id[heap_id] = 0;
}

}  // namespace heapglass
