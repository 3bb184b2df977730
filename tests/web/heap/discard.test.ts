// heap.trim() where the engine has memory.discard. No engine that is at hand has it (docs/shrink.md), so the host is a function that counts
// and zeroes, as the proposal says.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { HeapOptions, TracedHeap } from '../../../web/src/heap/heap_types.ts';
import { History } from '../../../web/src/model/time/history.ts';
import { explainOperation } from '../../../web/src/model/words/explain.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { makeReport } from '../../../web/src/report/report.ts';
import { decodeEvent, type Event } from '../../../web/src/trace/decode.ts';
import { describeEvent } from '../../../web/src/trace/describe.ts';
import { traceOf } from '../report/counted_heap.ts';
import { kSound, RandomCalls } from './random_calls.ts';

const kMiB = 1 << 20;
const kPage = 65_536;
const memories = WebAssembly.Memory.prototype as { discard?: (offset: number, length: number) => void };
let discarded = 0;

beforeEach(() => {
  discarded = 0;
  memories.discard = function (this: WebAssembly.Memory, offset, length) {
    if (offset % kPage !== 0 || length % kPage !== 0 || length === 0) throw new RangeError('not whole pages');
    new Uint8Array(this.buffer).fill(0, offset, offset + length);
    discarded += length;
  };
});
afterEach(() => {
  delete memories.discard;
});

test.each<[string, HeapOptions]>([
  ['release', {}],
  ['trace', { trace: true }],
  ['placed', { initial: kMiB, maximum: 512 * kMiB }],
  ['checked', { checked: true }],
])('random calls give the same where trimming discards pages: %s', async (_, options) => {
  const run = async (discards: boolean): Promise<unknown> => {
    if (!discards) delete memories.discard;
    const calls = new RandomCalls(await createHeap(options), 11);
    const results: unknown[] = [];
    for (let part = 0; part < 20; ++part) {
      const big = calls.heap.allocate(2 * kMiB);
      calls.heap.u8.fill(0x5a, big, big + 2 * kMiB);
      results.push(calls.run(500));
      calls.heap.deallocate(big);
      calls.heap.trim();
      expect(calls.heap.check()).toBeUndefined();
    }
    expect(calls.end()).toEqual(kSound);
    return results;
  };
  const discarding = await run(true);
  if (!options.checked) expect(discarded).toBeGreaterThan(20 * kMiB);
  expect(discarding).toEqual(await run(false));
});

test('a traced heap has an event for each run that the host took back, which adds up', async () => {
  const heap = (await createHeap({ trace: true })) as TracedHeap;
  const blocks = Array.from({ length: 10 }, () => heap.allocate(kMiB));
  for (const block of blocks.slice(0, 9)) heap.deallocate(block);
  heap.trim();
  heap.checkpoint();
  const trace = traceOf(heap);
  const events = Array.from({ length: trace.trace.count }, (_, i) => decodeEvent(trace.trace, i));
  const runs = events.filter(({ kind }) => kind === EventKind.pagesDiscarded);
  expect(runs.length).toBeGreaterThan(0);
  expect(runs.reduce((sum, { b }) => sum + b, 0)).toBe(discarded);
  expect(describeEvent(runs[0] as Event).text).toMatch(
    /^free pages at 0x[0-9a-f_]+ are given to the host, [\d.]+\s[KM]iB$/,
  );
  const history = new History(trace.trace);
  history.fold();
  const at = events.findIndex(({ kind }) => kind === EventKind.pagesDiscarded) + 1;
  const prose = explainOperation(history, at)?.prose.map(({ text }) => text);
  expect(prose?.join('')).toMatch(/Free pages at 0x[0-9a-f_]+ were given to the host, [\d.]+\s[KM]iB\./);
  expect(explainOperation(history, at - 1)?.title).toMatch(/trim/);
  const report = makeReport(trace, { name: 'discarded' });
  expect(report.trace.proof).toMatchObject({ equal: true });
});

test('each free page of 64 KiB is discarded, and no other', async () => {
  const heap = await createHeap();
  const blocks = Array.from({ length: 10 }, () => heap.allocate(kMiB));
  for (const block of blocks) heap.u8.fill(7, block, block + kMiB);
  for (const block of blocks.slice(0, 9)) heap.deallocate(block);
  heap.trim();
  expect(heap.stats().returnablePages * kPage).toBeGreaterThan(8 * kMiB);
  expect(discarded).toBeGreaterThanOrEqual(heap.stats().returnablePages * kPage - kPage);
  const kept = blocks[9] ?? 0;
  expect(heap.u8.subarray(kept, kept + kMiB).every((byte) => byte === 7)).toBe(true);
  const zeroed = heap.calloc(9, kMiB);
  expect(heap.u8.subarray(zeroed, zeroed + 9 * kMiB).every((byte) => byte === 0)).toBe(true);
});
