// BE1 (the document's table 1): five doubly linked lists of strings grow in turn, are searched and deleted; from the C
// library's malloc, from one heap, and from a pool for each list.
//
//   a round: each list in turn, 80 of 100: a string of 1 to 64 random bytes goes to its tail; else its head goes
//   search:  every list from head to tail for a string none of them holds
//   delete:  link by link (malloc, one heap), or the whole pool (a pool a list)
//   next:    one more pool is made and ended. The first request for pages after pools have ended sorts their segments into
//            the released runs, which ending them has put off; so this time, and the number of segments, belong to the deletion
//
//   Link { value, prev, next } and the string it names: two allocations an element, made one after the other.
//
// Pages and lines are those that one traversal of one list reads: each link, and of each string its first byte, which tells
// it from the one searched for. The lists are alike; the first one is counted.
//
// "whole pool": the time in which one pool of so many blocks goes. One is too short for a clock: kTogether small pools and
// as many large ones are made, in both rows alike, for filling large ones empties the cache of everything else, of the code
// too; each gives blocks and takes them back; then the ends of the small or of the large ones are timed together, less
// what the clock itself takes. Then, again, the next pool: it sorts the segments of all four. That no page of their blocks is
// touched is a test's (B1_whole_pool).
#include <heapglass/memory_pool.hpp>

#include <cstdlib>
#include <cstring>
#include <new>

#include "experiments/experiment.h"
#include "experiments/program.hpp"

namespace experiments {
namespace {

constexpr uint32_t kLists = 5;
constexpr uint32_t kLongest = 64;
constexpr uint32_t kSmallPool = 10;       // blocks
constexpr uint32_t kLargePool = 1000000;
#if HG_TRACE
constexpr bool kWatched = true;  // small pools alone: a million blocks are millions of events
#else
constexpr bool kWatched = false;
#endif
constexpr uint32_t kTogether = 4;         // pools whose ends are timed together
constexpr uint32_t kMostIterations = 20;  // of "whole pool"

struct Link {
  char *value;
  Link *prev;
  Link *next;
};

// ---- the ways: where links and strings come from ----

struct FromMalloc {
  static constexpr bool kFreedAsAWhole = false;
  bool open() { return true; }
  void close() {}
  static void open_all() {}
  static void close_all() {}
  void *allocate(size_t size) { return std::malloc(size); }
  void *allocate_link() { return std::malloc(sizeof(Link)); }
  void deallocate(void *mem) { std::free(mem); }
  void deallocate_link(void *mem) { std::free(mem); }
  void add_stats(hg_heap_stats *) const {}
};

void add_heap(const hg_heap *heap, hg_heap_stats *sum) {
  hg_heap_stats stats;
  hg_heap_get_stats(heap, &stats);
  sum->segments += stats.segments;
  sum->footprint += stats.footprint;
  sum->in_use += stats.in_use;
}

struct FromOneHeap {
  static constexpr bool kFreedAsAWhole = false;
  static inline hg_heap *heap = nullptr;
  static void open_all() { heap = hg_heap_create(); }
  static void close_all() {
    if (heap != nullptr) hg_heap_destroy(heap);
    heap = nullptr;
  }
  bool open() { return heap != nullptr; }
  void close() {}
  void *allocate(size_t size) { return hg_heap_allocate(heap, size); }
  void *allocate_link() { return hg_heap_allocate(heap, sizeof(Link)); }
  void deallocate(void *mem) { hg_heap_deallocate(heap, mem); }
  void deallocate_link(void *mem) { hg_heap_deallocate(heap, mem); }
  void add_stats(hg_heap_stats *sum) const {
    if (heap != nullptr && sum->footprint == 0) add_heap(heap, sum);  // once for all lists
  }
};

struct FromAPool {
  static constexpr bool kFreedAsAWhole = true;
  hg_memory_pool *pool = nullptr;
  static void open_all() {}
  static void close_all() {}
  bool open() {
    pool = hg_memory_pool_create(sizeof(Link));
    return pool != nullptr;
  }
  void close() {
    hg_memory_pool_destroy(pool);
    pool = nullptr;
  }
  void *allocate(size_t size) { return hg_memory_pool_allocate(pool, size); }
  void *allocate_link() { return hg_memory_pool_allocate_fixed(pool); }
  void deallocate(void *mem) { hg_memory_pool_deallocate(pool, mem); }
  void deallocate_link(void *mem) { hg_memory_pool_deallocate_fixed(mem); }
  void add_stats(hg_heap_stats *sum) const {
    if (pool != nullptr) add_heap(hg_memory_pool_heap(pool), sum);  // one that is gone holds nothing
  }
};

// ---- the list ----

template <class Source>
struct List {
  Source source;
  Link *head = nullptr;
  Link *tail = nullptr;
  uint32_t size = 0;

