// What a call of an operation needs, and what came back from it. The calls lie in calls_*.ts by what they are about.

import { Status } from '../protocol/event_layout.ts';
import type { MemoryPoolOperation, Operation } from '../protocol/messages.ts';
import type { LiveModule } from './live_module.ts';

export type AnyOperation = Operation | MemoryPoolOperation;
export type OperationOf<Name extends AnyOperation['op']> = Extract<AnyOperation, { op: Name }>;

/** The heaps and pools that live, by the ids that events name them by. */
export interface Living {
  readonly module: LiveModule;
  readonly heaps: Map<number, number>; // id -> hg_heap*
  readonly pools: Map<number, { readonly pool: number; readonly heap: number }>; // id -> hg_pool*, heap's id
  readonly memoryPools: Map<number, number>; // id of its heap -> hg_memory_pool*
}

export interface Got {
  readonly ok?: boolean; // when the status alone does not say
  readonly status?: number; // default: the heap's
  readonly mems?: ArrayLike<number>;
  readonly received?: number;
  readonly reused?: boolean;
  readonly pool?: number;
  readonly heap?: number;
}

/** The calls of some operations; heap: hg_heap*. */
export type CallsOf<Name extends AnyOperation['op']> = {
  readonly [N in Name]: (living: Living, operation: OperationOf<N>, heap: number) => Got;
};

/** The heap at `heap` is known by its id from here on; 0 where there is none. */
export function adoptHeap({ module, heaps }: Living, heap: number): number {
  const id = heap === 0 ? 0 : module.functions.hg_heap_id(heap);
  if (id !== 0) heaps.set(id, heap);
  return id;
}

/** The one block that a call gave. */
export function oneBlock({ module }: Living, mem: number): Got {
  const at = mem >>> 0;
  if (at === 0) return { ok: false };
  return { mems: [at], received: module.functions.hg_usable_size(at) >>> 0 };
}

/** So many blocks, one call each, up to the first that is refused. received: the sum of what `usable` says of each. */
export function manyBlocks(count: number, allocate: () => number, usable: (mem: number) => number): Got {
  const mems: number[] = [];
  let received = 0;
  while (mems.length < count) {
    const mem = allocate() >>> 0;
    if (mem === 0) return { status: Status.outOfMemory, mems, received };
    mems.push(mem);
    received += usable(mem) >>> 0;
  }
  return { status: Status.ok, mems, received };
}
