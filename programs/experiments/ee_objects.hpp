// The object of EE1 and EE2: one int, and one class a way of getting memory for it.
#pragma once

#include <heapglass/fixed_block_new.hpp>
#include <heapglass/heapglass.h>
#include <heapglass/raise.hpp>

#include <cstddef>

#include "experiments/ee_figures.hpp"

namespace experiments {

// The document's array of 4004 bytes, which holds 1001 ints where a pointer is no larger; as many nodes elsewhere.
inline constexpr std::size_t kObjectArena = 1001 * (sizeof(void *) > 4 ? sizeof(void *) : 4);

struct GlobalObject {  // global operator new: malloc of the C library
  explicit GlobalObject(int c) : contents(c) {}
  int contents;
  static void report(const BytesLeft &) {}
  static void clear() {}
};

struct StaticObject : heapglass::fixed_block_new<StaticObject, heapglass::inline_arena<kObjectArena>> {
  explicit StaticObject(int c) : contents(c) {}
  int contents;
  static void report(const BytesLeft &) { report_fixed_block(manager()); }
  static void clear() { manager().clear(); }
};

struct GrowingObject : heapglass::fixed_block_new<GrowingObject> {
  explicit GrowingObject(int c) : contents(c) {}
  int contents;
  static void report(const BytesLeft &) { report_fixed_block(manager()); }
  static void clear() { manager().clear(); }
};

struct HeapObject {
  explicit HeapObject(int c) : contents(c) {}
  int contents;
  static void *operator new(std::size_t size) {
    void *const mem = hg_heap_allocate(nullptr, size);
    if (mem == nullptr) heapglass::raise_bad_alloc();
    return mem;
  }
  static void operator delete(void *mem) { hg_heap_deallocate(nullptr, mem); }
  static void report(const BytesLeft &bytes) { bytes.report_held(); }
  static void clear() {}
};

}  // namespace experiments
