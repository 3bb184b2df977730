// An array of lock-free pools, so that threads meet at different heads.
//
//   distributed_pool<Buffer, 4> pool(heap, 16);                      // 4 pools of 16 entries, threads in turn
//   distributed_pool<Buffer, 4, per_hash> hashed(heap, 16);          // by a hash of the thread's number
//   distributed_pool<Buffer, 4, owner_returning> homing(heap, 16);   // entries go back to the pool they began in
//
//   thread 1 ──┐            ┌── head 0 ─▶ slot ─▶ slot         one block of slots for all pools: an entry may be pushed
//   thread 5 ──┴─ pool 0 ───┘                                  to another pool than it was popped from
//   thread 2 ──── pool 1 ────── head 1 ─▶ slot
//
//  distributed.D1  A thread has one pool, the same from its first pop or push to its end. pop takes from it, and from it alone: it
//      gives nullptr when that pool is empty, even if another one is not.
//  distributed.D2  per_thread, per_hash: push gives to the pool of the thread that pushes. Entries that one thread pops and another
//      pushes move from pool to pool; a program in which they always go one way ends with an empty pool.
//  distributed.D3  owner_returning: push gives to the pool whose number is in the entry's slot, whoever pushes. No pool ever has
//      more entries than it began with, and each is full when all are back.
//
// Which pool a thread has, where there is no number of a processor to ask for (WebAssembly has none):
//   per_thread, owner_returning   threads in the order of their first call, pool = order modulo Pools
//   per_hash                      pool = upper part of number * 2^32/golden ratio: threads that were numbered one after
//                                 another, or in steps of 2 or 4, spread evenly over any number of pools
// In builds without threads hg_thread_number() is asked each time, which lets deterministic stories play threads.
#pragma once

#include <heapglass/heapglass.h>
#include <heapglass/lock_free_pool.hpp>

#ifndef HG_THREADS
#define HG_THREADS 0
#endif

namespace heapglass {

// order: threads of this pool that came before; number: hg_thread_number(), 1 ...
struct per_thread {
  static constexpr bool kReturnsHome = false;
  static std::uint32_t pool_of(std::uint32_t order, std::uint32_t, std::uint32_t pools) { return order % pools; }
};

struct per_hash {
  static constexpr bool kReturnsHome = false;
  static std::uint32_t pool_of(std::uint32_t, std::uint32_t number, std::uint32_t pools) {
    constexpr std::uint32_t kGolden = 2654435769u;  // 2^32 / 1.6180339887...
    const std::uint32_t hash = number * kGolden;
    return static_cast<std::uint32_t>(std::uint64_t{hash} * pools >> 32);
  }
};

struct owner_returning {
  static constexpr bool kReturnsHome = true;
  static std::uint32_t pool_of(std::uint32_t order, std::uint32_t, std::uint32_t pools) { return order % pools; }
};

template <class Entry, std::uint32_t Pools, class Distribution = per_thread, bool CountContention = false>
class distributed_pool : public lock_free::pool_of_lists<Entry, Pools, CountContention> {
  static_assert(Pools > 0);

 public:
  distributed_pool(hg_heap *heap, std::uint32_t entries_per_pool)
      : lock_free::pool_of_lists<Entry, Pools, CountContention>(heap, entries_per_pool) {}

  // As lock_free_pool's, of the thread's pool (distributed.D1). Event: node_taken.
  Entry *pop() { return this->pop_from(pool_of_thread()); }
  // To the thread's pool (distributed.D2) or home (distributed.D3). Event: node_returned.  pre: it came from pop and was not pushed since
  void push(Entry *entry) {
    if constexpr (Distribution::kReturnsHome) this->push_to(this->home_of(entry), entry);
    else this->push_to(pool_of_thread(), entry);
  }
  // The pool an entry began in.  pre: it is one of this array's
  using lock_free::pool_of_lists<Entry, Pools, CountContention>::home_of;

  // The calling thread's pool, 0 .. Pools - 1: the same for all arrays of one type.
  static std::uint32_t pool_of_thread() {
    if constexpr (Pools == 1) return 0;
#if HG_THREADS
    if (t_pool == 0) t_pool = 1 + Distribution::pool_of(s_threads.fetch_add(1, std::memory_order_relaxed),
                                                        hg_thread_number(), Pools);
    return t_pool - 1;
#else
    return Distribution::pool_of(hg_thread_number() - 1, hg_thread_number(), Pools);
#endif
  }

#if HG_THREADS
 private:
  static inline std::atomic<std::uint32_t> s_threads{0};
  static inline constinit thread_local std::uint32_t t_pool = 0;  // number + 1; 0: no call yet
#endif
};

}  // namespace heapglass
