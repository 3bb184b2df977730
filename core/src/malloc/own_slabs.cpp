// See own_slabs.hpp.
#include "malloc/own_slabs.hpp"

#include "malloc/flush.hpp"
#include "malloc/heap_lock.hpp"

namespace heapglass {

#if HG_SLABS && HG_THREADS

namespace {

// The flush of some slabs as an operation; one that would do nothing is not written to the trace.
[[gnu::noinline]] Word flush_slabs(Heap &heap, Slabs &slabs) {
  if (kTraced && !slabs.would_flush()) return 0;
  const FlushOperation operation(heap);
  return operation.ended(slabs.flush(heap));
}

#if HG_PROVEN_OWNERS

// slab_owners.O6: `act` with the slabs of whose the block is, under their lock.
template <class Act>
auto with_owner(const void *mem, Act act) {
  for (;;) {
    const unsigned owner = g_slab_map.owner_at(mem);
    const bool may_be = owner != SlabOwners::kNobody && owner <= SlabOwners::kOrphans;
    if (!may_be) fail(kFailure_damaged_header, mem, nullptr);  // the slab has ended, or somebody wrote into the map
    const Hold hold(g_slab_owners.lock(owner));
    if (g_slab_map.owner_at(mem) != owner) continue;  // it was passed on
    Slabs *const slabs = g_slab_owners.slabs_of(owner);
    if (slabs == nullptr) fail(kFailure_damaged_header, mem, nullptr);
    return act(*slabs);
  }
}

#else

// The block to its slab, if that is of `slabs` with the number `owner`, or to whose it is now (slab_owners.O2).  pre: the owner's lock is held
[[gnu::noinline]] void sort_into(void *mem, Slabs &slabs, unsigned owner) {
  const unsigned now = g_slab_map.owner_at(mem);
  if (now == owner) slabs.push(g_slab_map.class_at(mem), mem);
  else g_slab_owners.send(now, mem);
}

#endif

}  // namespace

void OwnSlabs::begin(Heap &heap) {
  const HeapLock lock(heap);
  owner_ = g_slab_owners.take(&slabs_);
  slabs_.begin(owner_);
  magazines_.open();
}

#if HG_PROVEN_OWNERS

void OwnSlabs::free_for_owner(void *mem) {
  with_owner(mem, [mem](Slabs &slabs) { slabs.push_for_other(mem); });
}

Word OwnSlabs::usable_size(const void *mem) {
  return with_owner(mem, [mem](const Slabs &slabs) { return slabs.usable_size(g_slab_map.slab_at(mem), mem); });
}

#else

void OwnSlabs::sort_in(void *mem) { sort_into(mem, slabs_, owner_); }

// Half of the magazine with it, so that the lock is rarely taken.
void OwnSlabs::give_back(unsigned slab_class, void *mem) {
  if (!has_number()) return g_slab_owners.send(g_slab_map.owner_at(mem), mem);
  const Hold hold(slabs_.lock());
  sort_in(mem);
  magazines_.give(slab_class, Magazines::kRounds / 2, [this](void *other) {
    if (!is_slab_block(other)) return false;
    sort_in(other);
    return true;
  });
}

void OwnSlabs::receive() {
  const Hold hold(slabs_.lock());
  for (void *mem = g_slab_owners.receive(owner_); mem != nullptr;) {
    void *const next = SlabOwners::next(mem);
    sort_in(mem);
    mem = next;
  }
}

void OwnSlabs::receive_for_orphans() {
  const Hold hold(g_orphans.lock());
  g_slab_owners.each_of_nobody([](void *mem) { sort_into(mem, g_orphans, SlabOwners::kOrphans); });
}

#endif

// slab_owners.O5
Word OwnSlabs::flush_others(Heap &heap) {
  Word bytes = 0;
  g_slab_owners.each_other(owner_, [&]([[maybe_unused]] unsigned owner, Slabs &theirs) {
#if !HG_PROVEN_OWNERS
    for (void *mem = g_slab_owners.receive(owner); mem != nullptr;) {
      void *const next = SlabOwners::next(mem);
      const unsigned now = g_slab_map.owner_at(mem);
      if (now != owner || !theirs.push_for_owner(mem)) g_slab_owners.send(now, mem);
      mem = next;
    }
#endif
    if (kTraced && !theirs.would_flush()) return;
    const FlushOperation operation(heap);
    bytes += operation.ended(theirs.flush_for_owner(heap));
  });
  return bytes;
}

bool OwnSlabs::refill(unsigned slab_class, Heap &heap) {
  bool has_block = slabs_.refill(slab_class);
  if (!kProvenOwners && !has_block) {
    receive();
    has_block = slabs_.refill(slab_class);
  }
  if (has_block || !g_slab_owners.has_orphans()) return has_block;
  const HeapLock lock(heap);
  receive_for_orphans();
  return slabs_.adopt(g_orphans, slab_class);
}

Word OwnSlabs::flush(Heap &heap) {
  Word bytes = 0;
  if (has_number()) {
    receive();
    bytes = flush_slabs(heap, slabs_);
  }
  bytes += flush_others(heap);
  if (!g_slab_owners.has_orphans()) return bytes;
  receive_for_orphans();
  return bytes + flush_slabs(heap, g_orphans);
}

void OwnSlabs::end(Heap &heap) {
  if (!has_number()) return;
  magazines_.close();
  receive();
  flush_slabs(heap, slabs_);
  slabs_.leave_to(g_orphans);
  g_slab_owners.give_back(owner_);
  owner_ = SlabOwners::kNobody;
}

Word OwnSlabs::bytes() {
  if (has_number()) receive();
  receive_for_orphans();
  Word bytes = slabs_.idle_bytes();
  magazines_.each([&bytes](const void *mem) {
    const unsigned slab_class = g_slab_map.class_at(mem);
    bytes += slab_class != 0 ? slab_block_bytes(slab_class) : size_of_block(mem);
  });
  return bytes;
}

#endif

}  // namespace heapglass
