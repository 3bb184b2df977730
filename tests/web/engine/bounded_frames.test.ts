// What a frame holds is bounded by the screen, not by the trace: 100,000 marks, pools, threads and heaps that ended. Counts of
// elements, which a machine's speed does not change.

import { expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { Session } from '../../../web/src/engine/session.ts';
import { makeFrame } from '../../../web/src/engine/whole_frame.ts';
import { keyframeBytes } from '../../../web/src/model/state/keyframe.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import type { Trace } from '../../../web/src/trace/trace.ts';
import { makeLargeHeap } from '../../bench/glass/glass.ts';
import { kManyThings, traceOf } from '../../bench/glass/many.ts';
import { kNothing, partsIn, wanting } from './harness.ts';

const kMany = 100_000;

function opened(trace: Trace): Session {
  const session = Session.open(trace, 4, {});
  expect(session.mismatch).toBeUndefined();
  return session;
}

const openMany = (what: keyof typeof kManyThings, count: number): Session =>
  opened(traceOf((add) => kManyThings[what]?.(add, count)));

test('100,000 marks are no more than the time line has columns, and the last of each column is there', () => {
  const session = openMany('marks', kMany);
  const { timeline } = makeFrame(session, { ...kNothing, timeline: { from: seq(0), to: 'head', columns: 1000 } });
  const marks = timeline?.marks ?? [];
  expect(marks.length).toBe(1000);
  expect(marks.reduce((all, { more }) => all + more + 1, 0)).toBe(kMany);
  expect(marks.at(-1)?.seq).toBe(kMany);
  const near = makeFrame(session, { ...kNothing, timeline: { from: seq(500), to: seq(700), columns: 1000 } }).timeline;
  expect(near?.marks.map(({ more }) => more)).toEqual(new Array(200).fill(0));
});

test('100,000 heaps and pools that ended are held once, whatever the number of keyframes', () => {
  const session = openMany('heaps', kMany);
  const { keyframes } = session.model.history;
  expect(keyframes.length).toBeGreaterThan(5);
  const heaps = new Set(keyframes.flatMap((keyframe) => keyframe.heaps));
  const pools = new Set(keyframes.flatMap((keyframe) => keyframe.pools));
  expect(heaps.size).toBeLessThan(kMany + keyframes.length);
  expect(pools.size).toBeLessThan(kMany + keyframes.length);
  const frame = makeFrame(session, {
    ...kNothing,
    ...wanting({ lists: {} }),
    at: { to: 'seq', seq: seq(2 * kMany + 1) },
  });
  expect([frame.status.heaps.length, partsIn(frame).lists?.pools.length]).toEqual([1, 0]);
});

test('60,000 living pools and 100,000 threads are shown in part, and the frame says how many there are', () => {
  const count = 60_000;
  const session = opened(
    traceOf((add) => {
      kManyThings.pools?.(add, count);
      for (let n = 1; n < kMany; ++n) add(EventKind.threadChanged, 0, 0, n + 1, n, 0);
    }),
  );
  const frame = makeFrame(session, { ...kNothing, ...wanting({ caches: true, lists: { pool: 59_000 } }) });
  const { lists, caches } = partsIn(frame);
  expect([lists?.pools.length, lists?.poolsTotal, lists?.pools.at(-1)?.pool]).toEqual([513, count, 59_000]);
  const { threads = [], moreThreads = 0, acting } = caches ?? {};
  expect([threads.length + moreThreads, threads.length, acting]).toEqual([kMany, 128, kMany]);
  expect([...threads]).toContain(kMany);
});

test('a keyframe costs what changed since the last, not what lives', () => {
  const live = 50_000;
  const events = traceOf((add) => {
    add(EventKind.heapCreated, 1, 4, 0x10000, 8, 0);
    add(EventKind.segmentAdded, 1, 0, 0x10000, live * 32 + 16, 0x1000c);
    add(EventKind.burstCarved, 1, 0, 0x1000c, 32, live);
    for (let n = 0; n < 3 * 65_536; ++n) {
      const at = 0x1000c + 32 * (n % 100);
      if (n % 200 < 100) add(EventKind.chunkCached, 1, 3, at, 32, 1);
      else add(EventKind.chunkReused, 1, 3, at, 32, 28);
    }
  });
  const sizes = opened(events).model.history.keyframes.map(keyframeBytes);
  expect(sizes.length).toBe(7);
  expect(sizes[1]).toBeGreaterThan(live * 8);
  for (const size of sizes.slice(2)) expect(size).toBeLessThanOrEqual(100 * 18);
});

test('a state takes memory for the places where chunks begin, not for all of the heap', () => {
  const mebibytes = 48;
  const session = Session.open(makeLargeHeap(mebibytes * 2 ** 20), 4, {}); // blocks of 1.6 KiB on average
  expect(session.mismatch).toBeUndefined();
  const { frames, words, nodes, changed, pageStarts, dirtyPages, largePageStarts } = session.model.head.state;
  const arrays = [frames, words, nodes, changed, pageStarts, dirtyPages, largePageStarts];
  const bytes = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(bytes).toBeLessThan((mebibytes * 2 ** 20) / 4);
});
