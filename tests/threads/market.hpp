#pragma once

#include <mutex>
#include <vector>

// Blocks waiting to be freed by whichever thread comes next.
template <class Block>
class Market {
 public:
  void put(Block block) {
    const std::lock_guard<std::mutex> held(lock_);
    blocks_.push_back(block);
  }
  bool take(Block *block, size_t keep = 0) {
    const std::lock_guard<std::mutex> held(lock_);
    if (blocks_.size() <= keep) return false;
    *block = blocks_.back();
    blocks_.pop_back();
    return true;
  }

 private:
  std::mutex lock_;
  std::vector<Block> blocks_;
};
