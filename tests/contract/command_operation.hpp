// The expansion command with every combination of flags, legal or not.
//
// What must hold for every call, whatever the neighbourhood (the exact outcome for a known neighbourhood is proved by
// tests/core/command):
//
//  K1  mem is NULL exactly when the status is not ok.
//  K2  received objects fit in the usable size; received >= limit (expand, new), or preferred <= received <= limit.
//  K3  a reused block starts at reuse, or (expand_bwd only) before it by a multiple of lcm(object size, HG_ALIGNMENT).
//  K4  the old contents still lie at reuse.
//  K5  a refusal changes nothing; when it says received > 0, the same call with that limit succeeds.
//  K6  try_shrink_in_place changes nothing; its received is a limit that shrink_in_place then meets.
#pragma once

#include "state.hpp"

namespace contract {

struct Command {
  static constexpr const char *kName = "command";
  uint32_t slot, pick, flags;
  size_t object_size;
  size_t limit_step;      // objects between the old size and limit
  size_t preferred_step;  // objects between limit and preferred
  void perform(State &state) const;
};

}  // namespace contract
