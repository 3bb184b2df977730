import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import { HeapError } from '../../../web/src/heap/heap_error.ts';
import { artefactUrl } from '../../../web/src/wasm/heap_artefacts.ts';
import { expectSoundAndEmpty } from './ended.ts';

const kMiB = 1 << 20;

describe('single blocks', () => {
  test('allocate gives aligned blocks that do not overlap and can be written to their end', async () => {
    const heap = await createHeap();
    const blocks = [1, 7, 8, 100, 5000, 300_000].map((size) => ({ size, at: heap.allocate(size) }));
    for (const [index, { size, at }] of blocks.entries()) {
      expect(at).toBeGreaterThan(0);
      expect(at % 8).toBe(0);
      expect(heap.usableSize(at)).toBeGreaterThanOrEqual(size);
      heap.u8.fill(index + 1, at, at + heap.usableSize(at));
    }
    for (const [index, { at }] of blocks.entries()) {
      expect(heap.u8.subarray(at, at + heap.usableSize(at)).every((byte) => byte === index + 1)).toBe(true);
      heap.deallocate(at);
    }
    expectSoundAndEmpty(heap);
  });

  test('calloc clears memory that was written to before', async () => {
    const heap = await createHeap();
    const dirty = heap.allocate(4000);
    heap.u8.fill(0xff, dirty, dirty + 4000);
    heap.deallocate(dirty);
    const clean = heap.calloc(1000, 4);
    expect(heap.u8.subarray(clean, clean + 4000).some((byte) => byte !== 0)).toBe(false);
    heap.deallocate(clean);
    expectSoundAndEmpty(heap);
  });

  test('reallocate keeps the contents, and size 0 frees', async () => {
    const heap = await createHeap();
    let block = heap.allocate(100);
    const fence = heap.allocate(10); // so that it has to move
    heap.u8.fill(42, block, block + 100);
    block = heap.reallocate(block, 10_000);
    expect(heap.u8.subarray(block, block + 100).every((byte) => byte === 42)).toBe(true);
    expect(heap.reallocate(block, 0)).toBe(0);
    heap.deallocate(fence);
    expectSoundAndEmpty(heap);
  });

  test('allocateAligned gives the alignment, and refuses what is no power of two', async () => {
    const heap = await createHeap();
    for (const alignment of [8, 64, 4096, 65_536]) {
      const block = heap.allocateAligned(alignment, 100);
      expect(block).toBeGreaterThan(0);
      expect(block % alignment).toBe(0);
      heap.deallocate(block);
    }
    expect(() => heap.allocateAligned(24, 100)).toThrow(/alignment must be a power of two/);
    expectSoundAndEmpty(heap);
  });

  test('an array that cannot become so long stays as it is', async () => {
    const heap = await createHeap();
    const array = heap.mallocAs('u8', 3) as Uint8Array;
    array.fill(7);
    expect(heap.reallocArray(array, 2 ** 32 - 1)).toBeUndefined();
    expect([...heap.refresh(array)]).toEqual([7, 7, 7]);
  });

  test('a size that no heap has fails and is not wrapped around', async () => {
    const heap = await createHeap();
    expect(heap.allocate(2 ** 32 - 1)).toBe(0);
    expect(heap.status).not.toBe('ok');
    expect(heap.calloc(65_536, 65_537)).toBe(0);
    expect(heap.mallocAs('f64', 2 ** 29 + 1)).toBeUndefined();
    expect(heap.allocateArrays([2 ** 31], 3)).toBeUndefined();
    expectSoundAndEmpty(heap);
  });

  test('out of memory throws only when the heap was made so', async () => {
    const quiet = await createHeap();
    expect(quiet.allocate(2 ** 32 - 1)).toBe(0);
    expectSoundAndEmpty(quiet);
    const loud = await createHeap({ throwOnOutOfMemory: true });
    expect(() => loud.allocate(2 ** 32 - 1)).toThrow(HeapError);
    expect(() => loud.allocateMany(2 ** 31, 4)).toThrow(/out of memory|overflow/);
    expectSoundAndEmpty(loud);
  });
});

describe('growth', () => {
  test('views taken from the heap are never detached, and listeners are told the new size', async () => {
    const heap = await createHeap();
    const told: number[] = [];
    const end = heap.on('grow', (bytes) => told.push(bytes));
    const before = heap.u8;
    const block = heap.allocate(16 * kMiB);
    expect(before.length).toBe(0); // detached: why the getters exist
    expect(heap.u8.length).toBe(heap.memory.buffer.byteLength);
    heap.u8[block + 16 * kMiB - 1] = 1;
    await Promise.resolve();
    expect(told.at(-1)).toBe(heap.memory.buffer.byteLength);
    end();
    const seen = told.length;
    const more = heap.allocate(16 * kMiB);
    await Promise.resolve();
    expect(told.length).toBe(seen);
    heap.deallocate(block);
    heap.deallocate(more);
    expectSoundAndEmpty(heap);
  });

  test('memory grown by someone else does not confuse the heap', async () => {
    const heap = await createHeap();
    const first = heap.allocate(1000);
    heap.memory.grow(3);
    const large = heap.allocate(4 * kMiB);
    expect(large).toBeGreaterThan(0);
    heap.u8.fill(1, large, large + 4 * kMiB);
    expect(heap.check()).toBeUndefined();
    heap.deallocate(large);
    heap.deallocate(first);
    expectSoundAndEmpty(heap);
  });
});

