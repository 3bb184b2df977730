// A heap in memory that is not its own: a caller's memory, a part of it, a new one of chosen size, a caller's buffer.

import { describe, expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { Heap } from '../../../web/src/heap/heap_types.ts';
import { hashModelWalk } from '../../../web/src/model/state/walk_compare.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import { EventKind, kTraceVersion } from '../../../web/src/protocol/event_layout.ts';
import { decodeEvent } from '../../../web/src/trace/decode.ts';
import { nameOfMark } from '../../../web/src/trace/texts.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { expectSoundAndEmpty } from './ended.ts';

const kPage = 65_536;
const kMiB = 1 << 20;

/** Takes, fills, moves and frees some blocks in every way, and proves that each kept its contents. */
function use(heap: Heap, most = 2000): void {
  const blocks = new Map<number, { readonly size: number; readonly byte: number }>();
  const keep = (address: number, size: number): void => {
    expect(address).toBeGreaterThan(0);
    const byte = (address >>> 3) & 0xff;
    heap.u8.fill(byte, address, address + size);
    blocks.set(address, { size, byte });
  };
  for (let i = 0; i < 200; ++i) keep(heap.allocate(1 + ((i * 397) % most)), 1 + ((i * 397) % most));
  for (const [n, address] of [...blocks.keys()].entries()) {
    if (n % 3 !== 0) continue;
    heap.deallocate(address);
    blocks.delete(address);
  }
  for (const address of heap.allocateMany(24, 50) ?? []) keep(address, 24);
  for (const address of heap.allocateIndependent([10, 200, 3000, 1]) ?? []) keep(address, 1);
  const [first] = blocks.keys();
  const { size, byte } = blocks.get(first ?? 0) ?? { size: 0, byte: 0 };
  const moved = heap.reallocate(first ?? 0, size + most);
  expect(heap.u8.subarray(moved, moved + size).every((found) => found === byte)).toBe(true);
  blocks.delete(first ?? 0);
  keep(moved, size + most);
  const pool = heap.createPool({ nodeSize: 24, nodesPerBlock: 32 });
  const nodes = pool?.allocateMany(40) ?? [];
  expect(new Set(nodes).size).toBe(40);
  expect(heap.check()).toBeUndefined();
  for (const [address, { size, byte }] of blocks) {
    expect(heap.u8.subarray(address, address + size).every((found) => found === byte)).toBe(true);
  }
  pool?.destroy();
  heap.freeMany([...blocks.keys()]);
  expect(heap.stats().chunksInUse).toBe(0);
}

describe("a caller's memory", () => {
  test('is used as a whole when it is empty, and grown', async () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const heap = await createHeap({ memory });
    expect(heap.memory).toBe(memory);
    use(heap);
    const large = heap.allocate(5 * kMiB);
    expect(memory.buffer.byteLength).toBeGreaterThan(5 * kMiB);
    heap.u8.fill(1, large, large + 5 * kMiB);
    heap.deallocate(large);
    expectSoundAndEmpty(heap);
  });

  test('that is large enough is not grown, so the views that others have of it stay', async () => {
    const memory = new WebAssembly.Memory({ initial: 4 });
    const { buffer } = memory;
    const heap = await createHeap({ memory, end: 4 * kPage });
    heap.deallocate(heap.allocate(100_000));
    expect(memory.buffer).toBe(buffer);
  });

  test('that holds something is taken only from a start that is named', async () => {
    const memory = new WebAssembly.Memory({ initial: 4 });
    new Uint8Array(memory.buffer)[100_000] = 7;
    await expect(createHeap({ memory })).rejects.toThrow(/in use \(byte 100000 is not zero\): name with start/);
    const heap = await createHeap({ memory, start: 100_001 });
    expect(heap.allocate(10)).toBeGreaterThan(100_001);
    expect(new Uint8Array(memory.buffer)[100_000]).toBe(7);
  });

  test('holds two heaps and the data of others; neither reads or writes outside its region', async () => {
    const memory = new WebAssembly.Memory({ initial: 16, maximum: 16 });
    new Uint8Array(memory.buffer).fill(0xa5);
    const regions = [
      { start: 1000, end: 300_001 },
      { start: 300_001, end: 700_000 },
    ];
    const heaps = await Promise.all(regions.map((region) => createHeap({ memory, ...region })));
    for (const heap of heaps) use(heap);
    for (const heap of heaps) while (heap.allocate(1000) !== 0);
    const all = new Uint8Array(memory.buffer);
    expect(all.subarray(0, 1000).every((byte) => byte === 0xa5)).toBe(true);
    expect(all.subarray(700_000).every((byte) => byte === 0xa5)).toBe(true);
    for (const [i, heap] of heaps.entries()) {
      expect(heap.check()).toBeUndefined();
      const { total, available, inUse } = heap.stats();
      const { start, end } = regions[i] ?? { start: 0, end: 0 };
      expect(total).toBeGreaterThan((end - start) * 0.85);
      expect(inUse).toBeGreaterThan(total * 0.95);
      expect(available).toBeLessThan(total * 0.05);
      heap.freeAll();
      expect(heap.stats().chunksInUse).toBe(0);
      expect(heap.allocate(200_000)).toBeGreaterThan(start);
    }
  });

  test('may be grown by others, and by two heaps in turn', async () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const one = await createHeap({ memory });
    const first = one.allocate(1000);
    const other = memory.grow(3) * kPage;
    const two = await createHeap({ memory, start: memory.buffer.byteLength });
    const blocks: number[] = [];
    for (let i = 0; i < 20; ++i) {
      const heap = i % 2 === 0 ? one : two;
      const block = heap.allocate(kMiB / 2);
      blocks.push(block);
      heap.u8.fill(i, block, block + kMiB / 2);
    }
    expect(one.u8.subarray(other, other + 3 * kPage).every((byte) => byte === 0)).toBe(true);
    for (const [i, block] of blocks.entries()) {
      expect(one.u8.subarray(block, block + kMiB / 2).every((byte) => byte === i)).toBe(true);
      (i % 2 === 0 ? one : two).deallocate(block);
    }
    one.deallocate(first);
    expectSoundAndEmpty(one);
    expectSoundAndEmpty(two);
  });

  test('with a region too small is refused with the bytes that it needs', async () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const refused = createHeap({ memory, start: 0, end: 10_000 });
    await expect(refused).rejects.toMatchObject({ code: 'bad_argument' });
    const least = Number(/need (\d+)/.exec(String(await refused.catch((error: unknown) => error)))?.[1]);
    expect(least).toBeLessThan(34_000);
    const heap = await createHeap({ memory, start: 0, end: least });
    heap.deallocate(heap.allocate(3000));
    expectSoundAndEmpty(heap);
  });

  test('that cannot grow so far is out of memory, and a full one too', async () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 2 });
    await expect(createHeap({ memory, start: 0, end: kMiB })).rejects.toMatchObject({ code: 'out_of_memory' });
    const heap = await createHeap({ memory, start: 0 });
    expect(heap.allocate(kMiB)).toBe(0);
    expect(heap.status).toContain('out of memory');
    heap.deallocate(heap.allocate(80_000));
    expect(memory.buffer.byteLength).toBe(2 * kPage);
    expectSoundAndEmpty(heap);
  });

  test('tells listeners of growth, and no text of the module is lost by where it lies', async () => {
    const heap = await createHeap({ memory: new WebAssembly.Memory({ initial: 1 }), start: 12_345 });
    const told: number[] = [];
    heap.on('grow', (bytes) => told.push(bytes));
    heap.deallocate(heap.allocate(kMiB));
    await Promise.resolve();
    expect(told.at(-1)).toBe(heap.memory.buffer.byteLength);
    const block = heap.allocate(100);
    heap.u8.fill(0xff, block, block + 2000); // over its end
    expect(heap.check()).toMatch(/^chunk\.C\d|chunk/);
  });
});

