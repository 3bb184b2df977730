// heapglass: the size classes of the small front, as constant expressions. Freestanding.
//
//   8 12 16 | 20 24 28 32 | 40 48 56 64 | 80 96 112 128 | ... | 40960 49152 57344      (64-bit hosts: 16 | 20 24 ...)
//           4 steps from each power of two to the next, all equal
//
//  size_class.Z1  The smallest class that fits serves a size. Between 2^n and 2^(n+1) the step is 2^(n-2), so the waste is less than
//      a fifth of the block, and less than a quarter of the request. In the steps of 4 up to 16 bytes it is at most a quarter
//      of the block (9 bytes in 12).
//  size_class.Z2  The largest power of two that divides a size also divides its class: it divides the step, or the size is a class.
//  size_class.Z3  These are the 51 classes of the document (alextretyak, "ltalloc", its table for 32 bits), without those below two
//      words: a free block contains a link, and the first block of a batch contains two. So wasm32 has 50 classes, and a request
//      of 1 to 4 bytes takes 8; 64-bit hosts have 48.
#pragma once

#include <heapglass/small.h>

#include <cstddef>

namespace heapglass {

inline constexpr std::size_t kSmallMax = HG_SMALL_MAX;
inline constexpr unsigned kSizeClasses = HG_SMALL_CLASSES;
// A free block contains a link and, if it begins a batch, the link to the next batch.
inline constexpr std::size_t kSmallestClass = 2 * sizeof(void *);
inline constexpr unsigned kLowClasses = (16 - kSmallestClass) / 4 + 1;  // those up to 16 bytes

// The class that serves a size.  pre: size <= kSmallMax
constexpr unsigned size_class_of(std::size_t size) {
  if (size <= 16) return size <= kSmallestClass ? 0 : static_cast<unsigned>((size - kSmallestClass + 3) / 4);
  const unsigned below = static_cast<unsigned>(size - 1);
  const unsigned power = 31u - static_cast<unsigned>(__builtin_clz(below));  // 2^power < size <= 2^(power + 1)
  return kLowClasses + (power - 4) * 4 + (below >> (power - 2) & 3);
}

// Bytes of the blocks of a class.  pre: size_class < kSizeClasses
constexpr std::size_t size_of_class(unsigned size_class) {
  if (size_class < kLowClasses) return kSmallestClass + 4 * size_class;
  const unsigned power = 4 + (size_class - kLowClasses) / 4;
  const unsigned quarters = 5 + (size_class - kLowClasses) % 4;
  return std::size_t{quarters} << (power - 2);
}

static_assert(size_of_class(kSizeClasses - 1) == kSmallMax && size_class_of(kSmallMax) == kSizeClasses - 1);
static_assert(kSizeClasses + (kSmallestClass / 4 - 1) == 51, "size_class.Z3");

}  // namespace heapglass
