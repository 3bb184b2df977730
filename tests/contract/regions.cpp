#include "regions.hpp"

#include <cstdint>

#include "platform/page_source.hpp"

namespace contract {

#if defined(__wasm__)

char *region_address(size_t number) {
  alignas(65536) static char memory[kRegions * kRegionBytes];
  return memory + number * kRegionBytes;
}

#else

char *region_address(size_t number) {
  static char *const memory = [] {
    char *const end = reinterpret_cast<char *>(heapglass::raw_end());
    heapglass::grow_by_others(kRegions * kRegionBytes);
    return end;
  }();
  return memory + number * kRegionBytes;
}

#endif

}  // namespace contract
