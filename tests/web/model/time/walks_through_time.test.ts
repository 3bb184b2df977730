// Whichever way leads to event n, the state there is the same: random walks of seeks and steps over random traces, each state
// held against the one that applying events 0 .. n - 1, and nothing else, gives.

import { describe, expect, test } from 'vitest';
import { LostColumn } from '../../../../web/src/base/growing.ts';
import { createRandom } from '../../../../web/src/base/random.ts';
import { applyEvent } from '../../../../web/src/model/state/apply.ts';
import { chunkStateOf, forEachChunk } from '../../../../web/src/model/state/chunk_at.ts';
import { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import { captureKeyframe, restoreKeyframe } from '../../../../web/src/model/state/keyframe.ts';
import { PageSummary, type SummaryLevel } from '../../../../web/src/model/state/page_summary.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';
import { headOf, Trace } from '../../../../web/src/trace/trace.ts';
import { Drive } from '../drive.ts';
import { digestOf } from '../state_digest.ts';

const kPlaces = 36;
const kSeeds = Array.from({ length: Number(process.env['HG_WALK_SEEDS'] ?? 1) }, (_, n) => n + 1);

const kTraces: readonly (readonly [string, (seed: number) => Promise<Trace>])[] = [
  ['of commands, bursts, pools and heaps', (seed) => driven(seed, (drive) => [drive.run(700, 70), drive.run(500, 35)])],
  [
    'of the small front and memory pools',
    (seed) => driven(seed, (drive) => [drive.runSmall(120, 65), drive.runSmall(80, 25)]),
  ],
  [
    'of malloc on four threads',
    (seed) => driven(seed, (drive) => [drive.runMalloc(700, 60, 4), drive.runMalloc(400, 30, 4)]),
  ],
  ['of a foreign heap', async (seed) => foreign(seed)],
];

async function driven(seed: number, run: (drive: Drive) => unknown): Promise<Trace> {
  const drive = await Drive.start(seed);
  run(drive);
  drive.releaseMalloced(4);
  expect(drive.compare()).toBeUndefined();
  return drive.trace;
}

/** Blocks that are allocated, freed, replaced unseen, and freed though nobody knows them. */
function foreign(seed: number): Trace {
  const { below } = createRandom(seed);
  const trace = new Trace();
  trace.appendEvent(headOf(EventKind.heapCreated, 1, 0), 0, 8, 0);
  trace.appendEvent(headOf(EventKind.segmentAdded, 1), 0, 0x40000, 0);
  for (let i = 0; i < 4000; ++i) {
    if (i === 2000) trace.appendEvent(headOf(EventKind.segmentExtended, 1), 0, 0x40000, 0x60000);
    const slot = below(600);
    const address = 0x1000 + slot * 256 + (slot & 1) * 4; // no two in the same 8 bytes (chunk_table.ts, M9)
    const isAllocated = below(100) < 60;
    trace.appendEvent(
      headOf(isAllocated ? EventKind.blockAllocated : EventKind.blockFreed, 1),
      address,
      isAllocated ? below(250) : 0,
      0,
    );
  }
  return trace;
}

/** The digests at some places, by applying alone. */
function appliedOnly(trace: Trace, places: ReadonlySet<number>): ReadonlyMap<number, number> {
  const state = new HeapState();
  const lost = new LostColumn();
  const digests = new Map<number, number>();
  for (let event = 0; event <= trace.count; ++event) {
    if (places.has(event)) digests.set(event, digestOf(state));
    if (event < trace.count) applyEvent(state, lost, trace.head(event), trace.a(event), trace.b(event), trace.c(event));
  }
  return digests;
}

/** When each chunk was born, by a twin that knows nothing but rules_chunks.ts, A3, and the addresses that events name. */
function bornByRules(trace: Trace): ReadonlyMap<number, number> {
  const born = new Map<number, number>();
  for (let event = 0; event < trace.count; ++event) {
    const [a, b, c] = [trace.a(event), trace.b(event), trace.c(event)];
    const detail = trace.head(event) >>> 16;
    switch (trace.kind(event)) {
      case EventKind.segmentAdded:
        born.set(c, event);
        break;
      case EventKind.segmentExtended:
        born.set(a + b - 4, event);
        break;
      case EventKind.chunkSplit:
        born.set(a + b, event);
        break;
      case EventKind.chunksMerged: {
        const [left, right] = [born.get(a) ?? 0, born.get(a + b) ?? 0];
        born.set(a, detail === 1 ? left : detail === 2 ? right : Math.max(left, right));
        born.delete(a + b);
        break;
      }
      case EventKind.burstCarved:
        for (let i = 0; i < c; ++i) born.set(a + i * b, event);
        break;
      case EventKind.chunkTaken:
      case EventKind.chunkReleased:
      case EventKind.chunkCached:
      case EventKind.chunkReused:
        born.set(a, event);
    }
  }
  return born;
}

/** A history with a keyframe every so many events, which in a trace of this length it would not have. */
function historyOf(trace: Trace, keyframeEvery: number): History {
  const history = new History(trace, keyframeEvery);
  history.fold();
  expect(history.broken).toBeUndefined();
  return history;
}

test.each(kTraces.slice(0, 3))('births in a trace %s are those of a twin', async (_, make) => {
  const trace = await make(5);
  const upTo = new Trace();
  upTo.append((trace.segment(0) ?? new Uint32Array(0)).slice(0, Math.floor(trace.count * 0.6) * 4)); // before all is given back
  const { head, broken } = historyOf(upTo, Number.POSITIVE_INFINITY);
  expect(broken).toBeUndefined();
  const born = bornByRules(upTo);
  let chunks = 0;
  for (const segment of head.segments) {
    forEachChunk(head, segment, (at, granule) => {
      expect([at, head.born[granule]]).toEqual([at, born.get(at)]);
      chunks += 1;
    });
  }
  expect(chunks).toBeGreaterThan(30);
});

/** All levels of the pyramid, right for a whole memory. */
function levelsOf(pages: PageSummary, state: HeapState, extent: number): readonly SummaryLevel[] {
  return Array.from({ length: 9 }, (_, nth) => pages.level(state, 2 ** (11 + 2 * nth), 0, extent));
}

/** A level by walking all chunks; the entries in which something begins, by number. */
function levelByWalk(state: HeapState, bits: number): ReadonlyMap<number, readonly number[]> {
  const entries = new Map<number, number[]>();
  for (const segment of state.segments) {
    forEachChunk(state, segment, (at, granule) => {
      const entry = Math.floor(at / 2 ** bits);
      const known = entries.get(entry) ?? [0, 0, 0, 0, 0, at % 2 ** bits, at, 0];
      entries.set(entry, known);
      const what = chunkStateOf(state, granule);
      const column = kColumns.get(what) ?? 3;
      known[column] = (known[column] ?? 0) + Math.min(state.sizeOf(granule), (entry + 1) * 2 ** bits - at);
      known[6] = at;
      const isUsed = what === ChunkState.inUse || what === ChunkState.poolBlock;
      if (isUsed) known[7] = Math.max(known[7] ?? 0, state.born[granule] ?? 0);
    });
  }
  return entries;
}

const kColumns: ReadonlyMap<ChunkState, number> = new Map<ChunkState, number>([
  [ChunkState.inUse, 0],
  [ChunkState.cached, 1],
  [ChunkState.poolBlock, 2],
  [ChunkState.top, 4],
]);

/** Likewise, as the pyramid has it. */
function entriesOf(level: SummaryLevel, end: number): ReadonlyMap<number, readonly number[]> {
  const { inUse, cached, pool, free, top, firstStart, lastStart, youngest } = level;
  const columns = [inUse, cached, pool, free, top, firstStart, lastStart, youngest];
  const entries = new Map<number, readonly number[]>();
  for (let entry = 0; entry < Math.ceil(end / level.entryBytes); ++entry) {
    const words = columns.map((column) => column[entry] ?? 0);
    if (firstStart[entry] !== level.entryBytes) entries.set(entry, words);
    else if (words.slice(0, 5).some((bytes) => bytes !== 0)) throw new Error(`bytes of no chunk in entry ${entry}`);
  }
  return entries;
}

describe.each(kTraces)('a trace %s', (_, make) => {
  test.each(kSeeds)('has the same state at n whichever way n was reached, seed %i', async (seed) => {
    const trace = await make(seed);
    const random = createRandom(seed + 100);
    const places = Array.from({ length: kPlaces }, () => random.below(trace.count + 1));
    places.push(0, 1, trace.count);
    const near = places.flatMap((place) => [place, Math.min(trace.count, place + random.below(4))]);
    const expected = appliedOnly(trace, new Set(near));
    expect(historyOf(trace, 100).keyframes.filter((keyframe) => 'changes' in keyframe).length).toBeGreaterThan(10);
    const ways = [new TimeTravel(historyOf(trace, Number.POSITIVE_INFINITY)), new TimeTravel(historyOf(trace, 100))];
    for (const [nth, travel] of ways.entries()) {
      for (let i = 0; i < near.length; ++i) {
        const to = near[nth === 0 ? i : random.below(near.length)] ?? 0;
        travel.seek(to);
        expect([nth, to, digestOf(travel.state)]).toEqual([nth, to, expected.get(to)]);
        if (travel.state.sliver !== 0) continue;
        const kept = captureKeyframe(travel.state); // K1, where no walk would take one
        restoreKeyframe(travel.state, kept);
        expect([nth, to, digestOf(travel.state)]).toEqual([nth, to, expected.get(to)]);
      }
    }
  });

  test('has page summaries that follow every step, forward and back, by the marks of the events alone', async () => {
    const trace = await make(3);
    const travel = new TimeTravel(historyOf(trace, Number.POSITIVE_INFINITY));
    const random = createRandom(4);
    const pages = new PageSummary();
    let compared = 0;
    let at = 0;
    for (let i = 0; i < 160; ++i) {
      const forward = random.below(100) < 60;
      at = Math.max(0, Math.min(trace.count, at + (forward ? 1 : -1) * random.below(40)));
      travel.seek(at);
      const { state } = travel;
      const end = Math.max(0, ...state.segments.map(({ base, size }) => base + size));
      const levels = levelsOf(pages, state, end);
      if (i % 3 !== 0 && i > 60) continue;
      for (const level of levels) expect(entriesOf(level, end)).toEqual(levelByWalk(state, level.bits));
      compared += 1;
    }
    expect(compared).toBeGreaterThan(80);
  });
});
