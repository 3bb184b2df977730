// Calls of malloc and of the small front, made as one thread or another (H3).

import { Status } from '../protocol/event_layout.ts';
import { toSize } from './heap_sizes.ts';
import type { ModuleFunctions } from './load.ts';
import { type CallsOf, type Got, type Living, manyBlocks, oneBlock } from './operation_call.ts';

const kRefused: Got = { status: Status.badArgument };

/** Acts as the thread, then calls. Refused when the module cannot play so many threads. */
function asThread(
  { module }: Living,
  play: 'hg_small_play_thread' | 'hg_malloc_play_thread',
  thread: number | undefined,
  call: (functions: ModuleFunctions) => Got,
): Got {
  const { functions } = module;
  if (thread !== undefined) {
    functions[play](thread);
    if (functions.hg_thread_number() !== thread) return kRefused;
  }
  return call(functions);
}

export const kSmallCalls: CallsOf<'smallAllocate' | 'smallDeallocate' | 'smallFlush' | 'smallSqueeze'> = {
  smallAllocate: (living, { thread, size, count }) =>
    asThread(living, 'hg_small_play_thread', thread, (functions) => {
      const allocate = () => functions.hg_small_allocate(toSize(size));
      return manyBlocks(count, allocate, (mem) => functions.hg_small_usable_size(mem));
    }),
  smallDeallocate: (living, { thread, mem }) =>
    asThread(living, 'hg_small_play_thread', thread, (functions) => {
      functions.hg_small_deallocate(mem);
      return { status: Status.ok };
    }),
  smallFlush: (living, { thread }) =>
    asThread(living, 'hg_small_play_thread', thread, (functions) => {
      functions.hg_small_flush();
      return { status: Status.ok };
    }),
  smallSqueeze: ({ module }) => ({ received: module.functions.hg_small_squeeze() >>> 0, status: Status.ok }),
};

export const kMallocCalls: CallsOf<
  'mallocAllocate' | 'mallocFree' | 'mallocReallocate' | 'mallocFlush' | 'mallocTrim'
> = {
  mallocAllocate: (living, { thread, size, count, alignment }) =>
    asThread(living, 'hg_malloc_play_thread', thread, (functions) => {
      const allocate = () =>
        alignment === undefined
          ? functions.hg_malloc(toSize(size))
          : functions.hg_memalign(toSize(alignment), toSize(size));
      return manyBlocks(count, allocate, (mem) => functions.hg_malloc_usable_size(mem));
    }),
  mallocFree: (living, { thread, mem }) =>
    asThread(living, 'hg_malloc_play_thread', thread, (functions) => {
      functions.hg_free(mem);
      return { status: Status.ok };
    }),
  mallocReallocate: (living, { thread, mem, size }) =>
    asThread(living, 'hg_malloc_play_thread', thread, (functions) => {
      const at = functions.hg_realloc(mem, toSize(size)) >>> 0;
      return { ...oneBlock(living, at), reused: at === mem };
    }),
  mallocFlush: (living, { thread }) =>
    asThread(living, 'hg_malloc_play_thread', thread, (functions) => ({
      received: functions.hg_malloc_flush() >>> 0,
      status: Status.ok,
    })),
  mallocTrim: ({ module }) => ({ received: module.functions.hg_malloc_trim(0) >>> 0, status: Status.ok }),
};
