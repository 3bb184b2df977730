// What JavaScript needs beside the C interface: memory for arguments and records, and the free memory. wasm modules only.
#include <stddef.h>
#include <stdint.h>

#include "platform/page_source.hpp"

namespace {
// A placed module's data may lie in a small region of the host's memory.
constexpr size_t kScratchBytes = heapglass::kPlaced ? 1024 : 64 * 1024;
alignas(16) unsigned char g_scratch[kScratchBytes];
}  // namespace

extern "C" {

// Static memory for one call's arguments, results and walk records; the caller's until its next call.
void *hg_scratch(void) { return g_scratch; }
size_t hg_scratch_size(void) { return kScratchBytes; }

// Bytes of existing memory that no heap of the module holds.
size_t hg_spare_bytes(void) { return heapglass::growing_pages()->spare(); }

}  // extern "C"
