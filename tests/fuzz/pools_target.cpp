// Segregated, adaptive and aligned_only pools with any options, on growing heaps and on fixed regions.
#include "contract/chunk_operations.hpp"
#include "contract/pool_operations.hpp"
#include "session.hpp"
#include "targets.hpp"

namespace fuzz {

using namespace contract;

namespace {

constexpr size_t kMostPools = 6;  // a heap
constexpr uint32_t kFreeBlocks[] = {0, 1, 2, 5, 0xffff};

hg_pool_options options(ByteSource &from) {
  hg_pool_options all{};
  all.shape = 1 + from.below(3);
  const uint32_t size = from.byte();
  all.node_size = size < 200 ? size : static_cast<uint32_t>(from.size());
  const uint32_t nodes = from.byte();
  all.nodes_per_block = nodes < 200 ? nodes % 65 : nodes * 8;
  all.max_free_blocks = from.one_of(kFreeBlocks);
  all.overhead_percent = from.below(64);
  return all;
}

void create(Session &session, uint32_t slot) {
  const hg_pool_options wished = options(session.from);
  if (session.state.slot(slot).pools.size() >= kMostPools) return session.perform(PoolDestroy{slot, wished.node_size});
  session.perform(PoolCreate{slot, wished});
}

}  // namespace

void play_pools(const uint8_t *bytes, size_t count) {
  Session session(bytes, count);
  ByteSource &from = session.from;
  while (session.goes_on()) {
    const uint32_t what = from.byte();
    const uint32_t slot = what >> 4;
    const uint32_t pool = what % 16 < 12 ? from.byte() : 0;
    switch (what & 15) {
      case 0:
      case 1:
      case 2: session.perform(PoolAllocate{slot, pool}); break;
      case 3:
      case 4:
      case 5: session.perform(PoolDeallocate{slot, pool, from.byte()}); break;
      case 6:
      case 7: session.perform(PoolBurst{slot, pool, from.byte()}); break;
      case 8:
      case 9: {
        const uint32_t pick = from.byte();
        session.perform(PoolBurstDeallocate{slot, pool, pick, from.byte()});
        break;
      }
      case 10: session.perform(PoolTrim{slot, pool}); break;
      case 11: session.perform(PoolDestroy{slot, pool}); break;
      case 12: create(session, slot); break;
      case 13: session.perform(Allocate{slot, from.size() / 8}); break;
      case 14: session.perform(Deallocate{slot, from.byte()}); break;
      default:
        switch (from.below(7)) {
          case 0: session.perform(HeapCreate{}); break;
          case 1: {
            const size_t size = from.size();
            session.perform(HeapCreateFixed{size < 250'000 ? size : 250'000, from.below(64)});
            break;
          }
          case 2: session.perform(HeapDestroy{from.byte()}); break;
          case 3: session.perform(HeapTrim{slot, 0}); break;
          case 4: session.perform(PoolRefuse{slot, from.byte()}); break;
          case 5: session.grant(); break;
          default: session.check();
        }
    }
  }
}

}  // namespace fuzz
