// What a script can call: a heap, its pools, malloc. Each call is made on the worker's own heap and passed on, so that the engine
// can make it again.
//
//   SH1  A call that is misused throws before it reaches the heap, and is not passed on. The heap's module does not check by itself,
//        so the blocks that the script holds are kept here.
//   SH2  A call that finds no memory throws too, with the heap's words, and is passed on: the failure is an event.
//   SH3  After kMostScriptCalls every call throws.

import { addr, bytes } from '../base/brand.ts';
import { formatAddress } from '../base/format.ts';
import { CommandFlag } from '../protocol/event_layout.ts';
import { kMostAtOnce, type ScriptStep } from '../protocol/scripts.ts';
import { count, optional, whole } from './script_arguments.ts';
import { type Operate, ScriptCalls } from './script_calls.ts';
import { createScriptPool } from './script_pool.ts';

export function createScriptHeap(operate: Operate, onStep: (step: ScriptStep) => void) {
  const calls = new ScriptCalls(operate, onStep);
  return {
    heap: heapOf(calls),
    ...mallocOf(calls),
    chapter: (title: unknown): void => calls.step({ chapter: String(title).slice(0, 80) }),
    hex: (address: unknown): string => formatAddress(addr(whole('hex', 'address', address))),
  };
}

/** A size of the call's arguments. */
const size = (call: string, value: unknown, name = 'size') => bytes(whole(call, name, value));
/** A block of no bytes stays a block. */
const newSize = (call: string, value: unknown) => bytes(Math.max(1, whole(call, 'size', value)));

function heapOf(calls: ScriptCalls) {
  function deallocate(block: unknown): void {
    const mem = calls.blocks.give('heap.deallocate', 'heap', block);
    calls.must('heap.deallocate', { op: 'deallocate', mem });
  }
  return { ...blocksOf(calls), deallocate, free: deallocate }; // free: its former name, in links of before
}

const blocksOf = (calls: ScriptCalls) => ({
  allocate: (wanted: unknown): number =>
    calls.one('heap.allocate', 'heap', { op: 'allocate', size: size('heap.allocate', wanted) }),
  allocateAligned(alignment: unknown, wanted: unknown): number {
    const call = 'heap.allocateAligned';
    const multiple = size(call, alignment, 'alignment');
    return calls.one(call, 'heap', { op: 'allocateAligned', alignment: multiple, size: size(call, wanted) });
  },
  reallocate(block: unknown, wanted: unknown): number {
    const call = 'heap.reallocate';
    const mem = calls.blocks.held(call, 'heap', block);
    return calls.resized(call, 'heap', mem, { op: 'reallocate', mem, size: newSize(call, wanted) });
  },
  expand: (block: unknown, wish: unknown) => expand(calls, block, wish),
  allocateMany(wanted: unknown, many: unknown): number[] {
    const call = 'heap.allocateMany';
    const blocks = count(call, many);
    return calls.many(call, 'heap', { op: 'burstNodes', count: blocks, size: size(call, wanted), contiguous: 0 });
  },
  freeMany(many: Iterable<unknown>): void {
    const mems = [...many].map((block) => calls.blocks.give('heap.freeMany', 'heap', block));
    for (let at = 0; at < mems.length; at += kMostAtOnce)
      calls.must('heap.freeMany', { op: 'burstDeallocate', mems: mems.slice(at, at + kMostAtOnce) });
  },
  createPool: (options: unknown) => createScriptPool(calls, options),
  trim: (pad: unknown = 0): number =>
    calls.must('heap.trim', { op: 'trim', pad: size('heap.trim', pad, 'pad') }).received,
});

/** As the JavaScript heap has it: in place by the ways that are allowed, else (`move`) in a new place. */
function expand(
  calls: ScriptCalls,
  block: unknown,
  wish: unknown,
): { address: number; size: number; how: string } | undefined {
  const call = 'heap.expand';
  const mem = calls.blocks.held(call, 'heap', block);
  const { minimum, preferred, backward, move } = optional(call, wish);
  const limit = whole(call, 'minimum', minimum);
  const result = calls.make({
    op: 'command',
    flags: CommandFlag.expandFwd | (backward ? CommandFlag.expandBwd : 0) | (move ? CommandFlag.allocateNew : 0),
    objectSize: bytes(1),
    limit,
    preferred: Math.max(limit, preferred === undefined ? limit : whole(call, 'preferred', preferred)),
    reuse: mem,
  });
  const at = result.mems[0];
  if (!result.ok || at === undefined) return undefined;
  if (at !== mem) calls.blocks.replace('heap', mem, at);
  if (!result.reused) calls.make({ op: 'deallocate', mem });
  const how = !result.reused ? 'new' : at === mem ? 'forward' : 'backward';
  return { address: at, size: result.received, how };
}

const threadOf = (call: string, thread: unknown) => (thread === undefined ? undefined : whole(call, 'thread', thread));

const mallocOf = (calls: ScriptCalls) => ({
  malloc(wanted: unknown, thread?: unknown): number {
    const acting = threadOf('malloc', thread);
    return calls.one('malloc', 'malloc', {
      op: 'mallocAllocate',
      thread: acting,
      size: size('malloc', wanted),
      count: 1,
    });
  },
  realloc(block: unknown, wanted: unknown, thread?: unknown): number {
    const mem = calls.blocks.held('realloc', 'malloc', block);
    const resized = newSize('realloc', wanted);
    const acting = threadOf('realloc', thread);
    return calls.resized('realloc', 'malloc', mem, { op: 'mallocReallocate', thread: acting, mem, size: resized });
  },
  free(block: unknown, thread?: unknown): void {
    const mem = calls.blocks.give('free', 'malloc', block);
    calls.must('free', { op: 'mallocFree', thread: threadOf('free', thread), mem });
  },
});
