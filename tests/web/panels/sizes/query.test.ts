import { expect, it } from 'vitest';
import { chooseHeap, queryHeaps } from '../../../../web/src/model/queries/query_lists.ts';
import { chunkStateOf, forEachChunk, tailOf } from '../../../../web/src/model/state/chunk_at.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { querySizes } from '../../../../web/src/panels/sizes/query.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';
import { headOf, Trace } from '../../../../web/src/trace/trace.ts';
import { Drive } from '../../model/drive.ts';

const drive = await Drive.start(5);
drive.run(3_000, 88);
drive.runMalloc(600, 60, 2);
expect(drive.compare()).toBeUndefined();
const state = drive.history.head;
const heap = chooseHeap(state, 0);
if (heap === undefined) throw new Error('no heap');
const sizes = querySizes(state, heap);
const sum = (rows: readonly { readonly count: number; readonly bytes: number }[], key: 'count' | 'bytes') =>
  rows.reduce((all, row) => all + row[key], 0);

it('what is in use by size is what the heap counts as in use, and so is it by age; what is cached is beside it', () => {
  const row = queryHeaps(state).find(({ id }) => id === heap.id);
  expect(sum(sizes.inUse, 'count')).toBe(row?.chunksInUse);
  expect(sum(sizes.inUse, 'bytes')).toBe(row?.inUse);
  expect(row?.chunksCached).toBeGreaterThan(0);
  expect(sum(sizes.cached, 'count')).toBe(row?.chunksCached);
  expect(sum(sizes.cached, 'bytes') + sizes.slabWords).toBe(row?.cached);
  expect(sum(sizes.ages, 'count')).toBe(sum(sizes.inUse, 'count'));
  expect(sum(sizes.ages, 'bytes')).toBe(sum(sizes.inUse, 'bytes'));
});

it('every chunk is in the class of its size, and the largest of a class is there', () => {
  let free = 0;
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    forEachChunk(state, segment, (at, granule) => {
      const size = state.sizeOf(granule);
      const kind = chunkStateOf(state, granule);
      const isFree = kind === ChunkState.free || kind === ChunkState.top || kind === ChunkState.victim;
      if (isFree) free += size;
      const list = isFree ? sizes.free : kind === ChunkState.cached ? sizes.cached : sizes.inUse;
      const row = list.find(({ power }) => power === Math.floor(Math.log2(size)));
      expect(row?.largest).toBeGreaterThanOrEqual(size);
      if (row?.largestAt === at) expect(row.largest).toBe(size);
    });
  }
  expect(sum(sizes.free, 'bytes')).toBe(free);
});

it('of chunks as large the one at the lowest address leads', () => {
  const first = new Map<string, number>();
  let equals = 0;
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    forEachChunk(state, segment, (at, granule) => {
      const kind = chunkStateOf(state, granule);
      if ([ChunkState.free, ChunkState.top, ChunkState.victim, ChunkState.cached].some((other) => other === kind))
        return;
      const key = `${state.sizeOf(granule)}`;
      if (first.has(key)) ++equals;
      else first.set(key, at);
    });
  }
  expect(equals).toBeGreaterThan(100);
  for (const { largest, largestAt } of sizes.inUse) expect(largestAt).toBe(first.get(`${largest}`));
});

it("a segment's tail is its last chunk when that is free, else its end", () => {
  for (const segment of state.segments) {
    let last = segment.firstChunk;
    forEachChunk(state, segment, (at) => {
      last = at;
    });
    const granule = state.granuleAt(last);
    const kind = chunkStateOf(state, granule);
    const isFree = kind === ChunkState.free || kind === ChunkState.top || kind === ChunkState.victim;
    expect(tailOf(state, segment)).toBe(isFree ? last : last + state.sizeOf(granule));
  }
});

it("a block's age is the number of events from the one that made it on, in classes of powers of two", () => {
  const births = new Map<number, number>(); // by address of the chunk
  for (let event = 0; event < drive.trace.count; ++event) {
    const [kind, a, b, c] = [drive.trace.kind(event), drive.trace.a(event), drive.trace.b(event), drive.trace.c(event)];
    if (kind === EventKind.chunkTaken || kind === EventKind.chunkReused) births.set(a, event);
    if (kind === EventKind.chunkReleased) births.delete(a);
    const grown = births.get(a + b); // backward: what was free in front of it is now its beginning
    if (kind === EventKind.chunksMerged && grown !== undefined && !births.has(a)) {
      births.delete(a + b);
      births.set(a, grown);
    }
    if (kind === EventKind.burstCarved) for (let nth = 0; nth < c; ++nth) births.set(a + nth * b, event);
  }
  const rows = new Map<number, { count: number; bytes: number }>();
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    forEachChunk(state, segment, (at, granule) => {
      const kind = chunkStateOf(state, granule);
      if (kind !== ChunkState.inUse && kind !== ChunkState.poolBlock) return;
      const age = drive.trace.count - (births.get(at) ?? Number.NaN);
      const power = Math.floor(Math.log2(age));
      const row = rows.get(power) ?? { count: 0, bytes: 0 };
      rows.set(power, { count: row.count + 1, bytes: row.bytes + state.sizeOf(granule) });
    });
  }
  const found = sizes.ages.map(({ power, count, bytes }) => [power, { count, bytes }] as const);
  expect(found.length).toBeGreaterThan(5);
  expect(found).toEqual([...rows].sort(([one], [other]) => one - other));
});

it('an age of exactly a power of two begins the next class', async () => {
  const young = await Drive.start(6);
  young.run(1, 100);
  expect(young.compare()).toBeUndefined();
  const { trace } = young.history;
  const born = young.history.head.seq;
  for (let age = 0, taken = 0; age < 64; ++age) {
    const events = new Trace();
    for (let event = 0; event < born + age; ++event)
      if (event < born) events.appendEvent(trace.head(event), trace.a(event), trace.b(event), trace.c(event));
      else events.appendEvent(headOf(EventKind.mark, 0, 1), event, 0, 0);
    const history = new History(events);
    history.fold();
    const at = chooseHeap(history.head, 0);
    if (at === undefined) throw new Error('no heap');
    for (let event = 0; event < born; ++event) if (events.kind(event) === EventKind.chunkTaken) taken = event;
    const powers = querySizes(history.head, at).ages.map(({ power }) => power);
    expect(powers, `${age}`).toContain(Math.floor(Math.log2(events.count - taken)));
  }
});
