// One heap in shared memory, used by worker threads at once.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { Heap, HeapShare } from '../../../web/src/heap/heap_types.ts';
import { expectSoundAndEmpty } from './ended.ts';

const folder = mkdtempSync(join(tmpdir(), 'heapglass-shared-'));
const script = join(folder, 'shared_worker.mjs'); // Node 20 runs no TypeScript

beforeAll(async () => {
  const source = fileURLToPath(new URL('./shared_worker.ts', import.meta.url));
  await build({
    entryPoints: [source],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Told {
  readonly wrong: number;
  readonly blocks: number[];
}

/** A worker that takes, fills, proves, frees and passes on blocks of the heap; answers with what it left. */
function work(share: HeapShare, rounds: number, byte: number): Promise<Told> {
  const worker = new Worker(script, { workerData: { share, rounds, byte } });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

const holds = (heap: Heap, block: number, byte: number): boolean =>
  heap.u8.subarray(block + 4, block + 20).every((found) => found === byte);

describe('a shared heap', () => {
  test('serves workers at once: every block has one owner, and what one took another frees', async () => {
    const heap = await createHeap({ shared: true, maximum: 256 << 20 });
    const memoryBefore = heap.memory.buffer.byteLength;
    const workers = [1, 2, 3].map((byte) => work(heap.share(), 30_000, byte));
    const told = await Promise.all(workers);
    expect(told.map(({ wrong }) => wrong)).toEqual([0, 0, 0]);
    expect(heap.check()).toBeUndefined();
    expect(heap.memory.buffer.byteLength).toBeGreaterThan(memoryBefore);
    const all = told.flatMap(({ blocks }) => blocks);
    expect(all.length).toBeGreaterThan(1000);
    expect(new Set(all).size).toBe(all.length);
    for (const [i, { blocks }] of told.entries()) {
      expect(blocks.every((block) => holds(heap, block, i + 1))).toBe(true);
      heap.freeMany(blocks);
    }
    expectSoundAndEmpty(heap);
  });

  test('lies in a part of a shared memory of the caller, with its alignment, also for who joins', async () => {
    const memory = new WebAssembly.Memory({ initial: 32, maximum: 64, shared: true });
    new Uint8Array(memory.buffer).fill(0xc3, 0, 100_000);
    const heap = await createHeap({ memory, start: 100_000, end: 1 << 20, align: 64 });
    const { share } = { share: heap.share() };
    const joined = await createHeap({ shared: share });
    const block = joined.allocate(10);
    expect(block % 64).toBe(0);
    expect(joined.id).toBe(heap.id);
    joined.u8[block] = 5;
    expect(heap.u8[block]).toBe(5);
    expect(heap.stats()).toEqual(joined.stats());
    expect(heap.deallocate(block)).toBe(true);
    while (joined.allocate(10_000) !== 0);
    expect(new Uint8Array(memory.buffer, 0, 100_000).every((byte) => byte === 0xc3)).toBe(true);
    expect(new Uint8Array(memory.buffer, 1 << 20).every((byte) => byte === 0)).toBe(true);
    expect(heap.check()).toBeUndefined();
  });

  test('goes on when one who joined has gone, whose seat serves the next; freeAll is refused', async () => {
    const heap = await createHeap({ shared: true });
    const spare = () => heap.stats().total;
    const first = await createHeap({ shared: heap.share() });
    first.destroy();
    const before = spare();
    for (let i = 0; i < 100; ++i) {
      const joined = await createHeap({ shared: heap.share() });
      heap.deallocate(joined.allocate(100));
      joined.destroy();
      expect(() => joined.allocate(1)).toThrow(expect.objectContaining({ code: 'dead' }));
    }
    expect(spare()).toBe(before);
    expect(() => heap.freeAll()).toThrow(/others use it/);
    await expect(createHeap({ shared: heap.share(), align: 32 })).rejects.toThrow(/align is one too many/);
    expectSoundAndEmpty(heap);
  });
});