describe('a new memory', () => {
  test('has the size asked for, and ends where it should', async () => {
    const heap = await createHeap({ initial: 2 * kMiB, maximum: 4 * kMiB });
    expect(heap.memory.buffer.byteLength).toBe(2 * kMiB);
    expect(heap.stats().total).toBeGreaterThan(2 * kMiB - 65_536);
    expect(heap.allocate(5 * kMiB)).toBe(0);
    const block = heap.allocate(3 * kMiB);
    expect(block).toBeGreaterThan(0);
    expect(heap.memory.buffer.byteLength).toBeLessThanOrEqual(4 * kMiB);
    heap.deallocate(block);
    expectSoundAndEmpty(heap);
  });

  test('grows in few steps', async () => {
    const heap = await createHeap({ initial: kPage });
    let growths = 0;
    heap.on('grow', () => ++growths);
    for (let i = 0; i < 4096; ++i) {
      expect(heap.allocate(4000)).toBeGreaterThan(0);
      await Promise.resolve();
    }
    expect(growths).toBeLessThan(60); // by single pages: 250
  });
});

describe('with an alignment', () => {
  for (const align of [16, 64, 4096]) {
    test(`every block begins at a multiple of ${align}, however it came`, async () => {
      for (const heap of [
        await createHeap({ align }),
        await createHeap({ align, memory: new WebAssembly.Memory({ initial: 1 }) }),
      ]) {
        const blocks: number[] = [];
        const got = (...given: number[]): void => {
          for (const block of given) expect(block % align, `${block}`).toBe(0);
          blocks.push(...given);
        };
        for (let i = 0; i < 300; ++i) {
          got(heap.allocate(1 + ((i * 211) % 700)));
          if (i % 4 === 3) heap.deallocate(blocks.splice((i * 7) % blocks.length, 1)[0] ?? 0);
        }
        got(heap.calloc(10, 7), heap.calloc(10, 7, 0xee), heap.allocateAligned(8, 10));
        got(...(heap.allocateMany(20, 40) ?? []), ...(heap.allocateArrays([1, 20, 3], 12) ?? []));
        got(...(heap.allocateIndependent([1, 100, 17, 33]) ?? []), ...(heap.callocIndependent(5, 24) ?? []));
        for (let i = 0; i < 60; ++i) {
          const at = (i * 13) % blocks.length;
          const block = blocks[at] ?? 0;
          heap.u8[block] = 77;
          const moved = heap.reallocate(block, 1 + ((i * 313) % 2000));
          expect(heap.u8[moved]).toBe(77);
          blocks.splice(at, 1);
          got(moved);
        }
        for (let i = 0; i < 60; ++i) {
          const at = (i * 17) % blocks.length;
          const block = blocks[at] ?? 0;
          heap.u8[block] = 99;
          const minimum = heap.usableSize(block) + 1 + ((i * 91) % 500);
          const more = heap.expand(block, {
            minimum,
            preferred: minimum * 2,
            backward: i % 2 === 0,
            move: i % 3 !== 0,
          });
          if (more === undefined) continue;
          expect(heap.u8[more.address]).toBe(99);
          expect(more.size).toBeGreaterThanOrEqual(minimum);
          blocks.splice(at, 1);
          got(more.address);
        }
        expect(heap.callocAs('f64', 10)?.byteOffset ?? 1).toSatisfy((offset: number) => offset % align === 0);
        expect(new Set(blocks).size).toBe(blocks.length);
        expect(heap.check()).toBeUndefined();
        heap.freeMany(blocks);
        heap.freeAll();
        expectSoundAndEmpty(heap);
      }
    });
  }

  test('of 16, sizes that fit it waste nothing: blocks of 12 bytes stand side by side', async () => {
    const heap = await createHeap({ align: 16 });
    const blocks = Array.from({ length: 1000 }, () => heap.allocate(12));
    expect((blocks.at(-1) ?? 0) - (blocks[0] ?? 0)).toBe(999 * 16);
    heap.freeMany(blocks);
    expectSoundAndEmpty(heap);
  });
});

