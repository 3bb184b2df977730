// heap.checkpoint() and heap.reset(): back in time, in the same memory.

import { afterEach, describe, expect, test, vi } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { Heap, HeapOptions, Pool } from '../../../web/src/heap/heap_types.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { expectSoundAndEmpty } from './ended.ts';
import { kSound, RandomCalls } from './random_calls.ts';

const kMiB = 1 << 20;
const kPage = 4096;
afterEach(() => vi.restoreAllMocks());

describe('after a reset', () => {
  test.each<[string, HeapOptions]>([
    ['release', {}],
    ['checked', { checked: true }],
    ['traced', { trace: true }],
    ['traced and checked', { trace: true, checked: true }],
    ['placed', { initial: kMiB, maximum: 512 * kMiB }],
    ['aligned', { align: 64 }],
  ])('10,000 random calls give what they gave the first time: %s', async (_, options) => {
    const calls = new RandomCalls(await createHeap(options), 4711);
    calls.run(2500);
    calls.heap.checkpoint();
    const first = calls.on(calls.heap);
    const results = first.run(10_000);
    expect(results).not.toContain(0);
    for (const others of [0, 5000, 100]) {
      calls.heap.reset();
      expect(calls.heap.check()).toBeUndefined();
      calls.on(calls.heap).run(others);
      calls.heap.reset();
      expect(calls.on(calls.heap).run(10_000)).toEqual(results);
    }
    calls.heap.reset();
    expect(calls.end()).toEqual(kSound);
  });

  test.each<[string, (heap: Heap) => unknown]>([
    ['grew', (heap) => heap.deallocate(heap.allocate(40 * kMiB))],
    ['shrank', (heap) => heap.shrink()],
    ['was emptied', (heap) => heap.freeAll()],
    ['was a checkpoint itself', (heap) => heap.snapshot()],
  ])('addresses and contents are equal where the memory %s meanwhile', async (_, act) => {
    const heap = await createHeap();
    const big = heap.allocate(20 * kMiB);
    const calls = new RandomCalls(heap, 3);
    calls.run(3000);
    heap.deallocate(big);
    heap.checkpoint();
    const results = calls.on(heap).run(3000);
    await act(heap);
    heap.reset();
    expect(heap.check()).toBeUndefined();
    expect(calls.on(heap).run(3000)).toEqual(results);
    heap.reset();
    expect(calls.end()).toEqual(kSound);
  });

  test.each([1, 100, 10_000])(
    '%i touched pages are written back, and no more than those of the heap itself',
    async (touched) => {
      const heap = await createHeap();
      const block = heap.allocate(12_000 * kPage);
      heap.u8.fill(1, block, block + 12_000 * kPage);
      heap.u8.fill(0, block + 4000 * kPage, block + 8000 * kPage); // pages of zeros, which live
      heap.checkpoint();
      expect(heap.reset()).toBe(0);
      for (let i = 0; i < touched; ++i) heap.u8[block + i * kPage + 50] = 2;
      expect(heap.reset()).toBe(touched);
      expect([0, 3999, 4000, 7999, 8000].map((page) => heap.u8[block + page * kPage + 50])).toEqual([1, 1, 0, 0, 1]);
      heap.allocate(100);
      const own = heap.reset();
      expect(own).toBeGreaterThan(0);
      expect(own).toBeLessThan(5);
      heap.deallocate(block);
      expectSoundAndEmpty(heap);
    },
  );

  test('arrays and handles are what they were: those from before live again, those made since are dead', async () => {
    const heap = await createHeap();
    const array = heap.mallocAs('u32', 10) as Uint32Array;
    array.fill(5);
    const other = heap.createHeap() as Heap;
    const pool = other.createPool({ nodeSize: 24 }) as Pool;
    const fixed = heap.createMemoryPool({ fixedSize: 32 });
    const node = pool.allocate();
    heap.checkpoint();
    heap.deallocate(array);
    other.destroy();
    fixed?.destroy();
    const since = heap.createHeap() as Heap;
    const late = heap.mallocAs('u8', 300) as Uint8Array;
    const latePool = heap.createPool({ nodeSize: 8 }) as Pool;
    heap.reset();
    expect(heap.refresh(array)[9]).toBe(5);
    expect(heap.heaps).toEqual([heap, other]);
    expect(heap.memoryPools).toEqual([fixed]);
    expect(pool.deallocate(node)).toBe(true);
    expect(fixed?.allocateFixed()).not.toBe(0);
    const code = (code: string) => expect.objectContaining({ code });
    expect(() => since.allocate(1)).toThrow(code('dead'));
    expect(() => latePool.allocate()).toThrow(code('dead'));
    expect(() => heap.deallocate(late)).toThrow(code('freed'));
    expect(heap.deallocate(array)).toBe(true);
    expect(() => heap.deallocate(array)).toThrow(code('freed'));
    fixed?.destroy();
    pool.destroy();
    expectSoundAndEmpty(other);
    expectSoundAndEmpty(heap);
  });
});

describe('a reset is refused', () => {
  const badArgument = (message: RegExp) =>
    expect.objectContaining({ code: 'bad_argument', message: expect.stringMatching(message) });

  test.each([false, true])('without a checkpoint; traced: %s', async (trace) => {
    const heap = await createHeap({ trace });
    expect(() => heap.reset()).toThrow(badArgument(/no checkpoint/));
  });

  test('in memory of yours, where the checkpoint of a traced heap is the proof alone', async () => {
    const heap = await createHeap({ memory: new WebAssembly.Memory({ initial: 1 }), trace: true });
    heap.checkpoint();
    const heads = new Uint32Array(heap.events().buffer).filter((_, word) => word % 4 === 0);
    expect([...heads].map((head) => head & 0xff).slice(-1)).toEqual([EventKind.checkpoint]);
    expect(() => heap.reset()).toThrow(badArgument(/the memory is yours/));
  });

  test('of a heap that was destroyed, and of a module that trapped', async () => {
    const heap = await createHeap({ checked: true });
    heap.checkpoint();
    const block = heap.allocate(100);
    const gone = heap.createHeap() as Heap;
    gone.destroy();
    expect(() => gone.reset()).toThrow(expect.objectContaining({ code: 'dead' }));
    heap.deallocate(block);
    expect(() => heap.deallocate(block)).toThrow(expect.objectContaining({ code: 'misuse' }));
    expect(() => heap.reset()).toThrow(expect.objectContaining({ code: 'dead' }));
  });

  test('where the memory, which shrank, cannot be what it was; the heap goes on', async () => {
    const heap = await createHeap();
    const block = heap.allocate(10 * kMiB);
    heap.checkpoint();
    heap.deallocate(block);
    await heap.shrink();
    const kept = heap.allocate(1000);
    vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementationOnce(() => {
      throw new RangeError('refused');
    });
    expect(() => heap.reset()).toThrow(expect.objectContaining({ code: 'out_of_memory' }));
    expect(heap.deallocate(kept)).toBe(true);
    expect(heap.check()).toBeUndefined();
    expect(heap.reset()).toBeGreaterThan(0);
    expect(heap.deallocate(block)).toBe(true);
    expectSoundAndEmpty(heap);
  });
});
