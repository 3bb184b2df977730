// What a host needs that exchanges linear memory for a smaller one with the same contents.
//
//   before   base | handed out | r | handed out | released run | not handed out |
//                                                ^ needed_end            end of memory ^
//   after    base | handed out | r | handed out |
//                                               ^ frontier = end of memory, or a little less
//
//  moves.M1  needed_end() changes nothing, so the program goes on in its old memory when the exchange fails.
//  moves.M2  moved() reads no word behind `end`: nothing may be there.
//  moves.M3  Beside another malloc the break stays where it is, and memory with it: sbrk has no way back. Free pages below still count.
#include "base/address.hpp"
#include "base/build.hpp"
#include "platform/page_source.hpp"

namespace heapglass {

FoundRun PageSource::released_after(std::uintptr_t at) {
  const Hold hold(lock_);
  if (take_apart != nullptr) take_apart(*this);
  for (ReleasedRun *run = first_released(); run != nullptr; run = proved(run->next)) {
    if (address_of(run) > at) return {run, run->bytes};
  }
  return {nullptr, 0};
}

std::uintptr_t PageSource::needed_end() {
  const Hold hold(lock_);
  find_memory();
  settle();
  if (take_apart != nullptr) take_apart(*this);
  if (memory_is_shared()) return known_end;
  for (const ReleasedRun *run = first_released(); run != nullptr; run = proved(run->next)) {
    if (address_of(run) + run->bytes == frontier) return address_of(run);
  }
  return frontier;
}

void PageSource::moved(std::uintptr_t end) {
  const Hold hold(lock_);
  if (memory_is_shared()) return;
  if (!kHardened || reuse != nullptr) {
    Link<ReleasedRun> *link = &released;
    while (*link != nullptr && address_of(*link) < end) link = &proved(*link)->next;
    *link = nullptr;
  }
  frontier = end;
  known_end = raw_end();
}

}  // namespace heapglass
