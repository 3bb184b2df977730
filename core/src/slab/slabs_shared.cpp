// Slabs of a thread in the hands of others: when it has ended, and while it rests (slab_owners.O1, slab_owners.O5). See slabs.hpp.
#include "slab/slabs.hpp"

namespace heapglass {

#if HG_SLABS && HG_THREADS

void Slabs::leave_to(Slabs &heirs) {
  const Hold hold(lock());
  for (Class &c : classes_) {
    while (c.listed != nullptr) take_first(c);
    if (c.current != nullptr) set_bits(c.current, c.free, 0);
    c.current = nullptr;
    c.free = 0;
    c.taken = 0;
  }
  g_slab_map.each([&](Slab *s) {
    if (g_slab_map.owner_at(s) != owner_) return;
    const Word steps = steps_of(s);
    g_slab_map.set_owner(s, class_of(s), steps, heirs.owner_);
    heirs.classes_[class_of(s)].taken += steps * kSlabStep;
    if (static_cast<unsigned>(__builtin_popcountll(bits_of(s))) >= s->listed_at) heirs.put_on_list(s);
  });
}

bool Slabs::adopt(Slabs &orphans, unsigned slab_class) {
  Class &from = orphans.classes_[slab_class];
  if (from.listed == nullptr) return false;
  Slab *const s = take_first(from);
  const Word steps = steps_of(s);
  from.taken -= steps * kSlabStep;
  g_slab_map.set_owner(s, slab_class, steps, owner_);
  const Hold hold(lock());
  classes_[slab_class].taken += steps * kSlabStep;
  make_current(s, bits_of(s));
  return true;
}

bool Slabs::push_for_owner(void *mem) {
  const Hold hold(lock());
  Slab *const s = g_slab_map.slab_at(mem);
  const Class &c = classes_[class_of(s)];
  if (c.current == s) return false;
  free_in(s, number_of(s, c, mem), mem);
  return true;
}

Word Slabs::flush_for_owner(Heap &heap) {
  const Hold hold(lock());
  return flush_listed(heap);
}

#endif

}  // namespace heapglass