  bool push_tail(const char *text, size_t length) {
    char *const value = static_cast<char *>(source.allocate(length + 1));
    Link *const link = static_cast<Link *>(source.allocate_link());
    if (value == nullptr || link == nullptr) {
      if (value != nullptr) source.deallocate(value);
      if (link != nullptr) source.deallocate_link(link);
      return false;
    }
    std::memcpy(value, text, length + 1);
    *link = {value, tail, nullptr};
    if (tail != nullptr) tail->next = link; else head = link;
    tail = link;
    ++size;
    return true;
  }
  void remove_head() {
    Link *const link = head;
    if (link == nullptr) return;
    head = link->next;
    if (head != nullptr) head->prev = nullptr; else tail = nullptr;
    source.deallocate(link->value);
    source.deallocate_link(link);
    --size;
  }
  const Link *find(const char *text) const {
    const Link *link = head;
    while (link != nullptr && std::strcmp(link->value, text) != 0) link = link->next;
    return link;
  }
  void clear() {
    if constexpr (Source::kFreedAsAWhole) {
      source.close();
      head = tail = nullptr;
      size = 0;
    } else {
      while (head != nullptr) remove_head();
    }
  }
};

// Bytes 1..127, so that a string ends where it should; 0x80 is in none of them.
constexpr char kAbsent[] = "\x80 not present";

// Random bytes by the word: what is measured is memory, not the making of numbers.
size_t random_text(Random *random, char (&text)[kLongest + 4]) {
  const uint32_t length = 1 + random->below(kLongest);
  for (uint32_t i = 0; i < length; i += 4) {
    const uint32_t four = (random->next() & 0x7f7f7f7fu) | 0x01010101u;
    std::memcpy(text + i, &four, 4);
  }
  text[length] = 0;
  return length;
}

template <class Source>
bool random_operation(List<Source> *list, Random *random) {
  if (random->below(100) >= 80) {
    list->remove_head();
    return true;
  }
  char text[kLongest + 4];
  const size_t length = random_text(random, text);
  return list->push_tail(text, length);
}

// ---- what one traversal touches ----

// A set of page or line numbers: one bit each from the lowest address the list uses.
class TouchedSet {
 public:
  bool open(uintptr_t lowest, uintptr_t highest, unsigned shift) {
    shift_ = shift;
    first_ = lowest >> shift;
    const size_t bytes = ((highest >> shift) - first_) / 8 + 1;
    bits_ = static_cast<unsigned char *>(std::calloc(bytes, 1));
    return bits_ != nullptr;
  }
  ~TouchedSet() { std::free(bits_); }
  TouchedSet() = default;
  TouchedSet(const TouchedSet &) = delete;
  TouchedSet &operator=(const TouchedSet &) = delete;

  void touch(const void *mem, size_t bytes) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(mem);
    for (uintptr_t n = at >> shift_; n <= (at + bytes - 1) >> shift_; ++n) add(n - first_);
  }
  uint32_t count() const { return count_; }

 private:
  void add(uintptr_t n) {
    const unsigned char bit = static_cast<unsigned char>(1u << (n & 7));
    if ((bits_[n >> 3] & bit) != 0) return;
    bits_[n >> 3] = static_cast<unsigned char>(bits_[n >> 3] | bit);
    ++count_;
  }
  unsigned char *bits_ = nullptr;
  unsigned shift_ = 0;
  uintptr_t first_ = 0;
  uint32_t count_ = 0;
};

template <class Touch>
void traverse(const Link *link, Touch touch) {
  for (; link != nullptr; link = link->next) {
    touch(link, sizeof(Link));
    touch(link->value, 1);  // the first byte decides against kAbsent
  }
}

bool report_touched(const Link *head) {
  uintptr_t lowest = ~uintptr_t{0};
  uintptr_t highest = 0;
  traverse(head, [&](const void *mem, size_t bytes) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(mem);
    if (at < lowest) lowest = at;
    if (at + bytes > highest) highest = at + bytes;
  });
  if (head == nullptr) lowest = 0;
  TouchedSet pages, lines;
  if (!pages.open(lowest, highest, 16) || !lines.open(lowest, highest, 6)) return false;
  traverse(head, [&](const void *mem, size_t bytes) {
    pages.touch(mem, bytes);
    lines.touch(mem, bytes);
  });
  experiment_figure("pages_64k", pages.count());
  experiment_figure("lines_64", lines.count());
  return true;
}

