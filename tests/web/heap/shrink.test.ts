// heap.shrink(): a smaller memory, and nothing else changes.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { Heap, HeapOptions, TracedHeap } from '../../../web/src/heap/heap_types.ts';
import { History } from '../../../web/src/model/time/history.ts';
import { explainOperation } from '../../../web/src/model/words/explain.ts';
import { makeReport } from '../../../web/src/report/report.ts';
import { traceOf } from '../report/counted_heap.ts';
import { expectSoundAndEmpty } from './ended.ts';
import { fill, lulled, proves } from './lulled.ts';

const kMiB = 1 << 20;
afterEach(() => vi.restoreAllMocks());

describe('a heap that shrinks', () => {
  test.each<[string, HeapOptions]>([
    ['its own memory', {}],
    ['with events', { trace: true }],
    ['checked', { checked: true }],
    ['placed', { initial: kMiB, maximum: 256 * kMiB }],
    ['placed and checked', { initial: kMiB, checked: true }],
    ['aligned', { align: 64 }],
  ])('has less memory, and each block at its address: %s', async (_, options) => {
    const { heap, isSame, end } = await lulled(options);
    const [before, memory] = [heap.buffer.byteLength, heap.memory];
    const shrunk = await heap.shrink();
    expect(shrunk.before).toBe(before);
    expect(shrunk.after).toBe(heap.buffer.byteLength);
    expect(heap.buffer.byteLength).toBeLessThan(before * 0.6);
    expect(heap.memory).not.toBe(memory);
    if (!options.checked) expect(shrunk.copied).toBeLessThan(4 * kMiB);
    expect(isSame()).toBe(true);
    expect(heap.check()).toBeUndefined();
    const more = Array.from({ length: 300 }, () => heap.allocate(50_000));
    for (const [i, block] of more.entries()) fill(heap, block, 50_000, i);
    expect(isSame()).toBe(true);
    expect(heap.check()).toBeUndefined();
    heap.freeMany(more);
    await heap.shrink();
    expect(heap.buffer.byteLength).toBeLessThanOrEqual(shrunk.after);
    end();
  });

  test('writes a mark into a trace that reads to its end, in which the heap is as it was', async () => {
    const { heap, end } = await lulled({ trace: true });
    const traced = heap as TracedHeap;
    const { before, after } = await heap.shrink();
    heap.deallocate(heap.allocate(5 * kMiB));
    traced.checkpoint();
    const { returnable, total, footprint } = heap.stats();
    const spare = total - footprint;
    const report = makeReport(traceOf(traced), { name: 'shrunk' });
    expect(report.notices).toEqual([]);
    expect(report.trace.proof).toMatchObject({ equal: true });
    const inMiB = (bytes: number): string => (bytes / kMiB).toFixed(1);
    expect(report.marks.list).toMatchObject([{ name: `shrunk from ${inMiB(before)} to ${inMiB(after)} MiB` }]);
    expect(report.returnable.end_bytes).toBe(returnable - (spare - (spare % 4096)));
    expect(report.returnable.most_bytes).toBeGreaterThan(report.returnable.end_bytes);
    end();
  });

  test('lets the footprint fall at its mark, on the time line', async () => {
    const { heap, end } = await lulled({ trace: true });
    const traced = heap as TracedHeap;
    const { footprint } = heap.stats();
    const before = traced.eventCount;
    const memory = heap.buffer.byteLength;
    await heap.shrink();
    expect(heap.buffer.byteLength).toBeLessThan(memory);
    const history = new History(traceOf(traced).trace);
    history.fold();
    expect(history.footprint.at(before)).toBe(footprint);
    expect(history.footprint.at(history.head.seq)).toBe(heap.stats().footprint);
    expect(heap.stats().footprint).toBeLessThan(footprint / 1.5);
    expect(history.memoryBytes.at(before)).toBe(memory);
    expect(history.memoryBytes.at(history.marks.at(0))).toBe(heap.buffer.byteLength);
    expect(history.memoryBytes.at(history.head.seq)).toBe(heap.buffer.byteLength);
    expect(history.marks.count).toBe(1);
    const { title, prose } = explainOperation(history, history.marks.at(0) + 1) ?? {};
    expect(title).toMatch(/^mark: shrunk from [\d.]+ to [\d.]+ MiB$/);
    expect(prose?.[0]?.text).toMatch(/names this moment/);
    end();
  });

  test('says before what could go back, and nothing more can after', async () => {
    const { heap, end } = await lulled({});
    const { returnable, returnablePages, available } = heap.stats();
    expect(returnable).toBeLessThanOrEqual(available);
    expect(returnable).toBeGreaterThan(60 * kMiB);
    const { before, copied } = await heap.shrink();
    expect(copied).toBeLessThanOrEqual(before - returnable);
    expect(returnablePages).toBeGreaterThan(900);
    end();
  });

  test('leaves arrays of the old memory without elements, and refresh gives them again', async () => {
    const heap = await createHeap();
    const array = heap.mallocAs('f32', 1000) as Float32Array;
    array.fill(1.5);
    const { u8 } = heap;
    await heap.shrink();
    expect(array.length).toBe(0);
    expect(u8.length).toBe(0);
    const again = heap.refresh(array);
    expect(again.length).toBe(1000);
    expect(again.every((each) => each === 1.5)).toBe(true);
    expect(heap.deallocate(again)).toBe(true);
    expectSoundAndEmpty(heap);
  });

  test('lets the old memory be collected, also after a proof of an address', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { heap, end } = await lulled({});
    const old = new WeakRef(heap.memory);
    await heap.shrink();
    for (let turn = 0; turn < 3; ++turn) {
      await new Promise((resolve) => setTimeout(resolve));
      collect();
    }
    expect(old.deref()).toBeUndefined();
    end();
  });

  test('takes the other heaps and the pools of its module along', async () => {
    const { heap, isSame, end } = await lulled({});
    const other = heap.createHeap() as Heap;
    const pool = heap.createPool({ nodeSize: 24 });
    const memoryPool = heap.createMemoryPool({ fixedSize: 32 });
    const nodes = pool?.allocateMany(1000) ?? new Uint32Array(0);
    for (const [i, node] of nodes.entries()) heap.u32[node >>> 2] = i;
    const [fixed, block] = [memoryPool?.allocateFixed() ?? 0, other.allocate(300_000)];
    heap.u32[fixed >>> 2] = 77;
    fill(other, block, 300_000, 5);
    await other.shrink();
    expect(isSame()).toBe(true);
    expect(nodes.every((node, i) => heap.u32[node >>> 2] === i)).toBe(true);
    expect(heap.u32[fixed >>> 2]).toBe(77);
    expect(proves(other, block, 300_000, 5)).toBe(true);
    for (const each of [heap, other]) expect(each.check()).toBeUndefined();
    pool?.freeMany(nodes);
    expect(pool?.allocate()).not.toBe(0);
    memoryPool?.deallocateFixed(fixed);
    memoryPool?.destroy();
    other.destroy();
    pool?.destroy();
    end();
  });
});

