// What a frame says could go back is what the real heap says.

import { expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { WasmHeap } from '../../../web/src/heap/heap.ts';
import type { TracedHeap } from '../../../web/src/heap/heap_types.ts';
import { makeEngine } from './harness.ts';

const kWasmPage = 65_536;

test('whole free pages of 64 KiB at any moment, of all heaps together', async () => {
  const heap = (await createHeap({ trace: true })) as TracedHeap & WasmHeap;
  const heaps = [heap, heap.createHeap() as typeof heap];
  const real: { event: number; returnable: number }[] = [];
  const note = (): void => {
    const sum = (all: number, each: WasmHeap) =>
      all + heap.module.functions.hg_heap_returnable(each.address, kWasmPage);
    real.push({ event: heap.eventCount, returnable: heaps.reduce(sum, 0) });
  };
  for (const each of heaps) {
    note();
    const blocks = Array.from({ length: 60 }, (_, i) => each.allocate(10_000 + i * 7919));
    note();
    for (const [i, block] of blocks.entries()) if (i % 3 !== 0) each.deallocate(block);
    note();
    for (let i = 0; i < 40; ++i) each.allocate(30_000);
    note();
  }
  const { ask, frame } = makeEngine();
  await ask({ type: 'openTrace', name: 'two', file: heap.trace().buffer }, 'opened');
  const shown: typeof real = [];
  for (const { event } of real) {
    const { status } = await frame({ at: { to: 'seq', seq: seq(event) } });
    shown.push({ event, returnable: status.returnable });
    expect(status.returnable).toBeLessThanOrEqual(status.footprint);
  }
  expect(shown).toEqual(real);
  expect(new Set(real.map(({ returnable }) => returnable)).size).toBeGreaterThan(4);
});
