// The C interface for pages that could go back, and for a host that moves the program to a smaller memory.
#include <heapglass/heapglass.h>

#include "base/failure.hpp"
#include "heap/free_pages.hpp"
#include "heap/heap.hpp"
#include "heap/locked.hpp"
#include "platform/page_source.hpp"
#include "trace/probes.hpp"

using heapglass::FreePages;
using heapglass::growing_pages;
using heapglass::Heap;
using heapglass::Locked;
using heapglass::Word;

namespace {

constexpr Word kLeastPage = heapglass::kWord;
constexpr Word kScratchWords = 128;
Word g_scratch[kScratchWords];

// NULL: the default heap, if it was made; it is not made for a question.
const Heap *heap_made(const hg_heap *heap) {
  return heap != nullptr ? reinterpret_cast<const Heap *>(heap) : Heap::default_heap_if_made();
}

bool is_page(Word bytes) { return heapglass::is_power_of_two(bytes) && bytes >= kLeastPage; }

[[maybe_unused]] Word pages_below(std::uintptr_t end) { return (end - heapglass::address_base()) / heapglass::kPageBytes; }

}  // namespace

extern "C" {

size_t hg_heap_returnable(const hg_heap *heap, size_t page_bytes) {
  const Heap *const h = heap_made(heap);
  if (h == nullptr || !is_page(page_bytes)) return 0;
  const Locked locked(h);
  return FreePages::bytes(*h, page_bytes);
}

size_t hg_heap_free_pages(const hg_heap *heap, size_t page_bytes, size_t *cursor, size_t *runs, size_t capacity) {
  const Heap *const h = heap_made(heap);
  if (h == nullptr || !is_page(page_bytes)) return 0;
  const Locked locked(h);
  return FreePages::list(*h, page_bytes, cursor, runs, capacity);
}

size_t hg_memory_free_pages(size_t page_bytes, size_t *cursor, size_t *runs, size_t capacity) {
  if (!is_page(page_bytes)) return 0;
  Word count = 0;
  while (count < capacity) {
    const heapglass::PageRun pages = heapglass::next_released(page_bytes, cursor);
    if (pages.bytes == 0) break;
    runs[2 * count] = pages.address;
    runs[2 * count + 1] = pages.bytes;
    ++count;
  }
  return count;
}

size_t hg_memory_end(void) { return growing_pages()->needed_end(); }

void hg_memory_moved(size_t end) {
  heapglass::PageSource &pages = *growing_pages();
  [[maybe_unused]] const Word before = pages_below(pages.known_end);
  pages.moved(end);
  const Locked locked(nullptr);
  [[maybe_unused]] const Word now = pages_below(heapglass::raw_limit());
  if (heapglass::kTraced && now != before) {  // a snapshot of what was restored has the same bytes
    HG_PROBE(memory_moved, 0, 0, before, now, 0);
  }
}

// For JavaScript beside a linked program: static memory for the cursor and the runs.
void *hg_memory_scratch(void) { return g_scratch; }

}  // extern "C"
