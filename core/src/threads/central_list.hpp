// Batches of free blocks that threads hand to each other. A batch is a chain of free blocks; the list links whole
// batches.
//
//   first_ -> | ... | next batch | ---> | ... | next batch | ---> nullptr
//             first block of a batch    first block of the next
//
// The list uses one word of each batch's first block: word number kNextWord. The user of the list decides how the blocks of
// a batch are linked, and what else the first block contains.
//
//  threads.C1  first_ changes under lock_, by relaxed atomic stores. is_empty reads it without the lock: its answer may
//              be outdated, so it only spares a thread the lock. fetch checks again under the lock.
//  threads.C2  Under the lock, fetch reads and store writes one link: O(1), no block of the chain behind it is touched.
//              Nothing else is locked meanwhile; any other lock may be held around a call.
//  threads.C3  Links are copied by memcpy: a block need not be aligned for a pointer.
//  threads.C4  With threads a list is two words, else one. Users with few lists that many threads use at once pad
//              theirs to a cache line.
//
// A list of all zero bits is empty.
#pragma once

#include "base/address.hpp"
#include "base/encoded.hpp"
#include "platform/spin_lock.hpp"

namespace heapglass {

template <unsigned kNextWord>
class CentralList {
 public:
  // The batch behind this one. pre: the list that leads to both does not change
  [[gnu::always_inline]] static void *next(const void *batch) {
    Word word;
    __builtin_memcpy(&word, at_offset<void>(batch, kNextWord * kWord), kWord);
    void *const to = reinterpret_cast<void *>(word ^ key(batch));
    check_inside(to);
    return to;
  }
  [[gnu::always_inline]] static void set_next(void *batch, void *next_batch) {
    const Word word = address_of(next_batch) ^ key(batch);
    __builtin_memcpy(at_offset<void>(batch, kNextWord * kWord), &word, kWord);
  }

  [[gnu::always_inline]] bool is_empty() const { return first() == nullptr; }

  // One batch; nullptr when the list is empty.
  void *fetch() {
    if (is_empty()) return nullptr;
    const Hold hold(lock_);
    void *const batch = first_;
    if (batch != nullptr) set_first(next(batch));
    return batch;
  }

  // Puts a chain of batches in front. pre: set_next leads from `first` to `last`, which may be the same
  void store(void *first, void *last) {
    const Hold hold(lock_);
    set_next(last, first_);
    set_first(first);
  }

  // The whole chain; nullptr when the list is empty.
  void *fetch_all() {
    const Hold hold(lock_);
    void *const batches = first_;
    set_first(nullptr);
    return batches;
  }

  // Puts a whole chain there.  pre: the list is empty, and no one else puts anything on it
  void refill(void *batches) {
    const Hold hold(lock_);
    set_first(batches);
  }

  // Visits each batch under the lock, until `visit` is false. pre: `visit` takes no lock that is held around a call of this list
  template <class Visit>
  void for_each(Visit visit) {
    const Hold hold(lock_);
    for (void *batch = first_; batch != nullptr && visit(batch); batch = next(batch)) {
    }
  }

  // For a visit in steps. What it leads to may be read only while other threads are at rest.
  [[gnu::always_inline]] void *first() const { return __atomic_load_n(&first_, __ATOMIC_RELAXED); }

 private:
  // Hardened builds encode the link as those inside a batch (base/encoded.hpp), for another address.
  [[gnu::always_inline]] static Word key([[maybe_unused]] const void *batch) {
#if HG_HARDENED
    return (address_of(batch) + kNextWord * kWord) * kScatter + g_secret.link;
#else
    return 0;
#endif
  }
  [[gnu::always_inline]] void set_first(void *batch) { __atomic_store_n(&first_, batch, __ATOMIC_RELAXED); }

  void *first_ = nullptr;
  [[no_unique_address]] SpinLock lock_;
};

static_assert(sizeof(CentralList<1>) == (kThreads ? 2 : 1) * sizeof(void *), "threads.C4");

}  // namespace heapglass
