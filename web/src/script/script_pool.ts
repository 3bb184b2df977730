// heap.createPool(): a pool that a script uses.

import { bytes } from '../base/brand.ts';
import { Shape } from '../protocol/event_layout.ts';
import { chosen, count, optional, whole } from './script_arguments.ts';
import { ScriptCallError, type ScriptCalls } from './script_calls.ts';

const kShapes = { adaptive: Shape.adaptive, aligned_only: Shape.alignedOnly, segregated: Shape.segregated } as const;

export function createScriptPool(calls: ScriptCalls, options: unknown) {
  const pool = make(calls, optional('heap.createPool', options));
  const owner = `pool ${pool}`;
  const deallocate = (node: unknown): void => {
    const mem = calls.blocks.give('pool.deallocate', owner, node);
    calls.must('pool.deallocate', { op: 'poolDeallocate', pool, mem });
  };
  return {
    allocate: (): number => calls.one('pool.allocate', owner, { op: 'poolAllocate', pool, count: 1 }),
    allocateMany: (many: unknown): number[] =>
      calls.many('pool.allocateMany', owner, { op: 'poolAllocate', pool, count: count('pool.allocateMany', many) }),
    deallocate,
    free: deallocate, // its former name, in links of before
    freeMany: (nodes: Iterable<unknown>): void => [...nodes].forEach(deallocate),
    trim: (): number => calls.must('pool.trim', { op: 'poolTrim', pool }).received,
    destroy: (): void => {
      calls.must('pool.destroy', { op: 'poolDestroy', pool });
      calls.blocks.forget(owner);
    },
  };
}

/** The number of the new pool. */
function make(calls: ScriptCalls, options: Readonly<Record<string, unknown>>): number {
  const call = 'heap.createPool';
  const or = (name: string, otherwise: number) =>
    options[name] === undefined ? otherwise : whole(call, name, options[name]);
  const { pool } = calls.must(call, {
    op: 'poolCreate',
    shape: chosen(call, 'shape', options['shape'], kShapes) ?? Shape.adaptive,
    nodeSize: bytes(whole(call, 'nodeSize', options['nodeSize'])),
    nodesPerBlock: or('nodesPerBlock', 256),
    maxFreeBlocks: or('maxFreeBlocks', 2),
    overheadPercent: or('overheadPercent', 5),
  });
  if (pool === undefined) throw new ScriptCallError(`${call}: the heap made no pool`);
  return pool;
}
