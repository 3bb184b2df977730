// Calls of pools of nodes, and of memory pools: a heap each, with a path for nodes of one size.

import { kPoolOptionsLayout, Status } from '../protocol/event_layout.ts';
import { beginChain, readChain } from './heap_chains.ts';
import { kScratch } from './heap_scratch.ts';
import { toSize } from './heap_sizes.ts';
import {
  adoptHeap,
  type CallsOf,
  type Got,
  type Living,
  manyBlocks,
  type OperationOf,
  oneBlock,
} from './operation_call.ts';

const poolOf = ({ pools }: Living, { pool }: { readonly pool: number }): number => pools.get(pool)?.pool ?? 0;

export const kPoolCalls: CallsOf<'poolCreate' | 'poolAllocate' | 'poolDeallocate' | 'poolTrim' | 'poolDestroy'> = {
  poolCreate: createPool,
  poolAllocate: (living, operation) => {
    const { module } = living;
    const { functions } = module;
    const pool = poolOf(living, operation);
    if (operation.count === 1) {
      const node = functions.hg_pool_allocate(pool) >>> 0;
      const status = functions.hg_pool_status(pool);
      return node === 0 ? { status, mems: [], received: 0 } : { status, mems: [node], received: 1 };
    }
    const chain = beginChain(module);
    const taken = functions.hg_pool_burst(pool, toSize(operation.count), chain) >>> 0;
    return { status: functions.hg_pool_status(pool), mems: readChain(module, chain), received: taken };
  },
  poolDeallocate: (living, operation) => {
    const { functions } = living.module;
    const pool = poolOf(living, operation);
    functions.hg_pool_deallocate(pool, operation.mem);
    return { status: functions.hg_pool_status(pool) };
  },
  poolTrim: (living, operation) => ({
    received: living.module.functions.hg_pool_trim(poolOf(living, operation)) >>> 0,
    status: Status.ok,
  }),
  poolDestroy: (living, operation) => {
    living.module.functions.hg_pool_destroy(poolOf(living, operation));
    living.pools.delete(operation.pool);
    return { status: Status.ok };
  },
};

function createPool({ module, pools }: Living, operation: OperationOf<'poolCreate'>, heap: number): Got {
  const { functions, views, scratch } = module;
  const options = scratch + kScratch.poolOptions;
  views.setWord(options + kPoolOptionsLayout.shape, operation.shape);
  views.setWord(options + kPoolOptionsLayout.nodeSize, toSize(operation.nodeSize));
  views.setWord(options + kPoolOptionsLayout.nodesPerBlock, toSize(operation.nodesPerBlock));
  views.setWord(options + kPoolOptionsLayout.maxFreeBlocks, toSize(operation.maxFreeBlocks));
  views.setWord(options + kPoolOptionsLayout.overheadPercent, toSize(operation.overheadPercent));
  const pool = functions.hg_pool_create(heap, options) >>> 0;
  if (pool === 0) return { ok: false };
  const id = functions.hg_pool_id(pool);
  pools.set(id, { pool, heap: functions.hg_heap_id(heap) });
  return { pool: id, received: 0 };
}

const memoryPoolOf = ({ memoryPools }: Living, { heap }: { readonly heap: number }): number =>
  memoryPools.get(heap) ?? 0;

export const kMemoryPoolCalls: CallsOf<
  | 'memoryPoolCreate'
  | 'memoryPoolAllocate'
  | 'memoryPoolDeallocate'
  | 'memoryPoolAllocateFixed'
  | 'memoryPoolDeallocateFixed'
  | 'memoryPoolDestroy'
> = {
  memoryPoolCreate: (living, { fixedSize }) => {
    const { functions } = living.module;
    const pool = functions.hg_memory_pool_create(toSize(fixedSize)) >>> 0;
    if (pool === 0) return { ok: false, status: Status.outOfMemory };
    const id = adoptHeap(living, functions.hg_memory_pool_heap(pool) >>> 0);
    living.memoryPools.set(id, pool);
    return { status: Status.ok, heap: id };
  },
  memoryPoolAllocate: (living, operation) => {
    const { functions } = living.module;
    return oneBlock(living, functions.hg_memory_pool_allocate(memoryPoolOf(living, operation), toSize(operation.size)));
  },
  memoryPoolDeallocate: (living, operation) => {
    living.module.functions.hg_memory_pool_deallocate(memoryPoolOf(living, operation), operation.mem);
    return { status: Status.ok };
  },
  /** received: nodes */
  memoryPoolAllocateFixed: (living, operation) => {
    const pool = memoryPoolOf(living, operation);
    const allocate = () => living.module.functions.hg_memory_pool_allocate_fixed(pool);
    return manyBlocks(operation.count, allocate, () => 1);
  },
  memoryPoolDeallocateFixed: ({ module }, { mem }) => {
    module.functions.hg_memory_pool_deallocate_fixed(mem);
    return { status: Status.ok };
  },
  memoryPoolDestroy: (living, operation) => {
    const pool = memoryPoolOf(living, operation);
    living.memoryPools.delete(operation.heap);
    living.heaps.delete(operation.heap);
    living.module.functions.hg_memory_pool_destroy(pool);
    return { status: Status.ok };
  },
};
