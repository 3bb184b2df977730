// The other design of the malloc front, kept to be measured against: size classes without headers over small pages.
//
//   address >> 12 --> map: 0  a chunk of the boundary-tag heap (or not ours)
//                          c  a page of class c: blocks of kClasses.size[c] from end to end, no header
//
//  page (chunk of the heap, payload aligned to the page's bytes)
//     -4 | 0                                            bytes - 4 |
//  +-----+--------+--------+--------+-- ... --+--------+----------+
//  | head| block  | block  | block  |         | block  | rest     |   the next page's head is the last word
//  +-----+--------+--------+--------+-- ... --+--------+----------+
//
// Rules
//  1. malloc pops the list of the class, free pushes on the list of the page's class; neither counts anything.
//  2. An empty list takes a page from the heap and links its blocks in address order. A page's chunk is exactly as long as
//     the page, so pages lie side by side in the heap and nothing is lost between them.
//  3. Before memory grows, the lists are swept: every block goes to the chain of its page, wholly free pages go back to
//     the heap, which coalesces them; the others are kept per class, and an empty list takes the chain of such a page before
//     it asks for a new one. (Fullest first, so that emptier pages drain, was tried: the same footprint everywhere.)
//  4. A sweep costs O(blocks freed since the last one) and O(pages with chains). It is due when at least 1/32 of the
//     footprint was taken since the last one; each sweep in turn that gave less doubles that, up to 1/4.
//  5. Requests above PAGES_LARGEST are chunks, resized in place as the heap does it; they wait on the quick lists of design
//     (a), or (PAGES_QUICK 0) go to the heap at once. Those lists are emptied when the heap is about to grow.
//
// One thread.
#include <errno.h>
#include <heapglass/malloc.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>

#include "front/front.hpp"
#include "heap/heap.hpp"

#ifndef PAGES_LARGEST  // largest request served from pages
#define PAGES_LARGEST 512
#endif
#ifndef PAGES_LINEAR  // up to here one class each PAGES_STEP bytes, then 1 << PAGES_STEPS_LOG classes a power of two
#define PAGES_LINEAR 64
#endif
#ifndef PAGES_STEP
#define PAGES_STEP 8
#endif
#ifndef PAGES_STEPS_LOG
#define PAGES_STEPS_LOG 2
#endif
#ifndef PAGES_UNIT_LOG  // least page
#define PAGES_UNIT_LOG 12
#endif
#ifndef PAGES_MAX_LOG  // pages are 4 KiB, larger up to this while more than 1/16 would be lost or fewer than 8 blocks fit
#define PAGES_MAX_LOG 14
#endif
#ifndef PAGES_QUICK  // above PAGES_LARGEST: 1 the quick lists of design (a), 0 the heap alone
#define PAGES_QUICK 1
#endif

namespace heapglass {

// What a front inside the core would see.
struct HeapInspector {
  static Word footprint(const Heap &heap) { return heap.footprint_; }
};

#if HG_MALLOC
void report_out_of_memory() { errno = ENOMEM; }
#endif

}  // namespace heapglass

