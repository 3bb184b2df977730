// Damages one word of a heap, sees the proof name the rule that it breaks, and puts the word right again.
#pragma once

#include <gtest/gtest.h>
#include <heapglass/heapglass.h>

#include <cstring>
#include <string>

namespace heapglass_test {

inline std::string proof_of(const hg_heap *heap) {
  const char *const broken = hg_heap_check(heap);
  return broken == nullptr ? "" : broken;
}

template <class Word, class Value>
void expect_found(const hg_heap *heap, const char *rule, Word &word, Value damaged) {
  const Word right = word;
  word = static_cast<Word>(damaged);
  const std::string found = proof_of(heap);
  word = right;
  EXPECT_EQ(found.substr(0, std::strlen(rule)), rule);
  EXPECT_EQ(proof_of(heap), "") << "after " << rule;
}

// A pointer that leads `bytes` behind what it should.
template <class T>
T *moved(T *place, std::size_t bytes) {
  return reinterpret_cast<T *>(reinterpret_cast<char *>(place) + bytes);
}

}  // namespace heapglass_test
