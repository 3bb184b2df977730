// The structures beside the blocks of a phase: see Kind in grammar.hpp. Each has a step, which makes one or two
// calls, and an end, which frees what is there.
#pragma once

#include "nodes.hpp"
#include "worker.hpp"

inline std::uint32_t grown(const Side &side, std::uint32_t size) {
  if (side.growth == Growth::twice) return size * 2;
  return side.growth == Growth::half_more ? size + size / 2 : size + 64;
}

inline void finish_item(Worker &worker, const Side &side, Block &item) {
  if (side.keeps && worker.below(4) == 0) worker.keep(item);
  else worker.give(item);
  item = {};
}

/// A random one of the vectors grows by a step; one that would pass `most` is freed or kept, and begins again.
inline void step_vector(Worker &worker, const Side &side, SideState &state) {
  constexpr std::uint32_t kFirst = 16;
  Block &item = state.items[worker.below(side.at_once)];
  if (item.mem == nullptr) {
    item = worker.take(kFirst);
    return;
  }
  const std::uint32_t size = grown(side, item.size);
  if (size <= side.most) worker.resize(item, size, side.copies);
  else finish_item(worker, side, item);
}

/// A random one of the strings gets 1 to 40 bytes more.
inline void step_string(Worker &worker, const Side &side, SideState &state) {
  const std::uint32_t at = worker.below(side.at_once), more = 1 + worker.below(40);
  Block &item = state.items[at];
  std::uint32_t &length = state.lengths[at];
  if (item.mem == nullptr) {
    length = more + 1;
    item = worker.take(length);
    return;
  }
  length += more;
  if (length > side.most) return finish_item(worker, side, item);
  if (length <= item.size) return;
  std::uint32_t size = side.doubles ? item.size * 2 : length;
  if (size < length) size = length;
  worker.resize(item, size, side.copies);
}

inline void step_pair(Worker &worker, const Side &side) {
  Block taken[4];
  for (std::uint32_t i = 0; i < side.at_once; ++i) taken[i] = worker.take(worker.next_size());
  for (std::uint32_t i = side.at_once; i-- > 0;) worker.give(taken[i]);
}

inline void step_side(Worker &worker, const Side &side, SideState &state) {
  switch (side.kind) {
    case Kind::vectors: return step_vector(worker, side, state);
    case Kind::strings: return step_string(worker, side, state);
    case Kind::tables: return step_table(worker, side, state);
    case Kind::pairs: return step_pair(worker, side);
    case Kind::lists: return step_list(worker, side, state);
    case Kind::trees: return step_tree(worker, side, state);
    case Kind::queues: return step_queue(worker, side, state);
    case Kind::count: return;
  }
}

inline void end_side(Worker &worker, const Side &side, SideState &state) {
  for (std::uint32_t i = 0; i < side.at_once; ++i) {
    switch (side.kind) {
      case Kind::vectors:
      case Kind::strings:
        if (state.items[i].mem != nullptr) finish_item(worker, side, state.items[i]);
        break;
      case Kind::tables: end_table(worker, side, state, i); break;
      case Kind::lists: end_list(worker, side, state, i); break;
      case Kind::trees: end_tree(worker, side, state, i); break;
      case Kind::queues: end_list(worker, side, state, i); break;
      default: break;
    }
  }
}
