// An array that grows and shrinks by expansion commands: forward or backward into free neighbours when it can, to new
// memory when it must. T is plain data without constructors.
//
//   array.G1  items is nullptr exactly when capacity is 0.
//   array.G2  growing keeps the first `size` items; nothing else is moved. On failure nothing has changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <heapglass/heapglass.h>

namespace word_index {

template <class T>
struct GrowingArray {
  T *items = nullptr;
  size_t size = 0;      // items in use; the owner counts them
  size_t capacity = 0;

  // Room for at least `least` items, if possible for `wished`. False when out of memory.
  bool reserve(size_t least, size_t wished) {
    if (least <= capacity) return true;
    uint32_t flags = HG_ALLOCATE_NEW | HG_NOTHROW_ALLOCATION;
    if (items != nullptr) flags |= HG_EXPAND_FWD | HG_EXPAND_BWD;
    if (wished < least) wished = least;
    const hg_command_result result = hg_heap_command(nullptr, flags, sizeof(T), least, wished, items);
    if (result.mem == nullptr) return false;
    // After backward expansion the old items still lie where they were, possibly overlapping their new place.
    if (result.mem != items && size != 0) std::memmove(result.mem, items, size * sizeof(T));
    if (result.reused == 0 && items != nullptr) hg_heap_deallocate(nullptr, items);
    items = static_cast<T*>(result.mem);
    capacity = result.received;
    return true;
  }

  // Room for `more` items behind the `size` in use, growing by half to keep the copies of n items under 3 n.
  bool reserve_more(size_t more) { return reserve(size + more, size + more + size / 2); }

  // Gives unused memory back as far as the chunk can be cut.
  void shrink() {
    if (items == nullptr) return;
    const size_t kept = size == 0 ? 1 : size;
    const hg_command_result result =
        hg_heap_command(nullptr, HG_SHRINK_IN_PLACE | HG_NOTHROW_ALLOCATION, sizeof(T), capacity, kept, items);
    if (result.mem != nullptr) capacity = result.received;
  }

  void release() {
    if (items != nullptr) hg_heap_deallocate(nullptr, items);
    items = nullptr;
    size = 0;
    capacity = 0;
  }
};

}  // namespace word_index
