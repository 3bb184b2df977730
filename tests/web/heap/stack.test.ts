// The stack of a placed module is small (place.ts): no call may need more than half of it.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import { kStackBytes, needsOf } from '../../../web/src/heap/place.ts';
import { artefactUrl } from '../../../web/src/wasm/heap_artefacts.ts';

const kStart = 65_536;
const kPaint = 0xa5;

test.each(['placed', 'placed-trace', 'placed-checked'] as const)(
  '%s uses less than half of its stack',
  async (variant) => {
    const memory = new WebAssembly.Memory({ initial: 64 });
    const { dataBytes } = needsOf(new WebAssembly.Module(readFileSync(artefactUrl(variant))));
    const checked = variant === 'placed-checked';
    const heap = await createHeap({ memory, start: kStart, trace: variant === 'placed-trace', checked });
    const bottom = kStart + Math.ceil(dataBytes / 16) * 16;
    const stack = () => new Uint8Array(memory.buffer, bottom, kStackBytes);
    stack().fill(kPaint, 0, kStackBytes - 256); // what runs is not painted over
    const blocks = Array.from({ length: 200 }, (_, i) => heap.allocate(1 + i * 37));
    blocks.push(...(heap.allocateMany(24, 500) ?? []), ...(heap.allocateIndependent([1, 20, 3000]) ?? []));
    for (let i = 0; i < 100; ++i) heap.expand(blocks[i] ?? 0, { minimum: 100, preferred: 9000, backward: true });
    for (let i = 0; i < 100; ++i) blocks[i] = heap.reallocate(heap.allocateAligned(4096, 100), 8000);
    for (const shape of ['adaptive', 'aligned_only', 'segregated'] as const) {
      const pool = heap.createPool({ nodeSize: 24, shape });
      pool?.freeMany(pool.allocateMany(1000) ?? []);
      pool?.stats();
    }
    const memoryPool = heap.createMemoryPool({ fixedSize: 64 });
    for (let i = 0; i < 1000; ++i) memoryPool?.allocateFixed();
    expect(memoryPool?.check()).toBeUndefined();
    memoryPool?.destroy();
    if (variant === 'placed-trace') heap.checkpoint();
    expect(heap.check()).toBeUndefined();
    expect([heap.stats().segments, heap.trim()].length).toBe(2);
    heap.u8.fill(0xff, blocks.at(-1), (blocks.at(-1) ?? 0) + 4000);
    if (checked) expect(() => heap.deallocate(blocks.at(-1) ?? 0)).toThrow(/damaged/);
    else expect(heap.check()).toBeDefined();
    const untouched = stack().findIndex((byte) => byte !== kPaint);
    expect(stack().some((byte) => byte === kPaint)).toBe(true);
    expect(kStackBytes - untouched).toBeLessThan(kStackBytes / 2);
  },
);
