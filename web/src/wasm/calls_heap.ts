// Calls of a heap: single blocks, commands, chains, trim, and a word written by hand.

import { kCommandResultLayout, Status } from '../protocol/event_layout.ts';
import { beginChain, readChain, writeChain } from './heap_chains.ts';
import { kScratch } from './heap_scratch.ts';
import { toSize } from './heap_sizes.ts';
import { type CallsOf, type Got, type Living, type OperationOf, oneBlock } from './operation_call.ts';

export const kHeapCalls: CallsOf<
  | 'allocate'
  | 'allocateAligned'
  | 'deallocate'
  | 'reallocate'
  | 'command'
  | 'burstNodes'
  | 'burstDeallocate'
  | 'trim'
  | 'write'
> = {
  allocate: (living, { size }, heap) => oneBlock(living, living.module.functions.hg_heap_allocate(heap, toSize(size))),
  allocateAligned: (living, { alignment, size }, heap) =>
    oneBlock(living, living.module.functions.hg_heap_allocate_aligned(heap, toSize(alignment), toSize(size))),
  deallocate: ({ module }, { mem }, heap) => {
    module.functions.hg_heap_deallocate(heap, mem);
    return {};
  },
  reallocate: (living, operation, heap) => {
    const { mem, size } = operation;
    const at = living.module.functions.hg_heap_reallocate(heap, mem, toSize(size)) >>> 0;
    const freed = size === 0 && mem !== 0;
    return freed ? {} : { ...oneBlock(living, at), reused: at === mem };
  },
  command,
  burstNodes: ({ module }, { count, size, contiguous }, heap) => {
    const chain = beginChain(module);
    const made =
      module.functions.hg_heap_burst_nodes(heap, toSize(count), toSize(size), toSize(contiguous), chain) >>> 0;
    return { ok: made === count, mems: readChain(module, chain), received: made };
  },
  burstDeallocate: ({ module }, { mems }, heap) => {
    module.functions.hg_heap_burst_deallocate(heap, writeChain(module, mems));
    return {};
  },
  trim: ({ module }, { pad }, heap) => ({ received: module.functions.hg_heap_trim(heap, toSize(pad)) >>> 0 }),
  write: ({ module }, { at, word }) => {
    if (at % 4 !== 0 || at + 4 > module.memoryBytes) return { status: Status.badArgument };
    module.views.setWord(at, word);
    return { status: Status.ok };
  },
};

function command({ module }: Living, operation: OperationOf<'command'>, heap: number): Got {
  const { functions, views, scratch } = module;
  const result = scratch + kScratch.commandResult;
  const { flags, objectSize, limit, preferred, reuse } = operation;
  functions.hg_heap_command(result, heap, flags, toSize(objectSize), toSize(limit), toSize(preferred), reuse ?? 0);
  const mem = views.word(result + kCommandResultLayout.mem);
  return {
    status: views.word(result + kCommandResultLayout.status),
    mems: mem === 0 ? [] : [mem],
    received: views.word(result + kCommandResultLayout.received),
    reused: views.word(result + kCommandResultLayout.reused) !== 0,
  };
}
