// A word that its owner changes while other threads read it. One access reads or writes it as a whole, and orders nothing else.
//
// In wasm every atomic access is ordered: a store costs as much as a lock, and a load at a misaligned address traps before anyone can say
// what is wrong. There these are plain accesses, each of which is made.
#pragma once

#include "base/build.hpp"

namespace heapglass {

template <class T>
[[gnu::always_inline]] inline T seen(const T &word) {
  if constexpr (!kThreads) return word;
#if defined(__wasm__)
  return *const_cast<const volatile T *>(&word);
#else
  return __atomic_load_n(&word, __ATOMIC_RELAXED);
#endif
}

template <class T>
[[gnu::always_inline]] inline void change(T &word, T value) {
  if constexpr (!kThreads) {
    word = value;
    return;
  }
#if defined(__wasm__)
  *const_cast<volatile T *>(&word) = value;
#else
  __atomic_store_n(&word, value, __ATOMIC_RELAXED);
#endif
}

}  // namespace heapglass
