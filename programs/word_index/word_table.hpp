// The hash table of the index: one entry a different word, chained in buckets; and each entry's positions in chunks.
//
//   bucket array                entry (adaptive-pool node)        position chunks (heap bursts)
//   +---+---+---+---+           +------------------------+        +------+---------------+   +------+---------+
//   | . | * | . | . |---------->| next | hash | first    |   +--->| next | p1 .. p14     |-->| next | p15 ... |
//   +---+---+---+---+           | size | count | chunks -|---+    +------+---------------+   +------+---------+
//                               +------------------------+
//
//   table.W1  The number of buckets is a power of two (or 0), an entry hangs in bucket hash & (buckets - 1).
//   table.W2  An entry's first position is in the entry; position i >= 1 is in chunk (i - 1) / kPositionsPerChunk. Hence most
//       words of a text, those that occur once, need no chunk.
//   table.W3  A word's bytes are not copied: they stand in the text at its first position, which never changes.
//   table.W4  add() fails only for want of memory, and then nothing has changed.
#pragma once

#include <cstddef>
#include <cstdint>

#include <heapglass/heapglass.h>

#include "growing_array.hpp"

namespace word_index {

inline constexpr uint32_t kPositionsPerChunk = 14;

struct PositionChunk {
  PositionChunk *next;
  uint32_t positions[kPositionsPerChunk];
};

struct Entry {
  Entry *next;  // in the bucket
  uint32_t hash;
  uint32_t first;  // position of the first occurrence
  uint32_t size;   // bytes of the word
  uint32_t count;
  PositionChunk *chunks;  // nullptr while count is 1
  PositionChunk *last_chunk;
};

class WordTable {
 public:
  bool begin();
  void end();
  // Counts one occurrence. `text` is the whole text, the word begins at `position`. False when out of memory (table.W4).
  bool add(const uint8_t *text, uint32_t position, uint32_t size);
  const Entry *find(const uint8_t *text, const uint8_t *word, uint32_t size) const;
  // Gives position chunks back that were taken and are in no list.
  void release_spare() { hg_heap_burst_deallocate(nullptr, &spare_); }
  uint32_t count() const { return count_; }
  uint32_t total() const { return total_; }

  template <class Visit>
  void each(Visit visit) const {
    for (size_t i = 0; i < buckets_.size; ++i) {
      for (Entry *entry = buckets_.items[i]; entry != nullptr; entry = entry->next) visit(*entry);
    }
  }
  template <class Visit>
  static void each_position(const Entry& entry, Visit visit) {
    visit(entry.first);
    uint32_t left = entry.count - 1;
    for (const PositionChunk *chunk = entry.chunks; left != 0; chunk = chunk->next) {
      for (uint32_t i = 0; i < kPositionsPerChunk && left != 0; ++i, --left) visit(chunk->positions[i]);
    }
  }

 private:
  bool add_position(Entry *entry, uint32_t position);
  PositionChunk *take_chunk();
  void grow_buckets();

  GrowingArray<Entry*> buckets_;
  hg_pool *entries_ = nullptr;
  hg_chain spare_ = {};
  uint32_t count_ = 0;
  uint32_t total_ = 0;
};

}  // namespace word_index