// ---- the rows ----

template <class Source>
bool run_insertion(List<Source> *lists, uint32_t iterations, Random *random) {
  const Stopwatch watch("insertion_ms");
  for (uint32_t i = 0; i < iterations; ++i) {
    for (uint32_t list = 0; list < kLists; ++list) {
      if (!random_operation(&lists[list], random)) return false;
    }
  }
  return true;
}

// The number of lists that hold the absent string: errors.
template <class Source>
uint32_t run_search(const List<Source> *lists) {
  const Stopwatch watch("search_ms");
  uint32_t found = 0;
  for (uint32_t list = 0; list < kLists; ++list) found += lists[list].find(kAbsent) != nullptr;
  return found;
}

template <class Source>
void run_deletion(List<Source> *lists) {
  const Stopwatch watch("deletion_ms");
  for (uint32_t list = 0; list < kLists; ++list) lists[list].clear();
}

// Milliseconds. Does what ending pools has put off until the next request for pages (pages.G5 of core/src/platform/page_source.hpp).
double make_next_pool() {
  const double begin = experiment_now();
  hg_memory_pool_destroy(hg_memory_pool_create(sizeof(Link)));
  return experiment_now() - begin;
}

// Links that do not lead back, or are not as many as were counted.
template <class Source>
uint32_t wrong_links(const List<Source> *lists) {
  uint32_t wrong = 0;
  for (uint32_t list = 0; list < kLists; ++list) {
    uint32_t size = 0;
    const Link *before = nullptr;
    for (const Link *link = lists[list].head; link != nullptr; before = link, link = link->next) {
      wrong += link->prev != before;
      ++size;
    }
    wrong += size != lists[list].size || before != lists[list].tail;
  }
  return wrong;
}

template <class Source>
bool run_lists(uint32_t iterations) {
  const double begin = experiment_now();
  Source::open_all();
  List<Source> lists[kLists];
  bool ok = true;
  for (List<Source> &list : lists) ok = list.source.open() && ok;
  uint32_t errors = 0;
  hg_heap_stats stats = {};
  double counting_ms = 0;
  if (ok) {
    Random random(1994);
    ok = run_insertion(lists, iterations, &random);
    errors += run_search(lists);
    const double counting = experiment_now();
    errors += wrong_links(lists);
    ok = report_touched(lists[0].head) && ok;
    for (const List<Source> &list : lists) list.source.add_stats(&stats);
    counting_ms = experiment_now() - counting;
  }
  run_deletion(lists);
  experiment_figure("next_pool_ms", make_next_pool());
  experiment_figure("deferred_segments", Source::kFreedAsAWhole ? static_cast<double>(stats.segments) : 0);
  experiment_figure("overall_ms", experiment_now() - begin - counting_ms);
  hg_heap_stats left = {};
  for (const List<Source> &list : lists) list.source.add_stats(&left);
  experiment_figure("segments", static_cast<double>(stats.segments));
  experiment_figure("footprint_bytes", static_cast<double>(stats.footprint));
  experiment_figure("bytes_left", static_cast<double>(left.in_use));
  experiment_figure("errors", errors);
  Source::close_all();
  return ok;
}

bool fill(hg_memory_pool *pool, uint32_t blocks, Random *random) {
  for (uint32_t i = 0; i < blocks; ++i) {
    const bool fixed = i % 2 == 0;
    char *const mem = static_cast<char *>(fixed ? hg_memory_pool_allocate_fixed(pool)
                                                : hg_memory_pool_allocate(pool, 2 + random->below(kLongest)));
    if (mem == nullptr) return false;
    *mem = 1;
  }
  return true;
}

// What two readings of the clock take with nothing in between: the least of many.
double clock_ms() {
  double least = 1e9;
  for (int i = 0; i < 64; ++i) {
    const double begin = experiment_now();
    const double taken = experiment_now() - begin;
    if (taken < least) least = taken;
  }
  return least;
}

struct Pools {
  hg_memory_pool *all[kTogether] = {};
  uint32_t made = 0;