namespace {

using heapglass::Heap;
using heapglass::HeapInspector;

constexpr unsigned kUnitLog = PAGES_UNIT_LOG;
constexpr size_t kLargest = PAGES_LARGEST;
constexpr size_t kLinear = PAGES_LINEAR < PAGES_LARGEST ? PAGES_LINEAR : PAGES_LARGEST;
constexpr unsigned kStepLog = PAGES_STEP == 16 ? 4 : 3;
constexpr unsigned kStepsLog = PAGES_STEPS_LOG;
constexpr unsigned kLinearClasses = kLinear >> kStepLog;
constexpr unsigned floor_log2(size_t n) { return 31u - static_cast<unsigned>(__builtin_clz(n)); }

// Class of a request, 0 for a request of 0 (class 0's list is always empty).  pre: n <= kLargest
constexpr unsigned arithmetic_class(size_t n) {
  if (n <= kLinear) return (n + (1u << kStepLog) - 1) >> kStepLog;
  const unsigned power = floor_log2(n - 1);
  const unsigned step = ((n - 1) >> (power - kStepsLog)) - (1u << kStepsLog);
  return kLinearClasses + 1 + ((power - floor_log2(kLinear)) << kStepsLog) + step;
}
constexpr unsigned kClassCount = arithmetic_class(kLargest) + 1;
static_assert(kClassCount <= 256, "the map has a byte per unit");

struct Classes {
  uint16_t size[kClassCount];
  uint16_t blocks[kClassCount];  // in one page
  uint8_t page_log[kClassCount];
};
constexpr Classes make_classes() {
  Classes made = {};
  for (size_t n = 8; n <= kLargest; n += 8) {
    const unsigned c = arithmetic_class(n);
    made.size[c] = static_cast<uint16_t>(n);  // the last and largest stays
    unsigned log = kUnitLog;
    for (;; ++log) {
      const size_t bytes = (size_t{1} << log) - 4;
      made.blocks[c] = static_cast<uint16_t>(bytes / n);
      made.page_log[c] = static_cast<uint8_t>(log);
      if (log >= PAGES_MAX_LOG && bytes >= n) break;
      if (bytes / n >= 8 && bytes % n * 16 <= bytes) break;
    }
  }
  return made;
}
constexpr Classes kClasses = make_classes();
static_assert(kLargest <= 0xffff, "class sizes are 16 bits");

// Up to 1 KiB a table is quicker than the arithmetic.
constexpr bool kTabled = kLargest > kLinear && kLargest <= 1024;
struct Table {
  uint8_t of[kTabled ? kLargest / 8 + 1 : 1];
};
constexpr Table make_table() {
  Table made = {};
  if (kTabled)
    for (size_t n = 0; n <= kLargest; n += 8) made.of[n / 8] = static_cast<uint8_t>(arithmetic_class(n));
  return made;
}
constexpr Table kTable = make_table();

inline unsigned class_of(size_t n) {
  if constexpr (kTabled) return kTable.of[(n + 7) >> 3];
  return arithmetic_class(n);
}

struct __attribute__((may_alias)) Node {
  Node *next;
};

// Free blocks that a sweep sorted into their page.
struct Page {
  Node *free;
  uint32_t next;  // number of the class's next page with such blocks, 0 at the end
  uint16_t count;
};

constexpr size_t kFirstMap = 16;
uint8_t g_first_map[kFirstMap];
Node *g_lists[kClassCount];       // free blocks since the last sweep
uint32_t g_partial[kClassCount];  // pages with others
uint8_t *g_map = g_first_map;     // class of each unit of memory, g_units of them; then a Page for each
size_t g_units = kFirstMap;
size_t g_taken;       // bytes taken from the heap since the last sweep
unsigned g_patience;  // rule 4: sweeps in turn that gave little

inline size_t unit_of(const void *mem) { return reinterpret_cast<uintptr_t>(mem) >> kUnitLog; }
inline unsigned class_at(const void *mem) { return g_map[unit_of(mem)]; }

inline Page *page_table() { return reinterpret_cast<Page *>(g_map + g_units); }

// The map covers mem afterwards; false when memory is out.
[[gnu::noinline]] bool cover(Heap &heap, const void *mem) {
  if (unit_of(mem) < g_units) return true;
  const size_t units = (unit_of(mem) + unit_of(mem) / 4 + 64) & ~size_t{3};
  uint8_t *const map = static_cast<uint8_t *>(heap.allocate(units * (1 + sizeof(Page))));
  if (map == nullptr) return false;
  __builtin_memset(map, 0, units * (1 + sizeof(Page)));
  __builtin_memcpy(map, g_map, g_units);
  if (g_map != g_first_map) {
    __builtin_memcpy(map + units, page_table(), g_units * sizeof(Page));
    heap.deallocate(g_map);
  }
  g_map = map;
  g_units = units;
  return true;
}

// A chunk just taken is known to the map, or given back.
void *covered(Heap &heap, void *mem) {
  if (mem == nullptr || cover(heap, mem)) return mem;
  heap.deallocate(mem);
  return nullptr;
}

// Rule 3. Bytes given back to the heap.
[[gnu::noinline]] size_t sweep(Heap &heap) {
  size_t given = 0;
  for (unsigned c = 1; c < kClassCount; ++c) {
    Node *node = g_lists[c];
    if (node == nullptr) continue;
    g_lists[c] = nullptr;
    Page *const pages = page_table();
    const unsigned blocks = kClasses.blocks[c];
    const uintptr_t mask = -(uintptr_t{1} << kClasses.page_log[c]);
    do {
      Node *const next = node->next;
      const uintptr_t number = (reinterpret_cast<uintptr_t>(node) & mask) >> kUnitLog;
      Page &page = pages[number];
      if (page.free == nullptr) {
        page.next = g_partial[c];
        g_partial[c] = static_cast<uint32_t>(number);
      }
      node->next = page.free;
      page.free = node;
      ++page.count;
      node = next;
    } while (node != nullptr);
    // Wholly free pages go.
    uint32_t *link = &g_partial[c];
    while (const uint32_t number = *link) {
      Page &page = pages[number];
      if (page.count != blocks) {
        link = &page.next;
        continue;
      }
      *link = page.next;
      const size_t bytes = size_t{1} << kClasses.page_log[c];
      __builtin_memset(g_map + number, 0, bytes >> kUnitLog);
      page = {};
      heap.deallocate(reinterpret_cast<void *>(uintptr_t{number} << kUnitLog));
      given += bytes;
    }
  }
  return given;
}

// Rule 4. Whether anything was given.
bool before_growth(Heap &heap, bool linear_memory) {
  if (PAGES_QUICK && heapglass::release_rooms(heap)) return true;
  if (!linear_memory) return false;
  const bool gave = PAGES_QUICK && heapglass::flush_front(heap) != 0;
  const size_t share = HeapInspector::footprint(heap) / 32;
  if (g_taken < share << g_patience) return gave;
  const size_t given = sweep(heap);
  g_taken = 0;
  g_patience = given >= share ? 0 : g_patience < 3 ? g_patience + 1 : 3;
  return gave || given != 0;
}

std::uint32_t holder(const void *) { return ~0u; }
constexpr heapglass::FrontHooks kHooks = {before_growth, holder};

// The heap, about to be asked for `size` bytes; nullptr when memory is out.
Heap *heap_for(size_t size) {
  g_taken += size;
  Heap *heap = Heap::default_heap_if_made();
  if (__builtin_expect(heap != nullptr, 1)) return heap;
  heap = Heap::default_heap();
  if (heap != nullptr) heap->set_front_hooks(&kHooks);
  return heap;
}

// A page: the heap's best chunk when it happens to be aligned (pages that went back are), else one cut to measure.
[[gnu::noinline]] char *take_page(size_t bytes) {
  Heap *const heap = heap_for(bytes);
  if (heap == nullptr) return nullptr;
  void *mem = heap->allocate(bytes - 4);
  if (mem == nullptr) return nullptr;
  if ((reinterpret_cast<uintptr_t>(mem) & (bytes - 1)) != 0) {
    heap->deallocate(mem);
    mem = heap->allocate_aligned(bytes, bytes - 4);
    if (mem == nullptr) return nullptr;
  }
  char *const page = static_cast<char *>(mem);
  if (cover(*heap, page + bytes - 1)) return page;
  heap->deallocate(mem);
  return nullptr;
}

[[gnu::noinline]] void *malloc_large(size_t n) {
  Heap *const heap = heap_for(n);
  if (heap == nullptr) return nullptr;
  return covered(*heap, PAGES_QUICK ? hg_malloc(n) : heap->allocate(n));
}

[[gnu::noinline]] void free_large(void *mem) {
  if (PAGES_QUICK) return hg_free(mem);
  if (mem != nullptr) Heap::default_heap_if_made()->deallocate(mem);
}

[[gnu::noinline]] void *carve(unsigned c) {
  if (c == 0) return malloc(1);
  if (g_partial[c] != 0) {
    Page &page = page_table()[g_partial[c]];
    Node *const node = page.free;
    g_partial[c] = page.next;
    page = {};
    g_lists[c] = node->next;
    return node;
  }
  const size_t size = kClasses.size[c];
  const unsigned log = kClasses.page_log[c];
  char *const page = take_page(size_t{1} << log);
  if (page == nullptr) return nullptr;
  for (size_t i = 0; i < size_t{1} << (log - kUnitLog); ++i) g_map[unit_of(page) + i] = static_cast<uint8_t>(c);
  char *at = page + size;
  Node *const rest = kClasses.blocks[c] > 1 ? reinterpret_cast<Node *>(at) : nullptr;
  for (unsigned left = kClasses.blocks[c] - 1u; left > 1; --left, at += size) {
    reinterpret_cast<Node *>(at)->next = reinterpret_cast<Node *>(at + size);
  }
  if (rest != nullptr) reinterpret_cast<Node *>(at)->next = nullptr;
  g_lists[c] = rest;
  return page;
}

void *move(void *mem, size_t old, size_t n) {
  void *const to = malloc(n);
  if (to == nullptr) return nullptr;
  __builtin_memcpy(to, mem, old < n ? old : n);
  free(mem);
  return to;
}

// pre: mem is a chunk
[[gnu::noinline]] void *realloc_large(void *mem, size_t n) {
  Heap &heap = *Heap::default_heap_if_made();
  const size_t old = hg_usable_size(mem);
  if (n > old) g_taken += n - old;
  void *const to = PAGES_QUICK ? hg_realloc(mem, n) : heap.reallocate(mem, n);
  if (to == nullptr || to == mem || cover(heap, to)) return to;
  __builtin_trap();  // the map cannot grow, and the old block is gone
}

}  // namespace

