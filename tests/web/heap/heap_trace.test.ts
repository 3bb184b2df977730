import { describe, expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { Heap } from '../../../web/src/heap/heap_types.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import { expectSoundAndEmpty } from './ended.ts';

const heads = (records: Uint8Array<ArrayBuffer>) => new Uint32Array(records.buffer).filter((_, word) => word % 4 === 0);

/** Some thousand operations, the same every time; returns where the blocks lay, relative to the first. */
function story(heap: Heap): number[] {
  const first = heap.allocate(8);
  const offsets: number[] = [];
  const live: number[] = [];
  for (let i = 0; i < 20_000; ++i) {
    const block = heap.allocate(1 + ((i * 7919) % 500));
    offsets.push(block - first);
    live.push(block);
    if (i % 3 !== 0) heap.deallocate(live.splice((i * 31) % live.length, 1)[0] ?? 0);
  }
  heap.freeMany(live);
  heap.deallocate(first);
  return offsets;
}

describe('a heap with trace: true', () => {
  test('loses no event, however many', async () => {
    const heap = await createHeap({ trace: true });
    story(heap);
    const kinds = heads(heap.events()).map((head) => head & 0xff);
    expect(kinds.length).toBe(heap.eventCount);
    expect(kinds.length).toBeGreaterThan(2 * 65_536); // twice around the ring
    expect(kinds.includes(EventKind.eventsLost)).toBe(false);
    const begun = heads(heap.events()).filter((head) => (head & 0xff) === EventKind.opBegun);
    expect(begun.filter((head) => head >>> 16 === Op.allocate).length).toBe(20_001);
    expectSoundAndEmpty(heap);
  });

  test('frees many blocks in one operation', async () => {
    const heap = await createHeap({ trace: true });
    const blocks = [20, 300, 40].map((size) => heap.allocate(size));
    const before = heap.eventCount;
    heap.freeMany(blocks);
    const begun = heads(heap.events(before)).filter((head) => (head & 0xff) === EventKind.opBegun);
    expect([...begun].map((head) => head >>> 16)).toEqual([Op.burstDeallocate]);
    expectSoundAndEmpty(heap);
  });

  test('places blocks exactly where an unwatched heap does', async () => {
    const watched = await createHeap({ trace: true });
    const alone = await createHeap();
    expect(story(watched)).toEqual(story(alone));
    expectSoundAndEmpty(watched);
    expectSoundAndEmpty(alone);
  });

  test('gives the events from a number on', async () => {
    const heap = await createHeap({ trace: true });
    story(heap);
    const before = heap.eventCount;
    heap.mark(7, 1, 2, 3);
    const [head, a, b, c] = new Uint32Array(heap.events(before).buffer);
    expect([(head ?? 0) & 0xff, (head ?? 0) >>> 16, a, b, c]).toEqual([EventKind.mark, 7, 1, 2, 3]);
    expect(Buffer.compare(heap.events(70_000), heap.events().subarray(70_000 * 16))).toBe(0);
    expect(heap.events(heap.eventCount).length).toBe(0);
    expectSoundAndEmpty(heap);
  });
});

describe('a heap with checked: true', () => {
  test('names a double free and is dead afterwards', async () => {
    const heap = await createHeap({ checked: true });
    const block = heap.allocate(100);
    heap.allocate(16); // so that the block is not merged with top
    heap.deallocate(block);
    expect(() => heap.deallocate(block)).toThrow(/double free/);
    expect(() => heap.allocate(1)).toThrow(expect.objectContaining({ code: 'dead' }));
  });

  test('names a foreign pointer, also within freeMany', async () => {
    const one = await createHeap({ checked: true });
    expect(() => one.deallocate(8)).toThrow(expect.objectContaining({ code: 'misuse' }));
    const many = await createHeap({ checked: true });
    const blocks = many.allocateMany(32, 4) ?? new Uint32Array(0);
    expect(() => many.freeMany([...blocks, blocks[0] ?? 0])).toThrow(/double free/);
  });

  test('finds an overwritten header', async () => {
    const heap = await createHeap({ checked: true });
    const block = heap.allocate(32);
    const next = heap.allocate(32);
    heap.u8.fill(0xff, block, block + 48); // runs over its end
    expect(() => heap.deallocate(next)).toThrow(/damaged/);
  });

  test('writes events too when asked', async () => {
    const heap = await createHeap({ checked: true, trace: true });
    heap.deallocate(heap.allocate(10));
    expect(heap.eventCount).toBeGreaterThan(4);
    expectSoundAndEmpty(heap);
  });
});
