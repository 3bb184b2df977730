// What lock-free pools are made of: slots side by side in one block of a heap, and LIFO lists of slot numbers whose heads
// are one atomic word each. Pools proper are lock_free_pool.hpp and distributed_pool.hpp.
//
//   block, aligned to a line                                a list's head, on a line of its own
//   +------------------+  +0                                 63            32 31             0
//   | the block's own  |                                    +----------------+----------------+
//   +------------------+  +first_node                       | pops           | top            |
//   | next | home      |  slot 0, a multiple of lines long  +----------------+----------------+
//   | entry            |                                    top: number + 1 of the slot on top, 0: none
//   |                  |                                    pops: how often a slot was popped, modulo 2^32
//   +------------------+  +first_node + stride
//   | next | home      |  slot 1                            next: number + 1 of the slot below, 0: the last one
//   | ...              |                                    home: the list the slot began in
//
//  list.L1  A slot is in one list or with one user. next belongs to the list, the entry's bytes to the user; a thread that looks
//      at next too late (it saw the slot on top, and meanwhile another one popped it) reads an atomic word, never a byte
//      of the entry. Slots are never given back while the pool lives, so that word is always there.
//  list.L2  next of a slot changes only between its pop and its next push.
//  list.L3  A pop adds 1 to pops. So whoever saw the head {top, pops} and finds the same head again knows that nobody popped
//      in between; then by list.L2 the slot on top has the same slot below it as before. That is what ABA would break.
//      The word repeats only when exactly a multiple of 2^32 pops pass while one thread stands between two instructions.
//
// Linearization: a push takes effect at its successful compare-and-exchange, a pop likewise, and a pop that finds nothing
// at its load of the head. Between load and exchange the head may have changed and changed back by pushes and pops of
// others; list.L3 says that the exchange then fails.
//
// Ordering: after construction the head is changed by compare-and-exchange alone, so every change belongs to the release
// sequence of each push before it. A load with acquire therefore happens after all pushes that the word it read has
// behind it: what they stored in next (relaxed) and what their users wrote in the entries is visible. A push needs
// release; a pop publishes nothing (its user has not written yet) and needs acquire where it learns a head: at the first
// load, and at a failed exchange. A successful exchange finds the word already acquired.
#pragma once

#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#ifndef HG_TRACE
#define HG_TRACE 0
#endif

namespace heapglass::lock_free {

inline constexpr std::size_t kCacheLine = 64;

constexpr std::size_t round_up(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit * unit; }

// Retries of one list: nothing at all unless asked for. On a line of its own, and written only when there was a retry.
template <bool Counted>
class contention_counter {
 public:
  void count(std::uint32_t) {}
};

template <>
class alignas(kCacheLine) contention_counter<true> {
 public:
  void count(std::uint32_t retries) {
    if (retries != 0) retries_.fetch_add(retries, std::memory_order_relaxed);
  }
  std::uint64_t retries() const { return retries_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> retries_{0};
};

struct slot_head {
  std::atomic<std::uint32_t> next;
  std::uint32_t home;
};

// The slots of one owned pool, each with an entry that lives as long as they do.
template <class Entry>
class slots {
  static_assert(std::is_nothrow_default_constructible_v<Entry> && std::is_nothrow_destructible_v<Entry>,
                "entries are made and ended with the pool, which has nobody to throw to");

 public:
  static constexpr std::size_t kAlignment = alignof(Entry) > kCacheLine ? alignof(Entry) : kCacheLine;
  static constexpr std::size_t kEntry = round_up(sizeof(slot_head), alignof(Entry));
  static constexpr std::size_t kStride = round_up(kEntry + sizeof(Entry), kAlignment);
  static constexpr std::size_t kFirst = round_up(HG_OWNED_BLOCK_HEAD, kAlignment);

