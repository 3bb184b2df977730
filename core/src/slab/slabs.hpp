// The slabs of malloc, with threads those of one thread, by class: the current one, from which blocks are taken, and a list of others that have free blocks.
//
//   malloc ── a random bit of the current slab's ──> block
//                 none: the first slab of the list becomes the current one; else a new slab; else, of a young class or before memory grows, a chunk
//   free ──> the bit of the block's slab
//                 enough of a slab's blocks are free: it goes on the list
//   when the cache ages, and at a flush: slabs without a block in use ──> the heap, each as one chunk
//
//  slabs.S1  A slab is current, or on its class's list, or neither; then less than an eighth of its blocks are free (in hardened builds, fewer than five of those
//            of each half of its bits, if it has more than 32). It is on the list until it becomes current or ends, so the list needs one link.
//  slabs.S2  A class has slabs when it took twice the bytes of one as single chunks; in hardened builds kYoung bytes. So a program that has a few
//            blocks of a size does not pay for a slab of it.
//  slabs.S3  The length: room for at least 8 blocks and an eighth of what the class has, but fewer than 64 blocks and not more than 4 KiB; and of the lengths near
//            that, the one that wastes least.
//  slabs.S4  The free block at the lowest address is the next. In hardened builds it is drawn for each malloc: the first one at or behind a random
//            place, cyclically.
//  slabs.S5  malloc and free are O(1). A flush is O(slabs on lists).
//  slabs.S6  When the cache ages, and at a flush, a sparse slab becomes chunks (slab/dissolve.hpp): one in which a quarter of the blocks is in use or
//            less; a sixteenth, if the class took another slab since the time before, and so fills its holes itself. Hardened builds keep it, and so do those
//            with threads, where another one may just be asking about a block of it.
//  slabs.S7  A new slab comes out of a hole, else out of top. Before linear memory grows for one, single chunks fill the holes that are too small for
//            slabs. Hardened builds do not look at holes.
//  slabs.S8  A slab stops to be current when it has no free block and another one is at hand. Its blocks may come back while room is made for that
//            one (others free them, and a flush brings them): then it stays current, and the other one waits on the list.
//  slabs.S9  A flush looks at a class's list only if a slab on it may end: all its blocks are free, or so few are in use that it may be sparse. The free that
//            makes it so finds that, as another one finds that a slab goes on its list. One that stays is looked at again when it has one free block more.
#pragma once

#include "slab/slab_map.hpp"
#include "slab/slab_owners.hpp"

namespace heapglass {

class Slabs {
 public:
  void begin(unsigned owner = 0);  // there are none

  // A free block of the current slab; nullptr: it has none.
  [[gnu::always_inline]] void *pop(unsigned slab_class) {
    Class &c = classes_[slab_class];
    const Bits free = c.free;
    if (__builtin_expect(free == 0, 0)) return nullptr;
    const unsigned i = next_of(free);
    if constexpr (kProvenOwners) change(c.free, free & ~(Bits{1} << i));
    else c.free = free & ~(Bits{1} << i);
    char *const mem = c.blocks + i * c.bytes;
    if (mem == nullptr) __builtin_unreachable();
    return mem;
  }
  // pre: slab_class = g_slab_map.class_at(mem), not 0, the slab is of these, and with threads the lock is held. In hardened builds a block that is none, or is free, ends the program (slab.B2).
  [[gnu::always_inline]] void push(unsigned slab_class, void *mem) {
    Slab *const s = g_slab_map.slab_at(mem);
    Class &c = classes_[kHardened ? class_of(s) : slab_class];  // slab_map.M1
    const unsigned i = number_of(s, c, mem);
    if (c.current == s) {
      const Bits free = c.free, bit = Bits{1} << i;
#if HG_HARDENED
      if (__builtin_expect(i > c.last || (free & bit) != 0, 0)) report_free(s, i, mem);
#endif
      c.free = free | bit;
      return;
    }
    free_in(s, i, mem);
  }

#if HG_PROVEN_OWNERS
  // As push, of the thread that these are of; takes the lock where it has to (slab_owners.O6).
  [[gnu::always_inline]] void push_own(void *mem) {
    Slab *const s = g_slab_map.slab_at(mem);
    Class &c = classes_[class_of(s)];
    const unsigned i = number_of(s, c, mem);
    if (__builtin_expect(c.current != s, 0)) return push_locked(s, i, mem);
    const Bits free = c.free, bit = Bits{1} << i;
    __atomic_store_n(&c.free, free | bit, __ATOMIC_SEQ_CST);  // slab_owners.O8
    if (__builtin_expect(i > c.last || ((free | __atomic_load_n(&c.freed, __ATOMIC_SEQ_CST)) & bit) != 0, 0)) report_free(s, i, mem);
  }
  void push_for_other(void *mem);  // as push, by another thread
#endif

#if HG_THREADS
  SpinLock &lock() const { return g_slab_owners.lock(owner_); }  // slab_owners.O5
#else
  static SpinLock &lock() { return lock_; }
#endif

