// The fuzz targets: each plays any bytes as operations and aborts at the first contradiction (contract/report.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace fuzz {

inline uint64_t g_operations = 0;  // of all inputs so far

// X(name)
#ifdef HG_FUZZ_MALLOC_ALONE
#define HG_FUZZ_TARGETS(X) X(malloc)
#else
#define HG_FUZZ_TARGETS(X) X(heap) X(commands_and_bursts) X(pools) X(small) X(malloc) X(memory_pools_and_managers)
#endif

#define HG_DECLARE(name) void play_##name(const uint8_t *bytes, size_t count);
HG_FUZZ_TARGETS(HG_DECLARE)
#undef HG_DECLARE

}  // namespace fuzz
