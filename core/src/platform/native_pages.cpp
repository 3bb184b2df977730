// Pages of a 64-bit host: one reservation of 4 GiB, committed from its start, as a linear memory grows. So event addresses
// are 32-bit offsets here, too, and one page list serves both platforms.
#if !defined(__wasm__)

#include <sys/mman.h>

#include "base/address.hpp"
#include "platform/page_source.hpp"

namespace heapglass {

std::uintptr_t g_address_base = 0;

namespace {

constexpr Word kReserved = Word{1} << 32;  // of which offsets from 64 KiB on are used
std::uintptr_t g_start = 0;
std::uintptr_t g_end = 0;
Word g_fail_in = 0;     // growths until they fail; 0: never
Word g_fail_count = 0;  // how many fail then
Word g_asked = 0;
bool g_failing = false;

}  // namespace

// Offsets begin one page below the reservation, because offset 0 means "none". The last page stays unused, so no end is
// at 2^32.
std::uintptr_t raw_begin() {
  constexpr int kMapping = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *const memory = mmap(nullptr, kReserved + kPageBytes, PROT_NONE, kMapping, -1, 0);
  g_start = memory == MAP_FAILED ? kPageBytes : round_up(reinterpret_cast<std::uintptr_t>(memory), kPageBytes);
  g_end = g_start;
  if (memory == MAP_FAILED) fail_growth(1);
  g_address_base = g_start - kPageBytes;
  return g_start;
}

std::uintptr_t raw_end() { return g_end; }

bool memory_is_shared() { return false; }

std::uintptr_t raw_limit() { return raw_end(); }

bool raw_grow(Word bytes) {
  ++g_asked;
  if (g_fail_in != 0 && --g_fail_in == 0) g_failing = true;
  if (g_failing) {
    if (g_fail_count != ~Word{0} && --g_fail_count == 0) g_failing = false;
    return false;
  }
  bytes = round_up(bytes, kPageBytes);
  if (bytes > g_start + kReserved - 2 * kPageBytes - g_end) return false;
  if (mprotect(reinterpret_cast<void *>(g_end), bytes, PROT_READ | PROT_WRITE) != 0) return false;
  g_end += bytes;
  return true;
}

void fail_growth(Word k, Word count) {
  g_failing = false;
  g_fail_in = k;
  g_fail_count = count;
}

Word growths_asked() { return g_asked; }

void grow_by_others(Word bytes) {
  if (mprotect(reinterpret_cast<void *>(g_end), round_up(bytes, kPageBytes), PROT_READ | PROT_WRITE) == 0) {
    g_end += round_up(bytes, kPageBytes);
  }
}

}  // namespace heapglass

#endif
