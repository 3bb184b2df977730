// What a script can call: a heap, its pools, malloc. Each call is made on the worker's own heap and told, so that the engine
// can make it again.
//
//   SH1  A call that is misused throws before it reaches the heap, and is not told. The heap's module does not check by itself,
//        so the blocks that the script holds are kept here.
//   SH2  A call that finds no memory throws too, with the heap's words, and is told: the failure is an event.
//   SH3  After kMostScriptCalls every call throws.

import { type Addr, addr, bytes } from '../base/brand.ts';
import { formatAddress } from '../base/format.ts';
import { CommandFlag, Shape } from '../protocol/event_layout.ts';
import type { Operation, OperationResult } from '../protocol/messages.ts';
import { kMostScriptCalls, type ScriptStep } from '../protocol/scripts.ts';
import { HeldBlocks } from './held_blocks.ts';
import { chosen, count, optional, whole } from './script_arguments.ts';

/** Makes one call on the worker's heap. */
export type Operate = (operation: Operation) => OperationResult;

/** A call of the script failed; the script may catch it. */
export class ScriptCallError extends Error {
  override readonly name = 'HeapError';
}

const kShapes = { adaptive: Shape.adaptive, aligned_only: Shape.alignedOnly, segregated: Shape.segregated } as const;

export function createScriptHeap(operate: Operate, tell: (step: ScriptStep) => void) {
  const blocks = new HeldBlocks();
  let calls = 0;

  function counted(step: ScriptStep): void {
    if (++calls > kMostScriptCalls) {
      throw new ScriptCallError(
        `a script may make ${kMostScriptCalls.toLocaleString('en')} calls: this one makes more`,
      );
    }
    tell(step);
  }

  function make(operation: Operation): OperationResult {
    if (calls >= kMostScriptCalls) counted({ chapter: '' }); // SH3
    const result = operate(operation);
    counted({ operation, gave: result.mems[0] });
    return result;
  }

  /** SH2 */
  function must(call: string, operation: Operation): OperationResult {
    const result = make(operation);
    if (!result.ok) throw new ScriptCallError(`${call}: ${result.statusText}`);
    return result;
  }

  const first = (call: string, owner: string, operation: Operation): Addr => {
    const { mems, statusText } = must(call, operation);
    const mem = mems[0];
    if (mem === undefined) throw new ScriptCallError(`${call}: ${statusText}`);
    blocks.take(owner, mem);
    return mem;
  };

  const all = (call: string, owner: string, operation: Operation): readonly Addr[] => {
    const { mems } = must(call, operation);
    for (const mem of mems) blocks.take(owner, mem);
    return mems;
  };

  const free = (block: unknown): void => {
    const mem = blocks.give('heap.free', 'heap', block);
    must('heap.free', { op: 'deallocate', mem });
  };

  /** As the JavaScript heap has it: in place by the ways that are allowed, else (`move`) in a new place. */
  function expand(block: unknown, wish: unknown): { address: number; size: number; how: string } | undefined {
    const call = 'heap.expand';
    const mem = blocks.held(call, 'heap', block);
    const { minimum, preferred, backward, move } = optional(call, wish);
    const limit = whole(call, 'minimum', minimum);
    const result = make({
      op: 'command',
      flags: CommandFlag.expandFwd | (backward ? CommandFlag.expandBwd : 0) | (move ? CommandFlag.allocateNew : 0),
      objectSize: bytes(1),
      limit,
      preferred: Math.max(limit, preferred === undefined ? limit : whole(call, 'preferred', preferred)),
      reuse: mem,
    });
    const at = result.mems[0];
    if (!result.ok || at === undefined) return undefined;
    if (at !== mem) blocks.replace('heap', mem, at);
    if (!result.reused) make({ op: 'deallocate', mem });
    const how = !result.reused ? 'new' : at === mem ? 'forward' : 'backward';
    return { address: at, size: result.received, how };
  }

  function createPool(options: unknown) {
    const call = 'heap.createPool';
    const wish = optional(call, options);
    const or = (name: string, otherwise: number) =>
      wish[name] === undefined ? otherwise : whole(call, name, wish[name]);
    const { pool: id } = must(call, {
      op: 'poolCreate',
      shape: chosen(call, 'shape', wish['shape'], kShapes) ?? Shape.adaptive,
      nodeSize: bytes(whole(call, 'nodeSize', wish['nodeSize'])),
      nodesPerBlock: or('nodesPerBlock', 256),
      maxFreeBlocks: or('maxFreeBlocks', 2),
      overheadPercent: or('overheadPercent', 5),
    });
    if (id === undefined) throw new ScriptCallError(`${call}: the heap made no pool`);
    const owner = `pool ${id}`;
    const giveBack = (node: unknown): void => {
      const mem = blocks.give('pool.free', owner, node);
      must('pool.free', { op: 'poolDeallocate', pool: id, mem });
    };
    return {
      allocate: (): number => first('pool.allocate', owner, { op: 'poolAllocate', pool: id, count: 1 }),
      allocateMany: (many: unknown): number[] => [
        ...all('pool.allocateMany', owner, {
          op: 'poolAllocate',
          pool: id,
          count: count('pool.allocateMany', many),
        }),
      ],
      free: giveBack,
      freeMany: (nodes: Iterable<unknown>): void => [...nodes].forEach(giveBack),
      trim: (): number => must('pool.trim', { op: 'poolTrim', pool: id }).received,
      destroy: (): void => {
        must('pool.destroy', { op: 'poolDestroy', pool: id });
        blocks.forget(owner);
      },
    };
  }

  const heap = {
    allocate: (size: unknown): number =>
      first('heap.allocate', 'heap', { op: 'allocate', size: bytes(whole('heap.allocate', 'size', size)) }),
    allocateAligned: (alignment: unknown, size: unknown): number =>
      first('heap.allocateAligned', 'heap', {
        op: 'allocateAligned',
        alignment: bytes(whole('heap.allocateAligned', 'alignment', alignment)),
        size: bytes(whole('heap.allocateAligned', 'size', size)),
      }),
    free,
    reallocate(block: unknown, size: unknown): number {
      const call = 'heap.reallocate';
      const mem = blocks.held(call, 'heap', block);
      const wanted = bytes(Math.max(1, whole(call, 'size', size)));
      const at = must(call, { op: 'reallocate', mem, size: wanted }).mems[0] ?? mem;
      blocks.replace('heap', mem, at);
      return at;
    },
    expand,
    allocateMany: (size: unknown, many: unknown): number[] => [
      ...all('heap.allocateMany', 'heap', {
        op: 'burstNodes',
        count: count('heap.allocateMany', many),
        size: bytes(whole('heap.allocateMany', 'size', size)),
        contiguous: 0,
      }),
    ],
    freeMany(many: Iterable<unknown>): void {
      const mems = [...many].map((block) => blocks.give('heap.freeMany', 'heap', block));
      if (mems.length > 0) must('heap.freeMany', { op: 'burstDeallocate', mems });
    },
    createPool,
    trim: (pad: unknown = 0): number =>
      must('heap.trim', { op: 'trim', pad: bytes(whole('heap.trim', 'pad', pad)) }).received,
  };

  const threadOf = (call: string, thread: unknown) =>
    thread === undefined ? undefined : whole(call, 'thread', thread);

  return {
    heap,
    malloc: (size: unknown, thread?: unknown): number =>
      first('malloc', 'malloc', {
        op: 'mallocAllocate',
        thread: threadOf('malloc', thread),
        size: bytes(whole('malloc', 'size', size)),
        count: 1,
      }),
    realloc(block: unknown, size: unknown, thread?: unknown): number {
      const mem = blocks.held('realloc', 'malloc', block);
      const wanted = bytes(Math.max(1, whole('realloc', 'size', size)));
      const at = must('realloc', {
        op: 'mallocReallocate',
        thread: threadOf('realloc', thread),
        mem,
        size: wanted,
      }).mems[0];
      blocks.replace('malloc', mem, at ?? mem);
      return at ?? mem;
    },
    free(block: unknown, thread?: unknown): void {
      const mem = blocks.give('free', 'malloc', block);
      must('free', { op: 'mallocFree', thread: threadOf('free', thread), mem });
    },
    chapter: (title: unknown): void => counted({ chapter: String(title).slice(0, 80) }),
    hex: (address: unknown): string => formatAddress(addr(whole('hex', 'address', address))),
  };
}
