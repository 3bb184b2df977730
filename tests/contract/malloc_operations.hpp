// malloc: all of its functions, on the default heap, whose blocks any other operation may free, expand and
// reallocate too.
#pragma once

#include "state.hpp"

namespace contract {

struct Malloc {
  static constexpr const char *kName = "malloc";
  size_t size;
  void perform(State &state) const;
};

struct Free {
  static constexpr const char *kName = "free";
  uint32_t pick;
  void perform(State &state) const;
};

struct Calloc {
  static constexpr const char *kName = "calloc";
  size_t count, size;
  void perform(State &state) const;
};

struct Realloc {
  static constexpr const char *kName = "realloc";
  uint32_t pick;
  size_t size;
  void perform(State &state) const;
};

struct ReallocInPlace {
  static constexpr const char *kName = "realloc_in_place";
  uint32_t pick;
  size_t size;
  void perform(State &state) const;
};

struct Memalign {
  static constexpr const char *kName = "memalign";
  uint32_t alignment_log2;
  size_t size;
  void perform(State &state) const;
};

struct BulkFree {
  static constexpr const char *kName = "bulk_free";
  uint32_t pick, count;
  void perform(State &state) const;
};

struct MallocFlush {
  static constexpr const char *kName = "malloc_flush";
  void perform(State &state) const;
};

struct MallocTrim {
  static constexpr const char *kName = "malloc_trim";
  size_t pad;
  void perform(State &state) const;
};

// Requests that must be refused and leave everything as it was.
struct MallocTheImpossible {
  static constexpr const char *kName = "malloc_the_impossible";
  uint32_t which, near_the_end;
  void perform(State &state) const;
};

// Frees every block of the slot by malloc, then flushes its cache.
void free_by_malloc(HeapSlot &in, uint32_t seed);

}  // namespace contract
