// Where slabs lie, and with threads whose they are: an entry for each KiB of the heap, from its beginning to behind the last slab.
//
//   | 0 | 0 | k,0 | k,1 | k,2 | 0 | j,0 | ...      0: no slab      k,n: the KiB number n, from 0, of a slab of class k > 0
//
//   entry     k,n in one byte; with threads a second byte has the number of its owner (slab/slab_owners.hpp)
//
//  slab_map.M1  Nothing in it has a code. A wrong byte leads to no slab, whose code then fails, or to another one, behind whose end the address lies
//               (slab.B2); or it hides a slab, and then there is no header of a chunk before a block; that of the slab says that it is no block (malloc.P11).
//               With threads its length in front of it is only believed by who asks about an address: what is written is measured by one in static data.
//  slab_map.M2  It lies in a chunk and moves to a larger one when a slab lies behind its end: O(KiB), each time a quarter longer.
//  slab_map.M3  With threads, who changes it holds the heap's lock, and any thread may read it. So its length lies in front of it, where one pointer leads to
//               both. The chunk that it leaves stays as it is, since somebody may read there. Each is twice as long as the last, so all that were left
//               are no longer than the newest. Who asks about a block in use finds its class in both.
//  slab_map.M4  Who takes a chunk for it may cause a flush, which ends it when there is no slab: then nothing is copied.
//  slab_map.M5  With threads, an entry is read by a plain load in WebAssembly. The map may lie in memory that another thread has just grown, and there an
//               atomic load traps until the engine renews this thread's view (memory.V1). Two aligned bytes are read as one; what they say of a block in use was
//               written before its thread had it.
#pragma once

#include <type_traits>

#include "heap/heap.hpp"
#include "slab/slab.hpp"

namespace heapglass {

class SlabMap {
 public:
  using Entry = std::conditional_t<kThreads, std::uint16_t, std::uint8_t>;

  void begin(const Heap &heap) {
    *this = {};
    first_ = address_of(&heap) / kSlabStep;
  }

  // nullptr: no slab lies there.
  [[gnu::always_inline]] Slab *slab_at(const void *mem) const {
    const Word part = part_at(mem);
    if (part == 0) return nullptr;
    auto *const slab = reinterpret_cast<Slab *>((address_of(mem) / kSlabStep - part % kMaxSteps) * kSlabStep);
    if (slab == nullptr) __builtin_unreachable();
    return slab;
  }
  // Of the slab there; 0: none lies there.
  [[gnu::always_inline]] unsigned class_at(const void *mem) const { return static_cast<unsigned>(part_at(mem) / kMaxSteps); }
  // The number of the slab's owner.  pre: one lies there
  unsigned owner_at(const void *mem) const { return static_cast<unsigned>(entry_at(mem) >> kOwnerShift); }

  // Whether there is an entry for each of its steps now. False: out of memory.
  bool cover(Heap &heap, const Slab *slab, Word steps);
  void add(const Slab *slab, unsigned slab_class, Word steps, unsigned owner) {
    ++slabs_;
    set_owner(slab, slab_class, steps, owner);
  }
  void set_owner(const Slab *slab, unsigned slab_class, Word steps, unsigned owner) {
    for (Word n = 0; n < steps; ++n) set(index_of(slab) + n, (kThreads ? Word{owner} << kOwnerShift : 0) | (slab_class * kMaxSteps + n));
  }
  void remove(const Slab *slab, Word steps) {
    --slabs_;
    for (Word n = 0; n < steps; ++n) set(index_of(slab) + n, 0);
  }

  // Each slab once. O(KiB).
  template <class See>
  void each(See see) const {
    for (Word i = 0; i < length(); ++i) {
      if (Slab *const s = beginning_in(i); s != nullptr) see(s);
    }
  }
  // The slab that begins in KiB i of the map; nullptr: none does.
  Slab *beginning_in(Word i) const {
    const Word part = entry(entries_, i) & kPart;
    return part != 0 && part % kMaxSteps == 0 ? reinterpret_cast<Slab *>((first_ + i) * kSlabStep) : nullptr;
  }
  Word release_if_empty(Heap &heap);  // when there are no slabs; its bytes
  // Of all chunks that stay for it, slab_map.M3.  pre: the heap's lock is held
  Word kept_bytes() const { return kThreads && !kTraced ? kept_bytes_ : 0; }
  Word bytes() const { return entries_ != nullptr ? size_of(chunk_of(block())) : 0; }  // of its chunk
  bool is_in(const void *mem) const { return mem == block(); }
  Word length() const { return kThreads && !kHardened ? length_of(entries_) : length_; }
  Word slabs() const { return slabs_; }
  // nullptr, or which invariant is broken.  pre: the heap is sound, and its lock is held. O(KiB * segments)
  const char *check(const Heap &heap) const;

 private:
  friend struct SlabsInspector;  // tests only
  static constexpr unsigned kOwnerShift = 8;
  static constexpr Word kPart = 255;
  static constexpr Word kFront = kThreads ? sizeof(Word) : 0;  // before the entries: their number

  static Word length_of(const Entry *entries) { return entries != nullptr ? *before<const Word>(entries, kFront) : 0; }
  static Word entry(const Entry *entries, Word i) {
#if defined(__wasm__)
    if constexpr (kThreads) return *static_cast<const volatile Entry *>(&entries[i]);  // slab_map.M5
#else
    if constexpr (kThreads) return __atomic_load_n(&entries[i], __ATOMIC_RELAXED);
#endif
    return entries[i];
  }
  [[gnu::always_inline]] Word entry_at(const void *mem) const {
    if constexpr (!kThreads) {
      const std::uintptr_t i = address_of(mem) / kSlabStep - first_;
      return i < length_ ? entries_[i] : 0;
    }
    const Entry *const entries = __atomic_load_n(&entries_, __ATOMIC_ACQUIRE);
    if (__builtin_expect(entries == nullptr, 0)) return 0;
    const std::uintptr_t i = address_of(mem) / kSlabStep - first_;
    return i < length_of(entries) ? entry(entries, i) : 0;
  }
  [[gnu::always_inline]] Word part_at(const void *mem) const { return kThreads ? entry_at(mem) & kPart : entry_at(mem); }
  Word index_of(const Slab *slab) const { return address_of(slab) / kSlabStep - first_; }
  void set(Word i, Word value) {
    if constexpr (kThreads) __atomic_store_n(&entries_[i], static_cast<Entry>(value), __ATOMIC_RELAXED);
    else entries_[i] = static_cast<Entry>(value);
  }
  void *block() const { return entries_ != nullptr ? before<void>(entries_, kFront) : nullptr; }
  Word release(Heap &heap);

  Entry *entries_;
  Word length_;  // without threads, and in hardened builds
  Word slabs_;   // that there are
  Word kept_bytes_;
  std::uintptr_t first_;  // the KiB in which the heap begins
};

extern SlabMap g_slab_map;

}  // namespace heapglass
