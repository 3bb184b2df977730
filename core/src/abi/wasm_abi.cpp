// What JavaScript needs beside the C interface: a place to put arguments and to read records from. wasm modules only.
#include <stddef.h>
#include <stdint.h>

namespace {
constexpr size_t kScratchBytes = 64 * 1024;
alignas(16) unsigned char g_scratch[kScratchBytes];
}  // namespace

extern "C" {

// Static memory for one call's arguments, results and walk records; the caller's until its next call.
void *hg_scratch(void) { return g_scratch; }
size_t hg_scratch_size(void) { return kScratchBytes; }

}  // extern "C"
