// The expansion command with every combination of flags, and bursts of all kinds, among single chunks.
#include "contract/burst_operations.hpp"
#include "contract/chunk_operations.hpp"
#include "contract/command_operation.hpp"
#include "session.hpp"
#include "targets.hpp"

namespace fuzz {

using namespace contract;

namespace {

size_t contiguous(ByteSource &from) {
  const uint32_t number = from.byte();
  return number >= 192 ? HG_CONTIGUOUS_ALL : number >= 128 ? HG_CONTIGUOUS_DEFAULT : 1 + number % 48;
}

Command command(ByteSource &from, uint32_t slot) {
  const uint32_t pick = from.byte();
  const uint32_t flags = from.byte() & 0x7f;  // legal and illegal ones; 0x20 is none
  const uint32_t object = from.byte();
  const size_t object_size = object < 192 ? object % 65 : size_t{object - 191} * 16;
  const size_t limit = from.byte();
  const size_t preferred = from.byte();
  // Now and then far: squares.
  return {slot, pick, flags, object_size, limit < 128 ? limit : limit * limit,
          preferred < 128 ? preferred : preferred * preferred};
}

}  // namespace

void play_commands_and_bursts(const uint8_t *bytes, size_t count) {
  Session session(bytes, count);
  ByteSource &from = session.from;
  while (session.goes_on()) {
    const uint32_t what = from.byte();
    const uint32_t slot = what >> 4;
    const uint32_t number = what % 16 < 10 ? 0 : from.byte();
    switch (what & 15) {
      case 0:
      case 1: session.perform(Allocate{slot, from.size() / 8}); break;
      case 2:
      case 3: session.perform(Deallocate{slot, from.byte()}); break;
      case 4:
      case 5:
      case 6:
      case 7:
      case 8: session.perform(command(from, slot)); break;
      case 9: session.perform(HeapTrim{slot, 0}); break;
      case 10: {
        const size_t size = from.size() / 32;
        session.perform(BurstNodes{slot, number, size, contiguous(from)});
        break;
      }
      case 11: {
        const uint32_t object_size = from.below(64);
        const uint32_t seed = from.byte();
        const uint32_t longest = from.byte();
        session.perform(BurstArrays{slot, number, object_size, contiguous(from), seed, longest});
        break;
      }
      case 12: session.perform(BurstDeallocate{slot, from.byte(), number}); break;
      case 13: {
        const size_t size = from.size() / 32;
        session.perform(IndependentCalloc{slot, number / 4 + 1, size, from.chance()});
        break;
      }
      case 14: {
        const uint32_t seed = from.byte();
        const uint32_t largest = from.byte() * 4;
        session.perform(IndependentComalloc{slot, number / 4 + 1, seed, largest, from.chance()});
        break;
      }
      default:
        if (number < 128) session.grant();
        else if (number < 160) session.perform(HeapCreate{});
        else if (number < 192) session.perform(HeapDestroy{number});
        else session.check();
    }
  }
}

}  // namespace fuzz
