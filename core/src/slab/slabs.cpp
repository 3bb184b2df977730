// See slabs.hpp.
#include "slab/slabs.hpp"

#include "heap/hardened_heap.hpp"
#include "slab/dissolve.hpp"
#include "trace/probes.hpp"

namespace heapglass {

#if HG_SLABS

#if HG_THREADS
Slabs g_orphans;
#else
Slabs g_slabs;
#endif

namespace {

constexpr Word kYoung = 512;       // slabs.S2, in hardened builds
constexpr Word kLeastBlocks = 8;   // slabs.S3
constexpr Word kPart = 8;          // slabs.S3: a slab has 1/kPart of its class
constexpr Word kListedPart = 8;    // slabs.S1
constexpr Word kSparse = 4;        // slabs.S6: one block in use of so many
constexpr Word kSparseWanted = 16;

constexpr Word kListedOfHalf = 5;  // slabs.S1, in hardened builds
constexpr Word part_of(Word capacity) { return capacity < kListedPart ? 1 : capacity / kListedPart; }

#if HG_HARDENED
// slabs.S9, of a slab on its list: when either half is free.
void look_when_due(Slab *s) { s->due[0] = s->due[1] = kHalf; }
bool may_end(const Slab *s) { return is_all_free(s); }
#else
Word looked_at(const Slab *s) { return kThreads ? capacity_of(s) : capacity_of(s) - capacity_of(s) / kSparse; }
void look_when_due(Slab *s) { s->due = static_cast<std::uint8_t>(looked_at(s)); }
Word free_of(const Slab *s) { return static_cast<Word>(__builtin_popcountll(bits_of(s))); }
bool may_end(const Slab *s) { return free_of(s) >= looked_at(s); }
#endif

// slabs.S3, of a class that has `taken` bytes.
constexpr Word best_steps(Word block_bytes, Word taken) {
  const auto is_possible = [=](Word steps) { return steps <= kMaxSteps && slab_capacity(steps, block_bytes) < kMaxBlocks; };
  const auto waste_of = [=](Word steps) { return steps * kSlabStep - slab_capacity(steps, block_bytes) * block_bytes; };
  Word near = 1;
  while (is_possible(2 * near) && (near * kSlabStep < block_bytes * kLeastBlocks || near * kSlabStep < taken / kPart)) near *= 2;
  Word best = near;
  for (Word steps = near - near / 4; steps <= near + near / 4; ++steps) {
    if (is_possible(steps) && waste_of(steps) * best <= waste_of(best) * steps) best = steps;
  }
  return best;
}

// The answers of best_steps, two bits for each number of steps that is near. No class has more than kNears of them.
constexpr unsigned kNears = 3;
struct Lengths {
  constexpr Lengths() {
    for (unsigned k = 0; k < kSlabClasses; ++k) {
      for (unsigned near = 0; near < kNears; ++near) {
        const Word steps = best_steps(slab_block_bytes(k), near == 0 ? 0 : (kSlabStep << (near - 1)) * kPart + kPart);
        of[k] = static_cast<std::uint8_t>(of[k] | (steps - 1) << 2 * near);
      }
    }
  }
  std::uint8_t of[kSlabClasses] = {};
};
constexpr Lengths kLengths;

Word steps_for(unsigned slab_class, Word taken) {
  const Word part = taken / kPart;
  const unsigned near = (part > kSlabStep ? 1U : 0U) + (part > 2 * kSlabStep ? 1U : 0U);
  return (kLengths.of[slab_class] >> 2 * near & 3) + 1;
}

}  // namespace

void Slabs::begin([[maybe_unused]] unsigned owner) {
  *this = {};
#if HG_THREADS
  owner_ = owner;
#endif
#if HG_HARDENED
  random_ = g_secret.order ^ (kThreads ? address_of(this) * kScatter : 0);
#endif
  for (unsigned k = 0; k < kSlabClasses; ++k) {
    const Word bytes = slab_block_bytes(k);
    classes_[k].bytes = static_cast<std::uint16_t>(bytes);
    classes_[k].inverse = static_cast<std::uint32_t>(((Word{1} << kPlaces) + bytes - 1) / bytes);
  }
}

#if HG_HARDENED
// The bits without a block are set (slab.B2), so they count.
void Slabs::list_when_due(Slab *s, Word capacity) {
  const bool is_long = capacity > kHalf;
  s->due[0] = static_cast<std::uint8_t>(is_long ? kListedOfHalf : kHalf - capacity + part_of(capacity));
  s->due[1] = static_cast<std::uint8_t>(is_long ? kMaxBlocks - capacity + kListedOfHalf : kHalf + 1);
}
#else
void Slabs::list_when_due(Slab *s, Word capacity) { s->due = static_cast<std::uint8_t>(part_of(capacity)); }
#endif

// c.free is 0 when the next slab becomes the current one, so the last one keeps no bit (slab.B3).
bool Slabs::take_next(Class &c) {
  if constexpr (kProvenOwners) receive(c);
  if (c.free != 0) return true;
  if (c.listed == nullptr) return false;
  Slab *const s = unlink_first(c);
  const Word capacity = capacity_of(s);
  const Bits free = bits_of(s, capacity);
  change(s->tag, static_cast<std::uint16_t>(s->tag & ~kListedSlab));
  set_bits(s, 0, capacity);
  list_when_due(s, capacity);
  change(c.free, free);
  c.blocks = at_offset<char>(s, kSlabHead);
#if HG_HARDENED
  c.last = static_cast<std::uint8_t>(capacity - 1);
#else
  c.wanted = true;
#endif
  c.current = s;
  return true;
}

Word Slabs::bytes_of_new(unsigned slab_class) {
  const Hold hold(lock());
  Class &c = classes_[slab_class];
  const Word bytes = steps_for(slab_class, c.taken) * kSlabStep;
  if (c.taken >= (kHardened ? kYoung : 2 * bytes)) return bytes;
  c.taken += c.bytes;
  return 0;
}

bool Slabs::make(Heap &heap, unsigned slab_class, Word bytes) {
  Chunk *chunk = heap.take_hole_at_step(kSlabStep, bytes);
  if (chunk == nullptr) {
    // slabs.S7
    if (!kHardened && heap.would_grow_memory(bytes + kSlabStep) && heap.has_hole(chunk_size_for(classes_[slab_class].bytes))) return false;
    chunk = heap.take_aligned_chunk(kSlabStep, bytes, bytes - kWord);
  }
  if (chunk == nullptr) return false;
  auto *const s = static_cast<Slab *>(mem_of(chunk));
  const Word steps = bytes / kSlabStep, capacity = slab_capacity(steps, classes_[slab_class].bytes);
  if (!g_slab_map.cover(heap, s, steps)) {
    heap.release_chunk(chunk);
    return false;
  }
  if constexpr (kHardened) HardenedHeap::set_own(s);
  g_slab_map.add(s, slab_class, steps, owner_);
  const Hold hold(lock());
  Class &c = classes_[slab_class];
  c.taken += bytes;
#if !HG_HARDENED
  s->blocks = static_cast<std::uint8_t>(capacity);
#endif
  change(s->tag, static_cast<std::uint16_t>(slab_tag(slab_class, steps, owner_) | kListedSlab));
  set_bits(s, all_bits(capacity), capacity);
  look_when_due(s);
  HG_PROBE(slab_made, heap.id(), HG_SLAB_LISTS + slab_class, chunk, c.bytes, capacity);
  return take(c, s);
}

// s has come to the class, and its tag says that it is on the list.  pre: as of take_next
bool Slabs::take(Class &c, Slab *s) {
  link(c, s);
  if (c.bits() != 0) c.may_end = true;  // slabs.S8
  return take_next(c);
}

// Enough of its blocks are free; perhaps it is on its list already.  pre: not current
void Slabs::put_on_list(Slab *s) {
  Class &c = classes_[class_of(s)];
  if ((s->tag & kListedSlab) == 0) {
    link(c, s);
    mark_listed(s, true);
  }
  look_when_due(s);
  if (may_end(s)) c.may_end = true;
}

Slab *Slabs::take_first(Class &c) {
  Slab *const s = unlink_first(c);
  mark_listed(s, false);
  return s;
}

// The bytes of it that become free.  pre: it is proved, and on no list
Word Slabs::end(Heap &heap, Slab *s) {
  if constexpr (kHardened) HardenedHeap::clear_own(heap, s);
  const Word steps = steps_of(s);
  [[maybe_unused]] const unsigned slab_class = class_of(s);
  Class &c = classes_[slab_class];
  [[maybe_unused]] const Bits in_use = all_bits(capacity_of(s)) & ~bits_of(s);
  HG_PROBE(slab_ended, heap.id(), HG_SLAB_LISTS + slab_class, chunk_of(s), c.bytes, capacity_of(s));
  c.taken -= steps * kSlabStep;
  g_slab_map.remove(s, steps);
  if constexpr (kHardened) {
    forget_words(s, kSlabHead);
  } else if constexpr (!kThreads) {
    if (in_use != 0) return dissolve(heap, s, c.bytes, in_use);
  }
  const Word bytes = size_of(chunk_of(s));
  heap.release_chunk(chunk_of(s));
  return bytes;
}

bool Slabs::ends_at_flush(const Slab *s, const Class &c) const {
  const Bits in_use = all_bits(capacity_of(s)) & ~bits_of(s);
#if HG_HARDENED || HG_THREADS
  return in_use == 0;
#else
  return in_use == 0 || is_sparse(in_use, capacity_of(s), c.wanted ? kSparseWanted : kSparse);
#endif
}

Word Slabs::flush_listed(Heap &heap) {
  Word bytes = 0;
  for (Class &c : classes_) {
    if (c.may_end) bytes += look_at(heap, c);
#if !HG_HARDENED
    c.wanted = false;
#endif
  }
  return bytes;
}

// The slabs of its list that may end, end.
Word Slabs::look_at(Heap &heap, Class &c) {
  Word bytes = 0;
  Slab *kept = nullptr;
  while (c.listed != nullptr) {
    Slab *const s = take_first(c);
    if (ends_at_flush(s, c)) {
      bytes += end(heap, s);
    } else {
      s->next = kept;
      kept = s;
    }
  }
  c.may_end = false;
  while (kept != nullptr) {  // only now, so that a list that was bent to a ring does not take one twice
    Slab *const s = kept;
    kept = s->next;
    put_on_list(s);
#if !HG_HARDENED
    if (!c.wanted && may_end(s)) s->due = static_cast<std::uint8_t>(free_of(s) + 1);
#endif
  }
#if !HG_HARDENED
  c.may_end = c.may_end && c.wanted;  // the limit is another one then
#endif
  return bytes;
}

Word Slabs::flush(Heap &heap) {
  const Hold hold(lock());
  Word bytes = flush_listed(heap);
  for (Class &c : classes_) {
    Slab *const s = c.current;
    if (s == nullptr || c.bits() != all_bits(capacity_of(s))) continue;
    prove(s);
    clear(c);
    set_bits(s, all_bits(capacity_of(s)), capacity_of(s));
    bytes += end(heap, s);
  }
  return bytes + g_slab_map.release_if_empty(heap);
}

bool Slabs::would_flush() const {
  if (g_slab_map.slabs() == 0) return g_slab_map.bytes() != 0;
  for (const Class &c : classes_) {
    if (c.current != nullptr && c.bits() == all_bits(capacity_of(c.current))) return true;
    for (const Slab *s = c.may_end ? c.listed : nullptr; s != nullptr; s = s->next) {
      if (ends_at_flush(s, c)) return true;
    }
  }
  return false;
}

#endif

}  // namespace heapglass
