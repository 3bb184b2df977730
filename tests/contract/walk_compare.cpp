#include "walk_compare.hpp"

#include <heapglass/event.h>

#include <map>

#include "base/address.hpp"
#include "pool_operations.hpp"
#include "report.hpp"

namespace contract {

namespace {

constexpr uint32_t kWordBytes = sizeof(size_t);
constexpr uint32_t kInUseBit = 1;
constexpr uint32_t kPrevInUseBit = 2;
constexpr uint32_t kBlockBit = 4;  // alone: cached by malloc
constexpr uint32_t kSlabBlocks = 5 * kWordBytes;  // event.P8: from the chunk to the slab's first block
constexpr uint32_t kFlagBits = 2 * kWordBytes - 1;

uint32_t kind_of(const hg_walk_record &record) { return record.kind & 0xff; }
uint32_t detail_of(const hg_walk_record &record) { return record.kind >> 16; }
uint32_t offset_of(uintptr_t address) { return heapglass::offset_of(reinterpret_cast<void *>(address)); }

std::vector<hg_walk_record> walk_of(const hg_heap *heap) {
  std::vector<hg_walk_record> all;
  hg_walk_record part[251];  // not a divisor of anything: the parts end at odd places
  hg_walk walk;
  hg_walk_begin(&walk, heap);
  while (const size_t count = hg_walk_next(&walk, part, sizeof part / sizeof part[0])) {
    all.insert(all.end(), part, part + count);
  }
  return all;
}

uint32_t hash_of(const std::vector<hg_walk_record> &records) {
  uint32_t hash = 0x811c9dc5u;
  const auto add = [&hash](uint32_t word) {
    for (int i = 0; i < 4; ++i, word >>= 8) hash = (hash ^ (word & 0xff)) * 0x01000193u;
  };
  for (const hg_walk_record &record : records) {
    add(record.kind);
    add(record.address);
    add(record.size);
    add(record.extra);
  }
  return hash;
}

// Goes through one heap's records once; the twins' entries are met in address order beside them.
class Comparison {
 public:
  // may_be_cached: chunks that malloc caches may be there.
  Comparison(const HeapSlot &slot, bool may_be_cached)
      : slot_(slot), may_be_cached_(may_be_cached), block_(slot.twin.entries().begin()) {
    for (const auto &pool : slot.pools) {
      pools_[hg_pool_id(pool->pool)] = PoolPart{pool.get(), pool->twin.entries().begin(), 0, 0, 0, 0, 0};
    }
  }

  void take(const hg_walk_record &record) {
    expect((record.kind >> 8 & 0xff) == hg_heap_id(slot_.heap), "walk: heap id of a record", record.kind);
    switch (kind_of(record)) {
      case HG_WALK_segment: return segment(record);
      case HG_WALK_chunk_in_use: return chunk_in_use(record);
      case HG_WALK_chunk_cached: return chunk_cached(record);
      case HG_WALK_chunk_free:
      case HG_WALK_chunk_top:
      case HG_WALK_chunk_victim: return chunk_free(record);
      case HG_WALK_block: return pool_block(record);
      case HG_WALK_sub_block: return;
      case HG_WALK_node_in_use: return node_in_use(record);
      case HG_WALK_node_free: ++pool(record).free; return;
      case HG_WALK_bin_entry: return bin_entry(record);
      case HG_WALK_tree_entry: return tree_entry(record);
      case HG_WALK_slab: return slab(record);
      case HG_WALK_slab_block_in_use: return slab_block(record, true);
      case HG_WALK_slab_block_free: return slab_block(record, false);
      default: fail("walk: unknown record kind", record.kind);
    }
  }

