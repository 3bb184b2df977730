// heap.snapshot() and createHeap({ from }): another module goes on from there, as if it were the same.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { Heap, HeapOptions, Pool, TracedHeap } from '../../../web/src/heap/heap_types.ts';
import { createHeap as createPlainHeap } from '../../../web/src/heap/plain_heap.ts';
import { encodeSnapshot } from '../../../web/src/heap/snapshot_file.ts';
import { makeReport } from '../../../web/src/report/report.ts';
import { crc32OfWords } from '../../../web/src/trace/crc32.ts';
import { artefactUrl } from '../../../web/src/wasm/heap_artefacts.ts';
import { traceOf } from '../report/counted_heap.ts';
import { expectSoundAndEmpty } from './ended.ts';
import { furtherCalls } from './further_calls.ts';
import { kSound, RandomCalls } from './random_calls.ts';

const kMiB = 1 << 20;
const folder = mkdtempSync(join(tmpdir(), 'heapglass-snapshot-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kProfiles: [string, HeapOptions][] = [
  ['release', {}],
  ['trace', { trace: true }],
  ['checked', { checked: true }],
  ['placed', { initial: kMiB, maximum: 256 * kMiB }],
  ['placed, trace', { initial: kMiB, trace: true }],
  ['placed, checked', { initial: kMiB, checked: true }],
  ['aligned', { align: 64 }],
];

describe('a restored heap', () => {
  test.each(kProfiles)('and the original go on equally for 10,000 random calls: %s', async (_, options) => {
    const calls = new RandomCalls(await createHeap(options), 77);
    calls.run(3000);
    const bytes = calls.heap.snapshot();
    const twin = calls.on(await createHeap({ from: bytes }));
    expect(twin.heap.check()).toBeUndefined();
    expect(twin.heap.stats()).toMatchObject({ inUse: calls.heap.stats().inUse, freeBytes: expect.any(Number) });
    const results = calls.run(10_000);
    expect(twin.run(10_000)).toEqual(results);
    expect(results).not.toContain(0);
    expect([calls.end(), twin.end()]).toEqual([kSound, kSound]);
  });

  test('a snapshot changes nothing: a heap with and one without give the same addresses', async () => {
    const [one, other] = [new RandomCalls(await createHeap(), 5), new RandomCalls(await createHeap(), 5)];
    for (let part = 0; part < 10; ++part) {
      expect(one.run(1000)).toEqual(other.run(1000));
      one.heap.snapshot();
    }
    expect([one.end(), other.end()]).toEqual([kSound, kSound]);
  });

  test('a snapshot of a restored heap has the same bytes', async () => {
    const calls = new RandomCalls(await createHeap(), 9);
    calls.run(2000);
    const bytes = calls.heap.snapshot();
    const again = (await createHeap({ from: bytes })).snapshot();
    expect(again.length).toBe(bytes.length);
    expect(Buffer.compare(again, bytes)).toBe(0);
    expect(calls.end()).toEqual(kSound);
  });

  test('has the heaps, memory pools and pools of the module, in their order', async () => {
    const heap = await createHeap();
    const other = heap.createHeap() as Heap;
    const fixed = heap.createMemoryPool({ fixedSize: 32 });
    const pools = [heap.createPool({ nodeSize: 24 }), other.createPool({ nodeSize: 100, shape: 'segregated' })];
    const [node, block, cell] = [pools[1]?.allocate() ?? 0, other.allocate(70_000), fixed?.allocateFixed() ?? 0];
    for (const address of [node, block, cell]) heap.u8[address] = 42;
    const twin = await createHeap({ from: other.snapshot() });
    const [first, second] = twin.heaps as [Heap, Heap];
    expect(second).toBe(twin);
    expect([first.id, second.id]).toEqual([heap.id, other.id]);
    expect([first.pools[0]?.id, second.pools[0]?.id]).toEqual(pools.map((pool) => pool?.id));
    expect([node, block, cell].map((address) => twin.u8[address])).toEqual([42, 42, 42]);
    const [again] = twin.memoryPools;
    expect(again?.deallocateFixed(cell)).toBe(true);
    expect(again?.allocateFixed()).toBe(cell);
    expect((second.pools[0] as Pool).deallocate(node)).toBe(true);
    expect(second.deallocate(block)).toBe(true);
    for (const pool of [...first.pools, ...second.pools]) pool.destroy();
    again?.destroy();
    expectSoundAndEmpty(second);
    expectSoundAndEmpty(first);
  });

  test('takes its trace along, which reads to its end', async () => {
    const heap = (await createHeap({ trace: true })) as TracedHeap;
    const block = heap.allocate(1000);
    heap.mark('before');
    const twin = (await createHeap({ from: heap.snapshot(), trace: true })) as TracedHeap;
    expect(twin.eventCount).toBe(heap.eventCount);
    twin.mark('after');
    twin.deallocate(block);
    twin.checkpoint();
    const report = makeReport(traceOf(twin), { name: 'restored' });
    expect(report.notices).toEqual([]);
    expect(report.trace.proof).toMatchObject({ equal: true });
    expect(report.marks.list.map(({ name }) => name)).toEqual(['before', 'after']);
    expectSoundAndEmpty(twin);
  });

  test('can shrink, and be a snapshot again', async () => {
    const calls = new RandomCalls(await createHeap(), 31);
    calls.run(2000);
    const twin = calls.on(await createHeap({ from: calls.heap.snapshot() }));
    twin.run(1000);
    await twin.heap.shrink();
    const third = twin.on(await createHeap({ from: twin.heap.snapshot() }));
    expect(third.run(2000)).toEqual(twin.run(2000));
    expect([third.end(), twin.end(), calls.end()]).toEqual([kSound, kSound, kSound]);
  });

  test('goes on in a worker and in another process', async () => {
    const script = join(folder, 'restored_elsewhere.mjs'); // Node 20 runs no TypeScript
    await build({
      entryPoints: [fileURLToPath(new URL('./restored_elsewhere.ts', import.meta.url))],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
      logLevel: 'silent',
    });
    const heap = await createHeap();
    const blocks = Array.from({ length: 2000 }, (_, i) => heap.allocate(10 + ((i * 37) % 3000)));
    for (const [i, block] of blocks.entries()) heap.u8.fill(i, block, block + heap.usableSize(block));
    const path = join(folder, 'heap.snapshot');
    writeFileSync(path, heap.snapshot());
    const given = { path, wasm: artefactUrl('release').href, blocks };
    const expected = furtherCalls(heap, blocks);
    const worker = new Worker(script, { workerData: given });
    const answer = await new Promise<string>((resolve, reject) => worker.on('message', resolve).on('error', reject));
    await worker.terminate();
    expect(JSON.parse(answer)).toEqual(expected);
    const printed = execFileSync(process.execPath, [script, JSON.stringify(given)], { encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual(expected);
  });
});

describe('the size of a snapshot', () => {
  test('is about what lives, also where that lies in pieces all over the memory', async () => {
    const heap = await createHeap();
    const blocks = Array.from({ length: 1000 }, () => heap.allocate(64_000));
    for (const block of blocks) heap.u8.fill(1, block, block + 64_000);
    for (const [i, block] of blocks.entries()) if (i % 8 !== 0) heap.deallocate(block);
    const live = heap.stats().inUse;
    expect(heap.snapshot().length / live).toBeLessThan(1.1); // at each block two pages in parts
    expect(heap.buffer.byteLength / live).toBeGreaterThan(7);
    for (const [i, block] of blocks.entries()) if (i % 8 === 0) heap.deallocate(block);
    expect(heap.snapshot().length).toBeLessThan(300_000);
    expectSoundAndEmpty(heap);
  });
  test('of dense data is at most 1.02 of it', async () => {
    const heap = await createHeap();
    const blocks = Array.from({ length: 40_000 }, (_, i) => heap.allocate(100 + (i % 900)));
    for (const block of blocks) heap.u8.fill(1, block, block + heap.usableSize(block));
    expect(heap.snapshot().length / heap.stats().inUse).toBeLessThan(1.02);
    heap.freeMany(blocks);
    expectSoundAndEmpty(heap);
  });
});

describe('bytes that are refused say why, and nothing is made', () => {
  const change = (bytes: Uint8Array, at: number, by = 1): Uint8Array => {
    const changed = bytes.slice();
    changed[at] = (changed[at] ?? 0) + by;
    return changed;
  };
  /** With its checksum made right again. */
  const sealed = (bytes: Uint8Array): Uint8Array => {
    const words = new Uint32Array(bytes.slice().buffer);
    words[words.length - 1] = crc32OfWords(words.subarray(0, -1));
    return new Uint8Array(words.buffer);
  };
  const described = (bytes: Uint8Array, change: (description: Record<string, unknown>) => void): Uint8Array => {
    const words = new Uint32Array(bytes.slice().buffer);
    const [textBytes = 0, runs = 0] = words.subarray(4);
    const description = JSON.parse(new TextDecoder().decode(bytes.slice(28, 28 + textBytes)));
    change(description);
    const at = 7 + Math.ceil(textBytes / 4);
    const contents = bytes.subarray(4 * (at + 2 * runs), -4);
    return encodeSnapshot(description, words.subarray(at, at + 2 * runs), new Uint32Array(0), (place) => {
      place.set(contents);
    });
  };
  test.each<[string, RegExp, (bytes: Uint8Array) => Uint8Array]>([
    ['empty', /no snapshot/, () => new Uint8Array(0)],
    ['something else', /no snapshot/, () => new TextEncoder().encode('a text of some length that is no snapshot')],
    ['another version', /has version 2, and this heapglass reads version 1/, (bytes) => sealed(change(bytes, 4))],
    ['cut off in its head', /cut off/, (bytes) => bytes.subarray(0, 20)],
    ['cut off', /cut off: it has \d+ of \d+ bytes/, (bytes) => bytes.subarray(0, -1000)],
    ['too long', /has \d+ bytes, and \d+ were given/, (bytes) => Uint8Array.from([...bytes, 0])],
    ['a flipped bit', /damaged: its checksum/, (bytes) => change(bytes, bytes.length >>> 1)],
    ['a wrong checksum', /damaged: its checksum/, (bytes) => change(bytes, bytes.length - 1)],
    ['parts that do not fill it', /parts do not fill it/, (bytes) => sealed(change(bytes, 20))],
    ['another build', /another build/, (bytes) => described(bytes, (each) => Object.assign(each, { mark: 1 }))],
    ['another profile', /profile/, (bytes) => described(bytes, (each) => Object.assign(each, { profile: 'shared' }))],
    [
      'data of another profile',
      /another build/,
      (bytes) => described(bytes, (each) => Object.assign(each, { profile: 'checked' })),
    ],
  ])('%s', async (_, message, spoil) => {
    const heap = await createHeap();
    heap.u8.fill(3, heap.allocate(5000), 4000);
    const bytes = heap.snapshot();
    await expect(createHeap({ from: spoil(bytes) })).rejects.toMatchObject({
      name: 'HeapError',
      code: 'bad_snapshot',
      message: expect.stringMatching(message),
    });
    expect((await createHeap({ from: bytes })).check()).toBeUndefined();
  });

  test('every byte of a small one, flipped', async () => {
    const bytes = (await createHeap()).snapshot();
    for (let at = 0; at < bytes.length; at += 499) {
      await expect(createHeap({ from: change(bytes, at, 0x80) })).rejects.toMatchObject({ code: 'bad_snapshot' });
    }
  });

  test("the profile of another entry, and options that are not the snapshot's", async () => {
    const traced = (await createHeap({ trace: true })).snapshot();
    const refused = (message: RegExp) => ({ code: 'bad_snapshot', message: expect.stringMatching(message) });
    await expect(createPlainHeap({ from: traced })).rejects.toMatchObject(refused(/profile trace/));
    await expect(createHeap({ from: traced, trace: false })).rejects.toMatchObject(refused(/trace true/));
    await expect(createHeap({ from: traced, align: 64 })).rejects.toMatchObject(refused(/align 8/));
    await expect(createHeap({ from: traced, shared: true })).rejects.toMatchObject({ code: 'bad_argument' });
    await expect(createHeap({ from: 'bytes' as never })).rejects.toMatchObject({ code: 'bad_argument' });
    const unaligned = new Uint8Array(traced.length + 1);
    unaligned.set(traced, 1);
    expect((await createHeap({ from: unaligned.subarray(1) })).check()).toBeUndefined();
  });

  test.each<[RegExp, HeapOptions]>([
    [/the heap is shared/, { shared: true, maximum: 16 * kMiB }],
    [/the memory is yours/, { memory: new WebAssembly.Memory({ initial: 4 }) }],
    [/the buffer is yours/, { buffer: new ArrayBuffer(kMiB) }],
  ])('a heap without a snapshot: %s', async (message, options) => {
    const heap = await createHeap(options);
    const why = expect.objectContaining({ code: 'bad_argument', message: expect.stringMatching(message) });
    expect(() => heap.snapshot()).toThrow(why);
    expect(() => heap.checkpoint()).toThrow(why);
    heap.destroy();
    expect(() => heap.snapshot()).toThrow(expect.objectContaining({ code: 'dead' }));
  });
});
