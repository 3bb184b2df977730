// An Operation of the protocol as a call of the C interface, and what came back as an OperationResult.
//
//   heap_calls.ts      which call an operation is      calls_heap.ts      blocks, commands, chains
//   calls_pools.ts     pools, memory pools             calls_threads.ts   malloc, the small front
//
//   H1  Arguments that are structs, and results, lie in the module's scratch memory for the time of one call.
//   H2  Sizes arrive as JavaScript numbers; what is no size (negative, beyond 32 bits) becomes the largest one, which no
//       heap has, so that it fails as the C call would.
//   H3  The small front is one a program, on the default heap, whatever heap is chosen, and so is malloc. Whoever
//       calls one acts as the thread named last. Before the first thread is named malloc has one cache without
//       bounds, as in programs without threads.

import { addr } from '../base/brand.ts';
import { kStatusTexts, Status } from '../protocol/event_layout.ts';
import type { OperationResult } from '../protocol/messages.ts';
import { kMostAtOnce } from '../protocol/scripts.ts';
import { kHeapCalls } from './calls_heap.ts';
import { kMemoryPoolCalls, kPoolCalls } from './calls_pools.ts';
import { kMallocCalls, kSmallCalls } from './calls_threads.ts';
import { toSize } from './heap_sizes.ts';
import type { LiveModule } from './live_module.ts';
import { type AnyOperation, adoptHeap, type CallsOf, type Got, type Living } from './operation_call.ts';

const kPage = 65_536; // of WebAssembly

/** The compiler names an operation that has no call. */
const kCalls: CallsOf<AnyOperation['op']> = {
  ...kHeapCalls,
  ...kPoolCalls,
  ...kMemoryPoolCalls,
  ...kSmallCalls,
  ...kMallocCalls,
};

export class HeapCalls {
  readonly #module: LiveModule;
  readonly #living: Living;
  readonly #firstHeap: number;

  /** Makes the default heap, the first of every trace. */
  constructor(module: LiveModule) {
    this.#module = module;
    this.#living = { module, heaps: new Map(), pools: new Map(), memoryPools: new Map() };
    this.#firstHeap = this.#adopt(module.call((functions) => functions.hg_default_heap() >>> 0));
  }

  /** Ids of the living heaps, the first one first. */
  get heaps(): readonly number[] {
    return [...this.#living.heaps.keys()];
  }

  /** 0: the first heap. undefined when there is no such heap. */
  heapPointer(id: number): number | undefined {
    return this.#living.heaps.get(id === 0 ? this.#firstHeap : id);
  }

  createHeap(): number {
    return this.#adopt(this.#module.call((functions) => functions.hg_heap_create() >>> 0));
  }

  /** A heap of so many bytes that never grows, in memory of its own. 0 when there is none. */
  createFixedHeap(size: number): number {
    return this.#module.call((functions) => {
      const base = functions.memory.grow(Math.ceil(size / kPage)) * kPage;
      return this.#adopt(functions.hg_heap_create_fixed(base, toSize(size)) >>> 0);
    });
  }

  destroyHeap(id: number): void {
    const { heaps, pools } = this.#living;
    const heap = heaps.get(id);
    if (heap === undefined || id === this.#firstHeap) throw new Error(`heap ${id} cannot be ended`);
    for (const [pool, owner] of pools) if (owner.heap === id) pools.delete(pool);
    heaps.delete(id);
    this.#module.call((functions) => functions.hg_heap_destroy(heap));
  }

  #adopt(heap: number): number {
    return adoptHeap(this.#living, heap);
  }

  operate(heapId: number, operation: AnyOperation): OperationResult {
    const heap = this.heapPointer(heapId);
    const { pools, memoryPools } = this.#living;
    if (heap === undefined) return refused(`there is no heap ${heapId}`);
    if ('heap' in operation && !memoryPools.has(operation.heap))
      return refused(`heap ${operation.heap} is no memory pool`);
    if ('pool' in operation && !pools.has(operation.pool)) return refused(`there is no pool ${operation.pool}`);
    return this.#module.call((functions) => {
      const got = this.#perform(operation, heap);
      const status = got.status ?? functions.hg_heap_status(heap);
      return {
        ok: got.ok ?? status === Status.ok,
        status,
        statusText: kStatusTexts.get(status) ?? 'unknown status',
        mems: Array.from(got.mems ?? [])
          .slice(0, kMostAtOnce)
          .map((mem) => addr(mem)),
        received: got.received ?? 0,
        reused: got.reused ?? false,
        pool: got.pool,
        ...(got.heap === undefined ? {} : { heap: got.heap }),
      };
    });
  }

  #perform(operation: AnyOperation, heap: number): Got {
    const call = kCalls[operation.op] as (living: Living, operation: AnyOperation, heap: number) => Got;
    return call(this.#living, operation, heap);
  }
}

/** An operation that was not called at all. */
export function refused(statusText: string): OperationResult {
  return { ok: false, status: Status.badArgument, statusText, mems: [], received: 0, reused: false, pool: undefined };
}
