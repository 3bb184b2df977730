// Every experiment there is. A module holds those that are linked into it; the others are weak names for nothing.
#include "experiments/program.hpp"

namespace experiments {

#define HG_PROGRAMS(X) \
  X(kAe1) X(kAe2) X(kAe3) X(kAe4) X(kAe5) X(kBe1) X(kCe1) X(kDe1) X(kEe1) X(kEe2) X(kEe3) X(kEe4) X(kEe5)

#define HG_DECLARE(name) extern const Program name __attribute__((weak));
HG_PROGRAMS(HG_DECLARE)
#undef HG_DECLARE

#define HG_ENTRY(name) &name,
const Program *const kPrograms[] = {HG_PROGRAMS(HG_ENTRY)};
#undef HG_ENTRY
const uint32_t kProgramCount = sizeof kPrograms / sizeof kPrograms[0];

}  // namespace experiments
