// What libFuzzer calls. Compiled once a target, with HG_FUZZ_TARGET set to its name.
#include <cstdio>

#include "targets.hpp"

namespace {

// At the end, as libFuzzer says its own figures.
struct Said {
  ~Said() { std::fprintf(stderr, "stat::operations: %llu\n", static_cast<unsigned long long>(fuzz::g_operations)); }
} const g_said;

}  // namespace

#define HG_PLAY_(name) fuzz::play_##name
#define HG_PLAY(name) HG_PLAY_(name)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  HG_PLAY(HG_FUZZ_TARGET)(bytes, count);
  return 0;
}
