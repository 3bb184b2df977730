// See cache_guard.hpp. An overflow into the next block shows as a damaged header or foot of the neighbour: the heap's guard
// finds it for the block given back and for the block behind it.
#include "malloc/cache_guard.hpp"

#include "heap/guard.hpp"
#include "malloc/heap_lock.hpp"
#include "platform/threads.hpp"

namespace heapglass {

namespace {
constexpr unsigned char kFreedByte = 0xdd;
constexpr Word kLinkWords = 2;  // of a cached chunk; on a central list one more: malloc.C4

bool is_cached_chunk(const Heap &heap, const void *mem) {
  return heap.owns(mem, kMinChunk - kWord) && is_cached(chunk_of(mem));
}
}  // namespace

void CacheGuard::prove_pushed([[maybe_unused]] const Heap &heap, [[maybe_unused]] const void *mem) {
#if HG_HARDENED
  const HeapLock lock(heap);
  HardenedHeap::check_in_use(heap, mem);
#endif
}

void CacheGuard::prove_returned(const Heap &heap, const void *mem) { Guard::check_in_use(heap, mem); }

void CacheGuard::prove_cached(const Heap &heap, const void *mem) {
  Guard::check_cached(heap, mem);
  const Word size = size_of(chunk_of(mem));
  const std::uint32_t holder = holder_of(mem);
  if (holder != thread_number() && holder != kCentral) {
    fail(kFailure_damaged_link, mem, "written to after it was freed; chunk of", size);
  }
  const void *const next = next_cached(mem);
  if (next != nullptr && !is_cached_chunk(heap, next)) {
    fail(kFailure_damaged_link, mem, "its link leads to no cached chunk:", offset_of(next));
  }
  const unsigned char *const bytes = static_cast<const unsigned char *>(mem);
  const Word link_words = holder == kCentral ? kLinkWords + 1 : kLinkWords;
  for (Word at = link_words * kWord; at < size - kWord; ++at) {
    if (bytes[at] != kFreedByte) fail(kFailure_damaged_link, mem, "written to after it was freed, at byte", at);
  }
}

void CacheGuard::prove_moved(const Heap &heap, const void *mem, std::uint32_t from) {
  if (holder_of(mem) != from) fail(kFailure_damaged_link, mem, "on no list, or twice on one: its holder was overwritten, or a link to it");
  prove_cached(heap, mem);
}

void CacheGuard::prove_next_batch(const Heap &heap, const void *batch, const void *next) {
  if (next == nullptr || (is_cached_chunk(heap, next) && holder_of(next) == kCentral)) return;
  fail(kFailure_damaged_link, batch, "it leads to no batch:", offset_of(next));
}

}  // namespace heapglass