describe('typed arrays', () => {
  test('mallocAs, callocAs and reallocArray keep contents and can be freed', async () => {
    const heap = await createHeap();
    const numbers = heap.mallocAs('f64', 100);
    numbers?.set(Array.from({ length: 100 }, (_, i) => i / 3));
    const longer = numbers && heap.reallocArray(numbers, 1000);
    expect(longer?.length).toBe(1000);
    expect(longer?.[99]).toBe(33);
    const words = heap.callocAs('u32', 50);
    expect(words?.every((word) => word === 0)).toBe(true);
    for (const array of [longer, words]) if (array) heap.deallocate(array);
    expectSoundAndEmpty(heap);
  });

  test('an array of no elements stands for a block, and can grow again', async () => {
    const heap = await createHeap();
    const some = heap.mallocAs('u16', 9) as Uint16Array;
    const none = heap.reallocArray(some, 0) as Uint16Array;
    expect(none).toHaveLength(0);
    const again = heap.reallocArray(none, 5) as Uint16Array;
    expect(again).toHaveLength(5);
    expect(heap.deallocate(again)).toBe(true);
    expect(heap.stats().chunksInUse).toBe(0);
  });

  test('an array detached by growth can be refreshed, grown and freed', async () => {
    const heap = await createHeap();
    const array = heap.mallocAs('u16', 10);
    if (array === undefined) throw new Error('no memory');
    array.fill(7);
    const large = heap.allocate(16 * kMiB);
    expect(array.length).toBe(0);
    const fresh = heap.refresh(array);
    expect([...fresh]).toEqual(new Array(10).fill(7));
    expect(heap.refresh(fresh)).toBe(fresh);
    heap.deallocate(array);
    heap.deallocate(large);
    expectSoundAndEmpty(heap);
  });

  test('an array of other memory is refused', async () => {
    const heap = await createHeap();
    expect(() => heap.deallocate(new Uint8Array(8))).toThrow(expect.objectContaining({ code: 'not_of_this_heap' }));
    expectSoundAndEmpty(heap);
  });
});

describe('heaps', () => {
  test('several heaps share a memory and keep to themselves', async () => {
    const first = await createHeap();
    const second = first.createHeap();
    if (second === undefined) throw new Error('no memory');
    expect(second.id).not.toBe(first.id);
    expect(second.memory).toBe(first.memory);
    const a = first.allocate(1000);
    const b = second.allocate(1000);
    first.u8.fill(1, a, a + 1000);
    second.u8.fill(2, b, b + 1000);
    second.destroy();
    expect(first.u8.subarray(a, a + 1000).every((byte) => byte === 1)).toBe(true);
    first.deallocate(a);
    expectSoundAndEmpty(first);
  });

  test('freeAll empties the heap; destroy ends it, and later calls say so', async () => {
    const heap = await createHeap();
    const pool = heap.createPool({ nodeSize: 16 });
    for (let i = 0; i < 1000; ++i) heap.allocate(100);
    heap.freeAll();
    expect(heap.stats().chunksInUse).toBe(0);
    expect(() => pool?.allocate()).toThrow(expect.objectContaining({ code: 'dead' }));
    expect(heap.allocate(100)).toBeGreaterThan(0);
    heap.destroy();
    expect(() => heap.allocate(1)).toThrow(expect.objectContaining({ code: 'dead' }));
    heap[Symbol.dispose](); // nothing left to do, and no error
  });

  test('memory of a destroyed heap serves the next one', async () => {
    const heap = await createHeap();
    const bytes: number[] = [];
    for (let round = 0; round < 20; ++round) {
      expect(heap.allocate(kMiB)).toBeGreaterThan(0);
      heap.freeAll();
      bytes.push(heap.memory.buffer.byteLength);
    }
    expect(bytes.at(-1)).toBe(bytes[1]);
    expectSoundAndEmpty(heap);
  });
});

describe('where the module comes from', () => {
  const bytes = () => new Uint8Array(readFileSync(artefactUrl('release')));

  test('bytes, a compiled module, an address and a response all work', async () => {
    const sources = [
      bytes(),
      await WebAssembly.compile(bytes()),
      artefactUrl('release'),
      artefactUrl('release').href,
      new Response(bytes(), { headers: { 'content-type': 'application/wasm' } }),
      new Response(bytes(), { headers: { 'content-type': 'application/octet-stream' } }),
    ];
    for (const wasm of sources) {
      const heap = await createHeap({ wasm });
      heap.deallocate(heap.allocate(10));
      expectSoundAndEmpty(heap);
    }
  });

  test('what is no heapglass module is refused with its reason', async () => {
    const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    await expect(createHeap({ wasm: empty })).rejects.toMatchObject({ code: 'no_module' });
    await expect(createHeap({ wasm: new Uint8Array([1, 2, 3]) })).rejects.toMatchObject({ code: 'no_module' });
    await expect(createHeap({ wasm: './no/such.wasm' })).rejects.toMatchObject({ code: 'no_module' });
    await expect(createHeap({ wasm: bytes(), trace: true })).rejects.toThrow(/no probes/);
  });
});
