// What others ask about slabs: walks, figures, and what a snapshot leaves out. See slabs.hpp.
#include "slab/slabs.hpp"
#include "slab/waiting_block.hpp"

namespace heapglass {

#if HG_SLABS

bool Slabs::walk(const Chunk *c, Word i, hg_walk_record *record) const {
  const void *const mem = at_offset<void>(c, kWord);
  if (g_slab_map.is_in(mem) && i == 0) {
    *record = {HG_WALK_slab | HG_SLAB_WORDS << 16, offset_of(c), static_cast<std::uint32_t>(size_of(c)), static_cast<std::uint32_t>(read_head(c))};
    return true;
  }
  const Slab *const s = g_slab_map.slab_at(mem);
  if (s == nullptr || s != mem || (kThreads && g_slab_map.owner_at(s) != owner_) || i > capacity_of(s)) return false;
  const Class &k = classes_[class_of(s)];
  const std::uint32_t list = (HG_SLAB_LISTS + class_of(s)) << 16;
  if (i == 0) {
    *record = {HG_WALK_slab | list, offset_of(c), static_cast<std::uint32_t>(size_of(c)), static_cast<std::uint32_t>(read_head(c))};
    return true;
  }
  const bool in_slab = (free_bits_of(s) >> (i - 1) & 1) != 0;
  const bool is_free = in_slab || is_waiting(at_offset<char>(s, kSlabHead) + (i - 1) * k.bytes);
  const std::uint32_t kind = is_free ? HG_WALK_slab_block_free : HG_WALK_slab_block_in_use;
  *record = {kind | list, offset_of(c) + static_cast<std::uint32_t>(kSlabHead + (i - 1) * k.bytes), static_cast<std::uint32_t>(k.bytes), 0};
  return true;
}

Word Slabs::usable_size(const Slab *s, const void *mem) const {
  const Class &c = classes_[class_of(s)];
  [[maybe_unused]] const unsigned i = number_of(s, c, mem);
#if HG_HARDENED
  if (c.current == s) {
    if (i > c.last || (c.bits() >> i & 1) != 0) report_free(s, i, mem);
  } else {
    check_owner(s);
    prove_half(s, i / kHalf);
    if ((s->free[i / kHalf] >> i % kHalf & 1) != 0) report_free(s, i, mem);
  }
#endif
  return c.bytes;
}

Word Slabs::idle_bytes() const {
  Word bytes = g_slab_map.kept_bytes() == 0 ? g_slab_map.bytes() : 0;
  g_slab_map.each([&](const Slab *s) {
#if HG_PROVEN_OWNERS
    const unsigned owner = g_slab_map.owner_at(s);
    if (owner > SlabOwners::kOrphans) report_damaged(s);
    const Hold hold(g_slab_owners.lock(owner));
#endif
    if constexpr (kHardened) prove(s);  // malloc.P12
    const Word in_use = capacity_of(s) - static_cast<unsigned>(__builtin_popcountll(free_bits_of(s)));
    bytes += size_of(chunk_of(s)) - in_use * slab_block_bytes(class_of(s));
  });
  return bytes;
}

bool Slabs::next_free_run(Word *place, std::uintptr_t *begin, std::uintptr_t *end) const {
  for (; place[0] < g_slab_map.length(); ++place[0], place[1] = 0) {
    const Slab *const s = g_slab_map.beginning_in(place[0]);
    if (s == nullptr) continue;
    prove(s);
    const Class &c = classes_[class_of(s)];
    const Bits left = free_bits_of(s) >> place[1];  // fewer than 64 blocks
    if (left == 0) continue;
    const auto skipped = static_cast<unsigned>(__builtin_ctzll(left));
    const auto count = static_cast<unsigned>(__builtin_ctzll(~(left >> skipped)));
    *begin = address_of(s) + kSlabHead + (place[1] + skipped) * c.bytes;
    *end = *begin + count * c.bytes;
    place[1] += skipped + count;
    return true;
  }
  return false;
}

#endif

}  // namespace heapglass
