// A pool of a fixed number of entries that threads pop and push without a lock.
//
//   lock_free_pool<Buffer> pool(heap, 64);
//   if (Buffer *buffer = pool.pop()) {  // nullptr: all 64 are out
//     ...
//     pool.push(buffer);                // any thread may push it
//   }
//
// All memory is one block of the heap, seen in it as an owned pool of shape lock_free. How the lists work and why they
// are right: lock_free_list.hpp.
//
//   the pool object              | where the slots are | head 0          | head 1 ...      |   a line each, at least
//                                  read only             written by all    (distributed_pool has more than one)
//
//  lock_free.P1  free entries + entries with users == capacity().
//  lock_free.P2  Entries are made with the pool and end with it: a user finds in one what its last user left there.
//  lock_free.P3  Whoever ends the pool is the last to use it and all entries are back; else the program traps, since somebody
//      holds memory that is about to go.
//  lock_free.P4  In builds with probes node_returned is written before the slot is in the list and node_taken after it is out of
//      it, so that taking and returning alternate in the trace for each slot, whatever the threads do in between; and
//      the pool needs no lock there either. The trace tells a slot free a little before it is, and in use a little
//      after: exactly as the list has it when no thread is inside pop or push, and only then is the list visited.
#pragma once

#include <heapglass/heapglass.h>
#include <heapglass/lock_free_list.hpp>

#ifndef HG_CHECKED
#define HG_CHECKED 0
#endif

namespace heapglass {

// Retries as a share of operations; see contention().
struct contention {
  std::uint64_t retries;
  std::uint64_t operations;
  double percent() const {
    return operations == 0 ? 0.0 : 100.0 * static_cast<double>(retries) / static_cast<double>(operations);
  }
};

namespace lock_free {

// Slots, and Lists lists over them; lists share slots, so that an entry can go back to another list than it came from.
template <class Entry, std::uint32_t Lists, bool CountContention>
class pool_of_lists {
 public:
  pool_of_lists(hg_heap *heap, std::uint32_t each) : slots_(heap, each, Lists, this, next_free) {
    if (slots_.count() == 0) return;
    for (std::uint32_t i = 0; i < Lists; ++i) lists_[i].reset(i * each + 1);
  }
  ~pool_of_lists() {
    if (free_count() != slots_.count()) entries_are_still_out();  // lock_free.P3
    for (list_type &one : lists_) one.reset(0);
  }
  pool_of_lists(const pool_of_lists &) = delete;
  pool_of_lists &operator=(const pool_of_lists &) = delete;

  // Entries of all lists; 0 when the heap was out of memory, and then every pop gives nullptr.
  std::uint32_t capacity() const { return slots_.count(); }
  // The pool as walks and traces show it; nullptr when the heap was out of memory.
  hg_pool *owned_pool() const { return slots_.pool(); }

  // pre: no thread pops or pushes. O(entries).
  std::uint32_t free_count() const {
    std::uint32_t count = 0;
    for (hg_free_cursor cursor = {}; count <= slots_.count() && next_free(this, &cursor) != nullptr;) ++count;
    return count;
  }

  // Retries of all lists so far, and their pops and pushes. pre: no thread pops or pushes, all entries are back, fewer
  // than 2^32 pops a list: pops are the heads' own count, and as many pushes followed.
  contention contention_so_far() const
    requires CountContention
  {
    contention sum = {0, 0};
    for (const list_type &one : lists_) {
      sum.retries += one.retries();
      sum.operations += std::uint64_t{2} * one.look().pops;
    }
    return sum;
  }

 protected:
  Entry *pop_from(std::uint32_t which) {
    const std::uint32_t slot = lists_[which].pop(slots_);
    if (slot == 0) return nullptr;
#if HG_TRACE
    hg_owned_node_taken(slots_.pool(), slots_.at(slot));  // lock_free.P4
#endif
    return slots_.entry(slot);
  }

  // pre: the entry came from pop and was not pushed since
  void push_to(std::uint32_t which, Entry *entry) {
    const std::uint32_t slot = slots_.of_entry(entry);
#if HG_CHECKED
    if (slot == 0) entry_is_of_another_pool();
#endif
#if HG_TRACE
    hg_owned_node_returned(slots_.pool(), slots_.at(slot));  // lock_free.P4
#endif
    lists_[which].push(slots_, slot);
  }

  std::uint32_t home_of(const Entry *entry) const { return slots_.head(slots_.of_entry(entry)).home; }

 private:
  using list_type = list<CountContention>;

  // Named for whoever finds them on the stack.
  [[noreturn, gnu::noinline]] static void entries_are_still_out() { __builtin_trap(); }
  [[noreturn, gnu::noinline]] static void entry_is_of_another_pool() { __builtin_trap(); }

  // cursor: the slot visited last, and the number of its list
  static const void *next_free(const void *owner, hg_free_cursor *cursor) {
    const pool_of_lists &pool = *static_cast<const pool_of_lists *>(owner);
    std::uint32_t slot = cursor->node == nullptr ? pool.top_of(cursor->place) : pool.below(cursor->node);
    while (slot == 0 && cursor->place + 1 < Lists) slot = pool.top_of(++cursor->place);
    if (slot == 0) return nullptr;
    return cursor->node = pool.slots_.at(slot);
  }
  std::uint32_t top_of(std::size_t which) const { return lists_[which].look().top; }
  std::uint32_t below(const void *node) const {
    return slots_.head(slots_.of_node(node)).next.load(std::memory_order_relaxed);
  }

  list_type lists_[Lists];
  slots<Entry> slots_;
};

}  // namespace lock_free

// One list. CountContention adds contention_so_far(), and a line that is written at each retry.
template <class Entry, bool CountContention = false>
class lock_free_pool : public lock_free::pool_of_lists<Entry, 1, CountContention> {
 public:
  // `entries` of them, each value-initialized; one block of `heap` (nullptr: the default heap).
  lock_free_pool(hg_heap *heap, std::uint32_t entries)
      : lock_free::pool_of_lists<Entry, 1, CountContention>(heap, entries) {}

  // An entry nobody else has, the one that was pushed last; nullptr when all are out. Event: node_taken.
  Entry *pop() { return this->pop_from(0); }
  // The entry may be popped again, by any thread. Event: node_returned.  pre: it came from pop and was not pushed since
  void push(Entry *entry) { this->push_to(0, entry); }
};

}  // namespace heapglass
