// A static value whose destructor never runs: what uses it may still do so while other statics are destroyed. Constant
// initialization (constinit) makes it usable before any constructor has run, too.
#pragma once

namespace heapglass::fixed {

template <class T>
union endless {
  T value;
  constexpr endless() : value() {}
  constexpr ~endless() {}
};

}  // namespace heapglass::fixed
