#include "twin.hpp"

#include <iterator>

#include "pattern.hpp"
#include "report.hpp"

namespace contract {

void Twin::insert(void *mem, size_t bytes, uint32_t seed) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(mem);
  const auto next = entries_.lower_bound(address);
  if (next != entries_.end()) {
    expect(address + bytes <= next->first, "T1 overlaps the next block", address, next->first);
  }
  if (next != entries_.begin()) {
    auto previous = next;
    --previous;
    expect(previous->first + previous->second.bytes <= address, "T1 overlaps the previous block", address,
           previous->first);
  }
  entries_.emplace_hint(next, address, Entry{bytes, seed, static_cast<uint32_t>(order_.size())});
  order_.push_back(address);
  bytes_ += bytes;
  fill_pattern(mem, bytes, seed);
}

void Twin::grow(void *mem, size_t bytes) {
  check_contents(mem, ~static_cast<size_t>(0));
  const auto found = entries_.find(reinterpret_cast<uintptr_t>(mem));
  const auto next = std::next(found);
  expect(next == entries_.end() || found->first + bytes <= next->first, "T1 overlaps the next block", found->first, bytes);
  bytes_ += bytes - found->second.bytes;
  found->second.bytes = bytes;
  fill_pattern(mem, bytes, found->second.seed);
}

void Twin::remove(void *mem) {
  check_contents(mem, ~static_cast<size_t>(0));
  forget(mem);
}

void Twin::forget(void *mem) {
  const auto found = entries_.find(reinterpret_cast<uintptr_t>(mem));
  expect(found != entries_.end(), "twin does not know the block", reinterpret_cast<uintptr_t>(mem));
  const Entry entry = found->second;
  const uintptr_t last = order_.back();
  order_[entry.place] = last;
  entries_.find(last)->second.place = entry.place;
  order_.pop_back();
  entries_.erase(found);
  bytes_ -= entry.bytes;
}

void Twin::check_contents(void *mem, size_t bytes) const {
  const Entry &entry = at(mem);
  const size_t proved = bytes < entry.bytes ? bytes : entry.bytes;
  expect(has_pattern(mem, proved, entry.seed), "T2 contents changed", reinterpret_cast<uintptr_t>(mem), proved);
}

void Twin::check_all_contents() const {
  for (const auto &[address, entry] : entries_) {
    expect(has_pattern(reinterpret_cast<void *>(address), entry.bytes, entry.seed), "T2 contents changed", address,
           entry.bytes);
  }
}

void Twin::clear() {
  entries_.clear();
  order_.clear();
  bytes_ = 0;
}

void *Twin::pick(uint32_t random) const {
  expect(!order_.empty(), "picked from an empty twin");
  return reinterpret_cast<void *>(order_[random % order_.size()]);
}

const Entry &Twin::at(void *mem) const {
  const auto found = entries_.find(reinterpret_cast<uintptr_t>(mem));
  expect(found != entries_.end(), "twin does not know the block", reinterpret_cast<uintptr_t>(mem));
  return found->second;
}

}  // namespace contract
