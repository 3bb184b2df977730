// Which whole pages of a heap hold nothing: neither a block nor a word that the allocator reads.
//
//          page               page               page               page
//   -------+------------------+------------------+------------------+--------
//    in use | head next prev   : free : free     : free     foot | in use         one free chunk
//                             ^ the two whole pages of it  ^
//
//  free_pages.P1  The inside of a free chunk lies between its links and its foot. Only large chunks have a whole page inside: they are
//      found through the bins, so the cost depends on the free chunks of a page and more. The fast paths count nothing.
//  free_pages.P2  Listed are the bins from the page's own upwards, then top, then the victim. A page of one word lists the whole inside of
//      every free chunk, for a copy that leaves out what nobody reads (a snapshot).
//  free_pages.P4  Discarded pages may read as zeros: nothing that the allocator reads lies in them, and nothing that it proves (P3). Of a
//      block it assumes no contents but those of pages that were never used, which are zeros.
//  free_pages.P5  The allocator's own hook gives nothing to a host: then there is no event pages_discarded.
//  free_pages.P3  The checked build lists no page: it fills free chunks, and proves that nobody wrote there.
#include "heap/free_pages.hpp"

#include <heapglass/discard.h>

#include "heap/guard.hpp"
#include "heap/heap.hpp"
#include "platform/page_source.hpp"
#include "trace/probes.hpp"

namespace heapglass {

namespace {

constexpr Word kTopPlace = kBins;
constexpr Word kVictimPlace = kBins + 1;
constexpr Word kEndPlace = kBins + 2;

#if HG_TRACE
bool g_keeps_pages = false;  // free_pages.P5
#endif

}  // namespace

PageRun whole_pages(std::uintptr_t from, std::uintptr_t to, Word page_bytes) {
  const std::uintptr_t first = from > ~std::uintptr_t{0} - page_bytes ? to : round_up(from, page_bytes);
  const std::uintptr_t last = round_down(to, page_bytes);
  if (first >= last) return {0, 0};
  return {first, last - first};
}

PageRun inside_of(const Chunk *c, Word page_bytes) {
  if (c == nullptr) return {0, 0};
  const std::uintptr_t at = address_of(c);
  return whole_pages(at + sizeof(Chunk), at + size_of(c) - kWord, page_bytes);
}

// The next free chunk that may have a whole page inside; nullptr after the last. The cursor is 0, 0 at first: {place + 1, chunk}.
const Chunk *FreePages::next_chunk(const Heap &heap, Word page_bytes, Word *cursor) {
  if (cursor[0] == 0) cursor[0] = bin_of(page_bytes < kMinChunk ? kMinChunk : page_bytes) + 1;
  while (cursor[0] - 1 < kTopPlace) {
    const Chunk *c = reinterpret_cast<const Chunk *>(cursor[1]);
    const bool is_first = c == nullptr;
    if (is_first) {
      const unsigned bin = heap.bins_.next_used(static_cast<unsigned>(cursor[0] - 1));
      cursor[0] = (bin == kNoBin ? kTopPlace : bin) + 1;
      if (bin == kNoBin) break;
      c = heap.bins_.heads[bin];
    }
    Guard::check_listed(heap, c, is_first);
    cursor[1] = address_of(c->next);
    if (cursor[1] == 0) ++cursor[0];
    return c;
  }
  while (cursor[0] - 1 < kEndPlace) {
    const Chunk *const c = cursor[0]++ - 1 == kTopPlace ? heap.top_ : heap.victim_;
    if (c == nullptr) continue;
    Guard::check_free(heap, c);
    return c;
  }
  return nullptr;
}

Word FreePages::bytes(const Heap &heap, Word page_bytes) {
  Word cursor[2] = {};
  Word sum = 0;
  while (const Chunk *const c = next_chunk(heap, page_bytes, cursor)) sum += inside_of(c, page_bytes).bytes;
  return sum;
}

Word FreePages::list(const Heap &heap, Word page_bytes, Word *cursor, Word *runs, Word capacity) {
  if constexpr (kChecked) return 0;  // free_pages.P3
  Word count = 0;
  while (count < capacity) {
    const Chunk *const c = next_chunk(heap, page_bytes, cursor);
    if (c == nullptr) break;
    const PageRun run = inside_of(c, page_bytes);
    if (run.bytes == 0) continue;
    runs[2 * count] = run.address;
    runs[2 * count + 1] = run.bytes;
    ++count;
  }
  return count;
}

PageRun next_released(Word page_bytes, Word *cursor) {
  while (true) {
    const FoundRun run = growing_pages()->released_after(*cursor);
    if (run.run == nullptr) return {0, 0};
    const std::uintptr_t at = address_of(run.run);
    *cursor = at;
    const PageRun pages = whole_pages(at + sizeof *run.run, at + run.bytes, page_bytes);
    if (pages.bytes != 0) return pages;
  }
}

namespace {

void discard_run([[maybe_unused]] const Heap &heap, PageRun run) {
  void *const address = reinterpret_cast<void *>(run.address);
  hg_discard_pages(address, run.bytes);
#if HG_TRACE
  if (!g_keeps_pages) {
    HG_PROBE(pages_discarded, heap.id(), 0, address, run.bytes, 0);
  }
#endif
}

}  // namespace

void FreePages::discard(const Heap &heap) {
  if constexpr (kChecked) return;  // free_pages.P3
  Word cursor[2] = {};
  while (const Chunk *const c = next_chunk(heap, kPageBytes, cursor)) {
    if (const PageRun run = inside_of(c, kPageBytes); run.bytes != 0) discard_run(heap, run);
  }
  cursor[0] = 0;
  for (PageRun run; (run = next_released(kPageBytes, cursor)).bytes != 0;) discard_run(heap, run);
}

}  // namespace heapglass

extern "C" __attribute__((weak)) void hg_discard_pages(void *, size_t) {
#if HG_TRACE
  heapglass::g_keeps_pages = true;
#endif
}