  bool make(uint32_t count, uint32_t blocks, Random *random) {
    for (made = 0; made < count; ++made) {
      all[made] = hg_memory_pool_create(sizeof(Link));
      if (all[made] == nullptr) return false;
      if (!fill(all[made], blocks, random)) return ++made, false;
    }
    return true;
  }
  void use() {
    hg_memory_pool_destroy(hg_memory_pool_create(sizeof(Link)));
    for (uint32_t i = 0; i < made; ++i) {
      hg_memory_pool_deallocate_fixed(hg_memory_pool_allocate_fixed(all[i]));
      hg_memory_pool_deallocate(all[i], hg_memory_pool_allocate(all[i], 1));
    }
  }
  double end() {  // milliseconds
    const double begin = experiment_now();
    for (uint32_t i = 0; i < made; ++i) hg_memory_pool_destroy(all[i]);
    const double ms = experiment_now() - begin;
    for (hg_memory_pool *&pool : all) pool = nullptr;
    made = 0;
    return ms;
  }
  hg_heap_stats stats() const {
    hg_heap_stats sum = {};
    for (hg_memory_pool *const pool : all) {
      if (pool != nullptr) add_heap(hg_memory_pool_heap(pool), &sum);
    }
    return sum;
  }
};

// The middle one of the first `count` times; sorts them.
double median(double *times, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i) {
    for (uint32_t k = i; k > 0 && times[k] < times[k - 1]; --k) {
      const double swapped = times[k];
      times[k] = times[k - 1];
      times[k - 1] = swapped;
    }
  }
  return times[count / 2];
}

// free_ms is of one pool, the median of the iterations behind a first one, in which the code is new to the engine; errors:
// how often memory of ended pools did not serve the next ones from its start.
bool run_whole_pool(uint32_t blocks, uint32_t iterations) {
  Pools small, large;
  Pools &pools = blocks == kSmallPool ? small : large;
  Random random(1994);
  double times[kMostIterations + 1] = {};
  double next[kMostIterations + 1] = {};
  size_t segments = 0;
  if (iterations > kMostIterations) iterations = kMostIterations;
  uint32_t errors = 0;
  hg_memory_pool *first = nullptr;
  for (uint32_t i = 0; i <= iterations; ++i) {
    bool ok = small.make(kTogether, kSmallPool, &random);
    if (!kWatched || blocks != kSmallPool) ok = large.make(kTogether, kLargePool, &random) && ok;
    if (i == 0) first = small.all[0];
    errors += small.all[0] != first;
    if (i == 0) segments = pools.stats().segments;
    small.use();
    large.use();
    const double clock = clock_ms();  // here, so that the clock's own code is in the cache again
    times[i] = pools.end() - clock;
    next[i] = make_next_pool() - clock;
    small.end();
    large.end();
    if (!ok) return false;
  }
  experiment_figure("free_ms", median(times + 1, iterations) / kTogether);
  experiment_figure("next_pool_ms", median(next + 1, iterations));
  experiment_figure("deferred_segments", static_cast<double>(segments));
  experiment_figure("bytes_left", static_cast<double>(small.stats().in_use + large.stats().in_use));
  experiment_figure("errors", errors);
  return true;
}

constexpr Row kRows[] = {
    {"malloc", 20000, 20000, 0},      {"one heap", 20000, 20000, 0},    {"a pool a list", 20000, 20000, 0},
    {"malloc", 40000, 40000, 0},      {"one heap", 40000, 40000, 0},    {"a pool a list", 40000, 40000, 0},
    {"malloc", 150000, 150000, 0},    {"one heap", 150000, 150000, 0},  {"a pool a list", 150000, 150000, 0},
    {"whole pool", 20, kSmallPool, 0}, {"whole pool", 20, kLargePool, 0},
};
constexpr uint32_t kListRows = 9;

bool begin(uint32_t row, uint32_t iterations) {
  if (row >= kListRows) return run_whole_pool(kRows[row].size, iterations);
  switch (row % 3) {
    case 0: return run_lists<FromMalloc>(iterations);
    case 1: return run_lists<FromOneHeap>(iterations);
    default: return run_lists<FromAPool>(iterations);
  }
}

}  // namespace

extern const Program kBe1;
const Program kBe1 = {HG_EXPERIMENT('B', 1), "BE1", kRows, sizeof kRows / sizeof kRows[0], begin, nullptr, nullptr};

}  // namespace experiments