  bool refill(unsigned slab_class) {       // whether pop has a block now, perhaps of a slab that was on the list
    const Hold hold(lock());
    return take_next(classes_[slab_class]);
  }
  Word bytes_of_new(unsigned slab_class);  // what make would take of the heap; 0: a chunk serves (slabs.S2)
  bool make(Heap &heap, unsigned slab_class, Word bytes);  // a new current slab. False: a chunk serves (slabs.S7), or memory is out
  // Slabs without a block in use end, and sparse ones (slabs.S6); without threads the map with the last one. The bytes that became free.
  Word flush(Heap &heap);
  bool would_flush() const;  // whether there are any. O(slabs on lists)

  // Bytes of the block at mem.  pre: s = g_slab_map.slab_at(mem). Ends the program if it is none, or free.
  Word usable_size(const Slab *s, const void *mem) const;
  // Record i of the walk over chunk c (event.P8), from the one of the chunk itself on. False: c is of no slab of these, or has no more.
  bool walk(const Chunk *c, Word i, hg_walk_record *record) const;
  // Of all slabs and the map, without the blocks that the program has; of slabs of others those that are current are in use. O(KiB of the heap).
  Word idle_bytes() const;
  // The next run of blocks whose bits are set; false after the last. place: two words, 0 at first: {KiB in the map, block}. O(KiB of the heap) in all.
  bool next_free_run(Word *place, std::uintptr_t *begin, std::uintptr_t *end) const;

  // ---- with threads (slab_owners.O1).  pre: the heap's lock is held ----
  // All slabs get the owner of `heirs`, to which they belong now. O(KiB of the heap).
  void leave_to(Slabs &heirs);
  // As push, for the owner; false: its slab is current, and only the owner may.
  bool push_for_owner(void *mem);
  // Those of its slabs that are not current and have no block in use end. The bytes that became free.
  Word flush_for_owner(Heap &heap);
  // A slab of `orphans` that has free blocks is of these now; whether there is one, and pop has a block.  pre: the class has no free block here
  bool adopt(Slabs &orphans, unsigned slab_class);

 private:
  struct Class {
    Bits free;     // slab.B3
    char *blocks;  // of the current slab
    Slab *current;
    Slab *listed;
    Word taken;             // bytes of its slabs, and at first of single chunks; not of orphans, who make none
    std::uint32_t inverse;  // 2^kPlaces / bytes, rounded up
    std::uint16_t bytes;    // of a block
#if HG_PROVEN_OWNERS
    Bits freed;  // of the current slab, by others (slab_owners.O6)
    Bits bits() const { return seen(free) | seen(freed); }
#else
    Bits bits() const { return free; }
#endif
#if HG_HARDENED
    std::uint8_t last;      // the number of the current slab's last block
#else
    bool wanted;            // slabs.S6
#endif
    bool may_end;           // slabs.S9
  };

  // slabs.S4
  [[gnu::always_inline]] unsigned next_of(Bits free) {
#if HG_HARDENED
    const unsigned turn = random_bits<6>(random_);
    return (static_cast<unsigned>(__builtin_ctzll(free >> turn | free << (-turn & 63))) + turn) & 63;
#else
    return static_cast<unsigned>(__builtin_ctzll(free));
#endif
  }

