// What libFuzzer calls. Compiled once a target, with HG_FUZZ_TARGET set to its name.
#include "targets.hpp"

#define HG_PLAY_(name) fuzz::play_##name
#define HG_PLAY(name) HG_PLAY_(name)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  HG_PLAY(HG_FUZZ_TARGET)(bytes, count);
  return 0;
}
