// See held_guard.hpp. Overflow into the next block shows as a damaged tag or header of the neighbour, found by the heap's guard
// for the block given back and for the block behind it.
#include "front/held_guard.hpp"

#include "heap/guard.hpp"

namespace heapglass {

namespace {
constexpr unsigned char kFreedByte = 0xdd;
}

void HeldGuard::prove_returned(const Heap &heap, const void *mem) { Guard::check_in_use(heap, mem); }

void HeldGuard::prove_waiting(const Heap &heap, const void *mem) {
  Guard::check_held(heap, mem);
  const Word size = size_of(chunk_of(mem));
  const std::uint32_t holder = holder_of(mem);
  if (holder != thread_number() && holder != kCentral) {
    fail(kFailure_damaged_link, mem, "written to after it was freed; chunk of", size);
  }
  const void *const next = link_of_held(mem);
  if (next != nullptr && (!heap.owns(next, kMinChunk - kWord) || holder_of(next) == kNotHeld)) {
    fail(kFailure_damaged_link, mem, "its link leads to no waiting chunk:", offset_of(next));
  }
  const unsigned char *const bytes = static_cast<const unsigned char *>(mem);
  for (Word at = 3 * kWord; at < size - kWord; ++at) {
    if (bytes[at] != kFreedByte) fail(kFailure_damaged_link, mem, "written to after it was freed, at byte", at);
  }
}

}  // namespace heapglass