describe('10,000 random calls', () => {
  test.each<[string, HeapOptions]>([
    ['release', {}],
    ['trace', { trace: true }],
    ['checked', { checked: true }],
    ['placed', { initial: kMiB }],
  ])('give the same addresses and contents with shrinks at random moments: %s', async (_, options) => {
    const shrinks = (at: number): boolean => at % 997 === 331;
    const [with_, without] = [await randomCalls(options, shrinks), await randomCalls(options, () => false)];
    expect(with_.contents).toEqual(without.contents);
    expect(with_.shrunk).toBe(10);
  });
});

/** Runs calls from one seed. Trimming is a call of both runs: a shrink trims. */
async function randomCalls(options: HeapOptions, shrinks: (at: number) => boolean) {
  const heap = await createHeap(options);
  let state = 12_345;
  const random = (n: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % n;
  };
  const blocks: { address: number; size: number; seed: number }[] = [];
  const contents: number[] = [];
  let shrunk = 0;
  const sizeOf = (): number => [random(64), random(2000), random(100_000)][random(3)] ?? 0;
  for (let at = 0; at < 10_000; ++at) {
    const grows = Math.floor(at / 2000) % 2 === 0;
    const one = blocks[random(Math.max(1, blocks.length))];
    if (one === undefined || random(10) < (grows ? 6 : 3)) {
      const block = { address: 0, size: sizeOf() + 1, seed: at & 0xff };
      block.address = heap.allocate(block.size);
      fill(heap, block.address, block.size, block.seed);
      blocks.push(block);
      contents.push(block.address);
    } else if (random(4) === 0) {
      const size = sizeOf() + 1;
      one.address = heap.reallocate(one.address, size);
      one.size = Math.min(one.size, size);
      contents.push(one.address);
    } else {
      contents.push(proves(heap, one.address, one.size, one.seed) ? 1 : 0);
      heap.deallocate(one.address);
      blocks.splice(blocks.indexOf(one), 1);
    }
    if (at % 997 !== 331) continue;
    if (shrinks(at)) await heap.shrink();
    else heap.trim();
    shrunk += shrinks(at) ? 1 : 0;
    expect(heap.check()).toBeUndefined();
  }
  for (const { address, size, seed } of blocks) {
    contents.push(proves(heap, address, size, seed) ? 1 : 0);
    heap.deallocate(address);
  }
  expectSoundAndEmpty(heap);
  expect(contents).not.toContain(0);
  return { contents, shrunk };
}

