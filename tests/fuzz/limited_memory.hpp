// Memory that runs out, and proof that all of it came back.
//
//   the page source's memory:  ... | granted so far | held here, to be granted | ...      growth beyond is refused
//
//  L1  While one of these lives, heaps get pages from what is granted, and nowhere else. So a growth fails exactly when
//      the granted pages do not hold it, and may succeed later, after a grant.
//  L2  At the end everything granted is one free run again: some heap kept a page if not.
//  L3  Each input finds the same addresses.
#pragma once

#include <cstddef>

namespace fuzz {

inline constexpr size_t kMostPages = 256;

class LimitedMemory {
 public:
  explicit LimitedMemory(size_t pages);
  ~LimitedMemory();
  LimitedMemory(const LimitedMemory &) = delete;
  LimitedMemory &operator=(const LimitedMemory &) = delete;

  void grant(size_t pages);  // fewer when kMostPages are granted

 private:
  size_t granted_ = 0;
};

// Where heaps on fixed regions lie, and the default heap; made once, before anything is limited.
void prepare_memory();

}  // namespace fuzz
