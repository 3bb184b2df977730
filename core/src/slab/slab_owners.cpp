// See slab_owners.hpp.
#include "slab/slab_owners.hpp"

namespace heapglass {

#if HG_SLABS && HG_THREADS

SlabOwners g_slab_owners;

unsigned SlabOwners::take(Slabs *slabs) {
  for (unsigned owner = 1; owner <= kMostOwners; ++owner) {
    if (of_[owner] != nullptr) continue;
    __atomic_store_n(&of_[owner], slabs, __ATOMIC_RELAXED);
    return owner;
  }
  return kNobody;
}

#endif

}  // namespace heapglass
