// What a report says that a pool would save is what a pool saves: the same blocks are taken from a heap and from a pool of it.

import { expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import { makeReport } from '../../../web/src/report/report.ts';
import { traceOf } from './counted_heap.ts';

/** Bytes in use of so many blocks of this size, each a chunk, and as nodes of a pool. */
async function inUse(request: number, count: number): Promise<{ readonly chunks: number; readonly nodes: number }> {
  const apart = await createHeap();
  const before = apart.stats().inUse;
  for (let i = 0; i < count; ++i) apart.allocate(request);
  const chunks = apart.stats().inUse - before;
  const pooled = await createHeap();
  const empty = pooled.stats().inUse;
  if (pooled.createPool({ nodeSize: request })?.allocateMany(count) === undefined) throw new Error(pooled.status);
  return { chunks, nodes: pooled.stats().inUse - empty };
}

/** What the report of a run in which they lived at once says. */
async function advised(request: number, count: number) {
  const heap = await createHeap({ trace: true });
  const blocks = Array.from({ length: count }, () => heap.allocate(request));
  for (const block of blocks) heap.deallocate(block);
  return makeReport(traceOf(heap), { name: 'pool' }).advice.pools;
}

const kSizes = [8, 20, 36, 100, 250, 1000];

test.each(kSizes.flatMap((request) => [150, 1000, 4000].map((count) => [count, request] as const)))(
  '%i blocks of %i bytes: no more than a pool saves',
  async (count, request) => {
    const { chunks, nodes } = await inUse(request, count);
    for (const { saved_bytes } of await advised(request, count))
      expect(saved_bytes).toBeLessThanOrEqual(chunks - nodes);
  },
);

test.each([
  [4000, 8],
  [5000, 20],
  [12_000, 40],
])('%i blocks of %i bytes: what it saves, but for a block of the pool and two in a hundred', async (count, request) => {
  const { chunks, nodes } = await inUse(request, count);
  const pools = await advised(request, count);
  expect(pools).toMatchObject([{ request_bytes: request, peak_live_blocks: count, node_bytes: request }]);
  expect(pools[0]?.chunk_bytes).toBe(Math.floor(chunks / count));
  expect(pools[0]?.saved_bytes).toBeGreaterThan(chunks - nodes * 1.02 - 330 * request);
});

test('a chunk that is larger than those of its size counts as what it is, not for all of them', async () => {
  const heap = await createHeap({ trace: true });
  const hole = heap.allocate(28);
  heap.allocate(28);
  const blocks = Array.from({ length: 3999 }, () => heap.allocate(20));
  heap.deallocate(hole);
  blocks.push(heap.allocate(20));
  expect(blocks.at(-1)).toBe(hole); // 32 bytes: what is left of them is no chunk
  const chunks = blocks.reduce((sum, block) => sum + heap.usableSize(block) + 4, 0);
  const { pools } = makeReport(traceOf(heap), { name: 'hole' }).advice;
  const saved_bytes = Math.floor(chunks - 4320 * 20 * 1.04);
  expect(pools).toMatchObject([{ peak_live_blocks: 4000, chunk_bytes: 24, saved_bytes }]);
});

test('blocks that ended leave nothing of their chunks to those that come after them', async () => {
  const heap = await createHeap({ trace: true });
  const live = (count: number) => Array.from({ length: count }, () => heap.allocate(20));
  for (const block of live(3000)) heap.deallocate(block);
  const blocks = live(4000);
  for (const block of blocks) heap.reallocate(block, 12);
  live(1000);
  const { pools } = makeReport(traceOf(heap), { name: 'twice' }).advice;
  expect(pools.find(({ request_bytes }) => request_bytes === 20)).toMatchObject({
    peak_live_blocks: 4000,
    chunk_bytes: 24,
  });
});

test('nodes have no headers: what is in a pool already would save nothing in one', async () => {
  const heap = await createHeap({ trace: true });
  const pool = heap.createPool({ nodeSize: 8 });
  if (pool?.allocateMany(4000) === undefined) throw new Error(heap.status);
  for (let more = 4000; more > 0; --more) pool.allocate();
  expect(makeReport(traceOf(heap), { name: 'nodes' }).advice.pools).toEqual([]);
});

test('blocks of nothing are no nodes, however many they are', async () => {
  expect(await advised(0, 4000)).toEqual([]);
  expect(await advised(1, 4000)).toMatchObject([{ request_bytes: 1, node_bytes: 4 }]);
});
