// heap.snapshot() and createHeap({ from }): another module goes on from there, as if it were the same.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { chromium } from '@playwright/test';
import { build, type Plugin } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { launchOptions } from '../../../tools/find_chromium.mjs';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import { heapFailure, imageOf, snapshotOf } from '../../../web/src/heap/heap_snapshot.ts';
import type { Heap, HeapOptions, Pool, TracedHeap } from '../../../web/src/heap/heap_types.ts';
import { encodeSnapshot } from '../../../web/src/image/snapshot_file.ts';
import { makeReport } from '../../../web/src/report/report.ts';
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

  test('has no pool that was destroyed before', async () => {
    const heap = await createHeap();
    heap.createPool({ nodeSize: 24 })?.destroy();
    const kept = heap.createPool({ nodeSize: 40 });
    expect(heap.pools).toEqual([kept]);
    const restored = await createHeap({ from: heap.snapshot() });
    expect(restored.pools.map((pool) => pool.stats().nodeSize)).toEqual([40]);
    expect(restored.check()).toBeUndefined();
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
    const bytes = heap.snapshot();
    const twin = (await createHeap({ from: bytes, trace: true })) as TracedHeap;
    twin.mark('after');
    twin.deallocate(block);
    twin.checkpoint();
    const report = makeReport(traceOf(twin), { name: 'restored' });
    expect(report.notices).toEqual([]);
    expect(report.trace.proof).toMatchObject({ equal: true });
    const marksOf = (traced: TracedHeap): string[] =>
      makeReport(traceOf(traced), { name: '' }).marks.list.map(({ name }) => name);
    const size = new RegExp(`of ${(bytes.length / 1024).toFixed(1)}[0-9]* KiB$`);
    expect(marksOf(heap)).toEqual(['before', expect.stringMatching(/^snapshot /)]);
    expect(marksOf(twin)).toEqual(['before', expect.stringMatching(/^restored from a snapshot /), 'after']);
    for (const traced of [heap, twin]) expect(marksOf(traced)[1]).toMatch(size);
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

test('what a fresh instance holds and the snapshot does not is cleared, and nothing else is written', () => {
  const memory = new WebAssembly.Memory({ initial: 2 });
  new Uint8Array(memory.buffer).fill(9, 4096, 12_000);
  const given = {
    of: 'heap',
    profile: 'release',
    mark: 1,
    align: 8,
    end: 200_000,
    handles: [{ heap: 1024, pools: [] }],
    asked: 0,
  } as const;
  const bytes = encodeSnapshot(
    given,
    [8192, 4096, 196_608, 3392],
    new Uint32Array(0),
    (place) => place.fill(5),
    heapFailure,
  );
  expect(imageOf(snapshotOf(bytes)).write(memory)).toBe(200_000);
  const written = new Uint8Array(memory.buffer);
  expect(written.length).toBe(4 * 65_536);
  expect(
    Array.from([4096, 8191, 8192, 12_287, 12_288, 196_607, 196_608, 199_999, 200_000], (at) => written[at]),
  ).toEqual([0, 0, 5, 5, 0, 0, 5, 5, 0]);
});

test('a page goes on with the snapshot of another page', async () => {
  const source = `import { createHeap } from './plain_heap.ts'; import { furtherCalls } from './further_calls.ts';
    Object.assign(globalThis, { createHeap, furtherCalls });`;
  const plugin: Plugin = {
    name: 'places',
    setup: (of) =>
      of.onResolve({ filter: /^\.\/(plain_heap|further_calls)\.ts$/ }, ({ path }) => ({
        path: fileURLToPath(
          new URL(path.includes('plain') ? '../../../web/src/heap/plain_heap.ts' : path, import.meta.url),
        ),
      })),
  };
  const built = await build({
    stdin: { contents: source, resolveDir: folder },
    plugins: [plugin],
    bundle: true,
    write: false,
    format: 'iife',
    define: { 'import.meta.url': '"http://localhost/"' },
  });
  const script = { content: built.outputFiles[0]?.text ?? '' };
  const wasm = readFileSync(artefactUrl('release')).toString('base64');
  const browser = await chromium.launch(launchOptions());
  const inPage = async <R>(act: string, given: object): Promise<R> => {
    const page = await browser.newPage();
    await page.addScriptTag(script);
    const found =
      await page.evaluate(`(async (given) => { const wasm = Uint8Array.from(atob(given.wasm), (each) => each.charCodeAt(0));
      ${act} })(${JSON.stringify({ ...given, wasm })})`);
    await page.close();
    return found as R;
  };
  try {
    const { bytes, blocks, expected } = await inPage<{ bytes: number[]; blocks: number[]; expected: unknown }>(
      `const heap = await createHeap({ wasm });
       const blocks = Array.from({ length: 300 }, (_, i) => heap.allocate(10 + ((i * 37) % 3000)));
       blocks.forEach((block, i) => heap.u8.fill(i, block, block + heap.usableSize(block)));
       const bytes = Array.from(heap.snapshot());
       return { bytes, blocks, expected: furtherCalls(heap, blocks) };`,
      {},
    );
    const act = 'return furtherCalls(await createHeap({ from: Uint8Array.from(given.bytes), wasm }), given.blocks);';
    expect(await inPage(act, { bytes, blocks })).toEqual(expected);
    const here = await createHeap({ from: Uint8Array.from(bytes) }); // and so does Node
    expect(furtherCalls(here, blocks)).toEqual(expected);
  } finally {
    await browser.close();
  }
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
  test('leaves out what is free in small pieces, and what lies around it goes on as it was', async () => {
    const heap = await createHeap();
    const blocks = Array.from({ length: 40_000 }, (_, i) => heap.allocate(100 + (i % 100)));
    for (const block of blocks) heap.u8.fill(1, block, block + heap.usableSize(block));
    heap.freeMany(blocks.filter((_, i) => i % 2 === 0));
    const kept = blocks.filter((_, i) => i % 2 === 1);
    const bytes = heap.snapshot();
    expect(bytes.length / heap.stats().inUse).toBeLessThan(1.2); // a free chunk has 16 bytes of its own, and a run 4
    const twin = await createHeap({ from: bytes });
    for (const block of kept) {
      const end = block + twin.usableSize(block);
      expect(twin.u8.subarray(block, end).every((byte) => byte === 1)).toBe(true);
    }
    const again = Array.from({ length: 30_000 }, (_, i) => [
      heap.allocate(50 + (i % 90)),
      twin.allocate(50 + (i % 90)),
    ]);
    expect(again.every(([one, other]) => one === other)).toBe(true);
    twin.freeMany(kept);
    twin.freeMany(again.map(([, block = 0]) => block));
    expectSoundAndEmpty(twin);
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
