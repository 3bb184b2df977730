// The hash table of word_table.hpp.
#include "word_table.hpp"

#include <heapglass/event.h>

#include "word_bytes.hpp"

namespace word_index {
namespace {

constexpr size_t kFirstBuckets = 64;
constexpr size_t kChunksPerBurst = 64;  // position chunks taken at a time: 4 KiB on wasm32, one run of a burst

constexpr hg_pool_options kEntryPool = {HG_SHAPE_adaptive, sizeof(Entry), 128, 1, 2};

}  // namespace

bool WordTable::begin() {
  entries_ = hg_pool_create(nullptr, &kEntryPool);
  if (entries_ == nullptr) return false;
  if (!buckets_.reserve(kFirstBuckets, kFirstBuckets)) {
    end();
    return false;
  }
  for (size_t i = 0; i < kFirstBuckets; ++i) buckets_.items[i] = nullptr;
  buckets_.size = kFirstBuckets;
  return true;
}

void WordTable::end() {
  each([&](const Entry& entry) {
    for (PositionChunk *chunk = entry.chunks; chunk != nullptr;) {
      PositionChunk *next = chunk->next;
      hg_chain_push_back(&spare_, chunk);
      chunk = next;
    }
  });
  release_spare();
  hg_pool_destroy(entries_);
  entries_ = nullptr;
  buckets_.release();
  count_ = 0;
  total_ = 0;
}

const Entry *WordTable::find(const uint8_t *text, const uint8_t *word, uint32_t size) const {
  const uint32_t hash = hash_word(word, size);
  for (const Entry *entry = buckets_.items[hash & (buckets_.size - 1)]; entry != nullptr; entry = entry->next) {
    if (entry->hash == hash && compare_words(text + entry->first, entry->size, word, size) == 0) return entry;
  }
  return nullptr;
}

bool WordTable::add(const uint8_t *text, uint32_t position, uint32_t size) {
  Entry *entry = const_cast<Entry*>(find(text, text + position, size));
  if (entry != nullptr) {
    if (!add_position(entry, position)) return false;
    ++total_;
    return true;
  }
  entry = static_cast<Entry*>(hg_pool_allocate(entries_));
  if (entry == nullptr) return false;
  const uint32_t hash = hash_word(text + position, size);
  Entry **bucket = &buckets_.items[hash & (buckets_.size - 1)];
  *entry = Entry{*bucket, hash, position, size, 1, nullptr, nullptr};
  *bucket = entry;
  ++count_;
  ++total_;
  if (count_ > buckets_.size) grow_buckets();
  return true;
}

bool WordTable::add_position(Entry *entry, uint32_t position) {
  const uint32_t place = (entry->count - 1) % kPositionsPerChunk;
  if (place == 0) {
    PositionChunk *chunk = take_chunk();
    if (chunk == nullptr) return false;
    chunk->next = nullptr;
    if (entry->last_chunk != nullptr) entry->last_chunk->next = chunk; else entry->chunks = chunk;
    entry->last_chunk = chunk;
  }
  entry->last_chunk->positions[place] = position;
  ++entry->count;
  return true;
}

PositionChunk *WordTable::take_chunk() {
  // When there is no room for a whole burst, one chunk may still fit.
  if (spare_.first == nullptr &&
      hg_heap_burst_nodes(nullptr, kChunksPerBurst, sizeof(PositionChunk), HG_CONTIGUOUS_DEFAULT, &spare_) == 0) {
    hg_heap_burst_nodes(nullptr, 1, sizeof(PositionChunk), HG_CONTIGUOUS_DEFAULT, &spare_);
  }
  return static_cast<PositionChunk*>(hg_chain_pop_front(&spare_));
}

// Twice the buckets. When there is no memory for them the lists just get longer.
void WordTable::grow_buckets() {
  const size_t old_size = buckets_.size;
  const size_t new_size = 2 * old_size;
  if (!buckets_.reserve(new_size, new_size)) return;
  buckets_.size = new_size;
  for (size_t i = 0; i < old_size; ++i) {
    // The entries of bucket i go to i or to i + old_size, in the order they had.
    Entry **low = &buckets_.items[i];
    Entry **high = &buckets_.items[i + old_size];
    for (Entry *entry = *low; entry != nullptr; entry = entry->next) {
      Entry **&place = (entry->hash & old_size) == 0 ? low : high;
      *place = entry;
      place = &entry->next;
    }
    *low = nullptr;
    *high = nullptr;
  }
}

}  // namespace word_index
