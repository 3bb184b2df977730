import { describe, expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import { expectSoundAndEmpty } from './ended.ts';

describe('bursts', () => {
  test('allocateMany gives blocks of their own, freed one by one or together', async () => {
    const heap = await createHeap();
    const blocks = heap.allocateMany(24, 1000) ?? new Uint32Array(0);
    expect(new Set(blocks).size).toBe(1000);
    for (const [i, block] of blocks.entries()) heap.u32[block >>> 2] = i;
    expect(blocks.every((block, i) => heap.u32[block >>> 2] === i)).toBe(true);
    expect(blocks.every((block) => heap.usableSize(block) >= 24)).toBe(true);
    for (const block of blocks.subarray(0, 500)) heap.deallocate(block);
    heap.freeMany(blocks.subarray(500));
    expectSoundAndEmpty(heap);
  });

  test('allocateArrays gives one block per length, more of them than the scratch memory holds too', async () => {
    const heap = await createHeap();
    for (const count of [5, 40_000]) {
      const lengths = Uint32Array.from({ length: count }, (_, i) => 1 + (i % 50));
      const blocks = heap.allocateArrays(lengths, 8) ?? new Uint32Array(0);
      expect(blocks.length).toBe(count);
      expect(blocks.every((block, i) => heap.usableSize(block) >= 8 * (lengths[i] ?? 0))).toBe(true);
      heap.freeMany([...blocks, 0]);
      expect(heap.check()).toBeUndefined();
    }
    expectSoundAndEmpty(heap);
  });

  test('a burst that does not fit changes nothing', async () => {
    const heap = await createHeap();
    const before = heap.stats();
    expect(heap.allocateMany(2 ** 30, 10)).toBeUndefined();
    expect(heap.stats().inUse).toBe(before.inUse);
    expect(heap.allocateMany(10, 0)).toEqual(new Uint32Array(0));
    expectSoundAndEmpty(heap);
  });
});

describe('pools', () => {
  for (const shape of ['adaptive', 'aligned_only', 'segregated'] as const) {
    test(`a pool (${shape}) gives distinct nodes singly and in bursts, and everything back`, async () => {
      const heap = await createHeap();
      const pool = heap.createPool({ nodeSize: 24, shape, nodesPerBlock: 64 });
      if (pool === undefined) throw new Error(heap.status);
      const nodes = Array.from({ length: 500 }, () => pool.allocate());
      nodes.push(...(pool.allocateMany(500) ?? []));
      expect(new Set(nodes).size).toBe(1000);
      expect(nodes.includes(0)).toBe(false);
      expect(pool.stats()).toMatchObject({ nodeSize: 24, nodesInUse: 1000 });
      expect(heap.check()).toBeUndefined();
      for (const node of nodes.splice(0, 300)) pool.deallocate(node);
      pool.freeMany(nodes);
      pool.trim();
      expect(pool.stats()).toMatchObject({ blocks: 0, nodesInUse: 0 });
      pool.destroy();
      expect(() => pool.allocate()).toThrow(expect.objectContaining({ code: 'dead' }));
      expectSoundAndEmpty(heap);
    });
  }

  test('a pool keeps two free blocks where nothing else is said', async () => {
    const heap = await createHeap();
    const pool = heap.createPool({ nodeSize: 24, nodesPerBlock: 10 });
    const nodes = pool?.allocateMany(5 * (pool?.stats().nodesPerBlock ?? 0)) ?? [];
    expect(pool?.stats()).toMatchObject({ blocks: 5, freeBlocks: 0 });
    pool?.freeMany(nodes);
    expect(pool?.stats()).toMatchObject({ blocks: 2, freeBlocks: 2 });
  });

  test('an option out of range is refused', async () => {
    const heap = await createHeap();
    expect(() => heap.createPool({ nodeSize: 0 })).toThrow(/nodes of 1 to 65,536 bytes.*nodeSize 0/);
    expectSoundAndEmpty(heap);
  });
});