  void finish() {
    segment_end();
    expect(block_ == slot_.twin.entries().end(), "W3 a block of the twin is not in the walk");
    expect(unexplained_ >= slot_.pools.size(), "W3 a pool's own chunk is missing", unexplained_, slot_.pools.size());
    if (may_be_cached_ && hg_trace_ring() == nullptr) {
      cached_ = unexplained_ - slot_.pools.size();  // builds without probes mark no chunk as cached
    } else {
      expect(unexplained_ == slot_.pools.size(), "W3 chunks in use that nobody knows", unexplained_, slot_.pools.size());
    }
    expect(in_bin_.empty(), "W5 a free chunk says it is in a bin that does not hold it", in_bin_.size());
    for (const auto &[id, part] : pools_) {
      hg_pool_stats stats;
      hg_pool_get_stats(part.slot->pool, &stats);
      expect(part.node == part.slot->twin.entries().end(), "W4 a node of the twin is not in the walk", id);
      expect(part.free == stats.nodes_free, "W4 free nodes", part.free, stats.nodes_free);
      expect(part.blocks == stats.blocks, "W4 blocks", part.blocks, stats.blocks);
      check_pool(*part.slot);
    }
    hg_heap_stats stats;
    hg_heap_get_stats(slot_.heap, &stats);
    expect(stats.in_use == in_use_bytes_, "W7 bytes in use", stats.in_use, in_use_bytes_);
    expect(stats.free_bytes == free_bytes_, "W7 free bytes", stats.free_bytes, free_bytes_);
    expect(stats.chunks_in_use == in_use_count_, "W7 chunks in use", stats.chunks_in_use, in_use_count_);
    expect(stats.chunks_free == free_count_, "W7 free chunks", stats.chunks_free, free_count_);
    expect(stats.largest_free == largest_free_, "W7 largest free chunk", stats.largest_free, largest_free_);
    expect(stats.segments == segments_, "W7 segments", stats.segments, segments_);
    expect(stats.footprint == footprint_ && stats.peak_footprint >= footprint_, "W7 footprint", stats.footprint,
        footprint_);
  }

  size_t cached() const { return cached_ + free_in_slabs_; }

 private:
  struct PoolPart {
    const PoolSlot *slot;
    Twin::Map::const_iterator node;
    size_t free, blocks, tree_entries;
    uint32_t tree_free, block_end;
  };

  PoolPart &pool(const hg_walk_record &record) {
    const auto found = pools_.find(detail_of(record));
    expect(found != pools_.end(), "walk: a record of an unknown pool", record.kind, record.address);
    return found->second;
  }

  void segment_end() {
    if (segments_ > 0) {
      expect(cursor_ == segment_end_ - kWordBytes, "W1 chunks do not reach the sentinel", cursor_, segment_end_);
    }
  }

  void segment(const hg_walk_record &record) {
    segment_end();
    expect(record.address >= segment_end_, "W1 segments overlap or descend", record.address, segment_end_);
    ++segments_;
    footprint_ += record.size;
    segment_end_ = record.address + record.size;
    cursor_ = record.extra;
    previous_in_use_ = true;
  }

  void chunk(const hg_walk_record &record, bool in_use) {
    expect(record.address == cursor_, "W1 a gap between chunks", record.address, cursor_);
    expect((record.extra & ~kFlagBits) == record.size, "walk: header word and size", record.extra, record.size);
    expect(((record.extra & (kInUseBit | kBlockBit)) != 0) == in_use, "walk: C and B of a header", record.address, record.extra);
    expect(((record.extra & kPrevInUseBit) != 0) == previous_in_use_, "W2 P bit of a header", record.address,
        record.extra);
    cursor_ += record.size;
    previous_in_use_ = in_use;
  }

  void chunk_in_use(const hg_walk_record &record) {
    chunk(record, true);
    expect((record.extra & kInUseBit) != 0, "walk: a cached chunk is told as one in use", record.address, record.extra);
    chunk_ = record;
    ++in_use_count_;
    in_use_bytes_ += record.size;
    if (is_apart(record.address, record.size)) {
      ++unexplained_;  // a pool, or a pool's block when its record follows
      return;
    }
    if (may_be_cached_ && hg_trace_ring() == nullptr && offset_of(block_->first) >= record.address + kSlabBlocks) {
      return untold_slab(record);
    }
    expect(offset_of(block_->first) == record.address + kWordBytes, "W3 a chunk is not where the twin's block is",
           record.address, offset_of(block_->first));
    expect(is_usable_size(block_->second.bytes, record.size - kWordBytes), "W3 a chunk has not the block's size", record.size,
           block_->second.bytes);
    ++block_;
  }

