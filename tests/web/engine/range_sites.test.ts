// What a stretch of time did by function, against a naive reading of what the test itself did and of the report's own sums.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { ownFrames } from '../../../web/src/base/frames.ts';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import { readSites } from '../../../web/src/report/site_sums.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { makeEngine } from './harness.ts';

const rangeIn = async (file: ArrayBuffer, from: number, to: number) => {
  const { ask } = makeEngine();
  await ask({ type: 'openTrace', name: 'x.hgtrace', file: file.slice(0) }, 'opened');
  return (await ask({ type: 'rangeSites', from: seq(from), to: seq(to), libraries: false }, 'rangeSites')).range;
};

test('blocks made before the stretch count as freed in it and not as allocated, those made in it as kept while they live', async () => {
  const heap = await createHeap({ trace: true });
  const eventsNow = (): number => {
    const read = decodeTraceFile(heap.trace().slice().buffer as ArrayBuffer);
    if (!read.ok) throw new Error(read.error.message);
    return read.value.trace.count;
  };
  const old = heap.allocate(1000);
  heap.reallocate(heap.allocate(50), 80);
  const from = eventsNow();
  heap.deallocate(old);
  heap.deallocate(heap.allocate(300));
  heap.allocate(20);
  const later = heap.allocate(70);
  const to = eventsNow();
  heap.deallocate(later);
  heap.allocate(5000);
  const file = heap.trace().slice().buffer as ArrayBuffer;
  expect(await rangeIn(file, from, to)).toMatchObject({ allocated: 390, freed: 1300, kept: 90, known: false });
});

test('what a block grows by in the stretch counts as allocated, and what it shrinks by as freed', async () => {
  const heap = await createHeap({ trace: true });
  const block = heap.allocate(100);
  const from = heap.eventCount;
  heap.reallocate(heap.reallocate(block, 400), 150);
  const file = heap.trace().slice().buffer as ArrayBuffer;
  expect(await rangeIn(file, from, heap.eventCount)).toMatchObject({ allocated: 300, freed: 250, kept: 0 });
});

test('two stretches that meet have what the whole has, wherever they do', async () => {
  const heap = await createHeap({ trace: true });
  const blocks = [100, 200, 300].map((size) => heap.allocate(size));
  heap.reallocate(heap.reallocate(blocks[0] ?? 0, 400), 150);
  heap.deallocate(blocks[1] ?? 0);
  heap.allocate(30);
  const file = heap.trace().slice().buffer as ArrayBuffer;
  const whole = await rangeIn(file, 0, heap.eventCount);
  expect(whole).toMatchObject({ allocated: 930, freed: 450 });
  for (let middle = 0; middle <= heap.eventCount; ++middle) {
    const [one, other] = [await rangeIn(file, 0, middle), await rangeIn(file, middle, heap.eventCount)];
    expect([middle, one.allocated + other.allocated, one.freed + other.freed]).toEqual([middle, 930, 450]);
  }
});

test("of the whole trace they are the sums that a report has, by the program's own functions", async () => {
  const read = readFileSync(new URL('../../../web/public/traces/words.hgtrace', import.meta.url));
  const file = read.buffer.slice(read.byteOffset, read.byteOffset + read.length) as ArrayBuffer;
  const decoded = decodeTraceFile(file.slice(0));
  if (!decoded.ok) throw new Error(decoded.error.message);
  const sums = new Map<string, { allocated: number; freed: number; kept: number }>();
  for (const { stack, figures } of readSites(decoded.value).sites) {
    const frame = ownFrames(stack)[0] ?? '';
    const sum = sums.get(frame) ?? { allocated: 0, freed: 0, kept: 0 };
    sums.set(frame, {
      allocated: sum.allocated + figures.allocated_bytes,
      freed: sum.freed + figures.freed_bytes,
      kept: sum.kept + figures.live_bytes,
    });
  }
  const range = await rangeIn(file, 0, decoded.value.trace.count);
  expect(range.rows.length).toBeGreaterThan(3);
  for (const { frame, allocated, freed, kept } of range.rows)
    expect({ frame, allocated, freed, kept }).toEqual({ frame, ...sums.get(frame) });
  const order = [...sums.values()]
    .filter(({ allocated, freed }) => allocated + freed > 0)
    .sort((one, two) => two.kept - one.kept || two.allocated - one.allocated)
    .map(({ kept, allocated }) => [kept, allocated]);
  expect(range.rows.map(({ kept, allocated }) => [kept, allocated])).toEqual(order.slice(0, 40));
  // As a flame graph: the roots are all that was kept, and each function's own blocks are those of its row.
  const roots = range.nodes.filter(({ parent }) => parent === 0);
  expect(roots.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(range.kept);
  for (const row of range.rows) {
    const own = range.nodes.filter(({ frame }) => frame === row.frame);
    expect(
      own.reduce((sum, { ownBytes }) => sum + ownBytes, 0),
      row.frame,
    ).toBe(row.kept);
  }
  const halves = [await rangeIn(file, 0, 15_000), await rangeIn(file, 15_000, decoded.value.trace.count)];
  expect(halves.reduce((sum, { allocated }) => sum + allocated, 0)).toBe(range.allocated);
  expect(halves.reduce((sum, { freed }) => sum + freed, 0)).toBe(range.freed);
});
