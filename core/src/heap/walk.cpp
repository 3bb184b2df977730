// The walk: the contents of a heap as records, in the order of event.W1 to event.W3, in parts of any size.
//
// The cursor is the 13 words of hg_walk::state; nothing is allocated. PoolHooks writes the contents of marked chunks and the trees
// of pools; six of the words are for it.
#include "base/build.hpp"
#include "heap/first_chunk.hpp"
#include "heap/guard.hpp"

namespace heapglass {

namespace {

enum Stage : Word { kSegments, kChunks, kBlock, kSlab, kBinLists, kTrees, kEnd };

// hg_walk::state by name.
struct Cursor {
  Word stage;
  Word segment;   // address
  Word chunk;     // address of the next chunk (kChunks), of the block's chunk (kBlock), of the bin's next (kBinLists)
  Word bin;
  Word position;
  Word unused[2];
  Word pool[kPoolWalkWords];
};
static_assert(sizeof(Cursor) == sizeof(hg_walk::state), "the cursor is what the caller keeps for us");

}  // namespace

struct Walker {
  const Heap &heap_;
  Cursor at_;
  hg_walk_record *out_;
  Word capacity_;

  void put(std::uint32_t kind, std::uint32_t detail, const void *address, Word size, Word extra) {
    *out_++ = {kind | heap_.id_ << 8 | detail << 16, offset_of(address), static_cast<std::uint32_t>(size),
               static_cast<std::uint32_t>(extra)};
    --capacity_;
  }

  void enter(Word stage) {
    at_.stage = stage;
    for (Word &word : at_.pool) word = 0;
  }

  void begin_segment(const Segment *segment) {
    at_.segment = address_of(segment);
    enter(segment != nullptr ? kSegments : kBinLists);
    at_.chunk = 0;
    at_.bin = 0;
  }

  const Segment *segment() const { return reinterpret_cast<const Segment *>(at_.segment); }
  const Chunk *chunk() const { return reinterpret_cast<const Chunk *>(at_.chunk); }

  void step_segment() {
    Guard::check_segment(segment());
    const Chunk *const first = first_chunk_of(heap_, segment());
    put(HG_WALK_segment, 0, segment(), segment()->size, offset_of(first));
    at_.chunk = address_of(first);
    enter(kChunks);
  }

  // The thread whose cache holds a cached chunk (malloc.C2: marked in builds with probes); ~0 for any other chunk.
  std::uint32_t holder_of(const Chunk *c) const {
    if (!kTraced || !is_cached(c)) return ~0u;
    return static_cast<std::uint32_t>(at_offset<const Word>(c, 2 * kWord)[0]);
  }

  void step_chunk() {
    const Chunk *const c = chunk();
    if (is_sentinel(c)) {
      begin_segment(segment()->next);
      return;
    }
    Guard::check_walked(segment(), c);
    if (kTraced && !kPlaced && walk_slab != nullptr && in_use(c)) {
      enter(kSlab);
      if (step_slab()) return;
      enter(kChunks);
    }
    const Word size = size_of(c);
    if (const std::uint32_t holder = holder_of(c); holder != ~0u) {
      put(HG_WALK_chunk_cached, holder, c, size, c->head);
    } else if (in_use(c)) {
      put(HG_WALK_chunk_in_use, 0, c, size, c->head);
    } else if (c == heap_.top_) {
      put(HG_WALK_chunk_top, 0, c, size, c->head);
    } else if (c == heap_.victim_) {
      put(HG_WALK_chunk_victim, 0, c, size, c->head);
    } else {
      put(HG_WALK_chunk_free, bin_of(size), c, size, c->head);
    }
    if (has_block_mark(c) && in_use(c) && heap_.hooks_ != nullptr && !is_malloc_own(c)) {
      enter(kBlock);
    } else {
      at_.chunk = address_of(next_chunk(c));
    }
  }

  // malloc.P11: a marked chunk that is no pool's.
  bool is_malloc_own([[maybe_unused]] const Chunk *c) const {
    if constexpr (!kHardened) return false;
    hg_walk_record record;
    return walk_slab != nullptr && walk_slab(heap_, c, 0, &record);
  }

  // The hook has finished when it leaves space for records.
  void step_block() {
    const Word written = heap_.hooks_->walk_block(heap_, at_offset<void>(chunk(), kWord), at_.pool, out_, capacity_);
    const bool done = written < capacity_;
    out_ += written;
    capacity_ -= written;
    if (!done) return;
    at_.chunk = address_of(next_chunk(chunk()));
    enter(kChunks);
  }

