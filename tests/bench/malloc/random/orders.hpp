// How the blocks of a phase are freed: see Order in grammar.hpp.
//
//   O1  push_block adds one block; what the order frees then, it frees at once.
//   O2  At the end of a phase drain() frees all that is left, in the same order.
#pragma once

#include "worker.hpp"

/// True when the blocks are more than the phase has live.
inline bool over(const Worker &worker) {
  const Phase &phase = *worker.phase;
  return worker.blocks.bytes + worker.old.bytes > phase.target_bytes ||
         worker.blocks.count + worker.old.count > phase.target_blocks;
}

/// Exchanges each block with one of the next `reach`.
inline void shuffle(Worker &worker, std::uint32_t reach) {
  const std::uint32_t count = worker.blocks.count;
  for (std::uint32_t i = 0; i + 1 < count; ++i) {
    const std::uint32_t left = count - i;
    const std::uint32_t other = i + worker.below(left < reach ? left : reach);
    const Block block = worker.blocks.at(i);
    worker.blocks.at(i) = worker.blocks.at(other);
    worker.blocks.at(other) = block;
  }
}

/// Sorts by eighths of octaves, smallest first; equal ones stay as they came. `old` is the second table: it is empty
/// here.
inline void sort_by_size(Worker &worker) {
  constexpr std::uint32_t kClasses = 32 * 8;
  static thread_local std::uint32_t ends[kClasses];
  const auto class_of = [](std::uint32_t size) {
    const std::uint32_t octave = 31 - static_cast<std::uint32_t>(__builtin_clz(size));
    return octave * 8 + (octave < 3 ? 0 : (size >> (octave - 3)) & 7);
  };
  const std::uint32_t count = worker.blocks.count;
  for (std::uint32_t &end : ends) end = 0;
  for (std::uint32_t i = 0; i < count; ++i) ++ends[class_of(worker.blocks.at(i).size)];
  for (std::uint32_t i = 1; i < kClasses; ++i) ends[i] += ends[i - 1];
  for (std::uint32_t i = count; i-- > 0;) {
    const Block &block = worker.blocks.at(i);
    worker.old.slots[--ends[class_of(block.size)]] = block;
  }
  worker.blocks.head = 0;
  std::memcpy(worker.blocks.slots, worker.old.slots, count * sizeof(Block));
}

inline void give_oldest(Worker &worker, std::uint32_t count) {
  for (; count > 0; --count) worker.give(worker.blocks.pop_oldest());
}

inline void give_newest(Worker &worker, std::uint32_t count) {
  for (; count > 0; --count) worker.give(worker.blocks.pop_newest());
}

inline void give_random(Worker &worker, std::uint32_t count) {
  for (; count > 0; --count) worker.give(worker.blocks.remove(worker.below(worker.blocks.count)));
}

inline void give_nearly_oldest(Worker &worker, std::uint32_t reach) {
  const std::uint32_t count = worker.blocks.count, other = worker.below(count < reach ? count : reach);
  const Block block = worker.blocks.at(other);
  worker.blocks.at(other) = worker.blocks.at(0);
  worker.blocks.at(0) = block;
  give_oldest(worker, 1);
}

/// All young blocks but `percent` % are freed as taken; the others are old from then on.
inline void collect(Worker &worker) {
  const Phase &phase = *worker.phase;
  while (worker.blocks.count > 0) {
    const Block block = worker.blocks.pop_oldest();
    if (!worker.old.full() && worker.below(100) < phase.percent) worker.old.push(block);
    else worker.give(block);
  }
  if (!over(worker)) return;
  std::uint32_t goal = phase.other_way ? worker.old.count / 2 : 0;
  while (worker.old.count > goal && (phase.other_way || over(worker))) {
    worker.give(worker.old.remove(worker.below(worker.old.count)));
  }
}

/// A base of `percent` % of the target stays; above it, bursts come and go, and one block of the base changes with
/// each.
inline void push_in_bursts(Worker &worker, const Block &block) {
  const Phase &phase = *worker.phase;
  const std::uint64_t base = static_cast<std::uint64_t>(phase.target_bytes) * phase.percent / 100;
  Ring<kMostBlocks> &burst = worker.old;
  if (worker.blocks.bytes < base && worker.blocks.count + 1 < phase.target_blocks) {
    worker.blocks.push(block);
    return;
  }
  burst.push(block);
  if (burst.count < phase.reach && burst.bytes + base < phase.target_bytes) return;
  if (worker.blocks.count > 0) {
    do give_random(worker, 1);  // more than one where reallocs made them larger
    while (worker.blocks.bytes > base);
    worker.blocks.push(burst.remove(worker.below(burst.count)));
  }
  while (burst.count > 0) worker.give(phase.other_way ? burst.pop_newest() : burst.pop_oldest());
}

/// Frees what the order frees when the target is passed, or at the end (`all`).
inline void release(Worker &worker, bool all) {
  const Phase &phase = *worker.phase;
  const std::uint32_t count = worker.blocks.count;
  const auto part = [&](std::uint32_t percent) {  // at least one
    const std::uint64_t some = static_cast<std::uint64_t>(count) * percent / 100;
    return all ? count : some == 0 ? 1 : static_cast<std::uint32_t>(some);
  };
  if (count == 0) return;
  switch (phase.order) {
    case Order::newest_first: return give_newest(worker, part(100 - phase.percent));
    case Order::oldest_first: return give_oldest(worker, all ? count : 1);
    case Order::random: return give_random(worker, all ? count : 1);
    case Order::nearly_oldest:
      for (std::uint32_t i = all ? count : 1; i > 0; --i) give_nearly_oldest(worker, phase.reach);
      return;
    case Order::by_size:
      sort_by_size(worker);
      return phase.other_way ? give_newest(worker, part(50)) : give_oldest(worker, part(50));
    case Order::all_as_taken: return give_oldest(worker, count);
    case Order::all_reversed: return give_newest(worker, count);
    case Order::all_shuffled: shuffle(worker, count); return give_oldest(worker, count);
    case Order::all_nearly: shuffle(worker, phase.reach); return give_oldest(worker, count);
    case Order::batches:
      return phase.other_way ? give_oldest(worker, part(phase.percent)) : give_random(worker, part(phase.percent));
    default: return give_random(worker, count);
  }
}

inline void push_block(Worker &worker, const Block &block) {
  const Phase &phase = *worker.phase;
  if (phase.order == Order::bursts) return push_in_bursts(worker, block);
  worker.blocks.push(block);
  if (phase.order == Order::generations) {
    if (worker.blocks.count >= phase.reach || over(worker)) collect(worker);
    return;
  }
  while (over(worker) && worker.blocks.count > 1) release(worker, false);
}

inline void drain(Worker &worker) {
  release(worker, true);
  while (worker.old.count > 0) worker.give(worker.old.remove(worker.below(worker.old.count)));
}
