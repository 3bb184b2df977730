// Lists of a heap that are longer than what is shown: its first pools, and the one that somebody looks at; and what all pools say of themselves.

import { expect, test } from 'vitest';
import {
  forEachInBin,
  queryFreeChunks,
  queryLargestFree,
  queryPoolBlocks,
  queryPools,
} from '../../../../web/src/model/queries/query_lists.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind, Shape } from '../../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../../web/src/trace/trace.ts';
import { chunkNumber, kFree, kSixChunks, kSize, release } from '../cached_events.ts';
import { kBlock, kNodes, kOneSpan, kPool, type Line, take, traceOf } from '../small_events.ts';

function headOfLines(lines: readonly Line[]) {
  const history = new History(traceOf(lines));
  history.fold();
  expect(history.broken).toBeUndefined();
  return history.head;
}

test('of many pools of a heap the first 512 are listed, and the chosen one with them wherever it is', () => {
  const trace = new Trace();
  const heaps = [1, 2].map((heap) => ({ heap, base: heap * 0x10000 }));
  for (const { heap, base } of heaps) trace.appendEvent(headOf(EventKind.heapCreated, heap, 4), base, 8, 0);
  for (let pool = 1; pool <= 600; ++pool)
    trace.appendEvent(headOf(EventKind.poolCreated, pool % 50 === 0 ? 2 : 1, pool), 0x500, 32, 4);
  const history = new History(trace);
  history.fold();
  const { head } = history;
  const own = Array.from({ length: 600 }, (_, n) => n + 1).filter((pool) => pool % 50 !== 0);
  const first = own.slice(0, 512);
  const listed = (heap: number, chosen?: number) => {
    const { pools, poolsTotal } = queryPools(head, head.heap(heap), chosen);
    return [pools.map(({ pool }) => pool), poolsTotal];
  };
  expect(listed(1)).toEqual([first, 588]);
  expect(listed(1, 599)).toEqual([[...first, 599], 588]);
  expect(listed(1, own[512])).toEqual([own.slice(0, 513), 588]);
  expect(listed(1, own[511]), 'it is among the first').toEqual([first, 588]);
  expect(listed(1, 600), 'it is of the other heap').toEqual([first, 588]);
  expect(listed(2)).toEqual([
    own.length === 588 ? [50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600] : [],
    12,
  ]);
});

test('a pool says how many of its nodes are free, of no blocks and of one', () => {
  const rowOf = (lines: readonly Line[]) => {
    const head = headOfLines(lines);
    return queryPools(head, head.heap(1)).pools[0];
  };
  const made = kOneSpan.findIndex(([kind]) => kind === EventKind.blockMade);
  expect(rowOf(kOneSpan.slice(0, made))).toMatchObject({ pool: kPool, blocks: 0, nodesInUse: 0, nodesFree: 0 });
  const fetched: Line = [EventKind.batchFetched, kPool, take(0)[2], 8, 1];
  const [before, then] = [rowOf(kOneSpan), rowOf([...kOneSpan, fetched, take(0), take(1)])];
  expect(before).toMatchObject({ shape: 'size_class', blocks: 1, nodesInUse: 0, nodesFree: kNodes });
  expect(then).toMatchObject({ blocks: 1, nodesInUse: 2, nodesFree: kNodes - 2 });
});

test('a pool is a segregated one until it is shaped', () => {
  const created: Line = [EventKind.poolCreated, 5, 0x500, 32, 4];
  const shapeOf = (...lines: readonly Line[]) => {
    const head = headOfLines([...kSixChunks, created, ...lines]);
    return queryPools(head, head.heap(1)).pools[0]?.shape;
  };
  expect(shapeOf()).toBe('segregated');
  expect(shapeOf([EventKind.poolShaped, 5, 64, 1, Shape.adaptive])).toBe('adaptive');
});

test('the largest free chunk and the number of free ones count bins, top, the victim and what a call has in its hands', () => {
  const of = (lines: readonly Line[]) => {
    const head = headOfLines([...kSixChunks, ...lines]);
    return [queryLargestFree(head, head.heap(1)), queryFreeChunks(head, head.heap(1))];
  };
  const top = kFree - 6 * kSize;
  const binned = (n: number): readonly Line[] => [release(n), [EventKind.binInserted, 6, chunkNumber(n), kSize, 0]];
  const victim: readonly Line[] = [release(4), [EventKind.victimChanged, 0, chunkNumber(4), 0, 0]];
  const noTop: Line = [EventKind.topChanged, 0, 0, chunkNumber(6), 0];
  const topTaken: readonly Line[] = [noTop, [EventKind.chunkTaken, 0, chunkNumber(6), top, 60]];
  expect(of([])).toEqual([top, 1]);
  expect(of([noTop])).toEqual([top, 1]);
  expect(of(topTaken)).toEqual([0, 0]);
  expect(of([...topTaken, release(0)])).toEqual([kSize, 1]);
  expect(of([...topTaken, ...binned(0)])).toEqual([kSize, 1]);
  expect(of([...topTaken, ...victim])).toEqual([kSize, 1]);
  expect(of([...binned(0), ...binned(2), ...victim])).toEqual([top, 4]);
});

test('a list that goes on behind its last chunk or block is a contradiction', () => {
  const binned: readonly Line[] = [release(1), [EventKind.binInserted, 6, chunkNumber(1), kSize, 0]];
  const state = headOfLines([...kSixChunks, ...binned]);
  const heap = state.heap(1);
  const chunks: number[] = [];
  forEachInBin(state, heap, 6, (at) => chunks.push(at));
  expect(chunks).toEqual([chunkNumber(1)]);
  state.next[state.granuleAt(chunkNumber(1))] = chunkNumber(0);
  expect(() => forEachInBin(state, heap, 6, () => {})).toThrow('the list of bin 6 is longer than its 1 chunks');
  const inserted: Line = [EventKind.blockInserted, kPool, kBlock, 0, 0];
  const head = headOfLines([...kOneSpan, inserted]);
  const pool = head.pool(kPool);
  expect([...queryPoolBlocks(head, pool).address]).toEqual([kBlock]);
  pool.treeCount = 0;
  expect(() => queryPoolBlocks(head, pool)).toThrow(`the tree of pool ${kPool} is longer than its blocks`);
});