  // Of a build without probes: the chunk has blocks of the twin behind a slab's own words.
  void untold_slab(const hg_walk_record &record) {
    const uint32_t first = record.address + kSlabBlocks;
    const size_t bytes = block_->second.bytes;
    for (; !is_apart(record.address, record.size); ++block_) {
      const uint32_t at = offset_of(block_->first) - first;
      expect(block_->second.bytes == bytes && at % bytes == 0, "W10 blocks of a slab are not of one size", record.address, at);
      expect(at + bytes <= record.size - kSlabBlocks, "W10 a block is not in its slab, or overlaps the one before it", record.address, at);
    }
  }

  void chunk_cached(const hg_walk_record &record) {
    chunk(record, true);
    ++in_use_count_;
    in_use_bytes_ += record.size;
    expect(may_be_cached_, "W3 a chunk is cached where none may be", record.address);
    expect(detail_of(record) == hg_thread_number(), "W3 the holder of a cached chunk", record.kind);
    expect(is_apart(record.address, record.size), "W3 a block of the twin is cached", record.address);
    ++cached_;
  }

  // event.P8: to the heap one chunk in use.
  void slab(const hg_walk_record &record) {
    chunk(record, true);
    ++in_use_count_;
    in_use_bytes_ += record.size;
    expect(may_be_cached_, "W10 a slab is where none may be", record.address);
    expect(is_apart(record.address, record.size) || detail_of(record) != HG_SLAB_WORDS, "W10 a block lies where slabs are listed",
           record.address);
    slab_ = record;
    slab_end_ = record.address + record.size;
    slab_cursor_ = record.address + kWordBytes;
  }

  void slab_block(const hg_walk_record &record, bool in_use) {
    const uint32_t mem = record.address + kWordBytes;
    expect(slab_cursor_ <= mem && mem + record.size <= slab_end_, "W10 a block is not in its slab, or overlaps the one before it",
           record.address, slab_end_);
    expect(detail_of(record) == detail_of(slab_), "W10 the list of a slab's block", record.kind, slab_.kind);
    expect(in_use || is_apart(mem, record.size), "W10 a block of the twin is free in its slab", record.address);
    slab_cursor_ = mem + record.size;
    if (!in_use) {
      ++free_in_slabs_;
      return;
    }
    expect(block_ != slot_.twin.entries().end() && offset_of(block_->first) == mem, "W10 a block in use of a slab is not in the twin",
           record.address);
    expect(block_->second.bytes == record.size, "W10 a slab's block has not the block's size", record.size, block_->second.bytes);
    ++block_;
  }

  // Whether the next block of the twin lies behind these bytes.
  bool is_apart(uint32_t address, uint32_t size) const {
    return block_ == slot_.twin.entries().end() || offset_of(block_->first) >= address + size;
  }

  void chunk_free(const hg_walk_record &record) {
    expect(previous_in_use_, "W2 two free chunks side by side", record.address);
    chunk(record, false);
    ++free_count_;
    free_bytes_ += record.size;
    if (record.size > largest_free_) largest_free_ = record.size;
    if (kind_of(record) != HG_WALK_chunk_free) return;
    expect(detail_of(record) != HG_NO_BIN, "W5 a free chunk is in no bin", record.address);
    in_bin_[record.address] = record;
  }

  void pool_block(const hg_walk_record &record) {
    PoolPart &part = pool(record);
    expect(unexplained_ > 0 && record.address == chunk_.address + kWordBytes, "W4 a block is not a chunk's payload",
        record.address);
    expect(record.size <= chunk_.size - kWordBytes, "W4 a block is larger than its chunk", record.size, chunk_.size);
    --unexplained_;
    ++part.blocks;
    part.block_end = record.address + record.size;
  }

  void node_in_use(const hg_walk_record &record) {
    PoolPart &part = pool(record);
    expect(part.node != part.slot->twin.entries().end() && offset_of(part.node->first) == record.address,
           "W4 a node in use is not in the twin", record.address);
    expect(record.address + record.size <= part.block_end, "W4 a node reaches over its block", record.address,
        part.block_end);
    ++part.node;
  }

  void bin_entry(const hg_walk_record &record) {
    const auto found = in_bin_.find(record.address);
    expect(found != in_bin_.end(), "W5 a bin holds what is no free chunk, or holds it twice", record.address);
    expect(detail_of(found->second) == detail_of(record) && found->second.size == record.size,
        "W5 bin or size of an entry", record.address);
    in_bin_.erase(found);
  }

