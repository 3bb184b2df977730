// The naive twin: what must be true of the blocks of one heap (or the nodes of one pool), kept in the plainest way.
//
//   a sorted map   first address -> { bytes the owner may use, seed of the contents }
//
//  T1  no two entries overlap.
//  T2  the contents of an entry are its seed's pattern, from the first to the last usable byte.
//
// Random picks go by the order of insertion, never by address, so that a run does the same on every platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace contract {

struct Entry {
  size_t bytes;
  uint32_t seed;
  uint32_t place;  // index in order_
};

class Twin {
 public:
  using Map = std::map<uintptr_t, Entry>;

  size_t count() const { return order_.size(); }
  size_t bytes() const { return bytes_; }
  const Map &entries() const { return entries_; }

  // A new entry; fills its contents. Fails the run when it overlaps another (T1).
  void insert(void *mem, size_t bytes, uint32_t seed);
  // The owner may use more bytes than before: proves the contents, and fills all of them.
  void grow(void *mem, size_t bytes);
  // Forgets an entry after proving its contents (T2).
  void remove(void *mem);
  // Forgets an entry whose memory may be the heap's already: its contents are not looked at.
  void forget(void *mem);
  // Proves the first `bytes` bytes of mem's contents, or all when there are fewer.
  void check_contents(void *mem, size_t bytes) const;
  // Proves the contents of every entry.
  void check_all_contents() const;
  // Forgets all; contents are not looked at.
  void clear();

  // An entry by number of insertion; the twin must not be empty.
  void *pick(uint32_t random) const;
  const Entry &at(void *mem) const;

 private:
  Map entries_;
  std::vector<uintptr_t> order_;
  size_t bytes_ = 0;
};

}  // namespace contract
