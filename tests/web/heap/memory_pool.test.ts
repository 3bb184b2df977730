// Memory pools, blocks side by side, and fills.

import { describe, expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import { expectSoundAndEmpty } from './ended.ts';

describe('a memory pool', () => {
  test('keeps a data structure apart and ends with all of it', async () => {
    const heap = await createHeap();
    const before = heap.allocate(100);
    const pool = heap.createMemoryPool({ fixedSize: 24 });
    if (pool === undefined) throw new Error('no memory');
    expect(pool.id).not.toBe(heap.id);
    const nodes = Array.from({ length: 2000 }, () => pool.allocateFixed());
    expect(new Set(nodes).size).toBe(2000);
    for (const node of nodes) heap.u8.fill(node & 0xff, node, node + 24);
    const texts = Array.from({ length: 100 }, (_, i) => pool.allocate(10 + i * 7));
    expect(pool.mallocAs('f64', 10)?.length).toBe(10);
    expect(pool.deallocateFixed(nodes.pop() ?? 0)).toBe(true);
    expect(pool.deallocate(texts.pop() ?? 0)).toBe(true);
    expect(pool.allocateMany(32, 100)?.length).toBe(100);
    for (const node of nodes) expect(heap.u8[node + 23]).toBe(node & 0xff);
    expect(pool.check()).toBeUndefined();
    expect(pool.stats().inUse).toBeGreaterThan(2000 * 24);
    pool.destroy();
    expect(() => pool.allocateFixed()).toThrow(expect.objectContaining({ code: 'dead' }));
    expect(() => pool.allocate(8)).toThrow(expect.objectContaining({ code: 'dead' }));
    expect(heap.stats().chunksInUse).toBe(1);
    heap.deallocate(before);
    expectSoundAndEmpty(heap);
  });

  test('gives its memory to the next one', async () => {
    const heap = await createHeap({ initial: 1 << 20 });
    for (let round = 0; round < 300; ++round) {
      const pool = heap.createMemoryPool({ fixedSize: 100 });
      for (let i = 0; i < 1000; ++i) expect(pool?.allocateFixed()).toBeGreaterThan(0);
      pool?.destroy();
    }
    expect(heap.memory.buffer.byteLength).toBe(1 << 20);
    expectSoundAndEmpty(heap);
  });
});

describe('independent blocks', () => {
  test('stand side by side, each with its size, each freed alone', async () => {
    const heap = await createHeap();
    const sizes = [24, 100, 16, 1, 0, 5000];
    const blocks = heap.allocateIndependent(sizes) ?? new Uint32Array(0);
    expect(blocks.length).toBe(sizes.length);
    for (const [i, block] of blocks.entries()) {
      expect(heap.usableSize(block)).toBeGreaterThanOrEqual(sizes[i] ?? 0);
      if (i > 0) expect(block - (blocks[i - 1] ?? 0)).toBeLessThanOrEqual((sizes[i - 1] ?? 0) + 24);
    }
    for (const block of blocks) heap.deallocate(block);
    expectSoundAndEmpty(heap);
  });

  test('may be more than the scratch memory lists, also in a placed module', async () => {
    for (const heap of [await createHeap(), await createHeap({ initial: 1 << 20 })]) {
      for (const count of [0, 1, 112, 113, 20_000]) {
        const sizes = Array.from({ length: count }, (_, i) => 1 + (i % 60));
        const blocks = heap.allocateIndependent(sizes) ?? new Uint32Array(0);
        expect(new Set(blocks).size).toBe(count);
        expect(blocks.every((block, i) => heap.usableSize(block) >= (sizes[i] ?? 0))).toBe(true);
        heap.freeMany(blocks);
        expect(heap.stats().chunksInUse).toBe(0);
      }
      expectSoundAndEmpty(heap);
    }
  });

  test('zeroed ones are zero', async () => {
    const heap = await createHeap();
    const dirty = heap.allocate(10_000);
    heap.u8.fill(0xff, dirty, dirty + 10_000);
    heap.deallocate(dirty);
    const blocks = heap.callocIndependent(50, 30) ?? new Uint32Array(0);
    for (const block of blocks) expect(heap.u8.subarray(block, block + 30).every((byte) => byte === 0)).toBe(true);
    heap.freeMany(blocks);
    expectSoundAndEmpty(heap);
  });
});

test('calloc and callocAs fill with what they are given', async () => {
  const heap = await createHeap();
  const block = heap.calloc(10, 10, 0xab);
  expect(heap.u8.subarray(block, block + 100).every((byte) => byte === 0xab)).toBe(true);
  const floats = heap.callocAs('f32', 10, 0.25);
  const bigs = heap.callocAs('i64', 10, -5n);
  expect([floats?.[9], bigs?.[9]]).toEqual([0.25, -5n]);
  for (const array of [floats, bigs]) if (array) heap.deallocate(array);
  heap.deallocate(block);
  expectSoundAndEmpty(heap);
});

test('total and available count what is there', async () => {
  const heap = await createHeap({ initial: 1 << 20, maximum: 1 << 20 });
  const { total, available, inUse } = heap.stats();
  expect(total).toBeLessThanOrEqual(1 << 20);
  expect(total).toBeGreaterThan((1 << 20) - 65_536);
  expect([inUse, total - available]).toEqual([0, expect.toSatisfy((lost: number) => lost < 4096)]);
  const block = heap.allocate(500_000);
  const after = heap.stats();
  expect(after.total).toBeCloseTo(total, -4);
  expect(after.total - after.available).toBeGreaterThan(500_000);
  const other = heap.createHeap();
  other?.allocate(100_000);
  expect(heap.stats().available).toBeLessThan(after.available - 100_000);
  other?.destroy();
  heap.deallocate(block);
  expectSoundAndEmpty(heap);
});

test('blocks of one size have at most 2048 bytes, and no block is none to give back', async () => {
  const heap = await createHeap();
  const pool = heap.createMemoryPool({ fixedSize: 2048 });
  const block = pool?.allocateFixed() ?? 0;
  pool?.u8.fill(1, block, block + 2048);
  expect([pool?.deallocateFixed(block), pool?.deallocateFixed(0)]).toEqual([true, false]);
  expect(() => heap.createMemoryPool({ fixedSize: 2049 })).toThrow(/at most 2048/);
});
