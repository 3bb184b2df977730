// The calls a scenario makes, by name, on the hands it was given. A scenario that runs out of memory ends with a sentence.

import { type Addr, addr, bytes } from '../base/brand.ts';
import { CommandFlag, Shape } from '../protocol/event_layout.ts';
import type { MemoryPoolOperation, Operation, OperationResult } from '../protocol/messages.ts';
import type { HeapOperations, Step } from './scenario.ts';

/** A growing array as its owner sees it: where it is and how many elements fit. */
export interface Vector {
  mem: Addr | undefined;
  count: number;
  readonly element: number; // bytes
}

export interface Moves {
  allocate(size: number): Addr;
  free(mem: Addr): void;
  freeAll(mems: Iterable<Addr>): void;
  command(
    flags: number,
    objectSize: number,
    limit: number,
    preferred: number,
    reuse: Addr | undefined,
  ): OperationResult;
  /** A vector's next buffer: in place by the ways in `expand`, else new memory, and the old buffer goes. */
  grow(vector: Vector, expand: number, preferred: number): void;
  burst(count: number, size: number): readonly Addr[];
  freeBurst(mems: readonly Addr[]): void;
  createAdaptivePool(nodeSize: number, nodesPerBlock: number, maxFreeBlocks: number): number;
  takeNodes(pool: number, count: number): readonly Addr[];
  returnNode(pool: number, node: Addr): void;
  /** The small front, acting as a thread. */
  takeSmall(thread: number, size: number, count: number): readonly Addr[];
  freeSmall(thread: number, mem: Addr): void;
  flush(thread: number): void;
  squeeze(): void;
  /** malloc; thread: who acts from here on, undefined: nobody was named yet. */
  malloc(thread: number | undefined, size: number, count: number): readonly Addr[];
  memalign(thread: number | undefined, alignment: number, size: number): Addr;
  freeMalloc(thread: number | undefined, mem: Addr): void;
  /** Where the block is then. */
  realloc(thread: number | undefined, mem: Addr, size: number): Addr;
  flushMalloc(thread: number | undefined): void;
  trimMalloc(): void;
  /** A memory pool, by the id of its heap. */
  createMemoryPool(fixedSize: number): number;
  takeFixed(heap: number): Addr;
  freeFixed(heap: number, mem: Addr): void;
  takeFrom(heap: number, size: number): Addr;
  freeTo(heap: number, mem: Addr): void;
  endMemoryPool(heap: number): void;
}

export function movesOf(operations: HeapOperations): Moves {
  const must = (operation: Operation | MemoryPoolOperation): OperationResult => {
    const result = operations.operate(operation);
    if (!result.ok) throw new Error(`${operation.op} failed: ${result.statusText}`);
    return result;
  };
  const first = (result: OperationResult): Addr => {
    const mem = result.mems[0];
    if (mem === undefined) throw new Error('the heap reported success and gave no address');
    return mem;
  };
  return {
    allocate: (size) => first(must({ op: 'allocate', size: bytes(size) })),
    free: (mem) => void must({ op: 'deallocate', mem }),
    freeAll: (mems) => {
      for (const mem of mems) must({ op: 'deallocate', mem });
    },
    command: (flags, objectSize, limit, preferred, reuse) =>
      operations.operate({ op: 'command', flags, objectSize: bytes(objectSize), limit, preferred, reuse }),
    grow: (vector, expand, preferred) => {
      const { mem, count, element } = vector;
      const flags = CommandFlag.allocateNew | (mem === undefined ? 0 : expand);
      const grown = must({
        op: 'command',
        flags,
        objectSize: bytes(element),
        limit: count + 1,
        preferred: Math.max(count + 1, preferred),
        reuse: mem,
      });
      if (!grown.reused && mem !== undefined) must({ op: 'deallocate', mem });
      vector.mem = first(grown);
      vector.count = grown.received;
    },
    burst: (count, size) => must({ op: 'burstNodes', count, size: bytes(size), contiguous: 0 }).mems,
    freeBurst: (mems) => void must({ op: 'burstDeallocate', mems }),
    createAdaptivePool: (nodeSize, nodesPerBlock, maxFreeBlocks) => {
      const { pool } = must({
        op: 'poolCreate',
        shape: Shape.adaptive,
        nodeSize: bytes(nodeSize),
        nodesPerBlock,
        maxFreeBlocks,
        overheadPercent: 5,
      });
      if (pool === undefined) throw new Error('the heap made a pool and gave no id');
      return pool;
    },
    takeNodes: (pool, count) => must({ op: 'poolAllocate', pool, count }).mems,
    returnNode: (pool, node) => void must({ op: 'poolDeallocate', pool, mem: node }),
    takeSmall: (thread, size, count) => must({ op: 'smallAllocate', thread, size: bytes(size), count }).mems,
    freeSmall: (thread, mem) => void must({ op: 'smallDeallocate', thread, mem }),
    flush: (thread) => void must({ op: 'smallFlush', thread }),
    squeeze: () => void must({ op: 'smallSqueeze' }),
    malloc: (thread, size, count) => must({ op: 'mallocAllocate', thread, size: bytes(size), count }).mems,
    memalign: (thread, alignment, size) =>
      first(must({ op: 'mallocAllocate', thread, size: bytes(size), count: 1, alignment: bytes(alignment) })),
    freeMalloc: (thread, mem) => void must({ op: 'mallocFree', thread, mem }),
    realloc: (thread, mem, size) => first(must({ op: 'mallocReallocate', thread, mem, size: bytes(size) })),
    flushMalloc: (thread) => void must({ op: 'mallocFlush', thread }),
    trimMalloc: () => void must({ op: 'mallocTrim' }),
    createMemoryPool: (fixedSize) => {
      const { heap } = must({ op: 'memoryPoolCreate', fixedSize: bytes(fixedSize) });
      if (heap === undefined) throw new Error('a memory pool was made and has no heap');
      return heap;
    },
    takeFixed: (heap) => first(must({ op: 'memoryPoolAllocateFixed', heap, count: 1 })),
    freeFixed: (heap, mem) => void must({ op: 'memoryPoolDeallocateFixed', heap, mem }),
    takeFrom: (heap, size) => first(must({ op: 'memoryPoolAllocate', heap, size: bytes(size) })),
    freeTo: (heap, mem) => void must({ op: 'memoryPoolDeallocate', heap, mem }),
    endMemoryPool: (heap) => void must({ op: 'memoryPoolDestroy', heap }),
  };
}

/** Says how far a scenario is, in steps of one chapter and shares of it. */
export function progressOf(chapters: number) {
  let current = -1;
  return {
    begin(chapter: number): Step {
      current = chapter;
      return { chapter, done: chapter / chapters };
    },
    within(share: number): Step {
      return { chapter: undefined, done: (current + Math.min(1, share)) / chapters };
    },
  };
}

/** Takes and removes a random element; undefined when none is left. Order of the rest is not kept. */
export function takeAny(mems: Addr[], below: (n: number) => number): Addr | undefined {
  if (mems.length === 0) return undefined;
  const at = below(mems.length);
  const mem = mems[at];
  const last = mems.pop();
  if (last !== undefined && at < mems.length) mems[at] = last;
  return mem === undefined ? undefined : addr(mem);
}
