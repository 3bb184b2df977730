#include "trace/chunk_starts.hpp"

namespace heapglass::trace {

#if HG_CHECKED

namespace {

using Starts = ChunkStarts;

static_assert(Starts::kWideRegion / kWord < 0xffff, "an entry counts words from its region's begin");
std::uint16_t g_first[Starts::kRegions + Starts::kWideRegions];  // words from the region's begin, plus 1; 0: none

// Outside of these 4 GiB lie only fixed regions of 64-bit hosts. Nothing is known of them (starts.T3).
bool is_covered(std::uintptr_t at) { return static_cast<std::uint64_t>(at - address_base()) < std::uint64_t{1} << 32; }

struct Region {
  explicit Region(std::uintptr_t at) {
    const Word offset = at - address_base();
    const bool wide = offset >= Starts::kWideFrom;
    number = wide ? Starts::kRegions + (offset - Starts::kWideFrom) / Starts::kWideRegion : offset / Starts::kRegion;
    bytes = wide ? Starts::kWideRegion : Starts::kRegion;
    begin = at - offset % bytes;
  }
  std::uintptr_t first() const { return g_first[number] == 0 ? 0 : begin + (g_first[number] - Word{1}) * kWord; }
  void set_first(std::uintptr_t start) { g_first[number] = static_cast<std::uint16_t>((start - begin) / kWord + 1); }
  void set_none() { g_first[number] = 0; }

  Word number;
  Word bytes;
  std::uintptr_t begin;
};
static_assert(Starts::kWideFrom % Starts::kWideRegion == 0, "a wide region begins at a multiple of its size");

}  // namespace

const void *ChunkStarts::in_region_of(const void *at) {
  return is_covered(address_of(at)) ? reinterpret_cast<const void *>(Region(address_of(at)).first()) : nullptr;
}

void ChunkStarts::add(std::uintptr_t start) {
  if (!is_covered(start)) return;
  Region region(start);
  if (region.first() == 0 || start < region.first()) region.set_first(start);
}

void ChunkStarts::remove(std::uintptr_t start, std::uintptr_t behind) {
  if (!is_covered(start)) return;
  Region region(start);
  if (region.first() != start) return;
  if (behind - region.begin < region.bytes) {
    region.set_first(behind);
  } else {
    region.set_none();
  }
}

void ChunkStarts::clear(std::uintptr_t from, std::uintptr_t end) {
  if (!is_covered(from)) return;
  for (std::uintptr_t at = from; at < end;) {
    Region region(at);
    const std::uintptr_t first = region.first();
    if (first >= from && first < end) region.set_none();
    const Word left = region.bytes - (at - region.begin);
    if (left > end - at) break;  // also where address 2^32 would follow
    at += left;
  }
}

#endif

}  // namespace heapglass::trace
