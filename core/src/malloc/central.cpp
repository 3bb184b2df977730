// See central.hpp.
#include "malloc/central.hpp"

#include "malloc/cache_lists.hpp"
#include "malloc/flush.hpp"
#include "threads/central_list.hpp"

namespace heapglass::central {

#if HG_THREADS || HG_TRACE

namespace {

constexpr unsigned kNextBatchWord = 2;  // malloc.C4

using List = CentralList<kNextBatchWord>;
List g_lists[2 * kLists];  // behind those of all classes, the old ones
List *const g_old_lists = g_lists + kLists;
// Under the heap's lock.
Word g_carved_since_flush = 0;
Word g_until_aging = 0;
std::intptr_t g_budget = kCacheBytes;

// Cuts the chain behind the first chunks, which are a batch from now on; what is left.
void *cut_batch(void *first) {
  void *last = first;
  CacheGuard::check_linked(first);
  Word bytes = size_of_block(first);
  for (void *next; bytes < kBatchBytes && (next = next_cached(last)) != nullptr; last = next) {
    CacheGuard::check_linked(next);
    bytes += size_of_block(next);
  }
  if constexpr (!kTraced && !kHardened) words_of(first)[1] = bytes;
  void *const rest = next_cached(last);
  set_next_cached(last, nullptr);
  return rest;
}

[[gnu::noinline]] void *fetch_from(List &list, const Heap &heap) {
  void *const batch = list.fetch();
  if (batch != nullptr) CacheGuard::check_next_batch(heap, batch, list.first());
  return batch;
}

Word release_all(Heap &heap, void *batch) {
  Word bytes = 0;
  while (batch != nullptr) {
    void *const next = List::next(batch);
    CacheGuard::check_next_batch(heap, batch, next);
    bytes += release_chain(heap, batch);
    batch = next;
  }
  return bytes;
}

// An operation that would do nothing is not written to the trace.
bool nothing_is_old() {
  for (unsigned k = 0; k < kLists; ++k) {
    if (!g_old_lists[k].is_empty()) return false;
  }
  return true;
}

// The bytes that went back to the heap.
[[gnu::noinline]] Word age(Heap &heap) {
  Word bytes = 0;
  for (unsigned k = 0; k < kLists; ++k) {
    List &list = g_lists[k], &old = g_old_lists[k];
    if (!old.is_empty()) bytes += release_all(heap, old.fetch_all());
    if (!list.is_empty()) old.refill(list.fetch_all());
  }
  return bytes;
}

void age_now(Heap &heap) {
  const Word share = heap.footprint() / kShare;
  g_until_aging = share > kLeastShare ? share : kLeastShare;
  if (kTraced && nothing_is_old()) {
    age(heap);
    return;
  }
  const FlushOperation operation(heap);
  operation.ended(age(heap));
}

}  // namespace

// A hardened build believes no word that the program may have written, but counts.
Word bytes_of_batch(void *first) { return kTraced || kHardened ? bytes_of_chain(first) : words_of(first)[1]; }

void store(unsigned size_class, void *chain) {
  void *last = chain;
  for (void *batch = chain; batch != nullptr;) {
    void *const rest = cut_batch(batch);
    List::set_next(batch, rest);
    last = batch;
    batch = rest;
  }
  g_lists[size_class].store(chain, last);
}

void *fetch(unsigned size_class, const Heap &heap) {
  void *batch = fetch_from(g_lists[size_class], heap);
  if (batch == nullptr) batch = fetch_from(g_old_lists[size_class], heap);
  if (batch == nullptr) return nullptr;
  CacheGuard::check_linked(batch);
  CacheGuard::fill_next_batch(words_of(batch) + kNextBatchWord);
  return batch;
}

bool before_carving(Heap &heap, Word bytes) {
  g_carved_since_flush += bytes;
  if (bytes >= kListedBytes) return false;  // no list would have had it
  if (bytes > g_until_aging) {
    age_now(heap);
    return true;
  }
  g_until_aging -= bytes;
  return false;
}

std::intptr_t budget() { return __atomic_load_n(&g_budget, __ATOMIC_RELAXED); }

void set_budget(const Heap &heap) {
  const std::intptr_t share = static_cast<std::intptr_t>(heap.footprint() / kThreadShare);
  __atomic_store_n(&g_budget, share > kCacheBytes ? share : kCacheBytes, __ATOMIC_RELAXED);
}

bool is_worth_a_flush(const Heap &heap) { return g_carved_since_flush >= heap.footprint() / kShare; }

Word flush(Heap &heap) {
  g_carved_since_flush = 0;
  const Word old_bytes = age(heap);
  return old_bytes + age(heap);
}

Word bytes() {
  Word bytes = 0;
  for (List &list : g_lists) {
    list.for_each([&bytes](void *batch) {
      bytes += bytes_of_batch(batch);
      return !kHardened || bytes < kMaxRequest;  // the program may have bent a link
    });
  }
  return bytes;
}

#endif

}  // namespace heapglass::central
