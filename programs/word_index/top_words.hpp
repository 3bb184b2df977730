// The n most frequent words, in order, with a heap of n rows (heap in the sense of Williams 1964, the priority queue):
// the worst row kept is at the top and gives way to any better one; then taking the tops one by one, from the back,
// leaves the rows best first. O(words * log n), no memory beside the rows.
#pragma once

#include <cstdint>

#include "word_bytes.hpp"
#include "word_index.h"

namespace word_index {

class TopWords {
 public:
  // rows has room for n.
  TopWords(const uint8_t *text, word_index_row *rows, uint32_t n) : text_(text), rows_(rows), capacity_(n) {}

  void add(const word_index_row& row) {
    if (kept_ < capacity_) {
      rows_[kept_] = row;
      for (uint32_t i = kept_++; i != 0 && before(rows_[(i - 1) / 2], rows_[i]); i = (i - 1) / 2) swap(i, (i - 1) / 2);
    } else if (capacity_ != 0 && before(row, rows_[0])) {
      rows_[0] = row;
      sink(kept_);
    }
  }

  // Puts the rows in order, best first. Their number.
  uint32_t finish() {
    for (uint32_t size = kept_; size > 1; --size) {
      swap(0, size - 1);
      sink(size - 1);
    }
    return kept_;
  }

 private:
  bool before(const word_index_row& a, const word_index_row& b) const {
    if (a.count != b.count) return a.count > b.count;
    return compare_words(text_ + a.position, a.size, text_ + b.position, b.size) < 0;
  }
  void swap(uint32_t i, uint32_t j) {
    const word_index_row row = rows_[i];
    rows_[i] = rows_[j];
    rows_[j] = row;
  }
  // Restores the heap of the first `size` rows when only row 0 may be out of place.
  void sink(uint32_t size) {
    for (uint32_t i = 0; 2 * i + 1 < size;) {
      uint32_t worse = 2 * i + 1;
      if (worse + 1 < size && before(rows_[worse], rows_[worse + 1])) ++worse;
      if (!before(rows_[i], rows_[worse])) return;
      swap(i, worse);
      i = worse;
    }
  }

  const uint8_t *text_;
  word_index_row *rows_;
  uint32_t capacity_;
  uint32_t kept_ = 0;
};

}  // namespace word_index