  void tree_entry(const hg_walk_record &record) {
    PoolPart &part = pool(record);
    expect(record.size >= part.tree_free && record.size > 0, "W6 the tree does not ascend by free nodes",
        record.address, record.size);
    expect(record.extra == part.tree_entries++, "W6 position of a tree entry", record.address, record.extra);
    part.tree_free = record.size;
  }

  const HeapSlot &slot_;
  const bool may_be_cached_;
  Twin::Map::const_iterator block_;
  std::map<uint32_t, PoolPart> pools_;
  std::map<uint32_t, hg_walk_record> in_bin_;
  hg_walk_record chunk_{}, slab_{};
  uint32_t cursor_ = 0, segment_end_ = 0, slab_cursor_ = 0, slab_end_ = 0;
  bool previous_in_use_ = true;
  size_t segments_ = 0, footprint_ = 0, unexplained_ = 0, cached_ = 0, free_in_slabs_ = 0;
  size_t in_use_count_ = 0, in_use_bytes_ = 0, free_count_ = 0, free_bytes_ = 0, largest_free_ = 0;
};

// W9
void note_chunks(State &state, const HeapSlot &slot, const std::vector<hg_walk_record> &records) {
  const uint32_t base = heapglass::offset_of(slot.heap);
  for (const hg_walk_record &record : records) {
    if (kind_of(record) == HG_WALK_bin_entry) break;
    state.note(record.address - base);
    state.note(record.size);
    const uint32_t kind = kind_of(record);
    state.note(kind == HG_WALK_chunk_cached ? uint32_t{HG_WALK_chunk_in_use} : kind);
  }
}

void check_heap(State &state, const HeapSlot &slot, std::map<uint32_t, uint32_t> &segments) {
  const char *broken = hg_heap_check(slot.heap);
  expect(broken == nullptr, broken == nullptr ? "" : broken);
  const std::vector<hg_walk_record> records = walk_of(slot.heap);
  const bool with_malloc = state.with_malloc && slot.by_default;
  Comparison comparison(slot, with_malloc);
  for (const hg_walk_record &record : records) {
    comparison.take(record);
    if (kind_of(record) == HG_WALK_segment) segments[record.address] = record.size;
  }
  comparison.finish();
  state.cached += comparison.cached();
  if (with_malloc) note_chunks(state, slot, records);
  size_t counted = 0;
  const uint32_t hash = hg_walk_hash(slot.heap, &counted);
  expect(counted == records.size() && hash == hash_of(records), "W7 walk hash", hash, hash_of(records));
}

}  // namespace

bool is_usable_size(size_t twin, size_t now) {
  return twin == now || (twin % HG_ALIGNMENT == 0 && (now == twin + kWordBytes || now == twin + 3 * kWordBytes));
}

InSlabs in_slabs(const HeapSlot &slot) {
  InSlabs found;
  auto block = slot.twin.entries().begin();
  for (const hg_walk_record &record : walk_of(slot.heap)) {
    if (kind_of(record) != HG_WALK_chunk_in_use && kind_of(record) != HG_WALK_slab) continue;
    size_t blocks = 0;
    bool is_chunk = false;
    for (; block != slot.twin.entries().end() && offset_of(block->first) < record.address + record.size; ++block, ++blocks) {
      is_chunk = is_chunk || offset_of(block->first) == record.address + kWordBytes;
    }
    if (kind_of(record) == HG_WALK_slab && blocks == 0) found.idle += 1;
    if (is_chunk || blocks == 0) continue;
    found.slabs += 1;
    found.blocks += blocks;
  }
  return found;
}

void check_everything(State &state) {
  std::map<uint32_t, uint32_t> segments;
  for (const auto &slot : state.heaps) {
    check_heap(state, *slot, segments);
    slot->twin.check_all_contents();
    for (const auto &pool : slot->pools) pool->twin.check_all_contents();
  }
  uint32_t end = 0;
  for (const auto &[base, size] : segments) {
    expect(base >= end, "W8 segments of different heaps overlap", base, end);
    end = base + size;
  }
  ++state.checks;
}

}  // namespace contract
