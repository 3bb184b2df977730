// A static value whose destructor never runs, so that it can be used while other statics are destroyed. Constant
// initialization (constinit) makes it usable before any constructor has run.
#pragma once

namespace heapglass::fixed {

template <class T>
union endless {
  T value;
  constexpr endless() : value() {}
  constexpr ~endless() {}
};

}  // namespace heapglass::fixed
