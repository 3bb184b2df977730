// Faults of pools: nodes in blocks, memory pools, and the size classes with their thread caches.

const kPools = 'A8_*:A9_*:A10_*:Pool*:FreeCountTree*';
const kMemoryPools = 'B1_*:B2_*:B3_*';
const kSmall = 'D1_*:D2_*:D3_*:D4_*:D6_*';

const inCoreTests = (filter) => (fault) => ({ ...fault, program: 'core_tests', filter });

export const kPoolFaults = [
  ...[
    {
      what: 'an adaptive pool keeps one wholly free block more than it was told',
      file: 'core/src/pool/adaptive_pool.cpp',
      from: 'state.free_blocks >= pool->max_free_blocks',
      to: 'state.free_blocks > pool->max_free_blocks',
    },
    {
      what: 'a block keeps its place in the tree when it gets more free nodes than the next one',
      file: 'core/src/pool/adaptive_pool.cpp',
      from: 'next == nullptr || next->free_nodes >= free_nodes',
      to: 'next == nullptr || next->free_nodes != 0',
    },
    {
      what: 'a burst of nodes that fails keeps the blocks it got',
      file: 'core/src/pool/segregated_pool.cpp',
      from: '        release_block(pool, made);\n',
      to: '',
    },
    {
      what: 'the layout of an adaptive pool may have twice the overhead that is allowed',
      file: 'core/src/pool/block_layout.cpp',
      from: '<= percent * chunk',
      to: '<= 2 * percent * chunk',
    },
    {
      what: 'the pools of a heap are not in the order of their numbers',
      file: 'core/src/pool/pool.cpp',
      from: 'after->id < pool->id',
      to: 'after->id > pool->id',
    },
  ].map(inCoreTests(kPools)),
  ...[
    {
      what: 'the last node of a block of fixed nodes is never handed out',
      file: 'core/src/pool/memory_pool.cpp',
      from: 'self->uncut + Word{layout.nodes_per_block} * layout.node_size;',
      to: 'self->uncut + Word{layout.nodes_per_block - 1} * layout.node_size;',
    },
    {
      what: 'the largest fixed size is refused',
      file: 'core/src/pool/memory_pool.cpp',
      from: 'fixed_size > kMaxFixedSize',
      to: 'fixed_size >= kMaxFixedSize',
    },
  ].map(inCoreTests(kMemoryPools)),
  ...[
    {
      what: 'the largest size that has a class gets a chunk of its own',
      file: 'core/src/small/small.cpp',
      from: 'if (size > kSmallMax)',
      to: 'if (size >= kSmallMax)',
    },
    {
      what: 'a thread that ends loses its spare batches',
      file: 'core/src/small/thread_cache.cpp',
      from: '    if (cache.spare[k] != nullptr) store_batch(k, cache.spare[k]);\n',
      to: '',
    },
    {
      what: 'a squeeze does not count nodes that were never cut',
      file: 'core/src/small/squeeze.cpp',
      from: '  if (central.uncut != nullptr) span_of(central.uncut)->free_nodes += static_cast<std::uint32_t>(central.uncut_count);\n',
      to: '',
    },
  ].map(inCoreTests(kSmall)),
];
