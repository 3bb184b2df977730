import { expect, test } from 'vitest';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import { createRandom } from '../../../../web/src/base/random.ts';
import { queryEmpty } from '../../../../web/src/model/queries/query_empty.ts';
import { queryMap } from '../../../../web/src/model/queries/query_map.ts';
import { forEachChunk } from '../../../../web/src/model/state/chunk_at.ts';
import { kInUse } from '../../../../web/src/model/state/chunk_table.ts';
import type { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import { PageSummary } from '../../../../web/src/model/state/page_summary.ts';
import { Model } from '../../../../web/src/model/time/model.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { EmptyKind, type MapViewport } from '../../../../web/src/protocol/map_frames.ts';
import { headOf, Trace } from '../../../../web/src/trace/trace.ts';
import { Drive } from '../drive.ts';

const kMemory = 64 * 1024 * 1024;

/** Found by looking at every chunk there is. */
function everyRun(state: HeapState): Map<number, number> {
  const found = new Map<number, number>();
  for (const segment of state.segments) {
    forEachChunk(state, segment, (at) => {
      const granule = state.granuleAt(at);
      const free = ((state.chunks[granule] ?? 0) & kInUse) === 0;
      if (free && state.sizeOf(granule) >= 64) found.set(at, state.sizeOf(granule));
    });
  }
  let before = 0;
  for (const { base, size } of state.segments) {
    if (base - before >= 64) found.set(before, base - before);
    before = base + size;
  }
  found.set(before, kMemory - before);
  return found;
}

const heapTops = (state: HeapState): number[] =>
  state
    .livingHeaps()
    .flatMap(({ top }) => (top !== 0 && state.sizeOf(state.granuleAt(top)) >= 64 ? [top] : []))
    .sort((one, other) => one - other);

test('runs of emptiness are all free chunks, tops and what lies outside of segments, at every event of a call too', async () => {
  const drive = await Drive.start(11);
  drive.run(2_000, 80);
  expect(drive.compare()).toBeUndefined();
  const travel = new TimeTravel(drive.history);
  const { trace } = drive;
  for (let event = 200; event < trace.count; event += 7) {
    travel.seek(event);
    const { state } = travel;
    const { count, address, size, kind } = queryEmpty(state, kMemory, trace);
    const runs = new Map(Array.from(address, (at, run) => [at, size[run]]));
    expect(runs).toEqual(everyRun(state));
    const tops = [...address].filter((_, run) => kind[run] === EmptyKind.top);
    expect(tops).toEqual(heapTops(state));
    for (let run = 1; run < count; run++)
      expect(address[run]).toBeGreaterThanOrEqual((address[run - 1] ?? 0) + (size[run - 1] ?? 0));
  }
});

test('the cells of a viewport with gaps are those of its rows without them', async () => {
  const drive = await Drive.start(5);
  drive.run(500, 60);
  for (let block = 0; block < 25_000; block++)
    drive.calls.operate(0, { op: 'allocate', size: bytes(16 + (block % 33)) });
  expect(drive.compare()).toBeUndefined();
  const { head } = drive.history;
  const origin = head.segments[0]?.base ?? 0;
  const whole: MapViewport = { origin: addr(origin), bytesPerRow: bytes(65_536), rows: 24, columns: 64 };
  const facts = { memoryBytes: kMemory, touchedNode: undefined };
  const all = queryMap(head, new PageSummary(), whole, facts).cells;
  const gaps = [
    { beforeRow: 2, slots: 3 },
    { beforeRow: 7, slots: 10 },
  ];
  const some = queryMap(head, new PageSummary(), { ...whole, rows: 11, gaps }, facts).cells;
  if (all === undefined || some === undefined) throw new Error('too few chunks for cells');
  const rows = [0, 1, 5, 6, 7, 8, 9, 20, 21, 22, 23];
  for (const of of ['inUse', 'free', 'pool', 'top', 'age'] as const) {
    expect([...some[of]]).toEqual(rows.flatMap((row) => [...all[of].subarray(row * 64, (row + 1) * 64)]));
  }
});

test('of more runs than are looked at in a foreign heap the longest are found', () => {
  const trace = new Trace();
  const add = (kind: EventKind, a: number, b: number, c = 8) => trace.appendEvent(headOf(kind, 1, 0), a, b, c);
  const [kSegment, kPage, kBlocks] = [kMemory, 4096, 5000];
  add(EventKind.heapCreated, 0, 8);
  add(EventKind.segmentAdded, 0, kSegment, 0);
  const long: [number, number][] = [];
  for (let n = 0, at = kPage; n < kBlocks; ++n) {
    add(EventKind.blockAllocated, at, 16);
    const next = at + (n % 500 === 250 ? 20 : 3) * kPage;
    if (n % 500 === 250) long.push([at + 16, next - at - 16]);
    at = next;
  }
  const { history } = new Model(trace);
  history.fold();
  const { address, size } = queryEmpty(history.head, kSegment, trace);
  const runs = Array.from(address, (at, run) => [at, size[run]]);
  expect(long).toHaveLength(10);
  expect(runs).toEqual(expect.arrayContaining(long));
});

test.each([1000, 2047, 2048, 2049, 5000])(
  'of %i equal runs in a foreign heap as many are found as are shown',
  (count) => {
    const trace = new Trace();
    const add = (kind: EventKind, a: number, b: number, c = 8) => trace.appendEvent(headOf(kind, 1, 0), a, b, c);
    add(EventKind.heapCreated, 0, 8);
    add(EventKind.segmentAdded, 0, kMemory, 0);
    for (let n = 0; n <= count; ++n) add(EventKind.blockAllocated, n * 3 * 4096, 16);
    const { history } = new Model(trace);
    history.fold();
    const { size } = queryEmpty(history.head, kMemory, trace);
    const equal = [...size].filter((bytes) => bytes === 3 * 4096 - 16);
    expect(size).toHaveLength(Math.min(count + 1, 1024)); // and the one behind them
    expect(equal).toHaveLength(size.length - 1);
  },
);

test('of a foreign heap the runs are those between its blocks that hold a whole page without the begin of one', () => {
  const trace = new Trace();
  const add = (kind: EventKind, a: number, b: number, c = 8) => trace.appendEvent(headOf(kind, 1, 0), a, b, c);
  const [kSegment, kPage] = [64 * 65_536, 4096];
  add(EventKind.heapCreated, 0, 8);
  add(EventKind.segmentAdded, 0, kSegment, 0);
  const random = createRandom(17).unit;
  const blocks: { readonly at: number; readonly end: number }[] = [];
  for (let at = 0x0001_1000; at < kSegment / 2; ) {
    const size = 8 * Math.ceil(random() * (random() < 0.1 ? 3_000 : 40));
    add(EventKind.blockAllocated, at, size);
    blocks.push({ at, end: at + size });
    at += size + (random() < 0.1 ? 16 * Math.ceil(random() * 2_000) : 16);
    at = 16 * Math.ceil(at / 16);
  }
  const { history } = new Model(trace);
  history.fold();
  expect(history.broken).toBeUndefined();
  const gaps: [number, number][] = [];
  let end = 0;
  for (const block of [...blocks, { at: kSegment, end: kSegment }]) {
    gaps.push([end, block.at - end]);
    end = block.end;
  }
  const whole = gaps.filter(([at, size]) => Math.ceil(at / kPage) + 1 <= Math.floor((at + size) / kPage));
  expect(whole.length).toBeGreaterThan(20);
  const { address, size, kind } = queryEmpty(history.head, kSegment, trace);
  const runs = Array.from(address, (at, run) => [at, size[run]]);
  expect(runs).toEqual(expect.arrayContaining(whole));
  expect(gaps).toEqual(expect.arrayContaining(runs)); // exact, and none twice
  expect(new Set(address).size).toBe(runs.length);
  expect(new Set(kind)).toEqual(new Set([EmptyKind.unrecorded]));
});