describe('a heap that cannot shrink says why', () => {
  test.each<[RegExp, HeapOptions]>([
    [/the heap is shared/, { shared: true, maximum: 16 * kMiB }],
    [/the memory is yours/, { memory: new WebAssembly.Memory({ initial: 4 }) }],
    [/the buffer is yours/, { buffer: new ArrayBuffer(kMiB) }],
  ])('%s', async (message, options) => {
    const heap = await createHeap(options);
    const block = heap.allocate(100);
    await expect(heap.shrink()).rejects.toMatchObject({
      code: 'bad_argument',
      message: expect.stringMatching(message),
    });
    heap.deallocate(block);
    heap.destroy();
  });

  test('a heap that was destroyed, before and meanwhile', async () => {
    const heap = await createHeap();
    const shrinking = heap.shrink();
    heap.destroy();
    await expect(shrinking).rejects.toMatchObject({ code: 'dead' });
    await expect(heap.shrink()).rejects.toMatchObject({ code: 'dead' });
  });
});

describe('where a step fails, the heap goes on in its old memory', () => {
  const refused = () => {
    throw new RangeError('refused');
  };
  const { set } = Uint8Array.prototype;
  // Others copy bytes meanwhile, the test runner for one.
  const refusedIfLarge = function (this: Uint8Array, from: ArrayLike<number>, at?: number): void {
    if (this.buffer.byteLength >= kMiB) refused();
    set.call(this, from, at);
  };
  test.each<[string, () => void]>([
    ['no instance', () => vi.spyOn(WebAssembly, 'instantiate').mockRejectedValueOnce(new RangeError('no memory'))],
    ['no growth', () => vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementationOnce(refused)],
    ['no copy', () => vi.spyOn(Uint8Array.prototype, 'set').mockImplementation(refusedIfLarge)],
  ])('%s', async (_, fail) => {
    const { heap, isSame, end } = await lulled({});
    const { buffer } = heap;
    fail();
    await expect(heap.shrink()).rejects.toThrow();
    vi.restoreAllMocks();
    expect(heap.buffer).toBe(buffer);
    expect(isSame()).toBe(true);
    const more = heap.allocate(10 * kMiB);
    expect(more).not.toBe(0);
    heap.deallocate(more);
    expect(heap.check()).toBeUndefined();
    expect((await heap.shrink()).after).toBeLessThan(buffer.byteLength || Infinity);
    expect(isSame()).toBe(true);
    end();
  });
});