extern "C" {

[[gnu::flatten]] void *malloc(size_t n) {  // the quick list inlined
  if (__builtin_expect(n <= kLargest, 1)) {
    const unsigned c = class_of(n);
    Node *const node = g_lists[c];
    if (__builtin_expect(node != nullptr, 1)) {
      g_lists[c] = node->next;
      return node;
    }
    return carve(c);
  }
  if (PAGES_QUICK) {
    void *const mem = heapglass::take_quick(n);
    if (__builtin_expect(mem != nullptr, 1)) return mem;
  }
  return malloc_large(n);
}

void free(void *mem) {
  const unsigned c = class_at(mem);
  if (__builtin_expect(c != 0, 1)) {
    Node *const node = static_cast<Node *>(mem);
    node->next = g_lists[c];
    g_lists[c] = node;
    return;
  }
  if (PAGES_QUICK && mem != nullptr && heapglass::give_quick(mem)) return;
  free_large(mem);
}

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
  void *const mem = malloc(bytes);
  if (mem != nullptr) __builtin_memset(mem, 0, bytes);
  return mem;
}

void *realloc(void *mem, size_t n) {
  if (mem == nullptr) return malloc(n);
  if (n == 0) {
    free(mem);
    return nullptr;
  }
  const unsigned c = class_at(mem);
  if (c == 0) return realloc_large(mem, n);
  const size_t old = kClasses.size[c];
  if (n <= old && n * 2 >= old) return mem;
  return move(mem, old, n);
}