describe("a caller's buffer", () => {
  for (const make of [(bytes: number) => new ArrayBuffer(bytes), (bytes: number) => new SharedArrayBuffer(bytes)]) {
    test(`of type ${make(0).constructor.name} is what the offsets mean, and only contents are written to it`, async () => {
      const buffer = make(kMiB);
      const all = new Uint8Array(buffer).fill(0x5a);
      const heap = await createHeap({ buffer, start: 5000, end: 900_000 });
      expect(heap.buffer).toBe(buffer);
      expect(() => heap.memory).toThrow(/over a buffer/);
      for (let i = 0; i < 1000; ++i) heap.allocate(100);
      expect(heap.check()).toBeUndefined();
      expect(all.every((byte) => byte === 0x5a)).toBe(true);
      heap.freeAll();
      use(heap);
      expect(all.subarray(0, 5000).every((byte) => byte === 0x5a)).toBe(true);
      expect(all.subarray(900_000).every((byte) => byte === 0x5a)).toBe(true);
      expectSoundAndEmpty(heap);
    });
  }

  test('gives arrays over it, cleared and moved there', async () => {
    const buffer = new ArrayBuffer(100_000);
    const heap = await createHeap({ buffer, align: 16 });
    const floats = heap.callocAs('f32', 100, 1.5);
    if (floats === undefined) throw new Error('no memory');
    expect(floats.buffer).toBe(buffer);
    expect(floats.byteOffset % 16).toBe(0);
    heap.allocate(8); // so that it has to move
    const longer = heap.reallocArray(floats, 3000);
    expect([longer?.length, longer?.[99]]).toEqual([3000, 1.5]);
    const bytes = heap.calloc(1000, 3);
    expect(new Uint8Array(buffer).subarray(bytes, bytes + 3000).every((byte) => byte === 0)).toBe(true);
    expect(heap.deallocate(longer ?? 0)).toBe(true);
    expect(heap.stats().total).toBeGreaterThan(90_000);
    expect(heap.allocate(100_000)).toBe(0);
  });

  test('is wholly usable: what is lost is the heap itself and a word a block', async () => {
    const heap = await createHeap({ buffer: new ArrayBuffer(kMiB) });
    let bytes = 0;
    for (let block = heap.allocate(1020); block !== 0; block = heap.allocate(1020)) bytes += 1020;
    expect(bytes).toBeGreaterThan(kMiB * 0.98);
  });
});

test('a placed heap writes events too, its model walks as it does, and a mark carries its name', async () => {
  const heap = await createHeap({ memory: new WebAssembly.Memory({ initial: 1 }), trace: true });
  heap.mark('level 3: größer');
  use(heap);
  heap.checkpoint();
  const file = decodeTraceFile(heap.trace());
  if (!file.ok) throw new Error(file.error.message);
  const model = new Model(file.value.trace);
  model.history.fold();
  const last = decodeEvent(model.trace, model.trace.count - 1);
  expect(last.kind).toBe(EventKind.checkpoint);
  expect(hashModelWalk(model.head.state, heap.id, kTraceVersion)).toEqual({ hash: last.a, records: last.b });
  const marks = Array.from({ length: 20 }, (_, event) => nameOfMark(model.trace, event)).filter(
    (name) => name !== undefined,
  );
  expect(marks).toEqual(['level 3: größer']);
});

test('a checked heap over a buffer names a double free', async () => {
  const heap = await createHeap({ buffer: new ArrayBuffer(100_000), checked: true });
  const block = heap.allocate(100);
  heap.allocate(16);
  heap.deallocate(block);
  expect(() => heap.deallocate(block)).toThrow(/double free/);
});
