#include "command_oracle.hpp"

#include <algorithm>
#include <numeric>

namespace command_tests {

size_t Reach::unit() const { return std::lcm(object_size, kAlignBytes); }

size_t Reach::now() const { return usable / object_size; }

bool Reach::distance_fits(size_t d) const {
  return d % unit() == 0 && (d == 0 || d == before || (d < before && before - d >= kLeastChunk));
}

size_t Reach::longest_distance() const {
  for (size_t d = before / unit() * unit(); d > 0; d -= unit()) {
    if (distance_fits(d)) return d;
  }
  return 0;
}

size_t Reach::forward() const { return (usable + after) / object_size; }
size_t Reach::backward() const { return (usable + longest_distance()) / object_size; }
size_t Reach::both() const { return (usable + after + longest_distance()) / object_size; }
size_t Reach::fresh() const { return largest == 0 ? 0 : (largest - kWordBytes) / object_size; }

size_t Reach::best(uint32_t flags) const {
  size_t most = 0;
  if (flags & HG_EXPAND_FWD) most = std::max(most, forward());
  if (flags & HG_EXPAND_BWD) most = std::max(most, backward());
  if ((flags & HG_EXPAND_FWD) && (flags & HG_EXPAND_BWD)) most = std::max(most, both());
  if (flags & HG_ALLOCATE_NEW) most = std::max(most, fresh());
  return most;
}

Expected expected_of(const Reach &reach, uint32_t flags, size_t limit, size_t preferred) {
  if ((flags & HG_EXPAND_FWD) && reach.forward() >= limit) {
    return {true, Way::kForward, std::min(preferred, reach.forward()), 0};
  }
  // Even nothing at all needs a chunk when it is new.
  if ((flags & (HG_EXPAND_FWD | HG_EXPAND_BWD)) == 0 && reach.largest == 0) return {false, Way::kNone, 0, 0};
  const size_t others = reach.best(flags);
  if (others >= preferred) return {true, Way::kOther, preferred, 0};
  if (others >= limit) return {true, Way::kOther, limit, 0};
  return {false, Way::kNone, 0, others};
}

}  // namespace command_tests