size_t malloc_usable_size(void *mem) {
  const unsigned c = class_at(mem);
  return c != 0 ? kClasses.size[c] : hg_usable_size(mem);
}

void *realloc_in_place(void *mem, size_t n) {
  if (mem == nullptr) return nullptr;
  const unsigned c = class_at(mem);
  if (c != 0) return n <= kClasses.size[c] ? mem : nullptr;
  return Heap::default_heap_if_made()->reallocate_in_place(mem, n);
}

void *memalign(size_t alignment, size_t n) {
  if (alignment <= 8) return malloc(n);
  const size_t rounded = (n + alignment - 1) & -alignment;
  if (rounded - 1 < kLargest && kClasses.size[class_of(rounded)] % alignment == 0) return malloc(rounded);
  Heap *const heap = heap_for(n);
  return heap != nullptr ? covered(*heap, heap->allocate_aligned(alignment, n)) : nullptr;
}
int posix_memalign(void **out, size_t alignment, size_t n) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *const mem = memalign(alignment, n);
  if (mem == nullptr) return ENOMEM;
  *out = mem;
  return 0;
}
void *valloc(size_t n) { return memalign(65536, n); }
void *pvalloc(size_t n) { return memalign(65536, (n + 65535) & -size_t{65536}); }
size_t bulk_free(void **blocks, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    free(blocks[i]);
    blocks[i] = nullptr;
  }
  return 0;
}
int malloc_trim(size_t pad) {
  Heap *const heap = Heap::default_heap();
  return heap != nullptr && sweep(*heap) + heap->trim(pad) != 0;
}
size_t malloc_footprint(void) {
  const Heap *const heap = Heap::default_heap();
  return heap != nullptr ? HeapInspector::footprint(*heap) : 0;
}
struct mallinfo mallinfo(void) {
  struct mallinfo info = {};
  hg_heap_stats stats;
  hg_heap_get_stats(nullptr, &stats);
  info.arena = static_cast<decltype(info.arena)>(stats.footprint);
  info.uordblks = static_cast<decltype(info.uordblks)>(stats.in_use);
  info.fordblks = static_cast<decltype(info.fordblks)>(stats.free_bytes);
  return info;
}
int mallopt(int, int) { return 0; }

#define PAGES_SAME(name) __attribute__((alias(#name)))
void *aligned_alloc(size_t, size_t) PAGES_SAME(memalign);
void *emscripten_builtin_memalign(size_t, size_t) PAGES_SAME(memalign);
void *__libc_malloc(size_t) PAGES_SAME(malloc);
void *emscripten_builtin_malloc(size_t) PAGES_SAME(malloc);
void *__libc_calloc(size_t, size_t) PAGES_SAME(calloc);
void *emscripten_builtin_calloc(size_t, size_t) PAGES_SAME(calloc);
void *__libc_realloc(void *, size_t) PAGES_SAME(realloc);
void *emscripten_builtin_realloc(void *, size_t) PAGES_SAME(realloc);
void __libc_free(void *) PAGES_SAME(free);
void emscripten_builtin_free(void *) PAGES_SAME(free);
}
