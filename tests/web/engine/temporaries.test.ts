// Temporaries, counted here by hand from what the test itself did.

import { expect, test } from 'vitest';
import { bytes } from '../../../web/src/base/brand.ts';
import { ownFrames } from '../../../web/src/base/frames.ts';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import { makeReport } from '../../../web/src/report/report.ts';
import { readSites } from '../../../web/src/report/site_sums.ts';
import { decodeTraceFile, encodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { withSites } from '../model/sited_trace.ts';
import { makeEngine } from './harness.ts';

/** 5 of 100 bytes are freed at once; 1 of 40 outlives 3 of 20, which live on; 2 of 60 live on. */
async function recorded(): Promise<ArrayBuffer> {
  const heap = await createHeap({ trace: true });
  for (let nth = 0; nth < 5; ++nth) heap.deallocate(heap.allocate(100));
  const longer = heap.allocate(40);
  for (let nth = 0; nth < 3; ++nth) heap.allocate(20);
  heap.deallocate(longer);
  heap.allocate(60);
  heap.allocate(60);
  return heap.trace().slice().buffer as ArrayBuffer;
}

const countIn = async (file: ArrayBuffer, within: number) => {
  const { ask } = makeEngine();
  await ask({ type: 'openTrace', name: 'x.hgtrace', file: file.slice(0) }, 'opened');
  return (await ask({ type: 'temporaries', within }, 'temporaries')).temporaries;
};

test('a block freed before k more allocations is counted, by size; one freed behind the k-th is not', async () => {
  const file = await recorded();
  expect(await countIn(file, 1)).toMatchObject({
    count: 5,
    bytes: 500,
    share: 5 / 11,
    known: false,
    bySite: [],
    bySize: [{ size: 100, count: 5 }],
  });
  expect((await countIn(file, 3)).count).toBe(5);
  expect((await countIn(file, 4)).bySize).toEqual([
    { size: 100, count: 5 },
    { size: 40, count: 1 },
  ]);
});

test('of another trace, and of another distance, they are counted anew', async () => {
  const { ask } = makeEngine();
  const heap = await createHeap({ trace: true });
  for (let nth = 0; nth < 3; ++nth) heap.deallocate(heap.allocate(500));
  const count = async (within: number) => (await ask({ type: 'temporaries', within }, 'temporaries')).temporaries.count;
  await ask({ type: 'openTrace', name: 'one', file: await recorded() }, 'opened');
  expect([await count(1), await count(4), await count(1)]).toEqual([5, 6, 5]);
  await ask({ type: 'openTrace', name: 'other', file: heap.trace().slice().buffer as ArrayBuffer }, 'opened');
  expect(await count(1)).toBe(3);
});

test('temporaries are those of the report, and by call when the trace has sites', async () => {
  const { readFileSync } = await import('node:fs');
  const read = readFileSync(new URL('../../../web/public/traces/words.hgtrace', import.meta.url));
  const decoded = decodeTraceFile(read.buffer.slice(read.byteOffset, read.byteOffset + read.length));
  if (!decoded.ok) throw new Error(decoded.error.message);
  const report = makeReport(decoded.value, { name: 'words', temporaryWithin: 16 });
  const found = await countIn(read.buffer.slice(read.byteOffset, read.byteOffset + read.length) as ArrayBuffer, 16);
  expect([found.count, found.bytes]).toEqual([report.temporaries.allocations, report.temporaries.bytes]);
  expect(found.count).toBeGreaterThan(0);
  expect(found.known).toBe(true);
  expect(found.bySite.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(found.count);
  const atOnce = await countIn(read.buffer.slice(read.byteOffset, read.byteOffset + read.length) as ArrayBuffer, 1);
  const sums = new Map<string, { count: number; bytes: number }>();
  for (const { stack, figures } of readSites(decoded.value).sites) {
    const frame = ownFrames(stack)[0] ?? '';
    const { count, bytes: size } = sums.get(frame) ?? { count: 0, bytes: 0 };
    sums.set(frame, { count: count + figures.temporaries, bytes: size + figures.temporary_bytes });
  }
  expect(atOnce.bySite.length).toBeGreaterThan(1);
  for (const { frames, count, bytes: size } of atOnce.bySite)
    expect({ count, bytes: size }).toEqual(sums.get(frames[0] ?? ''));
  const order = [...sums.values()]
    .filter(({ count }) => count > 0)
    .sort((one, two) => two.count - one.count || two.bytes - one.bytes);
  expect(atOnce.bySite.map(({ count, bytes: size }) => ({ count, bytes: size }))).toEqual(order.slice(0, 20));
});

test('a row has the innermost callers of a deep stack, and no more', async () => {
  const decoded = decodeTraceFile(await recorded());
  if (!decoded.ok) throw new Error(decoded.error.message);
  const stack = Array.from({ length: 30 }, (_, depth) => `caller_${30 - depth}@app.c:${depth + 1}`); // outermost first
  const { trace, wordSize } = decoded.value;
  const found = await countIn(
    encodeTraceFile(
      withSites(trace, () => stack),
      wordSize,
      {},
    ),
    1,
  );
  expect(found.bySite.map(({ frames }) => frames)).toEqual([[...stack].reverse().slice(0, 8)]);
});

test('a trace that grows is counted on, and a number that is none is refused in words', async () => {
  const { ask, refused, run, operate } = makeEngine();
  const count = async (within: number) => (await ask({ type: 'temporaries', within }, 'temporaries')).temporaries;
  const makeOne = async () => {
    const { mems } = await operate({ op: 'allocate', size: bytes(50) });
    for (const mem of mems) await operate({ op: 'deallocate', mem });
  };
  await run('by_hand');
  await makeOne();
  const first = await count(1);
  expect(first.count).toBe(1);
  await makeOne();
  await makeOne();
  const [older] = (await operate({ op: 'allocate', size: bytes(50) })).mems;
  await operate({ op: 'allocate', size: bytes(50) });
  if (older !== undefined) await operate({ op: 'deallocate', mem: older }); // one allocation later
  const grown = await count(1);
  expect([grown.count, grown.seq > first.seq]).toEqual([3, true]);
  expect((await count(2)).count).toBe(4);
  expect(await count(1)).toEqual(grown);
  expect(await refused({ type: 'temporaries', within: 0 })).toBe(
    'within is 0; it is a number of allocations, 1 or more',
  );
});

test('a function is shown with the callers that most of its temporaries come from', async () => {
  const decoded = decodeTraceFile(await recorded());
  if (!decoded.ok) throw new Error(decoded.error.message);
  const { trace, wordSize } = decoded.value;
  // Five temporaries, by two operations each: the first and the last two of one caller, the three between of another.
  const callerOf = (operation: number) => (operation < 2 || operation >= 8 ? 'rare' : 'often');
  const sited = withSites(trace, (operation) => ['main@a.c:1', `${callerOf(operation)}@a.c:2`, 'take@a.c:3']);
  const { bySite } = await countIn(encodeTraceFile(sited, wordSize, {}), 1);
  expect(bySite.map(({ count, bytes: size, frames }) => [count, size, frames[0], frames[1]])).toEqual([
    [5, 500, 'take@a.c:3', 'often@a.c:2'],
  ]);
});