  // The next record of a slab; false: it has no more.
  bool step_slab() {
    if (kPlaced || !walk_slab(heap_, chunk(), at_.position, out_)) return false;  // position-independent code would import it
    out_->kind |= heap_.id_ << 8;
    ++out_;
    --capacity_;
    ++at_.position;
    return true;
  }
  void leave_slab() {
    at_.chunk = address_of(next_chunk(chunk()));
    at_.position = 0;
    enter(kChunks);
  }

  void step_bins() {
    const Chunk *const c = chunk();
    if (c != nullptr) {
      Guard::check_listed(heap_, c, at_.position == 0);
      put(HG_WALK_bin_entry, static_cast<std::uint32_t>(at_.bin), c, size_of(c), at_.position++);
      at_.chunk = address_of(c->next);
      if (c->next == nullptr) ++at_.bin;
      return;
    }
    const unsigned bin = heap_.bins_.next_used(static_cast<unsigned>(at_.bin));
    if (bin == kNoBin) {
      enter(heap_.hooks_ != nullptr ? kTrees : kEnd);
      return;
    }
    at_.bin = bin;
    at_.position = 0;
    at_.chunk = address_of(heap_.bins_.heads[bin]);
  }

  void step_trees() {
    const Word written = heap_.hooks_->walk_trees(heap_, at_.pool, out_, capacity_);
    const bool done = written < capacity_;
    out_ += written;
    capacity_ -= written;
    if (done) enter(kEnd);
  }

  void run() {
    while (capacity_ != 0 && at_.stage != kEnd) {
      switch (at_.stage) {
        case kSegments: step_segment(); break;
        case kChunks: step_chunk(); break;
        case kBlock: step_block(); break;
        case kSlab: if (!step_slab()) leave_slab(); break;
        case kBinLists: step_bins(); break;
        default: step_trees(); break;
      }
    }
  }
};

Word Heap::walk(hg_walk *walk, hg_walk_record *records, Word capacity) const {
  Walker walker{*this, {}, records, capacity};
  __builtin_memcpy(&walker.at_, walk->state, sizeof walk->state);
  if (walker.at_.stage == kSegments && walker.at_.segment == 0) walker.begin_segment(segments_);
  walker.run();
  __builtin_memcpy(walk->state, &walker.at_, sizeof walk->state);
  return capacity - walker.capacity_;
}

void Heap::skip_block(hg_walk *walk) {
  Cursor at;
  __builtin_memcpy(&at, walk->state, sizeof at);
  if (at.stage != kBlock) return;  // it had no other record
  at.chunk = address_of(next_chunk(reinterpret_cast<const Chunk *>(at.chunk)));
  at.stage = kChunks;
  for (Word &word : at.pool) word = 0;
  __builtin_memcpy(walk->state, &at, sizeof at);
}

// event.W4: FNV-1a over all words as little-endian bytes.
std::uint32_t Heap::walk_hash(Word *records) const {
  constexpr Word kPart = 128;  // of a block each part costs a visit of the pool's free list
  hg_walk_record part[kPart];
  hg_walk cursor = {this->handle(), {}};
  std::uint32_t hash = 2166136261u;
  Word total = 0;
  for (;;) {
    const Word written = walk(&cursor, part, kPart);
    if (written == 0) break;
    total += written;
    for (Word i = 0; i < written; ++i) {
      const std::uint32_t words[4] = {part[i].kind, part[i].address, part[i].size, part[i].extra};
      for (const std::uint32_t word : words) {
        for (unsigned shift = 0; shift < 32; shift += 8) hash = (hash ^ (word >> shift & 0xff)) * 16777619u;
      }
    }
  }
  if (records != nullptr) *records = total;
  return hash;
}

void Heap::get_stats(hg_heap_stats *stats) const {
  *stats = {};
  stats->footprint = footprint_;
  stats->peak_footprint = !kLeastCode ? peak_footprint_ : footprint_;
  stats->top_bytes = top_size_;
  for (const Segment *segment = segments_; segment != nullptr; segment = segment->next) {
    Guard::check_segment(segment);
    ++stats->segments;
    for (const Chunk *c = first_chunk_of(*this, segment); !is_sentinel(c); c = next_chunk(c)) {
      if constexpr (kHardened) HardenedHeap::check_walked(segment, c);
      const Word size = size_of(c);
      if (in_use(c)) {
        stats->in_use += size;
        ++stats->chunks_in_use;
      } else {
        stats->free_bytes += size;
        ++stats->chunks_free;
        if (size > stats->largest_free) stats->largest_free = size;
      }
    }
  }
}

bool Heap::owns(const void *mem, Word bytes) const {
  for (const Segment *segment = segments_; segment != nullptr; segment = segment->next) {
    Guard::check_segment(segment);
    if (segment_holds(segment, mem)) return bytes <= segment->size - (address_of(mem) - address_of(segment));
  }
  return false;
}

}  // namespace heapglass