  // The upper bits of a product of a block's offset: i * 2^kPlaces, and i times what `inverse` is rounded up by, which is less than kRounded in
  // all. Of an address inside a block it is at least as much more.  pre: mem is in s, and the class's blocks have 256 bytes at most
  static constexpr unsigned kPlaces = 24;
  static constexpr std::uint32_t kRounded = 1 << 16;
  [[gnu::always_inline]] static unsigned number_of(const Slab *s, const Class &c, const void *mem) {
    constexpr auto kOfBlock = static_cast<std::uint32_t>((kMaxBlocks - 1) << kPlaces | (kRounded - 1));
    const std::uint32_t product = static_cast<std::uint32_t>(address_of(mem) - address_of(s) - kSlabHead) * c.inverse;
    if (kHardened && __builtin_expect((product & ~kOfBlock) != 0, 0)) report_no_block(mem);
    return product >> kPlaces;
  }
  [[noreturn, gnu::noinline, gnu::cold]] static void report_no_block(const void *mem) { fail(kFailure_misaligned_pointer, mem, nullptr); }
  [[noreturn, gnu::noinline, gnu::cold]] static void report_free(const Slab *s, unsigned i, const void *mem) {
    if (i >= capacity_of(s)) report_no_block(mem);  // behind its blocks
    fail(kFailure_double_free, mem, nullptr);
  }

  // pre: the lock is held; s is not current
  [[gnu::always_inline]] void free_in(Slab *s, unsigned i, [[maybe_unused]] void *mem) {
    if constexpr (kProvenOwners) check_owner(s);
    const auto free = static_cast<Word>(set_bit(s, i));
    if (kHardened && __builtin_expect(free == 0, 0)) report_free(s, i, mem);
    if (__builtin_expect(free == due_of(s, i), 0)) put_on_list(s);
  }
  Word flush_listed(Heap &heap);
  Word look_at(Heap &heap, Class &c);
  [[gnu::noinline]] void put_on_list(Slab *s);
  static void list_when_due(Slab *s, Word capacity);
  [[gnu::noinline]] bool take_next(Class &c);  // refill.  pre: the lock is held
  bool take(Class &c, Slab *s);
  static void link(Class &c, Slab *s) {
    s->next = c.listed;
    c.listed = s;
  }
  // The first one of the class, off the list (slab.B5); its tag still says that it is on it.
  [[gnu::always_inline]] Slab *unlink_first(Class &c) {
    Slab *const s = c.listed;
    prove(s);
    check_owner(s);
    if (kHardened && ((s->tag & kListedSlab) == 0 || &classes_[class_of(s)] != &c)) fail(kFailure_damaged_link, s, nullptr);
    c.listed = s->next;
    return s;
  }
  Slab *take_first(Class &c);
  Word end(Heap &heap, Slab *s);
  Bits free_bits_of(const Slab *s) const {
    const Class &c = classes_[class_of(s)];
    return c.current == s ? c.bits() : bits_of(s);
  }
  // The map, by which a slab came here, proves nothing. The slab's tag is proved next.
  [[gnu::always_inline]] void check_owner([[maybe_unused]] const Slab *s) const {
#if HG_PROVEN_OWNERS
    if (__builtin_expect(owner_of(s) != owner_, 0)) report_damaged(s);
#endif
  }
  [[gnu::noinline]] void push_locked(Slab *s, unsigned i, void *mem);
  static void receive(Class &c);
  static void clear(Class &c) {  // it has no current slab
    c.current = nullptr;
    change(c.free, Bits{0});
#if HG_PROVEN_OWNERS
    change(c.freed, Bits{0});
#endif
  }
  void pass_to(Slab *s, Slabs &heirs);
  bool ends_at_flush(const Slab *s, const Class &c) const;  // pre: it is on a list

#if HG_HARDENED
  Word random_;
#endif
#if HG_THREADS
  unsigned owner_;
#else
  static inline SpinLock lock_;  // nothing
  static constexpr unsigned owner_ = 0;
#endif
  Class classes_[kSlabClasses];
};

extern Slabs g_slabs;    // of a program with one thread
extern Slabs g_orphans;  // of one with threads: slab_owners.O1

}  // namespace heapglass