  // The first `each` slots have home 0, the next `each` home 1, and so on. Out of memory: count() is 0 after.
  slots(hg_heap *heap, std::uint32_t each, std::uint32_t homes, const void *owner, hg_next_free next_free) {
    const std::uint64_t wished = std::uint64_t{each} * homes;
    if (wished == 0 || wished > (UINT32_MAX - kFirst) / kStride) return;
    const std::size_t bytes = kFirst + static_cast<std::size_t>(wished) * kStride;
    const hg_owned_pool_options options = {HG_SHAPE_lock_free,
                                           static_cast<std::uint32_t>(kStride),
                                           static_cast<std::uint32_t>(kFirst),
                                           static_cast<std::uint32_t>(wished),
                                           static_cast<std::uint32_t>(bytes),
                                           static_cast<std::uint32_t>(kAlignment),
                                           owner,
                                           next_free};
    pool_ = hg_owned_pool_create(heap, &options);
    if (pool_ == nullptr) return;
    block_ = static_cast<unsigned char *>(hg_owned_pool_acquire_block(pool_));
    if (block_ == nullptr) return;
    count_ = static_cast<std::uint32_t>(wished);
    for (std::uint32_t i = 0; i < count_; ++i) {
      const std::uint32_t below = (i + 1) % each == 0 ? 0 : i + 2;
      ::new (at(i + 1)) slot_head{{below}, i / each};
      ::new (at(i + 1) + kEntry) Entry();
    }
  }
  // pre: all slots are free, and none is in a list any more
  ~slots() {
    for (std::uint32_t i = 0; i < count_; ++i) entry(i + 1)->~Entry();
    if (block_ != nullptr) hg_owned_pool_release_block(pool_, block_);
    if (pool_ != nullptr) hg_pool_destroy(pool_);
  }
  slots(const slots &) = delete;
  slots &operator=(const slots &) = delete;

  std::uint32_t count() const { return count_; }
  hg_pool *pool() const { return pool_; }

  // Slots go by number + 1, as in lists. pre: 1 <= slot <= count()
  unsigned char *at(std::uint32_t slot) const { return block_ + kFirst + (slot - 1) * kStride; }
  slot_head &head(std::uint32_t slot) const { return *std::launder(reinterpret_cast<slot_head *>(at(slot))); }
  Entry *entry(std::uint32_t slot) const { return std::launder(reinterpret_cast<Entry *>(at(slot) + kEntry)); }

  // The slot of an entry or of its own address; 0 when it is none of these slots.
  std::uint32_t of_entry(const Entry *entry) const {
    return of_node(reinterpret_cast<const unsigned char *>(entry) - kEntry);
  }
  std::uint32_t of_node(const void *node) const {
    const std::size_t offset = static_cast<std::size_t>(static_cast<const unsigned char *>(node) - at(1));
    return offset % kStride == 0 && offset / kStride < count_ ? static_cast<std::uint32_t>(offset / kStride) + 1 : 0;
  }

 private:
  hg_pool *pool_ = nullptr;
  unsigned char *block_ = nullptr;
  std::uint32_t count_ = 0;
};

// The head of one list. Slots is slots<Entry>, or what a test puts before it to step in between the two steps of a pop.
template <bool CountContention>
class list : public contention_counter<CountContention> {
 public:
  struct view {
    std::uint32_t top;
    std::uint32_t pops;
  };

  // pre: nobody else uses the list yet, or any more
  void reset(std::uint32_t top) { word_.store(word_of({top, 0}), std::memory_order_relaxed); }

  view look() const { return view_of(word_.load(std::memory_order_acquire)); }

  // The slot on top goes, `below` is on top; false: the head is not as seen, which then is what it is now.
  bool take(view &seen, std::uint32_t below) {
    return replace(seen, {below, seen.pops + 1}, std::memory_order_acquire);
  }
  // `slot` is on top, above what was seen; false as above.
  bool put(view &seen, std::uint32_t slot) { return replace(seen, {slot, seen.pops}, std::memory_order_release); }

  // The slot that was on top, 0 when there was none.
  template <class Slots>
  std::uint32_t pop(const Slots &all) {
    std::uint32_t retries = 0;
    view seen = look();
    while (seen.top != 0) {
      const std::uint32_t below = all.head(seen.top).next.load(std::memory_order_relaxed);  // list.L1: it may be too late
      if (take(seen, below)) break;
      ++retries;
    }
    this->count(retries);
    return seen.top;
  }

  // pre: the slot is with the caller
  template <class Slots>
  void push(const Slots &all, std::uint32_t slot) {
    std::uint32_t retries = 0;
    view seen = look();
    for (;;) {
      all.head(slot).next.store(seen.top, std::memory_order_relaxed);
      if (put(seen, slot)) break;
      ++retries;
    }
    this->count(retries);
  }

 private:
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

  static std::uint64_t word_of(view v) { return std::uint64_t{v.pops} << 32 | v.top; }
  static view view_of(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }
  bool replace(view &seen, view wanted, std::memory_order order) {
    std::uint64_t word = word_of(seen);
    if (word_.compare_exchange_weak(word, word_of(wanted), order, std::memory_order_acquire)) return true;
    seen = view_of(word);
    return false;
  }

  alignas(kCacheLine) std::atomic<std::uint64_t> word_{0};  // not in what is left of the counter's line
};

static_assert(sizeof(list<false>) == kCacheLine, "uncounted, a head is a line and nothing else");
static_assert(sizeof(list<true>) == 2 * kCacheLine, "counted, two lines");

}  // namespace heapglass::lock_free
