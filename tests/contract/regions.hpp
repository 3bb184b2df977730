// Memory for heaps on fixed regions, which belongs to no growing heap: a few runs of their own.
//
// Natively they lie in the page source's reservation, taken as another user of memory would take them, because events
// carry 32-bit offsets from its start. In wasm all of linear memory has such offsets, and static storage does.
#pragma once

#include <cstddef>

namespace contract {

inline constexpr size_t kRegions = 3;
inline constexpr size_t kRegionBytes = 256 * 1024;

// The same address each time.  pre: number < kRegions, the default heap was made
char *region_address(size_t number);

}  // namespace contract
