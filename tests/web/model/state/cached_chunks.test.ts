// Rule P4 of event.h, event by event: who has which chunk, back and forth, and what cannot be.

import { describe, expect, test } from 'vitest';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import { queryCaches } from '../../../../web/src/model/queries/query_caches.ts';
import { queryInspect } from '../../../../web/src/model/queries/query_inspect.ts';
import { chooseHeap, queryHeaps } from '../../../../web/src/model/queries/query_lists.ts';
import { queryMap } from '../../../../web/src/model/queries/query_map.ts';
import { queryTimeline } from '../../../../web/src/model/queries/query_timeline.ts';
import { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import { captureKeyframe, restoreKeyframe } from '../../../../web/src/model/state/keyframe.ts';
import { PageSummary } from '../../../../web/src/model/state/page_summary.ts';
import { walkModel } from '../../../../web/src/model/state/walk.ts';
import { readStateFromWalks } from '../../../../web/src/model/state/walk_read.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { EventKind, kSlabLists, Shape, WalkKind } from '../../../../web/src/protocol/event_layout.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';
import { cache, chunkNumber, end, kList, kSixChunks, kSize, kTour, move, release, reuse } from '../cached_events.ts';
import { act, type Line, traceOf } from '../small_events.ts';

function told(lines: readonly Line[]): History {
  const history = new History(traceOf(lines));
  history.fold();
  return history;
}

function listsAt(history: History, state: HeapState) {
  const heap = chooseHeap(state, 0);
  if (heap === undefined) throw new Error('no heap');
  return queryCaches(history, state, heap).cacheLists;
}

/** Chunks by holder, of the one list; and what is in use and cached. */
function countsOf(history: History, state: HeapState) {
  const lists = listsAt(history, state);
  const chunks = lists?.rows[0]?.chunks ?? [];
  const cached = Object.fromEntries([...(lists?.holders ?? [])].map((holder, i) => [holder, chunks[i] ?? 0]));
  const sum = Object.values(cached).reduce((all, count) => all + count, 0);
  const heap = state.heap(1);
  expect([lists?.chunks, lists?.bytes]).toEqual([sum, sum * kSize]);
  expect([heap.chunksCached, heap.cached, state.cached]).toEqual([sum, sum * kSize, sum * kSize]);
  return [heap.chunksInUse, cached];
}

describe('a cached chunk', () => {
  test('is in use for nobody: its holder has it, as the events say', () => {
    const history = told([...kSixChunks, ...kTour]);
    expect(history.broken).toBeUndefined();
    const travel = new TimeTravel(history);
    const counts = (events: number) => {
      travel.seek(kSixChunks.length + events);
      return countsOf(history, travel.state);
    };
    expect(counts(0)).toEqual([6, { 0: 0, 1: 0 }]);
    expect(counts(2)).toEqual([4, { 0: 0, 1: 2 }]);
    expect(counts(5)).toEqual([2, { 0: 0, 1: 2, 2: 2 }]);
    expect(counts(6)).toEqual([3, { 0: 0, 1: 2, 2: 1 }]);
    expect(counts(7)).toEqual([3, { 0: 1, 1: 2, 2: 0 }]);
    expect(counts(10)).toEqual([3, { 0: 3, 1: 0, 2: 0 }]);
    expect(counts(11)).toEqual([3, { 0: 2, 1: 1, 2: 0 }]);
    expect(counts(kTour.length)).toEqual([3, { 0: 1, 1: 0, 2: 0 }]);
    expect(counts(5)).toEqual([2, { 0: 0, 1: 2, 2: 2 }]); // and back, by undo
  });

  test('undone to zero nothing is left, and a keyframe holds all of it', () => {
    const history = told([...kSixChunks, ...kTour]);
    const last = captureKeyframe(history.head);
    const restored = new HeapState();
    restoreKeyframe(restored, last);
    expect(captureKeyframe(restored)).toEqual(last);
    expect(countsOf(history, restored)).toEqual(countsOf(history, history.head));
    history.keyframes.splice(0); // only events lead the way
    const travel = new TimeTravel(history);
    for (let at = history.head.seq; at >= 0; --at) {
      travel.seek(at);
      const replay = told([...kSixChunks, ...kTour].slice(0, at)).head;
      expect(captureKeyframe(travel.state), `at ${at}`).toEqual(captureKeyframe(replay));
    }
  });

  test('is walked with its holder in place of a chunk in use, has B without C, and its neighbours take it as in use', () => {
    const { head } = told([...kSixChunks, ...kTour.slice(0, 7)]);
    const records: number[][] = [];
    walkModel(head, 1, (...record) => records.push(record));
    const cached = records.filter(([word = 0]) => (word & 0xff) === WalkKind.chunkCached);
    const kMarks = 4 | 2; // B without C, and the chunk before is in use
    expect(cached).toEqual([
      [WalkKind.chunkCached | 0x100 | (1 << 16), chunkNumber(0), kSize, kSize | kMarks],
      [WalkKind.chunkCached | 0x100 | (1 << 16), chunkNumber(1), kSize, kSize | kMarks],
      [WalkKind.chunkCached | 0x100, chunkNumber(2), kSize, kSize | kMarks],
    ]);
  });

  test('is told by inspector, map, heaps and time: list, holder, and since when', () => {
    const history = told([...kSixChunks, ...kTour.slice(0, 7)]);
    const { head } = history;
    const inspect = queryInspect(history, head, addr(chunkNumber(1) + 8), undefined);
    expect(inspect).toMatchObject({
      state: ChunkState.cached,
      inUse: false, // B without C
      request: undefined,
      bornAt: kSixChunks.length + 2,
    });
    expect(inspect.cached).toEqual({ list: kList, low: kSize, high: kSize, holder: 1 });
    expect(inspect.previous?.state).toBe(ChunkState.cached);
    expect(inspect.life.map(({ kind }) => kind)).toEqual([EventKind.chunkCached]);
    const reused = queryInspect(history, head, addr(chunkNumber(3)), undefined);
    expect([reused.state, reused.request, reused.cached]).toEqual([ChunkState.inUse, 50, undefined]);
    const view = { origin: addr(0x10000), bytesPerRow: bytes(4096), rows: 1, columns: 512 };
    const { chunks } = queryMap(head, new PageSummary(), view, { memoryBytes: 0x20000, touchedNode: undefined });
    const { cached, inUse, top } = ChunkState;
    expect([...(chunks?.state ?? [])]).toEqual([cached, cached, cached, inUse, inUse, inUse, top]);
    expect(queryHeaps(head)).toMatchObject([{ chunksInUse: 3, inUse: 3 * kSize, chunksCached: 3, cached: 3 * kSize }]);
    const timeline = queryTimeline(history, 0, head.seq, 1, [], () => undefined);
    expect([timeline.inUseMax[0], timeline.occupiedMax[0]]).toEqual([6 * kSize, 6 * kSize]);
    const late = queryTimeline(history, head.seq - 1, head.seq, 1, [], () => undefined);
    expect([late.inUseMax[0], late.occupiedMax[0]]).toEqual([3 * kSize, 6 * kSize]);
  });

  test('from far the bytes of cached chunks are counted by pages and by chunks alike', () => {
    const { head } = told([...kSixChunks, cache(0), cache(4)]);
    const pages = new PageSummary();
    const { inUse, cached } = pages.level(head, 8192, 0, 0x20000);
    expect([inUse[16], cached[16]]).toEqual([4 * kSize, 2 * kSize]);
  });

  test('the last move and the last flush are found, and the flush counts when it ends', () => {
    const history = told([...kSixChunks, ...kTour]);
    const lists = listsAt(history, history.head);
    const first = kSixChunks.length;
    expect(lists?.lastMove).toEqual({ seq: first + 11, list: kList, from: 0, to: 1, chunks: 1 });
    expect(lists).toMatchObject({
      flushes: 1,
      lastFlush: { seq: first + 12, bytes: 2 * kSize, chunks: 2, nested: false },
    });
    const travel = new TimeTravel(history);
    travel.seek(first + 10);
    expect(listsAt(history, travel.state)).toMatchObject({ lastMove: { from: 1, to: 0, chunks: 2 }, flushes: 0 });
  });

  test('a flush is under way from its first event to its last', () => {
    const history = told([...kSixChunks, ...kTour]);
    const travel = new TimeTravel(history);
    const end = history.malloc.flushEnds.at(0);
    for (let now = kSixChunks.length; now <= history.head.seq; now++) {
      travel.seek(now);
      const isFlushing = now >= kSixChunks.length + 12 && now <= end;
      expect(listsAt(history, travel.state)?.flushing, `after ${now}`).toBe(
        isFlushing ? kSixChunks.length + 12 : undefined,
      );
    }
  });

  test('lists are in the order of their numbers, however they came to be used, each with its own chunks', () => {
    const on = (list: number, n: number): Line => [EventKind.chunkCached, list, chunkNumber(n), kSize, 1];
    const folded = told([...kSixChunks, on(11, 0), on(2, 1), on(12, 2), on(2, 3), on(10, 4)]);
    const rows = listsAt(folded, folded.head)?.rows ?? [];
    expect(rows.map(({ list, chunks }) => [list, chunks.reduce((sum, count) => sum + count, 0)])).toEqual([
      [2, 2],
      [10, 1],
      [11, 1],
      [12, 1],
    ]);
  });

  const cached = [cache(0)];
  const wrong: readonly (readonly [string, readonly Line[], RegExp])[] = [
    ['cached twice', [...cached, cache(0)], /is cached already/],
    ['cached though it is free', [...cached, end(0, 1), release(0), cache(0)], /not in use with 72 bytes/],
    ['cached with another size', [[EventKind.chunkCached, kList, chunkNumber(0), 64, 1]], /not in use with 64 bytes/],
    ['cached by a thread that does not act', [cache(0, 2)], /thread 1 acted, not 2/],
    ['reused though it is not cached', [reuse(0)], /is not cached/],
    ['reused by another thread', [...cached, act(2, 1), reuse(0)], /is cached by thread 1, not by thread 2/],
    [
      'reused from a central list',
      [...cached, move(0, 1, 0), reuse(0)],
      /is cached by a central list, not by thread 1/,
    ],
    [
      'reused from another list',
      [...cached, [EventKind.chunkReused, 8, chunkNumber(0), kSize, 9]],
      /cache list 9, not on 8/,
    ],
    ['moved by one who does not have it', [...cached, act(2, 1), move(0, 2, 0)], /cached by thread 1, not by thread 2/],
    ['moved to a thread that never acted', [...cached, move(0, 1, 7)], /there is no thread 7/],
    ['ended though it is not cached', [end(0, 1)], /is not cached/],
    ['freed while cached', [...cached, release(0)], /is cached, so it belongs to no caller/],
    ['cut while cached', [...cached, [EventKind.chunkSplit, 0, chunkNumber(0), 32, 40]], /belongs to no caller/],
    [
      'joined while cached',
      [...cached, [EventKind.chunksMerged, 1, chunkNumber(0), kSize, kSize]],
      /belongs to no caller/,
    ],
  ];
  test.each(wrong)('%s is a contradiction, and the state stays before it', (_, lines, text) => {
    const all = [...kSixChunks, ...lines];
    const history = told(all);
    expect(history.broken?.text).toMatch(text);
    expect(history.broken?.seq).toBe(all.length - 1);
    expect(captureKeyframe(history.head)).toEqual(captureKeyframe(told(all.slice(0, -1)).head));
  });
});

describe('a block of a slab', () => {
  const list = kSlabLists + 2;
  const block = chunkNumber(0) + 16; // behind the slab's own words
  const slab: readonly Line[] = [
    ...kSixChunks,
    [EventKind.slabMade, list, chunkNumber(0), 16, 2],
    [EventKind.chunkReused, list, block, 16, 9],
  ];
  const cached = (on: number, address: number, size: number): Line => [EventKind.chunkCached, on, address, size, 1];

  test('that is in use is cached again on the list of its slab', () => {
    const history = told([...slab, cached(list, block, 16)]);
    expect(history.broken).toBeUndefined();
    expect(history.head.heap(1)).toMatchObject({ chunksCached: 2, chunksInUse: 5 });
  });

  const pool = 0x4000 + list; // has in its block's tag what a slab's block has there
  const kPool: readonly Line[] = [
    [EventKind.poolCreated, pool, 0x500, 32, 2],
    [EventKind.poolShaped, pool, 0, 0, Shape.segregated],
    [EventKind.poolRuled, pool, 0, 0, 64],
    [EventKind.blockMade, pool, chunkNumber(2) + 4, 64, 0],
  ];
  test.each<[string, readonly Line[], Line]>([
    ['of another size', [], cached(list, block, 24)],
    ['of another list', [], cached(list + 1, block, 16)],
    ['that is no block of a slab', [], cached(list, chunkNumber(1), kSize)],
    ['that is free', [release(3)], cached(list, chunkNumber(3), kSize)],
    ["that holds a pool's block", kPool, cached(list, chunkNumber(2), kSize)],
  ])('is not cached as one %s', (_, before, line) => {
    const all = [...slab, ...before];
    expect(told(all).broken).toBeUndefined();
    const history = told([...all, line]);
    expect(history.broken?.text).toMatch(/is none of \d+ bytes in a slab/);
    expect(captureKeyframe(history.head)).toEqual(captureKeyframe(told(all).head));
  });
});

describe('after a loss', () => {
  const before = [...kSixChunks, ...kTour.slice(0, 7)];

  function resynced(then: readonly Line[]): History {
    const known = told(before);
    const history = new History(traceOf([...before, [EventKind.eventsLost, 0, 9, 0, 0], ...then]));
    history.stopsAtLoss = true;
    history.fold();
    readStateFromWalks(history.head, 4, [{ id: 1, address: kSixChunks[0]?.[2] ?? 0 }], 2, (_, visit) => {
      walkModel(known.head, 1, (...record) => visit(Uint32Array.from(record)));
    });
    history.addBarrier();
    history.fold();
    return history;
  }

  test('who has what is known from the walk, on which list is not', () => {
    const history = resynced([]);
    const lists = listsAt(history, history.head);
    const unknown = lists?.rows.find(({ list }) => list === undefined);
    expect([[...(lists?.holders ?? [])], [...(unknown?.chunks ?? [])]]).toEqual([
      [0, 1, 2],
      [1, 2, 0],
    ]);
    const { cached } = queryInspect(history, history.head, addr(chunkNumber(0)), undefined);
    expect(cached).toMatchObject({ list: undefined, holder: 1 });
  });

  test('events go on: any list fits a chunk whose list is not known, and undo makes it unknown again', () => {
    const history = resynced([move(2, 0, 2), reuse(2), cache(2, 2), act(1, 2), end(0, 1), release(0)]);
    expect(history.broken).toBeUndefined();
    expect(history.head.heap(1)).toMatchObject({ chunksCached: 2, chunksInUse: 3 });
    const travel = new TimeTravel(history);
    travel.seek(history.head.seq);
    travel.seek(before.length + 1);
    expect(captureKeyframe(travel.state)).toEqual(captureKeyframe(resynced([]).head));
  });
});
