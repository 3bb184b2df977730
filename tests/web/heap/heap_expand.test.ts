import { describe, expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { Heap } from '../../../web/src/heap/heap_types.ts';
import { expectSoundAndEmpty } from './ended.ts';

/** Three blocks side by side, the middle one filled with 1, 2, 3 ... */
function threeNeighbours(heap: Heap, size: number): readonly [number, number, number] {
  const blocks = heap.allocateMany(size, 3, 3);
  const [low = 0, middle = 0, high = 0] = blocks ?? [];
  expect(middle - low).toBe(high - middle);
  for (let i = 0; i < size; ++i) heap.u8[middle + i] = i + 1;
  return [low, middle, high];
}
const filled = (heap: Heap, address: number, size: number) => [...heap.u8.subarray(address, address + size)];
const counted = (size: number) => Array.from({ length: size }, (_, i) => i + 1);

describe('expand', () => {
  test('goes forward into a free neighbour and keeps the address', async () => {
    const heap = await createHeap();
    const [low, middle, high] = threeNeighbours(heap, 100);
    const fence = heap.allocate(16);
    heap.deallocate(high);
    const more = heap.expand(middle, { minimum: 150, preferred: 180 });
    expect(more).toMatchObject({ address: middle, how: 'forward' });
    expect(more?.size).toBeGreaterThanOrEqual(180);
    expect(filled(heap, middle, 100)).toEqual(counted(100));
    for (const block of [low, middle, fence]) heap.deallocate(block);
    expectSoundAndEmpty(heap);
  });

  test('goes backward when allowed, and the contents move to the new start', async () => {
    const heap = await createHeap();
    const [low, middle, high] = threeNeighbours(heap, 100);
    heap.deallocate(low);
    expect(heap.expand(middle, { minimum: 150 })).toBeUndefined();
    const more = heap.expand(middle, { minimum: 150, backward: true });
    expect(more?.how).toBe('backward');
    const address = more?.address ?? 0;
    expect(address).toBeLessThan(middle);
    expect(filled(heap, address, 100)).toEqual(counted(100));
    for (const block of [address, high]) heap.deallocate(block);
    expectSoundAndEmpty(heap);
  });

  test('goes backward in a heap of an alignment by whole alignments, and says how much the block has now', async () => {
    const heap = await createHeap({ align: 64 });
    const [low, middle, high] = threeNeighbours(heap, 100);
    heap.deallocate(low);
    const { address = 0, size = 0, how } = heap.expand(middle, { minimum: 150, backward: true }) ?? {};
    expect([how, address % 64]).toEqual(['backward', 0]);
    expect(address).toBeLessThan(middle);
    expect(size).toBeGreaterThanOrEqual(150);
    expect(size).toBeLessThanOrEqual(heap.usableSize(address));
    expect(filled(heap, address, 100)).toEqual(counted(100));
    for (const block of [address, high]) heap.deallocate(block);
    expectSoundAndEmpty(heap);
  });

  test('moves only when allowed, and frees the old block', async () => {
    const heap = await createHeap();
    const [low, middle, high] = threeNeighbours(heap, 100);
    expect(heap.expand(middle, { minimum: 5000 })).toBeUndefined();
    expect(filled(heap, middle, 100)).toEqual(counted(100));
    const more = heap.expand(middle, { minimum: 5000, move: true });
    expect(more?.how).toBe('new');
    expect(filled(heap, more?.address ?? 0, 100)).toEqual(counted(100));
    for (const block of [low, more?.address ?? 0, high]) heap.deallocate(block);
    expectSoundAndEmpty(heap);
  });
});

describe('command', () => {
  test('a new block holds at least the limit, in objects', async () => {
    const heap = await createHeap();
    const got = heap.command({ allocateNew: true, objectSize: 12, limit: 10, preferred: 20 });
    expect(got.reused).toBe(false);
    expect(got.received).toBeGreaterThanOrEqual(20);
    expect(heap.usableSize(got.address)).toBeGreaterThanOrEqual(got.received * 12);
    heap.deallocate(got.address);
    expectSoundAndEmpty(heap);
  });

  test('a shrink gives room back in place', async () => {
    const heap = await createHeap();
    const block = heap.allocate(1000);
    const fence = heap.allocate(10);
    const got = heap.command({ shrinkInPlace: true, limit: 1000, preferred: 100, reuse: block });
    expect(got).toMatchObject({ address: block, reused: true, status: 'ok' });
    expect(heap.usableSize(block)).toBeLessThan(200);
    heap.deallocate(block);
    heap.deallocate(fence);
    expectSoundAndEmpty(heap);
  });

  test('a broken precondition is told in words', async () => {
    const heap = await createHeap();
    expect(heap.command({ limit: 1, preferred: 1 }).status).toMatch(/names none/);
    expect(heap.command({ allocateNew: true, limit: 2, preferred: 1 }).status).toMatch(/limit <= preferred/);
    expect(heap.command({ expandForward: true, limit: 1, preferred: 1 }).status).toMatch(/address to reuse/);
    expectSoundAndEmpty(heap);
  });
});
