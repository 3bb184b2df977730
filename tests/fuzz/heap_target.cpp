// Single chunks: allocate, free, resize, aligned, zeroed, trim; on several heaps, with memory that runs out.
#include "contract/chunk_operations.hpp"
#include "session.hpp"
#include "targets.hpp"

namespace fuzz {

using namespace contract;

void play_heap(const uint8_t *bytes, size_t count) {
  Session session(bytes, count);
  ByteSource &from = session.from;
  while (session.goes_on()) {
    const uint32_t what = from.byte();
    const uint32_t slot = what >> 4;
    switch (what & 15) {
      case 0:
      case 1:
      case 2: session.perform(Allocate{slot, from.size()}); break;
      case 3:
      case 4:
      case 5: session.perform(Deallocate{slot, from.byte()}); break;
      case 6: {
        const uint32_t objects = from.below(41);
        session.perform(AllocateZeroed{slot, objects, from.size() / (objects + 1)});
        break;
      }
      case 7:
      case 8: {
        const uint32_t pick = from.byte();
        session.perform(Reallocate{slot, pick, from.size()});
        break;
      }
      case 9: {
        const uint32_t pick = from.byte();
        session.perform(ReallocateInPlace{slot, pick, from.size()});
        break;
      }
      case 10:
      case 11: {
        const uint32_t log2 = from.below(18);
        session.perform(AllocateAligned{slot, log2, from.size()});
        break;
      }
      case 12: session.perform(HeapTrim{slot, from.chance() ? 0 : from.size()}); break;
      case 13: session.grant(); break;
      case 14: {
        const uint32_t which = from.byte();
        session.perform(AskTheImpossible{slot, which, from.byte() * 20});
        break;
      }
      default:
        switch (from.below(3)) {
          case 0: session.perform(HeapCreate{}); break;
          case 1: session.perform(HeapDestroy{from.byte()}); break;
          default: session.check();
        }
    }
  }
}

}  // namespace fuzz
