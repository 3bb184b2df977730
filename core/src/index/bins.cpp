#include "index/bins.hpp"

#include "base/build.hpp"
#include "base/failure.hpp"

namespace heapglass {

void Bins::set_bit(unsigned bin) {
  if (bin < kSmallBins) {
    small_map |= 1u << bin;
    return;
  }
  const unsigned power = (bin - kSmallBins) / kSteps;
  second_map[power] = static_cast<std::uint16_t>(second_map[power] | 1u << (bin - kSmallBins) % kSteps);
  first_map |= 1u << power;
}

void Bins::clear_bit(unsigned bin) {
  if (bin < kSmallBins) {
    small_map &= ~(1u << bin);
    return;
  }
  const unsigned power = (bin - kSmallBins) / kSteps;
  second_map[power] = static_cast<std::uint16_t>(second_map[power] & ~(1u << (bin - kSmallBins) % kSteps));
  if (second_map[power] == 0) first_map &= ~(1u << power);
}

void Bins::insert(Chunk *c, Word size) { insert_inlined(c, size); }

// malloc.P4: what a link of c names leads back to c. Where a damaged link leads, the word decodes to another address, or reading
// it ends the program.
inline void check_leads_back([[maybe_unused]] const Chunk *to, [[maybe_unused]] const Chunk *c) {
  if constexpr (kHardened) {
    if (to != c) fail(kFailure_damaged_link, c, nullptr);
  }
}

void Bins::remove(Chunk *c, Word size) {
  Chunk *const next = c->next;
  Chunk *const prev = c->prev;
  forget_words(mem_of(c), 2 * kWord);
  if (next != nullptr) {
    check_leads_back(next->prev, c);
    next->prev = prev;
  }
  if (prev != nullptr) {
    check_leads_back(prev->next, c);
    prev->next = next;
    return;
  }
  const unsigned bin = bin_of(size);
  check_leads_back(heads[bin], c);
  heads[bin] = next;
  if (next == nullptr) {
    clear_bit(bin);
  } else if constexpr (kHardened) {
    if (bin_of(size_of(next)) != bin) fail(kFailure_damaged_link, next, nullptr);  // malloc.P10
  }
}

unsigned Bins::next_used(unsigned bin) const {
  if (bin < kSmallBins) {
    const std::uint32_t rest = small_map >> bin;
    if (rest != 0) return bin + lowest_bit(rest);
    bin = kSmallBins;
  }
  unsigned power = (bin - kSmallBins) / kSteps;
  if (power >= kPowers) return kNoBin;
  std::uint32_t steps = second_map[power] & (~0u << (bin - kSmallBins) % kSteps);
  if (steps == 0) {
    const std::uint32_t powers = first_map & ~((2u << power) - 1);  // 2u << 31 is 0: none left
    if (powers == 0) return kNoBin;
    power = lowest_bit(powers);
    steps = second_map[power];
  }
  return kSmallBins + power * kSteps + lowest_bit(steps);
}

Chunk *Bins::best_in(unsigned bin, Word size) const {
  Chunk *best = nullptr;
  Chunk *c = heads[bin];
  for (unsigned seen = 0; c != nullptr && seen < kScan; ++seen, c = c->next) {
    const Word found = size_of(c);
    if (found >= size && (best == nullptr || found < size_of(best))) best = c;
    if (found == size || bin < kSmallBins) break;  // no other chunk is better
  }
  return best;
}

Chunk *Bins::best_after(unsigned bin, Word size) const {
  const unsigned found = next_used(bin + 1);
  return found == kNoBin ? nullptr : best_in(found, size);
}

Chunk *Bins::largest() const {
  unsigned bin;
  if (first_map != 0) {
    const unsigned power = floor_log2(first_map);
    bin = kSmallBins + power * kSteps + floor_log2(second_map[power]);
  } else if (small_map != 0) {
    bin = floor_log2(small_map);
  } else {
    return nullptr;
  }
  Chunk *best = heads[bin];
  Chunk *c = best->next;
  for (unsigned seen = 1; c != nullptr && seen < kScan; ++seen, c = c->next) {
    if (size_of(c) > size_of(best)) best = c;
  }
  return best;
}

}  // namespace heapglass
