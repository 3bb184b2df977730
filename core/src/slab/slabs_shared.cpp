// Slabs of a thread in the hands of others: when it has ended, and while it rests (slab_owners.O1, slab_owners.O5). See slabs.hpp.
#include "slab/slabs.hpp"

namespace heapglass {

#if HG_SLABS && HG_THREADS

void Slabs::leave_to(Slabs &heirs) {
  const Hold hold(lock());
#if HG_PROVEN_OWNERS
  const Hold hold_theirs(heirs.lock());
#endif
  for (Class &c : classes_) {
    while (c.listed != nullptr) take_first(c);
    if (c.current != nullptr) {
      prove(c.current);
      set_bits(c.current, c.bits(), capacity_of(c.current));
    }
    clear(c);
    c.taken = 0;
  }
  g_slab_map.each([&](Slab *s) {
    if (g_slab_map.owner_at(s) != owner_) return;
    prove(s);
    check_owner(s);
    pass_to(s, heirs);
    list_when_due(s, capacity_of(s));
    if (is_listable(s)) heirs.put_on_list(s);
  });
}

// Both locks are held, where they are needed.
void Slabs::pass_to(Slab *s, Slabs &heirs) {
#if HG_PROVEN_OWNERS
  set_owner(s, heirs.owner_);
#endif
  g_slab_map.set_owner(s, class_of(s), steps_of(s), heirs.owner_);
}

bool Slabs::adopt(Slabs &orphans, unsigned slab_class) {
#if HG_PROVEN_OWNERS
  const Hold hold_theirs(orphans.lock());
#endif
  Class &from = orphans.classes_[slab_class];
  if (from.listed == nullptr) return false;
  Slab *const s = orphans.unlink_first(from);
  const Hold hold(lock());
  orphans.pass_to(s, *this);
  classes_[slab_class].taken += steps_of(s) * kSlabStep;
  return take(classes_[slab_class], s);
}

bool Slabs::push_for_owner(void *mem) {
  const Hold hold(lock());
  Slab *const s = g_slab_map.slab_at(mem);
  const Class &c = classes_[class_of(s)];
  if (c.current == s) return false;
  free_in(s, number_of(s, c, mem), mem);
  return true;
}

#if HG_PROVEN_OWNERS

void Slabs::push_locked(Slab *s, unsigned i, void *mem) {
  const Hold hold(lock());
  free_in(s, i, mem);
}

// The lock is held, so no other thread frees meanwhile.
void Slabs::receive(Class &c) {
  if (__builtin_expect((c.free & c.freed) != 0, 0)) report_damaged(c.current);
  change(c.free, c.bits());
  change(c.freed, Bits{0});
}

// The lock is held, so it is a slab of these to the end.
void Slabs::push_for_other(void *mem) {
  Slab *const s = g_slab_map.slab_at(mem);
  Class &c = classes_[class_of(s)];
  const unsigned i = number_of(s, c, mem);
  if (c.current != s) return free_in(s, i, mem);
  const Bits bit = Bits{1} << i;
  const Bits freed = c.freed;
  __atomic_store_n(&c.freed, freed | bit, __ATOMIC_SEQ_CST);  // slab_owners.O8
  if (i > c.last || ((freed | __atomic_load_n(&c.free, __ATOMIC_SEQ_CST)) & bit) != 0) report_free(s, i, mem);
}

#endif

Word Slabs::flush_for_owner(Heap &heap) {
  const Hold hold(lock());
  return flush_listed(heap);
}

#endif

}  // namespace heapglass
