// Runs a program: its rounds, phases and repeats, and the operations of a phase.
#pragma once

#include "exchange.hpp"
#include "orders.hpp"
#include "sides.hpp"

inline std::uint32_t resized(Worker &worker, std::uint32_t size) {
  std::uint64_t wanted = size;
  switch (worker.phase->resize) {
    case Resize::up: wanted = size + worker.below(3 * size) + 1; break;
    case Resize::down: wanted = worker.below(size) + 1; break;
    case Resize::plus: wanted = size + 1 + worker.below(64); break;
    case Resize::half_more: wanted = size + size / 2 + 1; break;
    case Resize::twice: wanted = static_cast<std::uint64_t>(size) * 2; break;
    case Resize::trim: wanted = size > 16 ? size - 1 - worker.below(16) : size; break;
    case Resize::count: break;
  }
  return wanted > kMostResized ? worker.next_size() : static_cast<std::uint32_t>(wanted);
}

inline void resize_random(Worker &worker) {
  if (worker.blocks.count == 0) return;
  Block &block = worker.blocks.at(worker.below(worker.blocks.count));
  const std::uint32_t before = block.size;
  worker.resize(block, resized(worker, before), false);
  worker.blocks.bytes += block.size - before;
}

inline void release_kept(Worker &worker, std::uint32_t percent) {
  const auto count = static_cast<std::uint32_t>(static_cast<std::uint64_t>(worker.kept.count) * percent / 100);
  for (std::uint32_t i = 0; i < count; ++i) worker.give(worker.kept.remove(worker.below(worker.kept.count)));
}

/// One block comes: it is kept beyond the phase, or freed by the order.
inline void step_block(Worker &worker) {
  const Phase &phase = *worker.phase;
  if (phase.realloc_percent > 0 && worker.below(100) < phase.realloc_percent) resize_random(worker);
  const Block block = worker.take(worker.next_size());
  if constexpr (kThreaded) {
    if (hand_over(worker, block)) return;
  }
  const std::uint32_t one_in = kKeepOneIn[static_cast<unsigned>(phase.keep)];
  if (one_in == 0 || worker.below(one_in) != 0) push_block(worker, block);
  else worker.keep(block);
}

inline void run_phase(Worker &worker, const Phase &phase) {
  worker.phase = &phase;
  worker.size_run = 0;
  if (worker.phase_begins != nullptr) worker.phase_begins(static_cast<std::uint32_t>(&phase - worker.program.phases));
  release_kept(worker, phase.release_percent);
  for (std::uint32_t i = 0; i < phase.operations; ++i) {
    if constexpr (kThreaded) {
      if (i % kReceiveEvery == 0) receive(worker);
    }
    std::uint32_t at = random_next(&worker.random) >> 16, side = 0;
    while (side < phase.side_count && at >= phase.sides[side].share) at -= phase.sides[side++].share;
    if (side < phase.side_count) step_side(worker, phase.sides[side], worker.sides[side]);
    else step_block(worker);
  }
  drain(worker);
  for (std::uint32_t side = 0; side < phase.side_count; ++side) {
    end_side(worker, phase.sides[side], worker.sides[side]);
    worker.sides[side] = {};
  }
}

inline void run_phases(Worker &worker, std::uint32_t phase) {
  for (std::uint32_t repeat = 0; repeat < worker.program.phases[phase].repeats; ++repeat) {
    run_phase(worker, worker.program.phases[phase]);
  }
}

inline void end_program(Worker &worker) {
  while (worker.kept.count > 0) {
    worker.give(worker.program.kept_as_taken ? worker.kept.pop_oldest()
                                             : worker.kept.remove(worker.below(worker.kept.count)));
  }
}

inline void run_program(Worker &worker) {
  for (std::uint32_t round = 0; round < worker.program.rounds; ++round) {
    for (std::uint32_t i = 0; i < worker.program.phase_count; ++i) run_phases(worker, i);
  }
  end_program(worker);
  if (worker.live != 0) fail("blocks were lost");
}
