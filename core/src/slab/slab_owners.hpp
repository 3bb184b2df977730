// Whose slabs are whose, in builds with threads: a number for each thread that has slabs, and an inbox for what others free of them.
//
//   thread 2: free ──> its own magazine ──full──> [block is of thread 1's slab] ──one atomic──> inbox 1 ──when thread 1 needs blocks──> the slab's bits
//
//  slab_owners.O1  Only its owner takes blocks of a slab. Slabs of a thread that has ended are orphans: they belong to who
//             holds the heap's lock, and a thread that needs blocks of their class adopts them.
//  slab_owners.O2  A block of an inbox is in use for its slab. Who takes it out asks the map whose slab it is now, and passes it on if it is not his own: so
//             it does not matter that a slab changed its owner meanwhile.
//  slab_owners.O3  Numbers are 1 to kMostOwners, and used again. A thread that finds none has no slabs: its small blocks are chunks.
//  slab_owners.O4  An inbox of a number without an owner is emptied with that of the orphans.
//  slab_owners.O5  An owner may rest while others free all that it has. So what it changes off its fast paths, it changes under a lock of its own; and who ages
//             the cache, under the heap's lock, empties the inboxes of the others and ends slabs that are not current and have no block in use.
//  slab_owners.O6  Hardened builds have no inboxes: a link in a freed block could be bent to a block in use. Who frees a block of another's slab takes that one's lock
//             and sets the bit. Of the current slab the owner takes blocks meanwhile, without the lock. So others have bits of their own for it, which
//             the owner takes over when he has no more. A block whose bit is set in either is free, and is not freed again.
//             The map says whose lock to take. The slab's tag says it too, and is proved before a bit is set.
//  slab_owners.O8  Two threads that free one block at a time each write their bit before they read the other's, both in the one order of all such accesses. So
//             one of them at least sees the other, and is reported.
//  slab_owners.O7  Who passes a slab on holds both locks, and the heap's first. Nobody else holds two.
#pragma once

#include "base/address.hpp"
#include "base/build.hpp"
#include "platform/spin_lock.hpp"

namespace heapglass {

class Slabs;

class SlabOwners {
 public:
  static constexpr unsigned kNobody = 0;  // whose number a thread without slabs has
  static constexpr unsigned kMostOwners = 126, kOrphans = 127;

  void begin(Slabs *orphans) { __atomic_store_n(&of_[kOrphans], orphans, __ATOMIC_RELAXED); }
  unsigned take(Slabs *slabs);  // a number for the owner of `slabs`; kNobody: there is none.  pre: the heap's lock is held
  // pre: likewise, and its slabs are orphans
  void give_back(unsigned owner) {
    __atomic_store_n(&of_[owner], nullptr, __ATOMIC_RELAXED);
    __atomic_store_n(&has_orphans_, true, __ATOMIC_RELAXED);
  }
  // Whether there may be orphans, or blocks in inboxes of nobody.
  bool has_orphans() const { return __atomic_load_n(&has_orphans_, __ATOMIC_RELAXED); }
  // nullptr: that number is free.
  Slabs *slabs_of(unsigned owner) const { return owner <= kOrphans ? __atomic_load_n(&of_[owner], __ATOMIC_RELAXED) : nullptr; }

  SpinLock &lock(unsigned owner) { return locks_[owner]; }  // slab_owners.O5; may be taken under the heap's, never the reverse
  // A block of a slab, which its owner will free. O(1), no lock.
  void send(unsigned owner, void *mem) {
    void *&inbox = inboxes_[owner];
    void *first = __atomic_load_n(&inbox, __ATOMIC_RELAXED);
    do {
      *static_cast<void **>(mem) = first;
    } while (!__atomic_compare_exchange_n(&inbox, &first, mem, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
  }
  // All that is there, each linked to the next one by its first word.
  void *receive(unsigned owner) {
    if (__atomic_load_n(&inboxes_[owner], __ATOMIC_RELAXED) == nullptr) return nullptr;
    return __atomic_exchange_n(&inboxes_[owner], nullptr, __ATOMIC_ACQUIRE);
  }
  static void *next(const void *mem) { return *static_cast<void *const *>(mem); }

  // slab_owners.O5: the others.  pre: the heap's lock is held
  template <class See>
  void each_other(unsigned me, See see) {
    for (unsigned owner = 1; owner <= kMostOwners; ++owner) {
      if (owner != me && of_[owner] != nullptr) see(owner, *of_[owner]);
    }
  }
  // slab_owners.O4, each block once; see may send it on.  pre: the heap's lock is held
  template <class See>
  void each_of_nobody(See see) {
    for (unsigned owner = 1; owner <= kOrphans; ++owner) {
      if (owner <= kMostOwners && of_[owner] != nullptr) continue;
      for (void *mem = receive(owner); mem != nullptr;) {
        void *const after = next(mem);
        see(mem);
        mem = after;
      }
    }
  }

 private:
  void *inboxes_[kOrphans + 1];
  SpinLock locks_[kOrphans + 1];
  Slabs *of_[kOrphans + 1];
  bool has_orphans_;
};

extern SlabOwners g_slab_owners;

}  // namespace heapglass
